"""Two teams were written the wrong way round, found when the next round is seated: put right in a browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.hall import PHONE
from tests.browser.test_pages import AXE, GRAVE_FINDINGS, WIDER_THAN_THE_WINDOW

RESULTS, PENALTIES = "/e/corrected/desk/s1/r1/results/", "/e/corrected/desk/penalties/"


def sound(page) -> None:
    """No grave fault for those who hear the page, and nothing wider than a phone."""
    page.evaluate(AXE)
    assert page.evaluate(GRAVE_FINDINGS) == []
    desk = page.viewport_size
    page.set_viewport_size(PHONE)
    assert page.evaluate(WIDER_THAN_THE_WINDOW) == 0
    page.set_viewport_size(desk)


def test_the_chief_changes_the_fewest_tables_and_rules_against_a_late_team(visit):
    chief = visit("chief")
    chief.goto(RESULTS)
    chief.locator("#table-1").get_by_role("link", name="更正").click()
    chief.locator("#table-1").get_by_role("link", name="两队写反了").click()
    expect(chief.get_by_role("heading", name="更正成绩")).to_be_visible()
    expect(chief.locator(".rank-moves")).to_contain_text("↓7")
    expect(chief.get_by_label("更正的原因")).to_have_value("两队写反了")
    sound(chief)
    chief.get_by_label("只动最少的桌").check()
    chief.get_by_role("button", name="保存更正").click()
    expect(chief.get_by_text(re.compile("第 2 轮已按新版公示"))).to_be_visible()
    expect(chief.locator("#table-1 .score-points")).to_have_text("0 : 26")
    player = visit(viewport=PHONE)
    player.goto("/e/corrected/s1/r2/draw/")
    expect(player.get_by_text(re.compile("第 2 版")).first).to_be_visible()
    chief.goto(PENALTIES)
    chief.get_by_label("组号").fill("1")
    chief.get_by_label("事由").select_option("慢打")
    chief.get_by_role("button", name="看规程怎么定").click()
    expect(chief.get_by_text("按规程：警告。")).to_be_visible()
    chief.get_by_label("原因", exact=True).fill("三次超时")
    sound(chief)
    chief.get_by_role("button", name="保存处罚").click()
    expect(chief.locator(".penalty-list")).to_contain_text("三次超时")
