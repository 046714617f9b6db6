"""判罚 for a round that others were made from: given or taken back by the page of corrections."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from pairing.services.correctable import PenaltyGiven, TakenBack
from pairing.views.foreseen import Asked, carried, foreseen
from scoring.forms.penalties import PenaltyForm
from scoring.models import Adjustment, Penalty
from scoring.penalties import AmountMissing, NoMatchToRule
from scoring.penalty_rows import effect_words
from scoring.services import MatchesHang, ReasonMissing, TeamNotInEvent
from scoring.views.penalties import LONGEST_WHY, no_match, stages_or_404
from scoring.views.results import hanging
from tournaments.access import official_event, see_other
from tournaments.models import Event, Stage
from tournaments.roles import CORRECT
from tournaments.typed import typed_key, typed_line

CANCEL, POINTS = "cancel", "points"
REFUSED = (AmountMissing, MatchesHang, NoMatchToRule, ReasonMissing, TeamNotInEvent)


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(CORRECT)
def penalty_correction(request: HttpRequest, event: Event) -> HttpResponse:
    """What a penalty brings before it is given; `?cancel=` and `?points=` name what is to be taken back."""
    typed = request.POST if request.method == "POST" else request.GET
    asked = _taking_back(event, typed) if CANCEL in typed or POINTS in typed else _giving(event, typed)
    if asked is None:
        return see_other(reverse("penalties", args=[event.slug]))
    return foreseen(request, event, asked)


def _giving(event: Event, typed: Mapping[str, str]) -> Asked | None:
    form = PenaltyForm(typed, at_hand=stages_or_404(event))
    if not form.is_valid():
        return None
    given = PenaltyGiven(**form.penalty())
    effect = effect_words(given.action, given.amount)
    back = reverse("penalties", args=[event.slug])
    case = {name: typed[name] for name in ("stage", "number", "round_number", "rule") if name in typed}
    return Asked(
        correction=given,
        section="penalties",
        title=_("Penalty for a round that others were drawn from"),
        place=_place(given.stage, given.number),
        heading=_("The penalty"),
        now=effect,
        save=_("Store the penalty"),
        save_all_the_same=_("Store the penalty, leave the seeds"),
        saved=_("Stored: team %(team)s, %(effect)s.") % {"team": given.team.number, "effect": effect},
        address=reverse("penalty_correction", args=[event.slug]),
        back=f"{back}?{urlencode(case)}",
        done=back,
        fields=carried(typed),
        refused=REFUSED,
        refusal=_refusal,
    )


def _taking_back(event: Event, typed: Mapping[str, str]) -> Asked:
    taken = _taken(event, typed)
    correction = TakenBack(taken, typed_line(typed, "reason", LONGEST_WHY))
    effect = (
        effect_words("points", taken.points)
        if isinstance(taken, Adjustment)
        else effect_words(taken.action, taken.amount)
    )
    back = reverse("penalties", args=[event.slug])
    return Asked(
        correction=correction,
        section="penalties",
        title=_("Take back a penalty for a round that others were drawn from"),
        place=_place(taken.stage, taken.round_number),
        heading=_("The penalty"),
        was=effect,
        now=pgettext("a penalty", "taken back"),
        save=pgettext("a penalty", "Take back"),
        save_all_the_same=pgettext("a penalty", "Take back, leave the seeds"),
        saved=_("Taken back. Both acts stand in the log."),
        address=reverse("penalty_correction", args=[event.slug]),
        back=back,
        done=back,
        fields=carried(typed),
        refused=REFUSED,
        refusal=_refusal,
    )


def _taken(event: Event, typed: Mapping[str, str]) -> Penalty | Adjustment:
    """The penalty, or the points of an event file, that stand; 404 for one that does not."""
    if CANCEL in typed:
        penalties = Penalty.objects.select_related("stage__event", "team")
        return get_object_or_404(
            penalties, stage__event=event, cancelled_at=None, pk=typed_key(typed, CANCEL)
        )
    bare = Adjustment.objects.filter(penalty=None).select_related("stage__event", "team")
    return get_object_or_404(bare, stage__event=event, pk=typed_key(typed, POINTS))


def _place(stage: Stage, number: int) -> str:
    return _("%(stage)s · round %(n)s") % {"stage": stage.name, "n": number}


def _refusal(error: Exception) -> str:
    if isinstance(error, MatchesHang):
        return hanging(error)
    if isinstance(error, NoMatchToRule):
        return no_match(error)
    return _("Not stored: a penalty needs a reason, and levels or points a number.")
