"""A knockout keeps departments apart for as long as it can, and leaves seeds where nobody is in the way."""

import random
from collections import Counter
from itertools import permutations, product

import pytest

from pairing.engine.bracket import EntrySlot, Purpose, WinnerOf
from pairing.engine.knockout import (
    BracketOrder,
    KnockoutRules,
    knockout_bracket,
)
from tests.engine.pairing.test_knockout import bracket, entrants, tables


def earliest_meeting(made, department):
    """The first round in which two of one department can meet; None when only never."""
    behind: dict[object, list[object]] = {}
    for match in made:
        if match.purpose is not Purpose.MAIN:
            continue
        sides = [
            [slot.team] if isinstance(slot, EntrySlot) else behind.get(slot, [])
            for slot in (match.home, match.away)
        ]
        behind[WinnerOf(match.key)] = sides[0] + sides[1]
        codes = [{department[team] for team in side} - {None} for side in sides]
        if codes[0] & codes[1]:
            return match.round
    return None


@pytest.mark.parametrize("rounds", [2, 3, 4, 5])
def test_a_department_is_apart_for_as_long_as_it_can(rounds):
    """2ᵏ teams of a department in a full bracket first meet k rounds before the end."""
    size = 2**rounds
    for log in range(1, rounds + 1):
        codes = ["a"] * 2**log + ["b"] * (size - 2**log)
        random.Random(log).shuffle(codes)
        teams = entrants(size, [code if code == "a" else None for code in codes])
        rules = KnockoutRules(order=BracketOrder.DRAW, departments_apart=True)
        for seed in range(3):
            made = knockout_bracket(teams, rules, seed=seed)
            assert earliest_meeting(made, {team.id: team.department for team in teams}) == rounds - log + 1


def couples_by_round(made, department):
    """For each round, how many couples of one department could meet in it."""
    behind: dict[object, list[object]] = {}
    couples: Counter[int] = Counter()
    for match in made:
        sides = [
            [slot.team] if isinstance(slot, EntrySlot) else behind.get(slot, [])
            for slot in (match.home, match.away)
        ]
        behind[WinnerOf(match.key)] = sides[0] + sides[1]
        couples[match.round] += sum(
            department[one] == department[two] for one in sides[0] for two in sides[1]
        )
    return [couples[number] for number in sorted(couples)]


def every_draw(made):
    """The bracket with its teams in every order: those with a bye among each other, and the others."""
    free = [match.home.team for match in made if match.is_bye and isinstance(match.home, EntrySlot)]
    entered = [
        slot.team for match in made for slot in (match.home, match.away) if isinstance(slot, EntrySlot)
    ]
    met = [team for team in entered if team not in free]
    for first, second in product(permutations(free), permutations(met)):
        yield dict(zip([*free, *met], [*first, *second], strict=True))


@pytest.mark.parametrize(
    "codes", ["aab", "aabb", "aaab", "aabbc", "aaabc", "aabbcc", "aaabbc", "aaabbb", "aabbccd", "aaabbbc"]
)
def test_no_other_draw_keeps_departments_apart_for_longer(codes):
    """Compared with every other way of putting the teams into the bracket, byes staying with the best."""
    teams = entrants(len(codes), list(codes))
    rules = KnockoutRules(order=BracketOrder.DRAW, departments_apart=True)
    department = {team.id: team.department for team in teams}
    for seed in range(3):
        made = knockout_bracket(teams, rules, seed=seed)
        best = min(
            couples_by_round(made, {team: department[stands[team]] for team in department})
            for stands in every_draw(made)
        )
        assert couples_by_round(made, department) == best


def test_seeds_stay_where_no_department_is_in_the_way():
    teams = entrants(16, ["a", "a", "b", "b", *[None] * 12])
    apart = KnockoutRules(order=BracketOrder.SEEDED, departments_apart=True)
    assert tables(knockout_bracket(teams, apart)) == tables(bracket(16, order=BracketOrder.SEEDED))


def test_seeds_are_exchanged_only_among_their_like():
    teams = entrants(16, ["a", "b", "c", "d", *"abcdabcdabcd"])
    made = knockout_bracket(teams, KnockoutRules(order=BracketOrder.SEEDED, departments_apart=True), seed=3)
    first = tables(made)
    assert first[0][0] == 1
    assert first[4][0] == 2
    assert {first[2][0], first[6][0]} == {3, 4}
    assert {first[place][0] for place in (1, 3, 5, 7)} == {5, 6, 7, 8}
    assert earliest_meeting(made, {team.id: team.department for team in teams}) == 3
