"""Invent an event and play it through its draws."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from guandan_site.event_file.document import EventDocument
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.simulating import (
    MOST_PLAYERS,
    CannotSimulate,
    FieldWishes,
    FormatWishes,
    SimulatedFormat,
    simulate,
)
from guandan_site.event_file.storing import EventExists, store_event
from guandan_site.management.commands._base import EventCommand, refusal, seed_number, write_file
from pairing.engine.formats import InvalidFormat
from pairing.engine.knockout import BracketOrder, Byes, PlayedOut
from pairing.wording import format_fault


class Command(EventCommand):
    """Prints, writes or stores an invented event; the same numbers always give the same one."""

    help = "Invent an event with random strengths and play it through its draws."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        for name, kind, about in (
            ("teams", int, _("number of teams")),
            ("departments", int, _("number of departments")),
            ("seed", seed_number, _("seed of all chance in it")),
        ):
            parser.add_argument(f"--{name}", metavar="N", type=kind, required=True, help=about)
        parser.add_argument("--rounds", metavar="N", type=int, default=4, help=_("number of Swiss rounds"))
        parser.add_argument(
            "--players",
            metavar="N",
            type=int,
            default=2,
            help=_("players of a team, two of them at the table"),
        )
        parser.add_argument(
            "--rests", metavar="N", type=int, default=0, help=_("how many teams miss each Swiss round")
        )
        self._add_formats(parser)
        target = parser.add_mutually_exclusive_group()
        target.add_argument("-o", "--output", metavar="FILE", type=Path, help=_("write to this file"))
        target.add_argument("--save", action="store_true", help=_("store the event"))

    def _add_formats(self, parser: CommandParser) -> None:
        formats = [each.value for each in SimulatedFormat]
        parser.add_argument(
            "--format", choices=formats, default=SimulatedFormat.SWISS.value, help=_("kind of event")
        )
        parser.add_argument("--groups", metavar="N", type=int, default=1, help=_("number of groups"))
        parser.add_argument("--double", action="store_true", help=_("everybody meets everybody twice"))
        parser.add_argument(
            "--advance", metavar="N", type=int, default=2, help=_("how many of each group go on")
        )
        for name, kinds, about in (
            ("bracket", BracketOrder, _("order of the knockout")),
            ("byes", Byes, _("who has the byes of the knockout")),
            ("played-out", PlayedOut, _("what is played for besides the champion")),
        ):
            parser.add_argument(f"--{name}", choices=[kind.value for kind in kinds], help=about)
        parser.add_argument("--best-of", metavar="N", type=int, default=1, help=_("games of the final"))

    def handle(self, *args: Any, **options: Any) -> None:
        document = _simulated(options)
        content = to_bytes(document)
        if options["output"]:
            write_file(options["output"], content)
        if options["save"]:
            _store(document)
        if options["json"] or not (options["output"] or options["save"]):
            self.stdout.write(content.decode(), ending="")
        else:
            self.stdout.write(_("written: %(name)s") % {"name": options["output"] or document.event.slug})


def _simulated(options: dict[str, Any]) -> EventDocument:
    wanted = {name: options[name] for name in ("teams", "departments", "rounds", "seed")}
    knockout = {name: options[name] for name in ("bracket", "byes", "played_out") if options[name]}
    if options["best_of"] > 1:
        knockout["best_of"] = {"final": options["best_of"]}
    wishes = FormatWishes(
        groups=options["groups"],
        advance=options["advance"],
        round_robin={"double": True} if options["double"] else {},
        knockout=knockout,
    )
    try:
        return simulate(
            **wanted,
            format=SimulatedFormat(options["format"]),
            wishes=wishes,
            field_wishes=FieldWishes(options["players"], options["rests"]),
        )
    except CannotSimulate as error:
        raise refusal(_cannot(error)) from error


def _cannot(error: CannotSimulate) -> str:
    if isinstance(error.__cause__, InvalidFormat):
        return format_fault(error.__cause__)
    limits = _("not possible: wanted are 2 to 10000 teams, 0 to as many departments, 1 to 999 rounds")
    field = _("2 to %(most)d players a team, and two teams that do not rest") % {"most": MOST_PLAYERS}
    return f"{limits}; {field}"


def _store(document: EventDocument) -> None:
    try:
        store_event(document)
    except EventExists as error:
        raise refusal(_("event %(slug)s is stored already") % {"slug": error.slug}) from error
