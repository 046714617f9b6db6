"""Notes which officials are at an event's pages: no official's act, so log and revision do not know it."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from tournaments.models import Event, Presence

NOTED_EVERY = timedelta(minutes=1)
"""Between two notes of one official in one event."""


def note_seen(*, slug: str, user: User, now: datetime | None = None) -> bool:
    """Notes that the official asked for a page of the event; whether there was anything to write.

    One query, and a write when the last note is older than NOTED_EVERY. Nothing for an unknown event.
    """
    now = now or timezone.now()
    noted = Presence.objects.filter(event__slug=slug, user=user).only("seen_at").first()
    if noted is not None and now - noted.seen_at < NOTED_EVERY:
        return False
    if noted is not None:
        return bool(Presence.objects.filter(pk=noted.pk).update(seen_at=now))
    event = Event.objects.filter(slug=slug).only("pk").first()
    if event is None:
        return False
    return Presence.objects.get_or_create(event=event, user=user, defaults={"seen_at": now})[1]
