"""The form of the planner: what the hall and the day allow."""

from __future__ import annotations

from datetime import datetime, time
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.forms.events import MINUTES, MOST_ROUNDS
from tournaments.planner import DAY, Wishes

MOST_TEAMS = 2_000
MOST_TABLES = 1_000
LONGEST_PAUSE = 120
USUAL = {"tables": 20, "starts": "09:00", "ends": "17:00", "minutes": "45", "pause": 10}


def _clock_field(label: Any) -> forms.TimeField:
    return forms.TimeField(label=label, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))


def _minutes_choices() -> list[tuple[int, str]]:
    # A lazy text with a number put in is lazy no more: it must be made when the form is.
    return [(number, _("%d minutes") % number) for number in MINUTES]


class PlannerForm(forms.Form):
    """Teams, tables and hours; read from the address, so that a plan can be sent to a colleague."""

    teams = forms.IntegerField(label=gettext_lazy("Number of teams"), min_value=2, max_value=MOST_TEAMS)
    department = forms.IntegerField(
        label=gettext_lazy("Teams of the largest department"),
        min_value=0,
        max_value=MOST_TEAMS,
        required=False,
        help_text=gettext_lazy("Empty: departments are not kept apart."),
    )
    tables = forms.IntegerField(label=gettext_lazy("Tables in the hall"), min_value=1, max_value=MOST_TABLES)
    day = forms.DateField(
        label=gettext_lazy("Date"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    starts = _clock_field(gettext_lazy("From"))
    ends = _clock_field(gettext_lazy("Until"))
    minutes = forms.TypedChoiceField(
        label=gettext_lazy("Minutes per round"),
        choices=_minutes_choices,
        coerce=int,
    )
    pause = forms.IntegerField(
        label=gettext_lazy("Minutes between two rounds"),
        min_value=0,
        max_value=LONGEST_PAUSE,
        help_text=gettext_lazy("For results, the next draw, finding the tables."),
    )
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds wished"),
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text=gettext_lazy("Swiss only. Empty: proposed."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Begins with a usual hall and day."""
        super().__init__(*args, **{"initial": USUAL, **kwargs})

    def clean(self) -> dict[str, Any]:
        """The day ends after it begins, and a department is not larger than the field."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        starts, ends = cleaned.get("starts"), cleaned.get("ends")
        if starts and ends and ends <= starts:
            self.add_error("ends", _("The end must be later than the beginning."))
        if (cleaned.get("department") or 0) > (cleaned.get("teams") or MOST_TEAMS):
            self.add_error("department", _("A department cannot have more teams than there are."))
        return cleaned

    def wishes(self) -> Wishes:
        """What was typed, for the planner."""
        typed = self.cleaned_data
        return Wishes(
            teams=typed["teams"],
            tables=typed["tables"],
            starts=_minutes_of(typed["starts"]),
            ends=_minutes_of(typed["ends"]) or DAY,
            minutes=typed["minutes"],
            pause=typed["pause"],
            department=typed["department"] or 0,
            rounds=typed["rounds"],
        )

    def begins(self) -> datetime | None:
        """Day and hour of the beginning in the venue's time; None without a day."""
        day = self.cleaned_data["day"]
        return datetime.combine(day, self.cleaned_data["starts"]) if day else None


def _minutes_of(moment: time) -> int:
    return moment.hour * 60 + moment.minute
