"""The product as it is shipped: the commands of the Makefile, the product's own settings, an empty folder."""

from __future__ import annotations

import http.client
import os
import shlex
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SETTINGS, APPLICATION = "guandan_site.settings", "guandan_site.wsgi"
LEFT_OUT = {"DJANGO_SETTINGS_MODULE", "DEBUG", "PROFILE", "SECRET_KEY", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"}


def commands(target: str, **variables: object) -> list[list[str]]:
    """The commands that `make <target>` would run."""
    told = [f"{name}={value}" for name, value in variables.items()]
    run = subprocess.run(
        ["make", "-n", "--no-print-directory", target, *told],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [shlex.split(line) for line in run.stdout.splitlines()]


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class ShippedServer:
    """`make serve` in a folder of its own; it can die as in a power cut and be started again."""

    folder: Path
    workers: int
    settings: str = SETTINGS
    application: str = APPLICATION
    """Another one is for controls only."""
    port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """The machine's, without anything that a developer set."""
        kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
        kept["DJANGO_SETTINGS_MODULE"] = self.settings
        return {
            **kept,
            "DATA_DIR": str(self.folder),
            "DATABASE_URL": f"sqlite:///{self.folder / 'touyou.sqlite3'}",
        }

    @property
    def log(self) -> Path:
        """What the server itself had to say."""
        return self.folder / "server.log"

    def prepare(self) -> None:
        """Database and static files."""
        for command in commands("prepare"):
            run = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True)
            assert run.returncode == 0, run.stderr

    def start(self) -> None:
        """Starts it as the Makefile does and waits until it answers."""
        (shipped,) = commands("start", PORT=self.port, WORKERS=self.workers)
        command = [self.application if word == APPLICATION else word for word in shipped]
        assert command.count(self.application) == 1
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        until = time.monotonic() + 60
        while not self._answers():
            assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, "the server does not come up"
            time.sleep(0.05)

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", "/login/")
            return connection.getresponse().status > 0
        except OSError:
            return False
        finally:
            connection.close()

    def kill(self) -> None:
        """As a power cut would: the server and its workers are gone at once and say nothing more."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """Lets running requests end."""
        assert self._process is not None
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command of the product beside its server."""
        command = [str(ROOT / ".venv/bin/python"), "manage.py", *arguments]
        return subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True)
