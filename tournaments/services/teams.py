"""Teams by hand: add, change, withdraw, take back, remove."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from tournaments.attendance import Absence, read_absences, with_absence
from tournaments.entering import Applicant, EntryProblem, entry_problems
from tournaments.log import Act, lock_event, record_act
from tournaments.models import (
    Department,
    Event,
    Player,
    PlayerRole,
    Stage,
    StageEntry,
    StageFormat,
    Team,
)
from tournaments.selectors.entries import applicant_of, companion_name, stated_rules, staying_teams
from tournaments.selectors.stages import current_stage, newest_seen, session_of
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
    leader: str = ""
    coach: str = ""
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


@dataclass
class EntryRefused(Exception):
    """The people may not enter like this: somebody plays elsewhere, or a limit would be passed."""

    problems: list[EntryProblem]


class NumberInUse(Exception):
    """The team sits in a round already: its number stands on paper and in people's heads."""


class TeamHasSeats(Exception):
    """A team that sits in a round cannot be removed, only withdrawn."""


@dataclass
class AlreadyWithdrawn(Exception):
    """The team has left the event before, after the round `last`; nothing is changed."""

    last: int


@dataclass
class CannotLeaveFrom(Exception):
    """The team sits in that round already, or the round is not planned."""

    round_number: int


@transaction.atomic
def add_team(*, event: Event, number: int | None, facts: TeamFacts, by: User | None) -> Team:
    """A new team; without a number it gets the next one. Raises NumberTaken, EntryRefused."""
    event = lock_event(event.pk)
    chosen = number or next_number(event)
    keys = set(event.teams.values_list("key", flat=True))
    if event.teams.filter(number=chosen).exists():
        raise NumberTaken(chosen)
    require_entry(event, [_applicant(number or 0, facts)])
    team = Team(event=event, number=chosen, key=free_key("t", chosen, keys))
    _write(team, facts)
    join_first_stage(event, [team])
    record_act(event=event, act=Act.TEAM_ADDED, by=by, subject=_label(team), new=_told(team))
    return team


def require_entry(event: Event, wanted: Sequence[Applicant], *, but: Iterable[int] = ()) -> None:
    """Raises EntryRefused unless the entries may stand beside the event's other teams. Four queries.

    `but` are the ids of teams that these entries take the place of.
    """
    problems = entry_problems(stated_rules(event), staying_teams(event, but=but), wanted)
    if problems:
        raise EntryRefused(problems)


def _applicant(number: int, facts: TeamFacts, team: Team | None = None) -> Applicant:
    return Applicant(
        number=number,
        players=tuple(player.name for player in facts.players),
        department=facts.department,
        session=facts.session,
        leader=bool(facts.leader),
        coach=bool(facts.coach),
        before=applicant_of(team) if team else None,
    )


def join_first_stage(event: Event, teams: Iterable[Team]) -> None:
    """Enters new teams where the first stage lists its teams; a stage without a list has all of them.

    Where each session is a stage of its own, a team enters that of its session. Once groups or bracket are
    drawn, a team comes in only in another's place.
    """
    stages = list(Stage.objects.filter(event=event).order_by("order"))
    sessions = {session_of(stage): stage for stage in stages if session_of(stage)}
    entering: dict[Stage, list[Team]] = {}
    for team in teams:
        stage = sessions.get(team.session) if sessions else next(iter(stages), None)
        if stage is not None:
            entering.setdefault(stage, []).append(team)
    for stage, members in entering.items():
        if _takes_teams(stage):
            stage.teams.add(*members)


def _takes_teams(stage: Stage) -> bool:
    is_drawn = stage.layout and stage.format != StageFormat.SWISS
    return not is_drawn and (bool(session_of(stage)) or stage.teams.exists())


def move_between_sessions(event: Event, teams: Iterable[Team]) -> None:
    """Takes teams over into the stage of the session they now have; whoever has a seat stays."""
    of_sessions = [stage.pk for stage in event.stages.all() if session_of(stage)]
    moving = [team for team in teams if of_sessions and not has_seat(team)]
    StageEntry.objects.filter(stage__in=of_sessions, team__in=moving).delete()
    join_first_stage(event, moving)


@transaction.atomic
def change_team(*, team: Team, number: int, facts: TeamFacts, by: User | None) -> Team:
    """New facts for a team. Raises NumberTaken, EntryRefused, and NumberInUse once it sits in a round."""
    event = lock_event(team.event_id)
    team = _locked(event, team)
    old = _told(team)
    require_entry(event, [_applicant(number, facts, team)], but=[team.pk])
    if number != team.number:
        _renumber(team, number)
    _write(team, facts)
    if old["session"] != facts.session:
        move_between_sessions(event, [team])
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
    for role, name in ((PlayerRole.LEADER, facts.leader), (PlayerRole.COACH, facts.coach)):
        _write_companion(team, role, name)


def _write_players(team: Team, players: tuple[PlayerFacts, ...]) -> None:
    everybody = list(team.players.order_by("position"))
    stored = [player for player in everybody if player.role == PlayerRole.PLAYER]
    for player, facts in zip(stored, players, strict=False):
        player.name, player.phone = facts.name, facts.phone
        player.save(update_fields=["name", "phone"])
    for player in stored[len(players) :]:
        player.delete()
    beyond = max((player.position for player in everybody), default=0)
    Player.objects.bulk_create(
        Player(team=team, position=beyond + place, name=facts.name, phone=facts.phone)
        for place, facts in enumerate(players[len(stored) :], start=1)
    )


def _write_companion(team: Team, role: PlayerRole, name: str) -> None:
    """The leader or coach by name; nobody without one."""
    stored = team.players.filter(role=role).order_by("position").first()
    if not name:
        team.players.filter(role=role).delete()
    elif stored is not None:
        team.players.filter(pk=stored.pk).update(name=name)
    else:
        last = team.players.aggregate(last=Max("position"))["last"] or 0
        Player.objects.create(team=team, position=last + 1, name=name, role=role)


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
    """退赛: the team is not drawn from that round on; its results stay.

    Raises AlreadyWithdrawn, CannotLeaveFrom.
    """
    event = lock_event(team.event_id)
    team = _locked(event, team)
    if team.withdrawn_after is not None:
        raise AlreadyWithdrawn(team.withdrawn_after)
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
    """The team plays again from the next draw on; the rounds drawn without it count as missed."""
    event = lock_event(team.event_id)
    team = _locked(event, team)
    if team.withdrawn_after is not None:
        old = {"withdrawn_after": team.withdrawn_after}
        team.absences = [each.as_dict() for each in _missed_since(team, team.withdrawn_after)]
        team.withdrawn_after = None
        team.save(update_fields=["withdrawn_after", "absences"])
        record_act(event=event, act=Act.TEAM_REINSTATED, by=by, subject=_label(team), old=old)
    return team


def _missed_since(team: Team, last: int) -> tuple[Absence, ...]:
    """The team's absences with the rounds that a Swiss stage drew after the last one it took part in."""
    absences = read_absences(team.absences)
    stage = current_stage(team.event)
    if stage is None or stage.format != StageFormat.SWISS:
        return absences
    for number in range(last + 1, newest_seen(stage) + 1):
        absences = with_absence(absences, Absence(stage.key, number))
    return absences


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
    everybody = list(team.players.all())
    players = [player for player in everybody if player.role == PlayerRole.PLAYER]
    return {
        "number": team.number,
        "players": [player.name for player in players],
        "leader_name": companion_name(everybody, PlayerRole.LEADER),
        "coach_name": companion_name(everybody, PlayerRole.COACH),
        "phones": [player.phone for player in players if player.phone],
        "department": team.department.name if team.department else "",
        "name": team.name,
        "session": team.session,
        "seed": team.seed,
        "fixed_table": team.fixed_table,
        "remark": team.remark,
    }
