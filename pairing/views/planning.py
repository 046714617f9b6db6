"""The planner: formats for a field, a hall and a day. Nothing is stored; the address holds the wishes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from pairing.forecast_words import tried_sentence
from pairing.selectors.planned import planned_forecast
from tournaments.access import administrator
from tournaments.forms.planning import PlannerForm
from tournaments.plan_words import (
    FORMAT_EXPLANATIONS,
    FORMAT_NAMES,
    clock_text,
    duration_text,
    remark_text,
)
from tournaments.planner import PlanFormat, Proposal, certain_rounds, most_rounds, proposals

PRESETS: Mapping[PlanFormat, str] = {
    PlanFormat.SWISS: "default",
    PlanFormat.GROUPS_KNOCKOUT: "general-groups",
    PlanFormat.KNOCKOUT: "general-knockout",
    PlanFormat.ROUND_ROBIN: "general-round-robin",
}
"""The general rules in each format."""


@dataclass(frozen=True)
class PlanCard:
    """One proposal in words, with the address that creates it."""

    plan: Proposal
    name: str
    explanation: str
    ends: str
    duration: str
    remarks: tuple[tuple[str, bool], ...]
    """Each remark's text, and whether it prevents the proposal."""
    draws: tuple[int, int] | None
    """How many Swiss rounds can be drawn for certain, and at most."""
    tried: str
    """How many of the rounds could be drawn with chance results, where that is not certain."""
    address: str


@require_safe
@administrator
def planner(request: HttpRequest) -> HttpResponse:
    """The form, and a card for each format that the wishes allow, what can be played first."""
    form = PlannerForm(request.GET if "teams" in request.GET else None)
    is_asked = form.is_bound and form.is_valid()
    cards = [_card(plan, form) for plan in proposals(form.wishes())] if is_asked else []
    context = {"form": form, "cards": cards, "section": "home"}
    is_refused = form.is_bound and not is_asked
    return render(request, "pairing/planner.html", context, status=422 if is_refused else 200)


def _card(plan: Proposal, form: PlannerForm) -> PlanCard:
    return PlanCard(
        plan=plan,
        name=str(FORMAT_NAMES[plan.format]),
        explanation=str(FORMAT_EXPLANATIONS[plan.format]),
        ends=clock_text(plan.ends),
        duration=duration_text(plan.duration),
        remarks=tuple((remark_text(remark), remark.prevents) for remark in plan.remarks),
        draws=_draws(plan),
        tried=_tried(plan),
        address=_create_address(plan, form),
    )


def _draws(plan: Proposal) -> tuple[int, int] | None:
    if plan.format is not PlanFormat.SWISS:
        return None
    field = plan.wishes.teams, plan.wishes.department
    return certain_rounds(*field), most_rounds(*field)


def _tried(plan: Proposal) -> str:
    draws = _draws(plan)
    if draws is None or not draws[0] < plan.rounds <= draws[1]:
        return ""
    found = planned_forecast(plan.wishes.teams, plan.wishes.department, plan.rounds)
    return tried_sentence(found) if found is not None else ""


def _create_address(plan: Proposal, form: PlannerForm) -> str:
    """The form of a new event with this proposal filled in."""
    filled: dict[str, str | int] = {"preset": PRESETS[plan.format], "minutes": plan.wishes.minutes}
    if plan.format is PlanFormat.SWISS:
        filled["rounds"] = plan.rounds
    if plan.format is PlanFormat.GROUPS_KNOCKOUT:
        filled["groups"] = plan.groups
    begins = form.begins()
    if begins:
        filled["starts_at"] = begins.strftime("%Y-%m-%dT%H:%M")
    return f"{reverse('event_create')}?{urlencode(filled)}"
