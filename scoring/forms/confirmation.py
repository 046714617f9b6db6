"""Who confirms results and what the tables' phones may do, as a form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.engine.confirmation import ConfirmationRules, ConfirmedBy, TablePhones

BY = {
    ConfirmedBy.OFF: gettext_lazy("Nobody: what is entered stands"),
    ConfirmedBy.OFFICIAL: gettext_lazy(
        "A second official, who enters the slip again without seeing the first entry"
    ),
    ConfirmedBy.PHONES: gettext_lazy("Both teams, on their table’s phone page"),
    ConfirmedBy.EITHER: gettext_lazy("A second official or both teams, whoever comes first"),
}
PHONES = {
    TablePhones.OFF: gettext_lazy("No phone page"),
    TablePhones.CONFIRM: gettext_lazy(
        "See opponent, table and clock, call a referee; confirm what an official entered, where teams confirm"
    ),
    TablePhones.ENTER: gettext_lazy("The same, and enter the result: what both teams say alike stands"),
}


class ConfirmationForm(forms.Form):
    """The two choices; teams cannot confirm on a page that is not there."""

    by = forms.ChoiceField(
        label=gettext_lazy("Who confirms a result"),
        choices=[(value.value, words) for value, words in BY.items()],
        widget=forms.RadioSelect,
    )
    phones = forms.ChoiceField(
        label=gettext_lazy("Table phones"),
        choices=[(value.value, words) for value, words in PHONES.items()],
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Every table gets a QR code on its result slip and its table card. No account is needed."
        ),
    )

    def __init__(self, data: Any, *, stored: ConfirmationRules) -> None:
        super().__init__(data, initial=stored.as_dict())

    def clean(self) -> dict[str, Any]:
        """Refuses confirmation by phones without phones."""
        cleaned: dict[str, Any] = super().clean() or {}
        needs_phones = cleaned.get("by") in {ConfirmedBy.PHONES, ConfirmedBy.EITHER}
        if needs_phones and cleaned.get("phones") == TablePhones.OFF:
            self.add_error("phones", _("Where the teams confirm, their tables need a phone page."))
        return cleaned

    def rules(self) -> ConfirmationRules:
        """What was chosen."""
        return ConfirmationRules.from_dict(self.cleaned_data)
