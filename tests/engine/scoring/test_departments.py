"""Departments ranked by the points of their best teams."""

from __future__ import annotations

import random

import pytest

from scoring.engine.departments import (
    DecidedBy,
    DepartmentRow,
    DepartmentRules,
    TeamPlace,
    department_ranking,
)
from scoring.engine.rules import InvalidRules

RULES = DepartmentRules(best=2, minimum=2)


def places(**departments: list[tuple[int, int]]) -> list[TeamPlace]:
    """Points and ranks of each department's teams, numbered in the order given."""
    given = [(name, points, rank) for name, teams in departments.items() for points, rank in teams]
    return [
        TeamPlace(f"t{number}", number, name, points, rank)
        for number, (name, points, rank) in enumerate(given, start=1)
    ]


def ranks(rows: tuple[DepartmentRow, ...]) -> list[tuple[int | None, object, int]]:
    return [(row.rank, row.department, row.points) for row in rows]


def test_the_points_of_the_best_teams_count():
    rows = department_ranking(places(a=[(10, 5), (30, 1), (20, 3)], b=[(26, 2), (18, 4)]), RULES)
    assert ranks(rows) == [(1, "a", 50), (2, "b", 44)]
    assert [place.number for place in rows[0].counted] == [2, 3]
    assert [place.number for place in rows[0].others] == [1]
    assert (rows[0].decided_by, rows[1].decided_by) == (None, DecidedBy.POINTS)


def test_a_department_with_fewer_teams_than_count_has_what_it_has():
    rows = department_ranking(places(a=[(30, 1)], b=[(20, 2), (15, 3)]), DepartmentRules(best=3, minimum=1))
    assert ranks(rows) == [(1, "b", 35), (2, "a", 30)]


def test_below_the_minimum_there_is_no_rank():
    rows = department_ranking(places(a=[(50, 1)], b=[(20, 2), (15, 3)], c=[(60, 1)]), RULES)
    assert ranks(rows) == [(1, "b", 35), (None, "c", 60), (None, "a", 50)]
    assert [row.missing for row in rows] == [0, 1, 1]


def test_equal_points_go_by_the_sum_of_ranks():
    rows = department_ranking(places(a=[(20, 2), (20, 3)], b=[(30, 1), (10, 5)], c=[(25, 1), (15, 3)]), RULES)
    assert [(row.rank, row.department, row.ranks) for row in rows] == [(1, "c", 4), (2, "a", 5), (3, "b", 6)]
    assert [row.decided_by for row in rows] == [None, DecidedBy.RANKS, DecidedBy.RANKS]


def test_departments_equal_on_both_share_a_rank_and_stand_by_number():
    rows = department_ranking(
        places(d=[(1, 8), (1, 8)], a=[(20, 2), (20, 2)], b=[(30, 1), (10, 3)], c=[(99, 1), (99, 1)]), RULES
    )
    assert [(row.rank, row.department, row.is_shared) for row in rows] == [
        (1, "c", False),
        (2, "a", True),
        (2, "b", True),
        (4, "d", False),
    ]
    assert [row.decided_by for row in rows] == [None, DecidedBy.POINTS, None, DecidedBy.POINTS]


def test_of_teams_with_equal_points_the_better_ranked_counts():
    rows = department_ranking(places(a=[(20, 4), (20, 3), (20, 5)]), DepartmentRules(best=1))
    assert (rows[0].counted[0].number, rows[0].ranks) == (2, 3)


def test_the_order_given_does_not_matter():
    given = places(a=[(20, 2), (20, 3)], b=[(30, 1), (10, 5)], c=[(25, 1), (15, 3)], d=[(40, 9)])
    expected = department_ranking(given, RULES)
    for seed in range(20):
        shuffled = random.Random(seed).sample(given, len(given))
        assert department_ranking(shuffled, RULES) == expected


def test_nobody_belongs_to_a_department():
    assert department_ranking([], RULES) == ()


def test_rules_of_the_event_file():
    assert DepartmentRules.from_dict({}) == DepartmentRules(best=3, minimum=1)
    rules = DepartmentRules(best=4, minimum=2)
    assert DepartmentRules.from_dict(rules.as_dict()) == rules


@pytest.mark.parametrize(("name", "value"), [("best", 0), ("minimum", 0), ("best", "3"), ("minimum", True)])
def test_rules_that_cannot_be_read_are_named(name, value):
    with pytest.raises(InvalidRules) as refused:
        DepartmentRules.from_dict({name: value})
    assert refused.value.path == name
