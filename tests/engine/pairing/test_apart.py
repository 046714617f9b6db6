"""Departments apart: against every other arrangement for small fields, against the bound for large ones."""

import random
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairing.engine.apart import Layout, keep_apart


def halving(groups, start=0):
    """The layout of a bracket whose first round has these groups of one or two; adjacent winners meet."""
    node = [number for number, size in enumerate(groups) for _ in range(size)]
    rounds = [node]
    while max(rounds[-1]) > 0:
        rounds.append([number // 2 for number in rounds[-1]])
    return rounds


def couples_up_to(rounds, codes):
    met = [Counter((node, code) for node, code in zip(nodes, codes, strict=True) if code) for nodes in rounds]
    return tuple(sum(count * (count - 1) // 2 for count in counts.values()) for counts in met)


def arrangements(codes):
    """Every different order of these codes."""
    if not codes:
        yield []
    for code in sorted(set(codes), key=str):
        rest = list(codes)
        rest.remove(code)
        for tail in arrangements(rest):
            yield [code, *tail]


def best_of_all(layout, codes):
    """The fewest couples, round after round, among all exchanges within a kind."""
    places = defaultdict(list)
    for place, kind in enumerate(layout.kinds):
        places[kind].append(place)
    filled = [[]]
    for own in places.values():
        filled = [
            [*done, *zip(own, order, strict=True)]
            for done in filled
            for order in arrangements([codes[place] for place in own])
        ]
    return min(
        couples_up_to(layout.rounds, [code for _, code in sorted(order, key=lambda item: item[0])])
        for order in filled
    )


def arranged(layout, codes, seed=0, *, keep_order=False):
    found = keep_apart(layout, codes, random.Random(seed), keep_order=keep_order)
    moved = [codes[team] for team in found.order]
    assert sorted(found.order) == list(range(len(codes)))
    assert [layout.kinds[team] for team in found.order] == list(layout.kinds)
    assert couples_up_to(layout.rounds, moved) == found.couples
    return found


FULL = {size: halving([2] * (size // 2)) for size in (4, 8, 16)}
BYES = [[1, 2], [1, 2, 2, 2], [1, 2, 1, 2], [1, 1, 1, 2], [2, 1, 1, 1], [1, 2, 2, 2, 1, 2, 2, 2]]


@pytest.mark.parametrize(
    "codes", ["aabb", "aaab", "aabbccdd", "aaabbbcc", "aaaaabbc", "aabbbccc", "aaaaaabb", "aaaabbbb"]
)
def test_no_other_draw_of_a_full_bracket_is_better(codes):
    layout = Layout(FULL[len(codes)], [0] * len(codes))
    for seed in range(4):
        assert arranged(layout, codes, seed).couples == best_of_all(layout, codes)


@pytest.mark.parametrize("size", [13, 14, 15, 16])
@pytest.mark.parametrize("large", [2, 4, 5, 7])
def test_no_other_draw_of_up_to_sixteen_is_better(size, large):
    groups = [1 if number < 16 - size else 2 for number in (0, 7, 3, 4, 1, 6, 2, 5)]
    layout = Layout(halving(groups), [0] * size)
    codes = ["a"] * large + [None] * (size - large)
    assert arranged(layout, codes).couples == best_of_all(layout, codes)


@settings(derandomize=True, deadline=None, max_examples=120)
@given(st.sampled_from(BYES[:5]), st.data(), st.booleans(), st.booleans())
def test_no_other_draw_with_byes_is_better(groups, data, are_fixed, keep_order):
    size = sum(groups)
    codes = data.draw(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=size, max_size=size))
    kinds = [group if are_fixed else 0 for group in groups for _ in range(group)]
    layout = Layout(halving(groups), kinds)
    assert arranged(layout, codes, keep_order=keep_order).couples == best_of_all(layout, codes)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=8, max_size=8), st.integers(0, 3))
def test_no_other_exchange_within_tiers_of_seeds_is_better(codes, seed):
    """Places in the order 1 8 4 5 2 7 3 6: seeds 3–4 among themselves, and 5–8."""
    layout = Layout(FULL[8], [1, 8, 4, 8, 2, 8, 4, 8])
    assert arranged(layout, codes, seed, keep_order=True).couples == best_of_all(layout, codes)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.data(), st.sampled_from([2, 4, 8, 16, 32, 64, 128]))
def test_a_full_draw_is_always_proved(data, size):
    codes = data.draw(st.lists(st.sampled_from("abcdefgh"), min_size=size, max_size=size))
    layout = Layout(halving([2] * (size // 2)), [0] * size)
    assert arranged(layout, codes).is_proved


def test_one_round_alone_has_as_few_tables_of_one_department_as_can_be():
    for large in range(2, 21):
        codes = ["a"] * large + [f"b{number}" for number in range(20 - large)]
        found = arranged(Layout([[place // 2 for place in range(20)]], [0] * 20), codes, seed=large)
        assert found.couples == (max(0, large - 10),)


def test_an_order_that_does_is_kept():
    layout = Layout(FULL[8], [0] * 8)
    codes = ["a", "b", "c", "d", "a", "b", "c", "d"]
    assert arranged(layout, codes, keep_order=True).order == tuple(range(8))
    assert arranged(layout, codes, seed=1).order != tuple(range(8))
