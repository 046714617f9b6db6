"""Which sessions (场次) the teams of an event have entered, and whether each may be played for itself."""

from __future__ import annotations

from tournaments.models import Event, Team
from tournaments.selectors.stages import session_of


def sessions_to_split(event: Event) -> dict[str, int]:
    """The sessions with their teams in play, by their first team; empty where none is to be split.

    That is so with fewer than two sessions, with a team without one, and once each is a stage. Two queries.
    """
    teams = Team.objects.filter(event=event, withdrawn_after=None).order_by("number")
    counts: dict[str, int] = {}
    for session in teams.values_list("session", flat=True):
        counts[session] = counts.get(session, 0) + 1
    is_split = any(session_of(stage) for stage in event.stages.all())
    return {} if len(counts) < 2 or "" in counts or is_split else counts


def can_split(event: Event) -> bool:
    """Whether no stage has begun yet. Two queries."""
    has_rounds = event.stages.filter(rounds__isnull=False).exists()
    return not has_rounds and not event.stages.exclude(layout={}).exists()
