"""A correction after a later stage took its entries goes by a page that says who would advance now."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from scoring.cuts import begun_from
from scoring.forms.results import ResultForm
from tournaments.access import see_other
from tournaments.models import Match
from tournaments.roles import CORRECT

KEPT_BACK = {"csrfmiddlewaretoken"}


def asked_first(request: HttpRequest, match: Match, form: ResultForm) -> HttpResponse | None:
    """Where the chief is sent with what was typed; None where the line is simply saved or refused."""
    if not match.is_closed or not request.user.has_perm(CORRECT) or not form.is_valid():
        return None
    if form.entry is None or not form.cleaned_data["reason"].strip() or not begun_from(match.round.stage):
        return None
    stage = match.round.stage
    place = [stage.event.slug, stage.order, match.round.number, match.table]
    typed = {name: value for name, value in request.POST.items() if name not in KEPT_BACK}
    address = f"{reverse('cut_check', args=place)}?{urlencode(typed)}"
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": address})
    return see_other(address)
