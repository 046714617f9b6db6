"""Cases with the answer written down."""

from collections import Counter
from dataclasses import replace

import pytest

from pairing.engine.checks import check_draw
from pairing.engine.field import TeamEnteredTwice, field_of
from pairing.engine.soft import _around_a_majority, _exactly
from pairing.engine.swiss import draw_round, relaxed
from pairing.engine.tables import ALL_TABLES, Tables, TooFewTables
from pairing.engine.types import (
    Broken,
    DrawnMatch,
    Entrant,
    FirstRound,
    Meeting,
    Method,
    NoLegalDraw,
    Note,
    NoteKind,
    PairingRules,
    Reason,
    Relaxation,
    Rematch,
    Rule,
    SameDepartment,
)

from .fields import met, seats, teams, tournament

DEFAULT = PairingRules()


def draw(entrants, meetings=(), rules=DEFAULT, *, round_number=None, seed=1, tables=ALL_TABLES):
    last = max((each.round for each in meetings), default=0)
    return draw_round(
        entrants, meetings, rules, round_number=round_number or last + 1, seed=seed, tables=tables
    )


def refused(entrants, meetings=(), rules=DEFAULT):
    with pytest.raises(NoLegalDraw) as caught:
        draw(entrants, meetings, rules)
    return caught.value


@pytest.mark.parametrize(
    ("first_round", "count", "departments", "expected"),
    [
        ("entry_order", 6, "", [(1, 2), (3, 4), (5, 6)]),
        ("entry_order", 6, "AABBCC", [(1, 3), (2, 5), (4, 6)]),
        ("halves", 8, "", [(1, 5), (2, 6), (3, 7), (4, 8)]),
        ("halves", 8, "A...AB..", [(1, 6), (2, 7), (3, 8), (4, 5)]),
        ("halves", 4, "ABAB", [(1, 4), (2, 3)]),
        ("seeded", 8, "", [(1, 8), (2, 7), (3, 6), (4, 5)]),
        ("seeded", 4, "A..A", [(1, 3), (2, 4)]),
    ],
)
def test_first_rounds(first_round, count, departments, expected):
    rules = PairingRules(first_round=FirstRound(first_round))
    assert seats(draw(teams(count, departments), rules=rules)) == expected


def test_seeds_come_before_numbers():
    entrants = [replace(team, seed={4: 1, 2: 2}.get(team.id)) for team in teams(4)]
    assert seats(draw(entrants, rules=PairingRules(first_round=FirstRound.SEEDED))) == [(4, 3), (2, 1)]


def test_the_seed_gives_the_same_random_round_again():
    entrants = teams(40, "ABCDE" * 8)
    draws = [draw(entrants, seed=seed) for seed in (1, 1, 2)]
    assert seats(draws[0]) == seats(draws[1]) != seats(draws[2])
    assert all(home < away for home, away in seats(draws[2]))
    assert draws[2].seed == 2


def test_ranks_decide_then_numbers():
    entrants = [Entrant("d", 4, 1), Entrant("c", 3, 2), Entrant("b", 2, 2), Entrant("a", 1, 2)]
    drawn = draw(entrants, [Meeting(1, "a", "c")])
    assert seats(drawn) == [("d", "a"), ("b", "c")]


def test_a07_seven_teams_five_rounds():
    meetings, byes, points = [], [], Counter()
    for number in range(1, 6):
        ranks = {team: 1 + sum(points[other] > points[team] for other in range(1, 8)) for team in range(1, 8)}
        entrants = [Entrant(team, team, ranks[team], byes=byes.count(team)) for team in ranks]
        drawn = draw(entrants, meetings, round_number=number)
        assert len(drawn.matches) == 3
        assert sorted([*sum(seats(drawn), ()), drawn.bye]) == list(range(1, 8))
        byes.append(drawn.bye)
        points[drawn.bye] += 16
        for match in drawn.matches:
            winner = min(match.home, match.away)
            points[winner] += 16
            points[match.home + match.away - winner] += 10
            meetings.append(Meeting(number, match.home, match.away))
    assert len(set(byes)) == 5
    assert len({frozenset((each.home, each.away)) for each in meetings}) == 15


def test_a08_the_bye_goes_to_the_lowest_that_had_none():
    ranks = {1: 1, 3: 2, 5: 2, 4: 4, 2: 5}
    entrants = [Entrant(team, team, rank, byes=int(team == 5)) for team, rank in ranks.items()]
    drawn = draw(entrants, met("1-2 3-4"))
    assert drawn.bye == 2
    assert {frozenset(table) for table in seats(drawn)} == {frozenset((1, 3)), frozenset((4, 5))}


def test_a09_no_rematch_while_there_is_another_way():
    meetings = met("1-2 3-4", "1-3 2-4")
    assert seats(draw(teams(4), meetings)) == [(1, 4), (2, 3)]
    error = refused(teams(4), [*meetings, Meeting(3, 1, 4), Meeting(3, 2, 3)])
    assert (error.reason, error.teams) == (Reason.EVERYBODY_MET, (1, 2, 3, 4))
    assert error.relaxations == (Relaxation(Rule.REMATCH, "avoid"),)


def test_a10_the_withdrawn_are_not_drawn():
    meetings = met("1-2 3-4 5-6")
    drawn = draw([team for team in teams(6) if team.id != 4], meetings)
    assert len(drawn.matches) == 2
    assert 4 not in [*sum(seats(drawn), ()), drawn.bye]
    error = refused(teams(6)[5:], meetings)
    assert (error.reason, error.teams, error.relaxations) == (Reason.TOO_FEW_TEAMS, (6,), ())
    assert refused([]).reason is Reason.TOO_FEW_TEAMS


@pytest.mark.parametrize("departments", ["AAAAA...", "AAAAA..", "AAAAAAA"])
def test_a_department_with_more_than_half(departments):
    error = refused(teams(len(departments), departments), met("1-8"))
    named = tuple(number for number, letter in enumerate(departments, start=1) if letter == "A")
    assert (error.reason, error.teams) == (Reason.DEPARTMENT_MAJORITY, named)
    assert error.relaxations == (Relaxation(Rule.SAME_DEPARTMENT, "avoid"),)


def test_of_an_odd_field_one_more_than_half_can_be_drawn():
    assert draw(teams(7, "AAAA..."), met("1-7")).bye == 4


def test_two_triangles():
    meetings = met("1-2 3-4 5-6", "1-4 2-5 3-6", "1-6 2-3 4-5")
    error = refused(teams(6), meetings)
    assert (error.reason, error.teams) == (Reason.NO_PERFECT_MATCHING, (1, 2, 3, 4, 5, 6))
    assert error.only_opponents == ()
    assert error.relaxations == (Relaxation(Rule.REMATCH, "avoid"),)
    drawn = draw(teams(6), meetings, relaxed(PairingRules(), error.relaxations[0]))
    assert [each.rule for each in drawn.broken] == [Rule.REMATCH]


def test_two_teams_that_can_only_meet_the_same_third():
    meetings = met("1-2 1-3 1-4 1-5 1-6 1-7", "2-3 2-4 2-5 2-6 2-7")
    error = refused(teams(8), meetings)
    assert (error.reason, error.teams, error.only_opponents) == (Reason.NO_PERFECT_MATCHING, (1, 2), (8,))


def test_relaxations_that_help_only_together():
    error = refused(teams(2, "AA"), met("1-2"))
    assert error.relaxations == (
        Relaxation(Rule.SAME_DEPARTMENT, "avoid", together=True),
        Relaxation(Rule.REMATCH, "avoid", together=True),
    )
    rules = PairingRules()
    for change in error.relaxations:
        rules = relaxed(rules, change)
    assert {each.rule for each in draw(teams(2, "AA"), met("1-2"), rules).broken} == {
        Rule.REMATCH,
        Rule.SAME_DEPARTMENT,
    }


def test_dropping_forced_or_forbidden_couples_is_offered_last():
    rules = PairingRules(forbidden=((1, 2), (1, 3), (1, 4)))
    assert refused(teams(4), rules=rules).relaxations == (Relaxation(Rule.FORBIDDEN, "drop"),)
    rules = PairingRules(forced=((1, 2),))
    assert refused(teams(4), met("3-4"), rules).relaxations == (
        Relaxation(Rule.REMATCH, "avoid"),
        Relaxation(Rule.FORCED, "drop"),
    )
    dropped = relaxed(rules, Relaxation(Rule.FORCED, "drop"))
    assert seats(draw(teams(4), met("3-4"), dropped)) == [(1, 3), (2, 4)]


def test_one_department_apart_in_round_1_only():
    rules = PairingRules(FirstRound.ENTRY_ORDER, same_department=SameDepartment.ROUND1)
    assert seats(draw(teams(4, "AABB"), rules=rules)) == [(1, 3), (2, 4)]
    assert seats(draw(teams(4, "AABB"), met("1-3 2-4"), rules)) == [(1, 2), (3, 4)]
    assert refused(teams(4, "AAAB"), rules=rules).relaxations == (Relaxation(Rule.SAME_DEPARTMENT, "avoid"),)


def test_unavoidable_tables_of_one_department_fall_low():
    rules = PairingRules(same_department=SameDepartment.AVOID)
    drawn = draw(teams(8, "AAAAAB.."), met("1-6"), rules)
    assert seats(drawn) == [(1, 7), (2, 6), (3, 8), (4, 5)]
    assert drawn.broken == (Broken(Rule.SAME_DEPARTMENT, (4, 5)),)
    assert drawn.matches[3].notes == (Note(NoteKind.UNAVOIDABLE_DEPARTMENT, 4, 5),)


def test_fewest_rematches_come_before_fewest_of_one_department():
    rules = PairingRules(same_department=SameDepartment.AVOID, rematch=Rematch.AVOID)
    drawn = draw(teams(4, "AABB"), met("1-3 2-4", "1-4 2-3"), rules)
    assert seats(drawn) == [(1, 2), (3, 4)]
    assert [each.rule for each in drawn.broken] == [Rule.SAME_DEPARTMENT] * 2


def test_the_bye_prefers_to_break_fewer_rules():
    rules = PairingRules(same_department=SameDepartment.AVOID)
    assert draw(teams(5, "AAABB"), met("1-4"), rules).bye == 3
    assert draw(teams(5, "AAAAB"), met("1-5"), rules).bye == 4


@pytest.mark.parametrize("seed", range(6))
def test_the_short_way_around_a_majority_is_exact(seed):
    entrants = teams(24, "AAABA.AACAAABA.AACAAAAAA")
    rules = PairingRules(same_department=SameDepartment.AVOID)
    draws = tournament(entrants, 4, rules, seed=seed)
    meetings = [Meeting(number, *table) for number, each in enumerate(draws, 1) for table in seats(each)]
    field = field_of(entrants, meetings, rules, round_number=5, seed=seed)
    tables = _around_a_majority(field, range(24))
    assert tables is not None
    assert (tables, None) == _exactly(field, list(range(24)), ())


class TestForced:
    def test_meets_whatever_the_department(self):
        rules = PairingRules(forced=((4, 1),), forbidden=((1, 4),))
        drawn = draw(teams(6, "A..A.."), met("2-3"), rules)
        assert seats(drawn) == [(1, 4), (2, 5), (3, 6)]
        assert drawn.broken == (Broken(Rule.SAME_DEPARTMENT, (1, 4)), Broken(Rule.FORBIDDEN, (1, 4)))
        assert drawn.matches[0].notes == (Note(NoteKind.FORCED, 1, 4),)

    def test_is_spent_once_they_met(self):
        assert seats(draw(teams(4), met("1-4"), PairingRules(forced=((1, 4),)))) == [(1, 2), (3, 4)]

    def test_the_first_in_the_list_counts(self):
        rules = PairingRules(forced=((1, 3), (3, 4), (9, 2)))
        assert seats(draw(teams(4), met("1-2"), rules)) == [(1, 3), (2, 4)]

    def test_does_not_take_the_bye_when_avoidable(self):
        drawn = draw(teams(5), met("1-2"), PairingRules(forced=((1, 5),)))
        assert (drawn.bye, seats(drawn)) == (4, [(1, 5), (2, 3)])
        assert drawn.bye_notes == (Note(NoteKind.KEPT_FOR_FORCED, 4, 5),)


class TestFixedTables:
    def fixed(self, **tables):
        entrants = teams(8)
        return [replace(team, fixed_table=tables.get(f"t{team.id}")) for team in entrants]

    def test_the_rest_fill_the_remaining_numbers(self):
        drawn = draw(self.fixed(t5=1), met("1-8"))
        assert [(match.table, match.home) for match in drawn.matches] == [(1, 5), (2, 1), (3, 3), (4, 7)]

    def test_a_number_beyond_the_last(self):
        drawn = draw(self.fixed(t2=9), met("1-8"))
        assert [(match.table, match.home) for match in drawn.matches] == [(1, 3), (2, 5), (3, 7), (9, 1)]

    def test_the_better_placed_team_s_table_and_a_note_for_the_other(self):
        drawn = draw(self.fixed(t1=3, t2=4), met("1-8"))
        assert drawn.matches[2] == DrawnMatch(3, 1, 2, (Note(NoteKind.TABLE_TAKEN, 2),))

    def test_a_clash_gives_the_table_to_the_better_placed(self):
        drawn = draw(self.fixed(t3=1, t7=1), met("1-8"))
        assert [(match.table, match.home) for match in drawn.matches] == [(1, 3), (2, 1), (3, 5), (4, 7)]
        assert drawn.matches[3].notes == (Note(NoteKind.TABLE_TAKEN, 7),)

    def test_only_the_numbers_that_may_be_used(self):
        hall = Tables(5, 9, frozenset({6}))
        drawn = draw(self.fixed(t7=8), met("1-8"), tables=hall)
        assert [(match.table, match.home) for match in drawn.matches] == [(5, 1), (7, 3), (8, 7), (9, 5)]
        assert check_draw(drawn.matches, None, self.fixed(t7=8), met("1-8"), PairingRules(), 2, hall) == []

    @pytest.mark.parametrize("hall", [Tables(21), Tables(last=1), Tables(without=frozenset({2}))])
    def test_a_fixed_table_out_of_use_is_said(self, hall):
        entrants = [replace(team, fixed_table=2 if team.id == 1 else None) for team in teams(2)]
        drawn = draw(entrants, met("1-8"), tables=hall)
        assert drawn.matches[0].table == min(number for number in (1, 21) if number in hall)
        assert drawn.matches[0].notes == (Note(NoteKind.TABLE_OUT, 1),)

    @pytest.mark.parametrize("hall", [Tables(last=3), Tables(1, 4, frozenset({2}))])
    def test_too_few_tables_are_refused(self, hall):
        with pytest.raises(TooFewTables) as refused:
            draw(teams(8), met("1-8"), tables=hall)
        assert refused.value.there == 3


class TestNotes:
    def test_each_opponent_passed_over_with_its_reason(self):
        rules = PairingRules(forbidden=((1, 4),), forced=((5, 8),))
        drawn = draw(teams(8, "A.A....."), met("1-2"), rules)
        assert drawn.matches[0] == DrawnMatch(
            1,
            1,
            6,
            (
                Note(NoteKind.MET, 1, 2, 1),
                Note(NoteKind.SAME_DEPARTMENT, 1, 3),
                Note(NoteKind.FORBIDDEN, 1, 4),
                Note(NoteKind.KEPT_FOR_FORCED, 1, 5),
            ),
        )

    def test_those_below_could_not_all_be_paired(self):
        drawn = draw(teams(4), met("3-4"))
        assert drawn.matches[0] == DrawnMatch(1, 1, 3, (Note(NoteKind.REST_IMPOSSIBLE, 1, 2),))

    def test_the_list_is_cut(self):
        drawn = draw(teams(20, "A" * 10 + "." * 10), met("1-20"))
        kinds = [note.kind for note in drawn.matches[0].notes]
        assert kinds == [NoteKind.SAME_DEPARTMENT] * 6 + [NoteKind.MORE]

    def test_the_bye(self):
        entrants = [replace(team, byes=int(team.id == 7)) for team in teams(7)]
        drawn = draw(entrants, met("1-7 2-7 3-7 4-7 5-7"))
        assert drawn.bye == 5
        assert drawn.bye_notes == (
            Note(NoteKind.HAD_BYE, 5, 7),
            Note(NoteKind.REST_IMPOSSIBLE, 5, 6),
        )


def test_closest_serves_the_lower_half_as_well():
    meetings = met("3-4 3-5")
    assert seats(draw(teams(6), meetings)) == [(1, 2), (3, 6), (4, 5)]
    closest = draw(teams(6), meetings, PairingRules(method=Method.CLOSEST))
    assert seats(closest) == [(1, 3), (2, 4), (5, 6)]
    assert (closest.proof.sum_of_squares, closest.proof.is_optimal) == (9, True)
    assert closest.matches[0].notes == (Note(NoteKind.LEAST_GAPS, 1, 2),)


def test_a_team_entered_twice():
    with pytest.raises(TeamEnteredTwice) as caught:
        draw([*teams(3), Entrant(2, 9, 9)])
    assert caught.value.team == 2
