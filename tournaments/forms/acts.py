"""Small forms of official acts: a reason, minutes."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class ReasonForm(forms.Form):
    """Why: for acts that the log must explain."""

    reason = forms.CharField(label=_("Reason"), max_length=200, strip=True)


class ClockMinutesForm(forms.Form):
    """Minutes to add to the countdown; negative takes them away."""

    minutes = forms.IntegerField(label=_("Minutes"), min_value=-240, max_value=240, initial=5)

    def clean_minutes(self) -> int:
        """Nought changes nothing, so it is a slip of the finger."""
        minutes: int = self.cleaned_data["minutes"]
        if minutes == 0:
            raise forms.ValidationError(_("Say how many minutes."))
        return minutes
