"""签到: who is here, by number, by department, by the team's card; several assistants at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from pairing import check_in_words
from pairing.selectors.check_in import CheckIn, CheckInRow, Presence, event_check_in, teams_wanted
from scoring.models import Result
from scoring.services import ResultRefused, clear_result
from tournaments.access import may, official_event, public_event, see_other, signed_in_user
from tournaments.models import Event, Match, Stage, Team
from tournaments.roles import ASSIST
from tournaments.selectors.finding import tidy_search
from tournaments.services.attendance import (
    Change,
    begin_check_in_anew,
    check_in,
    take_back_check_in,
    undo_attendance,
    use_check_in,
)

UNDO = "check_in_undo"
"""Where the session keeps what this official did last, for one press of the undo button."""


@require_safe
@official_event(ASSIST)
def check_in_page(request: HttpRequest, event: Event) -> HttpResponse:
    """The whole page, or for htmx the part that changes: nothing (204) while nothing happened."""
    is_poll = request.headers.get("HX-Request") == "true"
    if is_poll and request.GET.get("seen") == str(event.revision):
        return HttpResponse(status=204)
    return _page(request, event)


@require_POST
@official_event(ASSIST)
def check_in_find(request: HttpRequest, event: Event) -> HttpResponse:
    """Checks in the team that was typed; several that a name fits are offered, nobody is an error."""
    wanted = tidy_search(request.POST.get("q", ""))
    found = teams_wanted(_state(event).rows, wanted) if wanted else []
    if len(found) != 1:
        problem = "" if found else _nobody(wanted)
        return _page(request, event, wanted=wanted, found=found, problem=problem, status=422)
    return _check_in(request, event, found)


@require_POST
@official_event(ASSIST)
def check_in_mark(request: HttpRequest, event: Event) -> HttpResponse:
    """Checks in one team (`team`) or a whole department (`department`), or takes one team back (`back`)."""
    state = _state(event)
    posted = request.POST
    if "back" in posted:
        rows = _rows(state, posted["back"])
        changes = take_back_check_in(
            stage=state.hand.stage, teams=[row.team for row in rows], by=signed_in_user(request)
        )
        return _done(request, event, check_in_words.taken_back(_numbers(rows)), changes)
    if "department" in posted:
        rows = [row for row in _department(state, posted["department"]) if row.presence is Presence.MISSING]
    else:
        rows = _rows(state, posted.get("team", ""))
    if not rows:
        return _page(
            request, event, problem=_("The list has changed. Look again and press once more."), status=422
        )
    return _check_in(request, event, rows)


@require_POST
@official_event(ASSIST)
def check_in_use(request: HttpRequest, event: Event) -> HttpResponse:
    """Begins the check-in, begins it anew, or does without one."""
    act, by = request.POST.get("act"), signed_in_user(request)
    if act == "anew":
        changes = begin_check_in_anew(stage=_state(event).hand.stage, by=by)
        return _done(request, event, _("Everybody checks in again."), changes)
    use_check_in(event=event, used=act == "begin", by=by)
    return see_other(reverse("check_in", args=[event.slug]))


@require_POST
@official_event(ASSIST)
def check_in_undo(request: HttpRequest, event: Event) -> HttpResponse:
    """Takes back what this official did last, as far as nobody did anything else with it since."""
    kept = request.session.pop(UNDO, None)
    undone = 0
    if kept and kept["event"] == event.pk:
        undone = _undone(request, event, kept)
    words = ngettext("Taken back for %(count)d team.", "Taken back for %(count)d teams.", undone)
    if undone:
        messages.success(request, words % {"count": undone})
    else:
        messages.warning(request, _("Nothing was taken back: somebody has changed it since."))
    return _answer(request, event)


@require_safe
@public_event
def team_card(request: HttpRequest, event: Event, number: int) -> HttpResponseBase:
    """Where a team's QR code leads: an official to its check-in, everybody else to the team's page."""
    if may(request.user, ASSIST, event):
        return redirect("check_in_team", event.slug, number)
    return redirect("team", event.slug, number)


def remember(
    request: HttpRequest,
    event: Event,
    words: str,
    changes: Sequence[Change] = (),
    result: Result | None = None,
    team: Team | None = None,
) -> None:
    """Keeps an act for the undo button: the teams' attendance before it, or a team's forfeit."""
    request.session[UNDO] = {
        "event": event.pk,
        "words": words,
        "teams": [team.pk] if team else [change.team for change in changes],
        "changes": [change.as_dict() for change in changes],
        "match": [result.match_id, result.version] if result else None,
    }


def undo_words(request: HttpRequest, event: Event, team: Team | None = None) -> str:
    """What the undo button would take back, of one team where one is named; empty for nothing."""
    kept = request.session.get(UNDO)
    if not kept or kept["event"] != event.pk or (team is not None and team.pk not in kept["teams"]):
        return ""
    return str(kept["words"])


def _undone(request: HttpRequest, event: Event, kept: Mapping[str, Any]) -> int:
    by = signed_in_user(request)
    if kept["match"]:
        key, version = kept["match"]
        match = Match.objects.filter(pk=key, result__version=version, round__status="published")
        found = match.select_related("round__stage").first()
        if found is None:
            return 0
        try:
            clear_result(match=found, by=by, expected_version=version, reason=_("forfeit taken back"))
        except ResultRefused:
            return 0
        return 1
    return undo_attendance(event=event, changes=[Change(**each) for each in kept["changes"]], by=by)


def _check_in(request: HttpRequest, event: Event, rows: Sequence[CheckInRow]) -> HttpResponse:
    """Checks the teams in and says so; that one is withdrawn, or here already, is said too."""
    stage = _stage(event)
    gone = [row for row in rows if row.presence is Presence.WITHDRAWN]
    if gone:
        problem = _("Team %(number)d has withdrawn. Open its line to take it back into play.")
        return _page(
            request,
            event,
            wanted=str(gone[0].team.number),
            found=gone,
            problem=problem % {"number": gone[0].team.number},
            status=422,
        )
    changes = check_in(stage=stage, teams=[row.team for row in rows], by=signed_in_user(request))
    if not changes:
        messages.info(request, check_in_words.checked_in_already(_numbers(rows)))
        return _answer(request, event)
    changed = {change.team for change in changes}
    words = check_in_words.checked_in(_numbers([row for row in rows if row.team.pk in changed]))
    return _done(request, event, words, changes)


def _done(request: HttpRequest, event: Event, words: str, changes: Sequence[Change]) -> HttpResponse:
    if changes:
        remember(request, event, words, changes)
    else:
        messages.success(request, words)
    return _answer(request, event)


def _answer(request: HttpRequest, event: Event) -> HttpResponse:
    """After an act that worked: for htmx the part that changes, else the page again."""
    if request.headers.get("HX-Request") == "true":
        event.refresh_from_db()
        return _page(request, event)
    only = "?show=missing" if request.POST.get("show") == "missing" else ""
    return see_other(reverse("check_in", args=[event.slug]) + only)


def _page(
    request: HttpRequest,
    event: Event,
    *,
    wanted: str = "",
    found: Sequence[CheckInRow] = (),
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    state = event_check_in(event)
    shown = request.POST.get("show") or request.GET.get("show")
    context = {
        "event": event,
        "section": "check_in",
        "seen": event.revision,
        "state": state,
        "missing": _numbers(state.missing) if state else [],
        "late": _numbers(state.of(Presence.LATE)) if state else [],
        "absent": _numbers(state.of(Presence.ABSENT, Presence.EXCUSED)) if state else [],
        "missing_only": shown == "missing" and event.uses_check_in,
        "undo": undo_words(request, event),
        "wanted": wanted,
        "found": found,
        "problem": problem,
        "is_part": request.headers.get("HX-Request") == "true",
    }
    template = "pairing/_check_in_now.html" if context["is_part"] else "pairing/check_in.html"
    return render(request, template, context, status=status)


def _state(event: Event) -> CheckIn:
    state = event_check_in(event)
    if state is None:
        raise Http404("no stage")
    return state


def _stage(event: Event) -> Stage:
    return _state(event).hand.stage


def _rows(state: CheckIn, number: str) -> list[CheckInRow]:
    row = state.row(int(number)) if number.isdecimal() and len(number) <= 5 else None
    return [row] if row is not None else []


def _department(state: CheckIn, key: str) -> Sequence[CheckInRow]:
    return next((each.rows for each in state.departments if each.key == key), ())


def _nobody(wanted: str) -> str:
    if not wanted:
        return _("Type a team's number or a name.")
    return _("No team matches “%(wanted)s”. Check the number, or look for it in the roster.") % {
        "wanted": wanted
    }


def _numbers(rows: Sequence[CheckInRow]) -> list[int]:
    return [row.team.number for row in rows]
