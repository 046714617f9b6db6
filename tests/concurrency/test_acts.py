"""Two officials press buttons at the same moment: each act happens whole and once (P1, P2)."""

from __future__ import annotations

import html
import re
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.concurrency.state import (
    count,
    event_id,
    line,
    logged,
    round_id,
    rounds,
    seen_draft,
    stored_result,
)
from tests.concurrency.venue import Answer, posted_together, together

RESULTS = "/e/{}/desk/s1/r1/results/{}/"
ROSTER = Path(__file__).parent.parent / "rosters" / "r01-plain.xlsx"
TRIES = 5
"""How often two different acts race, so that now the one, now the other comes first."""


def statuses(answers: list[Answer]) -> list[int]:
    return sorted(answer.status for answer in answers)


@pytest.mark.parametrize("table", range(1, 9))
def test_a_table_saved_twice_keeps_one_value_and_answers_the_other_with_both(venue, server, table):
    assistants, version = [server.browser("a1"), server.browser("a2")], 0
    for typed in (["10 : 7", "8 : 9"], ["6 : 5", "3 : 4"], ["9 : 2", "2 : 9"]):
        forms = [line(table, levels, version) for levels in typed]
        answers = posted_together(assistants, RESULTS.format("same-table", table), *forms)
        assert statuses(answers) == [303, 422]
        stored = stored_result(venue, "same-table", table)
        assert stored is not None
        won, lost = sorted(range(2), key=lambda place: answers[place].status)
        assert stored[1] == typed[won]
        both = re.findall(r"<dd><b>(\d+ : \d+)", html.unescape(answers[lost].text))
        assert both == [typed[won], typed[lost]]
        version = stored[0]


def test_a_round_is_drawn_once(venue, server):
    answers = posted_together([server.browser("chief")] * 6, "/e/draw/desk/draw/make/", {})
    assert statuses(answers) == [303] + 5 * [422]
    assert rounds(venue, "draw") == [(1, "draft", 8, 16)]
    assert logged(venue, "draw", "round_drawn") == 1


def test_a_round_is_published_once(venue, server):
    chief = server.browser("chief")
    assert chief.post("/e/publish/desk/draw/make/").status == 303
    answers = posted_together([chief] * 4, "/e/publish/desk/draw/publish/", seen_draft(venue, "publish"))
    assert statuses(answers) == [303] + 3 * [422]
    round_ = round_id(venue, "publish")
    assert venue.rows(f"SELECT version FROM pairing_publication WHERE round_id = {round_}") == [(1,)]
    assert count(venue, "tournaments_clock", f"round_id = {round_}") == 1
    assert logged(venue, "publish", "round_published") == 1


def test_a_draft_is_either_published_or_discarded(venue, server):
    chief, desk = server.browser("chief"), "/e/discard/desk/draw/"
    for _try in range(TRIES):
        assert chief.post(desk + "make/").status == 303
        seen = seen_draft(venue, "discard")
        publish, discard = (partial(chief.post, desk + act, seen) for act in ("publish/", "discard/"))
        published, discarded = together(publish, discard)
        assert statuses([published, discarded]) == [303, 422]
        assert rounds(venue, "discard") == ([(1, "published", 8, 16)] if published.status == 303 else [])
        if published.status == 303:
            round_ = {"round": round_id(venue, "discard")}
            assert chief.post(desk + "withdraw/", round_).status == 303
            assert chief.post(desk + "discard/", seen_draft(venue, "discard")).status == 303


def test_a_round_is_either_withdrawn_or_has_a_result(venue, server):
    chief, assistant, desk = server.browser("chief"), server.browser("a1"), "/e/withdraw/desk/draw/"
    save, round_ = RESULTS.format("withdraw", 1), round_id(venue, "withdraw")
    for _try in range(TRIES):
        withdrawn, saved = together(
            partial(chief.post, desk + "withdraw/", {"round": round_}),
            partial(assistant.post, save, line(1, "10 : 7")),
        )
        stored = stored_result(venue, "withdraw", 1)
        if withdrawn.status == 303:
            assert (saved.status, stored) == (404, None)
            assert chief.post(desk + "publish/", seen_draft(venue, "withdraw")).status == 303
        else:
            assert (withdrawn.status, saved.status) == (422, 303)
            assert stored is not None
            cleared = assistant.post(save, line(1, "10 : 7", stored[0]) | {"kind": "clear"})
            assert cleared.status == 303


def test_a_round_is_closed_once_and_never_without_a_result(venue, server):
    chief, assistant, desk = server.browser("chief"), server.browser("a1"), "/e/close/desk/"
    round_ = {"round": round_id(venue, "close")}
    for table in range(1, 9):
        assert assistant.post(RESULTS.format("close", table), line(table, "10 : 7")).status == 303
    closings = posted_together([chief] * 4, desk + "round/close/", round_)
    assert statuses(closings) == [303] + 3 * [422]
    assert logged(venue, "close", "round_closed") == 1
    for _try in range(TRIES):
        assert chief.post(desk + "round/reopen/", round_ | {"reason": "again"}).status == 303
        stored = stored_result(venue, "close", 1) or (0, "")
        clearing = line(1, "10 : 7", stored[0]) | {"kind": "clear"}
        closed, cleared = together(
            partial(chief.post, desk + "round/close/", round_),
            partial(assistant.post, RESULTS.format("close", 1), clearing),
        )
        assert statuses([closed, cleared]) == [303, 422]
        assert (stored_result(venue, "close", 1) is None) == (cleared.status == 303)
        if cleared.status == 303:
            assert assistant.post(RESULTS.format("close", 1), line(1, "10 : 7")).status == 303
            assert chief.post(desk + "round/close/", round_).status == 303


def test_a_roster_is_imported_once(venue, server):
    assistant, address = server.browser("a1"), "/e/import/desk/roster/import/"
    uploaded = assistant.upload(address, ROSTER.name, ROSTER.read_bytes())
    assert uploaded.status == 303
    handle = uploaded.headers["Location"].split("upload=")[1]
    answers = posted_together([assistant] * 3, address, {"upload": unquote(handle)})
    assert statuses(answers) == [303, 303, 303]
    assert logged(venue, "import", "roster_imported") == 1
    teams = f"event_id = {event_id(venue, 'import')}"
    assert count(venue, "tournaments_team", teams) == 24
    players = f"team_id IN (SELECT id FROM tournaments_team WHERE {teams})"
    assert count(venue, "tournaments_player", players) == 48


def test_an_event_file_is_imported_once(venue):
    """Both found no such event; one stores it, the other is told that it is there."""
    outcomes = venue.run("import_together")
    assert sorted(outcomes.split()) == ["EventExists", "EventExists", "EventExists", "Stored"]
    assert count(venue, "tournaments_event", "slug LIKE 'sim-%'") == 1
