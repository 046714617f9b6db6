"""大屏 under the desk: which projectors the hall has, what each shows, and steering them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pairing import wording
from pairing.forms.screens import NoticeForm, ScreenSetupForm, SteerForm
from pairing.models import Screen, ScreenRole
from pairing.phones import phones_address
from pairing.selectors.published import newest_published_round
from pairing.selectors.screens import event_screen, running_ceremony, screen_states
from pairing.services import (
    add_screen,
    change_screen,
    hold_screen,
    pin_screen,
    post_notice,
    remove_screen,
    turn_screen,
)
from pairing.services.refusals import Refused
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Audience, Event
from tournaments.roles import ASSIST


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def screens(request: HttpRequest, event: Event) -> HttpResponse:
    """The screens with what they show now; a POST sets up one more."""
    if request.method != "POST":
        return _page(request, event)
    form = ScreenSetupForm(request.POST)
    if not form.is_valid():
        return _page(request, event, setup_form=form, status=422)
    try:
        add_screen(event=event, setup=form.setup(), by=signed_in_user(request))
    except Refused as refused:
        form.add_error("name", wording.refusal(refused))
        return _page(request, event, setup_form=form, status=422)
    return see_other(reverse("screens", args=[event.slug]))


@require_safe
@official_event(ASSIST)
def screens_now(request: HttpRequest, event: Event) -> HttpResponse:
    """The part of the page that tells what each screen shows, asked for again every few seconds."""
    return render(request, "pairing/_screens_now.html", _now(request, event))


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def screen_edit(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """One screen's name, roles and pace."""
    screen = _screen(event, pk)
    form = ScreenSetupForm(request.POST) if request.method == "POST" else ScreenSetupForm.of(screen)
    if form.is_bound and form.is_valid():
        try:
            change_screen(screen=screen, setup=form.setup(screen.notice), by=signed_in_user(request))
        except Refused as refused:
            form.add_error("name", wording.refusal(refused))
        else:
            return see_other(reverse("screens", args=[event.slug]))
    context = {"event": event, "section": "screens", "screen": screen, "form": form}
    return render(request, "pairing/screen_edit.html", context, status=422 if form.is_bound else 200)


@require_POST
@official_event(ASSIST)
def screen_remove(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Takes a screen away."""
    screen = _screen(event, pk)
    return _answer(request, event, lambda: remove_screen(screen=screen, by=signed_in_user(request)))


@require_POST
@official_event(ASSIST)
def screen_steer(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """One press: a page forward or back, hold, let go, one role alone, all in turn."""
    screen, form = _screen(event, pk), SteerForm(request.POST)
    if not form.is_valid():
        return _page(request, event, status=422)
    act, by = form.cleaned_data["act"], signed_in_user(request)
    steer: dict[str, Callable[[], Screen]] = {
        "forward": lambda: turn_screen(screen=screen, pages=1, by=by),
        "back": lambda: turn_screen(screen=screen, pages=-1, by=by),
        "hold": lambda: hold_screen(screen=screen, is_held=True, by=by),
        "release": lambda: hold_screen(screen=screen, is_held=False, by=by),
        "rotation": lambda: pin_screen(screen=screen, role=None, by=by),
    }
    return _answer(
        request,
        event,
        steer.get(act) or (lambda: pin_screen(screen=screen, role=ScreenRole(act), by=by)),
    )


@require_POST
@official_event(ASSIST)
def screens_notice(request: HttpRequest, event: Event) -> HttpResponse:
    """Puts a notice up on some screens at once, or takes it down."""
    shown = [state.screen for state in screen_states(event)]
    form = NoticeForm(request.POST, screens=shown)
    if not form.is_valid():
        return _page(request, event, notice_form=form, status=422)
    wanted = [screen for screen in shown if screen.pk in form.cleaned_data["screens"]]
    return _answer(
        request,
        event,
        lambda: post_notice(
            event=event, screens=wanted, notice=form.cleaned_data["notice"], by=signed_in_user(request)
        ),
    )


def _answer(request: HttpRequest, event: Event, act: Callable[[], Any]) -> HttpResponse:
    """Back to where the button was pressed: the page of screens, or the desk."""
    try:
        act()
    except Refused as refused:
        return _page(request, event, problem=wording.refusal(refused), status=422)
    where = "desk" if request.POST.get("from") == "desk" else "screens"
    return see_other(reverse(where, args=[event.slug]))


def _screen(event: Event, pk: int) -> Screen:
    screen = event_screen(event, pk)
    if screen is None:
        raise Http404("no such screen")
    return screen


def _page(
    request: HttpRequest,
    event: Event,
    *,
    setup_form: ScreenSetupForm | None = None,
    notice_form: NoticeForm | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    now = _now(request, event)
    shown = [state.screen for state in now["screen_states"]]
    context = now | {
        "section": "screens",
        "setup_form": setup_form or ScreenSetupForm(),
        "notice_form": notice_form or NoticeForm(screens=shown),
        "has_notice": any(screen.notice for screen in shown),
        "problem": problem,
    }
    return render(request, "pairing/screens.html", context, status=status)


def _now(request: HttpRequest, event: Event) -> dict[str, Any]:
    public_page = phones_address(request, event)
    round_ = newest_published_round(event, Audience.HALL)
    return {
        "event": event,
        "screen_states": screen_states(event),
        "roles": ScreenRole.choices,
        "base": public_page.removesuffix(reverse("event", args=[event.slug])),
        "round": round_,
        "ceremony": running_ceremony(round_),
    }
