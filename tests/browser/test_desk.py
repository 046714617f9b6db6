"""The desk by itself: news without losing what is typed, open or pressed; its age without a network."""

from __future__ import annotations

from playwright.sync_api import Page, expect

DESK = "/e/waiting/desk/"
POLL = 5_000
ALL_HERE = "document.getElementById('desk-now').dataset.etag"


def opened(visit, account: str) -> Page:
    page = visit(account)
    page.clock.install()
    page.goto(DESK)
    return page


def polled(page: Page) -> int:
    """Lets five seconds pass; the status of the answer."""
    with page.expect_response(lambda answer: answer.url.endswith(DESK)) as asked:
        page.clock.run_for(POLL)
    return asked.value.status


def changed(page: Page, server, shows: str) -> None:
    """Another official does something, and the page asks."""
    server.browser("assistant").post(f"{DESK}screen/", {"shows": shows})
    before = page.evaluate(ALL_HERE)
    assert polled(page) == 200
    page.wait_for_function(f"(before) => {ALL_HERE} !== before", arg=before)


def test_what_is_typed_and_open_outlives_the_news(visit, server):
    chief = opened(visit, "chief")
    assert polled(chief) == 304
    chief.get_by_text("有成绩未确认，仍要结束本轮").click()
    reason = chief.get_by_label("原因")
    reason.fill("两队都已离场")
    reason.press("ArrowLeft")
    changed(chief, server, "standings")
    expect(chief.locator("#screen-standings")).to_have_attribute("aria-pressed", "true")
    expect(reason).to_have_value("两队都已离场")
    expect(reason).to_be_focused()
    assert reason.evaluate("(field) => field.selectionStart") == len("两队都已离场") - 1
    chief.get_by_text("有成绩未确认，仍要结束本轮").click()
    changed(chief, server, "clock")
    expect(reason).to_be_hidden()
    expect(chief.locator("#close-anyway summary")).to_be_focused()


def test_a_button_under_the_finger_stays_until_it_is_let_go(visit, server):
    chief = opened(visit, "chief")
    before = chief.evaluate(ALL_HERE)
    button = chief.locator(".desk-steer [value=clock]")
    button.hover()
    chief.mouse.down()
    server.browser("assistant").post(f"{DESK}screen/", {"shows": "draw"})
    assert polled(chief) == 200
    assert chief.evaluate(ALL_HERE) == before
    with chief.expect_navigation():
        chief.mouse.up()
    expect(button).to_have_attribute("aria-pressed", "true")


def test_without_a_network_it_says_how_old_it_is(visit):
    chief = opened(visit, "chief")
    at = chief.locator("#desk-now").get_attribute("data-at")
    chief.context.set_offline(True)
    chief.clock.run_for(POLL)
    expect(chief.locator("#desk-age")).to_contain_text(f"下面是 {at} 的情况")
    chief.clock.run_for(60_000 + POLL)
    expect(chief.locator("#desk-age")).to_contain_text("1 分钟没有回答")
    expect(chief.get_by_role("link", name="去复核成绩").first).to_be_visible()
    chief.context.set_offline(False)
    polled(chief)
    expect(chief.locator("#desk-age")).to_be_hidden()


def test_a_text_to_read_out_is_copied(visit):
    assistant = visit("assistant")
    assistant.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assistant.goto("/e/demo/desk/")
    said = assistant.locator("#say-1").inner_text()
    assistant.locator("[data-copy=say-1]").click()
    expect(assistant.locator("[data-copy=say-1]")).to_have_text("已复制")
    assert assistant.evaluate("navigator.clipboard.readText()") == said


def test_signed_out_meanwhile_the_page_asks_to_sign_in(visit):
    chief = opened(visit, "chief")
    chief.context.clear_cookies()
    with chief.expect_navigation(url="**/login/**"):
        chief.clock.run_for(POLL)
