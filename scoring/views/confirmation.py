"""The administrator's page for the second look at results and the tables' phones."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.forms.confirmation import ConfirmationForm
from scoring.second_looks import change_confirmation
from scoring.statements import confirmation_rules
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event
from tournaments.roles import MANAGE


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(MANAGE)
def confirmation_edit(request: HttpRequest, event: Event) -> HttpResponse:
    """Who confirms results, and what a table's phone page may do; holds for the whole event at once."""
    stages = list(event.stages.order_by("order"))
    if not stages:
        raise Http404("no stage")
    stages[0].event = event
    form = ConfirmationForm(request.POST or None, stored=confirmation_rules(stages[0]))
    if request.method == "POST" and form.is_valid():
        change_confirmation(event=event, rules=form.rules(), by=signed_in_user(request))
        messages.success(request, _("The rules are saved."))
        return see_other(reverse("confirmation_edit", args=[event.slug]))
    context = {
        "event": event,
        "section": "settings",
        "stages": stages,
        "stage": None,
        "tab_open": "confirmation",
        "form": form,
    }
    return render(request, "scoring/confirmation_edit.html", context, status=422 if form.errors else 200)
