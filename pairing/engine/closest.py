"""The draw with the least sum of squared gaps, and the proof that there is none smaller."""

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import islice

from .assignment import Assignment, Row
from .field import Field
from .matching import Table
from .soft import cheapest_matching
from .types import Proof

_NARROW = 4  # legal opponents below each team with which prices are first reckoned
_JOIN = 4  # opponents of each team that join when its price exceeds their cost
_PROVED_UP_TO = 4_000  # teams; a larger field is improved part by part, and its bound told
_PATIENCE = 60  # steps of one search for prices in such a field
_WIDE = 8  # opponents below each team in such a field
_PART = 1_000  # teams of such a part
_PART_ROOM = 1_000  # twice how far a table in such a field may exceed the prices of its teams


def closest_tables(
    field: Field, tables: Sequence[Table], bye: int | None, *, proved_up_to: int = _PROVED_UP_TO
) -> tuple[list[Table], Proof]:
    """The tables of the same teams with the fewest broken rules and the least sum of squared gaps.

    `tables` is a draw that breaks as little as possible. Gaps are differences of place with the bye left out.
    Forced couples count in the sum but stay as they are.

    Prices bound every draw from below (see `assignment`). A table can stand in a draw better than the best
    one known only if its cost exceeds the prices of its two teams by less than that draw exceeds the bound;
    so few tables come into question, and an exact matching among those is the answer.
    """
    is_large = 2 * len(tables) > proved_up_to
    near = _Near(field, tables, bye, is_large=is_large)
    prices = near.twice_prices(tables)
    found = near.improved(prices, tables) if is_large else near.best(prices, tables)
    bound = (sum(prices.values()) + 1) // 2 if is_large else near.cost_of(found)
    squares = near.squares(found)
    forced = near.squares(field.forced)
    bound -= near.cost_of(found) - squares  # what the broken rules weigh, equal in all draws in question
    return found, Proof(squares + forced, bound + forced)


class _Near:
    """What tables cost, and who could meet whom in a good draw."""

    def __init__(
        self, field: Field, tables: Sequence[Table], bye: int | None, *, is_large: bool = False
    ) -> None:
        self.field = field
        self.at = [place - (bye is not None and place > bye) for place in range(len(field.teams))]
        self.positions = sorted(position for table in tables for position in table)
        self.is_clean = not any(any(field.cost(*table)) for table in tables)
        self.graph = field.strict() if self.is_clean else field.permitted()
        self.window = _WIDE if is_large else _NARROW
        self.patience = _PATIENCE if is_large else None
        self.broken_weighs = self.squares(tables) + 1

    def squares(self, tables: Iterable[Table]) -> int:
        """Sum of squared gaps."""
        return sum((self.at[one] - self.at[other]) ** 2 for one, other in tables)

    def cost_of(self, tables: Iterable[Table]) -> int:
        """Sum of squared gaps and what the broken rules weigh: more than any gaps."""
        return sum(self._cost(*table) for table in tables)

    def _cost(self, one: int, other: int) -> int:
        gap = self.at[one] - self.at[other]
        if self.is_clean:
            return gap * gap
        rematch, same_department = self.field.cost(one, other)
        return (rematch * len(self.at) + same_department) * self.broken_weighs + gap * gap

    def _opponents_below(self, index: int) -> Iterator[int]:
        """Legal opponents of the team at `index`, the nearest first."""
        one, group = self.positions[index], self.graph.group
        own, barred = group[one], self.graph.barred[one]
        for other in islice(self.positions, index + 1, None):
            if group[other] != own and other not in barred:
                yield other

    def twice_prices(self, tables: Sequence[Table]) -> dict[int, int]:
        """Twice a price for each position, such that no two legal opponents' prices exceed their cost.

        Reckoned with few opponents each; those whose cost turns out to be exceeded join, the worst first.
        """
        index_of = {position: index for index, position in enumerate(self.positions)}
        rows: list[Row] = [{} for _ in self.positions]
        missing: Iterable[Table] = {*self._window(), *tables}
        assignment: Assignment | None = None
        prices: dict[int, int] = {}
        while missing:
            for one, other in sorted(missing):
                row, column = index_of[one], index_of[other]
                rows[row][column] = rows[column][row] = self._cost(one, other)
            assignment = assignment or Assignment(rows, self.patience)
            assignment.assign(sorted({index_of[position] for table in missing for position in table}))
            prices = dict(zip(self.positions, assignment.twice_prices(), strict=True))
            missing = self._worst(prices)
        return prices

    def _window(self) -> Iterator[Table]:
        for index, one in enumerate(self.positions):
            yield from ((one, other) for other in islice(self._opponents_below(index), self.window))

    def _worst(self, prices: dict[int, int]) -> set[Table]:
        """For each position the few tables whose cost is most exceeded by the prices."""
        exceeded: dict[int, list[tuple[int, Table]]] = {}
        for table in self.in_question(prices, 0):
            over = 2 * self._cost(*table) - prices[table[0]] - prices[table[1]]
            for position in table:
                exceeded.setdefault(position, []).append((over, table))
        return {table for each in exceeded.values() for _, table in nsmallest(_JOIN, each)}

    def in_question(self, prices: dict[int, int], twice_room: int) -> Iterator[Table]:
        """Tables whose cost exceeds the prices of their teams by less than half of `twice_room`."""
        at, highest = self.at, max(prices.values(), default=0)
        for index, one in enumerate(self.positions):
            own = prices[one] + twice_room
            for other in self._opponents_below(index):
                gap = at[other] - at[one]
                if 2 * gap * gap >= own + highest:
                    break
                if 2 * gap * gap < own + prices[other] and 2 * self._cost(one, other) < own + prices[other]:
                    yield one, other

    def best(self, prices: dict[int, int], tables: Sequence[Table]) -> list[Table]:
        """The best tables, starting from a guess how far above the bound they are."""
        bound = sum(prices.values())
        room = 3 * len(self.positions) // 5
        while True:
            found = self._solved(self.positions, {*self.in_question(prices, room), *tables})
            above = 2 * self.cost_of(found) - bound
            if above <= room:
                return found
            room = above

    def _solved(self, positions: Sequence[int], couples: Iterable[Table]) -> list[Table]:
        edges = [(one, other, self._cost(one, other)) for one, other in sorted(couples)]
        mate = cheapest_matching(positions, edges) or {}
        return [(one, mate[one]) for one in positions if one < mate[one]]

    def improved(self, prices: dict[int, int], tables: Sequence[Table]) -> list[Table]:
        """Tables made better part by part, in two walks whose parts overlap by half."""
        below: dict[int, list[int]] = {one: [other] for one, other in tables}
        for one, other in self.in_question(prices, _PART_ROOM):
            below.setdefault(one, []).append(other)
        mate = {one: other for table in tables for one, other in (table, table[::-1])}
        for begin in (0, _PART // 2):
            for start in range(begin, len(self.positions), _PART):
                self._improve(self.positions[start : start + _PART], below, mate)
        return [(one, mate[one]) for one in self.positions if one < mate[one]]

    def _improve(self, part: Sequence[int], below: dict[int, list[int]], mate: dict[int, int]) -> None:
        """Seat those anew who sit at tables within the part."""
        inside = {one for one in part if part[0] <= mate[one] <= part[-1]}
        couples = {(one, mate[one]) for one in inside if one < mate[one]}
        couples |= {(one, other) for one in inside for other in below.get(one, ()) if other in inside}
        for one, other in self._solved(sorted(inside), couples):
            mate[one], mate[other] = other, one
