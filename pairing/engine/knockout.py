"""The knockout draw (淘汰赛): any number of entries, byes, order, zones, and what is played for besides.

`bracket` says how the matches hang together and what results do to them; `apart` keeps departments apart.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain

from .apart import Layout, keep_apart
from .bracket import (
    Bracket,
    BracketMatch,
    ByeSlot,
    EntrySlot,
    LoserOf,
    Places,
    Purpose,
    Slot,
    WinnerOf,
    Winners,
    resolve,
)
from .formats import FormatFault, InvalidFormat, require_teams
from .types import Entrant, TeamId


class BracketOrder(StrEnum):
    """By number (1 v 2, 3 v 4, adjacent winners meet), by one draw, by a draw each round, seeded."""

    NUMBERS = "numbers"
    DRAW = "draw"
    REDRAWN = "redrawn"
    SEEDED = "seeded"


class Byes(StrEnum):
    """Who has nobody to play: in round 1 the best or the last entries, so that later rounds are full.

    `EACH_ROUND` instead gives one bye in every round with an odd number: the last of those who had fewest.
    """

    BEST = "best"
    LAST = "last"
    EACH_ROUND = "each_round"


class PlayedOut(StrEnum):
    """What is played for besides the champion.

    `TWO_THIRDS`: nothing, both losers of the semi-finals are third (并列第三) · `THIRD_PLACE` · `TO_EIGHT`:
    all places to 8 · `FINAL_GROUP`: the round that has 4, 5 or 6 left leaves three, who meet each other.
    """

    TWO_THIRDS = "two_thirds"
    THIRD_PLACE = "third_place"
    TO_EIGHT = "to_eight"
    FINAL_GROUP = "final_group"


@dataclass(frozen=True, slots=True)
class KnockoutRules:
    """How a bracket is made; `zones`: odd and even numbers apart until the final."""

    order: BracketOrder = BracketOrder.NUMBERS
    byes: Byes = Byes.BEST
    played_out: PlayedOut = PlayedOut.TWO_THIRDS
    zones: bool = False
    departments_apart: bool = False


_LAST_PLAYED_FOR = {PlayedOut.THIRD_PLACE: 4, PlayedOut.TO_EIGHT: 8}
_FINAL_THREE = 3

_Group = tuple[Slot, ...]
_ByesOf = Callable[[Slot], int]


@dataclass(frozen=True, slots=True)
class _Contest:
    """Those who play on for the places behind `base`, by zone, in order."""

    base: int
    zones: Mapping[int, Sequence[Slot]]

    @property
    def size(self) -> int:
        return sum(map(len, self.zones.values()))


def knockout_bracket(
    entrants: Sequence[Entrant], rules: KnockoutRules | None = None, *, seed: int = 0
) -> Bracket:
    """The whole bracket, or the first round of one that is redrawn each round.

    The best are those with the lowest `seed`, then the lowest number; by number only the number counts. n
    entries need n − 1 matches to the champion (n with a final group). Departments are kept apart within what
    the order leaves free: everybody in a draw, the seeds 3–4, 5–8, 9–16 … each among themselves. The answer
    does not depend on the order of the arguments; `seed` matters in a draw and for departments. Raises
    InvalidFormat.
    """
    rules = rules or KnockoutRules()
    _check(entrants, rules)
    fields = _fields(entrants, rules)
    rounds = 1 if rules.order is BracketOrder.REDRAWN else None
    places, groups = _first_groups(fields, rules)
    skeleton = _bracket(_Contest(0, places), groups, rules, rounds)
    teams = list(chain.from_iterable(fields.values()))
    order = _order(skeleton, teams, rules, random.Random(seed))  # noqa: S311 - given again by the stored seed
    placed = [teams[place] for place in order]
    return tuple(_with_teams(match, placed, rules) for match in skeleton)


def knockout_from_tables(
    tables: Sequence[tuple[TeamId] | tuple[TeamId, TeamId]], rules: KnockoutRules | None = None
) -> Bracket:
    """A bracket whose first round is given: two teams meet, one has a bye; adjacent winners meet.

    Of `rules` count the byes of later rounds and what is played out. Raises InvalidFormat.
    """
    rules = rules or KnockoutRules()
    teams = list(chain.from_iterable(tables))
    require_teams(teams, 2)
    groups: dict[int, list[_Group]] = {0: [tuple(map(EntrySlot, table)) for table in tables]}
    return _bracket(_Contest(0, {0: list(map(EntrySlot, teams))}), groups, rules, None)


def draw_next_round(
    bracket: Bracket, entrants: Sequence[Entrant], rules: KnockoutRules, winners: Winners, *, seed: int
) -> Bracket:
    """The bracket with one more round: opponents drawn among the winners, a bye among those with fewest.

    Departments are kept apart where the round allows it. Matches for lower places are not drawn: adjacent
    losers meet. The new sides still hang on the matches won, so a corrected result puts the right team in.
    Raises InvalidFormat: `ROUND_OPEN` with the matches that have no winner, `FINISHED` when nothing is left.
    """
    state = resolve(bracket, winners)
    unplayed = [entry.match.key for entry in state.entries if not entry.is_over]
    if unplayed:
        raise InvalidFormat(FormatFault.ROUND_OPEN, matches=unplayed)
    number = bracket[-1].round
    contests = _contests_after([match for match in bracket if match.round == number])
    if not contests or bracket[-1].purpose is Purpose.FINAL_GROUP:
        raise InvalidFormat(FormatFault.FINISHED)
    team_of: dict[Slot, TeamId | None] = {WinnerOf(entry.match.key): entry.winner for entry in state.entries}
    lots = _Lots(entrants, rules, random.Random(seed), bracket, team_of)  # noqa: S311 - as above
    rounds = _Rounds(rules, number + 1)
    for contest in contests:
        if contest.base or _is_final_group(contest, rules):
            rounds.play(contest, _adjacent(contest, rules, _byes_in(bracket)))
        else:
            rounds.play(contest, lots.groups(contest))
    return bracket + tuple(rounds.matches)


# Who enters, and what is refused


def _check(entrants: Sequence[Entrant], rules: KnockoutRules) -> None:
    is_group = rules.played_out is PlayedOut.FINAL_GROUP
    require_teams([team.id for team in entrants], _FINAL_THREE if is_group else 2)
    numbers = Counter(team.number for team in entrants)
    refused = {
        FormatFault.BYES_IN_EACH_ROUND: rules.order is BracketOrder.SEEDED and rules.byes is Byes.EACH_ROUND,
        FormatFault.NUMBERS_FIX: rules.order is BracketOrder.NUMBERS and rules.departments_apart,
        FormatFault.ZONES_EXCLUDE_GROUP: rules.zones and is_group,
        FormatFault.ZONE_EMPTY: rules.zones and len({team.number % 2 for team in entrants}) == 1,
        FormatFault.NUMBER_TWICE: len(numbers) < len(entrants),
    }
    for fault, is_so in refused.items():
        if is_so:
            twice = [team.id for team in entrants if numbers[team.number] > 1]
            raise InvalidFormat(fault, teams=twice if fault is FormatFault.NUMBER_TWICE else ())


def _fields(entrants: Sequence[Entrant], rules: KnockoutRules) -> dict[int, list[Entrant]]:
    """The entries of each zone, best first; zone 0 when there is only one."""

    def strength(team: Entrant) -> tuple[bool, int, int]:
        is_unseeded = team.seed is None or rules.order is BracketOrder.NUMBERS
        return is_unseeded, 0 if is_unseeded else team.seed or 0, team.number

    ranked = sorted(entrants, key=strength)
    if not rules.zones:
        return {0: ranked}
    return {zone: [team for team in ranked if 2 - team.number % 2 == zone] for zone in (1, 2)}


# Round 1


def _first_groups(
    fields: Mapping[int, Sequence[Entrant]], rules: KnockoutRules
) -> tuple[dict[int, list[Slot]], dict[int, list[_Group]]]:
    """By zone: a slot for each place in order of strength, and how the places meet in round 1."""
    sizes = {zone: len(teams) for zone, teams in fields.items()}
    full = max(_full_round(size) for size in sizes.values())
    places: dict[int, list[Slot]] = {}
    groups: dict[int, list[_Group]] = {}
    for zone, size in sizes.items():
        offset = sum(map(len, places.values()))
        slots: list[Slot] = [EntrySlot(offset + rank) for rank in range(size)]
        places[zone] = slots
        count = min(full, 1 << (size.bit_length() - 1))
        groups[zone] = [tuple(slots[rank] for rank in ranks) for ranks in _groups(size, count, rules)]
    return places, groups


def _full_round(size: int) -> int:
    """How many groups of one or two make a round after which every round is full."""
    return 1 << max(0, (size - 1).bit_length() - 1)


def _groups(size: int, count: int, rules: KnockoutRules) -> list[tuple[int, ...]]:
    """Round 1 of one zone, ranks from 0: `count` groups, or as many as one bye in each round leaves."""
    if rules.played_out is PlayedOut.FINAL_GROUP and size <= 2 * _FINAL_THREE:
        count = _FINAL_THREE
    elif rules.byes is Byes.EACH_ROUND:
        count = (size + 1) // 2
    matches = size - count
    if rules.order is BracketOrder.NUMBERS or rules.byes is Byes.EACH_ROUND:
        return _side_by_side(size, matches, rules.byes)
    groups = _strong_and_weak(size, matches, rules.byes)
    return [groups[rank] for rank in _seeding_order(count)] if count != _FINAL_THREE else groups


def _side_by_side(size: int, matches: int, byes: Byes) -> list[tuple[int, ...]]:
    first = size - 2 * matches if byes is Byes.BEST else 0
    met: list[tuple[int, ...]] = [(rank, rank + 1) for rank in range(first, first + 2 * matches, 2)]
    free: list[tuple[int, ...]] = [(rank,) for rank in range(size) if not first <= rank < first + 2 * matches]
    return [*free, *met] if byes is Byes.BEST else [*met, *free]


def _strong_and_weak(size: int, matches: int, byes: Byes) -> list[tuple[int, ...]]:
    """The strongest that play meet the weakest that play, in order of the stronger, and the byes."""
    first = size - 2 * matches if byes is Byes.BEST else 0
    end = first + 2 * matches
    met: list[tuple[int, ...]] = [(first + rank, end - 1 - rank) for rank in range(matches)]
    before: list[tuple[int, ...]] = [(rank,) for rank in range(first)]
    return [*before, *met, *((rank,) for rank in range(end, size))]


def _seeding_order(count: int) -> list[int]:
    """Where the strongest stand so that the best meet last: 0 3 1 2 for four."""
    order = [0]
    while len(order) < count:
        low = 2 * len(order) - 1
        order = [rank for strong in order for rank in (strong, low - strong)]
    return order


# Round after round


def _bracket(
    contest: _Contest, groups: Mapping[int, Sequence[_Group]], rules: KnockoutRules, rounds: int | None
) -> Bracket:
    """All matches that follow from the first round, or those of the first `rounds`."""
    played = _Rounds(rules, 1)
    played.play(contest, groups)
    while rounds is None or played.number < rounds:
        contests = _contests_after(played.matches[played.start :])
        if not contests:
            break
        played.next()
        for following in contests:
            played.play(following, _adjacent(following, rules, _byes_in(played.matches)))
    return tuple(played.matches)


class _Rounds:
    """Collects matches round by round; `start` is the index of the first of the present round."""

    def __init__(self, rules: KnockoutRules, number: int) -> None:
        self.limit = _LAST_PLAYED_FOR.get(rules.played_out, 0)
        self.rules, self.number = rules, number
        self.matches: list[BracketMatch] = []
        self.start = 0

    def next(self) -> None:
        self.number += 1
        self.start = len(self.matches)

    def play(self, contest: _Contest, groups: Mapping[int, Sequence[_Group]]) -> None:
        """Add the round of one contest; for the final three all their matches."""
        if _is_final_group(contest, self.rules):
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
        sides: _Group,
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

    def _final_group(self, contest: _Contest) -> None:
        one, two, three = contest.zones[0]
        for step, (home, away) in enumerate([(one, two), (two, three), (three, one)]):
            number = self.number + step
            key = f"{number}.1"
            places = Places(1, _FINAL_THREE)
            self.matches.append(BracketMatch(key, number, Purpose.FINAL_GROUP, home, away, places))


def _is_final_group(contest: _Contest, rules: KnockoutRules) -> bool:
    is_wanted = rules.played_out is PlayedOut.FINAL_GROUP and contest.base == 0
    return is_wanted and contest.size == _FINAL_THREE


def _contests_after(matches: Sequence[BracketMatch]) -> list[_Contest]:
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
            contests.append(_Contest(base, _winners_by_zone(played)))
        if losers:
            contests.append(_Contest(base + len(played), {0: losers}))
    return sorted(contests, key=lambda contest: contest.base)


def _winners_by_zone(matches: Sequence[BracketMatch]) -> dict[int, list[Slot]]:
    zones: dict[int, list[Slot]] = defaultdict(list)
    for match in matches:
        zones[match.zone].append(WinnerOf(match.key))
    if all(len(slots) == 1 for slots in zones.values()):
        return {0: list(chain.from_iterable(zones.values()))}
    return zones


def _adjacent(contest: _Contest, rules: KnockoutRules, byes_of: _ByesOf) -> dict[int, list[_Group]]:
    """Neighbours meet; who has a bye is taken out first."""
    return {
        zone: _paired(slots, _byes_needed(len(slots), contest, rules), rules, byes_of)
        for zone, slots in contest.zones.items()
    }


def _byes_needed(size: int, contest: _Contest, rules: KnockoutRules) -> int:
    is_wanted = rules.played_out is PlayedOut.FINAL_GROUP and contest.base == 0
    return 2 * _FINAL_THREE - size if is_wanted and size <= 2 * _FINAL_THREE else size % 2


def _paired(slots: Sequence[Slot], byes: int, rules: KnockoutRules, byes_of: _ByesOf) -> list[_Group]:
    """Groups of one or two in order of their first; byes to those who had fewest, the best or the last."""
    direction = 1 if rules.byes is Byes.BEST else -1
    ranks = sorted(range(len(slots)), key=lambda rank: (byes_of(slots[rank]), direction * rank))
    free = set(ranks[:byes])
    met = [rank for rank in range(len(slots)) if rank not in free]
    groups = [*((rank,) for rank in free), *zip(met[::2], met[1::2], strict=True)]
    return [tuple(slots[rank] for rank in group) for group in sorted(groups)]


def _byes_in(matches: Sequence[BracketMatch]) -> _ByesOf:
    """How many byes a slot can have behind it at most."""
    byes: dict[str, int] = {}

    def byes_of(slot: Slot) -> int:
        return byes[slot.match] if isinstance(slot, WinnerOf | LoserOf) else 0

    for match in matches:
        byes[match.key] = max(byes_of(match.home), byes_of(match.away)) + match.is_bye
    return byes_of


# Who stands where


def _order(
    skeleton: Bracket, teams: Sequence[Entrant], rules: KnockoutRules, rng: random.Random
) -> list[int]:
    """For each place, whose it is; both as ranks of all zones one behind the other."""
    is_drawn = rules.order in (BracketOrder.DRAW, BracketOrder.REDRAWN)
    order = list(range(len(teams)))
    if not is_drawn and not rules.departments_apart:
        return order
    kinds = _kinds(skeleton, rules)
    for places in _zone_places(skeleton):
        own_kinds = [kinds[place] for place in places]
        if rules.departments_apart:
            layout = Layout(_rounds_of(skeleton, places), own_kinds)
            departments = [teams[place].department for place in places]
            found: Sequence[int] = keep_apart(layout, departments, rng, keep_order=not is_drawn).order
        else:
            found = _shuffled(own_kinds, rng)
        for place, taken in zip(places, found, strict=True):
            order[place] = places[taken]
    return order


def _kinds(skeleton: Bracket, rules: KnockoutRules) -> dict[int, Hashable]:
    """What a place is worth: which may be exchanged in a draw, which with seeds."""
    kinds: dict[int, Hashable] = {}
    for match in skeleton:
        for slot in (match.home, match.away):
            if isinstance(slot, EntrySlot) and isinstance(slot.team, int):
                is_free = match.is_bye and rules.byes is not Byes.EACH_ROUND
                tier = slot.team.bit_length() if rules.order is BracketOrder.SEEDED else 0
                kinds[slot.team] = (is_free, tier)
    return kinds


def _zone_places(skeleton: Bracket) -> list[list[int]]:
    zones: dict[int, list[int]] = defaultdict(list)
    for match in skeleton:
        for slot in (match.home, match.away):
            if isinstance(slot, EntrySlot) and isinstance(slot.team, int) and match.round == 1:
                zones[match.zone].append(slot.team)
    return list(zones.values())


def _rounds_of(skeleton: Bracket, places: Sequence[int]) -> list[list[int]]:
    """For each round, which of its matches each of these places leads to, numbered from 0."""
    index = {place: position for position, place in enumerate(places)}
    behind: dict[str, list[int]] = {}
    rounds: dict[int, list[list[int]]] = defaultdict(list)
    for match in skeleton:
        if match.purpose is Purpose.MAIN:
            reached = [place for slot in (match.home, match.away) for place in _behind(slot, behind, index)]
            behind[match.key] = reached
            if reached:
                rounds[match.round].append(reached)
    return [_numbered(nodes, len(places)) for nodes in rounds.values()]


def _behind(slot: Slot, behind: Mapping[str, list[int]], index: Mapping[int, int]) -> list[int]:
    if isinstance(slot, WinnerOf):
        return behind[slot.match]
    if isinstance(slot, EntrySlot) and isinstance(slot.team, int) and slot.team in index:
        return [index[slot.team]]
    return []


def _numbered(nodes: Sequence[Sequence[int]], size: int) -> list[int]:
    numbers = [0] * size
    for number, places in enumerate(nodes):
        for place in places:
            numbers[place] = number
    return numbers


def _shuffled(kinds: Sequence[Hashable], rng: random.Random) -> list[int]:
    order = list(range(len(kinds)))
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for place, kind in enumerate(kinds):
        alike[kind].append(place)
    for places in alike.values():
        for place, taken in zip(places, rng.sample(places, len(places)), strict=True):
            order[place] = taken
    return order


def _with_teams(match: BracketMatch, teams: Sequence[Entrant], rules: KnockoutRules) -> BracketMatch:
    """The match with teams instead of places; in a draw the lower number is home."""
    entries = [
        teams[slot.team]
        for slot in (match.home, match.away)
        if isinstance(slot, EntrySlot) and isinstance(slot.team, int)
    ]
    if not entries:
        return match
    if rules.order in (BracketOrder.DRAW, BracketOrder.REDRAWN):
        entries.sort(key=lambda team: team.number)
    slots = iter([EntrySlot(team.id) for team in entries])
    home = next(slots) if isinstance(match.home, EntrySlot) else match.home
    away = next(slots) if isinstance(match.away, EntrySlot) else match.away
    return replace(match, home=home, away=away)


class _Lots:
    """Draws the opponents of one round."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        rules: KnockoutRules,
        rng: random.Random,
        bracket: Bracket,
        team_of: Mapping[Slot, TeamId | None],
    ) -> None:
        self.department = {team.id: team.department for team in entrants}
        self.rules, self.rng = rules, rng
        self.team_of = team_of
        self.byes = Counter(self.team_of[WinnerOf(match.key)] for match in bracket if match.is_bye)

    def groups(self, contest: _Contest) -> dict[int, list[_Group]]:
        return {
            zone: self._drawn(slots, _byes_needed(len(slots), contest, self.rules))
            for zone, slots in contest.zones.items()
        }

    def _drawn(self, slots: Sequence[Slot], byes: int) -> list[_Group]:
        slots = self.rng.sample(slots, len(slots))
        groups = _paired(slots, byes, self.rules, lambda slot: self.byes[self.team_of[slot]])
        return self._apart(groups) if self.rules.departments_apart else groups

    def _apart(self, groups: Sequence[_Group]) -> list[_Group]:
        slots = [slot for group in groups for slot in group]
        layout = Layout(
            rounds=[[number for number, group in enumerate(groups) for _ in group]],
            kinds=[len(group) for group in groups for _ in group],
        )
        teams = [self.team_of[slot] for slot in slots]
        departments = [None if team is None else self.department.get(team) for team in teams]
        order = keep_apart(layout, departments, self.rng, keep_order=False).order
        drawn = iter([slots[taken] for taken in order])
        return [tuple(next(drawn) for _ in group) for group in groups]
