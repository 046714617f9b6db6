"""The rules of a stage as a form; the engines' own parsers decide what is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pairing.engine.knockout import BracketOrder, KnockoutRules
from pairing.engine.types import InvalidPairingRules, PairingRules
from pairing.format_rules import EntryRules, RoundRobinRules, knockout_rules
from pairing.forms.round_rules import RoundLine, RoundRulesTable
from pairing.rulebook import words
from scoring.department_standings import SECTION as DEPARTMENTS
from scoring.department_standings import department_rules
from scoring.engine.levels import ACE, JACK, LOWEST, level_symbol
from scoring.engine.rules import (
    DEFAULT_RANKING,
    POINT_NUMBERS,
    EqualLevels,
    InvalidRules,
    MatchRules,
    ScoringModel,
    ScoringRules,
    StrikeCount,
    StrikePenalty,
    StrikeRules,
    parse_ranking,
)
from scoring.knockout import RoundRules
from scoring.ranked import scoring_rules
from scoring.wording import KEY_NAMES
from tournaments.models import Stage, StageFormat

RANKING_PLACES = 6
STEPS = ((3, 2, 1), (6, 4, 2), (4, 3, 2))
DEAL_FIELDS = ("deal_double", "deal_third", "deal_last")
DEPARTMENT_FIELDS = ("departments_ranked", "departments_best", "departments_minimum")
SWISS_FIELDS = ("first_round", "method", "rematch", "same_department")
ROBIN_FIELDS = ("groups", "grouping", "double", "departments_first", "schedule", "deadline")
KNOCKOUT_FIELDS = ("bracket", "byes", "played_out", "zones", "departments_apart")
ENTRY_FIELDS = ("count", "best_next", "groups_apart")
SECTIONS = ("pairing", "format", "entry", "match", "scoring", "ranking", DEPARTMENTS)
"""The parts of a stage's rules that the form reads."""
FORMAT_FIELDS = {
    StageFormat.SWISS.value: SWISS_FIELDS,
    StageFormat.ROUND_ROBIN.value: ROBIN_FIELDS,
    StageFormat.KNOCKOUT.value: KNOCKOUT_FIELDS,
}


def format_fields(stage: Stage) -> tuple[str, ...]:
    """The settings of the format that can be changed: none once a schedule or a bracket is drawn."""
    is_fixed = bool(stage.layout) and stage.format != StageFormat.SWISS
    return () if is_fixed else FORMAT_FIELDS[stage.format]


def entry_fields(stage: Stage) -> tuple[str, ...]:
    """The settings of who enters, for a stage that follows another and has not begun."""
    is_chained = EntryRules.from_dict(stage.rules.get("entry", {})).is_chained
    return ENTRY_FIELDS if is_chained and not stage.layout else ()


def readable_rules(stage: Stage) -> tuple[dict[str, Any], list[str]]:
    """The stored rules without the sections that cannot be read, and the names of those."""
    unreadable = [name for name in SECTIONS if name in stage.rules and not _is_readable(stage, name)]
    return {name: rules for name, rules in stage.rules.items() if name not in unreadable}, unreadable


def _is_readable(stage: Stage, section: str) -> bool:
    alone = Stage(format=stage.format, rules={section: stage.rules[section]}, layout=stage.layout)
    try:
        RulesForm(None, stage=alone, needs_reason=False)
    except (InvalidRules, InvalidPairingRules):
        return False
    return True


class PresetForm(forms.Form):
    """The name under which the rules of an event are kept for later ones."""

    name = forms.CharField(label=_("Name of the preset"), max_length=40)
    summary = forms.CharField(label=_("In short"), max_length=200, required=False)


def _choices(words: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    return [(str(value.value if hasattr(value, "value") else value), word) for value, word in words.items()]


def _choice_field(label: Any, words: Mapping[Any, Any]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=_choices(words))


def _truth_field(label: Any) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False)


def _points_field(label: Any, *, least: int = -100) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=least, max_value=100)


def _limit_field(label: Any, most: int) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=1, max_value=most, required=False, help_text=_("Empty: no limit.")
    )


def reason_field() -> forms.CharField:
    """Why rules change although results exist."""
    return forms.CharField(
        label=_("Reason"), max_length=200, help_text=_("Results exist already: the log keeps the reason.")
    )


class RulesForm(forms.Form):
    """What an organiser decides about a stage: format, game, points and ranking."""

    first_round = _choice_field(_("Round 1"), words.FIRST_ROUNDS)
    method = _choice_field(_("From round 2"), words.METHODS)
    rematch = _choice_field(_("Meeting twice"), words.REMATCHES)
    same_department = _choice_field(_("Same department"), words.SAME_DEPARTMENTS)

    groups = forms.IntegerField(label=_("Groups"), min_value=1, max_value=100)
    grouping = _choice_field(_("How groups come about"), words.GROUPINGS)
    double = _truth_field(_("Everybody meets everybody twice"))
    departments_first = _truth_field(_("Teams of one department meet in the first rounds"))
    schedule = _choice_field(_("When it is played"), words.SCHEDULES)
    deadline = forms.DateField(
        label=_("Last day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    bracket = _choice_field(_("Who meets whom in the bracket"), words.BRACKETS)
    byes = _choice_field(_("Byes"), words.BYES)
    played_out = _choice_field(_("Places played for"), words.PLAYED_OUT)
    zones = _truth_field(_("Odd and even numbers in two halves"))
    departments_apart = _truth_field(_("Teams of one department as late as possible"))

    count = forms.IntegerField(label=_("How many enter, of each group"), min_value=1, max_value=10_000)
    best_next = forms.IntegerField(
        label=_("Besides, the best of those next behind"), min_value=0, max_value=10_000
    )
    groups_apart = _truth_field(_("Teams of one group as late as possible"))
    withdrawal = _choice_field(_("When a team withdraws"), words.WITHDRAWALS)

    minutes = _limit_field(_("Minutes per round"), 600)
    deals = _limit_field(_("Most deals a game"), 1000)
    best_of = forms.TypedChoiceField(
        label=_("Games a match"),
        coerce=int,
        choices=[(1, _("one game")), (3, _("best of three")), (5, _("best of five"))],
    )
    start_level = forms.TypedChoiceField(
        label=_("A game begins at"),
        coerce=int,
        choices=[(level, level_symbol(level)) for level in range(LOWEST, ACE)],
    )
    target_level = forms.TypedChoiceField(
        label=_("A game is won by passing"),
        coerce=int,
        choices=[(level, level_symbol(level)) for level in range(LOWEST + 1, ACE + 1)],
        help_text=_("Usually A. Where another level ends the game, the rules for A hold for that level."),
    )
    steps = forms.ChoiceField(
        label=_("Levels a deal: double, first and third, first and last"),
        choices=[(str(steps), ", ".join(map(str, steps))) for steps in STEPS],
    )
    must_play_target = _truth_field(_("A must be played"))
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
    strikes_when = _choice_field(_("What counts as one"), words.STRIKE_KINDS)
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
            (ScoringModel.LEVELS_GAINED.value, _("levels gained")),
            (ScoringModel.PER_DEAL.value, _("deals won")),
        ],
        help_text=_(
            "Big and small points: choose win, tie and loss (the big points), and compare points first, then "
            "net levels or levels gained (the small points)."
        ),
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
    missed = _points_field(_("Round that a team missed"))
    deal_double = _points_field(_("A double"), least=1)
    deal_third = _points_field(_("First and third"), least=0)
    deal_last = _points_field(_("First and last"), least=0)

    departments_ranked = forms.BooleanField(
        label=_("Departments are ranked by this stage"),
        required=False,
    )
    departments_best = forms.IntegerField(
        label=_("Teams of a department that count"), min_value=1, max_value=1000
    )
    departments_minimum = forms.IntegerField(
        label=_("Teams a department needs for a rank"), min_value=1, max_value=1000
    )

    def __init__(self, data: Any, *, stage: Stage, needs_reason: bool) -> None:
        super().__init__(data, initial=_initial(stage))
        self.stage = stage
        self._keep_fields_of_the_format()
        self._keep_stored_choices()
        self._rounds: RoundRulesTable | None = None
        if stage.format == StageFormat.KNOCKOUT:
            self._rounds = RoundRulesTable(stage.rules.get("format", {}), stage.rules.get("match", {}))
            self.fields.update(self._rounds.fields())
        keys = [("", "—"), *_choices(KEY_NAMES)]
        for place in range(1, RANKING_PLACES + 1):
            self.fields[f"ranking_{place}"] = forms.ChoiceField(
                label=_("Compared %(place)d.") % {"place": place}, choices=keys, required=place == 1
            )
        if needs_reason:
            self.fields["reason"] = reason_field()

    @property
    def round_lines(self) -> list[RoundLine]:
        """Other rules of single rounds, a line a round; none outside a knockout."""
        return self._rounds.lines(self) if self._rounds else []

    def _keep_fields_of_the_format(self) -> None:
        if self.stage.format == StageFormat.KNOCKOUT:
            self._leave_no_tie()
        unused = {name for fields in FORMAT_FIELDS.values() for name in fields}
        unused -= set(format_fields(self.stage))
        if not entry_fields(self.stage):
            unused |= set(ENTRY_FIELDS)
        for name in unused:
            del self.fields[name]

    def _leave_no_tie(self) -> None:
        """A knockout match ends with a winner: what is stored as a tie goes to the first to reach it."""
        tie = EqualLevels.TIE.value
        field = self.fields["equal_levels"]
        field.choices = [choice for choice in field.choices if choice[0] != tie]  # type: ignore[attr-defined]
        if self.initial["equal_levels"] == tie:
            self.initial["equal_levels"] = EqualLevels.FIRST_TO_REACH.value

    def _keep_stored_choices(self) -> None:
        """A stored value that the lists do not offer stays one of the choices."""
        for name, word in (
            ("steps", self.initial["steps"].strip("()")),
            ("best_of", self.initial["best_of"]),
        ):
            field = self.fields[name]
            choices = list(field.choices)  # type: ignore[attr-defined]
            if str(self.initial[name]) not in {str(value) for value, _word in choices}:
                field.choices = [*choices, (self.initial[name], word)]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """A ranking key counts once; what a bracket by number fixes leaves no room for departments."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("bracket") == BracketOrder.NUMBERS and data.get("departments_apart"):
            self.add_error(
                "departments_apart", _("By number nobody can be kept apart: choose one of the two.")
            )
        self._check_levels(data)
        ranking = self._ranking(data)
        for place, key in enumerate(ranking, start=1):
            if key in ranking[: place - 1]:
                self.add_error(f"ranking_{place}", _("This is compared already further up."))
        worth = [data[name] for name in DEAL_FIELDS if data.get(name) is not None]
        if worth != sorted(worth, reverse=True):
            self.add_error("deal_double", _("A double is worth the most, first and last the least."))
        return data

    def _check_levels(self, data: dict[str, Any]) -> None:
        """A game climbs from its first level to its last, and nobody falls to a J that is not below it."""
        target = data.get("target_level", ACE)
        if data.get("start_level", LOWEST) >= target:
            self.add_error("target_level", _("The last level has to be above the first one."))
        falls_to_jack = data.get("strikes_limit") and data.get("strikes_then") == StrikePenalty.BACK_TO_J
        if falls_to_jack and target <= JACK:
            self.add_error("strikes_then", _("Nobody can fall back to J where the game ends at J or lower."))
        if self._rounds and not self.errors:
            try:
                RoundRules.from_dict(self._rounds.changed(data), self._match(data))
            except InvalidRules:
                self.add_error(
                    "target_level", _("The rules of a single round, further down, do not fit this.")
                )

    def rules(self) -> dict[str, Any]:
        """The stage's `rules` object with what the form changed; fields it does not show stay."""
        data = self.cleaned_data
        stored = self.stage.rules
        match = MatchRules.from_dict({**stored.get("match", {}), **self._match(data)})
        scoring = ScoringRules.from_dict(
            {
                **stored.get("scoring", {}),
                "model": data["model"],
                **{name: data[name] for name in POINT_NUMBERS},
                "deal_points": [data[name] for name in DEAL_FIELDS],
            }
        )
        others = {name: section for name, section in stored.items() if name != DEPARTMENTS}
        return {
            **others,
            **self._departments(data),
            **self._format(data),
            "withdrawal": data["withdrawal"],
            "match": {**stored.get("match", {}), **match.as_dict()},
            "scoring": {**stored.get("scoring", {}), **scoring.as_dict()},
            "ranking": [key.value for key in parse_ranking(self._ranking(data))],
        }

    def _format(self, data: dict[str, Any]) -> dict[str, Any]:
        """`pairing` of a Swiss stage, `format` of others, and `entry` of a stage that follows another."""
        stored = self.stage.rules
        typed = {name: data[name] for name in format_fields(self.stage)}
        if self.stage.format == StageFormat.SWISS:
            pairing = PairingRules.from_dict({**stored.get("pairing", {}), **typed})
            changed = {"pairing": {**stored.get("pairing", {}), **pairing.as_dict()}}
        else:
            if "deadline" in typed:
                typed["deadline"] = typed["deadline"].isoformat() if typed["deadline"] else None
            form = self._rounds.changed(data) if self._rounds else stored.get("format", {})
            changed = {"format": {**form, **typed}} if form or typed else {}
        if "count" in self.fields:
            changed["entry"] = {**stored.get("entry", {}), **{name: data[name] for name in ENTRY_FIELDS}}
        return changed

    def _departments(self, data: dict[str, Any]) -> dict[str, Any]:
        if not data["departments_ranked"]:
            return {}
        counted = {"best": data["departments_best"], "minimum": data["departments_minimum"]}
        return {DEPARTMENTS: {**self.stage.rules.get(DEPARTMENTS, {}), **counted}}

    def _match(self, data: dict[str, Any]) -> dict[str, Any]:
        limit = data["strikes_limit"]
        strikes = {
            "limit": limit,
            "count": data["strikes_count"],
            "when": data["strikes_when"],
            "then": data["strikes_then"],
        }
        names = (
            "minutes",
            "deals",
            "best_of",
            "start_level",
            "target_level",
            "must_play_target",
            "pass_rule",
            "equal_levels",
        )
        return {
            **{name: data[name] for name in (*names, "unfinished_deal", "bonuses")},
            "steps": [int(step) for step in data["steps"].strip("()").split(",")],
            "strikes": strikes if limit else None,
        }

    def _ranking(self, data: dict[str, Any]) -> list[str]:
        places = [data.get(f"ranking_{place}", "") for place in range(1, RANKING_PLACES + 1)]
        return [key for key in places if key]


def _initial(stage: Stage) -> dict[str, Any]:
    rules = stage.rules
    match = MatchRules.from_dict(rules.get("match", {}))
    ranking = parse_ranking(rules.get("ranking") or [key.value for key in DEFAULT_RANKING])
    scoring = scoring_rules(rules.get("scoring", {}), stage.format)
    departments = department_rules(stage)
    return {
        **_format_initial(stage),
        **EntryRules.from_dict(rules.get("entry", {})).as_dict(),
        "withdrawal": rules.get("withdrawal", "keep"),
        **scoring.as_dict(),
        **dict(zip(DEAL_FIELDS, scoring.deal_points, strict=True)),
        "departments_ranked": DEPARTMENTS in rules,
        "departments_best": departments.best,
        "departments_minimum": departments.minimum,
        **match.as_dict(),
        "steps": str(match.steps),
        **_strikes(match.strikes),
        "bonuses": [bonus.value for bonus in match.bonuses],
        **{f"ranking_{place}": key.value for place, key in enumerate(ranking[:RANKING_PLACES], start=1)},
    }


def _format_initial(stage: Stage) -> dict[str, Any]:
    form = stage.rules.get("format", {})
    if stage.format == StageFormat.SWISS:
        return PairingRules.from_dict(stage.rules.get("pairing", {})).as_dict()
    if stage.format == StageFormat.ROUND_ROBIN:
        return RoundRobinRules.from_dict(form).as_dict()
    is_chained = EntryRules.from_dict(stage.rules.get("entry", {})).is_chained
    return _bracket_fields(knockout_rules(form, is_chained=is_chained))


def _bracket_fields(rules: KnockoutRules) -> dict[str, Any]:
    return {
        "bracket": rules.order.value,
        "byes": rules.byes.value,
        "played_out": rules.played_out.value,
        "zones": rules.zones,
        "departments_apart": rules.departments_apart,
    }


def _strikes(strikes: StrikeRules | None) -> dict[str, Any]:
    shown = strikes or StrikeRules()
    return {
        "strikes_limit": shown.limit if strikes else 0,
        "strikes_count": shown.count.value,
        "strikes_when": shown.when.value,
        "strikes_then": shown.then.value,
    }
