"""少见的字: what was typed and printers and projectors may lack, such as an emoji in an event's name."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from tournaments.forms.fields import LineField
from tournaments.roster.text import unusual_characters

NOT_PRINTED = ("phone", "remark", "note", "reason")
"""How the fields begin that no sheet and no projector shows."""


def tell_of_unusual(request: HttpRequest, form: forms.BaseForm) -> None:
    """Warns of characters in a valid form that may print as a box; they are stored: a name may need them."""
    warn_of_unusual(
        request,
        (
            form.cleaned_data.get(name) or ""
            for name, field in form.fields.items()
            if isinstance(field, LineField) and not name.startswith(NOT_PRINTED)
        ),
    )


def warn_of_unusual(request: HttpRequest, texts: Iterable[str]) -> None:
    """Warns of such characters in texts that are printed and were stored just now."""
    found = unusual_characters("".join(texts))
    if found:
        words = _(
            "Saved as typed, but printers and projectors may lack “%(characters)s” and show a box instead: "
            "look at a printed sheet, or write it in another way."
        )
        messages.warning(request, words % {"characters": found})
