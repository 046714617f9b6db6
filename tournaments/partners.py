"""抽号结对: players without a partner draw numbers; two with the same number are partners.

Plain Python, the same answer for the same people in the same order with the same seed.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.discipline import Partners, PartnersFrom

MAN, WOMAN = "m", "f"
SHUFFLES = 20
"""How many exchanges of partners are tried per pair: enough that no order of entering shows."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who draws. Without a department somebody counts as of a department of their own."""

    name: str
    sex: str = ""
    department: str = ""

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Person:
        """As a record of a draw holds it."""
        return cls(stored["name"], stored.get("sex", ""), stored.get("department", ""))

    def as_dict(self) -> dict[str, str]:
        """As a record of a draw holds it; what is not known is left out."""
        known = {"name": self.name, "sex": self.sex, "department": self.department}
        return {name: value for name, value in known.items() if value}


@dataclass(frozen=True, slots=True)
class DrawnPartners:
    """Who drew which number: `pairs` in the order of their numbers from 1, and who is left over."""

    pairs: tuple[tuple[Person, Person], ...]
    waiting: tuple[Person, ...]


class SexUnknown(ValueError):
    """Mixed partners cannot be drawn while the sex of these people is not known."""

    def __init__(self, people: Sequence[Person]) -> None:
        super().__init__(people)
        self.people = tuple(people)


def draw_partners(
    people: Sequence[Person], kind: Partners, partners_from: PartnersFrom, *, seed: int
) -> DrawnPartners:
    """Draws partners: as many pairs as the rules allow, everybody once, by the seed.

    Mixed partners are a man and a woman, the man first. Who is left over stays in the order of entering.
    Raises SexUnknown.
    """
    chance = random.Random(seed)  # noqa: S311 - given again by the stored seed
    if kind is Partners.MIXED:
        unknown = [person for person in people if person.sex not in (MAN, WOMAN)]
        if unknown:
            raise SexUnknown(unknown)
    pairs = _pairs(people, kind, partners_from, chance)
    chance.shuffle(pairs)
    drawn = {place for pair in pairs for place in pair}
    return DrawnPartners(
        pairs=tuple((people[first], people[second]) for first, second in pairs),
        waiting=tuple(person for place, person in enumerate(people) if place not in drawn),
    )


Pair = tuple[int, int]
May = Callable[[int, int], bool]


def _pairs(
    people: Sequence[Person], kind: Partners, partners_from: PartnersFrom, chance: random.Random
) -> list[Pair]:
    """Pairs of places in the list, drawn."""
    places = list(range(len(people)))
    chance.shuffle(places)
    if partners_from is PartnersFrom.SAME:
        homes = _by_department(people, places)
        return [pair for members in homes for pair in _free(people, members, kind)]
    if partners_from is PartnersFrom.ANY:
        return _free(people, places, kind)
    homes_of = _homes(people)

    def may(first: int, second: int) -> bool:
        return homes_of[first] != homes_of[second]

    if kind is Partners.MIXED:
        men, women = _by_sex(people, places)
        return _exchanged(_matched(men, women, may), may, chance, swap_any=False)
    return _exchanged(_apart(places, homes_of, chance), may, chance, swap_any=True)


def _free(people: Sequence[Person], places: Sequence[int], kind: Partners) -> list[Pair]:
    """Partners from a shuffled list where nothing forbids anybody."""
    if kind is Partners.MIXED:
        men, women = _by_sex(people, places)
        return list(zip(men, women, strict=False))
    return list(zip(places[::2], places[1::2], strict=False))


def _by_sex(people: Sequence[Person], places: Iterable[int]) -> tuple[list[int], list[int]]:
    ordered = list(places)
    return (
        [place for place in ordered if people[place].sex == MAN],
        [place for place in ordered if people[place].sex == WOMAN],
    )


def _homes(people: Sequence[Person]) -> list[str]:
    """The department of each; whoever has none is of one alone."""
    return [person.department or f"\0{place}" for place, person in enumerate(people)]


def _by_department(people: Sequence[Person], places: Iterable[int]) -> list[list[int]]:
    """The members of each department; people without one draw among themselves."""
    members: dict[str, list[int]] = {}
    for place in places:
        members.setdefault(people[place].department, []).append(place)
    return list(members.values())


def _apart(places: Sequence[int], homes: Sequence[str], chance: random.Random) -> list[Pair]:
    """As many pairs of two departments as there can be.

    With the members of each department side by side, the largest first, the first half meets the second: a
    department with no more than half of the people never meets itself.
    """
    sizes = Counter(homes[place] for place in places)
    largest = max(sizes.values(), default=0)
    if 2 * largest >= len(places):
        big = next((home for home, size in sizes.items() if size == largest), "")
        members = [place for place in places if homes[place] == big]
        others = [place for place in places if homes[place] != big]
        return list(zip(members, others, strict=False))
    chosen = list(places)
    if len(chosen) % 2:
        chosen = _without_one(chosen, sizes, homes, chance)
    order = {home: rank for rank, home in enumerate(dict.fromkeys(homes[place] for place in chosen))}
    kept = Counter(homes[place] for place in chosen)
    chosen.sort(key=lambda place: (-kept[homes[place]], order[homes[place]]))
    half = len(chosen) // 2
    return list(zip(chosen[:half], chosen[half:], strict=True))


def _without_one(
    places: Sequence[int], sizes: Mapping[str, int], homes: Sequence[str], chance: random.Random
) -> list[int]:
    """An odd number loses anybody without whom no department has more than half."""
    half = (len(places) - 1) // 2
    crowded = [home for home, size in sizes.items() if size > half]
    may_go = [place for place in places if not crowded or homes[place] in crowded]
    out = chance.choice(may_go)
    return [place for place in places if place != out]


def _matched(men: Sequence[int], women: Sequence[int], may: May) -> list[Pair]:
    """As many couples as there can be, by augmenting paths."""
    partner: dict[int, int] = {}

    def seek(man: int, tried: set[int]) -> bool:
        for woman in women:
            if woman in tried or not may(man, woman):
                continue
            tried.add(woman)
            if woman not in partner or seek(partner[woman], tried):
                partner[woman] = man
                return True
        return False

    for man in men:
        seek(man, set())
    return [(man, woman) for woman, man in partner.items()]


def _exchanged(pairs: list[Pair], may: May, chance: random.Random, *, swap_any: bool) -> list[Pair]:
    """Pairs exchange partners at random where both new ones are allowed; men and women keep their sides."""
    if len(pairs) < 2:
        return pairs
    for _turn in range(SHUFFLES * len(pairs)):
        one, other = chance.sample(range(len(pairs)), 2)
        (first, second), (third, fourth) = pairs[one], pairs[other]
        if swap_any and chance.random() < 0.5:
            third, fourth = fourth, third
        if may(first, fourth) and may(third, second):
            pairs[one], pairs[other] = (first, fourth), (third, second)
    return pairs
