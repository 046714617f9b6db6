"""Draws in which a rule to be avoided has to be broken: as seldom as possible, and as low as possible."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log2

import rustworkx

from .field import Field
from .matching import Candidates, Graph, Table, Unpaired, next_in_order, pair_down
from .preference import candidates_for
from .types import SameDepartment

_BITS = 60  # weights stay below 2^60: far from where the matching library overflows in silence
_BYE = -1  # stands for the bye where it is drawn like an opponent

Edge = tuple[int, int, int]


def cheapest_matching(nodes: Sequence[int], edges: Sequence[Edge]) -> dict[int, int] | None:
    """Of all perfect matchings one with the least sum of costs, as mates; None when there is none.

    Edges are (node, node, cost) in a fixed order, so that equal sums always fall the same way.
    """
    index = {node: number for number, node in enumerate(nodes)}
    top = max((cost for _, _, cost in edges), default=0)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(nodes)))
    graph.add_edges_from([(index[one], index[other], top - cost) for one, other, cost in edges])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matched) != len(nodes):
        return None
    mate = {}
    for one, other in matched:
        mate[nodes[one]], mate[nodes[other]] = nodes[other], nodes[one]
    return mate


def fewest_broken(
    field: Field, positions: Sequence[int], bye_from: Sequence[int] = ()
) -> tuple[list[Table], int | None] | None:
    """The draw of `positions` that breaks the fewest rules, and the bye, taken from `bye_from`, lowest first.

    Without `bye_from` the field is even. None when no draw is permitted.
    """
    if field.departments is SameDepartment.AVOID and positions:
        for bye in _byes_of_a_majority(field, positions, bye_from):
            rest = [position for position in positions if position != bye]
            tables = _around_a_majority(field, rest)
            if tables is not None:
                return tables, bye
    return _exactly(field, positions, bye_from)


def _byes_of_a_majority(
    field: Field, positions: Sequence[int], bye_from: Sequence[int]
) -> Sequence[int | None]:
    """The first few worth trying: each team of the majority that has the bye saves a table within it."""
    if not bye_from:
        return [None]
    largest, _ = _largest(field, positions)
    return [bye for bye in bye_from if field.department[bye] == largest][:3]


def _largest(field: Field, positions: Sequence[int]) -> tuple[int, int]:
    return Counter(field.department[position] for position in positions).most_common(1)[0]


def _around_a_majority(field: Field, positions: Sequence[int]) -> list[Table] | None:
    """The draw when more than half belong to one department and nothing else stands in the way.

    Every draw then has at least (its teams less half the field) tables within it, and just so many only if
    everybody else meets one of it and no other rule is broken: what is left is a question of matching.
    """
    end = len(field.teams)
    largest, count = _largest(field, positions)
    if 2 * count <= len(positions):
        return None
    group = [position if field.department[position] == largest else end + 1 for position in range(end)]
    graph = Graph([*group, end], field.strict().barred)
    return pair_down(graph, positions, _others_first(graph.group, candidates_for(field, positions)))


def _others_first(group: Sequence[int], candidates: Candidates | None) -> Candidates:
    order = candidates or next_in_order

    def others_first(one: int, unpaired: Unpaired) -> Iterator[int]:
        last = len(group)  # the code of all who are not of the majority
        yield from (other for other in order(one, unpaired) if group[other] == last)
        yield from (other for other in order(one, unpaired) if group[other] != last)

    return others_first


def _exactly(
    field: Field, positions: Sequence[int], bye_from: Sequence[int]
) -> tuple[list[Table], int | None] | None:
    descent = _SoftDescent(field, positions)
    bye = descent.bye(bye_from) if bye_from else None
    if bye_from and bye is None:
        return None
    tables = descent.tables()
    return None if tables is None else (tables, bye)


class _SoftDescent:
    """Walks down the unpaired, keeping a matching of all of them that breaks as little as possible.

    When exchanging two tables does not show that the best candidate costs nothing more, one weighted matching
    settles the next few teams at once: what is broken weighs most, then the first team's order of
    preference, then the second's.
    """

    def __init__(self, field: Field, positions: Sequence[int]) -> None:
        self.field = field
        self.left = list(positions)
        self.unit = len(positions) + 1
        legal = field.permitted().legal
        self.edges = [
            (one, other, self._cost(one, other))
            for index, one in enumerate(positions)
            for other in positions[index + 1 :]
            if legal(one, other)
        ]
        self.legal = legal
        self.mate: dict[int, int] = {}
        self.settled: set[int] = set()

    def _cost(self, one: int, other: int) -> int:
        rematch, same_department = self.field.cost(one, other)
        return rematch * self.unit + same_department

    def bye(self, bye_from: Sequence[int]) -> int | None:
        """The first of `bye_from` without which the rest breaks the least; it leaves the field."""
        scale = len(bye_from)
        edges = [(one, other, cost * scale) for one, other, cost in self.edges]
        edges += [(_BYE, position, index) for index, position in enumerate(bye_from)]
        mate = cheapest_matching([_BYE, *self.left], edges)
        if mate is None:
            return None
        bye = mate[_BYE]
        self.left.remove(bye)
        self._forget({bye})
        return bye

    def tables(self) -> list[Table] | None:
        """All tables in order; None when the field cannot be drawn."""
        self.order = candidates_for(self.field, self.left) or next_in_order
        self.unpaired = Unpaired(self.left, len(self.field.teams))
        tables: list[Table] = []
        while self.left:
            one = self.left[0]
            if one not in self.settled and not self._by_exchange(one) and not self._settle():
                return None
            tables.append(self._seat(one, self.mate[one]))
        return tables

    def _ranked(self, one: int) -> list[int]:
        """Candidates of `one`, the cheaper first, then in its order of preference."""
        legal = (other for other in self.order(one, self.unpaired) if self.legal(one, other))
        return sorted(legal, key=lambda other: self._cost(one, other))

    def _by_exchange(self, one: int) -> bool:
        """Give `one` its best candidate if the two tables this opens can be joined at no higher cost."""
        if not self.mate:
            return False
        mate, other = self.mate, self._ranked(one)[0]
        left, right = mate[one], mate[other]
        if left == other:
            return True
        before = self._cost(one, left) + self._cost(other, right)
        if not self.legal(left, right) or self._cost(one, other) + self._cost(left, right) > before:
            return False
        mate[one], mate[other], mate[left], mate[right] = other, one, right, left
        return True

    def _settle(self) -> bool:
        """Match anew, with the preferences of the next few teams in the weights."""
        base = len(self.left) + 1
        room = _BITS - 2 * log2(self.unit + 1)
        ahead = self.left[: max(1, int(room / log2(base)))]
        rank: dict[Table, int] = {}
        for place, one in enumerate(reversed(ahead)):
            rank |= {(one, other): step * base**place for step, other in enumerate(self._ranked(one))}
        scale = base ** len(ahead)
        edges = [(one, other, cost * scale + rank.get((one, other), 0)) for one, other, cost in self.edges]
        self.mate = cheapest_matching(self.left, edges) or {}
        self.settled = set(ahead)
        return bool(self.mate)

    def _seat(self, one: int, other: int) -> Table:
        for position in (one, other):
            self.left.remove(position)
            self.unpaired.remove(position)
        self._forget({one, other})
        return one, other

    def _forget(self, gone: set[int]) -> None:
        self.edges = [edge for edge in self.edges if edge[0] not in gone and edge[1] not in gone]
