"""What a stored match counts: its result with the penalties of both teams, which stand beside it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.engine.penalties import NO_RULING, Ruling, counted, counted_points
from scoring.engine.results import MatchResult, Side
from scoring.selectors import StageRules, entered_result
from scoring.wording import SIDE_WORDS
from tournaments.models import Match


def match_ruling(match: Match) -> Ruling:
    """What the penalties of a match come to. No query."""
    return Ruling.from_dict(match.ruling)


def counted_result(match: Match, *, tie_allowed: bool) -> MatchResult | None:
    """The result as it counts; None until one is entered. No query with the result at hand."""
    if not hasattr(match, "result"):
        return None
    return counted(entered_result(match.result), match_ruling(match), tie_allowed=tie_allowed)


def counted_winner(match: Match) -> str:
    """Who won a knockout match as it counts: home or away, empty for nobody. No query with its result."""
    result = counted_result(match, tie_allowed=False)
    return result.winner.value if result is not None and result.winner is not None else ""


def points_counted(match: Match, result: MatchResult, rules: StageRules) -> tuple[int, int]:
    """The points that a result would count at this table. No query. Raises InvalidResult."""
    return counted_points(result, match_ruling(match), rules.scoring, tie_allowed=rules.tie_allowed)


def ruling_mark(ruling: Mapping[str, Any]) -> str:
    """A mark by which a page that is open tells that a match got other penalties; empty without any."""
    return hashlib.blake2b(repr(sorted(ruling.items())).encode(), digest_size=4).hexdigest() if ruling else ""


def ruling_words(ruling: Ruling, own: Side | None = None) -> str:
    """A ruling beside the levels: 处罚：客队 +3 级; for one side 处罚：对方 +3 级; empty without one."""
    if ruling == NO_RULING:
        return ""
    names = {side: str(word) for side, word in SIDE_WORDS.items()}
    if own is not None:
        names = {own: _("own side"), own.other: _("the opponents")}
    told = [
        _("%(side)s %(levels)s") % {"side": names[side], "levels": levels_words(levels)}
        for side, levels in ((Side.HOME, ruling.home_levels), (Side.AWAY, ruling.away_levels))
        if levels
    ]
    told += [
        _("%(side)s loses the match") % {"side": names[side]}
        for side, loses in ((Side.HOME, ruling.home_loses), (Side.AWAY, ruling.away_loses))
        if loses
    ]
    if ruling.is_zero:
        told = [_("nothing for both")]
    return _("penalty: %(rulings)s") % {"rulings": _(", ").join(told)}


def levels_words(levels: int) -> str:
    """Levels with their sign: +3 级."""
    return ngettext("%(levels)+d level", "%(levels)+d levels", abs(levels)) % {"levels": levels}
