"""The fewest tables to seat anew after a correction, so that the teams it moved meet whom they should."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from .field import Field, field_of
from .matching import Table
from .soft import cheapest_matching
from .types import Couple, Entrant, Meeting, PairingRules, TeamId

_EVERYBODY = 400
"""Teams of a field in which anybody can be seated anew; in a larger one only those near the teams wanted."""
_WINDOW = 25
"""How near: places on either side of these teams, of the opponents wanted for them, and of theirs."""
_FAR = 63
"""Places from the opponent wanted beyond which farther is no worse: keeps the weights small."""


@dataclass(frozen=True, slots=True)
class Mended:
    """The tables in their old order, those at `changed` (by index) with other teams than before."""

    tables: tuple[Couple, ...]
    changed: tuple[int, ...]


def fewest_changes(
    tables: Sequence[Couple],
    started: Collection[int],
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    rules: PairingRules,
    *,
    wanted: Mapping[TeamId, TeamId],
    round_number: int,
) -> Mended:
    """Seat as few tables as possible anew such that the teams of `wanted` meet the opponents named there.

    `tables` as they were published, in table order, `started` the indices of those that stay whatever
    comes; `entrants` and `meetings` as the corrected results leave them before the round. Of all legal
    seatings, in this order: the teams of `wanted` sit as few places as possible from the opponents wanted
    for them, the fewest tables change, the fewest rules to be avoided are broken, the sum of squared gaps of
    the places is least. The bye stays where it is. A changed table keeps the number of one that went, the
    better-placed team the lower number. A table as it stands is always legal.
    """
    field = field_of(entrants, meetings, rules, round_number=round_number, seed=0)
    free = [index for index in range(len(tables)) if index not in set(started)]
    old = {index: _placed(field, tables[index]) for index in free}
    mate = _best(field, set(old.values()), _wanted_places(field, wanted))
    changed = [index for index in free if mate.get(old[index][0], old[index][1]) != old[index][1]]
    moved = sorted({position for index in changed for position in old[index]})
    new = [(one, mate[one]) for one in moved if one < mate[one]]
    seated = dict(zip(changed, new, strict=True))
    return Mended(
        tables=tuple(
            _couple(field, seated[index]) if index in seated else table for index, table in enumerate(tables)
        ),
        changed=tuple(changed),
    )


def _placed(field: Field, table: Couple) -> Table:
    one, other = field.place[table[0]], field.place[table[1]]
    return min(one, other), max(one, other)


def _wanted_places(field: Field, wanted: Mapping[TeamId, TeamId]) -> dict[int, int]:
    return {
        field.place[team]: field.place[opponent]
        for team, opponent in wanted.items()
        if team in field.place and opponent in field.place
    }


def _couple(field: Field, table: Table) -> Couple:
    return field.teams[table[0]].id, field.teams[table[1]].id


def _best(field: Field, old: Collection[Table], wanted: Mapping[int, int]) -> dict[int, int]:
    """The seating of least cost, as mates: one weighted matching."""
    near = _near(old, wanted)
    legal = field.permitted().legal
    fresh = [(one, other) for one, other in combinations(sorted(near), 2) if legal(one, other)]
    movable = [table for table in old if table[0] in near]
    cost = _Cost(field, movable, fresh, wanted)
    edges = {table: cost.of(table) for table in (*fresh, *movable)}
    return cheapest_matching(sorted(near), [(*table, edges[table]) for table in sorted(edges)]) or {}


def _near(old: Collection[Table], wanted: Mapping[int, int]) -> set[int]:
    """Who could move: everybody in a field up to some hundreds, else those around the teams in question."""
    mates = {one: other for table in old for one, other in (table, table[::-1])}
    if len(mates) <= _EVERYBODY:
        return set(mates)
    centres = {*wanted, *wanted.values()} & set(mates)
    centres |= {mates[position] for position in centres}
    around = {place for centre in centres for place in range(centre - _WINDOW, centre + _WINDOW + 1)}
    around &= set(mates)
    return around | {mates[position] for position in around}


class _Cost:
    """What a table costs; each aim weighs more than all that come after it together."""

    def __init__(
        self, field: Field, old: Sequence[Table], fresh: Sequence[Table], wanted: Mapping[int, int]
    ) -> None:
        self.field, self.old, self.wanted = field, set(old), wanted
        self.tables = len(old) + 1
        widest = max((other - one for one, other in (*old, *fresh)), default=0)
        self.broken = self.tables * widest * widest
        self.change = self.broken * self.tables * (self.tables + 1)
        self.distance = self.change * self.tables

    def of(self, table: Table) -> int:
        """The cost of a table of these two places."""
        one, other = table
        cost = (other - one) ** 2 + self.distance * (self._distance(one, other) + self._distance(other, one))
        if table in self.old:
            return cost
        rematch, same_department = self.field.cost(one, other)
        return cost + self.change + self.broken * (rematch * self.tables + same_department)

    def _distance(self, team: int, opponent: int) -> int:
        wanted = self.wanted.get(team)
        return 0 if wanted is None else min(abs(opponent - wanted), _FAR)
