"""The import preview: the teams of a file, what is wrong in them, and what storing would change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tournaments.log_vocabulary import FIELD_NAMES
from tournaments.log_words import Change
from tournaments.roster import CellProblem, Column, Layout, RosterReading, RosterTeam, describe
from tournaments.roster.types import SEATS
from tournaments.selectors.rosters import MatchedTeam, RosterChanges

FIELDS = {
    Column.NUMBER: "number",
    Column.DEPARTMENT: "department",
    Column.SESSION: "session",
    Column.NAME: "name",
    Column.LEADER: "leader_name",
    Column.COACH: "coach_name",
    Column.PLAYER: "players",
    Column.PLAYERS: "players",
    Column.PHONE: "phones",
    Column.REMARK: "remark",
    **dict.fromkeys(SEATS, "players"),
}
ORDER = (
    *("number", "department", "session", "name", "leader_name", "coach_name"),
    *("players", "phones", "remark"),
)
ALWAYS = {"number", "department", "players"}


@dataclass
class PreviewCell:
    """One fact of a team; `problems` are sentences, `old` is what the event has where the file differs."""

    name: str
    text: str
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    old: str | None = None


@dataclass
class PreviewRow:
    """One team of the file, or a row that gave none. `state`: wrong, new, changed or same."""

    row: int
    cells: dict[str, PreviewCell]
    state: str = "wrong"

    def shown(self, fields: Sequence[str]) -> list[PreviewCell]:
        """The cells in the order of the table's columns."""
        return [self.cells.get(name, PreviewCell(name, "")) for name in fields]


@dataclass(frozen=True)
class Preview:
    """The table: `fields` are its columns, with a title each."""

    fields: tuple[str, ...]
    rows: tuple[PreviewRow, ...]

    @property
    def titles(self) -> list[str]:
        """The titles of the columns."""
        return [str(FIELD_NAMES[name]) for name in self.fields]

    @property
    def lines(self) -> list[tuple[PreviewRow, list[PreviewCell]]]:
        """Each row with its cells in order."""
        return [(row, row.shown(self.fields)) for row in self.rows]


def preview_of(reading: RosterReading, changes: RosterChanges | None) -> Preview:
    """The table of a reading; `changes` None when errors forbid storing."""
    rows = [_row(entry) for entry in reading.candidates]
    if changes is not None:
        for row, matched in zip(rows, changes.matched, strict=True):
            _tell_changes(row, matched)
    spots = _Spots(reading, rows)
    for problem in reading.errors:
        spots.cell(problem).problems.append(_sentence(problem))
    for problem in reading.warnings:
        spots.cell(problem).warnings.append(_sentence(problem))
    filled = {name for row in rows for name, cell in row.cells.items() if cell.text or cell.problems}
    fields = tuple(name for name in ORDER if name in filled | ALWAYS)
    return Preview(fields, tuple(sorted([*rows, *spots.others.values()], key=lambda row: row.row)))


def told_changes(changes: RosterChanges | None) -> list[tuple[int, list[Change]]]:
    """Number by number, what the file changes in a team of the event."""
    return [
        (
            matched.number,
            [Change(str(FIELD_NAMES[change.field]), change.old, change.new) for change in matched.changes],
        )
        for matched in (changes.changed if changes else ())
    ]


def _row(entry: RosterTeam) -> PreviewRow:
    texts = {
        "number": str(entry.number or ""),
        "department": entry.department or "",
        "session": entry.session or "",
        "name": entry.name,
        "leader_name": entry.leader,
        "coach_name": entry.coach,
        "players": " · ".join(player.name for player in entry.players),
        "phones": " ".join(player.phone for player in entry.players if player.phone),
        "remark": entry.remark,
    }
    return PreviewRow(entry.row, {name: PreviewCell(name, text) for name, text in texts.items()})


def _tell_changes(row: PreviewRow, matched: MatchedTeam) -> None:
    row.state = "new" if matched.team is None else "changed" if matched.changes else "same"
    for change in matched.changes:
        row.cells[change.field].old = change.old
    row.cells["number"].text = str(matched.number)


def _sentence(problem: CellProblem) -> str:
    """The problem without its place: the cell itself is the place."""
    place, colon, message = describe(problem).partition("：")
    return message if colon and place.startswith("第 ") else f"{place}{colon}{message}"


class _Spots:
    """Finds the cell that a problem speaks of; a row that gave no team gets a line of its own."""

    def __init__(self, reading: RosterReading, rows: Iterable[PreviewRow]) -> None:
        self._fields = _fields_by_title(reading)
        self._rows: dict[int, list[PreviewRow]] = {}
        for row in rows:
            self._rows.setdefault(row.row, []).append(row)
        self._is_spread = reading.layout is Layout.TWO_ROWS
        self.others: dict[int, PreviewRow] = {}

    def cell(self, problem: CellProblem) -> PreviewCell:
        """The cell to mark."""
        name = self._fields.get(problem.column, "players")
        row = self._row(problem)
        return row.cells.setdefault(name, PreviewCell(name, problem.value))

    def _row(self, problem: CellProblem) -> PreviewRow:
        start = problem.row
        if self._is_spread and start not in self._rows:
            start = max((row for row in self._rows if row < problem.row), default=start)
        if start not in self._rows:
            return self.others.setdefault(problem.row, PreviewRow(problem.row, {}))
        teams = self._rows[start]
        return next((row for row in teams if _holds(row, problem.value)), teams[0])


def _fields_by_title(reading: RosterReading) -> Mapping[str, str]:
    titled = {column.header or f"{column.letter}列": column.meaning for column in reversed(reading.columns)}
    return {title: FIELDS.get(meaning, "players") for title, meaning in titled.items()}


def _holds(row: PreviewRow, value: str) -> bool:
    return bool(value) and any(value in cell.text for cell in row.cells.values())
