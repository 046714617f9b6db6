"""Where an event stands, for its officials' desk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, Q
from django.utils import timezone

from pairing.models import Publication
from scoring.models import Outcome, Result
from scoring.selectors import current_stage
from tournaments.clock import ClockFace, ClockState, clock_face
from tournaments.models import Event, Round, RoundStatus, Snapshot, Stage

SNAPSHOT_DUE = timedelta(minutes=15)
"""A running event should have a snapshot younger than this."""


class Step(StrEnum):
    """The stations of a round, in order."""

    ROSTER = "roster"
    DRAW = "draw"
    PUBLISH = "publish"
    CLOCK = "clock"
    RESULTS = "results"
    STANDINGS = "standings"


class NextAct(StrEnum):
    """The one thing to do now."""

    IMPORT_ROSTER = "import_roster"
    DRAW_ROUND = "draw_round"
    PUBLISH_ROUND = "publish_round"
    START_CLOCK = "start_clock"
    ENTER_RESULTS = "enter_results"
    CLOSE_ROUND = "close_round"
    PRINT_FINAL = "print_final"


STEP_OF = {
    NextAct.IMPORT_ROSTER: Step.ROSTER,
    NextAct.DRAW_ROUND: Step.DRAW,
    NextAct.PUBLISH_ROUND: Step.PUBLISH,
    NextAct.START_CLOCK: Step.CLOCK,
    NextAct.ENTER_RESULTS: Step.RESULTS,
    NextAct.CLOSE_ROUND: Step.RESULTS,
    NextAct.PRINT_FINAL: Step.STANDINGS,
}


@dataclass(frozen=True)
class TableState:
    """A table of the round being played."""

    number: int
    entered: bool


@dataclass(frozen=True)
class LastEntry:
    """The result that was entered last."""

    by: str
    at: datetime
    table: int | None


@dataclass(frozen=True)
class RoundState:
    """Where the event stands. `round` is the newest one that the viewer may know of."""

    stage: Stage | None
    round: Round | None
    publication: Publication | None
    tables: tuple[TableState, ...]
    teams: int
    active: int
    departments: int
    clock: ClockFace
    last_entry: LastEntry | None
    snapshot_at: datetime | None
    now: datetime

    @property
    def missing(self) -> list[int]:
        """Tables without a result."""
        return [table.number for table in self.tables if not table.entered]

    @property
    def entered(self) -> int:
        """How many tables have a result."""
        return len(self.tables) - len(self.missing)

    @property
    def next_act(self) -> NextAct:
        """What the event waits for."""
        if self.teams < 2:
            return NextAct.IMPORT_ROSTER
        if self.round is None or self.round.is_completed:
            return NextAct.PRINT_FINAL if self.is_over else NextAct.DRAW_ROUND
        if self.round.is_draft:
            return NextAct.PUBLISH_ROUND
        return self._next_in_play()

    def _next_in_play(self) -> NextAct:
        if not self.missing:
            return NextAct.CLOSE_ROUND
        if self.clock.state == ClockState.IDLE and not self.entered:
            return NextAct.START_CLOCK
        return NextAct.ENTER_RESULTS

    @property
    def step(self) -> Step:
        """The station that is lit."""
        return STEP_OF[self.next_act]

    @property
    def is_over(self) -> bool:
        """Whether the last planned round is closed, or nobody is left to play another one."""
        played = self.round is not None and self.stage is not None and self.round.is_completed
        return played and (self.next_number > self.planned or self.active < 2)

    @property
    def planned(self) -> int:
        """How many rounds the stage has."""
        return self.stage.rounds_planned if self.stage else 0

    @property
    def next_number(self) -> int:
        """The number of the round that is drawn next."""
        return self.round.number + 1 if self.round else 1

    @property
    def last_closed(self) -> int:
        """The newest closed round's number; 0 before there is one."""
        if self.round is None:
            return 0
        return self.round.number if self.round.is_completed else self.round.number - 1

    @property
    def snapshot_is_old(self) -> bool:
        """Whether a running event was not kept for a quarter of an hour."""
        if self.round is None or not self.round.is_published:
            return False
        return self.snapshot_at is None or self.now - self.snapshot_at > SNAPSHOT_DUE


def round_state(event: Event, *, sees_drafts: bool) -> RoundState:
    """Where the event stands; a draft counts only for who may see it. Six queries at most."""
    stage = current_stage(event)
    rounds = Round.objects.filter(stage__event=event).select_related("stage", "clock", "draw")
    if not sees_drafts:
        rounds = rounds.exclude(status=RoundStatus.DRAFT)
    newest = rounds.order_by("-stage__order", "-number").first()
    counts = event.teams.aggregate(
        teams=Count("pk"),
        active=Count("pk", filter=Q(withdrawn_after=None)),
        departments=Count("department", distinct=True),
    )
    tables, last_entry = _tables(newest)
    now = timezone.now()
    return RoundState(
        stage=stage if sees_drafts or newest is None else newest.stage,
        round=newest,
        publication=_publication(newest),
        tables=tables,
        clock=clock_face(newest if newest and newest.is_published else None, now),
        last_entry=last_entry,
        snapshot_at=Snapshot.objects.filter(event=event).values_list("at", flat=True).first(),
        now=now,
        **counts,
    )


def _publication(round_: Round | None) -> Publication | None:
    if round_ is None or round_.is_draft:
        return None
    return round_.publications.filter(withdrawn_at=None).last()


def _tables(round_: Round | None) -> tuple[tuple[TableState, ...], LastEntry | None]:
    if round_ is None or round_.is_draft:
        return (), None
    matches = list(
        round_.matches.filter(away__isnull=False).select_related("result__entered_by").order_by("table")
    )
    results = [match.result for match in matches if hasattr(match, "result")]
    states = tuple(TableState(match.table or 0, hasattr(match, "result")) for match in matches)
    return states, _last_entry(results)


def _last_entry(results: list[Result]) -> LastEntry | None:
    if not results:
        return None
    last = max(results, key=lambda result: (result.entered_at, result.pk))
    table = last.match.table if last.outcome != Outcome.BYE else None
    by = last.entered_by
    return LastEntry(by.get_full_name() or by.get_username() if by else "", last.entered_at, table)
