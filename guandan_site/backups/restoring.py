"""A backup put back: over the empty database of a second laptop, or, asked for by name, over this one."""

from __future__ import annotations

from typing import BinaryIO

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection

from guandan_site.backups.archive import (
    BackupRefused,
    Fault,
    Manifest,
    copy_pages,
    is_sqlite,
    opened_backup,
    unpacked_database,
)
from tournaments.log import Act, record_act
from tournaments.revisions import forget_all


class NotEmpty(Exception):
    """Somebody can sign in here already: a backup would take this installation's place."""


def restore_backup(file: BinaryIO, *, replace: bool = False) -> Manifest:
    """Everything as it stood when the backup was made; the tables are brought to this program's state.

    Without `replace` only where nobody can sign in yet. Raises NotEmpty, BackupRefused: EVENTS_ONLY for a
    backup without a database, or where the installation is not on SQLite.
    """
    if not replace and User.objects.exists():
        raise NotEmpty
    with opened_backup(file) as (packed, manifest):
        if not (manifest.has_database and is_sqlite()):
            raise BackupRefused(Fault.EVENTS_ONLY)
        with unpacked_database(packed) as database:
            connection.ensure_connection()
            copy_pages(database, connection.connection)
    call_command("migrate", verbosity=0, interactive=False)
    forget_all()
    record_act(event=None, act=Act.BACKUP_RESTORED, by=None, new={"made_at": manifest.made_at})
    return manifest
