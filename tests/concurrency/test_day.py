"""A day in full: a hall of officials, phones and projectors on the shipped server, and all that goes wrong.

Afterwards nothing is lost, nothing failed, every act is in the log, and file and pages say the same.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.urls import Resolver404, resolve

from scoring.engine.levels import parse_level
from tests.concurrency.day_faults import Faults
from tests.concurrency.day_office import DESK, EVENT, Office
from tests.concurrency.shipped import APPLICATION, ShippedServer
from tests.concurrency.visitors import Heard

MINUTES = float(os.environ.get("DAY_MINUTES", "0"))
"""How long the play of all rounds lasts together; 0 plays them as quickly as the hall can be heard."""
BEFORE, DRAFT, SEATED, PLAYING, CLOSED = "before", "draft", "seated", "playing", "closed"


Finding = tuple[int, str]
"""Number of the round, rule of the checker."""


@dataclass(frozen=True)
class Plan:
    """How large the day is, and which faults come in which round and moment."""

    teams: int
    rounds: int
    assistants: int
    workers: int
    settings: str
    hurry: float
    play_seconds: float
    faults: Mapping[int, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    expected_findings: Sequence[Finding] = ()
    """What the checker rightly finds; a draw kept after a correction says so itself and is none."""

    @property
    def planned_faults(self) -> int:
        return sum(len(names) for moments in self.faults.values() for names in moments.values())


SHORT = Plan(
    teams=8,
    rounds=2,
    assistants=3,
    workers=2,
    settings="tests.settings",
    hurry=20,
    play_seconds=1,
    faults={
        1: {
            SEATED: ["late team takes a new table"],
            PLAYING: ["stale save by two assistants", "server killed and restarted"],
        },
        2: {SEATED: ["wrong way round, next round seated"], PLAYING: ["blind re-entry mismatch"]},
    },
)
FULL = Plan(
    teams=200,
    rounds=6,
    assistants=8,
    workers=4,
    settings="guandan_site.settings",
    hurry=1,
    play_seconds=MINUTES * 60 / 6 or 20,
    faults={
        1: {
            SEATED: ["late team takes a new table"],
            PLAYING: ["stale save by two assistants", "missing slip"],
        },
        2: {
            BEFORE: ["absent team"],
            PLAYING: [
                "typed wrong, corrected before the close",
                "blind re-entry mismatch",
                "dispute between two phones",
                "table calls the referee",
            ],
        },
        3: {
            DRAFT: ["draft changed by hand"],
            SEATED: ["publication withdrawn and republished", "table breaks"],
            PLAYING: ["server killed and restarted"],
        },
        4: {
            BEFORE: ["replacement player"],
            SEATED: ["wrong way round, next round seated"],
            PLAYING: ["projector away and back"],
            CLOSED: ["penalty given and cancelled"],
        },
        5: {
            BEFORE: ["withdrawal"],
            PLAYING: ["assistant's rights removed", "team does not come"],
        },
        6: {
            SEATED: ["wrong way round, fewest tables drawn again"],
            PLAYING: ["stale save by two assistants", "appeal"],
            CLOSED: ["round reopened"],
        },
    },
)


def live(office: Office, faults: Faults, plan: Plan) -> list[str]:
    """The day from the first start to the evening; what went wrong on phones and projectors."""
    office.set_up(late=[faults.late])
    print(f"\n{office.teams} teams are in the hall", flush=True)
    office.open_phones(projectors=2)
    try:
        for number in range(1, plan.rounds + 1):
            play_round(office, faults, number, plan.faults.get(number, {}))
    finally:
        problems = office.close_phones()
    return problems


def play_round(office: Office, faults: Faults, number: int, moments: Mapping[str, Sequence[str]]) -> None:
    """One round, with its faults in their moments."""

    begun = time.monotonic()

    def come(moment: str) -> None:
        for name in moments.get(moment, ()):
            faults.happen(name, number)

    come(BEFORE)
    office.draw(number, ("unchecked", "absent") if number == 1 else None)
    come(DRAFT)
    office.publish(number)
    come(SEATED)
    others = faults.keep_tables(number, office.seats(number), moments.get(PLAYING, ()))
    office.start_clock()
    office.play(number, others, partial(come, PLAYING))
    office.wait_until_confirmed(number)
    office.close(number)
    come(CLOSED)
    print(f"round {number}: {time.monotonic() - begun:.0f} s", flush=True)


def evening(office: Office, problems: list[str]) -> dict[str, Any]:
    """What the event file says once all is over, after everything was looked at again."""
    assert problems == []
    failed = [heard for heard in office.diary.heard if heard.status >= 500]
    assert failed == []
    assert "Traceback" not in office.server.log.read_text()
    page = office.chief.get(f"{DESK}event.json")
    assert page.status == 200
    document: dict[str, Any] = json.loads(page.text)
    assert results_in(document) == expected_results(office)
    assert logged(office) == dict(office.acts)
    return document


def results_in(document: Mapping[str, Any]) -> dict[tuple[int, int], tuple[int, int, str]]:
    """By round and table what the event file holds: home, away, levels or the forfeit."""
    numbers = {team["id"]: team["number"] for team in document["teams"]}
    found = {}
    for round_ in document["stages"][0]["rounds"]:
        for match in round_["matches"]:
            if match.get("away") is None:
                continue
            result = match["result"]
            levels = f"{result.get('home_level')} : {result.get('away_level')}"
            told = levels if result["outcome"] == "played" else result["outcome"]
            found[round_["number"], match["table"]] = (numbers[match["home"]], numbers[match["away"]], told)
    return found


def expected_results(office: Office) -> dict[tuple[int, int], tuple[int, int, str]]:
    """The same from what was confirmed to officials and phones."""
    return {
        key: (
            home,
            away,
            "forfeit_away" if "x" in levels else " : ".join(str(parse_level(each)) for each in levels),
        )
        for key, (home, away, levels) in office.stored.items()
    }


def database(office: Office) -> sqlite3.Connection:
    """The laptop's database, asked past the product."""
    return sqlite3.connect(office.server.folder / "touyou.sqlite3")


def logged(office: Office) -> dict[str, int]:
    """How often each act stands in the log; the event's revision counts the same acts."""
    connection = database(office)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        (revision,) = connection.execute("SELECT revision FROM tournaments_event").fetchone()
        rows = connection.execute(
            "SELECT act, count(*) FROM tournaments_logentry WHERE event_id IS NOT NULL GROUP BY act"
        )
        found = dict(rows.fetchall())
    finally:
        connection.close()
    assert revision == sum(found.values())
    return found


def standings_shown(office: Office) -> list[tuple[int, int, int]]:
    """Rank, number and points of every row of the public page."""
    page = office.visitor().get(f"{EVENT}s1/standings/")
    rows = re.findall(
        r'<tr id="team-(\d+)".*?<td class="place"><b>(\d+).*?<b class="total">(\d+)</b>', page.text, re.S
    )
    return [(int(rank), int(number), int(points)) for number, rank, points in rows]


def standings_recomputed(office: Office, file: Path) -> list[tuple[int, int, int]]:
    """The same, computed from the event file by the command, without the database."""
    shown = office.server.manage("show_standings", str(file), "--json")
    assert shown.returncode == 0, shown.stderr
    return [(row["rank"], row["number"], row["points"]) for row in json.loads(shown.stdout)["rows"]]


def findings(office: Office, file: Path) -> list[tuple[str, str]]:
    """Path and rule of everything that breaks the event's rules."""
    checked = office.server.manage("check_event", str(file), "--json")
    return [(each["path"], each["rule"]) for each in json.loads(checked.stdout)["findings"]]


def told_of(finding: tuple[str, str]) -> Finding:
    """A finding by the number of its round."""
    path, rule = finding
    return int(re.findall(r"rounds\[(\d+)\]", path)[0]) + 1, rule


def kind_of(heard: Heard) -> str:
    """The page that was asked for; what htmx or a script asks for counts with its page."""
    try:
        found = resolve(heard.path.split("?")[0])
    except Resolver404:
        return f"{heard.method} (static)"
    acts = {"table_phone_act": "act"}
    detail = found.kwargs.get(acts.get(found.view_name or "", ""), "")
    return f"{heard.method} {found.view_name}{' ' + detail if detail else ''}"


def summary(office: Office, faults: Faults, seconds: float) -> str:
    """Answers of the day by kind of request: how many, p95, the slowest, statuses, weight."""
    by_kind: dict[str, list[Heard]] = defaultdict(list)
    for heard in office.diary.heard:
        by_kind[kind_of(heard)].append(heard)
    total = len(office.diary.heard)
    lines = [
        f"{office.teams} teams, {office.rounds} rounds, {seconds:.0f} s, {total} requests"
        f" ({total / seconds:.0f} a second), {office.diary.unheard} unanswered while the server was away",
        *(f"  ✓ {done}" for done in faults.done),
        f"{'request':34}{'n':>7}{'p95 ms':>8}{'max ms':>8}{'max kB':>8}  statuses",
    ]
    for kind, heard in sorted(by_kind.items(), key=lambda each: -len(each[1])):
        slow, slowest = (1000 * share_of(heard, share) for share in (0.95, 1))
        statuses = ", ".join(
            f"{status}×{n}" for status, n in sorted(Counter(h.status for h in heard).items())
        )
        heaviest = max(each.size for each in heard) / 1000
        lines.append(f"{kind:34}{len(heard):>7}{slow:>8.0f}{slowest:>8.0f}{heaviest:>8.1f}  {statuses}")
    for name, heard in (("all", office.diary.heard), ("without the power cut", office.diary.undisturbed)):
        slow, slowest = (1000 * share_of(heard, share) for share in (0.95, 1))
        lines.append(f"{name}: p95 {slow:.0f} ms, max {slowest:.0f} ms")
    return "\n".join(lines)


def share_of(heard: Sequence[Heard], share: float) -> float:
    """Seconds within which this share of the answers came."""
    seconds = sorted(each.seconds for each in heard)
    return seconds[int(share * (len(seconds) - 1))]


def opened(folder: Path, plan: Plan, application: str = APPLICATION) -> tuple[Office, Faults]:
    """The laptop is switched on."""
    server = ShippedServer(folder, plan.workers, plan.settings, application)
    server.prepare()
    server.start()
    office = Office(server, plan.teams, plan.rounds, plan.hurry, plan.play_seconds, plan.assistants)
    return office, Faults(office, late=plan.teams)


@pytest.mark.soak
@pytest.mark.parametrize("plan", [SHORT, FULL], ids=["short", "full"])
def test_a_day(tmp_path, plan):
    office, faults = opened(tmp_path, plan)
    begun = time.monotonic()
    try:
        try:
            problems = live(office, faults, plan)
        finally:
            print(f"\n{summary(office, faults, time.monotonic() - begun)}")
        assert len(faults.done) == plan.planned_faults
        file = tmp_path / "event.json"
        file.write_text(json.dumps(evening(office, problems)))
        assert standings_shown(office) == standings_recomputed(office, file) != []
        assert {told_of(each) for each in findings(office, file)} == set(plan.expected_findings)
        if plan is FULL and MINUTES:
            slow, slowest = (share_of(office.diary.undisturbed, share) for share in (0.95, 1))
            assert slow <= 0.5
            assert slowest <= 5
    finally:
        office.server.stop()


@pytest.mark.soak
def test_control_without_guards_the_day_goes_wrong(tmp_path):
    office, faults = opened(tmp_path, SHORT, "tests.concurrency.unguarded")
    try:
        with pytest.raises(AssertionError):
            evening(office, live(office, faults, SHORT))
    finally:
        office.server.stop()
