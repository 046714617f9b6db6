"""What paper decides by itself: cutting order, order of lists, podium."""

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from tournaments.sheets import (
    DrawByNumberRow,
    RosterRow,
    SheetTeam,
    StandingSheetRow,
    columns_by_number,
    cut_stack,
    grouped_by_department,
    ordered_by_number,
    podium,
)


def team(number, *players, department="", withdrawn=False):
    return SheetTeam(number, players or ("张三", "李四"), department, withdrawn)


def standing(rank, number, *, shared=False, withdrawn=False):
    return StandingSheetRow(rank, shared, team(number, withdrawn=withdrawn), "70", ())


def test_long_names_are_kept_whole_where_they_stand_large():
    long = team(3, "阿依古丽·买买提明江·吐尔逊古丽", "阿卜杜热西提汗·欧阳慕容<b>")
    shown = render_to_string("print/_names.html", {"team": long})
    assert [part.count("阿") for part in shown.split('<span class="whole">')] == [0, 1, 1]
    assert "慕容&lt;b&gt;</span>" in shown
    assert render_to_string("print/_names.html", {"team": team(3)}).strip() == "张三\u3000李四"


def test_ten_slips_lie_four_to_a_page_in_cutting_order():
    assert cut_stack(range(1, 11)) == ((1, 4, 7, 10), (2, 5, 8, None), (3, 6, 9, None))


def test_no_slips_make_no_page():
    assert cut_stack([]) == ()


@given(st.integers(0, 200), st.integers(1, 8))
def test_cut_stacks_laid_on_each_other_are_in_order(count, per_page):
    pages = cut_stack(range(count), per_page)
    laid = [page[place] for place in range(per_page) for page in pages]
    assert [slip for slip in laid if slip is not None] == list(range(count))
    assert laid[:count] == list(range(count)), "empty places come last"
    assert len(pages) == -(-count // per_page)


@pytest.mark.parametrize(
    ("players", "long", "crowded"),
    [
        (("张三", "李四"), False, False),
        (("欧阳娜娜", "司马相如"), False, False),
        (("张三", "李四", "王五"), True, False),
        (("买买提·艾力江", "阿依古丽·热合曼"), True, False),
        (("阿" * 30, "买" * 30), True, True),
    ],
)
def test_names_tell_how_they_must_be_set(players, long, crowded):
    named = SheetTeam(1, players, "")
    assert (named.is_long, named.is_crowded) == (long, crowded)


def test_names_stand_in_one_run_with_an_ideographic_space():
    assert SheetTeam(1, ("张三", "李四"), "").names == "张三\u3000李四"


def test_draw_by_number_is_ordered_as_numbers_not_as_text():
    rows = [DrawByNumberRow(team(number), 1, None) for number in (10, 9, 100, 1)]
    assert [row.team.number for row in ordered_by_number(rows)] == [1, 9, 10, 100]


@pytest.mark.parametrize(("players", "columns"), [(("张三", "李四"), 3), (("欧阳娜娜", "司马相如"), 2)])
def test_one_long_team_widens_the_columns(players, columns):
    rows = [DrawByNumberRow(team(1), 1, None), DrawByNumberRow(team(2, *players), 1, None)]
    assert columns_by_number(rows) == columns


def test_list_by_department_goes_by_first_number_and_ends_with_teams_without_one():
    rows = [
        RosterRow(team(number, department=name))
        for number, name in [(4, "乙"), (1, ""), (3, "甲"), (2, "乙")]
    ]
    groups = grouped_by_department(rows)
    assert [(group.department, [row.team.number for row in group.rows]) for group in groups] == [
        ("乙", [2, 4]),
        ("甲", [3]),
        ("", [1]),
    ]


@pytest.mark.parametrize(
    ("rows", "numbers"),
    [
        ([standing(1, 5), standing(2, 3), standing(3, 9), standing(4, 1)], [5, 3, 9]),
        (
            [standing(1, 5), standing(2, 3), standing(3, 9, shared=True), standing(3, 1, shared=True)],
            [5, 3, 9, 1],
        ),
        ([standing(1, n, shared=True) for n in range(1, 8)], []),
        ([standing(1, 5), *(standing(2, n, shared=True) for n in range(10, 17))], [5]),
        ([standing(1, 5), standing(None, 3, withdrawn=True)], [5]),
        ([], []),
    ],
)
def test_podium_takes_a_shared_rank_whole_or_not_at_all(rows, numbers):
    assert [row.team.number for row in podium(rows)] == numbers


@pytest.mark.parametrize(
    ("name", "department", "origin"),
    [
        ("", "机关", "机关"),
        ("机关1队", "机关", "机关1队"),
        ("飞龙", "机关", "飞龙 · 机关"),
        ("飞龙", "", "飞龙"),
        ("", "", ""),
    ],
)
def test_a_team_is_named_by_its_own_name_and_its_department(name, department, origin):
    assert SheetTeam(1, ("张三", "李四"), department, name=name).origin == origin
