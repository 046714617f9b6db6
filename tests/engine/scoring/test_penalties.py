"""Penalties: what a match counts beside what was played; what the rules propose next."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.levels import PASSED
from scoring.engine.outcomes import Outcome, Reason, Winner
from scoring.engine.penalties import (
    NO_RULING,
    PenaltyAction,
    PenaltyRule,
    Ruling,
    counted,
    counted_points,
    ruling_of,
)
from scoring.engine.results import MatchResult
from scoring.engine.standings import PlayedMatch
from scoring.engine.swapping import sides_swapped
from scoring.penalty_ladders import Proposal, appeal_minutes, next_rung
from tests.engine.scoring.build import completed, match, played, rules, scoring, table
from tournaments.discipline import Discipline

LEVEL_DIFFERENCE = scoring()
FORFEIT = MatchResult(Outcome.FORFEIT_HOME, winner=Winner.AWAY)


@pytest.mark.parametrize(
    ("home", "away", "ruling", "points", "winner"),
    [
        (10, 7, Ruling(away_levels=3), (13, 13), Winner.TIE),
        (10, 9, Ruling(away_levels=3), (11, 15), Winner.AWAY),
        (10, 7, Ruling(home_levels=-3), (13, 13), Winner.TIE),
        (10, 7, Ruling(home_levels=2), (18, 8), Winner.HOME),
        (3, 2, Ruling(home_levels=-3), (13, 13), Winner.TIE),  # never below 2
        (12, 13, Ruling(home_levels=12), (14, 12), Winner.HOME),  # nobody passes by a penalty
        (PASSED, 9, Ruling(away_levels=3), (16, 10), Winner.HOME),
        (PASSED, 14, Ruling(home_levels=-3), (14, 12), Winner.HOME),  # who passed has won
        (9, 9, Ruling(away_levels=1), (12, 14), Winner.AWAY),
    ],
)
def test_levels_change_what_the_match_counts(home, away, ruling, points, winner):
    result = completed(home, away)
    assert counted_points(result, ruling, LEVEL_DIFFERENCE) == points
    assert counted(result, ruling).winner is winner
    assert (result.home_level, result.away_level) == (home, away)


def test_a_knockout_match_made_equal_keeps_its_winner():
    result = completed(10, 9)
    found = counted(result, Ruling(home_levels=-1), tie_allowed=False)
    assert (found.home_level, found.away_level, found.winner) == (9, 9, Winner.HOME)


def test_of_several_games_the_last_one_changes_and_who_won_more_has_won():
    best_of = rules(best_of=3)
    result = completed(None, None, best_of, games=[_game(PASSED, 5), _game(3, PASSED), _game(PASSED, 12)])
    found = counted(result, Ruling(away_levels=2))
    assert [game.away_level for game in found.games] == [5, PASSED, 14]
    assert found.winner is Winner.HOME


def _game(home: int, away: int) -> dict[str, object]:
    return {"outcome": "played", "home_level": home, "away_level": away}


def test_the_match_is_lost_with_the_levels_that_were_played():
    found = counted(completed(PASSED, 10), Ruling(home_loses=True))
    assert (found.home_level, found.winner, found.reason) == (PASSED, Winner.AWAY, Reason.PENALTY)
    assert counted_points(completed(PASSED, 10), Ruling(home_loses=True), LEVEL_DIFFERENCE) == (12, 14)


def test_both_sides_can_lose():
    assert counted(completed(10, 7), Ruling(home_loses=True, away_loses=True)).outcome is (
        Outcome.DOUBLE_FORFEIT
    )
    assert counted(FORFEIT, Ruling(away_loses=True)).outcome is Outcome.DOUBLE_FORFEIT
    assert counted(FORFEIT, Ruling(home_loses=True)) == FORFEIT


def test_nothing_for_both_whatever_an_irregular_match_is_worth():
    generous = scoring(irregular=5)
    assert counted_points(completed(10, 7), Ruling(is_zero=True), generous) == (0, 0)
    assert counted(completed(10, 7), Ruling(is_zero=True)).winner is None


def test_a_bye_is_not_touched():
    bye = MatchResult(Outcome.BYE)
    assert counted(bye, Ruling(home_loses=True, is_zero=True)) == bye
    assert counted_points(bye, Ruling(is_zero=True), LEVEL_DIFFERENCE) == (16, 0)


def test_standings_are_computed_with_what_counts():
    result = completed(10, 9)
    ruled = PlayedMatch(1, 1, 2, counted(result, Ruling(away_levels=3)))
    rows = table(2, [ruled], "points", "wins", "net_levels")
    assert [(row.team, row.points, row.wins) for row in rows] == [(2, 15, 1), (1, 11, 0)]


def test_a_match_worth_nothing_is_no_win_and_no_level():
    ruled = PlayedMatch(1, 1, 2, counted(completed(10, 9), Ruling(is_zero=True)), is_zero=True)
    rows = table(2, [ruled, match(2, 1, 2, (9, 8))], scoring=scoring(irregular=5))
    assert [(row.points, row.wins) for row in rows] == [(14, 1), (12, 0)]


def test_penalties_of_both_sides_add_up():
    home = [(PenaltyAction.OPPONENT_LEVELS, 3), (PenaltyAction.LEVELS, -1), (PenaltyAction.WARNING, 0)]
    away = [(PenaltyAction.OPPONENT_LEVELS, 2), (PenaltyAction.DISQUALIFIED, 0), (PenaltyAction.POINTS, -5)]
    assert ruling_of(home, away) == Ruling(home_levels=1, away_levels=3, away_loses=True)
    assert ruling_of([], []) == NO_RULING
    assert ruling_of([(PenaltyAction.BOTH_ZERO, 0)], []).is_zero


def test_a_ruling_reads_as_it_was_written():
    ruling = Ruling(away_levels=3, home_loses=True)
    assert ruling.as_dict() == {"away_levels": 3, "home_loses": True}
    assert Ruling.from_dict(ruling.as_dict()) == ruling
    assert Ruling.from_dict({}) == NO_RULING


LEVELS = st.integers(2, 14)


@given(LEVELS, LEVELS, st.integers(-12, 12), st.integers(-12, 12))
def test_counted_points_always_sum_to_26_and_go_with_the_winner(home, away, own, other):
    ruling = Ruling(home_levels=own, away_levels=other)
    points = counted_points(completed(home, away), ruling, LEVEL_DIFFERENCE)
    winner = counted(completed(home, away), ruling).winner
    assert sum(points) == 26
    assert (points[0] > points[1], points[0] < points[1]) == (winner is Winner.HOME, winner is Winner.AWAY)


W, M, D = PenaltyAction.WARNING, PenaltyAction.MATCH_LOST, PenaltyAction.DISQUALIFIED


@pytest.mark.parametrize(
    ("rule", "stated", "before", "minutes", "proposed"),
    [
        ("slow_play", {"slow_seconds": 30}, [], None, Proposal(W)),
        ("slow_play", {"slow_seconds": 30}, [W], None, Proposal(W)),
        ("slow_play", {"slow_seconds": 30}, [W, W], None, Proposal(D)),
        ("signals", {"signals": "disqualified"}, [], None, Proposal(W)),
        ("signals", {"signals": "disqualified"}, [W], None, Proposal(D)),
        ("signals", {"signals": "match_lost"}, [W], None, Proposal(M)),
        ("wrong_cards", {"wrong_cards_levels": 3}, [], None, Proposal(PenaltyAction.OPPONENT_LEVELS, 3)),
        ("wrong_cards", {}, [], None, Proposal(W)),
        ("player_change", {"player_change": "forfeit"}, [], None, Proposal(M, forfeits=True)),
        ("player_change", {"player_change": "roster"}, [], None, Proposal(PenaltyAction.NOTE)),
        ("late", {"late_minutes": 10, "late_levels": 3}, [], 8, Proposal(PenaltyAction.NOTE, handicap=3)),
        ("late", {"late_minutes": 10, "late_levels": 3}, [], 11, Proposal(M, forfeits=True)),
        ("late", {"late_minutes": 0}, [], 1, Proposal(M, forfeits=True)),
        ("late", {"late_minutes": 10}, [], 10, Proposal(PenaltyAction.NOTE)),
        ("other", {}, [W], None, Proposal(W)),
    ],
)
def test_the_next_rung_follows_from_the_rules_and_the_record(rule, stated, before, minutes, proposed):
    assert next_rung(PenaltyRule(rule), Discipline.from_dict(stated), before, minutes) == proposed


def test_an_appeal_has_the_minutes_of_the_rules_or_thirty():
    assert appeal_minutes(Discipline.from_dict({"appeal_minutes": 20})) == 20
    assert appeal_minutes(Discipline()) == 30


SIDES = st.sampled_from(["home", "away"])


@given(
    st.builds(
        played,
        st.integers(2, 15),
        st.integers(2, 15),
        winner=st.sampled_from(["home", "away", "tie"]),
        reached_first=SIDES,
        home_start=st.integers(2, 14),
        home_deals=st.just([2, 1, 0]),
        away_deals=st.just([0, 1, 3]),
        deals=st.lists(st.sampled_from(["HHAA", "HAAH", "AHAH"]), max_size=3),
    )
)
def test_swapped_twice_is_the_result_itself(result):
    swapped = sides_swapped(result)
    assert (swapped.home_level, swapped.away_start) == (result.away_level, result.home_start)
    assert sides_swapped(swapped) == result


@pytest.mark.parametrize(
    ("result", "swapped"),
    [
        (completed(10, 7), completed(7, 10)),
        (FORFEIT, MatchResult(Outcome.FORFEIT_AWAY, winner=Winner.HOME)),
        (completed(9, 9), completed(9, 9)),
    ],
)
def test_a_result_the_wrong_way_round(result, swapped):
    assert sides_swapped(result) == swapped
