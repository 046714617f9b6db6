"""The stages of an event, and which of them is the present one."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q

from tournaments.models import Audience, Event, Round, RoundStatus, Stage

POSTED = (RoundStatus.PUBLISHED, RoundStatus.COMPLETED)
"""The rounds that are more than a draft; phones may not know of all of them: see `seen_by`."""


def seen_by(audience: Audience, path: str = "") -> Q:
    """The rounds that the audience knows of; `path` leads from the row to its round.

    The hall sees what is published, everybody else what was opened to phones and public pages too.
    """
    prefix = f"{path}__" if path else ""
    posted = Q(**{f"{prefix}status__in": POSTED})
    return posted if audience == Audience.HALL else posted & Q(**{f"{prefix}audience": Audience.EVERYBODY})


def current_stage(event: Event, *, drafts: bool = True) -> Stage | None:
    """The last stage that has begun, else the first; None for an event without stages. One query.

    A stage begins with its entries and its groups or bracket. Public pages ask without `drafts`: for them it
    begins with the first round that everybody may see.
    """
    return current_of(event_stages(event, drafts=drafts))


def current_of(stages: Sequence[Stage]) -> Stage | None:
    """The last of the stages that has begun, else the first; `event_stages` knows which have."""
    begun = [stage for stage in stages if stage.has_begun]  # type: ignore[attr-defined]
    return begun[-1] if begun else next(iter(stages), None)


def event_stages(event: Event, *, drafts: bool = True) -> list[Stage]:
    """The event's stages in order, each with `has_begun`; see `current_stage`. One query."""
    rounds = Round.objects.filter(stage=OuterRef("pk"))
    if not drafts:
        rounds = rounds.filter(seen_by(Audience.EVERYBODY))
    stages: list[Stage] = list(event.stages.annotate(has_begun=Exists(rounds)).order_by("order"))
    for stage in stages:
        stage.event = event
        stage.has_begun |= drafts and bool(stage.layout)  # type: ignore[attr-defined]
    return stages


def session_of(stage: Stage) -> str:
    """The session (场次) whose teams the stage takes; empty where it takes all. No query."""
    session = stage.rules.get("entry", {}).get("session", "")
    return session if isinstance(session, str) else ""


def newest_seen(stage: Stage | None) -> int:
    """The number of the stage's newest published round, of the hall's too; 0 before the first. One query."""
    if stage is None:
        return 0
    seen = stage.rounds.filter(seen_by(Audience.HALL)).order_by("-number")
    return seen.values_list("number", flat=True).first() or 0
