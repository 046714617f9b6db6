"""The shape of what officials type for a table's result."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.engine.levels import InvalidLevel, parse_level
from scoring.engine.match_result import DealCounts
from scoring.engine.results import MatchResult, Outcome, Reason, Side, Winner
from scoring.wording import DECIDER

PLAYED, TIMED, HANDICAP, IRREGULAR, CLEAR = "", "time", "handicap", "irregular", "clear"
RULINGS: Mapping[str, tuple[Reason, Winner]] = {
    "strikes_home": (Reason.STRIKES, Winner.AWAY),
    "strikes_away": (Reason.STRIKES, Winner.HOME),
    "penalty_home": (Reason.PENALTY, Winner.AWAY),
    "penalty_away": (Reason.PENALTY, Winner.HOME),
}
"""What the menu “Other” rules against a side, with the winner that follows."""
KINDS = (PLAYED, TIMED, HANDICAP, IRREGULAR, *RULINGS, CLEAR)

FACTS = ("reached_first", "declarer", "extra_winner", "head_taken")
STARTS = ("home_start", "away_start")
"""Where a late side's handicap made both sides begin; in a match of several games, the first."""
DEALS = ("home_deals", "away_deals")
"""The deals won by each side, where points go by them: doubles, first and third, first and last."""
THREE_COUNTS = re.compile(r"(\d{1,3})[^\d]+(\d{1,3})[^\d]+(\d{1,3})|(\d)(\d)(\d)")
FORFEIT_MARKS = {"x", "ｘ", "×", "弃权", "forfeit"}
BIGGEST = 2**31 - 1


def is_forfeit(text: str) -> bool:
    """Whether the official typed a forfeit (x, ×, 弃权) where a level is expected."""
    return text.strip().lower() in FORFEIT_MARKS


def read_counts(text: str) -> DealCounts | None:
    """Three counts of deals as officials type them: 2 1 0, 2/1/0, 210; None for anything else."""
    found = THREE_COUNTS.fullmatch(unicodedata.normalize("NFKC", text).strip())
    if found is None:
        return None
    first, second, third = (int(count) for count in found.groups() if count is not None)
    return first, second, third


def level_fields(best_of: int) -> tuple[tuple[str, str], ...]:
    """The names of the two level fields of each game: home_level, away_level; from the second on numbered."""
    suffixes = ["", *(f"_{game}" for game in range(2, best_of + 1))]
    return tuple((f"home_level{suffix}", f"away_level{suffix}") for suffix in suffixes)


class ResultForm(forms.Form):
    """One row of the results page. `entry` is the result typed, None when it is to be cleared.

    `version` is the one the page showed; `accept` overrides it after a stale save, when the official chose
    their own value with both in view. `home` and `away` are the numbers of the teams the page showed.
    """

    version = forms.IntegerField(min_value=0, max_value=BIGGEST)
    accept = forms.IntegerField(min_value=0, max_value=BIGGEST, required=False)
    home = forms.IntegerField(min_value=1, max_value=BIGGEST)
    away = forms.IntegerField(min_value=1, max_value=BIGGEST)
    kind = forms.ChoiceField(choices=[(kind, kind) for kind in KINDS], required=False)
    reason = forms.CharField(max_length=200, required=False)

    entry: MatchResult | None = None

    def __init__(self, data: Mapping[str, Any], *, best_of: int = 1) -> None:
        super().__init__(data)
        self.level_names = level_fields(best_of)
        for name in (name for game in self.level_names for name in game):
            self.fields[name] = forms.CharField(max_length=20, required=False)
        for name in (*STARTS, *DEALS):
            self.fields[name] = forms.CharField(max_length=20, required=False)
        for name in (*FACTS, DECIDER):
            self.fields[name] = forms.ChoiceField(choices=[(s, s) for s in ("", *Side)], required=False)

    def clean(self) -> dict[str, Any]:
        """Reads what was typed; a refusal names the text."""
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors and cleaned["kind"] != CLEAR:
            self.entry = self._entry(cleaned)
        return cleaned

    @property
    def is_clearing(self) -> bool:
        """Whether the stored result is to be taken back."""
        return bool(self.cleaned_data["kind"] == CLEAR)

    @property
    def expected_version(self) -> int:
        """The version the official has seen and means to replace."""
        accepted = self.cleaned_data["accept"]
        return int(self.cleaned_data["version"] if accepted is None else accepted)

    @property
    def seated(self) -> tuple[int, int]:
        """The numbers of home and away that the page showed."""
        return self.cleaned_data["home"], self.cleaned_data["away"]

    def problem(self) -> str:
        """The first refusal in words. A wrong field that nobody types means that the page is too old."""
        typed = {"__all__", "reason", *STARTS, *DEALS, *(name for game in self.level_names for name in game)}
        for name, errors in self.errors.items():
            is_typed = name in typed
            return (
                str(errors[0])
                if is_typed
                else _("This page is out of date: load it again and enter the row.")
            )
        return ""

    def _entry(self, cleaned: Mapping[str, Any]) -> MatchResult | None:
        if cleaned["kind"] == IRREGULAR:
            return MatchResult(Outcome.IRREGULAR)
        forfeit = self._forfeit(cleaned)
        if forfeit is not None:
            return MatchResult(forfeit)
        games = list(self._games(cleaned))
        starts: dict[str, Any] = {name: self._level(name, cleaned[name]) for name in STARTS}
        deals: dict[str, Any] = {name: self._counts(name, cleaned[name]) for name in DEALS}
        if cleaned["kind"] == HANDICAP and not any(cleaned[name] for name in STARTS):
            self.add_error(
                None,
                _("Handicap: enter below at which level each side began, or choose “normal” under “Other”."),
            )
        if self.errors:
            return None
        games[0] = replace(games[0], **starts)
        decider = Side(cleaned[DECIDER]) if cleaned[DECIDER] else None
        result = replace(self._match(games, decider), **deals)
        reason, winner = RULINGS.get(cleaned["kind"], (None, None))
        return replace(result, reason=Reason.TIME if cleaned["kind"] == TIMED else reason, winner=winner)

    def _forfeit(self, cleaned: Mapping[str, Any]) -> Outcome | None:
        """x on one side is that side's forfeit and needs no level on the other."""
        home, away = (cleaned[name] for name in self.level_names[0])
        if not is_forfeit(home) and not is_forfeit(away):
            return None
        if is_forfeit(home) and is_forfeit(away):
            return Outcome.DOUBLE_FORFEIT
        if (away if is_forfeit(home) else home) != "":
            self.add_error(None, _("When one side forfeits, leave the other side’s level empty."))
        return Outcome.FORFEIT_HOME if is_forfeit(home) else Outcome.FORFEIT_AWAY

    def _games(self, cleaned: Mapping[str, Any]) -> Iterator[MatchResult]:
        """The games typed, without empty ones after the first."""
        facts: dict[str, Any] = {name: Side(cleaned[name]) for name in FACTS if cleaned[name]}
        for place, names in enumerate(self.level_names):
            if place and not any(cleaned[name] for name in names):
                continue
            home, away = (self._level(name, cleaned[name]) for name in names)
            told = facts if home == away or "head_taken" in facts else {}
            yield replace(MatchResult(Outcome.PLAYED, home, away), **told)

    def _match(self, games: list[MatchResult], decider: Side | None) -> MatchResult:
        if len(self.level_names) == 1:
            return games[0]
        return MatchResult(Outcome.PLAYED, games=tuple(games), extra_winner=decider)

    def _counts(self, name: str, text: str) -> DealCounts | None:
        counts = read_counts(text) if text else None
        if text and counts is None:
            self.add_error(
                name,
                _(
                    "“%(text)s”: enter three numbers, the deals won as a double, with first and third, with "
                    "first and last, such as 2 1 0."
                )
                % {"text": text},
            )
        return counts

    def _level(self, name: str, text: str) -> int | None:
        try:
            return parse_level(text) if text else None
        except InvalidLevel:
            self.add_error(
                name,
                _("“%(text)s” is no level. Enter 2 to 10, J, Q, K, A, or + for passed A.") % {"text": text},
            )
            return None
