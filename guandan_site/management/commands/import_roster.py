"""Read a roster from Excel or CSV and store it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from guandan_site.management.commands._base import (
    EventCommand,
    Source,
    find_source,
    one_line,
    refusal,
    table_lines,
)
from tournaments.entering import EntryFault, EntryProblem
from tournaments.entry_words import entry_sentence
from tournaments.roster import (
    CellProblem,
    RosterReading,
    RosterTeam,
    UnreadableRoster,
    describe,
    read_roster,
)
from tournaments.selectors.entries import stated_rules
from tournaments.selectors.rosters import PlayerClash
from tournaments.services.rosters import RosterClashes, import_roster


@dataclass(frozen=True)
class Spot:
    """A place in the roster with what is wrong there; without a row it is the file as a whole."""

    row: int | None
    column: str | None
    message: str

    def as_json(self) -> dict[str, object]:
        """The place as the contract names it."""
        return {"row": self.row, "column": self.column, "message": self.message}


class Command(EventCommand):
    """Reads a roster as the browser's import does; stores all of it in a stored event, or nothing.

    With an event file in place of a stored event the roster is only read.
    """

    help = "Read a roster (.xlsx, .csv) and store it in a stored event."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        self.add_event_argument(parser)
        parser.add_argument("file", metavar="FILE", type=Path, help=_("path of the roster"))
        parser.add_argument("--dry-run", action="store_true", help=_("read it and store nothing"))
        parser.add_argument("--department", metavar="NAME", help=_("department of teams that name none"))

    def handle(self, *args: Any, **options: Any) -> None:
        source = find_source(options["event"])
        if source.event is None:
            source.document()
        path = options["file"]
        try:
            reading = read_roster(
                path.read_bytes(),
                path.name,
                department=options["department"],
                several_sessions=source.event is not None
                and bool(stated_rules(source.event).several_sessions),
            )
        except UnreadableRoster as error:
            self._refuse(options, [Spot(None, None, one_line(describe(error)))], [])
            return
        self._import(source, reading, options)

    def _import(self, source: Source, reading: RosterReading, options: dict[str, Any]) -> None:
        warnings = _spots(reading.warnings)
        if reading.errors:
            self._refuse(options, _spots(reading.errors), warnings)
        stored = 0
        if source.event is not None and not options["dry_run"]:
            name = options["file"].name
            try:
                stored = import_roster(event=source.event, reading=reading, by=None, source=name).stored
            except RosterClashes as error:
                clashes = [_clash(each) for each in error.changes.clashes]
                refused = [_limit(each) for each in error.changes.refused]
                self._refuse(options, [*clashes, *refused], warnings)
        self.answer(options, _answer(reading.teams, [], warnings, stored), _lines(reading.teams, stored))
        self._warn(warnings)

    def _refuse(self, options: dict[str, Any], errors: Sequence[Spot], warnings: Sequence[Spot]) -> None:
        if options["json"]:
            self.answer(options, _answer((), errors, warnings, 0), [])
        self._warn(warnings)
        raise refusal(*(each.message for each in errors))

    def _warn(self, warnings: Sequence[Spot]) -> None:
        for warning in warnings:
            self.stderr.write(warning.message, self.style.WARNING)


def _spots(problems: Sequence[CellProblem]) -> list[Spot]:
    return [Spot(each.row, each.column, one_line(describe(each))) for each in problems]


def _clash(clash: PlayerClash) -> Spot:
    words = _("row %(row)s: %(player)s already plays in team %(number)s")
    place = {"row": clash.entry.row, "player": clash.player, "number": clash.team.number}
    return Spot(clash.entry.row, _("players"), words % place)


def _limit(problem: EntryProblem) -> Spot:
    column = {EntryFault.TOO_MANY_PLAYERS: _("players")}.get(problem.fault, _("department"))
    return Spot(problem.applicant.row or 0, column, entry_sentence(problem))


def _answer(
    teams: Sequence[RosterTeam], errors: Sequence[Spot], warnings: Sequence[Spot], stored: int
) -> dict[str, object]:
    return {
        "teams": [_team(each) for each in teams],
        "errors": [each.as_json() for each in errors],
        "warnings": [each.as_json() for each in warnings],
        "stored": stored,
    }


def _team(team: RosterTeam) -> dict[str, object]:
    return {
        "row": team.row,
        "number": team.number,
        "department": team.department,
        "players": [player.name for player in team.players],
        "session": team.session,
    }


def _lines(teams: Sequence[RosterTeam], stored: int) -> Iterator[str]:
    heads = [_("row"), _("number"), _("department"), _("players"), _("session")]
    names = [" · ".join(player.name for player in team.players) for team in teams]
    yield from table_lines(
        heads,
        [
            [team.row, team.number or "", team.department or "", players, team.session or ""]
            for team, players in zip(teams, names, strict=True)
        ],
    )
    yield _("%(count)s teams read, %(stored)s stored") % {"count": len(teams), "stored": stored}
