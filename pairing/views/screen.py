"""大屏: the projector page, which pages by itself and follows what the desk chose."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from pairing.format_scenes import format_scenes
from pairing.selectors.published import draw_sheet, newest_published_round
from pairing.services.screens import ScreenShows
from scoring.selectors import stage_standings
from tournaments.access import public_event
from tournaments.clock import ClockState, clock_face
from tournaments.models import Event, Round


@require_safe
@public_event
def screen(request: HttpRequest, event: Event) -> HttpResponse:
    """The whole page; the scenes inside it are fetched again every few seconds."""
    return render(request, "pairing/screen.html", _scenes(event))


@require_safe
@public_event
def screen_data(request: HttpRequest, event: Event) -> HttpResponse:
    """The scenes alone: the same bytes while nothing changed, so a poll costs a 304."""
    return render(request, "pairing/_scenes.html", _scenes(event))


def _scenes(event: Event) -> dict[str, Any]:
    round_ = newest_published_round(event)
    shows = _shown(ScreenShows(event.screen_shows), round_)
    context: dict[str, Any] = {"event": event, "round": round_, "shows": shows.value}
    if round_ is None:
        return context
    context["face"] = clock_face(round_ if round_.is_published else None)
    if shows is ScreenShows.STANDINGS:
        context |= format_scenes(round_.stage) or {"standings": stage_standings(round_.stage)}
    else:
        context["sheet"] = draw_sheet(round_)
        context["missing"] = [
            match.table for match in context["sheet"].tables if not hasattr(match, "result")
        ]
    return context


def _shown(wanted: ScreenShows, round_: Round | None) -> ScreenShows:
    """What `auto` means now: the draw until play begins, then the clock, after the round the standings."""
    if round_ is None or wanted is not ScreenShows.AUTO:
        return wanted
    if round_.is_completed:
        return ScreenShows.STANDINGS
    state = clock_face(round_, timezone.now()).state
    playing = state in {ClockState.RUNNING, ClockState.PAUSED, ClockState.OVER}
    return ScreenShows.CLOCK if playing else ScreenShows.DRAW
