"""Fixtures that every test may use."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import translation
from xdist.scheduler import LoadFileScheduling

from tests.builders import ROLES, make_event, make_user
from tournaments.models import Event
from tournaments.revisions import forget_all

TOGETHER = ("tests/browser", "tests/concurrency")
"""Folders whose files share servers: one process runs all of one, so that each server is started once."""


def pytest_xdist_make_scheduler(config, log):
    """File by file to the processes that run the tests side by side, but these folders whole."""
    return ByFileOrFolder(config, log)


class ByFileOrFolder(LoadFileScheduling):
    def _split_scope(self, nodeid):
        file = super()._split_scope(nodeid)
        folder = str(PurePosixPath(file).parent)
        return folder if folder in TOGETHER else file


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Tests that commit empty the tables afterwards; SQLite's guard against removing log entries goes."""
    with django_db_blocker.unblock():
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("DROP TRIGGER log_keeps_DELETE")


@pytest.fixture(autouse=True)
def _chinese():
    """Tests speak the interface's default language, whatever ran before."""
    with translation.override("zh-hans"):
        yield


@pytest.fixture(autouse=True)
def _nothing_kept():
    """A test's event may have the number and revision of another test's."""
    forget_all()


@pytest.fixture
def event(db) -> Event:
    """Eight teams of four departments, nothing drawn."""
    return make_event()


def _user(role: str, event: Event) -> User:
    return make_user(role, ROLES[role], event)


@pytest.fixture
def administrator(event) -> User:
    return _user("administrator", event)


@pytest.fixture
def chief(event) -> User:
    return _user("chief", event)


@pytest.fixture
def assistant(event) -> User:
    return _user("assistant", event)


def _client(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def administrator_client(administrator) -> Client:
    return _client(administrator)


@pytest.fixture
def chief_client(chief) -> Client:
    return _client(chief)


@pytest.fixture
def assistant_client(assistant) -> Client:
    return _client(assistant)
