"""Which table number each match gets."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from .field import Field
from .matching import Table
from .types import Note, NoteKind


class TooFewTables(ValueError):
    """There are more matches than tables that may be used: those are `there`."""

    def __init__(self, there: int) -> None:
        super().__init__(there)
        self.there = there


@dataclass(frozen=True, slots=True)
class Tables:
    """桌号: the numbers that a round's matches may get, from `first` to `last`, those `without` left out."""

    first: int = 1
    last: int | None = None
    without: frozenset[int] = frozenset()

    def __contains__(self, number: int) -> bool:
        is_in_range = self.first <= number and (self.last is None or number <= self.last)
        return is_in_range and number not in self.without

    def numbers(self) -> Iterator[int]:
        """The numbers in order. Raises TooFewTables when one more is asked for than there are."""
        found = 0
        for number in count(self.first):
            if self.last is not None and number > self.last:
                raise TooFewTables(found)
            if number not in self.without:
                found += 1
                yield number


ALL_TABLES = Tables()
"""1, 2, 3 … as far as they are needed."""


@dataclass(frozen=True, slots=True)
class OtherStage:
    """A stage that is played in the same hall now: its range, where it has one, and the tables in use."""

    first: int | None = None
    last: int | None = None
    taken: frozenset[int] = frozenset()

    @property
    def range(self) -> range:
        """The numbers that are kept for it."""
        return range(self.first or 0, (self.last or -1) + 1)


def usable_tables(
    first: int | None, last: int | None, broken: Iterable[int], others: Iterable[OtherStage] = ()
) -> Tables:
    """The numbers for a stage with the range `first` to `last`, or without one.

    Broken tables are out. As soon as one of two stages has a range they never share a number: whoever has
    none leaves the other's range alone, and nobody gets a table that is in use.
    """
    without = set(broken)
    for other in others:
        if first is None:
            without.update(other.range)
        if first is not None or other.first is not None:
            without |= other.taken
    return Tables(first or 1, last, frozenset(without))


def numbered(
    field: Field, tables: Sequence[Table], hall: Tables = ALL_TABLES
) -> list[tuple[int, Table, tuple[Note, ...]]]:
    """Number the tables, given in order; by number, each with a note for a fixed table that was not free.

    A match takes the fixed table of its better-placed team that has one, if it may be used; the rest fill the
    remaining numbers in order, so numbers run on without a gap unless a fixed one lies beyond.
    Raises TooFewTables.
    """
    fixed: dict[int, Table] = {}
    for table in tables:
        for wanted in [number for number in _wishes(field, table) if number in hall][:1]:
            fixed.setdefault(wanted, table)
    taken = {table: number for number, table in fixed.items()}
    others = (number for number in hall.numbers() if number not in fixed)
    result = []
    for table in tables:
        number = taken[table] if table in taken else next(others)
        result.append((number, table, tuple(_disappointed(field, table, number, hall))))
    return sorted(result)


def _wishes(field: Field, table: Table) -> list[int]:
    fixed = (field.teams[position].fixed_table for position in table)
    return [number for number in fixed if number is not None]


def _disappointed(field: Field, table: Table, number: int, hall: Tables) -> Iterator[Note]:
    for position in table:
        team = field.teams[position]
        if team.fixed_table not in (None, number):
            is_there = team.fixed_table is not None and team.fixed_table in hall
            yield Note(NoteKind.TABLE_TAKEN if is_there else NoteKind.TABLE_OUT, team.id)
