"""What a table's phone page shows: the opponent, what each side said, and the one thing to do next."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from scoring.engine.confirmation import ConfirmationRules
from scoring.engine.levels import PASSED
from scoring.engine.results import MatchResult, Side
from scoring.models import RefereeCall, Result, Speaker, Statement
from scoring.result_rows import ResultRow, RowMaker, result_words
from scoring.rulings import points_counted
from scoring.selectors import entered_result, match_rules
from scoring.statements import SIDES, confirmation_rules, stated_result
from scoring.wording import level_text
from tournaments.models import Match, Team


class Now(StrEnum):
    """Where the table's result is, as this phone sees it."""

    CHOOSE_SIDE = "choose_side"
    PLAYING = "playing"
    """Only looking and calling: officials enter the result."""
    ENTER = "enter"
    WAIT = "wait"
    """This side spoke; the other one is to confirm."""
    CONFIRM = "confirm"
    DISPUTED = "disputed"
    ENTERED = "entered"
    """The result is in; what is still missing is not this side's to do."""
    DONE = "done"
    """Confirmed, or entered where nothing more is asked."""
    OVER = "over"


@dataclass(frozen=True)
class Said:
    """A result in words with its points, as home : away."""

    words: str
    points: tuple[int, int] | None


@dataclass(frozen=True)
class TablePage:
    """Everything a table's phone may know: its own table, nothing else."""

    match: Match
    side: Side | None
    now: Now
    rules: ConfirmationRules
    row: ResultRow
    """Empty boxes, or what was typed before a refusal."""
    stands: Said | None
    """What is to be confirmed, or what stands."""
    own: Said | None
    other: Said | None
    seen: int
    call: RefereeCall | None
    """The newest call of this table in this round."""

    @property
    def mine(self) -> Team:
        """The team of this phone; home until a side was chosen."""
        return self.match.away if self.side is Side.AWAY and self.match.away else self.match.home

    @property
    def opponent(self) -> Team | None:
        """The team on the other side."""
        return self.match.home if self.side is Side.AWAY else self.match.away

    @property
    def mark(self) -> str:
        """Changes whenever the page would: a phone that knows it need not load anything."""
        call = (self.call.pk, self.call.seen_at is None) if self.call else ()
        round_ = self.match.round
        clock = getattr(round_, "clock", None)
        running = (clock.ends_at, clock.remaining) if clock else ()
        parts = (self.now, self.seen, self.stands, self.own, self.other, call, running, round_.status)
        return hashlib.blake2b(repr(parts).encode(), digest_size=6).hexdigest()

    @property
    def levels(self) -> list[str]:
        """The levels to choose from, as a player reads and the form posts them."""
        return [level_text(level) for level in range(2, PASSED + 1)]


def table_page(match: Match, side: Side | None, row: ResultRow | None = None) -> TablePage:
    """The page of a table for one of its sides. Two queries, one more beyond the first stage."""
    rules = confirmation_rules(match.round.stage)
    maker = RowMaker(match_rules(match), is_open=True)
    stored: Result | None = getattr(match, "result", None)
    said = {each.speaker: each for each in Statement.objects.filter(match=match, speaker__in=SIDES)}
    call = RefereeCall.objects.filter(match=match).order_by("-called_at", "-pk").first()
    own = said.get(Speaker(side.value)) if side else None
    other = said.get(Speaker(side.other.value)) if side else None
    now = _now(match, side, rules, stored, own, other)
    other_said = stated_result(other) if other else None
    stands = entered_result(stored) if stored else other_said if now is Now.CONFIRM else None
    seen = stored.version if stored else other.version if other else 0
    return TablePage(
        match=match,
        side=side,
        now=now,
        rules=rules,
        row=row or maker.blank(match),
        stands=_said(match, stands, maker),
        own=_said(match, stated_result(own) if own else None, maker),
        other=_said(match, other_said, maker),
        seen=seen,
        call=call,
    )


def _now(
    match: Match,
    side: Side | None,
    rules: ConfirmationRules,
    stored: Result | None,
    own: Statement | None,
    other: Statement | None,
) -> Now:
    if match.round.is_completed:
        return Now.OVER
    if side is None:
        return Now.CHOOSE_SIDE
    if any(each is not None and each.differs for each in (own, other)):
        return Now.DISPUTED
    if stored is not None:
        return _with_result(rules, stored, own)
    if not rules.phones_enter:
        return Now.PLAYING
    if own is not None:
        return Now.WAIT
    return Now.CONFIRM if other is not None else Now.ENTER


def _with_result(rules: ConfirmationRules, stored: Result, own: Statement | None) -> Now:
    if not stored.is_unconfirmed:
        return Now.DONE
    if not rules.phones_confirm:
        return Now.ENTERED
    return Now.CONFIRM if own is None else Now.WAIT


def _said(match: Match, result: MatchResult | None, maker: RowMaker) -> Said | None:
    if result is None:
        return None
    return Said(result_words(result), points_counted(match, result, maker.rules))
