"""Builds roster files for the tests: workbooks, raw workbooks and csv texts."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.worksheet.worksheet import Worksheet

from tournaments.roster import RosterReading, RosterTeam, read_roster

CASES = Path(__file__).parents[2] / "rosters"
Row = Sequence[Any]


def xlsx(
    rows: Iterable[Row],
    *,
    merges: Iterable[str] = (),
    title: str = "Sheet",
    tune: Callable[[Worksheet], object] | None = None,
) -> bytes:
    """A workbook with one sheet; `tune` may change it before it is saved."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = title
    for row in rows:
        sheet.append(list(row))
    for merge in merges:
        sheet.merge_cells(merge)
    if tune:
        tune(sheet)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def csv_bytes(rows: Iterable[Row], encoding: str = "utf-8", delimiter: str = ",") -> bytes:
    """The rows as Excel saves a csv file."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue().encode(encoding)


def raw_xlsx(
    sheet_data: str,
    *,
    after: str = "",
    head: str = "",
    sheets: str = '<sheet name="S" sheetId="1" r:id="rId1"/>',
    strings: str = "",
    more: Iterable[tuple[str, bytes]] = (),
) -> bytes:
    """A minimal workbook from the XML of its sheet, for what no library writes."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    parts = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": f'<Relationships xmlns="{package}"><Relationship Id="rId1"'
        f' Type="{links}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{links}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}"><Relationship Id="rId1"'
        f' Type="{links}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2"'
        f' Type="{links}/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>',
        "xl/sharedStrings.xml": f'<sst xmlns="{main}">{strings}</sst>',
        "xl/worksheets/sheet1.xml": f'{head}<worksheet xmlns="{main}">'
        f"<sheetData>{sheet_data}</sheetData>{after}</worksheet>",
    }
    return zipped([*((name, text.encode()) for name, text in parts.items()), *more])


def inline_rows(rows: Iterable[Row], first: int = 1) -> str:
    """Rows of inline texts as XML, with references."""
    return "".join(
        f'<row r="{number}">'
        + "".join(
            f'<c r="{chr(64 + at)}{number}" t="inlineStr"><is><t>{text}</t></is></c>'
            for at, text in enumerate(row, 1)
            if text
        )
        + "</row>"
        for number, row in enumerate(rows, first)
    )


def zipped(parts: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip archive of the parts, compressed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts:
            archive.writestr(name, data)
    return buffer.getvalue()


def replaced(data: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The workbook with one part changed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = [(info.filename, archive.read(info)) for info in archive.infolist()]
    return zipped((name, change(content) if name == part else content) for name, content in parts)


def read(rows: Iterable[Row], **options: Any) -> RosterReading:
    """Reads the rows as a workbook."""
    merges = options.pop("merges", ())
    return read_roster(xlsx(rows, merges=merges), "名单.xlsx", **options)


def names(team: RosterTeam) -> tuple[str, ...]:
    """The names of a team's players."""
    return tuple(player.name for player in team.players)


def brief(reading: RosterReading) -> list[tuple[Any, ...]]:
    """Row, number, department and names of each team."""
    return [(team.row, team.number, team.department, names(team)) for team in reading.teams]


def problems(reading: RosterReading) -> list[tuple[int, str, str]]:
    """Row, column and code of each error."""
    return [(error.row, error.column, error.code.value) for error in reading.errors]


def warnings(reading: RosterReading) -> list[tuple[int, str, str]]:
    """Row, column and code of each warning."""
    return [(warning.row, warning.column, warning.code.value) for warning in reading.warnings]
