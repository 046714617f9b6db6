"""The drill (P9): a laptop dies in mid-round; another one goes on from the stick, by the browser alone."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.concurrency.state import line, open_lines, round_id, rounds, seen_draft
from tests.concurrency.venue import Browser, Server, Venue

SAVED = 4
"""Tables whose result is on the stick."""
LATER = 2
"""Tables whose result is entered after the backup: the slips still lie on the desk."""
LOGGED = "SELECT id, act, subject, by_name, old, new FROM tournaments_logentry ORDER BY id"
RESULTS = """
    SELECT m.round_id, m."table", s.home_level, s.away_level, s.version FROM scoring_result s
    JOIN tournaments_match m ON m.id = s.match_id ORDER BY m.round_id, m."table"
"""
USERS = "SELECT username, password, last_name, is_active FROM auth_user ORDER BY id"


@dataclass(frozen=True)
class Stick:
    """What was there when the newest backup was made, told by the dead laptop's own database."""

    file: Path
    log: list[tuple[object, ...]]
    results: list[tuple[object, ...]]
    users: list[tuple[object, ...]]


def laptop(folder: Path, **settings: str) -> Venue:
    """A laptop with the program and nothing else."""
    folder.mkdir()
    return Venue(folder, f"sqlite:///{folder / 'touyou.sqlite3'}", settings)


def play_and_die(venue: Venue, stick: Path, *, teams: int, by_itself: bool) -> Stick:
    """A round is being played; a backup goes to the stick; more results come in; everything is gone."""
    venue.prepare({"slug": "drill", "teams": teams, "published": 2})
    stick.mkdir()
    with Server(venue, workers=2) as server:
        chosen = server.browser("administrator").post("/backup/", {"folder": str(stick)})
        assert chosen.status == 303
        enter(server.browser("a1"), range(1, SAVED + 1), teams)
        if by_itself:
            server.stop()
            server.start()  # a worker looks whether a backup is due with its first answer, then every 20 s
            wait_for_backup(server.browser("a2"), stick)
        else:
            venue.python("manage.py", "backup", "--if-due")
        (file,) = stick.glob("*.touyou.zip")
        kept = Stick(file, venue.rows(LOGGED), venue.rows(RESULTS), venue.rows(USERS))
        enter(server.browser("a1"), range(SAVED + 1, SAVED + LATER + 1), teams)
        assert len(venue.rows(RESULTS)) == len(kept.results) + LATER
        server.kill()
        shutil.rmtree(venue.folder)
        server.stop = lambda: None  # type: ignore[method-assign]  # nothing is left to be stopped
    return kept


def enter(assistant: Browser, tables: range, teams: int) -> None:
    for table in tables:
        saved = assistant.post(
            f"/e/drill/desk/s1/r2/results/{table}/", line(table, "10 : 7", teams=teams, round=2)
        )
        assert saved.status == 303, saved.text


def wait_for_backup(visitor: Browser, stick: Path) -> None:
    until = time.monotonic() + 60
    while not list(stick.glob("*.touyou.zip")):
        assert visitor.get("/e/drill/desk/").status == 200
        assert time.monotonic() < until, "no backup came by itself"


def signed_in(server: Server, account: str) -> Browser:
    """Somebody who types account and password at the new laptop."""
    visitor = server.browser()
    answer = visitor.post("/login/", {"username": account, "password": f"pw-{account}"})
    assert answer.status == 302, answer.text
    session = answer.headers["Set-Cookie"].partition("sessionid=")[2].partition(";")[0]
    return Browser(visitor.port, session)


def put_back(server: Server, kept: Stick) -> None:
    """The one form of the first start, with the newest file of the stick."""
    visitor = server.browser()
    assert "touyou.zip" in visitor.get("/start/").text
    answer = visitor.upload("/start/", kept.file.name, kept.file.read_bytes(), restore="1")
    assert answer.status == 303, answer.text
    assert answer.headers["Location"] == "/login/"
    assert "touyou.zip" not in visitor.get("/start/").text, "nobody can do it again"


def everything_is_there(venue: Venue, kept: Stick) -> None:
    log = venue.rows(LOGGED)
    assert log[: len(kept.log)] == kept.log
    assert [act for _id, act, *_rest in log[len(kept.log) :]] == ["backup_restored"]
    assert venue.rows(RESULTS) == kept.results
    assert venue.rows(USERS) == kept.users


def go_on_to_the_end(venue: Venue, server: Server, teams: int) -> None:
    """The slips that lie on the desk are entered, the round is closed, the next one drawn and published."""
    assistant, chief, desk = signed_in(server, "a1"), signed_in(server, "chief"), "/e/drill/desk/"
    enter(assistant, range(SAVED + 1, teams // 2 + 1), teams)
    assert chief.post(desk + "round/close/", {"round": round_id(venue, "drill")}).status == 303
    assert chief.post(desk + "draw/make/").status == 303
    assert chief.post(desk + "draw/publish/", seen_draft(venue, "drill")).status == 303
    for table, entry in open_lines(venue, "drill").items():
        assert assistant.post(f"{desk}s1/r3/results/{table}/", entry).status == 303
    assert chief.post(desk + "round/close/", {"round": round_id(venue, "drill")}).status == 303
    assert [(number, status) for number, status, *_counts in rounds(venue, "drill")] == [
        (1, "completed"),
        (2, "completed"),
        (3, "completed"),
    ]


def drill(folder: Path, *, teams: int, by_itself: bool) -> float:
    """Seconds from the start of the second laptop until somebody is signed in and sees the round."""
    settings = {"BACKUPS_BY_THEMSELVES": "1"} if by_itself else {}
    first = laptop(folder / "first", **settings)
    kept = play_and_die(first, folder / "stick", teams=teams, by_itself=by_itself)
    assert not first.folder.exists()
    begun = time.perf_counter()
    second = laptop(folder / "second")
    second.python("manage.py", "migrate", "-v0")  # what `make serve` does first
    with Server(second, workers=2) as server:
        assert server.browser().get("/e/drill/").status == 404
        put_back(server, kept)
        page = signed_in(server, "a1").get("/e/drill/desk/s1/r2/results/")
        seconds = time.perf_counter() - begun
        assert page.status == 200
        everything_is_there(second, kept)
        go_on_to_the_end(second, server, teams)
    return seconds


@pytest.mark.soak
def test_a_second_laptop_goes_on(tmp_path):
    drill(tmp_path, teams=16, by_itself=False)


@pytest.mark.soak
class TestSoak:
    def test_a_hall_of_a_hundred_tables_with_backups_by_themselves(self, tmp_path):
        seconds = drill(tmp_path, teams=200, by_itself=True)
        print(f"\n200 teams: from an empty laptop to the running round in {seconds:.1f} s")
        assert seconds < 60

    def test_control_a_copied_database_file_loses_results(self, tmp_path):
        """Without SQLite's own backup: the file alone, as somebody would drag it onto the stick."""
        venue = laptop(tmp_path / "first")
        venue.prepare({"slug": "drill", "teams": 16, "published": 2})
        with Server(venue, workers=2) as server:
            enter(server.browser("a1"), range(1, SAVED + 1), 16)
            stored = venue.rows(RESULTS)
            (tmp_path / "stick").mkdir()
            shutil.copy(venue.folder / "touyou.sqlite3", tmp_path / "stick")
            copy = Venue(tmp_path / "stick", f"sqlite:///{tmp_path / 'stick' / 'touyou.sqlite3'}")
            copied = copy.rows(RESULTS)
        print(f"\n{len(stored)} results stored, {len(copied)} in the copied file")
        assert len(copied) < len(stored)
