"""为什么是这一桌: the reasons of one table, for everybody who may see the round, and for the chief before."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pairing import why_words
from pairing.selectors.published import published_round
from pairing.selectors.tables import drawn_round
from pairing.selectors.why import why_of_team
from tournaments.access import official_event, public_event
from tournaments.models import Event, Round
from tournaments.roles import DIRECT


@require_safe
@public_event
def why(request: HttpRequest, event: Event, stage: int, round: int, number: int) -> HttpResponse:
    """Why a team sits where it sits; a round that not everybody may see answers as one that is not there."""
    return _page(request, event, published_round(event, stage, round), number, "public.html")


@require_safe
@official_event(DIRECT)
def why_official(request: HttpRequest, event: Event, stage: int, round: int, number: int) -> HttpResponse:
    """The same of a draft, or of what only the hall sees."""
    return _page(request, event, drawn_round(event, stage, round), number, "official.html")


def _page(request: HttpRequest, event: Event, round_: Round | None, number: int, layout: str) -> HttpResponse:
    if round_ is not None:
        round_.stage.event = event
    found = why_of_team(round_, number) if round_ is not None else None
    if found is None:
        raise Http404("no such seat")
    context = {
        "event": event,
        "section": "draw" if layout == "public.html" else "draw_board",
        "layout": layout,
        "stage": found.round.stage,
        "round": found.round,
        "why": found,
        "sides": [found.first, *([found.second] if found.second else [])],
        "rule": why_words.rule_sentence(found),
        "bye_rule": why_words.bye_sentence(found) if found.away is None else "",
        "reasons": why_words.reasons(found),
        "about": why_words.about_table(found),
        "next": why_words.next_sentence(found),
        "by_hand": why_words.table_by_hand_sentence(found.draw.by_hand, found.match.table)
        if found.is_by_hand
        else "",
    }
    return render(request, "pairing/why.html", context)
