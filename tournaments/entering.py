"""参赛资格: whether the people of a team may enter as they would stand in the event.

Plain Python: what is stated (`tournaments.discipline`) meets the teams there are and those to come in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.discipline import Discipline

LEAST_PLAYERS = 2


class EntryFault(StrEnum):
    """What forbids an entry.

    - `PERSON_TWICE`: the person plays in another team already (`other`), in the same session or at all.
    - `TOO_MANY_PLAYERS`: more players than a team may have (`limit`).
    - `DEPARTMENT_TEAMS`: the department would have more teams than it may (`limit`).
    - `DEPARTMENT_PERSONS`: the department would have more players than it may (`limit`).
    """

    PERSON_TWICE = "person_twice"
    TOO_MANY_PLAYERS = "too_many_players"
    DEPARTMENT_TEAMS = "department_teams"
    DEPARTMENT_PERSONS = "department_persons"


class EntryLack(StrEnum):
    """What an entry still waits for; it does not keep anybody out."""

    PLAYERS = "players"
    LEADER = "leader"
    COACH = "coach"


@dataclass(frozen=True, slots=True)
class Applicant:
    """A team as it stands or would stand; `row` is its row in a file.

    `before` is how it stood, for a team that is changed: what has not grown is not refused.
    """

    number: int
    players: tuple[str, ...]
    department: str = ""
    session: str = ""
    leader: bool = False
    coach: bool = False
    row: int | None = None
    before: Applicant | None = None


@dataclass(frozen=True, slots=True)
class EntryProblem:
    """One fault of one entry, with the person and the other team, or the limit."""

    fault: EntryFault
    applicant: Applicant
    person: str = ""
    other: Applicant | None = None
    limit: int = 0


def entry_problems(
    stated: Discipline, staying: Sequence[Applicant], wanted: Sequence[Applicant]
) -> list[EntryProblem]:
    """What forbids the `wanted` entries beside the teams that stay, in their order."""
    found: list[EntryProblem] = []
    there = list(staying)
    for applicant in wanted:
        found += _problems(stated, there, applicant)
        there.append(applicant)
    return found


def lacks(stated: Discipline, applicant: Applicant) -> list[EntryLack]:
    """What the entry still waits for."""
    least = stated.players_least or stated.players or LEAST_PLAYERS
    waits = {
        EntryLack.PLAYERS: len(applicant.players) < least,
        EntryLack.LEADER: bool(stated.leader) and not applicant.leader,
        EntryLack.COACH: bool(stated.coach) and not applicant.coach,
    }
    return [lack for lack, is_missing in waits.items() if is_missing]


def may_both_be_played(stated: Discipline, session: str, other: str) -> bool:
    """Whether a person may play in two teams of these sessions."""
    return bool(stated.several_sessions) and bool(session) and bool(other) and session != other


def _problems(stated: Discipline, there: Sequence[Applicant], applicant: Applicant) -> Iterator[EntryProblem]:
    yield from _people(stated, there, applicant)
    before = applicant.before
    has_grown = before is None or len(applicant.players) > len(before.players)
    if stated.players is not None and has_grown and len(applicant.players) > stated.players:
        yield EntryProblem(EntryFault.TOO_MANY_PLAYERS, applicant, limit=stated.players)
    yield from _department(stated, there, applicant)


def _people(stated: Discipline, there: Iterable[Applicant], applicant: Applicant) -> Iterator[EntryProblem]:
    """Persons who play elsewhere; whoever stood in the team before, in the same session, stays."""
    before = applicant.before
    known = set(before.players) if before and before.session == applicant.session else set()
    holders: dict[str, Applicant] = {}
    for other in there:
        if not may_both_be_played(stated, applicant.session, other.session):
            for person in other.players:
                holders.setdefault(person, other)
    for person in applicant.players:
        if person in holders and person not in known:
            yield EntryProblem(EntryFault.PERSON_TWICE, applicant, person, holders[person])


def _department(
    stated: Discipline, there: Iterable[Applicant], applicant: Applicant
) -> Iterator[EntryProblem]:
    """A department's share; a change that takes no more of it is never refused."""
    if not applicant.department:
        return
    mates = [other for other in there if other.department == applicant.department]
    before = applicant.before
    had = before if before and before.department == applicant.department else None
    teams, persons = len(mates) + 1, len(applicant.players) + sum(len(mate.players) for mate in mates)
    if stated.department_teams is not None and not had and teams > stated.department_teams:
        yield EntryProblem(EntryFault.DEPARTMENT_TEAMS, applicant, limit=stated.department_teams)
    grows = not had or len(applicant.players) > len(had.players)
    if stated.department_persons is not None and grows and persons > stated.department_persons:
        yield EntryProblem(EntryFault.DEPARTMENT_PERSONS, applicant, limit=stated.department_persons)
