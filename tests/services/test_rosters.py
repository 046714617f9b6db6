"""Storing a roster: whole, once, or not at all."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from django.conf import settings

from tests.builders import make_event, make_round, player_name
from tests.rosters import FILES, expected_of, reading, workbook
from tournaments.log import Act
from tournaments.models import LogEntry, Player, Snapshot, Team
from tournaments.roster import read_roster, roster_workbook
from tournaments.selectors.rosters import compare_roster, roster_entries
from tournaments.services.rosters import RosterClashes, RosterHasErrors, import_roster, ranges

THREE = [(1, "甲部", "赵敏", "范遥"), (2, "乙部", "殷离", "周颠"), (3, "甲部", "杨逍", "韦一笑")]


EVENT_FILE = {
    "format": "guandan-event",
    "version": 1,
    "event": {"name": "掼蛋赛", "slug": "cup"},
    "departments": [],
    "teams": [],
    "stages": [{"id": "s1", "name": "积分编排", "format": "swiss", "rounds_planned": 4}],
}


@pytest.fixture
def empty(db):
    return make_event(teams=0, departments=0, slug="empty")


def stored(event) -> list[tuple]:
    return [
        (team.number, team.department.name if team.department else None, [p.name for p in team.players.all()])
        for team in event.teams.order_by("number")
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_office_file_comes_out_as_expected(empty, path):
    expected = expected_of(path)
    found = read_roster(path.read_bytes(), path.name)
    assert [(error.row, error.column) for error in found.errors] == [
        (error["row"], error["column"]) for error in expected["errors"]
    ]
    if expected["errors"]:
        with pytest.raises(RosterHasErrors):
            import_roster(event=empty, reading=found, by=None)
        assert not Team.objects.exists()
        return
    import_roster(event=empty, reading=found, by=None, source=path.name)
    numbers = [team["number"] or place for place, team in enumerate(expected["teams"], start=1)]
    assert stored(empty) == [
        (number, team["department"], team["players"])
        for number, team in zip(numbers, expected["teams"], strict=True)
    ]
    sessions = [team.session for team in empty.teams.order_by("number")]
    assert sessions == [team.get("session") or "" for team in expected["teams"]]


def test_the_same_file_again_changes_nothing(empty):
    first = import_roster(event=empty, reading=reading(*THREE), by=None)
    assert first.new == (1, 2, 3)
    before = (
        LogEntry.objects.count(),
        Snapshot.objects.count(),
        list(Player.objects.values_list("pk", flat=True)),
    )
    again = import_roster(event=empty, reading=reading(*THREE), by=None)
    assert again.is_empty
    assert again.stored == 3
    assert before == (
        LogEntry.objects.count(),
        Snapshot.objects.count(),
        list(Player.objects.values_list("pk", flat=True)),
    )


def test_a_corrected_file_changes_what_it_corrects_and_nothing_else(empty):
    import_roster(event=empty, reading=reading(*THREE), by=None)
    kept = Team.objects.get(number=2)
    corrected = [(1, "甲部", "赵敏敏", "范遥"), (2, "乙部", "殷离", "周颠"), (4, "丙部", "说不得", "彭莹玉")]
    changes = compare_roster(empty, reading(*corrected))
    assert [(each.number, each.changes[0].old, each.changes[0].new) for each in changes.changed] == [
        (1, "赵敏 · 范遥", "赵敏敏 · 范遥")
    ]
    assert [each.number for each in changes.new] == [4]
    assert [team.number for team in changes.missing] == [3]
    outcome = import_roster(event=empty, reading=reading(*corrected), by=None)
    assert (outcome.new, outcome.changed, outcome.removed, outcome.withdrawn) == ((4,), (1,), (), ())
    assert [number for number, *_rest in stored(empty)] == [1, 2, 3, 4]
    assert Team.objects.get(number=2) == kept


def test_missing_teams_leave_only_when_asked(empty):
    import_roster(event=empty, reading=reading(*THREE), by=None)
    make_round(empty, [(1, 2), (3, None)])
    import_roster(event=empty, reading=reading(*THREE, (4, "丙部", "说不得", "彭莹玉")), by=None)
    outcome = import_roster(event=empty, reading=reading(*THREE[:2]), by=None, remove_missing=True)
    assert (outcome.removed, outcome.withdrawn) == ((4,), (3,))
    assert Team.objects.get(number=3).withdrawn_after == 1
    assert not Team.objects.filter(number=4).exists()


def test_a_withdrawn_team_is_not_missing_again(empty):
    import_roster(event=empty, reading=reading(*THREE), by=None)
    Team.objects.filter(number=3).update(withdrawn_after=1)
    assert compare_roster(empty, reading(*THREE[:2])).missing == ()


def test_teams_match_by_number_first_then_by_persons(empty):
    import_roster(event=empty, reading=reading(*THREE), by=None)
    without_numbers = reading(
        ("甲部", "韦一笑", "杨逍"), ("乙部", "殷离", "周颠"), header=("单位", "选手一", "选手二")
    )
    changes = compare_roster(empty, without_numbers)
    assert [each.number for each in changes.matched] == [3, 2]
    assert changes.is_empty
    renumbered = compare_roster(empty, reading((9, "乙部", "殷离", "周颠")))
    assert [(each.number, each.written) for each in renumbered.kept_numbers] == [(2, 9)]


def test_numbers_follow_the_highest_where_the_file_has_none(empty):
    import_roster(event=empty, reading=reading((7, "甲部", "赵敏", "范遥")), by=None)
    more = reading(("乙部", "殷离", "周颠"), ("乙部", "杨逍", "韦一笑"), header=("单位", "选手一", "选手二"))
    assert import_roster(event=empty, reading=more, by=None).new == (8, 9)


def test_a_person_in_a_team_that_stays_is_refused(empty):
    import_roster(event=empty, reading=reading(*THREE), by=None)
    moved = reading(*THREE[:2], (8, "丙部", "杨逍", "说不得"))
    with pytest.raises(RosterClashes) as refused:
        import_roster(event=empty, reading=moved, by=None)
    assert [(clash.player, clash.team.number) for clash in refused.value.changes.clashes] == [("杨逍", 3)]
    assert len(stored(empty)) == 3
    assert import_roster(event=empty, reading=moved, by=None, remove_missing=True).removed == (3,)


def test_blank_cells_keep_what_was_typed_by_hand(empty):
    import_roster(event=empty, reading=reading(*THREE), by=None)
    Team.objects.filter(number=1).update(remark="坐轮椅", fixed_table=1)
    Player.objects.filter(name="赵敏").update(phone="13800000001")
    import_roster(event=empty, reading=reading((1, "乙部", "赵敏", "小昭"), *THREE[1:]), by=None)
    team = Team.objects.get(number=1)
    assert (team.remark, team.fixed_table, team.department.name) == ("坐轮椅", 1, "乙部")
    assert [(player.name, player.phone) for player in team.players.all()] == [
        ("赵敏", "13800000001"),
        ("小昭", ""),
    ]


def test_new_teams_after_round_one_enter_late(empty):
    import_roster(event=empty, reading=reading(*THREE), by=None)
    assert not compare_roster(empty, reading(*THREE)).is_late
    make_round(empty, [(1, 2), (3, None)])
    changes = compare_roster(empty, reading(*THREE, (4, "丙部", "说不得", "彭莹玉")))
    assert changes.is_late
    assert [each.number for each in changes.new] == [4]


def test_an_import_keeps_a_snapshot_and_one_line_in_the_log(empty, administrator):
    import_roster(event=empty, reading=reading(*THREE), by=administrator, source="名单.xlsx")
    entry = LogEntry.objects.get(act=Act.ROSTER_IMPORTED)
    assert (entry.by, entry.subject, entry.new) == (administrator, "名单.xlsx", {"new": "1–3"})
    assert Snapshot.objects.get(event=empty).occasion == "before_import"
    import_roster(event=empty, reading=reading((1, "甲部", "赵敏敏", "范遥"), *THREE[1:]), by=administrator)
    entry = LogEntry.objects.filter(act=Act.ROSTER_IMPORTED).first()
    assert json.dumps([entry.old, entry.new], ensure_ascii=False) == (
        '[{"changed": {"1": {"players": "赵敏 · 范遥"}}}, {"changed": {"1": {"players": "赵敏敏 · 范遥"}}}]'
    )


def many(teams: int) -> list[tuple]:
    return [(i, f"单位{i % 7}", player_name(2 * i), player_name(2 * i + 1)) for i in range(1, teams + 1)]


# SQLite takes 999 values a statement and so writes 200 teams in four batches more than PostgreSQL.
@pytest.mark.parametrize(("teams", "new", "changed", "same"), [(8, 29, 41, 7), (200, 34, 45, 7)])
def test_an_import_takes_few_queries(empty, teams, new, changed, same, django_assert_max_num_queries):
    found = reading(*many(teams))
    with django_assert_max_num_queries(new):
        import_roster(event=empty, reading=found, by=None)
    corrected = reading(*[(number, "新单位", one, f"{two}乙") for number, _unit, one, two in many(teams)])
    with django_assert_max_num_queries(changed):
        import_roster(event=empty, reading=corrected, by=None)
    with django_assert_max_num_queries(same):
        assert import_roster(event=empty, reading=corrected, by=None).is_empty


def test_the_export_imports_again_without_a_change(empty):
    import_roster(event=empty, reading=reading(*THREE), by=None)
    Player.objects.filter(name="范遥").update(phone="13800000001")
    Team.objects.filter(number=2).update(remark="=1+1", session="上午", name="明教队")
    again = read_roster(roster_workbook(roster_entries(empty)), "export.xlsx")
    assert again.errors == ()
    assert compare_roster(empty, again).is_empty


def test_two_imports_at_once_store_the_roster_once(tmp_path):
    """Two server processes on one database file: the second waits and finds nothing left to change."""
    environment = {
        **os.environ,
        "DATA_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path}/hall.sqlite3",
        "DJANGO_SETTINGS_MODULE": "guandan_site.settings",
    }
    roster, event = tmp_path / "roster.xlsx", tmp_path / "event.json"
    roster.write_bytes(workbook(*THREE))
    event.write_text(json.dumps(EVENT_FILE), encoding="utf-8")

    def start(*arguments: str) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "manage.py", *arguments], env=environment, cwd=settings.BASE_DIR
        )

    assert start("migrate", "-v0").wait() == 0
    assert start("import_event", str(event)).wait() == 0
    both = [start("import_roster", "cup", str(roster)) for _turn in range(2)]
    assert [each.wait() for each in both] == [0, 0]
    with closing(sqlite3.connect(tmp_path / "hall.sqlite3")) as database:
        counts = [
            database.execute(f"SELECT count(*) FROM tournaments_{table}").fetchone()[0]
            for table in ("team", "department", "snapshot")
        ]
    assert counts == [3, 2, 1]


def test_ranges_are_short():
    assert ranges([1, 2, 3, 5, 6, 9]) == "1–3, 5, 6, 9"
    assert ranges([]) == ""
