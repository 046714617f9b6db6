"""What an import would change: the teams of a file beside those of the event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournaments.discipline import Discipline
from tournaments.entering import (
    Applicant,
    EntryFault,
    EntryLack,
    EntryProblem,
    entry_problems,
    lacks,
    may_both_be_played,
)
from tournaments.models import Event, PlayerRole, Team
from tournaments.roster import RosterPlayer, RosterReading, RosterTeam
from tournaments.selectors.entries import applicant_of, companion_name, stated_rules
from tournaments.selectors.teams import is_drawn, roster_teams

LEAST_STRANGE = 3
"""Fewer teams with entirely other people are a change of entries, not another event's file."""


@dataclass(frozen=True)
class FieldChange:
    """One fact of a team that the file writes differently."""

    field: str
    old: str
    new: str


@dataclass(frozen=True)
class MatchedTeam:
    """A team of the file: `number` is the one it has or will get, `team` the event's own, None for a new one.

    `written` is the number that the file gives it where the event's team keeps another.
    """

    entry: RosterTeam
    number: int
    team: Team | None = None
    changes: tuple[FieldChange, ...] = ()
    written: int | None = None


@dataclass(frozen=True)
class PlayerClash:
    """A person of the file who also stands in a team that the file does not have."""

    entry: RosterTeam
    player: str
    team: Team


@dataclass(frozen=True)
class RosterChanges:
    """What storing a file would do. `missing` are the event's teams in play that the file does not have.

    `refused` says which entries pass a limit of the event while the missing teams stay, `refused_alone` which
    do even without them; `lacking` which entries still wait for somebody.
    """

    matched: tuple[MatchedTeam, ...]
    missing: tuple[Team, ...]
    clashes: tuple[PlayerClash, ...]
    is_late: bool
    refused: tuple[EntryProblem, ...] = ()
    refused_alone: tuple[EntryProblem, ...] = ()
    lacking: tuple[tuple[RosterTeam, tuple[EntryLack, ...]], ...] = ()

    @property
    def new(self) -> tuple[MatchedTeam, ...]:
        """Teams that the event does not have yet; they enter late when `is_late`."""
        return tuple(each for each in self.matched if each.team is None)

    @property
    def changed(self) -> tuple[MatchedTeam, ...]:
        """Teams that the file writes differently."""
        return tuple(each for each in self.matched if each.team is not None and each.changes)

    @property
    def unchanged(self) -> tuple[MatchedTeam, ...]:
        """Teams that are as the file says."""
        return tuple(each for each in self.matched if each.team is not None and not each.changes)

    @property
    def kept_numbers(self) -> tuple[MatchedTeam, ...]:
        """Teams that keep their number although the file writes another."""
        return tuple(each for each in self.matched if each.written is not None)

    @property
    def looks_foreign(self) -> bool:
        """Whether most of the numbers that the event knows stand in the file with nobody of the same name."""
        known = [each for each in self.matched if each.team is not None]
        strange = [each for each in known if _is_strange(each)]
        return len(strange) >= LEAST_STRANGE and 2 * len(strange) > len(known)

    @property
    def is_empty(self) -> bool:
        """Whether the event already is as the file says."""
        return not self.new and not self.changed


def compare_roster(event: Event, reading: RosterReading) -> RosterChanges:
    """Matches the file's teams with the event's: by number first, then by the same persons. Four queries.

    A file without numbers numbers its new teams from 1 on, or after the highest number there is.
    What the file leaves blank changes nothing.
    """
    stored = list(roster_teams(event))
    stated = stated_rules(event)
    found = dict(_matches(reading.candidates, stored, by_session=bool(stated.several_sessions)))
    numbers = _new_numbers(reading.candidates, found, stored)
    matched = tuple(
        _matched(entry, found.get(index), numbers.get(index, 0))
        for index, entry in enumerate(reading.candidates)
    )
    seen = {team.pk for team in found.values()}
    missing = tuple(team for team in stored if team.pk not in seen and not team.is_withdrawn)
    staying, wanted = [applicant_of(team) for team in missing], [_applicant(each) for each in matched]
    return RosterChanges(
        matched,
        missing,
        tuple(_clashes(stated, reading.candidates, missing)),
        is_drawn(event),
        refused=tuple(_limits_passed(stated, staying, wanted)),
        refused_alone=tuple(_limits_passed(stated, (), wanted)),
        lacking=tuple(_lacking(stated, matched, wanted)),
    )


def _applicant(each: MatchedTeam) -> Applicant:
    """A team of the file as it would stand: what the file leaves blank stays as it was."""
    entry, before = each.entry, applicant_of(each.team) if each.team else None
    return Applicant(
        number=each.number,
        players=tuple(player.name for player in entry.players),
        department=entry.department or (before.department if before else ""),
        session=entry.session or (before.session if before else ""),
        leader=bool(entry.leader) or bool(before and before.leader),
        coach=bool(entry.coach) or bool(before and before.coach),
        row=entry.row,
        before=before,
    )


def _limits_passed(
    stated: Discipline, staying: Sequence[Applicant], wanted: Sequence[Applicant]
) -> Iterator[EntryProblem]:
    """What is refused; persons who stand in two teams are told by the reader and as clashes."""
    for problem in entry_problems(stated, staying, wanted):
        if problem.fault is not EntryFault.PERSON_TWICE:
            yield problem


def _lacking(
    stated: Discipline, matched: Sequence[MatchedTeam], wanted: Sequence[Applicant]
) -> Iterator[tuple[RosterTeam, tuple[EntryLack, ...]]]:
    for each, applicant in zip(matched, wanted, strict=True):
        if found := lacks(stated, applicant):
            yield each.entry, tuple(found)


def _is_strange(matched: MatchedTeam) -> bool:
    return matched.team is not None and not _persons(matched.team) & _entry_persons(matched.entry)


def _matches(
    entries: tuple[RosterTeam, ...], stored: list[Team], *, by_session: bool
) -> Iterator[tuple[int, Team]]:
    by_number = {team.number: team for team in stored}
    taken: set[int] = set()
    for index, entry in enumerate(entries):
        if entry.number in by_number:
            taken.add(entry.number)
            yield index, by_number[entry.number]
    by_persons = {
        (_persons(team), team.session if by_session else ""): team
        for team in reversed(stored)
        if team.number not in taken
    }
    for index, entry in enumerate(entries):
        same = _entry_persons(entry), (entry.session or "") if by_session else ""
        team = None if entry.number in by_number else by_persons.pop(same, None)
        if team is not None:
            yield index, team


def _persons(team: Team) -> frozenset[str]:
    """The players' names in a team: two teams with the same ones are the same entry."""
    return frozenset(team.playing_names)


def _entry_persons(entry: RosterTeam) -> frozenset[str]:
    return frozenset(player.name for player in entry.players)


def _new_numbers(
    entries: tuple[RosterTeam, ...], found: Mapping[int, Team], stored: list[Team]
) -> dict[int, int]:
    """The numbers of new teams: the file's own, else those after the highest, in the order of the file."""
    written = [entry.number for entry in entries if entry.number is not None]
    following = max([0, *written, *(team.number for team in stored)]) + 1
    numbers: dict[int, int] = {}
    for index, entry in enumerate(entries):
        if index in found:
            continue
        numbers[index] = entry.number or following
        following += entry.number is None
    return numbers


def _matched(entry: RosterTeam, team: Team | None, number: int) -> MatchedTeam:
    if team is None:
        return MatchedTeam(entry, number)
    written = entry.number if entry.number not in (None, team.number) else None
    return MatchedTeam(entry, team.number, team, tuple(_field_changes(entry, team)), written)


def _field_changes(entry: RosterTeam, team: Team) -> Iterator[FieldChange]:
    if _persons(team) != _entry_persons(entry):
        yield FieldChange("players", " · ".join(team.playing_names), _names(entry.players))
    people = list(team.players.all())
    facts = {
        "department": (team.department.name if team.department else "", entry.department),
        "session": (team.session, entry.session),
        "name": (team.name, entry.name),
        "leader_name": (companion_name(people, PlayerRole.LEADER), entry.leader),
        "coach_name": (companion_name(people, PlayerRole.COACH), entry.coach),
        "remark": (team.remark, entry.remark),
    }
    for field, (old, new) in facts.items():
        if new and old != new:
            yield FieldChange(field, old, new)
    old_phones = {player.name: player.phone for player in team.players.all()}
    new_phones = {player.name: player.phone for player in entry.players if player.phone}
    if any(old_phones.get(name) != phone for name, phone in new_phones.items()):
        yield FieldChange("phones", _listed(old_phones.values()), _listed(new_phones.values()))


def _names(players: Iterable[RosterPlayer]) -> str:
    return " · ".join(player.name for player in players)


def _listed(phones: Iterable[str]) -> str:
    return " ".join(phone for phone in phones if phone)


def _clashes(
    stated: Discipline, entries: tuple[RosterTeam, ...], missing: tuple[Team, ...]
) -> Iterator[PlayerClash]:
    holders: dict[str, list[Team]] = {}
    for team in missing:
        for name in team.playing_names:
            holders.setdefault(name, []).append(team)
    for entry in entries:
        for player in entry.players:
            for team in holders.get(player.name, ()):
                if not may_both_be_played(stated, entry.session or "", team.session):
                    yield PlayerClash(entry, player.name, team)
                    break


def roster_entries(event: Event) -> list[RosterTeam]:
    """The event's teams as a file would hold them, rows counted from 2. Two queries."""
    return [
        RosterTeam(
            row=row,
            number=team.number,
            department=team.department.name if team.department else None,
            players=tuple(
                RosterPlayer(player.name, player.phone)
                for player in team.players.all()
                if player.role == PlayerRole.PLAYER
            ),
            session=team.session or None,
            name=team.name,
            remark=team.remark,
            leader=companion_name(team.players.all(), PlayerRole.LEADER),
            coach=companion_name(team.players.all(), PlayerRole.COACH),
        )
        for row, team in enumerate(roster_teams(event), start=2)
    ]
