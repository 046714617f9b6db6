"""Store an event file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.storing import EventExists, store_event
from guandan_site.management.commands._base import EventCommand, refusal


class Command(EventCommand):
    """Stores the event of a file, whole or not at all."""

    help = "Store an event file; with --replace in place of the stored event with the same slug."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", metavar="FILE", type=Path, help=_("path of an event file"))
        parser.add_argument(
            "--replace", action="store_true", help=_("replace a stored event of the same slug")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        document = load_event(options["file"])
        try:
            event = store_event(document, replace=options["replace"])
        except EventExists as error:
            message = _("event %(slug)s is stored already; --replace puts the file in its place")
            raise refusal(message % {"slug": error.slug}) from error
        stored = _("stored: %(name)s (%(slug)s), %(count)s teams") % {
            "name": event.name,
            "slug": event.slug,
            "count": len(document.teams),
        }
        self.answer(options, {"slug": event.slug}, [stored])
