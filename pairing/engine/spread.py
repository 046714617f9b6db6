"""Departments spread over groups: as evenly as is possible at all, by two methods.

Equal groups: the teams of a row go to different groups, and so do those of a department as far as they go.
That is a proper colouring of a bipartite graph, rows against departments, with a colour for each group, and
always exists (König). Groups of given sizes: teams change places in rings as long as a ring lowers the number
of couples within groups; when none does, there is no better spread, because that number is convex.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence

_NONE = -1


def coloured(
    rows: Sequence[int], departments: Sequence[Hashable | None], wishes: Sequence[Sequence[int]]
) -> list[int]:
    """A group for each team, so that none holds two of a row, nor two more of a department than another does.

    `wishes` are all groups for each team, the best first: the first that is free both in the row and for the
    department is taken, earlier teams first; they move only where it has to be.
    """
    count = max(map(len, wishes), default=0)
    graph = _Colouring(rows, _sets_of(departments, count), count)
    for team, wish in enumerate(wishes):
        graph.place(team, wish)
    return graph.colour


def _sets_of(departments: Sequence[Hashable | None], count: int) -> list[int]:
    """Each department cut into sets of at most `count` teams, which have to be in different groups."""
    seen: Counter[Hashable] = Counter()
    numbers: dict[tuple[Hashable, int], int] = {}
    sets = []
    for team, department in enumerate(departments):
        key = (None, team) if department is None else (department, seen[department] // count)
        seen[department] += 1
        sets.append(numbers.setdefault(key, len(numbers)))
    return sets


class _Colouring:
    """Teams as edges between a row and a department's set; two at one end have different colours."""

    def __init__(self, rows: Sequence[int], sets: Sequence[int], count: int) -> None:
        self.ends = (rows, sets)
        self.colour = [_NONE] * len(rows)
        self.at = tuple([[_NONE] * count for _ in range(max(ends, default=_NONE) + 1)] for ends in self.ends)

    def place(self, team: int, wish: Sequence[int]) -> None:
        row, mates = self.at[0][self.ends[0][team]], self.at[1][self.ends[1][team]]
        free = next((colour for colour in wish if row[colour] == mates[colour] == _NONE), None)
        if free is None:
            free = next(colour for colour in wish if row[colour] == _NONE)
            self._free(team, free, next(colour for colour in wish if mates[colour] == _NONE))
        self._set(team, free)

    def _free(self, team: int, colour: int, other: int) -> None:
        """Make `colour`, taken in the team's set, free there: the two change along the path that begins."""
        path = list(self._path(team, colour, other))
        for member in path:
            for at, ends in zip(self.at, self.ends, strict=True):
                at[ends[member]][self.colour[member]] = _NONE
        for member in path:
            self._set(member, other if self.colour[member] == colour else colour)

    def _path(self, team: int, colour: int, other: int) -> Iterator[int]:
        """From the team's set on; it never comes to the team's row, where `colour` is free."""
        side, member = 1, team
        while (member := self.at[side][self.ends[side][member]][colour]) != _NONE:
            yield member
            side, colour, other = 1 - side, other, colour

    def _set(self, team: int, colour: int) -> None:
        self.colour[team] = colour
        for at, ends in zip(self.at, self.ends, strict=True):
            at[ends[team]][colour] = team


_Move = tuple[int, int, Hashable]
"""From group, to group, of department."""


def evened(groups: Sequence[int], departments: Sequence[Hashable | None], count: int) -> list[int]:
    """Teams moved in rings, sizes kept, until the couples of one department in a group are fewest."""
    rings = _Rings(list(groups), departments, count)
    while ring := rings.best():
        rings.turn(ring)
    return rings.placed


class _Rings:
    """`price` and `moved`: for each two groups the cheapest department to move, in couples more."""

    def __init__(self, placed: list[int], departments: Sequence[Hashable | None], count: int) -> None:
        self.placed, self.count = placed, count
        self.members: list[dict[Hashable, list[int]]] = [defaultdict(list) for _ in range(count)]
        for team, group in enumerate(placed):
            department = departments[team]
            code = (None, team) if department is None else (department, _NONE)
            self.members[group][code].append(team)
        self.price: list[list[int]] = [[0] * count for _ in range(count)]
        self.moved: list[list[Hashable]] = [[None] * count for _ in range(count)]
        for group in range(count):
            self._weigh(group, range(group))

    def _weigh(self, group: int, others: Iterable[int]) -> None:
        for other in others:
            for source, target in ((group, other), (other, group)):
                there = self.members[target]
                self.price[source][target], _, self.moved[source][target] = min(
                    (len(there.get(code, ())) - len(teams) + 1, index, code)
                    for index, (code, teams) in enumerate(self.members[source].items())
                )

    def best(self) -> list[_Move]:
        """A ring of moves after which there are fewer couples; empty if there is none."""
        total = [0] * self.count
        came = [_NONE] * self.count
        while self._relax(total, came):
            group = _on_a_ring(came)
            if group != _NONE:
                return self._ring(group, came)
        return []

    def _relax(self, total: list[int], came: list[int]) -> bool:
        """One pass of Bellman and Ford's search; whether a group became cheaper to reach."""
        changed = False
        for source, prices in enumerate(self.price):
            reached = total[source]
            for target, price in enumerate(prices):
                if reached + price < total[target] and target != source:
                    total[target], came[target], changed = reached + price, source, True
        return changed

    def _ring(self, group: int, came: Sequence[int]) -> list[_Move]:
        ring: list[_Move] = []
        target = group
        while not ring or target != group:
            source = came[target]
            ring.append((source, target, self.moved[source][target]))
            target = source
        return ring

    def turn(self, ring: Sequence[_Move]) -> None:
        """Move one team along each step; the last of its department goes."""
        moving = [(target, code, self.members[source][code].pop()) for source, target, code in ring]
        for target, code, team in moving:
            self.placed[team] = target
            self.members[target][code].append(team)
        for source, _, code in ring:
            if not self.members[source][code]:
                del self.members[source][code]
        for source, _, _ in ring:
            self._weigh(source, (group for group in range(self.count) if group != source))


def _on_a_ring(came: Sequence[int]) -> int:
    """A group that is reached from itself, going back; −1 when every way back ends. Such a ring saves."""
    seen = [_NONE] * len(came)
    for start in range(len(came)):
        group = start
        while group != _NONE and seen[group] == _NONE:
            seen[group] = start
            group = came[group]
        if group != _NONE and seen[group] == start:
            return group
    return _NONE
