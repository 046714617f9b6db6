"""What players and spectators see first: the event now, and the way to their team."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from pairing.rulebook import event_chapters
from pairing.selectors.my_team import my_team
from pairing.selectors.published import byes, hanging, newest_published_round, table_count
from scoring.selectors import (
    stage_standings,
)
from tournaments.access import public_event
from tournaments.clock import clock_face
from tournaments.models import Event
from tournaments.revisions import kept_for_revision
from tournaments.selectors.finding import MY_TEAM, my_number, teams_found, tidy_search
from tournaments.selectors.stages import current_stage

REMEMBERED = timedelta(days=60)
"""How long a phone knows its team: longer than a league's rounds are apart."""
LEADERS = 8
"""Rows of the standings on the event's first page."""


@require_safe
@public_event
def event(request: HttpRequest, event: Event) -> HttpResponse:
    """The event now: my table where the phone knows my team, round, clock, team finder, the leaders."""
    stage = current_stage(event, drafts=False)
    round_ = newest_published_round(event)
    number = my_number(request.COOKIES)
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
            "correction": hanging(round_)[1],
        }
    else:
        context["has_partners"] = event.partner_draws.exists()
    if number is not None:
        context["my"] = my_team(event, number, round_, context.get("standings"))
    return render(request, "pairing/event.html", context)


@require_safe
@public_event
def find_team(request: HttpRequest, event: Event) -> HttpResponse:
    """The team for a number or a name; a list when several answer.

    The first team that a phone finds is its own from then on (`mine`), until it says "not me" (`forget`); a
    phone that has its own goes to the page of the team that it looks for.
    """
    if "forget" in request.GET:
        return _remembering(event, None, request)
    wanted = tidy_search(request.GET.get("mine") or request.GET.get("q", ""))
    found = teams_found(event, wanted) if wanted else []
    knows_own = my_number(request.COOKIES) is not None and "mine" not in request.GET
    if len(found) == 1:
        own = found[0].number
        return redirect("team", event.slug, own) if knows_own else _remembering(event, own, request)
    context = {
        "event": event,
        "stage": current_stage(event, drafts=False),
        "section": "event",
        "wanted": wanted,
        "found": found,
        "knows_own": knows_own,
    }
    return render(request, "pairing/find_team.html", context)


def _remembering(event: Event, number: int | None, request: HttpRequest) -> HttpResponse:
    """The event's page, on a phone that knows its team from now on, or forgets it."""
    page = reverse("event", args=[event.slug])
    response = redirect(page)
    if number is None:
        response.delete_cookie(MY_TEAM, path=page, samesite="Lax")
    else:
        response.set_cookie(
            MY_TEAM,
            str(number),
            max_age=REMEMBERED,
            path=page,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    return response


@require_safe
@public_event
def rules(request: HttpRequest, event: Event) -> HttpResponse:
    """The rules of the event in plain words."""
    stage = current_stage(event, drafts=False)
    chapters = event_chapters(event)
    context = {"event": event, "stage": stage, "section": "rules", "chapters": chapters}
    return render(request, "pairing/rules.html", context)
