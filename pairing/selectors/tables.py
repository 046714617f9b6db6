"""What moving a match to another table would do, before it is done."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pairing.engine.tables import ALL_TABLES, Tables
from pairing.models import Draw
from scoring.models import Outcome, Result, TableSheet
from scoring.selectors import round_matches
from tournaments.models import Event, Match, Round, Team


@dataclass(frozen=True)
class TableMove:
    """A match that goes to another table; `match` None where that table is free."""

    match: Match | None
    table: int
    to: int

    @property
    def leaving(self) -> list[tuple[Team, int]]:
        """Teams that would leave the table they always sit at, with its number."""
        teams = (self.match.home, self.match.away) if self.match else ()
        return [(team, team.fixed_table) for team in teams if team and team.fixed_table == self.table]


@dataclass(frozen=True)
class Exchange:
    """Two tables of a round changing places; `version` is that of the draw that was looked at."""

    round: Round
    version: int
    moves: tuple[TableMove, TableMove]
    hall: Tables = ALL_TABLES
    """The tables that the stage may use."""

    @property
    def has_match(self) -> bool:
        """Whether anybody sits at the first table."""
        return self.moves[0].match is not None

    @property
    def out_of_use(self) -> list[int]:
        """Tables that a match would go to and that the stage may not use."""
        return [move.to for move in self.moves if move.match and move.to not in self.hall]

    @property
    def leaving(self) -> list[tuple[Team, int]]:
        """Who would leave a table that is always theirs."""
        return [each for move in self.moves for each in move.leaving]


def begun_matches(matches: Collection[Match]) -> set[int]:
    """The keys of those at whose tables play is recorded: a result that is no bye, or deals. Two queries."""
    results = Result.objects.filter(match__in=matches).exclude(outcome=Outcome.BYE)
    sheets = TableSheet.objects.filter(match__in=matches, content__isnull=False)
    return {*results.values_list("match", flat=True), *sheets.values_list("match", flat=True)}


def drawn_round(event: Event, stage: int, number: int) -> Round | None:
    """A round of the event by its place, a draft too. One query."""
    rounds = Round.objects.select_related("stage").filter(stage__event=event, stage__order=stage)
    round_ = rounds.filter(number=number).first()
    if round_ is not None:
        round_.stage.event = event
    return round_


def exchange_of(round_: Round, table: int, to: int, hall: Tables = ALL_TABLES) -> Exchange:
    """Who sits at both tables now. Four queries."""
    found = {match.table: match for match in round_matches(round_).filter(table__in=(table, to))}
    version = Draw.objects.filter(round=round_).values_list("version", flat=True).first() or 1
    moves = TableMove(found.get(table), table, to), TableMove(found.get(to), to, table)
    return Exchange(round_, version, moves, hall)
