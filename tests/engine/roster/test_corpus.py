"""The same five teams in every layout, container and oddity: all must read the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import pytest

from tests.engine.roster.files import csv_bytes, names, xlsx
from tournaments.roster import Layout, read_roster

TEAMS = (
    (1, "铸造车间", "张伟", "李娜"),
    (2, "铸造车间", "欧阳娜娜", "买买提·艾力"),
    (3, "质检科", "王芳", "John Smith"),
    (4, "动力分厂", "赵 敏", "周颠"),
    (5, "动力分厂", "孙七", "𠮷野家"),
)
CLEAN = [(number, department, (one.replace(" ", ""), two)) for number, department, one, two in TEAMS]
WITHOUT_DEPARTMENTS = [(number, None, players) for number, _, players in CLEAN]
WITHOUT_NUMBERS = [(None, department, players) for _, department, players in CLEAN]


@dataclass(frozen=True)
class Form:
    """A roster as somebody wrote it, and what must come out."""

    layout: Layout
    rows: tuple[tuple[Any, ...], ...]
    expected: list[tuple[Any, ...]]
    merges: tuple[str, ...] = ()


def one_row() -> Form:
    return Form(Layout.ONE_ROW, (("组号", "单位", "选手一", "选手二"), *TEAMS), CLEAN)


def one_row_other_words() -> Form:
    rows = [(two, one, department, number) for number, department, one, two in TEAMS]
    return Form(Layout.ONE_ROW, (("队员乙（必填）", "队员甲（必填）", "*所在部门：", "NO."), *rows), CLEAN)


def name_and_partner() -> Form:
    rows = [(department, one, two, "") for _, department, one, two in TEAMS]
    return Form(Layout.ONE_ROW, (("分工会", "姓名", "搭档", "签到"), *rows), WITHOUT_NUMBERS)


def two_columns_one_header() -> Form:
    rows = [(number, one, two, department) for number, department, one, two in TEAMS]
    return Form(
        Layout.ONE_ROW, (("编号", "参赛选手", "", "工会小组"), *rows), CLEAN, ("B1:C1", "D2:D3", "D5:D6")
    )


def two_header_rows() -> Form:
    rows = [(number, department, one, "", two, "") for number, department, one, two in TEAMS]
    heads = (("组号", "单位", "选手一", "", "选手二", ""), ("", "", "姓名", "电话", "姓名", "电话"))
    return Form(Layout.ONE_ROW, (*heads, *rows), CLEAN, ("A1:A2", "B1:B2", "C1:D1", "E1:F1"))


def two_rows_repeated() -> Form:
    rows = [(number, department, name) for number, department, one, two in TEAMS for name in (one, two)]
    return Form(Layout.TWO_ROWS, (("队号", "学院", "姓名"), *rows), CLEAN)


def two_rows_blank() -> Form:
    rows = [
        row
        for number, department, one, two in TEAMS
        for row in ((number, department, one, "男"), ("", "", two, "女"))
    ]
    return Form(Layout.TWO_ROWS, (("组号", "单位", "队员姓名", "性别"), *rows), CLEAN)


def two_rows_merged() -> Form:
    merges = tuple(f"{column}{row}:{column}{row + 1}" for row in range(2, 12, 2) for column in "AB")
    form = two_rows_blank()
    return replace(form, merges=merges)


def two_rows_without_numbers() -> Form:
    rows = [(department, name) for _, department, one, two in TEAMS for name in (one, two)]
    return Form(Layout.TWO_ROWS, (("部门", "参赛人员"), *rows), WITHOUT_NUMBERS)


def one_cell(separator: str) -> Callable[[], Form]:
    def build() -> Form:
        rows = [(number, f"{one}{separator}{two}", department) for number, department, one, two in TEAMS]
        return Form(Layout.ONE_CELL, (("序号", "参赛选手", "单位"), *rows), CLEAN)

    return build


def several_a_row() -> Form:
    blocks = [(number, one, two) for number, _, one, two in TEAMS]
    rows = [(*blocks[0], *blocks[1]), (*blocks[2], *blocks[3]), (*blocks[4], "", "", "")]
    return Form(Layout.SEVERAL_A_ROW, (("组号", "选手1", "选手2") * 2, *rows), WITHOUT_DEPARTMENTS)


FORMS: dict[str, Callable[[], Form]] = {
    "one row": one_row,
    "one row, other words": one_row_other_words,
    "name and partner": name_and_partner,
    "two columns, one header": two_columns_one_header,
    "two header rows": two_header_rows,
    "two rows, repeated": two_rows_repeated,
    "two rows, blank": two_rows_blank,
    "two rows, merged": two_rows_merged,
    "two rows, no numbers": two_rows_without_numbers,
    "one cell 、": one_cell("、"),
    "one cell ，": one_cell("，"),
    "one cell /": one_cell(" / "),
    "one cell &": one_cell("＆"),
    "one cell +": one_cell("+"),
    "one cell line": one_cell("\n"),
    "one cell ;": one_cell("；"),
    "several a row": several_a_row,
}
# Merged cells and empty headers do not survive in a text file.
NOT_IN_TEXT = {"two columns, one header", "two header rows"}


def _titled(form: Form) -> Form:
    return _below(form, (("第三届职工掼蛋比赛报名汇总表",), ("填报时间：2026年11月", ""), ()))


def _below(form: Form, above: tuple[tuple[Any, ...], ...]) -> Form:
    shift = len(above)
    merges = tuple(_shifted(merge, shift) for merge in form.merges)
    return replace(form, rows=(*above, *form.rows), merges=merges)


def _shifted(merge: str, by: int) -> str:
    return ":".join(f"{corner[0]}{int(corner[1:]) + by}" for corner in merge.split(":"))


def _noted(form: Form) -> Form:
    return replace(form, rows=(*form.rows, (), ("注：每队两人，报名后不得换人。",), ("合计", "5 队")))


def _wide_characters(form: Form) -> Form:
    digits = str.maketrans("12345", "１２３４５")
    rows = tuple(
        tuple(str(cell).translate(digits) if isinstance(cell, int) else cell for cell in row)
        for row in form.rows
    )
    return replace(form, rows=rows)


def _invisible_characters(form: Form) -> Form:
    rows = tuple(
        tuple(f"\u3000\ufeff{cell}\u200b\xa0" if isinstance(cell, str) and cell else cell for cell in row)
        for row in form.rows
    )
    return replace(form, rows=rows)


def _empty_edges(form: Form) -> Form:
    rows = [(*row, " ", "\u3000") for row in form.rows]
    return replace(form, rows=(*rows, (" ",), ("", " ")))


ODDITIES: dict[str, Callable[[Form], Form]] = {
    "as it is": lambda form: form,
    "title above": _titled,
    "notes below": _noted,
    "full-width digits": _wide_characters,
    "invisible characters": _invisible_characters,
    "empty edges": _empty_edges,
}
TEXTS = (("utf-8", ","), ("utf-8-sig", ";"), ("utf-16", "\t"), ("gb18030", ","), ("gb18030", "\t"))


def _check(data: bytes, filename: str, form: Form) -> None:
    reading = read_roster(data, filename)
    assert [(team.number, team.department, names(team)) for team in reading.teams] == form.expected
    assert reading.errors == ()
    assert {warning.code.value for warning in reading.warnings} == {"unusual_character"}
    assert reading.layout is form.layout


@pytest.mark.parametrize(("form", "oddity"), list(product(FORMS, ODDITIES)))
def test_workbook(form, oddity):
    written = ODDITIES[oddity](FORMS[form]())
    _check(xlsx(written.rows, merges=written.merges), "名单.xlsx", written)


@pytest.mark.parametrize(("form", "text"), list(product(sorted(set(FORMS) - NOT_IN_TEXT), TEXTS)))
def test_text_file(form, text):
    written = FORMS[form]()
    _check(csv_bytes(written.rows, *text), "名单.csv", written)


def test_the_corpus_is_large_enough():
    assert len(FORMS) * len(ODDITIES) + (len(FORMS) - len(NOT_IN_TEXT)) * len(TEXTS) >= 60
