"""The Chinese pages speak Chinese only, the English ones English only, but for names."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.hall import PAGES
from tests.concurrency.venue import ROOT, Venue

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


def interface_words(page, account: str, names: list[str], pattern: str) -> dict[str, set[str]]:
    """By page, what matches the pattern in all that is shown, people's own words left out."""
    found = {}
    for address in PAGES[account]:
        page.goto(address)
        text = page.evaluate(SHOWN_WORDS)
        text = ADDRESS.sub("", text)
        for name in names:
            text = text.replace(name, "")
        found[address] = set(re.findall(pattern, text)) - LATIN
    return {address: words for address, words in found.items() if words}


@pytest.mark.parametrize("account", PAGES)
def test_english_pages_hold_no_chinese_but_names(visit, names, account):
    assert interface_words(visit(account, language="en"), account, names, f"{CHINESE}+") == {}


@pytest.mark.parametrize("account", PAGES)
def test_chinese_pages_hold_no_english_word(visit, names, account):
    assert interface_words(visit(account), account, names, "[A-Za-z]{2,}") == {}


def test_the_switch_leads_to_english_and_back(visit):
    page = visit()
    page.goto("/e/demo/rules/")
    for language, link in (("zh-hans", "English"), ("en", "简体中文"), ("zh-hans", "English")):
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.get_by_role("link", name=link).click()
