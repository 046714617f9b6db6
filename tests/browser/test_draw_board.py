"""The chief draws, looks, swaps by two numbers and publishes by keyboard alone; a player asks why."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.hall import PHONE


def test_draw_swap_and_publish_by_keyboard(visit):
    page = visit("chief")
    page.goto("/e/keys/desk/draw/")
    expect(page.get_by_role("button", name="编排第 1 轮")).to_be_focused()
    page.keyboard.press("Enter")
    box = page.get_by_label("换两支队")
    expect(box).to_be_focused()
    page.keyboard.type("2 3")
    expect(page.locator("#swap-preview")).to_contain_text("不会违反规则")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="交换", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("这些桌与程序排出的不同")).to_be_visible()
    expect(box).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="公示第 1 轮")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 桌经主裁判调整（1、2 号桌）：未写原因")).to_be_visible()

    phone = visit(viewport=PHONE)
    phone.goto("/e/keys/s1/r1/draw/")
    phone.get_by_role("link", name="3 号桌：为什么是这两队").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("第 1 轮 3 号桌：为什么是这两队")
    expect(phone.get_by_text("5 队后面第一支还没有对手、又可以相遇的，就是 6 队。")).to_be_visible()


def test_the_warnings_of_the_hall_come_while_typing(visit):
    page = visit("chief")
    page.goto("/e/keys/desk/tables/")
    page.get_by_label("从哪一桌").fill("1")
    page.get_by_label("到", exact=True).fill("3")
    expect(page.get_by_text("要 4 张桌，只有 3 张可用。")).to_be_visible()
    page.get_by_label("到", exact=True).fill("30")
    expect(page.get_by_text("可以这样设，没有对阵要换桌。")).to_be_visible()
    page.get_by_role("button", name="保存").click()
    expect(page).to_have_url(re.compile(r"/desk/tables/$"))
    expect(page.get_by_label("到", exact=True)).to_have_value("30")
