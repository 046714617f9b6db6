"""A venue: an installation with its own folder and database, served by gunicorn, visited by browsers."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlencode

import psycopg
from environ import Env

ROOT = Path(__file__).resolve().parents[2]
CSRF = "0" * 32
"""A secret that the browsers made up themselves; cookie and header only have to agree."""
PATIENCE = 60
"""Seconds until a browser gives up: only a hang takes that long."""


@dataclass(frozen=True)
class Answer:
    """What a server answered, and how long it took in seconds."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float = 0

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass(frozen=True)
class Browser:
    """A visitor; with a session key a signed-in one. Every request has a connection of its own."""

    port: int
    session: str = ""

    def get(self, path: str, method: str = "GET", **headers: str) -> Answer:
        return self.request(method, path, headers=headers)

    def post(self, path: str, fields: Mapping[str, Any] | Sequence[tuple[str, Any]] = ()) -> Answer:
        """Sends a form."""
        return self.send(self.connection(), path, fields)

    def save(self, path: str, fields: Mapping[str, Any]) -> Answer:
        """Sends a table's line as the results page does, which gets the line back."""
        return self.request("POST", path, urlencode(fields).encode(), {**FORM, "HX-Request": "true"})

    def upload(self, path: str, filename: str, content: bytes, **fields: str) -> Answer:
        """Sends a file, and what else stands in its form."""
        part = '--edge\r\nContent-Disposition: form-data; name="{}"'
        typed = "".join(f"{part.format(name)}\r\n\r\n{value}\r\n" for name, value in fields.items())
        head = f'{typed}{part.format("file")}; filename="{filename}"\r\n\r\n'
        body = head.encode() + content + b"\r\n--edge--\r\n"
        return self.request("POST", path, body, {"Content-Type": "multipart/form-data; boundary=edge"})

    def connection(self) -> http.client.HTTPConnection:
        """An open connection on which nothing was said yet."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.connect()
        return connection

    def send(self, connection: http.client.HTTPConnection, path: str, fields: Any) -> Answer:
        """Sends a form on an open connection."""
        return self._exchange(connection, "POST", path, urlencode(fields, doseq=True).encode(), FORM)

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        return self._exchange(self.connection(), method, path, body, headers or {})

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: bytes | None,
        headers: Mapping[str, str],
    ) -> Answer:
        begun = time.perf_counter()
        cookies = f"csrftoken={CSRF}; sessionid={self.session}" if self.session else f"csrftoken={CSRF}"
        is_read = method in {"GET", "HEAD"} and not self.session
        signed = {} if is_read else {"Cookie": cookies, "X-CSRFToken": CSRF}
        with_dashes = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, {**signed, **with_dashes})
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        return Answer(response.status, dict(response.getheaders()), content, time.perf_counter() - begun)


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass
class Venue:
    """One installation. `sessions` holds a session key for every account (chief, administrator, a1 to a8)."""

    folder: Path
    database_url: str
    settings: Mapping[str, str] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "DATA_DIR": str(self.folder),
            "DATABASE_URL": self.database_url,
            **self.settings,
        }

    def python(self, *arguments: str) -> str:
        """Runs Python in the venue's environment; what it printed."""
        run = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        return run.stdout

    def run(self, function: str, *arguments: str) -> str:
        """Calls a function of `prepare` in a process of its own; what it printed."""
        program = (
            f"import django; django.setup(); from tests.concurrency.prepare import {function}; {function}()"
        )
        return self.python("-c", program, *arguments)

    def prepare(self, *events: Mapping[str, Any]) -> None:
        """Makes events and their officials, once."""
        self.sessions.update(json.loads(self.run("main", json.dumps(events))))

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the database itself says, asked past the product."""
        database = Env.db_url_config(self.database_url)
        if database["ENGINE"] == "django.db.backends.sqlite3":
            connection = sqlite3.connect(database["NAME"])
        else:
            names = {"host": database["HOST"], "user": database["USER"], "dbname": database["NAME"]}
            connection = psycopg.connect(**names)
        try:
            rows: list[tuple[Any, ...]] = connection.execute(query).fetchall()
            return rows
        finally:
            connection.close()

    def value(self, query: str) -> Any:
        """The one value that the query gives."""
        ((value,),) = self.rows(query)
        return value


class Server:
    """gunicorn as the Makefile starts it, on a port that outlives it: visitors wait while it is away.

    The workers share the program loaded once (`--preload`), which only makes their start quicker.
    """

    def __init__(self, venue: Venue, *, workers: int, application: str = "guandan_site.wsgi") -> None:
        self.venue = venue
        self.command = [sys.executable, "-m", "gunicorn", application, "--preload", "--timeout", "60"]
        self.command += ["--workers", str(workers), "--log-level", "warning"]
        self.log = venue.folder / "server.log"
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._socket.close()

    def start(self) -> None:
        listening = self._socket.fileno()
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self.command, "--bind", f"fd://{listening}"],
                cwd=ROOT,
                env=self.venue.environment,
                pass_fds=[listening],
                stdout=log,
                stderr=log,
            )

    def stop(self) -> None:
        """Lets running requests end."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(PATIENCE)

    @property
    def workers(self) -> list[int]:
        """The ids of the worker processes that are alive."""
        assert self._process is not None
        pid = self._process.pid
        return [int(worker) for worker in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def kill_workers(self) -> list[int]:
        """As a power cut would: no worker gets to say anything more. The ids of those that were alive."""
        killed = self.workers
        for worker in killed:
            os.kill(worker, signal.SIGKILL)
        return killed

    def kill(self) -> None:
        """As when the machine itself dies: server and workers are gone at once and say nothing more."""
        assert self._process is not None
        workers = self.workers
        self._process.kill()
        self._process.wait()
        for worker in workers:
            os.kill(worker, signal.SIGKILL)

    def browser(self, account: str = "") -> Browser:
        """Somebody at this server: an account's holder, or a visitor."""
        return Browser(self._socket.getsockname()[1], self.venue.sessions[account] if account else "")


def together(*acts: Callable[[], Any]) -> list[Any]:
    """Runs all acts at the same time, each in a thread; what they returned, in order."""
    barrier = threading.Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        barrier.wait(PATIENCE)
        return act()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def posted_together(browsers: Sequence[Browser], path: str, *forms: Mapping[str, Any]) -> list[Answer]:
    """Every browser sends its form (or all the only one) at the same moment, on an open connection."""
    sent = forms if len(forms) > 1 else forms * len(browsers)
    acts = []
    for browser, form in zip(browsers, sent, strict=True):
        acts.append(partial(browser.send, browser.connection(), path, form))
    return together(*acts)
