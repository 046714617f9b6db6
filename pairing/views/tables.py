"""换桌: the chief moves a match to another table, having seen what that does."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from pairing import wording
from pairing.forms.tables import ExchangeForm, TableForm
from pairing.selectors.halls import stage_hall
from pairing.selectors.tables import drawn_round, exchange_of
from pairing.services import exchange_tables
from pairing.services.refusals import Refused
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event, Round
from tournaments.roles import DIRECT


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(DIRECT)
def draw_tables(request: HttpRequest, event: Event, stage: int, round: int) -> HttpResponse:
    """Two tables of a round: who sits there now and who would, then the exchange."""
    round_ = drawn_round(event, stage, round)
    if round_ is None:
        raise Http404("no such round")
    if request.method != "POST":
        asked = TableForm(request.GET if "table" in request.GET else None)
        return _page(request, round_, asked)
    form = ExchangeForm(request.POST)
    if not form.is_valid():
        return _page(request, round_, form, status=422)
    chosen = form.cleaned_data
    try:
        exchange_tables(
            round=round_,
            table=chosen["table"],
            to=chosen["to"],
            by=signed_in_user(request),
            expected_version=chosen["version"],
            reason=chosen["reason"],
        )
    except Refused as refused:
        return _page(request, round_, form, problem=wording.refusal(refused), status=422)
    return see_other(f"{reverse('draw_board', args=[event.slug])}?stage={round_.stage.order}")


def _page(
    request: HttpRequest, round_: Round, form: TableForm, *, problem: str = "", status: int = 200
) -> HttpResponse:
    """The two numbers to type, and below what they mean once both are there."""
    exchange = None
    if form.is_bound and form.is_valid():
        hall = stage_hall(round_.stage)
        exchange = exchange_of(round_, form.cleaned_data["table"], form.cleaned_data["to"], hall)
    elif form.is_bound:
        status = 422
    context = {
        "event": round_.stage.event,
        "section": "draw_board",
        "stage": round_.stage,
        "round": round_,
        "form": form,
        "exchange": exchange,
        "reason_field": (form if isinstance(form, ExchangeForm) else ExchangeForm())["reason"],
        "problem": problem,
    }
    if request.headers.get("HX-Request"):
        return render(request, "pairing/_exchange_card.html", context)
    return render(request, "pairing/draw_tables.html", context, status=status)
