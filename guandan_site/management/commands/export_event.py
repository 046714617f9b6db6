"""Write the event file of a stored event."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from guandan_site.event_file.dumping import to_bytes
from guandan_site.management.commands._base import EventCommand, find_source, write_file


class Command(EventCommand):
    """Prints or writes the event file; importing it again gives the same file."""

    help = "Write the event file of a stored event."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        self.add_event_argument(parser)
        parser.add_argument("-o", "--output", metavar="FILE", type=Path, help=_("write to this file"))

    def handle(self, *args: Any, **options: Any) -> None:
        content = to_bytes(find_source(options["event"]).document())
        if options["output"]:
            write_file(options["output"], content)
        if options["output"] and not options["json"]:
            self.stdout.write(_("written: %(name)s") % {"name": options["output"]})
        else:
            self.stdout.write(content.decode(), ending="")
