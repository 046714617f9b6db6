"""奖项: which team gets which prize; a shared rank across two prizes is never settled silently."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any

MOST_TIERS = 12
LAST_PLACE = 9999


class TieSettled(StrEnum):
    """How teams that share a rank across two prizes were settled: all get the better one, or lots."""

    SHARED = "shared"
    LOTS = "lots"


@dataclass(frozen=True, slots=True)
class Tier:
    """奖项档次: the places `first` to `last` (None: all that follow) get the prize."""

    first: int
    last: int | None
    name: str
    prize: str = ""

    def covers(self, place: int) -> bool:
        """Whether the place is in the tier."""
        return self.first <= place <= (self.last or LAST_PLACE)

    def as_dict(self) -> dict[str, Any]:
        """As it is stored in the event."""
        return {"from": self.first, "to": self.last, "name": self.name, "prize": self.prize}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A team's number with its final rank, None without a place; a withdrawn team gets no prize."""

    number: int
    rank: int | None
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Award:
    """What a team gets: `place` within the ranking after settled ties, `tier` None without a prize.

    `is_open` marks a team of a shared rank that the border between two prizes cuts and nobody settled.
    """

    number: int
    rank: int | None
    place: int | None
    tier: Tier | None
    is_open: bool = False
    settled: TieSettled | None = None


@dataclass(frozen=True, slots=True)
class OpenTie:
    """Teams that share a rank across two or more prizes: places `first` to `last`, the prizes at stake."""

    rank: int
    last: int
    numbers: tuple[int, ...]
    tiers: tuple[Tier | None, ...]


@dataclass(frozen=True, slots=True)
class Settlement:
    """并列处理 of the teams `order`, drawn in this order when by lots."""

    how: TieSettled
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Awards:
    """The list of all teams with their prizes, best first, and what is still open or was settled."""

    rows: tuple[Award, ...]
    open_ties: tuple[OpenTie, ...]
    settled_ties: tuple[OpenTie, ...]

    @property
    def winners(self) -> tuple[Award, ...]:
        """The teams with a prize that is certain."""
        return tuple(row for row in self.rows if row.tier and not row.is_open)


def read_tiers(stored: object) -> tuple[Tier, ...]:
    """The tiers of `Event.prizes` by place; entries that cannot be read are left out."""
    entries = stored if isinstance(stored, list) else []
    tiers = [_tier(entry) for entry in entries if isinstance(entry, Mapping)]
    return tuple(
        sorted((tier for tier in tiers if tier), key=lambda tier: (tier.first, tier.last or LAST_PLACE))
    )


def drawn_order(numbers: Iterable[int], seed: int) -> list[int]:
    """Lots among teams, the first drawn first: the same for the same numbers and seed."""
    order = sorted(numbers)
    random.Random(seed).shuffle(order)  # noqa: S311 (given again by the recorded seed)
    return order


def awards(ranking: Sequence[Ranked], tiers: Sequence[Tier], prize_ties: object) -> Awards:
    """Prizes for a ranking that is given best first, equal ranks together.

    A team that shares rank r with k − 1 others stands for places r … r + k − 1. `prize_ties` is
    what the event stores; an entry counts only while exactly its teams share the rank.
    """
    settled = _settlements(prize_ties)
    rows: list[Award] = []
    open_ties: list[OpenTie] = []
    settled_ties: list[OpenTie] = []
    for rank, together in groupby(ranking, key=lambda row: row.rank):
        tied = list(together)
        if rank is None:
            rows += [Award(row.number, None, None, None) for row in tied]
            continue
        tie = _tie(rank, [row.number for row in tied if not row.withdrawn], tiers)
        how = _settlement(tie, settled)
        if _is_cut(tie):
            (settled_ties if how else open_ties).append(tie)
        rows += _awarded(tie, how, tiers)
        rows += [Award(row.number, rank, None, None) for row in tied if row.withdrawn]
    return Awards(tuple(rows), tuple(open_ties), tuple(settled_ties))


def find_tie(found: Awards, teams: str) -> OpenTie | None:
    """The cut tie of just these teams, settled or not; `teams` are their numbers as a page has them: 3,7."""
    ties = (*found.open_ties, *found.settled_ties)
    return next((tie for tie in ties if ",".join(map(str, tie.numbers)) == teams), None)


def _settlements(stored: object) -> list[Settlement]:
    entries = stored if isinstance(stored, list | tuple) else []
    read = (_settled(entry) for entry in entries if isinstance(entry, Mapping))
    return [each for each in read if each]


def _settled(entry: Mapping[str, Any]) -> Settlement | None:
    """One entry of `Event.prize_ties`; None where it cannot be read, so that the tie stays open."""
    how = next((each for each in TieSettled if each == entry.get("how")), None)
    numbers = entry.get("order") if how is TieSettled.LOTS else entry.get("teams")
    if how is None or not isinstance(numbers, list) or not all(isinstance(each, int) for each in numbers):
        return None
    return Settlement(how, tuple(numbers))


def _tier(entry: Mapping[str, Any]) -> Tier | None:
    first, last = _place(entry.get("from")), _place(entry.get("to"))
    name, prize = entry.get("name"), entry.get("prize")
    if first is None or not isinstance(name, str) or not name:
        return None
    if entry.get("to") is not None and (last is None or last < first):
        return None
    return Tier(first, last, name, prize if isinstance(prize, str) else "")


def _place(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 1 <= value <= LAST_PLACE else None


def _tie(rank: int, numbers: Sequence[int], tiers: Sequence[Tier]) -> OpenTie:
    places = range(rank, rank + len(numbers))
    at_stake = dict.fromkeys(_tier_of(place, tiers) for place in places)
    return OpenTie(rank, rank + len(numbers) - 1, tuple(numbers), tuple(at_stake))


def _tier_of(place: int, tiers: Sequence[Tier]) -> Tier | None:
    return next((tier for tier in tiers if tier.covers(place)), None)


def _is_cut(tie: OpenTie) -> bool:
    return len(tie.tiers) > 1


def _settlement(tie: OpenTie, settled: Sequence[Settlement]) -> Settlement | None:
    same = (each for each in settled if sorted(each.order) == sorted(tie.numbers))
    return next(same, None) if _is_cut(tie) else None


def _awarded(tie: OpenTie, settled: Settlement | None, tiers: Sequence[Tier]) -> Iterator[Award]:
    if not _is_cut(tie):
        tier = tie.tiers[0] if tie.tiers else None
        yield from (Award(number, tie.rank, tie.rank, tier) for number in tie.numbers)
    elif settled is None:
        yield from (Award(number, tie.rank, tie.rank, None, is_open=True) for number in tie.numbers)
    elif settled.how is TieSettled.LOTS:
        for place, number in enumerate(settled.order, start=tie.rank):
            yield Award(number, tie.rank, place, _tier_of(place, tiers), settled=TieSettled.LOTS)
    else:
        for number in tie.numbers:
            yield Award(number, tie.rank, tie.rank, tie.tiers[0], settled=TieSettled.SHARED)
