"""Every main page for everybody: nothing grave found by axe, nothing wider than a phone, all by keyboard."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.hall import DESK, GUIDE, PAGES, PHONE

AXE = Axe().axe_script
GRAVE_FINDINGS = """() => axe.run({resultTypes: ["violations"]}).then(({violations}) => violations
    .filter(({impact}) => impact === "serious" || impact === "critical")
    .map(({id, nodes}) => `${id} (${nodes.length}): ${nodes[0].html.slice(0, 200)}`))"""
WIDER_THAN_THE_WINDOW = "document.documentElement.scrollWidth - innerWidth"
STOPS = 12
"""Stops of the Tab key looked at on a page; a field for a date has several."""
FOCUS = """() => {
    const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect();
    return {
        is_seen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
        // Of a date Chromium itself marks the part that has the focus.
        is_marked: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
            || style.boxShadow !== "none" || at.type === "datetime-local",
        what: at === document.body ? "" : at.outerHTML.slice(0, 120),
    };
}"""


@pytest.mark.parametrize("account", PAGES)
def test_pages_are_accessible_and_no_wider_than_a_phone(visit, account):
    """Looked at closely as most people see them: officials at a desk, the public on a phone."""
    page = visit(account)
    faults = {}
    for address in PAGES[account] if account else (*PAGES[account], *GUIDE):
        page.set_viewport_size(DESK if account else PHONE)
        page.goto(address)
        page.evaluate(AXE)
        found = page.evaluate(GRAVE_FINDINGS)
        page.set_viewport_size(PHONE)
        wider = page.evaluate(WIDER_THAN_THE_WINDOW)
        faults[address] = found + ([f"{wider} px too wide"] if wider else [])
    assert {address: found for address, found in faults.items() if found} == {}


def test_a_grave_fault_would_be_found(visit):
    page = visit()
    page.goto("/e/demo/")
    page.evaluate(AXE)
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [finding.split()[0] for finding in page.evaluate(GRAVE_FINDINGS)] == ["button-name"]


@pytest.mark.parametrize(
    ("account", "address"),
    [
        ("", "/e/demo/"),
        ("chief", "/e/demo/desk/"),
        ("chief", "/e/draft/desk/draw/"),
        ("administrator", "/events/new/"),
    ],
)
def test_the_keyboard_reaches_everything_and_shows_where_it_is(visit, account, address):
    page = visit(account)
    page.goto(address)
    if page.locator("[autofocus]").count():  # the way begins in the field that is to be typed in
        assert page.evaluate("document.activeElement.autofocus")
    else:
        page.keyboard.press("Tab")
        assert "#content" in page.evaluate(FOCUS)["what"]
        page.keyboard.press("Enter")
        assert page.url.endswith("#content")
    reached = []
    while len(reached) < STOPS:
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        assert (focus["is_seen"], focus["is_marked"]) == (True, True), focus["what"]
        reached.append(focus["what"])
    assert len(set(reached)) > STOPS / 3
