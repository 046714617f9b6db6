"""A check finds every broken rule at its place, and nothing in an event that keeps its rules."""

import copy
from dataclasses import replace

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.dumping import dump_event
from guandan_site.event_file.findings import Breach
from guandan_site.event_file.parsing import parse_event
from guandan_site.event_file.simulating import simulate
from tests.engine.event_file.files import bye, event_of, open_match, played, round_of, two_rounds

ROUND = "$.stages[0].rounds[{}]"


def found(value: dict) -> set[tuple[str, str, Breach]]:
    return {(each.path, each.rule, each.breach) for each in check_event(parse_event(value))}


def match_path(round_: int, match: int) -> str:
    return f"{ROUND.format(round_)}.matches[{match}]"


def test_an_event_in_play_keeps_its_rules():
    assert found(two_rounds()) == set()


def test_rematch():
    second = round_of(2, [played(1, "P2", "P1", 9, 8)])
    value = event_of(2, [round_of(1, [played(1, "P1", "P2", 3, 2)]), second])
    assert found(value) == {(match_path(1, 0), "rematch", Breach.MET_BEFORE)}
    value["stages"][0]["rules"] = {"pairing": {"rematch": "avoid"}}
    assert found(value) == set()


def test_a_rematch_to_be_avoided_must_be_needed():
    first = round_of(1, [played(1, "P1", "P2", 3, 2), played(2, "P3", "P4", 3, 2)])
    second = round_of(2, [played(1, "P1", "P2", 3, 2), played(2, "P3", "P4", 3, 2)])
    value = event_of(4, [first, second], rules={"pairing": {"rematch": "avoid"}})
    assert found(value) == {(f"{ROUND.format(1)}.matches", "rematch", Breach.AVOIDABLE_REMATCHES)}


def test_a_softened_rule_that_was_recorded_is_kept():
    second = round_of(2, [played(1, "P1", "P2", 9, 8)])
    second["draw"] = {"seed": 1, "relaxations": [{"rule": "rematch", "value": "avoid"}]}
    value = event_of(2, [round_of(1, [played(1, "P1", "P2", 3, 2)]), second])
    assert found(value) == set()


def test_one_department_at_one_table():
    first = round_of(1, [played(1, "P1", "P3", 3, 2), played(2, "P2", "P4", 3, 2)])
    value = event_of(4, [first], departments=2)
    assert {path for path, _, _ in found(value)} == {match_path(0, 0), match_path(0, 1)}
    assert {rule for _, rule, _ in found(value)} == {"same_department"}
    value["stages"][0]["rules"] = {"pairing": {"same_department": "allow"}}
    assert found(value) == set()


def test_departments_are_kept_apart_in_round_one_only():
    first = round_of(1, [played(1, "P1", "P2", 3, 2), played(2, "P3", "P4", 3, 2)])
    second = round_of(2, [played(1, "P1", "P3", 3, 2), played(2, "P2", "P4", 3, 2)])
    value = event_of(4, [first, second], departments=2, rules={"pairing": {"same_department": "round1"}})
    assert found(value) == set()


def test_what_the_chief_set():
    first = round_of(1, [played(1, "P1", "P2", 3, 2), played(2, "P3", "P4", 3, 2)])
    value = event_of(4, [first], rules={"pairing": {"forbidden": [["P2", "P1"]], "forced": [["P3", "P1"]]}})
    assert (match_path(0, 0), "forbidden", Breach.FORBIDDEN) in found(value)
    assert (f"{ROUND.format(0)}.matches", "forced", Breach.FORCED) in found(value)


def test_the_bye_goes_round():
    first = round_of(1, [played(1, "P1", "P2", 3, 2), bye("P3")])
    second = round_of(2, [played(1, "P1", "P2", 3, 2), bye("P3")])
    value = event_of(3, [first, second], rules={"pairing": {"rematch": "avoid"}})
    assert (match_path(1, 1), "bye", Breach.MORE_BYES) in found(value)


def test_the_bye_belongs_to_the_lowest():
    first = round_of(1, [played(1, "P1", "P2", 15, 2), played(2, "P3", "P4", 10, 7), bye("P5")])
    second = round_of(2, [played(1, "P1", "P3", 9, 8), played(2, "P2", "P5", 9, 8), bye("P4")])
    value = event_of(5, [first, second])
    assert found(value) == {(match_path(1, 2), "bye", Breach.BYE_TOO_HIGH)}
    second["draw"] = {"seed": 1, "changes": [{"act": "swap", "version": 2}]}
    assert found(value) == set()


def test_one_bye_a_round():
    value = event_of(4, [round_of(1, [played(1, "P1", "P2", 3, 2), bye("P3"), bye("P4")])])
    assert found(value) == {(match_path(0, 2), "bye", Breach.SECOND_BYE)}


def test_everyone_once():
    value = event_of(4, [round_of(1, [played(1, "P1", "P2", 3, 2)])])
    assert found(value) == {(f"{ROUND.format(0)}.matches", "everyone_once", Breach.LEFT_OUT)}
    assert len(check_event(parse_event(value))) == 2


def test_a_late_team_is_missed_from_its_first_round_on():
    value = event_of(4, [round_of(1, [played(1, "P1", "P2", 3, 2)])])
    value["teams"][2]["first_round"] = value["teams"][3]["first_round"] = 2
    assert found(value) == set()
    value["stages"][0]["rounds"][0]["matches"].append(played(2, "P3", "P4", 3, 2))
    assert {breach for _, _, breach in found(value)} == {Breach.NOT_ENTERED}


def test_an_absent_team_is_not_missed_and_does_not_sit():
    value = event_of(3, [round_of(1, [played(1, "P1", "P2", 3, 2)])])
    assert {breach for _, _, breach in found(value)} == {Breach.LEFT_OUT}
    value["teams"][2]["absences"] = [{"stage": "s1", "round": 1}]
    assert found(value) == set()
    value["teams"][1]["absences"] = [{"stage": "s1", "round": 1}]
    assert found(value) == {(f"{match_path(0, 0)}.away", "absent", Breach.ABSENT)}


def test_a_withdrawn_team_is_not_drawn():
    value = event_of(2, [round_of(1, [played(1, "P1", "P2", 3, 2)])])
    value["teams"][1]["withdrawn_after"] = 0
    assert found(value) == {(f"{match_path(0, 0)}.away", "withdrawn", Breach.WITHDRAWN)}


def test_a_match_has_a_table():
    value = event_of(2, [round_of(1, [played(1, "P1", "P2", 3, 2) | {"table": None}])])
    assert found(value) == {(f"{match_path(0, 0)}.table", "table", Breach.TABLE_MISSING)}


def test_a_completed_round_has_all_results():
    value = event_of(2, [round_of(1, [open_match(1, "P1", "P2")])])
    assert found(value) == {(f"{match_path(0, 0)}.result", "status", Breach.RESULT_MISSING)}


def test_a_draft_has_none():
    value = event_of(2, [round_of(1, [played(1, "P1", "P2", 3, 2)], "draft")])
    assert found(value) == {(f"{match_path(0, 0)}.result", "status", Breach.RESULT_IN_DRAFT)}


def test_rounds_are_completed_one_after_the_other():
    first = round_of(1, [open_match(1, "P1", "P2"), played(2, "P3", "P4", 3, 2)], "published")
    second = round_of(2, [played(1, "P1", "P3", 3, 2), played(2, "P2", "P4", 3, 2)])
    value = event_of(4, [first, second])
    assert (f"{ROUND.format(1)}.status", "status", Breach.EARLIER_ROUND_OPEN) in found(value)


@pytest.mark.parametrize(
    ("result", "field", "rule"),
    [
        ({"home_level": 9, "away_level": 3, "winner": "away"}, "winner", "winner"),
        ({"home_level": 9, "away_level": 9, "winner": "home"}, "winner", "winner"),
        ({"home_level": 9, "away_level": 3, "reason": "passed"}, "reason", "winner"),
        ({"deals": ["HHAA"], "home_level": 9, "away_level": 2}, "home_level", "levels"),
        ({"deals": ["HHHA"]}, "deals[0]", "result"),
    ],
)
def test_results_follow_from_the_rules(result, field, rule):
    match = {"table": 1, "home": "P1", "away": "P2", "result": {"outcome": "played", **result}}
    value = event_of(2, [round_of(1, [match])])
    assert found(value) == {(f"{match_path(0, 0)}.result.{field}", rule, Breach.INVALID_RESULT)}


@pytest.mark.parametrize(("outcome", "winner"), [("forfeit_home", "home"), ("double_forfeit", "tie")])
def test_forfeits_have_the_winner_that_follows(outcome, winner):
    match = {"table": 1, "home": "P1", "away": "P2", "result": {"outcome": outcome, "winner": winner}}
    assert {rule for _, rule, _ in found(event_of(2, [round_of(1, [match])]))} == {"winner"}


def test_a_recorded_draw_comes_out_the_same_again():
    value = dump_event(simulate(teams=8, departments=4, rounds=2, seed=3))
    assert found(value) == set()
    first = value["stages"][0]["rounds"][0]
    changed = copy.deepcopy(value)
    one, other = changed["stages"][0]["rounds"][0]["matches"][:2]
    one["table"], other["table"] = other["table"], one["table"]
    assert {breach for _, _, breach in found(changed)} == {Breach.OTHER_DRAW}
    first["draw"]["seed"] += 1
    assert {breach for _, _, breach in found(value)} == {Breach.OTHER_DRAW}


def test_a_stage_that_is_not_drawn_is_checked_for_results_and_status_only():
    value = event_of(4, [round_of(1, [open_match(1, "P1", "P2")])], format="round_robin")
    assert {breach for _, _, breach in found(value)} == {Breach.RESULT_MISSING}


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_broken_in_a_simulated_event_is_found(seed):
    """Two teams of different tables change places in the last round: the record of the draw tells."""
    document = simulate(teams=10, departments=5, rounds=3, seed=seed)
    stage = document.stages[0]
    *earlier, last = stage.rounds
    one, other, *rest = last.matches
    swapped = (replace(one, away=other.away), replace(other, away=one.away), *rest)
    rounds = (*earlier, replace(last, matches=swapped))
    broken = replace(document, stages=(replace(stage, rounds=rounds),))
    assert Breach.OTHER_DRAW in {each.breach for each in check_event(broken)}
