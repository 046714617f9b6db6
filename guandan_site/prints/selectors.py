"""From the database to what a sheet or a workbook shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType

from django.utils import timezone
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from pairing.rulebook import Chapter, event_chapters
from pairing.rulebook.game import game_lines, time_lines
from pairing.rulebook.sentences import joined
from pairing.selectors.published import DrawSheet
from pairing.selectors.ranking import FinalPlace
from pairing.selectors.versions import FrozenTeam, Version
from scoring.engine.rules import RankingKey
from scoring.penalty_rows import counted_notes
from scoring.selectors import Standings, TeamStanding, stage_rules, with_names
from scoring.wording import KEY_NAMES, key_value
from tournaments.models import Event, Round, Stage, Team
from tournaments.sheets import (
    DrawByNumberRow,
    DrawRow,
    RosterRow,
    SheetHead,
    SheetTeam,
    SlipRow,
    StandingSheetRow,
)
from tournaments.workbooks import Sheet


def sheet_head(
    event: Event,
    title: str,
    *,
    subtitle: str = "",
    version: str = "",
    at: datetime | None = None,
    notice: str = "",
    phones: str = "",
) -> SheetHead:
    """Head and foot of a sheet; without a time of publication it tells when it was printed."""
    return SheetHead(
        event=event.name,
        organiser=event.organiser,
        venue=event.venue,
        title=title,
        subtitle=subtitle,
        version=version,
        printed_at=at or timezone.now(),
        notice=notice,
        phones=phones,
        is_rehearsal=event.is_rehearsal,
    )


def numbered_chapters(event: Event) -> list[tuple[str, Chapter]]:
    """The chapters of the rules with their numerals: 一、 in Chinese. One query."""
    return [(_numeral(place), chapter) for place, chapter in enumerate(event_chapters(event), start=1)]


def _numeral(place: int) -> str:
    is_chinese = (get_language() or "").startswith("zh")
    return f"{'零一二三四五六七八九'[place]}、" if is_chinese else f"{place}. "


def sheet_team(team: Team) -> SheetTeam:
    """A team as paper names it. No query with players and department loaded."""
    players = team.seated or team.playing_names
    department = team.department.name if team.department else ""
    return SheetTeam(team.number, players, department, team.is_withdrawn, team.name)


def draw_rows(sheet: DrawSheet) -> list[DrawRow]:
    """The tables in order, byes last."""
    tables = [
        DrawRow(match.table, sheet_team(match.home), sheet_team(match.away) if match.away else None)
        for match in sheet.tables
    ]
    return tables + [DrawRow(None, sheet_team(match.home), None) for match in sheet.byes]


def draw_by_number_rows(sheet: DrawSheet) -> list[DrawByNumberRow]:
    """Every team of the round with its table."""
    return [
        DrawByNumberRow(
            sheet_team(place.team), place.table, sheet_team(place.opponent) if place.opponent else None
        )
        for place in sheet.places
    ]


def slip_rows(sheet: DrawSheet, phones: Mapping[int, str] = MappingProxyType({})) -> list[SlipRow]:
    """One slip a table, with the address of its phone page by table; a bye needs none."""
    return [
        SlipRow(
            match.table,
            sheet.round.number,
            sheet_team(match.home),
            sheet_team(match.away),
            phones.get(match.table, ""),
        )
        for match in sheet.tables
        if match.table is not None and match.away is not None
    ]


def rules_line(stage: Stage) -> str:
    """What a table needs to know of the game, in one run of sentences. No query."""
    rules = stage_rules(stage)
    return joined((*time_lines(rules.match), *game_lines(rules.match, tie_allowed=rules.tie_allowed)))


def frozen_rows(version: Version) -> list[DrawRow]:
    """The tables of a version as it was published, byes last."""
    return [
        DrawRow(match.table, _frozen_team(match.home), _frozen_team(match.away) if match.away else None)
        for match in version.matches
        if match.table is not None or match.away is None
    ]


def frozen_by_number_rows(version: Version) -> list[DrawByNumberRow]:
    """Every team of a version with its table as it was published."""
    return [
        DrawByNumberRow(
            _frozen_team(seat.team), seat.table, _frozen_team(seat.opponent) if seat.opponent else None
        )
        for seat in version.seats.values()
    ]


def frozen_slip_rows(round_: Round, version: Version) -> list[SlipRow]:
    """One slip a table of a version as it was published."""
    return [
        SlipRow(match.table, round_.number, _frozen_team(match.home), _frozen_team(match.away))
        for match in version.matches
        if match.table is not None and match.away is not None
    ]


def _frozen_team(team: FrozenTeam) -> SheetTeam:
    return SheetTeam(team.number, tuple(team.names.split(" · ")), team.department)


def roster_rows(event: Event, session: str = "") -> list[RosterRow]:
    """The numbered list; remarks may be private and stay out, leader and coach stand in their place.

    With a `session` only its teams. Two queries.
    """
    teams = with_names(event.teams.order_by("number"))
    if session:
        teams = teams.filter(session=session)
    return [RosterRow(sheet_team(team), team.session, _companions(team)) for team in teams]


def _companions(team: Team) -> str:
    """领队 王一 教练 李二."""
    return "\u3000".join(f"{person.get_role_display()} {person.name}" for person in team.companions)


def key_columns(standings: Standings) -> list[RankingKey]:
    """The ranking keys that get a column: all but the points, which have their own."""
    return [key for key in standings.ranking if key is not RankingKey.POINTS]


def standing_rows(standings: Standings) -> list[StandingSheetRow]:
    """The standings as paper shows them."""
    keys = key_columns(standings)
    return [
        StandingSheetRow(
            rank=row.rank,
            shared=row.is_shared,
            team=sheet_team(row.team),
            points=str(row.points),
            cells=tuple(key_value(row.keys.get(key), row.unentered) for key in keys),
            decided_by=str(KEY_NAMES[row.decided_by]) if row.decided_by else "",
        )
        for row in standings.rows
    ]


def place_rows(places: Iterable[FinalPlace]) -> list[StandingSheetRow]:
    """Places over all stages as paper shows them; the cell names the stage that decided the place."""
    return [
        StandingSheetRow(
            rank=place.first,
            shared=place.is_shared,
            team=sheet_team(place.team),
            points="",
            cells=(place.stage.name,),
        )
        for place in places
    ]


def place_cells(places: Iterable[FinalPlace]) -> tuple[list[str], list[list[str | int]]]:
    """Headers and rows of the places over all stages as a workbook."""
    headers = [_("Rank"), _("Team number"), _("Players"), _("Department"), _("Stage"), _("Remark")]
    return headers, [
        [
            rank_words(place.first, place.is_shared),
            place.team.number,
            place.team.player_names,
            place.team.department.name if place.team.department else "",
            place.stage.name,
            _("withdrawn") if place.team.is_withdrawn else "",
        ]
        for place in places
    ]


def rank_words(rank: int, is_shared: bool) -> str:
    """A rank as a list cell: a shared one says so."""
    return f"{rank} " + pgettext("mark on a sheet", "shared") if is_shared else str(rank)


def _remark(standings: Standings, row: TeamStanding, penalties: Iterable[str]) -> str:
    words = {
        _("withdrawn"): row.withdrawn,
        _("a result not confirmed"): row.team.pk in standings.unconfirmed_teams,
    }
    return " ".join([*(word for word, is_so in words.items() if is_so), *penalties])


def standing_cells(standings: Standings) -> tuple[list[str], list[list[str | int]]]:
    """Headers and rows of the standings as a workbook; numbers stay numbers."""
    keys = key_columns(standings)
    penalties: dict[int, list[str]] = {}
    for note in counted_notes(standings.stage, standings.after_round):
        penalties.setdefault(note.team.pk, []).append(note.words)
    headers = [
        _("Rank"),
        _("Team number"),
        _("Players"),
        _("Department"),
        _("Points"),
        *(str(KEY_NAMES[key]) for key in keys),
        _("Decided by"),
        _("Remark"),
    ]
    rows: list[list[str | int]] = [
        [
            rank_words(row.rank, row.is_shared),
            row.team.number,
            row.team.player_names,
            row.team.department.name if row.team.department else "",
            row.points,
            *(key_value(row.keys.get(key), row.unentered) for key in keys),
            str(KEY_NAMES[row.decided_by]) if row.decided_by else "",
            _remark(standings, row, penalties.get(row.team.pk, ())),
        ]
        for row in standings.rows
    ]
    return headers, rows


def draw_sheets(sheet: DrawSheet) -> list[Sheet]:
    """A round's workbook: who sits where by table and by number, and a list for writing the results down."""
    headers, rows = _by_table_cells(draw_rows(sheet))
    return [
        Sheet(_("By table"), headers, rows, is_landscape=True),
        Sheet(_("By number"), *_by_number_cells(draw_by_number_rows(sheet))),
        Sheet(_("Result sheet"), *_slip_cells(slip_rows(sheet)), is_landscape=True),
    ]


def _by_number_cells(rows: Iterable[DrawByNumberRow]) -> tuple[list[str], list[list[str | int]]]:
    headers = [_("Team number"), _("Players"), _("Department"), _("Table"), _("Opponent")]
    by_number = sorted(rows, key=lambda row: row.team.number)
    return headers, [
        [
            row.team.number,
            row.team.names,
            row.team.department,
            row.table or _("bye"),
            f"{row.opponent.number} {row.opponent.names}" if row.opponent else "",
        ]
        for row in by_number
    ]


def _slip_cells(rows: Iterable[SlipRow]) -> tuple[list[str], list[list[str | int]]]:
    headers = [
        _("Table"),
        _("Home number"),
        _("Home players"),
        _("Home level"),
        _("Away level"),
        _("Away number"),
        _("Away players"),
    ]
    return headers, [
        [row.table, row.home.number, row.home.names, "", "", row.away.number, row.away.names] for row in rows
    ]


def _by_table_cells(rows: Iterable[DrawRow]) -> tuple[list[str], list[list[str | int]]]:
    headers = [
        _("Table"),
        _("Home number"),
        _("Home players"),
        _("Home department"),
        _("Away number"),
        _("Away players"),
        _("Away department"),
    ]
    cells: list[list[str | int]] = []
    for row in rows:
        away = row.away
        cells.append(
            [
                row.table or _("bye"),
                row.home.number,
                row.home.names,
                row.home.department,
                away.number if away else "",
                away.names if away else "",
                away.department if away else "",
            ]
        )
    return headers, cells
