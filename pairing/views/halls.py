"""桌号: broken tables and the stages' ranges; what a change does is shown before it is kept."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from pairing import wording
from pairing.forms.halls import HallForm
from pairing.hall_words import hall_sentences
from pairing.selectors.halls import HallPlan, fixed_teams, hall_preview, plan_of
from pairing.services import set_tables
from pairing.services.refusals import Refused
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event
from tournaments.roles import DIRECT


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(DIRECT)
def hall_tables(request: HttpRequest, event: Event) -> HttpResponse:
    """The form with what is set; with something typed, what it would do; a POST keeps it, or only looks."""
    plan = plan_of(event)
    typed = request.POST if request.method == "POST" else request.GET if "broken" in request.GET else None
    form = HallForm(typed, stages=list(event.stages.order_by("order")), plan=plan)
    if request.method != "POST":
        return _page(request, event, form, form.plan() if form.is_bound and form.is_valid() else plan)
    if not form.is_valid():
        return _page(request, event, form, None, status=422)
    if "look" in request.POST:
        return _page(request, event, form, form.plan())
    try:
        user, reason = signed_in_user(request), form.cleaned_data["reason"]
        set_tables(event=event, plan=form.plan(), by=user, reason=reason)
    except Refused as refused:
        return _page(request, event, form, form.plan(), problem=wording.refusal(refused), status=422)
    return see_other(reverse("hall_tables", args=[event.slug]))


def _page(
    request: HttpRequest,
    event: Event,
    form: HallForm,
    plan: HallPlan | None,
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """The whole page, or while typing only what the change would do."""
    preview = hall_preview(event, plan) if plan else None
    context = {
        "event": event,
        "section": "draw_board",
        "form": form,
        "preview": preview,
        "sentences": hall_sentences(preview) if preview else (),
        "is_typed": form.is_bound,
        "problem": problem,
    }
    if request.headers.get("HX-Request"):
        return render(request, "pairing/_hall_preview.html", context)
    return render(request, "pairing/hall_tables.html", context | {"fixed": fixed_teams(event)}, status=status)
