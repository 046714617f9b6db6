"""Cleaning of cell texts, names in one cell, headers and their meaning."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.roster import Column
from tournaments.roster.columns import column_letter, meaning_of
from tournaments.roster.text import (
    clean_text,
    plain_number,
    same_key,
    split_names,
    tidy,
    unusual_characters,
)

# A busy machine makes one example slow; the suite as a whole is timed, not the example.
PATIENT = settings(deadline=None)


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("张 三", "张三"),
        ("李\u3000四", "李四"),
        ("王\xa0五", "王五"),
        ("赵\u200b六", "赵六"),
        ("\ufeff孙七", "孙七"),
        ("周\n八", "周八"),
        ("吴\x00\x07九", "吴九"),
        ("\u202e郑十\u202c", "郑十"),
        ("John  Smith", "John Smith"),
        ("张三 Tom", "张三 Tom"),
        ("ＡＢＣ１２３", "ABC123"),
        ("５月１５日（星期四）", "5月15日（星期四）"),
        ("买买提 • 艾力", "买买提·艾力"),
        ("买买提・艾力", "买买提·艾力"),
        ("⼤⼩", "大小"),
        ("\uf92d", "\u4f86"),
        ("José", "José"),
    ],
)
def test_cleaning(raw, clean):
    assert tidy(clean_text(raw)) == clean


@PATIENT
@given(st.text(max_size=60))
def test_cleaning_twice_changes_nothing(raw):
    once = tidy(clean_text(raw))
    assert tidy(clean_text(once)) == once
    assert clean_text(clean_text(raw)) == clean_text(raw)


@pytest.mark.parametrize("other", ["买买提•艾力", "买买提.艾力", "买 买提艾力", "买买提·艾力 ", "买买提艾力"])
def test_the_same_person(other):
    assert same_key(tidy(clean_text(other))) == same_key("买买提·艾力")


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("张三、李四", ("张三", "李四")),
        ("张 三、李 四", ("张三", "李四")),
        ("张三，李四", ("张三", "李四")),
        ("张三/李四", ("张三", "李四")),
        ("张三\n李四", ("张三", "李四")),
        ("张三 & 李四", ("张三", "李四")),
        ("张三 李四", ("张三", "李四")),
        ("张 三 李 四", ("张三", "李四")),
        ("张三 李 四", ("张三", "李四")),
        ("张三-李四", ("张三", "李四")),
        ("张三——李四", ("张三", "李四")),
        ("张三和李四", ("张三", "李四")),
        ("李和平和王小和", ("李和平", "王小和")),
        ("李和平、王五", ("李和平", "王五")),
        ("买买提·艾力", ("买买提·艾力",)),
        ("买买提·艾力 欧阳娜娜", ("买买提·艾力", "欧阳娜娜")),
        ("John Smith / Mary Ann", ("John Smith", "Mary Ann")),
        ("John Smith", ("John Smith",)),
        ("Jean-Luc", ("Jean-Luc",)),
        ("张 三", ("张三",)),
        ("张三、", ("张三",)),
        ("、", ()),
        ("", ()),
        ("无、无", ()),
        ("张三、李四、王五、赵六", ("张三", "李四", "王五", "赵六")),
        ("张三，李四。", ("张三", "李四")),
    ],
)
def test_names_in_one_cell(cell, expected):
    assert split_names(clean_text(cell)) == expected


@pytest.mark.parametrize(
    ("stored", "plain"),
    [
        ("7", "7"),
        ("7.0", "7"),
        ("100", "100"),
        ("1.3912340001E10", "13912340001"),
        ("13912340001", "13912340001"),
        ("0.30000000000000004", "0.3"),
        ("-0.50", "-0.5"),
        ("0", "0"),
        ("0.0", "0"),
        ("1E300", "1E300"),
        ("NaN", "NaN"),
        ("x", "x"),
        ("", ""),
    ],
)
def test_numbers_as_excel_stores_them(stored, plain):
    assert plain_number(stored) == plain


def test_characters_that_fonts_may_lack():
    assert unusual_characters("𠮷野家 小李😀 张三 José 买买提·艾力（二）〇") == "𠮷😀"


HEADERS = {
    Column.NUMBER: [
        "组号",
        "编号",
        "序号",
        "号码",
        "队号",
        "序 号",
        "参赛编号",
        "No.",
        "#",
        "组 号：",
        "编号*",
    ],
    Column.DEPARTMENT: [
        *(
            "单位",
            "部门",
            "分会",
            "学院",
            "工会",
            "分工会",
            "工会小组",
            "所在单位",
            "参赛单位名称",
            "车间",
            "院（系）",
            "院(系、部)",
        ),
        *("单位/部门", "选手单位", "选手一单位", "代表队", "Department", "基层工会"),
    ],
    Column.PLAYER1: [
        *(
            "选手一",
            "选手1",
            "姓名1",
            "队员A",
            "甲",
            "选手（一）",
            "姓名（1）",
            "第一选手",
            "1号选手",
            "男选手",
            "队员甲姓名",
        ),
        *("参赛选手一", "Player 1", "选手①", "名字1", "队长"),
    ],
    Column.PLAYER2: [
        "选手二",
        "姓名2",
        "队员乙",
        "乙",
        "搭档2",
        "女队员",
        "选手二（必填）",
        "player2",
        "选手 2",
    ],
    Column.PLAYER: [
        "姓名",
        "选手",
        "参赛选手",
        "参赛人员",
        "搭档",
        "队员姓名",
        "选手姓名（两人）",
        "参赛选手名单",
    ],
    Column.PHONE: ["手机", "联系电话", "手机号码", "电话1", "选手一电话", "联系方式", "Tel"],
    Column.SESSION: ["场次", "日期", "比赛日期", "参赛时间"],
    Column.NAME: ["队名", "队伍名称"],
    Column.LEADER: ["领队", "领队姓名", "参赛领队", "Leader"],
    Column.COACH: ["教练", "教练员", "主教练", "Coach"],
    Column.REMARK: ["备注", "说明", "Notes"],
    Column.IGNORE: [
        *(
            "性别",
            "年龄",
            "工号",
            "领队电话",
            "联系人电话",
            "身份证号",
            "第三届掼蛋比赛报名表",
            "填报时间：2026年11月",
            "",
            "张三",
        ),
        *("数学学院", "二车间", "签到", "长" * 400),
    ],
}


@pytest.mark.parametrize(
    ("meaning", "header"), [(meaning, header) for meaning, headers in HEADERS.items() for header in headers]
)
def test_headers(meaning, header):
    assert meaning_of(header) == (meaning, "")


@pytest.mark.parametrize(
    ("header", "meaning", "session"),
    [
        ("5月15日（星期四）参赛选手组合名单", Column.PLAYER, "5月15日（星期四）"),
        ("12月5日上午选手一", Column.PLAYER1, "12月5日上午"),
        ("第一场 参赛人员", Column.PLAYER, "第一场"),
        ("周六下午", Column.SESSION, "周六下午"),
        ("5月16日", Column.SESSION, "5月16日"),
    ],
)
def test_headers_that_name_a_session(header, meaning, session):
    assert meaning_of(header) == (meaning, session)


def test_column_letters():
    assert [column_letter(index) for index in (1, 26, 27, 60, 703)] == ["A", "Z", "AA", "BH", "AAA"]
