"""What several views of this app need."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from pairing.forms import RoundForm
from tournaments.models import Event, Round


def posted_round(request: HttpRequest, event: Event) -> Round:
    """The round of a form, so that a page left open never acts on the next one. One query."""
    form = RoundForm(request.POST)
    rounds = Round.objects.filter(stage__event=event).select_related("stage")
    round_ = rounds.filter(pk=form.cleaned_data["round"]).first() if form.is_valid() else None
    if round_ is None:
        raise Http404("no such round")
    return round_
