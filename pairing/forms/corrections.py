"""What the chief chooses on the page of a correction."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pairing.services.late_corrections import Way


class CorrectionForm(forms.Form):
    """Why, and what becomes of the round that was drawn from the result as it was."""

    reason = forms.CharField(label=_("Reason for the correction"), max_length=200)
    way = forms.ChoiceField(choices=[(way.value, way.value) for way in Way], required=False)
    seen = forms.CharField(max_length=40, required=False)

    def __init__(self, data: Any, *, needs_way: bool) -> None:
        super().__init__(data)
        self.fields["way"].required = needs_way
        self.fields["way"].error_messages["required"] = _("Choose what becomes of the present draw.")
