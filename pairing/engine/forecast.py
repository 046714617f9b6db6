"""How many further rounds of a Swiss stage can still be drawn.

What will be played is not known, so the answer has three parts: what is certain whatever happens, what came
out when the rest of the stage was played many times with chance results, and what no draw can exceed.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .field import Field, departments_in, field_of
from .swiss import Seating, seating_of
from .types import Entrant, Meeting, Method, PairingRules, Rematch, TeamId

_CHANCE_ROUNDS = 4_000
"""Teams times rounds played by chance: what keeps the forecast within a fraction of a second."""
_TRIALS = (3, 40)
_GREATEST_DIFFERENCE = 13


@dataclass(frozen=True, slots=True)
class Forecast:
    """Further rounds that can be drawn, at most as many as were asked about.

    `certain`: whatever is played. `at_most`: no results make more possible. `chances`: for the first further
    round, the second, …, in what share of the chance continuations it could be drawn (0 to 1).
    """

    asked: int
    certain: int
    at_most: int
    chances: tuple[float, ...]

    @property
    def expected(self) -> int:
        """Rounds that could be drawn in every continuation that was tried."""
        return next((done for done, share in enumerate(self.chances) if share < 1), len(self.chances))

    @property
    def is_enough(self) -> bool:
        """Whether all rounds asked about could be drawn in every continuation."""
        return self.expected >= self.asked


def forecast(
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    rules: PairingRules,
    *,
    played: int,
    asked: int,
    seed: int,
    points: Mapping[TeamId, int] | None = None,
) -> Forecast:
    """How many of the `asked` rounds after the `played` ones can be drawn with these teams.

    `points` so far order the teams as the chance results come in; left out, everybody starts level. The
    continuations draw `adjacent`, also where the stage draws `closest`: for the next round both exist or fail
    together. The same arguments give the same answer. Raises TeamEnteredTwice.
    """
    rules = replace(rules, method=Method.ADJACENT)
    field = field_of(entrants, meetings, rules, round_number=played + 1, seed=seed)
    certain, at_most = _bounds(field, asked)
    if certain == at_most:
        return Forecast(asked, certain, at_most, _shares([certain], asked))
    size = max(1, len(entrants) * asked)
    trials = max(_TRIALS[0], min(_TRIALS[1], _CHANCE_ROUNDS // size))
    chance = random.Random(seed)  # noqa: S311 - a forecast, not a secret
    reached = [
        _drawable(entrants, meetings, rules, points or {}, played, at_most, chance) for _ in range(trials)
    ]
    return Forecast(asked, certain, at_most, _shares(reached, asked))


def _shares(reached: Sequence[int], asked: int) -> tuple[float, ...]:
    """For each further round, in what share of the continuations it was reached."""
    return tuple(sum(done >= number for done in reached) / len(reached) for number in range(1, asked + 1))


def _bounds(field: Field, asked: int) -> tuple[int, int]:
    """What is certain and what nothing can exceed; the very next round is known as soon as it is drawn."""
    if asked < 1 or seating_of(field) is None:
        return 0, 0
    if field.rules.rematch is Rematch.AVOID:
        return asked, asked  # no meeting bars a later one: what can be drawn once can be drawn again
    opponents = list(_opponents(field))
    return max(1, min(asked, _certain(opponents))), max(1, _at_most(opponents, asked))


def _opponents(field: Field) -> Iterator[int]:
    """How many opponents each team may still meet in the rounds that follow."""
    later = replace(field, departments=departments_in(field.rules, is_first=False))
    graph = later.permitted()
    size = Counter(graph.group[position] for position in range(len(field.teams)))
    forced = {position for table in field.forced for position in table if not graph.legal(*table)}
    for position in range(len(field.teams)):
        mine = graph.group[position]
        barred = sum(graph.group[other] != mine for other in graph.barred[position])
        yield len(field.teams) - size[mine] - barred + (position in forced)


def _at_most(opponents: Sequence[int], asked: int) -> int:
    """In each round every team needs an opponent it has not met, or the bye of an odd field."""
    byes = len(opponents) % 2
    for rounds in range(1, asked + 1):
        if sum(max(0, rounds - left) for left in opponents) > rounds * byes:
            return rounds - 1
    return asked


def _certain(opponents: Sequence[int]) -> int:
    """Dirac's theorem: n teams of which each may meet at least n/2 others can all be paired.

    Each round takes one opponent from every team; the bye of an odd field takes one more for its round.
    """
    odd = len(opponents) % 2
    return min(opponents) - odd - (len(opponents) - odd) // 2 + 1


def _drawable(
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    rules: PairingRules,
    points: Mapping[TeamId, int],
    played: int,
    rounds: int,
    chance: random.Random,
) -> int:
    """How many of `rounds` further rounds could be drawn in one continuation with chance results."""
    teams = list(entrants)
    met = list(meetings)
    total = {team.id: points.get(team.id, 0) for team in teams}
    for done in range(rounds):
        number = played + done + 1
        field = field_of(teams, met, rules, round_number=number, seed=chance.getrandbits(31))
        seating = seating_of(field)
        if seating is None:
            return done
        met += _meetings(field, seating, number)
        _play(field, seating, total, chance)
        teams = [_after(team, field, seating, total) for team in _ranked(teams, total)]
    return rounds


def _meetings(field: Field, seating: Seating, number: int) -> Iterator[Meeting]:
    for one, other in seating.tables:
        yield Meeting(number, field.teams[one].id, field.teams[other].id)


def _play(field: Field, seating: Seating, total: dict[TeamId, int], chance: random.Random) -> None:
    """Every table gets a chance level difference: 13 + d and 13 − d."""
    for one, other in seating.tables:
        difference = chance.randint(-_GREATEST_DIFFERENCE, _GREATEST_DIFFERENCE)
        total[field.teams[one].id] += _GREATEST_DIFFERENCE + difference
        total[field.teams[other].id] += _GREATEST_DIFFERENCE - difference


def _ranked(teams: Sequence[Entrant], total: Mapping[TeamId, int]) -> list[Entrant]:
    ordered = sorted(teams, key=lambda team: (-total[team.id], team.number))
    return [replace(team, rank=rank) for rank, team in enumerate(ordered, start=1)]


def _after(team: Entrant, field: Field, seating: Seating, total: Mapping[TeamId, int]) -> Entrant:
    has_bye = seating.bye is not None and field.teams[seating.bye].id == team.id
    return replace(team, byes=team.byes + 1) if has_bye else team
