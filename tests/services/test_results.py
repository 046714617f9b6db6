"""What officials may enter, correct and clear, and what the log keeps of it."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from scoring.engine.outcomes import InvalidResult, ResultCode
from scoring.engine.results import MatchResult, Outcome, Reason, Side, Winner
from scoring.models import Result
from scoring.services import (
    NOT_ENTERED,
    ByeNotEntered,
    ReasonMissing,
    RoundCompleted,
    RoundNotPublished,
    StaleResult,
    TeamsChanged,
    clear_result,
    record_result,
)
from tests.builders import make_event, make_round
from tournaments.models import Event, LogEntry, RoundStatus


@pytest.fixture
def round_(event):
    return make_round(event, [(1, 2), (3, 4), (5, 6), (7, None)])


def played(home: int, away: int, **more) -> MatchResult:
    return MatchResult(Outcome.PLAYED, home, away, **more)


def save(match, by, entry, version=NOT_ENTERED, **more):
    return record_result(match=match, by=by, entry=entry, expected_version=version, **more)


def at(round_, table):
    return round_.matches.get(table=table)


class TestRecordResult:
    def test_stores_levels_with_winner_and_reason_from_the_rules(self, round_, assistant):
        recorded = save(at(round_, 1), assistant, played(15, 9))
        stored = Result.objects.get(match__round=round_, match__table=1)
        assert (stored.home_level, stored.away_level, stored.winner, stored.reason) == (
            15,
            9,
            "home",
            "passed",
        )
        assert stored.entered_by == assistant
        assert recorded.changed
        assert recorded.result.version == stored.version

    def test_the_log_tells_the_new_value(self, round_, assistant):
        save(at(round_, 1), assistant, played(10, 7))
        entry = LogEntry.objects.get()
        assert (entry.act, entry.subject, entry.by) == ("result_entered", "第 1 轮 第 1 桌", assistant)
        assert entry.old is None
        assert entry.new == {
            "home": 1,
            "away": 2,
            "outcome": "played",
            "home_level": 10,
            "away_level": 7,
            "winner": "home",
            "reason": "time",
        }

    def test_the_event_changes_so_that_no_cache_shows_what_was_before(self, round_, event, assistant):
        save(at(round_, 1), assistant, played(10, 7))
        assert Event.objects.get(pk=event.pk).revision == 1

    def test_a_change_logs_old_and_new(self, round_, assistant):
        first = save(at(round_, 1), assistant, played(10, 7)).result
        save(at(round_, 1), assistant, played(10, 8), first.version)
        entry = LogEntry.objects.first()
        assert entry.act == "result_changed"
        assert (entry.old["away_level"], entry.new["away_level"]) == (7, 8)

    def test_the_same_save_repeated_changes_nothing(self, round_, assistant):
        """A double click, or a request that the browser sent again."""
        save(at(round_, 1), assistant, played(10, 7))
        again = save(at(round_, 1), assistant, played(10, 7))
        assert not again.changed
        assert LogEntry.objects.count() == 1

    def test_two_assistants_with_the_same_value_agree(self, round_, assistant, chief):
        save(at(round_, 1), assistant, played(10, 7))
        second = save(at(round_, 1), chief, played(10, 7))
        assert (second.changed, second.result.entered_by) == (False, assistant)

    def test_the_second_of_two_who_saw_an_empty_table_is_stale(self, round_, assistant, chief):
        save(at(round_, 1), assistant, played(10, 7))
        with pytest.raises(StaleResult) as stale:
            save(at(round_, 1), chief, played(10, 8))
        assert (stale.value.stored.away_level, stale.value.typed.away_level) == (7, 8)
        assert Result.objects.get(match=at(round_, 1)).away_level == 7

    def test_a_version_seen_before_another_change_is_stale(self, round_, assistant, chief):
        first = save(at(round_, 1), assistant, played(10, 7)).result
        save(at(round_, 1), assistant, played(10, 8), first.version)
        with pytest.raises(StaleResult):
            save(at(round_, 1), chief, played(10, 9), first.version)

    def test_a_table_cleared_and_entered_again_is_not_mistaken_for_the_first_entry(
        self, round_, assistant, chief
    ):
        first = save(at(round_, 1), assistant, played(10, 7)).result
        clear_result(match=at(round_, 1), by=chief, expected_version=first.version)
        save(at(round_, 1), chief, played(9, 5))
        with pytest.raises(StaleResult):
            save(at(round_, 1), assistant, played(10, 8), first.version)

    def test_one_result_a_match_is_the_database_s_promise(self, round_, assistant):
        save(at(round_, 1), assistant, played(10, 7))
        with pytest.raises(IntegrityError), transaction.atomic():
            Result.objects.create(match=at(round_, 1), outcome="irregular")

    def test_what_the_rules_refuse_is_not_stored(self, round_, assistant):
        with pytest.raises(InvalidResult) as refused:
            save(at(round_, 1), assistant, played(15, 15))
        assert refused.value.code is ResultCode.BOTH_PASSED
        assert not Result.objects.filter(match=at(round_, 1)).exists()
        assert not LogEntry.objects.exists()

    def test_a_missing_level_is_not_a_tie(self, round_, assistant):
        with pytest.raises(InvalidResult):
            save(at(round_, 1), assistant, MatchResult(Outcome.PLAYED, 10, None))

    @pytest.mark.parametrize(
        ("outcome", "winner"),
        [
            (Outcome.FORFEIT_HOME, "away"),
            (Outcome.FORFEIT_AWAY, "home"),
            (Outcome.DOUBLE_FORFEIT, ""),
            (Outcome.IRREGULAR, ""),
        ],
    )
    def test_what_was_not_played_has_no_levels(self, round_, assistant, outcome, winner):
        save(at(round_, 1), assistant, MatchResult(outcome))
        stored = Result.objects.get(match=at(round_, 1))
        assert (stored.outcome, stored.winner, stored.home_level) == (outcome, winner, None)

    def test_facts_that_the_rules_ask_for_are_kept(self, assistant, event):
        stage = event.stages.get()
        stage.rules = {"match": {"equal_levels": "first_to_reach"}}
        stage.save()
        round_ = make_round(event, [(1, 2)])
        with pytest.raises(InvalidResult) as refused:
            save(at(round_, 1), assistant, played(9, 9))
        assert (refused.value.code, refused.value.field) == (ResultCode.FACT_MISSING, "reached_first")
        save(at(round_, 1), assistant, played(9, 9, reached_first=Side.AWAY))
        stored = Result.objects.get(match=at(round_, 1))
        assert (stored.winner, stored.reason, stored.facts) == ("away", "tie_rule", {"reached_first": "away"})

    def test_a_ruling_keeps_the_levels(self, round_, assistant):
        ruled = played(14, 9, winner=Winner.AWAY, reason=Reason.PENALTY)
        save(at(round_, 1), assistant, ruled)
        stored = Result.objects.get(match=at(round_, 1))
        assert (stored.home_level, stored.winner, stored.reason) == (14, "away", "penalty")

    def test_best_of_three_keeps_its_games(self, assistant):
        event = make_event(slug="three", rules={"match": {"best_of": 3}})
        round_ = make_round(event, [(1, 2)])
        games = (played(15, 9), played(8, 15), played(15, 14))
        save(at(round_, 1), assistant, MatchResult(Outcome.PLAYED, games=games))
        stored = Result.objects.get(match=at(round_, 1))
        assert stored.winner == "home"
        assert [game["away_level"] for game in stored.facts["games"]] == [9, 15, 14]

    def test_a_draft_does_not_exist(self, event, chief):
        draft = make_round(event, [(1, 2)], status=RoundStatus.DRAFT)
        with pytest.raises(RoundNotPublished):
            save(at(draft, 1), chief, played(10, 7))

    def test_a_match_that_is_gone_does_not_exist(self, round_, chief):
        match = at(round_, 1)
        round_.seats.all().delete()
        round_.matches.all().delete()
        with pytest.raises(RoundNotPublished):
            save(match, chief, played(10, 7))

    def test_a_bye_is_nobodys_to_enter(self, round_, assistant):
        with pytest.raises(ByeNotEntered):
            save(round_.matches.get(away=None), assistant, played(10, 7))

    def test_other_teams_at_the_table_than_the_page_showed(self, round_, assistant):
        with pytest.raises(TeamsChanged) as changed:
            save(at(round_, 1), assistant, played(10, 7), seated=(1, 7))
        assert changed.value.match.away.number == 2

    def test_a_completed_round_is_closed_to_assistants(self, event, assistant):
        round_ = make_round(event, [(1, 2)], status=RoundStatus.COMPLETED)
        with pytest.raises(RoundCompleted):
            save(at(round_, 1), assistant, played(10, 7), reason="抄错")

    def test_the_chief_corrects_a_completed_round_with_a_reason(self, event, chief):
        round_ = make_round(event, [(1, 2)], status=RoundStatus.COMPLETED)
        with pytest.raises(ReasonMissing):
            save(at(round_, 1), chief, played(10, 7), reason="  ")
        save(at(round_, 1), chief, played(10, 7), reason="抄错")
        assert LogEntry.objects.get().reason == "抄错"

    def test_a_later_stage_is_named_in_the_log(self, event, assistant):
        round_ = make_round(event, [(1, 2)])
        stage = round_.stage
        stage.order, stage.name = 2, "决赛"
        stage.save()
        save(at(round_, 1), assistant, played(10, 7))
        assert LogEntry.objects.get().subject == "决赛 第 1 轮 第 1 桌"

    @pytest.mark.parametrize("teams", [8, 200])
    def test_eleven_queries_whatever_the_size(self, teams, assistant, django_assert_num_queries):
        event = make_event(teams=teams, slug="size")
        round_ = make_round(event, [(i, i + 1) for i in range(1, teams, 2)])
        match = round_.matches.select_related("round__stage").get(table=1)
        with django_assert_num_queries(11):
            save(match, assistant, played(10, 7))


class TestClearResult:
    def test_takes_the_result_back(self, round_, assistant):
        stored = save(at(round_, 1), assistant, played(10, 7)).result
        clear_result(match=at(round_, 1), by=assistant, expected_version=stored.version)
        assert not Result.objects.filter(match=at(round_, 1)).exists()
        entry = LogEntry.objects.first()
        assert (entry.act, entry.old["home_level"], entry.new) == ("result_cleared", 10, None)

    def test_once_more_changes_nothing(self, round_, assistant):
        clear_result(match=at(round_, 1), by=assistant, expected_version=4)
        assert not LogEntry.objects.exists()

    def test_not_over_what_somebody_else_entered(self, round_, assistant):
        stored = save(at(round_, 1), assistant, played(10, 7)).result
        with pytest.raises(StaleResult):
            clear_result(match=at(round_, 1), by=assistant, expected_version=stored.version - 1)

    def test_not_in_a_completed_round(self, event, chief):
        round_ = make_round(event, [(1, 2)], status=RoundStatus.COMPLETED)
        with pytest.raises(RoundCompleted):
            clear_result(match=at(round_, 1), by=chief, expected_version=1, reason="抄错")

    def test_not_a_bye(self, round_, chief):
        with pytest.raises(ByeNotEntered):
            clear_result(match=round_.matches.get(away=None), by=chief, expected_version=1)
