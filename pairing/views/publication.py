"""公示 from the draw board: publish, put up one by one, correct, withdraw, open a closed round again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from pairing import wording
from pairing.forms.draws import PublishForm
from pairing.services import (
    end_notice,
    open_to_everybody,
    publish_round,
    publish_with_ceremony,
    reopen_round,
    republish,
    skip_ceremony,
    start_ceremony,
    withdraw_publication,
)
from pairing.services.refusals import DraftGone
from pairing.views.board import answer, board
from pairing.views.common import posted_round, seen_round
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event
from tournaments.roles import DIRECT
from tournaments.typed import typed_line


@require_POST
@official_event(DIRECT)
def draw_publish(request: HttpRequest, event: Event) -> HttpResponse:
    """Shows the draft to the hall, or to everybody."""
    return _published(request, event, publish_round)


@require_POST
@official_event(DIRECT)
def draw_open(request: HttpRequest, event: Event) -> HttpResponse:
    """公布到手机: what the hall sees, phones and public pages see too; back to the desk or the board."""
    response = _of_round(request, event, open_to_everybody)
    is_from_desk = response.status_code == 303 and request.POST.get("from") == "desk"
    return see_other(reverse("desk", args=[event.slug])) if is_from_desk else response


@require_POST
@official_event(DIRECT)
def draw_republish(request: HttpRequest, event: Event) -> HttpResponse:
    """更正公示: the tables and names as they stand now, in a new version."""
    return _of_round(request, event, republish, reason=typed_line(request.POST, "reason"))


@require_POST
@official_event(DIRECT)
def notice_end(request: HttpRequest, event: Event) -> HttpResponse:
    """Takes the correction notice down."""
    return _of_round(request, event, end_notice)


@require_POST
@official_event(DIRECT)
def ceremony_publish(request: HttpRequest, event: Event) -> HttpResponse:
    """揭晓: publishes the draft, and the screens put its tables up one by one."""
    return _published(request, event, publish_with_ceremony)


@require_POST
@official_event(DIRECT)
def ceremony_start(request: HttpRequest, event: Event) -> HttpResponse:
    """Puts published tables up one by one, while nobody plays."""
    return _of_round(request, event, start_ceremony)


@require_POST
@official_event(DIRECT)
def ceremony_skip(request: HttpRequest, event: Event) -> HttpResponse:
    """Shows all tables at once."""
    return _of_round(request, event, skip_ceremony)


@require_POST
@official_event(DIRECT)
def draw_withdraw(request: HttpRequest, event: Event) -> HttpResponse:
    """Takes the published tables back while nobody has played."""
    return _of_round(request, event, withdraw_publication)


@require_POST
@official_event(DIRECT)
def round_reopen(request: HttpRequest, event: Event) -> HttpResponse:
    """Opens the last closed round again."""
    return _of_round(request, event, reopen_round, reason=typed_line(request.POST, "reason"))


def _of_round(request: HttpRequest, event: Event, act: Callable[..., Any], **facts: str) -> HttpResponse:
    """An act on the round that the pressed button named."""
    by = signed_in_user(request)
    return answer(request, event, lambda: act(round=posted_round(request, event), by=by, **facts))


def _published(request: HttpRequest, event: Event, publish: Callable[..., Any]) -> HttpResponse:
    form = PublishForm(request.POST)
    if not form.is_valid():
        return board(request, event, problem=wording.refusal(DraftGone()), status=422)
    return answer(
        request,
        event,
        lambda: publish(
            round=seen_round(event, form),
            by=signed_in_user(request),
            expected_version=form.cleaned_data["version"],
            audience=form.chosen(event.publishes_to),
            reason=form.cleaned_data["reason"],
        ),
    )
