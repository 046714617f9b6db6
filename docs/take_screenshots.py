# ruff: noqa: S101, S603, S607 (run by hand, with nothing from outside)
"""Takes the README's pictures from the demo event: `.venv/bin/python docs/take_screenshots.py`.

Serves a fresh installation in a temporary folder, goes through the demo as its officials would, and writes
docs/images/*.png. Needs Chromium and pdftoppm, as the tests do.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
LARGEST = 150_000
"""Bytes of a picture."""
DESK = {"width": 1366, "height": 768}
PHONE = {"width": 390, "height": 844}
PROJECTOR = {"width": 1920, "height": 1080}
EVENT = "/e/demo/"


@contextmanager
def served_demo() -> Iterator[tuple[str, dict[str, str]]]:
    """A fresh installation with the demo: its address, and its accounts' passwords."""
    with TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listening:
        environment = {**os.environ, "DATA_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/touyou.sqlite3"}
        for command in ("migrate -v0", "collectstatic --noinput -v0", "load_demo"):
            arguments = [sys.executable, "manage.py", *command.split()]
            subprocess.run(arguments, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
        number = listening.fileno()
        gunicorn = [sys.executable, "-m", "gunicorn", "guandan_site.wsgi", "--bind", f"fd://{number}"]
        server = subprocess.Popen(
            [*gunicorn, "--log-level", "warning"], cwd=ROOT, env=environment, pass_fds=[number]
        )
        try:
            passwords = json.loads(Path(folder, "demo-accounts.json").read_text())
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", passwords
        finally:
            server.terminate()
            server.wait()


def keep(name: str, picture: Image.Image) -> None:
    """Writes a picture with a palette that keeps the rare colours: the gold and the heart."""
    path = IMAGES / f"{name}.png"
    for colours in (256, 128, 64, 32):
        reduced = picture.convert("RGB").quantize(
            colours, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
        )
        reduced.save(path, optimize=True)
        if path.stat().st_size <= LARGEST:
            break
    assert path.stat().st_size <= LARGEST, name


def seen(page: Page) -> Image.Image:
    """What the window shows."""
    return Image.open(BytesIO(page.screenshot()))


def signed_in(browser: Browser, origin: str, account: str, passwords: dict[str, str]) -> Page:
    """A page of an official at the desk."""
    page = browser.new_page(base_url=origin, viewport=DESK, locale="zh-CN")
    page.goto("/login/")
    page.get_by_label("账号").fill(account)
    page.get_by_label("密码").fill(passwords[account])
    page.get_by_role("button", name="登录").click()
    expect(page.get_by_role("heading", name="赛事")).to_be_visible()
    return page


def visitor(browser: Browser, origin: str, viewport: Any) -> Page:
    """A page of somebody without an account."""
    return browser.new_page(base_url=origin, viewport=viewport, locale="zh-CN")


def tables_without_result(page: Page) -> list[int]:
    """On the results page."""
    rows = page.get_by_role("row").filter(has_text="未交")
    return [int(row.get_by_role("rowheader").inner_text()) for row in rows.all()]


def type_result(page: Page, table: int, *levels: str) -> None:
    """By keyboard; the last level may be left unsaved."""
    page.keyboard.press("Escape")
    for keys in (str(table), *levels):
        page.keyboard.type(keys)
        page.keyboard.press("Enter")


def take_desk_and_results(chief: Page) -> list[int]:
    """The desk and the results in the middle of round 3; the tables still to be entered."""
    chief.goto(f"{EVENT}desk/")
    expect(chief.get_by_role("timer")).to_contain_text("17:")
    keep("desk", seen(chief))
    chief.goto(f"{EVENT}desk/results/")
    missing = tables_without_result(chief)
    type_result(chief, missing[0], "k")
    chief.keyboard.type("9")
    expect(chief.get_by_text("还没保存")).to_be_visible()
    keep("results", seen(chief))
    chief.keyboard.press("Enter")
    return missing


def take_screen(projector: Page, chief: Page) -> None:
    """The tables on the projector, by order of the desk."""
    chief.goto(f"{EVENT}desk/")
    chief.get_by_role("button", name="对阵", exact=True).click()
    projector.goto(f"{EVENT}screen/")
    expect(projector.get_by_role("heading", level=1)).to_contain_text("按桌号")
    picture = seen(projector)
    keep("screen", picture.resize((1280, 720), Image.Resampling.LANCZOS))


def take_phone(phone: Page, table: int) -> None:
    """The event's page, and beside it the page of a team that sits at the table."""
    phone.goto(EVENT)
    event = seen(phone)
    phone.goto(f"{EVENT}draw/")
    row = phone.get_by_role("row").filter(has=phone.get_by_role("rowheader", name=str(table), exact=True))
    number = row.get_by_role("cell").first.inner_text().split()[0]
    phone.goto(f"{EVENT}teams/{number}/")
    both = Image.new("RGB", (2 * event.width + 24, event.height), "white")
    both.paste(event, (0, 0))
    both.paste(seen(phone), (event.width + 24, 0))
    keep("phone", both)


def take_print(chief: Page) -> None:
    """The first sheet of the draw, as it comes from the printer."""
    chief.goto(f"{EVENT}desk/prints/")
    link = chief.get_by_role("link", name="对阵表（按桌号） PDF").first
    paper = chief.request.get(link.get_attribute("href") or "").body()
    with TemporaryDirectory() as folder:
        sheet = Path(folder, "sheet")
        subprocess.run(
            ["pdftoppm", "-png", "-r", "90", "-singlefile", "-", str(sheet)], input=paper, check=True
        )
        keep("print-draw", Image.open(sheet.with_suffix(".png")))


def take_draw_board(chief: Page, missing: list[int]) -> None:
    """The draft of the last round, after the results that were still missing."""
    chief.goto(f"{EVENT}desk/results/")
    for place, table in enumerate(missing[1:]):
        type_result(chief, table, "+" if place % 3 else "10", str(5 + place % 5))
    expect(chief.get_by_text("都有成绩了")).to_be_visible()
    chief.goto(f"{EVENT}desk/")
    chief.get_by_role("button", name="结束第 3 轮").click()
    chief.get_by_role("link", name="编排第 4 轮").click()
    chief.get_by_role("button", name="编排第 4 轮").click()
    expect(chief.get_by_role("heading", level=1)).to_contain_text("第 4 轮草稿")
    keep("draw-board", seen(chief))


def main() -> None:
    """All six."""
    with served_demo() as (origin, passwords), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        chief = signed_in(browser, origin, "chief", passwords)
        missing = take_desk_and_results(chief)
        take_screen(visitor(browser, origin, PROJECTOR), chief)
        take_phone(visitor(browser, origin, PHONE), missing[1])
        take_print(chief)
        take_draw_board(chief, missing)
        browser.close()


if __name__ == "__main__":
    main()
