"""Small forms of official acts: a reason, minutes."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class ReasonForm(forms.Form):
    """Why: for acts that the log must explain."""

    reason = forms.CharField(label=_("Reason"), max_length=200, strip=True)


class ClockMinutesForm(forms.Form):
    """Minutes to add to the countdown; negative takes them away. How many fit, the clock says."""

    minutes = forms.IntegerField(label=_("Minutes"), initial=5)

    def clean_minutes(self) -> int:
        """Nought changes nothing, so it is a slip of the finger."""
        minutes: int = self.cleaned_data["minutes"]
        if minutes == 0:
            raise forms.ValidationError(_("Say how many minutes."))
        return minutes

    def refuse(self, least: int, most: int) -> None:
        """Says how many minutes fit now."""
        words = _(
            "Not changed: at least one second and at most eight hours must be left. "
            "Now from %(least)d to %(most)d minutes can be added."
        )
        self.add_error("minutes", words % {"least": least, "most": most})
