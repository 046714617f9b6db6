"""The countdown: the chief's page and the numbers every device asks for."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.access import official_event, public_event, see_other, signed_in_user
from tournaments.clock import (
    ClockRefused,
    ClockState,
    MinutesRefused,
    clock_face,
    extend_clock,
    pause_clock,
    reset_clock,
    resume_clock,
    running_round,
    start_clock,
)
from tournaments.forms.acts import ClockMinutesForm
from tournaments.models import Audience, Event, Round
from tournaments.roles import DIRECT
from tournaments.typed import typed_key

ACTS = {"start": start_clock, "pause": pause_clock, "resume": resume_clock, "reset": reset_clock}


@require_safe
@public_event
def clock_json(request: HttpRequest, event: Event) -> HttpResponse:
    """The countdown in server time, never cached: it carries the server's own now."""
    response = JsonResponse(clock_face(running_round(event)).as_dict())
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
@official_event(DIRECT)
def clock(request: HttpRequest, event: Event) -> HttpResponse:
    """The chief's clock: very large, with the one button that fits its state."""
    return render(request, "tournaments/clock.html", _context(event, ClockMinutesForm()))


@require_POST
@official_event(DIRECT)
def clock_act(request: HttpRequest, event: Event, act: str) -> HttpResponse:
    """Start, pause, resume, add minutes, set back."""
    round_ = _named_round(request, event)
    if round_ is None or act not in {*ACTS, "extend"}:
        return redirect("clock", event.slug)
    if act == "extend":
        return _extended(request, event, round_)
    try:
        ACTS[act](round=round_, by=signed_in_user(request))
    except ClockRefused as refused:
        messages.error(request, _refusal(refused.state))
    return _back(request, event)


def _named_round(request: HttpRequest, event: Event) -> Round | None:
    """The round whose button was pressed: a page left open never starts the next one's clock. One query."""
    if "round" not in request.POST:
        return running_round(event, Audience.HALL)
    rounds = Round.objects.filter(stage__event=event).select_related("stage__event", "clock")
    return rounds.filter(pk=typed_key(request.POST, "round")).first()


def _extended(request: HttpRequest, event: Event, round_: Round) -> HttpResponse:
    form = ClockMinutesForm(request.POST)
    if form.is_valid():
        try:
            extend_clock(round=round_, minutes=form.cleaned_data["minutes"], by=signed_in_user(request))
        except MinutesRefused as refused:
            form.refuse(refused.least, refused.most)
        except ClockRefused as refused:
            messages.error(request, _refusal(refused.state))
    if form.errors:
        return render(request, "tournaments/clock.html", _context(event, form), status=422)
    return _back(request, event)


def _back(request: HttpRequest, event: Event) -> HttpResponse:
    return see_other(reverse("desk" if request.POST.get("from") == "desk" else "clock", args=[event.slug]))


def _context(event: Event, form: ClockMinutesForm) -> dict[str, Any]:
    round_: Round | None = running_round(event, Audience.HALL)
    return {"event": event, "section": "clock", "round": round_, "face": clock_face(round_), "form": form}


def _refusal(state: ClockState) -> str:
    return {
        ClockState.NONE: _("This round is not being played with a clock now; nothing was changed."),
        ClockState.IDLE: _("The clock has not been started yet."),
        ClockState.RUNNING: _("The clock is running; nothing was changed."),
        ClockState.PAUSED: _("The clock is paused; nothing was changed."),
        ClockState.OVER: _("Time has been called; add minutes to go on."),
    }[state]
