"""The draw with the least sum of squared gaps, and the proof that there is none smaller."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from .field import Field
from .matching import Table
from .soft import cheapest_matching
from .types import Proof

_WINDOW = 24  # legal opponents looked at in each direction before the proof widens the view
_MOST_EDGES = 3_000_000  # beyond this the second look is left out and its bound told


def closest_tables(field: Field, tables: Sequence[Table], bye: int | None) -> tuple[list[Table], Proof]:
    """The tables of the same teams with the fewest broken rules and the least sum of squared gaps.

    `tables` is a draw that breaks as little as possible; it bounds the search. Gaps are differences of place
    with the bye left out. Forced couples count in the sum but stay as they are.

    Solved among near opponents first, then once more among all that could stand in a better draw: a table of
    gap g can do so only if g² and the least that all others could have, each with its nearest legal opponent,
    come to less than the sum already found.
    """
    near = _Near(field, tables, bye)
    edges = near.couples(near.sum_of(tables), _WINDOW) | set(tables)
    found = near.solved(edges, near.sum_of(tables))
    best = proved = near.sum_of(found)
    wide = near.couples(best) | edges
    if len(wide) > _MOST_EDGES:
        proved = (near.twice_least + 1) // 2
    elif len(wide) > len(edges):
        found = near.solved(wide, best)
        best = proved = near.sum_of(found)
    forced = near.sum_of(field.forced)
    return found, Proof(best + forced, proved + forced)


class _Near:
    """Who could meet whom in a draw of a small sum."""

    def __init__(self, field: Field, tables: Sequence[Table], bye: int | None) -> None:
        self.field = field
        self.is_clean = not any(any(field.cost(*table)) for table in tables)
        self.legal = (field.strict() if self.is_clean else field.permitted()).legal
        self.positions = sorted(position for table in tables for position in table)
        self.at = [place - (bye is not None and place > bye) for place in range(len(field.teams))]
        self.nearest = {position: self._nearest(index) for index, position in enumerate(self.positions)}
        self.farthest = max(self.nearest.values(), default=0)
        self.twice_least = sum(self.nearest.values())

    def sum_of(self, tables: Sequence[Table]) -> int:
        """Sum of squared gaps."""
        return sum(map(self._square, tables))

    def _square(self, table: Table) -> int:
        gap = self.at[table[0]] - self.at[table[1]]
        return gap * gap

    def _opponents(self, index: int, step: int) -> Iterator[int]:
        """Legal opponents of the team at `index`, the nearest first, downwards (1) or upwards (-1)."""
        one, positions = self.positions[index], self.positions
        end = len(positions) if step > 0 else -1
        for at in range(index + step, end, step):
            if self.legal(one, positions[at]):
                yield positions[at]

    def _nearest(self, index: int) -> int:
        """Square of the gap to the nearest legal opponent."""
        one = self.positions[index]
        sides = (islice(self._opponents(index, step), 1) for step in (1, -1))
        return min(self._square((one, other)) for side in sides for other in side)

    def couples(self, best: int, window: int | None = None) -> set[Table]:
        """All that may stand in a draw below `best`; `window` = legal opponents looked at on each side."""
        found: set[Table] = set()
        for index, one in enumerate(self.positions):
            found.update((one, other) for other in self._useful(index, 1, best, window))
            if window is not None:
                found.update((other, one) for other in self._useful(index, -1, best, window))
        return found

    def _useful(self, index: int, step: int, best: int, window: int | None) -> Iterator[int]:
        one, nearest = self.positions[index], self.nearest
        room = 2 * best - self.twice_least + nearest[one]
        for other in islice(self._opponents(index, step), window):
            twice = 2 * self._square((one, other))
            if twice >= room + self.farthest:
                return
            if twice < room + nearest[other]:
                yield other

    def solved(self, couples: Iterable[Table], best: int) -> list[Table]:
        """Of these couples the tables that break least, and among such have the least sum."""
        edges = [(one, other, self._cost((one, other), best)) for one, other in sorted(couples)]
        mate = cheapest_matching(self.positions, edges) or {}
        return [(one, mate[one]) for one in self.positions if one < mate[one]]

    def _cost(self, table: Table, best: int) -> int:
        square = self._square(table)
        if self.is_clean:
            return square
        rematch, same_department = self.field.cost(*table)
        return (rematch * (len(self.positions) + 1) + same_department) * (best + 1) + square
