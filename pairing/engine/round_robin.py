"""Round robin (单循环、双循环) by the circle method (轮转法): everyone meets everyone once, or twice."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from .formats import require_teams
from .types import Couple, TeamId


@dataclass(frozen=True, slots=True)
class ScheduledMatch:
    """A match of the schedule; `table` counts from 1 within the round."""

    table: int
    home: TeamId
    away: TeamId


@dataclass(frozen=True, slots=True)
class ScheduledRound:
    """One round of the schedule; `free` is the team without an opponent, None when the number is even."""

    number: int
    matches: tuple[ScheduledMatch, ...]
    free: TeamId | None = None


def round_robin_schedule(
    team_ids: Sequence[TeamId],
    *,
    double: bool = False,
    departments_first: Mapping[TeamId, TeamId | None] | None = None,
) -> tuple[ScheduledRound, ...]:
    """All rounds of a group, at once.

    Of n teams: n − 1 rounds when n is even, else n, each team free in one. Home and away differ by at most
    one for every team, and alternate but for n − 2 times in all (never, when n is odd). `double` adds a
    second half: the same rounds with sides swapped. With `departments_first` (department of each team)
    teams of one department meet early, before anybody knows what a result is worth to a colleague: couples
    in round 1, larger departments such that no exchange of two teams would bring their last meeting forward.
    Raises InvalidFormat (team twice, fewer than two).
    """
    require_teams(team_ids, 2)
    seats: list[TeamId | None] = [None, *team_ids] if len(team_ids) % 2 else list(team_ids)
    if departments_first is not None:
        seats = _departments_first(seats, departments_first)
    rounds = list(_circle(seats))
    if double:
        rounds += [([(away, home) for home, away in couples], free) for couples, free in rounds]
    return tuple(_scheduled(number, *one) for number, one in enumerate(rounds, start=1))


def _scheduled(number: int, couples: Sequence[Couple], free: TeamId | None) -> ScheduledRound:
    matches = (ScheduledMatch(table, home, away) for table, (home, away) in enumerate(couples, start=1))
    return ScheduledRound(number, tuple(matches), free)


def _circle(seats: Sequence[TeamId | None]) -> Iterator[tuple[list[Couple], TeamId | None]]:
    """The first seat stays, the others turn one place a round; whoever meets None is free.

    Nobody then meets again and again the team that was free the round before.
    """
    fixed, others = seats[0], [team for team in seats[1:] if team is not None]
    size = len(others)
    for turn in range(size):
        middle = size - 1 - turn
        couples = [
            _sides(others[(middle + step) % size], others[middle - step], step % 2 == 1)
            for step in range(1, (size + 1) // 2)
        ]
        if fixed is None:
            yield couples, others[middle]
        else:
            yield [_sides(fixed, others[middle], turn % 2 == 0), *couples], None


def _sides(one: TeamId, other: TeamId, is_home: bool) -> Couple:
    return (one, other) if is_home else (other, one)


def _turn(one: int, other: int, size: int) -> int:
    """The round, from 0, in which two seats of a circle of `size` meet."""
    low, high = sorted((one, other))
    others = size - 1
    middle = high - 1 if low == 0 else (low + high - 2) * (others + 1) // 2 % others
    return others - 1 - middle


def _departments_first(
    seats: Sequence[TeamId | None], departments: Mapping[TeamId, TeamId | None]
) -> list[TeamId | None]:
    """Couples of one department opposite each other in round 1, then the best of all single exchanges.

    A late round weighs more than all meetings of earlier ones together.
    """
    placed = _couples_opposite(seats, departments)
    code = [None if team is None else departments.get(team) for team in placed]
    price = _prices(len(seats))

    def cost(seat: int, department: TeamId | None, without: int) -> int:
        if department is None:
            return 0
        row = zip(price[seat], code, strict=True)
        return sum(cell for cell, other in row if other == department) - price[seat][without]

    def is_better_exchanged(one: int, other: int) -> bool:
        mine, theirs = code[one], code[other]
        if mine == theirs:
            return False
        before = cost(one, mine, one) + cost(other, theirs, other)
        return cost(other, mine, one) + cost(one, theirs, other) < before

    couples = list(combinations(range(int(placed[0] is None), len(placed)), 2))
    improved = True
    while improved:
        improved = False
        for one, other in couples:
            if is_better_exchanged(one, other):
                code[one], code[other] = code[other], code[one]
                placed[one], placed[other] = placed[other], placed[one]
                improved = True
    return placed


def _prices(size: int) -> list[list[int]]:
    """For two seats, what their meeting costs: more than all that could be played before it."""
    return [
        [size ** _turn(one, other, size) if one != other else 0 for other in range(size)]
        for one in range(size)
    ]


def _couples_opposite(
    seats: Sequence[TeamId | None], departments: Mapping[TeamId, TeamId | None]
) -> list[TeamId | None]:
    """Teams of one department in seats that meet in round 1, as far as they go by twos."""
    waiting: dict[TeamId, TeamId] = {}
    couples: list[TeamId] = []
    for team in seats:
        department = None if team is None else departments.get(team)
        if team is None or department is None:
            continue
        if department in waiting:
            couples += (waiting.pop(department), team)
        else:
            waiting[department] = team
    taken = set(couples)
    teams = iter([*couples, *(team for team in seats if team is not None and team not in taken)])
    placed = list(seats)
    for seat in _facing(len(seats), int(seats[0] is None)):
        placed[seat] = next(teams)
    return placed


def _facing(size: int, first: int) -> list[int]:
    """The seats, those that meet in round 1 side by side."""
    facing = [seat for low in range(first, size // 2) for seat in (low, size - 1 - low)]
    return [*facing, size - 1] if first else facing
