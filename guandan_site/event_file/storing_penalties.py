"""Penalties and appeals of an event file as rows of the database."""

from django.utils import timezone

from guandan_site.event_file import document as doc
from guandan_site.event_file.moments import optional_moment
from scoring.engine.penalties import PenaltyAction
from scoring.models import Adjustment, Appeal, Penalty
from tournaments.models import Stage, Team


def taken_points(free: list[Adjustment], team: Team, entry: doc.PenaltyEntry) -> Adjustment | None:
    """The points that a penalty gives, taken from those that no penalty has claimed yet."""
    if entry.action is not PenaltyAction.POINTS or entry.cancelled is not None:
        return None
    wanted = (team.pk, entry.round, entry.amount)
    for place, each in enumerate(free):
        if (each.team_id, each.round_number, each.points) == wanted:
            return free.pop(place)
    return None


def penalty_row(stage: Stage, team: Team, entry: doc.PenaltyEntry, points: Adjustment | None) -> Penalty:
    """A penalty as a row, with the points that it gives or takes; not saved."""
    cancelled = entry.cancelled or doc.Cancelled()
    kept = {"cancelled": dict(cancelled.extra)} if cancelled.extra else {}
    return Penalty(
        stage=stage,
        team=team,
        round_number=entry.round,
        rule=entry.rule.value,
        action=entry.action.value,
        amount=entry.amount,
        minutes=entry.minutes,
        reason=entry.reason,
        by_name=entry.by,
        at=optional_moment(entry.at) or timezone.now(),
        cancelled_at=(optional_moment(cancelled.at) or timezone.now()) if entry.cancelled else None,
        cancelled_by=cancelled.by,
        cancel_reason=cancelled.reason,
        adjustment=points,
        extra={**entry.extra, **kept},
    )


def appeal_row(stage: Stage, team: Team, entry: doc.AppealEntry, penalty: Penalty | None) -> Appeal:
    """An appeal as a row, against a penalty or the match; not saved."""
    return Appeal(
        stage=stage,
        team=team,
        round_number=entry.round,
        penalty=penalty,
        text=entry.text,
        received_at=optional_moment(entry.received_at) or timezone.now(),
        received_by=entry.received_by,
        deadline=optional_moment(entry.deadline),
        outcome=entry.outcome.value,
        answer=entry.answer,
        decided_at=optional_moment(entry.decided_at),
        decided_by=entry.decided_by,
        extra=dict(entry.extra),
    )
