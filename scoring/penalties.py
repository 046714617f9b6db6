"""Writes: a penalty is given or taken back, and what that makes of the team's match."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.cuts import keep_what_was
from scoring.engine.penalties import (
    LEVEL_ACTIONS,
    MATCH_ACTIONS,
    MOST_LEVELS,
    WITH_AMOUNT,
    PenaltyAction,
    PenaltyRule,
    ruling_of,
)
from scoring.models import Adjustment, Penalty
from scoring.rulings import counted_winner
from scoring.services import (
    ReasonMissing,
    TeamNotInEvent,
    require_nothing_hangs,
    round_facts,
    team_subject,
)
from tournaments.log import Act, actor_name, lock_event, record_act
from tournaments.models import Match, Round, RoundStatus, Stage, StageFormat, Team
from tournaments.selectors.teams import rounds_to_leave_from
from tournaments.services.teams import reinstate_team, withdraw_team

MATCH_BOUND = MATCH_ACTIONS | {PenaltyAction.DISQUALIFIED}


class NoMatchToRule(Exception):
    """The penalty is about a match, and `team` has none in round `number`, or only a bye."""

    def __init__(self, team: Team, number: int) -> None:
        super().__init__(team.pk, number)
        self.team = team
        self.number = number


class AmountMissing(Exception):
    """Levels and points need a number that is not 0; levels have a most."""


@transaction.atomic
def give_penalty(
    *,
    stage: Stage,
    team: Team,
    by: User | None,
    round_number: int,
    rule: PenaltyRule,
    action: PenaltyAction,
    reason: str,
    amount: int = 0,
    minutes: int | None = None,
) -> Penalty:
    """Rules against a team for a round; levels, points, match and both are counted from now on.

    Who is disqualified loses the match of the round and withdraws, with what the stage's rules say of that.
    Raises ReasonMissing, TeamNotInEvent, AmountMissing, NoMatchToRule, and MatchesHang where later matches of
    a knockout were drawn from who won.
    """
    event = lock_event(stage.event_id)
    if not reason.strip():
        raise ReasonMissing
    if team.event_id != stage.event_id:
        raise TeamNotInEvent
    amount = _amount(action, amount)
    match = _match_of(stage, team, round_number)
    if action in MATCH_ACTIONS and match is None:
        raise NoMatchToRule(team, round_number)
    penalty = Penalty.objects.create(
        stage=stage,
        team=team,
        round_number=round_number,
        rule=rule.value,
        action=action.value,
        amount=amount,
        minutes=minutes,
        reason=reason.strip(),
        by_name=actor_name(by),
    )
    _take_effect(penalty, match)
    record_act(
        event=event,
        act=Act.PENALTY_GIVEN,
        by=by,
        subject=team_subject(team),
        new=_told(penalty),
        reason=penalty.reason,
    )
    if action is PenaltyAction.DISQUALIFIED:
        _leave(team, by, penalty.reason)
    return penalty


@transaction.atomic
def cancel_penalty(*, penalty: Penalty, by: User | None, reason: str) -> Penalty:
    """Takes a penalty back, once; it stays readable, and both acts stay in the log.

    Raises ReasonMissing, MatchesHang.
    """
    event = lock_event(penalty.stage.event_id)
    if not reason.strip():
        raise ReasonMissing
    penalty = Penalty.objects.select_related("stage", "team", "adjustment").get(pk=penalty.pk)
    if penalty.is_cancelled:
        return penalty
    old = _told(penalty)
    penalty.cancelled_at, penalty.cancelled_by = timezone.now(), actor_name(by)
    penalty.cancel_reason = reason.strip()
    _take_effect(penalty, _match_of(penalty.stage, penalty.team, penalty.round_number))
    record_act(
        event=event,
        act=Act.PENALTY_CANCELLED,
        by=by,
        subject=team_subject(penalty.team),
        old=old,
        reason=penalty.cancel_reason,
    )
    if penalty.action == PenaltyAction.DISQUALIFIED and not _is_disqualified(penalty.team):
        reinstate_team(team=penalty.team, by=by)
    return penalty


def refresh_rulings(round_: Round) -> None:
    """Writes with each match of a round what the penalties of its teams come to, after teams changed seats.

    Part of an act that has locked the event. One query where nobody was penalised for the round.
    """
    found = Penalty.objects.filter(stage=round_.stage_id, round_number=round_.number)
    by_team: dict[int | None, list[tuple[PenaltyAction, int]]] = defaultdict(list)
    penalties = list(found.values_list("team", "action", "amount", "cancelled_at"))
    if not penalties:
        return
    for team, action, amount, cancelled_at in penalties:
        if cancelled_at is None:
            by_team[team].append((PenaltyAction(action), amount))
    for match in Match.objects.filter(round=round_, away__isnull=False):
        ruling = ruling_of(by_team[match.home_id], by_team[match.away_id]).as_dict()
        if match.ruling != ruling:
            Match.objects.filter(pk=match.pk).update(ruling=ruling)


def _amount(action: PenaltyAction, amount: int) -> int:
    if action not in WITH_AMOUNT:
        return 0
    if amount == 0 or (action in LEVEL_ACTIONS and abs(amount) > MOST_LEVELS):
        raise AmountMissing
    return amount


def _match_of(stage: Stage, team: Team, number: int) -> Match | None:
    """The team's match of a round that counts; None where it has none, or only a bye."""
    matches = Match.objects.filter(round__stage=stage, round__number=number, away__isnull=False)
    matches = matches.filter(seats__team=team).exclude(round__status=RoundStatus.DRAFT)
    return matches.select_related("round__stage", "result", "home", "away").first()


def _take_effect(penalty: Penalty, match: Match | None) -> None:
    """Points, and what the match counts, follow the penalty; so does what a later stage notes of it."""
    if penalty.action == PenaltyAction.POINTS:
        _move_points(penalty)
    elif PenaltyAction(penalty.action) in MATCH_BOUND:
        place = Penalty.objects.filter(stage=penalty.stage_id, pk__lte=penalty.pk).count()
        facts = {"round": penalty.round_number, "penalty": place, "stood": penalty.is_cancelled}
        keep_what_was(penalty.stage, **facts)
    penalty.save()
    if match is None or PenaltyAction(penalty.action) not in MATCH_BOUND:
        return
    before = counted_winner(match)
    refresh_rulings(match.round)
    match.refresh_from_db(fields=["ruling"])
    if match.round.stage.format == StageFormat.KNOCKOUT and counted_winner(match) != before:
        require_nothing_hangs(match)


def _move_points(penalty: Penalty) -> None:
    place = {"team": penalty.team.key, "round": penalty.round_number}
    if penalty.is_cancelled:
        keep_what_was(penalty.stage, **place, taken=penalty.amount)
        given, penalty.adjustment = penalty.adjustment, None
        if given is not None:
            given.delete()
        return
    keep_what_was(penalty.stage, **place, given=penalty.amount)
    penalty.adjustment = Adjustment.objects.create(
        stage=penalty.stage,
        team=penalty.team,
        round_number=penalty.round_number,
        points=penalty.amount,
        reason=penalty.reason,
    )


def _leave(team: Team, by: User | None, reason: str) -> None:
    """The team is drawn no more, from the first round on that it is not seated in."""
    team.refresh_from_db()
    rounds = rounds_to_leave_from(team)
    if team.withdrawn_after is None and rounds:
        withdraw_team(team=team, from_round=rounds[0], by=by, reason=reason)


def _is_disqualified(team: Team) -> bool:
    standing = Penalty.objects.filter(team=team, cancelled_at=None)
    return standing.filter(action=PenaltyAction.DISQUALIFIED.value).exists()


def _told(penalty: Penalty) -> dict[str, Any]:
    """What the log keeps of a penalty."""
    facts = round_facts(penalty.stage, penalty.round_number)
    facts |= {"broken": penalty.rule, "action": penalty.action}
    numbers = {"amount": penalty.amount or None, "minutes_late": penalty.minutes}
    return facts | {name: value for name, value in numbers.items() if value is not None}
