"""A backup put back: over the empty database of a second laptop, or, asked for by name, over this one."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import F, Max

from guandan_site.backups.archive import (
    BackupRefused,
    Fault,
    Manifest,
    applied_migrations,
    copy_pages,
    is_sqlite,
    known_migrations,
    opened_backup,
    unpacked_database,
)
from tournaments.log import Act, record_act
from tournaments.models import Event
from tournaments.revisions import forget_all


class NotEmpty(Exception):
    """Somebody can sign in here already: a backup would take this installation's place."""


def restore_backup(file: BinaryIO, *, replace: bool = False) -> Manifest:
    """Everything as it stood when the backup was made, its tables brought to this program's state first.

    Nothing here changes before the backup is unpacked, checked and brought forward; then all of it does.
    Without `replace` only where nobody can sign in yet. Raises NotEmpty, BackupRefused: EVENTS_ONLY for a
    backup without a database, or where the installation is not on SQLite.
    """
    if not replace and User.objects.exists():
        raise NotEmpty
    with opened_backup(file) as (packed, manifest):
        if not (manifest.has_database and is_sqlite()):
            raise BackupRefused(Fault.EVENTS_ONLY)
        with unpacked_database(packed) as path:
            _bring_forward(path)
            newest = Event.objects.aggregate(newest=Max("revision"))["newest"] or 0
            connection.ensure_connection()
            with closing(sqlite3.connect(path)) as database:
                copy_pages(database, connection.connection)
    _begin_anew(manifest, newest)
    return manifest


def _bring_forward(path: Path) -> None:
    """The unpacked database gets this program's tables. Raises BackupRefused: NEWER, OLDER."""
    known, applied = known_migrations(), applied_migrations(path)
    if not known.issuperset(applied):
        raise BackupRefused(Fault.NEWER)
    if applied == known:
        return
    # In a process of its own: migrations work on the database that their process calls its own.
    done = subprocess.run(  # noqa: S603 - our own command, no word of it from outside
        [sys.executable, str(settings.BASE_DIR / "manage.py"), "migrate", "--no-input", "-v0"],
        env={**os.environ, "DATABASE_URL": f"sqlite:///{path}"},
        capture_output=True,
        check=False,
    )
    if done.returncode or applied_migrations(path) != known:
        raise BackupRefused(Fault.OLDER)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=DELETE")


@transaction.atomic
def _begin_anew(manifest: Manifest, newest: int) -> None:
    """Nobody is signed in any more; no page that any process kept of other events counts as one of these."""
    forget_all()
    Session.objects.all().delete()
    Event.objects.update(revision=F("revision") + newest + 1)
    record_act(event=None, act=Act.BACKUP_RESTORED, by=None, new={"made_at": manifest.made_at})
