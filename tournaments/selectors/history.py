"""日志: what officials did, newest first."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from tournaments.log import COMMAND_LINE, Act
from tournaments.models import Event, LogEntry, Snapshot

SHOWN_OF_INSTALLATION = 20
SHOWN_OF_UNDONE = 10
OUTLIVES_RESTORE = (
    *(Act.SNAPSHOT_TAKEN, Act.OFFICIALS_CHANGED, Act.PRESET_KEPT),
    *(Act.SCREEN_ADDED, Act.SCREEN_CHANGED, Act.SCREEN_REMOVED, Act.SCREEN_SWITCHED, Act.NOTICE_POSTED),
    *(Act.TABLE_CODES_MADE, Act.TABLE_CODES_REVOKED),
)
"""Acts on what a restore leaves as it is, or what one press on the desk puts right."""


@dataclass(frozen=True)
class Undone:
    """What a restore would take back: each kind of act with how often, and the newest acts."""

    kinds: tuple[tuple[str, int], ...]
    newest: tuple[LogEntry, ...]

    @property
    def total(self) -> int:
        """How many acts they are."""
        return sum(count for _act, count in self.kinds)


def event_history(event: Event, *, act: str = "", search: str = "") -> QuerySet[LogEntry]:
    """The event's acts, newest first; `search` looks at who, at whom or what, and why."""
    entries = LogEntry.objects.filter(event=event).order_by("-pk")
    if act:
        entries = entries.filter(act=act)
    for word in search.split():
        is_meant = Q(by_name__icontains=word) | Q(subject__icontains=word) | Q(reason__icontains=word)
        if word.lower() in COMMAND_LINE.lower():
            is_meant |= Q(by_name="")
        entries = entries.filter(is_meant)
    return entries


def acts_of(event: Event) -> list[str]:
    """The kinds of acts that the event has seen. One query."""
    return list(LogEntry.objects.filter(event=event).order_by("act").values_list("act", flat=True).distinct())


def installation_history() -> list[LogEntry]:
    """The newest acts that belong to no event: users. One query."""
    return list(LogEntry.objects.filter(event=None).order_by("-pk")[:SHOWN_OF_INSTALLATION])


def acts_undone(snapshot: Snapshot) -> Undone:
    """What was done since the snapshot and would be gone. Two queries."""
    since = LogEntry.objects.filter(event=snapshot.event_id, at__gte=snapshot.at).exclude(
        act__in=OUTLIVES_RESTORE
    )
    kinds = since.order_by().values_list("act").annotate(times=Count("pk")).order_by("-times", "act")
    return Undone(tuple(kinds), tuple(since.order_by("-pk")[:SHOWN_OF_UNDONE]))
