"""Formats as officials see them: groups and a bracket, a final of three games, a table deal by deal."""

from __future__ import annotations

import re
from io import BytesIO

from openpyxl import Workbook
from playwright.sync_api import expect

from tests.browser.hall import PHONE, PROJECTOR
from tests.browser.test_day import downloaded, pdf_text, press, type_result
from tests.builders import player_name

TEAMS, GROUPS, UNITS = (
    24,
    4,
    ("数学学院", "图书馆", "后勤集团", "外国语学院", "附属医院", "机关", "出版社", "体育部"),
)
SLUG, DESK = "units-cup", "/e/units-cup/desk/"
SEATED = """() => [...document.querySelectorAll("#results tbody.result")].map((row) => {
    const sides = ["home", "away"].map((side) => row.querySelector(`[name=${side}]`).value);
    return [row.dataset.table, ...sides].map(Number);
})"""
SAVE_ALL = """async () => {
    for (const row of document.querySelectorAll("#results tbody.result")) {
        const form = row.querySelector("form"), [home, away] = row.querySelectorAll(".level-box");
        const wins = Number(form.elements.home.value) < Number(form.elements.away.value);
        [home.value, away.value] = wins ? ["+", "6"] : ["6", "+"];
        const answer = await fetch(form.action, {method: "POST", body: new FormData(form)});
        if (!answer.ok) throw new Error(`${form.action}: ${answer.status}`);
        home.value = home.defaultValue;
        away.value = away.defaultValue;
    }
}"""
"""The lower number wins everywhere, sent as the page without script would send it."""


def roster() -> bytes:
    """Four players a team, one team a unit and group."""
    book = Workbook()
    sheet = book.active
    sheet.append(["组号", "单位", "姓名1", "姓名2", "姓名3", "姓名4"])
    for team in range(1, TEAMS + 1):
        players = [player_name(4 * team + place) for place in range(4)]
        sheet.append([team, UNITS[team % len(UNITS)], *players])
    stream = BytesIO()
    book.save(stream)
    return stream.getvalue()


def create_from_preset(page) -> None:
    page.goto("/events/new/")
    page.get_by_label("赛事名称").fill("2026 单位团体赛")
    page.get_by_label("网址简称").fill(SLUG)
    page.get_by_label("单位团体赛").check()
    press(page, "创建赛事")
    expect(page.get_by_role("heading", name="2026 单位团体赛")).to_be_visible()
    page.goto(f"{DESK}roster/import/")
    file = {"name": "报名表.xlsx", "mimeType": "application/octet-stream", "buffer": roster()}
    page.get_by_label("名单文件").set_input_files(file)
    press(page, "读取文件")
    press(page, f"存入 {TEAMS} 队")
    expect(page.get_by_text(f"{TEAMS} 队 · {len(UNITS)} 个单位")).to_be_visible()


def draw_stage(page, button: str) -> None:
    """From the desk to the page of stages, where groups or bracket are drawn, and on to the draw board."""
    page.goto(DESK)
    press(page, "开始本阶段", "link")
    press(page, button)
    page.get_by_role("main").get_by_role("link", name="编排", exact=True).click()


def publish_round(page, number: int) -> None:
    press(page, f"编排第 {number} 轮")
    press(page, f"公示第 {number} 轮")
    expect(page.get_by_text("已公示")).to_be_visible()


def enter_by_keyboard(page) -> list[int]:
    """The lower number wins at every table; the losers' numbers by table."""
    page.goto(f"{DESK}results/")
    expect(page.get_by_label("桌号", exact=True)).to_be_focused()
    seated = page.evaluate(SEATED)
    for table, home, away in seated:
        levels = ("+", "9") if home < away else ("9", "+")
        type_result(page, table, *levels)
    expect(page.get_by_text("都有成绩了")).to_be_visible()
    expect(page.locator("#progress")).to_contain_text(f"{len(seated)} / {len(seated)}")
    return [max(home, away) for _table, home, away in seated]


def close_round(page, number: int) -> None:
    page.goto(DESK)
    press(page, f"结束第 {number} 轮")


def play_groups(page) -> None:
    """Five rounds: the first by keyboard with the clock, the others filled."""
    publish_round(page, 1)
    page.goto(DESK)
    press(page, "开始计时")
    expect(page.get_by_role("button", name="暂停")).to_be_visible()
    enter_by_keyboard(page)
    close_round(page, 1)
    for number in range(2, 6):
        press(page, f"编排第 {number} 轮", "link")
        publish_round(page, number)
        page.goto(f"{DESK}results/")
        page.evaluate(SAVE_ALL)
        close_round(page, number)


def see_groups(page, phone) -> list[int]:
    """Everybody met everybody, and the two lowest numbers of each group go on: those who do."""
    phone.goto(f"/e/{SLUG}/s1/cross-table/")
    going_on = []
    for group in "ABCD":
        table = phone.get_by_role("region", name=f"{group} 组")
        advancing = table.get_by_role("row").filter(has_text="晋级")
        expect(advancing).to_have_count(2)
        numbers = [int(head.split()[0]) for head in table.get_by_role("rowheader").all_inner_texts()]
        first = [int(row.inner_text().split()[0]) for row in advancing.all()]
        assert sorted(first) == sorted(numbers)[:2]
        going_on += first
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    return sorted(going_on)


def test_groups_then_places_to_eight_from_the_preset(visit):
    chief, phone = visit("administrator"), visit(viewport=PHONE)
    create_from_preset(chief)
    draw_stage(chief, "抽签分组")
    play_groups(chief)
    best = see_groups(chief, phone)

    draw_stage(chief, "排出对阵图")
    for number in range(1, 4):
        publish_round(chief, number)
        losers = enter_by_keyboard(chief)
        assert len(losers) == 4
        close_round(chief, number)
        if number < 3:
            press(chief, f"编排第 {number + 1} 轮", "link")

    phone.goto(f"/e/{SLUG}/s2/bracket/")
    expect(phone.get_by_text(re.compile(f"^冠军 {best[0]} "))).to_be_visible()
    chief.goto(DESK)
    press(chief, "获奖名单与证书", "link")
    rows = chief.get_by_role("row").filter(has=chief.get_by_role("checkbox"))
    told = [re.split(r"\s+", row.inner_text().strip()) for row in rows.all()]
    assert [words[0] for words in told[:8]] == list("12345678")
    assert sorted(int(words[1]) for words in told[:8]) == best
    prizes = [next(word for word in words if word.endswith("奖")) for words in told]
    assert prizes == ["一等奖"] + ["二等奖"] * 3 + ["三等奖"] * 4 + ["优胜奖"] * 16
    paper = pdf_text(downloaded(chief, "获奖名单 PDF"))
    assert player_name(4 * best[0]) in paper


def test_a_final_decided_in_the_third_game_by_keyboard(visit):
    page = visit("assistant")
    page.goto("/e/final/desk/results/")
    expect(page.get_by_label("桌号", exact=True)).to_be_focused()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    for keys in ("+", "9", "k", "+", "+"):
        page.keyboard.type(keys)
        page.keyboard.press("Enter")
    page.keyboard.type("q")
    page.keyboard.press("Enter")
    expect(page.get_by_text("第 1 桌已保存")).to_be_visible()
    row = page.get_by_role("row", name=re.compile("^1 "))
    expect(row).to_contain_text("2 : 0")
    page.goto("/e/final/s1/bracket/")
    expect(page.get_by_text(re.compile("^冠军 1 "))).to_be_visible()


def deal(page, word: str) -> None:
    """One of the six buttons, and the page that it leads to."""
    page.get_by_role("button", name=re.compile(f"^{word}")).click()


def home_level(page):
    return page.locator(".sheet-side").first


def test_a_table_deal_by_deal_on_a_phone_back_to_j_and_over_a(visit):
    page = visit("assistant", viewport=PHONE)
    page.goto("/e/deals/desk/s1/r1/results/1/sheet/")
    for level in ("5", "8", "A"):
        deal(page, "主队双上")
        expect(home_level(page).locator(".sheet-level")).to_have_text(re.compile(f"{level}$"))
    for strike in (1, 2):
        deal(page, "主队 1、4")
        expect(home_level(page)).to_contain_text(f"{strike} / 3")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    deal(page, "主队 1、4")
    expect(home_level(page).locator(".sheet-level")).to_have_text(re.compile("J$"))
    expect(page.get_by_role("row").filter(has_text="主队退到 J")).to_be_visible()
    deal(page, "主队双上")
    expect(home_level(page).locator(".sheet-level")).to_have_text(re.compile("A$"))
    deal(page, "主队双上")
    expect(page.get_by_role("status").filter(has_text="主队胜")).to_contain_text("26 : 0")
    press(page, "交成绩")
    expect(page.get_by_text("✓ 已交")).to_be_visible()
    page.goto("/e/deals/desk/results/")
    expect(page.get_by_role("row", name=re.compile("^1 "))).to_contain_text("26 : 0")


def test_the_numbers_of_both_sides_have_room_on_the_projector(visit):
    page = visit(viewport=PROJECTOR)
    page.goto("/e/deals/screen/")
    numbers = page.locator(".row.on .team-no")
    expect(numbers).to_have_text(["1", "12"])
    assert [number.evaluate("(it) => it.scrollWidth - it.clientWidth") for number in numbers.all()] == [0, 0]
