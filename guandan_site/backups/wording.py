"""Why a backup or an event file is refused, in words for whoever stands before the second laptop."""

from __future__ import annotations

from django.utils.translation import gettext as _

from guandan_site.backups.archive import Fault
from guandan_site.backups.refusals import FolderRefused, Refusal


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
        Fault.OLDER: _(
            "This backup is of an older version and could not be brought to this one. Install here the "
            "version that made it, or import the event files in its folder “events”."
        ),
        Fault.NO_ROOM: _(
            "There is no room left on this computer’s disk. Delete something large, then try again."
        ),
        Fault.BUSY: _("The database is being written to. Try again in a moment."),
        Fault.EVENTS_ONLY: _(
            "This backup holds events only, no users. Create the administrator, sign in, unpack the file and "
            "import the event files in its folder “events”."
        ),
    }[fault]


def folder_fault(error: FolderRefused) -> str:
    """Why nothing can be kept there and what to do."""
    return {
        Refusal.MISSING: _(
            "There is no such folder. Give its full path, such as /media/usb; is the stick plugged in?"
        ),
        Refusal.SERVED: _("Anybody can fetch files from this folder. Choose another one, best on a stick."),
        Refusal.FULL: _(
            "There is no room left in this folder. Take another stick or delete old files on it."
        ),
        Refusal.READ_ONLY: _("The stick is write-protected. Move its switch or take another one."),
        Refusal.FORBIDDEN: _("The program may not write into this folder. Choose another one."),
        Refusal.BROKEN: _(
            "The stick does not take the file. Pull it, plug it in again, or take another one."
        ),
    }[error.reason]
