"""Every main page: accessible (axe), no wider than a phone, in one language, all by keyboard."""

from __future__ import annotations

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.hall import DESK, GUIDE, PAGES, PHONE
from tests.concurrency.venue import ROOT, Venue

AXE = Axe().axe_script
GRAVE_FINDINGS = """() => axe.run({
    resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
}).then(({violations}) => violations
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


WRITTEN_BY_PEOPLE = (
    "SELECT name FROM tournaments_event UNION SELECT venue FROM tournaments_event",
    "SELECT organiser FROM tournaments_event UNION SELECT name FROM tournaments_stage",
    "SELECT name FROM tournaments_department UNION SELECT name FROM tournaments_player",
    "SELECT reason FROM tournaments_logentry UNION SELECT reason FROM scoring_adjustment",
    "SELECT username FROM auth_user UNION SELECT first_name FROM auth_user",
    "SELECT by_name FROM tournaments_logentry UNION SELECT by_name FROM tournaments_snapshot",
    "SELECT name FROM pairing_screen",
)
BRAND = {"头游", "简体中文", "English", "陈老师"}
"""Besides names: the product's own, the two languages' own, and an example of a full name."""
LATIN = {"PDF", "Excel", "Esc", "xlsx", "CSV", "MB", "ZIP"}
ADDRESS = re.compile(r"https?://[\w.:/-]+", re.ASCII)
CHINESE = "[\N{CJK UNIFIED IDEOGRAPH-4E00}-\N{CJK UNIFIED IDEOGRAPH-9FFF}]"
SHOWN_WORDS = """() => {
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const {parentElement, data} = walker.currentNode;
        if (!parentElement.closest("script, style, code")) texts.push(data.trim());
    }
    for (const name of ["title", "aria-label", "placeholder", "alt"]) {
        for (const element of document.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name));
    }
    return texts.join("\\n");
}"""


def strings(value: object) -> set[str]:
    """All strings in a JSON value."""
    if isinstance(value, str):
        return {value}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*map(strings, parts))


@pytest.fixture(scope="module")
def names(hall: Venue) -> list[str]:
    """What people wrote, longest first, and the presets, which are Chinese regulations."""
    written = {name for query in WRITTEN_BY_PEOPLE for (name,) in hall.rows(query)} | BRAND
    for path in ROOT.glob("fixtures/presets/*.json"):
        written |= strings(json.loads(path.read_bytes()))
    return sorted((name for name in written if len(name) > 1), key=len, reverse=True)


def interface_words(page: Page, names: list[str], pattern: str) -> list[str]:
    """What matches the pattern in all that the page shows, people's own words left out."""
    text = ADDRESS.sub("", page.evaluate(SHOWN_WORDS))
    for name in names:
        text = text.replace(name, "")
    return sorted(set(re.findall(pattern, text)) - LATIN)


@pytest.mark.parametrize("account", PAGES)
def test_pages_are_accessible_no_wider_than_a_phone_and_chinese(visit, names, account):
    """Looked at closely as most people see them: officials at a desk, the public on a phone."""
    page = visit(account)
    faults = {}
    for address in PAGES[account] if account else (*PAGES[account], *GUIDE):
        page.set_viewport_size(DESK if account else PHONE)
        page.goto(address)
        page.evaluate(AXE)
        found = page.evaluate(GRAVE_FINDINGS)
        if address not in GUIDE:
            found += interface_words(page, names, "[A-Za-z]{2,}")
        page.set_viewport_size(PHONE)
        wider = page.evaluate(WIDER_THAN_THE_WINDOW)
        faults[address] = found + ([f"{wider} px too wide"] if wider else [])
    assert {address: found for address, found in faults.items() if found} == {}


@pytest.mark.parametrize("account", PAGES)
def test_english_pages_hold_no_chinese_but_names(visit, names, account):
    page = visit(account, language="en")
    page.goto("/")  # which tells what is left of messages in Chinese
    faults = {}
    for address in PAGES[account]:
        page.goto(address)
        faults[address] = interface_words(page, names, f"{CHINESE}+")
    assert {address: found for address, found in faults.items() if found} == {}


def test_the_switch_leads_to_english_and_back(visit):
    page = visit()
    page.goto("/e/demo/rules/")
    for language, link in (("zh-hans", "English"), ("en", "简体中文"), ("zh-hans", "English")):
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.get_by_role("link", name=link).click()


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
