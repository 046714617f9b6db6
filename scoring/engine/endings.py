"""From two levels to a winner: what happens when a side has passed or time is called 封牌."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoring.engine.outcomes import InvalidResult, Reason, ResultCode, Side, Winner
from scoring.engine.rules import EqualLevels, MatchRules, PassRule, UnfinishedDeal


@dataclass(frozen=True, slots=True)
class Facts:
    """What the slip says beside the levels, and the rules at time-up may need.

    `reached_first`: the side that came to the common level first; `declarer` 主打方: the side whose level was
    being played; `head_taken`: the side whose player was already out; `extra_winner`: the winner of the extra
    deal or game. `home_start` and `away_start` are the levels that a handicap made the sides start from.
    """

    reached_first: Side | None = None
    declarer: Side | None = None
    head_taken: Side | None = None
    extra_winner: Side | None = None
    home_start: int | None = None
    away_start: int | None = None


NO_FACTS = Facts()


@dataclass(frozen=True, slots=True)
class Ending:
    """The levels that count, who won and why."""

    home_level: int
    away_level: int
    winner: Winner
    reason: Reason


def ending(home: int, away: int, rules: MatchRules, facts: Facts, tie_allowed: bool) -> Ending:
    """The end of a game whose sides stand at `home` and `away`. Raises InvalidResult.

    A passed level ends the game; otherwise time is up: first the deal under way counts as the rules say,
    then the higher level wins, then the rule for equal levels.
    """
    if max(home, away) < rules.passed_level:
        home, away = with_head_level(home, away, rules, facts.head_taken)
    leader = higher(home, away)
    if max(home, away) >= rules.passed_level:
        return Ending(home, away, leader, Reason.PASSED)
    if facts.head_taken and trails_by_one(home, away, rules, facts.head_taken):
        return Ending(home, away, Winner(facts.head_taken.value), Reason.TIME)
    if leader is not Winner.TIE:
        return Ending(home, away, leader, Reason.TIME)
    winner = _equal_levels_winner(rules.equal_levels, facts, tie_allowed)
    return Ending(home, away, winner, Reason.TIME if winner is Winner.TIE else Reason.TIE_RULE)


def with_head_level(home: int, away: int, rules: MatchRules, head: Side | None) -> tuple[int, int]:
    """The levels after the head already taken at time-up has given its level, where the rules give one.

    Where A must be played the level stops at A: an unfinished deal passes nothing.
    """
    if rules.unfinished_deal is not UnfinishedDeal.HEAD_PLUS_ONE or head is None:
        return home, away
    if head is Side.HOME:
        return arrival(home + 1, rules), away
    return home, arrival(away + 1, rules)


def arrival(level: int, rules: MatchRules) -> int:
    """Where a side that climbs to `level` comes to stand.

    Where the target must be played a climb stops at it; otherwise going past it passes. Under `reach`
    coming to the target is passing it.
    """
    if rules.must_play_target and level > rules.target_level:
        level = rules.target_level
    passing = rules.target_level if rules.pass_rule is PassRule.REACH else rules.passed_level
    return rules.passed_level if level >= passing else level


def higher(home: int, away: int) -> Winner:
    """The side with the higher level, or a tie."""
    if home == away:
        return Winner.TIE
    return Winner.HOME if home > away else Winner.AWAY


def trails_by_one(home: int, away: int, rules: MatchRules, head: Side) -> bool:
    """Whether the side with the head taken at time-up wins although one level behind."""
    behind = away - home if head is Side.HOME else home - away
    return rules.unfinished_deal is UnfinishedDeal.TRAILING_BY_ONE and behind == 1


def _equal_levels_winner(rule: EqualLevels, facts: Facts, tie_allowed: bool) -> Winner:
    if rule is EqualLevels.TIE:
        return Winner.TIE if tie_allowed else _tie_replaced(facts)
    field, deciding = _DECIDING_FACT[rule]
    side = deciding(facts)
    if side is None:
        raise InvalidResult(ResultCode.FACT_MISSING, field)
    return Winner(side.value)


def _tie_replaced(facts: Facts) -> Winner:
    """Where no tie may stand, the default is the side that reached the level first."""
    if facts.reached_first is None:
        raise InvalidResult(ResultCode.TIE_NOT_ALLOWED, "reached_first")
    return Winner(facts.reached_first.value)


_DECIDING_FACT: Mapping[EqualLevels, tuple[str, Callable[[Facts], Side | None]]] = {
    EqualLevels.FIRST_TO_REACH: ("reached_first", lambda facts: facts.reached_first),
    EqualLevels.DECLARER: ("declarer", lambda facts: facts.declarer),
    EqualLevels.OFF_STAGE: ("declarer", lambda facts: facts.declarer.other if facts.declarer else None),
    EqualLevels.EXTRA_DEAL: ("extra_winner", lambda facts: facts.extra_winner),
    EqualLevels.EXTRA_GAME: ("extra_winner", lambda facts: facts.extra_winner),
}
