"""Paper: every sheet as PDF with readable Chinese, names as data, a press that never holds up the hall."""

import io
import os
import re
import subprocess
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import pairwise
from pathlib import Path

import pytest
import segno
from django.core.files import locks
from django.utils import translation
from django.utils.safestring import mark_safe
from PIL import Image
from pypdf import PdfReader
from weasyprint import HTML

from benchmarks.pdf import contexts, head, invented_teams
from guandan_site.pdf import PressBusy, packaged_font, pdf_response, render_pdf, sheet_response
from tournaments.qr import BORDER
from tournaments.sheets import SheetTeam

ROOT = Path(__file__).resolve().parents[2]
LONG = "阿依古丽·热合曼·阿卜杜克里木·买买提江·吐尔地·伊敏江"
ODD_TEAMS = (
    SheetTeam(1, ("张三", "欧阳娜娜"), "后勤集团"),
    SheetTeam(2, ("买买提·艾力", "𠮷野家"), ""),
    SheetTeam(3, ("𡃁仔", "小李😀"), "马克思主义学院与人文社会科学研究院联合工会第二分会"),
    SheetTeam(4, ("<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>"), "{{7*7}}${7*7}"),
    SheetTeam(5, (LONG, LONG, LONG, LONG), "图书馆"),
    SheetTeam(6, ("王五", "赵六"), "图书馆"),
)
TEMPLATES = tuple(contexts(list(ODD_TEAMS)))


@pytest.fixture
def press(settings, tmp_path):
    """A press of its own, so that tests running beside this one never find it busy."""
    settings.DATA_DIR = tmp_path
    return tmp_path


def pages_of(pdf):
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


def text_of(pdf):
    return "".join("".join(pages_of(pdf)).split())


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_sheet_shows_every_name_literally(press, template):
    text = text_of(render_pdf(template, contexts(list(ODD_TEAMS))[template]))
    for team in ODD_TEAMS:
        for name in team.players:
            assert "".join(name.split()) in text
    assert "49" not in text
    assert "{{7*7}}${7*7}" in text or template == "draw_by_number"


def test_title_and_event_cannot_leave_their_place(press):
    hostile = replace(head("第三轮"), event="决赛</title><svg onload=alert(3)>")
    pdf = render_pdf("draw_by_table", contexts(list(ODD_TEAMS))["draw_by_table"] | {"head": hostile})
    assert PdfReader(io.BytesIO(pdf)).metadata.title == "决赛</title><svg onload=alert(3)> 第三轮"
    assert text_of(pdf).count("决赛</title><svgonload=alert(3)>") == 2, "under the title and in the footer"


def test_withdrawn_shared_and_bye_are_marked(press):
    teams = [*ODD_TEAMS[:4], replace(ODD_TEAMS[5], number=5, withdrawn=True)]
    sheet = contexts(teams)
    standings = text_of(render_pdf("standings", sheet["standings"]))
    assert standings.count("并列") == 2 + 1, "two teams and the note below"
    assert "退赛" in standings
    assert "积分→相互胜负→胜场→最高轮分→对手分" in standings
    assert "轮空" in text_of(render_pdf("draw_by_table", sheet["draw_by_table"]))
    assert "轮空" in text_of(render_pdf("draw_by_number", sheet["draw_by_number"]))
    final = text_of(render_pdf("final_ranking", sheet["final_ranking"]))
    assert final.count("亚军并列") == 2
    assert "季军" not in final


@pytest.mark.parametrize("template", ["draw_by_table", "roster"])
def test_three_hundred_teams_keep_head_foot_and_order(press, template):
    teams = invented_teams(300, seed=3)
    pages = pages_of(render_pdf(template, contexts(teams)[template]))
    assert all("组号" in page for page in pages), "the head of the table is repeated"
    assert [f"第 {n} / {len(pages)} 页" in page for n, page in enumerate(pages, start=1)] == [True] * len(
        pages
    )
    text = "".join("".join(pages).split())
    assert all(name in text for team in teams for name in team.players)
    firsts = [team.names.replace("\u3000", "") for team in teams[::2]]
    assert all(text.index(one) < text.index(two) for one, two in pairwise(firsts) if firsts.count(two) == 1)


def test_a_row_stays_on_one_page(press):
    teams = [SheetTeam(n, (f"甲{n}" + LONG, f"乙{n}" + LONG, LONG, f"丁{n}"), "图书馆") for n in range(1, 31)]
    for page in pages_of(render_pdf("draw_by_table", contexts(teams)["draw_by_table"])):
        for n in range(1, 31):
            assert (f"甲{n}阿" in page) == (f"丁{n}" in page.split())


def test_slips_of_ten_tables_are_four_to_a_page_in_cutting_order(press):
    pages = pages_of(render_pdf("slips", contexts(invented_teams(20, seed=1))["slips"]))
    assert len(pages) == 3
    tables = [[int(n) for n in re.findall(r"桌\s*(\d+?)\s*2026 年", page)] for page in pages]
    assert tables == [[1, 4, 7, 10], [2, 5, 8], [3, 6, 9]]
    assert all("过A" in page and "弃权" in page and "主队签字" in page for page in pages)


def test_english_interface_prints_english_words_and_chinese_names(press):
    with translation.override("en"):
        text = "".join(pages_of(render_pdf("draw_by_table", contexts(list(ODD_TEAMS))["draw_by_table"])))
    assert "Page 1 of 1" in text
    assert "Home" in text
    assert "欧阳娜娜" in text


def modules(address):
    """The code as a phone's camera has to see it: light round dark, row by row."""
    rows = segno.make(address, error="m", micro=False).matrix
    size = len(rows) + 2 * BORDER
    picture = Image.new("L", (size, size), 255)
    for y, row in enumerate(rows):
        for x, module in enumerate(row):
            picture.putpixel((x + BORDER, y + BORDER), 0 if module else 255)
    return picture.tobytes()


@pytest.mark.parametrize(("template", "addresses"), [("slips", 2), ("cards", 2), ("team_cards", 4)])
def test_each_code_on_paper_is_the_one_of_its_address(press, template, addresses):
    sheet = contexts(invented_teams(4, seed=5))[template]
    rows = sheet["rows"] if template == "cards" else [row for page in sheet["pages"] for row in page if row]
    pdf = PdfReader(io.BytesIO(render_pdf(template, sheet)))
    found = {image.image.convert("L").tobytes() for page in pdf.pages for image in page.images}
    assert found == {modules(row.phones) for row in rows}
    assert len(found) == addresses


def test_codes_are_drawn_and_never_fetched(press, listener):
    address = f"http://127.0.0.1:{listener.server_port}/e/cup/?a=1&b=2"
    sheet = contexts(list(ODD_TEAMS))["draw_by_table"]
    pdf = render_pdf("draw_by_table", sheet | {"head": replace(head("第三轮"), phones=address)})
    (image,) = PdfReader(io.BytesIO(pdf)).pages[0].images
    assert image.image.convert("L").tobytes() == modules(address)
    assert listener.asked == []


def test_invisible_and_control_characters_never_stop_a_sheet(press):
    names = ("张\u200b三", "李\u202e四", "王\x07五", "赵\ufffe六", "e\u0301\U000e0100", "👩‍👩‍👧")
    teams = [SheetTeam(1, names, "\u2028"), ODD_TEAMS[0]]
    assert "欧阳娜娜" in text_of(render_pdf("roster", contexts(teams)["roster"]))


def test_same_content_is_made_once(press):
    sheet = contexts(list(ODD_TEAMS))["draw_by_table"]
    assert render_pdf("draw_by_table", sheet) is render_pdf("draw_by_table", sheet)


class _Counting(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        self.send_error(404)

    def log_message(self, *_):
        pass


@pytest.fixture
def listener():
    server = HTTPServer(("127.0.0.1", 0), _Counting)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_not_even_real_markup_makes_the_server_fetch(press, listener):
    address = f"http://127.0.0.1:{listener.server_port}"
    markup = mark_safe(  # as if escaping had been forgotten
        f'<img src="{address}/x"><link rel=stylesheet href="{address}/y"><style>@import "{address}/z"</style>'
        f'<img src="file://{ROOT}/static/icon.svg">'
    )
    rows = [SheetTeam(1, (markup, "张三"), ""), SheetTeam(2, ("李四", "王五"), "")]
    pdf = render_pdf("roster", contexts(rows)["roster"])
    assert listener.asked == []
    assert "张三" in text_of(pdf)
    HTML(string=str(markup)).write_pdf()
    assert sorted(listener.asked) == ["/x", "/y", "/z"], "without our fetcher they are fetched"


BARE_HOST = """
import sys, django
django.setup()
from django.utils import translation
from guandan_site.pdf import render_pdf
from tests.views.test_pdf import ODD_TEAMS, contexts
translation.activate("zh-hans")
for template, context in contexts(list(ODD_TEAMS)).items():
    with open(f"{sys.argv[1]}/{template}.pdf", "wb") as file:
        file.write(render_pdf(template, context))
"""


@pytest.fixture(scope="module")
def bare_host(tmp_path_factory):
    """Every sheet as made on a machine without any font."""
    folder = tmp_path_factory.mktemp("bare")
    fonts = folder / "fonts.conf"
    fonts.write_text(f"<fontconfig><cachedir>{folder}/cache</cachedir></fontconfig>")
    environment = os.environ | {
        "FONTCONFIG_FILE": str(fonts),
        "DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }
    command = [sys.executable, "-W", "ignore", "-c", BARE_HOST, str(folder)]
    subprocess.run(command, env=environment, cwd=ROOT, check=True, timeout=60)
    return folder


@pytest.mark.skipif(packaged_font() is None, reason="the font package is not installed")
@pytest.mark.parametrize("template", TEMPLATES)
def test_machine_without_fonts_prints_chinese(bare_host, template):
    """A19: the text is there, in an embedded Chinese font; rare characters never stop a sheet."""
    pdf = (bare_host / f"{template}.pdf").read_bytes()
    text = text_of(pdf)
    for name in ("张三", "欧阳娜娜", "买买提·艾力", "𠮷野家", "𡃁仔", "小李〓"):
        assert name in text
    assert any("/FontFile3" in font for font in font_descriptors(pdf))


def font_descriptors(pdf):
    reader = PdfReader(io.BytesIO(pdf))
    found = (reader.get_object(number) for number in range(1, reader.trailer["/Size"]))
    return [item for item in found if isinstance(item, dict) and item.get("/Type") == "/FontDescriptor"]


@pytest.mark.parametrize(
    ("name", "header"),
    [
        (
            "第三轮对阵表",
            "inline; filename*=utf-8''%E7%AC%AC%E4%B8%89%E8%BD%AE%E5%AF%B9%E9%98%B5%E8%A1%A8.pdf",
        ),
        ('a/b\\c"d\r\nX: 1', 'inline; filename="a_b_c_d_X_ 1.pdf"'),
        ("...", 'inline; filename="file.pdf"'),
    ],
)
def test_file_keeps_its_chinese_name(name, header):
    response = pdf_response(b"%PDF-", name)
    assert response["Content-Disposition"] == header
    assert response["Content-Type"] == "application/pdf"


def held(path):
    file = path.open("w")
    assert locks.lock(file, locks.LOCK_EX | locks.LOCK_NB)
    return file


def test_third_printer_is_sent_away_at_once(press):
    sheet = contexts(invented_teams(4, seed=11))["roster"]
    with held(press / "press.lock"), held(press / "press-queue.lock"):
        with pytest.raises(PressBusy):
            render_pdf("roster", sheet)
        response = sheet_response("roster", sheet, "名单")
    assert (response.status_code, response["Refresh"], response["Retry-After"]) == (503, "2", "2")
    assert "自动重试" in response.content.decode()
    assert sheet_response("roster", sheet, "名单").status_code == 200


def test_second_printer_waits_for_its_turn(press):
    sheet, made = contexts(invented_teams(4, seed=12))["roster"], []
    with held(press / "press.lock"):
        second = threading.Thread(target=lambda: made.append(render_pdf("roster", sheet)))
        second.start()
        while not _queue_taken(press):
            second.join(0.01)
        assert not made
    second.join()
    assert made[0].startswith(b"%PDF")


def _queue_taken(press):
    with (press / "press-queue.lock").open("w") as queue:
        return not locks.lock(queue, locks.LOCK_EX | locks.LOCK_NB)
