"""Deals 副: how finishing orders move the levels, when A is passed, and what failing at A costs.

A finishing order is written by side, first to last: `HHAA` is a double by home, `HAAH` home first and last.
Where the two players of a side matter (streak bonuses) the second player is written small: `HahA`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from scoring.engine.endings import NO_FACTS, Ending, Facts, arrival, ending, with_head_level
from scoring.engine.levels import JACK, LOWEST
from scoring.engine.outcomes import InvalidResult, Reason, ResultCode, Side, Winner
from scoring.engine.rules import (
    Bonus,
    MatchRules,
    PassRule,
    StrikeCount,
    StrikePenalty,
    StrikeRules,
    StrikeWhen,
)

_STREAK = 3  # doubles, heads or last places running before a bonus speaks


@dataclass(frozen=True, slots=True)
class FinishingOrder:
    """One deal's order read: who was head 头游, the head's step (0 double, 1, 2), who was last 末游."""

    head: Side
    step: int
    last: Side
    head_player: str | None
    last_player: str | None

    @property
    def is_double(self) -> bool:
        """Whether partners finished first and second 双上."""
        return self.step == 0


@dataclass(frozen=True, slots=True)
class Tribute:
    """Who pays tribute 进贡 before a deal, and to whom; whoever pays leads.

    After a double both losers pay, and the one whose card the head took leads. Otherwise the last pays the
    head, its own partner too. Payers who hold both big jokers pay nothing and the head leads: the cards
    decide that, not the finishing order.
    """

    payer: Side
    receiver: Side
    is_double: bool


@dataclass(frozen=True, slots=True)
class SideState:
    """A side's level, its strikes so far, and after which deal it came to the level (0: the start)."""

    level: int
    strikes: int = 0
    since: int = 0


@dataclass(frozen=True, slots=True)
class Streaks:
    """What has happened on the last deals running: doubles of a side, heads and last places of a player."""

    doubles_by: Side | None = None
    doubles: int = 0
    head_player: str | None = None
    heads: int = 0
    last_player: str | None = None
    lasts: int = 0


@dataclass(frozen=True, slots=True)
class GameState:
    """A game 局 after some deals; `declarer` is None before the first, `winner` until the game is over."""

    home: SideState
    away: SideState
    declarer: Side | None = None
    deals_played: int = 0
    streaks: Streaks = Streaks()
    winner: Side | None = None
    reason: Reason | None = None

    def side(self, side: Side) -> SideState:
        """The state of one side."""
        return self.home if side is Side.HOME else self.away


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How a game ended: levels, winner, reason, and the state after its last deal."""

    home_level: int
    away_level: int
    winner: Winner
    reason: Reason
    state: GameState


def start_game(rules: MatchRules, facts: Facts = NO_FACTS) -> GameState:
    """The state before the first deal: both at the start level, or where a handicap puts them."""
    return GameState(
        home=SideState(read_start("home_start", facts.home_start, rules)),
        away=SideState(read_start("away_start", facts.away_start, rules)),
    )


def play_deal(state: GameState, order: str, rules: MatchRules) -> GameState:
    """The state after one more deal. Raises InvalidResult for an unknown order or a game that is over.

    The head side climbs by its step and declares the next deal. A side that declared at its own target and
    did what the pass rule asks has passed and won; one that did not may have a strike.
    """
    if state.winner is not None:
        raise InvalidResult(ResultCode.AFTER_THE_END, "deals")
    deal = read_order(order)
    streaks = _streaks(state.streaks, deal) if rules.bonuses else state.streaks
    _require_players(deal, rules)
    if _declarer_passes(state, deal, rules):
        return _passed(state, deal, streaks, rules)
    home = _side_after(state, Side.HOME, deal, streaks, rules)
    away = _side_after(state, Side.AWAY, deal, streaks, rules)
    winner, reason = _decided(home, away, deal.head, rules)
    return GameState(home, away, deal.head, state.deals_played + 1, streaks, winner, reason)


def replay(orders: Sequence[str], rules: MatchRules, facts: Facts = NO_FACTS) -> GameState:
    """The state after all `orders`. Raises InvalidResult naming the deal, such as `deals[3]`."""
    state = start_game(rules, facts)
    for place, order in enumerate(orders):
        if rules.deals is not None and place >= rules.deals:
            raise InvalidResult(ResultCode.TOO_MANY, f"deals[{place}]")
        try:
            state = play_deal(state, order, rules)
        except InvalidResult as error:
            raise InvalidResult(error.code, f"deals[{place}]") from None
    return state


def play_game(
    orders: Sequence[str],
    rules: MatchRules,
    facts: Facts = NO_FACTS,
    *,
    tie_allowed: bool = True,
) -> GameOutcome:
    """The end of a game from its finishing orders; what they leave open is decided as at time-up.

    Who declares and who reached a level first follow from the deals; facts that say otherwise are refused.
    Raises InvalidResult.
    """
    state = replay(orders, rules, facts)
    if state.winner is not None and state.reason is not None:
        return GameOutcome(
            state.home.level, state.away.level, Winner(state.winner.value), state.reason, state
        )
    end = _at_time_up(state, rules, facts, tie_allowed)
    return GameOutcome(end.home_level, end.away_level, end.winner, end.reason, state)


def read_order(order: str) -> FinishingOrder:
    """The finishing order that `order` writes. Raises InvalidResult when it is none."""
    found = _ORDERS.get(order)
    if found is None:
        raise InvalidResult(ResultCode.UNKNOWN_ORDER, "deals")
    return found


def tribute_after(order: str) -> Tribute:
    """The tribute that a finishing order makes due before the next deal. Raises InvalidResult."""
    deal = read_order(order)
    return Tribute(payer=deal.last, receiver=deal.head, is_double=deal.is_double)


def _read(letters: Sequence[str]) -> FinishingOrder:
    sides = [Side.HOME if letter in "Hh" else Side.AWAY for letter in letters]
    told = len(set(letters)) == len(letters)
    return FinishingOrder(
        head=sides[0],
        step=sides.index(sides[0], 1) - 1,
        last=sides[3],
        head_player=letters[0] if told else None,
        last_player=letters[3] if told else None,
    )


_ORDERS: Mapping[str, FinishingOrder] = {
    "".join(letters): _read(letters) for players in ("HHAA", "HhAa") for letters in permutations(players)
}


def read_start(field: str, level: int | None, rules: MatchRules) -> int:
    """The level that a side begins at: the handicap's if there is one. Raises InvalidResult."""
    if level is None:
        return rules.start_level
    if not LOWEST <= level <= rules.target_level:
        raise InvalidResult(ResultCode.LEVEL_OUT_OF_RANGE, field)
    return level


# Passing the target


def _declarer_passes(state: GameState, deal: FinishingOrder, rules: MatchRules) -> bool:
    """Whether a deal declared at own target passes. Where the target may be passed over, climbing decides."""
    side = state.declarer
    if side is None or not rules.must_play_target or state.side(side).level != rules.target_level:
        return False
    if rules.pass_rule is PassRule.NO_LAST:
        return deal.last is not side
    if deal.head is not side:
        return False
    if rules.pass_rule is PassRule.PARTNER_NOT_LAST:
        return deal.last is not side
    return rules.pass_rule is not PassRule.DOUBLE_ONLY or deal.is_double


def _passed(state: GameState, deal: FinishingOrder, streaks: Streaks, rules: MatchRules) -> GameState:
    """The game won by its declarer; the other side keeps its level, even with the head."""
    winner, played = state.declarer, state.deals_played + 1
    over = replace(state, deals_played=played, streaks=streaks, winner=winner, reason=Reason.PASSED)
    passed = SideState(rules.passed_level, 0, played)
    return replace(over, home=passed) if winner is Side.HOME else replace(over, away=passed)


def _decided(
    home: SideState, away: SideState, head: Side, rules: MatchRules
) -> tuple[Side | None, Reason | None]:
    """Who has won after a deal, and why. When both sides lose by strikes at once the head side wins."""
    if home.level >= rules.passed_level or away.level >= rules.passed_level:
        return head, Reason.PASSED
    strikes = rules.strikes
    if strikes is None or strikes.then is not StrikePenalty.LOSE:
        return None, None
    lost = [side for side, end in ((Side.HOME, home), (Side.AWAY, away)) if end.strikes >= strikes.limit]
    if not lost:
        return None, None
    return (head if len(lost) == 2 else lost[0].other), Reason.STRIKES


# Levels


def _side_after(
    state: GameState, side: Side, deal: FinishingOrder, streaks: Streaks, rules: MatchRules
) -> SideState:
    before = state.side(side)
    level = before.level
    if deal.head is side:
        level = _climbed(level, deal, streaks, rules)
    if deal.last is side and streaks.lasts >= _STREAK and Bonus.LAST_STREAK in rules.bonuses:
        level = max(LOWEST, level - 1) if level < rules.passed_level else level
    strikes = before.strikes
    if rules.strikes is not None and level < rules.passed_level:
        strikes = _strikes_after(state, side, rules.strikes, rules.target_level)
        level, strikes = _fallen(level, strikes, rules.strikes)
    if level == before.level and strikes == before.strikes:
        return before
    since = before.since if level == before.level else state.deals_played + 1
    return SideState(level, strikes, since)


def _climbed(level: int, deal: FinishingOrder, streaks: Streaks, rules: MatchRules) -> int:
    reached = level + rules.steps[deal.step]
    if rules.bonuses:
        if Bonus.FIRST_STREAK in rules.bonuses:
            reached += max(0, streaks.heads - _STREAK + 1)
        if Bonus.THREE_DOUBLES_TO_TARGET in rules.bonuses and streaks.doubles >= _STREAK:
            reached = max(reached, rules.target_level)
    return arrival(reached, rules)


# Strikes


def _strikes_after(state: GameState, side: Side, rules: StrikeRules, target: int) -> int:
    """The strikes of a side after a deal on which it did not pass."""
    before = state.side(side)
    at_target = before.level == target
    if at_target and (state.declarer is side or rules.when is StrikeWhen.ANY_DEAL):
        return before.strikes + 1
    return 0 if rules.count is StrikeCount.IN_A_ROW else before.strikes


def _fallen(level: int, strikes: int, rules: StrikeRules) -> tuple[int, int]:
    """Level and strikes after the last allowed strike has cost what it costs."""
    if strikes < rules.limit or rules.then is StrikePenalty.LOSE:
        return level, strikes
    return (LOWEST if rules.then is StrikePenalty.BACK_TO_2 else JACK), 0


# Streaks


def _streaks(before: Streaks, deal: FinishingOrder) -> Streaks:
    doubles_by = deal.head if deal.is_double else None
    return Streaks(
        doubles_by=doubles_by,
        doubles=_running(before.doubles, doubles_by, before.doubles_by),
        head_player=deal.head_player,
        heads=_running(before.heads, deal.head_player, before.head_player),
        last_player=deal.last_player,
        lasts=_running(before.lasts, deal.last_player, before.last_player),
    )


def _running(count: int, now: str | None, before: str | None) -> int:
    if now is None:
        return 0
    return count + 1 if now == before else 1


def _require_players(deal: FinishingOrder, rules: MatchRules) -> None:
    if deal.head_player is None and (
        Bonus.FIRST_STREAK in rules.bonuses or Bonus.LAST_STREAK in rules.bonuses
    ):
        raise InvalidResult(ResultCode.PLAYERS_NOT_TOLD, "deals")


# Time-up


def _at_time_up(state: GameState, rules: MatchRules, facts: Facts, tie_allowed: bool) -> Ending:
    known = replace(
        facts,
        declarer=_agreed("declarer", state.declarer, facts.declarer),
        reached_first=_agreed("reached_first", _reached_first(state, rules, facts), facts.reached_first),
    )
    return ending(state.home.level, state.away.level, rules, known, tie_allowed)


def _agreed(field: str, computed: Side | None, given: Side | None) -> Side | None:
    if computed is not None and given is not None and given is not computed:
        raise InvalidResult(ResultCode.FACT_DISAGREES, field)
    return computed or given


def _reached_first(state: GameState, rules: MatchRules, facts: Facts) -> Side | None:
    """The side longer at the common level; None where levels differ or both came together."""
    home, away = with_head_level(state.home.level, state.away.level, rules, facts.head_taken)
    now = state.deals_played + 1
    home_since = state.home.since if home == state.home.level else now
    away_since = state.away.since if away == state.away.level else now
    if home != away or home_since == away_since:
        return None
    return Side.HOME if home_since < away_since else Side.AWAY
