"""Seatings changed by hand, and finished draws checked against their rules."""

from dataclasses import replace

import pytest

from pairing.engine.checks import Fault, Finding, broken_rules, check_draw, explain_seating, may_meet
from pairing.engine.tables import Tables
from pairing.engine.types import (
    Broken,
    DrawnMatch,
    FirstRound,
    Note,
    NoteKind,
    PairingRules,
    Rematch,
    Rule,
    SameDepartment,
)

from .fields import met, teams

DEFAULT = PairingRules()


def matches(*tables, numbers=None):
    return [
        DrawnMatch(number, *table)
        for number, table in zip(numbers or range(1, len(tables) + 1), tables, strict=True)
    ]


def check(drawn, entrants, meetings=(), rules=DEFAULT, *, bye=None, round_number=2):
    return check_draw(drawn, bye, entrants, meetings, rules, round_number)


class TestMayMeet:
    @pytest.mark.parametrize(
        ("rules", "legal"),
        [
            (PairingRules(), [False, False, True]),
            (PairingRules(rematch=Rematch.AVOID), [True, False, True]),
            (PairingRules(same_department=SameDepartment.AVOID), [False, True, True]),
            (PairingRules(same_department=SameDepartment.ROUND1), [False, True, True]),
            (PairingRules(forbidden=((6, 1),)), [False, False, False]),
        ],
    )
    def test_what_is_only_to_be_avoided_is_legal(self, rules, legal):
        couples = [(1, 2), (5, 6), (1, 6)]
        field = teams(6, "....AA"), met("1-2", "3-4"), rules, 3
        assert [may_meet(*couple, *field) for couple in couples] == legal

    def test_a_couple_set_to_meet_elsewhere_is_no_obstacle(self):
        assert may_meet(1, 2, teams(4), [], PairingRules(forced=((1, 3),)), 1)


class TestBrokenRules:
    def test_says_what_and_since_when(self):
        rules = PairingRules(forbidden=((4, 3),))
        seating = [(1, 2), (3, 4), (5, 6)]
        assert broken_rules(seating, teams(6, "....AA"), met("1-3", "1-2"), rules, 3) == [
            Broken(Rule.REMATCH, (1, 2), 2),
            Broken(Rule.FORBIDDEN, (3, 4)),
            Broken(Rule.SAME_DEPARTMENT, (5, 6)),
        ]

    def test_rules_to_be_avoided_count_too(self):
        rules = PairingRules(rematch=Rematch.AVOID, same_department=SameDepartment.AVOID)
        broken = broken_rules([(1, 2), (3, 4)], teams(4, "AA.."), met("3-4"), rules, 2)
        assert [each.rule for each in broken] == [Rule.SAME_DEPARTMENT, Rule.REMATCH]

    @pytest.mark.parametrize(("round_number", "count"), [(1, 1), (2, 0)])
    def test_round1(self, round_number, count):
        rules = PairingRules(same_department=SameDepartment.ROUND1)
        meetings = met("3-4") if round_number > 1 else []
        assert len(broken_rules([(1, 2)], teams(4, "AA.."), meetings, rules, round_number)) == count

    def test_a_forced_couple_left_apart(self):
        rules = PairingRules(forced=((4, 1), (2, 3)))
        broken = broken_rules([(1, 2), (3, 4)], teams(4), met("2-3"), rules, 2)
        assert broken == [Broken(Rule.FORCED, (1, 4))]
        assert broken_rules([(4, 1), (3, 2)], teams(4), [], rules, 2) == []

    def test_teams_that_are_not_present(self):
        assert broken_rules([(1, 9)], teams(4), met("1-9"), DEFAULT, 2) == []


class TestExplain:
    def test_passed_over_by_hand_or_by_rule(self):
        notes = explain_seating([(3, 2), (1, 4)], teams(4), met("1-2"), DEFAULT, round_number=2, seed=1)
        assert notes == [(), (Note(NoteKind.MET, 1, 2, 1), Note(NoteKind.BY_HAND, 1, 3))]

    def test_says_nothing_of_what_the_hand_broke(self):
        entrants = teams(4, "AA..")
        notes = explain_seating([(1, 2), (3, 4)], entrants, met("1-2"), DEFAULT, round_number=2, seed=1)
        assert notes == [(), ()]

    def test_a_forced_couple_kept(self):
        rules = PairingRules(forced=((1, 2),))
        notes = explain_seating([(1, 2), (3, 4)], teams(4), [], rules, round_number=2, seed=1)
        assert notes[0] == (Note(NoteKind.FORCED, 1, 2),)

    def test_a_first_round_by_halves(self):
        rules = PairingRules(FirstRound.HALVES)
        notes = explain_seating([(1, 4), (2, 3)], teams(4), [], rules, round_number=1, seed=1)
        assert notes == [(Note(NoteKind.BY_HAND, 1, 3),), ()]


class TestCheckDraw:
    def test_nothing_wrong(self):
        assert check(matches((1, 3), (2, 4)), teams(5), met("1-2"), bye=5) == []

    @pytest.mark.parametrize(
        ("drawn", "bye", "expected"),
        [
            (matches((1, 2)), None, [Finding(Fault.TEAM_MISSING, (3,)), Finding(Fault.TEAM_MISSING, (4,))]),
            (
                matches((1, 2), (3, 3)),
                None,
                [Finding(Fault.TEAM_TWICE, (3,)), Finding(Fault.TEAM_MISSING, (4,))],
            ),
            (
                matches((1, 2), (3, 4), (8, 9)),
                None,
                [Finding(Fault.TEAM_UNKNOWN, (8,)), Finding(Fault.TEAM_UNKNOWN, (9,))],
            ),
            (matches((1, 2), (3, 4), numbers=(1, 1)), None, [Finding(Fault.TABLE_TWICE, table=1)]),
            (matches((1, 2), (3, 4), numbers=(1, 3)), None, [Finding(Fault.TABLE_GAP, table=2)]),
            (matches((2, 1), (3, 4)), None, [Finding(Fault.HOME_BELOW_AWAY, (2, 1), 1)]),
        ],
    )
    def test_seats_and_tables(self, drawn, bye, expected):
        assert check(drawn, teams(4), met("1-4"), bye=bye) == expected

    def test_a_fixed_table_may_lie_beyond(self):
        entrants = [replace(team, fixed_table=7 if team.id == 4 else None) for team in teams(4)]
        assert check(matches((1, 2), (3, 4), numbers=(1, 7)), entrants) == []

    @pytest.mark.parametrize(
        ("tables", "numbers", "expected"),
        [
            (Tables(21, 40), (21, 22), []),
            (Tables(21, 40), (21, 23), [Finding(Fault.TABLE_GAP, table=22)]),
            (Tables(21, 40), (1, 22), [Finding(Fault.TABLE_OUT, table=1)]),
            (Tables(21, 22), (22, 23), [Finding(Fault.TABLE_OUT, table=23)]),
            (Tables(without=frozenset({1, 3})), (2, 4), []),
            (Tables(without=frozenset({1, 3})), (2, 5), [Finding(Fault.TABLE_GAP, table=4)]),
            (Tables(without=frozenset({3})), (1, 3), [Finding(Fault.TABLE_OUT, table=3)]),
        ],
    )
    def test_numbers_run_on_over_those_that_could_be_used(self, tables, numbers, expected):
        drawn = matches((1, 2), (3, 4), numbers=numbers)
        assert check_draw(drawn, None, teams(4), (), DEFAULT, 2, tables) == expected

    def test_a_bye_that_was_not_needed(self):
        findings = check(matches((1, 2)), teams(4), bye=3)
        assert Finding(Fault.BYE_NOT_NEEDED, (3,)) in findings

    def test_the_bye_goes_to_one_who_had_fewest(self):
        entrants = [replace(team, byes=int(team.id == 5)) for team in teams(5)]
        drawn = matches((1, 3), (2, 4))
        assert check(drawn, entrants, met("1-2"), bye=5) == [Finding(Fault.BYE_NOT_FEWEST, (5,), least=0)]
        entrants = [replace(team, byes=1) for team in entrants]
        assert check(drawn, entrants, met("1-2"), bye=5) == []

    def test_hard_rules(self):
        rules = PairingRules(forbidden=((5, 6),), forced=((7, 8),))
        drawn = matches((1, 2), (3, 4), (5, 6), (7, 9), (8, 10))
        assert check(drawn, teams(10, "AA........"), met("3-4"), rules) == [
            Finding(Fault.SAME_DEPARTMENT, (1, 2)),
            Finding(Fault.REMATCH, (3, 4), round=1),
            Finding(Fault.FORBIDDEN, (5, 6)),
            Finding(Fault.FORCED_APART, (7, 8)),
        ]

    def test_a_forced_couple_may_break_them(self):
        rules = PairingRules(forbidden=((1, 2),), forced=((1, 2),))
        assert check(matches((1, 2), (3, 4)), teams(4, "AA.."), met("1-3"), rules) == []

    def test_soft_rules_broken_more_often_than_needed(self):
        rules = PairingRules(rematch=Rematch.AVOID, same_department=SameDepartment.AVOID)
        drawn = matches((1, 2), (3, 4))
        assert check(drawn, teams(4), met("1-2"), rules) == [Finding(Fault.MORE_REMATCHES, least=0)]
        assert check(drawn, teams(4, "AABB"), met("1-5"), rules) == [
            Finding(Fault.MORE_SAME_DEPARTMENT, least=0)
        ]
        assert check(drawn, teams(4, "AAAA"), met("1-5"), rules) == []

    def test_a_draw_where_none_was_legal(self):
        assert check(matches((1, 2)), teams(2, "AA"), met("1-2")) == [
            Finding(Fault.REMATCH, (1, 2), round=1),
            Finding(Fault.SAME_DEPARTMENT, (1, 2)),
        ]
