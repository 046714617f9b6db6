"""Invent an event and play it through its draws."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from guandan_site.event_file.document import EventDocument
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.simulating import CannotSimulate, simulate
from guandan_site.event_file.storing import EventExists, store_event
from guandan_site.management.commands._base import EventCommand, refusal, seed_number, write_file


class Command(EventCommand):
    """Prints, writes or stores an invented event; the same numbers always give the same one."""

    help = "Invent an event with random strengths and play it through its draws."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        for name, kind, about in (
            ("teams", int, _("number of teams")),
            ("departments", int, _("number of departments")),
            ("rounds", int, _("number of rounds")),
            ("seed", seed_number, _("seed of all chance in it")),
        ):
            parser.add_argument(f"--{name}", metavar="N", type=kind, required=True, help=about)
        target = parser.add_mutually_exclusive_group()
        target.add_argument("-o", "--output", metavar="FILE", type=Path, help=_("write to this file"))
        target.add_argument("--save", action="store_true", help=_("store the event"))

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
    try:
        return simulate(**wanted)
    except CannotSimulate as error:
        limits = _("not possible: wanted are 2 to 10000 teams, 0 to as many departments, 1 to 999 rounds")
        raise refusal(limits) from error


def _store(document: EventDocument) -> None:
    try:
        store_event(document)
    except EventExists as error:
        raise refusal(_("event %(slug)s is stored already") % {"slug": error.slug}) from error
