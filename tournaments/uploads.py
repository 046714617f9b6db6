"""Uploaded rosters between the preview and the confirmation.

The bytes stay on the server; the browser carries only a signed handle that names them and counts for one
user, one event and one hour. What is stored in the end is read from these bytes, never from the browser.
"""

from __future__ import annotations

import re
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing

from tournaments.models import Event

KEPT_SECONDS = 60 * 60
LONGEST_FILENAME = 80
LONGEST_HANDLE = 3000
SALT = "roster-upload"
TOKEN = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Upload:
    """A kept file: `handle` is what the browser carries."""

    handle: str
    filename: str
    data: bytes


def keep_upload(*, event: Event, user: User, filename: str, data: bytes) -> Upload:
    """Keeps a file for an hour and forgets those that are older."""
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _forget_old(folder)
    token = secrets.token_hex(16)
    path = folder / token
    path.touch(mode=0o600)
    path.write_bytes(data)
    name = Path(filename).name[-LONGEST_FILENAME:]
    handle = signing.dumps([event.pk, user.pk, token, name], salt=SALT, compress=True)
    return Upload(handle, name, data)


def kept_upload(handle: str, *, event: Event, user: User) -> Upload | None:
    """The file behind a handle; None when it is somebody else's, another event's, forged or too old."""
    try:
        event_id, user_id, token, filename = signing.loads(handle, salt=SALT, max_age=KEPT_SECONDS)
    except signing.BadSignature:
        return None
    if (event_id, user_id) != (event.pk, user.pk):
        return None
    try:
        return Upload(handle, filename, (_folder() / token).read_bytes())
    except OSError:
        return None


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "uploads"


def _forget_old(folder: Path) -> None:
    oldest = time.time() - KEPT_SECONDS
    for path in folder.iterdir():
        with suppress(FileNotFoundError):  # another upload may forget the same file at this moment
            if TOKEN.fullmatch(path.name) and path.stat().st_mtime < oldest:
                path.unlink()
