"""When a backup is made by itself, and where to."""

from __future__ import annotations

import errno
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone, translation

from guandan_site.background import start_command
from guandan_site.backups.archive import PART, SUFFIX, BackupRefused, newest_log, write_backup_file
from guandan_site.backups.refusals import FolderRefused, Refusal
from guandan_site.backups.wording import backup_fault, folder_fault
from tournaments.log import Act, record_act
from tournaments.models import BackupPlan
from tournaments.selectors.backups import the_plan

KEPT = 100
"""Files that stay in the folder; older ones of the program's own go."""
LEFT_BEHIND = 3600
"""Seconds after which an unfinished file is that of a process that was killed."""


@dataclass(frozen=True)
class BackupFile:
    """A backup in the folder; `size` in bytes."""

    name: str
    made_at: datetime
    size: int


@transaction.atomic
def set_folder(*, folder: str, by: User) -> BackupPlan:
    """Copies go there from now on; an empty name ends them. Raises FolderRefused."""
    folder = folder.strip()
    if folder:
        _require_writable(Path(folder))
    plan = the_plan()
    old = plan.folder
    plan.folder, plan.problem, plan.claimed_at = folder, "", None
    plan.save()
    if old != folder:
        record_act(event=None, act=Act.BACKUP_FOLDER_SET, by=by, old={"folder": old}, new={"folder": folder})
    return plan


def _require_writable(folder: Path) -> None:
    """Raises FolderRefused; SERVED for a folder whose files anybody can fetch from this server."""
    if not folder.is_absolute():
        raise FolderRefused(Refusal.MISSING)
    try:
        place = folder.resolve(strict=True)
        if any(place.is_relative_to(served) for served in _served_folders()):
            raise FolderRefused(Refusal.SERVED)
        with tempfile.TemporaryFile(dir=place) as probe:
            probe.write(b"touyou")
    except (OSError, RuntimeError) as error:
        raise FolderRefused.by(error if isinstance(error, OSError) else OSError(errno.ELOOP, "")) from error


def _served_folders() -> list[Path]:
    return [Path(settings.STATIC_ROOT).resolve(), (settings.BASE_DIR / "static").resolve()]


def back_up_now(by: User) -> Path:
    """A backup in the chosen folder at once. Raises FolderRefused, BackupRefused."""
    path = _written(the_plan())
    record_act(event=None, act=Act.BACKUP_MADE, by=by, new={"file": path.name})
    return path


def back_up_if_due() -> Path | None:
    """The automatic backup: when something changed and the last one is old. A failure is noted."""
    if not _claim():
        return None
    try:
        return _written(the_plan())
    except (FolderRefused, BackupRefused) as error:
        with translation.override(settings.LANGUAGE_CODE):
            told = folder_fault(error) if isinstance(error, FolderRefused) else backup_fault(error.fault)
        BackupPlan.objects.filter(pk=BackupPlan.THE_ONE).update(problem=told[:200])
        return None


def is_due() -> bool:
    """Whether the automatic backup would do something now. Two queries at most."""
    plan = the_plan()
    is_waiting = plan.claimed_at is not None and timezone.now() - plan.claimed_at < _between()
    return bool(plan.folder) and not is_waiting and newest_log() > plan.done_log


def _between() -> timedelta:
    return timedelta(minutes=BackupPlan.MINUTES)


def _claim() -> bool:
    """Takes the next automatic backup for this process; no other process gets it too."""
    if not is_due():
        return False
    now = timezone.now()
    free = BackupPlan.objects.filter(
        Q(claimed_at=None) | Q(claimed_at__lte=now - _between()), pk=BackupPlan.THE_ONE
    )
    return free.update(claimed_at=now) == 1


def _written(plan: BackupPlan) -> Path:
    folder = Path(plan.folder)
    if not plan.folder:
        raise FolderRefused(Refusal.MISSING)
    _require_writable(folder)
    try:
        path, manifest = write_backup_file(folder)
    except OSError as error:
        raise FolderRefused.by(error) from error
    BackupPlan.objects.filter(pk=plan.pk).update(
        done_at=manifest.moment, done_log=manifest.newest_log, claimed_at=manifest.moment, problem=""
    )
    _drop_oldest(folder)
    return path


def _drop_oldest(folder: Path) -> None:
    for path in sorted(_files(folder), reverse=True)[KEPT:]:
        path.unlink(missing_ok=True)
    for path in folder.glob(f"{PART}*"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > LEFT_BEHIND:
                path.unlink()


def _files(folder: Path) -> Iterator[Path]:
    return folder.glob(f"touyou-*{SUFFIX}")


def backup_files(plan: BackupPlan) -> list[BackupFile]:
    """The backups in the folder, the newest first; none when the stick is not plugged in."""
    if not plan.folder:
        return []
    found = []
    for path in sorted(_files(Path(plan.folder)), reverse=True):
        try:
            stat = path.stat()
        except OSError:
            continue
        made_at = datetime.fromtimestamp(stat.st_mtime, tz=timezone.get_current_timezone())
        found.append(BackupFile(path.name, made_at, stat.st_size))
    return found


def start_backup_process() -> None:
    """The automatic backup in a process of its own, at low priority: no request waits for it."""
    start_command("backup", "--if-due")
