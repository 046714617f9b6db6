"""Sentences about points and ranks, and a small table of what results are worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from pairing.format_rules import RoundRobinRules
from scoring.engine.departments import DepartmentRules
from scoring.engine.levels import level_symbol
from scoring.engine.outcomes import Outcome
from scoring.engine.points import match_points
from scoring.engine.results import MatchResult
from scoring.engine.rules import (
    EqualLevels,
    MatchRules,
    PassRule,
    RankingKey,
    RankingWarning,
    ScoringModel,
    ScoringRules,
    StrikePenalty,
    ranking_warnings,
)
from scoring.selectors import StageRules
from scoring.wording import KEY_EXPLANATIONS, KEY_NAMES
from tournaments.models import Stage, StageFormat


@dataclass(frozen=True)
class PointsTable:
    """计分表: results in the first row, what both sides get for them in the second."""

    results: tuple[str, ...]
    points: tuple[str, ...]

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Result and points side by side."""
        return list(zip(self.results, self.points, strict=True))


def scoring_lines(rules: StageRules) -> Iterator[str]:
    """How points come about."""
    scoring = rules.scoring
    if scoring.model is ScoringModel.LEVEL_DIFFERENCE:
        yield _(
            "The winner gets %(base)d plus the difference of the levels, the loser %(base)d minus it; "
            "passed A counts one more than A."
        ) % {"base": scoring.base}
    elif scoring.model is ScoringModel.LEVELS_GAINED:
        yield _(
            "Each side gets as many points as levels it climbed: its last level less the one it began at; "
            "passed A counts one more than A."
        )
    elif scoring.model is ScoringModel.PER_DEAL:
        double, third, last = scoring.deal_points
        yield _(
            "Every deal won gives points: first and second %(double)d, first and third %(third)d, "
            "first and last %(last)d."
        ) % {"double": double, "third": third, "last": last}
    else:
        facts = {"win": scoring.win, "tie": scoring.tie, "loss": scoring.loss}
        sentence = (
            _("Win %(win)d, tie %(tie)d, loss %(loss)d.")
            if _may_tie(rules)
            else _("Win %(win)d, loss %(loss)d.")
        )
        yield sentence % facts
    yield _("A forfeit is not a loss: it has its own points, and who forfeits gets no levels.")
    if scoring.missed:
        yield _("A round before a late entry counts %(points)d.") % {"points": scoring.missed}
    yield _(
        "Irregular is a match that the chief referee finds so: begun early, ended late, or between teams of "
        "one department that may not meet."
    )


def _may_tie(rules: StageRules) -> bool:
    """Whether a match can end level: only at time-up, and only where no rule then finds a winner."""
    return rules.tie_allowed and rules.match.is_limited and rules.match.equal_levels is EqualLevels.TIE


def points_table(rules: StageRules) -> PointsTable:
    """What results are worth, worked out by the scoring itself; only results that the rules let happen."""
    columns = [*_played_columns(rules), *_other_columns(rules.scoring)]
    return PointsTable(
        tuple(result for result, _points in columns), tuple(points for _result, points in columns)
    )


def _played_columns(rules: StageRules) -> Iterator[tuple[str, str]]:
    scoring, match = rules.scoring, rules.match
    if scoring.model is ScoringModel.PER_DEAL:
        double, third, last = scoring.deal_points
        yield pgettext("points table", "deal: first and second"), f"{double} : 0"
        yield pgettext("points table", "deal: first and third"), f"{third} : 0"
        yield pgettext("points table", "deal: first and last"), f"{last} : 0"
        return
    if scoring.model is ScoringModel.WIN_LOSS:
        yield pgettext("points table", "win : loss"), f"{scoring.win} : {scoring.loss}"
        if _may_tie(rules):
            yield pgettext("points table", "tie"), f"{scoring.tie} : {scoring.tie}"
        return
    for home, away in _examples(match):
        name = f"{_level_word(home, match)} : {_level_word(away, match)}"
        yield name, _points(_played(home, away), scoring)
    if match.strikes and match.strikes.then is StrikePenalty.LOSE:
        yield pgettext("points table", "lost at A"), _points(_lost_by_strikes(match.target_level), scoring)


def _examples(match: MatchRules) -> Iterator[tuple[int, int]]:
    """Levels of two sides at the end of a game, higher first; without a limit one of them has passed."""
    first, passed = match.start_level, match.passed_level
    last = match.target_level - (match.pass_rule is PassRule.REACH)
    yield passed, first
    if match.is_limited:
        yield from ((passed, last), (last, first))
        yield from ((home, away) for home, away in ((11, 10), (10, 7)) if home < last and away > first)
        yield last, last
    else:
        yield from ((passed, level) for level in (7, 10) if first < level < last)
        yield passed, last


def _other_columns(scoring: ScoringRules) -> Iterator[tuple[str, str]]:
    yield pgettext("points table", "forfeit"), f"{scoring.forfeit_win} : {scoring.forfeit_loss}"
    yield pgettext("points table", "both forfeit"), f"{scoring.double_forfeit} : {scoring.double_forfeit}"
    yield pgettext("points table", "bye"), str(scoring.bye)
    yield pgettext("points table", "irregular"), f"{scoring.irregular} : {scoring.irregular}"


def _played(home: int, away: int) -> MatchResult:
    winner = "home" if home > away else "tie"
    levels = {"home_level": home, "away_level": away}
    return MatchResult.from_dict({"outcome": Outcome.PLAYED.value, "winner": winner, **levels})


def _lost_by_strikes(target: int) -> MatchResult:
    facts = {"winner": "home", "reason": "strikes", "home_level": target - 4, "away_level": target}
    return MatchResult.from_dict({"outcome": Outcome.PLAYED.value, **facts})


def _points(result: MatchResult, scoring: ScoringRules) -> str:
    home, away = match_points(result, scoring)
    return f"{home} : {away}"


def _level_word(level: int, match: MatchRules) -> str:
    if level < match.passed_level:
        return level_symbol(level)
    return _("passed %(level)s") % {"level": level_symbol(match.target_level)}


SMALL_POINTS = {RankingKey.NET_LEVELS, RankingKey.LEVELS_GAINED}


def ranking_lines(ranking: Sequence[RankingKey], scoring: ScoringRules) -> Iterator[str]:
    """What the standings compare, in order; big and small points 大小分 under their own names."""
    yield _("Compared in this order, each only among teams still equal:")
    names = {key: str(KEY_NAMES[key]) for key in ranking}
    if has_big_and_small_points(ranking, scoring):
        names[ranking[0]] = _("%(key)s (big points)") % {"key": names[ranking[0]]}
        names[ranking[1]] = _("%(key)s (small points)") % {"key": names[ranking[1]]}
    for place, key in enumerate(ranking, start=1):
        yield f"{place}. {names[key]} — {KEY_EXPLANATIONS[key]}"
    if RankingKey.LOTS not in ranking:
        yield _("Teams that all of these leave equal share the rank.")


def has_big_and_small_points(ranking: Sequence[RankingKey], scoring: ScoringRules) -> bool:
    """Whether match points come first and levels right behind them 大小分."""
    is_by_wins = scoring.model is ScoringModel.WIN_LOSS and len(ranking) > 1
    return is_by_wins and ranking[0] is RankingKey.POINTS and ranking[1] in SMALL_POINTS


def warning_lines(stage: Stage, rules: StageRules) -> list[str]:
    """Keys of the ranking that separate nobody, and why: for the form that sets them and for the sheet."""
    words = {
        RankingWarning.OPPONENTS_POINTS_SEPARATE_NOBODY: _(
            "Where everybody meets everybody once, the opponents' points can never separate "
            "teams with equal points."
        ),
        RankingWarning.NET_LEVELS_REPEAT_POINTS: _(
            "With points by the difference of levels, net levels repeat the points of teams that played "
            "the same number of matches."
        ),
        RankingWarning.LEVELS_GAINED_REPEAT_POINTS: _(
            "With points by levels gained, the key of that name repeats the points: it separates teams only "
            "where there were handicaps or matches that were not played."
        ),
    }
    found = ranking_warnings(rules.ranking, rules.scoring, stage.format, _everybody_meets_once(stage))
    return [words[warning] for warning in found]


def _everybody_meets_once(stage: Stage) -> bool:
    if stage.format != StageFormat.ROUND_ROBIN:
        return False
    return not RoundRobinRules.from_dict(stage.rules.get("format", {})).double


def department_lines(rules: DepartmentRules) -> Iterator[str]:
    """How departments are ranked, in the words of the page that ranks them."""
    sentence = ngettext(
        "A department has the points of its best team.",
        "A department has the points of its best %(best)s teams together, "
        "or of all it has if they are fewer.",
        rules.best,
    )
    yield _("Departments: %(rule)s") % {"rule": sentence % {"best": rules.best}}
    if rules.minimum > 1:
        yield _("With fewer than %(minimum)s teams it has no rank.") % {"minimum": rules.minimum}
    yield _("Equal points: the lower sum of these teams’ ranks comes first; still equal, the rank is shared.")


def bracket_ranking_lines(ranking: Sequence[RankingKey], *, has_final_group: bool) -> Iterator[str]:
    """Places of a knockout."""
    yield _("Places follow the bracket: who gets further stands higher.")
    if has_final_group:
        names = _(", ").join(str(KEY_NAMES[key]) for key in ranking)
        yield _("The final three are ranked by: %(keys)s.") % {"keys": names}
