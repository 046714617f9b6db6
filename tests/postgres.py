"""A PostgreSQL server for the tests alone: made in a new folder, gone with it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

UNPRIVILEGED = ("postgres", "nobody")
"""Whom the server runs as when the tests run as root: PostgreSQL refuses root."""
# Nothing here outlives the tests, so nothing need survive a power cut.
SETTINGS = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c listen_addresses="


def postgres_binaries() -> Path | None:
    """The folder of the newest server installed, None where there is none."""
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if folders:
        return max(folders, key=lambda folder: int(folder.parent.name))
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


class PostgresServer:
    """A running server that only a socket in its own folder leads to."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def create_database(self, name: str) -> str:
        """Makes an empty database; its DATABASE_URL."""
        with psycopg.connect(self._conninfo("postgres"), autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return f"postgres://touyou@/{self._folder}/{name}"

    def _conninfo(self, database: str) -> str:
        return make_conninfo(host=str(self._folder), user="touyou", dbname=database)


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Starts a server and stops it at the end."""
    binaries = postgres_binaries()
    assert binaries is not None, "PostgreSQL's server is not installed"
    owner = _owner()
    folder = Path(tempfile.mkdtemp(prefix="touyou-pg-"))
    if owner is not None:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    data = folder / "data"

    def run(program: str, *arguments: str) -> None:
        subprocess.run(
            [str(binaries / program), *arguments],
            check=True,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            **({"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []} if owner else {}),
        )

    try:
        initialise = ("--auth=trust", "--username=touyou", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        run("initdb", f"--pgdata={data}", *initialise)
        log, options = folder / "log", f"{SETTINGS} -k {folder}"
        run("pg_ctl", "start", "-w", "-D", str(data), "-l", str(log), "-o", options)
        try:
            yield PostgresServer(folder)
        finally:
            run("pg_ctl", "stop", "-w", "-D", str(data), "-m", "immediate")
    finally:
        shutil.rmtree(folder)


def _owner() -> pwd.struct_passwd | None:
    """Who runs the server; None means whoever runs the tests."""
    if os.geteuid() != 0:
        return None
    accounts = {account.pw_name: account for account in pwd.getpwall()}
    return next(accounts[name] for name in UNPRIVILEGED if name in accounts)
