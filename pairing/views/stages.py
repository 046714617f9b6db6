"""The stages of an event: added by the administrator, begun by the chief, and who plays them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pairing import wording
from pairing.bracket_texts import stage_match_names
from pairing.cut_words import cut_sentences
from pairing.engine.formats import InvalidFormat
from pairing.engine.types import InvalidPairingRules
from pairing.forms.stages import BeginForm, OrderForm, ReplaceForm, StageForm, VoidForm
from pairing.selectors.forecasts import stage_forecast
from pairing.selectors.sessions import can_split, sessions_to_split
from pairing.selectors.stage_cards import StageCard, known_sources, sources_of, stage_cards
from pairing.selectors.stages import StageState
from pairing.services import (
    add_stage,
    begin_stage,
    change_stage,
    draw_lots,
    move_stage,
    publish_schedule,
    remove_stage,
    replace_entry,
    settle_order,
    split_sessions,
    void_following,
)
from pairing.services.refusals import NothingFollows, Refused, StageGone
from pairing.services.voiding import following_matches
from pairing.stage_words import entry_words, line_words, standing
from scoring.engine.rules import InvalidRules
from scoring.result_rows import result_words
from scoring.selectors import entered_result, public_round, round_matches
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Audience, Event, Match, Stage, StageFormat
from tournaments.roles import DIRECT, MANAGE


def _of_stage(view: Callable[[HttpRequest, Event, Stage], HttpResponse]) -> Callable[..., HttpResponse]:
    """The view receives the very stage whose button was pressed, never one that took its place meanwhile."""

    @wraps(view)
    def wrapper(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
        stage = event.stages.filter(pk=pk).first()
        if stage is None:
            return _page(request, event, problem=wording.refusal(StageGone()), status=422)
        stage.event = event
        return view(request, event, stage)

    return wrapper


@require_safe
@official_event(DIRECT)
def stages(request: HttpRequest, event: Event) -> HttpResponse:
    """All stages in order: where they stand, who enters, what can be done."""
    return _page(request, event)


@require_POST
@official_event(MANAGE)
def stage_add(request: HttpRequest, event: Event) -> HttpResponse:
    """A new stage behind the others; its details are on the page of rules."""
    form = StageForm(request.POST, stages=known_sources(event))
    if not form.is_valid():
        return _page(request, event, new_stage=form, status=422)
    add_stage(
        event=event,
        name=form.cleaned_data["name"],
        format=StageFormat(form.cleaned_data["format"]),
        rules=form.rules(),
        rounds_planned=form.cleaned_data["rounds_planned"],
        by=signed_in_user(request),
    )
    return see_other(reverse("stages", args=[event.slug]))


@require_POST
@official_event(MANAGE)
def sessions_split(request: HttpRequest, event: Event) -> HttpResponse:
    """各场次分开进行: each session becomes a stage with its own teams."""
    user = signed_in_user(request)
    return _answer(request, event, lambda: split_sessions(event=event, by=user))


@require_POST
@official_event(MANAGE)
@_of_stage
def stage_change(request: HttpRequest, event: Event, stage: Stage) -> HttpResponse:
    """Another name, format, number of rounds or groups, or other sources, while it has not begun."""
    user = signed_in_user(request)
    form = StageForm(request.POST, stages=sources_of(stage), stage=stage)
    if not form.is_valid():
        return _page(request, event, changed=form, status=422)
    chosen = form.cleaned_data
    return _answer(
        request,
        event,
        lambda: change_stage(
            stage=stage,
            name=chosen["name"],
            format=StageFormat(chosen["format"]),
            rules=form.rules(),
            rounds_planned=chosen["rounds_planned"],
            by=user,
        ),
    )


@require_POST
@official_event(MANAGE)
@_of_stage
def stage_move(request: HttpRequest, event: Event, stage: Stage) -> HttpResponse:
    """One place up or down in the order of stages."""
    user = signed_in_user(request)
    earlier = request.POST.get("to") == "earlier"
    return _answer(request, event, lambda: move_stage(stage=stage, by=user, earlier=earlier))


@require_POST
@official_event(MANAGE)
@_of_stage
def stage_remove(request: HttpRequest, event: Event, stage: Stage) -> HttpResponse:
    """Takes out a stage that never began."""
    user = signed_in_user(request)
    return _answer(request, event, lambda: remove_stage(stage=stage, by=user))


@require_POST
@official_event(DIRECT)
@_of_stage
def stage_begin(request: HttpRequest, event: Event, stage: Stage) -> HttpResponse:
    """Draws groups or bracket from those who enter."""
    form, user = BeginForm(request.POST), signed_in_user(request)
    if not form.is_valid():
        return _page(request, event, problem=_first_error(form), status=422)
    seed = form.cleaned_data["seed"]
    return _answer(request, event, lambda: begin_stage(stage=stage, by=user, seed=seed, given=form.given()))


@require_POST
@official_event(DIRECT)
@_of_stage
def stage_lots(request: HttpRequest, event: Event, stage: Stage) -> HttpResponse:
    """Draws lots among tied teams."""
    user, done = signed_in_user(request), _("Lots are drawn. The standings show the order.")
    return _answer(request, event, lambda: draw_lots(stage=stage, by=user), done=done)


@require_POST
@official_event(DIRECT)
@_of_stage
def stage_order(request: HttpRequest, event: Event, stage: Stage) -> HttpResponse:
    """Enters the order of tied teams that an extra game or the chief decided."""
    form, user = OrderForm(request.POST, event=event), signed_in_user(request)
    if not form.is_valid():
        return _page(request, event, typed=(stage, form), status=422)
    order, reason = form.cleaned_data["order"], form.cleaned_data["reason"]
    done = _("Entered, best first: %(teams)s.") % {"teams": wording.numbers(team.number for team in order)}
    return _answer(
        request,
        event,
        lambda: settle_order(stage=stage, order=order, by=user, reason=reason),
        done=done,
        typed=(stage, form),
    )


@require_POST
@official_event(DIRECT)
@_of_stage
def stage_replace(request: HttpRequest, event: Event, stage: Stage) -> HttpResponse:
    """Puts one team in the place of another."""
    form, user = ReplaceForm(request.POST, event=event), signed_in_user(request)
    if not form.is_valid():
        return _page(request, event, typed=(stage, form), status=422)
    chosen = form.cleaned_data
    facts = {"team": chosen["team"].number, "new": chosen["by_team"].number}
    return _answer(
        request,
        event,
        lambda: replace_entry(stage=stage, by=user, **chosen),
        done=_("Team %(new)s takes the place of team %(team)s.") % facts,
        typed=(stage, form),
    )


@require_POST
@official_event(DIRECT)
@_of_stage
def schedule_publish(request: HttpRequest, event: Event, stage: Stage) -> HttpResponse:
    """Shows all rounds of a schedule that is played in the teams' own time."""
    user = signed_in_user(request)
    return _answer(request, event, lambda: publish_schedule(stage=stage, by=user))


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(DIRECT)
def matches_void(request: HttpRequest, event: Event, stage: int, round: int, table: int) -> HttpResponse:
    """What hangs on a knockout result, and taking all of it back."""
    match = _match(event, stage, round, table)
    form = VoidForm(request.POST or None)
    problem = ""
    if request.method == "POST" and form.is_valid():
        try:
            void_following(match=match, by=signed_in_user(request), reason=form.cleaned_data["reason"])
        except NothingFollows as refused:
            problem = wording.refusal(refused)
        else:
            return see_other(f"{_results(event, match)}?correct={table}#table-{table}")
    context = {
        "event": event,
        "section": "draw_board",
        "match": match,
        "form": form,
        "problem": problem,
        "following": [_told(each) for each in following_matches(match)],
        "names": stage_match_names(match.round.stage),
        "results": _results(event, match),
    }
    return render(request, "pairing/void.html", context, status=422 if request.method == "POST" else 200)


def _told(match: Match) -> dict[str, Any]:
    result = entered_result(match.result) if hasattr(match, "result") and not match.is_bye else None
    return {"match": match, "result": result_words(result) if result else ""}


def _results(event: Event, match: Match) -> str:
    return reverse("results", args=[event.slug, match.round.stage.order, match.round.number])


def _match(event: Event, stage: int, number: int, table: int) -> Match:
    round_ = public_round(event, stage, number, Audience.HALL)
    match = round_matches(round_).filter(table=table).first() if round_ else None
    if match is None or round_ is None:
        raise Http404("no such table")
    match.round = round_
    return match


def _answer(
    request: HttpRequest,
    event: Event,
    act: Callable[[], Any],
    *,
    done: str = "",
    typed: tuple[Stage, forms.Form] | None = None,
) -> HttpResponse:
    """The page after an act: by redirect, with `done`, when it worked, else with what stood against it.

    What was `typed` into a stage's form stays there.
    """
    try:
        act()
    except Refused as refused:
        return _page(request, event, problem=wording.refusal(refused), typed=typed, status=422)
    except InvalidFormat as error:
        return _page(request, event, problem=wording.format_fault(error), status=422)
    except (InvalidPairingRules, InvalidRules) as error:
        problem = _("The stage's rules cannot be read (%(path)s). Mend them in the settings.")
        return _page(request, event, problem=problem % {"path": error.path}, status=422)
    if done:
        messages.success(request, done)
    return see_other(reverse("stages", args=[event.slug]))


def _page(
    request: HttpRequest,
    event: Event,
    *,
    problem: str = "",
    typed: tuple[Stage, forms.Form] | None = None,
    new_stage: StageForm | None = None,
    changed: StageForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """All cards; `changed` and `typed` are refused forms with what was typed into them."""
    cards = stage_cards(event)
    forms_by_stage = _change_forms([card.state for card in cards], changed)
    context = {
        "event": event,
        "section": "draw_board",
        "cards": [
            _shown(card, event, typed)
            | {
                "change_form": forms_by_stage.get(card.state.stage.pk),
                "is_first": card is cards[0] or cards[place - 1].state.is_begun,
                "is_last": card is cards[-1],
            }
            for place, card in enumerate(cards)
        ],
        "new_stage": new_stage or StageForm(stages=known_sources(event)),
        "begin_form": BeginForm(),
        "problem": problem or (_first_error(typed[1]) if typed else ""),
        "sessions": sessions_to_split(event) if can_split(event) else {},
    }
    return render(request, "pairing/stages.html", context, status=status)


def _change_forms(states: Sequence[StageState], refused: StageForm | None) -> dict[int, StageForm]:
    """By stage the form to change it, for those that have not begun."""
    found: dict[int, StageForm] = {}
    for place, state in enumerate(states):
        if not state.is_begun:
            earlier = [each.stage for each in states[:place]]
            found[state.stage.pk] = StageForm(stages=earlier, stage=state.stage)
    if refused is not None and refused.stage is not None:
        found[refused.stage.pk] = refused
    return found


def _shown(card: StageCard, event: Event, typed: tuple[Stage, forms.Form] | None) -> dict[str, Any]:
    lines = line_words(card)
    kept = typed[1] if typed is not None and typed[0].pk == card.state.stage.pk else None
    order = kept if isinstance(kept, OrderForm) else OrderForm(event=event)
    replacement = kept if isinstance(kept, ReplaceForm) else ReplaceForm(event=event)
    return {
        "card": card,
        "stage": card.state.stage,
        "standing": standing(card),
        "entry": entry_words(card),
        "lines": lines,
        "gone": wording.numbers(team.number for team in card.gone),
        "corrected": cut_sentences(card.corrected) if card.corrected and card.corrected.is_any else (),
        "forecast": stage_forecast(card.state.stage) if card.state.rounds else None,
        "is_open": any(line.is_open for line in lines),
        "order_form": order if card.tied else None,
        "replace_form": replacement if card.entries and not card.state.rounds else None,
    }


def _first_error(form: forms.Form) -> str:
    for name, errors in form.errors.items():
        label = form.fields[name].label if name in form.fields else ""
        return _("%(field)s: %(problem)s") % {"field": label, "problem": errors[0]}
    return ""
