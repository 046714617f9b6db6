"""The chief's draw board: draw, look, change, publish, withdraw."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pairing import wording
from pairing.bracket_texts import stage_round_name
from pairing.check_in_words import left_out_words
from pairing.engine.formats import InvalidFormat
from pairing.engine.tables import TooFewTables
from pairing.engine.types import InvalidPairingRules, NoLegalDraw, Relaxation
from pairing.forms.draws import (
    AgainForm,
    DrawForm,
    MeetingForm,
    PublishForm,
    ReopenForm,
    SeenDraftForm,
    SwapForm,
)
from pairing.selectors.blocked import blocked_teams
from pairing.selectors.board import (
    Draft,
    broken_by_meeting,
    event_round,
    newest_round,
    round_draft,
    swapped,
    tables_with_results,
    team_numbers,
    teams_by_number,
)
from pairing.selectors.by_hand import changed_by_hand
from pairing.selectors.check_in import missing_teams
from pairing.selectors.forecasts import stage_forecast
from pairing.selectors.inputs import teams_to_draw
from pairing.selectors.latecomers import unseated_teams
from pairing.selectors.published import draw_sheet
from pairing.selectors.screens import running_ceremony
from pairing.selectors.stages import unseated_matches
from pairing.selectors.versions import is_as_published
from pairing.services import (
    MeetingWish,
    discard_draft,
    end_notice,
    next_round_number,
    open_to_everybody,
    publish_round,
    publish_with_ceremony,
    redraw_round,
    reopen_round,
    republish,
    set_meeting,
    skip_ceremony,
    start_ceremony,
    swap_published,
    swap_teams,
    withdraw_publication,
)
from pairing.services.check_in import Unchecked, draw_checked_round
from pairing.services.refusals import (
    DraftGone,
    NotTwoSeats,
    ReasonMissing,
    Refused,
    SelfScheduled,
    StageNotBegun,
    UnconfirmedWarnings,
)
from pairing.views.common import posted_round
from scoring.engine.rules import InvalidRules
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Audience, Event, Round, Stage, StageFormat, Team
from tournaments.roles import DIRECT
from tournaments.selectors.stages import current_stage

BETWEEN = re.compile(r"[\s,，、;；/+-]+")
"""What stands between two numbers that somebody types into one box."""


@require_safe
@official_event(DIRECT)
def draw_board(request: HttpRequest, event: Event) -> HttpResponse:
    """What can be drawn, the draft, or what is published."""
    return _board(request, event)


@require_POST
@official_event(DIRECT)
def draw_make(request: HttpRequest, event: Event) -> HttpResponse:
    """Draws the next round as a draft."""
    form = DrawForm(request.POST)
    if not form.is_valid():
        return _board(request, event, form=form, status=422)
    chosen = form.cleaned_data
    return _answer(
        request,
        event,
        lambda: draw_checked_round(
            stage=_stage(request, event),
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
        return _board(request, event, form=form, status=422)
    chosen = form.cleaned_data
    return _answer(
        request,
        event,
        lambda: redraw_round(
            round=_seen_round(event, form),
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
        return _board(request, event, problem=_("Choose two teams."), status=422)
    chosen = form.cleaned_data

    def swap() -> None:
        first, second = _two_teams(event, form)
        round_ = _seen_round(event, form)
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
        return _answer(request, event, swap, passed_on=(UnconfirmedWarnings, ReasonMissing))
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
        return _board(request, event, problem=_("Choose two teams."), status=422)
    chosen = form.cleaned_data

    def set_wish() -> None:
        first, second = _two_teams(event, form)
        set_meeting(
            round=_seen_round(event, form),
            first=first,
            second=second,
            wish=MeetingWish(chosen["wish"]),
            by=signed_in_user(request),
            expected_version=chosen["version"],
        )

    return _answer(request, event, set_wish)


@require_POST
@official_event(DIRECT)
def draw_discard(request: HttpRequest, event: Event) -> HttpResponse:
    """Throws the draft away."""
    return _with_seen_draft(request, event, discard_draft)


@require_POST
@official_event(DIRECT)
def draw_publish(request: HttpRequest, event: Event) -> HttpResponse:
    """Shows the draft to the hall, or to everybody."""
    return _published(request, event, publish_round)


@require_POST
@official_event(DIRECT)
def draw_open(request: HttpRequest, event: Event) -> HttpResponse:
    """公布到手机: what the hall sees, phones and public pages see too; back to the desk or the board."""
    answer = _answer(
        request,
        event,
        lambda: open_to_everybody(round=posted_round(request, event), by=signed_in_user(request)),
    )
    is_from_desk = answer.status_code == 303 and request.POST.get("from") == "desk"
    return see_other(reverse("desk", args=[event.slug])) if is_from_desk else answer


@require_POST
@official_event(DIRECT)
def draw_republish(request: HttpRequest, event: Event) -> HttpResponse:
    """更正公示: the tables and names as they stand now, in a new version."""
    reason = request.POST.get("reason", "")[:400]
    return _answer(
        request,
        event,
        lambda: republish(round=posted_round(request, event), by=signed_in_user(request), reason=reason),
    )


@require_POST
@official_event(DIRECT)
def notice_end(request: HttpRequest, event: Event) -> HttpResponse:
    """Takes the correction notice down."""
    return _answer(
        request,
        event,
        lambda: end_notice(round=posted_round(request, event), by=signed_in_user(request)),
    )


@require_POST
@official_event(DIRECT)
def ceremony_publish(request: HttpRequest, event: Event) -> HttpResponse:
    """揭晓: publishes the draft, and the screens put its tables up one by one."""
    return _published(request, event, publish_with_ceremony)


@require_POST
@official_event(DIRECT)
def ceremony_start(request: HttpRequest, event: Event) -> HttpResponse:
    """Puts published tables up one by one, while nobody plays."""
    return _answer(
        request,
        event,
        lambda: start_ceremony(round=posted_round(request, event), by=signed_in_user(request)),
    )


@require_POST
@official_event(DIRECT)
def ceremony_skip(request: HttpRequest, event: Event) -> HttpResponse:
    """Shows all tables at once."""
    return _answer(
        request,
        event,
        lambda: skip_ceremony(round=posted_round(request, event), by=signed_in_user(request)),
    )


@require_POST
@official_event(DIRECT)
def draw_withdraw(request: HttpRequest, event: Event) -> HttpResponse:
    """Takes the published tables back while nobody has played."""
    return _answer(
        request,
        event,
        lambda: withdraw_publication(round=posted_round(request, event), by=signed_in_user(request)),
    )


@require_POST
@official_event(DIRECT)
def round_reopen(request: HttpRequest, event: Event) -> HttpResponse:
    """Opens the last closed round again."""
    reason = request.POST.get("reason", "")[:400]
    return _answer(
        request,
        event,
        lambda: reopen_round(round=posted_round(request, event), by=signed_in_user(request), reason=reason),
    )


def _with_seen_draft(request: HttpRequest, event: Event, service: Callable[..., Any]) -> HttpResponse:
    form = SeenDraftForm(request.POST)
    if not form.is_valid():
        return _board(request, event, problem=wording.refusal(DraftGone()), status=422)
    version = form.cleaned_data["version"]
    return _answer(
        request,
        event,
        lambda: service(round=_seen_round(event, form), by=signed_in_user(request), expected_version=version),
    )


def _published(request: HttpRequest, event: Event, publish: Callable[..., Any]) -> HttpResponse:
    form = PublishForm(request.POST)
    if not form.is_valid():
        return _board(request, event, problem=wording.refusal(DraftGone()), status=422)
    return _answer(
        request,
        event,
        lambda: publish(
            round=_seen_round(event, form),
            by=signed_in_user(request),
            expected_version=form.cleaned_data["version"],
            audience=form.chosen(event.publishes_to),
            reason=form.cleaned_data["reason"],
        ),
    )


def _answer(
    request: HttpRequest,
    event: Event,
    act: Callable[[], Any],
    form: DrawForm | None = None,
    *,
    passed_on: tuple[type[Refused], ...] = (),
) -> HttpResponse:
    """The board after an act: by redirect when it worked, else with what stood against it.

    Refusals `passed_on` are the caller's to answer.
    """
    try:
        act()
    except Refused as refused:
        if isinstance(refused, passed_on):
            raise
        return _board(request, event, problem=wording.refusal(refused), status=422)
    except InvalidFormat as error:
        return _board(request, event, problem=wording.format_fault(error), status=422)
    except NoLegalDraw as error:
        return _board(request, event, form=form, impossible=error, status=422)
    except TooFewTables as error:
        return _board(request, event, problem=wording.too_few_tables(error), status=422)
    except (InvalidPairingRules, InvalidRules) as error:
        problem = _("The stage's rules cannot be read (%(path)s). Mend them in the settings.")
        return _board(request, event, problem=problem % {"path": error.path}, status=422)
    return see_other(_address(request, event))


def _address(request: HttpRequest, event: Event) -> str:
    """The board of the stage that the button belonged to."""
    address = reverse("draw_board", args=[event.slug])
    chosen = _chosen_stage(request)
    return f"{address}?stage={chosen}" if chosen else address


def _board(
    request: HttpRequest,
    event: Event,
    *,
    problem: str = "",
    impossible: NoLegalDraw | None = None,
    form: DrawForm | None = None,
    status: int = 200,
) -> HttpResponse:
    stage = _stage(request, event)
    context = {
        "event": event,
        "section": "draw_board",
        "stage": stage,
        "chosen_stage": _chosen_stage(request),
        "problem": problem,
        "reason": request.POST.get("reason", "")[:400],
        **_state(stage, form),
    }
    if impossible is not None:
        context["impossible"] = _impossible(stage, impossible, form)
    return render(request, "pairing/draw_board.html", context, status=status)


def _state(stage: Stage, form: DrawForm | None) -> dict[str, Any]:
    newest = newest_round(stage)
    if newest is not None:
        newest.stage.event = stage.event
    if newest is not None and newest.is_draft:
        return _draft_state(newest, form)
    if newest is not None and newest.is_published:
        return _published_state(newest)
    return _ready_state(stage, newest, form)


def _ready_state(stage: Stage, newest: Round | None, form: DrawForm | None) -> dict[str, Any]:
    ready = {"round": newest, "form": form or DrawForm(), "reopen_form": ReopenForm()}
    try:
        number = next_round_number(stage)
    except (StageNotBegun, SelfScheduled) as refused:
        return {**ready, "state": "begin", "obstacle": wording.refusal(refused)}
    except Refused as refused:
        return {**ready, "state": "blocked", "obstacle": wording.refusal(refused)}
    active, unchecked = teams_to_draw(stage, number), missing_teams(stage, number)
    return {
        **ready,
        "state": "ready",
        "number": number,
        "name": stage_round_name(stage, number),
        "active": len(active),
        "unchecked": [team.number for team in unchecked],
        "is_mostly_unchecked": 2 * len(unchecked) > len(active),
        "may_leave_out": len(active) - len(unchecked) >= 2,
        "is_swiss": stage.format == StageFormat.SWISS,
        "forecast": stage_forecast(stage),
    }


def _draft_state(round_: Round, form: DrawForm | None) -> dict[str, Any]:
    draft = round_draft(round_)
    again = form if isinstance(form, AgainForm) else AgainForm(initial={"method": draft.draw.method})
    return {
        "state": "draft",
        "round": round_,
        "draft": draft,
        "form": again,
        "by_hand": changed_by_hand(draft),
        "left_out": left_out_words(round_.number, unseated_teams(round_)),
        "forecast": stage_forecast(round_.stage),
    }


def _published_state(round_: Round) -> dict[str, Any]:
    sheet = draw_sheet(round_, Audience.HALL)
    return {
        "state": "published",
        "round": round_,
        "left_out": left_out_words(round_.number, unseated_teams(round_)),
        "sheet": sheet,
        "is_outdated": sheet.publication is not None and not is_as_published(round_, sheet.publication),
        "is_swiss": round_.stage.format == StageFormat.SWISS,
        "with_results": tables_with_results(round_),
        "following": unseated_matches(round_),
        "ceremony": running_ceremony(round_),
    }


def _impossible(stage: Stage, error: NoLegalDraw, form: DrawForm | None) -> dict[str, Any]:
    """Why, and the relaxations as buttons: those that help only together share one."""
    taken = form.cleaned_data["relaxation"] if form is not None else []
    alone = [[item] for item in error.relaxations if not item.together]
    together = [item for item in error.relaxations if item.together]
    numbers = team_numbers(stage.event, [*error.teams, *error.only_opponents])
    newest = newest_round(stage)
    number = 1 if newest is None else newest.number + (not newest.is_draft)
    is_without = form is not None and form.cleaned_data.get("unchecked") == Unchecked.ABSENT
    absent = [team.key for team in missing_teams(stage, number)] if is_without else []
    return {
        "words": wording.impossible(
            error,
            sorted(numbers[key] for key in error.teams),
            sorted(numbers[key] for key in error.only_opponents),
        ),
        "blocked": blocked_teams(stage, error, number, taken, absent),
        "offers": [_offer(items, taken) for items in [*alone, together] if items],
    }


def _offer(items: Sequence[Relaxation], taken: Sequence[Relaxation]) -> dict[str, Any]:
    return {
        "words": " + ".join(wording.relaxation_name(item) for item in items),
        "values": [f"{item.rule}:{item.value}" for item in [*taken, *items]],
    }


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
    newest = newest_round(_stage(request, event))
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
        return _board(request, event, problem=not_two, status=422)
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


def _seen_round(event: Event, form: SeenDraftForm) -> Round:
    round_ = event_round(event, form.cleaned_data["draft"])
    if round_ is None:
        raise DraftGone
    return round_


def _two_teams(event: Event, form: SwapForm) -> list[Team]:
    teams = teams_by_number(event, form.cleaned_data["first"], form.cleaned_data["second"])
    if len(teams) != 2:
        raise NotTwoSeats
    return teams


def _chosen_stage(request: HttpRequest) -> str:
    """The order of the stage in the address or the form; empty for the present one."""
    chosen = request.POST.get("stage") or request.GET.get("stage") or ""
    return chosen if chosen.isdecimal() and len(chosen) < 5 else ""


def _stage(request: HttpRequest, event: Event) -> Stage:
    """The stage asked for, else the present one: several may be played side by side."""
    chosen = _chosen_stage(request)
    stage = event.stages.filter(order=int(chosen)).first() if chosen else current_stage(event)
    if stage is None:
        raise Http404("no stage")
    stage.event = event
    return stage
