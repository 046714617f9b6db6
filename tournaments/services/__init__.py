"""What officials do: one act per function, keyword-only, atomic, logged."""

from tournaments.services.events import appoint_official, change_event, create_event, remove_official
from tournaments.services.people import change_user, create_user

__all__ = [
    "appoint_official",
    "change_event",
    "change_user",
    "create_event",
    "create_user",
    "remove_official",
]
