"""Fields for text that is printed and compared: typed by hand, it is stored as an import would store it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from tournaments.roster.text import clean_text, is_garbled, tidy


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
