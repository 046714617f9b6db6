"""签到: who is here, who misses which round, how late a team came; each act can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from tournaments.attendance import (
    Absence,
    Lateness,
    absence_from,
    read_absences,
    read_lateness,
    with_absence,
    with_lateness,
    without_absence,
)
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Stage, Team
from tournaments.selectors.attendance import attendance_of, round_at_hand, seated_in
from tournaments.selectors.teams import last_round_seated

FIELDS = ("checked_in_at", "absences", "lateness")


@dataclass(frozen=True)
class Change:
    """What an act made of one team's attendance, as plain values, so that a page can keep it for an undo."""

    team: int
    before: dict[str, Any]
    after: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """As a page keeps it."""
        return asdict(self)


class CannotMissRound(Exception):
    """The team sits in that round already, or the round is over, or beyond the last."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@transaction.atomic
def use_check_in(*, event: Event, used: bool, by: User | None) -> None:
    """Begins the check-in of the event, or does without one; who is in stays in."""
    event = lock_event(event.pk)
    if event.uses_check_in == used:
        return
    old, event.uses_check_in = event.uses_check_in, used
    event.save(update_fields=["uses_check_in"])
    record_act(
        event=event,
        act=Act.CHECK_IN_SWITCHED,
        by=by,
        old={"uses_check_in": old},
        new={"uses_check_in": used},
    )


@transaction.atomic
def check_in(*, stage: Stage, teams: Iterable[Team], by: User | None) -> list[Change]:
    """到场: the teams are here and play from the round at hand on.

    An absence ends before it; where the round is published without the team, at the end of that round.
    Who has withdrawn, and who is here already, stays as it is.
    """
    event = lock_event(stage.event_id)
    hand = round_at_hand(stage)
    rows = _locked(event, teams)
    seated = seated_in(hand.round, rows) if hand.is_published else frozenset()
    now = timezone.now()

    def arrive(team: Team) -> None:
        number = hand.number if team.pk in seated else hand.next_open
        absences = read_absences(team.absences)
        is_back = absence_from(absences, stage.key, hand.number) is not None
        left = without_absence(absences, stage.key, number)
        team.absences = [each.as_dict() for each in left]
        if team.checked_in_at is None or is_back:
            team.checked_in_at = now

    changes = _changed([team for team in rows if not team.is_withdrawn], arrive)
    _record(event, Act.TEAMS_CHECKED_IN, by, rows, changes)
    return changes


@transaction.atomic
def take_back_check_in(*, stage: Stage, teams: Iterable[Team], by: User | None) -> list[Change]:
    """The teams are not here after all, or left again: they count as missing until they check in."""
    event = lock_event(stage.event_id)
    rows = _locked(event, teams)

    def leave(team: Team) -> None:
        team.checked_in_at = None

    changes = _changed(rows, leave)
    _record(event, Act.CHECK_IN_TAKEN_BACK, by, rows, changes)
    return changes


@transaction.atomic
def begin_check_in_anew(*, stage: Stage, by: User | None) -> list[Change]:
    """重新签到, after lunch or on the next day: everybody counts as missing until they check in again."""
    event = lock_event(stage.event_id)
    rows = _locked(event, event.teams.exclude(checked_in_at=None))

    def leave(team: Team) -> None:
        team.checked_in_at = None

    changes = _changed(rows, leave)
    if changes:
        record_act(event=event, act=Act.CHECK_IN_BEGUN_ANEW, by=by, old={"teams": len(changes)})
    return changes


@transaction.atomic
def set_absence(*, teams: Iterable[Team], stage: Stage, absence: Absence, by: User | None) -> list[Change]:
    """缺席: the teams are not drawn in that round, or from it on. Raises CannotMissRound."""
    event = lock_event(stage.event_id)
    rows = _locked(event, teams)
    _require_free(stage, rows, absence.round)

    def miss(team: Team) -> None:
        absences = with_absence(read_absences(team.absences), absence)
        team.absences = [each.as_dict() for each in absences]

    changes = _changed(rows, miss)
    new = {"round": absence.round, "onwards": absence.onwards, "excused": absence.excused}
    _record(event, Act.TEAMS_ABSENT, by, rows, changes, new=new, reason=absence.note)
    return changes


@transaction.atomic
def end_absence(*, team: Team, stage: Stage, round_number: int, by: User | None) -> list[Change]:
    """The team plays that round after all, and later ones unless said otherwise.

    Raises CannotMissRound for a round that is drawn and published without it, or over.
    """
    event = lock_event(stage.event_id)
    rows = _locked(event, [team])
    if round_number < round_at_hand(stage).next_open:
        raise CannotMissRound(round_number)

    def play(team: Team) -> None:
        absences = without_absence(read_absences(team.absences), stage.key, round_number)
        team.absences = [each.as_dict() for each in absences]

    changes = _changed(rows, play)
    _record(event, Act.ABSENCE_ENDED, by, rows, changes, new={"round": round_number})
    return changes


@transaction.atomic
def note_lateness(
    *, team: Team, stage: Stage, round_number: int, minutes: int, by: User | None
) -> list[Change]:
    """迟到 in minutes; 0 takes it back. What it costs is for the rules and the referee to say."""
    event = lock_event(stage.event_id)
    rows = _locked(event, [team])

    def come_late(team: Team) -> None:
        late = with_lateness(read_lateness(team.lateness), Lateness(stage.key, round_number, minutes))
        team.lateness = [each.as_dict() for each in late]

    changes = _changed(rows, come_late)
    new = {"round": round_number, "minutes_late": minutes}
    _record(event, Act.LATENESS_NOTED, by, rows, changes, new=new)
    return changes


@transaction.atomic
def undo_attendance(*, event: Event, changes: Sequence[Change], by: User | None) -> int:
    """Takes an act back for the teams with which nothing else was done since; gives their number."""
    event = lock_event(event.pk)
    wanted = {change.team: change for change in changes}
    rows = [
        team
        for team in event.teams.filter(pk__in=wanted).order_by("number")
        if attendance_of(team) == wanted[team.pk].after
    ]

    def back(team: Team) -> None:
        before = wanted[team.pk].before
        team.checked_in_at = parse_datetime(before["checked_in_at"]) if before["checked_in_at"] else None
        team.absences, team.lateness = before["absences"], before["lateness"]

    undone = _changed(rows, back)
    _record(event, Act.ATTENDANCE_UNDONE, by, rows, undone)
    return len(undone)


def _locked(event: Event, teams: Iterable[Team]) -> list[Team]:
    return list(event.teams.filter(pk__in=[team.pk for team in teams]).order_by("number"))


def _require_open(stage: Stage, number: int) -> None:
    hand = round_at_hand(stage)
    if not hand.number <= number <= max(stage.rounds_planned, hand.next_open):
        raise CannotMissRound(number)


def _require_free(stage: Stage, teams: Sequence[Team], number: int) -> None:
    """The round is still to be drawn, or published without the teams."""
    _require_open(stage, number)
    if any(last_round_seated(team, stage) >= number for team in teams):
        raise CannotMissRound(number)


def _changed(teams: Sequence[Team], act: Callable[[Team], None]) -> list[Change]:
    """Does the act with each team, stores those that it changed and says how."""
    changes, changed = [], []
    for team in teams:
        before = attendance_of(team)
        act(team)
        after = attendance_of(team)
        if after != before:
            changes.append(Change(team.pk, before, after))
            changed.append(team)
    Team.objects.bulk_update(changed, FIELDS)
    return changes


def _record(
    event: Event,
    act: Act,
    by: User | None,
    teams: Sequence[Team],
    changes: Sequence[Change],
    *,
    new: dict[str, Any] | None = None,
    reason: str = "",
) -> None:
    if changes:
        changed = {change.team for change in changes}
        numbers = [team.number for team in teams if team.pk in changed]
        record_act(event=event, act=act, by=by, new={"teams": numbers, **(new or {})}, reason=reason)
