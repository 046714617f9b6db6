"""更正之后: what a corrected result moves in the standings, and what it would change of the next draw."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from pairing.engine.mending import fewest_changes
from pairing.engine.tables import TooFewTables
from pairing.engine.types import Draw as DrawnRound
from pairing.engine.types import Method, NoLegalDraw
from pairing.explained import tables_from_dict
from pairing.models import Draw
from pairing.selectors.board import draft_inputs
from pairing.selectors.inputs import DrawInputs, Seating, drawn_seating, seating_of
from pairing.selectors.tables import begun_matches
from scoring.models import Statement
from scoring.selectors import Standings, stage_standings
from tournaments.clock import ClockState, clock_face
from tournaments.models import Audience, Round, RoundStatus, Stage, StageFormat, Team

STARTED = frozenset({ClockState.RUNNING, ClockState.PAUSED, ClockState.OVER})
Couple = tuple[str, str]


@dataclass(frozen=True)
class RankMove:
    """A row of the standings that a correction moves, or gives other points."""

    team: Team
    rank_before: int
    rank: int
    points_before: int
    points: int

    @property
    def steps(self) -> int:
        """Places up; below 0 down."""
        return self.rank_before - self.rank


@dataclass(frozen=True)
class TableChange:
    """A table with the teams that sit there now, and those that would; none where it would be empty."""

    table: int
    now: tuple[Team, ...]
    then: tuple[Team, ...]


@dataclass(frozen=True)
class NextRound:
    """The round drawn from the standings that a correction changed, as it is and as it would be.

    `everything` is what the engine draws on the corrected standings with the same seed and options, None
    where no legal draw exists; `fewest` the smallest redraw. `started` are the tables that stay.
    """

    round: Round
    draw: Draw
    inputs: DrawInputs
    seating: Seating
    started: tuple[int, ...]
    is_clock_started: bool
    everything: DrawnRound | None
    fewest: Seating

    @property
    def changed_by_all(self) -> tuple[TableChange, ...]:
        """The tables with other teams once everything is drawn again."""
        return self._changes(drawn_seating(self.everything)) if self.everything else ()

    @property
    def changed_by_fewest(self) -> tuple[TableChange, ...]:
        """The tables with other teams after the smallest redraw."""
        return self._changes(self.fewest)

    @property
    def moves_bye(self) -> bool:
        """Whether somebody else has the bye once everything is drawn again."""
        return self.everything is not None and drawn_seating(self.everything).byes != self.seating.byes

    @property
    def may_draw_all(self) -> bool:
        """Whether everything can be drawn again, and that would change something."""
        return not self.started and bool(self.changed_by_all or self.moves_bye)

    @property
    def may_draw_fewest(self) -> bool:
        """Whether the smallest redraw changes anything."""
        return bool(self.changed_by_fewest)

    @property
    def mark(self) -> str:
        """Changes with anything that the chief was shown of the round."""
        drawn = drawn_seating(self.everything) if self.everything else None
        parts = (self.round.pk, self.round.status, self.draw.version, self.seating, self.started, drawn)
        return hashlib.blake2b(repr((*parts, self.fewest)).encode(), digest_size=8).hexdigest()

    def _changes(self, then: Seating) -> tuple[TableChange, ...]:
        now, later = _by_table(self.seating), _by_table(then)
        return tuple(
            TableChange(table, self._teams(now.get(table)), self._teams(later.get(table)))
            for table in sorted({*now, *later})
            if set(now.get(table, ())) != set(later.get(table, ()))
        )

    def _teams(self, couple: Couple | None) -> tuple[Team, ...]:
        return tuple(self.inputs.places[key].team for key in couple or ())


def _by_table(seating: Seating) -> dict[int, Couple]:
    return {table: (home, away) for table, home, away in seating.tables}


def following_round(stage: Stage, number: int) -> Round | None:
    """The round in play, or draft, that was drawn from what stood after round `number`. One query at most."""
    if stage.format != StageFormat.SWISS:
        return None
    later = stage.rounds.filter(number__gt=number).exclude(status=RoundStatus.COMPLETED)
    return later.select_related("stage__event", "clock").order_by("-number").first()


def next_round(stage: Stage, number: int, teams: Sequence[Team]) -> NextRound | None:
    """What becomes of the round that follows, by the standings as they are; `teams` are those corrected.

    Some queries, two draws.
    """
    round_ = following_round(stage, number)
    if round_ is None:
        return None
    draw = Draw.objects.filter(round=round_).first() or Draw(round=round_, seed=0, method=Method.ADJACENT)
    inputs = draft_inputs(round_, draw.relaxations).by_method(Method(draw.method))
    inputs = inputs.at_tables(tables_from_dict(draw.tables))
    seating = seating_of(round_)
    is_clock_started = clock_face(round_, timezone.now()).state in STARTED if round_.is_published else False
    started = _started(round_, is_clock_started)
    try:
        everything: DrawnRound | None = inputs.drawn(draw.seed)
    except (NoLegalDraw, TooFewTables):
        everything = None
    fewest = _fewest(inputs, seating, started, everything, teams)
    return NextRound(round_, draw, inputs, seating, started, is_clock_started, everything, fewest)


def _started(round_: Round, is_clock_started: bool) -> tuple[int, ...]:
    """The tables that play: those where something is recorded, all of them once the clock was started."""
    matches = list(round_.matches.filter(table__isnull=False))
    begun = begun_matches(matches)
    begun |= set(Statement.objects.filter(match__in=matches).values_list("match", flat=True))
    tables = (match.table for match in matches if is_clock_started or match.pk in begun)
    return tuple(sorted(table for table in tables if table is not None))


def _fewest(
    inputs: DrawInputs,
    seating: Seating,
    started: Collection[int],
    everything: DrawnRound | None,
    corrected: Sequence[Team],
) -> Seating:
    """The seating with the fewest tables changed such that these teams meet whom the new draw gives them."""
    known = {entrant.id for entrant in inputs.entrants}
    fixed = [
        index
        for index, (table, home, away) in enumerate(seating.tables)
        if table in started or not known.issuperset((home, away))
    ]
    wanted = _wanted(everything, [team.key for team in corrected])
    found = fewest_changes(
        [(home, away) for _table, home, away in seating.tables],
        fixed,
        inputs.entrants,
        inputs.meetings,
        inputs.rules,
        wanted=wanted,
        round_number=inputs.round_number,
    )
    couples = [(str(home), str(away)) for home, away in found.tables]
    tables = [table for table, _home, _away in seating.tables]
    _keep_fixed_tables(inputs, tables, couples, found.changed)
    seats = sorted((table, *couple) for table, couple in zip(tables, couples, strict=True))
    return Seating(tuple(seats), seating.byes)


def _wanted(everything: DrawnRound | None, teams: Sequence[str]) -> Mapping[int | str, int | str]:
    """The opponents that the draw on the corrected standings gives these teams."""
    if everything is None:
        return {}
    mates: dict[int | str, int | str] = {}
    for each in everything.matches:
        mates |= {each.home: each.away, each.away: each.home}
    return {team: mates[team] for team in teams if team in mates}


def _keep_fixed_tables(
    inputs: DrawInputs, tables: list[int], couples: Sequence[Couple], changed: Sequence[int]
) -> None:
    """Who always sits at one table sits there again, where that table is one of the changed ones."""
    wanted = {entrant.id: entrant.fixed_table for entrant in inputs.entrants if entrant.fixed_table}
    for index in changed:
        places = [wanted[key] for key in couples[index] if key in wanted]
        other = next((each for each in changed if places and tables[each] == places[0]), None)
        if other is not None:
            tables[index], tables[other] = tables[other], tables[index]


def standings_to_draw(stage: Stage, round_: Round | None) -> Standings:
    """The standings from which a round was drawn; without one those of all rounds. Five queries."""
    after = round_.number - 1 if round_ is not None else None
    return stage_standings(stage, after_round=after, audience=Audience.HALL)


def rank_moves(before: Standings, after: Standings) -> tuple[RankMove, ...]:
    """The rows with another rank or other points, best first."""
    was = {row.team.pk: row for row in before.rows}
    return tuple(
        RankMove(row.team, was[row.team.pk].rank, row.rank, was[row.team.pk].points, row.points)
        for row in after.rows
        if row.team.pk in was and (row.rank, row.points) != (was[row.team.pk].rank, was[row.team.pk].points)
    )
