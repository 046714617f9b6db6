"""The day of a tournament, from the empty event to the final ranking, by everybody who takes part in it."""

from __future__ import annotations

import re
from io import BytesIO

from openpyxl import Workbook, load_workbook
from playwright.sync_api import expect
from pypdf import PdfReader

from tests.browser.hall import PHONE, PROJECTOR
from tests.builders import player_name

TEAMS, TABLES, UNITS = 13, 6, ("数学学院", "图书馆", "后勤集团", "外国语学院")
SLUG, DESK = "staff-cup", "/e/staff-cup/desk/"
OFFICIALS = {"zhou": ("周明", "主裁判"), "zhang": ("张静", "裁判助理"), "li": ("李强", "裁判助理")}
PASSWORD = "guandan-2026"


def names(team: int) -> tuple[str, str]:
    """The two players of a team."""
    return (player_name(2 * team), player_name(2 * team + 1))


def roster(*, with_errors: bool) -> bytes:
    """The Excel file as the departments sent it: a title, a header, a row a team."""
    book = Workbook()
    sheet = book.active
    sheet.append(["2026 教工掼蛋赛报名表"])
    sheet.merge_cells("A1:C1")
    sheet.append(["单位", "姓名1", "姓名2"])
    for team in range(1, TEAMS + 1):
        sheet.append([UNITS[team % len(UNITS)], *names(team)])
    if with_errors:
        sheet["C6"] = None
        sheet["B9"], sheet["C9"] = names(1)
    stream = BytesIO()
    book.save(stream)
    return stream.getvalue()


def sign_in(page, account: str, password: str) -> None:
    page.goto("/login/")
    page.get_by_label("账号").fill(account)
    page.get_by_label("密码").fill(password)
    page.get_by_role("button", name="登录").click()
    expect(page.get_by_role("heading", name="赛事")).to_be_visible()


def press(page, name: str, role: str = "button") -> None:
    page.get_by_role(role, name=name).click()


def upload(page, content: bytes) -> None:
    page.goto(f"{DESK}roster/import/")
    page.get_by_label("名单文件").set_input_files(
        {"name": "报名表.xlsx", "mimeType": "application/octet-stream", "buffer": content}
    )
    press(page, "读取文件")


def type_result(page, table: int, home: str, away: str) -> None:
    """As an official does who never looks up from the slips: back to the table number, then three entries."""
    page.keyboard.press("Escape")
    for keys in (str(table), home, away):
        page.keyboard.type(keys)
        page.keyboard.press("Enter")


def downloaded(page, link: str) -> bytes:
    """What stands behind a link, fetched in this browser's session."""
    href = page.get_by_role("link", name=link, exact=True).first.get_attribute("href")
    response = page.request.get(href)
    assert response.ok
    return response.body()


def pdf_text(content: bytes) -> str:
    """All text, without blanks."""
    return re.sub(r"\s", "", "".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages))


def create_event(page) -> None:
    page.goto("/")
    press(page, "新建赛事", "link")
    page.get_by_label("赛事名称").fill("2026 教工掼蛋赛")
    page.get_by_label("地点").fill("活动中心")
    page.get_by_label("网址简称").fill(SLUG)
    page.get_by_label("教工瑞士赛").check()
    page.get_by_label("轮数").fill("2")
    press(page, "创建赛事")
    expect(page.get_by_role("heading", name="2026 教工掼蛋赛")).to_be_visible()


def appoint_officials(page) -> None:
    for account, (name, role) in OFFICIALS.items():
        page.goto("/users/new/")
        page.get_by_label("账号").fill(account)
        page.get_by_label("姓名").fill(name)
        page.get_by_label(role).check()
        page.get_by_label("密码").fill(PASSWORD)
        press(page, "创建用户")
        page.goto(f"{DESK}officials/")
        people = page.get_by_label("用户")
        people.select_option(people.locator("option", has_text=name).get_attribute("value"))
        press(page, "安排")
        expect(page.get_by_role("cell", name=name)).to_be_visible()


def import_roster(page) -> None:
    upload(page, roster(with_errors=True))
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("有 2 处需要先改正")
    expect(alert).to_contain_text("第 6 行“姓名2”")
    expect(alert).to_contain_text("第 9 行“姓名1”：这一队与第 3 行重复")
    expect(page.get_by_role("row", name=re.compile("^6 .*缺少搭档"))).to_be_visible()
    expect(page.get_by_role("row", name=re.compile("^9 .*重复"))).to_be_visible()
    expect(page.get_by_role("button", name="存入")).to_have_count(0)
    upload(page, roster(with_errors=False))
    press(page, f"存入 {TEAMS} 队")
    expect(page.get_by_text(f"{TEAMS} 队 · 4 个单位")).to_be_visible()


def swap(page, first: int, second: int) -> None:
    """Ticks the two teams on the draft and asks what a swap would do."""
    for team in (first, second):
        page.get_by_role("checkbox", name=re.compile(rf"^{team} ")).check()
    press(page, "交换，或指定两队…")


def draw_and_publish_first_round(page, spectator) -> None:
    page.goto(DESK)
    press(page, "编排第 1 轮", "link")
    press(page, "编排第 1 轮")
    expect(page.get_by_role("heading", level=1)).to_contain_text("第 1 轮草稿")
    assert spectator.request.get(f"/e/{SLUG}/s1/r1/draw/").status == 404
    swap(page, 2, 5)
    expect(page.get_by_text("1 队与 5 队同单位")).to_be_visible()
    press(page, "仍然交换")
    expect(page.get_by_text("违反规则 2 处")).to_be_visible()
    swap(page, 2, 5)
    expect(page.get_by_text("不会违反规则")).to_be_visible()
    page.get_by_role("button", name="交换", exact=True).click()
    expect(page.get_by_text("没有违反规则")).to_be_visible()
    press(page, "公示第 1 轮")
    expect(page.get_by_text("已公示")).to_be_visible()
    assert spectator.request.get(f"/e/{SLUG}/s1/r1/draw/").ok


def start_the_clock(page, projector) -> None:
    """The projector shows the tables until then."""
    expect(projector.get_by_role("heading", level=1)).to_have_text("第 1 轮对阵 · 按桌号")
    page.goto(DESK)
    press(page, "开始计时")
    expect(page.get_by_role("button", name="暂停")).to_be_visible()
    timers = [shown.get_by_role("timer").filter(visible=True).first for shown in (page, projector)]
    for timer in timers:
        expect(timer).to_have_text(re.compile(r"4[45]:\d\d"))
    expect(projector.get_by_text("比赛进行中")).to_be_visible()


def box(page, table: int, side: str):
    """The box for a side's level."""
    return page.get_by_role("textbox", name=f"{table} {side}级", exact=True)


def enter_results_at_once(zhang, li) -> None:
    """Each with tables of their own, then both at one table, then a level of 23."""
    for official in (zhang, li):
        official.goto(f"{DESK}results/")
        expect(official.get_by_label("桌号", exact=True)).to_be_focused()
    for own, others in ((1, 2), (3, 4)):
        type_result(zhang, own, "k", "7")
        type_result(li, others, "+", "10")
    for official, table in ((zhang, 4), (li, 3)):
        official.keyboard.press("Escape")
        expect(official.get_by_role("row", name=re.compile(f"^{table} "))).to_contain_text("已存")

    zhang.keyboard.type("5")
    zhang.keyboard.press("Enter")
    zhang.keyboard.type("9")
    type_result(li, 5, "10", "9")
    expect(li.get_by_text("第 5 桌已保存")).to_be_visible()
    for keys in ("Enter", "8", "Enter"):
        zhang.keyboard.press(keys)
    alert = zhang.get_by_role("alert")
    expect(alert).to_contain_text("李强")
    expect(alert.get_by_role("definition").nth(0)).to_contain_text("10 : 9")
    expect(alert.get_by_role("definition").nth(1)).to_contain_text("9 : 8")
    expect(alert).to_be_focused()
    for _ in range(2):
        zhang.keyboard.press("Tab")
    zhang.keyboard.press("Enter")
    expect(zhang.get_by_text("第 5 桌已保存")).to_be_visible()

    type_result(li, 6, "23", "4")
    expect(li.get_by_text("第 6 桌没有保存")).to_be_visible()
    assert [box(li, 6, side).input_value() for side in ("主队", "客队")] == ["23", "4"]
    expect(box(li, 6, "主队")).to_be_focused()


def see_the_new_result(chief, li, projector, phone) -> None:
    """The last result of the round is mended, and stands on the projector within ten seconds."""
    press(chief, "排名")
    expect(projector.get_by_role("heading", level=1)).to_have_text("排名 · 第 1 轮进行中")
    for keys in ("a", "4"):
        li.keyboard.type(keys)
        li.keyboard.press("Enter")
    expect(li.get_by_text("第 6 桌已保存")).to_be_visible()
    row = projector.get_by_role("listitem").filter(has_text=names(11)[0])
    expect(row).to_contain_text("23")
    phone.goto(f"/e/{SLUG}/s1/standings/")
    expect(phone.get_by_role("row", name=re.compile(names(11)[0]))).to_contain_text("23")
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def print_the_round(page) -> None:
    page.goto(f"{DESK}prints/")
    by_table, by_number, slips = (
        pdf_text(downloaded(page, f"{name} PDF"))
        for name in ("对阵表（按桌号）", "座位表（按组号）", "成绩单（每页四张）")
    )
    for team in range(1, TEAMS + 1):
        for name in names(team):
            assert name in by_table
            assert name in by_number
            assert name in slips or team == TEAMS
    assert "2026教工掼蛋赛" in by_table
    assert re.search(f"6.*{names(11)[0]}.*{names(12)[0]}", by_table)


def close_and_go_on(page) -> None:
    page.goto(DESK)
    press(page, "结束第 1 轮")
    press(page, "编排第 2 轮", "link")
    press(page, "编排第 2 轮")
    expect(page.get_by_text("没有违反规则")).to_be_visible()
    press(page, "公示第 2 轮")
    page.goto(DESK)
    press(page, "开始计时")


def finish(chief, zhang) -> None:
    zhang.goto(f"{DESK}results/")
    for table in range(1, TABLES + 1):
        type_result(zhang, table, "10", str(table + 1))
    expect(zhang.get_by_text("都有成绩了")).to_be_visible()
    chief.goto(DESK)
    press(chief, "结束第 2 轮")
    press(chief, "打印最终排名", "link")


def final_ranking(page) -> tuple[str, list[tuple[object, ...]]]:
    """The text of the PDF and the rows of the workbook."""
    section = page.get_by_role("heading", name="最终排名").locator("..")
    paper = page.request.get(section.get_by_role("link", name="PDF").get_attribute("href"))
    workbook = page.request.get(section.get_by_role("link", name="Excel").get_attribute("href"))
    sheet = load_workbook(BytesIO(workbook.body())).active
    return (pdf_text(paper.body()), list(sheet.iter_rows(min_row=2, values_only=True)))


def test_the_day_from_the_empty_event_to_the_final_ranking(visit):
    administrator, chief, zhang, li = (visit() for _ in range(4))
    sign_in(administrator, "administrator", "pw-administrator")
    create_event(administrator)
    appoint_officials(administrator)

    sign_in(zhang, "zhang", PASSWORD)
    import_roster(zhang)

    sign_in(chief, "zhou", PASSWORD)
    phone, projector = visit(viewport=PHONE), visit(viewport=PROJECTOR)
    projector.goto(f"/e/{SLUG}/screen/")
    draw_and_publish_first_round(chief, phone)
    print_the_round(zhang)
    start_the_clock(chief, projector)

    sign_in(li, "li", PASSWORD)
    enter_results_at_once(zhang, li)
    see_the_new_result(chief, li, projector, phone)
    close_and_go_on(chief)
    finish(chief, zhang)

    paper, rows = final_ranking(chief)
    first, runner_up = names(11), names(5)
    assert f"冠军{''.join(first)}外国语学院·11号·44分" in paper
    assert f"亚军{''.join(runner_up)}图书馆·5号·39分" in paper
    assert [int(row[0]) for row in rows] == list(range(1, TEAMS + 1))
    assert [row[1] for row in rows][:2] == [11, 5]
    assert {tuple(row[2].split(" · ")) for row in rows} == {names(team) for team in range(1, TEAMS + 1)}
    assert sum(row[4] for row in rows) == 2 * TABLES * 26
