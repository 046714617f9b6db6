"""One clock for every server, and it outlives each of them (P8, case A20)."""

from __future__ import annotations

import json
import math

from tests.concurrency.state import logged
from tests.concurrency.venue import Server, posted_together

DESK, FACE = "/e/clock/desk/clock/", "/e/clock/clock.json"


def face(server: Server) -> dict[str, object]:
    """What the server tells devices; its own now is taken out, and what is left must follow from it."""
    answer = server.browser().get(FACE)
    assert answer.headers["Cache-Control"] == "no-store"
    told = json.loads(answer.text)
    now, remaining = told.pop("now"), told.pop("remaining")
    if told["ends_at"] is not None:
        assert remaining == math.ceil((told["ends_at"] - now) / 1000)
        return told
    return told | {"remaining": remaining}


def test_every_server_tells_the_same_and_a_restart_changes_nothing(venue, server, other_server):
    chief = server.browser("chief")
    idle = face(server)
    assert (idle["state"], idle["remaining"], idle["ends_at"]) == ("idle", 2700, None)
    assert face(other_server) == idle

    assert chief.post(DESK + "start/").status == 303
    running = face(server)
    assert running["state"] == "running"
    assert running["ends_at"] - running["started_at"] == 2_700_000
    assert face(other_server) == running
    other_server.stop()
    other_server.start()
    assert face(other_server) == running

    assert other_server.browser("chief").post(DESK + "pause/").status == 303
    paused = face(server)
    assert paused["state"] == "paused"
    assert face(other_server) == face(server) == paused

    assert chief.post(DESK + "resume/").status == 303
    resumed = face(other_server)
    assert resumed["state"] == "running"
    assert 0 <= resumed["ends_at"] - running["ends_at"] < 600_000


def test_a_button_pressed_twice_counts_once(venue, server):
    before = face(server)
    posted_together([server.browser("chief")] * 4, DESK + "start/", {})
    assert (face(server), logged(venue, "clock", "clock_started")) == (before, 1)
