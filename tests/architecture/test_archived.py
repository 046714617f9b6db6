"""An archived event is only read: no address changes anything of it, whatever is sent there."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils import timezone

from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from tests.architecture.test_rights import (
    INSTALLATION,
    TABLE_OF_RIGHTS,
    WRITE,
    _address,
    clients,
    event,
)
from tournaments.models import Event

__all__ = ["clients", "event"]
APPS = ("tournaments", "scoring", "pairing", "auth")
"""What belongs to an event, and to its officials."""
NO_ACT_ON_IT = {"event_archive", "event_copy"}
"""The way back, and what makes another event of it."""
WRITTEN = [name for name, row in TABLE_OF_RIGHTS.items() if row.methods >= WRITE and name not in NO_ACT_ON_IT]
ON_A_TABLE = ["table_phone_act"]
ANYTHING = {
    "reason": "因故",
    "confirmed": "1",
    "act": "start",
    "kind": "played",
    "version": "0",
    "draft": "1",
    "round": "1",
    "stage": "1",
    "number": "1",
    "numbers": "1 2",
    "team": "1",
    "home": "1",
    "away": "2",
    "first": "1",
    "second": "2",
    "table": "2",
    "home_level": "10",
    "away_level": "7",
    "points": "-2",
    "name": "新的",
    "player_1": "甲一",
    "player_2": "乙二",
    "slug": "cup",
    "minutes": "5",
    "seconds": "12",
    "distance": "near",
    "roles": "auto",
    "role": "clock",
    "what": "clock",
    "notice": "开会",
    "how": "lots",
    "rank": "1",
    "format": "swiss",
    "rounds_planned": "5",
    "publishes_to": "everybody",
    "side": "home",
    "full_name": "某某",
    "user": "1",
}


EFFECTIVE = {
    "check_in_mark",
    "screens",
    "screen_remove",
    "draw_republish",
    "stage_lots",
    "call_answer",
    "singles",
    "single_remove",
    "preset_keep",
    "snapshots",
    "snapshot_restore",
}
"""Where what is sent here changes an event that is not archived: without the guard they would be seen."""
WITHOUT_LOCK = {
    ("guandan_site/across/copying.py", "copy_event"): "the new event is nobody else's yet",
    ("guandan_site/backups/plan.py", "set_folder"): "of the installation",
    ("guandan_site/backups/plan.py", "back_up_now"): "of the installation",
    ("guandan_site/backups/restoring.py", "restore_backup"): "of the installation",
    ("guandan_site/backups/views.py", "backup_download"): "of the installation",
    ("guandan_site/rehearsal/services.py", "remove_rehearsal"): "holds the row itself, to delete it",
    ("pairing/services/ceremonies.py", "publish_with_ceremony"): "publish_round holds the lock",
    ("pairing/services/publishing.py", "publish_changed"): "part of acts that hold the lock",
    ("scoring/second_looks.py", "confirm"): "part of acts that hold the lock",
    ("tournaments/resources.py", "after_import"): "before_import holds the lock",
    ("tournaments/services/events.py", "create_event"): "the new event is nobody else's yet",
    ("tournaments/services/people.py", "create_user"): "of the installation",
    ("tournaments/services/people.py", "change_user"): "of the installation",
    ("tournaments/services/presets.py", "remove_preset"): "of the installation",
}
"""Acts that write the log without holding an event's lock themselves, and why."""


def _state() -> dict[str, list[dict[str, Any]]]:
    """Every row of everything that belongs to an event or its officials."""
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values())
        for app in APPS
        for model in apps.get_app_config(app).get_models()
    }


@pytest.fixture
def archived(event) -> Event:
    Event.objects.filter(pk=event.pk).update(archived_at=timezone.now())
    event.refresh_from_db()
    return event


def _changed_by(client: Client, address: str, sent: dict[str, str]) -> set[str]:
    """The models of which a row is another one afterwards; then everything is as before again."""
    before = _state()
    with transaction.atomic():
        assert client.post(address, sent).status_code < 500
        after = _state()
        transaction.set_rollback(True)
    return {label for label, rows in after.items() if rows != before[label]}


@pytest.mark.parametrize("name", [*WRITTEN, *ON_A_TABLE])
def test_nothing_changes(name, archived, clients):
    address = _address(name, TABLE_OF_RIGHTS.get(name) or INSTALLATION[name], archived)
    for sent in ({}, ANYTHING):
        assert _changed_by(clients["administrator"], address, sent) == set()


@pytest.mark.parametrize("name", sorted(EFFECTIVE))
def test_control_the_same_changes_an_event_that_is_open(name, event, clients):
    address = _address(name, TABLE_OF_RIGHTS[name], event)
    assert _changed_by(clients["administrator"], address, ANYTHING)


def test_a_copy_leaves_the_archived_event_as_it_is(archived, clients):
    address = _address("event_copy", TABLE_OF_RIGHTS["event_copy"], archived)
    before = to_bytes(document_of(archived))
    response = clients["administrator"].post(address, {"name": "明年", "starts_at": "2027-05-01T09:00"})
    assert response.status_code == 303
    assert to_bytes(document_of(Event.objects.get(pk=archived.pk))) == before
    assert Event.objects.get(name="明年").archived_at is None


def _calls(function: ast.FunctionDef) -> set[str]:
    called = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {func.id if isinstance(func, ast.Name) else getattr(func, "attr", "") for func in called}


def _reaches(functions: dict[str, set[str]], name: str, goal: str) -> bool:
    """Whether a function of a module, or one of the same module that it calls, calls the goal."""
    waiting, seen = [name], set[str]()
    while waiting:
        calls = functions.get(waiting.pop(), set())
        if goal in calls:
            return True
        waiting += calls - seen
        seen |= calls
    return False


def test_every_act_on_an_event_holds_its_lock_which_refuses_an_archived_one():
    """Read from the source: whoever writes the log of an event went through `lock_event` before."""
    without = set()
    for app in ("guandan_site", "pairing", "scoring", "tournaments"):
        for path in sorted((settings.BASE_DIR / app).rglob("*.py")):
            tree = ast.parse(path.read_text())
            functions = {
                node.name: _calls(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
            }
            public = [name for name in functions if not name.startswith("_")]
            acts = [name for name in public if _reaches(functions, name, "record_act")]
            place = str(path.relative_to(settings.BASE_DIR))
            without |= {(place, name) for name in acts if not _reaches(functions, name, "lock_event")}
    assert without == set(WITHOUT_LOCK)
