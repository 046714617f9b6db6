"""Prices that bound a matching from below: the assignment problem, by bids and then shortest paths.

Give every position a price such that no two that may meet have prices summing to more than the cost of their
table: then no matching costs less than all prices together. The best such prices come from assigning every
position to another without asking that the other be assigned back.
"""

import heapq
from collections.abc import Iterable, Sequence

_FAR = 1 << 200  # above any sum of costs
_BIDS = 8  # bids a position on average before shortest paths take over

Row = dict[int, int]


class Assignment:
    """Rows and columns are the same positions; `rows[i][j]` = `rows[j][i]` = cost of a table of i and j.

    `patience` limits how many columns one search settles; a row that finds no column by then stays without,
    and the bound is a little lower than it could be.
    """

    def __init__(self, rows: Sequence[Row], patience: int | None = None) -> None:
        self.rows = rows
        self.patience = len(rows) if patience is None else patience
        self.column_price = [min(row.values()) for row in rows]
        self.column_of = [-1] * len(rows)
        self.row_of = [-1] * len(rows)

    def twice_prices(self) -> list[int]:
        """Twice the price of each position; their sum is twice a lower bound of every matching's cost."""
        price = self.column_price
        return [
            own + min(cost - price[column] for column, cost in row.items())
            for row, own in zip(self.rows, price, strict=True)
        ]

    def assign(self, rows: Iterable[int]) -> None:
        """Assign these rows anew, at least cost along with all others; some assignment must exist."""
        for row in rows:
            if self.column_of[row] >= 0:
                self.row_of[self.column_of[row]] = -1
                self.column_of[row] = -1
        for row in self._bid([row for row in range(len(self.rows)) if self.column_of[row] < 0]):
            self._reach_free_column(row)

    def _bid(self, waiting: list[int]) -> list[int]:
        """Each row takes its best column and lowers its price to the second best; who is left without."""
        left: list[int] = []
        for _ in range(_BIDS * len(waiting)):
            if not waiting:
                break
            row = waiting.pop()
            ousted, is_raised = self._bid_once(row)
            if ousted >= 0:
                (waiting if is_raised else left).append(ousted)
        return left + waiting

    def _bid_once(self, row: int) -> tuple[int, bool]:
        price = self.column_price
        offers = [(cost - price[column], column) for column, cost in self.rows[row].items()]
        best, column = min(offers)
        second, runner_up = min((offer for offer in offers if offer[1] != column), default=(best, column))
        if best < second:
            price[column] -= second - best
        elif self.row_of[column] >= 0:
            column = runner_up
        ousted = self.row_of[column]
        if ousted >= 0:
            self.column_of[ousted] = -1
        self.row_of[column], self.column_of[row] = row, column
        return ousted, best < second

    def _reach_free_column(self, start: int) -> None:
        price, rows, row_of = self.column_price, self.rows, self.row_of
        before: dict[int, int] = {}
        distance: dict[int, int] = {}
        settled: dict[int, int] = {}
        heap: list[tuple[int, int]] = []
        limit, end = _FAR, -1  # the nearest free column seen: nothing farther needs a look
        row, base = start, 0
        while True:
            for column, cost in rows[row].items():
                far = base + cost - price[column]
                if far < limit and far < distance.get(column, limit):
                    distance[column] = far
                    before[column] = row
                    if row_of[column] < 0:
                        limit, end = far, column
                    else:
                        heapq.heappush(heap, (far, column))
            nearest, column = limit, end
            while heap and nearest == limit:
                far, other = heapq.heappop(heap)
                if far == distance[other] and other not in settled:
                    nearest, column = far, other
            if nearest >= limit or len(settled) >= self.patience:
                break
            settled[column] = nearest
            row = row_of[column]
            base = nearest - rows[row][column] + price[column]
        reached = min(nearest, limit)
        for other, far in settled.items():
            price[other] -= reached - far
        if reached == limit:
            self._shift(start, end, before)

    def _shift(self, start: int, column: int, before: dict[int, int]) -> None:
        row = -1
        while row != start:
            row = before[column]
            self.row_of[column] = row
            self.column_of[row], column = column, self.column_of[row]
