"""What changes something that others were made from goes by a page that says what it brings."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from scoring.cuts import has_followed
from scoring.engine.penalties import WITHOUT_EFFECT, PenaltyAction
from scoring.forms.penalties import PenaltyForm
from scoring.forms.results import ResultForm
from scoring.models import Adjustment, Penalty
from tournaments.access import see_other
from tournaments.models import Event, Match
from tournaments.roles import CORRECT

KEPT_BACK = {"csrfmiddlewaretoken"}


def asked_first(request: HttpRequest, match: Match, form: ResultForm) -> HttpResponse | None:
    """Where the chief is sent with what was typed; None where the line is simply saved or refused."""
    if not form.is_valid() or form.entry is None:
        return None
    return _result_asked_first(request, match, form, request.POST)


def sheet_asked_first(request: HttpRequest, match: Match, form: Form) -> HttpResponse | None:
    """The same for a table that was recorded deal by deal and is handed over once more."""
    if not form.is_valid():
        return None
    return _result_asked_first(request, match, form, {**request.POST.dict(), "sheet": "1"})


def _result_asked_first(
    request: HttpRequest, match: Match, form: Form, typed: Mapping[str, str]
) -> HttpResponse | None:
    if not match.is_closed or not request.user.has_perm(CORRECT) or not form.cleaned_data["reason"].strip():
        return None
    stage = match.round.stage
    if not has_followed(stage, match.round.number):
        return None
    place = [stage.event.slug, stage.order, match.round.number, match.table]
    address = _with_typed(reverse("correction", args=place), typed)
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": address})
    return see_other(address)


def penalty_asked_first(request: HttpRequest, event: Event, form: PenaltyForm) -> HttpResponse | None:
    """Where the chief is sent with a penalty that changes what others were made from, else None."""
    given = form.penalty()
    if given["action"] in WITHOUT_EFFECT or not has_followed(given["stage"], given["round_number"]):
        return None
    return see_other(_with_typed(reverse("penalty_correction", args=[event.slug]), request.POST))


def cancelling_asked_first(event: Event, taken: Penalty | Adjustment, reason: str) -> HttpResponse | None:
    """The same for what is taken back, a penalty or points of an event file."""
    action = PenaltyAction.POINTS if isinstance(taken, Adjustment) else PenaltyAction(taken.action)
    if not reason.strip() or action in WITHOUT_EFFECT:
        return None
    if not has_followed(taken.stage, taken.round_number):
        return None
    typed = {"points" if isinstance(taken, Adjustment) else "cancel": str(taken.pk), "reason": reason}
    return see_other(_with_typed(reverse("penalty_correction", args=[event.slug]), typed))


def _with_typed(address: str, typed: Mapping[str, str]) -> str:
    return f"{address}?{urlencode({name: value for name, value in typed.items() if name not in KEPT_BACK})}"
