"""The projector pages: every row whole at every resolution, every team seen, steered from the desk."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import TimeoutError, expect

from tests.browser.hall import PHONE, PROJECTOR
from tests.browser.names import LONG_NAMES, SCREEN_KEY

SECOND = 1_000
NOON = datetime(2026, 12, 5, 12, tzinfo=UTC)
"""The time on these projectors' own clocks; it stands still until a test lets it go on."""
STANDINGS = "排名 · 第 2 轮进行中"
BY_TABLE = "第 2 轮对阵 · 按桌号"
PAGE = re.compile(r"第 (\d+) / (\d+) 页")
SIZES = [(1024, 768), (1366, 768), (1920, 1080), (3840, 2160)]
FAULTS = """() => {
    const floor = document.getElementById("scenes").getBoundingClientRect().bottom + 1;
    const shown = [...document.querySelectorAll(".row.on, .scene.on *:not(svg, svg *), h1, footer > *")]
        .filter((part) => part.clientWidth && getComputedStyle(part).textOverflow !== "ellipsis");
    const isOutside = (part) => {
        const box = part.getBoundingClientRect();
        return part.closest(".scene") && (box.bottom > floor || box.right > innerWidth + 1);
    };
    const isCut = (part) => part.scrollWidth > part.clientWidth + 1;
    const isWrapped = (part) => part.closest(".row") && part.tagName !== "LI"
        && part.clientHeight > parseFloat(getComputedStyle(part).fontSize) * 1.6;
    const faults = shown.filter((part) => isOutside(part) || isCut(part) || isWrapped(part));
    const page = document.documentElement;
    const isLong = page.scrollHeight > innerHeight || page.scrollWidth > innerWidth;
    return faults.map((part) => part.textContent).concat(isLong ? ["the page"] : []);
}"""
"""What is cut, wrapped or outside the screen."""
ROWS = """() => [...document.querySelectorAll(".row.on")]
    .map((row) => row.innerText.split(/\\s+/).filter(Boolean))"""
SMALLEST_TYPE = """() => {
    const says = (part) => [...part.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
    const shown = [...document.querySelectorAll(".scene.on *:not(svg *)")].filter((part) => part.clientWidth);
    const sizes = shown.filter(says).map((part) => parseFloat(getComputedStyle(part).fontSize));
    return Math.min(...sizes) / innerHeight;
}"""
SHORTEST = 8
"""Seconds that every page stays; the first stays up to 20."""
READABLE = 0.024
"""The smallest type as a share of the screen's height: what a last row in 12 metres can read."""


def open_screen(visit, slug, viewport=PROJECTOR, key=""):
    page = visit(viewport=viewport)
    page.clock.install(time=0)
    page.clock.pause_at(NOON)
    page.goto(f"/e/{slug}/screen/" + (f"{key}/" if key else ""))
    return page


def resize(page, width: int, height: int) -> None:
    """Another projector; the page lays itself out anew before anything is measured."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("(size) => `${innerWidth} ${innerHeight}` === size", arg=f"{width} {height}")
    page.evaluate("dispatchEvent(new Event('resize'))")


def heading(page):
    return page.get_by_role("heading", level=1)


def page_label(page) -> tuple[int, int]:
    """Which page of how many the projector says it shows."""
    found = PAGE.search(page.locator("footer").inner_text())
    return (int(found[1]), int(found[2])) if found else (1, 1)


def ask_until(page, seen, state="visible") -> None:
    """Lets the projector ask until it shows what the desk chose: one question may be on its way already."""
    for _question in range(3):
        page.clock.run_for(5 * SECOND)
        try:
            seen.wait_for(state=state, timeout=3 * SECOND)
        except TimeoutError:
            continue
        return
    seen.wait_for(state=state, timeout=3 * SECOND)


def ask_until_other_rows(page, shown: str) -> None:
    """The same for rows that change."""
    for _question in range(2):
        page.clock.run_for(5 * SECOND)
        try:
            page.wait_for_function(f"(before) => `${{({ROWS})()}}` !== before", arg=shown, timeout=3 * SECOND)
        except TimeoutError:
            continue
        return
    raise AssertionError("the rows never changed")


def wait_for_next(page) -> None:
    """Until the page turns, which takes no longer than the first one stays."""
    before, pages = page_label(page)
    if pages == 1:
        return
    page.clock.run_for(SHORTEST * SECOND)
    for _second in range(22 - SHORTEST):
        page.clock.run_for(SECOND)
        if page_label(page)[0] != before:
            return
    assert pages == 1, "the page never turned"


def switch(server, page, slug: str, shows: str, title: str) -> None:
    """At the desk; the projector follows with its next question."""
    server.browser("assistant").post(f"/e/{slug}/desk/screen/", {"shows": shows})
    ask_until(page, page.locator("h1", has_text=title))
    expect(heading(page)).to_have_text(title)


def steer(server, slug: str, act: str) -> None:
    """Presses a button of the first screen on the page of screens."""
    path = f"/e/{slug}/desk/screens/"
    found = re.search(r"screens/(\d+)/steer/", server.browser("assistant").get(path).text)
    assert server.browser("assistant").post(f"{path}{found[1]}/steer/", {"act": act}).status == 303


def shown_alone(server, page, slug: str, role: str, scene: str) -> None:
    steer(server, slug, role)
    ask_until(page, page.locator(f"#scenes:not(:has(.scene:not(.scene-{scene}))) .scene.on"))
    expect(page.locator(f".scene:not(.scene-{scene})")).to_have_count(0)
    expect(page.locator(f".scene.on.scene-{scene}").first).to_be_visible()


@pytest.mark.parametrize(
    "teams", [48, pytest.param(200, marks=pytest.mark.soak), pytest.param(600, marks=pytest.mark.soak)]
)
def test_no_row_is_cut_or_wrapped_and_every_team_is_shown_once(visit, server, teams):
    slug = f"screen-{teams}"
    page = open_screen(visit, slug, key=SCREEN_KEY)
    wanted = {
        "tables": (0, list(range(1, teams // 2 + 1))),
        "numbers": (0, list(range(1, teams + 1))),
        "standings": (1, list(range(1, teams + 1))),
    }
    for role, (column, numbers) in wanted.items():
        shown_alone(server, page, slug, role, "draw" if role == "tables" else role)
        for width, height in SIZES[1:]:
            resize(page, width, height)
            assert (role, width, page.evaluate(FAULTS)) == (role, width, [])
            assert page.evaluate(SMALLEST_TYPE) > READABLE - 0.0001
        resize(page, *SIZES[0])
        seen = []
        _, pages = page_label(page)
        for number in range(1, pages + 1):
            assert page_label(page)[0] == number
            assert (role, number, page.evaluate(FAULTS)) == (role, number, [])
            assert page.evaluate(SMALLEST_TYPE) > READABLE - 0.0001
            seen += [int(row[column]) for row in page.evaluate(ROWS)]
            wait_for_next(page)
        assert sorted(seen) == numbers
    full = page.locator(".names").evaluate_all("(all) => all.map((each) => each.title || each.textContent)")
    assert " · ".join(LONG_NAMES[3]) in full


@pytest.mark.parametrize(
    ("slug", "role", "scene"),
    [
        ("screen-200", "clock", "clock"),
        ("screen-200", "code", "code"),
        ("bracket", "bracket", "bracket"),
        ("names-bracket", "bracket", "bracket"),
    ],
)
def test_what_stands_alone_fits_too(visit, server, slug, role, scene):
    page = open_screen(visit, slug, key=SCREEN_KEY)
    shown_alone(server, page, slug, role, scene)
    for width, height in SIZES:
        resize(page, width, height)
        assert (width, page.evaluate(FAULTS)) == (width, [])


@pytest.mark.parametrize("notice", ["12 桌", "请第 12 桌到裁判台，带上成绩单", "请所有选手回到座位。" * 20])
def test_a_notice_is_as_large_as_it_fits(visit, server, notice):
    page = open_screen(visit, "screen-48", key=SCREEN_KEY)
    path = "/e/screen-48/desk/screens/"
    number = re.search(r"screens/(\d+)/steer/", server.browser("assistant").get(path).text)[1]
    server.browser("assistant").post(f"{path}notice/", {"notice": notice, "screens": number})
    ask_until(page, page.locator(".scene-notice"))
    expect(page.get_by_text(notice)).to_be_visible()
    for width, height in SIZES:
        resize(page, width, height)
        assert (width, page.evaluate(FAULTS)) == (width, [])
    assert page.evaluate(SMALLEST_TYPE) > (0.19 if len(notice) < 5 else 0.04)
    server.browser("assistant").post(f"{path}notice/", {"take_down": "1", "screens": number})


@pytest.mark.parametrize("role", ["tables", "numbers", "standings", "clock", "code"])
def test_a_phone_scrolls_down_only(visit, server, role):
    page = open_screen(visit, "screen-200", PHONE, key=SCREEN_KEY)
    steer(server, "screen-200", role)
    page.clock.run_for(5 * SECOND)
    expect(page.locator(".scene").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_desk_turns_holds_and_lets_go_within_one_question(visit, server):
    slug = "screen-turn"
    page = open_screen(visit, slug, key=SCREEN_KEY)
    shown_alone(server, page, slug, "standings", "standings")
    first, pages = page_label(page)
    assert (first, pages > 1) == (1, True)
    for act, number in (("forward", 2), ("back", 1), ("back", pages), ("forward", 1)):
        steer(server, slug, act)
        page.clock.run_for(5 * SECOND)
        page.wait_for_function(
            "(text) => document.querySelector('[data-page]').textContent.includes(text)", arg=f"第 {number} /"
        )
    steer(server, slug, "hold")
    page.clock.run_for(5 * SECOND)
    expect(page.locator("body[data-held]")).to_be_visible()
    page.clock.run_for(60 * SECOND)
    assert page_label(page) == (1, pages)
    steer(server, slug, "release")
    page.clock.run_for(5 * SECOND)
    expect(page.locator("body:not([data-held])")).to_be_visible()
    page.clock.run_for(21 * SECOND)
    assert page_label(page) == (2, pages)
    with page.expect_response(re.compile(f"page=2&pages={pages}")):
        page.clock.run_for(5 * SECOND)
    assert f"排名 · 第 2 / {pages} 页" in server.browser("assistant").get(f"/e/{slug}/desk/screens/").text


def test_pages_turn_and_a_new_result_leaves_the_page_where_it_is(visit, server):
    page = open_screen(visit, "screen-turn")
    expect(heading(page)).to_have_text(BY_TABLE)
    table, home, *_names, _versus, away, _name, _dot, _partner = page.evaluate(ROWS)[1]
    switch(server, page, "screen-turn", "standings", STANDINGS)
    _, pages = page_label(page)
    page.clock.run_for(14 * SECOND)
    assert page_label(page) == (1, pages), "the first page stays for longer"
    wait_for_next(page)
    assert page_label(page) == (2, pages)

    levels = {"version": 0, "home": home, "away": away, "home_level": 5, "away_level": 5}
    assert (
        server.browser("assistant").save(f"/e/screen-turn/desk/s1/r2/results/{table}/", levels).status == 200
    )
    shown = page.evaluate(f"`${{({ROWS})()}}`")
    ask_until_other_rows(page, shown)
    assert page_label(page) == (2, pages)
    page.clock.run_for(7 * SECOND)
    assert page_label(page)[0] != 2


def test_when_the_server_is_away_the_last_picture_stays_and_tells_its_age(visit):
    page = open_screen(visit, "screen-away")
    expect(heading(page)).to_have_text(BY_TABLE)
    rows = page.evaluate(ROWS)
    age = page.get_by_text("连接中断")
    page.clock.run_for(5 * SECOND)
    expect(age).to_be_hidden()
    page.context.set_offline(True)
    page.clock.run_for(8 * SECOND)
    expect(age).to_be_hidden()
    page.clock.run_for(22 * SECOND)
    expect(age).to_be_visible()
    assert re.search(r"数据 \d\d 秒前", age.inner_text())
    page.clock.run_for(110 * SECOND)
    assert "数据 2 分钟前" in age.inner_text()
    assert all(row in rows or len(row) == 5 for row in page.evaluate(ROWS))
    page.context.set_offline(False)
    ask_until(page, page.locator("[data-age]:empty"), state="attached")
    expect(age).to_be_hidden()


def test_after_a_restart_of_the_browser_without_a_server_the_last_picture_is_there(visit, server):
    """The browser brings back its own, older copy of the page; what was kept last takes its place."""
    page = open_screen(visit, "screen-away")
    expect(heading(page)).to_have_text(BY_TABLE)
    switch(server, page, "screen-away", "standings", STANDINGS)
    rows = page.evaluate(ROWS)
    page.goto("about:blank")
    page.context.set_offline(True)
    page.go_back()
    expect(heading(page)).to_have_text(STANDINGS)
    assert page.evaluate(ROWS) == rows
    assert "45:00" in page.locator("header").inner_text()
    page.clock.run_for(20 * SECOND)
    expect(page.get_by_text("连接中断")).to_be_visible()
    page.context.set_offline(False)
    ask_until(page, page.locator("[data-age]:empty"), state="attached")
    server.browser("assistant").post("/e/screen-away/desk/screen/", {"shows": "auto"})


def test_the_tables_are_put_up_one_by_one_until_the_chief_skips(visit, server):
    page = visit(viewport=PROJECTOR)
    moment = {"state": "idle", "now": 0, "length": 2700, "remaining": 2700, "ends_at": None, "round": 2}
    page.route("**/clock.json", lambda route: route.fulfill(json=moment))
    page.clock.install(time=0)
    page.clock.pause_at(NOON)
    page.goto(f"/e/screen-reveal/screen/{SCREEN_KEY}/")
    desk = visit("chief")
    desk.goto("/e/screen-reveal/desk/draw/")
    desk.get_by_role("button", name="公示，并在大屏逐桌揭晓").click()
    expect(desk.get_by_text("大屏正在逐桌揭晓")).to_be_visible()
    page.clock.run_for(5 * SECOND)
    card = page.locator(".scene-ceremony")
    card.wait_for(state="attached")
    start = int(card.get_attribute("data-start")) * SECOND

    def seconds_later(seconds: int) -> list[int]:
        """The tables that are up so long after the start."""
        moment["now"] = start + seconds * SECOND
        with page.expect_response("**/clock.json"):
            page.evaluate("dispatchEvent(new Event('online'))")
        page.clock.run_for(SECOND)
        return [int(row[0]) for row in page.evaluate(ROWS) if row]

    assert seconds_later(2) == []
    expect(page.get_by_role("heading", level=2, name="第 2 轮 · 抽签揭晓")).to_be_visible()
    expect(page.get_by_text("抽签种子")).to_be_visible()
    assert seconds_later(7) == [1]
    assert heading(page).inner_text() == BY_TABLE
    assert seconds_later(20) == list(range(1, 9))
    assert page.evaluate(FAULTS) == []
    desk.get_by_role("button", name="跳过，直接显示全部").click()
    expect(desk.get_by_text("大屏正在逐桌揭晓")).to_be_hidden()
    page.clock.run_for(5 * SECOND)
    expect(page.locator("body.ceremony")).to_have_count(0)
    assert [int(row[0]) for row in page.evaluate(ROWS)] == list(range(1, 25))
