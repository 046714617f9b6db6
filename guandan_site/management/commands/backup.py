"""Back the whole installation up."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from guandan_site.backups.archive import write_backup_file
from guandan_site.backups.plan import back_up_if_due
from guandan_site.management.commands._base import EventCommand, refusal
from tournaments.selectors.backups import the_plan


class Command(EventCommand):
    """Writes one backup file."""

    help = "Back everything up into a folder; without --to into the one chosen in the browser."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--to", metavar="FOLDER", type=Path, help=_("folder to write into"))
        parser.add_argument(
            "--if-due", action="store_true", help=_("only when something changed and the last one is old")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["if_due"]:
            path = back_up_if_due()
            self.answer(options, {"file": str(path) if path else None}, [str(path)] if path else [])
            return
        folder = options["to"] or Path(the_plan().folder or ".")
        if options["to"] is None and not the_plan().folder:
            raise refusal(_("no folder is chosen: give one with --to"))
        path, _manifest = write_backup_file(folder)
        self.answer(options, {"file": str(path)}, [str(path)])
