"""The rules of a stage in plain words, from the same typed rules that draw, score and rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from pairing.engine.types import FirstRound, Method, PairingRules, Rematch, SameDepartment
from scoring.engine.levels import ACE, LOWEST, PASSED, level_symbol
from scoring.engine.outcomes import Outcome
from scoring.engine.points import match_points
from scoring.engine.results import MatchResult
from scoring.engine.rules import (
    Bonus,
    EqualLevels,
    MatchRules,
    PassRule,
    RankingKey,
    ScoringModel,
    ScoringRules,
    StrikeCount,
    StrikePenalty,
    StrikeRules,
    UnfinishedDeal,
)
from scoring.selectors import stage_rules
from scoring.wording import KEY_EXPLANATIONS, KEY_NAMES
from tournaments.models import Stage

FIRST_ROUNDS = {
    FirstRound.RANDOM: gettext_lazy("Round 1 is drawn by lot."),
    FirstRound.HALVES: gettext_lazy("Round 1: the first half of the list meets the second half."),
    FirstRound.ENTRY_ORDER: gettext_lazy("Round 1: neighbours on the list meet, 1 with 2, 3 with 4."),
    FirstRound.SEEDED: gettext_lazy("Round 1: by seeds, the first seed meets the last."),
}
METHODS = {
    Method.ADJACENT: gettext_lazy(
        "From round 2 high meets high: each team, from the top, meets the best-ranked team it may meet "
        "such that all below can still be paired."
    ),
    Method.CLOSEST: gettext_lazy("From round 2 all tables together are as close in rank as the rules allow."),
}
REMATCHES = {
    Rematch.NEVER: gettext_lazy("No two teams meet twice."),
    Rematch.AVOID: gettext_lazy("Two teams meet twice only where it cannot be avoided."),
}
SAME_DEPARTMENTS = {
    SameDepartment.NEVER: gettext_lazy("Teams of one department never meet."),
    SameDepartment.AVOID: gettext_lazy("Teams of one department meet only where it cannot be avoided."),
    SameDepartment.ROUND1: gettext_lazy("Teams of one department do not meet in round 1."),
    SameDepartment.ALLOW: gettext_lazy("Teams of one department may meet."),
}
PASS_RULES = {
    PassRule.PARTNER_NOT_LAST: gettext_lazy("A is passed by going out first with the partner not last."),
    PassRule.ANY_HEAD: gettext_lazy("A is passed by going out first."),
    PassRule.DOUBLE_ONLY: gettext_lazy("A is passed only by going out first and second."),
    PassRule.REACH: gettext_lazy("Reaching A wins the game."),
    PassRule.NO_LAST: gettext_lazy("A is passed when neither partner is last."),
}
EQUAL_LEVELS = {
    EqualLevels.TIE: gettext_lazy("Equal levels at time-up are a tie."),
    EqualLevels.FIRST_TO_REACH: gettext_lazy("At equal levels the side that reached the level first wins."),
    EqualLevels.DECLARER: gettext_lazy("At equal levels the side whose level is being played wins."),
    EqualLevels.OFF_STAGE: gettext_lazy("At equal levels the side whose level is not being played wins."),
    EqualLevels.EXTRA_DEAL: gettext_lazy("At equal levels one more deal decides."),
    EqualLevels.EXTRA_GAME: gettext_lazy("At equal levels one more game decides."),
}
UNFINISHED_DEALS = {
    UnfinishedDeal.VOID: gettext_lazy("The deal under way at time-up does not count."),
    UnfinishedDeal.HEAD_PLUS_ONE: gettext_lazy(
        "In the deal under way at time-up a side that already went out first rises one level."
    ),
    UnfinishedDeal.TRAILING_BY_ONE: gettext_lazy(
        "A side exactly one level behind wins when it already went out first in the deal under way."
    ),
}
STRIKE_PENALTIES = {
    StrikePenalty.BACK_TO_2: gettext_lazy("goes back to 2"),
    StrikePenalty.BACK_TO_J: gettext_lazy("goes back to J"),
    StrikePenalty.LOSE: gettext_lazy("loses the game"),
}
BONUSES = {
    Bonus.THREE_DOUBLES_TO_TARGET: gettext_lazy("Three doubles running go straight to A."),
    Bonus.FIRST_STREAK: gettext_lazy("One player first three times running: one more level."),
    Bonus.LAST_STREAK: gettext_lazy("One player last three times running: one level less."),
}


@dataclass(frozen=True)
class Chapter:
    """A heading of the rules with its sentences."""

    title: str
    lines: tuple[str, ...]


def rule_chapters(stage: Stage) -> list[Chapter]:
    """The rules of a stage, chapter by chapter. No query. Raises InvalidRules for unreadable rules."""
    rules = stage_rules(stage)
    pairing = PairingRules.from_dict(stage.rules.get("pairing", {}))
    return [
        Chapter(_("Format and time"), tuple(_format_lines(stage, rules.match))),
        Chapter(_("Who meets whom"), tuple(_pairing_lines(pairing))),
        Chapter(_("The game"), tuple(_game_lines(rules.match))),
        Chapter(_("Points"), tuple(_scoring_lines(rules.scoring))),
        Chapter(_("Ranking"), tuple(_ranking_lines(rules.ranking))),
    ]


def _format_lines(stage: Stage, match: MatchRules) -> Iterator[str]:
    yield _("%(format)s, %(count)d rounds.") % {
        "format": stage.get_format_display(),
        "count": stage.rounds_planned,
    }
    if match.minutes is None:
        yield _("Rounds have no time limit.")
    else:
        yield _("%(minutes)d minutes a round; at time-up the level each side is playing counts.") % {
            "minutes": match.minutes
        }
    if match.deals is not None:
        yield _("At most %(count)d deals a game.") % {"count": match.deals}
    if match.best_of > 1:
        yield _("Best of %(count)d games.") % {"count": match.best_of}


def _pairing_lines(pairing: PairingRules) -> Iterator[str]:
    yield str(FIRST_ROUNDS[pairing.first_round])
    yield str(METHODS[pairing.method])
    yield str(REMATCHES[pairing.rematch])
    yield str(SAME_DEPARTMENTS[pairing.same_department])
    yield _("With an odd number the bye goes to the lowest-ranked team that has had the fewest byes.")


def _game_lines(match: MatchRules) -> Iterator[str]:
    double, third, fourth = match.steps
    yield _(
        "First and second: %(double)d levels; first and third: %(third)d; first and last: %(fourth)d."
    ) % {
        "double": double,
        "third": third,
        "fourth": fourth,
    }
    if match.must_play_target:
        yield _("A must be played: nobody goes past it.")
    else:
        yield _("Going past A wins at once.")
    yield str(PASS_RULES[match.pass_rule])
    if match.strikes:
        yield _strike_line(match.strikes)
    yield from (str(BONUSES[bonus]) for bonus in match.bonuses)
    yield str(EQUAL_LEVELS[match.equal_levels])
    yield str(UNFINISHED_DEALS[match.unfinished_deal])


def _strike_line(strikes: StrikeRules) -> str:
    sentence = (
        _("After %(limit)d failed attempts at A in a row a side %(penalty)s.")
        if strikes.count is StrikeCount.IN_A_ROW
        else _("After %(limit)d failed attempts at A a side %(penalty)s.")
    )
    return sentence % {"limit": strikes.limit, "penalty": STRIKE_PENALTIES[strikes.then]}


def _scoring_lines(scoring: ScoringRules) -> Iterator[str]:
    if scoring.model is ScoringModel.LEVEL_DIFFERENCE:
        yield _(
            "The winner gets %(base)d plus the difference of the levels, the loser %(base)d minus it; "
            "passed A counts one more than A."
        ) % {"base": scoring.base}
        examples = ((PASSED, LOWEST), (PASSED, ACE), (10, 7), (ACE, ACE))
        yield _("Examples: %(examples)s.") % {
            "examples": _(", ").join(_example(home, away, scoring) for home, away in examples)
        }
    else:
        yield _("Win %(win)d, tie %(tie)d, loss %(loss)d.") % {
            "win": scoring.win,
            "tie": scoring.tie,
            "loss": scoring.loss,
        }
    yield _(
        "Forfeit %(win)d : %(loss)d; both forfeit %(both)d : %(both)d; "
        "bye %(bye)d; irregular match %(irregular)d."
    ) % {
        "win": scoring.forfeit_win,
        "loss": scoring.forfeit_loss,
        "both": scoring.double_forfeit,
        "bye": scoring.bye,
        "irregular": scoring.irregular,
    }


def _example(home: int, away: int, scoring: ScoringRules) -> str:
    winner = "home" if home > away else "tie"
    result = MatchResult.from_dict(
        {"outcome": Outcome.PLAYED.value, "home_level": home, "away_level": away, "winner": winner}
    )
    home_points, away_points = match_points(result, scoring)
    return _("%(home)s against %(away)s is %(home_points)d : %(away_points)d") % {
        "home": _level_word(home),
        "away": _level_word(away),
        "home_points": home_points,
        "away_points": away_points,
    }


def _level_word(level: int) -> str:
    return _("passed A") if level == PASSED else level_symbol(level)


def _ranking_lines(ranking: tuple[RankingKey, ...]) -> Iterator[str]:
    yield _("Compared in this order, each only among teams still equal:")
    for place, key in enumerate(ranking, start=1):
        yield f"{place}. {KEY_NAMES[key]} — {KEY_EXPLANATIONS[key]}"
    yield _("Teams that all of these leave equal share the rank.")
