"""The desk (控制台): where the event stands, what is to be done next, and one button for it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from pairing import wording
from pairing.desk_parts import announcements, chip_rows, hints, publication_words, stage_rows
from pairing.desk_wording import check_address, next_step, screen_choices, screen_names, step_rows
from pairing.forms.draws import ScreenForm
from pairing.selectors.desk import clocks_run_out, last_entry, round_state
from pairing.selectors.packs import newest_pack
from pairing.selectors.screens import ScreenState, screen_states
from pairing.services import close_round, switch_screen
from pairing.services.refusals import Refused
from pairing.views.common import posted_round
from scoring.appeals import open_appeals
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.log_words import log_line
from tournaments.models import Event
from tournaments.roles import ASSIST, DIRECT, MANAGE, READ_LOG
from tournaments.selectors.backups import backup_state
from tournaments.selectors.history import event_history
from tournaments.selectors.lineups import lineups_missing
from tournaments.selectors.people import has_officials
from tournaments.selectors.presence import present_officials
from tournaments.typed import typed_line

ACTS_SHOWN = 3


@require_safe
@official_event(ASSIST)
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    """The whole page, or for htmx the part that changes: 304 while nothing happened."""
    screens = screen_states(event)
    etag = _etag(request, event, screens)
    is_poll = request.headers.get("HX-Request") == "true"
    if is_poll and request.headers.get("If-None-Match") == etag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        template = "pairing/_desk_now.html" if is_poll else "pairing/desk.html"
        response = render(request, template, _context(request, event, etag, screens))
    response.headers["ETag"] = etag
    return response


@require_POST
@official_event(ASSIST)
def screen_switch(request: HttpRequest, event: Event) -> HttpResponse:
    """Puts something else on the public projector page."""
    form = ScreenForm(request.POST)
    if not form.is_valid():
        return _refused(request, event)
    switch_screen(event=event, shows=form.cleaned_data["shows"], by=signed_in_user(request))
    return see_other(reverse("desk", args=[event.slug]))


@require_POST
@official_event(DIRECT)
def round_close(request: HttpRequest, event: Event) -> HttpResponse:
    """Ends the round that is being played."""
    reason = typed_line(request.POST, "reason")
    try:
        close_round(round=posted_round(request, event), by=signed_in_user(request), reason=reason)
    except Refused as refused:
        return _refused(request, event, problem=wording.refusal(refused), reason=reason)
    return see_other(reverse("desk", args=[event.slug]))


def _refused(request: HttpRequest, event: Event, **words: str) -> HttpResponse:
    screens = screen_states(event)
    context = _context(request, event, _etag(request, event, screens), screens) | words
    return render(request, "pairing/desk.html", context, status=422)


def _context(request: HttpRequest, event: Event, etag: str, screens: list[ScreenState]) -> dict[str, Any]:
    directs, reads_log = request.user.has_perm(DIRECT), request.user.has_perm(READ_LOG)
    now = timezone.now()
    state = round_state(event, sees_drafts=directs, now=now)
    lacks_officials = state.round is None and request.user.has_perm(MANAGE) and not has_officials(event)
    without_lineup = lineups_missing(event, state.stage)
    return {
        "event": event,
        "section": "desk",
        "etag": etag,
        "state": state,
        "steps": step_rows(state),
        "next": next_step(state, event, directs=directs),
        "hints": hints(
            state,
            event,
            directs=directs,
            appeals=open_appeals(event),
            without_lineup=without_lineup,
            lacks_officials=lacks_officials,
        ),
        "chip_rows": chip_rows(state, event),
        "stage_rows": stage_rows(state, event),
        "published": publication_words(state),
        "announcements": announcements(state),
        "look": state.tables,
        "check_address": check_address(state, event),
        "back": "desk",
        "screens": screen_names(),
        "screen_choices": screen_choices(),
        "screen_states": screens,
        "backups": backup_state(event, now=now),
        "pack": newest_pack(event),
        "present": present_officials(event, now),
        "history": [log_line(entry) for entry in event_history(event)[:ACTS_SHOWN]] if reads_log else [],
        "last_entry": None if reads_log else last_entry(state.round),
    }


def _etag(request: HttpRequest, event: Event, screens: list[ScreenState]) -> str:
    """What the desk depends on: every act raises the revision; screens tell of themselves; time is called;
    the minute keeps the ages true. One query."""
    now = timezone.now()
    minute, called = int(now.timestamp()) // 60, clocks_run_out(event, now)
    contacts = "".join(
        f".{state.screen.pk}{'+' if state.is_online else '-'}{state.screen.seen_role}{state.screen.seen_page}"
        for state in screens
    )
    return f'W/"{event.revision}-{minute}-{called}-{int(request.user.has_perm(DIRECT))}{contacts}"'
