"""复核: a second official enters what the slips say, and the chief referee decides disagreements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.disputes import OTHER, Dispute, round_disputes
from scoring.engine.outcomes import InvalidResult
from scoring.forms.results import ResultForm
from scoring.models import Confirmation, RefereeCall, Result
from scoring.result_rows import ResultRow, RowMaker, result_words
from scoring.round_tables import round_tables
from scoring.second_looks import (
    DecisionCorrects,
    InDispute,
    NoSecondLook,
    NothingInDispute,
    OwnEntry,
    StaleDispute,
    check_result,
    decide_dispute,
)
from scoring.selectors import match_rules, round_matches, rules_by_match
from scoring.services import (
    ByeNotEntered,
    MatchesHang,
    ReasonMissing,
    ResultSettled,
    RoundCompleted,
    RoundNotPublished,
    StaleResult,
    TeamsChanged,
)
from scoring.statements import confirmation_rules
from scoring.table_phones import answer_call
from scoring.table_states import table_states
from scoring.views.results import (
    Makers,
    changed_tables,
    hanging,
    look_of,
    match_or_404,
    page_context,
    progress,
    round_or_404,
    teams_changed,
    typing_context,
)
from scoring.wording import refusal
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.lineups import seat_lineups
from tournaments.models import Event, Match, Round, RoundStatus
from tournaments.roles import ASSIST, CORRECT
from tournaments.typed import typed_line

BACK = {"desk", "results", "result_checks"}
"""Pages with calls on them, to which answering one goes back."""


@require_safe
@official_event(ASSIST)
def result_checks(request: HttpRequest, event: Event, stage: int, round: int) -> HttpResponse:
    """What disagrees first, then a line with empty boxes for every table that waits for a second look."""
    round_ = round_or_404(event, stage, round)
    if request.headers.get("HX-Request") and "known" in request.GET:
        return _changes(request, round_)
    return _page(request, round_)


@require_POST
@official_event(ASSIST)
def result_check(request: HttpRequest, event: Event, stage: int, round: int, table: int) -> HttpResponse:
    """A second official's entry: confirmed, or to the chief referee; refusals answer 403, 409 or 422."""
    round_ = round_or_404(event, stage, round)
    match = match_or_404(round_, table)
    form = ResultForm(request.POST, best_of=match_rules(match).match.best_of)
    row, status = _check(request, round_, match, form)
    if request.headers.get("HX-Request"):
        return _lines(request, round_, [row], status=status)
    if status != 200:
        return _page(request, round_, instead=row, status=status)
    (messages.warning if row.is_disputed else messages.success)(request, row.notice)
    return see_other(_address(round_))


@require_POST
@official_event(CORRECT)
def dispute_decide(request: HttpRequest, event: Event, stage: int, round: int, table: int) -> HttpResponse:
    """The chief referee's decision on a table: one of the values told, or another one, with a reason."""
    round_ = round_or_404(event, stage, round)
    match = match_or_404(round_, table)
    found = round_disputes(round_, rules_by_match(round_.stage), table)
    chosen, reason = request.POST.get("choice", ""), typed_line(request.POST, "reason", 200)
    form = ResultForm(request.POST, best_of=match_rules(match).match.best_of)
    problem = _decide(request, match, found, form, reason)
    if not problem:
        messages.success(request, _("Table %(table)s is decided.") % {"table": table})
        return see_other(_address(round_))
    maker = Makers(round_, rules_by_match(round_.stage)).of(match)
    typed = maker.typed(match, request.POST, is_open=True)
    shown = [
        replace(each, problem=problem, reason=reason, chosen=chosen, row=typed)
        for each in round_disputes(round_, rules_by_match(round_.stage), table)
    ]
    return _page(request, round_, decided=shown, problem="" if shown else problem, status=422)


@require_POST
@official_event(ASSIST)
def call_answer(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """An official has seen a table's call and goes there; back to the page that showed it."""
    calls = RefereeCall.objects.select_related("match__round__stage")
    call = calls.filter(pk=pk, match__round__stage__event=event).first()
    if call is None:
        raise Http404("no such call")
    try:
        answer_call(call=call, by=signed_in_user(request))
    except RoundNotPublished:
        raise Http404("no such call") from None
    words = {"table": call.match.table}
    messages.success(request, _("Table %(table)s knows that a referee is coming.") % words)
    back, round_ = request.POST.get("back", ""), call.match.round
    if back not in BACK or back == "desk":
        return see_other(reverse("desk", args=[event.slug]))
    return see_other(reverse(back, args=[event.slug, round_.stage.order, round_.number]))


_REFUSED: Mapping[type[Exception], Callable[[], str]] = {
    OwnEntry: lambda: _("You entered this result yourself: somebody else confirms it."),
    InDispute: lambda: _("This table waits for the chief referee’s decision already."),
    StaleResult: lambda: _("The first entry changed just now. Enter the slip once more."),
    NoSecondLook: lambda: _("Nothing waits for a second look at this table. Load the page again."),
}


def _check(request: HttpRequest, round_: Round, match: Match, form: ResultForm) -> tuple[ResultRow, int]:
    """One service call: the line to show and its status."""
    maker = Makers(round_, rules_by_match(round_.stage)).of(match)
    if not form.is_valid() or form.entry is None:
        return _typed(request, maker, match, form.problem() or _("Enter what the slip says."))
    try:
        checked = check_result(match=match, by=signed_in_user(request), entry=form.entry, seated=form.seated)
    except (RoundNotPublished, ByeNotEntered):
        raise Http404("no such table") from None
    except (OwnEntry, InDispute, NoSecondLook, StaleResult) as error:
        return _typed(request, maker, match, _REFUSED[type(error)](), 409)
    except (RoundCompleted, ResultSettled) as error:
        return _stands(maker, round_, match, error, form)
    except TeamsChanged as error:
        return _typed(request, maker, match, teams_changed(error))
    except InvalidResult as error:
        return _typed(request, maker, match, refusal(error, match_rules(match).match))
    return _answer(maker.stored(match_or_404(round_, match.table), is_open=False), agrees=checked.agrees), 200


def _typed(
    request: HttpRequest, maker: RowMaker, match: Match, problem: str, status: int = 422
) -> tuple[ResultRow, int]:
    """The line with what was typed still in it, and nothing of the first entry."""
    return replace(maker.typed(match, request.POST, is_open=True, problem=problem), result=None), status


def _stands(
    maker: RowMaker, round_: Round, match: Match, error: Exception, form: ResultForm
) -> tuple[ResultRow, int]:
    """The line as it stands, when nobody but the chief referee changes it any more."""
    problem = _("It is confirmed already as it stands here. You have %(typed)s: tell the chief referee.")
    status = 409
    if isinstance(error, RoundCompleted):
        problem, status = _("The round is closed. Only the chief referee corrects its results."), 403
    words = {"typed": result_words(form.entry)}
    stored = maker.stored(match_or_404(round_, match.table), is_open=False, problem=problem % words)
    return stored, status


def _answer(row: ResultRow, *, agrees: bool) -> ResultRow:
    words = {"table": row.match.table}
    if agrees:
        return replace(row, notice=_("Table %(table)s: both entries agree, confirmed.") % words)
    notice = _("Table %(table)s: the two entries do not agree. The chief referee decides.") % words
    return replace(row, notice=notice, is_disputed=True)


_UNDECIDED: Mapping[type[Exception], Callable[[], str]] = {
    ReasonMissing: lambda: _("A decision needs a reason: it stands in the log."),
    NothingInDispute: lambda: _("Nobody disagrees about this table any more."),
    DecisionCorrects: lambda: _(
        "The round is closed, so another result is a correction: press “Correct” at this table on the "
        "results page. It says first what follows from it."
    ),
    StaleDispute: lambda: _("Something else was entered meanwhile. Look at all values again, then decide."),
}


def _decide(
    request: HttpRequest, match: Match, found: Sequence[Dispute], form: ResultForm, reason: str
) -> str:
    """One service call; the refusal in words, or nothing."""
    chosen, is_valid = request.POST.get("choice", ""), form.is_valid()
    if not found:
        return _UNDECIDED[NothingInDispute]()
    entry = form.entry if chosen == OTHER else found[0].value_of(chosen)
    if entry is None:
        problem = form.problem() if chosen == OTHER and not is_valid else ""
        return problem or _("Choose a value, or enter the levels that the table played.")
    by, seen = signed_in_user(request), request.POST.get("seen", "")
    try:
        decide_dispute(match=match, by=by, entry=entry, seen=seen, reason=reason)
    except (RoundNotPublished, ByeNotEntered):
        raise Http404("no such table") from None
    except (ReasonMissing, NothingInDispute, DecisionCorrects, StaleDispute) as error:
        return _UNDECIDED[type(error)]()
    except StaleResult:
        return _UNDECIDED[StaleDispute]()
    except MatchesHang as error:
        return hanging(error)
    except InvalidResult as error:
        return refusal(error, match_rules(match).match)
    return ""


def _page(
    request: HttpRequest,
    round_: Round,
    *,
    instead: ResultRow | None = None,
    decided: Sequence[Dispute] = (),
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    rules = rules_by_match(round_.stage)
    look = look_of(round_)
    disputes = round_disputes(round_, rules)
    by_table = {each.match.table: each for each in decided}
    makers = Makers(round_, rules)
    rows = _waiting(request, makers, {each.match.pk for each in disputes}, instead)
    user = signed_in_user(request)
    own = Result.objects.filter(match__round=round_, entered_by=user, confirmation=Confirmation.OPEN)
    context = (
        _context(round_)
        | progress(round_, table_states(round_), look)
        | typing_context(makers)
        | {
            "rows": rows,
            "disputes": [by_table.get(each.match.table, each) for each in disputes],
            "own": list(own.order_by("match__table").values_list("match__table", flat=True)),
            "rules": confirmation_rules(round_.stage),
            "elsewhere": _elsewhere(round_),
            "problem": problem,
            "may_decide": user.has_perm(CORRECT),
        }
    )
    return render(request, "scoring/checks.html", context, status=status)


def _elsewhere(round_: Round) -> dict[int, int]:
    """Of a schedule in the teams' own time: the other open rounds with something to check, and how much."""
    if not round_.stage.is_self_scheduled:
        return {}
    others = round_.stage.rounds.filter(status=RoundStatus.PUBLISHED).exclude(pk=round_.pk)
    return dict(sorted(round_tables(list(others)).to_check.items()))


def _waiting(
    request: HttpRequest, makers: Makers, disputed: set[int], instead: ResultRow | None
) -> list[ResultRow]:
    """The lines to be typed a second time; what the user entered is somebody else's to confirm."""
    round_ = makers.round
    waiting = round_matches(round_).filter(result__confirmation=Confirmation.OPEN, table__isnull=False)
    user = signed_in_user(request)
    rows = {
        match.pk: makers.of(match).blank(match, seen_version=match.result.version)
        for match in seat_lineups(waiting)
        if match.pk not in disputed and match.result.entered_by_id != user.pk
    }
    if instead is not None:
        rows[instead.match.pk] = instead
    is_open = confirmation_rules(round_.stage).officials_confirm
    return sorted(rows.values(), key=lambda row: row.match.table or 0) if is_open else []


def _changes(request: HttpRequest, round_: Round) -> HttpResponse:
    """The lines that changed since the page was shown; 204 when none did."""
    states = table_states(round_)
    changed = changed_tables(states, request)
    look = look_of(round_)
    told = progress(round_, states, look)
    if not changed and request.GET.get("entered") == told["state"]:
        return HttpResponse(status=204)
    makers = Makers(round_, rules_by_match(round_.stage))
    user, disputed = signed_in_user(request), set(look.disputed) if look else set()
    rows = []
    for match in seat_lineups(round_matches(round_).filter(table__in=changed)):
        stored: Result | None = getattr(match, "result", None)
        is_waiting = stored is not None and stored.is_unconfirmed and stored.entered_by_id != user.pk
        if is_waiting and stored is not None and match.table not in disputed:
            rows.append(makers.of(match).blank(match, seen_version=stored.version))
        else:
            rows.append(makers.of(match).stored(match, is_open=False))
    return _lines(request, round_, rows, is_poll=True)


def _lines(request: HttpRequest, round_: Round, rows: Sequence[ResultRow], **more: Any) -> HttpResponse:
    status = more.pop("status", 200)
    context = (
        _context(round_) | progress(round_, table_states(round_), look_of(round_)) | {"rows": rows} | more
    )
    return render(request, "scoring/_result_lines.html", context, status=status)


def _context(round_: Round) -> dict[str, Any]:
    return page_context(round_) | {
        "address": _address(round_),
        "is_check": True,
        "may_correct": False,
        "back": "result_checks",
    }


def _address(round_: Round) -> str:
    return reverse("result_checks", args=[round_.stage.event.slug, round_.stage.order, round_.number])
