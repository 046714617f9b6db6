"""What players and spectators see first: the event now, and the way to their team."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from pairing.rulebook import event_chapters
from pairing.selectors.published import byes, newest_published_round, table_count
from scoring.selectors import (
    stage_standings,
)
from tournaments.access import public_event
from tournaments.clock import clock_face
from tournaments.models import Event
from tournaments.revisions import kept_for_revision
from tournaments.selectors.finding import teams_found, tidy_search
from tournaments.selectors.stages import current_stage

LEADERS = 8
"""Rows of the standings on the event's first page."""


@require_safe
@public_event
def event(request: HttpRequest, event: Event) -> HttpResponse:
    """The event now: round, clock, team finder, the leaders."""
    stage = current_stage(event, drafts=False)
    round_ = newest_published_round(event)
    context: dict[str, Any] = {"event": event, "stage": stage, "section": "event", "round": round_}
    if round_ is not None:
        context |= {
            "tables": table_count(round_),
            "byes": byes(round_),
            "face": clock_face(round_ if round_.is_published else None),
            "standings": kept_for_revision(
                event, ("standings", round_.stage_id, None), lambda: stage_standings(round_.stage)
            ),
            "leaders": LEADERS,
        }
    return render(request, "pairing/event.html", context)


@require_safe
@public_event
def find_team(request: HttpRequest, event: Event) -> HttpResponse:
    """The team page for a number or a name; a list when several teams answer."""
    wanted = tidy_search(request.GET.get("q", ""))
    found = teams_found(event, wanted) if wanted else []
    if len(found) == 1:
        return redirect("team", event.slug, found[0].number)
    context = {
        "event": event,
        "stage": current_stage(event, drafts=False),
        "section": "event",
        "wanted": wanted,
        "found": found,
    }
    return render(request, "pairing/find_team.html", context)


@require_safe
@public_event
def rules(request: HttpRequest, event: Event) -> HttpResponse:
    """The rules of the event in plain words."""
    stage = current_stage(event, drafts=False)
    chapters = event_chapters(event)
    context = {"event": event, "stage": stage, "section": "rules", "chapters": chapters}
    return render(request, "pairing/rules.html", context)
