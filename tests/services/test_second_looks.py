"""The second look at results: blind entry, both teams on the phone, the chief's decision, closing a round."""

from __future__ import annotations

import json

import pytest

from guandan_site.event_file.dumping import dump_event, to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event, parse_event
from guandan_site.event_file.problems import InvalidEventFile
from guandan_site.event_file.storing import store_event
from pairing.services import close_round, publish_round, withdraw_publication
from pairing.services.guards import draw_of
from pairing.services.refusals import ResultsUnconfirmed
from scoring.engine.confirmation import ConfirmationRules, ConfirmedBy, TablePhones
from scoring.engine.results import MatchResult, Outcome, Side
from scoring.engine.rules import InvalidRules
from scoring.models import CallReason, Confirmation, RefereeCall, Result, Speaker, Statement, TableCode
from scoring.round_tables import round_tables
from scoring.second_looks import (
    InDispute,
    NoSecondLook,
    NothingInDispute,
    OwnEntry,
    StaleDispute,
    change_confirmation,
    check_result,
    decide_dispute,
    dispute_mark,
)
from scoring.services import (
    NOT_ENTERED,
    ReasonMissing,
    ResultSettled,
    StaleResult,
    clear_result,
    record_result,
)
from scoring.statements import is_disputed
from scoring.table_codes import coded_match, codes_of, renew_codes, revoke_codes
from scoring.table_phones import (
    NewsMeanwhile,
    PhonesClosed,
    agree,
    answer_call,
    call_referee,
    object_to,
    state_levels,
)
from tests.builders import make_event, make_round, make_user
from tournaments.models import LogEntry, RoundStatus
from tournaments.roles import ASSISTANT


def set_rules(event, by="official", phones="off"):
    rules = ConfirmationRules.from_dict({"by": by, "phones": phones})
    change_confirmation(event=event, rules=rules, by=None)


def played(home: int, away: int, **more) -> MatchResult:
    return MatchResult(Outcome.PLAYED, home, away, **more)


@pytest.fixture
def round_(event):
    set_rules(event)
    return make_round(event, [(1, 2), (3, 4), (5, 6), (7, None)])


@pytest.fixture
def second(event):
    return make_user("second", ASSISTANT, event)


def at(round_, table):
    return round_.matches.select_related("round__stage").get(table=table)


def enter(round_, table, by, home=10, away=7, version=NOT_ENTERED, **more):
    return record_result(
        match=at(round_, table), by=by, entry=played(home, away), expected_version=version, **more
    ).result


def stored(round_, table):
    return Result.objects.get(match__round=round_, match__table=table)


def acts(event) -> list[str]:
    return list(event.log.order_by("pk").values_list("act", flat=True))


class TestRules:
    def test_nothing_is_asked_for_by_default(self):
        assert ConfirmationRules.from_dict({}) == ConfirmationRules(ConfirmedBy.OFF, TablePhones.OFF)

    def test_teams_that_confirm_have_a_phone_page(self):
        assert ConfirmationRules.from_dict({"by": "phones"}).phones is TablePhones.CONFIRM

    def test_an_unknown_value_is_refused(self):
        with pytest.raises(InvalidRules):
            ConfirmationRules.from_dict({"by": "somebody"})

    def test_off_means_entered_is_confirmed(self, event, assistant):
        round_ = make_round(event, [(1, 2)])
        result = enter(round_, 1, assistant)
        assert not stored(round_, 1).is_unconfirmed
        enter(round_, 1, assistant, 10, 8, version=result.version)
        assert round_tables([round_]).confirmed == [1]

    def test_turned_on_and_off_it_holds_for_the_running_round_only(self, event, assistant):
        closed = make_round(event, [(1, 2)], status=RoundStatus.COMPLETED)
        Result.objects.create(match=at(closed, 1), outcome="played", home_level=10, away_level=7)
        running = make_round(event, [(1, 3)], number=2)
        enter(running, 1, assistant)
        set_rules(event, "either")
        assert stored(running, 1).is_unconfirmed
        assert not stored(closed, 1).is_unconfirmed
        set_rules(event, "off")
        assert not stored(running, 1).is_unconfirmed

    def test_the_change_stands_in_the_log_once(self, event):
        set_rules(event)
        set_rules(event)
        assert acts(event) == ["rules_changed"]


class TestBlindEntry:
    def test_the_same_entry_confirms(self, event, round_, assistant, second):
        enter(round_, 1, assistant)
        assert stored(round_, 1).is_unconfirmed
        checked = check_result(match=at(round_, 1), by=second, entry=played(10, 7))
        result = stored(round_, 1)
        assert checked.agrees
        assert (result.confirmation, result.confirmed_by, result.entered_by) == (
            "official",
            second,
            assistant,
        )
        assert result.confirmed_at is not None
        assert acts(event)[-1] == "result_confirmed"

    def test_whoever_entered_cannot_confirm(self, round_, assistant):
        enter(round_, 1, assistant)
        with pytest.raises(OwnEntry):
            check_result(match=at(round_, 1), by=assistant, entry=played(10, 7))
        assert stored(round_, 1).is_unconfirmed

    def test_another_entry_goes_to_the_chief_with_both_values(self, event, round_, assistant, second):
        first = enter(round_, 1, assistant)
        assert not check_result(match=at(round_, 1), by=second, entry=played(10, 8)).agrees
        told = Statement.objects.get(match=at(round_, 1))
        assert (told.speaker, told.by, told.content["away_level"], told.differs) == (
            "official",
            second,
            8,
            True,
        )
        assert stored(round_, 1).version == first.version
        entry = LogEntry.objects.filter(event=event).first()
        assert (entry.act, entry.old["away_level"], entry.new["away_level"]) == ("result_disputed", 7, 8)

    def test_in_dispute_nobody_but_the_chief_goes_on(self, round_, assistant, second, chief):
        first = enter(round_, 1, assistant)
        check_result(match=at(round_, 1), by=second, entry=played(10, 8))
        with pytest.raises(InDispute):
            check_result(match=at(round_, 1), by=chief, entry=played(10, 7))
        with pytest.raises(ResultSettled):
            enter(round_, 1, assistant, 10, 8, version=first.version)

    def test_confirming_twice_changes_nothing(self, event, round_, assistant, second):
        enter(round_, 1, assistant)
        check_result(match=at(round_, 1), by=second, entry=played(10, 7))
        before, log = stored(round_, 1), len(acts(event))
        assert check_result(match=at(round_, 1), by=second, entry=played(10, 7)).agrees
        assert (stored(round_, 1).version, len(acts(event))) == (before.version, log)

    def test_something_else_than_what_is_confirmed_is_refused(self, round_, assistant, second, chief):
        enter(round_, 1, assistant)
        check_result(match=at(round_, 1), by=second, entry=played(10, 7))
        with pytest.raises(ResultSettled):
            check_result(match=at(round_, 1), by=chief, entry=played(9, 7))

    def test_nothing_to_check(self, event, round_, assistant, second):
        with pytest.raises(NoSecondLook):
            check_result(match=at(round_, 1), by=second, entry=played(10, 7))
        enter(round_, 1, assistant)
        set_rules(event, "phones")
        with pytest.raises(NoSecondLook):
            check_result(match=at(round_, 1), by=second, entry=played(10, 7))

    def test_the_start_of_a_handicap_is_not_typed_twice(self, round_, assistant, second):
        late = played(10, 7, home_start=2, away_start=5)
        record_result(match=at(round_, 1), by=assistant, entry=late, expected_version=NOT_ENTERED)
        assert check_result(match=at(round_, 1), by=second, entry=played(10, 7)).agrees


class TestConfirmed:
    @pytest.fixture
    def confirmed(self, round_, assistant, second):
        enter(round_, 1, assistant)
        check_result(match=at(round_, 1), by=second, entry=played(10, 7))
        return stored(round_, 1)

    def test_an_assistant_cannot_change_or_clear_it(self, round_, confirmed, assistant):
        with pytest.raises(ResultSettled):
            enter(round_, 1, assistant, 10, 8, version=confirmed.version)
        with pytest.raises(ResultSettled):
            clear_result(match=at(round_, 1), by=assistant, expected_version=confirmed.version)

    def test_the_chief_needs_a_reason_and_the_confirmation_is_dropped(self, round_, confirmed, chief):
        with pytest.raises(ReasonMissing):
            enter(round_, 1, chief, 10, 8, version=confirmed.version)
        enter(round_, 1, chief, 10, 8, version=confirmed.version, reason="slip misread")
        result = stored(round_, 1)
        assert (result.confirmation, result.confirmed_by, result.away_level) == ("open", None, 8)

    def test_a_save_that_saw_it_unconfirmed_is_stale(self, round_, confirmed, chief):
        with pytest.raises(StaleResult) as refused:
            enter(round_, 1, chief, 10, 8, version=confirmed.version - 1, reason="slip misread")
        assert refused.value.stored.is_confirmed


class TestDecision:
    @pytest.fixture
    def disputed(self, round_, assistant, second):
        enter(round_, 1, assistant)
        check_result(match=at(round_, 1), by=second, entry=played(10, 8))
        return dispute_mark(stored(round_, 1), Statement.objects.filter(match=at(round_, 1)))

    @pytest.mark.parametrize(("away", "entered_by"), [(7, "assistant"), (8, "chief"), (9, "chief")])
    def test_the_chief_takes_either_value_or_a_third(self, event, round_, disputed, chief, away, entered_by):
        match = at(round_, 1)
        decide_dispute(match=match, by=chief, entry=played(10, away), seen=disputed, reason="the slip")
        result = stored(round_, 1)
        assert (result.away_level, result.confirmation, result.confirmed_by) == (away, "chief", chief)
        assert result.entered_by.username == entered_by
        assert not is_disputed(match.pk)
        entry = LogEntry.objects.filter(event=event).first()
        assert (entry.act, entry.reason, entry.new["away_level"]) == ("dispute_decided", "the slip", away)

    def test_refusals(self, round_, disputed, chief, assistant):
        match, decision = at(round_, 1), {"entry": played(10, 8), "seen": disputed}
        with pytest.raises(ResultSettled):
            decide_dispute(match=match, by=assistant, reason="so", **decision)
        with pytest.raises(ReasonMissing):
            decide_dispute(match=match, by=chief, reason=" ", **decision)
        with pytest.raises(StaleDispute):
            decide_dispute(match=match, by=chief, reason="so", **{**decision, "seen": "1-1"})

    def test_decided_twice_is_once(self, event, round_, disputed, chief):
        decision = {"match": at(round_, 1), "by": chief, "seen": disputed, "reason": "so"}
        assert decide_dispute(entry=played(10, 8), **decision).changed
        assert not decide_dispute(entry=played(10, 8), **decision).changed
        with pytest.raises(NothingInDispute):
            decide_dispute(entry=played(10, 9), **decision)


class TestPhones:
    @pytest.fixture(autouse=True)
    def _rules(self, event, round_):
        set_rules(event, "phones", "enter")

    def say(self, round_, side, home=10, away=7, seen=0):
        match = at(round_, 1)
        return state_levels(match=match, side=side, entry=played(home, away), seated=(1, 2), seen=seen)

    def confirm(self, round_, side, seen):
        return agree(match=at(round_, 1), side=side, seated=(1, 2), seen=seen)

    def test_both_sides_make_the_result(self, event, round_):
        assert self.say(round_, Side.HOME)
        assert not Result.objects.filter(match=at(round_, 1)).exists()
        told = Statement.objects.get(match=at(round_, 1))
        assert self.confirm(round_, Side.AWAY, told.version)
        result = stored(round_, 1)
        assert (result.entered_at_table, result.entered_by, result.confirmation) == (True, None, "phones")
        assert not Statement.objects.exists()
        entry = LogEntry.objects.filter(event=event).first()
        assert (entry.act, entry.by_name) == ("result_entered", "第 1 桌 2 号（手机）")

    def test_both_typing_the_same_is_as_good(self, round_):
        self.say(round_, Side.HOME)
        self.say(round_, Side.AWAY)
        assert stored(round_, 1).confirmation == "phones"

    def test_repeated_presses_are_harmless(self, event, round_):
        self.say(round_, Side.HOME)
        assert not self.say(round_, Side.HOME)
        told = Statement.objects.get(match=at(round_, 1)).version
        self.confirm(round_, Side.AWAY, told)
        before, log = stored(round_, 1).version, len(acts(event))
        assert not self.confirm(round_, Side.AWAY, told)
        assert not self.say(round_, Side.HOME)
        assert (stored(round_, 1).version, len(acts(event))) == (before, log)

    def test_different_entries_wait_for_the_chief(self, round_, chief):
        self.say(round_, Side.HOME)
        self.say(round_, Side.AWAY, away=8)
        assert round_tables([round_]).disputed == [1]
        mark = dispute_mark(None, Statement.objects.filter(match=at(round_, 1)))
        decide_dispute(match=at(round_, 1), by=chief, entry=played(10, 8), seen=mark, reason="slip")
        assert (stored(round_, 1).entered_by, stored(round_, 1).confirmation) == (chief, "chief")

    def test_a_side_mends_its_own_slip_of_the_finger(self, round_):
        self.say(round_, Side.HOME, away=8)
        self.say(round_, Side.AWAY)
        self.say(round_, Side.HOME)
        assert stored(round_, 1).confirmation == "phones"

    def test_what_changed_meanwhile_is_looked_at_again(self, round_):
        self.say(round_, Side.HOME)
        told = Statement.objects.get(match=at(round_, 1)).version
        self.say(round_, Side.HOME, away=8)
        with pytest.raises(NewsMeanwhile):
            self.confirm(round_, Side.AWAY, told)

    def test_both_confirm_what_the_official_entered(self, event, round_, assistant):
        set_rules(event, "phones", "confirm")
        result = enter(round_, 1, assistant)
        with pytest.raises(PhonesClosed):
            state_levels(match=at(round_, 2), side=Side.HOME, entry=played(10, 7), seated=(3, 4))
        self.confirm(round_, Side.HOME, result.version)
        assert stored(round_, 1).is_unconfirmed
        self.confirm(round_, Side.AWAY, result.version)
        assert stored(round_, 1).confirmation == "phones"

    def test_not_right_waits_for_the_chief(self, round_, assistant):
        result = enter(round_, 1, assistant)
        assert object_to(match=at(round_, 1), side=Side.AWAY, seated=(1, 2), seen=result.version)
        assert not object_to(match=at(round_, 1), side=Side.AWAY, seated=(1, 2), seen=result.version)
        assert round_tables([round_]).disputed == [1]

    def test_an_officials_entry_is_weighed_against_what_the_table_said(self, round_, assistant):
        self.say(round_, Side.HOME)
        enter(round_, 1, assistant, 10, 8)
        assert round_tables([round_]).disputed == [1]

    def test_an_official_who_enters_what_the_home_side_said_leaves_the_away_side_to_confirm(
        self, round_, assistant
    ):
        self.say(round_, Side.HOME)
        result = enter(round_, 1, assistant)
        self.confirm(round_, Side.AWAY, result.version)
        assert stored(round_, 1).confirmation == "phones"

    def test_with_a_second_official_the_tables_entry_waits_for_one(self, event, round_, second):
        set_rules(event, "official", "enter")
        self.say(round_, Side.HOME)
        self.say(round_, Side.AWAY)
        assert stored(round_, 1).is_unconfirmed
        check_result(match=at(round_, 1), by=second, entry=played(10, 7))
        assert stored(round_, 1).confirmation == "official"

    def test_a_closed_round_is_closed_for_phones(self, round_):
        round_.status = RoundStatus.COMPLETED
        round_.save()
        with pytest.raises(PhonesClosed):
            self.say(round_, Side.HOME)
        with pytest.raises(PhonesClosed):
            call_referee(match=at(round_, 1), reason=CallReason.RULES)


class TestCalls:
    @pytest.fixture(autouse=True)
    def _rules(self, event, round_):
        set_rules(event, "off", "confirm")

    def test_a_table_has_one_open_call(self, event, round_, assistant):
        first = call_referee(match=at(round_, 2), reason=CallReason.CARDS)
        assert call_referee(match=at(round_, 2), reason=CallReason.RULES).pk == first.pk
        call_referee(match=at(round_, 1), reason=CallReason.LATE)
        assert [(call.table, call.reason) for call in round_tables([round_]).calls] == [
            (2, "缺牌"),
            (1, "迟到"),
        ]
        answer_call(call=first, by=assistant)
        answer_call(call=first, by=None)
        call = RefereeCall.objects.get(pk=first.pk)
        assert call.seen_by == assistant
        assert [call.table for call in round_tables([round_]).calls] == [1]
        assert acts(event)[-3:] == ["referee_called", "referee_called", "call_answered"]
        assert call_referee(match=at(round_, 2), reason=CallReason.OTHER).pk != first.pk


class TestCodes:
    def test_published_tables_have_unguessable_codes(self, event, chief):
        set_rules(event, "phones")
        round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)], status=RoundStatus.DRAFT)
        assert codes_of(round_) == {}
        publish_round(round=round_, by=chief, expected_version=draw_of(round_).version)
        codes = codes_of(round_)
        assert sorted(codes) == [1, 2, 3, 4]
        assert {len(code) for code in codes.values()} == {24}
        assert len(set(codes.values())) == 4

    def test_without_phones_there_are_none(self, event, chief):
        round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)], status=RoundStatus.DRAFT)
        publish_round(round=round_, by=chief, expected_version=draw_of(round_).version)
        assert codes_of(round_) == {}

    def test_turned_on_later_running_rounds_get_theirs(self, event):
        round_ = make_round(event, [(1, 2), (3, None)])
        set_rules(event, "either")
        assert sorted(codes_of(round_)) == [1]

    def test_renewed_and_revoked(self, event, round_, chief):
        set_rules(event, "phones")
        before = codes_of(round_)
        renew_codes(round=round_, by=chief, table=1)
        after = codes_of(round_)
        assert after[1] != before[1]
        assert after[2] == before[2]
        assert coded_match(before[1]) is None
        assert coded_match(after[1])[1].table == 1
        revoke_codes(round=round_, by=chief)
        assert TableCode.objects.count() == 0
        assert acts(event)[-2:] == ["table_codes_made", "table_codes_revoked"]

    def test_a_withdrawn_round_answers_as_none(self, event, round_, chief):
        set_rules(event, "phones")
        code = codes_of(round_)[1]
        withdraw_publication(round=round_, by=chief)
        assert coded_match(code) is None


class TestClosing:
    def test_unconfirmed_results_keep_the_round_open_but_for_a_reason(
        self, event, round_, assistant, second, chief
    ):
        for table in (1, 2, 3):
            enter(round_, table, assistant)
        check_result(match=at(round_, 2), by=second, entry=played(10, 7))
        with pytest.raises(ResultsUnconfirmed) as refused:
            close_round(round=round_, by=chief)
        assert refused.value.tables == (1, 3)
        close_round(round=round_, by=chief, reason="everybody went home")
        entry = LogEntry.objects.filter(event=event).first()
        assert (entry.act, entry.new, entry.reason) == (
            "round_closed",
            {"unconfirmed": [1, 3]},
            "everybody went home",
        )
        assert stored(round_, 1).is_unconfirmed

    def test_all_confirmed_closes_without_a_word(self, round_, assistant, second, chief):
        for table in (1, 2, 3):
            enter(round_, table, assistant)
            check_result(match=at(round_, table), by=second, entry=played(10, 7))
        assert close_round(round=round_, by=chief).is_completed


@pytest.mark.django_db
@pytest.mark.parametrize("teams", [8, 80])
def test_three_queries_tell_how_far_the_tables_are(django_assert_num_queries, teams):
    event = make_event(teams=teams, slug=f"cup-{teams}")
    set_rules(event, "either", "enter")
    round_ = make_round(event, [(home, home + 1) for home in range(1, teams, 2)])
    assistant = make_user(f"a-{teams}", ASSISTANT, event)
    enter(round_, 1, assistant)
    call_referee(match=at(round_, 2), reason=CallReason.LATE)
    with django_assert_num_queries(3):
        found = round_tables([round_])
    assert (found.unconfirmed, found.without_slip) == ([1], list(range(2, teams // 2 + 1)))


class TestEventFile:
    @pytest.fixture
    def looked_at(self, event, round_, assistant, second, chief):
        set_rules(event, "either", "enter")
        enter(round_, 1, assistant)
        check_result(match=at(round_, 1), by=second, entry=played(10, 7))
        enter(round_, 2, assistant)
        for side in Side:
            state_levels(match=at(round_, 3), side=side, entry=played(15, 3), seated=(5, 6))
        return event

    def test_it_carries_the_second_look(self, looked_at):
        matches = dump_event(document_of(looked_at))["stages"][0]["rounds"][0]["matches"]
        look = [
            {name: value for name, value in match["result"].items() if "confirmed" in name or "table" in name}
            for match in matches
        ]
        assert look == [
            {"confirmed": True, "confirmed_how": "official"},
            {"confirmed": False},
            {"confirmed": True, "confirmed_how": "phones", "entered_at_table": True},
            {},
        ]

    def test_importing_it_again_gives_the_same_file(self, looked_at):
        first = to_bytes(document_of(looked_at))
        again = store_event(load_event(first), replace=True)
        assert to_bytes(document_of(again)) == first
        states = Result.objects.filter(match__round__stage__event=again).order_by("match__table")
        assert [result.confirmation for result in states if result.match.table] == [
            Confirmation.OFFICIAL,
            Confirmation.OPEN,
            Confirmation.PHONES,
        ]
        assert states.get(match__table=3).entered_at_table

    @pytest.mark.parametrize(
        "wrong", [{"confirmed": "yes"}, {"confirmed_how": "by post"}, {"entered_at_table": 1}]
    )
    def test_what_cannot_be_is_refused_with_its_place(self, looked_at, wrong):
        document = json.loads(to_bytes(document_of(looked_at)))
        document["stages"][0]["rounds"][0]["matches"][0]["result"] |= wrong
        with pytest.raises(InvalidEventFile) as refused:
            parse_event(document)
        (name,) = wrong
        assert [str(problem.path) for problem in refused.value.problems] == [
            f"$.stages[0].rounds[0].matches[0].result.{name}"
        ]


def test_speakers_are_the_sides_of_a_table():
    assert {Speaker.HOME.value, Speaker.AWAY.value} == {side.value for side in Side}
