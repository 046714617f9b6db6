"""Rosters to try: files as offices send them, each with what must come out, and workbooks built by code."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from tournaments.roster import RosterReading, read_roster

FOLDER = Path(__file__).parent
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix in {".xlsx", ".csv"})


def expected_of(path: Path) -> dict[str, Any]:
    """What must come out of one of the files."""
    return json.loads((FOLDER / f"{path.stem}.expected.json").read_text(encoding="utf-8"))


def workbook(*rows: tuple[Any, ...], header: tuple[str, ...] = ("组号", "单位", "选手一", "选手二")) -> bytes:
    """A workbook with one sheet."""
    book = Workbook()
    sheet = book.active
    for row in (header, *rows):
        sheet.append(row)
    return saved(book)


def saved(book: Workbook) -> bytes:
    """The bytes of a workbook."""
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def reading(*rows: tuple[Any, ...], **options: Any) -> RosterReading:
    """The same workbook, read."""
    return read_roster(workbook(*rows, **options), "roster.xlsx")
