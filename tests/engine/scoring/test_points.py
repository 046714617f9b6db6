"""Match points: every row of the table of points, and the results that a table does not show."""

from dataclasses import replace

import pytest

from scoring.engine.deal_counts import deals_won
from scoring.engine.points import complete_countable, match_points
from scoring.engine.results import InvalidResult, MatchResult, complete_result
from scoring.engine.rules import MatchRules, ScoringModel, ScoringRules
from tests.engine.scoring.build import completed, played, rules, scoring

LEVEL_DIFFERENCE = [
    pytest.param(completed(15, 2), (26, 0), id="passed v 2"),
    pytest.param(completed(15, 14), (14, 12), id="passed v A"),
    pytest.param(completed(14, 14), (13, 13), id="A v A at time-up"),
    pytest.param(completed(14, 2), (25, 1), id="A v 2 at time-up"),
    pytest.param(completed(11, 10), (14, 12), id="J v 10"),
    pytest.param(completed(10, 7), (16, 10), id="10 v 7 is no forfeit"),
    pytest.param(completed(7, 10), (10, 16), id="7 v 10"),
]


@pytest.mark.parametrize(("result", "points"), LEVEL_DIFFERENCE)
def test_level_difference(result, points):
    assert match_points(result, ScoringRules()) == points


UNPLAYED = [
    ("forfeit_away", (16, 0)),
    ("forfeit_home", (0, 16)),
    ("double_forfeit", (0, 0)),
    ("bye", (16, 0)),
    ("irregular", (0, 0)),
]


@pytest.mark.parametrize("model", list(ScoringModel))
@pytest.mark.parametrize(("outcome", "points"), UNPLAYED)
def test_matches_that_were_not_played_score_as_set(outcome, points, model):
    assert match_points(MatchResult.from_dict({"outcome": outcome}), scoring(model=model)) == points


@pytest.mark.parametrize("bye", [16, 13, 0])
def test_a_bye_is_worth_what_the_event_says(bye):
    assert match_points(MatchResult.from_dict({"outcome": "bye"}), scoring(bye=bye)) == (bye, 0)


WIN_LOSS = [
    pytest.param(completed(15, 2), (2, 0), id="win"),
    pytest.param(completed(3, 4), (0, 2), id="loss"),
    pytest.param(completed(9, 9), (1, 1), id="tie"),
    pytest.param(completed(10, 14, winner="home", reason="strikes"), (2, 0), id="strikes"),
    pytest.param(
        completed(9, 9, rules(equal_levels="first_to_reach"), reached_first="away"),
        (0, 2),
        id="equal levels by the tie rule",
    ),
]


@pytest.mark.parametrize(("result", "points"), WIN_LOSS)
def test_win_loss(result, points):
    assert match_points(result, scoring(model="win_loss")) == points


def test_a_loss_is_not_a_forfeit():
    settings = scoring(model="win_loss", loss=1, forfeit_win=2, forfeit_loss=0)
    assert match_points(completed(5, 9), settings) == (1, 2)
    assert match_points(MatchResult.from_dict({"outcome": "forfeit_home"}), settings) == (0, 2)


WINNER_WITHOUT_THE_LEVEL = [
    pytest.param(completed(10, 14, winner="home", reason="strikes"), (14, 12), id="strikes, lower level"),
    pytest.param(completed(14, 14, winner="away", reason="strikes"), (12, 14), id="strikes, both at A"),
    pytest.param(completed(14, 10, winner="away", reason="penalty"), (12, 14), id="penalty, lower level"),
    pytest.param(completed(9, 9, winner="away", reason="penalty"), (12, 14), id="penalty, equal levels"),
    pytest.param(completed(14, 10, winner="home", reason="penalty"), (17, 9), id="penalty, higher level"),
    pytest.param(
        completed(10, 9, rules(unfinished_deal="trailing_by_one"), head_taken="away"),
        (12, 14),
        id="trailing by one with the head",
    ),
    pytest.param(
        completed(9, 9, rules(equal_levels="first_to_reach"), reached_first="home"),
        (13, 13),
        id="equal levels by the tie rule",
    ),
]


@pytest.mark.parametrize(("result", "points"), WINNER_WITHOUT_THE_LEVEL)
def test_a_winner_without_the_higher_level_is_one_ahead(result, points):
    assert match_points(result, ScoringRules()) == points


BEST_OF_THREE = [
    pytest.param([(15, 12), (13, 15), (15, 10)], (19, 7), id="sum of the games"),
    pytest.param([(15, 2), (15, 2)], (26, 0), id="at most 13"),
    pytest.param([(15, 14), (2, 15), (15, 14)], (14, 12), id="more games, fewer levels"),
]


@pytest.mark.parametrize(("games", "points"), BEST_OF_THREE)
def test_games_score_by_their_levels_together(games, points):
    entered = played(games=[played(*levels).as_dict() for levels in games])
    assert match_points(complete_result(entered, rules(best_of=3)), ScoringRules()) == points


def test_the_base_is_a_setting():
    assert match_points(completed(10, 7), scoring(base=20)) == (23, 17)


def test_a_result_that_is_not_completed_has_no_points():
    with pytest.raises(InvalidResult, match="winner: missing"):
        match_points(played(10, 7), ScoringRules())


def test_every_difference_of_levels_sums_to_26():
    for home in range(2, 16):
        for away in range(2, 16):
            if (home, away) != (15, 15):
                result = complete_result(played(home, away), MatchRules())
                assert match_points(result, ScoringRules()) == (13 + home - away, 13 - home + away)


# Points by the levels gained

LEVELS_GAINED = [
    pytest.param(completed(15, 9), (13, 7), id="passed v 9"),
    pytest.param(completed(2, 2), (0, 0), id="nobody climbed"),
    pytest.param(completed(10, 15, home_start=2, away_start=5), (8, 10), id="levels given by a handicap"),
    pytest.param(completed(10, 14, winner="home", reason="strikes"), (8, 12), id="strikes change no level"),
    pytest.param(
        complete_result(
            played(games=[played(15, 4, away_start=4).as_dict(), played(15, 6).as_dict()]), rules(best_of=3)
        ),
        (26, 4),
        id="games together",
    ),
]


@pytest.mark.parametrize(("result", "points"), LEVELS_GAINED)
def test_levels_gained_are_the_points(result, points):
    assert match_points(result, scoring(model="levels_gained")) == points


def test_levels_gained_count_from_the_start_level_of_the_event():
    by_levels = replace(scoring(model="levels_gained"), start_level=5)
    assert match_points(completed(9, 5, rules(start_level=5)), by_levels) == (4, 0)
    below = completed(2, 9, rules(start_level=5, strikes={"then": "2"}))
    assert match_points(below, by_levels) == (-3, 4)


# Points by the deals won

COUNTS = {"home_deals": [2, 1, 0], "away_deals": [0, 3, 4]}


def test_every_deal_won_has_its_points():
    result = completed(12, 11, **COUNTS)
    assert match_points(result, scoring(model="per_deal")) == (3 + 3 + 2, 3 * 2 + 4 * 1)
    assert match_points(result, scoring(model="per_deal", deal_points=[5, 3, 0])) == (13, 9)


def test_more_deals_may_beat_the_winner_of_the_match():
    result = completed(12, 11, **COUNTS)
    home, away = match_points(result, scoring(model="per_deal"))
    assert result.winner == "home"
    assert home < away


def test_deals_are_counted_from_the_finishing_orders():
    result = complete_result(played(deals=["HHAA", "HAHA", "AHHA", "AAHH"]), MatchRules())
    assert deals_won(result) == {"home": (1, 1, 0), "away": (1, 0, 1)}
    assert match_points(result, scoring(model="per_deal")) == (5, 4)


def test_deals_of_several_games_count_together():
    games = [
        played(15, 4, home_deals=[3, 2, 0], away_deals=[1, 0, 0]).as_dict(),
        played(deals=["HHAA"]).as_dict(),
    ]
    result = complete_result(played(games=games, reason="time"), rules(best_of=3))
    assert deals_won(result) == {"home": (4, 2, 0), "away": (1, 0, 0)}
    counted = replace(result, games=None, home_deals=(9, 0, 0), away_deals=(0, 0, 0))
    assert deals_won(counted) == {"home": (9, 0, 0), "away": (0, 0, 0)}


def test_a_result_without_its_deals_gives_no_points_per_deal():
    with pytest.raises(InvalidResult, match="home_deals: missing"):
        complete_countable(played(10, 7), MatchRules(), scoring(model="per_deal"))
    assert (
        complete_countable(played(10, 7, **COUNTS), MatchRules(), scoring(model="per_deal")).winner == "home"
    )
    forfeit = MatchResult.from_dict({"outcome": "forfeit_away"})
    assert complete_countable(forfeit, MatchRules(), scoring(model="per_deal")).winner == "home"
