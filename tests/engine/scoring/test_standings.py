"""Standings: every ranking key, shared ranks, what counts and what decided."""

from fractions import Fraction

import pytest

from scoring.engine.results import InvalidResult
from scoring.engine.rules import RankingKey, ScoringRules, parse_ranking
from scoring.engine.standings import (
    Adjustment,
    Comparison,
    Entrant,
    PlayedMatch,
    RepeatedTeam,
    UnknownTeam,
    incomplete_rounds,
    leave_out,
    proof,
    standings,
    without_annulled,
)
from tests.engine.scoring.build import deciders, match, order, played, ranks, scoring, table, values

# Cases of other systems


def test_a13_only_matches_with_a_result_count():
    matches = [
        match(1, 1, 2, (10, 7)),
        match(1, 3, 4, (15, 2)),
        match(2, 1, 3, None),
        match(2, 2, 4, (10, 7)),
    ]
    rows = table(4, matches, "points", "opponents_points")
    assert order(rows) == [2, 3, 1, 4]
    assert values(rows, "points") == {1: 16, 2: 26, 3: 26, 4: 10}
    assert values(rows, "opponents_points") == {1: 26, 2: 26, 3: 10, 4: 52}
    assert deciders(rows) == [None, "opponents_points", "points", "points"]
    assert incomplete_rounds(matches) == (2,)


def test_a14_teams_equal_on_every_key_share_a_rank():
    matches = [match(1, 1, 2, (10, 7)), match(1, 3, 4, (10, 7))]
    rows = table(4, matches, "points", "head_to_head", "wins", "best_rounds")
    assert ranks(rows) == [1, 1, 3, 3]
    assert order(rows) == [1, 3, 2, 4]
    assert deciders(rows) == [None, None, "points", None]


def test_two_in_the_middle_share_a_rank():
    matches = [match(1, 1, 2, (15, 2)), match(1, 3, 4, (9, 9))]
    assert ranks(table(4, matches, "points")) == [1, 2, 2, 4]


# points


def test_points_are_match_points_and_adjustments():
    rows = table(2, [match(1, 1, 2, (10, 7))], "points", adjustments=[Adjustment(1, 1, -7)])
    assert values(rows, "points") == {1: 9, 2: 10}
    assert order(rows) == [2, 1]


def test_a_late_team_gets_the_points_of_the_rounds_it_missed():
    late = [Entrant(1, 1), Entrant(2, 2), Entrant(3, 3, first_round=3)]
    matches = [match(1, 1, 2, (9, 9)), match(2, 1, 2, (9, 9)), match(3, 1, 3, (9, 9))]
    rows = standings(
        late, matches, scoring=scoring(missed=5), ranking=parse_ranking(["points", "best_rounds"])
    )
    assert values(rows, "points") == {1: 39, 2: 26, 3: 23}
    assert values(rows, "best_rounds")[3] == (13, 5, 5)


def test_an_absent_team_gets_the_points_of_the_rounds_it_missed():
    absent = [Entrant(1, 1), Entrant(2, 2, absent=frozenset({2})), Entrant(3, 3)]
    matches = [match(1, 1, 2, (9, 9)), match(2, 1, 3, (9, 9))]
    rows = standings(absent, matches, scoring=scoring(missed=5), ranking=parse_ranking(["points"]))
    assert values(rows, "points") == {1: 26, 2: 18, 3: 13}


def test_an_absent_team_that_sits_all_the_same_has_the_points_of_its_match():
    absent = [Entrant(1, 1), Entrant(2, 2, absent=frozenset({1}))]
    rows = standings(
        absent, [match(1, 1, 2, (9, 9))], scoring=scoring(missed=5), ranking=parse_ranking(["points"])
    )
    assert values(rows, "points") == {1: 13, 2: 13}


# head_to_head


def test_head_to_head_takes_the_winner_of_their_match():
    matches = [match(1, 1, 2, (10, 11)), match(2, 1, 3, (9, 8)), match(2, 2, 4, (8, 9))]
    rows = table(4, matches, "points", "head_to_head")
    assert values(rows, "points") == {1: 26, 2: 26, 3: 12, 4: 14}
    assert order(rows) == [2, 1, 4, 3]
    assert deciders(rows) == [None, "head_to_head", "points", "points"]
    assert values(rows, "head_to_head") == {2: 1, 1: 0, 3: None, 4: None}


def test_head_to_head_counts_a_forfeit():
    matches = [match(1, 1, 2, "forfeit_home")]
    rows = table(2, matches, "points", "head_to_head", adjustments=[Adjustment(1, 1, 16)])
    assert order(rows) == [2, 1]


def test_head_to_head_takes_more_wins_when_they_met_twice():
    settings = scoring(model="win_loss", win=2, tie=1, loss=0)
    matches = [match(1, 1, 2, (7, 9)), match(2, 1, 2, (9, 9)), match(3, 3, 1, (7, 9))]
    rows = table(3, matches, "points", "head_to_head", scoring=settings)
    assert values(rows, "points") == {1: 3, 2: 3, 3: 0}
    assert order(rows) == [2, 1, 3]


@pytest.mark.parametrize(
    "matches",
    [
        pytest.param([match(1, 1, 2, (9, 9))], id="a tie"),
        pytest.param([match(1, 1, 2, (9, 7)), match(2, 2, 1, (9, 7))], id="a win each"),
        pytest.param([match(1, 1, 2, "irregular")], id="irregular"),
        pytest.param([match(1, 1, 2, "double_forfeit")], id="both forfeit"),
    ],
)
def test_head_to_head_without_a_winner_decides_nothing(matches):
    rows = table(2, matches, "points", "head_to_head")
    assert (ranks(rows), deciders(rows)) == ([1, 1], [None, None])


def test_head_to_head_is_skipped_for_teams_that_did_not_meet():
    rows = table(4, [match(1, 1, 2, (9, 7)), match(1, 3, 4, (9, 7))], "points", "head_to_head")
    assert ranks(rows) == [1, 1, 3, 3]
    assert values(rows, "head_to_head") == dict.fromkeys(range(1, 5))


CIRCLE = [match(1, 1, 2, (10, 9)), match(2, 2, 3, (10, 9)), match(3, 3, 1, (10, 9))]


def test_three_teams_tied_on_points_skip_head_to_head():
    rows = table(3, CIRCLE, "points", "head_to_head")
    assert (ranks(rows), order(rows)) == ([1, 1, 1], [1, 2, 3])
    assert values(rows, "head_to_head") == dict.fromkeys((1, 2, 3))


def season(team, *points):
    """Matches of a team against strangers (numbers from 10 up) that give it these points, one a round."""
    return [
        match(number, team, 10 * team + number, (each - 6, 7))
        for number, each in enumerate(points, 1)
        if each is not None
    ]


THREE_TIED = [
    match(1, 1, 3, (10, 9)),
    *season(1, None, 16, 12, 12),
    *season(2, 13, 13, 13, 15),
    *season(3, None, 20, 8, 14),
]


def test_three_tied_on_points_wins_then_best_rounds_and_head_to_head_is_not_tried_again():
    rows = table(34, THREE_TIED, "points", "head_to_head", "wins", "best_rounds")[:3]
    assert [row.points for row in rows] == [54, 54, 54]
    assert order(rows) == [3, 1, 2]
    assert deciders(rows) == [None, "best_rounds", "wins"]
    assert values(rows, "best_rounds") == {3: (20, 14, 12, 8), 1: (16, 14, 12, 12), 2: (15, 13, 13, 13)}


# head_to_head_group


def test_a_mini_table_decides_among_teams_that_all_met():
    matches = [match(1, 1, 2, (10, 7)), match(2, 2, 3, (10, 7)), match(3, 3, 1, (11, 7))]
    tied = table(3, matches, "wins", "head_to_head_group")
    assert order(tied) == [3, 2, 1]
    assert values(tied, "head_to_head_group") == {1: 25, 2: 26, 3: 27}
    assert deciders(tied) == [None, "head_to_head_group", "head_to_head_group"]


def test_a_mini_table_counts_only_matches_among_the_tied():
    matches = [match(1, 1, 2, (10, 9)), match(2, 1, 3, (8, 9)), match(2, 2, 4, (9, 8))]
    rows = table(4, matches, "points", "head_to_head_group")
    assert values(rows, "points") == {1: 26, 2: 26, 3: 14, 4: 12}
    assert values(rows, "head_to_head_group") == {1: 14, 2: 12, 3: None, 4: None}


def test_a_mini_table_needs_every_meeting():
    rows = table(3, [match(1, 1, 2, (9, 9)), match(2, 2, 3, (9, 9))], "wins", "head_to_head_group")
    assert values(rows, "head_to_head_group") == dict.fromkeys((1, 2, 3))
    rows = table(4, [match(1, 1, 2, (9, 9)), match(1, 3, 4, (9, 9))], "points", "head_to_head_group")
    assert ranks(rows) == [1, 1, 1, 1]
    assert values(rows, "head_to_head_group") == dict.fromkeys(range(1, 5))


# wins


def test_a_forfeit_win_counts_and_a_bye_does_not():
    matches = [match(1, 1, 2, "forfeit_away"), match(1, 3, None, "bye"), match(2, 1, 3, (9, 9))]
    rows = table(3, matches, "points", "wins")
    assert values(rows, "wins") == {1: 1, 2: 0, 3: 0}
    assert order(rows) == [1, 3, 2]
    assert deciders(rows) == [None, "wins", "points"]


def test_a_winner_by_the_tie_rule_has_won():
    from_levels = match(1, 1, 2, (9, 9))
    by_rule = PlayedMatch(1, 1, 2, played(9, 9, winner="away", reason="tie_rule"))
    assert values(table(2, [from_levels], "wins"), "wins") == {1: 0, 2: 0}
    rows = table(2, [by_rule], "points", "wins")
    assert (order(rows), values(rows, "points")) == ([2, 1], {1: 13, 2: 13})


COUNTS = [
    pytest.param((10, 7), (1, 1, 0, 0), (1, 0, 0, 1), id="played"),
    pytest.param((9, 9), (1, 0, 1, 0), (1, 0, 1, 0), id="tie"),
    pytest.param("forfeit_home", (0, 0, 0, 1), (0, 1, 0, 0), id="forfeit"),
    pytest.param("double_forfeit", (0, 0, 0, 1), (0, 0, 0, 1), id="both forfeit"),
    pytest.param("irregular", (0, 0, 0, 0), (0, 0, 0, 0), id="irregular"),
    pytest.param(None, (0, 0, 0, 0), (0, 0, 0, 0), id="not entered"),
]


@pytest.mark.parametrize(("what", "home", "away"), COUNTS)
def test_a_row_counts_matches(what, home, away):
    rows = {row.team: row for row in table(2, [match(1, 1, 2, what)])}
    found = {team: (row.played, row.wins, row.ties, row.losses) for team, row in rows.items()}
    assert found == {1: home, 2: away}


def test_a_row_counts_byes():
    (row,) = table(1, [match(1, 1, None, "bye")])
    assert (row.byes, row.points, row.played, row.wins) == (1, 16, 0, 0)


# best_rounds


def test_the_highest_single_rounds_are_compared_in_turn():
    matches = [*season(1, 18, 10, 12), *season(2, 16, 12, 12), *season(3, 10, 18, 12), *season(4, 18, 11, 11)]
    rows = table(43, matches, "points", "best_rounds")[:4]
    assert order(rows) == [1, 3, 4, 2]
    assert ranks(rows) == [1, 1, 3, 4]
    assert deciders(rows) == [None, None, "best_rounds", "best_rounds"]
    assert values(rows, "best_rounds")[1] == (18, 12, 10)


def test_a_bye_and_a_forfeit_are_rounds_and_an_adjustment_is_none():
    matches = [match(1, 1, None, "bye"), match(2, 1, 2, "forfeit_home")]
    rows = table(2, matches, "points", "best_rounds", adjustments=[Adjustment(1, 1, 50)])
    assert values(rows, "best_rounds") == {1: (16, 0), 2: (16, 0)}


def test_only_rounds_before_a_late_entry_are_missed():
    entrants = [Entrant(1, 1), Entrant(2, 2), Entrant(3, 3, first_round=2), Entrant(4, 4)]
    matches = [match(1, 1, 2, (9, 9)), match(2, 1, 2, (9, 9)), match(3, 3, 4, (9, 9))]
    rows = standings(entrants, matches, scoring=scoring(missed=5), ranking=parse_ranking(["best_rounds"]))
    assert values(rows, "best_rounds") == {1: (13, 13, 0), 2: (13, 13, 0), 3: (13, 5, 0), 4: (13, 0, 0)}


def test_a_free_round_is_no_better_early_than_late():
    matches = [match(1, 2, 3, (9, 9)), match(2, 1, 3, (9, 9)), match(3, 1, 2, (9, 9))]
    entrants = [Entrant(1, 1, first_round=2), Entrant(2, 2), Entrant(3, 3)]
    rows = standings(entrants, matches, scoring=ScoringRules(), ranking=parse_ranking(["best_rounds"]))
    assert values(rows, "best_rounds") == dict.fromkeys((1, 2, 3), (13, 13, 0))


# opponents_points


def test_opponents_points_count_meetings_and_not_byes():
    matches = [
        *[match(1, 1, 2, (10, 7)), match(1, 3, None, "bye")],
        *[match(2, 1, 3, "forfeit_away"), match(2, 2, None, "bye")],
        *[match(3, 2, 3, "irregular"), match(3, 1, None, "bye")],
    ]
    rows = table(3, matches, "points", "opponents_points")
    assert values(rows, "points") == {1: 48, 2: 26, 3: 16}
    assert values(rows, "opponents_points") == {1: 26 + 16, 2: 48 + 16, 3: 48 + 26}


def test_opponents_points_include_adjustments_and_count_a_second_meeting():
    matches = [match(1, 1, 2, (9, 9)), match(2, 2, 1, (9, 9))]
    rows = table(2, matches, "opponents_points", adjustments=[Adjustment(2, 1, -1)])
    assert values(rows, "opponents_points") == {1: 50, 2: 52}


def test_in_a_complete_round_robin_opponents_points_separate_nobody():
    rows = table(3, CIRCLE, "points", "opponents_points")
    assert ranks(rows) == [1, 1, 1]


# beaten_opponents_points


def test_beaten_opponents_count_whole_and_tied_ones_half():
    matches = [match(1, 1, 2, (10, 7)), match(2, 1, 3, (9, 9)), match(3, 1, 4, "forfeit_away")]
    rows = table(4, matches, "points", "beaten_opponents_points")
    assert values(rows, "points") == {1: 45, 2: 10, 3: 13, 4: 0}
    found = values(rows, "beaten_opponents_points")
    assert found == {1: 10 + Fraction(13, 2) + 0, 2: 0, 3: Fraction(45, 2), 4: 0}
    assert all(isinstance(value, int | Fraction) for value in found.values())


# levels


def test_levels_count_played_matches_only():
    matches = [match(1, 1, 2, (10, 7)), match(2, 1, 2, (4, 15)), match(3, 1, 2, "forfeit_away")]
    rows = table(2, matches, "net_levels", "levels_gained")
    assert values(rows, "net_levels") == {1: 3 - 11, 2: 11 - 3}
    assert values(rows, "levels_gained") == {1: 8 + 2, 2: 5 + 13}
    assert order(rows) == [2, 1]


def test_levels_of_games_add_up():
    games = [played(15, 3, winner="home").as_dict(), played(9, 15, winner="away").as_dict()]
    entered = PlayedMatch(1, 1, 2, played(games=games, winner="tie"))
    rows = table(2, [entered], "net_levels", "levels_gained")
    assert values(rows, "net_levels") == {1: 12 - 6, 2: -6}
    assert values(rows, "levels_gained") == {1: 13 + 7, 2: 1 + 13}


# cumulative


def test_running_totals_favour_early_points():
    matches = [*season(1, 16, 10), *season(2, 10, 16)]
    rows = table(22, matches, "points", "cumulative")[:2]
    assert values(rows, "cumulative") == {1: 16 + 26, 2: 10 + 26}
    assert order(rows) == [1, 2]


def test_running_totals_hold_adjustments_and_rounds_without_a_match():
    matches = [*season(1, 16, None, 10), *season(2, 10, 16, 10)]
    lines = [Adjustment(1, 2, -1), Adjustment(2, 9, 5)]
    rows = table(23, matches, "cumulative", adjustments=lines)[:2]
    assert values(rows, "cumulative") == {1: 16 + 15 + 25, 2: 10 + 26 + 41}


# lots


def test_lots_decide_when_drawn():
    matches = [match(1, 1, 2, (9, 9))]
    undecided = table(2, matches, "points", "lots")
    assert (ranks(undecided), values(undecided, "lots")) == ([1, 1], {1: None, 2: None})
    drawn = table(2, matches, "points", "lots", lots={1: 2, 2: 1})
    assert (order(drawn), ranks(drawn)) == ([2, 1], [1, 2])
    assert deciders(drawn) == [None, "lots"]


def test_lots_drawn_for_some_of_the_tied_decide_nothing():
    assert ranks(table(3, [], "points", "lots", lots={1: 1, 2: 2})) == [1, 1, 1]


# Withdrawal


def test_withdrawal_annul_makes_the_match_vanish_for_the_opponent_too():
    matches = [match(1, 1, 3, (7, 10)), match(1, 2, None, "bye"), match(2, 1, 2, (9, 9))]
    rows = table(3, list(without_annulled(matches, [3])))
    assert {row.team: (row.points, row.played) for row in rows} == {1: (13, 1), 2: (29, 1), 3: (0, 0)}


def test_withdrawal_keeps_results_and_marks_the_row():
    entrants = [Entrant(1, 1), Entrant(2, 2, withdrawn=True)]
    rows = standings(
        entrants, [match(1, 1, 2, (7, 10))], scoring=ScoringRules(), ranking=parse_ranking(["points"])
    )
    assert [(row.team, row.points, row.withdrawn) for row in rows] == [(2, 16, True), (1, 10, False)]


def test_withdrawal_without_a_final_place_closes_the_ranks():
    matches = [match(1, 1, 2, (15, 2)), match(1, 3, 4, (9, 9)), match(1, 5, 6, (10, 7))]
    rows = table(6, matches, "points")
    assert list(zip(order(rows), ranks(rows), strict=True)) == [
        (1, 1),
        (5, 2),
        (3, 3),
        (4, 3),
        (6, 5),
        (2, 6),
    ]
    kept = leave_out(rows, [1, 3])
    assert list(zip(order(kept), ranks(kept), strict=True)) == [(5, 1), (4, 2), (6, 3), (2, 4)]
    assert deciders(kept) == [None, "points", "points", "points"]


def test_leaving_out_one_of_two_that_share_a_rank_keeps_the_shared_rank_behind():
    kept = leave_out(table(3, [], "points"), [1])
    assert (ranks(kept), deciders(kept)) == ([1, 1], [None, None])


# Order and proof


def test_equal_teams_stand_by_number():
    entrants = [Entrant("c", 30), Entrant("a", 20), Entrant("b", 9)]
    rows = standings(entrants, [], scoring=ScoringRules(), ranking=parse_ranking(["points"]))
    assert [row.team for row in rows] == ["b", "a", "c"]


def test_the_proof_of_a_rank_ends_with_the_key_that_decided():
    rows = table(34, THREE_TIED, "points", "head_to_head", "wins", "best_rounds")
    assert proof(rows, 1, 2) == (
        Comparison(RankingKey.POINTS, 54, 54),
        Comparison(RankingKey.HEAD_TO_HEAD, None, None),
        Comparison(RankingKey.WINS, 2, 1),
    )
    assert [step.key.value for step in proof(rows, 3, 1)] == ["points", "head_to_head", "wins", "best_rounds"]
    assert proof(rows, 3, 2) == (
        Comparison(RankingKey.POINTS, 54, 54),
        Comparison(RankingKey.HEAD_TO_HEAD, None, None),
        Comparison(RankingKey.WINS, 2, 1),
    )


def test_the_proof_of_a_shared_rank_shows_every_key():
    rows = table(2, [], "points", "wins")
    assert proof(rows, 1, 2) == (Comparison(RankingKey.POINTS, 0, 0), Comparison(RankingKey.WINS, 0, 0))


# Refusals


def test_refuses_teams_it_does_not_know():
    with pytest.raises(UnknownTeam) as refused:
        table(2, [match(1, 1, 7, (9, 9))])
    assert refused.value.team == 7
    with pytest.raises(UnknownTeam):
        table(2, [], adjustments=[Adjustment(8, 1, 1)])
    with pytest.raises(UnknownTeam):
        proof(table(2, []), 1, 9)


def test_refuses_a_team_named_twice():
    with pytest.raises(RepeatedTeam):
        standings(
            [Entrant(1, 1), Entrant(1, 2)], [], scoring=ScoringRules(), ranking=parse_ranking(["points"])
        )


@pytest.mark.parametrize(
    ("away", "what", "code"),
    [(None, "forfeit_home", "opponent_missing"), (2, "bye", "opponent_not_expected")],
)
def test_refuses_a_bye_with_an_opponent_and_a_match_without(away, what, code):
    with pytest.raises(InvalidResult, match=code):
        table(2, [match(1, 1, away, what)])


def test_refuses_a_result_that_is_not_completed():
    with pytest.raises(InvalidResult, match="winner: missing"):
        table(2, [PlayedMatch(1, 1, 2, played(9, 7))])
