"""Sentences about a game: its course, its end, and which rounds of a knockout play by other rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pairing.engine.knockout import PlayedOut
from pairing.format_rules import knockout_rules
from pairing.rulebook import words
from pairing.rulebook.sentences import joined
from scoring.engine.levels import ACE, LOWEST, level_symbol
from scoring.engine.rules import EqualLevels, MatchRules, PassRule, StrikeCount, StrikeRules
from scoring.knockout import THIRD_PLACE, RoundRules


def time_lines(match: MatchRules) -> Iterator[str]:
    """How long a round takes and how many games and deals a match has."""
    yield minutes_line(match.minutes)
    if match.deals is not None:
        yield deals_line(match.deals)
    if match.best_of > 1:
        wins = match.best_of // 2 + 1
        yield _("Best of %(count)d games: %(wins)d win the match.") % {"count": match.best_of, "wins": wins}


def minutes_line(minutes: int | None) -> str:
    """The time of a round."""
    if minutes is None:
        return _("Rounds have no time limit.")
    return _("%(minutes)d minutes a round; at time-up the level each side is playing counts.") % {
        "minutes": minutes
    }


def deals_line(count: int) -> str:
    """The most deals of a game."""
    return ngettext("At most %(count)d deal a game.", "At most %(count)d deals a game.", count) % {
        "count": count
    }


def game_lines(match: MatchRules, *, tie_allowed: bool) -> Iterator[str]:
    """The climb from the first level to the pass, and the end at time-up."""
    yield from _climb_lines(match)
    if match.must_play_target or match.pass_rule is PassRule.REACH:
        yield str(words.PASS_RULES[match.pass_rule])
    if match.strikes:
        yield strike_line(match.strikes)
        yield str(words.STRIKE_KINDS[match.strikes.when])
    yield from (str(words.BONUSES[bonus]) for bonus in match.bonuses)
    if match.is_limited:
        yield equal_levels_line(match.equal_levels, tie_allowed=tie_allowed)
        yield str(words.UNFINISHED_DEALS[match.unfinished_deal])


def _climb_lines(match: MatchRules) -> Iterator[str]:
    if (match.start_level, match.target_level) != (LOWEST, ACE):
        yield _("A game goes from %(first)s to %(last)s.") % {
            "first": level_symbol(match.start_level),
            "last": level_symbol(match.target_level),
        }
    if match.target_level != ACE:
        yield _("What these rules say of A holds for %(last)s.") % {"last": level_symbol(match.target_level)}
    yield steps_line(match.steps)
    yield target_line(match.must_play_target)


def steps_line(steps: tuple[int, int, int]) -> str:
    """Levels gained by the three ways to win a deal."""
    sentence = _(
        "First and second: %(double)d levels; first and third: %(third)d; first and last: %(fourth)d."
    )
    return sentence % dict(zip(("double", "third", "fourth"), steps, strict=True))


def target_line(must_play: bool) -> str:
    """Whether A must be played."""
    if must_play:
        return _("A must be played: nobody goes past it.")
    return _("A need not be played: whoever climbs past it, or goes out first at A, has passed A.")


def strike_line(strikes: StrikeRules) -> str:
    """What failed attempts at A cost."""
    sentence = (
        _("After %(limit)d failed attempts at A in a row a side %(penalty)s.")
        if strikes.count is StrikeCount.IN_A_ROW
        else _("After %(limit)d failed attempts at A a side %(penalty)s.")
    )
    return sentence % {"limit": strikes.limit, "penalty": words.STRIKE_PENALTIES[strikes.then]}


def equal_levels_line(rule: EqualLevels, *, tie_allowed: bool) -> str:
    """Who wins at equal levels; where somebody must win, the side that reached the level first."""
    if rule is EqualLevels.TIE and not tie_allowed:
        rule = EqualLevels.FIRST_TO_REACH
    return str(words.EQUAL_LEVELS[rule])


def round_exceptions(match: MatchRules, form: Mapping[str, Any]) -> Iterator[str]:
    """One sentence for the rounds of a knockout that share the same other rules; `form` is `rules.format`.

    Raises InvalidRules and InvalidPairingRules.
    """
    rules = RoundRules.from_dict(form, match.as_dict())
    found: dict[tuple[str, ...], list[str]] = {}
    for name, sources in _rounds_named(rules, knockout_rules(form).played_out):
        lines = tuple(_differences(match, rules.together(sources)))
        if lines:
            found.setdefault(lines, []).append(str(words.ROUND_NAMES.get(name) or _round_of(name)))
    for lines, names in found.items():
        yield _("%(rounds)s: %(rules)s") % {"rounds": _(", ").join(names), "rules": joined(lines)}


def _rounds_named(rules: RoundRules, played_out: PlayedOut) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each round with other rules, and whose rules it has: a match for a place goes by its own round's."""
    named = dict.fromkeys([*rules.match, *rules.best_of])
    for name in named:
        if name != THIRD_PLACE or "4" not in named:
            yield name, (name,)
        if name == "8" and played_out is PlayedOut.TO_EIGHT:
            yield "places_5_to_8", (name,)
        if name == "4" and played_out in {PlayedOut.THIRD_PLACE, PlayedOut.TO_EIGHT}:
            yield THIRD_PLACE, (name, THIRD_PLACE)


def _differences(match: MatchRules, differing: Mapping[str, Any]) -> Iterator[str]:
    other = MatchRules.from_dict({**match.as_dict(), **differing})
    before = [*time_lines(match), *game_lines(match, tie_allowed=False)]
    after = [*time_lines(other), *game_lines(other, tie_allowed=False)]
    yield from (line for line in after if line not in before)


def _round_of(name: str) -> str:
    return _("round of %(teams)s") % {"teams": name}
