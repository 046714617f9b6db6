"""Cross-tables and brackets on paper, and cross-tables as workbooks."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from guandan_site.downloads import workbook_response
from guandan_site.prints import selectors
from guandan_site.prints.sheets import Sheet, bracket_sheet, cross_table_sheet
from guandan_site.prints.views import part_response
from pairing.phones import phones_address
from pairing.selectors.brackets import PublicBracket, public_bracket
from pairing.selectors.cross_tables import CrossRow, CrossTable, CrossTables, Meeting, cross_tables
from scoring.wording import level_text
from tournaments import workbooks
from tournaments.access import official_event
from tournaments.models import Audience, Event, Stage, StageFormat
from tournaments.roles import ASSIST
from tournaments.workbooks import Value


@require_safe
@official_event(ASSIST)
def bracket_pdf(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """The bracket (对阵图) on A4 or A3, a large one on several pages."""
    public = _bracket(event, stage)
    return _of_stage(event, public.stage, bracket_sheet(event, public, phones_address(request, event)))


@require_safe
@official_event(ASSIST)
def cross_table_pdf(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """The cross-tables (循环表), one or two groups to a page."""
    cross = _cross_tables(event, stage)
    return _of_stage(event, cross.stage, cross_table_sheet(event, cross, phones_address(request, event)))


def _of_stage(event: Event, stage: Stage, sheet: Sheet) -> HttpResponse:
    """A sheet whose title is the same in every stage."""
    named = Sheet(f"{stage.name} {sheet.title}", sheet.part)
    return part_response(event, named)


@require_safe
@official_event(ASSIST)
def cross_table_xlsx(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """The cross-tables as a workbook, one sheet a group."""
    cross = _cross_tables(event, stage)
    sheets, title = [_sheet(table) for table in cross.tables], _("Cross-table")
    return workbook_response(sheets, f"{event.name} {cross.stage.name} {title}")


def _sheet(table: CrossTable) -> workbooks.Sheet:
    headers = [
        _("Team number"),
        _("Players"),
        _("Department"),
        *(str(row.team.number) for row in table.rows),
        _("Points"),
        _("Rank"),
        _("Remark"),
    ]
    rows = [_cells(row, place) for place, row in enumerate(table.rows)]
    title = table.group.title if table.group else _("Cross-table")
    return workbooks.Sheet(title, headers, rows, is_landscape=True)


def _cells(row: CrossRow, own: int) -> Sequence[Value]:
    """A row of the workbook; points and ranks stay numbers."""
    team, standing = row.team, row.standing
    met = ("–" if place == own else _met(meetings) for place, meetings in enumerate(row.meetings))
    remarks = {_("withdrawn"): team.is_withdrawn, _("advances"): row.advances}
    return [
        team.number,
        team.player_names,
        team.department.name if team.department else "",
        *met,
        standing.points if standing else "",
        selectors.rank_words(standing.rank, standing.is_shared) if standing else "",
        " ".join(word for word, is_so in remarks.items() if is_so),
    ]


def _met(meetings: Sequence[Meeting]) -> str:
    """The meetings of two teams in a cell, one a line: 过A:10 (18)."""
    return "\n".join(_meeting(meeting) for meeting in meetings if meeting.result is not None)


def _meeting(meeting: Meeting) -> str:
    levels = " ".join(f"{level_text(own)}:{level_text(other)}" for own, other in meeting.levels)
    return f"{levels or _unplayed(meeting)} ({meeting.points})"


def _unplayed(meeting: Meeting) -> str:
    if meeting.is_forfeited:
        return pgettext("beside a team", "forfeit")
    return _("irregular") if meeting.is_irregular else _("won")


def _bracket(event: Event, order: int) -> PublicBracket:
    public = public_bracket(_stage(event, order, StageFormat.KNOCKOUT), Audience.HALL)
    if public is None:
        raise Http404("no published round")
    return public


def _cross_tables(event: Event, order: int) -> CrossTables:
    cross = cross_tables(_stage(event, order, StageFormat.ROUND_ROBIN), Audience.HALL)
    if cross is None:
        raise Http404("no published round")
    return cross


def _stage(event: Event, order: int, format_: StageFormat) -> Stage:
    stage = event.stages.filter(order=order, format=format_).first()
    if stage is None:
        raise Http404("no such stage")
    stage.event = event
    return stage
