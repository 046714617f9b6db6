"""What holds for every field: shown on random ones, against the definition itself."""

import random
from collections import Counter

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairing.engine.checks import check_draw
from pairing.engine.swiss import draw_round
from pairing.engine.types import Entrant, Meeting, Method, NoLegalDraw, PairingRules, SameDepartment

from .exhaustive import Definition, exhaustive_draw
from .fields import fields, rules, seats, tournament

ROUND = st.sampled_from([1, 4])
few = settings(max_examples=80, derandomize=True, deadline=None, database=None)


def drawn(field, rules, round_number, seed=7):
    entrants, meetings = field
    meetings = meetings if round_number > 1 else []
    try:
        return draw_round(entrants, meetings, rules, round_number=round_number, seed=seed)
    except NoLegalDraw:
        return None


def compare_with_definition(field, rules, round_number):
    entrants, meetings = field
    meetings = meetings if round_number > 1 else []
    expected = exhaustive_draw(entrants, meetings, rules, round_number=round_number, seed=7)
    draw = drawn(field, rules, round_number)
    if expected is None:
        assert draw is None
        return
    bye, tables = expected
    assert draw.bye == bye
    numbers = {team.id: team.number for team in entrants}
    if draw.method is Method.CLOSEST and round_number > 1 and meetings:
        definition = Definition(entrants, meetings, rules, round_number, 7)
        place = {team.id: index for index, team in enumerate(definition.teams)}
        positions = sorted(place[team.id] for team in entrants if team.id != bye)
        ours = [(place[home], place[away]) for home, away in seats(draw)]
        best = [(place[home], place[away]) for home, away in tables]
        assert definition.total(ours) == definition.total(best)
        assert definition.key(positions, ours) == definition.key(positions, best) == draw.proof.sum_of_squares
        assert draw.proof.is_optimal
    elif round_number == 1 or not meetings:
        assert [set(table) for table in seats(draw)] == [set(table) for table in tables]
        if rules.first_round == "random":
            assert all(numbers[home] < numbers[away] for home, away in seats(draw))
    else:
        assert seats(draw) == tables


@given(fields(), rules(), ROUND)
@settings(few, max_examples=240)
def test_equals_the_definition(field, rules, round_number):
    compare_with_definition(field, rules, round_number)


@given(fields(), rules(method=Method.CLOSEST))
@few
def test_closest_equals_the_definition(field, rules):
    compare_with_definition(field, rules, 4)


@pytest.mark.soak
@given(fields(), rules() | rules(method=Method.CLOSEST), ROUND)
@settings(few, max_examples=6_000)
def test_equals_the_definition_at_length(field, rules, round_number):
    compare_with_definition(field, rules, round_number)


@given(fields(largest=14), rules() | rules(method=Method.CLOSEST), ROUND, st.randoms(use_true_random=False))
@few
def test_the_order_of_the_input_does_not_matter(field, rules, round_number, rng):
    entrants, meetings = field
    mixed = rng.sample(entrants, len(entrants)), rng.sample(meetings, len(meetings))
    turned = mixed[0], [Meeting(each.round, each.away, each.home) for each in mixed[1]]
    assert drawn(field, rules, round_number) == drawn(turned, rules, round_number)


@given(fields(largest=14), rules() | rules(method=Method.CLOSEST), ROUND)
@few
def test_a_draw_passes_its_own_check(field, rules, round_number):
    draw = drawn(field, rules, round_number)
    if draw is not None:
        meetings = field[1] if round_number > 1 else []
        assert check_draw(draw.matches, draw.bye, field[0], meetings, rules, round_number) == []


@given(fields(largest=12), rules(method=Method.ADJACENT) | rules(method=Method.CLOSEST), st.data())
@few
def test_forced_and_forbidden_couples(field, given_rules, data):
    entrants, meetings = field
    couple = st.lists(st.sampled_from([team.id for team in entrants]), min_size=2, max_size=2, unique=True)
    couples = data.draw(st.lists(couple.map(tuple), max_size=3))
    forbidden = data.draw(st.lists(couple.map(tuple), max_size=3))
    pairing = PairingRules(
        rematch=given_rules.rematch,
        same_department=given_rules.same_department,
        method=given_rules.method,
        forced=tuple(couples),
        forbidden=tuple(forbidden),
    )
    draw = drawn(field, pairing, 4)
    if draw is None:
        return
    have_met = {frozenset((each.home, each.away)) for each in meetings}
    seated = {frozenset(table) for table in seats(draw)}
    bound: set = set()
    for couple in couples:
        if frozenset(couple) not in have_met and not bound & set(couple):
            bound |= set(couple)
            assert frozenset(couple) in seated or draw.bye in couple
    open_couples = {frozenset(couple) for couple in couples} - have_met
    assert not (seated & {frozenset(couple) for couple in forbidden}) - open_couples
    assert Counter(team for table in seats(draw) for team in table) + Counter(
        [draw.bye] if draw.bye is not None else []
    ) == Counter(team.id for team in entrants)


@pytest.mark.parametrize("seed", range(30))
def test_networkx_agrees_whether_a_draw_exists(seed):
    rng = random.Random(seed)
    size = rng.choice([20, 27, 40])
    entrants = [Entrant(team, team, rng.randint(1, 9), rng.choice("AABC")) for team in range(size)]
    couples = [(a, b) for a in range(size) for b in range(a)]
    share = rng.choice([0.75, 0.85, 0.92])
    meetings = [Meeting(1, *couple) for couple in couples if rng.random() < share]
    have_met = {(each.home, each.away) for each in meetings}
    graph = networkx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(
        (a, b)
        for a, b in couples
        if (a, b) not in have_met and entrants[a].department != entrants[b].department
    )
    largest = len(networkx.max_weight_matching(graph, maxcardinality=True))
    assert (drawn((entrants, meetings), PairingRules(), 2) is not None) == (largest == size // 2)


@pytest.mark.parametrize(("count", "rounds"), [(7, 5), (13, 9), (24, 9), (41, 9)])
@pytest.mark.parametrize("method", Method)
def test_a_whole_tournament(count, rounds, method):
    entrants = [Entrant(number, number, 1, f"d{number % 5}") for number in range(1, count + 1)]
    pairing = PairingRules(same_department=SameDepartment.AVOID, method=method)
    draws = tournament(entrants, rounds, pairing, seed=count)
    met = Counter(frozenset(table) for draw in draws for table in seats(draw))
    assert set(met.values()) == {1}
    byes = Counter(draw.bye for draw in draws if draw.bye is not None)
    assert sum(byes.values()) == rounds * (count % 2)
    assert set(byes.values()) <= {1}
    assert tournament(entrants, rounds, pairing, seed=count) == draws
