# ruff: noqa: S101, S603 (run by hand, with nothing from outside)
"""Takes the pictures of README and guide from the demo event: `.venv/bin/python docs/take_screenshots.py`.

Serves a fresh installation in a temporary folder, goes through the demo as its officials would, and writes
docs/images/*.png. Needs Chromium and pdftoppm, as the tests do.
"""

from __future__ import annotations

import json
import os
import re
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
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
LARGEST = 150_000
"""Bytes of a picture."""
DESK = {"width": 1366, "height": 768}
PHONE = {"width": 390, "height": 844}
PROJECTOR = {"width": 1920, "height": 1080}
EVENT = "/e/demo/"


FIRST_COMMANDS = ("migrate -v0", "collectstatic --noinput -v0")


@contextmanager
def served(*more: str) -> Iterator[tuple[str, Path]]:
    """A fresh installation after more commands: its address, and the folder of its data."""
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        socket.create_server(("127.0.0.1", 0)) as listening,
    ):
        environment = {**os.environ, "DATA_DIR": folder, "DATABASE_URL": f"sqlite:///{folder}/touyou.sqlite3"}
        for command in (*FIRST_COMMANDS, *more):
            arguments = [sys.executable, "manage.py", *command.split()]
            subprocess.run(arguments, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
        number = listening.fileno()
        gunicorn = [sys.executable, "-m", "gunicorn", "guandan_site.wsgi", "--bind", f"fd://{number}"]
        server = subprocess.Popen(
            [*gunicorn, "--log-level", "warning"], cwd=ROOT, env=environment, pass_fds=[number]
        )
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", Path(folder)
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


def side_by_side(first: Image.Image, second: Image.Image) -> Image.Image:
    """Two pictures of one size in one."""
    both = Image.new("RGB", (2 * first.width + 24, first.height), "white")
    both.paste(first, (0, 0))
    both.paste(second, (first.width + 24, 0))
    return both


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


def row_of(page: Page, table: int) -> Locator:
    """The row of a table, by the number at its head."""
    number = page.locator("th[scope=row]").filter(has_text=re.compile(rf"^\s*{table}\s*$"))
    return page.get_by_role("row").filter(has=number)


def type_result(page: Page, table: int, *levels: str) -> None:
    """By keyboard; the last level may be left unsaved."""
    page.keyboard.press("Escape")
    for keys in (str(table), *levels):
        page.keyboard.type(keys)
        page.keyboard.press("Enter")


def take_desk_and_results(chief: Page) -> list[int]:
    """The desk and the results in the middle of round 3; the tables still to be entered."""
    chief.goto(f"{EVENT}desk/")
    expect(chief.get_by_role("timer")).to_contain_text(re.compile(r"^1\d:"))
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
    number = row_of(phone, table).get_by_role("cell").first.inner_text().split()[0]
    phone.goto(f"{EVENT}teams/{number}/")
    keep("phone", side_by_side(event, seen(phone)))


def take_print(chief: Page) -> None:
    """The first sheet of the draw, as it comes from the printer."""
    chief.goto(f"{EVENT}desk/prints/")
    link = chief.get_by_role("link", name="对阵表（按桌号） PDF").first
    paper = chief.request.get(link.get_attribute("href") or "").body()
    keep("print-draw", first_sheet(paper, 90))


def take_start(browser: Browser) -> None:
    """The first start of an installation where nobody can sign in yet."""
    with served() as (origin, _folder):
        page = visitor(browser, origin, DESK)
        page.goto("/start/")
        expect(page.get_by_role("heading", level=1)).to_have_text("首次启动")
        keep("start", seen(page))


def take_backup(administrator: Page, stick: Path) -> None:
    """The page of backups after the first copy."""
    stick.mkdir()
    administrator.goto("/backup/")
    administrator.get_by_label("文件夹").fill(str(stick))
    administrator.get_by_role("button", name="保存").click()
    administrator.get_by_role("button", name="现在备份").click()
    expect(administrator.get_by_role("table", name="文件夹里最近的备份")).to_be_visible()
    administrator.get_by_label("文件夹").evaluate("field => { field.value = '/media/gonghui/U盘' }")
    keep("backup", seen(administrator))


def take_import(assistant: Page) -> None:
    """A roster with mistakes, as the page shows it before anything is stored."""
    assistant.goto(f"{EVENT}desk/roster/import/")
    assistant.get_by_label("名单文件").set_input_files(ROOT / "tests" / "rosters" / "r07-errors.xlsx")
    assistant.get_by_role("button", name="读取文件").click()
    expect(assistant.get_by_text("处需要先改正")).to_be_visible()
    keep("import", seen(assistant))


def take_prints(administrator: Page, assistant: Page) -> None:
    """The sheets of the round, their codes leading to an address as a hall has it."""
    administrator.goto(f"{EVENT}desk/settings/")
    administrator.get_by_label("手机访问地址").fill("http://192.168.1.5:8000")
    administrator.get_by_role("button", name="保存").click()
    assistant.goto(f"{EVENT}desk/prints/")
    keep("prints", seen(assistant))


def take_table_phone(administrator: Page, chief: Page, phone: Page, table: int) -> None:
    """A table's own page after its code was made anew: which side is it, and then its result."""
    administrator.goto(f"{EVENT}desk/rules/confirmation/")
    administrator.locator("input[name=phones][value=enter]").check()
    administrator.get_by_role("button", name="保存规则").click()
    chief.goto(f"{EVENT}desk/s1/r3/codes/")
    row_of(chief, table).get_by_role("button", name="换新码").click()
    phone.goto(row_of(chief, table).get_by_role("link", name="打开").get_attribute("href") or "")
    before = seen(phone)
    phone.get_by_role("main").get_by_role("button").first.click()
    expect(phone.get_by_text("交给对方确认")).to_be_visible()
    keep("table-phone", side_by_side(before, seen(phone)))


def take_check_in(assistant: Page) -> None:
    """The check-in while half of the hall is here; done without again after the picture."""
    assistant.goto(f"{EVENT}desk/check-in/")
    assistant.get_by_role("button", name="开始签到").click()
    for here in (6, 12, 18, 24):
        assistant.get_by_role("button", name="队全部签到").first.click()
        expect(assistant.locator(".check-in-sum")).to_contain_text(f"{here} / 48")
    assistant.evaluate("scrollTo(0, 0)")
    keep("check-in", seen(assistant))
    assistant.get_by_text("重新签到，或停用签到").click()
    assistant.get_by_role("button", name="停用签到").click()


def take_correction(chief: Page) -> None:
    """What a result written the wrong way round would change, with the next round drawn."""
    chief.goto(f"{EVENT}desk/s1/r3/correct/2/?swap=1")
    expect(chief.get_by_role("heading", level=1)).to_have_text("更正成绩")
    keep("correction", seen(chief))


def take_certificate(administrator: Page, chief: Page) -> None:
    """The certificate of the first, after the last round; the prizes are set before."""
    administrator.goto(f"{EVENT}desk/settings/prizes/")
    administrator.get_by_label("名次 1", exact=True).fill("1")
    administrator.get_by_label("奖项 1", exact=True).fill("一等奖")
    administrator.get_by_role("button", name="保存").click()
    chief.goto(f"{EVENT}desk/")
    chief.get_by_role("link", name="公示第 4 轮").click()
    chief.get_by_role("button", name="公示第 4 轮", exact=True).click()
    chief.goto(f"{EVENT}desk/results/")
    for table in tables_without_result(chief):
        type_result(chief, table, "+" if table % 3 else "10", str(5 + table % 5))
    expect(chief.get_by_text("都有成绩了")).to_be_visible()
    chief.goto(f"{EVENT}desk/")
    chief.get_by_role("button", name="结束第 4 轮").click()
    paper = chief.request.get(f"{EVENT}desk/prints/certificates.pdf").body()
    keep("certificate", first_sheet(paper, 60))


def first_sheet(paper: bytes, dots_per_inch: int) -> Image.Image:
    """The first page of a PDF, as it comes from the printer."""
    with TemporaryDirectory() as folder:
        sheet = Path(folder, "sheet")
        command = ["pdftoppm", "-png", "-r", str(dots_per_inch), "-singlefile", "-", str(sheet)]
        subprocess.run(command, input=paper, check=True)
        with Image.open(sheet.with_suffix(".png")) as picture:
            return picture.copy()


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
    """All of them, in the order of the day."""
    with served("load_demo") as (origin, folder), sync_playwright() as playwright:
        passwords = json.loads((folder / "demo-accounts.json").read_text())
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        chief, assistant, administrator = (
            signed_in(browser, origin, account, passwords) for account in ("chief", "assistant", "admin")
        )
        take_start(browser)
        missing = take_desk_and_results(chief)
        take_screen(visitor(browser, origin, PROJECTOR), chief)
        take_phone(visitor(browser, origin, PHONE), missing[1])
        take_print(chief)
        take_import(assistant)
        take_prints(administrator, assistant)
        take_check_in(assistant)
        take_backup(administrator, folder / "stick")
        take_table_phone(administrator, chief, visitor(browser, origin, PHONE), missing[-1])
        take_draw_board(chief, missing)
        take_correction(chief)
        take_certificate(administrator, chief)
        browser.close()


if __name__ == "__main__":
    main()
