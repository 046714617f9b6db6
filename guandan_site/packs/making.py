"""A pack is made once for each version, whole or not at all, beside the work and by one process at a time."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from django.conf import settings
from django.core.files import locks
from django.utils import translation

from guandan_site.background import start_command
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.packs.contents import pack_cover, pack_sheets
from guandan_site.pdf import Cover, PressBusy, render_bound
from guandan_site.prints.sheets import Sheet
from pairing.models import Publication
from pairing.selectors.packs import Pack, pack_of, packs_folder, packs_to_make
from tournaments.models import Event, RoundStatus

Read = TypeVar("Read")
KEPT = 40
"""Packs of one event that stay; the oldest go. What hangs is made again when somebody asks for it."""
TRIES = 8
"""Readings of an event in which an act came between, before somebody is sent away to ask again."""
STARTING = 60
"""Seconds after which a process that was started, and said nothing since, is given up."""
PDF, EVENT = ".pdf", ".json"
PART = ".part-"


class NeverPublished(Exception):
    """The round is a draft: there is no pack of it."""


def pack_content(pack: Pack, suffix: str) -> bytes:
    """The pack's PDF or its event file. Raises BadZipFile, OSError."""
    with zipfile.ZipFile(pack.path) as packed:
        return packed.read(next(name for name in packed.namelist() if name.endswith(suffix)))


def found_or_made(publication: Publication, page: str) -> Pack:
    """The pack, made now if it is not there or its file is damaged. Raises NeverPublished, PressBusy."""
    pack = pack_of(publication)
    if pack.made_at is not None and _is_sound(pack):
        return pack
    with _one_maker(publication.round.stage.event_id) as is_mine:
        if not is_mine:
            raise PressBusy
        pack.path.unlink(missing_ok=True)
        return make_pack(publication, page, is_patient=False)


def _is_sound(pack: Pack) -> bool:
    try:
        with zipfile.ZipFile(pack.path) as packed:
            return packed.testzip() is None
    except (zipfile.BadZipFile, OSError):
        return False


def make_pack(publication: Publication, page: str, *, is_patient: bool) -> Pack:
    """Makes the pack of a version unless it is there already.

    `page` is where phones find the event, for the QR codes. In the installation's language, whoever asks.
    Raises NeverPublished, PressBusy.
    """
    pack = pack_of(publication)
    if pack.made_at is not None:
        return pack
    event = publication.round.stage.event
    with translation.override(settings.LANGUAGE_CODE):
        sheets, cover, event_file = _settled(event.pk, lambda: _read(publication, page))
        pdf = render_bound([sheet.part for sheet in sheets], cover, is_patient=is_patient)
    name = f"{event.slug}-r{publication.round.number}-v{publication.version}"
    _write(pack.path, _packed(name, pdf, event_file))
    _prune(event.pk, pack.path)
    return pack_of(publication)


class _Reading(NamedTuple):
    """What a pack is made from, all of one moment."""

    sheets: list[Sheet]
    cover: Cover
    event_file: bytes


def _read(publication: Publication, page: str) -> _Reading:
    stored = Publication.objects.select_related("round__stage__event").filter(pk=publication.pk)
    fresh = stored.exclude(round__status=RoundStatus.DRAFT).first()
    if fresh is None:
        raise NeverPublished
    sheets = pack_sheets(fresh, page)
    return _Reading(sheets, pack_cover(fresh, sheets), to_bytes(document_of(fresh.round.stage.event)))


def _settled(event_id: int, read: Callable[[], Read]) -> Read:
    """What `read` gives while no act comes in between: many queries, yet no writer is held up for them."""
    for _attempt in range(TRIES):
        before = _revision(event_id)
        found = read()
        if _revision(event_id) == before:
            return found
    raise PressBusy


def _revision(event_id: int) -> int | None:
    return Event.objects.filter(pk=event_id).values_list("revision", flat=True).first()


def _packed(name: str, pdf: bytes, event_file: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr(name + PDF, pdf)
        packed.writestr(name + EVENT, event_file, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def _write(path: Path, content: bytes) -> None:
    """Under its name only once it is whole and on the disk; for the owner's eyes, it holds phone numbers."""
    _folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=PART)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _folder(folder: Path) -> None:
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def _prune(event_id: int, spared: Path) -> None:
    """The event's oldest packs go, and what a killed process left."""
    folder = packs_folder(event_id)
    oldest_first = sorted(path for path in folder.glob("*.zip") if path != spared)
    for path in [*oldest_first[: 1 - KEPT], *folder.glob(f"{PART}*")]:
        path.unlink(missing_ok=True)


def remove_packs(event_id: int) -> None:
    """All packs of an event that is no more."""
    shutil.rmtree(packs_folder(event_id), ignore_errors=True)


@contextmanager
def _one_maker(event_id: int) -> Iterator[bool]:
    """Whether this process makes the event's packs now; the lock of a killed process frees itself."""
    folder = packs_folder(event_id)
    _folder(folder)
    with (folder / "making.lock").open("w") as making:
        yield locks.lock(making, locks.LOCK_EX | locks.LOCK_NB)


def make_missing_packs(event: Event, page: str) -> list[Pack]:
    """The packs of everything that hangs in running rounds; none where another process is at it."""
    made: list[Pack] = []
    with _one_maker(event.pk) as is_mine:
        while is_mine and (missing := packs_to_make(event.slug)):
            for pack in missing:
                with suppress(NeverPublished):  # withdrawn while it waited its turn
                    made.append(make_pack(pack.publication, page, is_patient=True))
            # What is published from here on finds no process announced and starts its own.
            _started(event.pk).unlink(missing_ok=True)
        if is_mine:
            _started(event.pk).unlink(missing_ok=True)
    return made


def start_missing_packs(slug: str, page: Callable[[Event], str]) -> None:
    """Starts a process for the packs that are missing, unless one was started just now. One query.

    `page` gives the address at which phones find the event. Raises OSError.
    """
    missing = packs_to_make(slug)
    if missing:
        event = missing[0].publication.round.stage.event
        if _announce(event.pk):
            # An event's short address may begin with a hyphen, which is no option.
            start_command("make_pack", "--page", page(event), "--", slug)


def _announce(event_id: int) -> bool:
    started = _started(event_id)
    _folder(started.parent)
    try:
        started.touch(exist_ok=False)
    except FileExistsError:
        with suppress(FileNotFoundError):
            if time.time() - started.stat().st_mtime < STARTING:
                return False
        started.touch()
    return True


def _started(event_id: int) -> Path:
    return packs_folder(event_id) / "started"
