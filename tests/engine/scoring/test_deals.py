"""Deals: levels, passing A, strikes, bonuses, and the end of a game, setting by setting."""

import pytest

from scoring.engine.deals import GameOutcome, play_deal, play_game, replay, start_game
from scoring.engine.endings import Facts
from scoring.engine.outcomes import InvalidResult, Reason, Side
from scoring.engine.rules import MatchRules
from tests.engine.scoring.build import rules

DOUBLE, THIRD, FOURTH = "HHAA", "HAHA", "HAAH"
LOST, LOST_THIRD, LOST_FOURTH = "AAHH", "AHAH", "AHHA"
TO_A = [DOUBLE] * 4
"""Home climbs 5, 8, J, A and declares at A."""


def levels(state):
    return state.home.level, state.away.level


def summary(game: GameOutcome):
    return game.home_level, game.away_level, game.winner.value, game.reason.value


def refused(orders, settings=None, **facts):
    with pytest.raises(InvalidResult) as error:
        play_game(orders, settings or MatchRules(), Facts(**facts))
    return error.value.code.value, error.value.field


# Steps

STEPS = [
    pytest.param([3, 2, 1], [DOUBLE, THIRD, FOURTH], [5, 7, 8], id="3,2,1"),
    pytest.param([6, 4, 2], [DOUBLE, THIRD, FOURTH], [8, 12, 14], id="6,4,2"),
    pytest.param([4, 3, 2], [DOUBLE, THIRD, FOURTH], [6, 9, 11], id="4,3,2"),
]


@pytest.mark.parametrize(("steps", "orders", "expected"), STEPS)
def test_steps(steps, orders, expected):
    state, reached = start_game(rules(steps=steps)), []
    for order in orders:
        state = play_deal(state, order, rules(steps=steps))
        reached.append(state.home.level)
    assert reached == expected
    assert state.away.level == 2


SIDES = [
    ("HHAA", (5, 2), "home"),
    ("HAHA", (4, 2), "home"),
    ("HAAH", (3, 2), "home"),
    ("AAHH", (2, 5), "away"),
    ("AHAH", (2, 4), "away"),
    ("AHHA", (2, 3), "away"),
]


@pytest.mark.parametrize(("order", "expected", "declarer"), SIDES)
def test_the_head_side_climbs_and_declares(order, expected, declarer):
    state = replay([order], MatchRules())
    assert (levels(state), state.declarer, state.deals_played) == (expected, declarer, 1)


def test_nobody_declares_the_first_deal():
    assert start_game(MatchRules()).declarer is None


@pytest.mark.parametrize("order", ["", "HHA", "HHHA", "HHAAA", "hhaa", "HXAA", "HHaA", "XXYY", " HHAA"])
def test_refuses_what_is_no_finishing_order(order):
    assert refused([DOUBLE, order]) == ("unknown_order", "deals[1]")


def test_players_of_a_side_may_be_told_apart():
    assert levels(replay(["HhAa", "aHAh"], MatchRules())) == (5, 4)


def test_refuses_a_deal_after_the_end():
    assert refused([*TO_A, DOUBLE, DOUBLE]) == ("after_the_end", "deals[5]")


# A must be played, or may be passed over

K_THEN = [DOUBLE, DOUBLE, DOUBLE, THIRD]
"""Home stands at K after 5, 8, J, K."""

COMPULSORY = [
    pytest.param(True, [*K_THEN, DOUBLE], (14, None), id="compulsory: K, double, A and not passed"),
    pytest.param(True, [*K_THEN, THIRD], (14, None), id="compulsory: K, 1st+3rd, A and not passed"),
    pytest.param(True, [*K_THEN, FOURTH], (14, None), id="compulsory: K, 1st+4th, A"),
    pytest.param(False, [*K_THEN, DOUBLE], (15, "home"), id="overshoot: K, double, passed"),
    pytest.param(False, [*K_THEN, THIRD], (15, "home"), id="overshoot: K, 1st+3rd, passed"),
    pytest.param(False, [*K_THEN, FOURTH], (14, None), id="overshoot: K, 1st+4th, A"),
    pytest.param(False, [*K_THEN, FOURTH, FOURTH], (15, "home"), id="overshoot: at A any head passes"),
    pytest.param(
        False, [*K_THEN, FOURTH, LOST, FOURTH], (15, "home"), id="overshoot: at A, declared by away"
    ),
]


@pytest.mark.parametrize(("must_play", "orders", "expected"), COMPULSORY)
def test_a_must_be_played_or_not(must_play, orders, expected):
    state = replay(orders, rules(must_play_target=must_play))
    assert (state.home.level, state.winner) == expected


# Passing A

PASS_RULES = [
    ("partner_not_last", DOUBLE, True),
    ("partner_not_last", THIRD, True),
    ("partner_not_last", FOURTH, False),
    ("partner_not_last", LOST_FOURTH, False),
    ("any_head", DOUBLE, True),
    ("any_head", THIRD, True),
    ("any_head", FOURTH, True),
    ("any_head", LOST_FOURTH, False),
    ("double_only", DOUBLE, True),
    ("double_only", THIRD, False),
    ("double_only", FOURTH, False),
    ("double_only", LOST_FOURTH, False),
    ("no_last", DOUBLE, True),
    ("no_last", THIRD, True),
    ("no_last", FOURTH, False),
    ("no_last", LOST_FOURTH, True),
    ("no_last", LOST_THIRD, False),
    ("no_last", LOST, False),
]


@pytest.mark.parametrize(("rule", "order", "passes"), PASS_RULES)
def test_passing_a_on_a_deal_declared_at_own_a(rule, order, passes):
    state = replay([*TO_A, order], rules(pass_rule=rule))
    if passes:
        assert (levels(state), state.winner, state.reason) == ((15, 2), Side.HOME, Reason.PASSED)
    else:
        assert (state.home.level, state.winner) == (14, None)


@pytest.mark.parametrize("rule", ["partner_not_last", "any_head", "double_only", "no_last"])
def test_a_deal_declared_by_the_others_passes_nothing(rule):
    state = replay([*TO_A, LOST, DOUBLE], rules(pass_rule=rule))
    assert (levels(state), state.winner, state.declarer) == ((14, 5), None, Side.HOME)


def test_reach_wins_on_arrival():
    state = replay(TO_A, rules(pass_rule="reach"))
    assert (levels(state), state.winner, state.reason) == ((15, 2), Side.HOME, Reason.PASSED)
    assert replay(TO_A[:3], rules(pass_rule="reach")).winner is None


def test_away_passes_as_home_does():
    state = replay(["AAHH"] * 4 + ["AHAH"], MatchRules())
    assert (levels(state), state.winner) == ((2, 15), Side.AWAY)


def test_the_head_of_the_losers_gives_no_level_once_the_declarer_has_passed():
    assert levels(replay([*TO_A, LOST_FOURTH], rules(pass_rule="no_last"))) == (15, 2)


# Strikes

BACK = {"limit": 3, "count": "total", "when": "own_deal"}

STRIKES = [
    pytest.param({}, [FOURTH], (14, 1), id="a failed head is a strike"),
    pytest.param({}, [LOST], (14, 1), id="a lost deal is a strike"),
    pytest.param({}, [LOST, LOST], (14, 1), id="not while the others declare"),
    pytest.param({"when": "any_deal"}, [LOST, LOST], (14, 2), id="any deal: while the others declare"),
    pytest.param({}, [FOURTH, FOURTH, FOURTH], (2, 0), id="3 in total, back to 2"),
    pytest.param({"then": "J"}, [FOURTH, FOURTH, LOST], (11, 0), id="3 in total, back to J"),
    pytest.param({}, [LOST, FOURTH, LOST, FOURTH, LOST], (2, 0), id="3 in total with deals between"),
    pytest.param(
        {"count": "in_a_row"},
        [LOST, FOURTH, LOST, FOURTH, FOURTH],
        (14, 1),
        id="in a row: deals between break it",
    ),
    pytest.param(
        {"count": "in_a_row", "then": "J"}, [FOURTH, FOURTH, FOURTH], (11, 0), id="3 in a row, back to J"
    ),
    pytest.param({"limit": 2}, [FOURTH, FOURTH], (2, 0), id="2 in total"),
    pytest.param(
        {"count": "in_a_row", "when": "any_deal"}, [LOST, LOST, LOST], (2, 0), id="3 in a row, any deal"
    ),
]


@pytest.mark.parametrize(("settings", "orders", "expected"), STRIKES)
def test_strikes(settings, orders, expected):
    state = replay([*TO_A, *orders], rules(strikes=BACK | settings))
    assert (state.home.level, state.home.strikes) == expected
    assert state.winner is None


def test_a_side_sent_back_climbs_and_strikes_anew():
    settings = rules(strikes=BACK | {"then": "J"})
    state = replay([*TO_A, FOURTH, FOURTH, FOURTH, DOUBLE], settings)
    assert (state.home.level, state.home.strikes, state.declarer) == (14, 0, Side.HOME)
    assert replay([*TO_A, FOURTH, FOURTH, FOURTH, DOUBLE, THIRD], settings).winner is Side.HOME


@pytest.mark.parametrize("limit", [2, 3])
def test_strikes_lose_the_match_to_a_side_that_may_be_lower(limit):
    settings = rules(strikes=BACK | {"limit": limit, "then": "lose"})
    game = play_game([*TO_A, *[FOURTH] * limit], settings)
    assert summary(game) == (14, 2, "away", "strikes")
    assert play_game([*TO_A, *[FOURTH] * (limit - 1)], settings).state.winner is None


def test_passing_on_the_last_attempt_wins():
    settings = rules(strikes=BACK | {"then": "lose"})
    assert summary(play_game([*TO_A, FOURTH, FOURTH, THIRD], settings)) == (15, 2, "home", "passed")


def test_when_both_sides_strike_out_on_one_deal_the_head_side_wins():
    settings = rules(strikes={"limit": 3, "when": "any_deal", "then": "lose"})
    both_at_a = [*TO_A, *[LOST] * 2]
    assert replay(both_at_a, settings).home.strikes == 2
    once = rules(strikes={"limit": 1, "when": "any_deal", "then": "lose"}, steps=[12, 1, 1])
    start = Facts(home_start=14, away_start=14)
    assert summary(play_game([DOUBLE], once, start)) == (14, 14, "home", "strikes")


def test_without_strike_rules_nothing_is_counted():
    assert replay([*TO_A, *[FOURTH] * 9], MatchRules()).home.strikes == 0


# Bonuses

THREE_DOUBLES = rules(bonuses=["three_doubles_to_target"])


def test_three_doubles_running_go_straight_to_a():
    reached = [replay(TO_A[:deals], THREE_DOUBLES).home.level for deals in (1, 2, 3)]
    assert reached == [5, 8, 14]


@pytest.mark.parametrize("between", [THIRD, FOURTH, LOST, LOST_FOURTH])
def test_doubles_run_no_longer_after_another_deal(between):
    state = replay([DOUBLE, DOUBLE, between, DOUBLE], THREE_DOUBLES)
    assert state.home.level < 14


def test_three_doubles_pass_nothing_where_a_must_be_played():
    assert replay([DOUBLE] * 3, THREE_DOUBLES).winner is None
    assert replay([DOUBLE] * 4, THREE_DOUBLES).winner is Side.HOME


def test_three_doubles_are_no_loss_where_a_may_be_passed_over():
    over = rules(bonuses=["three_doubles_to_target"], must_play_target=False, start_level=7)
    assert replay([DOUBLE] * 3, over).home.level == 15


FIRST_STREAK = rules(bonuses=["first_streak"])


def test_one_player_first_three_times_running_gives_one_level_more_then_two():
    reached = [replay(["HAah"] * deals, FIRST_STREAK).home.level for deals in (1, 2, 3, 4)]
    assert reached == [3, 4, 6, 9]


def test_two_players_of_a_side_do_not_share_a_streak():
    assert replay(["HAah", "HAah", "hAaH", "HAah"], FIRST_STREAK).home.level == 6


def test_one_player_last_three_times_running_costs_a_level():
    settings = rules(bonuses=["last_streak"], start_level=5)
    reached = [replay(["AHah"] * deals, settings).home.level for deals in (2, 3, 4)]
    assert reached == [5, 4, 3]
    assert replay(["HAah"] * 3, settings).home.level == 7


@pytest.mark.parametrize(("start", "level", "winner"), [(13, 13, None), (14, 15, Side.HOME)])
def test_a_last_place_costs_its_level_unless_the_side_has_passed(start, level, winner):
    over = rules(bonuses=["last_streak"], must_play_target=False)
    state = replay(["AHah", "AHah", "HAah"], over, Facts(home_start=start))
    assert (state.home.level, state.winner) == (level, winner)


def test_nobody_falls_below_2():
    assert replay(["AHah"] * 3, rules(bonuses=["last_streak"])).home.level == 2


def test_streaks_need_the_players_to_be_told_apart():
    assert refused(["HhAa", DOUBLE], FIRST_STREAK) == ("players_not_told", "deals[1]")


# Handicap, target level, deal limit


def test_a_handicap_starts_the_opponents_higher():
    game = play_game([THIRD], MatchRules(), Facts(away_start=5))
    assert summary(game) == (4, 5, "away", "time")


@pytest.mark.parametrize("level", [1, 15])
def test_refuses_a_start_outside_the_levels(level):
    assert refused([], home_start=level) == ("level_out_of_range", "home_start")


def test_another_start_level():
    assert levels(start_game(rules(start_level=6))) == (6, 6)


def test_another_target_level():
    short = rules(target_level=8)
    assert levels(replay([DOUBLE, DOUBLE], short)) == (8, 2)
    assert summary(play_game([DOUBLE, DOUBLE, THIRD], short)) == (9, 2, "home", "passed")


def test_the_deal_limit_ends_the_game():
    two = rules(deals=2)
    assert summary(play_game([DOUBLE, LOST_THIRD], two)) == (5, 4, "home", "time")
    assert refused([DOUBLE, LOST, LOST], two) == ("too_many", "deals[2]")


# Time-up

TIME_UP = [
    pytest.param({}, {}, "tie", "time", id="tie"),
    pytest.param({"equal_levels": "first_to_reach"}, {}, "home", "tie_rule", id="first to reach it"),
    pytest.param({"equal_levels": "declarer"}, {}, "away", "tie_rule", id="declarer"),
    pytest.param({"equal_levels": "off_stage"}, {}, "home", "tie_rule", id="off-stage side"),
    pytest.param(
        {"equal_levels": "extra_deal"}, {"extra_winner": Side.AWAY}, "away", "tie_rule", id="extra deal"
    ),
    pytest.param(
        {"equal_levels": "extra_game"}, {"extra_winner": Side.HOME}, "home", "tie_rule", id="extra game"
    ),
]


@pytest.mark.parametrize(("settings", "facts", "winner", "reason"), TIME_UP)
def test_equal_levels_at_time_up(settings, facts, winner, reason):
    game = play_game([DOUBLE, LOST], rules(**settings), Facts(**facts))
    assert summary(game) == (5, 5, winner, reason)


def test_the_one_who_came_to_the_level_before_is_first_even_when_both_moved():
    first = rules(equal_levels="first_to_reach")
    assert play_game([LOST, FOURTH, THIRD], first).winner == "away"


def test_nobody_is_first_at_the_start_level():
    first = rules(equal_levels="first_to_reach")
    assert refused([], first) == ("fact_missing", "reached_first")
    assert play_game([], first, Facts(reached_first=Side.AWAY)).winner == "away"


def test_the_deals_say_who_was_first_and_who_declares():
    assert refused([DOUBLE, LOST], reached_first=Side.AWAY) == ("fact_disagrees", "reached_first")
    assert refused([DOUBLE, LOST], declarer=Side.HOME) == ("fact_disagrees", "declarer")


def test_a_knockout_game_that_ends_equal_goes_to_the_first_at_the_level():
    game = play_game([DOUBLE, LOST], MatchRules(), tie_allowed=False)
    assert summary(game) == (5, 5, "home", "tie_rule")
    with pytest.raises(InvalidResult, match="tie_not_allowed"):
        play_game([], MatchRules(), tie_allowed=False)


UNFINISHED = [
    pytest.param("void", [DOUBLE, LOST], Side.HOME, (5, 5, "tie", "time"), id="void"),
    pytest.param("head_plus_one", [DOUBLE, LOST], Side.HOME, (6, 5, "home", "time"), id="head gives a level"),
    pytest.param("head_plus_one", TO_A, Side.HOME, (14, 2, "home", "time"), id="head passes nothing"),
    pytest.param("head_plus_one", [*TO_A, THIRD], Side.AWAY, (15, 2, "home", "passed"), id="game over"),
    pytest.param("trailing_by_one", [DOUBLE, LOST_THIRD], Side.AWAY, (5, 4, "away", "time"), id="one behind"),
    pytest.param(
        "trailing_by_one", [DOUBLE, LOST_FOURTH], Side.AWAY, (5, 3, "home", "time"), id="two behind"
    ),
]


@pytest.mark.parametrize(("rule", "orders", "head", "expected"), UNFINISHED)
def test_the_deal_under_way_at_time_up(rule, orders, head, expected):
    assert summary(play_game(orders, rules(unfinished_deal=rule), Facts(head_taken=head))) == expected


def test_a_head_that_draws_level_came_second_to_it():
    settings = rules(unfinished_deal="head_plus_one", equal_levels="first_to_reach")
    game = play_game([DOUBLE, LOST_THIRD], settings, Facts(head_taken=Side.AWAY))
    assert summary(game) == (5, 5, "home", "tie_rule")
