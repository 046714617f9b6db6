"""小组自约: groups that find their own time: who calls them together, what is open, and until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.db.models import Count, Prefetch, Q
from django.utils import timezone

from pairing.format_rules import RoundRobinRules
from scoring.models import Confirmation
from tournaments.models import Group, Match, Player, Stage
from tournaments.selectors.stages import POSTED

END_OF_DAY = time(23, 59, 59)


@dataclass(frozen=True)
class GroupState:
    """A group that finds its own time: how many of its matches miss a result, and how long is left."""

    group: Group
    matches: int
    open: int
    deadline: datetime | None
    now: datetime

    @property
    def is_finished(self) -> bool:
        """Whether the chief ended it."""
        return self.group.finished_at is not None

    @property
    def is_all_in(self) -> bool:
        """Whether every match has a result, so that the group can be ended as it is."""
        return bool(self.matches) and not self.open

    @property
    def left(self) -> timedelta | None:
        """The time until the deadline, negative behind it; None without one."""
        return None if self.deadline is None else self.deadline - self.now

    @property
    def is_overdue(self) -> bool:
        """Whether matches are open behind the deadline."""
        return bool(self.open) and self.left is not None and self.left < timedelta(0)


def group_states(stage: Stage, now: datetime | None = None) -> tuple[GroupState, ...]:
    """The groups of a stage that find their own time, in order; none for another stage.

    Three queries: groups with their matches counted, players of the convening teams.
    """
    if not stage.is_self_scheduled:
        return ()
    now = now or timezone.now()
    played = Q(matches__away__isnull=False, matches__round__status__in=POSTED)
    groups = Group.objects.filter(stage=stage).select_related("convenor_team").order_by("order")
    counted = groups.annotate(
        played=Count("matches", filter=played, distinct=True),
        missing=Count("matches", filter=played & Q(matches__result=None), distinct=True),
    ).prefetch_related(Prefetch("convenor_team__players", Player.objects.order_by("position")))
    return tuple(
        GroupState(group, group.played, group.missing, deadline_of(group, stage), now) for group in counted
    )


def deadline_of(group: Group, stage: Stage) -> datetime | None:
    """By when the group plays: its own deadline, else the end of the last day that the rules state."""
    if group.deadline is not None:
        return group.deadline
    last_day = RoundRobinRules.from_dict(stage.rules.get("format", {})).deadline
    return None if last_day is None else timezone.make_aware(datetime.combine(last_day, END_OF_DAY))


def unconfirmed_tables(group: Group) -> list[int]:
    """The tables of the group whose result waits for its second look. One query."""
    waiting = Match.objects.filter(group=group, result__confirmation=Confirmation.OPEN, table__isnull=False)
    return [table or 0 for table in waiting.order_by("table").values_list("table", flat=True)]


def open_matches(group: Group) -> list[Match]:
    """The published matches of the group without a result, by table. Three queries."""
    rows = Match.objects.filter(group=group, round__status__in=POSTED, away__isnull=False, result=None)
    related = rows.select_related("round__stage__event", "home", "away", "group")
    return list(related.prefetch_related("home__players", "away__players").order_by("table", "pk"))
