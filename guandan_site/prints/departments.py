"""The departments' ranking on paper and as a workbook."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from guandan_site.pdf import sheet_response
from guandan_site.prints.selectors import sheet_head
from guandan_site.prints.views import list_response, sheet_phones
from scoring.department_standings import DepartmentStanding, DepartmentStandings, department_standings
from tournaments.access import official_event
from tournaments.models import Audience, Event
from tournaments.roles import ASSIST


@require_safe
@official_event(ASSIST)
def departments_pdf(request: HttpRequest, event: Event) -> HttpResponse:
    """The departments with the teams that count."""
    found, title = _found(event), _("Departments’ ranking")
    context = {
        "head": sheet_head(event, title, subtitle=_subtitle(found), phones=sheet_phones(request, event)),
        "rules": found.rules,
        "rows": found.rows,
    }
    return sheet_response("departments", context, f"{event.name} {title}")


@require_safe
@official_event(ASSIST)
def departments_xlsx(request: HttpRequest, event: Event) -> HttpResponse:
    """The departments with the teams that count, one row each; numbers stay numbers."""
    headers = [_("Rank"), _("Department"), _("Points"), _("Sum of ranks"), _("Teams that count"), _("Remark")]
    rows = [_cells(each) for each in _found(event).rows]
    return list_response(event, _("Departments’ ranking"), headers, rows)


def _found(event: Event) -> DepartmentStandings:
    found = department_standings(event, Audience.HALL)
    if found is None:
        raise Http404("no stage")
    return found


def _subtitle(found: DepartmentStandings) -> str:
    incomplete = found.standings.incomplete_rounds
    return _("round %(n)d still in play") % {"n": incomplete[0]} if incomplete else found.stage.name


def _cells(each: DepartmentStanding) -> list[str | int]:
    teams = _(", ").join(f"{place.team.number} ({place.points})" for place in each.counted)
    return [_rank(each), each.department.name, each.row.points, each.row.ranks, teams, each.why]


def _rank(each: DepartmentStanding) -> str | int:
    if each.row.rank is None:
        return "–"
    shared = pgettext("mark on a sheet", "shared")
    return f"{each.row.rank} {shared}" if each.row.is_shared else each.row.rank
