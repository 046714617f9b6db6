"""小组自约: the chief says who calls a group together and until when, and ends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from pairing import wording
from pairing.forms.groups import FinishForm, GroupForm, ReasonForm
from pairing.group_words import left_words, open_words, phone_words
from pairing.selectors.groups import GroupState, group_states, open_matches
from pairing.services import arrange_group, finish_group, reopen_group
from pairing.services.refusals import Refused
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event, Stage
from tournaments.roles import DIRECT
from tournaments.typed import typed_line


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(DIRECT)
def group_edit(request: HttpRequest, event: Event, stage: int, group: int) -> HttpResponse:
    """Convenor and deadline of a group, how far it is, and ending it."""
    state = _state(event, stage, group)
    if request.method != "POST":
        return _page(request, state)
    form = GroupForm(request.POST, group=state.group)
    if not form.is_valid():
        return _page(request, state, form=form, status=422)
    user = signed_in_user(request)
    return _answer(
        request,
        state,
        lambda: arrange_group(group=state.group, arrangement=form.arrangement(), by=user),
        _("The group is saved."),
        form=form,
    )


@require_POST
@official_event(DIRECT)
def group_finish(request: HttpRequest, event: Event, stage: int, group: int) -> HttpResponse:
    """Ends the group; what is open becomes what the chief decides."""
    state = _state(event, stage, group)
    form = FinishForm(request.POST, matches=open_matches(state.group))
    if not form.is_valid():
        return _page(request, state, finish=form, status=422)
    user, reason = signed_in_user(request), form.cleaned_data["reason"]
    return _answer(
        request,
        state,
        lambda: finish_group(group=state.group, by=user, decided=form.decided(), reason=reason),
        _("%(group)s is over.") % {"group": state.group.title},
        finish=form,
    )


@require_POST
@official_event(DIRECT)
def group_reopen(request: HttpRequest, event: Event, stage: int, group: int) -> HttpResponse:
    """Lets results be entered again."""
    state = _state(event, stage, group)
    reason = typed_line(request.POST, "reason")
    user = signed_in_user(request)
    return _answer(
        request,
        state,
        lambda: reopen_group(group=state.group, by=user, reason=reason),
        _("%(group)s is open again.") % {"group": state.group.title},
    )


def _answer(
    request: HttpRequest, state: GroupState, act: Callable[[], Any], done: str, **refused: Any
) -> HttpResponse:
    """The page after an act: by redirect when it worked, else with what stood against it."""
    try:
        act()
    except Refused as error:
        return _page(request, state, problem=wording.refusal(error), status=422, **refused)
    messages.success(request, done)
    group, stage = state.group, state.group.stage
    return see_other(reverse("group_edit", args=[stage.event.slug, stage.order, group.order]))


def _page(
    request: HttpRequest,
    state: GroupState,
    *,
    problem: str = "",
    form: GroupForm | None = None,
    finish: FinishForm | None = None,
    status: int = 200,
) -> HttpResponse:
    group = state.group
    context = {
        "event": group.stage.event,
        "section": "draw_board",
        "stage": group.stage,
        "group": group,
        "state": state,
        "open": open_words(state),
        "left": left_words(state),
        "phone": phone_words(group),
        "form": form or GroupForm(group=group),
        "finish": finish or FinishForm(matches=open_matches(group)),
        "reopen_form": ReasonForm(),
        "problem": problem,
    }
    return render(request, "pairing/group_edit.html", context, status=status)


def _state(event: Event, order: int, number: int) -> GroupState:
    """The group of an address, if it finds its own time."""
    stage = Stage.objects.filter(event=event, order=order).first()
    states = group_states(stage) if stage is not None else ()
    for state in states:
        if state.group.order == number and stage is not None:
            return _with_event(state, stage, event)
    raise Http404("no such group")


def _with_event(state: GroupState, stage: Stage, event: Event) -> GroupState:
    stage.event, state.group.stage = event, stage
    return state
