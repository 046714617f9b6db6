"""Which table number each match gets."""

from collections.abc import Iterator, Sequence
from itertools import count

from .field import Field
from .matching import Table
from .types import Note, NoteKind


def numbered(field: Field, tables: Sequence[Table]) -> list[tuple[int, Table, tuple[Note, ...]]]:
    """Number the tables, given in order; by number, each with a note for a fixed table that was not free.

    A match takes the fixed table of its better-placed team that has one; the rest fill the remaining numbers
    in order, so numbers run from 1 without a gap unless a fixed one lies beyond.
    """
    fixed: dict[int, Table] = {}
    for table in tables:
        for wanted in _wishes(field, table)[:1]:
            fixed.setdefault(wanted, table)
    taken = {table: number for number, table in fixed.items()}
    others = (number for number in count(1) if number not in fixed)
    result = []
    for table in tables:
        number = taken[table] if table in taken else next(others)
        result.append((number, table, tuple(_disappointed(field, table, number))))
    return sorted(result)


def _wishes(field: Field, table: Table) -> list[int]:
    fixed = (field.teams[position].fixed_table for position in table)
    return [number for number in fixed if number is not None]


def _disappointed(field: Field, table: Table, number: int) -> Iterator[Note]:
    for position in table:
        team = field.teams[position]
        if team.fixed_table not in (None, number):
            yield Note(NoteKind.TABLE_TAKEN, team.id)
