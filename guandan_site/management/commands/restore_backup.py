"""Put a backup back."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from guandan_site.backups.archive import BackupRefused
from guandan_site.backups.restoring import NotEmpty, restore_backup
from guandan_site.backups.wording import backup_fault
from guandan_site.management.commands._base import EventCommand, refusal


class Command(EventCommand):
    """Restores the whole installation from one backup file."""

    help = "Put a backup back on an empty installation; with --replace over what is there."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", metavar="FILE", type=Path, help=_("path of a backup"))
        parser.add_argument("--replace", action="store_true", help=_("replace everything that is here"))

    def handle(self, *args: Any, **options: Any) -> None:
        with options["file"].open("rb") as file:
            try:
                manifest = restore_backup(file, replace=options["replace"])
            except NotEmpty as error:
                raise refusal(
                    _("there are users here already; --replace puts the backup in their place")
                ) from error
            except BackupRefused as error:
                raise refusal(backup_fault(error.fault)) from error
        told = _("restored as of %(moment)s: %(events)s") % {
            "moment": manifest.made_at,
            "events": ", ".join(manifest.events),
        }
        self.answer(options, {"made_at": manifest.made_at, "events": list(manifest.events)}, [told])
