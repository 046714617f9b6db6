"""The departments' ranking, for everybody."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.department_standings import department_standings as found_standings
from tournaments.access import public_event
from tournaments.models import Event


@require_safe
@public_event
def department_standings(request: HttpRequest, event: Event) -> HttpResponse:
    """The departments by the points of their best teams, and which teams those are."""
    found = found_standings(event)
    if found is None:
        raise Http404("no stage")
    context = {
        "event": event,
        "stage": found.stage,
        "section": "standings",
        "standings": found.standings,
        "rules": found.rules,
        "rows": found.rows,
    }
    return render(request, "scoring/departments.html", context)
