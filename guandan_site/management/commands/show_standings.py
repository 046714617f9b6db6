"""Show the standings of a stage."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from guandan_site.event_file.computing import NoSuchRound, StageStandings, stage_standings
from guandan_site.event_file.document import EventDocument, TeamEntry
from guandan_site.management.commands._base import (
    EventCommand,
    chosen_stage,
    refusal,
    table_lines,
    whole_event,
)
from scoring.engine.standings import KeyValue, StandingRow
from scoring.wording import KEY_NAMES


class Command(EventCommand):
    """Shows the standings, best first, with the key that set each row below the one above."""

    help = "Show the standings of a stage, now or after a round."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        self.add_event_argument(parser)
        self.add_stage_argument(parser)
        parser.add_argument("--after-round", metavar="N", type=int, help=_("standings after this round"))

    def handle(self, *args: Any, **options: Any) -> None:
        _source, document = whole_event(options["event"])
        stage = chosen_stage(document, options["stage"])
        try:
            found = stage_standings(document, stage, options["after_round"])
        except NoSuchRound as error:
            raise refusal(
                _("round %(number)s is not published; the last one is %(last)s")
                % {"number": error.number, "last": error.last}
            ) from error
        self.answer(options, standings_json(found), standings_lines(document, found))


def standings_json(found: StageStandings) -> dict[str, object]:
    """The standings as the contract names them; `incomplete_rounds` still miss a result."""
    return {
        "stage": found.stage.id,
        "after_round": found.after_round,
        "incomplete_rounds": list(found.incomplete),
        "rows": [_row_json(row) for row in found.rows],
    }


def _row_json(row: StandingRow) -> dict[str, object]:
    return {
        "rank": row.rank,
        "team": row.team,
        "number": row.number,
        "points": row.points,
        "keys": {key.value: _plain(value) for key, value in row.keys.items()},
        "decided_by": row.decided_by.value if row.decided_by else None,
        "withdrawn": row.withdrawn,
    }


def _plain(value: KeyValue) -> object:
    """A key's value as JSON has it; halves are exact as binary fractions."""
    if isinstance(value, Fraction):
        return float(value)
    return list(value) if isinstance(value, tuple) else value


def standings_lines(document: EventDocument, found: StageStandings) -> Iterator[str]:
    """The standings for people, in columns."""
    teams = {team.id: team for team in document.teams}
    yield _("%(stage)s: standings after round %(number)s") % {
        "stage": found.stage.name,
        "number": found.after_round,
    }
    for number in found.incomplete:
        yield _("Round %(number)s is not complete.") % {"number": number}
    heads = [_("rank"), _("number"), _("team"), _("points"), _("decided by"), ""]
    yield from table_lines(heads, (_cells(row, teams[str(row.team)]) for row in found.rows))


def _cells(row: StandingRow, team: TeamEntry) -> list[object]:
    names = " · ".join(player.name for player in team.players)
    decided_by = str(KEY_NAMES[row.decided_by]) if row.decided_by else ""
    return [row.rank, row.number, names, row.points, decided_by, _("withdrawn") if row.withdrawn else ""]
