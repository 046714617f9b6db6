"""Sheets as PDF and as workbooks, for officials."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from guandan_site.downloads import workbook_response
from guandan_site.pdf import sheet_response
from guandan_site.prints import selectors
from guandan_site.prints.sheets import Sheet, hanging_sheet, phones_on_sheets, standings_sheet
from pairing.phones import phones_address
from pairing.selectors.packs import event_packs
from pairing.selectors.published import draw_sheet
from pairing.selectors.ranking import event_ranking
from scoring.selectors import COUNTING, Standings, stage_standings
from tournaments import workbooks
from tournaments.access import official_event
from tournaments.models import NAME_LENGTH, Audience, Event, Round, Stage
from tournaments.roles import ASSIST, DIRECT
from tournaments.selectors.singles import draw_results
from tournaments.sheets import (
    grouped_by_department,
    podium,
)
from tournaments.typed import typed_line


@require_safe
@official_event(ASSIST)
def prints(request: HttpRequest, event: Event) -> HttpResponse:
    """Everything that can be printed now, the newest round first."""
    rounds = Round.objects.filter(stage__event=event, status__in=COUNTING).select_related("stage")
    newest_first = list(rounds.order_by("-stage__order", "-number"))
    context = {
        "event": event,
        "section": "prints",
        "phones": sheet_phones(request, event),
        "rounds": newest_first,
        "latest": newest_first[0] if newest_first else None,
        "packs": event_packs(event, sees_drafts=request.user.has_perm(DIRECT)),
        "has_teams": event.teams.exists(),
        "has_departments": event.teams.filter(department__isnull=False).exists(),
        "has_partners": event.partner_draws.exists(),
        "sessions": sorted(set(event.teams.exclude(session="").values_list("session", flat=True))),
    }
    return render(request, "prints/prints.html", context)


@require_safe
@official_event(ASSIST)
def roster_pdf(request: HttpRequest, event: Event) -> HttpResponse:
    """The numbered list to post on the wall, of all teams or of one session."""
    session = typed_line(request.GET, "session", NAME_LENGTH)
    rows, title = selectors.roster_rows(event, session), _("Roster")
    subtitle = " · ".join(filter(None, [session, _team_count(len(rows))]))
    context = {
        "head": selectors.sheet_head(event, title, subtitle=subtitle, phones=sheet_phones(request, event)),
        "rows": rows,
        "has_sessions": any(row.session for row in rows) and not session,
        "has_remarks": any(row.remark for row in rows),
    }
    return sheet_response("roster", context, f"{event.name} {title}")


@require_safe
@official_event(ASSIST)
def roster_by_department_pdf(request: HttpRequest, event: Event) -> HttpResponse:
    """The list for the departments' leaders."""
    rows, title = selectors.roster_rows(event), _("Roster by department")
    head = selectors.sheet_head(
        event, title, subtitle=_team_count(len(rows)), phones=sheet_phones(request, event)
    )
    context = {"head": head, "groups": grouped_by_department(rows)}
    return sheet_response("roster_by_department", context, f"{event.name} {title}")


@require_safe
@official_event(ASSIST)
def partners_pdf(request: HttpRequest, event: Event) -> HttpResponse:
    """搭档抽签结果: who drew which number, to post on the wall."""
    results, title = draw_results(event), _("Draw of partners")
    if not results:
        raise Http404("no draw of partners")
    context = {"head": selectors.sheet_head(event, title), "results": results}
    return sheet_response("partners", context, f"{event.name} {title}")


@require_safe
@official_event(ASSIST)
def rule_sheet_pdf(request: HttpRequest, event: Event) -> HttpResponse:
    """竞赛规程: the rules of all stages, discipline and prizes, on one or two pages."""
    title = _("Rule sheet")
    context = {
        "head": selectors.sheet_head(event, title, phones=sheet_phones(request, event)),
        "chapters": selectors.numbered_chapters(event),
    }
    return sheet_response("rule_sheet", context, f"{event.name} {title}")


@require_safe
@official_event(ASSIST)
def draw_pdf(request: HttpRequest, event: Event, stage: int, number: int, sheet: str) -> HttpResponse:
    """A round's draw by table, by number, or its result slips."""
    drawn = draw_sheet(_round(request, event, stage, number), Audience.HALL)
    return part_response(event, hanging_sheet(event, drawn, sheet, phones_address(request, event)))


@require_safe
@official_event(ASSIST)
def draw_xlsx(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    """A round's draw as a workbook: by table, by number, and a list to write results down."""
    drawn = draw_sheet(_round(request, event, stage, number))
    title = _("Round %(n)d draw") % {"n": number}
    return workbook_response(selectors.draw_sheets(drawn), f"{event.name} {title}")


@require_safe
@official_event(ASSIST)
def standings_pdf(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    """The standings after a round."""
    standings = _standings(event, stage, number)
    title = _("Standings after round %(n)d") % {"n": number}
    return part_response(event, standings_sheet(event, standings, title, phones_address(request, event)))


@require_safe
@official_event(ASSIST)
def standings_xlsx(request: HttpRequest, event: Event, stage: int, number: int) -> HttpResponse:
    """The standings after a round as a workbook."""
    headers, rows = selectors.standing_cells(_standings(event, stage, number))
    return list_response(event, _("Standings after round %(n)d") % {"n": number}, headers, rows)


@require_safe
@official_event(ASSIST)
def final_pdf(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """The final ranking, with the first three set large."""
    standings = _standings(event, stage, None)
    page, title = phones_address(request, event), _("Final ranking")
    context = dict(standings_sheet(event, standings, title, page).part.context)
    if _is_by_places(event, standings):
        context |= {"rows": selectors.place_rows(event_ranking(event)), "titles": [], "by_places": True}
    context["podium"] = podium(context["rows"])
    return sheet_response("final_ranking", context, f"{event.name} {title}")


@require_safe
@official_event(ASSIST)
def final_xlsx(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """The final ranking as a workbook."""
    standings = _standings(event, stage, None)
    if _is_by_places(event, standings):
        headers, rows = selectors.place_cells(event_ranking(event))
    else:
        headers, rows = selectors.standing_cells(standings)
    return list_response(event, _("Final ranking"), headers, rows)


def _is_by_places(event: Event, standings: Standings) -> bool:
    """Whether the final ranking is one of places: won in a bracket, or over several stages."""
    return standings.is_by_places or event.stages.filter(rounds__status__in=COUNTING).distinct().count() > 1


def _round(request: HttpRequest, event: Event, stage: int, number: int) -> Round:
    """A round to print; a draft only for who may see drafts."""
    rounds = Round.objects.filter(stage__event=event, stage__order=stage, number=number)
    round_ = rounds.select_related("stage").first()
    if round_ is None:
        raise Http404("no such round")
    if round_.is_draft and not request.user.has_perm(DIRECT):
        raise PermissionDenied
    return round_


def _standings(event: Event, stage_order: int, number: int | None) -> Standings:
    stage = Stage.objects.filter(event=event, order=stage_order).first()
    if stage is None:
        raise Http404("no such stage")
    standings = stage_standings(stage, after_round=number, audience=Audience.HALL)
    if number is not None and standings.after_round != number:
        raise Http404("no such round")
    return standings


def part_response(event: Event, sheet: Sheet) -> HttpResponse:
    """A sheet of the event as PDF, saved under both names."""
    return sheet_response(sheet.part.template, sheet.part.context, f"{event.name} {sheet.title}")


def sheet_phones(request: HttpRequest, event: Event) -> str:
    """The address for the QR code of a sheet; empty where no phone would get there."""
    return phones_on_sheets(event, phones_address(request, event))


def _team_count(count: int) -> str:
    return _("%(count)d teams") % {"count": count}


def list_response(event: Event, title: str, headers: list[str], rows: list[list[str | int]]) -> HttpResponse:
    """A list as a workbook of one sheet, named after the event."""
    sheet = workbooks.Sheet(title, headers, rows, is_landscape=len(headers) > 7)
    return workbook_response([sheet], f"{event.name} {title}")
