"""Work beside the requests, in a process of its own at low priority: nobody waits for it."""

from __future__ import annotations

import os
import subprocess
import sys

from django.conf import settings


def start_command(*arguments: str) -> None:
    """Starts one of our management commands and does not wait for it."""
    subprocess.Popen(  # noqa: S603 - our own command; its arguments go to no shell
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=_be_modest,
    )


def _be_modest() -> None:
    os.nice(10)
