"""A sheet as a sparse table of clean texts, with its merged cells."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tournaments.roster.text import clean_text
from tournaments.roster.types import MAX_CELL_TEXT, Problem


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its clean text and, where the text cannot be relied on, the fault."""

    text: str
    fault: Problem | None = None


EMPTY = Cell("")


def cell_of(raw: str) -> Cell:
    """A cell from the text in the file; longer texts than 400 characters are cut and marked."""
    text = clean_text(raw)
    if len(text) <= MAX_CELL_TEXT:
        return Cell(text)
    return Cell(text[:MAX_CELL_TEXT], Problem.TEXT_TOO_LONG)


@dataclass(frozen=True)
class Merge:
    """A merged range: first and last row, first and last column, all 1-based and inclusive."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True)
class Grid:
    """The content of one sheet. Rows and columns count from 1 as in Excel; empty cells are not kept."""

    cells: Mapping[int, Mapping[int, Cell]]
    merges: tuple[Merge, ...] = ()
    hidden_rows: frozenset[int] = frozenset()
    _covered: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        for merge in self.merges:
            self._cover(merge)

    def _cover(self, merge: Merge) -> None:
        """Note the anchor of each merged cell, inside the used part of the sheet only."""
        for row in range(merge.top, min(merge.bottom, self.last_row + 1) + 1):
            for column in range(merge.left, min(merge.right, self.last_column + 1) + 1):
                self._covered.setdefault((row, column), (merge.top, merge.left))

    @cached_property
    def last_row(self) -> int:
        """The last row with content, 0 when there is none."""
        return max(self.cells, default=0)

    @cached_property
    def last_column(self) -> int:
        """The last column with content, 0 when there is none."""
        return max((max(row) for row in self.cells.values()), default=0)

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The rows with content, in order."""
        return tuple(sorted(self.cells))

    def own(self, row: int, column: int) -> Cell:
        """What the cell itself holds."""
        return self.cells.get(row, {}).get(column, EMPTY)

    def anchor(self, row: int, column: int) -> tuple[int, int]:
        """Row and column of the cell that a merged cell belongs to; else its own."""
        return self._covered.get((row, column), (row, column))

    def shown(self, row: int, column: int) -> Cell:
        """What one sees there: its own content, or that of the merged cell it is part of."""
        return self.own(*self.anchor(row, column))

    def down(self, row: int, column: int) -> Cell:
        """Like `shown`, but only for cells merged downwards: across, the first column keeps the content."""
        anchor_row, anchor_column = self.anchor(row, column)
        return self.own(anchor_row, column) if anchor_column == column else EMPTY

    def is_merged_across(self, row: int) -> bool:
        """Whether the first cell with content of the row is merged over several columns."""
        first = min(self.cells.get(row, {}), default=0)
        return self.anchor(row, first + 1) == self.anchor(row, first)


def grid_of_rows(rows: Iterable[tuple[int, Iterable[str]]]) -> Grid:
    """A grid from numbered rows of raw texts."""
    cells: dict[int, dict[int, Cell]] = {}
    for number, texts in rows:
        found = {column: cell_of(text) for column, text in enumerate(texts, 1) if text}
        content = {column: cell for column, cell in found.items() if cell.text}
        if content:
            cells[number] = content
    return Grid(cells)
