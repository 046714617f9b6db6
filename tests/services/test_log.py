"""The log: written in the act's transaction, never changed, never removed."""

import importlib

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import translation

from tournaments.log import Act, record_act
from tournaments.log_words import log_line
from tournaments.models import LogEntry

pytestmark = pytest.mark.django_db
migration = importlib.import_module("tournaments.migrations.0002_log_append_only")


@pytest.fixture
def entry(event, chief):
    return record_act(event=event, act=Act.ROUND_DRAWN, by=chief, subject="1/1", new={"seed": 7})


def test_an_entry_tells_who_did_what_and_raises_the_revision(event, entry, chief):
    event.refresh_from_db()
    assert event.revision == 1
    assert (entry.by, entry.by_name, entry.act, entry.new) == (chief, "chief", "round_drawn", {"seed": 7})


def test_the_database_refuses_to_change_an_entry(entry):
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        LogEntry.objects.update(by_name="nobody")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        entry.save()


def test_the_database_refuses_to_remove_an_entry(entry):
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(migration.SQLITE.format(act="DELETE", table=migration.TABLE))
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        LogEntry.objects.all().delete()


def test_the_log_outlives_event_and_user(event, entry, chief):
    chief.delete()
    event.delete()
    assert LogEntry.objects.get().by_name == "chief"


def test_the_command_line_is_named_in_the_readers_language(event, chief_client):
    with translation.override("en"):
        record_act(event=event, act=Act.ROUND_CLOSED, by=None)
    entry = LogEntry.objects.get()
    assert (entry.by, entry.by_name, log_line(entry).by) == (None, "", "命令行")
    page = f"/e/{event.slug}/desk/log/"
    assert "命令行" in chief_client.get(page, {"q": "命令"}).content.decode()
    assert "命令行" not in chief_client.get(page, {"q": "主裁"}).content.decode()
    with translation.override("en"):
        assert log_line(entry).by == "command line"
