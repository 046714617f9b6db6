"""Snapshots: the administrator's way back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.access import official_event, see_other, signed_in_user
from tournaments.forms.acts import ReasonForm
from tournaments.log_words import act_name, log_line
from tournaments.models import Event
from tournaments.roles import MANAGE
from tournaments.selectors.history import acts_undone
from tournaments.snapshots import restore_snapshot, take_snapshot_now

SHOWN = 100


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(MANAGE)
def snapshots(request: HttpRequest, event: Event) -> HttpResponse:
    """The list, newest first; POST keeps the event as it stands now."""
    if request.method == "POST":
        take_snapshot_now(event=event, by=signed_in_user(request))
        messages.success(request, _("The event is kept as it stands now."))
        return see_other(reverse("snapshots", args=[event.slug]))
    kept = event.snapshots.defer("content")[:SHOWN]
    return render(
        request, "tournaments/snapshots.html", {"event": event, "section": "settings", "snapshots": kept}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(MANAGE)
def snapshot_restore(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Says what would be lost and asks why, then puts the event back; what stood until now is kept too."""
    snapshot = get_object_or_404(event.snapshots.all(), pk=pk)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        restore_snapshot(
            event=event, snapshot=snapshot, by=signed_in_user(request), reason=form.cleaned_data["reason"]
        )
        messages.success(request, _("The event stands again as it was then."))
        return see_other(reverse("desk", args=[event.slug]))
    undone = acts_undone(snapshot)
    context = {
        "event": event,
        "section": "settings",
        "snapshot": snapshot,
        "form": form,
        "undone": undone,
        "kinds": [(act_name(act), times) for act, times in undone.kinds],
        "lines": [log_line(entry) for entry in undone.newest],
    }
    return render(request, "tournaments/snapshot_restore.html", context, status=422 if form.errors else 200)
