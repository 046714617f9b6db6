"""Draw the next round of a stage."""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _

from guandan_site.event_file.beginning import NotBegun, format_round
from guandan_site.event_file.document import EventDocument, RoundEntry, StageEntry, StageFormat, TeamEntry
from guandan_site.event_file.drawing import (
    RoundNotCompleted,
    drafted_round,
    draw_next_round,
    hall_of,
    next_round_number,
    with_round,
)
from guandan_site.event_file.dumping import in_table_order, to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.management.commands._base import (
    EventCommand,
    Source,
    chosen_stage,
    one_line,
    refusal,
    seed_number,
    table_lines,
    whole_event,
    write_file,
)
from pairing import wording
from pairing.engine.formats import InvalidFormat
from pairing.engine.tables import TooFewTables
from pairing.engine.types import NoLegalDraw, Note
from pairing.explained import explained_from_dict
from pairing.services.drawing import SEEDS
from pairing.services.drawing import draw_round as draw_stored_round
from pairing.services.refusals import Refused

Teams = Mapping[str, TeamEntry]


class Command(EventCommand):
    """Draws the next round; nothing is stored without `--save`, which makes it a draft.

    Where no legal draw exists, tells which teams make it impossible and what could be relaxed.
    """

    help = "Draw the next round of a stage; with --save as a draft of the stored event or of the file."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        self.add_event_argument(parser)
        self.add_stage_argument(parser)
        parser.add_argument(
            "--seed", metavar="N", type=seed_number, help=_("seed of the lots; without it a new one")
        )
        parser.add_argument("--save", action="store_true", help=_("keep the draw as a draft"))

    def handle(self, *args: Any, **options: Any) -> None:
        source, document = whole_event(options["event"])
        stage = chosen_stage(document, options["stage"])
        seed = secrets.randbelow(SEEDS) if options["seed"] is None else options["seed"]
        teams = {team.id: team for team in document.teams}
        try:
            drawn = _drawn(source, document, stage, seed, options["save"])
        except (NoLegalDraw, InvalidFormat, TooFewTables, NotBegun, RoundNotCompleted, Refused) as error:
            raise self._refused(error, teams, options) from error
        self.answer(options, _draw_json(drawn, teams), _draw_lines(drawn, teams))
        if drawn.number > stage.rounds_planned:
            self.stderr.write(
                _("All %(planned)s planned rounds are played.") % {"planned": stage.rounds_planned}
            )

    def _refused(self, error: Exception, teams: Teams, options: dict[str, Any]) -> CommandError:
        message = one_line(_refusal_message(error, teams))
        if options["json"]:
            self.answer(options, _refusal_json(error, message), [])
        offered = error.relaxations if isinstance(error, NoLegalDraw) else ()
        return refusal(message, *(wording.relaxation_name(each) for each in offered))


def _drawn(source: Source, document: EventDocument, stage: StageEntry, seed: int, save: bool) -> RoundEntry:
    if save and source.event is not None:
        stored = source.event.stages.get(key=stage.id)
        number = draw_stored_round(stage=stored, by=None, seed=seed).number
        saved = chosen_stage(document_of(source.event), stage.id)
        return saved.rounds[number - 1]
    if stage.format is StageFormat.SWISS:
        hall = hall_of(document, stage)
        drawn = drafted_round(draw_next_round(document, stage, seed), tables=hall)
    else:
        stage, drawn = format_round(document, stage, next_round_number(stage), seed)
    if save and source.path is not None:
        stages = tuple(with_round(stage, drawn) if each.id == stage.id else each for each in document.stages)
        write_file(source.path, to_bytes(replace(document, stages=stages)))
    return drawn


def _draw_json(drawn: RoundEntry, teams: Teams) -> dict[str, object]:
    explained = explained_from_dict(drawn.draw.explained if drawn.draw else {})
    broken = drawn.draw.explained.get("broken", []) if drawn.draw else []
    byes = [match.home for match in drawn.matches if match.is_bye]
    return {
        "round": drawn.number,
        "seed": drawn.draw.seed if drawn.draw else 0,
        "matches": [
            {
                "table": match.table,
                "home": match.home,
                "away": match.away,
                "notes": _reasons(explained.tables.get(match.table or 0, ()), teams),
            }
            for match in in_table_order(drawn.matches)
            if not match.is_bye
        ],
        "bye": byes[0] if byes else None,
        "bye_notes": wording.bye_reasons(_numbered(explained.bye, teams)),
        "broken": [{"rule": each["rule"], "teams": each["teams"]} for each in broken],  # type: ignore[attr-defined]
    }


def _reasons(notes: Iterable[Note], teams: Teams) -> list[str]:
    return wording.table_reasons(_numbered(notes, teams))


def _numbered(notes: Iterable[Note], teams: Teams) -> list[Note]:
    """Notes that name teams by the number that players know."""
    numbers = {team.id: team.number for team in teams.values()}
    return [
        Note(note.kind, numbers[str(note.team)], numbers.get(str(note.other)), note.round) for note in notes
    ]


def _draw_lines(drawn: RoundEntry, teams: Teams) -> Iterator[str]:
    """The draw for people, in columns, with the reasons under it."""
    answer: Any = _draw_json(drawn, teams)
    yield _("Round %(round)s, seed %(seed)s") % answer
    heads = [_("table"), _("home"), _("away")]
    rows = [
        [each["table"], _label(teams[each["home"]]), _label(teams[each["away"]])]
        for each in answer["matches"]
    ]
    yield from table_lines(heads, rows)
    if answer["bye"]:
        yield " ".join(
            [_("Bye: %(team)s") % {"team": _label(teams[answer["bye"]])}, answer["bye_notes"]]
        ).rstrip()
    for each in answer["matches"]:
        for reason in each["notes"]:
            yield _("Table %(table)s: %(reason)s") % {"table": each["table"], "reason": reason}


def _label(team: TeamEntry) -> str:
    return f"{team.number} {' · '.join(player.name for player in team.players)}"


def _refusal_message(error: Exception, teams: Teams) -> str:
    if isinstance(error, NoLegalDraw):
        return wording.impossible(error, _numbers(error.teams, teams), _numbers(error.only_opponents, teams))
    if isinstance(error, Refused):
        return wording.refusal(error)
    if isinstance(error, RoundNotCompleted):
        return _("Round %(number)s is still being played. Close it first.") % {"number": error.number}
    if isinstance(error, InvalidFormat):
        return wording.format_fault(error)
    if isinstance(error, TooFewTables):
        return wording.too_few_tables(error)
    return _("This stage has not begun: its groups or bracket are not drawn yet.")


def _numbers(ids: tuple[int | str, ...], teams: Teams) -> list[int]:
    return sorted(teams[str(team)].number for team in ids)


def _refusal_json(error: Exception, message: str) -> dict[str, object]:
    if not isinstance(error, NoLegalDraw):
        return {"error": message, "impossible": None, "relaxations": []}
    return {
        "error": message,
        "impossible": {"teams": list(error.teams), "reason": error.reason.value},
        "relaxations": [{"rule": each.rule.value, "value": each.value} for each in error.relaxations],
    }
