"""Match points 积分: what one result is worth to both sides."""

from scoring.engine.deal_counts import deals_won
from scoring.engine.outcomes import InvalidResult, Outcome, Reason, ResultCode, Side, Winner
from scoring.engine.results import MatchResult, complete_result
from scoring.engine.rules import MatchRules, ScoringModel, ScoringRules

BIGGEST_DIFFERENCE = 13  # from 2 to passed A


def complete_countable(
    result: MatchResult, rules: MatchRules, scoring: ScoringRules, *, tie_allowed: bool = True
) -> MatchResult:
    """The result completed by the rules; raises InvalidResult for one that gives no points, too."""
    completed = complete_result(result, rules, tie_allowed=tie_allowed)
    match_points(completed, scoring)
    return completed


def match_points(result: MatchResult, scoring: ScoringRules) -> tuple[int, int]:
    """The points of home and away for a completed result; a bye gives home its points and away 0.

    Raises InvalidResult when a played result has no winner or no levels yet, or where deals count and it
    does not say how many each side won.
    """
    if result.outcome is not Outcome.PLAYED:
        return _unplayed_points(result.outcome, scoring)
    if result.winner is None:
        raise InvalidResult(ResultCode.MISSING, "winner")
    if scoring.model is ScoringModel.WIN_LOSS:
        return _win_loss_points(result.winner, scoring)
    if scoring.model is ScoringModel.LEVELS_GAINED:
        return _levels_gained(result, scoring.start_level)
    if scoring.model is ScoringModel.PER_DEAL:
        return _deal_points(result, scoring)
    lead = _lead(result)
    return scoring.base + lead, scoring.base - lead


def _deal_points(result: MatchResult, scoring: ScoringRules) -> tuple[int, int]:
    """What the deals won are worth together. Who won the match does not count."""
    won = deals_won(result)
    if won is None:
        raise InvalidResult(ResultCode.MISSING, "home_deals")
    home, away = (
        sum(count * worth for count, worth in zip(won[side], scoring.deal_points, strict=True))
        for side in Side
    )
    return home, away


def _levels_gained(result: MatchResult, start_level: int) -> tuple[int, int]:
    """Each side's level less the one it began at, a handicap's where there was one, over all games."""
    if result.games is not None:
        gained = [_levels_gained(game, start_level) for game in result.games]
        return sum(home for home, _ in gained), sum(away for _, away in gained)
    if result.home_level is None or result.away_level is None:
        raise InvalidResult(ResultCode.MISSING, "home_level")
    home_start = start_level if result.home_start is None else result.home_start
    away_start = start_level if result.away_start is None else result.away_start
    return result.home_level - home_start, result.away_level - away_start


def level_difference(result: MatchResult) -> int:
    """Home's level less away's, summed over the games of the match. Raises InvalidResult without levels."""
    if result.games is not None:
        return sum(level_difference(game) for game in result.games)
    if result.home_level is None or result.away_level is None:
        raise InvalidResult(ResultCode.MISSING, "home_level")
    return result.home_level - result.away_level


def _lead(result: MatchResult) -> int:
    """What home has above the base: the level difference, at least 1 for the winner, at most 13.

    Equal levels decided by the tie rule stay even. A winner who does not hold the higher level (strikes,
    penalty, trailing by one with the head taken, games) scores as one level ahead.
    """
    if result.winner is Winner.TIE:
        return 0
    difference = level_difference(result)
    if difference == 0 and result.reason is Reason.TIE_RULE:
        return 0
    ahead = difference if result.winner is Winner.HOME else -difference
    lead = min(max(ahead, 1), BIGGEST_DIFFERENCE)
    return lead if result.winner is Winner.HOME else -lead


def _win_loss_points(winner: Winner, scoring: ScoringRules) -> tuple[int, int]:
    if winner is Winner.TIE:
        return scoring.tie, scoring.tie
    return (scoring.win, scoring.loss) if winner is Winner.HOME else (scoring.loss, scoring.win)


def _unplayed_points(outcome: Outcome, scoring: ScoringRules) -> tuple[int, int]:
    return {
        Outcome.FORFEIT_HOME: (scoring.forfeit_loss, scoring.forfeit_win),
        Outcome.FORFEIT_AWAY: (scoring.forfeit_win, scoring.forfeit_loss),
        Outcome.DOUBLE_FORFEIT: (scoring.double_forfeit, scoring.double_forfeit),
        Outcome.BYE: (scoring.bye, 0),
        Outcome.IRREGULAR: (scoring.irregular, scoring.irregular),
    }[outcome]
