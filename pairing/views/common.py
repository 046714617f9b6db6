"""What several views of this app need."""

from __future__ import annotations

from django.http import HttpRequest

from pairing.forms.draws import RoundForm, SeenDraftForm
from pairing.selectors.board import event_round
from pairing.services.refusals import DraftGone, RoundGone
from tournaments.models import Event, Round


def posted_round(request: HttpRequest, event: Event) -> Round:
    """The round that the pressed button named, so that a page left open never acts on the next one.

    Raises RoundGone. One query.
    """
    form = RoundForm(request.POST)
    round_ = event_round(event, form.cleaned_data["round"]) if form.is_valid() else None
    if round_ is None:
        raise RoundGone
    return round_


def seen_round(event: Event, form: SeenDraftForm) -> Round:
    """The round that the page showed. Raises DraftGone. One query."""
    round_ = event_round(event, form.cleaned_data["draft"])
    if round_ is None:
        raise DraftGone
    return round_
