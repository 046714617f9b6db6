"""事后更正 on a page: what it brings before it is saved, and the ways on with what was drawn from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from pairing import wording
from pairing.cut_words import cut_sentences
from pairing.forms.corrections import CorrectionForm
from pairing.services.late_corrections import (
    Correction,
    Foreseen,
    Way,
    foresee_correction,
    make_correction,
)
from pairing.services.refusals import Refused
from tournaments.access import see_other, signed_in_user
from tournaments.models import Event

NOT_CARRIED = frozenset({"csrfmiddlewaretoken", "reason", "way", "seen"})


@dataclass(frozen=True)
class Asked:
    """A correction as its page tells it: what was, what is to be, and where the chief goes afterwards.

    `fields` are carried from page to page; `refused` are the errors of the act itself, `refusal` their words.
    """

    correction: Correction
    section: str
    title: str
    place: str
    heading: str
    now: str
    save: str
    save_all_the_same: str
    saved: str
    address: str
    back: str
    done: str
    fields: Mapping[str, str]
    refused: tuple[type[Exception], ...]
    refusal: Callable[[Exception], str]
    was: str = ""
    was_points: tuple[int, int] | None = None
    now_points: tuple[int, int] | None = None


@dataclass(frozen=True)
class _Shown:
    """What the chief chose on the page so far."""

    form: CorrectionForm | None = None
    problem: str = ""
    way: str = ""
    status: int = field(default=200)


def foreseen(request: HttpRequest, event: Event, asked: Asked) -> HttpResponse:
    """The page; to a POST the correction is made, or the page comes again with what kept it from that."""
    user = signed_in_user(request)
    try:
        found = foresee_correction(correction=asked.correction, by=user)
        if request.method != "POST":
            return _page(request, event, asked, found, _Shown())
        form = CorrectionForm(request.POST, needs_way=found.next is not None)
        chosen = request.POST.get("way", "")
        if not form.is_valid():
            return _page(request, event, asked, found, _Shown(form, way=chosen, status=422))
        way, seen = Way(form.cleaned_data["way"] or Way.KEEP), form.cleaned_data["seen"]
        try:
            done = make_correction(correction=asked.correction, by=user, way=way, seen=seen)
        except Refused as refused:
            found = foresee_correction(correction=asked.correction, by=user)
            shown = _Shown(form, wording.refusal(refused), chosen, 422)
            return _page(request, event, asked, found, shown)
    except asked.refused as error:
        messages.error(request, asked.refusal(error))
        return see_other(asked.back)
    _tell(request, asked, done, way)
    return see_other(asked.done)


def carried(typed: Mapping[str, str]) -> dict[str, str]:
    """What was typed on the page before and goes along to the next."""
    return {name: value for name, value in typed.items() if name not in NOT_CARRIED}


def _page(request: HttpRequest, event: Event, asked: Asked, found: Foreseen, shown: _Shown) -> HttpResponse:
    context: dict[str, Any] = {
        "event": event,
        "section": asked.section,
        "asked": asked,
        "found": found,
        "following": found.next,
        "differing": [(each.stage, cut_sentences(each)) for each in found.cuts if each.is_any],
        "later": [each.stage for each in found.cuts],
        "shown": shown,
    }
    return render(request, "pairing/correction.html", context, status=shown.status)


def _tell(request: HttpRequest, asked: Asked, done: Foreseen, way: Way) -> None:
    """What was done, and what is to do next in the hall."""
    for sentence in (line for each in done.cuts if each.is_any for line in cut_sentences(each)):
        messages.warning(request, sentence)
    if done.next is None:
        messages.success(request, asked.saved)
        return
    if way is Way.KEEP:
        words = _("%(saved)s The draw of round %(round)s stays as it is.")
    elif done.next.round.is_draft:
        words = _("%(saved)s The draft of round %(round)s is drawn again: look at it and publish.")
    else:
        words = _(
            "%(saved)s Round %(round)s is published again. Print the new sheets and take the old ones down."
        )
    messages.success(request, words % {"saved": asked.saved, "round": done.next.round.number})
