"""Storing a roster: all of it or nothing, the same for the browser and the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.log import Act, lock_event, record_act
from tournaments.models import Department, Event, Occasion, Player, PlayerRole, Seat, StageEntry, Team
from tournaments.roster import RosterReading
from tournaments.selectors.events import last_round_begun
from tournaments.selectors.rosters import MatchedTeam, RosterChanges, compare_roster
from tournaments.selectors.teams import free_key
from tournaments.services.teams import join_first_stage, move_between_sessions
from tournaments.snapshots import take_snapshot


@dataclass
class RosterHasErrors(Exception):
    """The file holds errors: nothing of it is stored."""

    reading: RosterReading


@dataclass
class RosterClashes(Exception):
    """Entries of the file may not stand beside the teams that stay, or pass a limit: nothing is stored."""

    changes: RosterChanges


@dataclass(frozen=True)
class ImportOutcome:
    """What an import did, by team numbers; `stored` counts all teams of the file that the event now has."""

    stored: int = 0
    new: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    withdrawn: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the event already was as the file says."""
        return not (self.new or self.changed or self.removed or self.withdrawn)


@transaction.atomic
def import_roster(
    *, event: Event, reading: RosterReading, by: User | None, remove_missing: bool = False, source: str = ""
) -> ImportOutcome:
    """Stores a roster as read. Raises RosterHasErrors or RosterClashes, and then stores nothing.

    Numbers of existing teams and rounds stay as they are. With `remove_missing`, teams that the file does not
    have are removed, or withdrawn once they sit in a round. Importing the same file again changes nothing.
    `source` is the name of the file, for the log.
    """
    if reading.errors:
        raise RosterHasErrors(reading)
    event = lock_event(event.pk)
    changes = compare_roster(event, reading)
    if changes.refused_alone or (not remove_missing and (changes.clashes or changes.refused)):
        raise RosterClashes(changes)
    if changes.is_empty and not (remove_missing and changes.missing):
        return ImportOutcome(stored=len(changes.matched))
    take_snapshot(event=event, by=by, occasion=Occasion.BEFORE_IMPORT)
    removed, withdrawn = _take_out(event, changes.missing) if remove_missing else ((), ())
    _store(event, changes)
    outcome = ImportOutcome(
        stored=len(changes.matched),
        new=_numbers(changes.new),
        changed=_numbers(changes.changed),
        removed=removed,
        withdrawn=withdrawn,
    )
    old, new = _told(changes, outcome)
    record_act(event=event, act=Act.ROSTER_IMPORTED, by=by, subject=source, old=old, new=new)
    return outcome


def _numbers(matched: Iterable[MatchedTeam]) -> tuple[int, ...]:
    return tuple(each.number for each in matched)


def _take_out(event: Event, missing: Sequence[Team]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Removes teams that no round and no stage counts on and withdraws the others; their numbers."""
    keys = [team.pk for team in missing]
    entered = StageEntry.objects.filter(team__in=keys).exclude(stage__layout={})
    seated = set(Seat.objects.filter(team__in=keys).values_list("team_id", flat=True))
    seated |= set(entered.values_list("team_id", flat=True))
    StageEntry.objects.filter(team__in=set(keys) - seated).delete()
    Team.objects.filter(pk__in=seated).update(withdrawn_after=last_round_begun(event))
    Team.objects.filter(pk__in=set(keys) - seated).delete()
    removed = tuple(team.number for team in missing if team.pk not in seated)
    return removed, tuple(team.number for team in missing if team.pk in seated)


def _store(event: Event, changes: RosterChanges) -> None:
    departments = _departments(event, changes)
    keys = set(event.teams.values_list("key", flat=True))
    created = []
    for each in changes.new:
        key = free_key("t", each.number, keys)
        keys.add(key)
        created.append(_new_team(event, each, key, departments))
    Team.objects.bulk_create(created)
    join_first_stage(event, created)
    changed = [_changed_team(each, departments) for each in changes.changed]
    Team.objects.bulk_update(changed, ["department", "session", "name", "remark"], batch_size=100)
    move_between_sessions(
        event, [each.team for each in changes.changed if each.team and _changes_session(each)]
    )
    rewritten = [each for each in changes.changed if _rewrites_players(each)]
    Player.objects.filter(team__in=[each.team for each in rewritten]).delete()
    Player.objects.bulk_create(
        player
        for each, team in [
            *zip(changes.new, created, strict=True),
            *((each, each.team) for each in rewritten),
        ]
        for player in _players(each, team)
    )


def _departments(event: Event, changes: RosterChanges) -> dict[str, Department]:
    """The event's departments by name, those that the file brings made first."""
    known = {department.name: department for department in event.departments.all()}
    keys = {department.key for department in known.values()}
    wanted = dict.fromkeys(each.entry.department for each in (*changes.new, *changes.changed))
    created = []
    for name in wanted:
        if name and name not in known:
            key = free_key("d", len(keys) + 1, keys)
            keys.add(key)
            created.append(Department(event=event, name=name, key=key))
    Department.objects.bulk_create(created)
    return known | {department.name: department for department in created}


def _new_team(event: Event, each: MatchedTeam, key: str, departments: dict[str, Department]) -> Team:
    entry = each.entry
    return Team(
        event=event,
        key=key,
        number=each.number,
        name=entry.name,
        department=departments[entry.department] if entry.department else None,
        session=entry.session or "",
        remark=entry.remark,
    )


def _changed_team(each: MatchedTeam, departments: dict[str, Department]) -> Team:
    team = each.team
    assert team is not None  # noqa: S101 (a changed team exists)
    for change in each.changes:
        if change.field == "department":
            team.department = departments[change.new] if change.new else None
        elif change.field in {"session", "name", "remark"}:
            setattr(team, change.field, change.new)
    return team


def _changes_session(each: MatchedTeam) -> bool:
    return any(change.field == "session" for change in each.changes)


def _rewrites_players(each: MatchedTeam) -> bool:
    people = {"players", "phones", "leader_name", "coach_name"}
    return any(change.field in people for change in each.changes)


def _players(each: MatchedTeam, team: Team | None) -> list[Player]:
    """The people of a team as the file has them, players first; what it does not say of a person stays."""
    everybody = list(each.team.players.all()) if each.team else []
    stored = {player.name: player for player in everybody if player.role == PlayerRole.PLAYER}
    players = [
        Player(
            team=team,
            position=place,
            name=player.name,
            phone=player.phone or (stored[player.name].phone if player.name in stored else ""),
            extra=stored[player.name].extra if player.name in stored else {},
            former=stored[player.name].former if player.name in stored else [],
        )
        for place, player in enumerate(each.entry.players, start=1)
    ]
    written = {PlayerRole.LEADER: each.entry.leader, PlayerRole.COACH: each.entry.coach}
    for role, name in written.items():
        was = next((person for person in everybody if person.role == role), None)
        if name or was:
            players.append(_companion(team, role, name, was, len(players) + 1))
    return players


def _companion(team: Team | None, role: PlayerRole, name: str, was: Player | None, position: int) -> Player:
    is_same = was is not None and name in ("", was.name)
    return Player(
        team=team,
        position=position,
        name=name or (was.name if was else ""),
        role=role,
        phone=was.phone if was and is_same else "",
        extra=was.extra if was and is_same else {},
        former=was.former if was and is_same else [],
    )


def _told(changes: RosterChanges, outcome: ImportOutcome) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the log keeps: new and removed numbers, and each changed fact old → new."""
    old = {
        str(each.number): {change.field: change.old for change in each.changes} for each in changes.changed
    }
    new = {
        str(each.number): {change.field: change.new for change in each.changes} for each in changes.changed
    }
    told = {
        "new": ranges(outcome.new),
        "removed": ranges(outcome.removed),
        "withdrawn": ranges(outcome.withdrawn),
    }
    return {"changed": old} if old else {}, {
        **{k: v for k, v in told.items() if v},
        **({"changed": new} if new else {}),
    }


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in order, runs of three or more as a span: 1–48, 51, 53."""
    ordered = sorted(set(numbers))
    runs = [
        [number for _place, number in run]
        for _offset, run in groupby(enumerate(ordered), key=lambda placed: placed[1] - placed[0])
    ]
    texts = ([f"{run[0]}–{run[-1]}"] if len(run) > 2 else [str(number) for number in run] for run in runs)
    return ", ".join(text for parts in texts for text in parts)
