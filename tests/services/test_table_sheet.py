"""Steps of a table sheet: a draft that counts for nothing, until it is handed over as a result."""

from __future__ import annotations

import pytest

from scoring.engine.outcomes import InvalidResult
from scoring.engine.results import MatchResult, Outcome
from scoring.engine.table_sheet import Answer
from scoring.models import Result, TableSheet
from scoring.recorded_sheets import recorded_sheet
from scoring.selectors import match_rules, stage_standings
from scoring.services import (
    ByeNotEntered,
    ReasonMissing,
    RoundCompleted,
    RoundNotPublished,
    StaleResult,
    TeamsChanged,
    record_result,
)
from scoring.table_sheets import (
    DealsDropped,
    Seen,
    SheetStale,
    SheetUnfinished,
    answer_question,
    call_time,
    correct_deal,
    discard_sheet,
    hand_over_sheet,
    record_deal,
    set_start_levels,
    undo_step,
)
from tests.builders import make_result, make_round
from tournaments.models import Event, LogEntry, Match, RoundStatus
from tournaments.snapshots import restore_snapshot, take_snapshot_now

DOUBLE, THIRD, LOST = "HHAA", "HAHA", "AAHH"
HOME_PASSES = [DOUBLE] * 4 + [THIRD]


@pytest.fixture
def round_(event):
    return make_round(event, [(1, 2), (3, 4), (5, 6), (7, None)])


@pytest.fixture
def match(round_):
    return round_.matches.get(table=1)


def use_rules(event, **match):
    event.stages.update(rules={"match": match})


def state(match: Match):
    match = Match.objects.select_related("round__stage").get(pk=match.pk)
    return recorded_sheet(match, match_rules(match), Result.objects.filter(match=match).first())


def take(service, match, by, *, seated=(1, 2), version=None, **arguments):
    seen = Seen(state(match).version if version is None else version, seated)
    match = Match.objects.select_related("round__stage").get(pk=match.pk)
    return service(match=match, by=by, seen=seen, **arguments)


def deals(match, by, *orders):
    for order in orders:
        take(record_deal, match, by, order=order)


def hand_over(match, by, result_version=0, **more):
    return take(hand_over_sheet, match, by, result_version=result_version, **more)


class TestTheDraft:
    def test_counts_for_nothing_and_leaves_no_trace_in_the_log(self, event, match, assistant):
        revision = Event.objects.get(pk=event.pk).revision
        deals(match, assistant, *HOME_PASSES)
        assert not Result.objects.filter(match=match).exists()
        assert not LogEntry.objects.exists()
        assert Event.objects.get(pk=event.pk).revision == revision
        assert all(row.points == 0 for row in stage_standings(event.stages.get()).rows if row.team.number < 7)

    def test_knows_who_took_the_last_step(self, match, assistant, chief):
        deals(match, assistant, DOUBLE)
        deals(match, chief, LOST)
        row = TableSheet.objects.get(match=match)
        assert row.updated_by == chief
        assert [game["deals"] for game in row.content["games"]] == [[DOUBLE, LOST]]

    def test_a_step_that_saw_an_older_one_changes_nothing(self, match, assistant):
        deals(match, assistant, DOUBLE)
        for service, arguments in [(record_deal, {"order": LOST}), (undo_step, {}), (call_time, {})]:
            with pytest.raises(SheetStale):
                take(service, match, assistant, version=0, **arguments)
        assert state(match).sheet.games[0].deals == (DOUBLE,)

    def test_versions_never_come_back(self, match, assistant):
        deals(match, assistant, DOUBLE)
        before = state(match).version
        take(discard_sheet, match, assistant)
        deals(match, assistant, LOST)
        with pytest.raises(SheetStale):
            take(record_deal, match, assistant, version=before, order=LOST)

    def test_undo_and_discard(self, match, assistant):
        deals(match, assistant, DOUBLE, LOST)
        take(undo_step, match, assistant)
        assert state(match).sheet.games[0].deals == (DOUBLE,)
        take(discard_sheet, match, assistant)
        assert (state(match).sheet.deals_played, state(match).is_draft) == (0, False)

    def test_what_changes_nothing_writes_nothing(self, match, assistant):
        take(undo_step, match, assistant)
        take(discard_sheet, match, assistant)
        assert not TableSheet.objects.exists()

    def test_an_earlier_deal_is_corrected(self, match, assistant):
        deals(match, assistant, DOUBLE, THIRD, LOST)
        take(correct_deal, match, assistant, game=0, place=0, order=LOST)
        assert state(match).sheet.games[0].deals == (LOST, THIRD, LOST)

    def test_a_correction_drops_later_deals_only_when_told_to(self, match, assistant):
        deals(match, assistant, *[DOUBLE] * 4, "HAAH", THIRD)
        with pytest.raises(DealsDropped) as error:
            take(correct_deal, match, assistant, game=0, place=4, order=THIRD)
        assert error.value.number == 1
        take(correct_deal, match, assistant, game=0, place=4, order=THIRD, drop=True)
        assert state(match).sheet.games[0].deals == tuple(HOME_PASSES)

    def test_a_handicap(self, match, assistant):
        take(set_start_levels, match, assistant, home=2, away=5)
        deals(match, assistant, DOUBLE)
        take(call_time, match, assistant)
        hand_over(match, assistant)
        stored = Result.objects.get(match=match)
        assert (stored.home_level, stored.away_level, stored.facts["away_start"]) == (5, 5, 5)

    def test_refuses_what_is_no_order(self, match, assistant):
        with pytest.raises(InvalidResult):
            deals(match, assistant, "HHHA")

    def test_travels_in_a_snapshot(self, event, match, administrator):
        deals(match, administrator, DOUBLE, LOST)
        snapshot = take_snapshot_now(event=event, by=administrator)
        take(undo_step, match, administrator)
        restore_snapshot(event=event, snapshot=snapshot, by=administrator, reason="test")
        assert state(match).sheet.games[0].deals == (DOUBLE, LOST)


class TestWho:
    def test_no_draft_and_no_bye(self, event, round_, assistant):
        bye = round_.matches.get(away=None)
        with pytest.raises(ByeNotEntered):
            take(record_deal, bye, assistant, order=DOUBLE)
        event.stages.get().rounds.update(status=RoundStatus.DRAFT)
        with pytest.raises(RoundNotPublished):
            take(record_deal, round_.matches.get(table=1), assistant, order=DOUBLE)

    def test_other_teams_than_the_page_showed(self, match, assistant):
        with pytest.raises(TeamsChanged):
            take(record_deal, match, assistant, seated=(1, 8), order=DOUBLE)

    def test_a_closed_round_is_the_chief_s_and_wants_a_reason(self, event, match, assistant, chief):
        deals(match, assistant, *HOME_PASSES)
        hand_over(match, assistant)
        event.stages.get().rounds.update(status=RoundStatus.COMPLETED)
        with pytest.raises(RoundCompleted):
            take(undo_step, match, assistant)
        take(correct_deal, match, chief, game=0, place=4, order="HHAA")
        stored = Result.objects.get(match=match)
        with pytest.raises(ReasonMissing):
            hand_over(match, chief, stored.version)
        hand_over(match, chief, stored.version, reason="记错")
        assert LogEntry.objects.first().reason == "记错"


class TestHandingOver:
    def test_makes_the_result_with_its_deals_and_a_log_entry(self, match, assistant):
        deals(match, assistant, *HOME_PASSES)
        assert hand_over(match, assistant).changed
        stored = Result.objects.get(match=match)
        assert (stored.home_level, stored.away_level, stored.winner, stored.reason) == (
            *(15, 2, "home", "passed"),
        )
        assert stored.facts == {"deals": HOME_PASSES}
        entry = LogEntry.objects.get()
        assert (entry.act, entry.new["deals"]) == ("result_entered", HOME_PASSES)

    def test_the_draft_goes_and_the_result_shows_its_deals(self, match, assistant):
        deals(match, assistant, *HOME_PASSES)
        hand_over(match, assistant)
        assert TableSheet.objects.get(match=match).content is None
        assert state(match).sheet.games[0].deals == tuple(HOME_PASSES)
        assert not state(match).is_draft

    def test_twice_changes_nothing(self, match, assistant):
        deals(match, assistant, *HOME_PASSES)
        version = hand_over(match, assistant).result.version
        assert not hand_over(match, assistant, version).changed
        assert LogEntry.objects.count() == 1

    def test_nothing_to_hand_over_while_it_is_played_or_asked(self, event, match, assistant):
        use_rules(event, unfinished_deal="head_plus_one")
        deals(match, assistant, DOUBLE)
        with pytest.raises(SheetUnfinished):
            hand_over(match, assistant)
        take(call_time, match, assistant)
        with pytest.raises(SheetUnfinished):
            hand_over(match, assistant)
        take(answer_question, match, assistant, field="head_taken", answer=Answer.HOME)
        hand_over(match, assistant)
        stored = Result.objects.get(match=match)
        assert (stored.home_level, stored.away_level, stored.facts["head_taken"]) == (6, 2, "home")

    def test_another_result_entered_in_between_is_not_overwritten(self, round_, match, assistant):
        deals(match, assistant, *HOME_PASSES)
        typed = make_result(round_, 1, 10, 7)
        with pytest.raises(StaleResult):
            hand_over(match, assistant)
        hand_over(match, assistant, typed.version)
        assert Result.objects.get(match=match).home_level == 15

    def test_a_stage_of_three_games_a_match(self, event, match, assistant):
        use_rules(event, best_of=3)
        deals(match, assistant, *HOME_PASSES, *HOME_PASSES)
        hand_over(match, assistant)
        stored = Result.objects.get(match=match)
        assert (stored.home_level, stored.winner) == (None, "home")
        assert [game["deals"] for game in stored.facts["games"]] == [HOME_PASSES, HOME_PASSES]

    def test_the_same_levels_typed_afterwards_keep_the_deals(self, match, assistant):
        deals(match, assistant, *HOME_PASSES)
        version = hand_over(match, assistant).result.version
        again = MatchResult(Outcome.PLAYED, 15, 2)
        recorded = record_result(match=match, by=assistant, entry=again, expected_version=version)
        assert not recorded.changed
        other = MatchResult(Outcome.PLAYED, 15, 3)
        assert record_result(match=match, by=assistant, entry=other, expected_version=version).changed
        assert state(match).sheet.deals_played == 0
