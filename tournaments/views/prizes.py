"""The administrator's page for the prizes of an event."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.access import official_event, see_other, signed_in_user
from tournaments.forms.prizes import TierFormSet, tier_lines
from tournaments.models import Event
from tournaments.prizes import read_tiers
from tournaments.roles import MANAGE
from tournaments.services.prizes import change_prizes


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(MANAGE)
def prizes_edit(request: HttpRequest, event: Event) -> HttpResponse:
    """Prizes by place: 1 / 2-4 / 5-8 / others."""
    lines = tier_lines(read_tiers(event.prizes))
    posted = request.POST if request.method == "POST" else None
    forms = TierFormSet(posted, initial=lines)
    if posted is not None and forms.is_valid():
        change_prizes(event=event, tiers=forms.tiers(), by=signed_in_user(request))  # type: ignore[attr-defined]
        messages.success(request, _("The prizes are saved."))
        return see_other(reverse("prizes_edit", args=[event.slug]))
    context = {"event": event, "forms": forms, "section": "settings"}
    return render(request, "tournaments/prizes_edit.html", context, status=422 if posted is not None else 200)
