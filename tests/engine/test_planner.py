"""The planner's arithmetic, and its promises about draws against every field that can come about."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from pairing.engine.bracket import ByeSlot
from pairing.engine.knockout import KnockoutRules, PlayedOut, knockout_bracket
from pairing.engine.round_robin import round_robin_schedule
from pairing.engine.types import Entrant
from tournaments.planner import (
    DAY,
    Concern,
    InvalidPlan,
    PlanFormat,
    Proposal,
    Wishes,
    certain_rounds,
    enough_rounds,
    groups_knockout,
    knockout,
    most_rounds,
    proposals,
    round_robin,
    swiss,
)

NINE, FIVE = 9 * 60, 17 * 60


def wishes(teams: int, **changes) -> Wishes:
    given = {"tables": 500, "starts": NINE, "ends": FIVE, "minutes": 45, "pause": 10}
    return Wishes(teams, **{**given, **changes})


def told(proposal: Proposal) -> dict[Concern, dict[str, int]]:
    return {remark.concern: dict(remark.facts) for remark in proposal.remarks}


# What draws can promise, proved by going through every field that can come about


class Field:
    """Every set of meetings that some sequence of legal rounds can leave behind; teams as bits."""

    def __init__(self, departments: tuple[int, ...], *, free_bye: bool = False) -> None:
        """`departments` are their sizes; `free_bye` lets the last place, the bye, be met again and again."""
        self.teams = sum(departments)
        home = [place for place, size in enumerate(departments) for _ in range(size)]
        couples = list(combinations(range(self.teams), 2))
        self.bit = {couple: 1 << place for place, couple in enumerate(couples)}
        self.forbidden = sum(self.bit[a, b] for a, b in couples if home[a] == home[b])
        self.never_spent = sum(bit for (_, b), bit in self.bit.items() if free_bye and b == self.teams - 1)
        self.rounds = cache(self._rounds)

    def _rounds(self, free: int) -> list[int]:
        """All ways to pair the teams of `free`, each as the set of its couples."""
        if not free:
            return [0]
        first = (free & -free).bit_length() - 1
        rest = free & ~(1 << first)
        found = []
        for second in range(first + 1, self.teams):
            if rest >> second & 1:
                couple = self.bit[first, second]
                found += [couple | others for others in self.rounds(rest & ~(1 << second))]
        return found

    def after(self, met: int) -> list[int]:
        legal = [drawn for drawn in self.rounds((1 << self.teams) - 1) if not drawn & (met | self.forbidden)]
        return [met | drawn & ~self.never_spent for drawn in legal]

    def certain_and_most(self, up_to: int) -> tuple[int, int]:
        """Rounds that never fail, and the longest sequence there is, both looked for up to a number."""
        reached, certain = {0}, None
        for number in range(up_to):
            following = [self.after(met) for met in reached]
            if certain is None and not all(following):
                certain = number
            reached = set().union(*following)
            if not reached:
                return certain or 0, number
        return up_to if certain is None else certain, up_to


@pytest.mark.parametrize(("teams", "certain"), [(2, 1), (4, 3), (6, 3), (8, 5)])
def test_the_rounds_promised_are_exactly_those_that_no_result_can_prevent(teams, certain):
    """Every sequence of rounds of up to eight teams; six can dead-end after three."""
    field = Field((1,) * teams)
    assert field.certain_and_most(certain + 1)[0] == certain == certain_rounds(teams)


@pytest.mark.parametrize("teams", [6, 10, 14, 18])
def test_two_halves_of_odd_size_that_met_across_end_the_draw(teams):
    """Why no more is promised where half of the field is odd: then only two closed odd circles are left."""
    half = teams // 2
    met = {(a, half + (a + turn) % half) for turn in range(certain_rounds(teams)) for a in range(half)}
    left = [couple for couple in combinations(range(teams), 2) if couple not in met]
    assert all((a < half) == (b < half) for a, b in left)
    assert half % 2 == 1


DEPARTMENTS = [
    *((2, 2), (2, 1, 1), (2, 2, 2), (2, 2, 1, 1), (2, 1, 1, 1, 1), (3, 3), (3, 2, 1), (3, 1, 1, 1)),
    *((2, 2, 2, 2), (2, 2, 2, 1, 1), (3, 3, 2), (3, 2, 2, 1), (3, 3, 1, 1), (4, 4), (4, 2, 2), (4, 3, 1)),
]


@pytest.mark.parametrize("departments", DEPARTMENTS)
def test_departments_apart_for_the_rounds_promised_and_no_longer_than_said(departments):
    teams, largest = sum(departments), max(departments)
    promised, most = certain_rounds(teams, largest), most_rounds(teams, largest)
    up_to = most + 1 if teams <= 6 else promised
    certain, longest = Field(departments).certain_and_most(up_to)
    assert promised <= certain
    assert longest <= most


def test_departments_can_run_out_right_after_the_rounds_promised():
    assert certain_rounds(6, 2) == 2 == Field((2, 2, 2)).certain_and_most(4)[0]


@pytest.mark.parametrize(
    "departments", [(1, 1, 1), (2, 1), (1, 1, 1, 1, 1), (2, 2, 1), (2, 1, 1, 1), (3, 2), (3, 1, 1)]
)
def test_an_odd_field_counts_the_bye_as_one_place_more(departments):
    """At first nobody needs a second bye; who may have several lasts no longer than said."""
    teams, largest = sum(departments), max(departments)
    promised, most = certain_rounds(teams, largest), most_rounds(teams, largest)
    assert promised <= Field((*departments, 1)).certain_and_most(promised)[0]
    assert Field((*departments, 1), free_bye=True).certain_and_most(most + 1)[1] <= most


def test_a_department_of_more_than_half_can_never_be_kept_apart():
    assert most_rounds(8, 5) == certain_rounds(8, 5) == 0
    assert Field((5, 3)).after(0) == []
    assert most_rounds(9, 5) == 5


def test_a_clear_winner_needs_so_many_rounds():
    assert [enough_rounds(teams) for teams in (2, 3, 4, 5, 8, 9, 16, 17, 64)] == [1, 2, 2, 3, 3, 4, 4, 5, 6]


# The formats, compared with the engines that play them


@pytest.mark.parametrize("teams", range(2, 34))
def test_round_robin_takes_the_rounds_of_the_engine(teams):
    schedule = round_robin_schedule(list(range(teams)))
    assert round_robin(wishes(teams)).tables == tuple(len(each.matches) for each in schedule)


@pytest.mark.parametrize("teams", [*range(2, 34), 64, 65, 130])
def test_knockout_takes_the_rounds_of_the_engine(teams):
    entrants = [Entrant(id=number, number=number, rank=number) for number in range(1, teams + 1)]
    bracket = knockout_bracket(entrants, KnockoutRules(played_out=PlayedOut.THIRD_PLACE))
    played = Counter(match.round for match in bracket if not isinstance(match.away, ByeSlot))
    assert knockout(wishes(teams)).tables == tuple(played[number] for number in sorted(played))


def test_groups_of_the_usual_size_and_a_knockout_of_the_best_two():
    plan = groups_knockout(wishes(24))
    assert (plan.groups, plan.group_rounds) == (4, 5)
    assert plan.tables == (12, 12, 12, 12, 12, 4, 2, 2)
    assert (plan.fewest, plan.most) == (5, 8)


def test_groups_of_different_sizes():
    plan = groups_knockout(wishes(22, department=5))
    assert plan.tables[:5] == (10, 10, 10, 10, 10)
    assert told(plan)[Concern.UNEVEN_GROUPS] == {"smaller": 5, "larger": 6}
    assert told(plan)[Concern.SHARES_GROUP] == {"department": 5, "groups": 4}


def test_more_and_smaller_groups_where_the_day_is_short():
    assert groups_knockout(wishes(48)).groups == 16
    assert groups_knockout(wishes(48, ends=20 * 60)).groups == 8


def test_no_groups_of_five_teams_and_no_round_robin_of_a_hundred():
    assert [plan.format for plan in proposals(wishes(5))] == [
        PlanFormat.SWISS,
        PlanFormat.KNOCKOUT,
        PlanFormat.ROUND_ROBIN,
    ]
    assert round_robin(wishes(100)) is None


# Swiss rounds


@pytest.mark.parametrize(("teams", "rounds"), [(2, 1), (6, 3), (8, 4), (16, 5), (24, 6), (48, 7), (64, 7)])
def test_one_round_more_than_a_clear_winner_needs_as_far_as_draws_are_certain(teams, rounds):
    assert swiss(wishes(teams)).rounds == rounds


def test_no_more_rounds_than_the_day_has():
    plan = swiss(wishes(48, ends=12 * 60))
    assert plan.rounds == 3
    assert plan.is_possible
    assert told(plan)[Concern.TOO_FEW_ROUNDS] == {"rounds": 3, "enough": 6}


def test_six_teams_and_four_rounds_may_dead_end():
    plan = swiss(wishes(6, rounds=4))
    assert told(plan)[Concern.DRAW_MAY_RUN_OUT]["certain"] == 3
    assert plan.is_possible
    assert Concern.DRAW_MAY_RUN_OUT not in told(swiss(wishes(6, rounds=3)))


def test_more_rounds_than_opponents():
    plan = swiss(wishes(6, rounds=6))
    assert told(plan)[Concern.EVERYBODY_MET]["most"] == 5
    assert not plan.is_possible


@pytest.mark.parametrize(
    ("department", "rounds", "concern"),
    [
        (11, 4, Concern.MORE_THAN_HALF),
        (10, 11, Concern.DEPARTMENT_RUNS_OUT),
        (8, 4, Concern.DEPARTMENT_MAY_RUN_OUT),
        (7, 4, None),
        (0, 11, None),
        (0, 12, Concern.DRAW_MAY_RUN_OUT),
    ],
)
def test_the_worst_that_a_department_does_to_the_draw(department, rounds, concern):
    plan = swiss(wishes(20, ends=DAY, department=department, rounds=rounds))
    draw = {
        Concern.MORE_THAN_HALF,
        Concern.DEPARTMENT_RUNS_OUT,
        Concern.DEPARTMENT_MAY_RUN_OUT,
        Concern.DRAW_MAY_RUN_OUT,
    }
    assert draw & set(told(plan)) == ({concern} if concern else set())


def test_an_odd_field_has_a_bye_in_each_round():
    plan = swiss(wishes(13))
    assert told(plan)[Concern.BYE_EACH_ROUND] == {"teams": 13, "rounds": 5}
    assert (plan.fewest, plan.most) == (4, 5)
    assert Concern.BYE_EACH_ROUND not in told(swiss(wishes(14)))


# Hall, cards and time


def test_end_of_the_day():
    plan = swiss(wishes(24, rounds=4))
    assert plan.duration == 4 * 45 + 3 * 10
    assert plan.ends == NINE + 210


def test_packs_of_cards_for_the_tables_and_a_reserve():
    plan = swiss(wishes(48))
    assert (plan.tables_used, plan.packs_reserve, plan.packs) == (24, 6, 54)
    assert swiss(wishes(4)).packs == 6


def test_too_few_tables_make_several_turns_of_a_round():
    plan = swiss(wishes(24, tables=5, rounds=2))
    assert told(plan)[Concern.SHIFTS] == {"tables": 12, "turns": 3}
    assert (plan.shifts, plan.tables_used, plan.packs) == (6, 5, 12)
    assert plan.duration == 6 * 45 + 5 * 10


def test_a_knockout_needs_several_turns_only_while_the_hall_is_too_small():
    assert knockout(wishes(16, tables=4)).shifts == 2 + 1 + 1 + 1


def test_a_day_that_is_too_short_says_by_how_much_and_what_would_fit():
    plan = round_robin(wishes(12))
    assert told(plan)[Concern.TIME_SHORT] == {"late": 11 * 55 - 10 - 480, "fits": 34}
    assert not plan.is_possible
    assert round_robin(wishes(12, minutes=34)).is_possible
    assert not round_robin(wishes(12, minutes=35)).is_possible


def test_what_can_be_played_comes_first():
    plans = proposals(wishes(20, department=11))
    assert [plan.is_possible for plan in plans] == sorted((plan.is_possible for plan in plans), reverse=True)
    assert plans[0].format is not PlanFormat.SWISS
    assert all(plan.remarks == tuple(sorted(plan.remarks, key=_order)) for plan in plans)


def _order(remark) -> int:
    return list(Concern).index(remark.concern)


def test_a_knockout_cannot_keep_a_department_apart_that_has_more_teams_than_matches():
    assert told(knockout(wishes(16, department=9)))[Concern.MEETS_AT_ONCE] == {"department": 9, "places": 8}
    assert Concern.MEETS_AT_ONCE not in told(knockout(wishes(16, department=8)))


def test_byes_of_a_knockout():
    assert told(knockout(wishes(13)))[Concern.BYES_AT_FIRST] == {"byes": 3}
    assert Concern.BYES_AT_FIRST not in told(knockout(wishes(16)))


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("tables", {"tables": 0}),
        ("starts", {"starts": -1}),
        ("ends", {"ends": NINE}),
        ("minutes", {"minutes": 0}),
        ("pause", {"pause": -1}),
        ("department", {"department": 9}),
        ("rounds", {"rounds": 0}),
    ],
)
def test_wishes_that_make_no_sense_are_named(field, changes):
    with pytest.raises(InvalidPlan) as refused:
        wishes(8, **changes)
    assert refused.value.field == field


@pytest.mark.parametrize("teams", range(2, 41))
@pytest.mark.parametrize("tables", [1, 7, 20])
def test_every_proposal_plays_all_its_matches(teams, tables):
    for plan in proposals(wishes(teams, tables=tables, department=teams // 3)):
        assert plan.matches >= teams // 2
        assert plan.tables_used <= tables
        assert plan.rounds <= plan.shifts <= plan.matches
        assert plan.fewest <= plan.most
