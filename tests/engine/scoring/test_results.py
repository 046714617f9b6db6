"""Results: read from the event file, completed by the rules, refused with code and field."""

import pytest

from scoring.engine.results import InvalidResult, MatchResult, complete_result
from scoring.engine.rules import MatchRules
from tests.engine.scoring.build import completed, played, refusal, rules


def end(result):
    return result.home_level, result.away_level, str(result.winner), str(result.reason)


# Reading

FILES = [
    {"outcome": "played", "home_level": 15, "away_level": 9, "winner": "home", "reason": "passed"},
    {"outcome": "played", "home_level": 9, "away_level": 9, "reached_first": "away"},
    {"outcome": "played", "home_level": 9, "away_level": 9, "declarer": "home", "head_taken": "away"},
    {"outcome": "played", "home_level": 9, "away_level": 9, "extra_winner": "away"},
    {"outcome": "played", "deals": ["HHAA", "AHHA"], "home_start": 4},
    {"outcome": "played", "home_level": 9, "away_level": 5, "home_deals": [1, 2, 0], "away_deals": [0, 0, 3]},
    {"outcome": "played", "games": [{"outcome": "played", "home_level": 15, "away_level": 3}]},
    {"outcome": "bye"},
    {"outcome": "forfeit_home"},
    {"outcome": "forfeit_away", "winner": "home"},
    {"outcome": "double_forfeit"},
    {"outcome": "irregular"},
]


@pytest.mark.parametrize("mapping", FILES, ids=str)
def test_what_the_file_says_is_what_it_says_again(mapping):
    assert MatchResult.from_dict(mapping).as_dict() == mapping


def test_null_is_not_stated():
    assert MatchResult.from_dict({"outcome": "bye", "winner": None, "deals": None, "later": 1}).as_dict() == {
        "outcome": "bye"
    }


UNREADABLE = [
    (None, "", "not_a_mapping"),
    ({}, "outcome", "missing"),
    ({"outcome": "won"}, "outcome", "unknown_value"),
    ({"outcome": "played", "home_level": "9"}, "home_level", "not_an_integer"),
    ({"outcome": "played", "away_level": 10.5}, "away_level", "not_an_integer"),
    ({"outcome": "played", "home_level": True}, "home_level", "not_an_integer"),
    ({"outcome": "played", "winner": "t1"}, "winner", "unknown_value"),
    ({"outcome": "played", "reason": "luck"}, "reason", "unknown_value"),
    ({"outcome": "played", "head_taken": "tie"}, "head_taken", "unknown_value"),
    ({"outcome": "played", "deals": "HHAA"}, "deals", "not_a_list"),
    ({"outcome": "played", "deals": ["HHAA", 7]}, "deals[1]", "unknown_order"),
    ({"outcome": "played", "games": {}}, "games", "not_a_list"),
    ({"outcome": "played", "games": [3]}, "games[0]", "not_a_mapping"),
    (
        {"outcome": "played", "games": [{"outcome": "played", "home_level": "x"}]},
        "games[0].home_level",
        "not_an_integer",
    ),
    (
        {"outcome": "played", "games": [{"outcome": "played", "games": []}]},
        "games[0].games",
        "deals_and_games",
    ),
]


@pytest.mark.parametrize(("mapping", "field", "code"), UNREADABLE, ids=str)
def test_refuses_what_it_cannot_read(mapping, field, code):
    with pytest.raises(InvalidResult) as refused:
        MatchResult.from_dict(mapping)
    assert (refused.value.field, refused.value.code) == (field, code)


# Levels


LEVELS = [
    pytest.param(15, 2, (15, 2, "home", "passed"), id="passed"),
    pytest.param(2, 15, (2, 15, "away", "passed"), id="away passed"),
    pytest.param(15, 14, (15, 14, "home", "passed"), id="passed is one more than A"),
    pytest.param(11, 10, (11, 10, "home", "time"), id="time-up"),
    pytest.param(14, 14, (14, 14, "tie", "time"), id="A v A"),
]


@pytest.mark.parametrize(("home", "away", "expected"), LEVELS)
def test_winner_and_reason_follow_from_levels(home, away, expected):
    assert end(completed(home, away)) == expected


@pytest.mark.parametrize("level", [1, 16, 0, -3, 23, 999999999999999999999999])
@pytest.mark.parametrize("field", ["home_level", "away_level"])
def test_a15c_refuses_levels_that_do_not_exist(field, level):
    levels = {"home_level": 9, "away_level": 9} | {field: level}
    entered = MatchResult.from_dict({"outcome": "played", **levels})
    assert refusal(entered) == ("level_out_of_range", field)


def test_a15d_refuses_two_sides_that_passed():
    assert refusal(played(15, 15)) == ("both_passed", "away_level")


REFUSED = [
    pytest.param(played(), "missing", "home_level", id="nothing entered"),
    pytest.param(played(9), "missing", "away_level", id="one level is not a tie"),
    pytest.param(played(9, 7, winner="away"), "winner_disagrees", "winner", id="winner against the levels"),
    pytest.param(played(9, 7, winner="tie"), "winner_disagrees", "winner", id="tie against the levels"),
    pytest.param(
        played(9, 7, winner="away", reason="time"), "winner_disagrees", "winner", id="time is no ruling"
    ),
    pytest.param(played(9, 9, winner="home"), "winner_disagrees", "winner", id="equal levels are a tie"),
    pytest.param(played(9, 7, reason="passed"), "reason_disagrees", "reason", id="nobody passed"),
    pytest.param(played(15, 7, reason="time"), "reason_disagrees", "reason", id="passed is not time-up"),
    pytest.param(played(9, 7, reason="strikes"), "missing", "winner", id="strikes without a winner"),
    pytest.param(
        played(9, 7, winner="tie", reason="penalty"), "missing", "winner", id="a ruling has a winner"
    ),
    pytest.param(
        played(15, 7, winner="away", reason="strikes"), "reason_disagrees", "reason", id="passed, then struck"
    ),
    pytest.param(
        played(15, 15, winner="away", reason="penalty"), "both_passed", "away_level", id="ruling, both passed"
    ),
    pytest.param(played(9, 7, deals=["HHAA"], games=[]), "deals_and_games", "games", id="deals and games"),
]


@pytest.mark.parametrize(("result", "code", "field"), REFUSED)
def test_refuses_what_contradicts_itself(result, code, field):
    assert refusal(result) == (code, field)


@pytest.mark.parametrize("reason", ["strikes", "penalty"])
def test_a_ruling_may_give_the_match_to_the_lower_level(reason):
    assert end(completed(10, 14, winner="home", reason=reason)) == (10, 14, "home", reason)


def test_a_target_below_a_sets_the_passed_level():
    short = rules(target_level=10)
    assert end(completed(11, 4, short)) == (11, 4, "home", "passed")
    assert refusal(played(12, 4), short) == ("level_out_of_range", "home_level")


def test_a_handicap_raises_the_lowest_level_of_its_side():
    """Late by a round of cards: the opponents start three levels higher."""
    assert refusal(played(9, 4, away_start=5)) == ("level_below_start", "away_level")
    assert completed(9, 5, away_start=5).winner == "home"
    assert completed(9, 2, rules(strikes={"then": "2"}), away_start=5).away_level == 2
    assert completed(3, 9, rules(start_level=5), home_start=3).winner == "away"
    assert refusal(played(9, 4, home_start=15)) == ("level_out_of_range", "home_start")


COUNTS_REFUSED = [
    ({"home_deals": [1, 0, 0]}, "missing", "away_deals"),
    ({"away_deals": [1, 0, 0]}, "missing", "home_deals"),
    ({"home_deals": [5, 3, 0], "away_deals": [2, 0, 0]}, "counts_out_of_range", "away_deals"),
    (
        {"deals": ["HHAA"], "home_deals": [1, 0, 0], "away_deals": [0, 1, 0]},
        "counts_disagree",
        "away_deals",
    ),
]


@pytest.mark.parametrize(("told", "code", "field"), COUNTS_REFUSED, ids=str)
def test_refuses_deals_counted_wrongly(told, code, field):
    levels = (None, None) if "deals" in told else (9, 5)
    assert refusal(played(*levels, **told), rules(deals=9)) == (code, field)


def test_deals_are_counted_by_three_whole_numbers():
    for counts, code in (
        ([1, 2], "counts_out_of_range"),
        ([1, 2, -1], "counts_out_of_range"),
        ([1, 2, "x"], "not_an_integer"),
        (3, "not_a_list"),
    ):
        with pytest.raises(InvalidResult, match=f"home_deals: {code}"):
            played(9, 5, home_deals=counts)


def test_no_level_lies_below_the_start_unless_something_sends_a_side_back():
    assert refusal(played(4, 9), rules(start_level=5)) == ("level_out_of_range", "home_level")
    assert completed(2, 9, rules(start_level=5, strikes={"then": "2"})).home_level == 2
    assert completed(2, 9, rules(start_level=5, bonuses=["last_streak"])).home_level == 2


def test_arriving_at_a_is_passed_where_that_is_the_rule():
    assert end(completed(14, 9, rules(pass_rule="reach"))) == (15, 9, "home", "passed")
    assert refusal(played(14, 14), rules(pass_rule="reach")) == ("both_passed", "away_level")


# Matches that were not played


NOT_PLAYED = [
    ("forfeit_home", "away"),
    ("forfeit_away", "home"),
    ("double_forfeit", None),
    ("bye", None),
    ("irregular", None),
]


@pytest.mark.parametrize(("outcome", "winner"), NOT_PLAYED)
def test_the_winner_of_a_match_not_played_follows_from_the_outcome(outcome, winner):
    done = complete_result(MatchResult.from_dict({"outcome": outcome}), MatchRules(), tie_allowed=False)
    assert (done.winner, done.reason, done.home_level, done.away_level) == (winner, None, None, None)


@pytest.mark.parametrize(("outcome", "winner"), NOT_PLAYED)
@pytest.mark.parametrize(
    "more",
    [
        {"home_level": 9},
        {"away_level": 2},
        {"deals": []},
        {"games": []},
        {"reason": "time"},
        {"head_taken": "home"},
    ],
    ids=str,
)
def test_a_match_not_played_has_no_levels(outcome, winner, more):
    assert refusal(MatchResult.from_dict({"outcome": outcome, **more})) == ("not_played", *more)


def test_a_match_not_played_has_no_other_winner():
    forfeit = MatchResult.from_dict({"outcome": "forfeit_home", "winner": "home"})
    assert refusal(forfeit) == ("winner_disagrees", "winner")
    assert refusal(MatchResult.from_dict({"outcome": "bye", "winner": "tie"})) == (
        "winner_disagrees",
        "winner",
    )


# Equal levels at time-up

EQUAL = [
    pytest.param("tie", {}, "tie", "time", id="tie"),
    pytest.param("first_to_reach", {"reached_first": "away"}, "away", "tie_rule", id="first to reach it"),
    pytest.param("declarer", {"declarer": "home"}, "home", "tie_rule", id="declarer"),
    pytest.param("off_stage", {"declarer": "home"}, "away", "tie_rule", id="off-stage side"),
    pytest.param("off_stage", {"declarer": "away"}, "home", "tie_rule", id="off-stage side, away declares"),
    pytest.param("extra_deal", {"extra_winner": "away"}, "away", "tie_rule", id="extra deal"),
    pytest.param("extra_game", {"extra_winner": "home"}, "home", "tie_rule", id="extra game"),
]


@pytest.mark.parametrize(("rule", "facts", "winner", "reason"), EQUAL)
def test_equal_levels_are_decided_by_the_rule(rule, facts, winner, reason):
    assert end(completed(9, 9, rules(equal_levels=rule), **facts)) == (9, 9, winner, reason)


NEEDED = [
    ("first_to_reach", "reached_first"),
    ("declarer", "declarer"),
    ("off_stage", "declarer"),
    ("extra_deal", "extra_winner"),
    ("extra_game", "extra_winner"),
]


@pytest.mark.parametrize(("rule", "field"), NEEDED)
def test_equal_levels_need_the_fact_of_the_rule(rule, field):
    assert refusal(played(9, 9), rules(equal_levels=rule)) == ("fact_missing", field)
    assert completed(10, 9, rules(equal_levels=rule)).winner == "home"


@pytest.mark.parametrize(("rule", "field"), NEEDED)
@pytest.mark.parametrize("winner", ["home", "away"])
def test_a_winner_by_the_tie_rule_stands_for_the_fact(rule, field, winner):
    given = completed(9, 9, rules(equal_levels=rule), winner=winner, reason="tie_rule")
    assert end(given) == (9, 9, winner, "tie_rule")


def test_a_winner_by_the_tie_rule_cannot_contradict_the_fact():
    entered = played(9, 9, winner="home", reason="tie_rule", reached_first="away")
    assert refusal(entered, rules(equal_levels="first_to_reach")) == ("winner_disagrees", "winner")


def test_a_knockout_match_cannot_end_in_a_tie():
    assert refusal(played(9, 9), tie_allowed=False) == ("tie_not_allowed", "reached_first")
    assert refusal(played(9, 9, winner="tie"), tie_allowed=False) == ("tie_not_allowed", "reached_first")


def test_a_knockout_match_falls_back_on_the_first_to_reach_the_level():
    first = complete_result(played(9, 9, reached_first="away"), MatchRules(), tie_allowed=False)
    assert end(first) == (9, 9, "away", "tie_rule")


# The deal under way at time-up

UNFINISHED = [
    pytest.param("void", 9, 9, "home", (9, 9, "tie", "time"), id="void"),
    pytest.param("head_plus_one", 9, 9, "home", (10, 9, "home", "time"), id="R01 9 v 9, X has taken head"),
    pytest.param("head_plus_one", 10, 9, "away", (10, 10, "tie", "time"), id="head draws level"),
    pytest.param("head_plus_one", 10, 8, "away", (10, 9, "home", "time"), id="head comes closer"),
    pytest.param(
        "head_plus_one", 14, 14, "home", (14, 14, "tie", "time"), id="an unfinished deal passes nothing"
    ),
    pytest.param("head_plus_one", 15, 9, "away", (15, 9, "home", "passed"), id="no deal after A is passed"),
    pytest.param(
        "trailing_by_one", 10, 9, "away", (10, 9, "away", "time"), id="R14 10 v 9, the 9 side has taken head"
    ),
    pytest.param("trailing_by_one", 10, 8, "away", (10, 8, "home", "time"), id="R14 10 v 8"),
    pytest.param(
        "trailing_by_one", 10, 9, "home", (10, 9, "home", "time"), id="R14 the leader has taken head"
    ),
    pytest.param("trailing_by_one", 9, 9, "home", (9, 9, "tie", "time"), id="R14 equal levels"),
    pytest.param(
        "trailing_by_one", 8, 9, "home", (8, 9, "home", "time"), id="R14 8 v 9, the 8 side has taken head"
    ),
]


@pytest.mark.parametrize(("rule", "home", "away", "head", "expected"), UNFINISHED)
def test_the_unfinished_deal(rule, home, away, head, expected):
    settings = rules(unfinished_deal=rule)
    done = completed(home, away, settings, head_taken=head)
    assert end(done) == expected
    assert complete_result(done, settings) == done


def test_a_head_at_a_passes_where_a_may_be_passed_over():
    over = rules(unfinished_deal="head_plus_one", must_play_target=False)
    assert end(completed(14, 14, over, head_taken="home")) == (15, 14, "home", "passed")


def test_a_counted_head_is_dropped_so_that_it_counts_once():
    assert completed(9, 9, rules(unfinished_deal="head_plus_one"), head_taken="home").head_taken is None
    assert completed(9, 9, rules(unfinished_deal="void"), head_taken="home").head_taken == "home"


# Deals

FIVE = ["HHAA", "HHAA", "HHAA", "HHAA", "HAHA"]


def test_deals_give_levels_winner_and_reason():
    done = complete_result(played(deals=FIVE), MatchRules())
    assert end(done) == (15, 2, "home", "passed")
    assert complete_result(done, MatchRules()) == done


DEALS_REFUSED = [
    pytest.param(played(15, 3, deals=FIVE), "levels_disagree", "away_level", id="other levels"),
    pytest.param(played(14, 2, deals=FIVE), "levels_disagree", "home_level", id="not passed"),
    pytest.param(played(deals=FIVE, winner="away"), "winner_disagrees", "winner", id="other winner"),
    pytest.param(played(deals=FIVE, reason="time"), "reason_disagrees", "reason", id="other reason"),
    pytest.param(played(deals=[*FIVE, "HHAA"]), "after_the_end", "deals[5]", id="a deal after the end"),
    pytest.param(played(deals=["HHAA", "HHHA"]), "unknown_order", "deals[1]", id="three of one side"),
    pytest.param(played(deals=["HHAA", ""]), "unknown_order", "deals[1]", id="empty order"),
    pytest.param(played(deals=["HHAA"], declarer="away"), "fact_disagrees", "declarer", id="other declarer"),
]


@pytest.mark.parametrize(("result", "code", "field"), DEALS_REFUSED)
def test_refuses_deals_that_disagree(result, code, field):
    assert refusal(result) == (code, field)


def test_a_penalty_may_overrule_the_deals():
    done = complete_result(played(deals=["HHAA"], winner="away", reason="penalty"), MatchRules())
    assert end(done) == (5, 2, "away", "penalty")


def test_no_deal_played_is_a_tie_at_the_start():
    assert end(complete_result(played(deals=[]), MatchRules())) == (2, 2, "tie", "time")


# Games


def games(*levels, home=None, **more):
    return played(home, games=[played(*both).as_dict() for both in levels], **more)


BEST_OF_THREE = [
    pytest.param(games((15, 3), (15, 9)), ("home", "passed"), id="2 : 0"),
    pytest.param(games((15, 3), (9, 15), (8, 15)), ("away", "passed"), id="1 : 2"),
    pytest.param(games((15, 3), (9, 15), (8, 8)), ("tie", "time"), id="1 : 1 and a tie"),
    pytest.param(games((15, 3), (9, 9), (8, 8)), ("home", "time"), id="1 : 0 and two ties"),
    pytest.param(games((15, 3), reason="time"), ("home", "time"), id="time was up after one game"),
    pytest.param(games((15, 3), (9, 15), (8, 8), extra_winner="away"), ("away", "tie_rule"), id="extra game"),
    pytest.param(
        games((15, 3), (9, 15), reason="time", extra_winner="home"),
        ("home", "tie_rule"),
        id="time was called, the extra play decided",
    ),
    pytest.param(games((15, 3), winner="away", reason="penalty"), ("away", "penalty"), id="penalty"),
]


@pytest.mark.parametrize(("result", "expected"), BEST_OF_THREE)
def test_more_games_win_the_match(result, expected):
    done = complete_result(result, rules(best_of=3))
    assert (str(done.winner), str(done.reason)) == expected
    assert complete_result(done, rules(best_of=3)) == done


GAMES_REFUSED = [
    pytest.param(games((15, 3)), 3, "games_missing", "games[1]", id="undecided"),
    pytest.param(games(), 3, "games_missing", "games", id="no game"),
    pytest.param(played(15, 3), 3, "games_missing", "games", id="levels only"),
    pytest.param(games((15, 3), (15, 3), (15, 3)), 3, "after_the_end", "games[2]", id="after the end"),
    pytest.param(games((15, 3), (15, 3)), 1, "too_many", "games[1]", id="single game"),
    pytest.param(games((15, 3), (15, 15)), 3, "both_passed", "games[1].away_level", id="inside a game"),
    pytest.param(games((15, 3), (15, 9), winner="away"), 3, "winner_disagrees", "winner", id="other winner"),
    pytest.param(
        games((15, 3), (15, 9), home=15), 3, "levels_disagree", "home_level", id="levels of two games"
    ),
    pytest.param(
        played(games=[{"outcome": "bye"}]), 3, "unknown_value", "games[0].outcome", id="a bye is no game"
    ),
]


@pytest.mark.parametrize(("result", "best_of", "code", "field"), GAMES_REFUSED)
def test_refuses_games_that_do_not_decide(result, best_of, code, field):
    assert refusal(result, rules(best_of=best_of)) == (code, field)


def test_two_games_do_not_decide_the_best_of_five():
    assert refusal(games((15, 3), (15, 9)), rules(best_of=5)) == ("games_missing", "games[2]")
    assert complete_result(games((15, 3), (15, 9), (15, 9)), rules(best_of=5)).winner == "home"


def test_a_match_of_games_cannot_be_tied_in_a_knockout():
    even = games((15, 3), (9, 15), (8, 8))
    assert refusal(even, rules(best_of=3), tie_allowed=False) == ("tie_not_allowed", "extra_winner")


def test_a_single_game_lends_the_match_its_levels():
    assert end(complete_result(games((15, 3)), MatchRules())) == (15, 3, "home", "passed")
    assert refusal(games((9, 9)), tie_allowed=False) == ("tie_not_allowed", "games[0].reached_first")


def test_games_may_be_written_as_deals():
    both = played(games=[{"outcome": "played", "deals": FIVE}] * 2)
    assert complete_result(both, rules(best_of=3)).winner == "home"
