"""The chief's draw board: draw, look, change, throw away."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pairing import wording
from pairing.forms.draws import (
    AgainForm,
    DrawForm,
    MeetingForm,
    SeenDraftForm,
    SwapForm,
)
from pairing.selectors.board import (
    Draft,
    broken_by_meeting,
    newest_round,
    round_draft,
    swapped,
    teams_by_number,
)
from pairing.services import (
    MeetingWish,
    discard_draft,
    redraw_round,
    set_meeting,
    swap_published,
    swap_teams,
)
from pairing.services.check_in import draw_checked_round
from pairing.services.refusals import (
    DraftGone,
    NotTwoSeats,
    ReasonMissing,
    UnconfirmedWarnings,
)
from pairing.views.board import answer, board, board_stage
from pairing.views.common import seen_round
from tournaments.access import official_event, signed_in_user
from tournaments.models import Event, StageFormat, Team
from tournaments.roles import DIRECT

BETWEEN = re.compile(r"[\s,，、;；/+-]+")
"""What stands between two numbers that somebody types into one box."""


@require_safe
@official_event(DIRECT)
def draw_board(request: HttpRequest, event: Event) -> HttpResponse:
    """What can be drawn, the draft, or what is published."""
    return board(request, event)


@require_POST
@official_event(DIRECT)
def draw_make(request: HttpRequest, event: Event) -> HttpResponse:
    """Draws the next round as a draft."""
    form = DrawForm(request.POST)
    if not form.is_valid():
        return board(request, event, form=form, status=422)
    chosen = form.cleaned_data
    return answer(
        request,
        event,
        lambda: draw_checked_round(
            stage=board_stage(request, event),
            by=signed_in_user(request),
            unchecked=chosen["unchecked"],
            seed=chosen["seed"],
            relaxations=chosen["relaxation"],
            method=chosen["method"],
        ),
        form,
    )


@require_POST
@official_event(DIRECT)
def draw_again(request: HttpRequest, event: Event) -> HttpResponse:
    """Draws the draft again, by another seed or with other options."""
    form = AgainForm(request.POST)
    if not form.is_valid():
        return board(request, event, form=form, status=422)
    chosen = form.cleaned_data
    return answer(
        request,
        event,
        lambda: redraw_round(
            round=seen_round(event, form),
            by=signed_in_user(request),
            expected_version=chosen["version"],
            seed=chosen["seed"],
            relaxations=chosen["relaxation"] or None,
            method=chosen["method"],
        ),
        form,
    )


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(DIRECT)
def draw_swap(request: HttpRequest, event: Event) -> HttpResponse:
    """Two teams of the draft: what changing their places would do, and doing it."""
    if request.method != "POST":
        typed = BETWEEN.split(request.GET.get("teams", "").strip())
        return _swap_page(request, event, request.GET.getlist("team") or typed)
    form = SwapForm(request.POST)
    if not form.is_valid():
        return board(request, event, problem=_("Choose two teams."), status=422)
    chosen = form.cleaned_data

    def swap() -> None:
        first, second = _two_teams(event, form)
        round_ = seen_round(event, form)
        facts = {
            "round": round_,
            "first": first,
            "second": second,
            "by": signed_in_user(request),
            "expected_version": chosen["version"],
            "confirmed": chosen["confirmed"],
        }
        if round_.is_draft:
            swap_teams(**facts)
        else:
            swap_published(**facts, reason=chosen["reason"])

    try:
        return answer(request, event, swap, passed_on=(UnconfirmedWarnings, ReasonMissing))
    except (UnconfirmedWarnings, ReasonMissing) as refused:
        teams = [str(chosen["first"]), str(chosen["second"])]
        problem = wording.refusal(refused)
        return _swap_page(request, event, teams, problem=problem, reason=chosen["reason"], status=422)


@require_POST
@official_event(DIRECT)
def draw_meeting(request: HttpRequest, event: Event) -> HttpResponse:
    """Sets or forbids that two teams meet and draws again."""
    form = MeetingForm(request.POST)
    if not form.is_valid():
        return board(request, event, problem=_("Choose two teams."), status=422)
    chosen = form.cleaned_data

    def set_wish() -> None:
        first, second = _two_teams(event, form)
        set_meeting(
            round=seen_round(event, form),
            first=first,
            second=second,
            wish=MeetingWish(chosen["wish"]),
            by=signed_in_user(request),
            expected_version=chosen["version"],
        )

    return answer(request, event, set_wish)


@require_POST
@official_event(DIRECT)
def draw_discard(request: HttpRequest, event: Event) -> HttpResponse:
    """Throws the draft away."""
    form = SeenDraftForm(request.POST)
    if not form.is_valid():
        return board(request, event, problem=wording.refusal(DraftGone()), status=422)
    return answer(
        request,
        event,
        lambda: discard_draft(
            round=seen_round(event, form),
            by=signed_in_user(request),
            expected_version=form.cleaned_data["version"],
        ),
    )


def _not_two_teams(draft: Draft, typed: Sequence[str], numbers: Sequence[int]) -> str:
    """What is wrong with the numbers typed for a swap."""
    unknown = [number for number in numbers if draft.standing(number) is None]
    if unknown:
        return _("No team has number %(number)s.") % {"number": wording.numbers(unknown)}
    if len(typed) == 2 and len(numbers) == 2:
        return _("Type two different teams.")
    return _("Choose exactly two teams.")


def _swap_page(
    request: HttpRequest,
    event: Event,
    teams: Sequence[str],
    *,
    problem: str = "",
    reason: str = "",
    status: int = 200,
) -> HttpResponse:
    newest = newest_round(board_stage(request, event))
    if newest is None or newest.is_completed or newest.stage.format != StageFormat.SWISS:
        return redirect("draw_board", event.slug)
    draft = round_draft(newest)
    numbers = [int(team) for team in teams if team.isdecimal() and len(team) <= 6]
    standings = [row for row in map(draft.standing, numbers) if row is not None]
    is_fragment = bool(request.headers.get("HX-Request"))
    if len(teams) != 2 or len(standings) != 2 or numbers[0] == numbers[1]:
        not_two = _not_two_teams(draft, teams, numbers)
        if is_fragment:
            return render(request, "pairing/_swap_typed.html", {"teams": teams, "problem": not_two})
        return board(request, event, problem=not_two, status=422)
    first, second = standings
    context = {
        "event": event,
        "section": "draw_board",
        "draft": draft,
        "first": first,
        "second": second,
        "swap": swapped(draft, first, second),
        "placeless": [place.team.number for place in standings if not draft.has_place(place)],
        "if_they_meet": broken_by_meeting(draft, first, second),
        "wish": _wish(draft, first.team.number, second.team.number),
        "problem": problem,
        "reason": reason,
    }
    page = "pairing/_swap_card.html" if is_fragment else "pairing/draw_swap.html"
    return render(request, page, context, status=status)


def _wish(draft: Draft, first: int, second: int) -> str:
    for wish in draft.wishes:
        if {wish.first.number, wish.second.number} == {first, second}:
            return wish.kind
    return ""


def _two_teams(event: Event, form: SwapForm) -> list[Team]:
    teams = teams_by_number(event, form.cleaned_data["first"], form.cleaned_data["second"])
    if len(teams) != 2:
        raise NotTwoSeats
    return teams
