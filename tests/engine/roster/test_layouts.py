"""How rows become teams: sessions, one row a player, larger teams, notes, labels, columns told by hand."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from tests.engine.roster.files import brief, csv_bytes, names, problems, read, warnings, xlsx
from tournaments.roster import Column, Layout, Problem, read_roster


def people(reading):
    return [names(team) for team in reading.candidates]


def meanings(reading):
    return [column.meaning.value for column in reading.columns]


def test_sessions_over_pairs_of_columns():
    rows = [
        ("单位", "5月15日", "", "5月16日", ""),
        ("", "选手一", "选手二", "选手一", "选手二"),
        ("甲部", "张三", "李四", "王五", "赵六"),
        ("乙部", "孙七", "周八", "", ""),
    ]
    reading = read(rows, merges=("A1:A2", "B1:C1", "D1:E1"))
    assert [(team.row, team.session, team.department) for team in reading.teams] == [
        (3, "5月15日", "甲部"),
        (3, "5月16日", "甲部"),
        (4, "5月15日", "乙部"),
    ]
    assert reading.layout is Layout.SESSIONS


def test_a_person_enters_one_session_only():
    rows = [
        ("组号", "选手一", "选手二", "场次"),
        (1, "张三", "李四", "上午"),
        (2, "王五", "赵六", "下午"),
        (3, "张 三", "孙七", "下午"),
    ]
    (error,) = read(rows).errors
    assert (error.row, error.code, error.other_rows) == (4, Problem.PLAYER_TWICE, (2,))


def test_days_alone_head_columns_of_both_names():
    reading = read(
        [("序号", "5月15日下午", "5月16日下午"), (1, "张三、李四", "王五、赵六"), (2, "孙七 周八", "、")]
    )
    assert [(team.number, team.session) for team in reading.teams] == [
        (None, "5月15日下午"),
        (None, "5月16日下午"),
        (None, "5月15日下午"),
    ]


def test_a_column_of_sessions_may_hold_dates():
    rows = [
        ("组号", "选手", "搭档", "比赛时间"),
        (1, "张三", "李四", date(2026, 12, 5)),
        (2, "王五", "赵六", datetime.fromisoformat("2026-12-06 13:30")),
        (3, "孙七", "周八", ""),
    ]
    reading = read(rows)
    assert [team.session for team in reading.teams] == ["2026-12-05", "2026-12-06 13:30", None]
    assert warnings(reading) == [(4, "比赛时间", "session_missing")]


def test_number_of_each_player_pairs_by_order_with_a_warning():
    rows = [("序号", "姓名", "单位"), *((at, f"人{name}", "甲") for at, name in enumerate("一二三四", 1))]
    reading = read(rows)
    assert brief(reading) == [(2, None, "甲", ("人一", "人二")), (4, None, "甲", ("人三", "人四"))]
    assert warnings(reading) == [(1, "序号", "paired_by_order")]


def test_number_of_the_team_goes_before_number_of_the_row():
    rows = [("序号", "组号", "姓名"), (1, 1, "张三"), (2, 1, "李四"), (3, 2, "王五"), (4, 2, "赵六")]
    assert brief(read(rows)) == [(2, 1, None, ("张三", "李四")), (4, 2, None, ("王五", "赵六"))]


def test_one_row_a_player_with_a_partner_missing():
    rows = [("组号", "姓名"), (1, "张三"), ("", "李四"), (2, "王五"), (3, "赵六"), ("", "孙七")]
    reading = read(rows)
    assert problems(reading) == [(4, "姓名", "missing_partner")]
    assert people(reading) == [("张三", "李四"), ("王五",), ("赵六", "孙七")]


def test_one_row_a_player_without_number_stops_at_department_and_blank_row():
    rows = [
        ("单位", "姓名"),
        ("甲", "张三"),
        ("甲", "李四"),
        ("甲", "王五"),
        ("乙", "赵六"),
        ("乙", "孙七"),
        (),
    ]
    reading = read([*rows, ("乙", "周八"), (), ("乙", "吴九"), ("", "郑十")])
    assert people(reading) == [("张三", "李四"), ("王五",), ("赵六", "孙七"), ("周八",), ("吴九", "郑十")]
    assert problems(reading) == [(4, "姓名", "missing_partner"), (8, "姓名", "missing_partner")]


def test_a_number_left_out_between_players_is_an_error():
    rows = [("组号", "姓名"), (1, "张三"), (1, "李四"), (2, "王五"), (2, "赵六"), ("", "孙七"), ("", "周八")]
    assert problems(read(rows)) == [(6, "姓名", "too_many_players")]


def test_team_names_group_players():
    rows = [("队名", "姓名"), ("飞虎队", "张三"), ("", "李四"), ("猛龙队", "王五"), ("猛龙队", "赵六")]
    reading = read(rows)
    assert [(team.name, names(team)) for team in reading.teams] == [
        ("飞虎队", ("张三", "李四")),
        ("猛龙队", ("王五", "赵六")),
    ]


def test_both_players_merged_into_tall_rows():
    rows = [("组号", "选手一", "选手二"), (1, "张三", "李四"), (), (2, "王五", "赵六"), ()]
    merges = [f"{column}{row}:{column}{row + 1}" for column in "ABC" for row in (2, 4)]
    assert brief(read(rows, merges=merges)) == [
        (2, 1, None, ("张三", "李四")),
        (4, 2, None, ("王五", "赵六")),
    ]


def test_teams_of_four_with_a_leader_who_does_not_play():
    rows = [
        ("组号", "领队", "队长", "队员", "队员", "队员"),
        (1, "甲一", "张三", "李四", "王五", "赵六"),
        (2, "甲二", "孙七", "周八", "吴九", ""),
        (3, "甲三", "钱一", "钱二", "钱三", "钱四"),
    ]
    reading = read(rows)
    assert people(reading)[:2] == [("张三", "李四", "王五", "赵六"), ("孙七", "周八", "吴九")]
    assert [team.leader for team in reading.candidates] == ["甲一", "甲二", "甲三"]
    assert warnings(reading) == [(3, "队员", "fewer_players")]
    assert meanings(reading)[2:] == ["player1", "player2", "player3", "player4"]


def test_rows_that_are_no_team_are_no_error():
    rows = [
        ("组号", "单位", "选手一", "选手二"),
        (1, "甲", "张三", "李四"),
        ("组号", "单位", "选手一", "选手二"),
        (2, "乙", "王五", "赵六"),
        (3,),
        (4, "", "/", "无"),
        ("合计", "2 队"),
        ("联系人：周老师", "", "电话：0551-1"),
    ]
    reading = read(rows)
    assert [team.row for team in reading.teams] == [2, 4]
    assert (reading.errors, reading.warnings) == ((), ())


def test_a_row_left_out_that_may_be_missed_is_told():
    rows = [("组号", "选手一", "选手二", "单位"), ("一分会",), (1, "张三", "李四", "甲"), (2, "", "", "丙部")]
    assert warnings(read(rows)) == [(2, "组号", "row_skipped"), (4, "单位", "row_skipped")]


def test_departments_may_have_the_names_of_notes():
    rows = [("单位", "选手一", "选手二"), ("附属医院", "张三"), ("注塑车间", "李四"), ("统计局", "王五")]
    assert [row for row, _, _ in problems(read(rows))] == [2, 3, 4]


@pytest.mark.parametrize(
    ("above", "below"),
    [
        (("报名单位（盖章）：化学学院 填报人：张老师",), ()),
        (("分工会", "化学学院"), ()),
        ((), ("部门：", "化学学院")),
        ((), ("分工会", "化学学院")),
        ((), ("", "所在单位：化学学院", "")),
    ],
)
def test_a_department_outside_the_table_is_that_of_all(above, below):
    reading = read(
        [above, ("序号", "双方姓名名单", "备注"), (1, "张三、李四", "x"), (2, "王五、赵六", ""), below]
    )
    assert {team.department for team in reading.teams} == {"化学学院"}
    assert len(reading.teams) == 2


def test_a_department_called_like_a_label_is_no_label():
    rows = [("组号", "单位", "选手一", "选手二"), (1, "工会", "张三", "李四"), (2, "机关", "王五", "赵六")]
    assert [team.department for team in read(rows).teams] == ["工会", "机关"]


def test_departments_of_both_players():
    rows = [("选手一", "单位", "选手二", "单位"), ("张三", "甲", "李四", "甲"), ("王五", "甲", "赵六", "乙")]
    reading = read(rows)
    assert [team.department for team in reading.teams] == ["甲", "甲"]
    assert warnings(reading) == [(3, "单位", "department_differs")]


def test_department_chosen_fills_what_the_file_leaves_out():
    rows = [("单位", "选手一", "选手二"), ("甲", "张三", "李四"), ("", "王五", "赵六")]
    assert problems(read(rows)) == [(3, "单位", "department_missing")]
    assert [team.department for team in read(rows, department="乙").teams] == ["甲", "乙"]


def test_no_department_at_all_is_no_error():
    assert read([("单位", "选手一", "选手二"), ("", "张三", "李四")]).errors == ()


def test_phone_columns_go_by_order():
    rows = [
        ("选手一", "选手二", "手机一", "手机二"),
        ("张三", "李四", 13800000001, "0558－1234567"),
    ]
    [team] = read(rows).teams
    assert [player.phone for player in team.players] == ["13800000001", "0558-1234567"]


def test_phone_numbers_in_one_cell_go_with_the_names_there():
    [team] = read([("参赛人员", "联系电话"), ("张三、李四", "13800000001/13800000002")]).teams
    assert [player.phone for player in team.players] == ["13800000001", "13800000002"]


def test_without_a_header_the_columns_can_be_told():
    rows = [("张三", "李四", "甲部"), ("王五", "赵六", "乙部")]
    unread = read(rows)
    assert unread.header_row is None
    assert problems(unread) == [(1, "", "header_not_found")]
    assert (unread.columns[0].letter, unread.columns[0].samples) == ("A", ("张三", "王五"))
    told = {1: Column.PLAYER1, 2: Column.PLAYER2, 3: Column.DEPARTMENT}
    reading = read(rows, header_row=0, mapping=told)
    assert brief(reading) == [(1, None, "甲部", ("张三", "李四")), (2, None, "乙部", ("王五", "赵六"))]
    assert problems(read(rows, mapping={1: Column.REMARK})) == [(1, "", "no_player_column")]


def test_what_is_told_by_hand_goes_before_what_is_guessed():
    rows = [("编号", "姓名", "单位", "组"), (5, "张三、李四", "甲", 1), (6, "王五、赵六", "乙", 2)]
    reading = read(rows, mapping={1: Column.REMARK, 3: Column.NAME})
    assert [(team.number, team.name, team.remark) for team in reading.teams] == [
        (1, "甲", "5"),
        (2, "乙", "6"),
    ]


def test_other_sheets_with_teams_are_told():
    def second(sheet):
        other = sheet.parent.create_sheet("第二场")
        for row in (("选手一", "选手二"), ("王五", "赵六")):
            other.append(row)

    data = xlsx([("选手一", "选手二"), ("张三", "李四")], title="第一场", tune=second)
    reading = read_roster(data, "x.xlsx")
    assert (reading.sheet, people(reading)) == ("第一场", [("张三", "李四")])
    assert [(w.code.value, w.value) for w in reading.warnings] == [("other_sheets", "第二场")]
    assert people(read_roster(data, "x.xlsx", sheet="第二场")) == [("王五", "赵六")]


def test_a_cover_sheet_is_passed_over():
    def cover(sheet):
        first = sheet.parent.create_sheet("封面", 0)
        first.append(["掼蛋比赛参赛队员名单"])

    reading = read_roster(xlsx([("选手一", "选手二"), ("张三", "李四")], title="名单", tune=cover), "x.xlsx")
    assert (reading.sheet, reading.warnings) == ("名单", ())


@pytest.mark.parametrize(
    ("cell", "number"),
    [(7, 7), ("７", 7), ("007", 7), ("第7组", 7), ("7号", 7), ("No.7", 7), ("7.0", 7), (99999, 99999)],
)
def test_numbers_people_write(cell, number):
    assert read([("组号", "选手一", "选手二"), (cell, "张三", "李四")]).teams[0].number == number


@pytest.mark.parametrize(
    "cell",
    ["六", 0, -1, 1.5, 100_000, "A3", "七号", True, date(2026, 1, 2), "1-2", 13912340001, "１２３４５６"],
)
def test_what_is_no_number(cell):
    rows = [("组号", "选手一", "选手二"), (cell, "张三", "李四"), (2, "王五", "赵六")]
    assert problems(read(rows)) == [(2, "组号", "number_invalid")]


def test_a_number_left_out_is_told():
    rows = [("组号", "选手一", "选手二"), (1, "张三", "李四"), ("", "王五", "赵六")]
    reading = read(rows)
    assert [team.number for team in reading.teams] == [1, None]
    assert warnings(reading) == [(3, "组号", "number_missing")]


@pytest.mark.parametrize("nobody", ["", "无", "待定", "/", "——", "N/A"])
def test_partners_that_are_nobody(nobody):
    assert problems(read([("选手一", "选手二"), ("张三", nobody)])) == [(2, "选手二", "missing_partner")]


@pytest.mark.parametrize("name", ["123", date(2026, 5, 15), 13800000001, "1/2"])
def test_names_that_are_none(name):
    assert problems(read([("选手一", "选手二"), ("张三", name)])) == [(2, "选手二", "name_invalid")]


def test_more_rows_than_five_are_not_listed():
    rows = [("组号", "选手一", "选手二"), *((1, f"甲{at}号", f"乙{at}号") for at in range(9))]
    assert read(rows).errors[-1].other_rows == (2, 3, 4, 5, 6)


def test_long_texts_are_refused_with_their_column():
    header = ("单位", "队名", "选手一", "选手二", "电话", "备注", "场次", "籍贯")
    row = ("单" * 41, "队" * 41, "张三", "李四", "1" * 41, "注" * 401, "场" * 41, "籍" * 999)
    reading = read([header, row])
    assert [column for _, column, _ in problems(reading)] == ["单位", "队名", "电话", "备注", "场次"]
    assert {code for _, _, code in problems(reading)} == {"text_too_long"}


def test_long_numbers_that_excel_cut_are_refused():
    rows = [("选手一", "选手二", "手机"), ("张三", "李四", "1.39E+10"), ("王五", "赵六", "1.3912340001E+10")]
    reading = read_roster(csv_bytes(rows), "x.csv")
    assert problems(reading) == [(2, "手机", "digits_lost")]
    assert reading.candidates[1].players[0].phone == "13912340001"


def test_formulas_without_value_and_error_values():
    rows = [
        ("组号", "姓名1", "姓名2", "年龄"),
        ("=ROW()-1", "张三", "李四", "=1/0"),
        (2, "=A1", "赵六", ""),
        ("#N/A", "孙七", "周八", ""),
    ]
    assert problems(read(rows)) == [
        (2, "组号", "formula_without_value"),
        (3, "姓名1", "formula_without_value"),
        (4, "组号", "cell_error"),
    ]
