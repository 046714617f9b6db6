"""Importing a roster through the browser: read, look, confirm; whole or not at all."""

from __future__ import annotations

import os
import time
import zipfile
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from openpyxl import Workbook
from openpyxl.styles import Font

from tests.builders import make_event, make_round, make_user, player_name
from tests.rosters import FILES, expected_of, saved, workbook
from tournaments.models import LogEntry, Player, Team
from tournaments.roles import ASSISTANT

PAGE = "/e/empty/desk/roster/import/"
THREE = [(1, "甲部", "赵敏", "范遥"), (2, "乙部", "殷离", "周颠"), (3, "甲部", "杨逍", "韦一笑")]


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.DATA_DIR = tmp_path


@pytest.fixture
def empty(db):
    return make_event(teams=0, departments=0, slug="empty")


@pytest.fixture
def client(client, empty):
    client.force_login(make_user("helper", ASSISTANT, empty))
    return client


def upload(client, data: bytes, name: str = "roster.xlsx", **fields: str):
    """Posts a file; the answer is its preview, or the upload page again when it is refused."""
    response = client.post(PAGE, {"file": SimpleUploadedFile(name, data), **fields})
    return client.get(response["Location"]) if response.status_code == 303 else response


def confirm(client, preview, **fields: str):
    choices = dict(preview.context["choices"].items())
    return client.post(PAGE, {"upload": preview.context["upload"].handle, **choices, **fields})


def stored(event) -> list[tuple]:
    return [
        (team.number, team.department.name if team.department else None, [p.name for p in team.players.all()])
        for team in event.teams.order_by("number")
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_office_file_comes_out_as_expected(path, client, empty):
    expected = expected_of(path)
    preview = upload(client, path.read_bytes(), path.name)
    page = preview.content.decode()
    assert preview.status_code == 200
    for error in expected["errors"]:
        assert f"第 {error['row']} 行“{error['column']}”" in page
    done = confirm(client, preview)
    if expected["errors"]:
        assert done.status_code == 422
        assert stored(empty) == []
        return
    assert (done.status_code, done["Location"]) == (303, "/e/empty/desk/roster/")
    assert stored(empty) == [
        (team["number"] or place, team["department"], team["players"])
        for place, team in enumerate(expected["teams"], start=1)
    ]


def test_nothing_is_stored_before_the_confirmation(client, empty):
    preview = upload(client, workbook(*THREE))
    assert "存入 3 队" in preview.content.decode()
    assert not Team.objects.exists()
    assert not LogEntry.objects.exists()


def test_confirming_twice_stores_once(client, empty):
    preview = upload(client, workbook(*THREE))
    assert confirm(client, preview).status_code == 303
    assert confirm(client, preview).status_code == 303
    assert len(stored(empty)) == 3
    assert LogEntry.objects.count() == 1
    assert "没有变化" in client.get("/e/empty/desk/roster/").content.decode()


def test_the_same_file_again_is_no_change(client, empty):
    confirm(client, upload(client, workbook(*THREE)))
    page = upload(client, workbook(*THREE)).content.decode()
    assert "没有变化" in page
    assert "这 3 队，内容完全一样" in page


def test_a_corrected_file_tells_old_and_new_and_what_it_lacks(client, empty):
    confirm(client, upload(client, workbook(*THREE)))
    preview = upload(client, workbook((1, "甲部", "赵敏敏", "范遥"), (2, "丙部", "殷离", "周颠")))
    page = preview.content.decode()
    assert "<del>赵敏 · 范遥</del> → <ins>赵敏敏 · 范遥</ins>" in page
    assert "<del>乙部</del> → <ins>丙部</ins>" in page
    assert "3 杨逍 · 韦一笑" in page
    confirm(client, preview)
    assert [number for number, *_rest in stored(empty)] == [1, 2, 3]
    confirm(client, upload(client, workbook(*THREE[:2])), remove_missing="on")
    assert [number for number, *_rest in stored(empty)] == [1, 2]


def test_rows_that_lack_the_same_are_told_together(client, empty):
    empty.stages.update(rules={"discipline": {"players": 2, "leader": True}})
    people = [("张伟", "李娜"), ("王芳", "刘洋"), ("陈静", "杨帆"), ("赵敏", "周杰")]
    page = upload(client, workbook(*((n, "机关", *two) for n, two in enumerate(people, 1))))
    assert "第 2–5 行：缺领队，可以以后再补" in page.content.decode()


def test_a_person_in_a_team_that_stays_is_refused(client, empty):
    confirm(client, upload(client, workbook(*THREE)))
    preview = upload(client, workbook(*THREE[:2], (8, "丙部", "杨逍", "说不得")))
    assert "杨逍 已在 3 号队" in preview.content.decode()
    assert confirm(client, preview).status_code == 422
    assert len(stored(empty)) == 3
    assert confirm(client, preview, remove_missing="on").status_code == 303


def test_another_events_file_is_questioned(client, empty):
    confirm(client, upload(client, workbook(*THREE)))
    foreign = [(number, "戊部", player_name(2 * number), player_name(2 * number + 1)) for number in (1, 2, 3)]
    assert "请确认这是本赛事的名单" in upload(client, workbook(*foreign)).content.decode()


def test_late_teams_are_told_that_they_enter_late(client, empty):
    confirm(client, upload(client, workbook(*THREE)))
    make_round(empty, [(1, 2), (3, None)])
    page = upload(client, workbook(*THREE, (4, "丙部", "说不得", "彭莹玉"))).content.decode()
    assert "新队算迟到报名" in page


def test_the_columns_meaning_can_be_changed(client, empty):
    data = workbook(("赵敏", "范遥", "老师"), ("殷离", "周颠", "学生"), header=("甲方", "乙方", "类别"))
    preview = upload(client, data)
    handle = preview.context["upload"].handle
    query = {"upload": handle, "c1": "player1", "c2": "player2", "c3": "department", "header_row": "1"}
    again = client.get(PAGE, query)
    assert [column.meaning for column in again.context["columns"]] == ["player1", "player2", "department"]
    assert confirm(client, again).status_code == 303
    assert stored(empty) == [(1, "老师", ["赵敏", "范遥"]), (2, "学生", ["殷离", "周颠"])]


def test_another_sheet_can_be_chosen(client, empty):
    book = Workbook()
    book.active.title = "上午"
    book.active.append(("选手一", "选手二"))
    book.active.append(("赵敏", "范遥"))
    other = book.create_sheet("下午")
    other.append(("姓名", "搭档"))
    other.append(("殷离", "周颠"))
    preview = upload(client, saved(book))
    assert "下午" in preview.content.decode()
    columns = {column.name: column.meaning for column in preview.context["columns"]}
    query = {
        "upload": preview.context["upload"].handle,
        "sheet": "下午",
        "read_sheet": "上午",
        "header_row": "1",
        "read_header_row": "1",
        **columns,
    }
    confirm(client, client.get(PAGE, query))
    assert stored(empty) == [(1, None, ["殷离", "周颠"])]


def test_a_department_can_be_chosen_for_the_whole_file(client, empty):
    data = workbook(("赵敏", "范遥"), header=("选手一", "选手二"))
    confirm(client, upload(client, data, department="光明顶"))
    assert stored(empty) == [(1, "光明顶", ["赵敏", "范遥"])]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("roster.xlsx", b"", "文件是空的"),
        ("roster.xlsx", "姓名1,姓名2\r\n赵敏,范遥\r\n".encode("gbk"), "不是真正的 xlsx"),
        ("roster.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "旧格式"),
        ("roster.xlsx", b"PK\x03\x04broken", "损坏"),
        ("roster.xlsx", b"\0" * (5 * 1024 * 1024 + 1), "超过 5 MB"),
    ],
)
def test_unreadable_files_are_refused_in_words(name, data, message, client, empty):
    response = upload(client, data, name)
    assert response.status_code == 422
    assert message in response.content.decode()
    assert stored(empty) == []


def test_no_file_is_told(client, empty):
    response = client.post(PAGE, {})
    assert response.status_code == 422
    assert "请先选择文件" in response.content.decode()


def test_an_upload_belongs_to_one_user_one_event_and_one_hour(client, empty, tmp_path):
    handle = upload(client, workbook(*THREE)).context["upload"].handle
    other = make_event(slug="other", teams=0)
    stranger = make_user("stranger", ASSISTANT, empty, other)
    query = {"upload": handle}
    assert client.get(PAGE, query).status_code == 200
    assert client.get(PAGE, {"upload": handle + "x"}).status_code == 303
    assert client.get(PAGE, {"upload": "x" * 9000}).status_code == 303
    client.force_login(stranger)
    assert client.get(PAGE, query).status_code == 303
    assert client.get(reverse("roster_import", args=["other"]), query).status_code == 303
    assert client.post(PAGE, query).status_code == 303
    assert stored(empty) == []


def test_old_uploads_are_forgotten(client, empty, tmp_path):
    upload(client, workbook(*THREE))
    (kept,) = (tmp_path / "uploads").iterdir()
    two_hours_ago = time.time() - 7200
    os.utime(kept, (two_hours_ago, two_hours_ago))
    upload(client, workbook(*THREE))
    assert not kept.exists()


def test_senseless_choices_do_no_harm(client, empty):
    handle = upload(client, workbook(*THREE)).context["upload"].handle
    query = {"upload": handle, "sheet": "没有", "header_row": "-4", "c1": "nonsense", "c99": "player1"}
    assert client.get(PAGE, query).status_code == 303
    query |= {"sheet": "", "header_row": "99999999999999999999"}
    assert client.get(PAGE, query).status_code == 200


def test_a_preview_of_300_teams_takes_two_seconds_at_most(client, empty, django_assert_num_queries):
    rows = [(n, f"单位{n % 9}", player_name(2 * n), player_name(2 * n + 1)) for n in range(1, 301)]
    response = client.post(PAGE, {"file": SimpleUploadedFile("roster.xlsx", workbook(*rows))})
    started = time.perf_counter()
    with django_assert_num_queries(11):
        preview = client.get(response["Location"])
    assert time.perf_counter() - started <= 2
    assert len(preview.context["preview"].rows) == 300


# The cases A01 … A06 and A18 of the list of faults that other systems had.


def test_a01_numbers_in_text_columns_stay_what_they_are(client, empty):
    book = Workbook()
    sheet = book.active
    sheet.append(("姓名1", "姓名2", "单位", "编号", "备注"))
    sheet.append(("王一鸣", "贺小川", "铸造车间", 7, 13912340001))
    sheet.append(("沈默", "田甜", "质检科", 12, "0558-1234567"))
    sheet["D3"].number_format = "0.0"
    confirm(client, upload(client, saved(book)))
    assert list(empty.teams.order_by("number").values_list("number", "remark")) == [
        (7, "13912340001"),
        (12, "0558-1234567"),
    ]
    page = client.get("/e/empty/desk/roster/").content.decode()
    export = b"".join(client.get("/e/empty/desk/roster/export.xlsx").streaming_content)
    with zipfile.ZipFile(BytesIO(export)) as archive:
        text = page + "".join(archive.read(name).decode() for name in archive.namelist() if "sheet" in name)
    for wrong in ("7.0", "12.0", "1.39E+10"):
        assert f">{wrong}<" not in text
    assert "13912340001" in page


@pytest.mark.parametrize("encoding", ["gbk", "utf-8-sig"])
def test_a02_csv_as_excel_in_china_saves_it(encoding, client, empty):
    text = "姓名1,姓名2,单位\r\n赵敏,范遥,二车间\r\n殷离,周颠,三车间\r\n"
    confirm(client, upload(client, text.encode(encoding), "roster.csv"))
    assert stored(empty) == [(1, "二车间", ["赵敏", "范遥"]), (2, "三车间", ["殷离", "周颠"])]


@pytest.mark.parametrize("formatted", [range(1048576, 1048577), range(5, 100005)])
def test_a03_formatting_alone_makes_no_rows(formatted, client, empty):
    book = Workbook()
    sheet = book.active
    for row in (("组号", "单位", "选手一", "选手二"), *THREE):
        sheet.append(row)
    for row in formatted:
        sheet.cell(row, 1).font = Font(bold=True)
    data = saved(book)
    started = time.perf_counter()
    preview = upload(client, data)
    assert time.perf_counter() - started <= 3
    assert len(preview.context["preview"].rows) == 3
    assert preview.context["errors"] == preview.context["warnings"] == []


def test_a04_a_hidden_sheet_is_not_imported_without_a_question(client, empty):
    book = Workbook()
    hidden = book.active
    hidden.title = "旧名单"
    hidden.append(("选手一", "选手二"))
    hidden.append(("旧人甲", "旧人乙"))
    shown = book.create_sheet("报名表")
    for row in (("选手一", "选手二"), ("李四", "郑七"), ("吴九", "冯十")):
        shown.append(row)
    hidden.sheet_state = "hidden"
    preview = upload(client, saved(book))
    assert "工作表“报名表”" in preview.content.decode()
    confirm(client, preview)
    assert [players for _number, _department, players in stored(empty)] == [
        ["李四", "郑七"],
        ["吴九", "冯十"],
    ]


def test_a05_nobody_gets_in_twice(client, empty):
    rows = [
        ("孙小圣", "朱刚烈", "一车间"),
        ("沙悟净", "白龙马", "一车间"),
        ("赵敏", "范遥", "二车间"),
        ("孙小圣", "朱刚烈", "一车间"),
        ("殷离", "周颠", "三车间"),
        ("朱刚烈", "孙小圣", "一车间"),
    ]
    header = ("姓名1", "姓名2", "单位")
    preview = upload(client, workbook(*rows, header=header))
    assert {problem.row for problem in preview.context["reading"].errors} == {5, 7}
    assert confirm(client, preview).status_code == 422
    assert stored(empty) == []
    mended = [row for place, row in enumerate(rows) if place not in {3, 5}]
    confirm(client, upload(client, workbook(*mended, header=header)))
    assert len(stored(empty)) == 4


def test_a06_two_wrong_rows_of_forty_store_nothing(client, empty):
    rows = [[player_name(2 * n), player_name(2 * n + 1), "一车间"] for n in range(1, 41)]
    names = [list(row) for row in rows]
    rows[15][0], rows[31][0] = "", "名" * 400
    preview = upload(client, workbook(*rows, header=("姓名1", "姓名2", "单位")))
    page = preview.content.decode()
    assert "第 17 行" in page
    assert "第 33 行“姓名1”" in page
    assert confirm(client, preview).status_code == 422
    assert stored(empty) == []
    confirm(client, upload(client, workbook(*names, header=("姓名1", "姓名2", "单位"))))
    assert [(number, players) for number, _department, players in stored(empty)] == [
        (place, row[:2]) for place, row in enumerate(names, start=1)
    ]


def test_a18_names_are_data_in_the_preview_and_everywhere_after(client, empty):
    names = ("<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>")
    preview = upload(client, workbook((1, "{{7*7}}${7*7}", *names)))
    assert preview.context["errors"] == []
    confirm(client, preview)
    assert set(Player.objects.values_list("name", flat=True)) == set(names)
    for page in (preview, client.get("/e/empty/desk/roster/"), client.get("/e/empty/desk/teams/1/")):
        html = page.content.decode()
        assert "&lt;img src=x onerror=alert(1)&gt;" in html
        assert "<img src=x" not in html
        assert "<script>alert" not in html
        assert ">49" not in html


class TestSinglePlayers:
    LIST = "姓名,单位,性别\n赵敏,甲部,女\n范遥,甲部,男\n杨逍,乙部,男\n"
    OFFER = "这是 3 名单人选手的名单"

    def test_a_list_of_single_players_is_offered_and_stored_as_one(self, client, empty):
        preview = upload(client, self.LIST.encode(), "单人.csv")
        assert self.OFFER in preview.content.decode()
        sent = {"upload": preview.context["upload"].handle}
        answer = client.post("/e/empty/desk/singles/import/", sent)
        assert (answer.status_code, answer["Location"]) == (303, "/e/empty/desk/singles/")
        assert list(empty.singles.values_list("name", "sex")) == [("赵敏", "f"), ("范遥", "m"), ("杨逍", "m")]
        assert LogEntry.objects.last().subject == "单人.csv"

    @pytest.mark.parametrize(
        "table",
        ["选手1,选手2\n赵敏,范遥\n", "组号,姓名\n1,赵敏\n,范遥\n", "姓名\n赵敏 范遥\n杨逍 殷离\n"],
    )
    def test_a_list_of_teams_is_not(self, table, client):
        assert "单人选手的名单" not in upload(client, table.encode(), "队.csv").content.decode()

    def test_a_file_that_is_no_longer_kept_is_told(self, client):
        answer = client.post("/e/empty/desk/singles/import/", {"upload": "gone"}, follow=True)
        assert "请重新选择" in answer.content.decode()
