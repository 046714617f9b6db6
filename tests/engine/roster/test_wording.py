"""Every code has its sentence, and every sentence says where."""

from __future__ import annotations

import re

import pytest

from tournaments.roster import (
    COLUMN_NAMES,
    LAYOUT_NAMES,
    CellProblem,
    Column,
    Layout,
    Problem,
    Unreadable,
    UnreadableRoster,
    describe,
)
from tournaments.roster.types import WARNINGS

WHOLE_SHEET = {Problem.NOT_SINGLE, Problem.HEADER_NOT_FOUND, Problem.NO_PLAYER_COLUMN, Problem.OTHER_SHEETS}


@pytest.mark.parametrize("code", Problem)
def test_every_problem_says_where_and_what(code):
    sentence = describe(CellProblem(4, "选手二", code, "张三", (2, 3)))
    assert sentence.startswith("第 4 行“选手二”：") or code in WHOLE_SHEET
    assert sentence.endswith("。")
    assert not re.search("[{}]|None", sentence)


@pytest.mark.parametrize("code", sorted(set(Problem) - WARNINGS))
def test_every_error_says_what_to_do(code):
    assert "请" in describe(CellProblem(4, "选手二", code, "张三", (2, 3)))


@pytest.mark.parametrize("code", Unreadable)
def test_every_refusal_says_what_to_do(code):
    sentence = describe(UnreadableRoster(code))
    assert "请" in sentence
    assert sentence.endswith("。")


def test_long_values_are_shortened():
    sentence = describe(CellProblem(9, "选" * 100, Problem.NAME_TOO_LONG, "名" * 400))
    assert len(sentence) < 120


def test_values_are_no_patterns():
    assert "{0.__class__}" in describe(CellProblem(2, "{x}", Problem.NAME_INVALID, "{0.__class__}"))


def test_every_code_is_explained_and_every_meaning_named():
    assert all(f"`{code.name}`" in (Problem.__doc__ or "") for code in Problem)
    assert all(f"`{code.name}`" in (Unreadable.__doc__ or "") for code in Unreadable)
    assert set(COLUMN_NAMES) == set(Column)
    assert set(LAYOUT_NAMES) == set(Layout)
