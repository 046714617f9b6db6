"""Who is at an event's pages: noted at most once a minute, beside log and revision, and kept by a restore."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.builders import make_event, make_user
from tournaments.models import Event, LogEntry, Presence
from tournaments.roles import ADMINISTRATOR, ASSISTANT, CHIEF
from tournaments.selectors.presence import STAYS, present_officials
from tournaments.services.presence import NOTED_EVERY, note_seen
from tournaments.snapshots import restore_snapshot, take_snapshot_now

NOW = timezone.now().replace(microsecond=0)


def seen(user, event) -> bool:
    return Presence.objects.filter(user=user, event=event).exists()


def test_at_most_one_write_a_minute(event, chief, django_assert_num_queries):
    assert note_seen(slug="cup", user=chief, now=NOW)
    with django_assert_num_queries(1):
        assert not note_seen(slug="cup", user=chief, now=NOW + NOTED_EVERY - timedelta(seconds=1))
    with django_assert_num_queries(2):
        assert note_seen(slug="cup", user=chief, now=NOW + NOTED_EVERY)
    assert Presence.objects.get().seen_at == NOW + NOTED_EVERY
    assert not note_seen(slug="nowhere", user=chief, now=NOW)


def test_the_log_and_the_revision_do_not_know(event, chief):
    note_seen(slug="cup", user=chief, now=NOW)
    assert (Event.objects.get().revision, LogEntry.objects.count()) == (0, 0)


def test_by_role_and_gone_after_five_minutes(event, django_assert_num_queries):
    for account, role in (("b", ASSISTANT), ("a", ASSISTANT), ("head", ADMINISTRATOR), ("boss", CHIEF)):
        note_seen(slug="cup", user=make_user(account, role, event), now=NOW)
    make_user("away", CHIEF, event)
    with django_assert_num_queries(2):
        there = present_officials(event, NOW + STAYS - timedelta(seconds=1))
    assert [(role.role_name, role.names) for role in there] == [
        ("管理员", ("head",)),
        ("主裁判", ("boss",)),
        ("裁判助理", ("a", "b")),
    ]
    assert present_officials(event, NOW + STAYS) == []


def test_a_restore_leaves_it_alone(event, chief):
    snapshot = take_snapshot_now(event=event, by=None)
    note_seen(slug="cup", user=chief, now=NOW)
    restore_snapshot(event=event, snapshot=snapshot, by=chief, reason="")
    assert seen(chief, event)


class TestPages:
    @pytest.fixture(autouse=True)
    def _noting(self, settings):
        settings.MIDDLEWARE = [*settings.MIDDLEWARE, "guandan_site.middleware.officials_seen"]

    def test_a_process_looks_once_a_minute(self, event, chief_client, chief):
        assert chief_client.get("/e/cup/desk/").status_code == 200
        assert seen(chief, event)
        Presence.objects.all().delete()
        assert chief_client.get("/e/cup/desk/").status_code == 200
        assert not seen(chief, event)

    def test_who_has_no_business_there_is_not_noted(self, event, chief_client, chief):
        other = make_event(slug="other")
        assert chief_client.get("/e/other/desk/").status_code == 404
        assert chief_client.get("/e/cup/").status_code == 200
        assert Client().get("/e/cup/desk/").status_code == 302
        assert not Presence.objects.exists()
        assert not seen(chief, other)
