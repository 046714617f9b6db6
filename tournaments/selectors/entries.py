"""Who may enter an event, and whether somebody does."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.discipline import Discipline
from tournaments.entering import Applicant, EntryLack, lacks
from tournaments.models import Event, Player, PlayerRole, Team


def stated_rules(event: Event) -> Discipline:
    """What the event states besides the rules of its stages. One query."""
    rules = event.stages.order_by("order").values_list("rules", flat=True).first() or {}
    return Discipline.from_dict(rules.get("discipline"))


def applicant_of(team: Team) -> Applicant:
    """A stored team, as the rules of entering see it. No query with players and department loaded."""
    people = list(team.players.all())
    roles = {person.role for person in people}
    return Applicant(
        number=team.number,
        players=tuple(person.name for person in people if person.role == PlayerRole.PLAYER),
        department=team.department.name if team.department else "",
        session=team.session,
        leader=PlayerRole.LEADER in roles,
        coach=PlayerRole.COACH in roles,
    )


def companion_name(people: Iterable[Player], role: PlayerRole) -> str:
    """The name of a team's leader or coach; empty without one. No query."""
    return next((person.name for person in people if person.role == role), "")


def roster_lines(stated: Discipline, teams: Iterable[Team]) -> list[tuple[Team, list[EntryLack]]]:
    """Each team with what it still waits for; one that has left waits for nothing. No query."""
    return [(team, [] if team.is_withdrawn else lacks(stated, applicant_of(team))) for team in teams]


def session_counts(teams: Iterable[Team]) -> list[tuple[str, int]]:
    """The sessions in the order of their first team, with their teams; empty where none has one. No query."""
    counts: dict[str, int] = {}
    for team in teams:
        counts[team.session] = counts.get(team.session, 0) + 1
    return list(counts.items()) if any(counts) else []


def staying_teams(event: Event, *, but: Iterable[int] = ()) -> list[Applicant]:
    """The event's teams in play, without those whose ids are given. Three queries."""
    teams = Team.objects.filter(event=event, withdrawn_after=None).exclude(pk__in=list(but))
    loaded = teams.select_related("department").prefetch_related("players").order_by("number")
    return [applicant_of(team) for team in loaded]
