"""Perfect matchings in "everybody may meet everybody, except": found, repaired, and taken down the standings.

Positions are ints from 0, best first. The graph is never written out: two positions may meet unless they are
of one group or barred, so a step costs what it looks at, not the square of the field.
"""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

Table = tuple[int, int]
Candidates = Callable[[int, "Unpaired"], Iterator[int]]

_LOOK = 8  # exposed positions tried at once before a search goes on


@dataclass(frozen=True, slots=True)
class Graph:
    """Who may meet whom.

    `group` has one entry per position and a last one of its own (the end mark of `Unpaired`); `barred` says
    for each position whom it may not meet besides its group, symmetrically.
    """

    group: Sequence[int]
    barred: Sequence[Mapping[int, int]]

    def legal(self, one: int, other: int) -> bool:
        """Whether the two positions may meet."""
        return self.group[one] != self.group[other] and other not in self.barred[one]


class Unpaired:
    """The positions not yet paired, in order: a linked list, so taking one out costs the same anywhere."""

    __slots__ = ("alive", "end", "first", "next", "previous")

    def __init__(self, positions: Sequence[int], end: int) -> None:
        self.end = end
        self.next = [end] * (end + 1)
        self.previous = [end] * (end + 1)
        self.alive = bytearray(end + 1)
        self.first = end
        for position in reversed(positions):
            self.next[position] = self.first
            self.previous[self.first] = position
            self.alive[position] = 1
            self.first = position

    def remove(self, position: int) -> None:
        """Take a position out; its own `next` keeps leading forward to those that stay."""
        before, after = self.previous[position], self.next[position]
        self.alive[position] = 0
        self.previous[after] = before
        if position == self.first:
            self.first = after
        else:
            self.next[before] = after

    def after(self, position: int) -> Iterator[int]:
        """Those behind `position`, best first."""
        following, end = self.next, self.end
        position = following[position]
        while position != end:
            yield position
            position = following[position]

    def __iter__(self) -> Iterator[int]:
        following, position = self.next, self.first
        while position != self.end:
            yield position
            position = following[position]


def next_in_order(position: int, unpaired: Unpaired) -> Iterator[int]:
    """The adjacent rule's candidates: the best-placed first."""
    return unpaired.after(position)


class Search:
    """Edmonds' search for an augmenting path, over the positions given.

    After a search that found nothing, `outer` holds the positions that some matching of the same size
    leaves out (reachable by an even path), and `inner` those that stand between them.
    """

    def __init__(self, graph: Graph, mate: list[int], positions: Iterable[int]) -> None:
        self.graph, self.mate = graph, mate
        self.fresh = list(positions)
        self.outer: list[int] = []
        self.inner: set[int] = set()
        self._came_from: dict[int, int] = {}
        self._base: dict[int, int] = {}

    def augment(self, root: int, targets: Sequence[int] = ()) -> bool:
        """Match the exposed `root` along an augmenting path; False, and no change, when there is none.

        `targets` are exposed positions to try first: a hint for speed only.
        """
        end = self._grow([root], targets[:_LOOK])
        if end < 0:
            return False
        self._flip(end)
        return True

    def label(self, roots: Sequence[int]) -> None:
        """Label from all exposed `roots` of a maximum matching at once."""
        self._grow(roots, ())

    def _grow(self, roots: Sequence[int], targets: Sequence[int]) -> int:
        self.outer = list(roots)
        rooted = set(roots)
        self.fresh = [position for position in self.fresh if position not in rooted]
        for position in self.outer:  # grows while it is walked
            end = self._reach(position, targets)
            if end >= 0:
                return end
            self._close_blossoms(position)
        return -1

    def _reach(self, position: int, targets: Sequence[int]) -> int:
        """Label what `position` reaches; the exposed end of an augmenting path, or -1."""
        graph, mate, came_from = self.graph, self.mate, self._came_from
        group, barred, own = graph.group, graph.barred[position], graph.group[position]
        kept: list[int] = []
        fresh, self.fresh = self.fresh, kept
        taken: set[int] = set()
        for other in fresh:
            if group[other] == own or other in barred:
                kept.append(other)
            elif other not in taken:
                came_from[other] = position
                partner = mate[other]
                if partner < 0:
                    return other
                taken.add(partner)
                self.inner.add(other)
                self.outer.append(partner)
                for target in targets:
                    if graph.legal(partner, target):
                        came_from[target] = partner
                        return target
        if taken:
            self.fresh = [other for other in kept if other not in taken]
        return -1

    def _close_blossoms(self, position: int) -> None:
        legal, find = self.graph.legal, self.base_of
        base = find(position)
        for other in list(self.outer):
            if find(other) != base and legal(position, other):
                self._shrink(position, other)
                base = find(position)

    def base_of(self, position: int) -> int:
        """The base of the blossom that `position` lies in: itself when in none."""
        base = self._base
        top = position
        while (up := base.get(top, top)) != top:
            top = up
        while position != top:
            base[position], position = top, base.get(position, top)
        return top

    def _shrink(self, one: int, other: int) -> None:
        top = self._common_base(one, other)
        bases = self._mark(one, top, other)
        bases += self._mark(other, top, one)
        for base in bases:
            self._base[base] = top
            if base in self.inner:
                self.inner.discard(base)
                self.outer.append(base)

    def _common_base(self, one: int, other: int) -> int:
        passed = set()
        base = self.base_of(one)
        while True:
            passed.add(base)
            if self.mate[base] < 0:
                break
            base = self.base_of(self._came_from[self.mate[base]])
        base = self.base_of(other)
        while base not in passed:
            base = self.base_of(self._came_from[self.mate[base]])
        return base

    def _mark(self, position: int, top: int, child: int) -> list[int]:
        bases = []
        while (base := self.base_of(position)) != top:
            partner = self.mate[position]
            bases += [base, self.base_of(partner)]
            self._came_from[position] = child
            child = partner
            position = self._came_from[partner]
        return bases

    def _flip(self, end: int) -> None:
        mate = self.mate
        while end >= 0:
            before = self._came_from[end]
            onward = mate[before]
            mate[end], mate[before] = before, end
            end = onward


def spare_positions(graph: Graph, positions: Sequence[int]) -> set[int]:
    """Of an odd field, the positions without which the rest can all be paired."""
    if _majority(graph, positions, len(positions) + 1):
        return set()  # would be found by searching from each of the many that stay without
    mate, exposed = maximum_matching(graph, positions)
    if len(exposed) != 1:
        return set()
    search = Search(graph, mate, positions)
    search.label(exposed)
    return set(search.outer)


def maximum_matching(graph: Graph, positions: Sequence[int]) -> tuple[list[int], list[int]]:
    """A largest matching, as mates by position (-1 for none), and the positions that it leaves out."""
    mate = [-1] * len(graph.group)
    _, rest = _greedy(graph, positions, mate)
    rest = _swap_in(graph, mate, positions, rest)
    exposed = []
    for root in rest:
        if mate[root] < 0 and not Search(graph, mate, positions).augment(root):
            exposed.append(root)
    return mate, exposed


def pair_down(
    graph: Graph, positions: Sequence[int], candidates: Candidates | None = None
) -> list[Table] | None:
    """Pair all positions: each in turn takes its first candidate such that everyone below can be paired.

    `positions` ascending and even in number; `candidates` gives each position's order of preference, by
    default the order of the positions. None when they cannot all be paired.
    """
    mate = [-1] * len(graph.group)
    tables, rest = _greedy(graph, positions, mate)
    if candidates is not None:
        tail = _Tail(graph, mate, tables, rest)
        return tail.paired([], candidates) if tail.open_to(0) else None
    if not rest:
        return tables
    tail = _Tail(graph, mate, tables, rest)
    kept = tail.open_enough()
    return None if kept is None else tail.paired(tables[:kept], next_in_order)


def _greedy(graph: Graph, positions: Sequence[int], mate: list[int]) -> tuple[list[Table], list[int]]:
    """Give each in turn the first it may meet, looking at nobody else; tables, and those left over."""
    group, barred = graph.group, graph.barred
    end = len(group) - 1
    unpaired = Unpaired(positions, end)
    following, previous = unpaired.next, unpaired.previous
    first_other: dict[int, int] = {}
    tables, rest = [], []
    one = unpaired.first
    while one != end:
        own, against = group[one], barred[one]
        other = following[one]
        if group[other] == own:
            # Where the run of one group ends only ever moves down, so all such walks cost one walk.
            other = max(other, first_other.get(own, 0))
            while group[other] == own or (other != end and mate[other] >= 0):
                other = following[other]
            first_other[own] = other
        while group[other] == own or other in against:
            other = following[other]
        if other == end:
            rest.append(one)
        else:
            mate[one], mate[other] = other, one
            tables.append((one, other))
            before, after = previous[other], following[other]
            following[before] = after
            previous[after] = before
        one = following[one]
    return tables, rest


def _swap_in(graph: Graph, mate: list[int], among: Sequence[int], exposed: Sequence[int]) -> list[int]:
    """Open matched tables for two exposed positions at a time, in one walk; who is still left out."""
    waiting = list(exposed)
    for one in reversed(among):
        if len(waiting) < 2:
            break
        other = mate[one]
        if other > one and _seat_between(graph, mate, (one, other), waiting):
            del waiting[-2:]
    return waiting


def _seat_between(graph: Graph, mate: list[int], table: Table, waiting: Sequence[int]) -> bool:
    legal = graph.legal
    first, second = waiting[-2:]
    for one, other in (table, table[::-1]):
        if legal(one, first) and legal(other, second):
            mate[one], mate[first], mate[other], mate[second] = first, one, second, other
            return True
    return False


class _Tail:
    """The lower part of a greedy draw, opened again: as little of it as lets everybody in it be paired."""

    def __init__(self, graph: Graph, mate: list[int], tables: Sequence[Table], rest: Sequence[int]) -> None:
        self.graph, self.mate, self.tables = graph, mate, tables
        self.exposed = list(rest)
        self.members = list(rest)
        self.kept = len(tables)

    def open_enough(self) -> int | None:
        """Open tables from below until the opened part can be paired; the number of those kept, or None."""
        kept = self._balanced_at()
        step = _LOOK
        while not self.open_to(kept):
            if not self.kept:
                return None
            kept = max(0, self.kept - step)
            step *= 2
        return self.kept

    def _balanced_at(self) -> int:
        """Where no group has more than half of the opened part any more; 0 when it has to the top."""
        group = self.graph.group
        largest, count = Counter(group[position] for position in self.members).most_common(1)[0]
        excess = 2 * count - len(self.members)
        kept = self.kept
        while excess > 0 and kept:
            kept -= 1
            one, other = self.tables[kept]
            excess -= 2 * (group[one] != largest and group[other] != largest)
        return kept

    def open_to(self, kept: int) -> bool:
        """Open all tables from index `kept` on; whether everybody opened can be paired now."""
        for table in self.tables[kept : self.kept]:
            self.members += table
        self.members.sort()
        self.kept = kept
        if _majority(self.graph, self.members, len(self.members)):
            return False
        self.exposed = _swap_in(self.graph, self.mate, self.members, self.exposed)
        return self._complete()

    def _complete(self) -> bool:
        while self.exposed:
            root = self.exposed.pop()
            if not Search(self.graph, self.mate, self.members).augment(root, self.exposed[::-1]):
                self.exposed.append(root)
                return False
            self.exposed = [position for position in self.exposed if self.mate[position] < 0]
        return True

    def paired(self, kept: list[Table], candidates: Candidates) -> list[Table]:
        """The tables kept above, then the opened part taken down from a matching of all of it."""
        return kept + list(_Descent(self.graph, self.mate, self.members, candidates))


def _majority(graph: Graph, positions: Sequence[int], seats: int) -> bool:
    """Whether one group has more than half of the seats, which rules a perfect matching out."""
    counts = Counter(map(graph.group.__getitem__, positions))
    return 2 * max(counts.values(), default=0) > seats


class _Descent:
    """Walks down the unpaired, keeping one legal matching of all of them at every step.

    Giving a position its best candidate frees their two mates. Those nearly always may meet each other; if
    not, an augmenting path between them decides. A group that has just half of the unpaired is full: from
    there on every table needs one of it, which no search has to find out.
    """

    def __init__(
        self, graph: Graph, mate: list[int], positions: Sequence[int], candidates: Candidates
    ) -> None:
        self.graph, self.mate, self.candidates = graph, mate, candidates
        self.unpaired = Unpaired(positions, len(graph.group) - 1)
        self.size = len(positions)
        self.counts = Counter(map(graph.group.__getitem__, positions))
        self.heap = [(-count, group) for group, count in self.counts.items()]
        heapq.heapify(self.heap)
        self.full: int | None = None
        self.begin = [0, 0]

    def __iter__(self) -> Iterator[Table]:
        while self.size:
            self._note_full_group()
            yield self._next_table()

    def _note_full_group(self) -> None:
        if self.full is not None:
            return
        heap, counts = self.heap, self.counts
        while -heap[0][0] != counts[heap[0][1]]:
            heapq.heapreplace(heap, (-counts[heap[0][1]], heap[0][1]))
        if -2 * heap[0][0] == self.size:
            self.full = heap[0][1]

    def _next_table(self) -> Table:
        one = self.unpaired.first
        for other in self._candidates(one):
            if self.graph.legal(one, other) and self._can_part(one, other):
                self._seat(one, other)
                return one, other
        raise AssertionError  # the matching that is kept seats `one` somewhere

    def _candidates(self, one: int) -> Iterator[int]:
        if self.full is None:
            return self.candidates(one, self.unpaired)
        if self.candidates is next_in_order:
            return self._across(one)
        full, group = self.full, self.graph.group
        wanted = group[one] != full
        return (other for other in self.candidates(one, self.unpaired) if (group[other] == full) == wanted)

    def _across(self, one: int) -> Iterator[int]:
        """In order, those on the other side of the full group; where they begin only ever moves down."""
        group, full, unpaired = self.graph.group, self.full, self.unpaired
        wanted = group[one] != full
        first = max(one, self.begin[wanted])
        while first != unpaired.end and not (unpaired.alive[first] and (group[first] == full) == wanted):
            first = unpaired.next[first]
        self.begin[wanted] = first
        if first != unpaired.end:
            yield first
            yield from unpaired.after(first)

    def _can_part(self, one: int, other: int) -> bool:
        """Whether all but these two can be paired; the matching is then such a one."""
        mate = self.mate
        left, right = mate[one], mate[other]
        if left == other:
            return True
        if not self.graph.legal(left, right):
            return self._repaired(one, other)
        mate[left], mate[right] = right, left
        return True

    def _repaired(self, one: int, other: int) -> bool:
        mate = self.mate
        left, right = mate[one], mate[other]
        mate[left] = mate[right] = -1
        among = (position for position in self.unpaired if position not in (one, other))
        if Search(self.graph, mate, among).augment(left, (right,)):
            return True
        mate[left], mate[right] = one, other
        return False

    def _seat(self, one: int, other: int) -> None:
        self.mate[one], self.mate[other] = other, one
        self.unpaired.remove(one)
        self.unpaired.remove(other)
        self.size -= 2
        self.counts[self.graph.group[one]] -= 1
        self.counts[self.graph.group[other]] -= 1
