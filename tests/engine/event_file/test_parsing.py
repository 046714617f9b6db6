"""The event file is read whole or refused with every place that is wrong."""

import copy
import json
from pathlib import Path

import pytest

from guandan_site.event_file.document import RoundStatus, StageFormat
from guandan_site.event_file.dumping import dump_event, to_bytes
from guandan_site.event_file.parsing import load_event, parse_event
from guandan_site.event_file.problems import MOST_PROBLEMS, Fault, InvalidEventFile
from scoring.engine.results import Outcome
from tests.engine.event_file.files import bye, event_of, played, round_of, two_rounds

STAGE = "stages[0]"
MATCH = f"{STAGE}.rounds[0].matches[0]"
BYE = f"{STAGE}.rounds[0].matches[2]"


def changed(path: str, value: object) -> dict:
    """`two_rounds` with one place changed; a value of `...` takes the place away."""
    document = copy.deepcopy(two_rounds())
    *steps, last = path.replace("[", ".").replace("]", "").split(".")
    place = document
    for step in steps:
        place = place[int(step)] if isinstance(place, list) else place[step]
    if value is ...:
        del place[last]
    else:
        place[int(last) if isinstance(place, list) else last] = value
    return document


def problems(value: object) -> list[tuple[str, Fault]]:
    with pytest.raises(InvalidEventFile) as refused:
        parse_event(value)
    return [(problem.path, problem.fault) for problem in refused.value.problems]


def test_reads_what_the_contract_shows():
    document = parse_event(two_rounds())
    assert document.event.slug == "cup"
    assert [team.number for team in document.teams] == [1, 2, 3, 4, 5]
    assert [player.name for player in document.teams[0].players] == ["甲1", "乙1"]
    stage = document.stages[0]
    assert stage.format is StageFormat.SWISS
    assert [played.status for played in stage.rounds] == [RoundStatus.COMPLETED, RoundStatus.PUBLISHED]
    assert stage.rounds[0].matches[0].result.result.home_level == 15
    assert stage.rounds[1].matches[0].result is None
    assert stage.rounds[1].matches[2].is_bye


def test_what_is_optional_has_its_default():
    document = parse_event(event_of(2, []))
    stage = document.stages[0]
    assert (stage.rounds_planned, stage.teams, stage.rules, stage.adjustments) == (4, None, {}, ())
    assert document.teams_of(stage) == document.teams
    assert document.event.venue == ""
    assert document.event.starts_at is None


def test_a_stage_without_teams_has_all_by_number():
    value = event_of(3, [], teams=["P3", "P1"])
    document = parse_event(value)
    assert [team.id for team in document.teams_of(document.stages[0])] == ["P1", "P3"]


def test_a_bye_needs_no_result():
    value = event_of(1, [round_of(1, [{"home": "P1", "away": None}])])
    assert parse_event(value).stages[0].rounds[0].matches[0].result.result.outcome is Outcome.BYE


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        ("format", "tournament", Fault.WRONG_FORMAT),
        ("version", 2, Fault.UNKNOWN_VERSION),
        ("version", True, Fault.UNKNOWN_VERSION),
        ("version", "1", Fault.UNKNOWN_VERSION),
        ("event", [], Fault.WRONG_TYPE),
        ("teams", {}, Fault.WRONG_TYPE),
        ("event.name", 7, Fault.WRONG_TYPE),
        ("event.name", "  ", Fault.EMPTY),
        ("event.name", "名" * 101, Fault.TOO_LONG),
        ("event.slug", "职工 赛", Fault.BAD_SLUG),
        ("event.starts_at", "next Friday", Fault.BAD_TIME),
        ("event.starts_at", "0001-01-01T00:00:00+08:00", Fault.BAD_TIME),
        ("event.is_public", 1, Fault.WRONG_TYPE),
        ("teams[1].number", 0, Fault.OUT_OF_RANGE),
        ("teams[1].number", 1, Fault.DUPLICATE),
        ("departments[1].name", "单位0", Fault.DUPLICATE),
        ("teams[0].department", "d9", Fault.UNKNOWN_ID),
        ("teams[0].withdrawn_after", 5, Fault.WITHDRAWN_BEYOND),
        (f"{STAGE}.format", "ladder", Fault.UNKNOWN_VALUE),
        (f"{STAGE}.rounds_planned", 0, Fault.OUT_OF_RANGE),
        (f"{STAGE}.rounds[1].number", 3, Fault.ROUNDS_NOT_IN_ORDER),
        (f"{STAGE}.rounds[0].status", "done", Fault.UNKNOWN_VALUE),
        (f"{STAGE}.adjustments[0].team", "P9", Fault.UNKNOWN_ID),
        (f"{STAGE}.adjustments[0].round", 5, Fault.ADJUSTMENT_BEYOND),
        (f"{MATCH}.home", "P9", Fault.UNKNOWN_ID),
        (f"{MATCH}.table", 0, Fault.OUT_OF_RANGE),
        (f"{MATCH}.result", 7, Fault.WRONG_TYPE),
        (f"{MATCH}.result.home_level", 23, Fault.NO_SUCH_LEVEL),
        (f"{MATCH}.result.home_level", 1, Fault.NO_SUCH_LEVEL),
        (f"{MATCH}.result.home_level", True, Fault.INVALID_RESULT),
        (f"{MATCH}.result.home_level", 10.5, Fault.INVALID_RESULT),
        (f"{MATCH}.result.winner", "north", Fault.INVALID_RESULT),
        (f"{MATCH}.result.outcome", "won", Fault.INVALID_RESULT),
        ("event.note", "a\x00b", Fault.BAD_CHARACTER),
        ("event.note", "\ud83d", Fault.BAD_CHARACTER),
        ("event.note", 10**17, Fault.NUMBER_TOO_LARGE),
        ("event.note", float("inf"), Fault.NUMBER_TOO_LARGE),
    ],
)
def test_refuses_a_value(path, value, fault):
    assert problems(changed(path, value)) == [(f"$.{path}", fault)]


@pytest.mark.parametrize(
    "path",
    [
        "format",
        "version",
        "event",
        "event.name",
        "event.slug",
        "teams",
        "teams[1].id",
        "teams[1].number",
        "teams[1].players",
        "stages",
        f"{STAGE}.id",
        f"{STAGE}.format",
        f"{STAGE}.rounds[0].number",
        f"{STAGE}.rounds[0].status",
        f"{STAGE}.rounds[0].matches",
        f"{MATCH}.home",
        f"{MATCH}.away",
        f"{MATCH}.result.away_level",
    ],
)
def test_refuses_a_missing_field(path):
    assert (f"$.{path}", Fault.MISSING) in problems(changed(path, ...))


@pytest.mark.parametrize(
    ("path", "value", "place", "fault"),
    [
        ("teams[0].players[1]", "名" * 41, "teams[0].players[1].name", Fault.TOO_LONG),
        ("teams[0].players[1]", {"name": ""}, "teams[0].players[1].name", Fault.EMPTY),
        ("departments[1].id", "d0", "departments[1].id", Fault.DUPLICATE),
        ("teams[1].number", 1, "teams[1].number", Fault.DUPLICATE),
        ("teams[1].number", True, "teams[1].number", Fault.WRONG_TYPE),
        ("teams[1].number", 2.0, "teams[1].number", Fault.WRONG_TYPE),
        (f"{STAGE}.teams", ["P1", "P9"], f"{STAGE}.teams[1]", Fault.UNKNOWN_ID),
        (
            "teams[0].absences",
            [{"stage": "s9", "round": 1}],
            "teams[0].absences[0].stage",
            Fault.UNKNOWN_ID,
        ),
        ("teams[0].absences", [{"stage": "s1"}], "teams[0].absences[0].round", Fault.MISSING),
        (
            "teams[0].lateness",
            [{"stage": "s1", "round": 1, "minutes": 0}],
            "teams[0].lateness[0].minutes",
            Fault.OUT_OF_RANGE,
        ),
        (
            "teams[0].players[1]",
            {"name": "李娜", "former": [{"name": "周敏", "stage": "s9", "until": 0}]},
            "teams[0].players[1].former[0].stage",
            Fault.UNKNOWN_ID,
        ),
        (f"{STAGE}.teams", ["P1", "P1"], f"{STAGE}.teams[1]", Fault.DUPLICATE),
        (f"{MATCH}.result.away_level", 15, f"{MATCH}.result", Fault.BOTH_PASSED),
        (f"{MATCH}.result", {"outcome": "bye"}, f"{MATCH}.away", Fault.BYE_WITH_AWAY),
        (f"{BYE}.result", {"outcome": "forfeit_home"}, f"{BYE}.away", Fault.NO_OPPONENT),
    ],
)
def test_refuses_what_does_not_fit_together(path, value, place, fault):
    refused = problems(changed(path, value))
    assert (f"$.{place}", fault) in refused


@pytest.mark.parametrize(
    ("rules", "place"),
    [
        ({"match": {"minutes": -1}}, "match.minutes"),
        ({"match": {"strikes": {"limit": 0}}}, "match.strikes.limit"),
        ({"match": []}, "match"),
        ({"pairing": {"rematch": "often"}}, "pairing.rematch"),
        ({"pairing": {"forced": [["P1", "P9"]]}}, "pairing.forced[0][1]"),
        ({"scoring": {"bye": "x"}}, "scoring.bye"),
        ({"ranking": ["points", "luck"]}, "ranking[1]"),
        ({"ranking": []}, "ranking"),
        ({"departments": {"best": 0}}, "departments.best"),
        ({"format": "swiss"}, "format"),
        ({"format": None}, "format"),
        ({"scoring": {"model": "per_deal", "deal_points": [1, 2, 3]}}, "scoring.deal_points"),
    ],
)
def test_refuses_rules_that_no_engine_reads(rules, place):
    assert problems(changed(f"{STAGE}.rules", rules)) == [(f"$.{STAGE}.rules.{place}", Fault.INVALID_RULE)]


def test_a_team_stands_in_a_round_once():
    value = event_of(3, [round_of(1, [played(1, "P1", "P2", 3, 2), bye("P1")])])
    assert problems(value) == [("$.stages[0].rounds[0].matches[1].home", Fault.TEAM_TWICE)]


def test_a_team_does_not_meet_itself():
    value = event_of(1, [round_of(1, [played(1, "P1", "P1", 3, 2)])])
    assert problems(value) == [("$.stages[0].rounds[0].matches[0].away", Fault.TEAM_TWICE)]


def test_two_results_for_one_encounter_are_refused():
    value = event_of(2, [round_of(1, [played(1, "P1", "P2", 3, 2), played(2, "P2", "P1", 3, 2)])])
    path = "$.stages[0].rounds[0].matches[1]"
    assert problems(value) == [(f"{path}.home", Fault.TEAM_TWICE), (f"{path}.away", Fault.TEAM_TWICE)]


def test_a_table_stands_in_a_round_once():
    value = event_of(4, [round_of(1, [played(1, "P1", "P2", 3, 2), played(1, "P3", "P4", 3, 2)])])
    assert problems(value) == [("$.stages[0].rounds[0].matches[1].table", Fault.TABLE_TWICE)]


def test_a_match_is_between_teams_of_its_stage():
    value = event_of(3, [round_of(1, [played(1, "P1", "P3", 3, 2)])], teams=["P1", "P2"])
    assert problems(value) == [("$.stages[0].rounds[0].matches[0].away", Fault.NOT_IN_STAGE)]


def test_every_fault_is_told_at_once():
    value = changed("teams[0].number", 0)
    value["event"]["name"] = ""
    assert [place for place, _ in problems(value)] == ["$.event.name", "$.teams[0].number"]


def test_thousands_of_faults_are_not_kept():
    assert len(problems(event_of(1, [], adjustments=[7] * 5_000))) == MOST_PROBLEMS


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", Fault.NOT_JSON),
        (b"{", Fault.NOT_JSON),
        ("名单".encode("gbk"), Fault.NOT_UTF8),
        (b'{"format": NaN}', Fault.NOT_A_NUMBER),
        (b'{"format": 1, "format": 2}', Fault.DUPLICATE_KEY),
        (b'{"format": ' + b"9" * 5_000 + b"}", Fault.NUMBER_TOO_LARGE),
        (b"[" * 100_000, Fault.TOO_DEEP),
        (b"[" * 60 + b"]" * 60, Fault.TOO_DEEP),
        (b" " * (32 * 1024 * 1024 + 1), Fault.TOO_BIG),
    ],
)
def test_refuses_bytes(content, fault):
    with pytest.raises(InvalidEventFile) as refused:
        load_event(content)
    assert refused.value.problems[0].fault is fault


def test_a_repeated_key_is_named_with_its_place():
    content = json.dumps(two_rounds()).replace('"outcome": "bye"', '"outcome": "bye", "outcome": "bye"', 1)
    with pytest.raises(InvalidEventFile) as refused:
        load_event(content.encode())
    assert refused.value.problems[0].path == "$.stages[0].rounds[0].matches[2].result.outcome"


def test_a_byte_order_mark_is_no_fault(tmp_path: Path):
    path = tmp_path / "event.json"
    path.write_bytes(json.dumps(two_rounds()).encode("utf-8-sig"))
    assert load_event(path).event.slug == "cup"


def test_written_and_read_again_is_the_same():
    document = parse_event(two_rounds())
    content = to_bytes(document)
    assert to_bytes(load_event(content)) == content
    assert load_event(content) == parse_event(dump_event(document))


def test_unknown_fields_come_back():
    value = two_rounds()
    result = {
        "outcome": "played",
        "games": [{"outcome": "played", "home_level": 9, "away_level": 3, "cards": 7}],
    }
    value["stages"][0]["rounds"][0]["matches"][0] |= {
        "result": result | {"slip": {"b": 1, "a": [2]}},
        "room": "B",
    }
    value["event"]["motto"] = "友谊第一"
    value["teams"][0]["players"][0] = {"name": "甲1", "born": 1970}
    value["stages"][0]["rules"] = {"house": {"tribute": True}, "match": {"minutes": 30, "lamp": "red"}}
    value["sponsor"] = None
    written = dump_event(parse_event(value))
    match = written["stages"][0]["rounds"][0]["matches"][0]
    assert match["room"] == "B"
    assert match["result"]["slip"] == {"a": [2], "b": 1}
    assert match["result"]["games"][0]["cards"] == 7
    assert written["event"]["motto"] == "友谊第一"
    assert written["teams"][0]["players"][0] == {"name": "甲1", "born": 1970}
    assert written["stages"][0]["rules"] == value["stages"][0]["rules"]
    assert written["sponsor"] is None


def test_order_in_the_file_does_not_matter_to_what_is_written():
    value = two_rounds()
    mixed = copy.deepcopy(value)
    mixed["teams"].reverse()
    mixed["stages"][0]["rounds"][0]["matches"].reverse()
    assert to_bytes(parse_event(mixed)) == to_bytes(parse_event(value))
