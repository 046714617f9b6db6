"""Backups: made by hand and by themselves, put back on another computer, refused when they are none."""

from __future__ import annotations

import errno
import io
import json
import os
import sqlite3
import subprocess
import sys
import time
import zipfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.utils import timezone

from guandan_site.backups import archive, plan
from guandan_site.backups.archive import Fault, write_backup
from guandan_site.backups.plan import back_up_if_due, is_due
from guandan_site.backups.refusals import FolderRefused, Refusal
from guandan_site.backups.restoring import restore_backup
from guandan_site.backups.wording import backup_fault, folder_fault
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

    def test_two_processes_make_one(self, planned, tmp_path):
        record_act(event=None, act=Act.USER_CREATED, by=None)
        assert plan._claim()
        assert not plan._claim()
        assert back_up_if_due() is None

    def test_what_a_killed_process_left_goes_after_an_hour(self, planned, tmp_path):
        for name, age in (("old", 2 * plan.LEFT_BEHIND), ("new", 60)):
            part = tmp_path / f"{archive.PART}{name}.part"
            part.write_bytes(b"")
            os.utime(part, (time.time() - age, time.time() - age))
        record_act(event=None, act=Act.USER_CREATED, by=None)
        back_up_if_due()
        assert [path.name for path in tmp_path.glob(".*")] == [f"{archive.PART}new.part"]

    @pytest.mark.parametrize(
        ("number", "told"),
        [
            (errno.ENOSPC, "满了"),
            (errno.EROFS, "写保护"),
            (errno.EACCES, "没有权限"),
            (errno.EIO, "写不进去"),
            (errno.ENOENT, "找不到这个文件夹"),
        ],
    )
    def test_what_is_wrong_with_the_stick_is_said_in_words(
        self, number, told, client, planned, tmp_path, monkeypatch
    ):
        def refuse(*_args, **_kwargs):
            raise OSError(number, os.strerror(number))

        record_act(event=None, act=Act.USER_CREATED, by=None)
        monkeypatch.setattr(archive.os, "fsync", refuse)
        assert back_up_if_due() is None
        assert told in client.get("/backup/").content.decode()
        assert list(tmp_path.iterdir()) == [], "nothing half is left"
        assert told in client.post("/backup/now/", follow=True).content.decode()


class TestFolder:
    def set(self, client, folder: Path) -> str:
        response = client.post("/backup/", {"folder": str(folder)})
        return "" if response.status_code == 303 else response.content.decode()

    def test_a_link_to_a_folder_will_do(self, client, administrator, tmp_path):
        (tmp_path / "stick").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "stick")
        assert self.set(client, tmp_path / "link") == ""
        client.post("/backup/now/")
        assert list((tmp_path / "stick").glob("*.touyou.zip"))

    def test_not_where_anybody_can_fetch_it(self, client, administrator, tmp_path):
        settings.STATIC_ROOT.mkdir(exist_ok=True)
        (tmp_path / "link").symlink_to(settings.STATIC_ROOT)
        assert "谁都能" in self.set(client, tmp_path / "link")

    def test_a_file_a_loop_and_a_name_too_long(self, client, administrator, tmp_path):
        (tmp_path / "file").write_bytes(b"")
        (tmp_path / "loop").symlink_to(tmp_path / "loop")
        for wrong in (tmp_path / "file", tmp_path / "loop", tmp_path / ("x" * 300)):
            assert "找不到这个文件夹" in self.set(client, wrong)


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
        assert LogEntry.objects.get(act=Act.USER_CREATED).by_name == "陈老师"
        over = client.get("/start/", follow=True)
        assert (over.redirect_chain[-1][0], "首次启动已经完成" in over.content.decode()) == ("/", True)

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

    def test_an_account_that_may_not_sign_in_any_more_keeps_its_name(self, client):
        User.objects.create_user("chen", is_active=False)
        typed = {"username": "chen", "password": "掼蛋-2026-头游", "again": "掼蛋-2026-头游"}
        response = client.post("/start/", typed)
        assert (response.status_code, "这个账号已经有了" in response.content.decode()) == (422, True)

    def test_not_from_a_phone_in_the_hall(self, client):
        response = client.get("/start/", REMOTE_ADDR="192.168.1.77")
        assert response.status_code == 403
        assert "运行本程序的那台电脑" in response.content.decode()

    def test_not_once_somebody_can_sign_in(self, client, administrator):
        client.logout()
        users = User.objects.count()
        typed = {"username": "chen", "password": "掼蛋-2026-头游", "again": "掼蛋-2026-头游"}
        for response in (client.get("/start/"), client.post("/start/", typed), posted(client, b"")):
            assert (response.status_code, response.headers["Location"]) == (303, "/login/")
        assert "首次启动已经完成，已经有账号了" in client.get("/login/").content.decode()
        assert User.objects.count() == users

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

    def test_nobody_stays_signed_in_and_no_kept_page_comes_alive(self, client):
        event = make_event()
        client.force_login(make_user("chief", ROLES["chief"], event))
        kept = backup()
        Event.objects.update(revision=50)
        restore_backup(io.BytesIO(kept), replace=True)
        assert client.get("/e/cup/desk/").status_code == 302
        assert Event.objects.get().revision > 50

    def test_an_older_one_is_brought_forward_before_it_counts(self, client, tmp_path):
        """The tables as they were before there were backups."""
        path = tmp_path / "older.sqlite3"
        program = (
            "import django; django.setup(); from django.db import connection\n"
            "from django.db.migrations.executor import MigrationExecutor\n"
            "executor = MigrationExecutor(connection)\n"
            "leaves = executor.loader.graph.leaf_nodes()\n"
            "early = [node for node in leaves if node[0] in ('auth', 'contenttypes')]\n"
            "executor.migrate([*early, ('tournaments', '0008_archived')])"
        )
        environment = {**os.environ, "DATABASE_URL": f"sqlite:///{path}"}
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=settings.BASE_DIR,
            env=environment,
            check=True,
            capture_output=True,
        )
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA journal_mode=DELETE")
            database.execute(
                "INSERT INTO auth_user (username, password, is_superuser, first_name, last_name, email,"
                " is_staff, is_active, date_joined) VALUES ('chen', 'x', 1, '', '', '', 0, 1, '2026-05-01')"
            )
            database.commit()
            applied = database.execute("SELECT app, name FROM django_migrations").fetchall()
        stated = {"migrations": [f"{app}.{name}" for app, name in applied]}
        content = rewritten(
            TestRefused().manifest(backup(), **stated), **{"touyou.sqlite3": path.read_bytes()}
        )
        assert posted(client, content).status_code == 303
        with connection.cursor() as cursor:  # as in conftest: tests empty the tables afterwards
            cursor.execute("DROP TRIGGER log_keeps_DELETE")
        assert User.objects.get().username == "chen"
        assert not BackupPlan.objects.exists()
        call_command("migrate", check_unapplied=True, verbosity=0)

    def test_one_that_cannot_be_brought_forward_changes_nothing(self, client, tmp_path):
        path = tmp_path / "older.sqlite3"
        path.write_bytes(zipfile.ZipFile(io.BytesIO(backup())).read("touyou.sqlite3"))
        with closing(sqlite3.connect(path)) as database:
            database.execute("DELETE FROM django_migrations WHERE app = 'pairing' AND name LIKE '0001%'")
            database.commit()
        response = posted(client, rewritten(backup(), **{"touyou.sqlite3": path.read_bytes()}))
        assert response.status_code == 422
        assert "旧版本" in response.content.decode()
        assert not User.objects.exists()
        assert not LogEntry.objects.exists()

    def test_a_database_that_is_newer_than_its_manifest_says(self, client, tmp_path):
        path = tmp_path / "newer.sqlite3"
        path.write_bytes(zipfile.ZipFile(io.BytesIO(backup())).read("touyou.sqlite3"))
        with closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE django_migrations SET name = '9999_later' WHERE app = 'axes'")
            database.commit()
        response = posted(client, rewritten(backup(), **{"touyou.sqlite3": path.read_bytes()}))
        assert response.status_code == 422
        assert "更新版本" in response.content.decode()

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

    def manifest(self, content: bytes, **changed: object) -> bytes:
        """The backup with other statements in its manifest."""
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            stated = json.loads(packed.read("manifest.json"))
        return rewritten(content, **{"manifest.json": json.dumps(stated | changed).encode()})

    @pytest.mark.parametrize(
        "changed",
        [
            {"newest_log": float("inf")},
            {"made_at": "2026-12-05T10:42:33"},
            {"made_at": "yesterday"},
            {"events": 7},
            {"version": "one"},
            {"format": "zip"},
        ],
    )
    def test_a_manifest_that_says_nonsense(self, client, changed):
        assert "不是本程序的备份" in self.told(client, self.manifest(backup(), **changed))

    @pytest.mark.parametrize(
        "stated", [b"[" * 200_000, b"[]", b"\xff\xfe", b" " * (archive.MOST_MANIFEST + 1)]
    )
    def test_a_manifest_that_is_none(self, client, stated):
        assert "不是本程序的备份" in self.told(client, rewritten(backup(), **{"manifest.json": stated}))

    def test_a_database_of_another_program(self, client, tmp_path):
        with closing(sqlite3.connect(tmp_path / "other")) as other:
            other.execute("CREATE TABLE auth_user (id INTEGER)")
            other.commit()
        content = rewritten(backup(), **{"touyou.sqlite3": (tmp_path / "other").read_bytes()})
        assert "不是本程序的备份" in self.told(client, content)

    def test_one_that_would_unpack_to_more_than_any_database(self, client, monkeypatch):
        content = backup()
        monkeypatch.setattr(archive, "MOST_BYTES", 1000)
        assert "备份已损坏" in self.told(client, content)

    def test_zeros_that_were_packed_small_are_not_unpacked(self, client):
        content = rewritten(backup(), **{"touyou.sqlite3": bytes(50_000_000)})
        assert "备份已损坏" in self.told(client, content)

    def test_a_full_disk(self, client, monkeypatch):
        content = backup()
        monkeypatch.setattr(archive.shutil, "disk_usage", lambda _path: SimpleNamespace(free=0))
        assert "磁盘满了" in self.told(client, content)

    def test_an_encrypted_or_cut_one(self, client):
        content = bytearray(backup())
        directory = content.index(b"PK\x01\x02")
        content[directory + 8] |= 1  # says that its first part, the database, needs a password
        assert "备份已损坏" in self.told(client, bytes(content))
        whole = backup()
        place = len(whole) // 3
        assert "备份" in self.told(client, whole[:place] + bytes(64) + whole[place + 64 :])
        assert "不是本程序的备份" in self.told(client, whole[:place])

    def test_names_in_the_zip_lead_nowhere(self, client, tmp_path):
        file = io.BytesIO(backup())
        with zipfile.ZipFile(file, "a") as packed:
            packed.writestr("../../../../../../../../tmp/touyou-escaped", b"x")
            packed.writestr("/tmp/touyou-escaped", b"x")
        assert posted(client, file.getvalue()).status_code == 303
        assert not Path("/tmp/touyou-escaped").exists()

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
    assert all(folder_fault(FolderRefused(reason)) for reason in Refusal)
