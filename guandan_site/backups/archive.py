"""The backup file: a zip with a manifest, every event as an event file, and on SQLite the database itself.

With the database everything comes back: users, drafts, clocks, the log. Without it (PostgreSQL, which has its
own tools for that) the events come back, and officials are appointed anew.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from tournaments.models import Event, LogEntry

FORMAT = "touyou-backup"
VERSION = 1
MANIFEST = "manifest.json"
DATABASE = "touyou.sqlite3"
EVENTS = "events/"
SUFFIX = ".touyou.zip"
PATIENCE = 30
"""Tenths of a second to wait for a lock."""
MOST_BYTES = 2 * 1024**3
"""Unpacked, of the largest database that is believed to be one."""


class Fault(StrEnum):
    """Why a file is no backup that can be put back."""

    NOT_A_BACKUP = "not_a_backup"
    DAMAGED = "damaged"
    NEWER = "newer"
    EVENTS_ONLY = "events_only"
    BUSY = "busy"


class BackupRefused(Exception):
    """The file cannot be put back."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@dataclass(frozen=True)
class Manifest:
    """What a backup says of itself; `migrations` are "app.name", `events` the slugs."""

    made_at: str
    newest_log: int
    events: tuple[str, ...]
    migrations: tuple[str, ...]
    has_database: bool

    @property
    def moment(self) -> datetime:
        """When it was made."""
        return datetime.fromisoformat(self.made_at)


def is_sqlite() -> bool:
    """Whether the installation's database is a file that can be copied."""
    return connection.vendor == "sqlite"


def newest_log() -> int:
    """The id of the newest act, 0 before the first. One query."""
    return LogEntry.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def backup_name(moment: datetime) -> str:
    """touyou-20261205-104233.touyou.zip: sorts by time, says what it is."""
    return f"touyou-{timezone.localtime(moment):%Y%m%d-%H%M%S}{SUFFIX}"


def write_backup(target: BinaryIO) -> Manifest:
    """The installation as it stands at one moment, written as a zip.

    The database is copied through SQLite's own backup, which never sees half a transaction, and the copy is
    checked before it counts. Raises BackupRefused(DAMAGED) when the copy is not sound, OSError.
    """
    with tempfile.TemporaryDirectory() as folder:
        manifest = Manifest(
            made_at=timezone.now().isoformat(),
            newest_log=newest_log(),
            events=tuple(Event.objects.order_by("pk").values_list("slug", flat=True)),
            migrations=tuple(sorted(f"{app}.{name}" for app, name in _applied())),
            has_database=is_sqlite(),
        )
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as packed:
            if manifest.has_database:
                packed.write(_copied_database(Path(folder)), DATABASE)
            for event in Event.objects.order_by("pk"):
                packed.writestr(f"{EVENTS}{event.slug}.json", to_bytes(document_of(event)))
            packed.writestr(MANIFEST, json.dumps({"format": FORMAT, "version": VERSION, **asdict(manifest)}))
    return manifest


def write_backup_file(folder: Path) -> tuple[Path, Manifest]:
    """A backup in this folder, under its name only once it is whole and on the disk."""
    handle, name = tempfile.mkstemp(dir=folder, prefix=".touyou-", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "w+b") as target:
            manifest = write_backup(target)
            target.flush()
            os.fsync(target.fileno())
        path = folder / backup_name(manifest.moment)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return path, manifest


def _copied_database(folder: Path) -> Path:
    path = folder / DATABASE
    connection.ensure_connection()
    with closing(sqlite3.connect(path)) as copy:
        copy_pages(connection.connection, copy)
        # One file, nothing beside it: a copy that needs a WAL file next to it would be lost without.
        copy.execute("PRAGMA journal_mode=DELETE")
        _require_sound(copy)
    return path


def copy_pages(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """One database over another, as it stood at one moment. Raises BackupRefused(BUSY)."""
    tries = 0

    def wait(status: int, _remaining: int, _total: int) -> None:
        nonlocal tries
        tries += status in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
        if tries > PATIENCE:
            raise BackupRefused(Fault.BUSY)

    source.backup(target, progress=wait, sleep=0.1)


def _require_sound(database: sqlite3.Connection) -> None:
    try:
        answer = database.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.DatabaseError as error:
        raise BackupRefused(Fault.DAMAGED) from error
    if answer != ("ok",):
        raise BackupRefused(Fault.DAMAGED)


def _applied() -> set[tuple[str, str]]:
    return set(MigrationLoader(connection).applied_migrations)


def read_manifest(packed: zipfile.ZipFile) -> Manifest:
    """What the backup says of itself. Raises BackupRefused."""
    try:
        stated = json.loads(packed.read(MANIFEST))
        if stated["format"] != FORMAT:
            raise BackupRefused(Fault.NOT_A_BACKUP)
        if stated["version"] > VERSION:
            raise BackupRefused(Fault.NEWER)
        manifest = Manifest(
            made_at=str(stated["made_at"]),
            newest_log=int(stated["newest_log"]),
            events=tuple(map(str, stated["events"])),
            migrations=tuple(map(str, stated["migrations"])),
            has_database=bool(stated["has_database"]),
        )
        manifest.moment  # noqa: B018 - a moment that cannot be read is refused here
    except (KeyError, TypeError, ValueError) as error:
        raise BackupRefused(Fault.NOT_A_BACKUP) from error
    return manifest


@contextmanager
def opened_backup(file: BinaryIO) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """The backup's zip with its manifest. Raises BackupRefused."""
    try:
        with zipfile.ZipFile(file) as packed:
            manifest = read_manifest(packed)
            known = {f"{app}.{name}" for app, name in MigrationLoader(connection).disk_migrations}
            if not known.issuperset(manifest.migrations):
                raise BackupRefused(Fault.NEWER)
            yield packed, manifest
    except (zipfile.BadZipFile, EOFError, OSError) as error:
        raise BackupRefused(Fault.NOT_A_BACKUP) from error


@contextmanager
def unpacked_database(packed: zipfile.ZipFile) -> Iterator[sqlite3.Connection]:
    """The database of a backup, checked, in a file that goes afterwards. Raises BackupRefused(DAMAGED)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / DATABASE
        try:
            if packed.getinfo(DATABASE).file_size > MOST_BYTES:
                raise BackupRefused(Fault.DAMAGED)
            with packed.open(DATABASE) as source, path.open("wb") as target:
                while chunk := source.read(1 << 20):
                    target.write(chunk)
        except (KeyError, zipfile.BadZipFile, EOFError) as error:
            raise BackupRefused(Fault.DAMAGED) from error
        with closing(sqlite3.connect(path)) as database:
            _require_sound(database)
            yield database
