"""Groups: sizes, departments spread as evenly as is possible at all, the same draw for the same seed."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairing.engine.formats import FormatFault, InvalidFormat
from pairing.engine.groups import GroupMethod, draw_groups
from pairing.engine.types import Entrant

LOT_AND_SNAKE = [GroupMethod.DRAW, GroupMethod.SNAKE]


def entrants(departments):
    """Teams 1, 2 … with these departments; a space has none."""
    return [
        Entrant(number, number, number, None if code in (" ", None) else code)
        for number, code in enumerate(departments, start=1)
    ]


def couples_within(groups, department):
    """How many couples of one department are in a group together."""
    counts = [Counter(department[team] for team in group if department[team] is not None) for group in groups]
    return sum(count * (count - 1) // 2 for held in counts for count in held.values())


def fewest_couples(teams, department, sizes):
    """By trying all ways to fill the groups."""
    if not sizes:
        return 0
    return min(
        couples_within([chosen], department)
        + fewest_couples([team for team in teams if team not in chosen], department, sizes[1:])
        for chosen in combinations(teams, sizes[0])
    )


def test_a_snake_turns_at_the_end_of_each_row():
    assert draw_groups(entrants(" " * 12), 4, method=GroupMethod.SNAKE) == (
        (1, 8, 9),
        (2, 7, 10),
        (3, 6, 11),
        (4, 5, 12),
    )


def test_a_snake_goes_by_seed_then_by_number():
    teams = [Entrant(1, 1, 1), Entrant(2, 2, 1), Entrant(3, 3, 1, seed=2), Entrant(4, 4, 1, seed=1)]
    assert draw_groups(teams, 2, method=GroupMethod.SNAKE) == ((4, 2), (3, 1))


def test_a_snake_leaves_its_line_only_for_a_department():
    groups = draw_groups(entrants("abcdd   "), 4, method=GroupMethod.SNAKE)
    assert groups == ((1, 8), (2, 7), (3, 5), (4, 6))


@pytest.mark.parametrize(
    ("groups", "drawn"),
    [(2, ((1, 3, 5, 7), (2, 4, 6))), (3, ((1, 4, 7), (2, 5), (3, 6)))],
)
def test_by_number_two_groups_are_odd_and_even(groups, drawn):
    assert draw_groups(entrants("aaaaaaa"), groups, method=GroupMethod.NUMBERS) == drawn


def test_given_groups_stay_as_given():
    given_groups = {1: 2, 2: 1, 3: 1, 4: 2, 5: 1}
    groups = draw_groups(entrants("aaaaa"), 2, method=GroupMethod.GIVEN, given=given_groups)
    assert groups == ((2, 3, 5), (1, 4))


@pytest.mark.parametrize("method", LOT_AND_SNAKE)
@pytest.mark.parametrize("sizes", [[3, 5, 2], [6, 2, 2]])
def test_given_sizes_are_kept(method, sizes):
    groups = draw_groups(entrants("aaabb     "), sizes, method=method, seed=4)
    assert [len(group) for group in groups] == sizes


def test_without_spread_departments_do_not_matter():
    teams, plain = entrants("aabbccdd"), entrants(" " * 8)
    for method in LOT_AND_SNAKE:
        assert draw_groups(teams, 4, method=method, seed=3, spread=False) == draw_groups(
            plain, 4, method=method, seed=3
        )


@settings(derandomize=True, deadline=None, max_examples=250)
@given(
    st.lists(st.sampled_from(["a", "b", "c", "d", "e", None]), min_size=2, max_size=48),
    st.integers(1, 24),
    st.integers(0, 9),
    st.sampled_from(LOT_AND_SNAKE),
)
def test_every_department_has_its_even_share_in_every_group(codes, count, seed, method):
    count = min(count, len(codes) // 2)
    groups = draw_groups(entrants(codes), count, method=method, seed=seed)
    assert sorted(team for group in groups for team in group) == list(range(1, len(codes) + 1))
    assert max(map(len, groups)) - min(map(len, groups)) <= 1
    for code, size in Counter(code for code in codes if code).items():
        for group in groups:
            held = sum(codes[team - 1] == code for team in group)
            assert held in (size // count, -(-size // count))


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=4, max_size=40), st.integers(2, 9))
def test_a_snake_has_one_team_of_each_row_in_every_group(codes, count):
    count = min(count, len(codes) // 2)
    groups = draw_groups(entrants(codes), count, method=GroupMethod.SNAKE)
    for first in range(1, len(codes) + 1, count):
        rows = [sum(first <= team < first + count for team in group) for group in groups]
        assert max(rows) == 1
    assert [group[0] for group in groups] == list(range(1, count + 1))


@pytest.mark.parametrize("method", LOT_AND_SNAKE)
@pytest.mark.parametrize(
    ("codes", "sizes"),
    [
        ("aaabbbcc", [3, 5]),
        ("aaabbbcc", [2, 2, 4]),
        ("aaaaab ", [2, 5]),
        ("aabbccdd", [2, 6]),
        ("aaaabbbbc", [2, 3, 4]),
        ("aaabbb   ", [2, 2, 5]),
        ("aaaaaaaab", [2, 3, 4]),
        ("ababababab", [2, 3, 5]),
    ],
)
def test_groups_of_given_sizes_are_spread_as_well_as_any(codes, sizes, method):
    teams = entrants(codes)
    department = {team.id: team.department for team in teams}
    for seed in range(3):
        groups = draw_groups(teams, sizes, method=method, seed=seed)
        assert couples_within(groups, department) == fewest_couples(list(department), department, sizes)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(["a", "b", "c", None]), min_size=4, max_size=8),
    st.integers(2, 6),
    st.sampled_from(LOT_AND_SNAKE),
)
def test_two_groups_of_any_sizes_are_spread_as_well_as_any(codes, first, method):
    first = min(first, len(codes) - 2)
    teams = entrants(codes)
    department = {team.id: team.department for team in teams}
    sizes = [first, len(codes) - first]
    groups = draw_groups(teams, sizes, method=method, seed=1)
    assert couples_within(groups, department) == fewest_couples(list(department), department, sizes)


@pytest.mark.parametrize("groups", [6, [4, 4, 5, 5, 3, 4]])
def test_the_same_seed_draws_the_same_whatever_the_order_given(groups):
    teams = entrants("aabbbccccdddd eeeee      ")
    drawn = draw_groups(teams, groups, method=GroupMethod.DRAW, seed=11)
    assert drawn == draw_groups(teams[::-1], groups, method=GroupMethod.DRAW, seed=11)
    assert drawn != draw_groups(teams, groups, method=GroupMethod.DRAW, seed=12)


def test_a_draw_is_fair():
    """Every way to spread these teams over four groups comes about equally often."""
    teams = entrants("aabb    ")
    seen = Counter(draw_groups(teams, 4, method=GroupMethod.DRAW, seed=seed) for seed in range(4_000))
    with_first = Counter(
        mate for groups in seen.elements() for group in groups if 1 in group for mate in group
    )
    assert with_first[2] == 0
    assert all(560 < with_first[mate] < 780 for mate in (3, 4, 5, 6, 7, 8))
    assert max(seen.values()) <= 11


@pytest.mark.parametrize(
    ("codes", "groups", "options", "fault"),
    [
        ("a", 1, {}, FormatFault.AT_LEAST),
        ("aaaa", 0, {}, FormatFault.NO_GROUP),
        ("aaaa", [], {}, FormatFault.NO_GROUP),
        ("aaa", 2, {}, FormatFault.GROUP_TOO_SMALL),
        ("aaaa", [1, 3], {}, FormatFault.GROUP_TOO_SMALL),
        ("aaaa", [2, 3], {}, FormatFault.SIZES_DIFFER),
        ("aaaaa", [2, 3], {"method": GroupMethod.NUMBERS}, FormatFault.SIZES_DIFFER),
        ("aaaa", 2, {"method": GroupMethod.GIVEN}, FormatFault.GROUP_UNKNOWN),
        (
            "aaaa",
            2,
            {"method": GroupMethod.GIVEN, "given": dict.fromkeys(range(1, 5), 3)},
            FormatFault.GROUP_UNKNOWN,
        ),
        (
            "aaaa",
            2,
            {"method": GroupMethod.GIVEN, "given": {1: 1, 2: 2, 3: 2, 4: 2}},
            FormatFault.GROUP_TOO_SMALL,
        ),
    ],
)
def test_what_makes_no_groups_is_refused(codes, groups, options, fault):
    with pytest.raises(InvalidFormat) as refused:
        draw_groups(entrants(codes), groups, **{"method": GroupMethod.DRAW, **options})
    assert refused.value.fault is fault


def test_teams_without_a_given_group_are_named():
    with pytest.raises(InvalidFormat) as refused:
        draw_groups(entrants("aaaa"), 2, method=GroupMethod.GIVEN, given={1: 1, 2: 1, 4: 0})
    assert refused.value.teams == (3, 4)


def test_a_team_entered_twice_is_refused():
    with pytest.raises(InvalidFormat) as refused:
        draw_groups([Entrant(1, 1, 1), Entrant(1, 2, 1)], 1, method=GroupMethod.DRAW)
    assert (refused.value.fault, refused.value.teams) == (FormatFault.TEAM_TWICE, (1,))
