"""A round ends when every table has a result; the last one can be opened again, with a reason."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from pairing.selectors.stages import is_self_scheduled, unseated_matches
from pairing.services.groups import finish_all_groups, open_all_groups
from pairing.services.guards import fresh_round, round_subject
from pairing.services.publishing import show_everybody
from pairing.services.refusals import (
    LaterRoundExists,
    MatchesFollow,
    NotClosed,
    NotPublished,
    ReasonMissing,
    ResultsMissing,
    ResultsUnconfirmed,
)
from scoring.models import Confirmation, Result
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Match, Round, RoundStatus


@transaction.atomic
def close_round(*, round: Round, by: User, reason: str = "") -> Round:
    """Ends the round, so that the next one can be drawn; of a stage played in the teams' own time all rounds.

    What only the hall saw until now, everybody sees from now on: results and standings speak of it.
    With a reason it ends although results wait for their second look; they stay marked.
    Raises NotPublished, MatchesFollow, ResultsMissing and ResultsUnconfirmed with the tables still open.
    """
    event = lock_event(round.stage.event_id)
    round = fresh_round(round)
    if not round.is_published:
        raise NotPublished(round)
    if unseated_matches(round):
        raise MatchesFollow(round)
    ending = (
        round.stage.rounds.filter(status=RoundStatus.PUBLISHED) if is_self_scheduled(round.stage) else [round]
    )
    missing = Match.objects.filter(round__in=ending, away__isnull=False, result=None).order_by("table")
    tables = [table for table in missing.values_list("table", flat=True) if table is not None]
    if tables:
        raise ResultsMissing(tables)
    unconfirmed = _unconfirmed(ending)
    if unconfirmed and not reason.strip():
        raise ResultsUnconfirmed(unconfirmed)
    for each in ending:
        if each.is_hall_only:
            show_everybody(each, by)
        each.status, each.completed_at = RoundStatus.COMPLETED, timezone.now()
        each.save(update_fields=["status", "completed_at"])
    if is_self_scheduled(round.stage):
        finish_all_groups(round)
    record_act(
        event=event,
        act=Act.ROUND_CLOSED,
        by=by,
        subject=round_subject(round),
        new={"unconfirmed": unconfirmed} if unconfirmed else None,
        reason=reason.strip() if unconfirmed else "",
    )
    return fresh_round(round)


def _unconfirmed(rounds: Iterable[Round]) -> list[int]:
    results = Result.objects.filter(match__round__in=rounds, confirmation=Confirmation.OPEN)
    tables = results.order_by("match__table").values_list("match__table", flat=True)
    return [table for table in tables if table is not None]


@transaction.atomic
def reopen_round(*, round: Round, by: User, reason: str) -> Round:
    """Opens the last round again, e.g. to correct a result; where teams find their own time the whole stage.

    Raises ReasonMissing, NotClosed, LaterRoundExists (a draft counts: it was drawn from these results).
    """
    if not reason.strip():
        raise ReasonMissing
    event = lock_event(round.stage.event_id)
    round = fresh_round(round)
    if not round.is_completed:
        raise NotClosed
    _require_last(round)
    round.status, round.completed_at = RoundStatus.PUBLISHED, None
    round.save(update_fields=["status", "completed_at"])
    if is_self_scheduled(round.stage):
        open_all_groups(round)
    record_act(
        event=event, act=Act.ROUND_REOPENED, by=by, subject=round_subject(round), reason=reason.strip()
    )
    return round


def _require_last(round_: Round) -> None:
    same_stage = Q(stage=round_.stage, number__gt=round_.number)
    later_stage = Q(stage__order__gt=round_.stage.order)
    rounds = Round.objects.filter(stage__event=round_.stage.event).filter(same_stage | later_stage)
    later = rounds.order_by("stage__order", "number").first()
    if later is not None:
        raise LaterRoundExists(later.number)
