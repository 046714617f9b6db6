"""Forms of a copy and of the archive."""

from __future__ import annotations

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from guandan_site.across.copying import NewHead
from tournaments.forms.fields import LineField
from tournaments.selectors.events import proposed_slug

LONGEST_NAME = 100


class CopyForm(forms.Form):
    """What the copy of an event is called."""

    name = LineField(label=_("Name of the new event"), max_length=LONGEST_NAME)
    starts_at = forms.DateTimeField(
        label=_("Date and time"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    with_teams = forms.BooleanField(label=_("Take the teams along"), required=False)

    def head(self, *, is_public: bool) -> NewHead:
        """What was typed, with a free short address; a private event's copy is private too. One query."""
        name, starts_at = self.cleaned_data["name"], self.cleaned_data["starts_at"]
        day = timezone.localtime(starts_at).strftime("%Y%m%d")
        return NewHead(name, proposed_slug(name, day), starts_at, is_public=is_public)
