"""The server process: as gunicorn's own, but it does not wait on a connection that says nothing."""

from __future__ import annotations

import select
import socket
from typing import Any

from gunicorn import util  # type: ignore[import-untyped]  # no types are shipped
from gunicorn.workers.sync import SyncWorker  # type: ignore[import-untyped]

PATIENCE = 1.5
"""Seconds to wait for the first word of a connection that the kernel has handed over."""


class HallWorker(SyncWorker):  # type: ignore[misc]
    """Closes a silent connection instead of waiting for it; a browser opens another when it needs one."""

    def handle(self, listener: Any, client: socket.socket, addr: Any) -> None:
        """Answers the one request of a connection."""
        readable, _, _ = select.select([client], [], [], PATIENCE)
        if readable:
            super().handle(listener, client, addr)
        else:
            util.close(client)
