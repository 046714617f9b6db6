"""计时: the countdown of a round, in the server's time.

Pages count down by themselves between polls from `ends_at` and the server's own "now", so a device whose
clock is wrong shows the same second, and a restart of the server changes nothing: the state is three columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments.log import Act, lock_event, record_act
from tournaments.models import Audience, Clock, Event, Round, RoundStatus
from tournaments.selectors.stages import seen_by

LONGEST = 8 * 60 * 60
"""The most seconds that a countdown can have left."""


class ClockState(StrEnum):
    """Where a round's countdown stands."""

    NONE = "none"
    """The round is played without a clock."""
    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"
    OVER = "over"


class ClockRefused(Exception):
    """The act does not fit the clock's state, e.g. a pause while it is paused; carries the state."""

    def __init__(self, state: ClockState) -> None:
        super().__init__(state)
        self.state = state


class MinutesRefused(Exception):
    """So many minutes leave no time, or more than `LONGEST`; carries how few and how many fit now."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__(least, most)
        self.least = least
        self.most = most


@dataclass(frozen=True)
class ClockFace:
    """What every device needs to show the same second; times in epoch milliseconds, lengths in seconds."""

    state: ClockState
    now: int
    length: int = 0
    remaining: int = 0
    ends_at: int | None = None
    started_at: int | None = None
    stage: int | None = None
    round: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "state": self.state,
            "now": self.now,
            "length": self.length,
            "remaining": self.remaining,
            "ends_at": self.ends_at,
            "started_at": self.started_at,
            "stage": self.stage,
            "round": self.round,
        }


def _milliseconds(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp() * 1000)


def clock_state(clock: Clock, now: datetime) -> ClockState:
    """The state of a clock at a moment."""
    if clock.remaining is not None:
        return ClockState.PAUSED
    if clock.ends_at is None:
        return ClockState.IDLE
    return ClockState.RUNNING if now < clock.ends_at else ClockState.OVER


def _left(clock: Clock, now: datetime) -> timedelta:
    if clock.remaining is not None:
        return clock.remaining
    if clock.ends_at is not None:
        return clock.ends_at - now
    return timedelta(seconds=clock.length)


def seconds_left(clock: Clock, now: datetime) -> int:
    """Whole seconds still to play, rounded up: 00:00 shows only when time is called; never negative."""
    return max(0, -(-int(_left(clock, now) / timedelta(milliseconds=1)) // 1000))


def clock_face(round_: Round | None, now: datetime | None = None) -> ClockFace:
    """What the devices show for a round being played; else nothing. No query, clock loaded.

    A round may be closed long before its time is up: its countdown ends with it, so that no projector goes
    on counting beside the standings and calls time in an empty hall.
    """
    now = now or timezone.now()
    stamp = _milliseconds(now) or 0
    clock = getattr(round_, "clock", None) if round_ is not None and round_.is_published else None
    if round_ is None or clock is None:
        return ClockFace(state=ClockState.NONE, now=stamp)
    return ClockFace(
        state=clock_state(clock, now),
        now=stamp,
        length=clock.length,
        remaining=seconds_left(clock, now),
        ends_at=_milliseconds(clock.ends_at),
        started_at=_milliseconds(clock.started_at),
        stage=round_.stage.order,
        round=round_.number,
    )


def running_round(event: Event, audience: Audience = Audience.EVERYBODY) -> Round | None:
    """The newest round that the audience knows of, with its clock and stage. One query."""
    return (
        Round.objects.filter(seen_by(audience), stage__event=event)
        .select_related("stage", "clock")
        .order_by("-stage__order", "-number")
        .first()
    )


def _locked_clock(round_: Round) -> Clock:
    lock_event(round_.stage.event_id)
    clock = Clock.objects.filter(round=round_, round__status=RoundStatus.PUBLISHED).first()
    if clock is None:
        raise ClockRefused(ClockState.NONE)
    return clock


def _require(clock: Clock, *allowed: ClockState, now: datetime) -> None:
    state = clock_state(clock, now)
    if state not in allowed:
        raise ClockRefused(state)


def _log(round_: Round, act: Act, by: User, now: datetime, old: int, clock: Clock) -> None:
    record_act(
        event=round_.stage.event,
        act=act,
        by=by,
        subject=f"{round_.stage.order}/{round_.number}",
        old={"seconds": old},
        new={"seconds": seconds_left(clock, now)},
    )


@transaction.atomic
def start_clock(*, round: Round, by: User) -> Clock:
    """Starts the countdown for all tables."""
    clock, now = _locked_clock(round), timezone.now()
    _require(clock, ClockState.IDLE, now=now)
    clock.started_at, clock.ends_at = now, now + timedelta(seconds=clock.length)
    clock.save()
    _log(round, Act.CLOCK_STARTED, by, now, clock.length, clock)
    return clock


@transaction.atomic
def pause_clock(*, round: Round, by: User) -> Clock:
    """Holds the countdown where it is."""
    clock, now = _locked_clock(round), timezone.now()
    _require(clock, ClockState.RUNNING, now=now)
    clock.remaining, clock.ends_at = _left(clock, now), None
    clock.save()
    _log(round, Act.CLOCK_PAUSED, by, now, seconds_left(clock, now), clock)
    return clock


@transaction.atomic
def resume_clock(*, round: Round, by: User) -> Clock:
    """Goes on from where it was paused."""
    clock, now = _locked_clock(round), timezone.now()
    _require(clock, ClockState.PAUSED, now=now)
    clock.ends_at, clock.remaining = now + _left(clock, now), None
    clock.save()
    _log(round, Act.CLOCK_RESUMED, by, now, seconds_left(clock, now), clock)
    return clock


@transaction.atomic
def extend_clock(*, round: Round, minutes: int, by: User) -> Clock:
    """Adds minutes (negative: takes them away); after time is called it runs again for just these minutes.

    Raises MinutesRefused, and ClockRefused where nothing is played with a clock.
    """
    clock, now = _locked_clock(round), timezone.now()
    before = seconds_left(clock, now)
    least, most = (60 - before) // 60, (LONGEST - before) // 60
    if not least <= minutes <= most:
        raise MinutesRefused(least, most)
    more = timedelta(minutes=minutes)
    clock.length = max(0, clock.length + minutes * 60)
    if clock.remaining is not None:
        clock.remaining += more
    elif clock.ends_at is not None:
        clock.ends_at = max(clock.ends_at, now) + more
    clock.save()
    _log(round, Act.CLOCK_EXTENDED, by, now, before, clock)
    return clock


@transaction.atomic
def reset_clock(*, round: Round, by: User) -> Clock:
    """Sets the clock back to its full length, not started (it was started by mistake)."""
    clock, now = _locked_clock(round), timezone.now()
    before = seconds_left(clock, now)
    clock.started_at = clock.ends_at = clock.remaining = None
    clock.save()
    _log(round, Act.CLOCK_RESET, by, now, before, clock)
    return clock
