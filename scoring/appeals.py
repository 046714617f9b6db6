"""申诉: a team contests its match or a penalty; received by any official, decided by the chief referee."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.models import Appeal, AppealOutcome, Penalty, Result
from scoring.penalty_ladders import appeal_minutes
from scoring.services import ReasonMissing, TeamNotInEvent, round_facts, team_subject
from tournaments.discipline import Discipline
from tournaments.log import Act, actor_name, lock_event, record_act
from tournaments.models import Event, LogEntry, Stage, Team
from tournaments.selectors.entries import stated_rules

MOST_ACTS = 30
APPEAL_ACTS = (
    *(Act.RESULT_CHANGED, Act.RESULT_CLEARED, Act.DISPUTE_DECIDED, Act.PENALTY_GIVEN),
    *(Act.PENALTY_CANCELLED, Act.ROUND_PUBLISHED, Act.TEAM_REINSTATED),
)
"""What can be done because of an appeal."""


class AppealDecided(Exception):
    """The appeal was decided meanwhile: `appeal` says how."""

    def __init__(self, appeal: Appeal) -> None:
        super().__init__(appeal.pk)
        self.appeal = appeal


@transaction.atomic
def receive_appeal(
    *,
    stage: Stage,
    team: Team,
    round_number: int,
    text: str,
    by: User | None,
    penalty: Penalty | None = None,
    now: datetime | None = None,
) -> Appeal:
    """Takes an appeal in; one that comes late is taken too, and marked.

    Raises ReasonMissing, TeamNotInEvent.
    """
    event = lock_event(stage.event_id)
    if not text.strip():
        raise ReasonMissing
    if team.event_id != stage.event_id:
        raise TeamNotInEvent
    appeal = Appeal.objects.create(
        stage=stage,
        team=team,
        round_number=round_number,
        penalty=penalty,
        text=text.strip(),
        received_at=now or timezone.now(),
        received_by=actor_name(by),
        deadline=appeal_deadline(stage, team, round_number, penalty),
    )
    record_act(
        event=event,
        act=Act.APPEAL_RECEIVED,
        by=by,
        subject=team_subject(team),
        new={**round_facts(stage, round_number), "text": appeal.text, "late": appeal.is_late},
    )
    return appeal


@transaction.atomic
def decide_appeal(
    *, appeal: Appeal, outcome: AppealOutcome, answer: str, by: User | None, act: LogEntry | None = None
) -> Appeal:
    """Answers an appeal, with what was done because of it. Raises ReasonMissing, AppealDecided."""
    event = lock_event(appeal.stage.event_id)
    if not answer.strip() or outcome == AppealOutcome.OPEN:
        raise ReasonMissing
    appeal = Appeal.objects.select_related("stage", "team").get(pk=appeal.pk)
    if not appeal.is_open:
        raise AppealDecided(appeal)
    appeal.outcome, appeal.answer, appeal.act = outcome.value, answer.strip(), act
    appeal.decided_at, appeal.decided_by = timezone.now(), actor_name(by)
    appeal.save()
    record_act(
        event=event,
        act=Act.APPEAL_DECIDED,
        by=by,
        subject=team_subject(appeal.team),
        old={"text": appeal.text},
        new={**round_facts(appeal.stage, appeal.round_number), "appeal": appeal.outcome},
        reason=appeal.answer,
    )
    return appeal


def appeal_deadline(
    stage: Stage, team: Team, round_number: int, penalty: Penalty | None = None
) -> datetime | None:
    """Until when a team may appeal: counted from the penalty, or from the result of its match.

    None where no result is entered yet. A few queries.
    """
    begun = penalty.at if penalty is not None else _entered_at(stage, team, round_number)
    if begun is None:
        return None
    stated: Discipline = stated_rules(stage.event)
    return begun + timedelta(minutes=appeal_minutes(stated))


def _entered_at(stage: Stage, team: Team, round_number: int) -> datetime | None:
    results = Result.objects.filter(
        match__round__stage=stage, match__round__number=round_number, match__seats__team=team
    )
    return results.values_list("entered_at", flat=True).first()


def open_appeals(event: Event) -> list[Appeal]:
    """The appeals of the event that wait for a decision, the oldest first. One query."""
    appeals = Appeal.objects.filter(stage__event=event, outcome=AppealOutcome.OPEN.value)
    return list(appeals.select_related("team", "stage").order_by("received_at", "pk"))


def event_appeals(event: Event) -> list[Appeal]:
    """All appeals of the event, those that wait first, then the newest. One query, two for the names."""
    appeals = Appeal.objects.filter(stage__event=event).select_related(
        "team__department", "stage", "penalty__stage", "penalty__team", "act"
    )
    rows = list(appeals.prefetch_related("team__players").order_by("-received_at", "-pk"))
    return sorted(rows, key=lambda appeal: not appeal.is_open)


def acts_since(appeal: Appeal) -> list[LogEntry]:
    """What was done since an appeal came that it may have led to, the newest first. One query."""
    acts = LogEntry.objects.filter(event=appeal.stage.event_id, act__in=APPEAL_ACTS)
    return list(acts.filter(at__gte=appeal.received_at).order_by("-pk")[:MOST_ACTS])
