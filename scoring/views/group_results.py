"""小组自约: all matches of a group that finds its own time on one page, entered in any order, at any time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from scoring.forms.results import ResultForm
from scoring.result_rows import ResultRow
from scoring.round_tables import RoundTables, round_tables
from scoring.selectors import group_matches, group_of, match_rules, rules_by_match
from scoring.statements import confirmation_rules
from scoring.table_states import TableState
from scoring.views.asked_first import asked_first
from scoring.views.results import (
    Makers,
    TableStates,
    asks_to_correct,
    changed_tables,
    looked,
    match_or_404,
    progress,
    round_or_404,
    save_line,
    typing_context,
)
from tournaments.access import official_event, see_other
from tournaments.lineups import seat_lineups
from tournaments.models import Event, Group, Match
from tournaments.roles import ASSIST, CORRECT


@require_safe
@official_event(ASSIST)
def group_results(request: HttpRequest, event: Event, stage: int, group: int) -> HttpResponse:
    """All matches of the group, whatever their round; `?missing=1` and `?correct=7` as on a round's page."""
    found, matches = _group_or_404(event, stage, group)
    table = request.GET.get("table", "")
    if not request.headers.get("HX-Request"):
        if table.isdecimal():
            return HttpResponseRedirect(f"{_address(found)}#table-{table}")
        return _page(request, found, matches)
    if "known" in request.GET:
        return _changes(request, found, matches)
    wanted = [match for match in matches if str(match.table) == table]
    if not wanted:
        raise Http404("no such table")
    return _lines(request, found, matches, _rows(request, matches, wanted))


@require_POST
@official_event(ASSIST)
def group_result_save(request: HttpRequest, event: Event, stage: int, group: int, table: int) -> HttpResponse:
    """Saves one line, and goes back to the group's page."""
    found, matches = _group_or_404(event, stage, group)
    round_ = round_or_404(event, stage, _at(matches, table).round.number)
    match = match_or_404(round_, table)
    form = ResultForm(request.POST, best_of=match_rules(match).match.best_of)
    if (elsewhere := asked_first(request, match, form)) is not None:
        return elsewhere
    answer = save_line(request, round_, match, form)
    if request.headers.get("HX-Request"):
        now = list(group_matches(found))
        return _lines(request, found, now, [answer.row], status=answer.status)
    if answer.status == 200:
        if answer.row.notice:
            messages.success(request, answer.row.notice)
        return see_other(f"{_address(found)}#table-{table}")
    return _page(request, found, matches, instead=answer.row, status=answer.status)


@require_safe
@official_event(ASSIST)
def group_table(
    request: HttpRequest, event: Event, stage: int, group: int, table: int, page: str
) -> HttpResponse:
    """The history or the sheet of a table stands with the other pages of its round."""
    _found, matches = _group_or_404(event, stage, group)
    number = _at(matches, table).round.number
    names = {"history": "result_history", "sheet": "table_sheet"}
    if page not in names:
        raise Http404("no such page")
    return HttpResponseRedirect(reverse(names[page], args=[event.slug, stage, number, table]))


def _page(
    request: HttpRequest,
    group: Group,
    matches: Sequence[Match],
    *,
    instead: ResultRow | None = None,
    status: int = 200,
) -> HttpResponse:
    """The whole page, with one line replaced by what was just refused."""
    makers = _makers(matches)
    at_tables = [match for match in matches if match.table is not None]
    rows = [_page_row(request, makers, match, instead) for match in at_tables]
    missing_only = request.GET.get("missing") == "1"
    look = _look(group, matches)
    context = (
        _context(request, group, matches, look)
        | typing_context(makers)
        | {
            "rows": looked([row for row in rows if not missing_only or row.result is None], look),
            "walkovers": [makers.of(match).stored(match) for match in matches if match.table is None],
            "missing_only": missing_only,
        }
    )
    return render(request, "scoring/group_results.html", context, status=status)


def _page_row(request: HttpRequest, makers: Makers, match: Match, instead: ResultRow | None) -> ResultRow:
    if instead is not None and instead.match.pk == match.pk:
        return instead
    is_correction = asks_to_correct(request, match, match.round.stage.event)
    row = makers.of(match).stored(match)
    return replace(row, is_open=True, is_correction=True) if is_correction else row


def _rows(request: HttpRequest, matches: Sequence[Match], wanted: Sequence[Match]) -> list[ResultRow]:
    makers = _makers(matches)
    return [makers.of(match).stored(match) for match in wanted]


def _changes(request: HttpRequest, group: Group, matches: Sequence[Match]) -> HttpResponse:
    """The lines that differ from those the page knows; 204 when none does."""
    states = _states(matches)
    changed = changed_tables(states, request)
    told = _progress(group, matches, _look(group, matches))
    is_moved = request.GET.get("seating") != told["seating"]
    if not changed and not is_moved and request.GET.get("entered") == told["state"]:
        return HttpResponse(status=204)
    rows = _rows(request, matches, [match for match in matches if match.table in changed])
    return _lines(request, group, matches, rows, is_poll=True, is_moved=is_moved)


def _lines(
    request: HttpRequest, group: Group, matches: Sequence[Match], rows: Sequence[ResultRow], **more: Any
) -> HttpResponse:
    """Single lines for htmx, with the group's progress beside them."""
    status, look = more.pop("status", 200), _look(group, matches)
    context = _context(request, group, matches, look) | {"rows": looked(rows, look)} | more
    return render(request, "scoring/_result_lines.html", context, status=status)


def _context(
    request: HttpRequest, group: Group, matches: Sequence[Match], look: RoundTables | None
) -> dict[str, Any]:
    first, event = matches[0].round, group.stage.event
    is_over = group.finished_at is not None or first.is_completed
    to_check = look.round_to_check(first.number) if look else first.number
    checks = reverse("result_checks", args=[event.slug, group.stage.order, to_check])
    return _progress(group, matches, look) | {
        "event": event,
        "section": "results",
        "stage": group.stage,
        "group": group,
        "groups": group.stage.groups.order_by("order"),
        "round": first,
        "is_typed": not is_over,
        "is_over": is_over,
        "address": _address(group),
        "check_address": checks,
        "back": "results",
        "may_correct": event.archived_at is None
        and (is_over or look is not None)
        and request.user.has_perm(CORRECT),
    }


def _progress(group: Group, matches: Sequence[Match], look: RoundTables | None) -> dict[str, Any]:
    """As on a round's page; an ended group is a moved one for a page that was opened before."""
    told = progress(matches[0].round, _states(matches), look)
    return told | {"seating": f"{told['seating']}{'-over' if group.finished_at else ''}"}


def _states(matches: Sequence[Match]) -> TableStates:
    return {
        match.table: TableState(
            match.result.version if hasattr(match, "result") else 0,
            match.home_id,
            match.away_id,
            match.ruling,
        )
        for match in matches
        if match.table is not None
    }


def _look(group: Group, matches: Sequence[Match]) -> RoundTables | None:
    """How far the second look is; None where the event has none."""
    rules = confirmation_rules(group.stage)
    rounds = list({match.round_id: match.round for match in matches}.values())
    return round_tables(rounds) if rules.is_on or rules.has_phones else None


def _makers(matches: Sequence[Match]) -> Makers:
    return Makers(matches[0].round, rules_by_match(matches[0].round.stage))


def _at(matches: Sequence[Match], table: int) -> Match:
    for match in matches:
        if match.table == table:
            return match
    raise Http404("no such table")


def _group_or_404(event: Event, stage: int, number: int) -> tuple[Group, list[Match]]:
    """The group of an address with its matches, once they are published."""
    group = group_of(event, stage, number)
    matches = seat_lineups(group_matches(group)) if group else []
    if group is None or not matches:
        raise Http404("no such group")
    for match in matches:
        match.round.stage = group.stage
    return group, matches


def _address(group: Group) -> str:
    return reverse("group_results", args=[group.stage.event.slug, group.stage.order, group.order])
