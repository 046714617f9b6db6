"""The shape of what the chief sends about a group that finds its own time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.services.groups import DECIDED, Arrangement
from scoring.engine.results import Outcome
from scoring.wording import OUTCOME_WORDS
from tournaments.forms.fields import LineField, NameField
from tournaments.models import NAME_LENGTH, Group, Match


class GroupForm(forms.Form):
    """Who calls a group together and until when it plays."""

    team = forms.ChoiceField(label=gettext_lazy("Convenor: a team of the group"), required=False)
    name = NameField(label=gettext_lazy("Or another person"), max_length=NAME_LENGTH, required=False)
    phone = LineField(
        label=gettext_lazy("Phone"),
        max_length=40,
        required=False,
        help_text=gettext_lazy("Only officials see it."),
    )
    deadline = forms.DateTimeField(
        label=gettext_lazy("To be played by"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )

    def __init__(self, data: Any = None, *, group: Group) -> None:
        super().__init__(data, initial=_stored(group))
        entries = group.entries.select_related("team").prefetch_related("team__players")
        self.teams = {str(entry.team.number): entry.team for entry in entries.order_by("team__number")}
        choices = [(number, f"{number} {team.player_names}") for number, team in self.teams.items()]
        self.fields["team"].choices = [("", _("nobody")), *choices]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Refuses a team and a person at once."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("team") and cleaned.get("name"):
            self.add_error("name", _("Choose a team or type a person, not both."))
        return cleaned

    def arrangement(self) -> Arrangement:
        """What was typed, for the service."""
        typed = self.cleaned_data
        team = self.teams.get(typed["team"])
        return Arrangement(team, typed["name"], typed["phone"], typed["deadline"])


def _stored(group: Group) -> dict[str, Any]:
    return {
        "team": str(group.convenor_team.number) if group.convenor_team else "",
        "name": group.convenor,
        "phone": group.convenor_phone,
        "deadline": group.deadline,
    }


class FinishForm(forms.Form):
    """What becomes of each match without a result when a group is ended, and why."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, matches: Sequence[Match]) -> None:
        super().__init__(data)
        self.matches = matches
        for match in matches:
            self.fields[f"match{match.pk}"] = forms.ChoiceField(
                label=_("table %(table)s: %(home)s – %(away)s")
                % {
                    "table": match.table,
                    "home": match.home.number,
                    "away": match.away.number if match.away else "",
                },
                choices=[(outcome.value, OUTCOME_WORDS[outcome]) for outcome in DECIDED],
                initial=usual_outcome(match).value,
            )
        self.fields["reason"] = forms.CharField(label=_("Reason"), max_length=400, required=bool(matches))

    def decided(self) -> dict[int, Outcome]:
        """The outcome of each match by its key."""
        return {match.pk: Outcome(self.cleaned_data[f"match{match.pk}"]) for match in self.matches}


def usual_outcome(match: Match) -> Outcome:
    """Whoever left the event forfeits; else both do, since neither side saw to it that they met."""
    left = match.home.is_withdrawn, match.away is not None and match.away.is_withdrawn
    known = {(True, False): Outcome.FORFEIT_HOME, (False, True): Outcome.FORFEIT_AWAY}
    return known.get(left, Outcome.DOUBLE_FORFEIT)


class ReasonForm(forms.Form):
    """Why a group is opened again."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=400)
