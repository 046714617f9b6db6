"""Round robin: everyone meets everyone, is free at most once, home and away in balance."""

from collections import Counter
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairing.engine.formats import FormatFault, InvalidFormat
from pairing.engine.round_robin import round_robin_schedule


def couples(schedule):
    return Counter(frozenset((match.home, match.away)) for one in schedule for match in one.matches)


def homes(schedule):
    return Counter(match.home for one in schedule for match in one.matches)


def last_internal(schedule, departments):
    """The rounds in which two of one department meet, latest first."""
    return sorted(
        (
            one.number
            for one in schedule
            for match in one.matches
            if departments[match.home] is not None and departments[match.home] == departments[match.away]
        ),
        reverse=True,
    )


def test_a11_five_teams_play_ten_matches_and_each_is_free_once():
    schedule = round_robin_schedule(["p1", "p2", "p3", "p4", "p5"])
    assert [len(one.matches) for one in schedule] == [2, 2, 2, 2, 2]
    assert couples(schedule) == Counter(
        {frozenset(couple): 1 for couple in combinations(["p1", "p2", "p3", "p4", "p5"], 2)}
    )
    assert sorted(one.free for one in schedule) == ["p1", "p2", "p3", "p4", "p5"]
    assert all(match.home and match.away for one in schedule for match in one.matches)


def test_four_teams_turn_around_the_first():
    rounds = [
        [(match.home, match.away) for match in one.matches] for one in round_robin_schedule([1, 2, 3, 4])
    ]
    assert rounds == [[(1, 4), (2, 3)], [(3, 1), (4, 2)], [(1, 2), (3, 4)]]


@pytest.mark.parametrize("size", [*range(2, 65), 99, 128])
def test_everyone_meets_everyone_once_at_one_table_a_round(size):
    teams = list(range(size))
    schedule = round_robin_schedule(teams)
    assert len(schedule) == size - 1 + size % 2
    assert couples(schedule) == Counter({frozenset(couple): 1 for couple in combinations(teams, 2)})
    for number, one in enumerate(schedule, start=1):
        seated = [team for match in one.matches for team in (match.home, match.away)]
        assert one.number == number
        assert sorted(seated + [one.free] * (size % 2)) == teams
        assert [match.table for match in one.matches] == list(range(1, size // 2 + 1))
    assert (size % 2 == 0) == (schedule[0].free is None)


@pytest.mark.parametrize("size", range(2, 65))
def test_home_and_away_differ_by_at_most_one_and_nearly_always_alternate(size):
    schedule = round_robin_schedule(list(range(size)))
    home = homes(schedule)
    assert all(abs(2 * home[team] - (size - 1)) <= 1 for team in range(size))
    sides: dict[int, list[str]] = {team: [] for team in range(size)}
    for one in schedule:
        for match in one.matches:
            sides[match.home].append("home")
            sides[match.away].append("away")
    repeated = sum(one == other for run in sides.values() for one, other in pairwise(run))
    assert repeated == (0 if size % 2 else size - 2)


@pytest.mark.parametrize("size", range(4, 24))
def test_nobody_meets_twice_the_team_that_was_free_the_round_before(size):
    schedule = round_robin_schedule(list(range(size)))
    met = [
        match.home if match.away == before.free else match.away
        for before, after in pairwise(schedule)
        for match in after.matches
        if before.free in (match.home, match.away)
    ]
    assert len(set(met)) == len(met)


@pytest.mark.parametrize("size", range(2, 65))
def test_a_double_mirrors_the_first_half_with_sides_swapped(size):
    single = round_robin_schedule(list(range(size)))
    double = round_robin_schedule(list(range(size)), double=True)
    assert double[: len(single)] == single
    for first, second in zip(single, double[len(single) :], strict=True):
        assert second.number == first.number + len(single)
        assert second.free == first.free
        assert [(m.table, m.away, m.home) for m in second.matches] == [
            (m.table, m.home, m.away) for m in first.matches
        ]
    assert set(homes(double).values()) == {size - 1}
    assert set(couples(double).values()) == {2}
    for one in double:
        seated = [team for match in one.matches for team in (match.home, match.away)]
        assert len(set(seated)) == len(seated)


def test_couples_of_one_department_meet_in_round_one():
    departments = {team: team // 2 for team in range(8)}
    schedule = round_robin_schedule(list(range(8)), departments_first=departments)
    assert last_internal(schedule, departments) == [1, 1, 1, 1]


def test_without_two_of_one_department_the_order_stays():
    departments = {1: "a", 2: None, 3: None, 4: "b", 5: "c"}
    teams = [1, 2, 3, 4, 5]
    assert len(round_robin_schedule(teams, departments_first=departments)) == 5
    assert couples(round_robin_schedule(teams, departments_first=departments)) == couples(
        round_robin_schedule(teams)
    )


@pytest.mark.parametrize(
    "codes", ["aab", "aabb", "aaab", "aabbc", "aaabb", "aaaab", "aabbcc", "aaabbb", "aaaabb"]
)
def test_departments_meet_as_early_as_any_order_of_the_circle_lets_them(codes):
    departments = dict(enumerate(codes))
    found = round_robin_schedule(list(departments), departments_first=departments)
    best = min(last_internal(round_robin_schedule(order), departments) for order in permutations(departments))
    assert last_internal(found, departments) == best


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=2, max_size=16), st.booleans())
def test_departments_first_is_still_a_round_robin(codes, double):
    departments = dict(enumerate(codes))
    schedule = round_robin_schedule(list(departments), double=double, departments_first=departments)
    assert set(couples(schedule).values()) == {1 + double}
    assert len(couples(schedule)) == len(codes) * (len(codes) - 1) // 2


@pytest.mark.parametrize(
    ("teams", "fault", "named"),
    [
        ([], FormatFault.AT_LEAST, ()),
        ([7], FormatFault.AT_LEAST, (7,)),
        ([1, 2, 1], FormatFault.TEAM_TWICE, (1,)),
    ],
)
def test_what_is_no_round_robin_is_refused(teams, fault, named):
    with pytest.raises(InvalidFormat) as refused:
        round_robin_schedule(teams)
    assert (refused.value.fault, refused.value.teams) == (fault, named)
