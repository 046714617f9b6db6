"""Why a table is not simply the next one, and why the bye is not simply the last team's."""

from collections.abc import Iterator, Sequence

from .field import Cost, Field
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
        self.group = field.strict().group
        self.ids = [team.id for team in field.teams]

    def is_unusual(self, table: Table) -> bool:
        """Whether something is to be said even if the opponent is the next one."""
        return table[0] in self.forced or (self.is_soft and any(self.field.cost(*table)))

    def table(self, table: Table, order: Iterator[int]) -> Iterator[Note]:
        one, other = table
        team = self.ids[one]
        if self.forced.get(one) == other:
            yield Note(NoteKind.FORCED, team, self.ids[other])
            return
        cost = self.field.cost(one, other) if self.is_soft else (0, 0)
        yield from self._unavoidable(table, cost)
        for listed, passed in enumerate(order):
            if passed == other:
                return
            if listed == _MOST:
                yield Note(NoteKind.MORE, team)
                return
            kind, played = self._reason(one, passed, cost)
            yield Note(kind, team, self.ids[passed], played)

    def _unavoidable(self, table: Table, cost: Cost) -> Iterator[Note]:
        one, other = table
        if self.otherwise is NoteKind.BY_HAND:
            return
        if cost[0]:
            met = self.field.met[one][other]
            yield Note(NoteKind.UNAVOIDABLE_REMATCH, self.ids[one], self.ids[other], met)
        if cost[1]:
            yield Note(NoteKind.UNAVOIDABLE_DEPARTMENT, self.ids[one], self.ids[other])

    def _reason(self, one: int, passed: int, cost: Cost) -> tuple[NoteKind, int | None]:
        """Why `one`, whose table breaks `cost`, does not meet `passed`."""
        field = self.field
        if passed in self.forced:
            return NoteKind.KEPT_FOR_FORCED, None
        if passed in field.forbidden[one]:
            return NoteKind.FORBIDDEN, None
        if self.is_soft and field.cost(one, passed) <= cost:
            return self.otherwise, None
        if passed in field.met[one]:
            return NoteKind.MET, field.met[one][passed]
        is_apart = self.group[one] == self.group[passed]
        return (NoteKind.SAME_DEPARTMENT if is_apart else self.otherwise), None


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
