"""Matchings larger than can be tried out, against a second way of finding them."""

import random

import networkx
import pytest

from pairing.engine.matching import Graph, maximum_matching, next_in_order, pair_down, spare_positions


def random_graph(size, seed, groups):
    rng = random.Random(seed)
    group = [rng.choice(groups) for _ in range(size)]
    barred = [{} for _ in range(size)]
    share = rng.choice([0.1, 0.5, 0.8])
    for one in range(size):
        for other in range(one):
            if rng.random() < share:
                barred[one][other] = barred[other][one] = 1
    return Graph([*group, -1], barred)


def written_out(graph, positions):
    full = networkx.Graph()
    full.add_nodes_from(positions)
    full.add_edges_from((a, b) for a in positions for b in positions if a < b and graph.legal(a, b))
    return full


def can_be_paired(graph, positions):
    matching = networkx.max_weight_matching(written_out(graph, positions), maxcardinality=True)
    return 2 * len(matching) == len(positions)


def by_trial(graph, positions):
    """The rule itself: the first opponent after whom networkx can still match the rest."""
    if not can_be_paired(graph, positions):
        return None
    tables, left = [], list(positions)
    while left:
        one = left.pop(0)
        for other in left:
            rest = [position for position in left if position != other]
            if graph.legal(one, other) and can_be_paired(graph, rest):
                tables.append((one, other))
                left = rest
                break
    return tables


@pytest.mark.parametrize("seed", range(16))
def test_down_the_standings(seed):
    groups = [0, 0, 0, 1, 2, 3] if seed % 2 else [0, 0, 1, 1, 1]
    graph = random_graph(22, seed, groups)
    assert pair_down(graph, range(22)) == by_trial(graph, range(22))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("blocks", [False, True])
def test_the_greedy_beginning_changes_nothing(seed, blocks):
    graph = random_graph(60, seed, [0, 0, 0, 1, 1, 2, 3])
    if blocks:
        graph = Graph([*sorted(graph.group[:-1], reverse=seed % 2), -1], graph.barred)
    assert pair_down(graph, range(60)) == pair_down(graph, range(60), next_in_order)


@pytest.mark.parametrize("seed", range(12))
def test_largest_matchings_and_who_can_be_spared(seed):
    graph = random_graph(21, seed, range(7) if seed % 2 else [0, 0, 1])
    mate, exposed = maximum_matching(graph, range(21))
    largest = networkx.max_weight_matching(written_out(graph, range(21)), maxcardinality=True)
    assert len(exposed) == 21 - 2 * len(largest)
    assert all(mate[mate[position]] == position for position in range(21) if position not in exposed)
    spared = {
        bye
        for bye in range(21)
        if can_be_paired(graph, [position for position in range(21) if position != bye])
    }
    assert spare_positions(graph, range(21)) == spared


@pytest.mark.parametrize("above", [True, False])
def test_a_department_in_one_block(above):
    """5,500 teams of their own above or below 4,500 of one department: no team looks through the block."""
    group = [*range(1, 5_501), *[0] * 4_500] if above else [*[0] * 4_500, *range(1, 5_501)]
    tables = pair_down(Graph([*group, -1], [{}] * 10_000), range(10_000))
    assert sorted(position for table in tables for position in table) == list(range(10_000))
    mixed = sum((group[one] == 0) != (group[other] == 0) for one, other in tables)
    assert mixed == 4_500
