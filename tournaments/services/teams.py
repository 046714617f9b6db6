"""Teams by hand: add, change, withdraw, take back, remove."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.log import Act, lock_event, record_act
from tournaments.models import Department, Event, Player, Stage, StageEntry, StageFormat, Team
from tournaments.selectors.teams import free_key, has_seat, next_number, rounds_to_leave_from


@dataclass(frozen=True)
class PlayerFacts:
    """What the form knows of a player."""

    name: str
    phone: str = ""


@dataclass(frozen=True)
class TeamFacts:
    """What the form knows of a team; a department that the event does not have yet is made."""

    players: tuple[PlayerFacts, ...]
    department: str = ""
    name: str = ""
    session: str = ""
    seed: int | None = None
    fixed_table: int | None = None
    remark: str = ""


@dataclass
class NumberTaken(Exception):
    """Another team of the event has this number."""

    number: int


class NumberInUse(Exception):
    """The team sits in a round already: its number stands on paper and in people's heads."""


class TeamHasSeats(Exception):
    """A team that sits in a round cannot be removed, only withdrawn."""


@dataclass
class CannotLeaveFrom(Exception):
    """The team sits in that round already, or the round is not planned."""

    round_number: int


@transaction.atomic
def add_team(*, event: Event, number: int | None, facts: TeamFacts, by: User | None) -> Team:
    """A new team; without a number it gets the next one. Raises NumberTaken."""
    event = lock_event(event.pk)
    chosen = number or next_number(event)
    keys = set(event.teams.values_list("key", flat=True))
    if event.teams.filter(number=chosen).exists():
        raise NumberTaken(chosen)
    team = Team(event=event, number=chosen, key=free_key("t", chosen, keys))
    _write(team, facts)
    join_first_stage(event, [team])
    record_act(event=event, act=Act.TEAM_ADDED, by=by, subject=_label(team), new=_told(team))
    return team


def join_first_stage(event: Event, teams: Iterable[Team]) -> None:
    """Enters new teams where the first stage lists its teams; a stage without a list has all of them.

    Once its groups or bracket are drawn, a team comes in only in another's place.
    """
    first = Stage.objects.filter(event=event).order_by("order").first()
    if first is None or (first.layout and first.format != StageFormat.SWISS):
        return
    if first.teams.exists():
        first.teams.add(*teams)


@transaction.atomic
def change_team(*, team: Team, number: int, facts: TeamFacts, by: User | None) -> Team:
    """New facts for a team. Raises NumberTaken, and NumberInUse once the team sits in a round."""
    event = lock_event(team.event_id)
    team = _locked(event, team)
    old = _told(team)
    if number != team.number:
        _renumber(team, number)
    _write(team, facts)
    team = _locked(event, team)
    new = _told(team)
    changed = [name for name in new if new[name] != old[name]]
    if changed:
        before, after = {name: old[name] for name in changed}, {name: new[name] for name in changed}
        record_act(event=event, act=Act.TEAM_CHANGED, by=by, subject=_label(team), old=before, new=after)
    return team


def _renumber(team: Team, number: int) -> None:
    if has_seat(team):
        raise NumberInUse
    if Team.objects.filter(event=team.event_id, number=number).exists():
        raise NumberTaken(number)
    team.number = number


def _locked(event: Event, team: Team) -> Team:
    return event.teams.select_related("department").prefetch_related("players").get(pk=team.pk)


def _write(team: Team, facts: TeamFacts) -> None:
    team.department = find_department(team.event, facts.department)
    team.name, team.session, team.remark = facts.name, facts.session, facts.remark
    team.seed, team.fixed_table = facts.seed, facts.fixed_table
    team.save()
    _write_players(team, facts.players)


def _write_players(team: Team, players: tuple[PlayerFacts, ...]) -> None:
    stored = list(team.players.order_by("position"))
    for player, facts in zip(stored, players, strict=False):
        player.name, player.phone = facts.name, facts.phone
        player.save(update_fields=["name", "phone"])
    for player in stored[len(players) :]:
        player.delete()
    beyond = max((player.position for player in stored), default=0)
    Player.objects.bulk_create(
        Player(team=team, position=beyond + place, name=facts.name, phone=facts.phone)
        for place, facts in enumerate(players[len(stored) :], start=1)
    )


def find_department(event: Event, name: str) -> Department | None:
    """The department of that name, made if need be; None without a name."""
    if not name:
        return None
    found = event.departments.filter(name=name).first()
    if found is not None:
        return found
    keys = set(event.departments.values_list("key", flat=True))
    return Department.objects.create(event=event, name=name, key=free_key("d", len(keys) + 1, keys))


@transaction.atomic
def withdraw_team(*, team: Team, from_round: int, by: User | None, reason: str = "") -> Team:
    """退赛: the team is not drawn from that round on; its results stay. Raises CannotLeaveFrom."""
    event = lock_event(team.event_id)
    team = _locked(event, team)
    if from_round not in rounds_to_leave_from(team):
        raise CannotLeaveFrom(from_round)
    old = {"withdrawn_after": team.withdrawn_after}
    team.withdrawn_after = from_round - 1
    team.save(update_fields=["withdrawn_after"])
    new = {"withdrawn_after": team.withdrawn_after}
    record_act(
        event=event, act=Act.TEAM_WITHDRAWN, by=by, subject=_label(team), old=old, new=new, reason=reason
    )
    return team


@transaction.atomic
def reinstate_team(*, team: Team, by: User | None) -> Team:
    """The team plays again from the next draw on."""
    event = lock_event(team.event_id)
    team = _locked(event, team)
    if team.is_withdrawn:
        old = {"withdrawn_after": team.withdrawn_after}
        team.withdrawn_after = None
        team.save(update_fields=["withdrawn_after"])
        record_act(event=event, act=Act.TEAM_REINSTATED, by=by, subject=_label(team), old=old)
    return team


@transaction.atomic
def remove_team(*, team: Team, by: User | None) -> None:
    """Takes a team out for good. Raises TeamHasSeats once it sits in any round."""
    event = lock_event(team.event_id)
    team = _locked(event, team)
    if has_seat(team):
        raise TeamHasSeats
    label, old = _label(team), _told(team)
    StageEntry.objects.filter(team=team).delete()
    team.delete()
    record_act(event=event, act=Act.TEAM_REMOVED, by=by, subject=label, old=old)


def _label(team: Team) -> str:
    return f"{team.number} {' · '.join(player.name for player in team.players.all())}"


def _told(team: Team) -> dict[str, Any]:
    players = list(team.players.all())
    return {
        "number": team.number,
        "players": [player.name for player in players],
        "phones": [player.phone for player in players if player.phone],
        "department": team.department.name if team.department else "",
        "name": team.name,
        "session": team.session,
        "seed": team.seed,
        "fixed_table": team.fixed_table,
        "remark": team.remark,
    }
