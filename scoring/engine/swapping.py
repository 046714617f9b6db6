"""A result written the wrong way round: the same with home and away exchanged."""

from dataclasses import replace

from scoring.engine.outcomes import Outcome, Side, Winner
from scoring.engine.results import MatchResult

_OUTCOMES = {Outcome.FORFEIT_HOME: Outcome.FORFEIT_AWAY, Outcome.FORFEIT_AWAY: Outcome.FORFEIT_HOME}
_WINNERS = {Winner.HOME: Winner.AWAY, Winner.AWAY: Winner.HOME}
_OTHER_SIDE = str.maketrans("HA", "AH")


def sides_swapped(result: MatchResult) -> MatchResult:
    """What the slip says when the two teams were taken for each other. Twice is the result itself."""
    return replace(
        result,
        outcome=_OUTCOMES.get(result.outcome, result.outcome),
        home_level=result.away_level,
        away_level=result.home_level,
        winner=None if result.winner is None else _WINNERS.get(result.winner, result.winner),
        reached_first=_other(result.reached_first),
        declarer=_other(result.declarer),
        head_taken=_other(result.head_taken),
        extra_winner=_other(result.extra_winner),
        deals=None if result.deals is None else tuple(each.translate(_OTHER_SIDE) for each in result.deals),
        games=None if result.games is None else tuple(sides_swapped(game) for game in result.games),
        home_start=result.away_start,
        away_start=result.home_start,
        home_deals=result.away_deals,
        away_deals=result.home_deals,
    )


def _other(side: Side | None) -> Side | None:
    return None if side is None else side.other
