"""The desk (控制台): where the event stands, what is to be done next, and one button for it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from pairing import wording
from pairing.desk_wording import announcement, check_address, next_step, screen_names, step_rows
from pairing.forms.draws import ScreenForm
from pairing.selectors.desk import round_state
from pairing.selectors.screens import screen_states
from pairing.services import close_round, switch_screen
from pairing.services.refusals import Refused
from pairing.views.common import posted_round
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event
from tournaments.roles import ASSIST, DIRECT, MANAGE
from tournaments.selectors.lineups import lineups_missing
from tournaments.selectors.people import has_officials


@require_safe
@official_event(ASSIST)
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    """The whole page, or for htmx the part that changes: nothing (204) while nothing happened."""
    seen = _moment(request, event)
    is_poll = request.headers.get("HX-Request") == "true"
    if is_poll and request.GET.get("seen") == seen:
        response = HttpResponse(status=204)
    else:
        template = "pairing/_desk_now.html" if is_poll else "pairing/desk.html"
        response = render(request, template, _context(request, event, seen))
    response.headers["ETag"] = f'"{seen}"'
    return response


@require_POST
@official_event(ASSIST)
def screen_switch(request: HttpRequest, event: Event) -> HttpResponse:
    """Puts something else on the projector."""
    form = ScreenForm(request.POST)
    if not form.is_valid():
        return render(
            request, "pairing/desk.html", _context(request, event, _moment(request, event)), status=422
        )
    switch_screen(event=event, shows=form.cleaned_data["shows"], by=signed_in_user(request))
    return see_other(reverse("desk", args=[event.slug]))


@require_POST
@official_event(DIRECT)
def round_close(request: HttpRequest, event: Event) -> HttpResponse:
    """Ends the round that is being played."""
    try:
        reason = request.POST.get("reason", "").strip()[:200]
        close_round(round=posted_round(request, event), by=signed_in_user(request), reason=reason)
    except Refused as refused:
        context = _context(request, event, _moment(request, event)) | {"problem": wording.refusal(refused)}
        return render(request, "pairing/desk.html", context, status=422)
    return see_other(reverse("desk", args=[event.slug]))


def _context(request: HttpRequest, event: Event, seen: str) -> dict[str, Any]:
    directs = request.user.has_perm(DIRECT)
    state = round_state(event, sees_drafts=directs)
    return {
        "event": event,
        "section": "desk",
        "seen": seen,
        "state": state,
        "steps": step_rows(state),
        "next": next_step(state, event, directs=directs),
        "announcement": announcement(state),
        "lineups_missing": lineups_missing(event, state.stage),
        "look": state.look,
        "check_address": check_address(state, event),
        "back": "desk",
        "lacks_officials": state.round is None and request.user.has_perm(MANAGE) and not has_officials(event),
        "screens": screen_names(),
        "screen_states": screen_states(event),
    }


def _moment(request: HttpRequest, event: Event) -> str:
    """What the desk depends on: every act raises the revision, the minute keeps the ages true."""
    minute = int(timezone.now().timestamp()) // 60
    return f"{event.revision}-{minute}-{int(request.user.has_perm(DIRECT))}"
