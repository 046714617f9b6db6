"""Round robins and knockouts in the event file: invented, checked, written, and every fault found."""

import copy
from dataclasses import replace

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.computing import stage_standings
from guandan_site.event_file.dumping import dump_event, to_bytes
from guandan_site.event_file.findings import Breach
from guandan_site.event_file.parsing import load_event, parse_event
from guandan_site.event_file.problems import Fault, InvalidEventFile
from guandan_site.event_file.simulating import CannotSimulate, FormatWishes, SimulatedFormat, simulate
from tests.engine.event_file.files import bye, event_of, played, round_of

ROUND_ROBIN, KNOCKOUT = SimulatedFormat.ROUND_ROBIN, SimulatedFormat.KNOCKOUT
GROUPS_KNOCKOUT = SimulatedFormat.GROUPS_KNOCKOUT
CASES = {
    "five in one group": (ROUND_ROBIN, 5, FormatWishes()),
    "four groups of six": (ROUND_ROBIN, 24, FormatWishes(groups=4)),
    "uneven groups": (ROUND_ROBIN, 11, FormatWishes(groups=3)),
    "double": (ROUND_ROBIN, 4, FormatWishes(round_robin={"double": True})),
    "departments first": (ROUND_ROBIN, 8, FormatWishes(round_robin={"departments_first": True})),
    "by snake": (ROUND_ROBIN, 12, FormatWishes(groups=3, round_robin={"grouping": "snake"})),
    "two teams": (KNOCKOUT, 2, FormatWishes()),
    "thirteen": (KNOCKOUT, 13, FormatWishes(knockout={"byes": "each_round", "played_out": "third_place"})),
    "drawn": (KNOCKOUT, 29, FormatWishes(knockout={"bracket": "draw", "best_of": {"final": 3}})),
    "drawn anew": (KNOCKOUT, 12, FormatWishes(knockout={"bracket": "redrawn", "played_out": "to_eight"})),
    "final group": (KNOCKOUT, 6, FormatWishes(knockout={"played_out": "final_group"})),
    "zones": (KNOCKOUT, 10, FormatWishes(knockout={"zones": True})),
    "R01": (GROUPS_KNOCKOUT, 24, FormatWishes(groups=4, knockout={"played_out": "to_eight"})),
    "three groups": (GROUPS_KNOCKOUT, 13, FormatWishes(groups=3)),
}


def made(name: str, *, seed: int = 3):
    format, teams, wishes = CASES[name]
    return simulate(
        teams=teams, departments=4 if teams > 4 else 0, rounds=4, seed=seed, format=format, wishes=wishes
    )


def value_of(name: str) -> dict:
    return copy.deepcopy(dump_event(made(name)))


def found(value: dict) -> set[tuple[str, Breach]]:
    return {(each.path, each.breach) for each in check_event(parse_event(value))}


@pytest.mark.parametrize("name", CASES)
def test_an_invented_event_keeps_its_rules(name):
    for seed in range(5):
        assert check_event(made(name, seed=seed)) == []


@pytest.mark.parametrize("name", CASES)
def test_written_and_read_again_is_the_same(name):
    content = to_bytes(made(name))
    assert to_bytes(load_event(content)) == content


def test_the_same_numbers_give_the_same_event():
    assert made("R01") == made("R01")
    assert made("R01") != made("R01", seed=4)


def test_what_no_format_allows_cannot_be_invented():
    with pytest.raises(CannotSimulate):
        simulate(teams=5, departments=0, rounds=1, seed=1, format=ROUND_ROBIN, wishes=FormatWishes(groups=3))


def test_places_are_the_standings_of_a_knockout():
    document = made("R01")
    rows = stage_standings(document, document.stages[1]).ranked
    assert [(each.row.rank, each.last) for each in rows] == [(place, place) for place in range(1, 9)]


def test_a_result_turned_round_does_not_fit_the_bracket():
    value = value_of("thirteen")
    result = value["stages"][0]["rounds"][0]["matches"][0]["result"]
    result |= {"home_level": result["away_level"], "away_level": result["home_level"]}
    result["winner"] = {"home": "away", "away": "home"}[result["winner"]]
    breaches = {breach for _, breach in found(value)}
    assert breaches == {Breach.BRACKET_IGNORED, Breach.NOT_IN_LAYOUT, Breach.MATCH_MISSING}


def test_a_match_that_the_schedule_does_not_have():
    value = value_of("five in one group")
    first, second = value["stages"][0]["rounds"][:2]
    first["matches"], second["matches"] = second["matches"], first["matches"]
    assert {breach for _, breach in found(value)} == {Breach.NOT_IN_LAYOUT, Breach.MATCH_MISSING}


def test_a_match_left_out():
    value = value_of("five in one group")
    gone = value["stages"][0]["rounds"][2]["matches"].pop(0)
    numbers = {team["id"]: team["number"] for team in value["teams"]}
    (finding,) = check_event(parse_event(value))
    assert (finding.breach, finding.rule) == (Breach.MATCH_MISSING, "everyone_once")
    assert finding.values["teams"] == sorted(numbers[gone[side]] for side in ("home", "away"))


def test_a_schedule_in_which_two_do_not_meet():
    value = value_of("five in one group")
    schedule = value["stages"][0]["layout"]["schedule"]
    schedule[0][0], schedule[1][0] = schedule[1][0], schedule[0][0]
    breaches = {breach for _, breach in found(value)}
    assert Breach.TWICE_IN_ROUND in breaches


def test_groups_that_are_not_those_of_the_schedule():
    value = value_of("four groups of six")
    one, two = value["stages"][0]["groups"][:2]
    one["teams"][0], two["teams"][0] = two["teams"][0], one["teams"][0]
    assert {breach for _, breach in found(value)} == {Breach.OTHER_GROUP}


def test_a_bracket_that_leaves_a_team_out():
    document = made("thirteen")
    stage = document.stages[0]
    document = replace(document, stages=(replace(stage, rounds=()),))
    value = copy.deepcopy(dump_event(document))
    for match in value["stages"][0]["layout"]["bracket"]:
        if match["away"] == {"team": "t2"}:
            match["away"] = {"team": "t1"}
    assert {breach for _, breach in found(value)} == {
        Breach.NOT_IN_BRACKET,
        Breach.NO_CHAMPION,
        Breach.OTHER_BRACKET,
    }


def test_without_a_bracket_nobody_who_is_out_plays_on():
    first = round_of(1, [played(1, "P1", "P2", 15, 3), played(2, "P3", "P4", 15, 3)])
    final = round_of(2, [played(1, "P1", "P3", 15, 3), played(2, "P2", "P4", 15, 3)])
    value = event_of(4, [first, final], format="knockout")
    assert found(value) == set()
    value["stages"][0]["rounds"][1]["matches"][0]["away"] = "P2"
    value["stages"][0]["rounds"][1]["matches"][1]["home"] = "P3"
    assert {breach for _, breach in found(value)} == {Breach.OUT_ALREADY}


def test_without_a_schedule_nobody_meets_twice():
    first = round_of(1, [played(1, "P1", "P2", 15, 3), bye("P3")])
    second = round_of(2, [played(1, "P2", "P1", 15, 3), bye("P3")])
    value = event_of(3, [first, second], format="round_robin")
    assert {breach for _, breach in found(value)} == {Breach.MEETINGS}
    value["stages"][0]["rules"] = {"format": {"double": True}}
    assert found(value) == set()


def test_a_tie_in_a_knockout():
    value = event_of(2, [round_of(1, [played(1, "P1", "P2", 9, 9)])], format="knockout")
    assert {breach for _, breach in found(value)} == {Breach.INVALID_RESULT}


@pytest.mark.parametrize(
    ("path", "given"),
    [
        ("layout", {"schedule": [[[1, "t1", "t2"]]]}),
        ("layout", {"groups": [["t1"]], "schedule": [[[2, "t1", None]]]}),
        ("layout", {"groups": [["t1"]], "schedule": [["t1"]]}),
        ("layout", {"bracket": []}),
        ("layout", {"seed": "7"}),
        ("layout", {"replaced": [{"team": "t1"}]}),
        ("layout", {"left": 3}),
        ("layout", {"after_cut": [7]}),
        ("layout", {"after_cut": [{"stage": "s1", "given": 3}]}),
        ("layout", {"after_cut": [{"stage": "s1", "round": "x"}]}),
        ("layout", {"after_cut": [{"stage": "s1", "was": {"outcome": "hang"}}]}),
        ("layout", {"after_draw": [{"round": 1}]}),
        ("layout", {"after_draw": [{"drawn": 2, "rules": {"ranking": ["beauty"]}}]}),
        ("layout", {"after_draw": [{"drawn": 2, "lots": {"places": {"t1": "x"}}}]}),
        ("layout", {"after_draw": [{"drawn": 2, "round": 1, "team": "t99", "given": 3}]}),
        ("groups", [{"name": "A", "teams": ["t1"], "convenor": {"team": "t2"}}]),
        ("groups", [{"name": "A", "teams": ["t1"], "deadline": "morgen"}]),
        ("layout", 7),
        ("groups", [{"name": "A", "teams": ["t1", "t1"]}]),
        ("groups", [{"name": "A", "teams": ["t99"]}]),
        ("seeds", {"t99": 1}),
        ("seeds", {"t1": 0}),
        ("lots", {"places": {"t99": 1}}),
        ("lots", {"seed": 1}),
    ],
)
def test_a_broken_beginning_is_refused(path, given):
    value = value_of("five in one group")
    value["stages"][0][path] = given
    with pytest.raises(InvalidEventFile) as refused:
        parse_event(value)
    assert any(problem.path.startswith(f"$.stages[0].{path}") for problem in refused.value.problems)


@pytest.mark.parametrize(
    ("section", "given", "path"),
    [
        ("format", {"groups": 0}, "$.stages[0].rules.format.groups"),
        ("format", {"grouping": "magic"}, "$.stages[0].rules.format.grouping"),
        ("format", {"deadline": "soon"}, "$.stages[0].rules.format.deadline"),
        ("entry", {"count": 0}, "$.stages[0].rules.entry.count"),
        ("entry", {"from": [3]}, "$.stages[0].rules.entry.from[0]"),
        ("withdrawal", "vanish", "$.stages[0].rules.withdrawal"),
    ],
)
def test_a_setting_that_cannot_be_read(section, given, path):
    value = value_of("five in one group")
    value["stages"][0]["rules"] = {section: given}
    with pytest.raises(InvalidEventFile) as refused:
        parse_event(value)
    assert [(each.path, each.fault) for each in refused.value.problems] == [(path, Fault.INVALID_RULE)]


@pytest.mark.parametrize("name", ["best_of", "match_by_round"])
def test_a_round_that_no_knockout_has(name):
    value = value_of("thirteen")
    value["stages"][0]["rules"]["format"][name] = {"5": 3}
    with pytest.raises(InvalidEventFile) as refused:
        parse_event(value)
    assert refused.value.problems[0].path == f"$.stages[0].rules.format.{name}.5"
