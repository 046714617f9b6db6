"""The published draw for everybody: by table, by number, found by name."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from pairing.selectors.published import (
    draw_sheet,
    newest_published_round,
    published_numbers,
    published_round,
)
from tournaments.access import public_event
from tournaments.models import Event
from tournaments.paging import page_of
from tournaments.selectors.finding import tidy_search
from tournaments.selectors.stages import current_stage


@require_safe
@public_event
def draw_latest(request: HttpRequest, event: Event) -> HttpResponse:
    """The tables of the round that players are in; before the first, a page that says so.

    Groups that find their own time play all rounds at once and at no table: their cross-tables.
    """
    newest = newest_published_round(event)
    if newest is not None and newest.stage.is_self_scheduled:
        return redirect("cross_table", event.slug, newest.stage.order)
    if newest is not None:
        return redirect("draw", event.slug, newest.stage.order, newest.number)
    context = {"event": event, "section": "draw", "stage": current_stage(event, drafts=False)}
    return render(request, "pairing/draw_none.html", context)


@require_safe
@public_event
def draw(request: HttpRequest, event: Event, stage: int, round: int) -> HttpResponse:
    """Who meets whom at which table. A draft answers exactly as a round that does not exist."""
    round_ = published_round(event, stage, round)
    if round_ is None:
        raise Http404("no such round")
    sheet = draw_sheet(round_)
    wanted = tidy_search(request.GET.get("q", ""))
    found = sheet.places_found(wanted) if wanted else []
    found_teams = {place.team.pk for place in found}
    by_number, asked = request.GET.get("by") == "number", request.GET.get("page", "")
    page: Page[Any]
    if by_number:
        page = page_of(sheet.places, asked, lambda place: place.team.pk in found_teams)
    else:
        page = page_of(sheet.rows, asked, lambda match: bool(found_teams & {match.home_id, match.away_id}))
    context = {
        "event": event,
        "section": "draw",
        "stage": round_.stage,
        "sheet": sheet,
        "numbers": published_numbers(round_),
        "by_number": by_number,
        "page": page,
        "wanted": wanted,
        "found": found,
        "found_teams": found_teams,
    }
    return render(request, "pairing/draw.html", context)
