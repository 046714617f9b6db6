"""Other rules of single rounds of a knockout, as a table: one line a round, one column a setting.

A cell left at “–” plays as all rounds do. Cells hold the setting itself as JSON, so that whatever the event
file can say comes back unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from pairing.rulebook import words
from scoring.engine.rules import EqualLevels, PassRule, StrikeRules, UnfinishedDeal
from scoring.knockout import RoundRules, round_name
from tournaments.log_vocabulary import VALUE_NAMES

ROUNDS = ("first", "32", "16", "8", "4", "third_place", "2")
"""The lines that every table has, in the order they are played; others follow where they are stored."""
PREFIX = "round"
BEST_OF = "best_of"


def _value_word(value: Any) -> str:
    return str(VALUE_NAMES.get(str(value), value))


def _limit_word(value: Any) -> str:
    return pgettext("of minutes or deals", "no limit") if value is None else str(value)


def _minutes_word(value: Any) -> str:
    return _limit_word(value) if value is None else _("%(minutes)s min") % {"minutes": value}


def _games_word(value: Any) -> str:
    return _("one game") if value == 1 else _("best of %(games)s") % {"games": value}


def _strikes_word(value: Any) -> str:
    if value is None:
        return _("do not count")
    rules = StrikeRules.from_dict(value)
    facts = {
        "limit": rules.limit,
        "count": _value_word(rules.count),
        "then": words.STRIKE_PENALTIES[rules.then],
    }
    return _("%(limit)s %(count)s: %(then)s") % facts


def _truth_word(value: Any) -> str:
    return _("must be played") if value else _("may be passed over")


@dataclass(frozen=True)
class Column:
    """One setting: the values it offers, and the short word for any of them."""

    name: str
    label: str | Promise
    offered: tuple[Any, ...]
    word: Callable[[Any], str]


STRIKES = tuple(
    {"limit": limit, "count": count, "when": "own_deal", "then": then}
    for limit, count, then in (
        (3, "total", "2"),
        (3, "in_a_row", "2"),
        (3, "total", "J"),
        (3, "in_a_row", "J"),
        (2, "total", "lose"),
        (3, "total", "lose"),
    )
)
COLUMNS = (
    Column(
        "minutes",
        gettext_lazy("Minutes per round"),
        (None, 30, 35, 40, 45, 50, 60, 80, 90, 120),
        _minutes_word,
    ),
    Column(BEST_OF, gettext_lazy("Games a match"), (1, 3, 5), _games_word),
    Column("deals", gettext_lazy("Most deals a game"), (None, 6, 8, 10, 12, 15, 20), _limit_word),
    Column(
        "steps",
        gettext_lazy("levels a deal"),
        ([3, 2, 1], [6, 4, 2], [4, 3, 2]),
        lambda value: ", ".join(map(str, value)),
    ),
    Column("must_play_target", gettext_lazy("A must be played"), (True, False), _truth_word),
    Column("pass_rule", gettext_lazy("Passing A"), tuple(each.value for each in PassRule), _value_word),
    Column("strikes", gettext_lazy("Failed attempts at A"), (None, *STRIKES), _strikes_word),
    Column(
        "equal_levels",
        gettext_lazy("Equal levels at time-up"),
        tuple(each.value for each in EqualLevels if each is not EqualLevels.TIE),
        _value_word,
    ),
    Column(
        "unfinished_deal",
        gettext_lazy("The deal under way at time-up"),
        tuple(each.value for each in UnfinishedDeal),
        _value_word,
    ),
)


@dataclass(frozen=True)
class RoundLine:
    """One line of the table: the round and its cells, in the order of the columns."""

    label: str
    cells: tuple[forms.BoundField, ...]

    @property
    def named_cells(self) -> list[tuple[str, forms.BoundField]]:
        """Each cell with its column's name, which stands beside it where columns have no room."""
        return [(str(column.label), cell) for column, cell in zip(COLUMNS, self.cells, strict=True)]


class RoundRulesTable:
    """The table of a knockout stage, from `rules.format` and `rules.match` as they are stored.

    Raises InvalidRules where they cannot be read.
    """

    def __init__(self, form: Mapping[str, Any], match: Mapping[str, Any]) -> None:
        self._form = form
        self._stored = RoundRules.from_dict(form, match)
        more = [name for name in (*self._stored.match, *self._stored.best_of) if name not in ROUNDS]
        self.names = (*dict.fromkeys(more), *ROUNDS)

    def fields(self) -> dict[str, forms.ChoiceField]:
        """The cells as fields, by name."""
        return {_field(name, column): self._cell(name, column) for name in self.names for column in COLUMNS}

    def _cell(self, name: str, column: Column) -> forms.ChoiceField:
        offered = [(_text(value), column.word(value)) for value in column.offered]
        stored = self._settings(name)
        initial = ""
        if column.name in stored:
            value = _plain(column, stored[column.name])
            initial = _text(value)
            if initial not in dict(offered):
                offered.append((initial, column.word(value)))
        label = f"{round_label(name)}: {column.label}"
        return forms.ChoiceField(
            label=label,
            choices=[("", "–"), *offered],
            required=False,
            initial=initial,
            widget=forms.Select(attrs={"aria-label": label}),
        )

    def _settings(self, name: str) -> dict[str, Any]:
        games = {BEST_OF: self._stored.best_of[name]} if name in self._stored.best_of else {}
        return {**self._stored.match.get(name, {}), **games}

    def lines(self, form: forms.Form) -> list[RoundLine]:
        """The table to show."""
        return [
            RoundLine(round_label(name), tuple(form[_field(name, column)] for column in COLUMNS))
            for name in self.names
        ]

    def changed(self, data: Mapping[str, str]) -> dict[str, Any]:
        """`rules.format` with what was chosen; settings that have no column stay, empty rounds go."""
        match: dict[str, Any] = {}
        best_of: dict[str, int] = {}
        for name in self.names:
            chosen = dict(self._chosen(name, data))
            games = chosen.pop(BEST_OF, None)
            if games is not None:
                best_of[self._key(BEST_OF, name)] = games
            kept = {key: value for key, value in self._settings(name).items() if key not in _COLUMN_NAMES}
            if kept or chosen:
                match[self._key("match_by_round", name)] = {**kept, **chosen}
        sections = {"match_by_round": match, BEST_OF: best_of}
        rest = {key: value for key, value in self._form.items() if key not in sections}
        return {**rest, **{key: value for key, value in sections.items() if value}}

    def _chosen(self, name: str, data: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
        stored = self._settings(name)
        for column in COLUMNS:
            text = data.get(_field(name, column), "")
            if text:
                is_same = column.name in stored and text == _text(_plain(column, stored[column.name]))
                yield column.name, stored[column.name] if is_same else json.loads(text)

    def _key(self, section: str, name: str) -> str:
        """The round's name as the section spells it: `final` may stand there for 2."""
        given: Sequence[str] = tuple(self._form.get(section) or ())
        return next((key for key in given if round_name(key) == name), name)


_COLUMN_NAMES = {column.name for column in COLUMNS}


def round_label(name: str) -> str:
    """The round as organisers call it: 首轮, 32 强, 决赛."""
    return str(words.ROUND_NAMES.get(name) or _("round of %(teams)s") % {"teams": name})


def _field(name: str, column: Column) -> str:
    return f"{PREFIX}_{name}_{column.name}"


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _plain(column: Column, value: Any) -> Any:
    """A stored setting with everything in it that it leaves out."""
    if column.name == "strikes" and value is not None:
        return StrikeRules.from_dict(value).as_dict()
    return list(value) if column.name == "steps" else value
