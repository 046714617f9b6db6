"""What everybody sees of a format beside its rounds: a knockout's bracket, the cross-tables of groups."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pairing.bracket_texts import bracket_lines, drawings
from pairing.selectors.brackets import public_bracket
from pairing.selectors.cross_tables import cross_tables
from scoring.penalty_rows import counted_notes
from tournaments.access import public_event
from tournaments.models import Event, Stage, StageFormat


@require_safe
@public_event
def bracket(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """The bracket (对阵图) as a picture and, below it, as a table."""
    stages, found = _stages(event, stage, StageFormat.KNOCKOUT)
    public = public_bracket(found)
    context = {
        "event": event,
        "stage": found,
        "stages": stages,
        "section": "bracket",
        "bracket": public,
        "drawings": drawings(public) if public else (),
        "rounds": list(bracket_lines(public)) if public else (),
        "champion": public.teams[public.champion] if public and public.champion else None,
    }
    return render(request, "pairing/bracket.html", context)


@require_safe
@public_event
def cross_table(request: HttpRequest, event: Event, stage: int) -> HttpResponse:
    """The cross-tables (循环表) of all groups."""
    stages, found = _stages(event, stage, StageFormat.ROUND_ROBIN)
    cross = cross_tables(found)
    context = {
        "event": event,
        "stage": found,
        "stages": stages,
        "section": "cross_table",
        "cross": cross,
        "notes": counted_notes(found, cross.standings.after_round) if cross else (),
    }
    return render(request, "pairing/cross_table.html", context)


def _stages(event: Event, order: int, format_: StageFormat) -> tuple[list[Stage], Stage]:
    """All stages, for the tabs, and the one of the address. One query."""
    stages = list(event.stages.order_by("order"))
    for stage in stages:
        stage.event = event
        if stage.order == order and stage.format == format_:
            return stages, stage
    raise Http404("no such stage")
