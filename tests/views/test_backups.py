"""Backups: made by hand and by themselves, put back on another computer, refused when they are none."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.utils import timezone

from guandan_site.backups import archive, plan
from guandan_site.backups.archive import Fault, write_backup
from guandan_site.backups.plan import back_up_if_due, is_due
from guandan_site.backups.wording import backup_fault
from tests.builders import ROLES, make_event, make_result, make_round, make_user
from tournaments.log import Act, record_act
from tournaments.models import BackupPlan, Event, LogEntry, Snapshot
from tournaments.selectors.backups import backup_state, the_plan

pytestmark = pytest.mark.django_db(transaction=True)
"""A copy of the database sees what is committed."""
sqlite_only = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="a copy of the database is SQLite's")


@pytest.fixture
def administrator(client) -> User:
    user = make_user("admin", ROLES["administrator"])
    client.force_login(user)
    return user


@pytest.fixture
def folder(tmp_path) -> str:
    return str(tmp_path)


@pytest.fixture
def planned(folder, administrator) -> BackupPlan:
    return BackupPlan.objects.create(pk=BackupPlan.THE_ONE, folder=folder)


def backup() -> bytes:
    file = io.BytesIO()
    write_backup(file)
    return file.getvalue()


def rewritten(content: bytes, **parts: bytes) -> bytes:
    """The same zip with some of its parts replaced."""
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, parts.get(name, old.read(name)))
    return changed.getvalue()


def posted(client, content: bytes, name: str = "touyou-20261205-104233.touyou.zip"):
    return client.post("/start/", {"restore": "1", "file": SimpleUploadedFile(name, content)})


class TestByHand:
    def test_a_folder_is_chosen_then_a_copy_made(self, client, administrator, folder):
        assert client.post("/backup/", {"folder": folder}).status_code == 303
        assert client.post("/backup/now/").status_code == 303
        (made,) = plan.backup_files(the_plan())
        page = client.get("/backup/").content.decode()
        assert made.name in page
        acts = LogEntry.objects.filter(event=None).values_list("act", flat=True)
        assert list(acts) == [Act.BACKUP_MADE, Act.BACKUP_FOLDER_SET]

    @pytest.mark.parametrize("wrong", ["/nowhere/at/all", "usb"])
    def test_a_folder_that_is_not_there_is_refused_and_stays_typed(self, client, administrator, wrong):
        response = client.post("/backup/", {"folder": wrong})
        assert response.status_code == 422
        assert "找不到这个文件夹" in response.content.decode()
        assert f'value="{wrong}"' in response.content.decode()
        assert the_plan().folder == ""

    def test_the_download_holds_every_event(self, client, administrator):
        make_event()
        make_event(slug="other")
        response = client.post("/backup/download/")
        with zipfile.ZipFile(io.BytesIO(response.getvalue())) as packed:
            manifest = json.loads(packed.read("manifest.json"))
            assert json.loads(packed.read("events/other.json"))["event"]["slug"] == "other"
        assert manifest["events"] == ["cup", "other"]
        assert manifest["has_database"] == (connection.vendor == "sqlite")

    def test_a_pulled_stick_is_told(self, client, planned, tmp_path):
        tmp_path.rmdir()
        response = client.post("/backup/now/", follow=True)
        assert "找不到这个文件夹" in response.content.decode()


class TestByItself:
    def test_only_after_something_happened_and_not_at_once_again(self, planned, administrator, tmp_path):
        assert back_up_if_due() is None
        record_act(event=None, act=Act.USER_CREATED, by=None)
        assert is_due()
        assert back_up_if_due().parent == tmp_path
        record_act(event=None, act=Act.USER_CREATED, by=None)
        assert not is_due()
        BackupPlan.objects.update(claimed_at=timezone.now() - timedelta(minutes=BackupPlan.MINUTES))
        assert back_up_if_due() is not None
        assert not is_due()

    def test_a_failure_is_noted_and_shown_until_one_works(self, client, planned, tmp_path):
        record_act(event=None, act=Act.USER_CREATED, by=None)
        tmp_path.rmdir()
        assert back_up_if_due() is None
        assert "备份失败" in client.get("/backup/").content.decode()
        tmp_path.mkdir()
        BackupPlan.objects.update(claimed_at=None)
        assert back_up_if_due() is not None
        assert the_plan().problem == ""

    def test_nothing_without_a_folder(self):
        record_act(event=None, act=Act.USER_CREATED, by=None)
        assert not is_due()

    def test_the_oldest_go(self, planned, tmp_path, monkeypatch):
        monkeypatch.setattr(plan, "KEPT", 2)
        for name in ("touyou-20200101-000000", "touyou-20200102-000000"):
            (tmp_path / f"{name}{archive.SUFFIX}").write_bytes(b"")
        (tmp_path / "touyou-notes.txt").write_bytes(b"")
        record_act(event=None, act=Act.USER_CREATED, by=None)
        back_up_if_due()
        names = sorted(path.name for path in tmp_path.iterdir())
        assert names[:2] == [f"touyou-20200102-000000{archive.SUFFIX}", plan.backup_files(planned)[0].name]
        assert names[2:] == ["touyou-notes.txt"]


class TestState:
    def test_a_running_event_without_a_copy_is_told(self):
        event = make_event()
        assert not backup_state(event).is_stale
        make_round(event, [(1, 2)])
        assert backup_state(event).is_stale

    def test_a_snapshot_or_a_backup_counts_for_fifteen_minutes(self, planned):
        event = make_event()
        make_round(event, [(1, 2)])
        snapshot = Snapshot.objects.create(event=event, by_name="", occasion="by_hand", content=b"")
        assert not backup_state(event).is_stale
        Snapshot.objects.filter(pk=snapshot.pk).update(at=timezone.now() - timedelta(minutes=16))
        assert backup_state(event).is_stale
        BackupPlan.objects.update(done_at=timezone.now() - timedelta(minutes=14))
        assert not backup_state(event).is_stale


class TestFirstStart:
    def test_the_first_administrator_goes_straight_on(self, client):
        typed = {
            "username": "chen",
            "full_name": "陈老师",
            "password": "掼蛋-2026-头游",
            "again": "掼蛋-2026-头游",
        }
        response = client.post("/start/", typed, follow=True)
        assert "陈老师" in response.content.decode()
        assert User.objects.get().is_superuser
        assert client.get("/start/").status_code == 404

    @pytest.mark.parametrize(
        ("changed", "told"),
        [({"again": "anders-2026"}, "两次输入的密码不一样"), ({"password": "123"}, "密码")],
    )
    def test_a_slip_is_told_and_nobody_made(self, client, changed, told):
        typed = {"username": "chen", "password": "掼蛋-2026-头游", "again": "掼蛋-2026-头游"} | changed
        response = client.post("/start/", typed)
        assert response.status_code == 422
        assert told in response.content.decode()
        assert 'value="chen"' in response.content.decode()
        assert not User.objects.exists()

    def test_not_from_a_phone_in_the_hall(self, client):
        response = client.get("/start/", REMOTE_ADDR="192.168.1.77")
        assert response.status_code == 403
        assert "运行本程序的那台电脑" in response.content.decode()

    def test_not_once_somebody_can_sign_in(self, client, administrator):
        assert client.get("/start/").status_code == 404
        assert posted(client, b"").status_code == 404

    def test_not_on_a_server(self, client, settings):
        settings.ON_SERVER = True
        assert client.get("/start/").status_code == 404


@sqlite_only
class TestPutBack:
    def test_everything_is_there_again(self, client):
        event = make_event()
        make_user("chief", ROLES["chief"], event)
        make_result(make_round(event, [(1, 2), (3, 4)]), 1, 15, 9)
        record_act(event=event, act=Act.RESULT_ENTERED, by=None, subject="1/1/1")
        kept = backup()
        call_command("flush", verbosity=0, interactive=False)
        assert not Event.objects.exists()
        assert posted(client, kept).status_code == 303
        assert client.login(username="chief", password="pw-chief")
        assert "15" in client.get("/e/cup/desk/event.json").content.decode()
        acts = list(LogEntry.objects.values_list("act", flat=True))
        assert acts == [Act.BACKUP_RESTORED, Act.RESULT_ENTERED]

    def test_the_command_asks_before_it_replaces(self, tmp_path):
        make_user("admin", ROLES["administrator"])
        path = tmp_path / "kept.touyou.zip"
        path.write_bytes(backup())
        with pytest.raises(CommandError, match="--replace"):
            call_command("restore_backup", path)
        User.objects.update(username="other")
        call_command("restore_backup", path, "--replace")
        assert User.objects.get().username == "admin"


@sqlite_only
class TestRefused:
    def told(self, client, content: bytes) -> str:
        response = posted(client, content)
        assert response.status_code == 422
        assert not User.objects.exists()
        return response.content.decode()

    @pytest.mark.parametrize("content", [b"\x00" * 50, b"PK\x03\x04 no zip", b"{}"])
    def test_what_is_no_backup(self, client, content):
        assert "不是本程序的备份" in self.told(client, content)

    def test_a_zip_of_something_else(self, client):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as packed:
            packed.writestr("报名表.txt", "x")
        assert "不是本程序的备份" in self.told(client, file.getvalue())

    def test_a_damaged_database(self, client):
        content = rewritten(backup(), **{"touyou.sqlite3": b"SQLite format 3\x00" + b"\x07" * 4000})
        assert "备份已损坏" in self.told(client, content)

    def test_a_newer_program(self, client):
        with zipfile.ZipFile(io.BytesIO(backup())) as packed:
            manifest = json.loads(packed.read("manifest.json"))
        manifest["migrations"].append("tournaments.9999_later")
        newer = rewritten(backup(), **{"manifest.json": json.dumps(manifest).encode()})
        assert "更新版本" in self.told(client, newer)

    def test_events_only(self, client, monkeypatch):
        monkeypatch.setattr(archive, "is_sqlite", lambda: False)
        assert "只有赛事" in self.told(client, backup())


class TestEventFile:
    def test_out_and_in_again_under_another_address(self, client, administrator):
        make_event()
        content = client.get("/e/cup/desk/event.json").content
        upload = {"file": SimpleUploadedFile("cup.json", content)}
        response = client.post("/events/import/", upload)
        assert response.status_code == 422
        assert "“cup”" in response.content.decode()
        upload = {"file": SimpleUploadedFile("cup.json", content), "rename": "on"}
        assert client.post("/events/import/", upload).status_code == 303
        assert Event.objects.exclude(slug="cup").get().teams.count() == 8

    def test_a_wrong_file_is_refused_with_its_places(self, client, administrator):
        wrong = {"format": "guandan-event", "version": 1, "event": {"name": "x", "slug": "y"}, "teams": 7}
        upload = {"file": SimpleUploadedFile("x.json", json.dumps(wrong).encode())}
        response = client.post("/events/import/", upload)
        assert response.status_code == 422
        assert "$.teams" in response.content.decode()
        assert not Event.objects.exists()


def test_every_fault_has_words():
    assert all(backup_fault(fault) for fault in Fault)
