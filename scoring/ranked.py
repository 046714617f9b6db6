"""The ranking of a stage of any format from plain facts: one computation for the database and the event file.

A Swiss stage has one table, a round robin one for each group, and in a knockout the places that were played
for are the ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from scoring.engine.levels import LOWEST
from scoring.engine.reading import read_choice
from scoring.engine.rules import RankingKey, ScoringRules
from scoring.engine.standings import (
    Adjustment,
    Entrant,
    PlayedMatch,
    StandingRow,
    TeamId,
    leave_out,
    standings,
    without_annulled,
)
from scoring.knockout import Span, bracket_places, spans

ROUND_ROBIN = "round_robin"
KNOCKOUT = "knockout"


class Withdrawal(StrEnum):
    """What becomes of a team that leaves (退赛): its results stay, or are annulled, or it has no place."""

    KEEP = "keep"
    ANNUL = "annul"
    NO_PLACE = "no_place"


def withdrawal_rule(rules: Mapping[str, Any]) -> Withdrawal:
    """`rules.withdrawal` of the event file. Raises InvalidRules."""
    return read_choice("", rules.get("withdrawal", Withdrawal.KEEP), Withdrawal)


def scoring_rules(section: Mapping[str, Any], format: str, *, start_level: int = LOWEST) -> ScoringRules:
    """`rules.scoring` of a stage whose games begin at `start_level`. Raises InvalidRules.

    In a round robin everybody of a group is free equally often: unless stated, that is worth nothing.
    """
    rules = replace(ScoringRules.from_dict(section), start_level=start_level)
    return replace(rules, bye=0) if format == ROUND_ROBIN and "bye" not in section else rules


@dataclass(frozen=True, slots=True)
class StageFacts:
    """All that ranks a stage. `matches` have the key of their place in a bracket, empty elsewhere.

    `groups` are the teams of each group by its number; `left` are those who withdrew during this stage;
    `lots` the places drawn or settled by hand.
    """

    format: str
    scoring: ScoringRules
    ranking: tuple[RankingKey, ...]
    entrants: Sequence[Entrant]
    matches: Sequence[tuple[str, PlayedMatch]]
    adjustments: Sequence[Adjustment] = ()
    withdrawal: Withdrawal = Withdrawal.KEEP
    left: frozenset[TeamId] = frozenset()
    groups: Mapping[int, Collection[TeamId]] = field(default_factory=dict)
    layout: Mapping[str, Any] = field(default_factory=dict)
    lots: Mapping[TeamId, int] = field(default_factory=dict)

    @property
    def is_by_places(self) -> bool:
        """Whether a bracket says which places were played for."""
        return self.format == KNOCKOUT and "bracket" in self.layout

    @property
    def keys(self) -> tuple[RankingKey, ...]:
        """The ranking keys; lots that were drawn count last even where the rules do not name them."""
        if not self.lots or RankingKey.LOTS in self.ranking:
            return self.ranking
        return (*self.ranking, RankingKey.LOTS)


@dataclass(frozen=True, slots=True)
class Ranked:
    """One row of a stage's ranking; `group` is its number, 0 without groups.

    `last` is the worst place that the row's rank stands for: of a shared rank, or while a knockout goes on.
    """

    row: StandingRow
    group: int
    last: int


def ranked(facts: StageFacts, *, everybody: bool = False) -> tuple[Ranked, ...]:
    """The ranking, best first; groups one after the other.

    Whoever left and has no place by the rules is missing unless `everybody` is wanted.
    Raises what the engine's `standings` raises.
    """
    hidden = facts.left if facts.withdrawal is not Withdrawal.KEEP and not everybody else frozenset()
    groups = facts.groups or {0: [entrant.id for entrant in facts.entrants]}
    found: list[Ranked] = []
    for number, teams in sorted(groups.items()):
        rows = leave_out(_table(facts, frozenset(teams)), hidden)
        found += _by_places(facts, rows) if facts.is_by_places else _by_rank(rows, number)
    return tuple(found)


def _table(facts: StageFacts, teams: frozenset[TeamId]) -> tuple[StandingRow, ...]:
    matches = [match for _, match in facts.matches if match.home in teams]
    if facts.withdrawal is Withdrawal.ANNUL and facts.format != KNOCKOUT:
        matches = list(without_annulled(matches, facts.left))
    return standings(
        [entrant for entrant in facts.entrants if entrant.id in teams],
        matches,
        scoring=facts.scoring,
        ranking=facts.keys,
        adjustments=[each for each in facts.adjustments if each.team in teams],
        lots=facts.lots,
    )


def _by_rank(rows: Sequence[StandingRow], group: int) -> Iterator[Ranked]:
    sharing = Counter(row.rank for row in rows)
    for row in rows:
        yield Ranked(row, group, row.rank + sharing[row.rank] - 1)


def _by_places(facts: StageFacts, rows: Sequence[StandingRow]) -> list[Ranked]:
    places = bracket_places(facts.layout)
    found = spans(places, facts.matches, facts.entrants, facts.scoring, facts.keys)
    shown = {row.team: found[row.team] for row in rows}
    placed = [_placed(row, shown[row.team]) for row in rows]
    return sorted(placed, key=lambda each: (each.row.rank, each.last, each.row.number))


def _placed(row: StandingRow, span: Span) -> Ranked:
    first, last = span
    return Ranked(replace(row, rank=first, decided_by=None), 0, last)
