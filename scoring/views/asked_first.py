"""A correction of a result that others were drawn from goes by a page that says what it brings."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from scoring.cuts import begun_from
from scoring.forms.results import ResultForm
from tournaments.access import see_other
from tournaments.models import Match, RoundStatus, StageFormat
from tournaments.roles import CORRECT

KEPT_BACK = {"csrfmiddlewaretoken"}


def asked_first(request: HttpRequest, match: Match, form: ResultForm) -> HttpResponse | None:
    """Where the chief is sent with what was typed; None where the line is simply saved or refused."""
    if not match.is_closed or not request.user.has_perm(CORRECT) or not form.is_valid():
        return None
    if form.entry is None or not form.cleaned_data["reason"].strip() or not _has_followed(match):
        return None
    stage = match.round.stage
    place = [stage.event.slug, stage.order, match.round.number, match.table]
    typed = {name: value for name, value in request.POST.items() if name not in KEPT_BACK}
    address = f"{reverse('correction', args=place)}?{urlencode(typed)}"
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": address})
    return see_other(address)


def _has_followed(match: Match) -> bool:
    """Whether a round in play, a draft or a later stage was made from this result. Two queries at most."""
    stage = match.round.stage
    if stage.format == StageFormat.SWISS:
        later = stage.rounds.filter(number__gt=match.round.number).exclude(status=RoundStatus.COMPLETED)
        if later.exists():
            return True
    return bool(begun_from(stage))
