"""A team's own page for everybody."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pairing.selectors.published import hanging, newest_published_round
from scoring.views.standings import team_facts
from tournaments.access import public_event
from tournaments.models import Event


@require_safe
@public_event
def team(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Its rounds, its rank and the proof of it, and first of all what a correction (更正) changed for it."""
    context = team_facts(event, number)
    round_ = newest_published_round(event)
    correction = hanging(round_)[1] if round_ is not None else None
    if correction is not None and (correction.before is None or correction.move_of(number)):
        context |= {"correction": correction, "move": correction.move_of(number), "corrected": round_}
    return render(request, "pairing/team.html", context)
