"""A list of people without a partner: one name a row, everything wrong told with its row."""

from __future__ import annotations

import pytest

from tests.engine.roster.files import csv_bytes
from tournaments.roster import Problem, UnreadableRoster, read_singles


def read(*rows):
    return read_singles(csv_bytes(rows), "单人.csv")


def test_name_sex_department_and_phone():
    reading = read(
        ("散客报名表",),
        ("序号", "姓名", "性别", "部门", "手机"),
        (1, "张 伟", "男", "一车间", "13800000001"),
        (2, "李娜", "女", "", ""),
        (3, "", "", "", ""),
        ("合计", 2, "", "", ""),
    )
    assert reading.errors == ()
    found = [(one.row, one.name, one.sex, one.department, one.phone) for one in reading.singles]
    assert found == [(3, "张伟", "m", "一车间", "13800000001"), (4, "李娜", "f", "", "")]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (("李娜", "未知", "甲"), Problem.SEX_UNKNOWN),
        (("张伟", "男", "甲"), Problem.PLAYER_TWICE),
        (("2026-12-05", "男", "甲"), Problem.NAME_INVALID),
        (("长" * 41, "男", "甲"), Problem.NAME_TOO_LONG),
        (("李娜", "女", "长" * 41), Problem.TEXT_TOO_LONG),
    ],
)
def test_what_is_wrong_is_told_with_its_row(row, code):
    reading = read(("姓名", "性别", "单位"), ("张伟", "男", "甲"), row)
    assert [(each.row, each.code) for each in reading.errors] == [(3, code)]
    assert reading.singles == ()


def test_a_list_of_teams_is_none_of_singles():
    reading = read(("组号", "选手一", "选手二"), (1, "张伟", "李娜"))
    assert [each.code for each in reading.errors] == [Problem.NOT_SINGLE]


def test_a_list_without_a_header_is_refused_in_words():
    assert [each.code for each in read(("13", "14")).errors] == [Problem.HEADER_NOT_FOUND]
    with pytest.raises(UnreadableRoster):
        read_singles(b"", "单人.csv")
