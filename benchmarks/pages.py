"""What the public standings page costs: `python -m benchmarks.pages [seconds]`.

An event of 200 teams after 7 rounds in a new SQLite database, served by the shipped gunicorn command in the
hall profile. The visitors are two Python processes on the same machine, so the server has less than the whole
of it; every request has a connection of its own, as gunicorn's simple workers want it.
Aims on two cores: at most 60 ms for a page that is not cached; 1,500 requests/s cached or unchanged (304),
80 requests/s not cached.
"""

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import django
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

ROOT = Path(__file__).resolve().parent.parent
TEAMS, ROUNDS, SEED = 200, 7, 1
PAGE = f"/e/sim-{TEAMS}-{ROUNDS}-{SEED}/s1/standings/"
WORKERS = 4
VISITORS = 2
SETTINGS = {"DJANGO_SETTINGS_MODULE": "guandan_site.settings", "PROFILE": "hall", "LOG_LEVEL": "ERROR"}


def prepare(folder: str) -> None:
    """A database with the event, and the static files under their hashed names."""
    os.environ |= {**SETTINGS, "DATA_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/touyou.sqlite3"}
    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    numbers = {"teams": TEAMS, "departments": 16, "rounds": ROUNDS, "seed": SEED}
    with Path(os.devnull).open("w") as nowhere:
        call_command("simulate_event", save=True, stdout=nowhere, **numbers)


def page_times(client: Client, repeats: int, *, is_changed: bool) -> Iterator[float]:
    """Milliseconds of a page no cache has, with the standings kept or, `is_changed`, to be computed anew.

    The first makes the templates ready and does not count.
    """
    for number in range(repeats + 1):
        if is_changed:
            with connection.cursor() as cursor:
                cursor.execute("UPDATE tournaments_event SET revision = revision + 1")
        begun = time.perf_counter()
        answer = client.get(PAGE, {f"uncached{is_changed}": number})
        spent = (time.perf_counter() - begun) * 1000
        assert answer.status_code == 200, answer.status_code
        if number:
            yield spent


def queries(client: Client, **query: int) -> int:
    with CaptureQueriesContext(connection) as captured:
        client.get(PAGE, query)
    return len(captured)


@dataclass(frozen=True)
class Server:
    """The shipped server."""

    port: int
    pid: int

    def cpu_seconds(self) -> float:
        """What its workers have spent so far."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        ticks = [Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split() for child in children]
        return sum(int(fields[11]) + int(fields[12]) for fields in ticks) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Rate:
    """Requests a second; milliseconds within which 95 of 100 were answered; the server's own for each."""

    a_second: float
    slow: float
    cpu: float


@contextmanager
def served() -> Iterator[Server]:
    """The shipped command on a free port; without its limit of requests, at which workers are replaced."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "guandan_site.wsgi", "--bind", f"127.0.0.1:{port}"]
    command += ["--workers", str(WORKERS), "--timeout", "60", "--log-level", "error"]
    server = subprocess.Popen(command, cwd=ROOT)
    try:
        wait_for(port)
        yield Server(port, server.pid)
    finally:
        server.terminate()
        server.wait()


def wait_for(port: int) -> None:
    """Until every worker has loaded the program and made the page once."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            for _request in range(20 * WORKERS):
                ask(port, request_for(PAGE))
        except ConnectionRefusedError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError("the server does not answer")


def request_for(path: str, etag: str = "") -> bytes:
    known = f"If-None-Match: {etag}\r\n" if etag else ""
    accepted = "Accept-Encoding: gzip\r\nConnection: close"
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{known}{accepted}\r\n\r\n".encode()


def ask(port: int, request: bytes) -> bytes:
    """The whole answer."""
    parts = []
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(request)
        while part := line.recv(1 << 18):
            parts.append(part)
    return b"".join(parts)


def visit(port: int, seconds: float, etag: str, fresh: str) -> list[float]:
    """Asks without a pause; the seconds each answer took. `fresh` makes every address new to the cache."""
    status, times = b" 304 " if etag else b" 200 ", []
    end = time.perf_counter() + seconds
    for number in count():
        request = request_for(f"{PAGE}?{fresh}={number}" if fresh else PAGE, etag)
        begun = time.perf_counter()
        if begun > end:
            return times
        answer = ask(port, request)
        assert status in answer[:20], answer[:200]
        times.append(time.perf_counter() - begun)
    return times


def rate(server: Server, seconds: float, *, etag: str = "", is_fresh: bool = False) -> Rate:
    """What visitors without a pause get, and what it costs the server."""
    before = server.cpu_seconds()
    with ProcessPoolExecutor(VISITORS) as pool:
        names = [f"v{number}" if is_fresh else "" for number in range(VISITORS)]
        visits = [pool.submit(visit, server.port, seconds, etag, name) for name in names]
        times = sorted(each for visit_ in visits for each in visit_.result())
    spent = server.cpu_seconds() - before
    return Rate(len(times) / seconds, times[int(0.95 * len(times))] * 1000, spent / len(times) * 1000)


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        client = Client()
        after_change = list(page_times(client, 20, is_changed=True))
        times = list(page_times(client, 20, is_changed=False))
        answer = client.get(PAGE)
        asked = f"{queries(client, other=1)} queries, cached {queries(client)}"
        print(f"standings of {TEAMS} teams after {ROUNDS} rounds: {len(answer.content) // 1024} kB, {asked}")
        changed, least = statistics.median(after_change), min(after_change)
        print(f"  after a change {changed:6.1f} ms (aim 60), quickest {least:.1f}")
        print(f"  not cached {statistics.median(times):6.1f} ms (aim 60), quickest {min(times):.1f}")
        connection.close()
        print(f"{WORKERS} workers, {VISITORS} visitors without a pause, {seconds:.0f} s each")
        with served() as server:
            report("cached", 1500, rate(server, seconds))
            report("304", 1500, rate(server, seconds, etag=answer.headers["ETag"]))
            report("not cached", 80, rate(server, seconds, is_fresh=True))


def report(kind: str, aim: int, rate: Rate) -> None:
    print(
        f"  {kind:10} {rate.a_second:6.0f} requests/s (aim {aim}), 95 % within {rate.slow:.1f} ms;"
        f" the server's processor {rate.cpu:.2f} ms each, so two cores alone give {2000 / rate.cpu:.0f}/s"
    )


if __name__ == "__main__":
    main()
