"""Whether two results of a table say the same, so that nothing would change."""

from scoring.engine.deal_counts import deals_won
from scoring.engine.results import MatchResult


def says_the_same(stored: MatchResult, completed: MatchResult) -> bool:
    """Whether nothing would change. Levels typed over a result with deals say less, not something else."""
    if not _has_deals(stored) or _has_deals(completed):
        return stored == completed
    if deals_won(completed) not in (None, deals_won(stored)):
        return False
    return _levels_and_winner(stored) == _levels_and_winner(completed)


def _has_deals(result: MatchResult) -> bool:
    return any(game.deals is not None for game in result.games or (result,))


def _levels_and_winner(result: MatchResult) -> tuple[object, ...]:
    first = (result.games or (result,))[0]
    begun = (first.home_start, first.away_start)
    ends = [(game.home_level, game.away_level, game.winner, game.reason) for game in result.games or ()]
    levels = (result.home_level, result.away_level)
    return (result.outcome, *levels, result.winner, result.reason, *begun, *ends)
