"""往届: events that are over, and what players and departments did in them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, F, QuerySet
from django.utils import timezone

from pairing.selectors.ranking import FinalPlace, event_ranking
from tournaments.models import Event, Player, PlayerRole, Team
from tournaments.revisions import kept_for_revision
from tournaments.selectors.events import own_event_ids, visible_events

MOST_PEOPLE = 60
"""People that one search shows; a longer list is a search to narrow."""
MEDALS = (1, 2, 3)
IN_THE_POINTS = 8
NEWEST_FIRST = (F("starts_at").desc(nulls_last=True), "-pk")


@dataclass(frozen=True)
class PastEvent:
    """An archived event with whoever won it: several teams when the first rank is shared."""

    event: Event
    teams: int
    champions: tuple[Team, ...]


@dataclass(frozen=True)
class Appearance:
    """A person's team in one event; no place while nothing is played, or without a final place."""

    team: Team
    place: FinalPlace | None
    partners: tuple[str, ...]
    role: str


@dataclass(frozen=True)
class Person:
    """Whoever bears this name in this department; two people of one name there cannot be told apart."""

    name: str
    department: str
    appearances: tuple[Appearance, ...]


@dataclass
class DepartmentRecord:
    """What a department's teams reached in the chosen events; a shared rank counts as that rank."""

    name: str
    events: set[int] = field(default_factory=set)
    teams: int = 0
    places: Counter[int] = field(default_factory=Counter)

    @property
    def medals(self) -> tuple[int, int, int]:
        """How many firsts, seconds and thirds."""
        first, second, third = (self.places[place] for place in MEDALS)
        return first, second, third

    @property
    def in_the_points(self) -> int:
        """How many of the first eight."""
        return sum(count for place, count in self.places.items() if place <= IN_THE_POINTS)

    @property
    def best(self) -> int | None:
        """The best place."""
        return min(self.places, default=None)

    @property
    def order(self) -> tuple[int, int, int, int, str]:
        """Most firsts, then seconds, thirds, places among the first eight, then the name."""
        first, second, third = self.medals
        return -first, -second, -third, -self.in_the_points, self.name

    @property
    def achievements(self) -> tuple[int, int, int, int]:
        """What decides its rank: equal records share one."""
        first, second, third = self.medals
        return first, second, third, self.in_the_points


@dataclass(frozen=True)
class RankedDepartment:
    """A department's record with its rank, which may be shared."""

    rank: int
    record: DepartmentRecord


def past_events(user: User | AnonymousUser) -> QuerySet[Event]:
    """Archived events that the visitor may see, the newest first."""
    return visible_events(user).filter(archived_at__isnull=False, is_rehearsal=False).order_by(*NEWEST_FIRST)


def past_by_year(user: User | AnonymousUser) -> list[tuple[int, list[PastEvent]]]:
    """The archive, year by year. Some queries for each event whose ranking is not known yet."""
    events = past_events(user).annotate(team_count=Count("teams"))
    return [(year, [_past(event) for event in group]) for year, group in groupby(events, key=_year)]


def _past(event: Event) -> PastEvent:
    champions = tuple(place.team for place in final_places(event).values() if place.first == 1)
    return PastEvent(event, event.team_count, champions)  # type: ignore[attr-defined]


def _year(event: Event) -> int:
    return timezone.localtime(event.starts_at or event.created_at).year


def final_places(event: Event) -> Mapping[int, FinalPlace]:
    """The place of each team by its key in the database. No query while the event's revision stands."""

    def found() -> dict[int, FinalPlace]:
        return {place.team.pk: place for place in event_ranking(event)}

    return kept_for_revision(event, ("final places",), found)


def people_found(user: User | AnonymousUser, wanted: str) -> list[Person]:
    """People with this text in their name, and where they played: the archive, and an official's own events.

    Two queries, and those of the rankings that are not known yet.
    """
    players = Player.objects.filter(name__icontains=wanted, team__event__in=_events_told(user))
    found = players.select_related("team__event", "team__department").prefetch_related("team__players")
    by_person: dict[tuple[str, str], list[Player]] = defaultdict(list)
    for player in found.order_by("name", F("team__event__starts_at").desc(nulls_last=True), "-team__event"):
        department = player.team.department.name if player.team.department else ""
        by_person[player.name, department].append(player)
    people = list(by_person.items())[:MOST_PEOPLE]
    return [Person(name, department, tuple(map(_appearance, each))) for (name, department), each in people]


def _events_told(user: User | AnonymousUser) -> QuerySet[Event]:
    archived = past_events(user).order_by()
    if not user.is_authenticated:
        return archived
    return archived | visible_events(user).filter(pk__in=own_event_ids(user))


def _appearance(player: Player) -> Appearance:
    team = player.team
    partners = tuple(each.name for each in team.players.all() if each.pk != player.pk)
    role = player.get_role_display() if player.role != PlayerRole.PLAYER else ""
    return Appearance(team, final_places(team.event).get(team.pk), partners, role)


def department_records(events: Iterable[Event]) -> list[RankedDepartment]:
    """The departments over these events, by name: who won most. One query and those of the rankings."""
    chosen = list(events)
    records: dict[str, DepartmentRecord] = {}
    teams = Team.objects.filter(event__in=chosen, department__isnull=False).select_related("department")
    by_event: dict[int, list[Team]] = defaultdict(list)
    for team in teams:
        by_event[team.event_id].append(team)
    for event in chosen:
        for team in by_event[event.pk]:
            _count(records, team, final_places(event).get(team.pk))
    return _with_ranks(sorted(records.values(), key=lambda record: record.order))


def _count(records: dict[str, DepartmentRecord], team: Team, place: FinalPlace | None) -> None:
    name = team.department.name if team.department else ""
    record = records.setdefault(name, DepartmentRecord(name))
    record.events.add(team.event_id)
    record.teams += 1
    if place is not None:
        record.places[place.first] += 1


def _with_ranks(records: Sequence[DepartmentRecord]) -> list[RankedDepartment]:
    ranked: list[RankedDepartment] = []
    for number, record in enumerate(records, start=1):
        is_equal = bool(ranked) and ranked[-1].record.achievements == record.achievements
        ranked.append(RankedDepartment(ranked[-1].rank if is_equal else number, record))
    return ranked
