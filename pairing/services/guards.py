"""What every act on a round looks at first, after the event is locked."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from pairing.models import Draw
from pairing.services.refusals import DraftGone, NotADraft, StageGone, StaleDraft
from tournaments.log import actor_name
from tournaments.models import Round, Stage


def fresh_round(round_: Round) -> Round:
    """The round as it stands now, with its stage. Raises DraftGone when it exists no more. One query."""
    try:
        return Round.objects.select_related("stage__event").get(pk=round_.pk)
    except Round.DoesNotExist:
        raise DraftGone from None


def fresh_stage(stage: Stage) -> Stage:
    """The stage as it stands now, with its event. Raises StageGone when it exists no more. One query."""
    try:
        return Stage.objects.select_related("event").get(pk=stage.pk)
    except Stage.DoesNotExist:
        raise StageGone from None


def fresh_draft(round_: Round) -> Round:
    """The round as it stands now, if it is still a draft. Raises DraftGone, NotADraft."""
    fresh = fresh_round(round_)
    if not fresh.is_draft:
        raise NotADraft(fresh, fresh.publications.filter(withdrawn_at=None).last())
    return fresh


def draft_as_seen(round_: Round, expected_version: int) -> Round:
    """The draft, if nobody changed it since the caller looked. Raises DraftGone, NotADraft, StaleDraft."""
    fresh = fresh_draft(round_)
    draw = draw_of(fresh)
    if draw.version != expected_version:
        raise StaleDraft([change for change in draw.changes if change["version"] > expected_version])
    return fresh


def draw_of(round_: Round) -> Draw:
    """How the round was drawn; a round that came in with an event file gets an empty record first."""
    draw, _created = Draw.objects.get_or_create(round=round_, defaults={"seed": 0, "method": "adjacent"})
    return draw


def round_subject(round_: Round) -> str:
    """How the log names a round: stage order / round number."""
    return f"{round_.stage.order}/{round_.number}"


def note_change(draw: Draw, by: User, act: str, **facts: Any) -> dict[str, Any]:
    """Keeps on the draw what was done to it, under its next version, for whoever looked at it before."""
    draw.version += 1
    change = {
        "version": draw.version,
        "act": act,
        "by": actor_name(by),
        "at": timezone.now().isoformat(),
        **facts,
    }
    draw.changes = [*draw.changes, change]
    draw.save()
    return change
