"""The projector page: every row whole at every resolution, every team seen, and the last picture kept."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from tests.browser.hall import PROJECTOR
from tests.browser.names import LONG_NAMES

SECOND = 1_000
NOON = datetime(2026, 12, 5, 12, tzinfo=UTC)
"""The time on these projectors' own clocks; it stands still until a test lets it go on."""
STANDINGS = "排名 · 第 2 轮进行中"
BY_TABLE = "第 2 轮对阵 · 按桌号"
PAGE = re.compile(r"第 (\d+) / (\d+) 页")
CUT = """() => {
    const floor = document.getElementById("scenes").getBoundingClientRect().bottom;
    const rows = [...document.querySelectorAll(".row.on")];
    const below = rows.filter((row) => row.getBoundingClientRect().bottom > floor + 1);
    const cut = rows.flatMap((row) => [...row.querySelectorAll("*")])
        .filter((part) => part.clientWidth
            && (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 2));
    const foot = document.querySelector("footer").getBoundingClientRect();
    const main = document.querySelector("main");
    const isLong = main.scrollHeight > main.clientHeight + 4 || foot.bottom > innerHeight
        || document.documentElement.scrollHeight > innerHeight;
    return [...below, ...cut].map((part) => part.textContent).concat(isLong ? ["the page"] : []);
}"""
ROWS = """() => [...document.querySelectorAll(".row.on")]
    .map((row) => row.innerText.split(/\\s+/).filter(Boolean))"""
SMALLEST_TYPE = """() => Math.min(...[...document.querySelectorAll(".row.on .names")]
    .map((names) => parseFloat(getComputedStyle(names).fontSize))) / innerHeight"""


def open_screen(visit, slug, viewport=PROJECTOR):
    page = visit(viewport=viewport)
    page.clock.install(time=0)
    page.clock.pause_at(NOON)
    page.goto(f"/e/{slug}/screen/")
    return page


def page_label(page) -> tuple[int, int]:
    """Which page of how many the projector says it shows."""
    found = PAGE.search(page.locator("footer").inner_text())
    return (int(found[1]), int(found[2]))


def titles_and_rows(page) -> list[tuple[str, list[str]]]:
    """Goes through all pages; on each nothing may be cut."""
    _, pages = page_label(page)
    seen, titles = [], set()
    for number in range(1, pages + 1):
        assert page_label(page) == (number, pages)
        assert page.evaluate(CUT) == []
        assert page.evaluate(SMALLEST_TYPE) > 0.015
        title = page.get_by_role("heading", level=1).inner_text()
        seen += [(title, row) for row in page.evaluate(ROWS)]
        page.clock.run_for((12 if title in titles else 20) * SECOND)
        titles.add(title)
    assert page_label(page) == (1, pages)
    return seen


def switch(server, page, slug: str, shows: str, title: str) -> None:
    """At the desk; the projector follows with its next question."""
    server.browser("assistant").post(f"/e/{slug}/desk/screen/", {"shows": shows})
    page.clock.run_for(6 * SECOND)
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1366, 768), (1920, 1080)])
@pytest.mark.parametrize("teams", [48, 200])
def test_every_table_and_team_is_shown_once_and_whole(visit, server, teams, width, height):
    slug = f"screen-{teams}"
    page = open_screen(visit, slug, {"width": width, "height": height})
    switch(server, page, slug, "clock", "第 2 轮")
    assert page.evaluate(CUT) == []
    switch(server, page, slug, "draw", BY_TABLE)
    seen = titles_and_rows(page)
    by_table = [row for title, row in seen if title == BY_TABLE]
    by_number = [row for title, row in seen if title == "第 2 轮座位 · 按组号"]
    assert [int(row[0]) for row in by_table] == list(range(1, teams // 2 + 1))
    assert [int(row[0]) for row in by_number] == list(range(1, teams + 1))
    for number, names in LONG_NAMES.items():
        if number <= teams:
            assert all(name in "".join(by_number[number - 1]) for name in names)
    switch(server, page, slug, "standings", STANDINGS)
    assert sorted(int(row[1]) for _, row in titles_and_rows(page)) == list(range(1, teams + 1))


def test_pages_turn_and_a_new_result_leaves_the_page_where_it_is(visit, server):
    page = open_screen(visit, "screen-turn")
    expect(page.get_by_role("heading", level=1)).to_have_text(BY_TABLE)
    table, home, *_names, _versus, away, _name, _dot, _partner = page.evaluate(ROWS)[1]
    switch(server, page, "screen-turn", "standings", STANDINGS)
    page.clock.run_for(18 * SECOND)
    assert page_label(page) == (1, 2)
    page.clock.run_for(3 * SECOND)
    assert page_label(page) == (2, 2)

    levels = {"version": 0, "home": home, "away": away, "home_level": 5, "away_level": 5}
    assert (
        server.browser("assistant").save(f"/e/screen-turn/desk/s1/r2/results/{table}/", levels).status == 200
    )
    shown = page.evaluate(f"`${{({ROWS})()}}`")
    page.clock.run_for(6 * SECOND)
    page.wait_for_function(f"(before) => `${{({ROWS})()}}` !== before", arg=shown)
    assert page_label(page) == (2, 2)
    page.clock.run_for(6 * SECOND)
    assert page_label(page) == (1, 2)


def test_when_the_server_is_away_the_last_picture_stays_and_tells_its_age(visit):
    page = open_screen(visit, "screen-away")
    expect(page.get_by_role("heading", level=1)).to_have_text(BY_TABLE)
    rows = page.evaluate(ROWS)
    age = page.get_by_text("连接中断")
    page.clock.run_for(6 * SECOND)
    expect(age).to_be_hidden()
    page.context.set_offline(True)
    page.clock.run_for(8 * SECOND)
    expect(age).to_be_hidden()
    page.clock.run_for(14 * SECOND)
    expect(age).to_be_visible()
    assert re.search(r"显示 \d\d:\d\d 的数据", page.locator("footer").inner_text())
    page.clock.run_for(20 * SECOND)
    assert page.evaluate(ROWS) == rows
    page.context.set_offline(False)
    page.clock.run_for(6 * SECOND)
    expect(age).to_be_hidden()
