"""A hall: the product served as in a real one, Debian's Chromium, and people in front of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.browser.hall import CHROMIUM_OPTIONS, DESK, Watch
from tests.concurrency.venue import ROOT, Server, Venue

Visit = Callable[..., Any]
EXPECT = 10_000
"""Milliseconds until something that should be on a page is taken to be missing."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "browser"):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def hall(tmp_path_factory) -> Venue:
    """An installation with events for every test and three accounts."""
    folder = tmp_path_factory.mktemp("hall")
    venue = Venue(folder, f"sqlite:///{folder / 'touyou.sqlite3'}")
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            "import django; django.setup(); from tests.browser import prepare; prepare.main()",
        ],
        cwd=ROOT,
        env=venue.environment,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    venue.sessions.update(json.loads(run.stdout))
    return venue


@pytest.fixture(scope="session")
def server(hall: Venue) -> Iterator[Server]:
    with Server(hall, workers=2) as server:
        server.browser().get("/")
        yield server


@pytest.fixture(scope="session")
def origin(server: Server) -> str:
    """The server's address, without a slash at its end."""
    return f"http://127.0.0.1:{server.browser().port}"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Ends with the module: while Playwright's loop stands, Django lets no other test at the database."""
    expect.set_options(timeout=EXPECT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, hall: Venue, origin: str) -> Iterator[Visit]:
    """Opens a page in a new browser, signed in as `account` or not at all; nobody may have complaints."""
    watches: list[Watch] = []

    def open_page(account: str = "", *, language: str = "", viewport: ViewportSize = DESK) -> Page:
        context = chromium.new_context(base_url=origin, viewport=viewport, locale="zh-CN")
        context.set_default_timeout(EXPECT)
        context.set_default_navigation_timeout(6 * EXPECT)
        cookies = {"sessionid": hall.sessions[account] if account else "", "django_language": language}
        context.add_cookies(
            [{"name": name, "value": value, "url": origin} for name, value in cookies.items() if value]
        )
        page = context.new_page()
        page.watch = Watch(page, origin)
        watches.append(page.watch)
        return page

    yield open_page
    complaints = [complaint for watch in watches for complaint in watch.complaints]
    for watch in watches:
        watch.page.context.close()
    assert not complaints
