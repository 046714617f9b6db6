"""Results 成绩: what was entered for one match, completed by the rules or refused."""

from dataclasses import replace

from scoring.engine.deal_counts import deals_won
from scoring.engine.deals import play_game, read_start, replay
from scoring.engine.endings import Ending, Facts, arrival, ending, higher
from scoring.engine.match_result import COUNT_FIELDS, LEVEL_FIELDS, SIDE_FIELDS, MatchResult
from scoring.engine.outcomes import InvalidResult, Outcome, Reason, ResultCode, Side, Winner
from scoring.engine.rules import EqualLevels, MatchRules, PassRule

__all__ = [
    "InvalidResult",
    "MatchResult",
    "Outcome",
    "Reason",
    "ResultCode",
    "Side",
    "Winner",
    "complete_result",
]

_RULINGS = (Reason.STRIKES, Reason.PENALTY)
_FORFEIT_WINNER = {Outcome.FORFEIT_HOME: Winner.AWAY, Outcome.FORFEIT_AWAY: Winner.HOME}


_ONLY_PLAYED = (*LEVEL_FIELDS, *SIDE_FIELDS, *COUNT_FIELDS, "reason", "deals", "games")


def complete_result(result: MatchResult, rules: MatchRules, *, tie_allowed: bool = True) -> MatchResult:
    """The result with levels, winner and reason as the rules give them. Raises InvalidResult.

    What is given must agree with what follows from it, except a winner by `strikes` or `penalty`: those are
    rulings, and the winner may hold the lower level. A winner given with `tie_rule` stands for the fact that
    the rule for equal levels asks for. A head taken at time-up that gives a level is counted into the levels
    and then dropped, so completing a completed result changes nothing.
    """
    if result.outcome is not Outcome.PLAYED:
        return _complete_unplayed(result)
    if result.deals is not None and result.games is not None:
        raise InvalidResult(ResultCode.DEALS_AND_GAMES, "games")
    _require_possible_counts(result, rules)
    if result.games is not None:
        return _complete_games(result, result.games, rules, tie_allowed)
    if rules.best_of > 1:
        raise InvalidResult(ResultCode.GAMES_MISSING, "games")
    return _complete_game(result, rules, tie_allowed)


def _complete_unplayed(result: MatchResult) -> MatchResult:
    """A match that was not played has no levels, and its winner follows from who forfeits."""
    for name in _ONLY_PLAYED:
        if getattr(result, name) is not None:
            raise InvalidResult(ResultCode.NOT_PLAYED, name)
    winner = _FORFEIT_WINNER.get(result.outcome)
    if result.winner not in (None, winner):
        raise InvalidResult(ResultCode.WINNER_DISAGREES, "winner")
    return replace(result, winner=winner)


def _require_possible_counts(result: MatchResult, rules: MatchRules) -> None:
    """Both sides' deals are counted or none, no more of them than the rules allow."""
    home, away = result.home_deals, result.away_deals
    if home is None and away is None:
        return
    if home is None or away is None:
        raise InvalidResult(ResultCode.MISSING, "home_deals" if home is None else "away_deals")
    games = len(result.games) if result.games is not None else 1
    if rules.deals is not None and sum(home) + sum(away) > rules.deals * games:
        raise InvalidResult(ResultCode.COUNTS_OUT_OF_RANGE, "away_deals")
    written = deals_won(replace(result, home_deals=None, away_deals=None))
    for field, counts, side in (("home_deals", home, Side.HOME), ("away_deals", away, Side.AWAY)):
        if written is not None and written[side] != counts:
            raise InvalidResult(ResultCode.COUNTS_DISAGREE, field)


# One game


def _complete_game(result: MatchResult, rules: MatchRules, tie_allowed: bool) -> MatchResult:
    if result.deals is not None:
        return _complete_deals(result, result.deals, rules, tie_allowed)
    home, away = _given_levels(result, rules)
    if result.reason in _RULINGS:
        _require_possible_ruling(result, home, away, rules)
        return replace(result, home_level=home, away_level=away)
    end = ending(home, away, rules, _facts_with_tie_rule(result, home, away, rules), tie_allowed)
    counted = (end.home_level, end.away_level) != (home, away)
    head_taken = None if counted else result.head_taken
    return _with_ending(replace(result, home_level=None, away_level=None, head_taken=head_taken), end, rules)


def _complete_deals(
    result: MatchResult, deals: tuple[str, ...], rules: MatchRules, tie_allowed: bool
) -> MatchResult:
    """Everything follows from the finishing orders; levels that are given too must be the same."""
    if result.reason is Reason.PENALTY:
        _require_ruled_winner(result)
        state = replay(deals, rules, result.facts)
        _require_same_levels(result, state.home.level, state.away.level, rules)
        return replace(result, home_level=state.home.level, away_level=state.away.level)
    game = play_game(deals, rules, result.facts, tie_allowed=tie_allowed)
    return _with_ending(result, Ending(game.home_level, game.away_level, game.winner, game.reason), rules)


def _with_ending(result: MatchResult, end: Ending, rules: MatchRules) -> MatchResult:
    """The result with its derived end, once nothing that was given contradicts it."""
    _require_same_levels(result, end.home_level, end.away_level, rules)
    _require_same_winner(result, end.winner, end.reason)
    return replace(
        result,
        home_level=end.home_level,
        away_level=end.away_level,
        winner=end.winner,
        reason=end.reason,
    )


def _require_same_winner(result: MatchResult, winner: Winner, reason: Reason) -> None:
    if result.winner not in (None, winner):
        raise InvalidResult(ResultCode.WINNER_DISAGREES, "winner")
    if result.reason not in (None, reason):
        raise InvalidResult(ResultCode.REASON_DISAGREES, "reason")


def _require_ruled_winner(result: MatchResult) -> None:
    """A ruling says who wins, and nothing else can."""
    if result.winner not in (Winner.HOME, Winner.AWAY):
        raise InvalidResult(ResultCode.MISSING, "winner")


def _require_possible_ruling(result: MatchResult, home: int, away: int, rules: MatchRules) -> None:
    """Strikes cannot beat a side that has passed; a penalty can."""
    _require_ruled_winner(result)
    loser = away if result.winner is Winner.HOME else home
    if result.reason is Reason.STRIKES and loser >= rules.passed_level:
        raise InvalidResult(ResultCode.REASON_DISAGREES, "reason")


def _facts_with_tie_rule(result: MatchResult, home: int, away: int, rules: MatchRules) -> Facts:
    """The facts, where a winner "by the tie rule" stands for the one that nobody wrote down."""
    if result.reason is not Reason.TIE_RULE or result.winner in (None, Winner.TIE) or home != away:
        return result.facts
    winner = Side(result.winner)
    declarer = winner.other if rules.equal_levels is EqualLevels.OFF_STAGE else winner
    return replace(
        result.facts,
        reached_first=result.reached_first or winner,
        declarer=result.declarer or declarer,
        extra_winner=result.extra_winner or winner,
    )


def _given_levels(result: MatchResult, rules: MatchRules) -> tuple[int, int]:
    home = _level("home_level", result.home_level, result.home_start, rules)
    away = _level("away_level", result.away_level, result.away_start, rules)
    if home >= rules.passed_level and away >= rules.passed_level:
        raise InvalidResult(ResultCode.BOTH_PASSED, "away_level")
    return home, away


def _level(field: str, level: int | None, start: int | None, rules: MatchRules) -> int:
    """The level, within what the rules allow a side that began there, or where a handicap put it."""
    if level is None:
        raise InvalidResult(ResultCode.MISSING, field)
    begun = replace(rules, start_level=read_start(field.replace("level", "start"), start, rules))
    if not min(rules.lowest_level, begun.lowest_level) <= level <= rules.passed_level:
        raise InvalidResult(ResultCode.LEVEL_OUT_OF_RANGE, field)
    if level < begun.lowest_level:
        raise InvalidResult(ResultCode.LEVEL_BELOW_START, field)
    return _stands(level, rules)


def _stands(level: int, rules: MatchRules) -> int:
    """A written A is a passed A where arriving at it is enough."""
    return arrival(level, rules) if rules.pass_rule is PassRule.REACH else level


def _require_same_levels(result: MatchResult, home: int, away: int, rules: MatchRules) -> None:
    for field, derived in (("home_level", home), ("away_level", away)):
        given = getattr(result, field)
        if given is not None and _stands(given, rules) != derived:
            raise InvalidResult(ResultCode.LEVELS_DISAGREE, field)


# Best of several games


def _complete_games(
    result: MatchResult, games: tuple[MatchResult, ...], rules: MatchRules, tie_allowed: bool
) -> MatchResult:
    """Whoever wins more games wins the match; a single game lends the match its levels."""
    if not games:
        raise InvalidResult(ResultCode.GAMES_MISSING, "games")
    if len(games) > rules.best_of:
        raise InvalidResult(ResultCode.TOO_MANY, f"games[{rules.best_of}]")
    single, ties = replace(rules, best_of=1), tie_allowed or rules.best_of > 1
    completed = tuple(_complete_numbered(place, game, single, ties) for place, game in enumerate(games))
    result = _with_levels_of(replace(result, games=completed), completed, rules)
    if result.reason in _RULINGS:
        _require_ruled_winner(result)
        return result
    wins = _games_won(completed, rules)
    winner = _match_winner(result, wins, tie_allowed)
    reason = _match_reason(result, completed, wins, winner, rules)
    if result.reason is Reason.TIME and reason is Reason.TIE_RULE:  # time was called, then extra play decided
        result = replace(result, reason=None)
    _require_same_winner(result, winner, reason)
    return replace(result, winner=winner, reason=reason)


def _complete_numbered(place: int, game: MatchResult, rules: MatchRules, tie_allowed: bool) -> MatchResult:
    if game.outcome is not Outcome.PLAYED or game.games is not None:
        raise InvalidResult(ResultCode.UNKNOWN_VALUE, f"games[{place}].outcome")
    try:
        _require_possible_counts(game, rules)
        return _complete_game(game, rules, tie_allowed)
    except InvalidResult as error:
        raise InvalidResult(error.code, f"games[{place}].{error.field}") from None


def _with_levels_of(result: MatchResult, games: tuple[MatchResult, ...], rules: MatchRules) -> MatchResult:
    if len(games) != 1:
        for field in ("home_level", "away_level"):
            if getattr(result, field) is not None:
                raise InvalidResult(ResultCode.LEVELS_DISAGREE, field)
        return result
    home, away = games[0].home_level, games[0].away_level
    if home is not None and away is not None:
        _require_same_levels(result, home, away, rules)
    return replace(result, home_level=home, away_level=away)


def _games_won(games: tuple[MatchResult, ...], rules: MatchRules) -> tuple[int, int]:
    """Games won by home and away; a game after the match was decided is refused."""
    won = {Winner.HOME: 0, Winner.AWAY: 0, Winner.TIE: 0}
    for place, game in enumerate(games):
        if 2 * max(won[Winner.HOME], won[Winner.AWAY]) > rules.best_of:
            raise InvalidResult(ResultCode.AFTER_THE_END, f"games[{place}]")
        won[game.winner or Winner.TIE] += 1
    return won[Winner.HOME], won[Winner.AWAY]


def _match_winner(result: MatchResult, wins: tuple[int, int], tie_allowed: bool) -> Winner:
    if wins[0] != wins[1]:
        return higher(*wins)
    if result.extra_winner is not None:
        return Winner(result.extra_winner.value)
    if not tie_allowed:
        raise InvalidResult(ResultCode.TIE_NOT_ALLOWED, "extra_winner")
    return Winner.TIE


def _match_reason(
    result: MatchResult,
    games: tuple[MatchResult, ...],
    wins: tuple[int, int],
    winner: Winner,
    rules: MatchRules,
) -> Reason:
    """The reason of the game that decided. A match stopped before that has to say that time was up, or that
    the extra play decided between sides with as many games each."""
    decided = 2 * max(wins) > rules.best_of or len(games) == rules.best_of
    stopped = result.reason is Reason.TIME or (result.reason is Reason.TIE_RULE and wins[0] == wins[1])
    if not decided and not stopped:
        raise InvalidResult(ResultCode.GAMES_MISSING, f"games[{len(games)}]")
    if wins[0] == wins[1]:
        return Reason.TIME if winner is Winner.TIE else Reason.TIE_RULE
    last = games[-1]
    return last.reason if decided and last.winner is winner and last.reason else Reason.TIME
