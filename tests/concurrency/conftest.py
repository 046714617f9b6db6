"""Venues on both engines, each with the product's own settings for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.concurrency.venue import Server, Venue
from tests.postgres import PostgresServer, postgres_binaries, postgres_server

ENGINES = ["sqlite", "postgresql"]
LATER = ("groups", "knockout")
MakeVenue = Callable[..., Venue]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A format hides alike on both engines: the quick run asks PostgreSQL of one, the soak of all."""
    for item in items:
        asked = (
            item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        )
        if asked.get("make_venue") == "postgresql" and str(asked.get("slug")).endswith(LATER):
            item.add_marker(pytest.mark.soak)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    if postgres_binaries() is None:
        pytest.skip("PostgreSQL's server is not installed (Debian: postgresql)")
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session", params=ENGINES)
def make_venue(request, tmp_path_factory) -> MakeVenue:
    """Makes an empty venue on the engine at hand; `settings` go into its environment."""

    def make(**settings: str) -> Venue:
        folder = tmp_path_factory.mktemp("venue")
        return Venue(folder, _database(request, folder), settings)

    return make


def _database(request: pytest.FixtureRequest, folder: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{folder / 'touyou.sqlite3'}"
    postgres: PostgresServer = request.getfixturevalue("postgres")
    return postgres.create_database(folder.name)


@pytest.fixture(scope="session")
def venue(make_venue: MakeVenue) -> Venue:
    """One venue for all quick tests, with an event for each."""
    venue = make_venue()
    venue.prepare(
        {"slug": "same-table", "teams": 16, "published": 1},
        {"slug": "hall", "teams": 80, "published": 3},
        {"slug": "draw", "teams": 16},
        {"slug": "publish", "teams": 16},
        {"slug": "discard", "teams": 16},
        {"slug": "import", "teams": 0},
        {"slug": "close", "teams": 16, "published": 1},
        {"slug": "withdraw", "teams": 16, "published": 1},
        {"slug": "leak-swiss", "teams": 8},
        {"slug": "leak-groups", "teams": 8, "format": "round_robin"},
        {"slug": "leak-knockout", "teams": 8, "format": "knockout"},
        {"slug": "leak-hall-swiss", "teams": 8},
        {"slug": "leak-hall-groups", "teams": 8, "format": "round_robin"},
        {"slug": "leak-hall-knockout", "teams": 8, "format": "knockout"},
        {"slug": "leak-key", "teams": 8},
        {"slug": "clock", "teams": 4, "published": 1},
        {"slug": "look", "teams": 16, "published": 1, "confirmation": {"by": "official"}},
        {"slug": "phones", "teams": 16, "published": 1, "confirmation": {"by": "phones", "phones": "enter"}},
    )
    return venue


@pytest.fixture(scope="session")
def server(venue: Venue) -> Iterator[Server]:
    """The venue's server with several workers, as in the hall."""
    with Server(venue, workers=4) as server:
        yield server


@pytest.fixture(scope="session")
def other_server(venue: Venue) -> Iterator[Server]:
    """A second server on the same database; its one worker has every page in its cache."""
    with Server(venue, workers=1) as server:
        yield server
