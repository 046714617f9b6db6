"""The log in words: no act shows a code, a key or JSON to an official."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import translation

from tournaments.log import Act
from tournaments.log_words import log_line
from tournaments.models import LogEntry

PLAYED = {"home": 3, "away": 8, "outcome": "played", "home_level": 10, "away_level": 10, "winner": "away"}
SEATING = [[1, 3, 8], [2, 5, 6], [None, 7, None]]


def words(act: Act, old: Any = None, new: Any = None) -> list[tuple[str, str, str]]:
    return [
        (change.label, change.old, change.new)
        for change in log_line(LogEntry(act=act, old=old, new=new)).changes
    ]


@pytest.mark.parametrize(
    ("act", "old", "new", "told"),
    [
        (Act.RESULT_ENTERED, None, PLAYED, [("", "", "3 号 10 : 10 8 号")]),
        (
            Act.RESULT_CHANGED,
            PLAYED,
            {**PLAYED, "reason": "tie_rule"},
            [("", "3 号 10 : 10 8 号", "3 号 10 : 10 8 号，判 8 号胜")],
        ),
        (Act.USER_CREATED, None, {"role": "主裁判"}, [("身份", "", "主裁判")]),
        (
            Act.RESULT_CLEARED,
            {"home": 3, "away": 8, "outcome": "double_forfeit"},
            None,
            [("", "3 号对 8 号，双方弃权", "")],
        ),
        (Act.CLOCK_EXTENDED, {"seconds": 60}, {"seconds": 360}, [("剩余时间", "01:00", "06:00")]),
        (Act.CLOCK_STARTED, {"seconds": 2700}, {"seconds": 2700}, []),
        (Act.LOTS_DRAWN, None, {"seed": 7, "order": [8, 3]}, [("种子", "", "7"), ("先后", "", "8、3")]),
        (Act.LOTS_DRAWN, None, {"places": ["3: 2", "8: 1"]}, [("组号：抽签名次", "", "3: 2、8: 1")]),
        (
            Act.ROUND_PUBLISHED,
            None,
            {"version": 2, "seating": SEATING},
            [("版本", "", "2"), ("桌", "", "1 桌 3–8、2 桌 5–6、7 号轮空")],
        ),
        (
            Act.DRAFT_CHANGED,
            None,
            {"version": 2, "act": "swap", "by": "陈老师", "first": 3, "second": 8},
            [("", "", "3 号与 8 号交换")],
        ),
        (
            Act.RULES_CHANGED,
            {"pairing": {"same_department": "never"}},
            {"pairing": {"same_department": "avoid"}},
            [("编排 · 同单位", "不允许", "尽量避免")],
        ),
        (
            Act.RULES_CHANGED,
            {"ranking": ["points", "wins"]},
            {"ranking": ["wins", "lots"]},
            [("排名依次比", "积分、胜场", "胜场、抽签")],
        ),
        (Act.SCREEN_SWITCHED, {"shows": "auto"}, {"shows": "clock"}, [("大屏", "自动", "计时")]),
        (Act.EVENT_CHANGED, {"is_public": True}, {"is_public": False}, [("公开", "是", "否")]),
        (
            Act.ROSTER_IMPORTED,
            {"changed": {"12": {"department": "甲部"}}},
            {"changed": {"12": {"department": "乙部"}}},
            [("改动 · 12 · 单位", "甲部", "乙部")],
        ),
        (Act.ROUND_DRAWN, None, {"method": "bracket"}, [("编排方法", "", "按对阵图")]),
        (Act.ROUND_DRAWN, None, {"method": "schedule"}, [("编排方法", "", "按赛程")]),
        (
            Act.RULES_CHANGED,
            {"pairing": {"method": "adjacent"}, "confirmation": {"phones": "off"}},
            {"pairing": {"method": "closest"}, "confirmation": {"phones": "confirm"}},
            [
                ("编排 · 第 2 轮起", "高分对高分", "名次差最小"),
                ("复核 · 桌上手机页", "不用", "查看、叫裁判、确认"),
            ],
        ),
        (Act.STAGE_BEGUN, None, {"entries": [1, 2]}, [("参赛队", "", "1、2")]),
        (
            Act.TEAM_WITHDRAWN,
            {"withdrawn_after": None},
            {"withdrawn_after": 0},
            [("最后参加的轮次", "", "0")],
        ),
    ],
)
def test_each_act_is_told_in_words(act, old, new, told):
    assert words(act, old, new) == told


def test_moments_are_told_in_the_venues_time():
    moment = datetime(2026, 12, 5, 1, tzinfo=UTC).isoformat()
    assert words(Act.EVENT_CHANGED, None, {"starts_at": moment}) == [("日期和时间", "", "2026-12-05 09:00")]


@pytest.mark.parametrize(
    ("subject", "told"), [("1/2", "第 2 轮"), ("2/3", "阶段 2 第 3 轮"), ("3 张伟", "3 张伟")]
)
def test_rounds_are_named(subject, told):
    assert log_line(LogEntry(act=Act.ROUND_CLOSED, subject=subject)).subject == told


def test_a_softened_rule_is_named():
    new = {"relaxations": [{"rule": "same_department", "value": "avoid"}], "method": "adjacent"}
    assert words(Act.ROUND_DRAWN, None, new) == [
        ("放宽的规则", "", "同单位 尽量避免"),
        ("编排方法", "", "高分对高分"),
    ]


def test_what_people_type_is_never_taken_for_a_code():
    assert words(Act.EVENT_CHANGED, {"name": "draw"}, {"name": "total"}) == [("名称", "draw", "total")]


def test_unknown_acts_and_facts_are_shown_as_they_are():
    entry = LogEntry(act="something", old="x", new={"odd": [1, {"a": 2}]})
    line = log_line(entry)
    assert line.act == "something"
    assert [(change.label, change.new) for change in line.changes] == [("", ""), ("odd", "1、2")]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (LogEntry(act=Act.TEAMS_CHECKED_IN, new={"teams": [3, 5]}), "3、5 号队"),
        (LogEntry(act=Act.TEAMS_CHECKED_IN, new={"teams": [1, 2, 3, 4, 5, 6, 7]}), "1、2、3、4、5 号等 7 队"),
        (LogEntry(act=Act.ROUND_CLOSED, subject="1/2", new={"unconfirmed": [1]}), "第 2 轮"),
        (
            LogEntry(act=Act.NOTICE_POSTED, new={"notice": "午餐十二点", "screens": ["北墙"]}),
            "公告 午餐十二点",
        ),
        (LogEntry(act=Act.SNAPSHOT_TAKEN), ""),
    ],
)
def test_a_short_line_says_whom_the_act_was_about(entry, told):
    assert log_line(entry).about == told


def test_a_role_is_told_in_the_reader_s_language():
    with translation.override("en"):
        assert words(Act.USER_CREATED, None, {"role": "主裁判"}) == [("role", "", "chief referee")]
