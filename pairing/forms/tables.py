"""The shape of what the chief sends to move a match to another table."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

HIGHEST_TABLE = 9999


class TableForm(forms.Form):
    """From which table a match goes to which; the other may be free."""

    table = forms.IntegerField(label=_("From table"), min_value=1, max_value=HIGHEST_TABLE)
    to = forms.IntegerField(label=_("To table"), min_value=1, max_value=HIGHEST_TABLE)


class ExchangeForm(TableForm):
    """The same, confirmed for the version that was looked at; a published round needs a reason."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**31)
    reason = forms.CharField(label=_("Reason"), max_length=400, required=False)
