"""A match goes to another table: in a draft, after publication, never under what is recorded."""

from __future__ import annotations

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.exporting import document_of
from pairing.models import Draw, Publication
from pairing.services import draw_round, exchange_tables, publish_round, publish_schedule, swap_teams
from pairing.services.refusals import (
    NoTable,
    NotTwoTables,
    ReasonMissing,
    RoundClosed,
    StaleDraft,
    TablesHaveBegun,
    TablesRunThrough,
)
from scoring.models import TableSheet
from tests.builders import make_event, make_user
from tests.services.stages import (
    KNOCKOUT,
    ROUND_ROBIN,
    begun,
    drawn,
    enter,
    format_event,
    open_matches,
    play_round,
    published,
    seating,
)
from tournaments.log import Act
from tournaments.models import LogEntry, Round
from tournaments.roles import CHIEF

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief(db):
    return make_user("chief", CHIEF)


def exchange(round_, by, table, to, **options):
    version = Draw.objects.get(round=round_).version
    return exchange_tables(round=round_, table=table, to=to, by=by, **{"expected_version": version} | options)


@pytest.mark.parametrize("format", [ROUND_ROBIN, KNOCKOUT])
def test_two_matches_of_a_draft_exchange_their_tables(format, chief):
    stage = begun(format_event((format, {})), chief)
    round_ = drawn(stage, chief)
    before = {table: sides for table, *sides in seating(round_)}
    exchange(round_, chief, 1, 4)
    assert {table: sides for table, *sides in seating(round_)} == before | {1: before[4], 4: before[1]}
    entry = LogEntry.objects.filter(act=Act.DRAFT_CHANGED).get()
    assert (entry.new["act"], entry.new["first"], entry.new["second"]) == ("tables", 1, 4)
    assert check_event(document_of(stage.event)) == []


def test_one_match_goes_to_a_free_table(chief):
    stage = begun(format_event((KNOCKOUT, {})), chief)
    round_ = drawn(stage, chief)
    before = {table: sides for table, *sides in seating(round_)}
    exchange(round_, chief, 2, 30)
    after = {table: sides for table, *sides in seating(round_)}
    assert after == {1: before[1], 3: before[3], 4: before[4], 30: before[2]}
    publish_round(round=round_, by=chief, expected_version=Draw.objects.get(round=round_).version)
    assert sorted(seat[0] for seat in Publication.objects.get().seating) == [1, 3, 4, 30]


def test_a_published_round_gets_a_new_version_with_the_reason(chief):
    stage = begun(format_event((ROUND_ROBIN, {"format": {"groups": 2}})), chief)
    round_ = published(stage, chief)
    with pytest.raises(ReasonMissing):
        exchange(round_, chief, 1, 2, reason=" ")
    exchange(round_, chief, 1, 2, reason="轮椅选手")
    first, second = Publication.objects.order_by("version")
    assert first.withdrawn_at is not None
    assert (second.version, second.withdrawn_at) == (2, None)
    assert LogEntry.objects.filter(act=Act.ROUND_PUBLISHED).first().reason == "轮椅选手"
    for match in open_matches(Round.objects.get(pk=round_.pk)):
        enter(match, chief, home_wins=True)
    assert check_event(document_of(stage.event)) == []


def test_nothing_moves_under_a_result_or_a_recorded_deal(chief):
    stage = begun(format_event((ROUND_ROBIN, {})), chief)
    round_ = published(stage, chief)
    one, two, three, _four = open_matches(round_)
    enter(one, chief, home_wins=True)
    TableSheet.objects.create(match=two, content={})
    for table, to in ((1, 3), (3, 1), (2, 9), (3, 2)):
        with pytest.raises(TablesHaveBegun):
            exchange(round_, chief, table, to, reason="换桌")
    exchange(round_, chief, three.table, 9, reason="换桌")


@pytest.mark.parametrize(("table", "to", "refusal"), [(3, 3, NotTwoTables), (9, 1, NoTable), (7, 8, NoTable)])
def test_what_is_no_exchange(table, to, refusal, chief):
    round_ = drawn(begun(format_event((KNOCKOUT, {})), chief), chief)
    with pytest.raises(refusal):
        exchange(round_, chief, table, to)


def test_a_page_that_is_out_of_date_or_a_closed_round(chief):
    stage = begun(format_event((KNOCKOUT, {})), chief)
    round_ = drawn(stage, chief)
    exchange(round_, chief, 1, 2)
    with pytest.raises(StaleDraft):
        exchange(round_, chief, 1, 2, expected_version=1)
    round_.delete()
    closed = play_round(stage, chief)
    with pytest.raises(RoundClosed):
        exchange(closed, chief, 1, 2, reason="换桌")


def test_where_teams_find_their_own_place_tables_are_only_numbers(chief):
    stage = begun(format_event((ROUND_ROBIN, {"format": {"schedule": "self"}})), chief)
    first, *_ = publish_schedule(stage=stage, by=chief)
    with pytest.raises(TablesRunThrough):
        exchange(first, chief, 1, 2, reason="换桌")


def test_a_swiss_draft_keeps_its_reasons_with_their_tables(chief):
    event = make_event()
    round_ = draw_round(stage=event.stages.get(), by=chief, seed=5)
    draw = Draw.objects.get(round=round_)
    draw.explained["tables"]["1"] = [{"kind": "more", "team": "t1", "other": None, "round": None}]
    draw.save()
    exchange(round_, chief, 1, 3)
    draw.refresh_from_db()
    assert [note["kind"] for note in draw.explained["tables"]["3"]] == ["more"]
    assert draw.explained["tables"]["1"] == []
    at_three = round_.matches.get(table=3)
    other = round_.matches.get(table=2)
    swap_teams(
        round=round_,
        first=at_three.home,
        second=other.home,
        by=chief,
        expected_version=draw.version,
        confirmed=True,
    )
    assert {other.home.number, at_three.away.number} == {
        round_.matches.get(table=3).home.number,
        round_.matches.get(table=3).away.number,
    }
    breaches = {each.rule for each in check_event(document_of(event))}
    assert breaches <= {"same_department"}
