"""Snapshots: the whole event comes back, the log stays."""

import json
import zlib

import pytest
from django.core import serializers
from django.core.management import CommandError, call_command
from django.utils import timezone

from scoring.models import Adjustment, Result, TableCode
from scoring.table_codes import coded_match, codes_of, make_codes, renew_codes, revoke_codes
from tests.builders import make_event, make_result, make_round
from tournaments.log import Act, record_act
from tournaments.models import (
    Clock,
    Department,
    Event,
    LogEntry,
    Match,
    Occasion,
    Player,
    Round,
    Seat,
    Snapshot,
    Stage,
    Team,
)
from tournaments.selectors.history import acts_undone
from tournaments.snapshots import SnapshotOfAnotherEvent, restore_snapshot, take_snapshot

pytestmark = pytest.mark.django_db
STORED = [Stage, Department, Team, Player, Round, Match, Seat, Clock, Result, Adjustment]


def _to_the_second(row: dict) -> dict:
    return {
        name: value.replace(microsecond=0) if hasattr(value, "microsecond") else value
        for name, value in row.items()
    }


def _everything() -> dict[str, list[dict]]:
    return {
        model.__name__: [_to_the_second(row) for row in model.objects.order_by("pk").values()]
        for model in STORED
    }


@pytest.fixture
def played(event):
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, None)])
    make_result(round_, 1, 10, 7)
    Clock.objects.create(round=round_, length=2700)
    stage = event.stages.get()
    stage.teams.set(event.teams.all()[:7])
    Adjustment.objects.create(
        stage=stage, team=event.teams.get(number=2), round_number=1, points=-2, reason="迟到"
    )
    return event


def test_restoring_brings_back_every_row(played, administrator):
    before = _everything()
    snapshot = take_snapshot(event=played, by=administrator, occasion=Occasion.BEFORE_DRAW)
    Result.objects.all().delete()
    played.stages.get().rounds.all().delete()
    make_round(played, [(2, 1), (4, 3), (6, 5), (8, None)])
    played.teams.filter(number=8).update(withdrawn_after=1)
    played.teams.create(number=99, key="t99")
    restore_snapshot(event=played, snapshot=snapshot, by=administrator, reason="试")
    assert _everything() == before
    assert set(played.stages.get().teams.values_list("number", flat=True)) == set(range(1, 8))


def test_an_address_given_to_another_event_since_stays_that_event_s(played, administrator):
    snapshot = take_snapshot(event=played, by=administrator, occasion=Occasion.BEFORE_DRAW)
    Event.objects.filter(pk=played.pk).update(slug="spring")
    make_event(slug=played.slug)
    restored = restore_snapshot(event=played, snapshot=snapshot, by=administrator, reason="误操作")
    assert restored.slug == "spring"


def test_restoring_keeps_log_and_snapshots_and_another_event(played, administrator):
    make_event(slug="other")
    snapshot = take_snapshot(event=played, by=administrator, occasion=Occasion.BEFORE_DRAW)
    revision = played.revision
    restored = restore_snapshot(event=played, snapshot=snapshot, by=administrator, reason="误操作")
    assert restored.revision > revision
    entry = LogEntry.objects.latest("pk")
    assert (entry.act, entry.reason) == ("event_restored", "误操作")
    assert entry.subject == f"{timezone.localtime(snapshot.at):%F %T}"
    assert list(Snapshot.objects.values_list("occasion", flat=True)) == ["before_restore", "before_draw"]
    assert Team.objects.filter(event__slug="other").count() == 8
    assert played.officials.count() == 1


def test_a_snapshot_restores_only_its_own_event(played, administrator):
    snapshot = take_snapshot(event=played, by=administrator, occasion=Occasion.BEFORE_DRAW)
    with pytest.raises(SnapshotOfAnotherEvent):
        restore_snapshot(event=make_event(slug="other"), snapshot=snapshot, by=administrator, reason="")


@pytest.mark.parametrize("teams", [8, 200])
def test_taking_a_snapshot_costs_the_same_number_of_queries(teams, administrator, django_assert_num_queries):
    big = make_event(teams=teams, slug="big")
    make_round(big, [(i, i + 1) for i in range(1, teams, 2)])
    with django_assert_num_queries(33):
        take_snapshot(event=big, by=administrator, occasion=Occasion.BEFORE_DRAW)


def test_the_command_lists_and_restores(played, administrator, capsys):
    snapshot = take_snapshot(event=played, by=administrator, occasion=Occasion.BEFORE_DRAW)
    call_command("restore_snapshot", "cup", "--json")
    listed = json.loads(capsys.readouterr().out)["snapshots"]
    assert [(row["number"], row["occasion"]) for row in listed] == [(snapshot.pk, "编排前")]
    Result.objects.all().delete()
    call_command("restore_snapshot", "cup", "--to", str(snapshot.pk), "--reason", "误操作")
    assert Result.objects.count() == 2
    assert LogEntry.objects.latest("pk").reason == "误操作"


def test_the_command_refuses_what_is_not_there(played):
    with pytest.raises(CommandError):
        call_command("restore_snapshot", "nobody")
    with pytest.raises(CommandError):
        call_command("restore_snapshot", "cup", "--to", "999999")


def test_restoring_brings_no_revoked_table_code_back(event, administrator):
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    make_codes(round_)
    printed = codes_of(round_)
    snapshot = take_snapshot(event=event, by=administrator, occasion=Occasion.BY_HAND)
    revoke_codes(round=round_, by=administrator, table=1)
    renew_codes(round=round_, by=administrator, table=2)
    stands = codes_of(round_)
    Seat.objects.all().delete()
    round_.delete()
    restore_snapshot(event=event, snapshot=snapshot, by=administrator, reason="试")
    round_ = Round.objects.get()
    assert codes_of(round_) == stands
    assert [coded_match(printed[table]) is None for table in (1, 2, 3)] == [True, True, False]


def test_a_snapshot_that_holds_table_codes_brings_none_back_either(event, administrator):
    """One taken before codes survived a restore."""
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    make_codes(round_)
    rows = serializers.serialize("json", [event, *TableCode.objects.all()])
    snapshot = Snapshot.objects.create(event=event, occasion="by_hand", content=zlib.compress(rows.encode()))
    revoke_codes(round=round_, by=administrator)
    restore_snapshot(event=event, snapshot=snapshot, by=administrator, reason="试")
    assert TableCode.objects.count() == 0


def test_before_a_restore_the_page_says_what_would_be_lost(
    event, administrator, administrator_client, django_assert_num_queries
):
    record_act(event=event, act=Act.ROUND_DRAWN, by=administrator, subject="1/1")
    snapshot = take_snapshot(event=event, by=administrator, occasion=Occasion.BY_HAND)
    page = f"/e/cup/desk/snapshots/{snapshot.pk}/restore/"
    record_act(event=event, act=Act.SNAPSHOT_TAKEN, by=administrator)
    assert "没有做过恢复会退掉的事" in administrator_client.get(page).content.decode()
    for table in range(1, 12):
        record_act(event=event, act=Act.RESULT_ENTERED, by=administrator, subject=f"第 {table} 桌")
    record_act(event=event, act=Act.ROUND_CLOSED, by=administrator, subject="1/1")
    with django_assert_num_queries(2):
        undone = acts_undone(snapshot)
    assert undone.kinds == (("result_entered", 11), ("round_closed", 1))
    assert [entry.act for entry in undone.newest[:2]] == ["round_closed", "result_entered"]
    told = administrator_client.get(page).content.decode()
    assert "以后的 12 次操作会退掉" in told
    assert "最近 10 次" in told
    assert "第 11 桌" in told
    assert "第 2 桌" not in told
