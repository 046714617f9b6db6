"""The engine's codes in words: why a result is refused, what a ranking key is called and how it decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scoring.engine.levels import PASSED, level_symbol
from scoring.engine.outcomes import InvalidResult, ResultCode, Side
from scoring.engine.rules import MatchRules, RankingKey
from scoring.engine.standings import Comparison, KeyValue
from scoring.models import Outcome

HOME = pgettext_lazy("side of a table", "home")
AWAY = pgettext_lazy("side of a table", "away")
SIDE_WORDS: Mapping[Side, str | Promise] = {Side.HOME: HOME, Side.AWAY: AWAY}

OUTCOME_WORDS: Mapping[str, str | Promise] = {
    Outcome.FORFEIT_HOME: gettext_lazy("home forfeits"),
    Outcome.FORFEIT_AWAY: gettext_lazy("away forfeits"),
    Outcome.DOUBLE_FORFEIT: gettext_lazy("both forfeit"),
    Outcome.BYE: gettext_lazy("bye"),
    Outcome.IRREGULAR: gettext_lazy("irregular"),
}

DECIDER = "decider"
"""The match's own extra play, where its games leave it even; the same word in a game asks for that game."""

_QUESTIONS: Mapping[str, str | Promise] = {
    "reached_first": gettext_lazy("Equal levels: which side reached this level first?"),
    "declarer": gettext_lazy("Equal levels: which side was declarer when time was called?"),
    "extra_winner": gettext_lazy("Equal levels: which side won the extra play?"),
    "head_taken": gettext_lazy("Which side had a player out when time was called?"),
    DECIDER: gettext_lazy("Both sides won the same number of games: which side won the extra play?"),
}

_REFUSALS: Mapping[ResultCode, str | Promise] = {
    ResultCode.BOTH_PASSED: gettext_lazy("Only one side can pass A."),
    ResultCode.AFTER_THE_END: gettext_lazy("The match was decided before: leave the later games empty."),
    ResultCode.GAMES_MISSING: gettext_lazy(
        "The match is not decided yet: enter the next game, or choose “time called” under “Other”."
    ),
    ResultCode.REASON_DISAGREES: gettext_lazy("This ruling does not fit the levels."),
    ResultCode.TIE_NOT_ALLOWED: gettext_lazy("No tie here: say which side reached the level first."),
    ResultCode.LEVEL_BELOW_START: gettext_lazy("A side cannot end below the level that it began at."),
    ResultCode.COUNTS_OUT_OF_RANGE: gettext_lazy(
        "More deals than a game has. Enter doubles, first-and-third, first-and-last, as 2 1 0."
    ),
    ResultCode.COUNTS_DISAGREE: gettext_lazy("The deals counted are not those recorded deal by deal."),
}

_MISSING: Mapping[str, str | Promise] = {
    "home_level": gettext_lazy("The home level is missing."),
    "away_level": gettext_lazy("The away level is missing."),
    "home_deals": gettext_lazy("Points go by deals here: enter the deals that home won, as 2 1 0."),
    "away_deals": gettext_lazy("Points go by deals here: enter the deals that away won, as 2 1 0."),
}


def question(field: str) -> str:
    """What a rule for the end of a game asks, by the fact that answers it."""
    return str(_QUESTIONS[field])


def refusal(error: InvalidResult, rules: MatchRules) -> str:
    """Why the rules of the event refuse a result."""
    game, _dot, field = error.field.rpartition(".")
    return _game_place(game) + _refused_field(error.code, field, rules)


def _game_place(path: str) -> str:
    if not path.startswith("games["):
        return ""
    number = int(path.removeprefix("games[").partition("]")[0]) + 1
    return _("Game %(number)s: ") % {"number": number}


def _refused_field(code: ResultCode, field: str, rules: MatchRules) -> str:
    if code is ResultCode.FACT_MISSING:
        return question(field)
    if code is ResultCode.TIE_NOT_ALLOWED and field == "extra_winner":
        return question(DECIDER)
    if code is ResultCode.LEVEL_OUT_OF_RANGE and field.endswith("_start"):
        return _("A side begins at a level from 2 to %(highest)s.") % {
            "highest": level_symbol(rules.target_level)
        }
    if code is ResultCode.MISSING and field in _MISSING:
        return str(_MISSING[field])
    if code is ResultCode.LEVEL_OUT_OF_RANGE:
        lowest, highest = level_symbol(rules.lowest_level), level_symbol(rules.target_level)
        return _("In this event levels go from %(lowest)s to %(highest)s, then passed.") % {
            "lowest": lowest,
            "highest": highest,
        }
    known = _REFUSALS.get(code)
    return str(known) if known else _("The rules do not allow this result (%(code)s).") % {"code": code}


KEY_NAMES: Mapping[RankingKey, str | Promise] = {
    RankingKey.POINTS: pgettext_lazy("ranking key", "Points"),
    RankingKey.HEAD_TO_HEAD: pgettext_lazy("ranking key", "Head to head"),
    RankingKey.HEAD_TO_HEAD_GROUP: pgettext_lazy("ranking key", "Among the tied"),
    RankingKey.WINS: pgettext_lazy("ranking key", "Wins"),
    RankingKey.BEST_ROUNDS: pgettext_lazy("ranking key", "Best rounds"),
    RankingKey.OPPONENTS_POINTS: pgettext_lazy("ranking key", "Opponents’ points"),
    RankingKey.BEATEN_OPPONENTS_POINTS: pgettext_lazy("ranking key", "Beaten opponents’ points"),
    RankingKey.NET_LEVELS: pgettext_lazy("ranking key", "Net levels"),
    RankingKey.LEVELS_GAINED: pgettext_lazy("ranking key", "Levels gained"),
    RankingKey.CUMULATIVE: pgettext_lazy("ranking key", "Running totals"),
    RankingKey.LOTS: pgettext_lazy("ranking key", "Lots"),
}

KEY_EXPLANATIONS: Mapping[RankingKey, str | Promise] = {
    RankingKey.POINTS: gettext_lazy("sum of the points of all rounds, with points given or taken"),
    RankingKey.HEAD_TO_HEAD: gettext_lazy("exactly two teams are tied and met: the winner comes first"),
    RankingKey.HEAD_TO_HEAD_GROUP: gettext_lazy("points from the matches of the tied teams with each other"),
    RankingKey.WINS: gettext_lazy("matches won; a win by forfeit counts, a bye does not"),
    RankingKey.BEST_ROUNDS: gettext_lazy("points of the best round, then of the second best, and so on"),
    RankingKey.OPPONENTS_POINTS: gettext_lazy("sum of the points of all opponents met"),
    RankingKey.BEATEN_OPPONENTS_POINTS: gettext_lazy(
        "points of the opponents beaten, half of those tied with"
    ),
    RankingKey.NET_LEVELS: gettext_lazy("own levels less the opponents’, over all matches played"),
    RankingKey.LEVELS_GAINED: gettext_lazy("levels climbed above 2, over all matches played"),
    RankingKey.CUMULATIVE: gettext_lazy("sum of the totals after each round"),
    RankingKey.LOTS: gettext_lazy("drawn by lot"),
}


def key_value(value: KeyValue, unentered: int = 0) -> str:
    """A key's value as the page prints it; best rounds as 24, 18, 16; a dash where the key did not apply.

    Of best rounds as many zeros as there are `unentered` matches are dashes too, and stand last.
    """
    if value is None:
        return "–"
    if isinstance(value, tuple):
        known = list(value)
        for _unentered in range(min(unentered, known.count(0))):
            known.remove(0)
        return ", ".join([*map(str, known), *["–"] * (len(value) - len(known))])
    return f"{float(value):.1f}" if isinstance(value, Fraction) else str(value)


def decision(step: Comparison) -> str:
    """Why the lower of two neighbours stands lower, in plain words: 胜场少 1."""
    if step.key in _RELATIONS:
        return str(_RELATIONS[step.key])
    name = str(KEY_NAMES[step.key])
    if isinstance(step.better, tuple) and isinstance(step.worse, tuple):
        return _best_rounds_decision(step.better, step.worse)
    return _fewer(name, _number(step.better) - _number(step.worse))


_RELATIONS: Mapping[RankingKey, str | Promise] = {
    RankingKey.HEAD_TO_HEAD: gettext_lazy("lost to the team above"),
    RankingKey.LOTS: gettext_lazy("drawn later by lot"),
}


def _fewer(name: str, difference: int | Fraction) -> str:
    return pgettext("ranking decision", "%(key)s: %(difference)s fewer") % {
        "key": name,
        "difference": key_value(difference),
    }


def _best_rounds_decision(better: tuple[int, ...], worse: tuple[int, ...]) -> str:
    """The first place at which the sorted round points differ."""
    padded = (*worse, *[0] * len(better))
    place = next((i for i, points in enumerate(better) if points != padded[i]), 0)
    if place == 0:
        name = _("best round")
    else:
        name = pgettext("n-th best round", "best round no. %(place)s") % {"place": place + 1}
    return _fewer(name, better[place] - padded[place])


def _number(value: KeyValue) -> int | Fraction:
    return value if isinstance(value, int | Fraction) else 0


FORFEIT_WORD = pgettext_lazy("typed instead of a level", "x")
PASSED_WORD = pgettext_lazy("typed as a level", "A+")


class Begun(Protocol):
    """A game that knows where a handicap made its sides begin."""

    @property
    def home_start(self) -> int | None:
        """Home's level before the first deal, None where there is no handicap."""

    @property
    def away_start(self) -> int | None:
        """Away's level before the first deal."""


def handicap_words(games: Iterable[Begun]) -> str:
    """Where a handicap made sides begin: 迟到让级：客队从 5 打起; empty without one."""
    told = [
        _("%(side)s from %(level)s") % {"side": SIDE_WORDS[side], "level": level_text(start)}
        for game in games
        for side, start in ((Side.HOME, game.home_start), (Side.AWAY, game.away_start))
        if start is not None
    ]
    return _("handicap: %(starts)s") % {"starts": _(", ").join(told)} if told else ""


def level_text(level: int | None) -> str:
    """A level as an official types and reads it: 2…10, J, Q, K, A, 过A; empty for None."""
    if level is None:
        return ""
    return str(PASSED_WORD) if level == PASSED else level_symbol(level)
