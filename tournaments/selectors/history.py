"""日志: what officials did, newest first."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from tournaments.log import COMMAND_LINE
from tournaments.models import Event, LogEntry

SHOWN_OF_INSTALLATION = 20


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
