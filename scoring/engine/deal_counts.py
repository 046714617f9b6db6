"""How many deals 副 each side won: counted on the slip, or told by the finishing orders."""

from collections import Counter
from collections.abc import Mapping, Sequence

from scoring.engine.deals import read_order
from scoring.engine.match_result import DealCounts, MatchResult
from scoring.engine.outcomes import Side


def deals_won(result: MatchResult) -> Mapping[Side, DealCounts] | None:
    """How many deals each side won as a double, with first and third, with first and last.

    As counted on the slip, or from the finishing orders, or over the games; None where nobody wrote it down.
    """
    if result.home_deals is not None and result.away_deals is not None:
        return {Side.HOME: result.home_deals, Side.AWAY: result.away_deals}
    if result.deals is not None:
        return _counted(result.deals)
    games = [deals_won(game) for game in result.games or ()]
    told = [game for game in games if game is not None]
    if not games or len(told) < len(games):
        return None
    return {side: _added([game[side] for game in told]) for side in Side}


def _counted(orders: Sequence[str]) -> Mapping[Side, DealCounts]:
    found = Counter((deal.head, deal.step) for deal in map(read_order, orders))
    return {side: (found[side, 0], found[side, 1], found[side, 2]) for side in Side}


def _added(counts: Sequence[DealCounts]) -> DealCounts:
    doubles, thirds, lasts = (sum(place) for place in zip(*counts, strict=True))
    return doubles, thirds, lasts
