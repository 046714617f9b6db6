"""签到: what is typed and chosen about a team that does not come, comes late or changes a player."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.attendance import LONGEST_NOTE, MOST_MINUTES_LATE, Absence
from tournaments.forms.fields import LineField, NameField
from tournaments.models import NAME_LENGTH, Stage, Team

ONE_ROUND, ONWARDS = "one", "onwards"


class AbsenceForm(forms.Form):
    """Which round a team misses, whether it is excused, and why."""

    round_number = forms.TypedChoiceField(label=gettext_lazy("Round"), coerce=int)
    span = forms.ChoiceField(
        label=gettext_lazy("Misses"),
        choices=[
            (ONE_ROUND, gettext_lazy("this round only")),
            (ONWARDS, gettext_lazy("this round and all later ones")),
        ],
    )
    excused = forms.BooleanField(label=gettext_lazy("Excused"), required=False)
    note = LineField(label=gettext_lazy("Note"), max_length=LONGEST_NOTE, required=False)

    def __init__(self, *args: Any, rounds: Iterable[int], **kwargs: Any) -> None:
        """`rounds` are those that the team can still miss."""
        super().__init__(*args, **kwargs)
        choices = [(number, _("round %(number)d") % {"number": number}) for number in rounds]
        self.fields["round_number"].choices = choices  # type: ignore[attr-defined]

    def absence(self, stage: Stage) -> Absence:
        """The absence as it was typed."""
        typed = self.cleaned_data
        return Absence(
            stage=stage.key,
            round=typed["round_number"],
            onwards=typed["span"] == ONWARDS,
            excused=typed["excused"],
            note=typed["note"],
        )

    def refuse(self) -> None:
        """Tells that the team has been seated meanwhile."""
        self.add_error("round_number", _("The team sits in that round by now. Please choose again."))


class LateForm(forms.Form):
    """How many minutes late."""

    minutes = forms.IntegerField(label=gettext_lazy("Minutes late"), min_value=0, max_value=MOST_MINUTES_LATE)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["minutes"].widget.attrs |= {"inputmode": "numeric", "autocomplete": "off"}


class ReplaceForm(forms.Form):
    """Who leaves the team, who comes in, from which round on, and why."""

    leaves = forms.ChoiceField(label=gettext_lazy("Leaves"))
    comes = NameField(label=gettext_lazy("Comes in"), max_length=NAME_LENGTH)
    phone = LineField(label=gettext_lazy("Phone"), max_length=40, required=False)
    from_round = forms.TypedChoiceField(label=gettext_lazy("Plays from"), coerce=int)
    note = LineField(label=gettext_lazy("Reason"), max_length=LONGEST_NOTE)

    def __init__(self, *args: Any, team: Team, rounds: Iterable[int], **kwargs: Any) -> None:
        """`rounds` are those from which a player may be replaced."""
        super().__init__(*args, **kwargs)
        names = [(name, name) for name in team.playing_names]
        choices = [(number, _("round %(number)d on") % {"number": number}) for number in rounds]
        self.fields["leaves"].choices = names  # type: ignore[attr-defined]
        self.fields["from_round"].choices = choices  # type: ignore[attr-defined]
