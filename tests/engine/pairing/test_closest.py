"""The closest draw beyond the size that can be tried out: proofs, bounds, parts."""

import random

import pytest
import rustworkx

from pairing.engine.assignment import Assignment
from pairing.engine.closest import closest_tables
from pairing.engine.field import field_of
from pairing.engine.swiss import seating_of
from pairing.engine.types import Entrant, Meeting, PairingRules, SameDepartment


def skewed_field(size, seed, policy=SameDepartment.NEVER):
    """One department with 45 % of the teams, stronger than the rest; a fifth of all couples has met."""
    rng = random.Random(seed)
    large = set(rng.sample(range(size), size * 45 // 100))
    ranks = {team: rng.gauss(team in large, 1) for team in range(size)}
    order = sorted(range(size), key=ranks.get)
    entrants = [
        Entrant(team, team, place, "A" if team in large else rng.choice("BCDE"))
        for place, team in enumerate(order)
    ]
    couples = [(a, b) for a in range(size) for b in range(a) if rng.random() < 0.2]
    meetings = [Meeting(1, *couple) for couple in couples]
    rules = PairingRules(same_department=policy)
    return field_of(entrants, meetings, rules, round_number=2, seed=1)


def least_sum(field):
    """By weighing all legal couples at once."""
    legal, size = field.strict().legal, len(field.teams)
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(
        [(a, b, size * size - (b - a) ** 2) for a in range(size) for b in range(a + 1, size) if legal(a, b)]
    )
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    assert 2 * len(matched) == size
    return sum((a - b) ** 2 for a, b in matched)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("size", [40, 100])
def test_no_legal_draw_has_a_smaller_sum(size, seed):
    field = skewed_field(size, seed)
    tables, proof = closest_tables(field, seating_of(field).tables, None)
    assert sorted(position for table in tables for position in table) == list(range(size))
    assert all(field.strict().legal(*table) for table in tables)
    assert sum((a - b) ** 2 for a, b in tables) == proof.sum_of_squares == least_sum(field)
    assert proof.is_optimal


@pytest.mark.parametrize("seed", range(4))
def test_a_large_field_tells_its_bound(seed):
    field = skewed_field(100, seed)
    given = seating_of(field).tables
    tables, proof = closest_tables(field, given, None, proved_up_to=50)
    assert proof.lower_bound <= least_sum(field) <= proof.sum_of_squares
    assert proof.sum_of_squares == sum((a - b) ** 2 for a, b in tables)
    assert proof.sum_of_squares <= sum((a - b) ** 2 for a, b in given)


def test_the_bye_leaves_no_gap():
    entrants = [Entrant(team, team, team, byes=int(team != 2)) for team in range(1, 6)]
    field = field_of(entrants, [Meeting(1, 1, 5)], PairingRules(), round_number=2, seed=1)
    seating = seating_of(field)
    tables, proof = closest_tables(field, seating.tables, seating.bye)
    assert (seating.bye, tables, proof.sum_of_squares) == (1, [(0, 2), (3, 4)], 2)


def test_all_couples_forced():
    rules = PairingRules(forced=((1, 4), (2, 3)))
    entrants = [Entrant(team, team, team) for team in range(1, 5)]
    field = field_of(entrants, [Meeting(1, 8, 9)], rules, round_number=2, seed=1)
    tables, proof = closest_tables(field, [], None)
    assert (tables, proof.sum_of_squares, proof.is_optimal) == ([], 10, True)


@pytest.mark.parametrize("patience", [None, 0, 2])
def test_prices_never_exceed_a_cost(patience):
    rng = random.Random(5)
    rows = [{} for _ in range(30)]
    for one in range(30):
        for other in range(one):
            if other == one - 1 or rng.random() < 0.3:
                rows[one][other] = rows[other][one] = rng.randint(1, 50)
    assignment = Assignment(rows, patience)
    assignment.assign(range(30))
    prices = assignment.twice_prices()
    assert all(prices[a] + prices[b] <= 2 * cost for a in range(30) for b, cost in rows[a].items())
    if patience is None:
        assigned = sum(rows[row][column] for row, column in enumerate(assignment.column_of))
        assert sum(prices) == assigned
        assert sorted(assignment.column_of) == list(range(30))
