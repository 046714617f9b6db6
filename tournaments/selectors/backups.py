"""How the installation and its events are kept: the plan of backups, and how old the newest copy is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from tournaments.models import BackupPlan, Event, Round, RoundStatus, Snapshot

STALE = timedelta(minutes=15)
"""How old the newest copy of a running event may be before the desk says so."""


@dataclass(frozen=True)
class BackupState:
    """How an event is kept: `kept_at` the newest backup or snapshot, `is_stale` when a running event has
    been without one for too long, `problem` why the last automatic backup failed."""

    folder: str
    kept_at: datetime | None
    is_stale: bool
    problem: str


def the_plan() -> BackupPlan:
    """The installation's plan, empty before a folder is chosen. One query."""
    return BackupPlan.objects.filter(pk=BackupPlan.THE_ONE).first() or BackupPlan(pk=BackupPlan.THE_ONE)


def backup_state(event: Event, *, now: datetime | None = None) -> BackupState:
    """How the event is kept now, for the desk. Three queries."""
    plan = the_plan()
    snapshot = Snapshot.objects.filter(event=event).order_by("-pk").values_list("at", flat=True).first()
    kept = [moment for moment in (plan.done_at, snapshot) if moment is not None]
    kept_at = max(kept, default=None)
    is_running = Round.objects.filter(stage__event=event, status=RoundStatus.PUBLISHED).exists()
    is_old = kept_at is None or (now or timezone.now()) - kept_at > STALE
    return BackupState(plan.folder, kept_at, is_running and is_old, plan.problem)
