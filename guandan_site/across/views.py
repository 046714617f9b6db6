"""往届 for everybody; copying and archiving an event for the administrator."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from guandan_site.across.copying import copy_event
from guandan_site.across.forms import LONGEST_NAME, CopyForm
from guandan_site.across.selectors import department_records, past_by_year, past_events, people_found
from guandan_site.prints.prizes import prize_list
from tournaments.access import official_event, public_event, see_other, signed_in_user
from tournaments.forms.acts import ReasonForm
from tournaments.models import Event
from tournaments.roles import MANAGE
from tournaments.selectors.finding import tidy_search
from tournaments.selectors.stages import current_stage
from tournaments.services.archive import RoundOpen, archive_event, unarchive_event
from tournaments.unusual import tell_of_unusual


@require_safe
def past(request: HttpRequest) -> HttpResponse:
    """Events that are over, and a player's own history across them."""
    wanted = tidy_search(request.GET.get("q", ""))
    context = {
        "section": "past",
        "wanted": wanted,
        "people": people_found(request.user, wanted) if wanted else [],
        "years": past_by_year(request.user),
    }
    return render(request, "across/past.html", context)


@require_safe
def department_table(request: HttpRequest) -> HttpResponse:
    """The departments over the chosen events; without a choice over all that are archived."""
    events = list(past_events(request.user))
    wanted = set(request.GET.getlist("event"))
    chosen = [event for event in events if event.slug in wanted] or events
    context = {
        "section": "past",
        "events": events,
        "chosen": chosen,
        "rows": department_records(chosen),
    }
    return render(request, "across/departments.html", context)


@require_safe
@public_event
def final_ranking(request: HttpRequest, event: Event) -> HttpResponse:
    """The final ranking of an archived event with its prizes; before that the event as it stands."""
    if event.archived_at is None:
        return redirect("event", event.slug)
    stage = current_stage(event, drafts=False)
    context = {"event": event, "stage": stage, "section": "final", "prizes": prize_list(event)}
    return render(request, "across/final.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(MANAGE)
def event_copy(request: HttpRequest, event: Event) -> HttpResponse:
    """A new event like this one."""
    form = CopyForm(request.POST or None, initial=_proposed(event))
    if request.method == "POST" and form.is_valid():
        copied = copy_event(
            event=event,
            head=form.head(is_public=event.is_public),
            with_teams=form.cleaned_data["with_teams"],
            by=signed_in_user(request),
        )
        messages.success(
            request, _("“%(name)s” is ready: the rules are those of before.") % {"name": copied.name}
        )
        tell_of_unusual(request, form)
        return see_other(reverse("desk", args=[copied.slug]))
    return _copy_page(request, event, form=form)


def _proposed(event: Event) -> dict[str, str]:
    """A name that tells the copy from its event, cut where it would be longer than a name may be."""
    longest = LONGEST_NAME - len(_("%(name)s (again)") % {"name": ""})
    return {"name": _("%(name)s (again)") % {"name": event.name[:longest]}}


@require_POST
@official_event(MANAGE)
def event_archive(request: HttpRequest, event: Event) -> HttpResponse:
    """Archives the event, or opens an archived one again with a reason."""
    by = signed_in_user(request)
    if event.archived_at is None:
        try:
            archive_event(event=event, by=by)
        except RoundOpen as error:
            problem = _("Round %(number)d is not closed. Close it, or discard its draft, then archive.")
            return _copy_page(request, event, problem=problem % {"number": error.number}, status=422)
        messages.success(
            request, _("The event is archived: it stands among the past events and is only read.")
        )
        return see_other(reverse("event_copy", args=[event.slug]))
    reason = ReasonForm(request.POST)
    if not reason.is_valid():
        return _copy_page(request, event, reason=reason, status=422)
    unarchive_event(event=event, reason=reason.cleaned_data["reason"], by=by)
    messages.success(request, _("The event is open again."))
    return see_other(reverse("event_copy", args=[event.slug]))


def _copy_page(
    request: HttpRequest,
    event: Event,
    *,
    form: CopyForm | None = None,
    reason: ReasonForm | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "event": event,
        "section": "settings",
        "form": form or CopyForm(initial=_proposed(event)),
        "reason_form": reason or ReasonForm(),
        "problem": problem,
        "teams": event.teams.count(),
    }
    has_errors = form is not None and form.is_bound
    return render(request, "across/copy.html", context, status=422 if has_errors else status)
