"""The versions of a round's tables, each as it was published, and what changed between them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pairing.selectors.published import published_round
from pairing.selectors.versions import Version, corrections, round_versions
from tournaments.access import official_event, public_event
from tournaments.models import Audience, Event, Round
from tournaments.roles import ASSIST


@require_safe
@official_event(ASSIST)
def versions(request: HttpRequest, event: Event, stage: int, round: int) -> HttpResponse:
    """All versions of a published round, withdrawn ones too, with what each changed."""
    round_ = _round(event, stage, round, Audience.HALL)
    found = round_versions(round_, Audience.HALL)
    context = {
        "event": event,
        "section": "prints",
        "stage": round_.stage,
        "round": round_,
        "versions": found[::-1],
        "corrections": corrections(found),
    }
    return render(request, "pairing/versions.html", context)


@require_safe
@official_event(ASSIST)
def version(request: HttpRequest, event: Event, stage: int, round: int, version: int) -> HttpResponse:
    """One version as it was published, whatever became of it since."""
    round_ = _round(event, stage, round, Audience.HALL)
    context = {
        "event": event,
        "section": "prints",
        "stage": round_.stage,
        "round": round_,
        "version": numbered_version(round_, version),
        "by_number": request.GET.get("by") == "number",
    }
    return render(request, "pairing/version.html", context)


@require_safe
@public_event
def changes(request: HttpRequest, event: Event, stage: int, round: int) -> HttpResponse:
    """What each version that everybody saw changed of the one before, team by team."""
    round_ = _round(event, stage, round, Audience.EVERYBODY)
    context = {
        "event": event,
        "section": "draw",
        "stage": round_.stage,
        "round": round_,
        "corrections": corrections(round_versions(round_)),
    }
    return render(request, "pairing/changes.html", context)


def numbered_version(round_: Round, number: int) -> Version:
    """A version of the round by its number; 404 for one that is not kept. One query."""
    for each in round_versions(round_, Audience.HALL):
        if each.number == number:
            return each
    raise Http404("no such version")


def _round(event: Event, stage: int, number: int, audience: Audience) -> Round:
    round_ = published_round(event, stage, number, audience)
    if round_ is None:
        raise Http404("no such round")
    return round_
