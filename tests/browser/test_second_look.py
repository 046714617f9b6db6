"""The second look by keyboard, and a table's two phones."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.hall import PHONE
from tests.browser.test_pages import AXE, GRAVE_FINDINGS, WIDER_THAN_THE_WINDOW

LOOK_NOW = "dispatchEvent(new Event('online'))"
"""What a phone does that finds its network again; without it the page looks every few seconds."""
CHECKED, PHONES = "/e/checked/desk/s1/r1/", "/e/phones/desk/s1/r1/"


def typed(page, *lines: str) -> None:
    """Types table, levels and Enter after each, as officials do; the focus goes back to the table number."""
    for line in lines:
        for word in line.split():
            page.keyboard.type(word)
            page.keyboard.press("Enter")


def row(page, table: int):
    return page.locator(f"#table-{table}")


def test_two_officials_by_keyboard(visit):
    first = visit("assistant")
    first.goto(f"{CHECKED}results/")
    typed(first, "1 + 9", "2 a 10", "3 j 8")
    for table in (1, 2, 3):
        expect(row(first, table)).to_contain_text("未确认")
    second = visit("chief")
    second.goto(f"{CHECKED}check/")
    expect(row(second, 1).locator(".level-box").first).to_have_value("")
    second.keyboard.press("Enter")
    expect(second.locator("#say")).to_have_text("先填桌号。")
    typed(second, "1 + 9", "2 a 9")
    expect(row(second, 1)).to_contain_text("已确认")
    expect(row(second, 2)).to_contain_text("不一致")
    expect(row(first, 1)).to_contain_text("已确认")  # by itself, within a few seconds
    expect(row(first, 1).locator(".level-box")).to_have_count(0)
    second.reload()
    dispute = second.locator("#dispute-2")
    expect(dispute).to_contain_text(re.compile("A : 10.*李助理.*A : 9.*陈裁判", re.DOTALL))
    dispute.get_by_label("A : 9").check()
    dispute.get_by_label("原因").fill("以成绩单为准")
    dispute.get_by_role("button", name="裁定").click()
    expect(second.get_by_text("第 2 桌已裁定。")).to_be_visible()
    expect(second.locator(".dispute")).to_have_count(0)


def test_two_phones_of_a_table_and_a_call(visit):
    official = visit("chief")
    official.goto(f"{PHONES}codes/")
    address = official.get_by_role("link", name="打开").nth(1).get_attribute("href")
    home, away = visit(viewport=PHONE), visit(viewport=PHONE)
    for phone, number in ((home, "3"), (away, "4")):
        phone.goto(address)
        phone.get_by_role("button", name=re.compile(f"^{number} ")).click()
    home.get_by_label("我方级数").select_option("过A")
    home.get_by_label("对方级数").select_option("K")
    home.get_by_role("button", name="交给对方确认").click()
    expect(home.get_by_role("heading", name="等待对方确认")).to_be_visible()
    expect(away.get_by_role("heading", name="对方填写")).to_be_visible()  # by itself
    for phone in (home, away):
        phone.evaluate(AXE)
        assert phone.evaluate(GRAVE_FINDINGS) == []
        assert phone.evaluate(WIDER_THAN_THE_WINDOW) == 0
    away.get_by_text("叫裁判").click()
    away.get_by_role("button", name="缺牌").click()
    expect(away.get_by_text("已叫裁判")).to_be_visible()
    official.goto("/e/phones/desk/")
    official.locator(".call", has_text="第 2 桌叫裁判").get_by_role("button").click()
    away.evaluate(LOOK_NOW)
    expect(away.get_by_text("裁判已看到")).to_be_visible()
    away.get_by_role("button", name="对，就是这样").click()
    expect(away.get_by_role("heading", name="成绩已确认")).to_be_visible()
    home.evaluate(LOOK_NOW)
    expect(home.get_by_role("heading", name="成绩已确认")).to_be_visible()
    official.goto(f"{PHONES}results/")
    expect(row(official, 2)).to_contain_text("桌上")
    expect(row(official, 2)).to_contain_text("已确认")


def test_a_phone_without_a_network_says_so_and_goes_on(visit):
    official = visit("chief")
    official.goto(f"{PHONES}codes/")
    phone = visit(viewport=PHONE)
    phone.goto(official.get_by_role("link", name="打开").nth(2).get_attribute("href"))
    phone.get_by_role("button", name=re.compile("^5 ")).click()
    phone.get_by_label("我方级数").select_option("9")
    phone.context.set_offline(True)
    phone.evaluate(LOOK_NOW)
    expect(phone.get_by_text("现在没有网络")).to_be_visible()
    phone.context.set_offline(False)
    phone.evaluate(LOOK_NOW)
    expect(phone.get_by_text("现在没有网络")).to_be_hidden()
    expect(phone.get_by_label("我方级数")).to_have_value("9")
