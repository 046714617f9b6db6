"""The stages of an event, and which of them is the present one."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef

from tournaments.models import Event, Round, RoundStatus, Stage

SEEN_BY_ALL = (RoundStatus.PUBLISHED, RoundStatus.COMPLETED)


def current_stage(event: Event, *, drafts: bool = True) -> Stage | None:
    """The last stage that has begun, else the first; None for an event without stages. One query.

    A stage begins with its entries and its groups or bracket. Public pages ask without `drafts`: for them it
    begins with its first published round.
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
        rounds = rounds.filter(status__in=SEEN_BY_ALL)
    stages: list[Stage] = list(event.stages.annotate(has_begun=Exists(rounds)).order_by("order"))
    for stage in stages:
        stage.event = event
        stage.has_begun |= drafts and bool(stage.layout)  # type: ignore[attr-defined]
    return stages


def newest_seen(stage: Stage | None) -> int:
    """The number of the stage's newest published round, 0 before the first. One query."""
    if stage is None:
        return 0
    seen = stage.rounds.filter(status__in=SEEN_BY_ALL).order_by("-number")
    return seen.values_list("number", flat=True).first() or 0
