"""Simulated events: valid, repeatable, and they keep their own rules."""

import time
from collections import Counter

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.simulating import CannotSimulate, FieldWishes, SimulatedFormat, simulate
from scoring.engine.results import Outcome


@pytest.mark.parametrize(
    ("teams", "departments", "rounds"),
    [(2, 0, 1), (5, 0, 5), (6, 1, 3), (6, 3, 5), (7, 7, 5), (10, 3, 7), (16, 2, 8), (48, 8, 4), (201, 20, 7)],
)
def test_a_simulated_event_keeps_its_rules(teams, departments, rounds):
    document = simulate(teams=teams, departments=departments, rounds=rounds, seed=teams)
    again = load_event(to_bytes(document))
    assert again == document
    assert check_event(again) == []
    assert (len(document.teams), len(document.departments)) == (teams, departments)
    assert [each.is_complete for each in document.stages[0].rounds] == [True] * rounds


def test_the_same_numbers_give_the_same_event():
    wanted = {"teams": 20, "departments": 5, "rounds": 4}
    assert simulate(**wanted, seed=1) == simulate(**wanted, seed=1)
    assert simulate(**wanted, seed=1) != simulate(**wanted, seed=2)


def test_levels_look_like_those_of_an_afternoon():
    document = simulate(teams=400, departments=20, rounds=5, seed=1)
    results = [match.result.result for played in document.stages[0].rounds for match in played.matches]
    reasons = Counter(result.reason for result in results)
    assert 0.02 < reasons["passed"] / len(results) < 0.4
    assert 0 < sum(result.outcome is not Outcome.PLAYED for result in results) < 0.02 * len(results)


def test_nobody_has_two_names():
    document = simulate(teams=1_000, departments=3, rounds=1, seed=1)
    names = [player.name for team in document.teams for player in team.players]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("teams", "departments", "rounds"), [(1, 0, 1), (4, 5, 1), (4, 0, 0), (4, -1, 1), (20_000, 0, 1)]
)
def test_impossible_numbers_are_refused(teams, departments, rounds):
    with pytest.raises(CannotSimulate):
        simulate(teams=teams, departments=departments, rounds=rounds, seed=1)


def test_more_rounds_than_opponents_are_played_as_a_chief_would():
    document = simulate(teams=4, departments=2, rounds=5, seed=1)
    assert check_event(document) == []
    relaxed = [each.number for each in document.stages[0].rounds if each.draw.relaxations]
    assert relaxed == [4, 5]


def test_two_thousand_teams_take_seconds():
    started = time.perf_counter()
    simulate(teams=2_000, departments=30, rounds=5, seed=1)
    assert time.perf_counter() - started < 8


def test_teams_of_six_name_two_for_each_match_and_others_rest_each_round():
    wishes = FieldWishes(players=6, rests=3)
    document = simulate(teams=20, departments=5, rounds=4, seed=3, field_wishes=wishes)
    assert load_event(to_bytes(document)) == document
    assert check_event(document) == []
    names = {team.id: [player.name for player in team.players] for team in document.teams}
    assert {len(players) for players in names.values()} == {6}
    assert len({name for players in names.values() for name in players}) == 120
    pairs = set()
    for played in document.stages[0].rounds:
        seated = {team for match in played.matches for team in (match.home, match.away) if team}
        resting = {team.id for team in document.teams if team.is_absent("s1", played.number)}
        assert (len(resting), seated & resting) == (3, set())
        for match in (match for match in played.matches if match.away):
            assert [name in names[match.home] for name in match.lineup["home"]] == [True, True]
            assert [name in names[match.away] for name in match.lineup["away"]] == [True, True]
            pairs |= set(match.lineup.values())
    assert len(pairs) > 20, "not the same two every time"


def test_longer_rosters_play_a_knockout_too():
    document = simulate(
        teams=8,
        departments=0,
        rounds=1,
        seed=1,
        format=SimulatedFormat.KNOCKOUT,
        field_wishes=FieldWishes(players=3),
    )
    assert check_event(document) == []
    assert all(len(match.lineup) == 2 for played in document.stages[0].rounds for match in played.matches)


@pytest.mark.parametrize("wishes", [FieldWishes(players=1), FieldWishes(players=7), FieldWishes(rests=3)])
def test_an_impossible_field_is_refused(wishes):
    with pytest.raises(CannotSimulate):
        simulate(teams=4, departments=0, rounds=1, seed=1, field_wishes=wishes)
