"""The draw by its definition: every possible seating is looked at, the best one taken. Up to ten teams."""

import random
from collections.abc import Iterator, Sequence

from pairing.engine.types import (
    Entrant,
    FirstRound,
    Meeting,
    Method,
    PairingRules,
    Rematch,
    SameDepartment,
    TeamId,
)

Tables = list[tuple[int, int]]


class Definition:
    def __init__(self, entrants, meetings, rules, round_number, seed):
        self.rules = rules
        self.first = round_number == 1 or not meetings
        self.teams: list[Entrant] = self._order(entrants, seed)
        self.met = {frozenset((m.home, m.away)) for m in meetings}
        self.forbidden = {frozenset(couple) for couple in rules.forbidden}

    def _order(self, entrants: Sequence[Entrant], seed: int) -> list[Entrant]:
        if not self.first:
            return sorted(entrants, key=lambda team: (team.rank, team.number))
        teams = sorted(entrants, key=lambda team: team.number)
        if self.rules.first_round is FirstRound.RANDOM:
            random.Random(seed).shuffle(teams)
        if self.rules.first_round is FirstRound.SEEDED:
            teams.sort(key=lambda team: (team.seed is None, team.seed or 0, team.number))
        return teams

    def cost(self, one: int, other: int) -> tuple[int, int] | None:
        """Broken rules of a table; None when it is not permitted."""
        a, b = self.teams[one], self.teams[other]
        couple = frozenset((a.id, b.id))
        rematch = couple in self.met
        same = a.department is not None and a.department == b.department
        policy = self.rules.same_department
        never = policy is SameDepartment.NEVER or (policy is SameDepartment.ROUND1 and self.first)
        if couple in self.forbidden or (rematch and self.rules.rematch is Rematch.NEVER) or (same and never):
            return None
        return int(rematch), int(same and policy is SameDepartment.AVOID)

    def seatings(self, positions: Sequence[int]) -> Iterator[Tables]:
        if not positions:
            yield []
            return
        one, *others = positions
        for other in others:
            if self.cost(one, other) is not None:
                for rest in self.seatings([each for each in others if each != other]):
                    yield [(one, other), *rest]

    def total(self, tables: Tables) -> tuple[int, int]:
        costs = [self.cost(*table) for table in tables]
        return sum(cost[0] for cost in costs), sum(cost[1] for cost in costs)

    def preference(self, positions: Sequence[int], one: int, other: int) -> tuple[int, ...]:
        """Smaller is preferred by `one`, among `positions`."""
        first = self.rules.first_round
        if not self.first or first in (FirstRound.RANDOM, FirstRound.ENTRY_ORDER):
            return (other,)
        index, place, half = positions.index(one), positions.index(other), len(positions) // 2
        target = index + half if first is FirstRound.HALVES else len(positions) - 1 - index
        if place < half or index >= half:
            return (1, place)
        return (0, abs(place - target), place < target)

    def key(self, positions: Sequence[int], tables: Tables):
        if self.rules.method is Method.CLOSEST and not self.first:
            return sum((positions.index(other) - positions.index(one)) ** 2 for one, other in tables)
        return [(self.cost(*table), self.preference(positions, *table)) for table in tables]

    def best(self, positions: Sequence[int]) -> tuple[tuple[int, int], Tables] | None:
        drawn = [
            (self.total(tables), self.key(positions, tables), tables) for tables in self.seatings(positions)
        ]
        if not drawn:
            return None
        total, _, tables = min(drawn)
        return total, tables

    def draw(self) -> tuple[int | None, Tables] | None:
        positions = list(range(len(self.teams)))
        if len(positions) % 2 == 0:
            drawn = self.best(positions)
            return drawn and (None, drawn[1])
        byes = []
        for bye in positions:
            drawn = self.best([each for each in positions if each != bye])
            if drawn:
                byes.append((self.teams[bye].byes, drawn[0], -bye, drawn[1]))
        if not byes:
            return None
        _, _, bye, tables = min(byes)
        return -bye, tables


def exhaustive_draw(
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    rules: PairingRules,
    *,
    round_number: int,
    seed: int,
) -> tuple[TeamId | None, list[tuple[TeamId, TeamId]]] | None:
    """Bye and tables in order of the better-placed team, by id; None when no draw is legal."""
    definition = Definition(entrants, meetings, rules, round_number, seed)
    drawn = definition.draw()
    if drawn is None:
        return None
    bye, tables = drawn
    ids = [team.id for team in definition.teams]
    return None if bye is None else ids[bye], [(ids[one], ids[other]) for one, other in tables]
