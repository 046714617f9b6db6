"""What is wrong with the entries, cell by cell and across the whole roster."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from tournaments.roster.entries import Entry, Seat, Spot, single_seat
from tournaments.roster.text import (
    is_garbled,
    is_nobody,
    plain_scientific,
    same_key,
    team_number,
    unusual_characters,
)
from tournaments.roster.types import (
    MAX_DEPARTMENT,
    MAX_PHONE,
    MAX_PLAYER_NAME,
    MAX_PLAYERS,
    MAX_REMARK,
    MAX_SESSION,
    MAX_TEAM_NAME,
    WARNINGS,
    CellProblem,
    ColumnGuess,
    Problem,
    RosterPlayer,
    RosterTeam,
)

_ROWS_TOLD = 5


@dataclass(frozen=True)
class _Finding:
    """A problem with its place; sorts by row, then column, then code."""

    row: int
    column: int
    code: Problem
    value: str = ""
    other_rows: tuple[int, ...] = ()


@dataclass
class _Findings:
    found: list[_Finding] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    """Texts of which a character was told already: one department stands in many rows."""

    def add(self, spot: Spot, code: Problem, value: str = "", other_rows: Iterable[int] = ()) -> None:
        self.found.append(
            _Finding(spot.row, spot.column, code, value or spot.text, tuple(islice(other_rows, _ROWS_TOLD)))
        )

    def add_unusual(self, spot: Spot, text: str) -> None:
        """Warns once of a text with a character that printers and projectors may lack."""
        found = unusual_characters(text)
        if found and text not in self.told:
            self.told.add(text)
            self.add(spot, Problem.UNUSUAL_CHARACTER, found)


@dataclass(frozen=True)
class Judgement:
    """The teams as far as they could be read, with their errors and warnings in the order of the sheet."""

    teams: tuple[RosterTeam, ...]
    errors: tuple[CellProblem, ...]
    warnings: tuple[CellProblem, ...]


def judge(
    entries: Sequence[Entry],
    columns: Sequence[ColumnGuess],
    *,
    department: str,
    skipped: Iterable[Spot] = (),
    several_sessions: bool = False,
) -> Judgement:
    """Turn entries into teams and say everything that is wrong at once.

    `department` is that of teams for which their row names none. With `several_sessions` a person may stand
    in one team of each session.
    """
    findings = _Findings()
    spellings = _Spellings()
    teams = tuple(_team(entry, department, spellings, findings) for entry in entries)
    _check_sizes(entries, findings)
    for session_entries in _by_session(entries) if several_sessions else [entries]:
        _check_people(session_entries, findings)
    _check_numbers(entries, teams, findings)
    _check_departments(entries, teams, findings)
    _check_sessions(entries, teams, findings)
    for spot in skipped:
        findings.add(spot, Problem.ROW_SKIPPED)
    return _judgement(teams, findings, {column.index: column for column in columns})


def _judgement(
    teams: tuple[RosterTeam, ...], findings: _Findings, columns: Mapping[int, ColumnGuess]
) -> Judgement:
    ordered = sorted(findings.found, key=lambda finding: (finding.row, finding.column, finding.code))
    problems = [
        CellProblem(
            found.row,
            column_title(columns.get(found.column)),
            found.code,
            found.value,
            found.other_rows,
        )
        for found in dict.fromkeys(ordered)
    ]
    return Judgement(
        teams,
        tuple(problem for problem in problems if problem.code not in WARNINGS),
        tuple(problem for problem in problems if problem.code in WARNINGS),
    )


def column_title(column: ColumnGuess | None) -> str:
    """The header as in the file, or `C列` where there is none."""
    if column is None:
        return ""
    return column.header or f"{column.letter}列"


class _Spellings:
    """信息 中心 is taken for 信息中心: the first spelling of a department stands for all."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def of(self, text: str) -> str:
        return self._first.setdefault(same_key(text), text) if text else ""


def _team(entry: Entry, department: str, spellings: _Spellings, findings: _Findings) -> RosterTeam:
    return RosterTeam(
        row=entry.row,
        number=_number(entry.number, findings),
        department=_department(entry, department, spellings, findings) or None,
        players=tuple(_player(seat, findings) for seat in entry.taken),
        session=_session(entry, findings) or None,
        name=_text(entry.name, MAX_TEAM_NAME, findings),
        remark=_text(entry.remark, MAX_REMARK, findings, keeps_blanks=True, is_printed=False),
        leader=_companion(entry.leader, findings),
        coach=_companion(entry.coach, findings),
    )


def _companion(spot: Spot | None, findings: _Findings) -> str:
    """The name of a leader or coach; nobody where the cell says so."""
    if spot is None or (is_nobody(spot.text) and not spot.cell.fault):
        return ""
    name = _text(spot, MAX_PLAYER_NAME, findings)
    if name and not any(character.isalpha() for character in name):
        findings.add(spot, Problem.NAME_INVALID)
    return name


def _number(spot: Spot | None, findings: _Findings) -> int | None:
    if spot is None or _has_fault(spot, findings) or not spot.text:
        return None
    number = team_number(spot.text)
    if number is None:
        findings.add(spot, Problem.NUMBER_INVALID)
    return number


def _department(entry: Entry, default: str, spellings: _Spellings, findings: _Findings) -> str:
    texts = [spellings.of(_text(spot, MAX_DEPARTMENT, findings)) for spot in entry.departments]
    named = [(spot, text) for spot, text in zip(entry.departments, texts, strict=True) if text]
    for spot, text in named[1:]:
        if same_key(text) != same_key(named[0][1]):
            findings.add(spot, Problem.DEPARTMENT_DIFFERS)
    return named[0][1] if named else spellings.of(default)


def _session(entry: Entry, findings: _Findings) -> str:
    return entry.heading_session or _text(entry.session, MAX_SESSION, findings)


def _text(
    spot: Spot | None,
    limit: int,
    findings: _Findings,
    *,
    keeps_blanks: bool = False,
    is_printed: bool = True,
) -> str:
    """The text of a cell; a fault or an excess is noted and gives an empty text."""
    if spot is None or _has_fault(spot, findings) or not spot.text:
        return ""
    text = plain_scientific(spot.line if keeps_blanks else spot.text)
    if text is None:
        findings.add(spot, Problem.DIGITS_LOST)
    elif len(text) > limit:
        findings.add(spot, Problem.TEXT_TOO_LONG)
    elif is_garbled(text):
        findings.add(spot, Problem.GARBLED_TEXT)
    else:
        if is_printed:
            findings.add_unusual(spot, text)
        return text
    return ""


def _player(seat: Seat, findings: _Findings) -> RosterPlayer:
    phone = unicodedata.normalize("NFKC", _text(seat.phone, MAX_PHONE, findings, is_printed=False))
    name = seat.name.text
    problem = _name_problem(seat.name)
    if problem is not None:
        findings.add(seat.name, problem)
    else:
        findings.add_unusual(seat.name, name)
    return RosterPlayer(name[:MAX_PLAYER_NAME], phone)


def _name_problem(spot: Spot) -> Problem | None:
    name = spot.text
    if len(name) > MAX_PLAYER_NAME:
        return Problem.NAME_TOO_LONG
    if spot.cell.fault is not None:
        return spot.cell.fault
    if is_garbled(name):
        return Problem.GARBLED_TEXT
    return None if any(character.isalpha() for character in name) else Problem.NAME_INVALID


def _has_fault(spot: Spot, findings: _Findings) -> bool:
    if spot.cell.fault is None:
        return False
    findings.add(spot, spot.cell.fault)
    return True


def _check_sizes(entries: Sequence[Entry], findings: _Findings) -> None:
    """Every team has a partner and as many players as most teams have, two at the least."""
    sizes = Counter(len(entry.taken) for entry in entries if len(entry.taken) > 1)
    usual = min(sizes, key=lambda size: (-sizes[size], size), default=2)
    for entry in entries:
        taken = entry.taken
        most = 2 if usual == 2 and not entry.has_columns else MAX_PLAYERS
        if len(taken) == 1:
            findings.add(single_seat(entry), Problem.MISSING_PARTNER, taken[0].name.text)
        elif len(taken) > most:
            findings.add(taken[most].name, Problem.TOO_MANY_PLAYERS)
        elif len(taken) < usual:
            findings.add(taken[-1].name, Problem.FEWER_PLAYERS, str(len(taken)))


def _by_session(entries: Sequence[Entry]) -> list[list[Entry]]:
    sessions: dict[str, list[Entry]] = {}
    for entry in entries:
        session = entry.heading_session or (entry.session.text if entry.session else "")
        sessions.setdefault(session, []).append(entry)
    return list(sessions.values())


def _check_people(entries: Sequence[Entry], findings: _Findings) -> None:
    """Nobody sits at two tables. A team that stands there twice is told once, not for each player."""
    rows_of_team: dict[tuple[str, ...], list[int]] = {}
    rows_of_person: dict[str, list[int]] = {}
    for entry in entries:
        people = [(seat.name, same_key(seat.name.text)) for seat in entry.taken if seat.name.text]
        team = tuple(sorted(key for _, key in people))
        if len(team) > 1 and team in rows_of_team:
            findings.add(people[0][0], Problem.TEAM_TWICE, other_rows=rows_of_team[team])
            rows_of_team[team].append(entry.row)
            continue
        rows_of_team[team] = [entry.row]
        for spot, key in people:
            rows = rows_of_person.setdefault(key, [])
            if rows:
                findings.add(spot, Problem.PLAYER_TWICE, other_rows=dict.fromkeys(rows))
            rows.append(spot.row)


def _check_numbers(entries: Sequence[Entry], teams: Sequence[RosterTeam], findings: _Findings) -> None:
    rows_of_number: dict[int, list[int]] = {}
    anybody = any(team.number is not None for team in teams)
    for entry, team in zip(entries, teams, strict=True):
        if entry.number is None:
            continue
        if team.number is None:
            if anybody and not entry.number.cell.text and not entry.number.cell.fault:
                findings.add(entry.number, Problem.NUMBER_MISSING)
            continue
        rows = rows_of_number.setdefault(team.number, [])
        if rows:
            findings.add(entry.number, Problem.NUMBER_TWICE, other_rows=rows)
        rows.append(team.row)


def _check_departments(entries: Sequence[Entry], teams: Sequence[RosterTeam], findings: _Findings) -> None:
    """A department may be left out of the whole roster, not out of a row."""
    if not any(team.department for team in teams):
        return
    for entry, team in zip(entries, teams, strict=True):
        blank = all(not spot.cell.text and not spot.cell.fault for spot in entry.departments)
        if entry.departments and team.department is None and blank:
            findings.add(entry.departments[0], Problem.DEPARTMENT_MISSING)


def _check_sessions(entries: Sequence[Entry], teams: Sequence[RosterTeam], findings: _Findings) -> None:
    if not any(team.session for team in teams):
        return
    for entry, team in zip(entries, teams, strict=True):
        if (
            entry.session
            and team.session is None
            and not entry.session.cell.text
            and not entry.session.cell.fault
        ):
            findings.add(entry.session, Problem.SESSION_MISSING)
