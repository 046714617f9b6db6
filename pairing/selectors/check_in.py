"""签到: where every team of the present stage stands about coming to the round at hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from pairing.selectors.latecomers import waiting_teams
from scoring.selectors import stage_teams, with_names
from tournaments.attendance import Absence, absence_from, read_absences, read_lateness
from tournaments.models import Department, Event, Match, Stage, StageFormat, Team
from tournaments.selectors.attendance import RoundAtHand, round_at_hand
from tournaments.selectors.stages import current_stage


class Presence(StrEnum):
    """How a team stands about the round at hand.

    `LATE` is here but has no place in the published round; `ABSENT` and `EXCUSED` miss the round;
    `MISSING` is expected and has not checked in; `FREE` has no match in a round of schedule or bracket.
    """

    PRESENT = "present"
    MISSING = "missing"
    LATE = "late"
    ABSENT = "absent"
    EXCUSED = "excused"
    WITHDRAWN = "withdrawn"
    FREE = "free"


EXPECTED = (Presence.PRESENT, Presence.MISSING, Presence.LATE)


@dataclass(frozen=True)
class CheckInRow:
    """A team; `match` is its place in the published round, `absence` why it misses the round at hand."""

    team: Team
    presence: Presence
    match: Match | None = None
    absence: Absence | None = None
    minutes_late: int = 0

    @property
    def is_here(self) -> bool:
        """Whether it has come."""
        return self.presence in (Presence.PRESENT, Presence.LATE)


@dataclass(frozen=True)
class CheckInDepartment:
    """单位 with its teams by number; None for those without one."""

    department: Department | None
    rows: tuple[CheckInRow, ...]

    @property
    def key(self) -> str:
        """How a button names it."""
        return str(self.department.pk) if self.department else "none"

    @property
    def expected(self) -> int:
        """How many of its teams should be here."""
        return sum(row.presence in EXPECTED for row in self.rows)

    @property
    def here(self) -> int:
        """How many of them are."""
        return sum(row.is_here for row in self.rows)

    @property
    def missing(self) -> int:
        """How many of them are not."""
        return self.expected - self.here


@dataclass(frozen=True)
class CheckIn:
    """The check-in of a stage's round at hand, teams by number."""

    hand: RoundAtHand
    rows: tuple[CheckInRow, ...]

    def of(self, *wanted: Presence) -> list[CheckInRow]:
        """The teams that stand like this."""
        return [row for row in self.rows if row.presence in wanted]

    @property
    def missing(self) -> list[CheckInRow]:
        """Who is expected and not here."""
        return self.of(Presence.MISSING)

    @property
    def here(self) -> int:
        """How many of those expected are here."""
        return len(self.of(Presence.PRESENT, Presence.LATE))

    @property
    def expected(self) -> int:
        """How many should be here."""
        return len(self.of(*EXPECTED))

    @property
    def is_mostly_missing(self) -> bool:
        """Whether more than half are not here: perhaps nobody has checked anybody in yet."""
        return 2 * len(self.missing) > self.expected

    @property
    def departments(self) -> list[CheckInDepartment]:
        """The departments by name as they were entered, those without one last."""
        groups: dict[int | None, list[CheckInRow]] = {}
        for row in self.rows:
            groups.setdefault(row.team.department_id, []).append(row)
        found = [CheckInDepartment(rows[0].team.department, tuple(rows)) for rows in groups.values()]
        return sorted(found, key=lambda each: (each.department is None, each.rows[0].team.department_id or 0))

    def row(self, number: int) -> CheckInRow | None:
        """The team with this number (组号)."""
        return next((row for row in self.rows if row.team.number == number), None)


def event_check_in(event: Event) -> CheckIn | None:
    """The check-in of the present stage; None for an event without stages. Four queries, ten in play."""
    stage = current_stage(event)
    return stage_check_in(stage) if stage is not None else None


def stage_check_in(stage: Stage) -> CheckIn:
    """The check-in of a stage. Three queries, nine while a round is played."""
    hand = round_at_hand(stage)
    teams = list(with_names(stage_teams(stage)))
    if hand.round is None or not hand.is_published:
        return CheckIn(hand, tuple(_row(hand, team, _before_play(hand, team)) for team in teams))
    waiting = {team.pk for team in waiting_teams(hand.round)}
    matches = _seated(hand)
    rows = [
        _row(hand, team, _in_play(hand, team, team.pk in waiting, team.pk in matches), matches.get(team.pk))
        for team in teams
    ]
    return CheckIn(hand, tuple(rows))


def missing_teams(stage: Stage, round_number: int) -> list[Team]:
    """Who is expected in the Swiss round to be drawn and has not checked in, by number. One query.

    Nobody where the event does without check-in, nor in a schedule or bracket, which seats absent teams too.
    """
    if not stage.event.uses_check_in or stage.format != StageFormat.SWISS:
        return []
    teams = stage_teams(stage).filter(withdrawn_after=None, checked_in_at=None)
    return [team for team in teams if not team.is_absent(stage, round_number)]


def matches_of(team: Team, stage: Stage) -> list[Match]:
    """The team's matches of the stage in published rounds, with result. One query."""
    rows = Match.objects.filter(seats__team=team, round__stage=stage).exclude(round__status="draft")
    return list(rows.select_related("round", "result", "home", "away").order_by("round__number"))


def _row(hand: RoundAtHand, team: Team, presence: Presence, match: Match | None = None) -> CheckInRow:
    absence = absence_from(read_absences(team.absences), hand.stage.key, hand.number)
    lateness = read_lateness(team.lateness)
    minutes = (each.minutes for each in lateness if (each.stage, each.round) == (hand.stage.key, hand.number))
    return CheckInRow(team, presence, match, absence, next(minutes, 0))


def _before_play(hand: RoundAtHand, team: Team) -> Presence:
    if team.is_withdrawn:
        return Presence.WITHDRAWN
    absent = _absent(hand, team)
    if absent is not None and hand.stage.format == StageFormat.SWISS:
        return absent
    return _arrived(hand, team)


def _in_play(hand: RoundAtHand, team: Team, is_waiting: bool, is_seated: bool) -> Presence:
    if team.is_withdrawn and not is_seated:
        return Presence.WITHDRAWN
    if is_seated:
        return _arrived(hand, team)
    if hand.stage.format != StageFormat.SWISS:
        return Presence.FREE
    if is_waiting:
        return Presence.LATE
    return _absent(hand, team) or Presence.MISSING


def _absent(hand: RoundAtHand, team: Team) -> Presence | None:
    absence = absence_from(read_absences(team.absences), hand.stage.key, hand.number)
    if absence is None:
        return None
    return Presence.EXCUSED if absence.excused else Presence.ABSENT


def _arrived(hand: RoundAtHand, team: Team) -> Presence:
    is_here = team.checked_in_at is not None or not hand.stage.event.uses_check_in
    return Presence.PRESENT if is_here else Presence.MISSING


def _seated(hand: RoundAtHand) -> dict[int, Match]:
    """The matches of the round by team. One query."""
    rows = Match.objects.filter(round=hand.round).select_related("round__stage", "result", "home", "away")
    matches: dict[int, Match] = {}
    for match in rows:
        matches |= {team: match for team in (match.home_id, match.away_id) if team is not None}
    return matches


def teams_wanted(rows: Iterable[CheckInRow], wanted: str) -> list[CheckInRow]:
    """Whom a typed number or part of a name means: the number alone where it is one. No query."""
    if wanted.isdecimal():
        return [row for row in rows if row.team.number == int(wanted)]
    text = wanted.casefold()
    return [row for row in rows if text in row.team.player_names.casefold() or _is_of(row, text)]


def _is_of(row: CheckInRow, text: str) -> bool:
    return row.team.department is not None and text in row.team.department.name.casefold()
