"""Who is at an event's pages now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.models import Event, Presence
from tournaments.selectors.people import ROLES, Person, role_of

STAYS = timedelta(minutes=5)
"""After that without a page an official counts as gone."""


@dataclass(frozen=True)
class PresentRole:
    """The officials of one role who are there, by the name that they are known by."""

    role_name: str
    names: tuple[str, ...]


def present_officials(event: Event, now: datetime) -> list[PresentRole]:
    """Who asked for a page within STAYS, the highest role first. Two queries at most."""
    seen = Presence.objects.filter(event=event, seen_at__gt=now - STAYS, user__is_active=True)
    rows = seen.select_related("user").prefetch_related("user__groups").order_by("user__username")
    there = [Person(row.user, role_of(row.user)) for row in rows]
    by_role = {role: [person for person in there if person.role == role] for role in ROLES}
    return [
        PresentRole(
            people[0].role_name,
            tuple(person.user.get_full_name() or person.user.get_username() for person in people),
        )
        for people in by_role.values()
        if people
    ]
