"""The shape of what is sent to the page of stages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.format_rules import MOST_ADVANCING, MOST_GROUPS, EntryRules
from pairing.forms.draws import HIGHEST_SEED
from tournaments.models import Event, Stage, StageFormat, Team

NUMBER = re.compile(r"[0-9]{1,5}")
LONGEST_LIST = 20_000


class StageForm(forms.Form):
    """A new stage: what it is called, its format, and which earlier stages it takes its entries from."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=60)
    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=StageFormat.choices)
    rounds_planned = forms.IntegerField(
        label=gettext_lazy("Rounds of a Swiss stage"),
        min_value=1,
        max_value=50,
        initial=4,
        help_text=gettext_lazy("Groups and brackets know their rounds themselves."),
    )
    groups = forms.IntegerField(
        label=gettext_lazy("Groups of a round robin"), min_value=1, max_value=MOST_GROUPS, initial=1
    )
    sources = forms.MultipleChoiceField(
        label=gettext_lazy("Takes its teams from"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Without one, all teams of the event take part."),
    )
    count = forms.IntegerField(
        label=gettext_lazy("How many of each group or stage advance"),
        min_value=1,
        max_value=MOST_ADVANCING,
        initial=2,
    )

    def __init__(self, data: Any = None, *, stages: Sequence[Stage], stage: Stage | None = None) -> None:
        """`stages` may be entered from; `stage` is the one being changed, None for a new one."""
        super().__init__(data, initial=_stored(stage) if stage else None, auto_id=_auto_id(stage))
        self.stage = stage
        sources = self.fields["sources"]
        if isinstance(sources, forms.MultipleChoiceField):
            sources.choices = [(each.key, each.name) for each in stages]

    def rules(self) -> dict[str, Any]:
        """The stage's rules as far as this form knows them; what the page of rules has set stays."""
        chosen = self.cleaned_data
        rules: dict[str, Any] = dict(self.stage.rules) if self.stage else {}
        is_same_format = self.stage is not None and self.stage.format == chosen["format"]
        format, entry = rules.pop("format", {}) if is_same_format else {}, rules.pop("entry", {})
        if not is_same_format:
            rules.pop("format", None)
        if chosen["format"] == StageFormat.ROUND_ROBIN:
            format = {**format, "groups": chosen["groups"]}
        if format:
            rules["format"] = format
        if chosen["sources"]:
            taken = {"from": list(chosen["sources"]), "take": "top", "count": chosen["count"]}
            rules["entry"] = {**entry, **taken}
        elif entry.get("session"):
            rules["entry"] = {"session": entry["session"]}
        return rules


def _auto_id(stage: Stage | None) -> str:
    """Several forms of stages stand on one page."""
    return f"stage{stage.order}-%s" if stage else "id_%s"


def _stored(stage: Stage) -> dict[str, Any]:
    entry = EntryRules.from_dict(stage.rules.get("entry", {}))
    return {
        "name": stage.name,
        "format": stage.format,
        "rounds_planned": stage.rounds_planned,
        "groups": stage.rules.get("format", {}).get("groups", 1),
        "sources": list(entry.sources),
        "count": entry.count,
    }


class BeginForm(forms.Form):
    """How to begin a stage: a seed to repeat a draw, and groups that are given, one a line."""

    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        required=False,
        min_value=0,
        max_value=HIGHEST_SEED,
        help_text=gettext_lazy("Only to repeat an earlier draw; leave it empty otherwise."),
    )
    groups = forms.CharField(
        label=gettext_lazy("Groups, one a line"),
        required=False,
        max_length=LONGEST_LIST,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("The numbers of the teams of group A in the first line, and so on."),
    )

    def given(self) -> dict[int, int] | None:
        """The group of each team by its number, None where nothing is typed."""
        lines = [line for line in self.cleaned_data["groups"].splitlines() if line.strip()]
        return {
            int(number): group for group, line in enumerate(lines, start=1) for number in NUMBER.findall(line)
        } or None


class TeamsField(forms.CharField):
    """Numbers of teams of the event, in the order typed."""

    def __init__(self, event: Event, **options: Any) -> None:
        super().__init__(max_length=LONGEST_LIST, **options)
        self.event = event

    def clean(self, value: Any) -> list[Team]:
        """The teams; refuses a number that no team has."""
        numbers = [int(number) for number in NUMBER.findall(super().clean(value))]
        found = {team.number: team for team in self.event.teams.filter(number__in=numbers)}
        if missing := [number for number in numbers if number not in found]:
            raise forms.ValidationError(_("No team has number %(number)s.") % {"number": missing[0]})
        return [found[number] for number in numbers]


class OrderForm(forms.Form):
    """The order of tied teams, best first, and who decided it."""

    reason = forms.CharField(label=gettext_lazy("Why, e.g. an extra game"), max_length=400)

    def __init__(self, data: Any = None, *, event: Event) -> None:
        super().__init__(data)
        self.fields["order"] = TeamsField(event, label=gettext_lazy("Numbers of the teams, best first"))
        self.order_fields(["order", "reason"])


class ReplaceForm(forms.Form):
    """Which team goes out of a stage, which comes in its place, and why."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=400)

    def __init__(self, data: Any = None, *, event: Event) -> None:
        super().__init__(data)
        self.fields["team"] = TeamsField(event, label=gettext_lazy("Number of the team that goes out"))
        self.fields["by_team"] = TeamsField(event, label=gettext_lazy("Number of the team that comes in"))
        self.order_fields(["team", "by_team", "reason"])

    def clean_team(self) -> Team:
        """Exactly one team."""
        return self._single("team")

    def clean_by_team(self) -> Team:
        """Exactly one team."""
        return self._single("by_team")

    def _single(self, name: str) -> Team:
        teams: list[Team] = self.cleaned_data[name]
        if len(teams) != 1:
            raise forms.ValidationError(_("Give one number."))
        return teams[0]


class VoidForm(forms.Form):
    """Why matches that follow from a result are voided."""

    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=400)
