"""The shape of a penalty and of an appeal: who, which rule, what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from scoring.engine import penalties as engine
from scoring.models import AppealOutcome, Penalty, PenaltyAction, PenaltyRule
from scoring.penalty_rows import StagesAtHand
from scoring.selectors import stage_teams
from tournaments.attendance import MOST_MINUTES_LATE
from tournaments.models import LogEntry, Team

MOST_POINTS = 1000

TAKEN, GIVEN = -1, 1
_WITH_SIGN = {
    "levels_taken": (PenaltyAction.LEVELS, TAKEN, pgettext_lazy("penalty", "own levels taken")),
    "levels_given": (PenaltyAction.LEVELS, GIVEN, pgettext_lazy("penalty", "own levels given")),
    PenaltyAction.OPPONENT_LEVELS.value: (
        PenaltyAction.OPPONENT_LEVELS,
        GIVEN,
        pgettext_lazy("penalty", "levels given to the opponents"),
    ),
    "points_taken": (PenaltyAction.POINTS, TAKEN, pgettext_lazy("penalty", "points taken")),
    "points_given": (PenaltyAction.POINTS, GIVEN, pgettext_lazy("penalty", "points given")),
}
"""What is chosen in the form where an amount goes with it: taking and giving are two, no sign is typed."""


class StageChoice(forms.Form):
    """Which stage, team and round; nobody is asked for the stage where only one can be meant."""

    stage = forms.ChoiceField(label=gettext_lazy("Stage"))
    number = forms.IntegerField(label=gettext_lazy("Team number"), min_value=1, max_value=99999)
    round_number = forms.IntegerField(label=gettext_lazy("Round"), min_value=1, max_value=50)

    team: Team

    def __init__(self, data: Mapping[str, Any] | None, *, at_hand: StagesAtHand) -> None:
        initial = {"stage": at_hand.present.order, "round_number": at_hand.newest}
        super().__init__(data, initial=initial)
        self.chosen = at_hand.present
        self._stages = {str(each.order): each for each in at_hand.stages}
        self.fields["stage"].choices = [(order, each.name) for order, each in self._stages.items()]  # type: ignore[attr-defined]
        if len(at_hand.stages) == 1:
            del self.fields["stage"]

    def clean_stage(self) -> str:
        """The stage that the team and the round are looked for in."""
        order: str = self.cleaned_data["stage"]
        self.chosen = self._stages[order]
        return order

    def clean_number(self) -> int:
        """Refuses a number that no team of the stage has."""
        number: int = self.cleaned_data["number"]
        team = stage_teams(self.chosen).filter(number=number).first()
        if team is None:
            raise forms.ValidationError(_("No team has number %(number)s.") % {"number": number})
        self.team = team
        return number

    def clean_round_number(self) -> int:
        """Refuses a round that the stage will never play."""
        number: int = self.cleaned_data["round_number"]
        rounds = self.chosen.rounds_planned
        if number > rounds:
            raise forms.ValidationError(_("This stage has %(rounds)s rounds.") % {"rounds": rounds})
        return number


class CaseForm(StageChoice):
    """Who broke which rule in which round; enough for the rules to propose what follows."""

    rule = forms.ChoiceField(label=gettext_lazy("What happened"), choices=PenaltyRule.choices)
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes late"),
        required=False,
        min_value=1,
        max_value=MOST_MINUTES_LATE,
        help_text=gettext_lazy("Only where the team came late."),
    )


class PenaltyForm(CaseForm):
    """The case with what follows from it."""

    action = forms.ChoiceField(
        label=gettext_lazy("Penalty"),
        choices=[
            *(
                each
                for each in PenaltyAction.choices
                if engine.PenaltyAction(each[0]) not in engine.WITH_AMOUNT
            ),
            *((chosen, words) for chosen, (_action, _sign, words) in _WITH_SIGN.items()),
        ],
    )
    amount = forms.IntegerField(
        label=gettext_lazy("How many levels or points"),
        required=False,
        min_value=0,
        max_value=MOST_POINTS,
        help_text=gettext_lazy("Only for levels and points; without a sign: taken or given is chosen above."),
        error_messages={
            "min_value": gettext_lazy(
                "Type the number without a minus sign, and choose above whether it is taken or given."
            )
        },
    )
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200)

    def clean(self) -> dict[str, Any]:
        """Levels and points need a number."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        action, amount = data.get("action"), data.get("amount")
        if action not in _WITH_SIGN or "amount" in self.errors:
            return data
        if not amount:
            self.add_error("amount", _("Say how many; 0 changes nothing."))
        elif _WITH_SIGN[action][0] != PenaltyAction.POINTS and amount > engine.MOST_LEVELS:
            self.add_error("amount", _("At most %(most)s levels.") % {"most": engine.MOST_LEVELS})
        return data

    def penalty(self) -> dict[str, Any]:
        """What the service needs beside who ruled."""
        data = self.cleaned_data
        is_late = data["rule"] == PenaltyRule.LATE
        chosen, sign, _words = _WITH_SIGN.get(data["action"], (data["action"], 0, ""))
        return {
            "stage": self.chosen,
            "team": self.team,
            "round_number": data["round_number"],
            "rule": engine.PenaltyRule(data["rule"]),
            "action": engine.PenaltyAction(chosen),
            "amount": sign * (data["amount"] or 0),
            "minutes": data["minutes"] if is_late else None,
            "reason": data["reason"],
        }


class AppealForm(StageChoice):
    """Who contests what."""

    penalty = forms.ChoiceField(label=gettext_lazy("Against"), required=False)
    text = forms.CharField(
        label=gettext_lazy("What the team says"), max_length=400, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        at_hand: StagesAtHand,
        penalties: Sequence[tuple[Penalty, str]],
    ) -> None:
        super().__init__(data, at_hand=at_hand)
        self._penalties = {str(penalty.pk): penalty for penalty, _words in penalties}
        match = ("", _("the match of this round"))
        self.fields["penalty"].choices = [match, *((str(each.pk), words) for each, words in penalties)]  # type: ignore[attr-defined]

    def appeal(self) -> dict[str, Any]:
        """What the service needs beside who received it; against a penalty, its own stage and round."""
        data = self.cleaned_data
        penalty = self._penalties.get(data["penalty"])
        return {
            "stage": penalty.stage if penalty else self.chosen,
            "team": self.team,
            "round_number": penalty.round_number if penalty else data["round_number"],
            "penalty": penalty,
            "text": data["text"],
        }


class DecisionForm(forms.Form):
    """How an appeal is answered, and what was done because of it."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        choices=[(each.value, each.label) for each in AppealOutcome if each != AppealOutcome.OPEN],
    )
    answer = forms.CharField(
        label=gettext_lazy("Answer"), max_length=400, widget=forms.Textarea(attrs={"rows": 2})
    )
    act = forms.ChoiceField(label=gettext_lazy("What was done because of it"), required=False)

    def __init__(self, data: Mapping[str, Any] | None, *, acts: Sequence[tuple[LogEntry, str]]) -> None:
        super().__init__(data, auto_id="id_%s")
        self._acts = {str(entry.pk): entry for entry, _words in acts}
        nothing = ("", _("nothing, or nothing yet"))
        self.fields["act"].choices = [nothing, *((str(entry.pk), words) for entry, words in acts)]  # type: ignore[attr-defined]

    def decision(self) -> dict[str, Any]:
        """What the service needs beside the appeal."""
        data = self.cleaned_data
        outcome = AppealOutcome(data["outcome"])
        return {"outcome": outcome, "answer": data["answer"], "act": self._acts.get(data["act"])}
