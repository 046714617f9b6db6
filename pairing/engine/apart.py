"""Departments kept apart in a bracket for as long as possible.

Compared is, from round 1 up, how many couples of one department could meet in that round: fewest first, so
the earliest round in which two can meet comes as late as it can, within what the draw leaves free.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

_ATTEMPTS = 24
_WORK = 12_000  # exchanges weighed in all attempts: keeps a bracket of 1,024 within its 0.2 s


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of a bracket, from 0: `rounds[r][place]` is the match of round r + 1 that a place leads to.

    Two teams may exchange places only within one `kind`: those with a bye, those of one tier of seeds.
    """

    rounds: Sequence[Sequence[int]]
    kinds: Sequence[Hashable]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Which team stands at which place, by its first place.

    `couples[r]` counts those of one department that could meet in rounds 1 to r + 1; when `is_proved`, no
    arrangement whatever has fewer in any round.
    """

    order: tuple[int, ...]
    couples: tuple[int, ...]
    is_proved: bool


def keep_apart(
    layout: Layout, departments: Sequence[Hashable | None], rng: random.Random, *, keep_order: bool
) -> Arrangement:
    """Move the teams, given by department in their first places, until departments are apart.

    With `keep_order` the first places are tried first and changed as little as comes out (seeds); without, a
    new draw is made even if they would do. A field in which all places are of one kind and the halves of
    every match differ by at most one comes out proved.
    """
    problem = _Problem(layout, departments)
    work = _WORK
    order = list(range(len(departments))) if keep_order else _dealt(problem, rng)
    best = _Swaps(problem, order, work // 3 if keep_order else work)
    work -= best.weighed + len(departments)
    for _ in range(_ATTEMPTS):
        if best.is_proved or work <= 0:
            break
        found = _Swaps(problem, _dealt(problem, rng), work)
        work -= found.weighed + len(departments)
        best = found if found.couples < best.couples else best
    return Arrangement(tuple(best.order), tuple(best.couples), best.is_proved)


class _Problem:
    """The layout with departments as codes; those of a single team are code −1 and never in the way."""

    def __init__(self, layout: Layout, departments: Sequence[Hashable | None]) -> None:
        sizes = Counter(department for department in departments if department is not None)
        several = [department for department, size in sizes.items() if size > 1]
        codes = {department: code for code, department in enumerate(several)}
        self.code = [-1 if department is None else codes.get(department, -1) for department in departments]
        self.sizes = [sizes[department] for department in codes]
        self.rounds = layout.rounds
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(layout.kinds))}
        self.kinds = [numbers[kind] for kind in layout.kinds]
        self.alike: dict[int, list[int]] = defaultdict(list)
        for place, kind in enumerate(self.kinds):
            self.alike[kind].append(place)
        self.least = [  # for each round, what no arrangement can be below
            sum(_fewest_couples(size, capacities) for size in self.sizes)
            for capacities in (sorted(Counter(nodes).values()) for nodes in self.rounds)
        ]

    @cached_property
    def levels(self) -> list[list[int]]:
        """From the top down to the places, which part a place is in.

        Above the last round parts are joined two by two, down to one: a guide for dealing only.
        """
        levels = [list(range(len(self.kinds))), *map(list, self.rounds)]
        while max(levels[-1]) > 0:
            levels.append([node // 2 for node in levels[-1]])
        return levels[::-1]

    def parts_below(self) -> list[list[list[int]]]:
        """For each level but the last, the parts of the next level below each of its parts."""
        below = []
        for nodes, parts in pairwise(self.levels):
            children: list[dict[int, None]] = [{} for _ in range(max(nodes) + 1)]
            for node, part in zip(nodes, parts, strict=True):
                children[node][part] = None
            below.append([list(found) for found in children])
        return below


def _fewest_couples(size: int, capacities: Sequence[int]) -> int:
    """Of `size` teams put into parts with these capacities (ascending), as evenly as they allow."""
    if size <= len(capacities):
        return 0
    left, couples = size, 0
    for index, capacity in enumerate(capacities):
        share = min(capacity, left // (len(capacities) - index))
        couples += share * (share - 1) // 2
        left -= share
    return couples


def _dealt(problem: _Problem, rng: random.Random) -> list[int]:
    """A fresh draw: each team goes down the bracket to the side with fewer of its department.

    Then to the side with more free places, then by lot. Department after department, largest first, so in an
    even bracket every part of it has its even share of each.
    """
    below = [[rng.sample(parts, len(parts)) for parts in level] for level in problem.parts_below()]
    room = [Counter(zip(nodes, problem.kinds, strict=True)) for nodes in problem.levels[1:]]
    seated: list[Counter[tuple[int, int]]] = [Counter() for _ in below]
    order = [0] * len(problem.code)
    for team in _by_department(problem, rng):
        kind, code, node = problem.kinds[team], problem.code[team], 0
        for level, free, there in zip(below, room, seated, strict=True):
            node = _emptier(level[node], kind, code, free, there)
            free[node, kind] -= 1
            if code >= 0:
                there[node, code] += 1
        order[node] = team
    return order


def _emptier(
    parts: Sequence[int],
    kind: int,
    code: int,
    room: Counter[tuple[int, int]],
    seated: Counter[tuple[int, int]],
) -> int:
    """The part that still has a place of this kind, with fewest of the department, then most places."""
    best, least = -1, (0, 0)
    for part in parts:
        free = room[part, kind]
        weight = (seated[part, code], -free)
        if free and (best < 0 or weight < least):
            best, least = part, weight
    return best


def _by_department(problem: _Problem, rng: random.Random) -> Iterator[int]:
    lots = list(range(len(problem.code)))
    rng.shuffle(lots)
    groups: dict[int, list[int]] = defaultdict(list)
    for team in lots:
        groups[problem.code[team]].append(team)
    alone = groups.pop(-1, [])
    for members in sorted(groups.values(), key=len, reverse=True):
        yield from members
    yield from alone


class _Swaps:
    """Exchanges two teams as long as that leaves fewer couples in the first round where it changes any."""

    def __init__(self, problem: _Problem, order: list[int], most: int) -> None:
        self.problem, self.order, self.most = problem, order, most
        self.weighed = 0
        self.code = [problem.code[team] for team in order]
        self.width = len(problem.sizes)
        self.nodes = [[node * self.width for node in nodes] for nodes in problem.rounds]
        self.couples = [0] * len(self.nodes)
        self.counts = [self._counted(level) for level in range(len(self.nodes))]
        while self._improve():
            pass

    @property
    def is_proved(self) -> bool:
        return self.couples == self.problem.least

    def _counted(self, level: int) -> list[int]:
        """How many of each department are in each part, at index part × departments + department."""
        nodes = self.nodes[level]
        counts = [0] * (max(nodes) + self.width)
        for node, code in zip(nodes, self.code, strict=True):
            if code >= 0:
                self.couples[level] += counts[node + code]
                counts[node + code] += 1
        return counts

    def _improve(self) -> bool:
        """Once through all rounds; whether an exchange helped."""
        improved = [self._improve_round(level) for level in range(len(self.nodes))]
        return any(improved)

    def _improve_round(self, level: int) -> bool:
        nodes, counts, improved = self.nodes[level], self.counts[level], False
        for place, node in enumerate(nodes):
            if self.couples[level] == self.problem.least[level] or self.weighed >= self.most:
                break
            code = self.code[place]
            if code >= 0 and counts[node + code] > 1:
                improved |= self._exchanged(place)
        return improved

    def _exchanged(self, place: int) -> bool:
        for other in self.problem.alike[self.problem.kinds[place]]:
            if self.code[other] != self.code[place]:
                self.weighed += 1
                if self._helps(place, other):
                    self._exchange(place, other)
                    return True
        return False

    def _helps(self, one: int, other: int) -> bool:
        mine, theirs = self.code[one], self.code[other]
        for nodes, counts in zip(self.nodes, self.counts, strict=True):
            here, there = nodes[one], nodes[other]
            if here == there:
                return False
            change = _moved(counts, mine, here, there) + _moved(counts, theirs, there, here)
            if change:
                return change < 0
        return False

    def _exchange(self, one: int, other: int) -> None:
        mine, theirs = self.code[one], self.code[other]
        for level, nodes in enumerate(self.nodes):
            if nodes[one] != nodes[other]:
                self._move(level, mine, nodes[one], nodes[other])
                self._move(level, theirs, nodes[other], nodes[one])
        self.code[one], self.code[other] = theirs, mine
        self.order[one], self.order[other] = self.order[other], self.order[one]

    def _move(self, level: int, code: int, source: int, target: int) -> None:
        counts = self.counts[level]
        self.couples[level] += _moved(counts, code, source, target)
        if code >= 0:
            counts[source + code] -= 1
            counts[target + code] += 1


def _moved(counts: Sequence[int], code: int, source: int, target: int) -> int:
    """How many couples more there are when one team of this department changes parts."""
    return counts[target + code] - counts[source + code] + 1 if code >= 0 else 0
