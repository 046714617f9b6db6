"""大屏: what the projector shows."""

from __future__ import annotations

from enum import StrEnum

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event


class ScreenShows(StrEnum):
    """What an official may put on the projector; `auto` follows the round."""

    AUTO = "auto"
    DRAW = "draw"
    STANDINGS = "standings"
    CLOCK = "clock"


@transaction.atomic
def switch_screen(*, event: Event, shows: ScreenShows, by: User) -> Event:
    """Puts something else on the projector; it follows within one poll."""
    event = lock_event(event.pk)
    before = event.screen_shows
    event.screen_shows = shows.value
    event.save(update_fields=["screen_shows"])
    record_act(event=event, act=Act.SCREEN_SWITCHED, by=by, old={"shows": before}, new={"shows": shows.value})
    return event
