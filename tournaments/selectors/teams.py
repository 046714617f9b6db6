"""名单: the teams of an event and what may still be done with each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from tournaments.models import Department, Event, RoundStatus, Seat, Stage, StageEntry, Team
from tournaments.selectors.stages import POSTED, current_stage, newest_seen

LONGEST_NUMBER = 5


@dataclass(frozen=True)
class DepartmentCount:
    """How many teams a department has; `department` None counts those without one."""

    department: Department | None
    teams: int
    withdrawn: int


def roster_teams(event: Event, search: str = "") -> QuerySet[Team]:
    """The teams by number with players and department; `search`: a number or parts of names. Two queries."""
    teams = Team.objects.filter(event=event).select_related("department").prefetch_related("players")
    for word in search.split():
        teams = teams.filter(_matches(word)).distinct()
    return teams.order_by("number")


def _matches(word: str) -> Q:
    if word.isascii() and word.isdecimal() and len(word) <= LONGEST_NUMBER:
        return Q(number=int(word))
    return (
        Q(players__name__icontains=word)
        | Q(name__icontains=word)
        | Q(department__name__icontains=word)
        | Q(session__icontains=word)
    )


def department_counts(teams: Iterable[Team]) -> list[DepartmentCount]:
    """Teams by department, the largest first, those without one last. No query for loaded teams."""
    groups: dict[int | None, list[Team]] = {}
    for team in teams:
        groups.setdefault(team.department_id, []).append(team)
    counts = [
        DepartmentCount(group[0].department, len(group), sum(team.is_withdrawn for team in group))
        for group in groups.values()
    ]
    return sorted(counts, key=_largest_first)


def _largest_first(count: DepartmentCount) -> tuple[bool, int, int]:
    return count.department is None, -count.teams, count.department.pk if count.department else 0


def is_drawn(event: Event) -> bool:
    """Whether any round of the event is drawn, drafts included. One query."""
    return Seat.objects.filter(round__stage__event=event).exists()


def has_seat(team: Team) -> bool:
    """Whether the team sits in any round, drafts included, or was drawn into a group or bracket.

    Two queries at most.
    """
    return Seat.objects.filter(team=team).exists() or is_entered(team)


def is_entered(team: Team) -> bool:
    """Whether a stage that has begun counts on the team. One query."""
    return StageEntry.objects.filter(team=team).exclude(stage__layout={}).exists()


def last_round_seated(team: Team, stage: Stage | None) -> int:
    """The newest published round of the stage in which the team sits, 0 when there is none. One query."""
    seats = Seat.objects.filter(team=team, round__stage=stage, round__status__in=POSTED)
    return seats.order_by("-round__number").values_list("round__number", flat=True).first() or 0


def sits_in_draft(team: Team) -> int | None:
    """The number of the draft in which the team sits. One query."""
    seats = Seat.objects.filter(team=team, round__status=RoundStatus.DRAFT)
    return seats.values_list("round__number", flat=True).first()


def rounds_to_leave_from(team: Team) -> list[int]:
    """The rounds from which the team may withdraw: after its last, up to the next one. Three queries.

    Not from a later one: who still plays the next round is drawn, and leaves when that round is over.
    """
    stage = current_stage(team.event)
    first = last_round_seated(team, stage) + 1
    return list(range(first, newest_seen(stage) + 2))


def planned_rounds(team: Team) -> int:
    """How many rounds the present stage has, 0 without one. One query."""
    stage = current_stage(team.event)
    return stage.rounds_planned if stage else 0


def next_number(event: Event) -> int:
    """The number after the highest. One query."""
    highest = Team.objects.filter(event=event).order_by("-number").values_list("number", flat=True).first()
    return (highest or 0) + 1


def free_key(prefix: str, number: int, taken: set[str]) -> str:
    """An id in the manner of the event file that no other row of the event has: t12, else t12-2, …"""
    candidates = [f"{prefix}{number}", *(f"{prefix}{number}-{again}" for again in range(2, len(taken) + 3))]
    return next(key for key in candidates if key not in taken)
