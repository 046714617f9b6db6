"""Forms of single players: one typed, a list as a file, how partners are drawn."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournaments.discipline import Discipline, Partners, PartnersFrom
from tournaments.forms.fields import LineField, NameField, RosterFileField
from tournaments.models import NAME_LENGTH, Sex
from tournaments.roster import RosterSingle
from tournaments.services.singles import HIGHEST_SEED

KINDS = [
    (Partners.NUMBERS.value, gettext_lazy("equal numbers, men and women together")),
    (Partners.MIXED.value, gettext_lazy("mixed: a man and a woman each")),
]
ORIGINS = [
    (PartnersFrom.ANY.value, pgettext_lazy("partners", "from any department")),
    (PartnersFrom.SAME.value, pgettext_lazy("partners", "from one department")),
    (PartnersFrom.DIFFERENT.value, pgettext_lazy("partners", "from different departments")),
]


class SingleForm(forms.Form):
    """One person without a partner, typed at the desk."""

    name = NameField(label=gettext_lazy("Name"), max_length=NAME_LENGTH)
    sex = forms.ChoiceField(label=gettext_lazy("Sex"), choices=[("", "—"), *Sex.choices], required=False)
    department = NameField(label=gettext_lazy("Department"), max_length=NAME_LENGTH, required=False)
    phone = LineField(label=gettext_lazy("Phone"), max_length=40, required=False)

    def person(self) -> RosterSingle:
        """Who was typed."""
        typed = self.cleaned_data
        return RosterSingle(0, typed["name"], typed["sex"], typed["department"], typed["phone"])


class SinglesFileForm(forms.Form):
    """A list of people without a partner, as Excel or CSV."""

    file = RosterFileField(
        label=gettext_lazy("List of people without a partner"),
        help_text=gettext_lazy("One name a row; columns for sex, department and phone where you have them."),
    )


class PartnerDrawForm(forms.Form):
    """How partners are drawn; a seed repeats an earlier draw."""

    kind = forms.ChoiceField(label=gettext_lazy("Partners"), choices=KINDS)
    origin = forms.ChoiceField(label=gettext_lazy("Departments"), choices=ORIGINS)
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        required=False,
        min_value=0,
        max_value=HIGHEST_SEED,
        help_text=gettext_lazy("Only to repeat an earlier draw; leave it empty otherwise."),
    )

    def __init__(self, data: Any = None, *, stated: Discipline) -> None:
        initial = {
            "kind": (stated.partners or Partners.NUMBERS).value,
            "origin": (stated.partners_from or PartnersFrom.ANY).value,
        }
        super().__init__(data, initial=initial)

    def choices(self) -> tuple[Partners, PartnersFrom]:
        """What was chosen."""
        return Partners(self.cleaned_data["kind"]), PartnersFrom(self.cleaned_data["origin"])
