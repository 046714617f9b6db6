"""The page of the draw board: what can be drawn, the draft, or what is published."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from pairing import wording
from pairing.bracket_texts import stage_round_name
from pairing.check_in_words import left_out_words
from pairing.engine.formats import InvalidFormat
from pairing.engine.tables import TooFewTables
from pairing.engine.types import InvalidPairingRules, NoLegalDraw, Relaxation
from pairing.forms.draws import (
    AgainForm,
    DrawForm,
    ReopenForm,
)
from pairing.selectors.blocked import blocked_teams
from pairing.selectors.board import (
    newest_round,
    round_draft,
    tables_with_results,
    team_numbers,
)
from pairing.selectors.by_hand import changed_by_hand
from pairing.selectors.check_in import missing_teams
from pairing.selectors.forecasts import stage_forecast
from pairing.selectors.inputs import teams_to_draw
from pairing.selectors.latecomers import unseated_teams
from pairing.selectors.published import draw_sheet, schedule_sheets
from pairing.selectors.screens import has_screens, running_ceremony
from pairing.selectors.stages import is_self_scheduled, stage_to_begin, unseated_matches
from pairing.selectors.versions import is_as_published
from pairing.services import (
    next_round_number,
)
from pairing.services.check_in import Unchecked
from pairing.services.refusals import (
    NoRoundsLeft,
    Refused,
    SelfScheduled,
    StageNotBegun,
)
from scoring.engine.rules import InvalidRules
from tournaments.access import see_other
from tournaments.models import Audience, Event, Round, Stage, StageFormat
from tournaments.selectors.stages import current_stage, event_stages
from tournaments.typed import typed_line


def answer(
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
        return board(request, event, problem=wording.refusal(refused), status=422)
    except InvalidFormat as error:
        return board(request, event, problem=wording.format_fault(error), status=422)
    except NoLegalDraw as error:
        return board(request, event, form=form, impossible=error, status=422)
    except TooFewTables as error:
        return board(request, event, problem=wording.too_few_tables(error), status=422)
    except (InvalidPairingRules, InvalidRules) as error:
        problem = _("The stage's rules cannot be read (%(path)s). Mend them in the settings.")
        return board(request, event, problem=problem % {"path": error.path}, status=422)
    return see_other(_address(request, event))


def _address(request: HttpRequest, event: Event) -> str:
    """The board of the stage that the button belonged to."""
    address = reverse("draw_board", args=[event.slug])
    chosen = chosen_stage(request)
    return f"{address}?stage={chosen}" if chosen else address


def board(
    request: HttpRequest,
    event: Event,
    *,
    problem: str = "",
    impossible: NoLegalDraw | None = None,
    form: DrawForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page, with what stood against an act, if anything did."""
    stage = board_stage(request, event)
    context = {
        "event": event,
        "section": "draw_board",
        "stage": stage,
        "chosen_stage": chosen_stage(request),
        "problem": problem,
        "reason": typed_line(request.POST, "reason"),
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
        return {**ready, "state": "begin", "obstacle": wording.refusal(refused), "to_begin": stage}
    except NoRoundsLeft as refused:
        return {**ready, **_after_the_last(stage, refused)}
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


def _after_the_last(stage: Stage, refused: NoRoundsLeft) -> dict[str, Any]:
    """Behind a stage's last round: the stage that begins next, or nothing more to draw."""
    following = stage_to_begin(event_stages(stage.event))
    if following is None:
        return {"state": "blocked", "obstacle": wording.refusal(refused)}
    return {"state": "begin", "obstacle": wording.refusal(StageNotBegun(following)), "to_begin": following}


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
        "schedule": schedule_sheets(round_.stage) if is_self_scheduled(round_.stage) else (),
        "is_outdated": sheet.publication is not None and not is_as_published(round_, sheet.publication),
        "is_swiss": round_.stage.format == StageFormat.SWISS,
        "with_results": tables_with_results(round_),
        "following": unseated_matches(round_),
        "ceremony": running_ceremony(round_),
        "lacks_screen": round_.is_hall_only and not has_screens(round_.stage.event),
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


def chosen_stage(request: HttpRequest) -> str:
    """The order of the stage in the address or the form; empty for the present one."""
    chosen = request.POST.get("stage") or request.GET.get("stage") or ""
    return chosen if chosen.isdecimal() and len(chosen) < 5 else ""


def board_stage(request: HttpRequest, event: Event) -> Stage:
    """The stage asked for, else the present one: several may be played side by side."""
    chosen = chosen_stage(request)
    stage = event.stages.filter(order=int(chosen)).first() if chosen else current_stage(event)
    if stage is None:
        raise Http404("no stage")
    stage.event = event
    return stage
