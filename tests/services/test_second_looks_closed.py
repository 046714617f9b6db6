"""The second look at what was corrected after its round was closed."""

from __future__ import annotations

import pytest

from pairing.services import close_round
from scoring.models import Statement
from scoring.round_tables import CorrectedTable, corrected_tables
from scoring.second_looks import DecisionCorrects, check_result, decide_dispute, dispute_mark
from scoring.services import RoundCompleted
from tests.builders import make_round, make_user
from tests.services.test_second_looks import at, enter, played, set_rules, stored
from tournaments.roles import ASSISTANT


@pytest.fixture
def round_(event):
    set_rules(event)
    return make_round(event, [(1, 2), (3, 4), (5, 6), (7, None)])


@pytest.fixture
def second(event):
    return make_user("second", ASSISTANT, event)


@pytest.fixture
def corrected(round_, assistant, second, chief):
    for table in (1, 2, 3):
        enter(round_, table, assistant)
        check_result(match=at(round_, table), by=second, entry=played(10, 7))
    close_round(round=round_, by=chief)
    enter(round_, 1, chief, 10, 8, version=stored(round_, 1).version, reason="misread")
    return stored(round_, 1)


def test_a_second_official_confirms_the_correction(event, round_, corrected, second):
    assert corrected.is_unconfirmed
    assert corrected_tables(event) == [CorrectedTable(1, 1, 1, is_disputed=False)]
    assert check_result(match=at(round_, 1), by=second, entry=played(10, 8)).agrees
    assert stored(round_, 1).is_confirmed
    assert corrected_tables(event) == []


def test_nothing_else_there_is_an_assistants(round_, corrected, second):
    with pytest.raises(RoundCompleted):
        check_result(match=at(round_, 2), by=second, entry=played(10, 7))
    with pytest.raises(RoundCompleted):
        enter(round_, 1, second, 10, 9, version=corrected.version, reason="no")


def test_what_does_not_agree_is_decided_as_it_stands_or_corrected(event, round_, corrected, second, chief):
    check_result(match=at(round_, 1), by=second, entry=played(10, 7))
    assert [table.is_disputed for table in corrected_tables(event)] == [True]
    seen = dispute_mark(corrected, Statement.objects.all())
    decision = {"match": at(round_, 1), "by": chief, "seen": seen, "reason": "the slip"}
    with pytest.raises(DecisionCorrects):
        decide_dispute(**decision, entry=played(10, 7))
    decide_dispute(**decision, entry=played(10, 8))
    assert stored(round_, 1).confirmation == "chief"
    assert corrected_tables(event) == []


def test_where_only_the_teams_confirm_the_correction_is_the_chiefs_word(event, round_, chief):
    set_rules(event, "phones")
    for table in (1, 2, 3):
        enter(round_, table, chief)
    close_round(round=round_, by=chief, reason="everybody went home")
    enter(round_, 1, chief, 10, 8, version=stored(round_, 1).version, reason="misread")
    assert (stored(round_, 1).confirmation, stored(round_, 1).confirmed_by) == ("chief", chief)
    assert corrected_tables(event) == []
