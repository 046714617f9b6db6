"""签到 in the hall: by keyboard, by department on a phone; a late team takes the bye, who left comes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hall import DESK, PHONE

CHECK_IN = "/e/morning/desk/check-in/"


def check_in(page: Page, typed: str) -> None:
    """As an assistant does it: type, Enter, and the box is ready for the next."""
    box = page.get_by_label("组号或姓名")
    expect(box).to_be_focused()
    page.keyboard.type(typed)
    page.keyboard.press("Enter")
    expect(box).to_have_value("")


def test_the_morning_of_an_event(visit):
    assistant, helper, chief = (
        visit("assistant", viewport=DESK),
        visit("assistant", viewport=PHONE),
        visit("chief"),
    )
    for page in (assistant, helper):
        page.goto(CHECK_IN)
    check_in(assistant, "3")
    check_in(assistant, "5")
    expect(assistant.locator(".check-in-sum")).to_contain_text("2 / 9")

    department = helper.locator(".check-in-department").first
    department.get_by_role("button", name="全部签到").click()
    expect(department.locator(".check-in-row.present")).to_have_count(3)
    department.locator("button[name=back]").first.click()
    expect(department.locator(".check-in-row.present")).to_have_count(2)

    assistant.keyboard.type("1")  # what is typed stays while the list beneath brings the helper's teams
    expect(assistant.locator(".check-in-sum")).to_contain_text("3 / 9")
    expect(assistant.get_by_label("组号或姓名")).to_have_value("1")
    assistant.keyboard.press("Backspace")
    for number in (1, 2, 3, 4, 6, 7, 9):
        check_in(assistant, str(number))
    expect(assistant.locator(".check-in-missing")).to_have_text("未到：8")

    chief.goto("/e/morning/desk/draw/")
    chief.get_by_role("button", name="不带未到的 1 队").click()
    chief.goto("/e/morning/desk/teams/9/withdraw/?from=check_in")
    expect(chief.get_by_text("还没有比赛")).to_be_visible()


@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_a_late_team_takes_the_bye_and_a_lost_one_comes_back(visit, viewport):
    slug = "late-desk" if viewport is DESK else "late-phone"
    chief = visit("chief", viewport=viewport)
    chief.goto(f"/e/{slug}/desk/check-in/")
    expect(chief.locator(".check-in-row.absent")).to_contain_text("8")
    check_in(chief, "8")
    chief.get_by_role("link", name="给 8 号找桌").click()
    expect(chief.get_by_text("对手是轮空的")).to_be_visible()
    chief.get_by_role("button", name="坐第 4 桌").click()
    expect(chief.get_by_text("第 2 版")).to_be_visible()
    expect(chief.locator(".head")).to_contain_text("第 4 桌")
    chief.goto(f"/e/{slug}/draw/")
    expect(chief.get_by_text("8", exact=True).first).to_be_visible()

    chief.goto(f"/e/{slug}/desk/check-in/9/")
    chief.get_by_role("button", name="恢复参赛").click()
    expect(chief.get_by_text("只缺第 1 轮")).to_be_visible()
    assert chief.evaluate("document.documentElement.scrollWidth <= innerWidth")
