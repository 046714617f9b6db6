"""One table's line on the results page: what is stored, what is being typed, what was refused."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from scoring.engine.deal_counts import deals_won
from scoring.engine.levels import LOWEST, PASSED
from scoring.engine.outcomes import InvalidResult, Outcome, Reason, ResultCode, Winner
from scoring.engine.points import BIGGEST_DIFFERENCE, level_difference, match_points
from scoring.engine.results import MatchResult, complete_result
from scoring.engine.rules import EqualLevels, ScoringModel, ScoringRules, UnfinishedDeal
from scoring.forms.results import (
    CLEAR,
    DEALS,
    FACTS,
    HANDICAP,
    IRREGULAR,
    KINDS,
    PLAYED,
    RULINGS,
    STARTS,
    TIMED,
    level_fields,
)
from scoring.models import Result
from scoring.rulings import match_ruling, points_counted, ruling_mark, ruling_words
from scoring.selectors import StageRules, entered_result
from scoring.wording import (
    DECIDER,
    FORFEIT_WORD,
    OUTCOME_WORDS,
    handicap_words,
    level_text,
    question,
    refusal,
)
from tournaments.log import actor_name
from tournaments.models import Match

_TIE_FACTS = {
    EqualLevels.FIRST_TO_REACH: "reached_first",
    EqualLevels.DECLARER: "declarer",
    EqualLevels.OFF_STAGE: "declarer",
    EqualLevels.EXTRA_DEAL: "extra_winner",
    EqualLevels.EXTRA_GAME: "extra_winner",
}


@dataclass(frozen=True)
class LevelInput:
    """One box for a level: its field name and what stands in it."""

    name: str
    text: str


@dataclass(frozen=True)
class FactInput:
    """One question that the event's rules ask beside the levels; `side` is the answer, or empty.

    `when_equal` is True for one that only equal levels raise.
    """

    name: str
    question: str
    side: str
    when_equal: bool


@dataclass(frozen=True)
class ResultRow:
    """One table as the page shows it. `games` holds the two level boxes of each game."""

    match: Match
    result: Result | None
    points: tuple[int, int] | None
    games: tuple[tuple[LevelInput, LevelInput], ...]
    kind: str
    kind_options: SafeString
    facts: tuple[FactInput, ...]
    starts: tuple[LevelInput, ...]
    """Where a handicap made the sides begin; none until there is one."""
    rules_key: str
    deals: tuple[LevelInput, ...] = ()
    """The deals won by home and away, where points go by them."""
    note: str = ""
    """What the match came to when it was not simply played: 主队弃权."""
    is_open: bool = True
    """Whether this user may type into the row; a correction asks for a reason."""
    is_correction: bool = False
    is_disputed: bool = False
    """Whether the chief referee has to decide what the table played."""
    reason: str = ""
    problem: str = ""
    notice: str = ""
    stale: StaleRow | None = None
    seen_version: int | None = None
    """After a refusal the version that the official saw, so that typing again overwrites nothing unseen."""

    @property
    def version(self) -> int:
        """The version a save of this row replaces; 0 where nothing is stored."""
        if self.seen_version is not None:
            return self.seen_version
        return self.result.version if self.result else 0

    @property
    def ruling_mark(self) -> str:
        """By which the open page tells that the match got other penalties."""
        return ruling_mark(self.match.ruling)

    @property
    def entered_by(self) -> str:
        """The name of whoever entered the stored result; empty for one that came with an event file."""
        return entered_by_words(self.result)


@dataclass(frozen=True)
class StaleRow:
    """Both values after somebody else saved in between: in words, with their points."""

    stored: str
    stored_points: tuple[int, int] | None
    typed: str
    typed_points: tuple[int, int] | None
    entered_by: str
    accept: int
    """The version to post with when the official keeps their own value."""


@dataclass(frozen=True)
class RowMaker:
    """Makes the rows of one round under its rules; `is_open`: results may be typed without a reason."""

    rules: StageRules
    is_open: bool
    _options: dict[tuple[str, bool], SafeString] = field(default_factory=dict)

    @cached_property
    def rules_key(self) -> str:
        """A name for the rules of the game, under which the page finds what two levels are worth."""
        return hashlib.blake2b(repr(self.rules.match).encode(), digest_size=4).hexdigest()

    def stored(self, match: Match, **state: Any) -> ResultRow:
        """The row as the database has it."""
        result: Result | None = getattr(match, "result", None)
        entered = entered_result(result) if result else None
        texts, kind, facts = _typed_again(entered, self.rules.match.best_of)
        points = points_counted(match, entered, self.rules) if entered else None
        is_settled = match.is_of_closed_group or (result is not None and result.is_confirmed)
        is_open = self.is_open and not is_settled
        notes = (_note(entered), ruling_words(match_ruling(match)))
        note = _(", ").join(told for told in notes if told)
        state = {"is_open": is_open, "points": points, "note": note, **state}
        return self._row(match, result, texts, kind, facts, **state)

    def blank(self, match: Match, **state: Any) -> ResultRow:
        """The row with nothing in it, whatever is stored: for a second official, who must not see it."""
        return self._row(match, None, {}, PLAYED, {}, is_open=True, **state)

    def typed(self, match: Match, data: Mapping[str, str], **state: Any) -> ResultRow:
        """The row with what the official typed, after a refusal."""
        result: Result | None = getattr(match, "result", None)
        names = (name for game in level_fields(self.rules.match.best_of) for name in game)
        texts = {name: data.get(name, "")[:20] for name in (*names, *STARTS, *DEALS)}
        kind = data.get("kind", PLAYED)
        facts = {name: data.get(name, "") for name in (*FACTS, DECIDER)}
        return self._row(match, result, texts, kind, facts, reason=data.get("reason", ""), **state)

    def stale(self, match: Match, stored: Result | None, typed: MatchResult | None) -> StaleRow:
        """Both values side by side."""
        entered = entered_result(stored) if stored else None
        return StaleRow(
            stored=result_words(entered),
            stored_points=points_counted(match, entered, self.rules) if entered else None,
            typed=result_words(typed),
            typed_points=points_counted(match, typed, self.rules) if typed else None,
            entered_by=entered_by_words(stored),
            accept=stored.version if stored else 0,
        )

    def _row(
        self,
        match: Match,
        result: Result | None,
        texts: Mapping[str, str],
        kind: str,
        facts: Mapping[str, str],
        **state: Any,
    ) -> ResultRow:
        is_handicap = kind == HANDICAP or any(texts.get(name) for name in STARTS)
        games = tuple(
            (LevelInput(home, texts.get(home, "")), LevelInput(away, texts.get(away, "")))
            for home, away in level_fields(self.rules.match.best_of)
        )
        return ResultRow(
            match=match,
            result=result,
            games=games,
            kind=kind,
            kind_options=self._kind_options(kind, result is not None),
            facts=tuple(self._facts(facts)),
            starts=tuple(LevelInput(name, texts.get(name, "")) for name in STARTS) if is_handicap else (),
            rules_key=self.rules_key,
            deals=tuple(LevelInput(name, texts.get(name, "")) for name in DEALS)
            if self._counts_deals
            else (),
            **{"is_open": self.is_open, "points": None} | state,
        )

    @property
    def _counts_deals(self) -> bool:
        return self.rules.scoring.model is ScoringModel.PER_DEAL

    def _facts(self, answers: Mapping[str, str]) -> Sequence[FactInput]:
        return [
            FactInput(name, question(name), answers.get(name, ""), when_equal)
            for name, when_equal in asked_facts(self.rules)
        ]

    def _kind_options(self, chosen: str, clearable: bool) -> SafeString:
        """The menu “Other”, made once for all rows that look alike: 300 times eight options are not free."""
        key = (chosen, clearable and self.is_open)
        if key not in self._options:
            choices = [(kind, label) for kind, label in self._kinds() if kind != CLEAR or key[1]]
            parts = ((kind, " selected" if kind == chosen else "", label) for kind, label in choices)
            self._options[key] = format_html_join("", '<option value="{}"{}>{}</option>', parts)
        return self._options[key]

    def _kinds(self) -> Sequence[tuple[str, str]]:
        offered = set(KINDS)
        if self.rules.match.strikes is None:
            offered -= {"strikes_home", "strikes_away"}
        if self.rules.match.best_of == 1:
            offered -= {TIMED}
        return [(kind, label) for kind, label in _kind_words().items() if kind in offered]


def entered_by_words(result: Result | None) -> str:
    """Who entered a result; empty for one that came with an event file."""
    if result is not None and result.entered_at_table:
        return pgettext("who entered a result", "the table")
    return actor_name(result.entered_by) if result and result.entered_by else ""


def asked_facts(rules: StageRules) -> tuple[tuple[str, bool], ...]:
    """The facts that the rules may ask for, each with whether only equal levels raise it."""
    rule = rules.match.equal_levels
    asked = [(_TIE_FACTS[rule], True)] if rule in _TIE_FACTS else []
    if rule is EqualLevels.TIE and not rules.tie_allowed:
        asked.append(("reached_first", True))
    if rules.match.unfinished_deal is not UnfinishedDeal.VOID:
        asked.append(("head_taken", False))
    if rules.match.best_of > 1 and not rules.tie_allowed:
        asked.append((DECIDER, False))
    return tuple(asked)


def result_words(result: MatchResult | None) -> str:
    """A result in one line: 10 : 7, or what became of the match."""
    if result is None:
        return _("not entered")
    if result.outcome is not Outcome.PLAYED:
        return str(OUTCOME_WORDS[result.outcome])
    games = result.games or (result,)
    line = ", ".join(f"{level_text(game.home_level)} : {level_text(game.away_level)}" for game in games)
    note = _note(result)
    return f"{line} ({note})" if note else line


def points_table(rules: StageRules) -> Mapping[str, Mapping[str, str]]:
    """What two levels are worth, by "15:9", for the page to show while typing; the server still decides.

    A value has `points`, `problem` (the refusal in words) or `needs` (the fact that decides), and none of
    them where the deals won make the points. Where a match has several games, the two levels of a game have
    its `winner` and `lead` instead, and "home:6" the `points` of who won the match and leads by so many
    levels; those are left out where winner and lead do not decide them.
    """
    return _points_table(rules, get_language() or "")


@lru_cache(maxsize=32)
def _points_table(rules: StageRules, _language: str) -> Mapping[str, Mapping[str, str]]:
    levels = range(2, PASSED + 1)
    worth = _worth if rules.match.best_of == 1 else _game_worth
    table = {f"{home}:{away}": worth(rules, home, away) for home in levels for away in levels}
    return table if rules.match.best_of == 1 else {**table, **_match_worth(rules)}


def _game_worth(rules: StageRules, home: int, away: int) -> Mapping[str, str]:
    """Who wins one game of several, and by how many levels; a game may be a tie."""
    try:
        game = complete_result(MatchResult(Outcome.PLAYED, home, away), replace(rules.match, best_of=1))
    except InvalidResult as error:
        if error.code is ResultCode.FACT_MISSING:
            return {"needs": error.field}
        return {"problem": refusal(error, rules.match)}
    return {"winner": str(game.winner), "lead": str(level_difference(game))}


def _match_worth(rules: StageRules) -> Mapping[str, Mapping[str, str]]:
    """The points of a match of several games, where they follow from who won it and by how many levels."""
    if rules.scoring.model not in {ScoringModel.WIN_LOSS, ScoringModel.LEVEL_DIFFERENCE}:
        return {}
    worth = {}
    most = rules.match.best_of * BIGGEST_DIFFERENCE
    winners = [winner for winner in Winner if rules.tie_allowed or winner is not Winner.TIE]
    for winner, lead in product(winners, range(-most, most + 1)):
        if lead == 0 and winner is not Winner.TIE and rules.scoring.model is ScoringModel.LEVEL_DIFFERENCE:
            continue  # one level ahead, or even where the rule for equal levels decided the last game
        games = (MatchResult(Outcome.PLAYED, LOWEST + max(lead, 0), LOWEST + max(-lead, 0)),)
        home, away = match_points(MatchResult(Outcome.PLAYED, games=games, winner=winner), rules.scoring)
        worth[f"{winner}:{lead}"] = {"points": f"{home} : {away}"}
    return worth


def _worth(rules: StageRules, home: int, away: int) -> Mapping[str, str]:
    played = MatchResult(Outcome.PLAYED, home, away)
    try:
        completed = complete_result(played, rules.match, tie_allowed=rules.tie_allowed)
    except InvalidResult as error:
        if error.code in {ResultCode.FACT_MISSING, ResultCode.TIE_NOT_ALLOWED}:
            return {"needs": error.field}
        return {"problem": refusal(error, rules.match)}
    if rules.scoring.model is ScoringModel.PER_DEAL:
        return {}
    home_points, away_points = match_points(completed, rules.scoring)
    return {"points": f"{home_points} : {away_points}"}


def scoring_words(scoring: ScoringRules) -> str:
    """The scoring model in half a line, for the head of the page."""
    if scoring.model is ScoringModel.LEVEL_DIFFERENCE:
        return _("Points: %(base)s ± level difference") % {"base": scoring.base}
    if scoring.model is ScoringModel.LEVELS_GAINED:
        return _("Points: levels gained")
    if scoring.model is ScoringModel.PER_DEAL:
        double, third, last = scoring.deal_points
        return _("Points: double %(double)s, first and third %(third)s, first and last %(last)s") % {
            "double": double,
            "third": third,
            "last": last,
        }
    values = {"win": scoring.win, "tie": scoring.tie, "loss": scoring.loss}
    return _("Points: win %(win)s, tie %(tie)s, loss %(loss)s") % values


def _typed_again(
    result: MatchResult | None, best_of: int
) -> tuple[Mapping[str, str], str, Mapping[str, str]]:
    """What an official would type for a stored result: texts by field, kind, facts."""
    if result is None:
        return {}, PLAYED, {}
    games = result.games or (result,)
    told = next((game for game in games if any(getattr(game, name) for name in FACTS)), result)
    facts = {name: str(getattr(told, name) or "") for name in FACTS}
    facts[DECIDER] = str(result.extra_winner or "") if result.games else ""
    if result.outcome is not Outcome.PLAYED:
        return (
            _forfeit_texts(result.outcome),
            IRREGULAR if result.outcome is Outcome.IRREGULAR else PLAYED,
            facts,
        )
    texts = {name: level_text(getattr(games[0], name)) for name in STARTS}
    for (home, away), game in zip(level_fields(best_of), games, strict=False):
        texts |= {home: level_text(game.home_level), away: level_text(game.away_level)}
    won = deals_won(result) or {}
    texts |= {f"{side}_deals": " ".join(map(str, counts)) for side, counts in won.items()}
    return texts, _kind(result), facts


def _forfeit_texts(outcome: Outcome) -> Mapping[str, str]:
    word = str(FORFEIT_WORD)
    texts = {}
    if outcome in {Outcome.FORFEIT_HOME, Outcome.DOUBLE_FORFEIT}:
        texts["home_level"] = word
    if outcome in {Outcome.FORFEIT_AWAY, Outcome.DOUBLE_FORFEIT}:
        texts["away_level"] = word
    return texts


def _ruling(result: MatchResult) -> str:
    if result.reason is None or result.winner is None:
        return PLAYED
    by_ruling = {ruling: kind for kind, ruling in RULINGS.items()}
    stopped = TIMED if result.games and result.reason in {Reason.TIME, Reason.TIE_RULE} else PLAYED
    return by_ruling.get((result.reason, result.winner), stopped)


def _kind(result: MatchResult) -> str:
    """What stands in the menu “Other” for a played result."""
    first = (result.games or (result,))[0]
    is_handicap = first.home_start is not None or first.away_start is not None
    return _ruling(result) or (HANDICAP if is_handicap else PLAYED)


def _kind_words() -> Mapping[str, str]:
    return {
        PLAYED: pgettext("kind of result", "normal"),
        TIMED: _("time called before the match was decided"),
        HANDICAP: _("handicap: began at other levels"),
        IRREGULAR: _("irregular, does not count"),
        "strikes_home": _("home loses: too many failed attempts at A"),
        "strikes_away": _("away loses: too many failed attempts at A"),
        "penalty_home": _("home loses by ruling"),
        "penalty_away": _("away loses by ruling"),
        CLEAR: _("clear this result"),
    }


def _note(result: MatchResult | None) -> str:
    """What a bare score would not tell: forfeits, rulings, who won at equal levels, a handicap."""
    if result is None:
        return ""
    if result.outcome is not Outcome.PLAYED:
        return str(OUTCOME_WORDS[result.outcome])
    return _(", ").join(
        note for note in (_ending_note(result), handicap_words(result.games or (result,))) if note
    )


def _ending_note(result: MatchResult) -> str:
    ruling = _ruling(result)
    if ruling in RULINGS:
        return _kind_words()[ruling]
    if result.reason is Reason.TIE_RULE and result.games:
        return (
            _("home wins the extra play") if result.winner is Winner.HOME else _("away wins the extra play")
        )
    if result.reason is Reason.TIE_RULE:
        return (
            _("home wins at equal levels") if result.winner is Winner.HOME else _("away wins at equal levels")
        )
    return ""
