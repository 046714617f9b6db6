"""How a knockout goes on after a round: who meets whom next, who has a bye, what is played for below."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from .bracket import BracketMatch, ByeSlot, LoserOf, Places, Purpose, Slot, WinnerOf
from .knockout_rules import Byes, KnockoutRules, PlayedOut

FINAL_THREE = 3
Group = tuple[Slot, ...]
"""Two that meet, or one with a bye."""
ByesOf = Callable[[Slot], int]

_LAST_PLAYED_FOR = {PlayedOut.THIRD_PLACE: 4, PlayedOut.TO_EIGHT: 8}


@dataclass(frozen=True, slots=True)
class Contest:
    """Those who play on for the places behind `base`, by zone, in order."""

    base: int
    zones: Mapping[int, Sequence[Slot]]

    @property
    def size(self) -> int:
        """How many they are, in all zones."""
        return sum(map(len, self.zones.values()))


class Rounds:
    """Collects matches round by round; `start` is the index of the first of the present round."""

    def __init__(self, rules: KnockoutRules, number: int) -> None:
        self.limit = _LAST_PLAYED_FOR.get(rules.played_out, 0)
        self.rules, self.number = rules, number
        self.matches: list[BracketMatch] = []
        self.start = 0

    def next(self) -> None:
        """Begin the next round."""
        self.number += 1
        self.start = len(self.matches)

    def play(self, contest: Contest, groups: Mapping[int, Sequence[Group]]) -> None:
        """Add the round of one contest; for the final three all their matches."""
        if is_final_group(contest, self.rules):
            self._final_group(contest)
            return
        base, before = contest.base, contest.size
        after = sum(map(len, groups.values()))
        losers = Places(base + after + 1, base + before)
        is_played_out = base + before <= self.limit and before - after > 1
        for zone, tables in groups.items():
            for group in tables:
                self._add(
                    Places(base + 1, base + before),
                    group if len(group) > 1 else (*group, ByeSlot()),
                    winner_places=Places(base + 1, base + 1) if after == 1 else None,
                    loser_places=None if is_played_out or len(group) == 1 else losers,
                    zone=zone,
                )

    def _add(
        self,
        places: Places,
        sides: Group,
        *,
        winner_places: Places | None,
        loser_places: Places | None,
        zone: int,
    ) -> None:
        home, away = sides
        purpose = Purpose.MAIN
        if places.first > 1:
            purpose = Purpose.THIRD_PLACE if places == (3, 4) else Purpose.PLACEMENT
        key = f"{self.number}.{len(self.matches) - self.start + 1}"
        self.matches.append(
            BracketMatch(key, self.number, purpose, home, away, places, winner_places, loser_places, zone)
        )

    def _final_group(self, contest: Contest) -> None:
        one, two, three = contest.zones[0]
        for step, (home, away) in enumerate([(one, two), (two, three), (three, one)]):
            number = self.number + step
            key = f"{number}.1"
            places = Places(1, FINAL_THREE)
            self.matches.append(BracketMatch(key, number, Purpose.FINAL_GROUP, home, away, places))


def is_final_group(contest: Contest, rules: KnockoutRules) -> bool:
    """Whether those left are the three who meet each other."""
    is_wanted = rules.played_out is PlayedOut.FINAL_GROUP and contest.base == 0
    return is_wanted and contest.size == FINAL_THREE


def contests_after(matches: Sequence[BracketMatch]) -> list[Contest]:
    """Who plays on after a round, for the best places first."""
    together: dict[Places, list[BracketMatch]] = defaultdict(list)
    for match in matches:
        if match.purpose is not Purpose.FINAL_GROUP:
            together[match.places].append(match)
    contests = []
    for places, played in together.items():
        base = places.first - 1
        losers: list[Slot] = [
            LoserOf(match.key) for match in played if not match.is_bye and match.loser_places is None
        ]
        if len(played) > 1:
            contests.append(Contest(base, _winners_by_zone(played)))
        if losers:
            contests.append(Contest(base + len(played), {0: losers}))
    return sorted(contests, key=lambda contest: contest.base)


def _winners_by_zone(matches: Sequence[BracketMatch]) -> dict[int, list[Slot]]:
    zones: dict[int, list[Slot]] = defaultdict(list)
    for match in matches:
        zones[match.zone].append(WinnerOf(match.key))
    if all(len(slots) == 1 for slots in zones.values()):
        return {0: list(chain.from_iterable(zones.values()))}
    return zones


def adjacent(contest: Contest, rules: KnockoutRules, byes_of: ByesOf) -> dict[int, list[Group]]:
    """Neighbours meet; who has a bye is taken out first."""
    return {
        zone: paired(slots, byes_needed(len(slots), contest, rules), rules, byes_of)
        for zone, slots in contest.zones.items()
    }


def byes_needed(size: int, contest: Contest, rules: KnockoutRules) -> int:
    """How many of `size` have a bye: the odd one; before a final group as many as leave three."""
    is_wanted = rules.played_out is PlayedOut.FINAL_GROUP and contest.base == 0
    return 2 * FINAL_THREE - size if is_wanted and size <= 2 * FINAL_THREE else size % 2


def paired(slots: Sequence[Slot], byes: int, rules: KnockoutRules, byes_of: ByesOf) -> list[Group]:
    """Groups of one or two in order of their first; byes to those who had fewest, the best or the last."""
    direction = 1 if rules.byes is Byes.BEST else -1
    ranks = sorted(range(len(slots)), key=lambda rank: (byes_of(slots[rank]), direction * rank))
    free = set(ranks[:byes])
    met = [rank for rank in range(len(slots)) if rank not in free]
    groups = [*((rank,) for rank in free), *zip(met[::2], met[1::2], strict=True)]
    return [tuple(slots[rank] for rank in group) for group in sorted(groups)]


def byes_in(matches: Sequence[BracketMatch]) -> ByesOf:
    """How many byes a slot can have behind it at most."""
    byes: dict[str, int] = {}

    def byes_of(slot: Slot) -> int:
        return byes[slot.match] if isinstance(slot, WinnerOf | LoserOf) else 0

    for match in matches:
        byes[match.key] = max(byes_of(match.home), byes_of(match.away)) + match.is_bye
    return byes_of
