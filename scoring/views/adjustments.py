"""Points given or taken beside what was played, and taking that back: for the chief."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.forms.results import AdjustmentForm
from scoring.models import Adjustment
from scoring.selectors import (
    stage_adjustments,
    stage_teams,
)
from scoring.services import ReasonMissing, adjust_points, remove_adjustment
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event, Stage
from tournaments.roles import CORRECT
from tournaments.selectors.stages import current_stage


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(CORRECT)
def adjustments(request: HttpRequest, event: Event) -> HttpResponse:
    """The list with a form for one more; a POST that names one of the list takes it back."""
    stage = current_stage(event)
    if stage is None:
        raise Http404("no stage")
    if "remove" in request.POST:
        return _remove(request, event, stage)
    form = AdjustmentForm(request.POST or None, stage=stage, teams=stage_teams(stage))
    if request.method == "POST" and form.is_valid():
        adjust_points(stage=stage, by=signed_in_user(request), **form.adjustment())
        messages.success(request, _("Stored. The standings count it from now on."))
        return see_other(reverse("adjustments", args=[event.slug]))
    return _page(request, event, stage, form, status=422 if form.is_bound else 200)


def _remove(request: HttpRequest, event: Event, stage: Stage) -> HttpResponse:
    known = next(
        (given for given in stage_adjustments(stage) if str(given.pk) == request.POST["remove"]), None
    )
    if known is not None:
        try:
            remove_adjustment(
                adjustment=known, by=signed_in_user(request), reason=request.POST.get("why", "")[:200]
            )
        except ReasonMissing:
            form = AdjustmentForm(None, stage=stage, teams=stage_teams(stage))
            return _page(request, event, stage, form, status=422, unexplained=known)
        messages.success(request, _("Taken back. Both acts stand in the log."))
    return see_other(reverse("adjustments", args=[event.slug]))


def _page(
    request: HttpRequest,
    event: Event,
    stage: Stage,
    form: AdjustmentForm,
    *,
    status: int,
    unexplained: Adjustment | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {
        "event": event,
        "section": "standings",
        "stage": stage,
        "form": form,
        "given": stage_adjustments(stage),
        "unexplained": unexplained,
    }
    return render(request, "scoring/adjustments.html", context, status=status)
