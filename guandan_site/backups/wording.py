"""Why a backup or an event file is refused, in words for whoever stands before the second laptop."""

from __future__ import annotations

from django.utils.translation import gettext as _

from guandan_site.backups.archive import Fault
from guandan_site.backups.plan import FolderRefused


def backup_fault(fault: Fault) -> str:
    """What is wrong with the file and what to do."""
    return {
        Fault.NOT_A_BACKUP: _(
            "This is no backup of this program. Choose a file whose name ends in .touyou.zip."
        ),
        Fault.DAMAGED: _("This backup is damaged. Choose the one before it."),
        Fault.NEWER: _(
            "This backup was made by a newer version of the program. Install that version here first."
        ),
        Fault.BUSY: _("The database is being written to. Try again in a moment."),
        Fault.EVENTS_ONLY: _(
            "This backup holds events only, no users. Create the administrator, sign in, unpack the file and "
            "import the event files in its folder “events”."
        ),
    }[fault]


def folder_fault(error: FolderRefused) -> str:
    """Why nothing can be backed up there."""
    if not error.reason:
        return _("There is no such folder. Give its full path, such as /media/usb; is the stick plugged in?")
    return _("Nothing can be written there: %(reason)s.") % {"reason": error.reason}
