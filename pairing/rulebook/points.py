"""Sentences about points and ranks, and a small table of what results are worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.engine.levels import ACE, LOWEST, PASSED, level_symbol
from scoring.engine.outcomes import Outcome
from scoring.engine.points import match_points
from scoring.engine.results import MatchResult
from scoring.engine.rules import MatchRules, RankingKey, ScoringModel, ScoringRules, StrikePenalty
from scoring.wording import KEY_EXPLANATIONS, KEY_NAMES

EXAMPLES = ((PASSED, LOWEST), (PASSED, ACE), (ACE, LOWEST), (11, 10), (10, 7), (ACE, ACE))
"""Levels of two sides for the table, higher first."""


@dataclass(frozen=True)
class PointsTable:
    """计分表: results in the first row, what both sides get for them in the second."""

    results: tuple[str, ...]
    points: tuple[str, ...]

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Result and points side by side."""
        return list(zip(self.results, self.points, strict=True))


def scoring_lines(scoring: ScoringRules) -> Iterator[str]:
    """How points come about."""
    if scoring.model is ScoringModel.LEVEL_DIFFERENCE:
        yield _(
            "The winner gets %(base)d plus the difference of the levels, the loser %(base)d minus it; "
            "passed A counts one more than A."
        ) % {"base": scoring.base}
    else:
        yield _("Win %(win)d, tie %(tie)d, loss %(loss)d.") % {
            "win": scoring.win,
            "tie": scoring.tie,
            "loss": scoring.loss,
        }
    yield _("A forfeit is not a loss: it has its own points, and who forfeits gets no levels.")
    if scoring.missed:
        yield _("A round before a late entry counts %(points)d.") % {"points": scoring.missed}


def points_table(scoring: ScoringRules, match: MatchRules) -> PointsTable:
    """What results are worth, worked out by the scoring itself."""
    columns = [*_played_columns(scoring, match), *_other_columns(scoring)]
    return PointsTable(
        tuple(result for result, _points in columns), tuple(points for _result, points in columns)
    )


def _played_columns(scoring: ScoringRules, match: MatchRules) -> Iterator[tuple[str, str]]:
    if scoring.model is ScoringModel.WIN_LOSS:
        yield pgettext("points table", "win : loss"), f"{scoring.win} : {scoring.loss}"
        yield pgettext("points table", "tie"), f"{scoring.tie} : {scoring.tie}"
        return
    for home, away in EXAMPLES:
        name = f"{_level_word(home)} : {_level_word(away)}"
        yield name, _points(_played(home, away), scoring)
    if match.strikes and match.strikes.then is StrikePenalty.LOSE:
        yield pgettext("points table", "lost at A"), _points(_lost_by_strikes(), scoring)


def _other_columns(scoring: ScoringRules) -> Iterator[tuple[str, str]]:
    yield pgettext("points table", "forfeit"), f"{scoring.forfeit_win} : {scoring.forfeit_loss}"
    yield pgettext("points table", "both forfeit"), f"{scoring.double_forfeit} : {scoring.double_forfeit}"
    yield pgettext("points table", "bye"), str(scoring.bye)
    yield pgettext("points table", "irregular"), f"{scoring.irregular} : {scoring.irregular}"


def _played(home: int, away: int) -> MatchResult:
    winner = "home" if home > away else "tie"
    levels = {"home_level": home, "away_level": away}
    return MatchResult.from_dict({"outcome": Outcome.PLAYED.value, "winner": winner, **levels})


def _lost_by_strikes() -> MatchResult:
    facts = {"winner": "home", "reason": "strikes", "home_level": 10, "away_level": ACE}
    return MatchResult.from_dict({"outcome": Outcome.PLAYED.value, **facts})


def _points(result: MatchResult, scoring: ScoringRules) -> str:
    home, away = match_points(result, scoring)
    return f"{home} : {away}"


def _level_word(level: int) -> str:
    return _("passed A") if level == PASSED else level_symbol(level)


def ranking_lines(ranking: Sequence[RankingKey]) -> Iterator[str]:
    """What the standings compare, in order."""
    yield _("Compared in this order, each only among teams still equal:")
    for place, key in enumerate(ranking, start=1):
        yield f"{place}. {KEY_NAMES[key]} — {KEY_EXPLANATIONS[key]}"
    if RankingKey.LOTS not in ranking:
        yield _("Teams that all of these leave equal share the rank.")


def bracket_ranking_lines(ranking: Sequence[RankingKey], *, has_final_group: bool) -> Iterator[str]:
    """Places of a knockout."""
    yield _("Places follow the bracket: who gets further stands higher.")
    if has_final_group:
        names = _(", ").join(str(KEY_NAMES[key]) for key in ranking)
        yield _("The final three are ranked by: %(keys)s.") % {"keys": names}
