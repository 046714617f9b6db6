"""桌号: which tables a stage may use, and what changing that would do to rounds that are drawn already."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from pairing.engine.tables import ALL_TABLES, OtherStage, Tables, usable_tables
from pairing.selectors.stages import is_over, is_self_scheduled
from pairing.selectors.tables import begun_matches
from scoring.selectors import stage_teams
from tournaments.models import Event, Match, Round, RoundStatus, Stage, Team


@dataclass(frozen=True)
class HallPlan:
    """What the chief sets: the broken tables, and by stage the first and last table of its range."""

    broken: tuple[int, ...]
    ranges: Mapping[int, tuple[int, int] | None]
    """By the stage's key in the database; None for a stage without a range."""

    def hall_of(self, stage: Stage, others: Iterable[OtherStage] = ()) -> Tables:
        """The numbers that the stage may use."""
        first, last = self.ranges.get(stage.pk) or (None, None)
        return usable_tables(first, last, self.broken, others)


@dataclass(frozen=True)
class Move:
    """A match that leaves a broken table; `to` is None where no table is free for it."""

    match: Match
    to: int | None


@dataclass(frozen=True)
class RoundMoves:
    """What becomes of a drawn round: matches that move, and those that stay since play is recorded there."""

    round: Round
    moves: tuple[Move, ...]
    begun: tuple[Match, ...]

    @property
    def without_table(self) -> list[Match]:
        """Matches for which no table is free."""
        return [move.match for move in self.moves if move.to is None]


@dataclass(frozen=True)
class Shortage:
    """A stage that needs more tables than it may use."""

    stage: Stage
    needed: int
    there: int


@dataclass(frozen=True)
class HallPreview:
    """What a plan does: everything to be known before it is kept."""

    rounds: tuple[RoundMoves, ...]
    overlaps: tuple[tuple[Stage, Stage, int, int], ...]
    """Two stages that are not over and the first and last number that both would use."""
    shortages: tuple[Shortage, ...]
    astray: tuple[tuple[Team, Stage], ...]
    """Teams whose fixed table the stage they play in may not use."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be pointed out."""
        return not (self.rounds or self.overlaps or self.shortages or self.astray)

    @property
    def needs_reason(self) -> bool:
        """Whether published tables change, which makes a new version."""
        return any(each.moves and each.round.is_published for each in self.rounds)


def stage_hall(stage: Stage) -> Tables:
    """The table numbers that the stage's next round may use. Two queries.

    Where teams find their own time a table only numbers a match, so nothing is left out.
    """
    if is_self_scheduled(stage):
        return ALL_TABLES
    return plan_of(stage.event).hall_of(stage, _others(stage))


def plan_of(event: Event) -> HallPlan:
    """What is set now. One query."""
    rows = event.stages.values_list("pk", "first_table", "last_table")
    ranges = {pk: (first, last) if first and last else None for pk, first, last in rows}
    return HallPlan(tuple(event.broken_tables), ranges)


def free_table(round_: Round, hall: Tables) -> int | None:
    """The next table behind the last one of the round, else any that is free; None for none. One query."""
    taken = set(round_.matches.exclude(table=None).values_list("table", flat=True))
    return _free(hall, {table for table in taken if table is not None})


def _free(hall: Tables, taken: Collection[int]) -> int | None:
    last = max(taken, default=0)
    end = hall.last if hall.last is not None else max(last, hall.first, *hall.without, 0) + 1
    free = [number for number in range(hall.first, end + 1) if number in hall and number not in taken]
    return next((number for number in free if number > last), free[0] if free else None)


def hall_preview(event: Event, plan: HallPlan) -> HallPreview:
    """What keeping a plan would do. Some queries a stage and open round."""
    stages = [stage for stage in event.stages.order_by("order") if not is_self_scheduled(stage)]
    for stage in stages:
        stage.event = event
    unfinished = [stage for stage in stages if not is_over(stage)]
    return HallPreview(
        rounds=tuple(_round_moves(event, plan)),
        overlaps=tuple(_overlaps(unfinished, plan)),
        shortages=tuple(_shortages(unfinished, plan)),
        astray=tuple(_astray(unfinished, plan)),
    )


def _others(stage: Stage) -> list[OtherStage]:
    """The other stages that are played in the hall now, as they are set."""
    others = []
    for other in Stage.objects.filter(event=stage.event_id).exclude(pk=stage.pk).prefetch_related("rounds"):
        rounds = list(other.rounds.all())
        is_closed = all(round_.is_completed for round_ in rounds)
        is_over = is_closed and len(rounds) >= other.rounds_planned
        if rounds and not is_over and not is_self_scheduled(other):
            others.append((other, [round_.pk for round_ in rounds if not round_.is_completed]))
    taken: dict[int, set[int]] = {}
    open_rounds = [pk for _, rounds in others for pk in rounds]
    rows = Match.objects.filter(round__in=open_rounds, table__isnull=False)
    for stage_id, table in rows.values_list("round__stage", "table"):
        taken.setdefault(stage_id, set()).add(table or 0)
    return [
        OtherStage(other.first_table, other.last_table, frozenset(taken.get(other.pk, ())))
        for other, _ in others
    ]


def _round_moves(event: Event, plan: HallPlan) -> Iterator[RoundMoves]:
    rounds = Round.objects.filter(stage__event=event).exclude(status=RoundStatus.COMPLETED)
    for round_ in rounds.select_related("stage").order_by("stage__order", "number"):
        round_.stage.event = event
        if is_self_scheduled(round_.stage):
            continue
        matches = round_.matches.filter(table__in=plan.broken).select_related("home", "away")
        on_broken = list(matches.order_by("table"))
        begun = begun_matches(on_broken)
        leaving = [match for match in on_broken if match.pk not in begun]
        if on_broken:
            stay = tuple(match for match in on_broken if match.pk in begun)
            yield RoundMoves(round_, tuple(_moves(round_, leaving, plan)), stay)


def _moves(round_: Round, leaving: Iterable[Match], plan: HallPlan) -> Iterator[Move]:
    hall = plan.hall_of(round_.stage, _others(round_.stage))
    taken = {table for table in round_.matches.values_list("table", flat=True) if table is not None}
    for match in leaving:
        to = _free(hall, taken)
        taken |= {to} if to is not None else set()
        yield Move(match, to)


def _overlaps(stages: list[Stage], plan: HallPlan) -> Iterator[tuple[Stage, Stage, int, int]]:
    for place, one in enumerate(stages):
        for other in stages[place + 1 :]:
            mine, theirs = plan.ranges.get(one.pk), plan.ranges.get(other.pk)
            if mine and theirs and max(mine[0], theirs[0]) <= min(mine[1], theirs[1]):
                yield one, other, max(mine[0], theirs[0]), min(mine[1], theirs[1])


def _shortages(stages: list[Stage], plan: HallPlan) -> Iterator[Shortage]:
    for stage in stages:
        hall = plan.hall_of(stage)
        if hall.last is None:
            continue
        there = sum(number in hall for number in range(hall.first, hall.last + 1))
        needed = stage_teams(stage).filter(withdrawn_after=None).count() // 2
        if needed > there:
            yield Shortage(stage, needed, there)


def _astray(stages: list[Stage], plan: HallPlan) -> Iterator[tuple[Team, Stage]]:
    for stage in stages:
        hall = plan.hall_of(stage)
        for team in stage_teams(stage).filter(withdrawn_after=None, fixed_table__isnull=False):
            if team.fixed_table is not None and team.fixed_table not in hall:
                yield team, stage


def fixed_teams(event: Event) -> list[Team]:
    """The teams that always sit at one table, by it. Two queries."""
    teams = event.teams.filter(fixed_table__isnull=False, withdrawn_after=None)
    return list(teams.order_by("fixed_table", "number").prefetch_related("players"))
