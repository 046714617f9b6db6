"""The shape of what the chief sends about the hall's tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.forms.tables import HIGHEST_TABLE
from pairing.selectors.halls import HallPlan
from tournaments.models import Stage

BETWEEN = re.compile(r"[\s,，、;；]+")
NUMBER = re.compile(r"[0-9]{1,4}")
MOST_BROKEN = 200


class HallForm(forms.Form):
    """Broken tables, and for each stage the first and the last of its own."""

    broken = forms.CharField(
        label=gettext_lazy("Tables out of use"),
        required=False,
        max_length=1000,
        help_text=gettext_lazy(
            "Their numbers, such as 3, 17. Nobody is seated there until you take them out of this line."
        ),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=400, required=False)

    def __init__(self, data: Any = None, *, stages: Sequence[Stage], plan: HallPlan) -> None:
        super().__init__(data, initial=_initial(plan))
        self.stages = list(stages)
        for stage in stages:
            for name, label in (("first", _("From table")), ("last", _("to table"))):
                self.fields[f"{name}_{stage.pk}"] = forms.IntegerField(
                    label=label, required=False, min_value=1, max_value=HIGHEST_TABLE
                )

    @property
    def ranges(self) -> list[tuple[Stage, Any, Any]]:
        """Each stage with its two boxes."""
        return [(stage, self[f"first_{stage.pk}"], self[f"last_{stage.pk}"]) for stage in self.stages]

    def clean_broken(self) -> tuple[int, ...]:
        """The numbers, ascending, each once."""
        found = [part for part in BETWEEN.split(self.cleaned_data["broken"]) if part]
        strange = [part for part in found if not NUMBER.fullmatch(part) or int(part) < 1]
        if strange:
            raise forms.ValidationError(_("“%(text)s” is no table number.") % {"text": strange[0][:20]})
        if len(found) > MOST_BROKEN:
            raise forms.ValidationError(_("At most %(most)s tables.") % {"most": MOST_BROKEN})
        return tuple(sorted({int(part) for part in found}))

    def clean(self) -> dict[str, Any]:
        """Both ends of a range or neither, in their order."""
        chosen = super().clean() or self.cleaned_data
        for stage in self.stages:
            first, last = chosen.get(f"first_{stage.pk}"), chosen.get(f"last_{stage.pk}")
            if (first is None) != (last is None) and not self.errors:
                missing = "last" if last is None else "first"
                self.add_error(f"{missing}_{stage.pk}", _("Give both ends of the range, or neither."))
            elif first is not None and last is not None and first > last:
                self.add_error(f"last_{stage.pk}", _("The last table comes after the first."))
        return chosen

    def plan(self) -> HallPlan:
        """What was typed, of a form that is valid."""
        chosen = self.cleaned_data
        ends = {stage.pk: (chosen[f"first_{stage.pk}"], chosen[f"last_{stage.pk}"]) for stage in self.stages}
        return HallPlan(
            chosen["broken"], {pk: (one, two) if one else None for pk, (one, two) in ends.items()}
        )


def _initial(plan: HallPlan) -> dict[str, Any]:
    found: dict[str, Any] = {"broken": ", ".join(str(table) for table in plan.broken)}
    for stage, ends in plan.ranges.items():
        if ends:
            found[f"first_{stage}"], found[f"last_{stage}"] = ends
    return found
