"""One countdown on every device, whatever the device's own clock says (case A20)."""

from __future__ import annotations

import json
import re
import time

from playwright.sync_api import expect

MINUTE = 60_000
SHIFTED_DATE = """() => {
    globalThis.shift = %d;
    const RealDate = Date;
    globalThis.Date = class extends RealDate {
        constructor(...parts) { super(...(parts.length ? parts : [RealDate.now() + shift])); }
        static now() { return RealDate.now() + shift; }
    };
}"""
NOTE_WHAT_IS_SHOWN = """() => {
    globalThis.shown = [];
    const note = () => {
        const times = document.querySelectorAll("[data-clock-time]");
        shown.push(...[...times].map((time) => time.textContent));
    };
    new MutationObserver(note).observe(document, {subtree: true, childList: true, characterData: true});
}"""
MOMENT = "new Promise((done) => setTimeout(done, 1500))"
"""Long enough for a countdown to show two different seconds."""
ASK_NOW = "dispatchEvent(new Event('online'))"
"""What a device does that finds its network again; without it the page asks every ten seconds."""


def device(visit, address: str, shift: int, account: str = ""):
    """A page on a device whose own clock is `shift` milliseconds wrong; `shown` holds all it ever showed."""
    page = visit(account)
    page.add_init_script(f"({SHIFTED_DATE % shift})(); ({NOTE_WHAT_IS_SHOWN})()")
    page.goto(address)
    assert abs(page.evaluate("Date.now()") - time.time() * 1000 - shift) < MINUTE
    return page


def seconds(page) -> int:
    """What the countdown shows."""
    minutes, rest = page.evaluate("document.querySelector('[data-clock-time]').textContent").split(":")
    return 60 * int(minutes) + int(rest)


def expect_state(pages, state: str) -> None:
    for page in pages:
        page.evaluate(ASK_NOW)
        expect(page.locator("[data-clock]").first).to_have_attribute("data-state", state)


def told(server, slug: str) -> int:
    """The seconds left according to the server, now."""
    return json.loads(server.browser().get(f"/e/{slug}/clock.json").text)["remaining"]


def expect_one_time(server, slug: str, pages) -> None:
    """No page is more than a second away from what the server says before and after."""
    for page in pages:
        before, shown, after = told(server, slug), seconds(page), told(server, slug)
        assert after - 1 <= shown <= before + 1


def test_all_devices_show_one_time_through_pause_reload_and_restart(visit, server):
    chief, act = server.browser("chief"), "/e/clock/desk/clock/{}/"
    player = device(visit, "/e/clock/", 0)
    fast = device(visit, "/e/clock/screen/", 15 * MINUTE)
    slow = device(visit, "/e/clock/", -180 * MINUTE)
    desk = device(visit, "/e/clock/desk/clock/", -180 * MINUTE, "chief")
    pages = [player, fast, slow, desk]
    for page in pages:
        assert seconds(page) == 50 * 60

    chief.post(act.format("start"))
    expect_state(pages, "running")
    expect_one_time(server, "clock", pages)
    fast.reload()
    expect_state(pages, "running")
    expect_one_time(server, "clock", pages)
    slow.evaluate(f"shift += {17 * MINUTE}")
    slow.evaluate(MOMENT)
    expect_one_time(server, "clock", pages)

    chief.post(act.format("pause"))
    expect_state(pages, "paused")
    held = [seconds(page) for page in pages]
    assert len(set(held)) == 1
    player.evaluate(MOMENT)
    assert [seconds(page) for page in pages] == held
    chief.post(act.format("resume"))
    expect_state(pages, "running")
    expect_one_time(server, "clock", pages)

    server.stop()
    player.evaluate(MOMENT)
    assert seconds(player) < held[0]
    server.start()
    expect_state(pages, "running")
    expect_one_time(server, "clock", pages)
    for page in pages:
        shown = page.evaluate("shown")
        assert len(set(shown)) > 2
        assert [time for time in shown if not re.fullmatch(r"(50:00|49:[0-5]\d)", time)] == []


def test_a_device_without_the_server_ends_at_zero_and_stays_there(visit, server):
    server.browser("chief").post("/e/restart/desk/clock/start/")
    page = visit()
    page.clock.install()
    page.goto("/e/restart/screen/")
    expect_state([page], "running")
    page.context.set_offline(True)
    page.clock.fast_forward(49 * MINUTE)
    page.clock.run_for(1_000)
    assert 0 < seconds(page) <= 60
    page.clock.fast_forward(2 * MINUTE)
    page.clock.run_for(1_000)
    assert seconds(page) == 0
    expect(page.get_by_text("时间到，封牌！").first).to_be_visible()
    page.clock.fast_forward(60 * MINUTE)
    page.clock.run_for(1_000)
    assert seconds(page) == 0
