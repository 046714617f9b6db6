"""The shape of what the chief sends to the draw board."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pairing.engine.types import Method, Relaxation, Rule
from pairing.services import MeetingWish, ScreenShows
from pairing.services.check_in import Unchecked
from tournaments.models import Audience

RELAXATIONS = [
    "same_department:avoid",
    "same_department:allow",
    "rematch:avoid",
    "forced:drop",
    "forbidden:drop",
]
HIGHEST_SEED = 2**31 - 1


class RelaxationField(forms.MultipleChoiceField):
    """Rules to soften, each as `rule:value`."""

    widget = forms.MultipleHiddenInput

    def __init__(self) -> None:
        super().__init__(choices=[(name, name) for name in RELAXATIONS], required=False)

    def clean(self, value: Any) -> list[Relaxation]:
        """The relaxations, in the order sent."""
        couples = [item.split(":", 1) for item in super().clean(value)]
        return [Relaxation(Rule(rule), wanted) for rule, wanted in couples]


class DrawForm(forms.Form):
    """How to draw: everything may be left as it is."""

    method = forms.ChoiceField(
        label=_("Method"),
        required=False,
        choices=[
            ("", _("As in the rules")),
            (Method.ADJACENT, _("Adjacent ranks meet")),
            (Method.CLOSEST, _("Smallest gaps in rank over all tables")),
        ],
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        required=False,
        min_value=0,
        max_value=HIGHEST_SEED,
        help_text=_("Only to repeat an earlier draw; leave it empty otherwise."),
    )
    relaxation = RelaxationField()
    unchecked = forms.ChoiceField(
        required=False, choices=[(each.value, each.value) for each in Unchecked], widget=forms.HiddenInput
    )

    def clean_unchecked(self) -> Unchecked | None:
        """What is said of teams that have not checked in; None for nothing yet."""
        return Unchecked(self.cleaned_data["unchecked"]) if self.cleaned_data["unchecked"] else None

    def clean_method(self) -> Method | None:
        """The method, None for the one in the rules."""
        return Method(self.cleaned_data["method"]) if self.cleaned_data["method"] else None


class SeenDraftForm(forms.Form):
    """Which round's draft the chief looked at, and in which version."""

    draft = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**62)
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**31)


class PublishForm(SeenDraftForm):
    """Who is to see the draft; without a word those whom the event's settings name."""

    audience = forms.ChoiceField(choices=Audience.choices, required=False)
    reason = forms.CharField(max_length=400, required=False)
    """Of what was changed by hand."""

    def chosen(self, usual: str) -> Audience:
        """The button that was pressed."""
        return Audience(self.cleaned_data["audience"] or usual)


class AgainForm(SeenDraftForm, DrawForm):
    """Draw the draft again."""


class SwapForm(SeenDraftForm):
    """Two teams change places."""

    first = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=99999)
    second = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=99999)
    confirmed = forms.BooleanField(widget=forms.HiddenInput, required=False)
    reason = forms.CharField(max_length=400, required=False)
    """Only of a round that is published."""


class MeetingForm(SwapForm):
    """Two teams are to meet, or not to meet, or nothing is set for them any more."""

    wish = forms.ChoiceField(choices=[(wish.value, wish.value) for wish in MeetingWish])


class RoundForm(forms.Form):
    """The round that the pressed button named."""

    round = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**62)


class ReopenForm(forms.Form):
    """Why the last round is opened again."""

    reason = forms.CharField(label=_("Reason"), max_length=400)


class ScreenForm(forms.Form):
    """What the projector shows."""

    shows = forms.ChoiceField(choices=[(shows.value, shows.value) for shows in ScreenShows])

    def clean_shows(self) -> ScreenShows:
        """The value as the service takes it."""
        return ScreenShows(self.cleaned_data["shows"])
