"""The rules of a stage as a form; the engines' own parsers decide what is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pairing.engine.types import PairingRules
from pairing.rulebook import words
from scoring.engine.rules import (
    DEFAULT_RANKING,
    MatchRules,
    ScoringModel,
    ScoringRules,
    StrikeCount,
    StrikeRules,
    parse_ranking,
)
from scoring.wording import KEY_NAMES
from tournaments.models import Stage

RANKING_PLACES = 6
POINTS_FIELDS = (
    "base",
    "win",
    "tie",
    "loss",
    "forfeit_win",
    "forfeit_loss",
    "double_forfeit",
    "bye",
    "irregular",
)


def _choices(words: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    return [(value.value, word) for value, word in words.items()]


def _choice_field(label: Any, words: Mapping[Any, Any]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=_choices(words))


def _points_field(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=-100, max_value=100)


class RulesForm(forms.Form):
    """What an organiser decides about draw, game, points and ranking."""

    first_round = _choice_field(_("Round 1"), words.FIRST_ROUNDS)
    method = _choice_field(_("From round 2"), words.METHODS)
    rematch = _choice_field(_("Meeting twice"), words.REMATCHES)
    same_department = _choice_field(_("Same department"), words.SAME_DEPARTMENTS)

    must_play_target = forms.BooleanField(label=_("A must be played"), required=False)
    pass_rule = _choice_field(_("Passing A"), words.PASS_RULES)
    strikes_limit = forms.TypedChoiceField(
        label=_("Failed attempts at A"),
        coerce=int,
        choices=[(0, _("do not count")), (2, _("2 times")), (3, _("3 times"))],
    )
    strikes_count = forms.ChoiceField(
        label=_("Counted"),
        choices=[(StrikeCount.TOTAL.value, _("in total")), (StrikeCount.IN_A_ROW.value, _("in a row"))],
    )
    strikes_then = _choice_field(_("Then the side"), words.STRIKE_PENALTIES)
    bonuses = forms.MultipleChoiceField(
        label=_("Bonuses"),
        choices=_choices(words.BONUSES),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    equal_levels = _choice_field(_("Equal levels at time-up"), words.EQUAL_LEVELS)
    unfinished_deal = _choice_field(_("The deal under way at time-up"), words.UNFINISHED_DEALS)

    model = forms.ChoiceField(
        label=_("Points by"),
        choices=[
            (ScoringModel.LEVEL_DIFFERENCE.value, _("difference of levels (base ± difference)")),
            (ScoringModel.WIN_LOSS.value, _("win, tie and loss")),
        ],
    )
    base = _points_field(_("Base"))
    win = _points_field(_("Win"))
    tie = _points_field(_("Tie"))
    loss = _points_field(_("Loss"))
    forfeit_win = _points_field(_("Win by forfeit"))
    forfeit_loss = _points_field(_("Loss by forfeit"))
    double_forfeit = _points_field(_("Both forfeit"))
    bye = _points_field(_("Bye"))
    irregular = _points_field(_("Irregular match"))

    def __init__(self, data: Any, *, stage: Stage, needs_reason: bool) -> None:
        super().__init__(data, initial=_initial(stage))
        self.stage = stage
        keys = [("", "—"), *_choices(KEY_NAMES)]
        for place in range(1, RANKING_PLACES + 1):
            self.fields[f"ranking_{place}"] = forms.ChoiceField(
                label=_("Compared %(place)d.") % {"place": place}, choices=keys, required=place == 1
            )
        if needs_reason:
            self.fields["reason"] = forms.CharField(
                label=_("Reason"),
                max_length=200,
                help_text=_("Results exist already: the log keeps the reason."),
            )

    def clean(self) -> dict[str, Any]:
        """A ranking key counts once."""
        data: dict[str, Any] = super().clean() or {}
        ranking = self._ranking(data)
        for place, key in enumerate(ranking, start=1):
            if key in ranking[: place - 1]:
                self.add_error(f"ranking_{place}", _("This is compared already further up."))
        return data

    def rules(self) -> dict[str, Any]:
        """The stage's `rules` object with what the form changed; fields it does not show stay."""
        data = self.cleaned_data
        stored = self.stage.rules
        match = MatchRules.from_dict({**stored.get("match", {}), **self._match(data)})
        scoring = ScoringRules.from_dict(
            {
                **stored.get("scoring", {}),
                "model": data["model"],
                **{name: data[name] for name in POINTS_FIELDS},
            }
        )
        pairing_fields = ("first_round", "method", "rematch", "same_department")
        pairing = PairingRules.from_dict(
            {**stored.get("pairing", {}), **{name: data[name] for name in pairing_fields}}
        )
        return {
            **stored,
            "pairing": {**stored.get("pairing", {}), **pairing.as_dict()},
            "match": {**stored.get("match", {}), **match.as_dict()},
            "scoring": {**stored.get("scoring", {}), **scoring.as_dict()},
            "ranking": [key.value for key in parse_ranking(self._ranking(data))],
        }

    def _match(self, data: dict[str, Any]) -> dict[str, Any]:
        limit = data["strikes_limit"]
        strikes = {"limit": limit, "count": data["strikes_count"], "then": data["strikes_then"]}
        names = ("must_play_target", "pass_rule", "equal_levels", "unfinished_deal", "bonuses")
        kept = self.stage.rules.get("match", {}).get("strikes") or {}
        return {**{name: data[name] for name in names}, "strikes": {**kept, **strikes} if limit else None}

    def _ranking(self, data: dict[str, Any]) -> list[str]:
        places = [data.get(f"ranking_{place}", "") for place in range(1, RANKING_PLACES + 1)]
        return [key for key in places if key]


def _initial(stage: Stage) -> dict[str, Any]:
    rules = stage.rules
    match = MatchRules.from_dict(rules.get("match", {}))
    ranking = parse_ranking(rules.get("ranking") or [key.value for key in DEFAULT_RANKING])
    return {
        **PairingRules.from_dict(rules.get("pairing", {})).as_dict(),
        **ScoringRules.from_dict(rules.get("scoring", {})).as_dict(),
        **match.as_dict(),
        **_strikes(match.strikes),
        "bonuses": [bonus.value for bonus in match.bonuses],
        **{f"ranking_{place}": key.value for place, key in enumerate(ranking[:RANKING_PLACES], start=1)},
    }


def _strikes(strikes: StrikeRules | None) -> dict[str, Any]:
    shown = strikes or StrikeRules()
    return {
        "strikes_limit": shown.limit if strikes else 0,
        "strikes_count": shown.count.value,
        "strikes_then": shown.then.value,
    }
