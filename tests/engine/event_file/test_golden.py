"""Golden event files: what stands in tests/golden/expected was worked out by hand from the rules."""

import json
from pathlib import Path

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.computing import completed, find_stage, stage_standings
from guandan_site.event_file.drawing import draw_next_round
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.parsing import load_event
from pairing.engine.types import NoLegalDraw
from scoring.engine.rules import RankingKey

GOLDEN = Path(__file__).parents[2] / "golden"
FILES = sorted(GOLDEN.glob("*.json"))


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def golden(request):
    expected = json.loads((GOLDEN / "expected" / request.param.name).read_text())
    document = completed(load_event(request.param))
    return document, find_stage(document, None), expected


def test_there_are_golden_files():
    assert len(FILES) >= 11
    assert {path.name for path in FILES} == {path.name for path in (GOLDEN / "expected").iterdir()}


def test_standings(golden):
    document, stage, expected = golden
    found = stage_standings(document, stage)
    wanted = expected["standings"]
    assert [[row.rank, row.team, row.points, row.decided_by] for row in found.rows] == wanted["rows"]
    assert (found.after_round, list(found.incomplete)) == (wanted["after_round"], wanted["incomplete"])
    assert sorted(row.team for row in found.rows if row.withdrawn) == wanted.get("withdrawn", [])
    for key, values in wanted.get("keys", {}).items():
        assert {row.team: row.keys[RankingKey(key)] for row in found.rows} == values


def test_draw(golden):
    document, stage, expected = golden
    wanted = expected.get("draw")
    if wanted is None:
        pytest.skip("a round is being played")
    assert answer(document, stage) == ({"broken": [], **wanted} if "round" in wanted else wanted)


def answer(document, stage) -> dict:
    try:
        drawn = draw_next_round(document, stage, 1)
    except NoLegalDraw as error:
        return {
            "impossible": {"reason": error.reason, "teams": sorted(error.teams)},
            "relaxations": [[each.rule, each.value] for each in error.relaxations],
        }
    return {
        "round": drawn.round_number,
        "matches": [[match.home, match.away] for match in drawn.matches],
        "bye": drawn.bye,
        "broken": [[each.rule, list(each.teams)] for each in drawn.broken],
    }


def test_a_golden_file_keeps_its_own_rules(golden):
    document, _stage, _expected = golden
    assert check_event(document) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_written_and_read_again_is_the_same(path):
    document = load_event(path)
    assert load_event(to_bytes(document)) == document
