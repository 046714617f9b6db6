"""The worked cases of the regulations, each under the name it goes by."""

import pytest

from scoring.engine.deals import replay
from scoring.engine.outcomes import Side
from scoring.engine.rules import MatchRules
from tests.engine.scoring.build import completed, match, order, rules, table

DOUBLE, THIRD, FOURTH = "HHAA", "HAHA", "HAAH"
OVERSHOOT = rules(must_play_target=False)
K = [DOUBLE, DOUBLE, DOUBLE, THIRD]

LEVELS = [
    pytest.param(MatchRules(), [DOUBLE] * 4, [5, 8, 11, 14], id="steps 3,2,1: four doubles"),
    pytest.param(
        MatchRules(), [*[DOUBLE] * 4, THIRD], [5, 8, 11, 14, 15], id="steps 3,2,1: then 1st+3rd passes"
    ),
    pytest.param(MatchRules(), [*K, DOUBLE], [5, 8, 11, 13, 14], id="A compulsory: K, double"),
    pytest.param(OVERSHOOT, [*K, THIRD], [5, 8, 11, 13, 15], id="overshoot: K, 1st+3rd"),
    pytest.param(
        OVERSHOOT, [*K, FOURTH, FOURTH], [5, 8, 11, 13, 14, 15], id="overshoot: K, 1st+4th, any head"
    ),
    pytest.param(rules(steps=[6, 4, 2]), [DOUBLE, THIRD, FOURTH], [8, 12, 14], id="steps 6,4,2"),
    pytest.param(
        rules(bonuses=["three_doubles_to_target"]),
        [DOUBLE] * 3,
        [5, 8, 14],
        id="R22 bonus: three doubles running",
    ),
]


@pytest.mark.parametrize(("settings", "orders", "reached"), LEVELS)
def test_levels(settings, orders, reached):
    games = [replay(orders[: played + 1], settings) for played in range(len(orders))]
    assert [game.home.level for game in games] == reached
    assert [game.winner for game in games] == [Side.HOME if level == 15 else None for level in reached]


TIME_UP = [
    pytest.param("trailing_by_one", (10, 9), (10, 9, "away"), id="R14: 10 v 9, the 9 side has taken head"),
    pytest.param("trailing_by_one", (10, 8), (10, 8, "home"), id="R14: at 10 v 8 it would not"),
    pytest.param("head_plus_one", (9, 9), (9, 10, "away"), id="R01: 9 v 9, X has taken head"),
]


@pytest.mark.parametrize(("rule", "levels", "expected"), TIME_UP)
def test_time_up(rule, levels, expected):
    done = completed(*levels, rules(unfinished_deal=rule), head_taken="away")
    assert (done.home_level, done.away_level, done.winner) == expected


def test_strikes_3_to_j():
    settings = rules(strikes={"limit": 3, "then": "J"})
    home = replay([*[DOUBLE] * 4, FOURTH, FOURTH, FOURTH], settings).home
    assert (home.level, home.strikes) == (11, 0)


def test_tie_on_points_of_two_teams_that_met_14_12():
    matches = [match(1, 1, 2, (10, 11)), match(2, 1, 3, (11, 10)), match(2, 2, 4, (10, 11))]
    assert order(table(4, matches, "points", "head_to_head"))[:2] == [2, 1]


def test_tie_on_points_of_three_teams_skips_head_to_head():
    circle = [match(1, 1, 2, (10, 9)), match(2, 2, 3, (10, 9)), match(3, 3, 1, (10, 9))]
    others = [
        match(4, 1, 4, (9, 9)),
        match(4, 2, 5, (11, 9)),
        match(5, 2, 6, (8, 10)),
        match(5, 1, 7, (9, 9)),
    ]
    more = [match(4, 3, 8, (12, 9)), match(5, 3, 9, (6, 9))]
    rows = table(9, [*circle, *others, *more], "points", "head_to_head", "wins", "best_rounds")[:3]
    assert [(row.team, row.points, row.wins, row.decided_by) for row in rows] == [
        (3, 52, 2, None),
        (2, 52, 2, "best_rounds"),
        (1, 52, 1, "wins"),
    ]
