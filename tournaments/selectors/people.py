"""Users, their roles and the events they officiate."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import Group, User
from django.db.models import Q, QuerySet

from tournaments.models import Event, Official
from tournaments.roles import ADMINISTRATOR, ASSISTANT, CHIEF, ROLE_NAMES

ROLES = (ADMINISTRATOR, CHIEF, ASSISTANT)
EVENTS_SHOWN = 3


@dataclass(frozen=True)
class Person:
    """A user as the pages show one: `events` are those the user officiates by appointment, newest first."""

    user: User
    role: str
    events: tuple[Event, ...] = ()

    @property
    def newest_events(self) -> tuple[Event, ...]:
        """The few that a line has room for."""
        return self.events[:EVENTS_SHOWN]

    @property
    def more_events(self) -> int:
        """How many events there are besides those."""
        return len(self.events) - len(self.newest_events)

    @property
    def role_name(self) -> str:
        """The role in the reader's language; empty without one."""
        return str(ROLE_NAMES.get(self.role, ""))

    @property
    def is_administrator(self) -> bool:
        """Whether every event is theirs."""
        return self.role == ADMINISTRATOR


def role_of(user: User) -> str:
    """The user's role, highest first; a superuser is an administrator; empty without one. One query."""
    if user.is_superuser:
        return ADMINISTRATOR
    names = {group.name for group in user.groups.all()}
    return next((role for role in ROLES if role in names), "")


def people() -> list[Person]:
    """All users with role and events, active ones first, then by account. Four queries."""
    users = User.objects.order_by("-is_active", "username").prefetch_related("groups", "appointments__event")
    return [Person(user, role_of(user), _events_of(user)) for user in users]


def _events_of(user: User) -> tuple[Event, ...]:
    events = (appointment.event for appointment in user.appointments.all())
    return tuple(sorted(events, key=lambda event: event.pk, reverse=True))


def has_officials(event: Event) -> bool:
    """Whether anybody is appointed; administrators need no appointment. One query."""
    return Official.objects.filter(event=event).exists()


def someone_can_sign_in() -> bool:
    """Whether there is any active user. One query."""
    return User.objects.filter(is_active=True).exists()


def administrators() -> QuerySet[User]:
    """Active users who administrate."""
    own = Q(is_superuser=True) | Q(pk__in=Group.objects.filter(name=ADMINISTRATOR).values("user"))
    return User.objects.filter(own, is_active=True)


def event_officials(event: Event) -> list[Person]:
    """The officials appointed to the event, by account. Three queries."""
    appointed = Official.objects.filter(event=event).values("user_id")
    users = User.objects.filter(pk__in=appointed).order_by("username").prefetch_related("groups")
    return [Person(user, role_of(user)) for user in users]


def appointable_users(event: Event) -> QuerySet[User]:
    """Active users with a role who are not yet officials of the event."""
    appointed = Official.objects.filter(event=event).values("user_id")
    return (
        User.objects.filter(is_active=True, groups__name__in=[CHIEF, ASSISTANT])
        .exclude(pk__in=appointed)
        .exclude(pk__in=administrators().values("pk"))
        .distinct()
        .order_by("username")
    )
