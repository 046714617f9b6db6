"""Sheets as PDF and as workbooks, for officials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urljoin

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from guandan_site.downloads import workbook_response
from guandan_site.pdf import sheet_response
from guandan_site.prints import selectors
from pairing import wording
from pairing.phones import phones_address, reaches_phones
from pairing.selectors.published import DrawSheet, draw_sheet
from pairing.selectors.ranking import event_ranking
from scoring.engine.rules import ScoringModel
from scoring.selectors import COUNTING, Standings, stage_rules, stage_standings
from scoring.statements import confirmation_rules
from scoring.table_codes import codes_of
from scoring.wording import KEY_NAMES
from tournaments.access import official_event
from tournaments.models import NAME_LENGTH, Audience, Event, Round, Stage
from tournaments.roles import ASSIST, DIRECT
from tournaments.selectors.singles import draw_results
from tournaments.sheets import (
    columns_by_number,
    cut_stack,
    grouped_by_department,
    ordered_by_number,
    podium,
)
from tournaments.workbooks import Sheet


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
    session = request.GET.get("session", "")[:NAME_LENGTH]
    rows = selectors.roster_rows(event, session)
    subtitle = " · ".join(filter(None, [session, _team_count(len(rows))]))
    context = {
        "head": selectors.sheet_head(
            event, _("Roster"), subtitle=subtitle, phones=sheet_phones(request, event)
        ),
        "rows": rows,
        "has_sessions": any(row.session for row in rows) and not session,
        "has_remarks": any(row.remark for row in rows),
    }
    return sheet_response("roster", context, f"{event.name} {_('Roster')}")


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
    title = _SHEET_TITLES[sheet]() % {"n": number}
    publication = drawn.publication
    head = selectors.sheet_head(
        event,
        title,
        subtitle=_round_subtitle(drawn),
        version=_version(drawn),
        at=publication.published_at if publication else None,
        notice=wording.correction(drawn.correction) if drawn.correction else "",
        phones=sheet_phones(request, event),
    )
    phones = table_phones(request, event, drawn.round) if sheet in _OF_TABLES else {}
    content = _SHEETS[sheet](drawn, phones)
    return sheet_response(sheet.replace("-", "_"), {"head": head, **content}, f"{event.name} {title}")


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
    return sheet_response(
        "standings", _standings_context(request, event, standings, title), f"{event.name} {title}"
    )


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
    context = _standings_context(request, event, standings, _("Final ranking"))
    if _is_by_places(event, standings):
        context |= {"rows": selectors.place_rows(event_ranking(event)), "titles": [], "by_places": True}
    context["podium"] = podium(context["rows"])
    return sheet_response("final_ranking", context, f"{event.name} {_('Final ranking')}")


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


def _by_table(drawn: DrawSheet, _phones: Mapping[int, str]) -> dict[str, Any]:
    return {"rows": selectors.draw_rows(drawn)}


def _by_number(drawn: DrawSheet, _phones: Mapping[int, str]) -> dict[str, Any]:
    rows = ordered_by_number(selectors.draw_by_number_rows(drawn))
    return {"rows": rows, "columns": columns_by_number(rows)}


def _slips(drawn: DrawSheet, phones: Mapping[int, str]) -> dict[str, Any]:
    """Slips ask for the deals won where points go by them."""
    scoring = stage_rules(drawn.round.stage).scoring
    counts_deals = scoring.model is ScoringModel.PER_DEAL
    return {"pages": cut_stack(selectors.slip_rows(drawn, phones)), "counts_deals": counts_deals}


def _cards(drawn: DrawSheet, phones: Mapping[int, str]) -> dict[str, Any]:
    return {
        "rows": selectors.slip_rows(drawn, phones),
        "rules_line": selectors.rules_line(drawn.round.stage),
        "halves": ("upper", "lower"),
    }


_OF_TABLES = {"slips", "cards"}
_SHEETS: Mapping[str, Callable[[DrawSheet, Mapping[int, str]], dict[str, Any]]] = {
    "cards": _cards,
    "draw-by-table": _by_table,
    "draw-by-number": _by_number,
    "slips": _slips,
}
_SHEET_TITLES: Mapping[str, Callable[[], str]] = {
    "draw-by-table": lambda: _("Round %(n)d draw by table"),
    "draw-by-number": lambda: _("Round %(n)d draw by number"),
    "slips": lambda: _("Round %(n)d result slips"),
    "cards": lambda: _("Round %(n)d table cards"),
}


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


def _standings_context(
    request: HttpRequest, event: Event, standings: Standings, title: str
) -> dict[str, Any]:
    incomplete = standings.incomplete_rounds
    subtitle = _("round %(n)d still in play") % {"n": incomplete[0]} if incomplete else standings.stage.name
    unconfirmed = sum(standings.unconfirmed.values())
    if unconfirmed:
        words = ngettext("%(n)d result not confirmed", "%(n)d results not confirmed", unconfirmed)
        subtitle = f"{subtitle} · {words % {'n': unconfirmed}}"
    return {
        "head": selectors.sheet_head(event, title, subtitle=subtitle, phones=sheet_phones(request, event)),
        "titles": [str(KEY_NAMES[key]) for key in selectors.key_columns(standings)],
        "rows": selectors.standing_rows(standings),
    }


def sheet_phones(request: HttpRequest, event: Event) -> str:
    """The address for the QR code of a sheet; empty where no phone would get there."""
    address = phones_address(request, event)
    return address if event.is_public and reaches_phones(address) else ""


def table_phones(request: HttpRequest, event: Event, round_: Round) -> dict[int, str]:
    """The addresses of the tables' phone pages by table; none where no phone would get there. One query."""
    event_page = phones_address(request, event)
    if not confirmation_rules(round_.stage).has_phones or not reaches_phones(event_page):
        return {}
    return {
        table: urljoin(event_page, reverse("table_phone", args=[token]))
        for table, token in codes_of(round_).items()
    }


def version_words(version: int) -> str:
    """第 2 版, as a sheet says it."""
    return _("Version %(version)d") % {"version": version}


def _version(drawn: DrawSheet) -> str:
    if drawn.publication:
        return version_words(drawn.publication.version)
    return _("draft, not published") if drawn.round.is_draft else ""


def _round_subtitle(drawn: DrawSheet) -> str:
    stage = drawn.round.stage
    if stage.minutes is None:
        return stage.name
    return _("%(stage)s · %(minutes)d minutes") % {"stage": stage.name, "minutes": stage.minutes}


def _team_count(count: int) -> str:
    return _("%(count)d teams") % {"count": count}


def list_response(event: Event, title: str, headers: list[str], rows: list[list[str | int]]) -> HttpResponse:
    """A list as a workbook of one sheet, named after the event."""
    sheet = Sheet(title, headers, rows, is_landscape=len(headers) > 7)
    return workbook_response([sheet], f"{event.name} {title}")
