"""The table sheet: one table recorded deal by deal, on a phone at the table or at the desk."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.engine.outcomes import InvalidResult
from scoring.forms.table_sheets import (
    AnswerForm,
    CorrectionForm,
    DealForm,
    HandOverForm,
    StartForm,
    StepForm,
)
from scoring.recorded_sheets import recorded_sheet, sheet_match, stated_discipline
from scoring.result_rows import result_words
from scoring.selectors import entered_result, match_rules, public_round
from scoring.services import (
    NOT_ENTERED,
    ByeNotEntered,
    MatchesHang,
    ReasonMissing,
    Recorded,
    ResultSettled,
    RoundCompleted,
    RoundNotPublished,
    StaleResult,
    TeamsChanged,
)
from scoring.table_sheet_page import sheet_page
from scoring.table_sheets import (
    DealsDropped,
    SheetStale,
    SheetUnfinished,
    answer_question,
    call_time,
    correct_deal,
    discard_sheet,
    hand_over_sheet,
    record_deal,
    set_start_levels,
    undo_step,
)
from scoring.views.asked_first import sheet_asked_first
from scoring.views.results import hanging
from scoring.wording import refusal
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.clock import clock_face
from tournaments.log import actor_name
from tournaments.models import Audience, Event, Match
from tournaments.roles import ASSIST, CORRECT
from tournaments.typed import typed_line

PLACE = re.compile(r"([1-9]\d?)\.([1-9]\d{0,3})")
"""A deal in the address: the third of the second game is 2.3."""

STEPS: Mapping[str, tuple[type[StepForm], Callable[..., Recorded | None]]] = {
    "deal": (DealForm, record_deal),
    "undo": (StepForm, undo_step),
    "time": (StepForm, call_time),
    "answer": (AnswerForm, answer_question),
    "correct": (CorrectionForm, correct_deal),
    "start": (StartForm, set_start_levels),
    "discard": (StepForm, discard_sheet),
    "hand-over": (HandOverForm, hand_over_sheet),
}


@dataclass(frozen=True)
class _Refused:
    """Why a step was not taken, and what the page keeps open."""

    problem: str
    status: int = 422
    correcting: tuple[int, int] | None = None
    drop_order: str = ""
    reason: str = ""


@require_safe
@official_event(ASSIST)
def table_sheet(request: HttpRequest, event: Event, stage: int, round: int, table: int) -> HttpResponse:
    """The sheet as it stands. `?correct=1.3` opens a deal, `?out=Hh` tells players who are out already."""
    match = _match_or_404(event, stage, round, table)
    place = PLACE.fullmatch(request.GET.get("correct", ""))
    correcting = (int(place[1]), int(place[2])) if place else None
    return _page(request, match, correcting=correcting, out=request.GET.get("out", ""))


@require_POST
@official_event(ASSIST)
def table_sheet_act(
    request: HttpRequest, event: Event, stage: int, round: int, table: int, act: str
) -> HttpResponse:
    """Takes one step: back to the sheet, or the sheet as it stands with why the step was not taken."""
    if act not in STEPS:
        raise Http404("no such step")
    match = _match_or_404(event, stage, round, table)
    form_class, service = STEPS[act]
    form = form_class(request.POST)
    if service is hand_over_sheet and (elsewhere := sheet_asked_first(request, match, form)) is not None:
        return elsewhere
    refused = _take(request, match, form, service)
    if refused is None:
        return see_other(_address(match))
    match = _match_or_404(event, stage, round, table)
    return _page(request, match, correcting=refused.correcting, refused=refused)


def _take(
    request: HttpRequest, match: Match, form: StepForm, service: Callable[..., Recorded | None]
) -> _Refused | None:
    if not form.is_valid():
        return _Refused(form.problem())
    try:
        done = service(match=match, by=signed_in_user(request), seen=form.seen, **form.arguments())
    except (RoundNotPublished, ByeNotEntered):
        raise Http404("no such table") from None
    except RoundCompleted:
        return _Refused(_("The round is closed. Only the chief referee corrects its results."), 403)
    except ResultSettled:
        return _Refused(_("This result is confirmed or in dispute: only the chief referee changes it."), 403)
    except DealsDropped as error:
        return _dropping(form, error.number)
    except MatchesHang as error:
        return _Refused(hanging(error))
    except InvalidResult as error:
        return _Refused(refusal(error, match_rules(match).match))
    except (SheetStale, TeamsChanged, StaleResult, SheetUnfinished, ReasonMissing) as error:
        return replace(
            _Refused(str(_PROBLEMS[type(error)]())), reason=typed_line(request.POST, "reason", 200)
        )
    if isinstance(done, Recorded):
        messages.success(request, _("Handed over: the result of this table stands."))
    return None


_PROBLEMS: Mapping[type[Exception], Callable[[], str]] = {
    SheetStale: lambda: _("Not recorded: somebody else took a step meanwhile. This is how the table stands."),
    TeamsChanged: lambda: _("Not recorded: other teams sit at this table now. Check the slip."),
    StaleResult: lambda: _(
        "Not handed over: another result was entered in between. Compare both; handing over replaces it."
    ),
    SheetUnfinished: lambda: _("Not handed over: the match is still being played."),
    ReasonMissing: lambda: _("A correction needs a reason: it stands in the log."),
}


def _dropping(form: StepForm, number: int) -> _Refused:
    """The correction ends a game or the match earlier: the official says whether the rest goes."""
    problem = _("So corrected the game ends earlier: %(number)s recorded deals no longer count.")
    place = (form.cleaned_data["game"], form.cleaned_data["deal"])
    order = form.cleaned_data["order"]
    return _Refused(problem % {"number": number}, correcting=place, drop_order=order)


def _page(
    request: HttpRequest,
    match: Match,
    *,
    correcting: tuple[int, int] | None = None,
    out: str = "",
    refused: _Refused | None = None,
) -> HttpResponse:
    round_, rules = match.round, match_rules(match)
    result = getattr(match, "result", None)
    recorded = recorded_sheet(match, rules, result)
    is_open = round_.is_published or request.user.has_perm(CORRECT)
    context: dict[str, Any] = {
        "event": round_.stage.event,
        "section": "results",
        "stage": round_.stage,
        "round": round_,
        "match": match,
        "address": _address(match),
        "recorded": recorded,
        "result": result,
        "result_version": result.version if result else NOT_ENTERED,
        "result_words": result_words(entered_result(result)) if result else "",
        "result_by": actor_name(result.entered_by) if result and result.entered_by else "",
        "clock": clock_face(round_) if round_.is_published else None,
        "is_open": is_open,
        "refused": refused,
    }
    try:
        context["page"] = sheet_page(
            match,
            recorded.sheet,
            rules,
            stated_discipline(round_.stage),
            correcting=correcting if is_open else None,
            out=out,
        )
    except InvalidResult as error:
        context["broken"] = refusal(error, rules.match)
    return render(request, "scoring/table_sheet.html", context, status=refused.status if refused else 200)


def _match_or_404(event: Event, stage: int, number: int, table: int) -> Match:
    round_ = public_round(event, stage, number, Audience.HALL)
    match = sheet_match(round_, table) if round_ else None
    if match is None:
        raise Http404("no such table")
    match.round.stage.event = event
    return match


def _address(match: Match) -> str:
    stage = match.round.stage
    return reverse("table_sheet", args=[stage.event.slug, stage.order, match.round.number, match.table])
