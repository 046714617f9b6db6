"""The teams of one round in their order, and who may meet whom under the rules that hold now."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .matching import Graph, Table
from .types import Entrant, FirstRound, Meeting, PairingRules, Rematch, Rule, SameDepartment, TeamId

Cost = tuple[int, int]
"""Rematches, then tables of one department."""


class TeamEnteredTwice(ValueError):
    """The same team id stands twice among those to be drawn."""

    def __init__(self, team: TeamId) -> None:
        super().__init__(team)
        self.team = team


@dataclass(frozen=True, slots=True)
class Field:
    """Everything a draw depends on, by position: place in the order, from 0.

    `department` has a code per position, one of its own for a team without; `met` the last round in which
    two met; `forced` the forced couples that are still open, better-placed first; `departments` what holds
    in this round: never, avoid or allow.
    """

    teams: Sequence[Entrant]
    place: dict[TeamId, int]
    department: Sequence[int]
    met: Sequence[dict[int, int]]
    forbidden: Sequence[dict[int, int]]
    forced: Sequence[Table]
    rules: PairingRules
    is_first: bool
    departments: SameDepartment

    @property
    def is_soft(self) -> bool:
        """Whether a rule may be broken where it cannot be helped."""
        return self.departments is SameDepartment.AVOID or self.rules.rematch is Rematch.AVOID

    def free(self) -> list[int]:
        """The positions that no open forced couple binds."""
        bound = {position for table in self.forced for position in table}
        return [position for position in range(len(self.teams)) if position not in bound]

    def strict(self) -> Graph:
        """Who may meet without breaking anything."""
        apart = self.departments is not SameDepartment.ALLOW
        return Graph(self.department if apart else self._everyone_alone(), self._barred(self.met))

    def permitted(self) -> Graph:
        """Who may meet when the rules to be avoided are broken."""
        apart = self.departments is SameDepartment.NEVER
        met = self.met if self.rules.rematch is Rematch.NEVER else [{}] * len(self.teams)
        return Graph(self.department if apart else self._everyone_alone(), self._barred(met))

    def _everyone_alone(self) -> Sequence[int]:
        return range(len(self.teams) + 1)

    def _barred(self, met: Sequence[dict[int, int]]) -> Sequence[dict[int, int]]:
        if not any(self.forbidden):
            return met
        return [mine | theirs for mine, theirs in zip(met, self.forbidden, strict=True)]

    def cost(self, one: int, other: int) -> Cost:
        """What a table of these two breaks."""
        same = self.department[one] == self.department[other]
        return int(other in self.met[one]), int(same and self.departments is not SameDepartment.ALLOW)

    def broken(self, one: int, other: int) -> list[tuple[Rule, int | None]]:
        """The rules that a table of these two breaks, with the round of an earlier meeting."""
        rematch, same_department = self.cost(one, other)
        rules: list[tuple[Rule, int | None]] = []
        if rematch:
            rules.append((Rule.REMATCH, self.met[one][other]))
        if same_department:
            rules.append((Rule.SAME_DEPARTMENT, None))
        if other in self.forbidden[one]:
            rules.append((Rule.FORBIDDEN, None))
        return rules


def field_of(
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    rules: PairingRules,
    *,
    round_number: int,
    seed: int,
) -> Field:
    """Order the entrants and resolve everything named by id; what is not present is left out.

    Raises TeamEnteredTwice.
    """
    is_first = round_number <= 1 or not meetings
    teams = _in_order(entrants, rules.first_round if is_first else None, seed)
    place = {team.id: position for position, team in enumerate(teams)}
    if len(place) != len(teams):
        raise TeamEnteredTwice(_repeated(teams))
    met = _met(place, meetings)
    return Field(
        teams=teams,
        place=place,
        department=_departments(teams),
        met=met,
        forbidden=_forbidden(place, rules),
        forced=_open_forced(place, rules, met),
        rules=rules,
        is_first=is_first,
        departments=departments_in(rules, is_first=is_first),
    )


def under(field: Field, rules: PairingRules) -> Field:
    """The same teams in the same order under other rules."""
    return replace(
        field,
        rules=rules,
        forbidden=_forbidden(field.place, rules),
        forced=_open_forced(field.place, rules, field.met),
        departments=departments_in(rules, is_first=field.is_first),
    )


def departments_in(rules: PairingRules, *, is_first: bool) -> SameDepartment:
    """What holds for teams of one department in the first round, or in a later one."""
    if rules.same_department is not SameDepartment.ROUND1:
        return rules.same_department
    return SameDepartment.NEVER if is_first else SameDepartment.ALLOW


def _in_order(entrants: Sequence[Entrant], first_round: FirstRound | None, seed: int) -> list[Entrant]:
    if first_round is None:
        return sorted(entrants, key=lambda team: (team.rank, team.number))
    if first_round is FirstRound.SEEDED:
        return sorted(entrants, key=lambda team: (team.seed is None, team.seed or 0, team.number))
    teams = sorted(entrants, key=lambda team: team.number)
    if first_round is FirstRound.RANDOM:
        random.Random(seed).shuffle(teams)  # noqa: S311 - a draw that the stored seed gives again
    return teams


def _repeated(teams: Sequence[Entrant]) -> TeamId:
    counts = Counter(team.id for team in teams)
    return next(team.id for team in teams if counts[team.id] > 1)


def _met(place: dict[TeamId, int], meetings: Sequence[Meeting]) -> list[dict[int, int]]:
    met: list[dict[int, int]] = [{} for _ in place]
    for meeting in meetings:
        home, away = place.get(meeting.home, -1), place.get(meeting.away, -1)
        if home >= 0 <= away:
            opponents, played = met[home], meeting.round
            if opponents.get(away, played) <= played:
                opponents[away] = met[away][home] = played
    return met


def _departments(teams: Sequence[Entrant]) -> list[int]:
    codes: dict[TeamId, int] = {}
    end = len(teams)
    department = [
        end + position if team.department is None else codes.setdefault(team.department, len(codes))
        for position, team in enumerate(teams)
    ]
    return [*department, 2 * end]


def _forbidden(place: dict[TeamId, int], rules: PairingRules) -> list[dict[int, int]]:
    forbidden: list[dict[int, int]] = [{} for _ in place]
    for first, second in rules.forbidden:
        one, other = place.get(first), place.get(second)
        if one is not None and other is not None:
            forbidden[one][other] = forbidden[other][one] = 0
    return forbidden


def _open_forced(place: dict[TeamId, int], rules: PairingRules, met: Sequence[dict[int, int]]) -> list[Table]:
    """Couples that are both present and have not met; of two that share a team the first in the list."""
    forced: list[Table] = []
    bound: set[int] = set()
    for first, second in rules.forced:
        one, other = place.get(first), place.get(second)
        if one is None or other is None or other in met[one] or bound & {one, other}:
            continue
        bound |= {one, other}
        forced.append((min(one, other), max(one, other)))
    return forced
