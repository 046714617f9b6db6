"""Reads: the tables on which a second look or the teams disagree, with every value side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.engine.results import MatchResult
from scoring.models import Result, Speaker, Statement
from scoring.result_rows import ResultRow, RowMaker, entered_by_words, result_words
from scoring.rulings import points_counted
from scoring.second_looks import dispute_mark
from scoring.selectors import RulesByMatch, entered_result, round_matches
from scoring.statements import stated_result
from tournaments.lineups import seat_lineups
from tournaments.log import actor_name
from tournaments.models import Match, Round

STORED = "stored"
"""The choice that stands for the result as it is stored; the others are those of `Speaker`."""
OTHER = "other"
"""The choice that stands for a value which the chief referee types."""


@dataclass(frozen=True)
class Told:
    """One of the values side by side: what, by whom, when. `choice` names it when the chief decides."""

    choice: str
    value: MatchResult | None
    words: str
    points: tuple[int, int] | None
    who: str
    at: datetime


@dataclass(frozen=True)
class Dispute:
    """A table that waits for the chief referee; `seen` marks what is shown.

    `row` has empty boxes for a third value.
    """

    match: Match
    told: tuple[Told, ...]
    seen: str
    row: ResultRow
    problem: str = ""
    reason: str = ""
    chosen: str = ""

    def value_of(self, choice: str) -> MatchResult | None:
        """The value that a choice names; None for a bare “not right” or no such choice."""
        return next((each.value for each in self.told if each.choice == choice), None)


def round_disputes(round_: Round, rules: RulesByMatch, table: int | None = None) -> list[Dispute]:
    """The disputed tables of a round, or the one at a table. Four queries, one where nobody disagrees."""
    statements: dict[int, list[Statement]] = {}
    for statement in Statement.objects.filter(match__round=round_).select_related("by").order_by("at", "pk"):
        statements.setdefault(statement.match_id, []).append(statement)
    disputed = {pk for pk, said in statements.items() if any(each.differs for each in said)}
    if not disputed:
        return []
    matches = round_matches(round_).filter(pk__in=disputed)
    if table is not None:
        matches = matches.filter(table=table)
    return [
        _dispute(match, statements[match.pk], RowMaker(rules.of(match), is_open=True))
        for match in seat_lineups(matches)
    ]


def _dispute(match: Match, said: Iterable[Statement], maker: RowMaker) -> Dispute:
    stored: Result | None = getattr(match, "result", None)
    told = [] if stored is None else [_told_by_result(match, stored, maker)]
    said = list(said)
    told += [_told_by(each, match, maker) for each in said]
    return Dispute(match, tuple(told), dispute_mark(stored, said), maker.blank(match))


def _told_by_result(match: Match, stored: Result, maker: RowMaker) -> Told:
    value = entered_result(stored)
    who = entered_by_words(stored) or _("came with an event file")
    points = _points(match, value, maker)
    return Told(STORED, value, result_words(value), points, who, stored.entered_at)


def _told_by(statement: Statement, match: Match, maker: RowMaker) -> Told:
    value = stated_result(statement)
    words = result_words(value) if value else _("not right, without levels")
    who = _speakers(match)[Speaker(statement.speaker)]
    if statement.by is not None:
        who = f"{actor_name(statement.by)}（{who}）"
    return Told(statement.speaker, value, words, _points(match, value, maker), who, statement.at)


def _points(match: Match, value: MatchResult | None, maker: RowMaker) -> tuple[int, int] | None:
    return points_counted(match, value, maker.rules) if value else None


def _speakers(match: Match) -> Mapping[Speaker, str]:
    away = match.away.number if match.away else ""
    return {
        Speaker.OFFICIAL: pgettext("who told a result", "second official"),
        Speaker.HOME: _("Team %(number)s on the phone") % {"number": match.home.number},
        Speaker.AWAY: _("Team %(number)s on the phone") % {"number": away},
    }
