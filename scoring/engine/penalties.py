"""Penalties 判罚: what they make of a match when it is counted. What was played stays as it was played."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from scoring.engine.levels import LOWEST, PASSED
from scoring.engine.outcomes import Outcome, Reason, Winner
from scoring.engine.points import match_points
from scoring.engine.results import MatchResult
from scoring.engine.rules import ScoringRules


class PenaltyRule(StrEnum):
    """Which rule was broken."""

    LATE = "late"
    SLOW_PLAY = "slow_play"
    WRONG_CARDS = "wrong_cards"
    SIGNALS = "signals"
    PLAYER_CHANGE = "player_change"
    OTHER = "other"


class PenaltyAction(StrEnum):
    """What a penalty does. `levels` and `points` have an amount with its sign."""

    NOTE = "note"
    WARNING = "warning"
    LEVELS = "levels"
    OPPONENT_LEVELS = "opponent_levels"
    POINTS = "points"
    MATCH_LOST = "match_lost"
    BOTH_ZERO = "both_zero"
    DISQUALIFIED = "disqualified"


LEVEL_ACTIONS = frozenset({PenaltyAction.LEVELS, PenaltyAction.OPPONENT_LEVELS})
MATCH_ACTIONS = LEVEL_ACTIONS | {PenaltyAction.MATCH_LOST, PenaltyAction.BOTH_ZERO}
"""Actions that change what a match counts, so that there must be one."""
WITHOUT_EFFECT = frozenset({PenaltyAction.NOTE, PenaltyAction.WARNING})
WITH_AMOUNT = LEVEL_ACTIONS | {PenaltyAction.POINTS}
MOST_LEVELS = 12
_LOST = frozenset({PenaltyAction.MATCH_LOST, PenaltyAction.DISQUALIFIED})
_HIGHEST_NOT_PASSED = PASSED - 1
_KEEPS_WINNER = frozenset({Reason.PASSED, Reason.STRIKES, Reason.PENALTY})


@dataclass(frozen=True, slots=True)
class Ruling:
    """What all penalties of one match come to: levels beside the played ones, who loses, nothing for both."""

    home_levels: int = 0
    away_levels: int = 0
    home_loses: bool = False
    away_loses: bool = False
    is_zero: bool = False

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "Ruling":
        """A ruling as it is stored with its match; an empty mapping is none."""
        return cls(**stored) if stored else NO_RULING

    def as_dict(self) -> dict[str, Any]:
        """What is ruled, as it is stored; empty for nothing."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in values.items() if value}


NO_RULING = Ruling()


def ruling_of(home: Iterable[tuple[PenaltyAction, int]], away: Iterable[tuple[PenaltyAction, int]]) -> Ruling:
    """The ruling from the penalties of both sides that stand, each as action and amount."""
    home, away = list(home), list(away)
    return Ruling(
        home_levels=_sum(home, PenaltyAction.LEVELS) + _sum(away, PenaltyAction.OPPONENT_LEVELS),
        away_levels=_sum(away, PenaltyAction.LEVELS) + _sum(home, PenaltyAction.OPPONENT_LEVELS),
        home_loses=any(action in _LOST for action, _amount in home),
        away_loses=any(action in _LOST for action, _amount in away),
        is_zero=any(action is PenaltyAction.BOTH_ZERO for action, _amount in (*home, *away)),
    )


def _sum(penalties: Iterable[tuple[PenaltyAction, int]], wanted: PenaltyAction) -> int:
    return sum(amount for action, amount in penalties if action is wanted)


def counted(result: MatchResult, ruling: Ruling, *, tie_allowed: bool = True) -> MatchResult:
    """The result as it counts. A bye, and a match without a ruling, counts as it is.

    Levels change what a played match counts; whoever passed, or won by a ruling, has won all the same,
    else the higher counted level wins. Who loses by penalty loses to an opponent who does not.
    """
    if ruling == NO_RULING or result.outcome is Outcome.BYE:
        return result
    if ruling.is_zero:
        return MatchResult(Outcome.IRREGULAR)
    if result.outcome is Outcome.PLAYED and (ruling.home_levels or ruling.away_levels):
        result = _with_levels(result, ruling, tie_allowed)
    return _with_loser(result, ruling)


def counted_points(
    result: MatchResult, ruling: Ruling, scoring: ScoringRules, *, tie_allowed: bool = True
) -> tuple[int, int]:
    """The points of home and away as they count. Raises InvalidResult as `match_points` does."""
    if ruling.is_zero and result.outcome is not Outcome.BYE:
        return 0, 0
    return match_points(counted(result, ruling, tie_allowed=tie_allowed), scoring)


def _with_levels(result: MatchResult, ruling: Ruling, tie_allowed: bool) -> MatchResult:
    if result.games:
        last = _levels_counted(result.games[-1], ruling)
        return replace(result, games=(*result.games[:-1], last))
    moved = _levels_counted(result, ruling)
    home, away = moved.home_level, moved.away_level
    if result.reason in _KEEPS_WINNER or home is None or away is None:
        return moved
    if home == away:
        return replace(moved, winner=Winner.TIE, reason=Reason.TIME) if tie_allowed else moved
    return replace(moved, winner=Winner.HOME if home > away else Winner.AWAY, reason=Reason.TIME)


def _levels_counted(game: MatchResult, ruling: Ruling) -> MatchResult:
    return replace(
        game,
        home_level=_counted_level(game.home_level, ruling.home_levels),
        away_level=_counted_level(game.away_level, ruling.away_levels),
    )


def _counted_level(level: int | None, levels: int) -> int | None:
    """The level with what is given or taken: never below 2, and nobody passes A by a penalty."""
    if level is None:
        return None
    return min(max(level + levels, LOWEST), max(level, _HIGHEST_NOT_PASSED))


def _with_loser(result: MatchResult, ruling: Ruling) -> MatchResult:
    home_loses = ruling.home_loses or result.outcome is Outcome.FORFEIT_HOME
    away_loses = ruling.away_loses or result.outcome is Outcome.FORFEIT_AWAY
    if not (ruling.home_loses or ruling.away_loses) or result.outcome is Outcome.IRREGULAR:
        return result
    if home_loses and away_loses:
        return MatchResult(Outcome.DOUBLE_FORFEIT)
    if result.outcome is not Outcome.PLAYED:
        return result
    return replace(result, winner=Winner.AWAY if home_loses else Winner.HOME, reason=Reason.PENALTY)
