"""Knockout: the number of matches, byes, orders, zones, what is played out."""

from collections import Counter
from itertools import product

import pytest

from pairing.engine.bracket import (
    ByeSlot,
    EntrySlot,
    LoserOf,
    Places,
    Purpose,
    WinnerOf,
    resolve,
)
from pairing.engine.formats import FormatFault, InvalidFormat
from pairing.engine.knockout import (
    BracketOrder,
    Byes,
    KnockoutRules,
    PlayedOut,
    draw_next_round,
    knockout_bracket,
    knockout_from_tables,
)
from pairing.engine.types import Entrant, InvalidPairingRules

ORDERS, BYES, PLAYED_OUT = list(BracketOrder), list(Byes), list(PlayedOut)
STATIC = [order for order in ORDERS if order is not BracketOrder.REDRAWN]


def entrants(size, departments=None):
    codes = departments or [None] * size
    return [Entrant(number, number, number, codes[number - 1]) for number in range(1, size + 1)]


def bracket(size, seed=0, **rules):
    return knockout_bracket(entrants(size), KnockoutRules(**rules), seed=seed)


def tables(matches, number=1):
    """The teams of a round as far as they stand in it from the start."""
    return [
        tuple(slot.team for slot in (match.home, match.away) if isinstance(slot, EntrySlot))
        for match in matches
        if match.round == number
    ]


def played(matches, purpose=Purpose.MAIN):
    return [match for match in matches if match.purpose is purpose and not match.is_bye]


def best_wins(matches, winners=None):
    """Winners of all matches when the lowest number always wins."""
    winners = dict(winners or {})
    while ready := resolve(matches, winners).ready:
        winners |= {entry.match.key: min(entry.home, entry.away) for entry in ready}
    return winners


def final_places(matches, winners=None):
    return {
        team: tuple(places) for team, places in resolve(matches, winners or best_wins(matches)).places.items()
    }


# Any number


@pytest.mark.parametrize(("size", "matches"), [(5, 4), (6, 5), (7, 6), (3, 2), (2, 1)])
@pytest.mark.parametrize("byes", BYES)
def test_a12_any_number_of_entries(size, matches, byes):
    made = bracket(size, byes=byes)
    assert sorted(team for table in tables(made) for team in table) == list(range(1, size + 1))
    assert all(len(table) in (1, 2) for table in tables(made))
    assert len(played(made)) == matches


def test_a12_one_entry_is_refused():
    with pytest.raises(InvalidFormat) as refused:
        bracket(1)
    assert (refused.value.fault, refused.value.least, refused.value.teams) == (FormatFault.AT_LEAST, 2, (1,))


RULES = [
    KnockoutRules(*rules)
    for rules in product(STATIC, BYES, PLAYED_OUT, [False, True])
    if (rules[0], rules[1]) != (BracketOrder.SEEDED, Byes.EACH_ROUND)
    and (rules[2], rules[3]) != (PlayedOut.FINAL_GROUP, True)
]


@pytest.mark.parametrize(
    "rules", RULES, ids=lambda rules: f"{rules.order}-{rules.byes}-{rules.played_out}-{rules.zones}"
)
def test_one_match_less_than_entries_to_the_champion(rules):
    """And every side comes from somewhere earlier, and every team stands in round 1 once."""
    is_group = rules.played_out is PlayedOut.FINAL_GROUP
    is_plain = rules == KnockoutRules(rules.order, rules.byes)
    for size in range(2, 131) if is_plain else [*range(4, 20), 31, 32, 33, 64, 65, 127, 128, 129, 130]:
        made = knockout_bracket(entrants(size), rules, seed=size)
        assert len(played(made)) + 3 * is_group == size - 1 + is_group
        assert sorted(team for table in tables(made) for team in table) == list(range(1, size + 1))
        known = set()
        for number, match in enumerate(made):
            sides = [match.home, match.away]
            assert not isinstance(match.home, ByeSlot)
            assert all(side.match in known for side in sides if isinstance(side, WinnerOf | LoserOf))
            assert number == 0 or made[number - 1].round <= match.round
            known.add(match.key)
        assert len(known) == len(made)
        knockout = [match for match in made if match.purpose is not Purpose.FINAL_GROUP]
        sources = Counter(side for match in knockout for side in (match.home, match.away))
        del sources[ByeSlot()]
        assert set(sources.values()) == {1}


@pytest.mark.parametrize(
    "rules", RULES, ids=lambda rules: f"{rules.order}-{rules.byes}-{rules.played_out}-{rules.zones}"
)
@pytest.mark.parametrize("size", [3, 4, 5, 6, 7, 8, 11, 13, 16, 23, 32, 33])
def test_played_to_the_end_every_team_has_its_place(rules, size):
    made = knockout_bracket(entrants(size), rules, seed=2)
    state = resolve(made, best_wins(made))
    assert state.is_complete
    assert not state.ready
    assert sorted((*state.out, *state.final_group)) == list(range(1, size + 1))
    spans = Counter(state.places.values())
    assert all(count <= places.last - places.first + 1 for places, count in spans.items())
    assert sum(spans.values()) + len(state.final_group) == size
    if not state.final_group:
        assert state.champion == 1
        assert state.out[0] == 1


# By number


def test_thirteen_by_number_as_in_the_regulation():
    """6 matches + bye for 13 → 7 → bye → 4 → final, third place."""
    made = bracket(13, byes=Byes.EACH_ROUND, played_out=PlayedOut.THIRD_PLACE)
    rounds = [[match for match in made if match.round == number] for number in (1, 2, 3, 4)]
    assert tables(made) == [(1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12), (13,)]
    assert [len(one) for one in rounds] == [7, 4, 2, 2]
    assert [sum(match.is_bye for match in one) for one in rounds] == [1, 1, 0, 0]
    assert [match.purpose for match in rounds[3]] == [Purpose.MAIN, Purpose.THIRD_PLACE]
    assert rounds[1][3].home == WinnerOf("1.6")
    assert final_places(made)[1] == (1, 1)
    assert sorted(place for place, _ in final_places(made).values())[:4] == [1, 2, 3, 4]


@pytest.mark.parametrize("size", range(2, 131))
def test_a_bye_in_each_round_comes_to_nobody_twice_while_others_had_none(size):
    made = bracket(size, byes=Byes.EACH_ROUND)
    byes: dict[str, int] = {}
    for match in made:
        before = [byes[slot.match] for slot in (match.home, match.away) if isinstance(slot, WinnerOf)]
        byes[match.key] = max(before, default=0) + match.is_bye
    assert max(byes.values()) <= 2
    assert all(sum(match.is_bye for match in made if match.round == number) <= 1 for number in range(1, 9))


@pytest.mark.parametrize(
    ("byes", "first"),
    [
        (Byes.BEST, [(1,), (2,), (3,), (4, 5)]),
        (Byes.LAST, [(1, 2), (3,), (4,), (5,)]),
        (Byes.EACH_ROUND, [(1, 2), (3, 4), (5,)]),
    ],
)
def test_five_by_number(byes, first):
    assert tables(bracket(5, byes=byes)) == first


def test_adjacent_winners_meet():
    made = bracket(8)
    assert [(match.home, match.away) for match in made if match.round == 2] == [
        (WinnerOf("1.1"), WinnerOf("1.2")),
        (WinnerOf("1.3"), WinnerOf("1.4")),
    ]


# Seeded


def test_seeds_meet_as_late_as_they_are_good():
    assert tables(bracket(16, order=BracketOrder.SEEDED)) == [
        (1, 16),
        (8, 9),
        (4, 13),
        (5, 12),
        (2, 15),
        (7, 10),
        (3, 14),
        (6, 11),
    ]


def test_seeds_come_before_numbers():
    teams = [Entrant(1, 1, 1), Entrant(2, 2, 1), Entrant(3, 3, 1, seed=2), Entrant(4, 4, 1, seed=1)]
    made = knockout_bracket(teams, KnockoutRules(order=BracketOrder.SEEDED))
    assert tables(made) == [(4, 2), (3, 1)]


@pytest.mark.parametrize(
    ("byes", "first"),
    [
        (Byes.BEST, [(1,), (4, 5), (2,), (3, 6)]),
        (Byes.LAST, [(1, 4), (6,), (2, 3), (5,)]),
    ],
)
def test_six_seeds(byes, first):
    assert tables(bracket(6, order=BracketOrder.SEEDED, byes=byes)) == first


# By draw


@pytest.mark.parametrize("order", [BracketOrder.DRAW, BracketOrder.REDRAWN])
@pytest.mark.parametrize(("byes", "free"), [(Byes.BEST, {1, 2, 3}), (Byes.LAST, {11, 12, 13})])
def test_in_a_draw_the_byes_belong_to_the_best_or_the_last(order, byes, free):
    for seed in range(5):
        first = tables(bracket(13, seed, order=order, byes=byes))
        assert {table[0] for table in first if len(table) == 1} == free


def test_the_same_seed_draws_the_same_whatever_the_order_given():
    rules, teams = KnockoutRules(order=BracketOrder.DRAW), entrants(20)
    drawn = knockout_bracket(teams, rules, seed=5)
    assert drawn == knockout_bracket(teams[::-1], rules, seed=5)
    assert drawn != knockout_bracket(teams, rules, seed=6)


def test_a_draw_is_fair():
    firsts = [bracket(8, seed, order=BracketOrder.DRAW) for seed in range(1_400)]
    mates = Counter(
        other for made in firsts for table in tables(made) if 1 in table for other in table if other != 1
    )
    assert all(150 < mates[other] < 250 for other in range(2, 9))


def test_in_a_draw_the_lower_number_is_home():
    assert all(home < away for home, away in tables(bracket(16, 3, order=BracketOrder.DRAW)))


# Redrawn each round


def redrawn_to_the_end(teams, rules, seed, pick=min):
    made = knockout_bracket(teams, rules, seed=seed)
    winners: dict[str, object] = {}
    while True:
        for entry in resolve(made, winners).ready:
            winners[entry.match.key] = pick(entry.home, entry.away)
        if not resolve(made, winners).is_complete:
            continue
        if any(match.places == (1, 2) or match.purpose is Purpose.FINAL_GROUP for match in made):
            return made, winners
        made = draw_next_round(made, teams, rules, winners, seed=seed + len(made))


@pytest.mark.parametrize("byes", BYES)
@pytest.mark.parametrize("played_out", PLAYED_OUT)
@pytest.mark.parametrize("size", [3, 4, 6, 7, 8, 13, 21, 32])
def test_redrawn_every_round_leads_to_the_same_number_of_matches(size, byes, played_out):
    rules = KnockoutRules(order=BracketOrder.REDRAWN, byes=byes, played_out=played_out)
    made, winners = redrawn_to_the_end(entrants(size), rules, seed=1)
    state = resolve(made, winners)
    is_group = played_out is PlayedOut.FINAL_GROUP
    assert len(played(made)) == size - (3 if is_group else 1)
    assert state.is_complete
    assert sorted((*state.out, *state.final_group)) == list(range(1, size + 1))
    assert len({match.key for match in made}) == len(made)


def test_redrawn_within_zones():
    teams = entrants(11)
    rules = KnockoutRules(order=BracketOrder.REDRAWN, byes=Byes.EACH_ROUND, zones=True)
    for seed in range(5):
        made, winners = redrawn_to_the_end(teams, rules, seed, pick=max)
        entries = resolve(made, winners).entries
        mixed = [entry for entry in entries if entry.away and (entry.home - entry.away) % 2]
        assert [entry.match.winner_places for entry in mixed] == [Places(1, 1)]


def test_redrawn_byes_come_to_those_who_had_fewest():
    for seed in range(20):
        rules = KnockoutRules(order=BracketOrder.REDRAWN, byes=Byes.EACH_ROUND)
        made, winners = redrawn_to_the_end(entrants(11), rules, seed)
        free = [entry.winner for entry in resolve(made, winners).entries if entry.match.is_bye]
        assert len(set(free)) == len(free) == 2


def test_the_next_round_is_drawn_anew_and_only_when_the_last_is_over():
    teams, rules = entrants(16), KnockoutRules(order=BracketOrder.REDRAWN)
    first = knockout_bracket(teams, rules, seed=1)
    with pytest.raises(InvalidFormat) as refused:
        draw_next_round(first, teams, rules, {"1.1": None}, seed=1)
    assert (refused.value.fault, len(refused.value.matches)) == (FormatFault.ROUND_OPEN, 7)
    seconds = {draw_next_round(first, teams, rules, best_wins(first), seed=seed) for seed in range(8)}
    assert len(seconds) > 4
    assert all(made[:8] == first for made in seconds)


@pytest.mark.parametrize("played_out", PLAYED_OUT)
def test_after_the_final_there_is_nothing_to_draw(played_out):
    teams, rules = entrants(6), KnockoutRules(order=BracketOrder.REDRAWN, played_out=played_out)
    made, winners = redrawn_to_the_end(teams, rules, seed=1)
    with pytest.raises(InvalidFormat) as refused:
        draw_next_round(made, teams, rules, winners, seed=1)
    assert refused.value.fault is FormatFault.FINISHED


def test_a_redrawn_round_keeps_departments_apart_where_it_can():
    departments = [number % 2 for number in range(16)]
    teams = entrants(16, departments)
    rules = KnockoutRules(order=BracketOrder.REDRAWN, departments_apart=True)
    for seed in range(10):
        first = knockout_bracket(teams, rules, seed=seed)
        assert all(home % 2 != away % 2 for home, away in tables(first))
        winners = {match.key: match.home.team for match in first}
        state = resolve(draw_next_round(first, teams, rules, winners, seed=seed), winners)
        odd = sum(winner % 2 for winner in winners.values())
        inside = sum(entry.home % 2 == entry.away % 2 for entry in state.entries if entry.match.round == 2)
        assert inside == abs(8 - 2 * odd) // 2


# Zones


@pytest.mark.parametrize("order", STATIC)
@pytest.mark.parametrize("size", [4, 5, 7, 9, 12, 13, 30])
def test_odd_and_even_numbers_meet_only_in_the_final(order, size):
    made = bracket(size, order=order, zones=True)
    behind: dict[object, set[int]] = {}
    for match in played(made):
        assert match.zone in ((0,) if match.winner_places else (1, 2))
    for match in made:
        teams = set()
        for slot in (match.home, match.away):
            teams |= {slot.team % 2} if isinstance(slot, EntrySlot) else behind.get(slot, set())
        behind[WinnerOf(match.key)] = teams
        assert len(teams) == (1 if match.zone else 2)


def test_zones_of_very_different_size():
    teams = [Entrant(number, number, 1) for number in (1, 3, 5, 7, 9, 11, 13, 15, 17, 2)]
    made = knockout_bracket(teams, KnockoutRules(zones=True, played_out=PlayedOut.THIRD_PLACE))
    assert len(played(made)) == 9
    assert resolve(made, best_wins(made)).champion == 1


# What is played for


@pytest.mark.parametrize(
    ("played_out", "places"),
    [
        (PlayedOut.TWO_THIRDS, {1: (1, 1), 2: (2, 2), 3: (3, 4), 4: (3, 4), 5: (5, 8), 8: (5, 8)}),
        (PlayedOut.THIRD_PLACE, {1: (1, 1), 2: (2, 2), 3: (3, 3), 4: (4, 4), 5: (5, 8), 8: (5, 8)}),
        (PlayedOut.TO_EIGHT, {number: (number, number) for number in range(1, 9)}),
    ],
)
def test_places_of_sixteen(played_out, places):
    found = final_places(bracket(16, order=BracketOrder.SEEDED, played_out=played_out))
    assert {team: found[team] for team in places} == places
    assert {found[team] for team in range(9, 17)} == {(9, 16)}


@pytest.mark.parametrize(
    ("size", "last"), [(2, []), (3, []), (4, [(3, 4)]), (5, [(3, 4)]), (6, [(5, 6), (3, 4)]), (7, [(7, 7)])]
)
def test_all_places_to_eight_with_fewer_entries(size, last):
    made = bracket(size, order=BracketOrder.SEEDED, played_out=PlayedOut.TO_EIGHT)
    assert sorted(final_places(made).values()) == [(place, place) for place in range(1, size + 1)]
    spans = [tuple(match.places) for match in made if match.purpose is not Purpose.MAIN and not match.is_bye]
    assert set(last) <= {*spans, (7, 7)}


@pytest.mark.parametrize(("size", "matches", "byes"), [(6, 3, 0), (5, 2, 1), (4, 1, 2), (3, 0, 0)])
@pytest.mark.parametrize("order", STATIC)
def test_a_final_round_robin_of_three_from_six_five_four_or_three(size, matches, byes, order):
    made = bracket(size, order=order, played_out=PlayedOut.FINAL_GROUP)
    assert len(played(made)) == matches
    assert sum(match.is_bye for match in made) == byes
    final = [match for match in made if match.purpose is Purpose.FINAL_GROUP]
    assert [match.places for match in final] == [(1, 3)] * 3
    assert len({match.round for match in final}) == 3
    state = resolve(made, best_wins(made))
    assert len(state.final_group) == 3
    assert state.champion is None
    assert set(state.out) == set(range(1, size + 1)) - set(state.final_group)
    assert all(places == Places(4, size) for places in state.places.values())


@pytest.mark.parametrize("size", [7, 8, 13, 24, 48])
@pytest.mark.parametrize("byes", BYES)
def test_a_larger_field_comes_down_to_the_final_three(size, byes):
    made = bracket(size, byes=byes, played_out=PlayedOut.FINAL_GROUP)
    assert len(played(made)) == size - 3
    assert len(resolve(made, best_wins(made)).final_group) == 3


def test_a_first_round_can_be_given():
    made = knockout_from_tables([("A1", "B2"), ("C1",), ("B1", "A2")])
    assert tables(made) == [("A1", "B2"), ("C1",), ("B1", "A2")]
    assert len(played(made)) == 4


# What is refused


def test_rules_from_plain_values_and_back():
    assert KnockoutRules.from_dict({}) == KnockoutRules()
    rules = KnockoutRules(
        BracketOrder.DRAW, Byes.LAST, PlayedOut.TO_EIGHT, zones=True, departments_apart=True
    )
    plain = rules.as_dict()
    assert plain == {
        "order": "draw",
        "byes": "last",
        "played_out": "to_eight",
        "zones": True,
        "departments_apart": True,
    }
    assert KnockoutRules.from_dict(plain) == rules


@pytest.mark.parametrize(
    ("plain", "path"),
    [({"order": "alphabet"}, "order"), ({"zones": "yes"}, "zones"), ({"byes": []}, "byes"), ([], "")],
)
def test_values_that_do_not_exist_are_refused(plain, path):
    with pytest.raises(InvalidPairingRules) as refused:
        KnockoutRules.from_dict(plain)
    assert refused.value.path == path


@pytest.mark.parametrize(
    ("rules", "fault"),
    [
        ({"order": BracketOrder.SEEDED, "byes": Byes.EACH_ROUND}, FormatFault.BYES_IN_EACH_ROUND),
        ({"departments_apart": True}, FormatFault.NUMBERS_FIX),
        ({"zones": True, "played_out": PlayedOut.FINAL_GROUP}, FormatFault.ZONES_EXCLUDE_GROUP),
    ],
)
def test_rules_that_exclude_each_other_are_refused(rules, fault):
    with pytest.raises(InvalidFormat) as refused:
        bracket(8, **rules)
    assert refused.value.fault is fault


def test_entries_that_do_not_fit_are_refused():
    cases = [
        ([Entrant(1, 1, 1), Entrant(2, 3, 1)], KnockoutRules(zones=True), FormatFault.ZONE_EMPTY, ()),
        ([Entrant(1, 1, 1), Entrant(2, 1, 1)], KnockoutRules(), FormatFault.NUMBER_TWICE, (1, 2)),
        ([Entrant(1, 1, 1), Entrant(1, 2, 1)], KnockoutRules(), FormatFault.TEAM_TWICE, (1,)),
        (entrants(2), KnockoutRules(played_out=PlayedOut.FINAL_GROUP), FormatFault.AT_LEAST, (1, 2)),
    ]
    for teams, rules, fault, named in cases:
        with pytest.raises(InvalidFormat) as refused:
            knockout_bracket(teams, rules)
        assert (refused.value.fault, refused.value.teams) == (fault, named)
