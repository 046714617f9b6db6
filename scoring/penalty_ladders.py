"""判罚阶梯: what the event's rules make of breaking one of them, given what the team did before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.engine.penalties import PenaltyAction, PenaltyRule
from tournaments.discipline import Discipline, PlayerChange, Signals

WARNINGS_FOR_SLOW_PLAY = 2
DEFAULT_APPEAL_MINUTES = 30


@dataclass(frozen=True)
class Proposal:
    """The next rung: an action with its amount.

    `handicap` are the levels that the opponents begin higher, which the result holds and no penalty;
    `forfeits` tells that the match is not played any more.
    """

    action: PenaltyAction
    amount: int = 0
    handicap: int = 0
    forfeits: bool = False


def next_rung(
    rule: PenaltyRule, stated: Discipline, before: Sequence[PenaltyAction], minutes: int | None = None
) -> Proposal:
    """What comes next for a team whose penalties by this rule so far, cancelled ones left out, are `before`.

    `minutes` is how late the team came. What the rules do not state begins with a warning.
    """
    if rule is PenaltyRule.LATE:
        return lateness_proposal(stated, minutes)
    if rule is PenaltyRule.SLOW_PLAY:
        is_out = len(before) >= WARNINGS_FOR_SLOW_PLAY
        return Proposal(PenaltyAction.DISQUALIFIED if is_out else PenaltyAction.WARNING)
    if rule is PenaltyRule.WRONG_CARDS and stated.wrong_cards_levels is not None:
        return Proposal(PenaltyAction.OPPONENT_LEVELS, stated.wrong_cards_levels)
    if rule is PenaltyRule.SIGNALS and before:
        is_match = stated.signals is Signals.MATCH_LOST
        return Proposal(PenaltyAction.MATCH_LOST if is_match else PenaltyAction.DISQUALIFIED)
    if rule is PenaltyRule.PLAYER_CHANGE and stated.player_change is not None:
        is_forfeit = stated.player_change is PlayerChange.FORFEIT
        return Proposal(PenaltyAction.MATCH_LOST if is_forfeit else PenaltyAction.NOTE, forfeits=is_forfeit)
    return Proposal(PenaltyAction.WARNING)


def lateness_proposal(stated: Discipline, minutes: int | None) -> Proposal:
    """Late beyond the minutes allowed: the match is forfeited. Before that: the opponents' higher start."""
    if minutes is not None and stated.late_minutes is not None and minutes > stated.late_minutes:
        return Proposal(PenaltyAction.MATCH_LOST, forfeits=True)
    if minutes and stated.late_levels is not None:
        return Proposal(PenaltyAction.NOTE, handicap=stated.late_levels)
    return Proposal(PenaltyAction.NOTE)


def appeal_minutes(stated: Discipline) -> int:
    """Minutes in which a team may appeal: as stated, else 30."""
    return stated.appeal_minutes or DEFAULT_APPEAL_MINUTES
