"""The backup file: a zip with a manifest, every event as an event file, and on SQLite the database itself.

With the database everything comes back: users, drafts, clocks, the log. Without it (PostgreSQL, which has its
own tools for that) the events come back, and officials are appointed anew.
"""

from __future__ import annotations

import errno
import json
import lzma
import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
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
PART = ".touyou-"
PATIENCE = 30
"""Tenths of a second to wait for a lock."""
MOST_BYTES = 2 * 1024**3
"""Unpacked, of the largest database that is believed to be one."""
MOST_MANIFEST = 4 * 1024**2
"""Unpacked, of the largest manifest that is read."""
SQLITE_HEAD = b"SQLite format 3\x00"
OF_OURS = {"auth_user", "django_migrations", "tournaments_event", "tournaments_logentry"}
"""Tables without which a database is not one of this program's."""
UNREADABLE = (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, lzma.LZMAError, zlib.error)
"""What a zip that is cut short, encrypted or packed in a rare way raises while it is read."""


class Fault(StrEnum):
    """Why a file is no backup that can be put back."""

    NOT_A_BACKUP = "not_a_backup"
    DAMAGED = "damaged"
    NEWER = "newer"
    OLDER = "older"
    EVENTS_ONLY = "events_only"
    BUSY = "busy"
    NO_ROOM = "no_room"


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
    handle, name = tempfile.mkstemp(dir=folder, prefix=PART, suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "w+b") as target:
            manifest = write_backup(target)
            target.flush()
            os.fsync(target.fileno())
        path = folder / backup_name(manifest.moment)
        part.replace(path)
        _keep_name(folder)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return path, manifest


def _keep_name(folder: Path) -> None:
    """A stick that is pulled now has the file under its name."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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
    """One database over another, as it stood at one moment: whole, or the target is as it was before.

    Raises BackupRefused: BUSY, NO_ROOM.
    """
    tries = 0

    def wait(status: int, _remaining: int, _total: int) -> None:
        nonlocal tries
        tries += status in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
        if tries > PATIENCE:
            raise BackupRefused(Fault.BUSY)

    try:
        source.backup(target, progress=wait, sleep=0.1)
    except sqlite3.OperationalError as error:
        is_full = error.sqlite_errorcode in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE}
        raise BackupRefused(Fault.NO_ROOM if is_full else Fault.BUSY) from error


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
        if packed.getinfo(MANIFEST).file_size > MOST_MANIFEST:
            raise BackupRefused(Fault.NOT_A_BACKUP)
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
        if manifest.moment.tzinfo is None:
            raise BackupRefused(Fault.NOT_A_BACKUP)
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise BackupRefused(Fault.NOT_A_BACKUP) from error
    return manifest


@contextmanager
def opened_backup(file: BinaryIO) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """The backup's zip with its manifest. Raises BackupRefused."""
    try:
        packed = zipfile.ZipFile(file)
        manifest = read_manifest(packed)
    except (*UNREADABLE, OSError, ValueError) as error:
        raise BackupRefused(Fault.NOT_A_BACKUP) from error
    with packed:
        if not known_migrations().issuperset(manifest.migrations):
            raise BackupRefused(Fault.NEWER)
        yield packed, manifest


def known_migrations() -> set[str]:
    """This program's own, as "app.name"."""
    return {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}


@contextmanager
def unpacked_database(packed: zipfile.ZipFile) -> Iterator[Path]:
    """The database of a backup, checked, in a file that goes afterwards.

    Raises BackupRefused: DAMAGED, NOT_A_BACKUP, NO_ROOM.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / DATABASE
        _unpack(packed, path)
        with closing(sqlite3.connect(path)) as database:
            _require_sound(database)
            if not OF_OURS.issubset(_tables(database)):
                raise BackupRefused(Fault.NOT_A_BACKUP)
        yield path


def _unpack(packed: zipfile.ZipFile, path: Path) -> None:
    try:
        size = packed.getinfo(DATABASE).file_size
        if size > MOST_BYTES:
            raise BackupRefused(Fault.DAMAGED)
        if size > shutil.disk_usage(path.parent).free:
            raise BackupRefused(Fault.NO_ROOM)
        with packed.open(DATABASE) as source, path.open("wb") as target:
            head = source.read(len(SQLITE_HEAD))
            if head != SQLITE_HEAD:
                raise BackupRefused(Fault.DAMAGED)
            target.write(head)
            shutil.copyfileobj(source, target, 1 << 20)
    except (*UNREADABLE, KeyError) as error:
        raise BackupRefused(Fault.DAMAGED) from error
    except OSError as error:
        raise BackupRefused(Fault.NO_ROOM if error.errno == errno.ENOSPC else Fault.DAMAGED) from error


def _tables(database: sqlite3.Connection) -> set[str]:
    return {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def applied_migrations(path: Path) -> set[str]:
    """Those of a database file, as "app.name"."""
    with closing(sqlite3.connect(path)) as database:
        return {f"{app}.{name}" for app, name in database.execute("SELECT app, name FROM django_migrations")}
