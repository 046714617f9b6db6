"""What the rule sheet states besides the rules, as a form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pairing.forms.rules import reason_field
from pairing.rulebook import words
from tournaments.discipline import CHOICES, LONGEST_NOTE, MOST_NOTES, NUMBERS, SWITCHES, Discipline

NUMBER_LABELS = {
    "players": _("Players of a team, at most"),
    "players_least": _("Players of a team, at least"),
    "department_teams": _("Teams of a department, at most"),
    "department_persons": _("Players of a department, at most"),
    "sessions": _("Sessions"),
    "late_minutes": _("Late: minutes until the match is forfeited"),
    "late_levels": _("Late: levels that the opponents start higher"),
    "report_at": _("Cards left that must be told"),
    "slow_seconds": _("Seconds to play a card"),
    "wrong_cards_levels": _("Wrong number of cards: levels for the opponents"),
    "appeal_minutes": _("Minutes to appeal"),
}
SWITCH_LABELS = {
    "leader": _("A team has a leader"),
    "coach": _("A team has a coach"),
    "line_up": _("Two players are named for each match"),
    "several_sessions": _("A person may enter several sessions"),
    "tribute": _("Tribute"),
    "big_jokers_exempt": _("Two big jokers exempt from tribute"),
    "every_round": _("Every round must be played"),
    "calls": _("Half time and last five minutes are called"),
}
CHOICE_LABELS: dict[str, tuple[Any, Mapping[Any, Any]]] = {
    "partners": (_("Partners"), words.PARTNERS),
    "partners_from": (_("Drawn partners come from"), words.PARTNERS_FROM),
    "first_deal": (_("First deal"), words.FIRST_DEALS),
    "tribute_return": (_("Given back for a tribute"), words.TRIBUTE_RETURNS),
    "signals": (_("Signals and talk"), words.SIGNALS),
    "player_change": (_("Change of players"), words.PLAYER_CHANGES),
    "signatures": (_("Signing"), words.SIGNATURES),
}
UNSAID = [("", _("not stated"))]
SECTIONS = {
    "team": (
        *("players", "players_least", "leader", "coach", "line_up", "department_teams"),
        *("department_persons", "sessions", "several_sessions", "partners", "partners_from"),
    ),
    "cards": ("first_deal", "tribute", "tribute_return", "big_jokers_exempt", "report_at"),
    "conduct": (
        *("every_round", "late_minutes", "late_levels", "slow_seconds", "wrong_cards_levels", "signals"),
        *("player_change", "calls", "signatures", "appeal_minutes", "notes"),
    ),
}


class DisciplineForm(forms.Form):
    """Every statement may be left out. Who may enter is checked on entering; the rest is only stated."""

    notes = forms.CharField(
        label=_("Further sentences, one a line"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        max_length=MOST_NOTES * (LONGEST_NOTE + 2),
    )

    def __init__(self, data: Any, *, stored: object, needs_reason: bool) -> None:
        stated = Discipline.from_dict(stored)
        shown = {**stated.as_dict(), "notes": "\n".join(stated.notes)}
        super().__init__(data, initial={name: _as_typed(value) for name, value in shown.items()})
        self.fields |= _fields()
        if needs_reason:
            self.fields["reason"] = reason_field()

    def clean(self) -> dict[str, Any]:
        """At least is no more than at most."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        least, most = data.get("players_least"), data.get("players")
        if least and most and least > most:
            self.add_error("players_least", _("This is more than the number above."))
        return data

    def discipline(self) -> dict[str, Any]:
        """What is stated, as it is stored."""
        typed = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        for name in SWITCHES:
            if name in typed:
                typed[name] = typed[name] == "yes"
        typed["notes"] = str(typed.get("notes", "")).splitlines()
        return Discipline.from_dict(typed).as_dict()


def _fields() -> dict[str, forms.Field]:
    numbers = {
        name: forms.IntegerField(label=label, min_value=least, max_value=most, required=False)
        for name, label in NUMBER_LABELS.items()
        for least, most in (NUMBERS[name],)
    }
    switches = {
        name: forms.ChoiceField(
            label=label, required=False, choices=[*UNSAID, ("yes", _("yes")), ("no", _("no"))]
        )
        for name, label in SWITCH_LABELS.items()
    }
    choices = {
        name: forms.ChoiceField(
            label=label,
            required=False,
            choices=[*UNSAID, *((value.value, sentences[value]) for value in CHOICES[name])],
        )
        for name, (label, sentences) in CHOICE_LABELS.items()
    }
    return {**numbers, **switches, **choices}


def _as_typed(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value
