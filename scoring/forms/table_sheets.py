"""The shape of what is pressed on the table sheet: which step, and what the page showed when it was taken."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.engine.levels import InvalidLevel, parse_level
from scoring.engine.table_sheet import Answer
from scoring.forms.results import BIGGEST
from scoring.table_sheets import Seen


class StepForm(forms.Form):
    """Any step: the version of the sheet and the numbers of the teams that the page showed."""

    version = forms.IntegerField(min_value=0, max_value=BIGGEST)
    home = forms.IntegerField(min_value=1, max_value=BIGGEST)
    away = forms.IntegerField(min_value=1, max_value=BIGGEST)

    @property
    def seen(self) -> Seen:
        """What the page showed."""
        return Seen(self.cleaned_data["version"], (self.cleaned_data["home"], self.cleaned_data["away"]))

    def arguments(self) -> dict[str, Any]:
        """What the step's service needs beside the match, the user and what was seen."""
        return {}

    def problem(self) -> str:
        """The refusal in words. A wrong field that nobody types means that the page is too old."""
        return _("This page is out of date: load it again and take the step once more.")


class DealForm(StepForm):
    """A finishing order."""

    order = forms.CharField(max_length=4)

    def arguments(self) -> dict[str, Any]:
        """The order."""
        return {"order": self.cleaned_data["order"]}


class CorrectionForm(DealForm):
    """Another finishing order for a deal; game and deal are numbered as the page shows them, from 1."""

    game = forms.IntegerField(min_value=1, max_value=99)
    deal = forms.IntegerField(min_value=1, max_value=9999)
    drop = forms.BooleanField(required=False)

    @property
    def place(self) -> tuple[int, int]:
        """Game and deal, counted from 0."""
        return self.cleaned_data["game"] - 1, self.cleaned_data["deal"] - 1

    def arguments(self) -> dict[str, Any]:
        """The order, its place, and whether deals that no longer fit are given up."""
        game, place = self.place
        return super().arguments() | {"game": game, "place": place, "drop": self.cleaned_data["drop"]}


class AnswerForm(StepForm):
    """The answer to the question that the rules ask."""

    field = forms.CharField(max_length=40)
    answer = forms.ChoiceField(choices=[(answer.value, answer.value) for answer in Answer])

    def arguments(self) -> dict[str, Any]:
        """The field asked for and the answer."""
        return {"field": self.cleaned_data["field"], "answer": Answer(self.cleaned_data["answer"])}


class StartForm(StepForm):
    """The levels at which a game begins."""

    home_start = forms.CharField(max_length=8)
    away_start = forms.CharField(max_length=8)

    def clean(self) -> dict[str, Any]:
        """Reads the levels; a refusal names the text."""
        cleaned: dict[str, Any] = super().clean() or {}
        for name in ("home_start", "away_start"):
            text = cleaned.get(name, "")
            try:
                cleaned[name] = parse_level(text)
            except InvalidLevel:
                self.add_error(name, _("“%(text)s” is no level.") % {"text": text})
        return cleaned

    def problem(self) -> str:
        """The level that is none, else what every step says."""
        for name in ("home_start", "away_start"):
            if name in self.errors:
                return str(self.errors[name][-1])
        return super().problem()

    def arguments(self) -> dict[str, Any]:
        """Both levels."""
        return {"home": self.cleaned_data["home_start"], "away": self.cleaned_data["away_start"]}


class HandOverForm(StepForm):
    """The sheet becomes the result: which one it replaces, and why where the round is closed."""

    result_version = forms.IntegerField(min_value=0, max_value=BIGGEST)
    reason = forms.CharField(max_length=200, required=False)

    def arguments(self) -> dict[str, Any]:
        """The version of the result that the page showed, and the reason."""
        return {name: self.cleaned_data[name] for name in ("result_version", "reason")}
