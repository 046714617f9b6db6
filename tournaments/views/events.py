"""Home, a new event, its settings and its officials."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.access import administrator, official_event, see_other, signed_in_user
from tournaments.forms.events import NO_CLOCK, PLANNED, AppointForm, NewEventForm, SettingsForm
from tournaments.log import actor_name
from tournaments.models import Event, OwnPreset
from tournaments.roles import MANAGE
from tournaments.selectors.events import event_cards
from tournaments.selectors.people import appointable_users, event_officials, someone_can_sign_in
from tournaments.selectors.stages import current_stage
from tournaments.services.events import (
    OtherStage,
    SlugTaken,
    TooFewRounds,
    appoint_official,
    change_event,
    create_event,
    remove_official,
)
from tournaments.services.presets import remove_preset
from tournaments.typed import typed_key
from tournaments.unusual import tell_of_unusual


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The events that the visitor may see, or what to do first."""
    cards = event_cards(request.user)
    is_new = not cards and not request.user.is_authenticated and not someone_can_sign_in()
    context = {"cards": cards, "is_new": is_new, "has_first_start": not settings.ON_SERVER, "section": "home"}
    return render(request, "tournaments/home.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@administrator
def event_create(request: HttpRequest) -> HttpResponse:
    """A new event, then its desk. The address may fill fields in (see PLANNED); nothing is stored by that."""
    planned = {name: request.GET[name] for name in PLANNED if name in request.GET}
    form = NewEventForm(request.POST or None, initial=planned)
    if request.method == "POST" and form.is_valid():
        event = _created(request, form)
        if event is not None:
            tell_of_unusual(request, form)
            return see_other(reverse("desk", args=[event.slug]))
    own = OwnPreset.objects.order_by("-pk")
    context = {"form": form, "presets": form.presets, "own": own, "section": "home"}
    return render(request, "tournaments/event_create.html", context, status=422 if form.is_bound else 200)


def _created(request: HttpRequest, form: NewEventForm) -> Event | None:
    try:
        return create_event(
            facts=form.facts(),
            preset=form.chosen_preset(),
            rounds=form.chosen_rounds(),
            minutes=form.chosen_minutes(),
            groups=form.cleaned_data["groups"],
            by=signed_in_user(request),
        )
    except SlugTaken as error:
        form.refuse(error)
        return None


@require_POST
@administrator
def preset_remove(request: HttpRequest, pk: int) -> HttpResponse:
    """An own preset is offered no more; events made of it keep their rules."""
    own = get_object_or_404(OwnPreset, pk=pk)
    remove_preset(preset=own, by=signed_in_user(request))
    messages.success(request, _("The preset “%(name)s” is removed.") % {"name": own.name})
    return see_other(reverse("event_create"))


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(MANAGE)
def event_settings(request: HttpRequest, event: Event) -> HttpResponse:
    """The event's settings."""
    stored = Event.objects.get(pk=event.pk)
    form = SettingsForm(request.POST or None, instance=stored, initial=_stage_settings(event))
    if request.method == "POST" and form.is_valid() and _changed(request, event, form):
        messages.success(request, _("The settings are saved."))
        tell_of_unusual(request, form)
        return see_other(reverse("event_settings", args=[form.facts().slug]))
    context = {"event": event, "form": form, "section": "settings", "stage": current_stage(event)}
    return render(request, "tournaments/event_settings.html", context, status=422 if form.is_bound else 200)


def _stage_settings(event: Event) -> dict[str, object]:
    stage = current_stage(event)
    if stage is None:
        return {}
    return {"rounds": stage.rounds_planned, "minutes": str(stage.minutes) if stage.minutes else NO_CLOCK}


def _changed(request: HttpRequest, event: Event, form: SettingsForm) -> bool:
    try:
        change_event(
            event=event,
            facts=form.facts(),
            rounds=form.cleaned_data["rounds"],
            minutes=form.chosen_minutes(),
            by=signed_in_user(request),
            stage_shown=typed_key(request.POST, "stage"),
        )
    except (OtherStage, SlugTaken, TooFewRounds) as error:
        form.refuse(error)
        return False
    return True


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(MANAGE)
def officials(request: HttpRequest, event: Event) -> HttpResponse:
    """Who officiates the event: appoint one more, or end the rights of one."""
    form = AppointForm(request.POST if "user" in request.POST else None, users=appointable_users(event))
    if request.method == "POST" and "remove" in request.POST:
        return _removed(request, event)
    if request.method == "POST" and form.is_valid():
        user = form.cleaned_data["user"]
        appoint_official(event=event, user=user, by=signed_in_user(request))
        messages.success(
            request, _("%(name)s is now an official of this event.") % {"name": actor_name(user)}
        )
        return see_other(reverse("officials", args=[event.slug]))
    people = event_officials(event)
    context = {"event": event, "form": form, "people": people, "section": "settings"}
    return render(
        request, "tournaments/officials.html", context, status=422 if request.method == "POST" else 200
    )


def _removed(request: HttpRequest, event: Event) -> HttpResponse:
    wanted = request.POST["remove"]
    user = next((one.user for one in event_officials(event) if str(one.user.pk) == wanted), None)
    if user is None:
        raise Http404("no such official")
    remove_official(event=event, user=user, by=signed_in_user(request))
    messages.success(request, _("%(name)s no longer has rights in this event.") % {"name": actor_name(user)})
    return see_other(reverse("officials", args=[event.slug]))
