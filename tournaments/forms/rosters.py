"""Forms of an import: the file, and how it is to be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from tournaments.forms.fields import NameField, RosterFileField
from tournaments.models import NAME_LENGTH
from tournaments.roster import COLUMN_NAMES, Column, RosterReading
from tournaments.roster.types import MAX_COLUMNS, MAX_ROWS

LONGEST_SHEET_NAME = 60


class UploadForm(forms.Form):
    """A file from an office, and the department that all its teams belong to where it names none."""

    file = RosterFileField(
        label=gettext_lazy("Roster file"), help_text=gettext_lazy("Excel (.xlsx) or CSV, at most 5 MB.")
    )
    department = NameField(
        label=gettext_lazy("Department of the whole file"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=gettext_lazy("Only if the file comes from one department and does not name it."),
    )


@dataclass(frozen=True)
class ReadingChoices:
    """How a file is to be read, as far as somebody said so; None and empty leave it to the reader."""

    sheet: str | None = None
    header_row: int | None = None
    department: str = ""
    mapping: dict[int, Column] = field(default_factory=dict)

    @classmethod
    def from_query(cls, query: QueryDict) -> ReadingChoices:
        """The choices in a query; what cannot be a choice is left out.

        Another sheet or header row makes the columns' meanings void that were shown for the one before.
        """
        sheet = query.get("sheet", "")[:LONGEST_SHEET_NAME] or None
        header_row = _header_row(query.get("header_row", ""))
        is_same_table = sheet == (query.get("read_sheet") or sheet) and (
            header_row == _header_row(query.get("read_header_row", query.get("header_row", "")))
        )
        return cls(
            sheet=sheet,
            header_row=header_row,
            department=query.get("department", "").strip()[:NAME_LENGTH],
            mapping=_mapping(query) if is_same_table else {},
        )

    def arguments(self) -> dict[str, Any]:
        """The same as arguments of `read_roster`."""
        return {
            "sheet": self.sheet,
            "header_row": self.header_row,
            "department": self.department or None,
            "mapping": self.mapping or None,
        }

    def items(self) -> list[tuple[str, str]]:
        """The same as names and values for a form or an address."""
        told = [("sheet", self.sheet or ""), ("department", self.department)]
        told.append(("header_row", "" if self.header_row is None else str(self.header_row)))
        told += [(f"c{index}", meaning.value) for index, meaning in self.mapping.items()]
        return [(name, value) for name, value in told if value]


def _header_row(text: str) -> int | None:
    is_row = text.isascii() and text.isdecimal() and len(text) <= 4
    return int(text) if is_row and int(text) <= MAX_ROWS else None


def _mapping(query: QueryDict) -> dict[int, Column]:
    chosen = {index: query.get(f"c{index}", "") for index in range(1, MAX_COLUMNS + 1)}
    return {index: Column(value) for index, value in chosen.items() if value in set(Column)}


@dataclass(frozen=True)
class ColumnChoice:
    """One column of the file with what it is taken for and what else it may be."""

    name: str
    letter: str
    header: str
    samples: tuple[str, ...]
    meaning: str
    session: str

    @property
    def options(self) -> list[tuple[str, str]]:
        """All meanings with their names."""
        return [(column.value, COLUMN_NAMES[column]) for column in Column]


def column_choices(reading: RosterReading) -> list[ColumnChoice]:
    """The editable mapping of a reading."""
    return [
        ColumnChoice(
            f"c{column.index}",
            column.letter,
            column.header,
            column.samples,
            column.meaning.value,
            column.session,
        )
        for column in reading.columns
    ]
