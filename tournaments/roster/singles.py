"""Reading a list of single players, who have no partner yet: a name a row, with sex, department and phone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tournaments.roster.checks import column_title
from tournaments.roster.columns import Header, find_header, judge_by_content, plain_header
from tournaments.roster.entries import is_note
from tournaments.roster.files import open_file
from tournaments.roster.grid import Cell, Grid
from tournaments.roster.text import is_garbled, is_nobody, plain_scientific, same_key, tidy
from tournaments.roster.types import (
    MAX_DEPARTMENT,
    MAX_PHONE,
    MAX_PLAYER_NAME,
    PERSONS,
    CellProblem,
    Column,
    ColumnGuess,
    Problem,
    Unreadable,
    UnreadableRoster,
)

MAX_SHEETS_TO_SEARCH = 20
_SEX_HEADERS = frozenset({"性别", "男女", "sex", "gender"})
_SEXES = {"男": "m", "m": "m", "male": "m", "女": "f", "f": "f", "female": "f"}


@dataclass(frozen=True, slots=True)
class RosterSingle:
    """单人: a person of the list; `sex` is m, f or empty where the list does not tell."""

    row: int
    name: str
    sex: str = ""
    department: str = ""
    phone: str = ""


@dataclass(frozen=True, slots=True)
class SinglesReading:
    """A list as read; `singles` is empty as soon as there is an error, so that nobody stores half of it."""

    candidates: tuple[RosterSingle, ...]
    errors: tuple[CellProblem, ...]

    @property
    def singles(self) -> tuple[RosterSingle, ...]:
        """The people that may be stored: all of them, or nobody when there is an error."""
        return () if self.errors else self.candidates


def read_singles(data: bytes, filename: str) -> SinglesReading:
    """Read the single players of an .xlsx or .csv file: the first visible sheet with a column of names.

    Raises UnreadableRoster when the file as a whole cannot be read; no other exception comes out.
    """
    source = open_file(data, filename)
    if not source.sheets:
        raise UnreadableRoster(Unreadable.ONLY_HIDDEN_SHEETS if source.hidden_sheets else Unreadable.EMPTY)
    grids = [source.load(name) for name in source.sheets[:MAX_SHEETS_TO_SEARCH]]
    if not any(grid.cells for grid in grids):
        raise UnreadableRoster(Unreadable.EMPTY)
    for grid in grids:
        header = find_header(grid)
        if header is not None:
            return _read(grid, judge_by_content(header, grid))
    first = next(grid for grid in grids if grid.cells)
    return SinglesReading((), (CellProblem(min(first.rows, default=1), "", Problem.HEADER_NOT_FOUND),))


def _read(grid: Grid, header: Header) -> SinglesReading:
    persons = [column for column in header.columns if column.meaning in PERSONS]
    if len(persons) != 1 or persons[0].meaning is Column.PLAYERS:
        return SinglesReading((), (CellProblem(max(header.row, 1), "", Problem.NOT_SINGLE),))
    reader = _Reader(grid, header, persons[0])
    singles = tuple(reader.single(row) for row in reader.rows())
    reader.find_doubles(singles)
    ordered = sorted(reader.errors, key=lambda problem: problem.row)
    return SinglesReading(singles, tuple(ordered))


class _Reader:
    """Reads the rows below the header and collects what is wrong in them."""

    def __init__(self, grid: Grid, header: Header, names: ColumnGuess) -> None:
        self.grid, self.header, self.names = grid, header, names
        self.errors: list[CellProblem] = []
        self._sex = self._first(
            column for column in header.columns if plain_header(column.header) in _SEX_HEADERS
        )
        self._department = self._of(Column.DEPARTMENT)
        self._phone = self._of(Column.PHONE)

    def _of(self, meaning: Column) -> ColumnGuess | None:
        return self._first(column for column in self.header.columns if column.meaning is meaning)

    @staticmethod
    def _first(columns: Iterable[ColumnGuess]) -> ColumnGuess | None:
        return next(iter(columns), None)

    def rows(self) -> Iterator[int]:
        """The rows with a person."""
        for row in self.grid.rows:
            cell = self._cell(row, self.names)
            if row <= self.header.row or tidy(cell.text) == self.names.header:
                continue
            if cell.fault or not (is_nobody(tidy(cell.text)) or is_note(self.grid, row)):
                yield row

    def single(self, row: int) -> RosterSingle:
        """The person of a row; what is wrong is noted."""
        return RosterSingle(
            row=row,
            name=self._name(row),
            sex=self._sex_of(row),
            department=self._text(row, self._department, MAX_DEPARTMENT, is_merged=True),
            phone=self._text(row, self._phone, MAX_PHONE),
        )

    def find_doubles(self, singles: Iterable[RosterSingle]) -> None:
        """Nobody stands in the list twice."""
        rows: dict[str, list[int]] = {}
        for single in singles:
            seen = rows.setdefault(same_key(single.name), [])
            if seen and single.name:
                self._note(single.row, self.names, Problem.PLAYER_TWICE, single.name, tuple(seen[:5]))
            seen.append(single.row)

    def _cell(self, row: int, column: ColumnGuess, *, is_merged: bool = False) -> Cell:
        return self.grid.down(row, column.index) if is_merged else self.grid.own(row, column.index)

    def _name(self, row: int) -> str:
        name = self._text(row, self.names, MAX_PLAYER_NAME, too_long=Problem.NAME_TOO_LONG)
        if name and not any(character.isalpha() for character in name):
            self._note(row, self.names, Problem.NAME_INVALID, name)
        return name

    def _sex_of(self, row: int) -> str:
        if self._sex is None:
            return ""
        text = self._text(row, self._sex, MAX_PLAYER_NAME)
        if text and text.casefold() not in _SEXES:
            self._note(row, self._sex, Problem.SEX_UNKNOWN, text)
        return _SEXES.get(text.casefold(), "")

    def _text(
        self,
        row: int,
        column: ColumnGuess | None,
        limit: int,
        *,
        is_merged: bool = False,
        too_long: Problem = Problem.TEXT_TOO_LONG,
    ) -> str:
        """The text of a cell; a fault or an excess is noted and gives an empty text."""
        if column is None:
            return ""
        cell = self._cell(row, column, is_merged=is_merged)
        if cell.fault is not None:
            self._note(row, column, cell.fault, cell.text)
            return ""
        written = tidy(cell.text)
        text = plain_scientific(written)
        if text is None:
            self._note(row, column, Problem.DIGITS_LOST, written)
        elif len(text) > limit:
            self._note(row, column, too_long, text)
        elif is_garbled(text):
            self._note(row, column, Problem.GARBLED_TEXT, text)
        else:
            return text
        return ""

    def _note(
        self, row: int, column: ColumnGuess, code: Problem, value: str, other_rows: tuple[int, ...] = ()
    ) -> None:
        self.errors.append(CellProblem(row, column_title(column), code, value, other_rows))
