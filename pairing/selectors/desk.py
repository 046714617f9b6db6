"""Where an event stands, for its officials' desk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from pairing.models import Publication
from pairing.selectors.check_in import missing_teams
from pairing.selectors.cuts import CutDifference, corrected_since
from pairing.selectors.groups import GroupState, group_states
from pairing.selectors.inputs import teams_to_draw
from pairing.selectors.latecomers import Unseated, Why, unseated_teams
from pairing.selectors.stages import is_self_scheduled, is_tied_at_the_line, round_with_gap, stage_to_begin
from pairing.selectors.versions import is_as_published
from scoring.models import Result
from scoring.round_tables import (
    CorrectedTable,
    RoundTable,
    RoundTables,
    TableStage,
    corrected_tables,
    round_tables,
)
from scoring.statements import confirmation_rules
from tournaments.clock import ClockFace, ClockState, clock_face
from tournaments.log import actor_name
from tournaments.models import Clock, Event, Round, RoundStatus, Stage, StageFormat
from tournaments.selectors.stages import current_of, event_stages

NOTHING = RoundTables((), ())
"""Before a round is published."""


class Step(StrEnum):
    """The stations of a round, in order."""

    ROSTER = "roster"
    CHECK_IN = "check_in"
    DRAW = "draw"
    PUBLISH = "publish"
    CLOCK = "clock"
    RESULTS = "results"
    STANDINGS = "standings"


class NextAct(StrEnum):
    """The one thing to do now."""

    IMPORT_ROSTER = "import_roster"
    CHECK_IN = "check_in"
    BEGIN_STAGE = "begin_stage"
    PUBLISH_SCHEDULE = "publish_schedule"
    DRAW_ROUND = "draw_round"
    PUBLISH_ROUND = "publish_round"
    OPEN_ROUND = "open_round"
    START_CLOCK = "start_clock"
    ENTER_RESULTS = "enter_results"
    CONFIRM_RESULTS = "confirm_results"
    CLOSE_ROUND = "close_round"
    PRINT_FINAL = "print_final"


STEP_OF = {
    NextAct.IMPORT_ROSTER: Step.ROSTER,
    NextAct.CHECK_IN: Step.CHECK_IN,
    NextAct.BEGIN_STAGE: Step.DRAW,
    NextAct.PUBLISH_SCHEDULE: Step.DRAW,
    NextAct.DRAW_ROUND: Step.DRAW,
    NextAct.PUBLISH_ROUND: Step.PUBLISH,
    NextAct.OPEN_ROUND: Step.PUBLISH,
    NextAct.START_CLOCK: Step.CLOCK,
    NextAct.ENTER_RESULTS: Step.RESULTS,
    NextAct.CONFIRM_RESULTS: Step.RESULTS,
    NextAct.CLOSE_ROUND: Step.RESULTS,
    NextAct.PRINT_FINAL: Step.STANDINGS,
}


@dataclass(frozen=True)
class LastEntry:
    """The result that was entered last; `by` is empty for one that came in with an event file."""

    by: str
    at: datetime
    table: int


@dataclass(frozen=True)
class StageLine:
    """One stage of several: its newest round, and how many tables of the rounds in play have a result."""

    stage: Stage
    newest: Round | None
    entered: int
    tables: int
    is_drawn: bool
    """Whether its groups or its bracket are drawn."""

    @property
    def is_in_play(self) -> bool:
        """Whether a round of it is being played."""
        return self.newest is not None and self.newest.is_published

    @property
    def is_over(self) -> bool:
        """Whether its last planned round is closed."""
        newest = self.newest
        return newest is not None and newest.is_completed and newest.number >= self.stage.rounds_planned


@dataclass(frozen=True)
class RoundState:
    """Where the event stands. `round` is the newest one that the viewer may know of."""

    stage: Stage | None
    round: Round | None
    publication: Publication | None
    tables: RoundTables
    """How far each table is and who calls a referee; in the teams' own time those of all open rounds."""
    teams: int
    active: int
    departments: int
    clock: ClockFace
    now: datetime
    stages: tuple[StageLine, ...] = ()
    """Where each stage of an event with several stands; empty for a single one."""
    to_begin: Stage | None = None
    is_tied: bool = False
    """Whether teams are tied where those who advance into that stage end."""
    """The stage whose groups or bracket can be drawn now."""
    is_self_scheduled: bool = False
    groups: tuple[GroupState, ...] = ()
    """The groups of a stage that is played in the teams' own time, once it is published."""
    is_outdated: bool = False
    """Whether tables or names of the round in play are not any more what hangs of it."""
    has_gap: bool = False
    """Whether a drawn knockout round misses matches since a result before it was corrected."""
    uses_check_in: bool = False
    unchecked: tuple[int, ...] = ()
    """The teams (numbers) that are expected and have not checked in."""
    is_mostly_unchecked: bool = False
    corrected: tuple[CorrectedTable, ...] = ()
    """Tables of closed rounds that were corrected and wait for their second look."""
    cut: CutDifference | None = None
    """Who would advance into the present stage by now, where that changed and no round of it is published."""
    unseated: tuple[Unseated, ...] = ()
    """The teams in play without a place in the round that is drawn or played."""

    @property
    def late(self) -> list[int]:
        """The teams (numbers) that are here and have no table in the published round."""
        return self.unseated_for(Why.LATE)

    @property
    def new(self) -> list[int]:
        """The teams (numbers) that were entered after the draw and have not come to a published round."""
        return self.unseated_for(Why.NEW)

    def unseated_for(self, why: Why) -> list[int]:
        """The teams (numbers) that have no place for that reason."""
        return [team.number for team in self.unseated if team.why is why]

    @property
    def missing(self) -> list[int]:
        """Tables without a result."""
        return [table.table for table in self.tables.tables if not table.has_result]

    @property
    def without_slip(self) -> list[RoundTable]:
        """Tables of which nothing is known yet."""
        return [table for table in self.tables.tables if table.stage == TableStage.NO_SLIP]

    @property
    def entered(self) -> int:
        """How many tables have a result."""
        return len(self.tables.tables) - len(self.missing)

    @property
    def is_over_time(self) -> bool:
        """Whether time was called and tables have not brought their slip."""
        return self.clock.state == ClockState.OVER and bool(self.without_slip)

    @property
    def next_act(self) -> NextAct:
        """What the event waits for."""
        if self.teams < 2 or (self.active < 2 and self.own_round is None):
            return NextAct.IMPORT_ROSTER
        if self.own_round is None or self.own_round.is_completed:
            return self._next_to_draw()
        if self.own_round.is_draft:
            return NextAct.PUBLISH_ROUND
        return NextAct.DRAW_ROUND if self.has_gap else self._next_in_play()

    def _next_to_draw(self) -> NextAct:
        if self.to_begin is not None and (self.is_over or self.to_begin == self.stage):
            return NextAct.BEGIN_STAGE
        if self.is_over:
            return NextAct.PRINT_FINAL
        if self.is_self_scheduled:
            return NextAct.PUBLISH_SCHEDULE
        return NextAct.CHECK_IN if self.unchecked else NextAct.DRAW_ROUND

    def _next_in_play(self) -> NextAct:
        if not self.missing:
            is_open = self.tables.unconfirmed or self.tables.disputed
            return NextAct.CONFIRM_RESULTS if is_open else NextAct.CLOSE_ROUND
        has_begun = self.entered or self.clock.state not in {ClockState.IDLE, ClockState.NONE}
        if self.is_hall_only and not has_begun:
            return NextAct.OPEN_ROUND
        if self.clock.state == ClockState.IDLE and not self.entered:
            return NextAct.START_CLOCK
        return NextAct.ENTER_RESULTS

    @property
    def own_round(self) -> Round | None:
        """The newest round of the present stage; that of an earlier one is history."""
        is_own = self.round is not None and self.stage is not None and self.round.stage_id == self.stage.pk
        return self.round if is_own else None

    @property
    def is_hall_only(self) -> bool:
        """Whether phones do not know of the round that is being played yet."""
        return self.own_round is not None and self.own_round.is_hall_only

    @property
    def step(self) -> Step:
        """The station that is lit."""
        return STEP_OF[self.next_act]

    @property
    def is_over(self) -> bool:
        """Whether the stage's last planned round is closed, or nobody is left to play another one."""
        played = self.own_round is not None and self.own_round.is_completed
        return played and (self.next_number > self.planned or self.active < 2)

    @property
    def is_cut_short(self) -> bool:
        """Whether planned rounds are left but too few teams to play them."""
        return self.is_over and self.next_number <= self.planned

    @property
    def planned(self) -> int:
        """How many rounds the stage has."""
        return self.stage.rounds_planned if self.stage else 0

    @property
    def next_number(self) -> int:
        """The number of the round that is drawn next."""
        return self.own_round.number + 1 if self.own_round else 1

    @property
    def last_closed(self) -> int:
        """The stage's newest closed round; 0 before there is one."""
        if self.own_round is None:
            return 0
        return self.own_round.number if self.own_round.is_completed else self.own_round.number - 1


def round_state(event: Event, *, sees_drafts: bool, now: datetime | None = None) -> RoundState:
    """Where the event stands; a draft counts only for who may see it.

    Twelve queries at most in a Swiss event, one more where a team has no place; one more for several stages,
    a few more for stages that wait and in a knockout, two more with check-in, one with a second look.
    """
    now = now or timezone.now()
    stages = event_stages(event)
    stage = current_of(stages)
    rounds = Round.objects.filter(stage__event=event).select_related("stage", "clock", "draw")
    if not sees_drafts:
        rounds = rounds.exclude(status=RoundStatus.DRAFT)
    newest = rounds.order_by("-stage__order", "-number").first()
    counts = event.teams.aggregate(
        teams=Count("pk"),
        active=Count("pk", filter=Q(withdrawn_after=None)),
        departments=Count("department", distinct=True),
    )
    publication, to_begin = _publication(newest), stage_to_begin(stages)
    return RoundState(
        stage=stage if sees_drafts or newest is None else newest.stage,
        round=newest,
        publication=publication,
        is_outdated=_is_outdated(newest, publication),
        tables=_tables(newest, now),
        clock=clock_face(newest if newest and newest.is_published else None, now),
        now=now,
        stages=stage_lines(stages, sees_drafts=sees_drafts) if len(stages) > 1 else (),
        to_begin=to_begin,
        is_tied=to_begin is not None and is_tied_at_the_line(to_begin),
        is_self_scheduled=stage is not None and is_self_scheduled(stage),
        groups=group_states(newest.stage, now) if newest is not None and newest.is_published else (),
        has_gap=sees_drafts and stage is not None and _has_gap(stage),
        corrected=tuple(corrected_tables(event)) if _has_second_look(stages) else (),
        cut=_cut(stage, newest) if sees_drafts and stage is not None else None,
        uses_check_in=event.uses_check_in,
        **_attendance(event, stage, newest),
        **counts,
    )


def _attendance(event: Event, stage: Stage | None, newest: Round | None) -> dict[str, Any]:
    """Who is missing, and who has no place in the round that is drawn or played."""
    if stage is None:
        return {}
    own = newest if newest is not None and newest.stage_id == stage.pk else None
    if own is not None:
        own.stage.event = event
    unseated = tuple(unseated_teams(own)) if own is not None else ()
    if not event.uses_check_in:
        return {"unseated": unseated}
    number = 1 if own is None else own.number + own.is_completed
    missing = missing_teams(stage, number)
    placeless = {team.number for team in unseated}
    return {
        "unseated": unseated,
        "unchecked": tuple(team.number for team in missing if team.number not in placeless),
        "is_mostly_unchecked": 2 * len(missing) > len(teams_to_draw(stage, number)),
    }


def _cut(stage: Stage, newest: Round | None) -> CutDifference | None:
    if newest is not None and newest.stage_id == stage.pk and not (newest.is_draft and newest.number == 1):
        return None
    found = corrected_since(stage)
    return found if found is not None and found.is_any else None


def _has_second_look(stages: Sequence[Stage]) -> bool:
    return bool(stages) and confirmation_rules(stages[0]).is_on


def _has_gap(stage: Stage) -> bool:
    if stage.format != StageFormat.KNOCKOUT:
        return False
    return round_with_gap(stage, list(stage.rounds.order_by("number"))) is not None


def _publication(round_: Round | None) -> Publication | None:
    if round_ is None or round_.is_draft:
        return None
    return round_.publications.filter(withdrawn_at=None).last()


def _is_outdated(round_: Round | None, publication: Publication | None) -> bool:
    if round_ is None or publication is None or not round_.is_published:
        return False
    return not is_as_published(round_, publication)


def _tables(round_: Round | None, now: datetime) -> RoundTables:
    """The tables of the round; of a schedule played in the teams' own time those of all open rounds."""
    if round_ is None or round_.is_draft:
        return NOTHING
    if not is_self_scheduled(round_.stage):
        return round_tables([round_], now)
    return round_tables(list(round_.stage.rounds.filter(status=RoundStatus.PUBLISHED)), now)


def last_entry(round_: Round | None) -> LastEntry | None:
    """The result of the round that was entered last. One query."""
    if round_ is None or round_.is_draft:
        return None
    entered = Result.objects.filter(match__round=round_, match__table__isnull=False)
    last = entered.select_related("entered_by", "match").order_by("entered_at", "pk").last()
    if last is None:
        return None
    return LastEntry(actor_name(last.entered_by), last.entered_at, last.match.table or 0)


def clocks_run_out(event: Event, now: datetime) -> int:
    """How many rounds in play have had time called: what a page shows changes with it. One query."""
    clocks = Clock.objects.filter(round__stage__event=event, round__status=RoundStatus.PUBLISHED)
    return clocks.filter(ends_at__lte=now).count()


# Several stages


def stage_lines(stages: Sequence[Stage], *, sees_drafts: bool) -> tuple[StageLine, ...]:
    """Where each stage stands. One query."""
    rounds = Round.objects.filter(stage__in=stages).order_by("number")
    if not sees_drafts:
        rounds = rounds.exclude(status=RoundStatus.DRAFT)
    at_table = Q(status=RoundStatus.PUBLISHED, matches__away__isnull=False, matches__table__isnull=False)
    counted = rounds.annotate(
        at_tables=Count("matches", filter=at_table),
        with_result=Count("matches", filter=at_table & Q(matches__result__isnull=False)),
    )
    by_stage: dict[int, list[Any]] = {stage.pk: [] for stage in stages}
    for round_ in counted:
        by_stage[round_.stage_id].append(round_)
    return tuple(_line(stage, by_stage[stage.pk], sees_drafts=sees_drafts) for stage in stages)


def _line(stage: Stage, rounds: Sequence[Any], *, sees_drafts: bool) -> StageLine:
    newest = rounds[-1] if rounds else None
    return StageLine(
        stage=stage,
        newest=newest,
        entered=sum(round_.with_result for round_ in rounds),
        tables=sum(round_.at_tables for round_ in rounds),
        is_drawn=sees_drafts and bool(stage.layout),
    )
