"""Cross-tables and brackets on paper, and cross-tables as workbooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from guandan_site.downloads import workbook_response
from guandan_site.pdf import sheet_response
from guandan_site.prints import selectors
from guandan_site.prints.views import sheet_phones
from pairing.bracket_parts import TYPE, Drawing
from pairing.bracket_texts import drawings
from pairing.selectors.brackets import PublicBracket, public_bracket
from pairing.selectors.cross_tables import CrossRow, CrossTable, CrossTables, Meeting, cross_tables
from scoring.wording import level_text
from tournaments.access import official_event
from tournaments.models import Audience, Event, Stage, StageFormat
from tournaments.roles import ASSIST
from tournaments.workbooks import Sheet, Value

A4, A3 = (267, 150), (390, 236)
"""What is left for a bracket on a page in landscape, wide and high, in mm."""
SMALLEST_TYPE = 2.45
"""The smallest type on A4, in mm (7 points): whatever would be smaller goes on A3."""
ROWS_OF_TWO_GROUPS = 6
"""Teams of the largest group with which two groups share a page."""


@dataclass(frozen=True)
class BracketPage:
    """One picture at the size in which it fills its page, in mm."""

    drawing: Drawing
    width: str
    height: str


@require_safe
@official_event(ASSIST)
def bracket_pdf(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """The bracket (对阵图) on A4 or A3, a large one on several pages."""
    public = _bracket(event, stage)
    title = _("Bracket")
    parts = drawings(public)
    paper = A4 if all(_scale(part, A4) * TYPE >= SMALLEST_TYPE for part in parts) else A3
    context = {
        "head": selectors.sheet_head(
            event, title, subtitle=public.stage.name, phones=sheet_phones(request, event)
        ),
        "pages": [_page(part, paper) for part in parts],
        "is_large": paper is A3,
        "champion": public.teams[public.champion] if public.champion else None,
    }
    return sheet_response("bracket", context, f"{event.name} {public.stage.name} {title}")


def _scale(drawing: Drawing, paper: tuple[int, int]) -> float:
    """Millimetres a pixel; a small bracket is not blown up beyond twice the usual type."""
    return min(paper[0] / drawing.width, paper[1] / drawing.height, 2 * SMALLEST_TYPE / TYPE)


def _page(drawing: Drawing, paper: tuple[int, int]) -> BracketPage:
    scale = _scale(drawing, paper)
    return BracketPage(drawing, f"{drawing.width * scale:.1f}mm", f"{drawing.height * scale:.1f}mm")


@require_safe
@official_event(ASSIST)
def cross_table_pdf(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """The cross-tables (循环表), one or two groups to a page."""
    cross = _cross_tables(event, stage)
    title = _("Cross-table")
    rows = max(len(table.rows) for table in cross.tables)
    context = {
        "head": selectors.sheet_head(
            event, title, subtitle=cross.stage.name, phones=sheet_phones(request, event)
        ),
        "cross": cross,
        "size": 2 if rows <= ROWS_OF_TWO_GROUPS else 1,
        "is_dense": rows > 2 * ROWS_OF_TWO_GROUPS,
    }
    return sheet_response("cross_table", context, f"{event.name} {cross.stage.name} {title}")


@require_safe
@official_event(ASSIST)
def cross_table_xlsx(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """The cross-tables as a workbook, one sheet a group."""
    cross = _cross_tables(event, stage)
    sheets = [_sheet(table) for table in cross.tables]
    return workbook_response(sheets, f"{event.name} {cross.stage.name} {_('Cross-table')}")


def _sheet(table: CrossTable) -> Sheet:
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
    return Sheet(title, headers, rows, is_landscape=True)


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
