"""What several views of this app need."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from pairing.forms import RoundForm
from pairing.selectors.board import event_round
from tournaments.models import Event, Round


def posted_round(request: HttpRequest, event: Event) -> Round:
    """The round of a form, so that a page left open never acts on the next one. One query."""
    form = RoundForm(request.POST)
    round_ = event_round(event, form.cleaned_data["round"]) if form.is_valid() else None
    if round_ is None:
        raise Http404("no such round")
    return round_
