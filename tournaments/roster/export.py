"""Rosters on their way out: a workbook that reads back as the same teams."""

from collections.abc import Sequence

from tournaments.roster.types import MAX_PLAYERS, RosterPlayer, RosterTeam
from tournaments.workbooks import Sheet, Value, write_workbook

_SEAT_NAMES = "一二三四五六"


def roster_sheet(teams: Sequence[RosterTeam], title: str = "报名表") -> Sheet:
    """The teams as a sheet: number, department, session, name, leader, coach, players, phone numbers, remark.

    Columns in which no team has anything are left out, except for number, department and two players.
    `read_roster` reads the written sheet back as the same teams with rows counted from 2.
    """
    seats = max((len(team.players) for team in teams), default=0)
    nobody = (RosterPlayer(""),) * MAX_PLAYERS
    seated = [[(team.players + nobody)[seat] for team in teams] for seat in range(max(seats, 2))]
    columns: list[tuple[str, list[Value]]] = [
        ("组号", [team.number for team in teams]),
        ("单位", [team.department for team in teams]),
        ("场次", [team.session for team in teams]),
        ("队名", [team.name for team in teams]),
        ("领队", [team.leader for team in teams]),
        ("教练", [team.coach for team in teams]),
    ]
    for seat, players in enumerate(seated):
        columns.append((f"选手{_SEAT_NAMES[seat]}", [player.name for player in players]))
    for seat, players in enumerate(seated):
        columns.append((f"电话{_SEAT_NAMES[seat]}", [player.phone for player in players]))
    columns.append(("备注", [team.remark for team in teams]))
    kept = _kept(columns)
    headers = [header for header, _ in kept]
    rows = list(zip(*(values for _, values in kept), strict=True)) if teams else []
    return Sheet(title, headers, rows, text_columns=range(2, len(headers) + 1))


def roster_workbook(teams: Sequence[RosterTeam]) -> bytes:
    """The teams as an .xlsx file."""
    return write_workbook([roster_sheet(teams)])


def _kept(columns: list[tuple[str, list[Value]]]) -> list[tuple[str, list[Value]]]:
    """The columns that say something. Phone columns stay together: the first belongs to the first player."""
    always = ("组号", "单位", "选手")
    phones = any(any(values) for header, values in columns if header.startswith("电话"))
    return [
        (header, values)
        for header, values in columns
        if header.startswith(always) or (phones if header.startswith("电话") else any(values))
    ]
