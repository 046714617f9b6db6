"""From the database to what the draw's engine takes. The engine knows a team by its key in the event file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce

from pairing.engine.checks import broken_rules, explain_seating, may_meet
from pairing.engine.impossible import relaxed
from pairing.engine.swiss import draw_round
from pairing.engine.tables import ALL_TABLES, Tables
from pairing.engine.types import (
    Broken,
    Draw,
    DrawnMatch,
    Entrant,
    Meeting,
    Method,
    Note,
    PairingRules,
    Relaxation,
    Rematch,
    SameDepartment,
)
from scoring.selectors import TeamStanding, stage_standings, stage_teams
from tournaments.models import Match, Round, RoundStatus, Stage, StageFormat, Team

FREE = PairingRules(rematch=Rematch.AVOID, same_department=SameDepartment.ALLOW)
"""Schedule and bracket say who meets whom, so no rule of the Swiss draw can be broken."""


@dataclass(frozen=True)
class Seating:
    """Who sits where in a round: (table, home, away) in table order, and who has the bye; teams by key."""

    tables: tuple[tuple[int, str, str], ...]
    byes: tuple[str, ...]

    @property
    def teams(self) -> frozenset[str]:
        """All teams with a place."""
        return frozenset(self.byes).union(*(table[1:] for table in self.tables))

    def swapped(self, first: str, second: str) -> Seating | None:
        """The seating after two teams changed places; None where that changes nothing or one has no place."""
        places = [frozenset(table[1:]) for table in self.tables] + [frozenset(self.byes)]
        if not {first, second} <= self.teams or any({first, second} <= place for place in places):
            return None
        other = {first: second, second: first}
        return Seating(
            tables=tuple(
                (table, other.get(home, home), other.get(away, away)) for table, home, away in self.tables
            ),
            byes=tuple(other.get(key, key) for key in self.byes),
        )


@dataclass(frozen=True)
class DrawInputs:
    """All that decides the draw of a stage's next round; `places` are all teams by key, best first."""

    round_number: int
    rules: PairingRules
    entrants: tuple[Entrant, ...]
    meetings: tuple[Meeting, ...]
    places: Mapping[str, TeamStanding]
    tables: Tables = ALL_TABLES

    def relaxed(self, relaxations: Iterable[Relaxation]) -> DrawInputs:
        """The same with rules softened."""
        return replace(self, rules=reduce(relaxed, relaxations, self.rules))

    def by_method(self, method: Method | None) -> DrawInputs:
        """The same with another method than the rules name."""
        return self if method is None else replace(self, rules=replace(self.rules, method=method))

    def at_tables(self, tables: Tables) -> DrawInputs:
        """The same with the tables that may be used."""
        return replace(self, tables=tables)

    def drawn(self, seed: int) -> Draw:
        """The draw. Raises NoLegalDraw, TooFewTables."""
        return draw_round(
            self.entrants,
            self.meetings,
            self.rules,
            round_number=self.round_number,
            seed=seed,
            tables=self.tables,
        )

    def arranged(self, seating: Seating, seed: int) -> Draw:
        """A seating made by hand as if it were drawn: with what it breaks and why its tables are unusual."""
        seating = self._better_placed_first(seating)
        notes = self._explained(seating, seed)
        matches = (
            DrawnMatch(table, home, away, notes.get(table, ())) for table, home, away in seating.tables
        )
        return Draw(
            round_number=self.round_number,
            seed=seed,
            method=self.rules.method,
            matches=tuple(matches),
            bye=seating.byes[0] if seating.byes else None,
            broken=tuple(self.broken(seating)),
        )

    def _better_placed_first(self, seating: Seating) -> Seating:
        order = {key: place for place, key in enumerate(self.places)}
        tables = (
            (table, home, away) if order[home] < order[away] else (table, away, home)
            for table, home, away in seating.tables
        )
        return replace(seating, tables=tuple(tables))

    def _explained(self, seating: Seating, seed: int) -> dict[int, tuple[Note, ...]]:
        # A team that left after the draw still has its seat, and the engine nothing to say about it.
        known = {entrant.id for entrant in self.entrants}
        tables = [table for table in seating.tables if known.issuperset(table[1:])]
        notes = explain_seating(
            [(home, away) for _table, home, away in tables],
            self.entrants,
            self.meetings,
            self.rules,
            round_number=self.round_number,
            seed=seed,
        )
        return {table[0]: found for table, found in zip(tables, notes, strict=True)}

    def broken(self, seating: Seating) -> list[Broken]:
        """The rules that a seating breaks."""
        couples = [(home, away) for _table, home, away in seating.tables]
        return broken_rules(couples, self.entrants, self.meetings, self.rules, self.round_number)

    def may_meet(self, one: str, other: str) -> bool:
        """Whether a table of these two present teams is legal by itself."""
        return may_meet(one, other, self.entrants, self.meetings, self.rules, self.round_number)

    def numbers(self, keys: Iterable[int | str]) -> list[int]:
        """The teams' numbers (组号), sorted."""
        return sorted(self.places[str(key)].team.number for key in keys)


def teams_to_draw(stage: Stage, round_number: int) -> list[Team]:
    """The teams that get a place in a round: in play and, in a Swiss stage, not absent, by number. One query.

    Schedule and bracket seat an absent team too: it forfeits.
    """
    teams = stage_teams(stage).filter(withdrawn_after=None)
    return [
        team for team in teams if stage.format != StageFormat.SWISS or not team.is_absent(stage, round_number)
    ]


def draw_inputs(stage: Stage, round_number: int, *, arrived: Collection[str] = ()) -> DrawInputs:
    """What the draw of this round is made from: the standings, the rules and who met whom before.

    `arrived` are absent teams that came after all.

    Six queries, whatever the number of teams: the standings' five and the meetings.
    Raises InvalidPairingRules and scoring's InvalidRules where stored rules cannot be read.
    """
    standings = stage_standings(stage, after_round=round_number - 1, everybody=True)
    places = {row.team.key: row for row in standings.rows}
    in_play = [row for row in places.values() if not row.withdrawn]
    if stage.format != StageFormat.SWISS:
        return DrawInputs(round_number, FREE, tuple(map(_entrant, in_play)), (), places)
    present = [
        row for row in in_play if row.team.key in arrived or not row.team.is_absent(stage, round_number)
    ]
    return DrawInputs(
        round_number=round_number,
        rules=_rules(stage, frozenset(row.team.key for row in present)),
        entrants=tuple(map(_entrant, present)),
        meetings=_meetings(stage, round_number),
        places=places,
    )


def _entrant(row: TeamStanding) -> Entrant:
    team = row.team
    return Entrant(
        id=team.key,
        number=team.number,
        rank=row.rank,
        department=team.department_id,
        byes=row.byes,
        fixed_table=team.fixed_table,
        seed=team.seed,
    )


def _rules(stage: Stage, present: frozenset[str]) -> PairingRules:
    """The stage's rules; couples of which a team has left the event or is absent mean nothing."""
    rules = PairingRules.from_dict(stage.rules.get("pairing", {}))
    return replace(
        rules,
        forced=tuple(couple for couple in rules.forced if present.issuperset(couple)),
        forbidden=tuple(couple for couple in rules.forbidden if present.issuperset(couple)),
    )


def _meetings(stage: Stage, round_number: int) -> tuple[Meeting, ...]:
    """Who sat at one table before, forfeited and irregular too; a bye is no meeting, nor is a draft."""
    played = Match.objects.filter(round__stage=stage, round__number__lt=round_number, away__isnull=False)
    rows = played.exclude(round__status=RoundStatus.DRAFT).order_by("round__number", "table")
    return tuple(Meeting(*row) for row in rows.values_list("round__number", "home__key", "away__key"))


def seating_of(round_: Round) -> Seating:
    """Who sits where in a stored round; nobody does where a team does not come. One query."""
    rows = list(round_.matches.order_by("table", "pk").values_list("table", "home__key", "away__key"))
    return Seating(
        tables=tuple((table, home, away) for table, home, away in rows if table is not None),
        byes=tuple(home for _table, home, away in rows if away is None),
    )


def drawn_seating(drawn: Draw) -> Seating:
    """Who sits where in a draw of the engine. No query."""
    return Seating(
        tables=tuple((match.table, str(match.home), str(match.away)) for match in drawn.matches),
        byes=() if drawn.bye is None else (str(drawn.bye),),
    )
