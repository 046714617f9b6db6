"""Names that are attacks stand everywhere as they were written, and do nothing (case A18)."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from openpyxl import Workbook, load_workbook
from playwright.sync_api import expect
from pypdf import PdfReader

from tests.browser.hall import PHONE
from tests.browser.names import EVENT_NAME, PAYLOADS

PAGES = {
    "": (
        "/",
        "/e/names/",
        "/e/names/draw/",
        "/e/names/draw/?by=number&q=<",
        "/e/names/s1/standings/",
        "/e/names/s1/standings/?q=<img",
        "/e/names/teams/1/",
        "/e/names/teams/4/",
        "/e/names/find/?q=</title>",
        "/e/names/rules/",
        "/e/names/screen/",
        "/e/names/departments/",
        "/e/names-bracket/",
        "/e/names-bracket/s1/cross-table/",
        "/e/names-bracket/s2/bracket/",
        "/e/names-bracket/s2/standings/",
        "/e/names-bracket/screen/",
    ),
    "assistant": (
        "/e/names/desk/",
        "/e/names/desk/roster/",
        "/e/names/desk/s1/r2/results/",
        "/e/names/desk/prints/",
        "/e/names-draft/desk/",
        "/e/names/desk/s1/r2/results/2/sheet/",
    ),
    "chief": (
        "/e/names/desk/clock/",
        "/e/names/desk/draw/",
        "/e/names-draft/desk/draw/",
        "/e/names-draft/desk/draw/swap/?team=1&team=2",
        "/e/names/desk/s1/r1/results/?correct=1",
        "/e/names/desk/s1/r2/results/1/history/",
        "/e/names/desk/penalties/",
        "/e/names/desk/teams/4/",
        "/e/names/desk/teams/1/withdraw/",
        "/e/names/desk/log/",
        "/e/names-bracket/desk/stages/",
        "/e/names-bracket/desk/prizes/",
    ),
    "administrator": (
        "/e/names/desk/settings/",
        "/e/names/desk/officials/",
        "/e/names/desk/snapshots/",
        "/e/names/desk/rules/",
        "/users/",
        "/admin/tournaments/event/",
        "/admin/tournaments/team/",
        "/admin/tournaments/player/",
    ),
}
ALL_NAMES = {
    "/e/names/draw/",
    "/e/names/s1/standings/",
    "/e/names/screen/",
    "/e/names/desk/roster/",
    "/e/names/desk/s1/r2/results/",
    "/e/names/desk/draw/",
    "/e/names-draft/desk/draw/",
    "/e/names-bracket/s1/cross-table/",
}
"""Pages that name every team."""
SOME_TEAMS_ONLY = re.compile(
    "rules|prizes|certificates|department-ranking|emergency-card|/s2/|bracket[.]pdf"
    "|/names-bracket/.*/(check-in|team-cards)"
)
"""Sheets that do not name every team: prizes, departments, the bracket and what is for those still in it."""
CAME_ALIVE = """() => [...document.querySelectorAll(
    "[onerror], [onload], [onmouseover], [onfocus], [src='/x'], [href*='x.test'], [href^='javascript:']"
)].map((element) => element.outerHTML)"""


@pytest.mark.parametrize("account", PAGES)
def test_names_stand_on_the_page_as_they_were_written(visit, account):
    page = visit(account, viewport=PHONE)
    for address in PAGES[account]:
        assert page.goto(address).status == 200
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"] or "/admin/" in address
        assert page.evaluate(CAME_ALIVE) == [], address
        assert not address.startswith("/e/") or EVENT_NAME in page.title(), address
        text = page.evaluate("document.querySelector('main').textContent")
        missing = [payload for payload in PAYLOADS if payload not in text]
        assert not missing or address not in ALL_NAMES, (address, missing)


def test_a_refused_result_and_a_refused_roster_repeat_them_unharmed(visit):
    page = visit("assistant")
    page.goto("/e/names/desk/s1/r2/results/")
    for keys in ("2", PAYLOADS[2][:8], "5"):
        page.keyboard.type(keys)
        page.keyboard.press("Enter")
    expect(page.get_by_text("第 2 桌没有保存")).to_be_visible()
    assert page.evaluate(CAME_ALIVE) == []
    page.on("dialog", lambda dialog: dialog.accept())

    book = Workbook()
    book.active.title = "<b>名单<b>"
    book.active.append(["单位<i>", "姓名1", "姓名2"])
    for payload in PAYLOADS:
        book.active.append([payload, payload, None])
        book.active.cell(book.active.max_row, 2).data_type = "s"
    stream = BytesIO()
    book.save(stream)
    other = visit("assistant")
    other.goto("/e/empty/desk/roster/import/")
    other.get_by_label("名单文件").set_input_files(
        {
            "name": "<svg onload=alert(9)>.xlsx",
            "mimeType": "application/octet-stream",
            "buffer": stream.getvalue(),
        }
    )
    other.get_by_role("button", name="读取文件").click()
    expect(other.get_by_role("alert")).to_contain_text("处需要先改正")
    assert other.evaluate(CAME_ALIVE) == []
    shown = other.evaluate("document.querySelector('main').textContent")
    assert "<svg onload=alert(9)>" in shown
    assert [payload for payload in PAYLOADS if payload not in shown] == []


def printed_text(address: str, content: bytes) -> str:
    """All text of a sheet or a workbook, without blanks; a cell that is a formula is a fault."""
    if address.endswith(".xlsx"):
        cells = [cell for sheet in load_workbook(BytesIO(content)) for row in sheet for cell in row]
        assert "f" not in {cell.data_type for cell in cells}
        text = " ".join(str(cell.value) for cell in cells)
    else:
        text = "".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages)
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize("slug", ["names", "names-bracket"])
def test_paper_shows_them_and_workbooks_hold_them_as_text(visit, slug):
    page = visit("assistant")
    page.goto(f"/e/{slug}/desk/prints/")
    links = page.get_by_role("link", name=re.compile("PDF|Excel")).all()
    addresses = {link.get_attribute("href") for link in links}
    assert len(addresses) > 8
    missing = {}
    for address in sorted(address for address in addresses if not SOME_TEAMS_ONLY.search(address)):
        text = printed_text(address, page.request.get(address).body())
        missing[address] = [payload for payload in PAYLOADS if re.sub(r"\s", "", payload) not in text]
    assert {address: names for address, names in missing.items() if names} == {}
