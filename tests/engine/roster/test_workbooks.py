"""Workbooks that we write: texts stay texts, sheets print well, rosters come back."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction

import openpyxl
import pytest

from tests.engine.roster.files import brief
from tournaments.roster import (
    RosterPlayer,
    RosterTeam,
    read_roster,
    roster_sheet,
    roster_template,
    roster_workbook,
)
from tournaments.workbooks import Sheet, code_text, text_width, write_workbook

PAYLOADS = [
    "=1+1",
    '=HYPERLINK("http://127.0.0.1/x","点我")',
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "\t=1+1",
    "\n=1+1",
    "=cmd|' /C calc'!A0",
    "#N/A",
    "#REF!",
    "<img src=x onerror=alert(1)>",
    "</t></is></c><c><f>1+1</f></c>",
    "{{7*7}}${7*7}",
    "007",
    "1.39E+10",
    "2026-01-01",
    "TRUE",
    " 两边有空格 ",
    "𠮷😀",
]


def opened(data: bytes):
    return openpyxl.load_workbook(io.BytesIO(data))


def test_no_text_is_ever_a_formula_and_each_is_shown_unchanged():
    data = write_workbook([Sheet("名单", PAYLOADS, [PAYLOADS])])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        xml = archive.read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in xml
    assert b"<f " not in xml
    for row in opened(data).worksheets[0].iter_rows():
        assert [cell.value for cell in row] == PAYLOADS
        assert {cell.data_type for cell in row} == {"s"}
        assert {cell.number_format for cell in row} == {"@"}


def test_a_text_that_looks_like_an_escape_is_none():
    data = write_workbook([Sheet("名单", ["x"], [["_x0041_"]])])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert b">_x005F_x0041_<" in archive.read("xl/worksheets/sheet1.xml")


def test_numbers_are_numbers_except_in_text_columns():
    row = (7, 2.5, Fraction(5, 2), Fraction(4), Decimal("1.5"), True, date(2026, 12, 1), None)
    sheet = Sheet("数", [str(at) for at in range(8)], [row, row], text_columns=range(1, 9))
    plain = Sheet("数", [str(at) for at in range(8)], [row])
    numbers = [cell.value for cell in opened(write_workbook([plain])).worksheets[0][2]]
    assert numbers[:6] == [7, 2.5, 2.5, 4, 1.5, True]
    texts = [cell.value for cell in opened(write_workbook([sheet])).worksheets[0][2]]
    assert texts == ["7", "2.5", "5/2", "4", "1.5", "True", "2026-12-01", None]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7.0, "7"),
        (13912340001.0, "13912340001"),
        (1e20, "1" + "0" * 20),
        (0.1, "0.1"),
        (None, ""),
        (Decimal("12.0"), "12"),
    ],
)
def test_codes_never_have_an_exponent_or_a_point_zero(value, text):
    assert code_text(value) == text


def test_times_lose_their_zone_only():
    moment = datetime(2026, 12, 5, 9, 30, tzinfo=UTC)
    data = write_workbook([Sheet("时", ["开始"], [[moment]])])
    assert opened(data).worksheets[0]["A2"].value == moment.replace(tzinfo=None)


def test_control_characters_are_removed():
    data = write_workbook([Sheet("\x00a", ["\x01甲\x0b乙"], [["丙\x1f丁\r\n戊\ud800"], ["长" * 40_000]])])
    sheet = opened(data).worksheets[0]
    assert [sheet["A1"].value, sheet["A2"].value, len(sheet["A3"].value)] == ["甲乙", "丙丁\n戊", 32_767]


def test_sheets_print_on_a4_with_their_header_on_every_page():
    portrait, landscape = opened(
        write_workbook([Sheet("一", ["名"], [["张三"]]), Sheet("二", ["名"], [["张三"]], is_landscape=True)])
    ).worksheets
    for sheet in (portrait, landscape):
        assert sheet.print_title_rows == "$1:$1"
        assert sheet.freeze_panes == "A2"
        assert sheet.page_setup.paperSize == 9
        assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (1, 0)
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet["A1"].font.bold
    assert (portrait.page_setup.orientation, landscape.page_setup.orientation) == ("portrait", "landscape")


def test_columns_are_as_wide_as_chinese_needs():
    assert (text_width("张三"), text_width("ab"), text_width("张三\nabcdef"), text_width("")) == (4, 2, 6, 0)
    sheet = opened(
        write_workbook([Sheet("宽", ["单位", "n"], [["外国语学院", 1], ["长" * 99, 2]])])
    ).worksheets[0]
    assert sheet.column_dimensions["A"].width == 60
    assert sheet.column_dimensions["B"].width == 6


def test_titles_that_excel_refuses_are_mended():
    titles = ["a/b:c", "", "长" * 40, "长" * 40, "A/B:C", "'x'"]
    written = opened(write_workbook([Sheet(title, ["h"], []) for title in titles])).sheetnames
    assert written == ["a b c", "Sheet", "长" * 31, "长" * 25 + " (2)", "A B C (2)", "x"]


def test_a_workbook_needs_a_sheet():
    with pytest.raises(ValueError, match="sheet"):
        write_workbook([])


def test_the_template_reads_as_no_teams_and_no_errors():
    reading = read_roster(roster_template(), "模板.xlsx")
    assert (reading.sheet, reading.sheets) == ("报名表", ("报名表", "填写说明"))
    assert (reading.teams, reading.errors, reading.warnings) == ((), (), ())
    assert [column.meaning.value for column in reading.columns] == [
        *("number", "department", "player1", "player2", "phone", "phone", "remark")
    ]


def test_the_template_reads_back_what_is_typed_into_it():
    book = opened(roster_template())
    assert len(book["报名表"].data_validations.dataValidation) == 3
    book["报名表"].append([1, "数学学院", "张伟", "李娜", "13800000001", 13800000002, "靠窗"])
    buffer = io.BytesIO()
    book.save(buffer)
    [team] = read_roster(buffer.getvalue(), "模板.xlsx").teams
    assert brief(read_roster(buffer.getvalue(), "模板.xlsx")) == [(2, 1, "数学学院", ("张伟", "李娜"))]
    assert [player.phone for player in team.players] == ["13800000001", "13800000002"]
    assert team.remark == "靠窗"


def test_a_roster_comes_back_as_it_went():
    teams = (
        RosterTeam(
            2, 7, "甲", (RosterPlayer("张三"), RosterPlayer("李四", "007")), "上午", "飞虎队", "一 二"
        ),
        RosterTeam(
            3, 9, "乙", tuple(RosterPlayer(name) for name in ("王五", "赵六", "孙七")), "下午", "", "=1+1"
        ),
    )
    assert read_roster(roster_workbook(teams), "x.xlsx").teams == teams


def test_a_roster_sheet_shows_only_columns_that_say_something():
    teams = [RosterTeam(2, 1, None, (RosterPlayer("张三"), RosterPlayer("李四")))]
    assert roster_sheet(teams).headers == ["组号", "单位", "选手一", "选手二"]
    assert roster_sheet([]).headers == ["组号", "单位", "选手一", "选手二"]
    assert read_roster(roster_workbook([]), "x.xlsx").teams == ()
