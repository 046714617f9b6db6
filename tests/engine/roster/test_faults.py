"""Faults that other systems had with imports (A01–A06, A18), at the reader."""

from __future__ import annotations

import io
import time
import tracemalloc

import openpyxl
import pytest
from openpyxl.styles import Font

from tests.engine.roster.files import brief, csv_bytes, inline_rows, names, problems, raw_xlsx, read, xlsx
from tournaments.roster import Unreadable, UnreadableRoster, describe, read_roster, roster_workbook

HEADER = ("姓名1", "姓名2", "单位")
TWO_TEAMS = (HEADER, ("赵敏", "范遥", "二车间"), ("殷离", "周颠", "三车间"))
THREE_TEAMS = (HEADER[:2], ("赵敏", "范遥"), ("殷离", "周颠"), ("李四", "郑七"))


def test_a01_numbers_that_are_codes_stay_as_typed():
    rows = (
        (*HEADER, "编号", "备注"),
        ("王一鸣", "贺小川", "铸造车间", 7, 13912340001),
        ("沈默", "田甜", "质检科", 12, "0558-1234567"),
    )
    data = xlsx(rows, tune=lambda sheet: setattr(sheet["D3"], "number_format", "0.0"))
    reading = read_roster(data, "a01.xlsx")
    assert [(team.number, team.remark) for team in reading.teams] == [
        (7, "13912340001"),
        (12, "0558-1234567"),
    ]
    exported = read_roster(roster_workbook(reading.teams), "export.xlsx")
    assert exported.teams == reading.teams


@pytest.mark.parametrize("stored", ["7", "7.0", "7.00", "7E0", "0.7E1", "70E-1"])
def test_a01_any_way_to_store_seven_is_seven(stored):
    cells = f'<row r="2"><c r="A2"><v>{stored}</v></c></row>'
    rows = inline_rows([("编号", "姓名1", "姓名2")])
    body = (
        rows
        + cells.replace("</row>", "")
        + inline_rows([("", "沈默", "田甜")], 2).removeprefix('<row r="2">')
    )
    assert brief(read_roster(raw_xlsx(body), "x.xlsx")) == [(2, 7, None, ("沈默", "田甜"))]


@pytest.mark.parametrize(
    "encoding", ["gbk", "gb18030", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]
)
def test_a02_csv_in_any_encoding(encoding):
    reading = read_roster(csv_bytes(TWO_TEAMS, encoding), "roster.csv")
    assert brief(reading) == [(2, None, "二车间", ("赵敏", "范遥")), (3, None, "三车间", ("殷离", "周颠"))]


def test_a02_gbk_text_named_xlsx_is_no_xlsx():
    with pytest.raises(UnreadableRoster) as refused:
        read_roster(csv_bytes(TWO_TEAMS, "gbk"), "roster.xlsx")
    assert refused.value.code is Unreadable.NOT_XLSX
    assert "不是真正的 xlsx 文件" in describe(refused.value)


@pytest.mark.parametrize("name", ["ÕÔÃô", "赵\ufffd敏"])
def test_a02_destroyed_letters_are_refused(name):
    reading = read_roster(csv_bytes((*TWO_TEAMS, (name, "杨过", "一车间"))), "roster.csv")
    assert problems(reading) == [(4, "姓名1", "garbled_text")]


def one_bold_cell(sheet):
    sheet["A1048576"].font = Font(bold=True)


def formatted_rows(count: int) -> bytes:
    """Three teams and rows below them that hold nothing but a format, as Excel writes them."""
    empty = "".join(f'<row r="{row}" s="1"><c r="A{row}" s="1"/></row>' for row in range(5, 5 + count))
    return raw_xlsx(inline_rows(THREE_TEAMS) + empty)


@pytest.fixture(scope="module")
def a_million_formatted_rows() -> bytes:
    return formatted_rows(1_000_000)


def reads_three_teams(data: bytes) -> bool:
    reading = read_roster(data, "a03.xlsx")
    return [team.row for team in reading.teams] == [2, 3, 4] and not reading.errors and not reading.warnings


def test_a03_one_formatted_cell_in_the_last_row():
    assert reads_three_teams(xlsx(THREE_TEAMS, tune=one_bold_cell))


def test_a03_a_hundred_thousand_formatted_rows():
    assert reads_three_teams(formatted_rows(100_000))


def test_a03_a_million_formatted_rows_within_three_seconds(a_million_formatted_rows):
    started = time.process_time()
    assert reads_three_teams(a_million_formatted_rows)
    assert time.process_time() - started < 3


def test_a03_formatted_rows_take_no_memory():
    data = formatted_rows(100_000)
    tracemalloc.start()
    read_roster(data, "a03.xlsx")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000


def hidden_first(sheet):
    sheet.title = "旧名单"
    sheet.sheet_state = "hidden"
    shown = sheet.parent.create_sheet("报名表")
    for row in (HEADER[:2], ("李四", "郑七"), ("吴九", "冯十")):
        shown.append(row)


def test_a04_a_hidden_sheet_is_read_only_when_asked_for():
    data = xlsx((HEADER[:2], ("旧人甲", "旧人乙")), tune=hidden_first)
    reading = read_roster(data, "a04.xlsx")
    assert (reading.sheet, reading.sheets, reading.hidden_sheets) == ("报名表", ("报名表",), ("旧名单",))
    assert [names(team) for team in reading.teams] == [("李四", "郑七"), ("吴九", "冯十")]
    asked = read_roster(data, "a04.xlsx", sheet="旧名单")
    assert [names(team) for team in asked.teams] == [("旧人甲", "旧人乙")]


@pytest.mark.parametrize("state", ["hidden", "veryHidden"])
def test_a04_a_workbook_of_hidden_sheets_is_refused(state):
    sheets = f'<sheet name="S" sheetId="1" state="{state}" r:id="rId1"/>'
    data = raw_xlsx(inline_rows(THREE_TEAMS), sheets=sheets)
    with pytest.raises(UnreadableRoster) as refused:
        read_roster(data, "a04.xlsx")
    assert refused.value.code is Unreadable.ONLY_HIDDEN_SHEETS


def test_a04_hidden_rows_are_told():
    data = xlsx(THREE_TEAMS, tune=lambda sheet: setattr(sheet.row_dimensions[3], "hidden", True))
    reading = read_roster(data, "a04.xlsx")
    assert len(reading.teams) == 3
    assert [(warning.row, warning.code.value) for warning in reading.warnings] == [(3, "hidden_row")]


def test_a05_a_team_that_stands_there_twice():
    rows = [
        HEADER,
        ("孙小圣", "朱刚烈", "一车间"),
        ("赵敏", "范遥", "二车间"),
        ("殷离", "周颠", "三车间"),
        ("孙小圣", "朱刚烈", "一车间"),
        ("李四", "郑七", "二车间"),
        ("朱刚烈", "孙小圣", "一车间"),
    ]
    reading = read(rows)
    assert [(e.row, e.code.value, e.other_rows) for e in reading.errors] == [
        (5, "team_twice", (2,)),
        (7, "team_twice", (2, 5)),
    ]
    assert len(read([row for at, row in enumerate(rows, 1) if at not in (5, 7)]).teams) == 4


@pytest.mark.parametrize("again", ["孙 小圣", "孙小圣 ", "孙\u200b小圣", "孙\u3000小\u3000圣"])
def test_a05_the_same_person_in_other_blanks(again):
    reading = read([HEADER, ("孙小圣", "朱刚烈", "一车间"), (again, "沙和", "二车间")])
    assert problems(reading) == [(3, "姓名1", "player_twice")]


def test_a05_a_person_with_himself():
    reading = read([HEADER, ("孙小圣", "孙小圣", "一车间")])
    assert [(e.column, e.code.value, e.other_rows) for e in reading.errors] == [
        ("姓名2", "player_twice", (2,))
    ]
    assert "同一行" in describe(reading.errors[0])


def test_a06_all_errors_at_once_and_no_team():
    rows = [[f"甲{row}", f"乙{row}"] for row in range(2, 42)]
    rows[15][0] = ""
    rows[31][1] = "名" * 400
    reading = read([HEADER[:2], *rows])
    assert problems(reading) == [(17, "姓名1", "missing_partner"), (33, "姓名2", "name_too_long")]
    assert reading.teams == ()
    rows[15][0], rows[31][1] = "甲丁", "乙丁"
    assert [team.row for team in read([HEADER[:2], *rows]).teams] == list(range(2, 42))


def test_a_character_that_prints_as_a_box_is_warned_of_once_wherever_it_is_printed():
    rows = [["组号", "单位", "队名", "选手1", "选手2", "电话1", "备注"]]
    rows += [["1", "工会🎉", "飞鹰队", "张伟", "李娜", "139", "素食🍚"]]
    rows += [["2", "工会🎉", "猛虎队🐯", "王芳", "刘洋", "", ""]]
    warnings = read_roster(csv_bytes(rows), "名单.csv").warnings
    assert [(each.code.value, each.column, each.value) for each in warnings] == [
        ("unusual_character", "单位", "🎉"),
        ("unusual_character", "队名", "🐯"),
    ]


def test_a18_markup_is_a_name_like_any_other():
    rows = [
        HEADER,
        ("<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "{{7*7}}${7*7}"),
        ('=HYPERLINK("http://x","y")', "@SUM(1+1)*cmd|' /C calc'!A0", "+1+1"),
    ]
    data = xlsx(rows, tune=lambda sheet: setattr(sheet["A3"], "data_type", "s"))
    reading = read_roster(data, "a18.xlsx")
    assert [names(team) for team in reading.teams] == [row[:2] for row in rows[1:]]
    assert reading.teams[0].department == "{{7*7}}${7*7}"


def test_a18_nothing_in_an_export_is_a_formula():
    reading = read_roster(csv_bytes([HEADER, ("=1+A", "-2+B", "@c"), ("+a", "\t=b", "=d")]), "a18.csv")
    book = openpyxl.load_workbook(io.BytesIO(roster_workbook(reading.teams)))
    cells = [cell for row in book.worksheets[0].iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    assert {"=1+A", "-2+B", "@c", "+a", "=b", "=d"} <= {cell.value for cell in cells}
