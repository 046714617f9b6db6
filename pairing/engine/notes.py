"""Why a table is not simply the next one, and why the bye is not simply the last team's."""

from collections.abc import Iterator, Sequence

from .field import Field
from .matching import Table, Unpaired, next_in_order
from .preference import candidates_for
from .types import Note, NoteKind

_MOST = 6  # reasons listed before the list is cut: keeps a draw readable, and its price even


def table_notes(field: Field, tables: Sequence[Table], otherwise: NoteKind) -> dict[Table, tuple[Note, ...]]:
    """For each table, whom its better-placed team passed over and why.

    `tables` in order; `otherwise` is the reason where no rule stood against the opponent passed over. Tables
    that are simply the next one are left out.
    """
    explain = _Reasons(field, tables, otherwise)
    candidates = candidates_for(field, explain.drawn)
    unpaired = Unpaired(sorted(position for table in tables for position in table), len(field.teams))
    notes: dict[Table, tuple[Note, ...]] = {}
    for table in tables:
        one, other = table
        if candidates or unpaired.next[one] != other or explain.is_unusual(table):
            order = (candidates or next_in_order)(one, unpaired)
            notes[table] = tuple(explain.table(table, order))
        unpaired.remove(one)
        unpaired.remove(other)
    return notes


class _Reasons:
    def __init__(self, field: Field, tables: Sequence[Table], otherwise: NoteKind) -> None:
        self.field, self.otherwise = field, otherwise
        bound = set(field.forced).intersection(tables)
        self.forced = dict([*bound, *(table[::-1] for table in bound)])
        self.drawn = sorted(position for table in tables if table not in bound for position in table)
        self.is_soft = field.is_soft

    def is_unusual(self, table: Table) -> bool:
        """Whether something is to be said even if the opponent is the next one."""
        return table[0] in self.forced or (self.is_soft and any(self.field.cost(*table)))

    def table(self, table: Table, order: Iterator[int]) -> Iterator[Note]:
        one, other = table
        teams = self.field.teams
        if self.forced.get(one) == other:
            yield Note(NoteKind.FORCED, teams[one].id, teams[other].id)
            return
        if self.otherwise is not NoteKind.BY_HAND:
            yield from self._unavoidable(one, other)
        for listed, passed in enumerate(order):
            if passed == other:
                return
            if listed == _MOST:
                yield Note(NoteKind.MORE, teams[one].id)
                return
            yield self.passed_over(one, passed, other)

    def _unavoidable(self, one: int, other: int) -> Iterator[Note]:
        field = self.field
        rematch, same_department = field.cost(one, other)
        ids = field.teams[one].id, field.teams[other].id
        if rematch:
            yield Note(NoteKind.UNAVOIDABLE_REMATCH, *ids, field.met[one][other])
        if same_department:
            yield Note(NoteKind.UNAVOIDABLE_DEPARTMENT, *ids)

    def passed_over(self, one: int, passed: int, other: int) -> Note:
        """Why `one` does not meet `passed` but `other`."""
        kind, played = self._reason(one, passed, other)
        return Note(kind, self.field.teams[one].id, self.field.teams[passed].id, played)

    def _reason(self, one: int, passed: int, other: int) -> tuple[NoteKind, int | None]:
        field = self.field
        if passed in self.forced:
            return NoteKind.KEPT_FOR_FORCED, None
        if passed in field.forbidden[one]:
            return NoteKind.FORBIDDEN, None
        cost = field.cost(one, passed)
        if self.is_soft and cost <= field.cost(one, other):
            return self.otherwise, None
        if cost[0]:
            return NoteKind.MET, field.met[one][passed]
        return (NoteKind.SAME_DEPARTMENT if cost[1] else self.otherwise), None


def bye_notes(field: Field, bye: int) -> tuple[Note, ...]:
    """Why no team below has the bye."""
    bound = {position for table in field.forced for position in table}
    notes: list[Note] = []
    for position in range(len(field.teams) - 1, bye, -1):
        if len(notes) == _MOST:
            notes.append(Note(NoteKind.MORE, field.teams[bye].id))
            break
        kind = _bye_reason(field, bye, position, position in bound)
        notes.append(Note(kind, field.teams[bye].id, field.teams[position].id))
    return tuple(notes)


def _bye_reason(field: Field, bye: int, position: int, is_bound: bool) -> NoteKind:
    if is_bound:
        return NoteKind.KEPT_FOR_FORCED
    if field.teams[position].byes > field.teams[bye].byes:
        return NoteKind.HAD_BYE
    return NoteKind.REST_IMPOSSIBLE
