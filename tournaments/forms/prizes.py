"""The form of an event's prizes: one line a tier, places as officials write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from django import forms
from django.forms import BaseFormSet, formset_factory
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.prizes import LAST_PLACE, MOST_TIERS, Tier

PLACES = re.compile(
    r"第?\s*(\d{1,4})\s*(?:名?\s*([-–—~～至到]|起|以后|以下)\s*(\d{1,4})?)?\s*名?(?:起|以后)?"
)
EMPTY_LINES = 2


class TierForm(forms.Form):
    """One tier; a line left empty is none."""

    places = forms.CharField(
        label=gettext_lazy("Places"),
        max_length=20,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "2-4"}),
    )
    name = forms.CharField(label=gettext_lazy("Prize name"), max_length=30, required=False)
    prize = forms.CharField(label=gettext_lazy("What is given"), max_length=60, required=False)

    def clean(self) -> dict[str, Any]:
        """Places can be read and have a name."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        places, name = cleaned.get("places", ""), cleaned.get("name", "")
        if not (places or name or cleaned.get("prize")):
            return cleaned
        if not name:
            self.add_error("name", _("Please give the prize a name."))
        try:
            self.first, self.last = read_places(places)
        except ValueError:
            self.add_error("places", _("Write the places as 1, as 2-4, or as 9- for all from 9 on."))
        return cleaned

    def tier(self) -> Tier | None:
        """The tier typed, None for an empty line."""
        data = self.cleaned_data
        return Tier(self.first, self.last, data["name"], data["prize"]) if data.get("places") else None


class _TierFormSet(BaseFormSet):  # type: ignore[type-arg]  # not generic at run time
    """The lines together."""

    def clean(self) -> None:
        """No place belongs to two tiers."""
        if any(self.errors):
            return
        found = sorted(self.tiers(), key=lambda tier: tier.first)
        for upper, lower in pairwise(found):
            if upper.last is None or upper.last >= lower.first:
                told = {"upper": upper.name, "lower": lower.name, "place": lower.first}
                raise forms.ValidationError(
                    _("Place %(place)d is both in %(upper)s and in %(lower)s.") % told
                )

    def tiers(self) -> list[Tier]:
        """The tiers typed, by place."""
        typed = (form.tier() for form in self.forms)
        return sorted((tier for tier in typed if tier), key=lambda tier: tier.first)


TierFormSet = formset_factory(
    TierForm, formset=_TierFormSet, extra=0, max_num=MOST_TIERS, absolute_max=MOST_TIERS, validate_max=True
)


def tier_lines(tiers: Sequence[Tier]) -> list[dict[str, str]]:
    """The stored tiers as lines of the form, with room for more."""
    lines = [{"places": written_places(tier), "name": tier.name, "prize": tier.prize} for tier in tiers]
    empty: Iterable[dict[str, str]] = ({} for _line in range(min(EMPTY_LINES, MOST_TIERS - len(lines))))
    return [*lines, *empty]


def read_places(text: str) -> tuple[int, int | None]:
    """First and last place of 1, 2-4, 9- or 第 9 名起; raises ValueError."""
    found = PLACES.fullmatch(text.strip())
    if found is None:
        raise ValueError(text)
    first = int(found[1])
    is_open = text.strip().endswith(("起", "以后")) or (found[2] is not None and found[3] is None)
    last = None if is_open else int(found[3] or first)
    if not 1 <= first <= (last or LAST_PLACE):
        raise ValueError(text)
    return first, last


def written_places(tier: Tier) -> str:
    """The places as the form takes them."""
    if tier.last is None:
        return f"{tier.first}-"
    return str(tier.first) if tier.last == tier.first else f"{tier.first}-{tier.last}"
