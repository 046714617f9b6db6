"""The page of a rehearsal: begin one, play its round by chance, throw it away."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from guandan_site.rehearsal.services import begin_rehearsal, play_by_chance, remove_rehearsal
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event, Round, RoundStatus
from tournaments.roles import DIRECT, MANAGE

LEFT_OPEN = 3
"""Tables that stay without a result when the officials want to chase slips."""


@require_safe
@official_event(DIRECT)
def rehearsal(request: HttpRequest, event: Event) -> HttpResponse:
    """What a rehearsal is for, and what can be done in one."""
    round_ = _running_round(event)
    missing = round_.matches.filter(table__isnull=False, result=None).count() if round_ else 0
    context = {
        "event": event,
        "section": "settings",
        "round": round_,
        "missing": missing,
        "left_open": LEFT_OPEN,
    }
    return render(request, "rehearsal/rehearsal.html", context)


@require_POST
@official_event(DIRECT)
def rehearsal_act(request: HttpRequest, event: Event, act: str) -> HttpResponse:
    """Begins a rehearsal of a real event; plays or removes one that is."""
    if act == "begin" and not event.is_rehearsal:
        _require_manager(request)
        copy = begin_rehearsal(event=event, by=signed_in_user(request))
        messages.success(request, _("The rehearsal is ready. Practise here; the real event is untouched."))
        return see_other(reverse("desk", args=[copy.slug]))
    if act == "play" and event.is_rehearsal:
        return _played(request, event)
    if act == "remove" and event.is_rehearsal:
        _require_manager(request)
        remove_rehearsal(event=event, by=signed_in_user(request))
        messages.success(request, _("The rehearsal is thrown away."))
        return see_other(reverse("home"))
    messages.error(request, _("This can be done in a rehearsal only; this is the page of the real event."))
    return see_other(reverse("rehearsal", args=[event.slug]))


def _require_manager(request: HttpRequest) -> None:
    if not request.user.has_perm(MANAGE):
        raise PermissionDenied


def _played(request: HttpRequest, event: Event) -> HttpResponse:
    round_ = _running_round(event)
    if round_ is None:
        messages.error(request, _("No round is being played. Draw and publish one first."))
        return see_other(reverse("rehearsal", args=[event.slug]))
    entered = play_by_chance(
        round=round_,
        by=signed_in_user(request),
        leave=LEFT_OPEN if "leave" in request.POST else 0,
        seed=secrets.randbelow(2**31),
    )
    told = ngettext("%(n)d result was entered.", "%(n)d results were entered.", entered) % {"n": entered}
    messages.success(request, told)
    return see_other(reverse("results_latest", args=[event.slug]))


def _running_round(event: Event) -> Round | None:
    rounds = Round.objects.filter(stage__event=event, status=RoundStatus.PUBLISHED)
    return rounds.select_related("stage__event").order_by("stage__order", "number").last()
