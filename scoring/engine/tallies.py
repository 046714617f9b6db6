"""What the results of a stage add up to for each team, before anybody is ranked."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from scoring.engine.levels import LOWEST
from scoring.engine.outcomes import InvalidResult, Outcome, ResultCode, Winner
from scoring.engine.points import match_points
from scoring.engine.results import MatchResult
from scoring.engine.rules import ScoringRules

TeamId = int | str


class UnknownTeam(LookupError):
    """A match, an adjustment or a look-up names a team that is not in the stage."""

    def __init__(self, team: TeamId | None) -> None:
        super().__init__(team)
        self.team = team


class RepeatedTeam(ValueError):
    """Two entrants have the same id."""

    def __init__(self, team: TeamId) -> None:
        super().__init__(team)
        self.team = team


@dataclass(frozen=True, slots=True)
class Entrant:
    """A team of the stage 参赛队; it takes part from `first_round` on, later than 1 for a late entry.

    `absent` are later rounds that it misses (缺席).
    """

    id: TeamId
    number: int
    department: TeamId | None = None
    withdrawn: bool = False
    first_round: int = 1
    absent: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A published match 对阵 with its result as it counts, None until entered; `away` is None for a bye.

    `is_zero` tells that a penalty gives neither side any points.
    """

    round: int
    home: TeamId
    away: TeamId | None
    result: MatchResult | None
    is_zero: bool = False


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points added to or taken from a team's total in a round 加分、扣分."""

    team: TeamId
    round: int
    points: int


@dataclass(frozen=True, slots=True)
class Meeting:
    """One match seen by one team: the points it got, and 2 for a win, 1 for a tie, 0 otherwise."""

    opponent: TeamId
    points: int
    halves: int


@dataclass(slots=True)
class Tally:
    """The sums of one team.

    `points` include adjustments; `round_points` do not, and have every round that has a result. `played`
    counts matches played at the table; `wins` and `losses` count forfeits too, `ties` played matches; a bye
    and an irregular match are none of the three.
    """

    points: int = 0
    played: int = 0
    wins: int = 0
    ties: int = 0
    losses: int = 0
    byes: int = 0
    net_levels: int = 0
    levels_gained: int = 0
    cumulative: int = 0
    round_points: dict[int, int] = field(default_factory=dict)
    meetings: list[Meeting] = field(default_factory=list)


def tally(
    entrants: Sequence[Entrant],
    matches: Iterable[PlayedMatch],
    scoring: ScoringRules,
    adjustments: Iterable[Adjustment] = (),
) -> dict[TeamId, Tally]:
    """The sums of every entrant over the matches that have a result.

    Raises UnknownTeam, RepeatedTeam, and InvalidResult for a result that is not completed.
    """
    tallies = _empty_tallies(entrants)
    finished = [match for match in matches if match.result is not None]
    for match in finished:
        _add_match(tallies, match, scoring)
    rounds = sorted({match.round for match in finished})
    for entrant in entrants:
        _add_rounds_without_match(tallies[entrant.id], entrant, rounds, scoring)
    _add_totals(tallies, rounds, adjustments)
    return tallies


def incomplete_rounds(matches: Iterable[PlayedMatch]) -> tuple[int, ...]:
    """The numbers of the rounds in which a result is still missing, in order."""
    return tuple(sorted({match.round for match in matches if match.result is None}))


def without_annulled(matches: Iterable[PlayedMatch], teams: Iterable[TeamId]) -> tuple[PlayedMatch, ...]:
    """The matches that remain when all results of `teams` are annulled: their opponents lose them too."""
    annulled = set(teams)
    return tuple(match for match in matches if match.home not in annulled and match.away not in annulled)


def _empty_tallies(entrants: Sequence[Entrant]) -> dict[TeamId, Tally]:
    tallies: dict[TeamId, Tally] = {}
    for entrant in entrants:
        if entrant.id in tallies:
            raise RepeatedTeam(entrant.id)
        tallies[entrant.id] = Tally()
    return tallies


def _known(tallies: dict[TeamId, Tally], team: TeamId) -> Tally:
    found = tallies.get(team)
    if found is None:
        raise UnknownTeam(team)
    return found


def _add_match(tallies: dict[TeamId, Tally], match: PlayedMatch, scoring: ScoringRules) -> None:
    result = match.result
    if result is None:
        return
    home = _known(tallies, match.home)
    home_points, away_points = (0, 0) if match.is_zero else match_points(result, scoring)
    _add_round_points(home, match.round, home_points)
    if _is_bye(match, result):
        home.byes += 1
    elif match.away is not None:
        away = _known(tallies, match.away)
        _add_round_points(away, match.round, away_points)
        _add_meeting(home, match.away, home_points, _halves(result, Winner.HOME))
        _add_meeting(away, match.home, away_points, _halves(result, Winner.AWAY))
        if result.outcome is not Outcome.IRREGULAR:
            _add_verdict(home, _halves(result, Winner.HOME))
            _add_verdict(away, _halves(result, Winner.AWAY))
        if result.outcome is Outcome.PLAYED:
            _add_played(home, away, result)


def _is_bye(match: PlayedMatch, result: MatchResult) -> bool:
    is_bye = result.outcome is Outcome.BYE
    if is_bye and match.away is not None:
        raise InvalidResult(ResultCode.OPPONENT_NOT_EXPECTED, "away")
    if not is_bye and match.away is None:
        raise InvalidResult(ResultCode.OPPONENT_MISSING, "away")
    return is_bye


def _halves(result: MatchResult, side: Winner) -> int:
    if result.winner is side:
        return 2
    return 1 if result.winner is Winner.TIE else 0


def _add_round_points(team: Tally, number: int, points: int) -> None:
    team.round_points[number] = team.round_points.get(number, 0) + points


def _add_meeting(team: Tally, opponent: TeamId, points: int, halves: int) -> None:
    team.meetings.append(Meeting(opponent, points, halves))


def _add_verdict(team: Tally, halves: int) -> None:
    if halves == 2:
        team.wins += 1
    elif halves == 1:
        team.ties += 1
    else:
        team.losses += 1


def _add_played(home: Tally, away: Tally, result: MatchResult) -> None:
    home.played += 1
    away.played += 1
    for home_level, away_level in _levels(result):
        home.net_levels += home_level - away_level
        away.net_levels += away_level - home_level
        home.levels_gained += home_level - LOWEST
        away.levels_gained += away_level - LOWEST


def _levels(result: MatchResult) -> Iterator[tuple[int, int]]:
    for game in result.games or (result,):
        if game.home_level is None or game.away_level is None:
            raise InvalidResult(ResultCode.MISSING, "home_level")
        yield game.home_level, game.away_level


def _add_rounds_without_match(
    team: Tally, entrant: Entrant, rounds: Sequence[int], scoring: ScoringRules
) -> None:
    """A free round is worth 0, one that the team missed what is set: all teams then have the same rounds."""
    for number in rounds:
        is_missed = number < entrant.first_round or number in entrant.absent
        team.round_points.setdefault(number, scoring.missed if is_missed else 0)


def _add_totals(
    tallies: dict[TeamId, Tally], rounds: Sequence[int], adjustments: Iterable[Adjustment]
) -> None:
    """Totals, and their sum over the rounds; an adjustment beyond the last round counts in the last."""
    still_counted = {number: len(rounds) - place for place, number in enumerate(rounds)}
    for team in tallies.values():
        team.points = sum(team.round_points.values())
        team.cumulative = sum(points * still_counted[number] for number, points in team.round_points.items())
    for adjustment in adjustments:
        team = _known(tallies, adjustment.team)
        team.points += adjustment.points
        team.cumulative += adjustment.points * max(1, len(rounds) - bisect_left(rounds, adjustment.round))
