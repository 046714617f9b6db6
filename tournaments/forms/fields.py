"""Fields for text that is printed and compared: typed by hand, it is stored as an import would store it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from tournaments.roster.text import clean_text, is_garbled, tidy

SAID_BY_DJANGO = (
    gettext_lazy("Ensure this value is less than or equal to %(limit_value)s."),
    gettext_lazy("Ensure this value is greater than or equal to %(limit_value)s."),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
        "limit_value",
    ),
)
"""Django's refusals that our catalogue says anew: its own Chinese speaks of variables and characters."""


class LineField(forms.CharField):
    """One line without invisible characters or direction marks, blanks as a person sees them."""

    def to_python(self, value: Any) -> str:
        """Refuses letters that an earlier program destroyed, which no reader could make out."""
        text = clean_text(super().to_python(value) or "").replace("\n", " ")
        if is_garbled(text):
            raise forms.ValidationError(_("Some letters are destroyed (�). Please type it again."))
        return text


class NameField(LineField):
    """A name: 王 明 and 王明 are one person, so a blank inside a Chinese name goes."""

    def to_python(self, value: Any) -> str:
        """As a roster's cell is read."""
        return tidy(super().to_python(value))


class RosterFileField(forms.FileField):
    """A list as Excel or CSV; what is too large is refused before anything reads it."""

    widget = forms.ClearableFileInput(attrs={"accept": ".xlsx,.csv"})
    default_error_messages = {
        "required": gettext_lazy("Please choose a file first."),
        "empty": gettext_lazy("The file is empty. Please look whether it is the right one."),
        "too_large": gettext_lazy(
            "The file is larger than 5 MB. Please remove pictures and sheets that do not belong to it."
        ),
    }

    def clean(self, data: Any, initial: Any = None) -> Any:
        """The file as it was uploaded."""
        file = super().clean(data, initial)
        if (file.size or 0) > settings.ROSTER_MAX_BYTES:
            raise forms.ValidationError(self.error_messages["too_large"])
        return file
