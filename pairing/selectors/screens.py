"""The hall's screens: which there are, and what each of them showed when it last asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from pairing.models import Ceremony, Screen
from tournaments.models import Event, Round

AWAY = timedelta(seconds=40)
"""A screen asks every few seconds; after this it counts as gone."""
AFTERGLOW = timedelta(seconds=3)
"""How long the last table of a ceremony stands alone."""


@dataclass(frozen=True)
class ScreenState:
    """A screen and when it last asked the server, at a moment."""

    screen: Screen
    now: datetime

    @property
    def was_seen(self) -> bool:
        """Whether its page was ever opened at a projector."""
        return self.screen.seen_at is not None

    @property
    def is_online(self) -> bool:
        """Whether it asked within the last seconds."""
        return self.screen.seen_at is not None and self.now - self.screen.seen_at < AWAY

    @property
    def minutes_silent(self) -> int:
        """Full minutes since it last asked; 0 for one that never did."""
        return int((self.now - self.screen.seen_at) / timedelta(minutes=1)) if self.screen.seen_at else 0


def screen_states(event: Event) -> list[ScreenState]:
    """The event's screens in the order in which they were set up. One query."""
    now = timezone.now()
    return [ScreenState(screen, now) for screen in event.screens.order_by("pk")]


def event_screen(event: Event, pk: int) -> Screen | None:
    """A screen of this event. One query."""
    return event.screens.filter(pk=pk).first()


def keyed_screen(slug: str, key: str) -> Screen | None:
    """The screen of an address, with its event. One query."""
    return Screen.objects.select_related("event").filter(event__slug=slug, key=key).first()


def has_screens(event: Event) -> bool:
    """Whether a projector has a name of its own: only those show what is for the hall alone. One query."""
    return Screen.objects.filter(event=event).exists()


def running_ceremony(round_: Round | None, now: datetime | None = None) -> Ceremony | None:
    """The ceremony that puts the round's tables up now; None once it is over or skipped. One query."""
    if round_ is None or not round_.is_published:
        return None
    now = now or timezone.now()
    ceremony = (
        Ceremony.objects.select_related("publication__round__draw")
        .filter(publication__round=round_, publication__withdrawn_at=None, skipped_at=None)
        .first()
    )
    ends = ceremony and ceremony.started_at + timedelta(seconds=ceremony.seconds) + AFTERGLOW
    return ceremony if ends and now < ends else None
