"""The table sheet: what a match recorded deal by deal comes to, what is asked, what a correction moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.deals import Tribute, replay, tribute_after
from scoring.engine.match_result import MatchResult
from scoring.engine.outcomes import InvalidResult, Outcome, Side
from scoring.engine.results import complete_result
from scoring.engine.rules import MatchRules
from scoring.engine.table_sheet import (
    NO_DEALS,
    Answer,
    Sheet,
    add_deal,
    answer_question,
    call_time,
    correct_deal,
    follow,
    set_start_levels,
    sheet_of,
    undo,
)
from tests.engine.scoring.build import rules

DOUBLE, THIRD, LOST, LOST_THIRD = "HHAA", "HAHA", "AAHH", "AHAH"
HOME_PASSES = [DOUBLE] * 4 + [THIRD]
AWAY_PASSES = [LOST] * 4 + [LOST_THIRD]
PLAIN = MatchRules()
BEST_OF_THREE = rules(best_of=3)


def recorded(*orders: str, settings: MatchRules = PLAIN, sheet: Sheet = NO_DEALS) -> Sheet:
    for order in orders:
        sheet = add_deal(sheet, order, settings)
    return sheet


def timed(*orders: str, settings: MatchRules = PLAIN) -> Sheet:
    return call_time(recorded(*orders, settings=settings), settings)


def levels(sheet: Sheet, settings: MatchRules = PLAIN):
    state = follow(sheet, settings).current
    return state.home.level, state.away.level


def end(sheet: Sheet, settings: MatchRules = PLAIN, **more):
    result = follow(sheet, settings, **more).result
    return result and (result.home_level, result.away_level, result.winner.value, result.reason.value)


def question(sheet: Sheet, settings: MatchRules, **more):
    return follow(sheet, settings, **more).question


def refused(act, *arguments):
    with pytest.raises(InvalidResult) as error:
        act(*arguments)
    return error.value.code.value, error.value.field


class TestTribute:
    @pytest.mark.parametrize(
        ("order", "due"),
        [
            ("HHAA", Tribute(Side.AWAY, Side.HOME, is_double=True)),
            ("HAHA", Tribute(Side.AWAY, Side.HOME, is_double=False)),
            ("AHHA", Tribute(Side.AWAY, Side.AWAY, is_double=False)),
            ("AahH", Tribute(Side.HOME, Side.AWAY, is_double=True)),
        ],
    )
    def test_losers_of_a_double_pay_both_otherwise_the_last_pays_the_head(self, order, due):
        assert tribute_after(order) == due


class TestPlaying:
    def test_nothing_recorded(self):
        progress = follow(NO_DEALS, PLAIN)
        assert progress.is_playing
        assert not progress.begins_game
        assert levels(NO_DEALS) == (2, 2)

    def test_deals_move_the_levels_until_a_side_passes(self):
        assert levels(recorded(DOUBLE, LOST)) == (5, 5)
        assert end(recorded(*HOME_PASSES)) == (15, 2, "home", "passed")

    def test_refuses_a_deal_after_the_end(self):
        assert refused(add_deal, recorded(*HOME_PASSES), DOUBLE, PLAIN) == ("after_the_end", "deals")

    def test_refuses_a_deal_once_time_was_called(self):
        assert refused(add_deal, timed(DOUBLE), DOUBLE, PLAIN) == ("after_the_end", "deals")

    def test_refuses_what_is_no_order(self):
        assert refused(add_deal, NO_DEALS, "HHHA", PLAIN) == ("unknown_order", "deals")

    def test_streak_rules_want_the_players(self):
        settings = rules(bonuses=["first_streak"])
        assert refused(add_deal, NO_DEALS, DOUBLE, settings) == ("players_not_told", "deals")
        assert levels(recorded("HAha", "HAha", "HAha", settings=settings), settings) == (9, 2)

    def test_third_strike_falls_to_j(self):
        settings = rules(strikes={"limit": 3, "then": "J"})
        sheet = recorded(*[DOUBLE] * 4, LOST, DOUBLE, LOST, DOUBLE, LOST, settings=settings)
        state = follow(sheet, settings).current
        assert (state.home.level, state.home.strikes) == (11, 0)

    def test_the_deal_limit_ends_the_match(self):
        settings = rules(deals=2)
        assert end(recorded(DOUBLE, THIRD, settings=settings), settings) == (7, 2, "home", "time")

    def test_a_handicap_before_the_first_deal(self):
        sheet = set_start_levels(NO_DEALS, 2, 5, PLAIN)
        assert levels(recorded(LOST, sheet=sheet)) == (2, 8)
        assert refused(set_start_levels, recorded(LOST), 2, 5, PLAIN) == ("after_the_end", "home_start")
        assert refused(set_start_levels, NO_DEALS, 2, 15, PLAIN) == ("level_out_of_range", "away_start")
        assert set_start_levels(sheet, 2, 2, PLAIN) == NO_DEALS


class TestTimeUp:
    def test_the_higher_level_needs_no_question(self):
        assert end(timed(DOUBLE)) == (5, 2, "home", "time")

    def test_equal_levels_are_a_tie_where_a_tie_may_stand(self):
        assert end(timed(DOUBLE, LOST)) == (5, 5, "tie", "time")

    def test_the_deals_tell_who_was_first_and_who_declares(self):
        first = rules(equal_levels="first_to_reach")
        assert end(timed(DOUBLE, LOST, settings=first), first) == (5, 5, "home", "tie_rule")
        declarer = rules(equal_levels="declarer")
        assert end(timed(DOUBLE, LOST, settings=declarer), declarer) == (5, 5, "away", "tie_rule")

    def test_what_the_deals_do_not_tell_is_asked(self):
        settings = rules(equal_levels="off_stage")
        sheet = timed(settings=settings)
        assert question(sheet, settings) == "declarer"
        sheet = answer_question(sheet, "declarer", Answer.HOME, settings)
        assert end(sheet, settings) == (2, 2, "away", "tie_rule")

    def test_the_extra_deal_is_asked(self):
        settings = rules(equal_levels="extra_deal")
        sheet = timed(DOUBLE, LOST, settings=settings)
        assert question(sheet, settings) == "extra_winner"
        assert end(answer_question(sheet, "extra_winner", Answer.AWAY, settings), settings) == (
            *(5, 5, "away", "tie_rule"),
        )

    def test_a_knockout_is_not_left_a_tie(self):
        assert end(timed(DOUBLE, LOST), tie_allowed=False) == (5, 5, "home", "tie_rule")
        assert question(timed(), PLAIN, tie_allowed=False) == "reached_first"

    def test_head_plus_one_asks_always_and_nobody_is_an_answer(self):
        settings = rules(unfinished_deal="head_plus_one")
        sheet = timed(DOUBLE, LOST, settings=settings)
        assert question(sheet, settings) == "head_taken"
        assert end(answer_question(sheet, "head_taken", Answer.AWAY, settings), settings) == (
            *(5, 6, "away", "time"),
        )
        nobody = answer_question(sheet, "head_taken", Answer.NOBODY, settings)
        assert end(nobody, settings) == (5, 5, "tie", "time")

    def test_trailing_by_one_asks_only_at_one_level_apart(self):
        settings = rules(unfinished_deal="trailing_by_one")
        assert question(timed(DOUBLE, settings=settings), settings) is None
        sheet = timed("HAAH", settings=settings)
        assert question(sheet, settings) == "head_taken"
        assert end(answer_question(sheet, "head_taken", Answer.AWAY, settings), settings) == (
            *(3, 2, "away", "time"),
        )

    def test_refuses_answers_nobody_asked_for(self):
        assert refused(answer_question, timed(DOUBLE), "declarer", Answer.HOME, PLAIN)[0] == "after_the_end"
        settings = rules(equal_levels="extra_deal")
        sheet = timed(settings=settings)
        assert refused(answer_question, sheet, "extra_winner", Answer.NOBODY, settings)[0] == "fact_missing"

    def test_refuses_time_after_the_end(self):
        assert refused(call_time, recorded(*HOME_PASSES), PLAIN) == ("after_the_end", "deals")


class TestBestOfThree:
    def test_the_next_game_begins_by_itself(self):
        sheet = recorded(*HOME_PASSES, settings=BEST_OF_THREE)
        progress = follow(sheet, BEST_OF_THREE)
        assert (progress.is_playing, progress.begins_game) == (True, True)
        assert levels(sheet, BEST_OF_THREE) == (2, 2)
        sheet = recorded(LOST, settings=BEST_OF_THREE, sheet=sheet)
        assert [len(game.deals) for game in sheet.games] == [5, 1]

    def test_two_games_win(self):
        sheet = recorded(*HOME_PASSES, *AWAY_PASSES, *HOME_PASSES, settings=BEST_OF_THREE)
        result = follow(sheet, BEST_OF_THREE).result
        assert (result.winner, result.reason.value, len(result.games)) == ("home", "passed", 3)

    def test_time_in_the_second_game(self):
        sheet = call_time(recorded(*HOME_PASSES, LOST, settings=BEST_OF_THREE), BEST_OF_THREE)
        result = follow(sheet, BEST_OF_THREE).result
        assert [game.winner.value for game in result.games] == ["home", "away"]
        assert (result.winner, result.reason) == ("tie", "time")
        assert question(sheet, BEST_OF_THREE, tie_allowed=False) == "extra_winner"
        sheet = answer_question(sheet, "extra_winner", Answer.AWAY, BEST_OF_THREE, tie_allowed=False)
        result = follow(sheet, BEST_OF_THREE, tie_allowed=False).result
        assert (result.winner, result.reason) == ("away", "tie_rule")
        assert complete_result(result, BEST_OF_THREE, tie_allowed=False) == result
        assert sheet_of(result, BEST_OF_THREE) == sheet

    def test_time_between_two_games_leaves_the_empty_one_out(self):
        sheet = call_time(recorded(*HOME_PASSES, settings=BEST_OF_THREE), BEST_OF_THREE)
        result = follow(sheet, BEST_OF_THREE).result
        assert (len(result.games), result.winner, result.reason) == (1, "home", "time")
        assert undo(sheet) == recorded(*HOME_PASSES, settings=BEST_OF_THREE)

    def test_a_head_in_the_first_deal_of_a_game_counts_where_it_gives_a_level(self):
        settings = rules(best_of=3, unfinished_deal="head_plus_one")
        sheet = call_time(recorded(*HOME_PASSES, settings=settings), settings)
        assert question(sheet, settings) == "games[1].head_taken"
        away = answer_question(sheet, "games[1].head_taken", Answer.AWAY, settings)
        nobody = answer_question(sheet, "games[1].head_taken", Answer.NOBODY, settings)
        assert follow(away, settings).result.winner == "tie"
        assert follow(nobody, settings).result.winner == "home"

    def test_a_game_s_own_question_comes_before_the_next_game(self):
        settings = rules(best_of=3, deals=2, equal_levels="extra_deal")
        sheet = recorded(DOUBLE, LOST, settings=settings)
        assert question(sheet, settings) == "games[0].extra_winner"
        sheet = answer_question(sheet, "games[0].extra_winner", Answer.HOME, settings)
        assert follow(sheet, settings).begins_game
        later = recorded(DOUBLE, settings=settings, sheet=sheet)
        assert undo(undo(later)) == recorded(DOUBLE, LOST, settings=settings)

    def test_a_handicap_in_a_later_game(self):
        sheet = recorded(*HOME_PASSES, settings=BEST_OF_THREE)
        handicapped = set_start_levels(sheet, 2, 4, BEST_OF_THREE)
        assert levels(handicapped, BEST_OF_THREE) == (2, 4)
        assert undo(handicapped) == sheet


class TestUndo:
    def test_takes_back_step_by_step(self):
        settings = rules(unfinished_deal="head_plus_one")
        sheet = recorded(DOUBLE, settings=settings)
        stopped = call_time(sheet, settings)
        answered = answer_question(stopped, "head_taken", Answer.HOME, settings)
        assert undo(answered) == stopped
        assert undo(stopped) == sheet
        assert undo(sheet) == NO_DEALS
        assert undo(NO_DEALS) == NO_DEALS


class TestCorrection:
    def test_moves_everything_after_it(self):
        sheet, dropped = correct_deal(recorded(DOUBLE, THIRD, LOST), 0, 0, LOST, PLAIN)
        assert (levels(sheet), dropped) == ((4, 8), 0)

    def test_drops_the_deals_after_an_earlier_end(self):
        sheet = recorded(*[DOUBLE] * 4, "HAAH", THIRD)
        corrected, dropped = correct_deal(sheet, 0, 4, THIRD, PLAIN)
        assert (end(corrected), dropped) == ((15, 2, "home", "passed"), 1)

    def test_drops_the_games_after_one_that_is_no_longer_over(self):
        sheet = recorded(*HOME_PASSES, LOST, LOST, settings=BEST_OF_THREE)
        corrected, dropped = correct_deal(sheet, 0, 4, "HAAH", BEST_OF_THREE)
        assert (len(corrected.games), dropped) == (1, 2)
        assert levels(corrected, BEST_OF_THREE) == (14, 2)

    def test_drops_the_games_after_the_match_is_decided(self):
        sheet = recorded(*HOME_PASSES, *AWAY_PASSES, LOST, settings=BEST_OF_THREE)
        for place, order in enumerate(HOME_PASSES):
            sheet, dropped = correct_deal(sheet, 1, place, order, BEST_OF_THREE)
        assert follow(sheet, BEST_OF_THREE).result.winner == "home"
        assert (len(sheet.games), dropped) == (2, 0)

    def test_asks_anew_but_for_the_head(self):
        settings = rules(equal_levels="extra_deal", unfinished_deal="head_plus_one")
        sheet = timed(DOUBLE, LOST, settings=settings)
        sheet = answer_question(sheet, "head_taken", Answer.NOBODY, settings)
        sheet = answer_question(sheet, "extra_winner", Answer.HOME, settings)
        corrected, _dropped = correct_deal(sheet, 0, 1, "AAHH", settings)
        assert question(corrected, settings) == "extra_winner"

    @pytest.mark.parametrize(("game", "place"), [(0, 1), (1, 0), (-1, 0), (0, -1)])
    def test_refuses_a_deal_that_was_not_played(self, game, place):
        assert refused(correct_deal, recorded(DOUBLE), game, place, LOST, PLAIN)[0] == "missing"


class TestSheetOfAResult:
    @pytest.mark.parametrize(
        ("settings", "sheet"),
        [
            (PLAIN, recorded(*HOME_PASSES)),
            (PLAIN, timed(DOUBLE)),
            (PLAIN, call_time(recorded(LOST, sheet=set_start_levels(NO_DEALS, 4, 2, PLAIN)), PLAIN)),
            (rules(deals=2), recorded(DOUBLE, LOST, settings=rules(deals=2))),
            (BEST_OF_THREE, recorded(*HOME_PASSES, *HOME_PASSES, settings=BEST_OF_THREE)),
            (BEST_OF_THREE, call_time(recorded(*HOME_PASSES, LOST, settings=BEST_OF_THREE), BEST_OF_THREE)),
        ],
    )
    def test_leads_to_the_same_result(self, settings, sheet):
        result = follow(sheet, settings).result
        assert follow(sheet_of(result, settings), settings).result == result

    def test_knows_its_answers(self):
        settings = rules(equal_levels="extra_deal", unfinished_deal="head_plus_one")
        sheet = timed(DOUBLE, LOST, settings=settings)
        sheet = answer_question(sheet, "head_taken", Answer.NOBODY, settings)
        sheet = answer_question(sheet, "extra_winner", Answer.HOME, settings)
        assert sheet_of(follow(sheet, settings).result, settings) == sheet

    def test_none_without_deals(self):
        levels_only = complete_result(MatchResult(Outcome.PLAYED, 10, 7), PLAIN)
        assert sheet_of(levels_only, PLAIN) is None
        assert sheet_of(MatchResult(Outcome.FORFEIT_HOME), PLAIN) is None


ORDERS = st.lists(st.sampled_from([DOUBLE, THIRD, "HAAH", LOST, LOST_THIRD, "AHHA"]), max_size=40)


@given(ORDERS)
def test_a_sheet_keeps_what_it_is_written_as(orders):
    sheet = NO_DEALS
    for order in orders:
        if follow(sheet, BEST_OF_THREE).is_playing:
            sheet = add_deal(sheet, order, BEST_OF_THREE)
    assert Sheet.from_dict(sheet.as_dict()) == sheet
    for number, game in enumerate(sheet.games):
        assert follow(sheet, BEST_OF_THREE).games[number][-1] == replay(game.deals, BEST_OF_THREE)
    while sheet != NO_DEALS:
        assert undo(sheet).deals_played == sheet.deals_played - 1
        sheet = undo(sheet)
