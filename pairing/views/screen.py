"""大屏: the projector pages, which turn by themselves and follow what the desk chose."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from pairing.forms.screens import ContactForm
from pairing.models import Screen
from pairing.phones import phones_address
from pairing.screen_program import public_program, screen_program
from pairing.selectors.published import has_hall_only_round
from pairing.selectors.screens import keyed_screen
from pairing.services import note_contact
from tournaments.access import may, public_event
from tournaments.clock import clock_face, running_round
from tournaments.models import Audience, Event
from tournaments.roles import ASSIST

ScreenView = Callable[[HttpRequest, Screen], HttpResponse]


def hall_screen(view: ScreenView) -> Callable[..., HttpResponse]:
    """A page of one screen of the hall, for whoever knows the key in its address, of a private event too."""

    @wraps(view)
    def wrapper(request: HttpRequest, slug: str, key: str) -> HttpResponse:
        screen = keyed_screen(slug, key)
        if screen is None:
            raise Http404("no such screen")
        return view(request, screen)

    return wrapper


@require_safe
@public_event
def screen(request: HttpRequest, event: Event) -> HttpResponse:
    """The page without a key: what everybody may see; its scenes are asked for again every few seconds."""
    program = public_program(event, phones_address(request, event))
    round_ = program.round
    context = {
        "event": event,
        "program": program,
        "face": clock_face(round_) if round_ is not None else None,
        "clock_address": reverse("clock_json", args=[event.slug]),
        "data_address": reverse("screen_data", args=[event.slug]),
        **_for_officials(request, event),
    }
    return render(request, "pairing/screen/page.html", context)


@require_safe
@public_event
def screen_data(request: HttpRequest, event: Event) -> HttpResponse:
    """The scenes alone: the same bytes while nothing changed, so a poll costs a 304."""
    program = public_program(event, phones_address(request, event))
    context = {"program": program, **_for_officials(request, event)}
    return render(request, "pairing/screen/_program.html", context)


def _for_officials(request: HttpRequest, event: Event) -> dict[str, bool]:
    """What only officials may know of the page without a key: that it leaves a round of the hall out."""
    if not may(request.user, ASSIST, event):
        return {}
    return {"is_officials": True, "leaves_out": has_hall_only_round(event)}


@require_safe
@hall_screen
def screen_keyed(request: HttpRequest, screen: Screen) -> HttpResponse:
    """A screen of the hall; with `?look` an official only looks, and is not taken for the projector."""
    event = screen.event
    program = screen_program(screen, phones_address(request, event))
    keyed = [event.slug, screen.key]
    context = {
        "event": event,
        "program": program,
        "face": clock_face(program.round) if program.round is not None else None,
        "clock_address": reverse("screen_clock", args=keyed),
        "data_address": reverse("screen_keyed_data", args=keyed),
        "is_keyed": "look" not in request.GET,
    }
    return render(request, "pairing/screen/page.html", context)


@require_safe
@hall_screen
def screen_keyed_data(request: HttpRequest, screen: Screen) -> HttpResponse:
    """The scenes of a screen, which tells what it shows while it asks; no body while nothing changed.

    The mark is made from the bytes, not from the revision: what the hall may not see changes nothing here.
    """
    contact = ContactForm(request.GET)
    if request.method == "GET" and contact.is_valid():
        note_contact(screen, **contact.cleaned_data)
    program = screen_program(screen, phones_address(request, screen.event))
    response = render(request, "pairing/screen/_program.html", {"program": program})
    mark = f'W/"{hashlib.blake2b(response.content, digest_size=12).hexdigest()}"'
    if request.headers.get("If-None-Match") == mark:
        response = HttpResponseNotModified()
    response.headers["ETag"], response.headers["Cache-Control"] = mark, "no-store"
    return response


@require_safe
@hall_screen
def screen_clock(request: HttpRequest, screen: Screen) -> HttpResponse:
    """The countdown of the round that the hall plays, never cached: it carries the server's own now."""
    response = JsonResponse(clock_face(running_round(screen.event, Audience.HALL)).as_dict())
    response.headers["Cache-Control"] = "no-store"
    return response
