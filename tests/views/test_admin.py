"""The back room: who gets in, what can be changed there, and its files."""

from __future__ import annotations

from io import BytesIO

import pytest
import tablib
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import load_workbook

from tests.builders import make_event, player_name
from tournaments.log import Act, record_act
from tournaments.models import Department, LogEntry, Player, Snapshot, Team
from tournaments.resources import DepartmentResource, PlayerResource, TeamResource, escaped, unescaped
from tournaments.services.people import change_user

TABLES = ["department", "team", "player", "event", "logentry"]


@pytest.fixture
def back_room(administrator, administrator_client):
    change_user(user=administrator, full_name="", role="管理员", is_active=True, by=None)
    return administrator_client


@pytest.mark.parametrize("table", TABLES)
def test_only_administrators_get_in(table, client, event, assistant_client, chief_client, back_room):
    address = f"/admin/tournaments/{table}/"
    for visitor in (client, assistant_client, chief_client):
        assert visitor.get(address).status_code == 302
    assert back_room.get(address).status_code == 200


def test_the_index_is_chinese_and_knows_no_users(back_room):
    page = back_room.get("/admin/").content.decode()
    assert "头游 · 后台" in page
    assert "单位" in page
    assert "/admin/auth/" not in page
    assert back_room.get("/admin/auth/user/").status_code == 404


@pytest.mark.parametrize("table", ["event", "logentry"])
def test_events_and_log_can_only_be_read(table, event, client):
    record_act(event=event, act=Act.TEAM_ADDED, by=None, new={"number": 1})
    client.force_login(User.objects.create_superuser("root"))
    row = (LogEntry if table == "logentry" else type(event)).objects.first()
    base = f"/admin/tournaments/{table}/"
    assert client.get(f"{base}{row.pk}/change/").status_code == 200
    assert client.post(f"{base}{row.pk}/change/", {"name": "x"}).status_code == 403
    assert client.get(f"{base}add/").status_code == 403
    assert client.post(f"{base}{row.pk}/delete/", {"post": "yes"}).status_code == 403


def test_changes_in_the_back_room_stand_in_the_log(event, administrator, back_room):
    team = Team.objects.get(number=1)
    facts = {"event": event.pk, "number": "1", "remark": "新备注", "department": team.department_id}
    assert back_room.post(f"/admin/tournaments/team/{team.pk}/change/", facts).status_code == 302
    entry = LogEntry.objects.get(act=Act.TEAM_CHANGED)
    assert (entry.by, entry.old, entry.new) == (administrator, {"remark": ""}, {"remark": "新备注"})
    back_room.post("/admin/tournaments/department/add/", {"event": event.pk, "name": "新单位"})
    assert Department.objects.get(name="新单位").key == "d-新单位"
    back_room.post(
        "/admin/tournaments/department/",
        {
            "action": "delete_selected",
            "_selected_action": [Department.objects.get(name="新单位").pk],
            "post": "yes",
        },
    )
    assert LogEntry.objects.filter(act=Act.TEAM_REMOVED).count() == 1


def test_the_export_is_a_workbook_of_texts(event, back_room):
    Player.objects.filter(team__number=1, position=1).update(name="=1+1", phone="+8613800000001")
    address = "/admin/tournaments/player/export/"
    fields = {f"playerresource_{name}": "on" for name in ("event", "team", "position", "name", "phone")}
    response = back_room.post(address, {"format": "0", "resource": "", **fields})
    assert response.status_code == 200
    rows = list(load_workbook(BytesIO(response.content)).active.rows)
    assert [cell.value for cell in rows[1]] == ["cup", "1", "1", "=1+1", "+8613800000001"]
    assert {cell.data_type for row in rows for cell in row} <= {"s", "n"}
    assert rows[1][3].data_type == "s"
    text = back_room.post(address, {"format": "1", "resource": "", **fields}).content.decode()
    assert "'=1+1" in text


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_formulas_are_escaped_and_come_back(name):
    assert escaped(name) == f"'{name}"
    assert unescaped(escaped(name)) == name
    assert escaped("张伟") == unescaped("张伟") == "张伟"
    assert unescaped("'s") == "'s"


def test_an_export_imports_again_without_a_change(event):
    for resource in (DepartmentResource(), TeamResource(), PlayerResource()):
        dataset = resource.export()
        result = resource.import_data(dataset, dry_run=False, raise_errors=True)
        assert result.totals["skip"] == len(dataset)
    assert not LogEntry.objects.exists()


def test_an_import_creates_and_changes_and_is_one_act(event, administrator):
    rows = tablib.Dataset(headers=["赛事", "组号", "单位", "备注"])
    rows.append(["cup", 1, "单位1", "靠门"])
    rows.append(["cup", 99, "单位2", ""])
    result = TeamResource().import_data(rows, dry_run=False, raise_errors=True, user=administrator)
    assert (result.totals["new"], result.totals["update"]) == (1, 1)
    assert Team.objects.get(number=1).remark == "靠门"
    assert Team.objects.get(number=99).department.name == "单位2"
    entry = LogEntry.objects.get(act=Act.ROSTER_IMPORTED)
    assert (entry.event, entry.by, entry.new) == (event, administrator, {"队": {"new": 1, "changed": 1}})
    assert Snapshot.objects.filter(event=event).count() == 1
    people = tablib.Dataset(["cup", 99, 1, "赵敏", "138"], headers=["赛事", "组号", "位次", "姓名", "电话"])
    PlayerResource().import_data(people, dry_run=False, raise_errors=True)
    assert Team.objects.get(number=99).player_names == "赵敏"


def test_wrong_rows_store_nothing(event):
    rows = tablib.Dataset(headers=["赛事", "组号", "单位"])
    rows.append(["cup", 98, "单位1"])
    rows.append(["cup", 99, "没有的单位"])
    result = TeamResource().import_data(rows, dry_run=False, rollback_on_validation_errors=True)
    assert result.has_validation_errors() or result.has_errors()
    assert not Team.objects.filter(number__gte=98).exists()


def test_a_file_goes_through_the_browser(event, back_room):
    make_event(slug="other", teams=2)
    rows = tablib.Dataset(["cup", "新单位"], ["other", "新单位"], headers=["赛事", "单位"])
    file = SimpleUploadedFile("departments.csv", rows.export("csv").encode())
    page = back_room.post(
        "/admin/tournaments/department/import/", {"import_file": file, "format": "1", "resource": ""}
    )
    assert page.status_code == 200
    confirmed = page.context["confirm_form"].initial
    done = back_room.post("/admin/tournaments/department/process_import/", {**confirmed, "resource": ""})
    assert done.status_code == 302
    assert Department.objects.filter(name="新单位").count() == 2
    assert {entry.event.slug for entry in LogEntry.objects.filter(act=Act.ROSTER_IMPORTED)} == {
        "cup",
        "other",
    }


def test_players_are_searched_by_name(event, back_room):
    page = back_room.get("/admin/tournaments/team/", {"q": player_name(3)}).content.decode()
    assert player_name(4) in page
    assert player_name(6) not in page
