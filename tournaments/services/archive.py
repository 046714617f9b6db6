"""归档: an event that is over is only read from then on; an administrator opens it again with a reason."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Round, RoundStatus


class RoundOpen(Exception):
    """A round is drawn or being played, so the event is not over."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@transaction.atomic
def archive_event(*, event: Event, by: User) -> Event:
    """From now on every act on the event is refused; archiving twice changes nothing. Raises RoundOpen."""
    event = lock_event(event.pk, even_archived=True)
    if event.archived_at is not None:
        return event
    unfinished = Round.objects.filter(stage__event=event).exclude(status=RoundStatus.COMPLETED).first()
    if unfinished is not None:
        raise RoundOpen(unfinished.number)
    event.archived_at = timezone.now()
    event.save(update_fields=["archived_at"])
    record_act(event=event, act=Act.EVENT_ARCHIVED, by=by, subject=event.name)
    return event


@transaction.atomic
def unarchive_event(*, event: Event, reason: str, by: User) -> Event:
    """Acts on the event are possible again; an event that is not archived stays as it is."""
    event = lock_event(event.pk, even_archived=True)
    if event.archived_at is None:
        return event
    event.archived_at = None
    event.save(update_fields=["archived_at"])
    record_act(event=event, act=Act.EVENT_UNARCHIVED, by=by, subject=event.name, reason=reason)
    return event
