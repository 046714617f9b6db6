"""判罚 at the desk: the case, what the rules propose, what is ruled; and taking it back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.engine.penalties import PenaltyRule
from scoring.forms.penalties import CaseForm, PenaltyForm
from scoring.models import Adjustment, Penalty
from scoring.penalties import NoMatchToRule, cancel_penalty, give_penalty
from scoring.penalty_rows import (
    Rung,
    StagesAtHand,
    bare_adjustments,
    before_words,
    effect_words,
    event_penalties,
    rung,
    stages_at_hand,
    start_level,
)
from scoring.services import MatchesHang, ReasonMissing, remove_adjustment
from scoring.views.asked_first import cancelling_asked_first, penalty_asked_first
from scoring.views.results import hanging
from scoring.wording import level_text
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event, Stage
from tournaments.roles import ASSIST, CORRECT
from tournaments.typed import typed_line

LONGEST_WHY = 200


@require_safe
@official_event(ASSIST)
def penalties(request: HttpRequest, event: Event) -> HttpResponse:
    """All penalties; with a case in the address what the rules propose for it, ready to be ruled."""
    at_hand = stages_or_404(event)
    form = CaseForm(request.GET if "number" in request.GET else None, at_hand=at_hand)
    if not form.is_bound or not request.user.has_perm(CORRECT):
        return _page(request, event, CaseForm(None, at_hand=at_hand))
    if not form.is_valid():
        return _page(request, event, form, status=422)
    found = _rung(form)
    ruling = PenaltyForm(None, at_hand=at_hand)
    proposed = {"action": found.proposal.action.value, "amount": found.proposal.amount or None}
    late = form.cleaned_data["minutes"]
    reason = _("%(minutes)s minutes late") % {"minutes": late} if late else ""
    ruling.initial = {**form.cleaned_data, **proposed, "reason": reason}
    return _page(request, event, form, ruling=ruling, found=found)


@require_POST
@official_event(CORRECT)
def penalty_give(request: HttpRequest, event: Event) -> HttpResponse:
    """Stores a penalty: back to the list on success, the page with its refusal (422) otherwise."""
    at_hand = stages_or_404(event)
    form = PenaltyForm(request.POST, at_hand=at_hand)
    if form.is_valid():
        if (elsewhere := penalty_asked_first(request, event, form)) is not None:
            return elsewhere
        try:
            given = give_penalty(by=signed_in_user(request), **form.penalty())
        except NoMatchToRule as error:
            form.add_error("round_number", no_match(error))
        except MatchesHang as error:
            form.add_error("action", hanging(error))
        else:
            messages.success(request, stored_words(given))
            return see_other(reverse("penalties", args=[event.slug]))
    case = CaseForm(request.POST, at_hand=at_hand)
    found = _rung(case) if case.is_valid() else None
    return _page(request, event, case, ruling=form, found=found, status=422)


@require_POST
@official_event(CORRECT)
def penalty_cancel(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Takes a penalty back, with a reason."""
    penalty = get_object_or_404(Penalty.objects.select_related("stage"), stage__event=event, pk=pk)
    why = typed_line(request.POST, "why", LONGEST_WHY)
    if (elsewhere := cancelling_asked_first(event, penalty, why)) is not None:
        return elsewhere
    try:
        cancel_penalty(penalty=penalty, by=signed_in_user(request), reason=why)
    except ReasonMissing:
        return _unexplained(request, event, penalty=penalty)
    except MatchesHang as error:
        messages.error(request, hanging(error))
        return see_other(reverse("penalties", args=[event.slug]))
    return _taken_back(request, event)


@require_POST
@official_event(CORRECT)
def adjustment_remove(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Takes points back that came with an event file, with a reason."""
    bare = Adjustment.objects.filter(penalty=None).select_related("stage")
    given = get_object_or_404(bare, stage__event=event, pk=pk)
    why = typed_line(request.POST, "why", LONGEST_WHY)
    if (elsewhere := cancelling_asked_first(event, given, why)) is not None:
        return elsewhere
    try:
        remove_adjustment(adjustment=given, by=signed_in_user(request), reason=why)
    except ReasonMissing:
        return _unexplained(request, event, adjustment=given)
    return _taken_back(request, event)


def stored_words(penalty: Penalty) -> str:
    """What was stored: team and effect."""
    told = {"team": penalty.team.number, "effect": effect_words(penalty.action, penalty.amount)}
    return _("Stored: team %(team)s, %(effect)s.") % told


def no_match(error: NoMatchToRule) -> str:
    """Why an action on a match cannot be ruled."""
    words = _("Team %(team)s has no opponent in round %(round)s: choose the round it played.")
    return words % {"team": error.team.number, "round": error.number}


def _taken_back(request: HttpRequest, event: Event) -> HttpResponse:
    messages.success(request, _("Taken back. Both acts stand in the log."))
    return see_other(reverse("penalties", args=[event.slug]))


def _unexplained(
    request: HttpRequest,
    event: Event,
    *,
    penalty: Penalty | None = None,
    adjustment: Adjustment | None = None,
) -> HttpResponse:
    form = CaseForm(None, at_hand=stages_or_404(event))
    unexplained = {"unexplained": penalty, "unexplained_points": adjustment}
    return _page(request, event, form, status=422, **unexplained)


def stages_or_404(event: Event) -> StagesAtHand:
    """The stages that penalties and appeals can be about."""
    at_hand = stages_at_hand(event)
    if at_hand is None:
        raise Http404("no stage")
    return at_hand


def _rung(form: CaseForm) -> Rung:
    data = form.cleaned_data
    rule = PenaltyRule(data["rule"])
    return rung(form.chosen, form.team, data["round_number"], rule, data["minutes"])


def _page(
    request: HttpRequest, event: Event, form: CaseForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    found: Rung | None = more.get("found")
    context = {
        "event": event,
        "section": "penalties",
        "form": form,
        "has_stages": "stage" in form.fields,
        "rows": [(each, effect_words(each.action, each.amount)) for each in event_penalties(event)],
        "bare": [(each, effect_words("points", each.points)) for each in bare_adjustments(event)],
        "before": before_words(found.before) if found else "",
        "proposed": _proposed(found) if found else "",
        "enter": _enter_address(event, form.chosen, found) if found else "",
        **more,
    }
    return render(request, "scoring/penalties.html", context, status=status)


def _proposed(found: Rung) -> str:
    """What the rules propose, in a sentence."""
    if found.handicap_level:
        return _("By the rules: the opponents begin at %(level)s.") % {"level": found.handicap_level}
    if found.proposal.forfeits:
        return _("By the rules: the match is forfeited.")
    words = effect_words(found.proposal.action, found.proposal.amount)
    return _("By the rules: %(penalty)s.") % {"penalty": words}


def _enter_address(event: Event, stage: Stage, found: Rung) -> str:
    """Where the handicap or the forfeit is entered with one press; empty where there is nothing to enter."""
    place, table = found.proposal, found.table
    if table is None or table.match.away is None or not (found.handicap_level or place.forfeits):
        return ""
    if table.match.round.is_completed:
        return ""
    number = table.match.table
    address = reverse("results", args=[event.slug, stage.order, table.match.round.number])
    if place.forfeits:
        return f"{address}?forfeit={number}.{'home' if table.is_home else 'away'}#table-{number}"
    own = level_text(start_level(stage))
    starts = [own, found.handicap_level] if table.is_home else [found.handicap_level, own]
    return f"{address}?start={number}.{starts[0]}.{starts[1]}#table-{number}"
