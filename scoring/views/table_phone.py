"""A table's phone page, reached by its QR code without an account; it knows nothing but its own table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.engine.outcomes import InvalidResult
from scoring.engine.results import Side
from scoring.forms.results import ResultForm
from scoring.models import CallReason
from scoring.result_rows import RowMaker
from scoring.selectors import match_rules
from scoring.services import ByeNotEntered, RoundNotPublished, TeamsChanged
from scoring.statements import confirmation_rules
from scoring.table_codes import coded_match
from scoring.table_phone_page import TablePage, table_page
from scoring.table_phones import (
    NewsMeanwhile,
    PhonesClosed,
    agree,
    call_referee,
    object_to,
    state_levels,
)
from scoring.wording import refusal
from tournaments.access import see_other
from tournaments.clock import clock_face
from tournaments.models import Match

PRESSES_A_MINUTE = 30
"""By all phones of a table together: nobody who plays gets there, a stuck or angry phone does."""
LOOKS_A_MINUTE = 240
REMEMBERED = 12 * 60 * 60
"""Seconds for which a phone knows its side."""

View = Callable[..., HttpResponse]


def _table_page(limit: int) -> Callable[[View], View]:
    """The view receives the match behind the token. Nobody keeps, indexes or passes on the answer."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, token: str, **kwargs: str) -> HttpResponse:
            if _is_too_often(request.method or "", token, limit):
                response = render(request, "scoring/table_phone_busy.html", status=429)
                response.headers["Retry-After"] = "60"
            else:
                response = view(request, token, _match_or_404(token), **kwargs)
            response.headers["Cache-Control"] = "no-store"
            response.headers["X-Robots-Tag"] = "noindex, nofollow"
            response.headers["Referrer-Policy"] = "same-origin"
            return response

        return wrapper

    return decorate


@require_safe
@_table_page(LOOKS_A_MINUTE)
def table_phone(request: HttpRequest, token: str, match: Match) -> HttpResponse:
    """The table as this phone's side sees it; 204 for a phone that knows it already."""
    page = table_page(match, _side(request, match))
    if request.headers.get("X-Known") == page.mark:
        return HttpResponse(status=204)
    return _answer(request, token, page)


@require_POST
@_table_page(PRESSES_A_MINUTE)
def table_phone_act(request: HttpRequest, token: str, match: Match, act: str) -> HttpResponse:
    """One press of a button: back to the page, or the page with why nothing came of it. Twice is harmless."""
    if act == "side":
        return _choose_side(request, token, match)
    if act not in _ACTS:
        raise Http404("no such act")
    form = ResultForm(request.POST, best_of=match_rules(match).match.best_of)
    try:
        problem, status = _ACTS[act](request, match, form), 422
    except (RoundNotPublished, ByeNotEntered):
        raise Http404("no such table") from None
    except InvalidResult as error:
        problem, status = refusal(error, match_rules(match).match), 422
    except (NewsMeanwhile, PhonesClosed, TeamsChanged) as error:
        problem, status = _PROBLEMS[type(error)](), 409
    if not problem:
        return see_other(_address(token))
    match = _match_or_404(token)
    row = RowMaker(match_rules(match), is_open=True).typed(match, request.POST)
    return _answer(request, token, table_page(match, _side(request, match), row), problem, status)


_PROBLEMS: Mapping[type[Exception], Callable[[], str]] = {
    NewsMeanwhile: lambda: _("Something new was entered a moment ago. Look at it, then press again."),
    PhonesClosed: lambda: _("This cannot be changed here any more. Call a referee if it is wrong."),
    TeamsChanged: lambda: _("Other teams sit at this table now. Look at the posted tables."),
}


def _levels(request: HttpRequest, match: Match, form: ResultForm) -> str:
    side = _side(request, match)
    if side is None:
        return _("Say first which team you are.")
    if not all(request.POST.get(name) for name in form.level_names[0]):
        return _("Choose both levels.")
    if not form.is_valid() or form.entry is None:
        return form.problem()
    state_levels(match=match, side=side, entry=form.entry, seated=form.seated, seen=form.expected_version)
    return ""


def _agree(request: HttpRequest, match: Match, form: ResultForm) -> str:
    side = _side(request, match)
    if side is None:
        return _("Say first which team you are.")
    if not form.is_valid() and {"version", "home", "away"} & set(form.errors):
        return _("This page is out of date. Look at it, then press again.")
    agree(match=match, side=side, seated=form.seated, seen=form.expected_version)
    return ""


def _not_right(request: HttpRequest, match: Match, form: ResultForm) -> str:
    """With levels they are this side's; without, an official's entry is simply not right."""
    if any(request.POST.get(name) for game in form.level_names for name in game):
        return _levels(request, match, form)
    side = _side(request, match)
    if side is None:
        return _("Say first which team you are.")
    if not hasattr(match, "result"):
        return _("Choose both levels.")
    form.is_valid()
    if {"version", "home", "away"} & set(form.errors):
        return _("This page is out of date. Look at it, then press again.")
    object_to(match=match, side=side, seated=form.seated, seen=form.expected_version)
    return ""


def _call(request: HttpRequest, match: Match, form: ResultForm) -> str:
    reason = request.POST.get("reason", "")
    if reason not in set(CallReason):
        return _("Choose why you call a referee.")
    call_referee(match=match, reason=CallReason(reason))
    return ""


_ACTS: Mapping[str, Callable[[HttpRequest, Match, ResultForm], str]] = {
    "levels": _levels,
    "agree": _agree,
    "not-right": _not_right,
    "call": _call,
}


def _answer(
    request: HttpRequest, token: str, page: TablePage, problem: str = "", status: int = 200
) -> HttpResponse:
    round_ = page.match.round
    context = {
        "page": page,
        "match": page.match,
        "round": round_,
        "event": round_.stage.event,
        "address": _address(token),
        "face": clock_face(round_),
        "reasons": CallReason.choices,
        "problem": problem,
    }
    return render(request, "scoring/table_phone.html", context, status=status)


def _choose_side(request: HttpRequest, token: str, match: Match) -> HttpResponse:
    """Keeps in the phone which team it belongs to; nothing but this page's address receives it."""
    response = see_other(_address(token))
    teams = {Side.HOME: match.home.number, Side.AWAY: match.away.number if match.away else 0}
    chosen = request.POST.get("side", "")
    if chosen in set(Side):
        value = f"{chosen}.{teams[Side(chosen)]}"
        response.set_cookie(
            "side", value, max_age=REMEMBERED, path=_address(token), httponly=True, samesite="Lax"
        )
    else:
        response.delete_cookie("side", path=_address(token), samesite="Lax")
    return response


def _side(request: HttpRequest, match: Match) -> Side | None:
    """The side that the phone chose, while that team still sits there."""
    teams = {f"{Side.HOME}.{match.home.number}": Side.HOME}
    if match.away is not None:
        teams[f"{Side.AWAY}.{match.away.number}"] = Side.AWAY
    return teams.get(request.COOKIES.get("side", ""))


def _match_or_404(token: str) -> Match:
    """The match behind a token; revoked, withdrawn, never made: all answer alike."""
    found = coded_match(token)
    if found is None or not confirmation_rules(found[1].round.stage).has_phones:
        raise Http404("no such table")
    return found[1]


def _is_too_often(method: str, token: str, limit: int) -> bool:
    """Counts in this server process: a bound for a phone that went wild, not a lock."""
    key = f"table-phone:{method}:{token}"
    cache.add(key, 0, timeout=60)
    try:
        return cache.incr(key) > limit
    except ValueError:  # forgotten between the two lines
        return False


def _address(token: str) -> str:
    return reverse("table_phone", args=[token])
