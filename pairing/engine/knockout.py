"""The knockout draw (淘汰赛): any number of entries, byes, order, zones, and what is played for besides.

`bracket` says how the matches hang together and what results do to them; `apart` keeps departments apart.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from .apart import Layout, keep_apart
from .bracket import Bracket, BracketMatch, EntrySlot, Purpose, Slot, WinnerOf, Winners, resolve
from .formats import FormatFault, InvalidFormat, require_teams
from .knockout_rounds import (
    FINAL_THREE,
    Contest,
    Group,
    Rounds,
    adjacent,
    byes_in,
    byes_needed,
    contests_after,
    is_final_group,
    paired,
)
from .knockout_rules import BracketOrder, Byes, KnockoutRules, PlayedOut
from .types import Entrant, TeamId

__all__ = [
    "BracketOrder",
    "Byes",
    "KnockoutRules",
    "PlayedOut",
    "draw_next_round",
    "knockout_bracket",
    "knockout_from_tables",
]


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
    skeleton = _bracket(Contest(0, places), groups, rules, rounds)
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
    groups: dict[int, list[Group]] = {0: [tuple(map(EntrySlot, table)) for table in tables]}
    return _bracket(Contest(0, {0: list(map(EntrySlot, teams))}), groups, rules, None)


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
    contests = contests_after([match for match in bracket if match.round == number])
    if not contests or bracket[-1].purpose is Purpose.FINAL_GROUP:
        raise InvalidFormat(FormatFault.FINISHED)
    team_of: dict[Slot, TeamId | None] = {WinnerOf(entry.match.key): entry.winner for entry in state.entries}
    lots = _Lots(entrants, rules, random.Random(seed), bracket, team_of)  # noqa: S311 - as above
    rounds = Rounds(rules, number + 1)
    for contest in contests:
        if contest.base or is_final_group(contest, rules):
            rounds.play(contest, adjacent(contest, rules, byes_in(bracket)))
        else:
            rounds.play(contest, lots.groups(contest))
    return bracket + tuple(rounds.matches)


# Who enters, and what is refused


def _check(entrants: Sequence[Entrant], rules: KnockoutRules) -> None:
    is_group = rules.played_out is PlayedOut.FINAL_GROUP
    require_teams([team.id for team in entrants], FINAL_THREE if is_group else 2)
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
) -> tuple[dict[int, list[Slot]], dict[int, list[Group]]]:
    """By zone: a slot for each place in order of strength, and how the places meet in round 1."""
    sizes = {zone: len(teams) for zone, teams in fields.items()}
    full = max(_full_round(size) for size in sizes.values())
    places: dict[int, list[Slot]] = {}
    groups: dict[int, list[Group]] = {}
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
    if rules.played_out is PlayedOut.FINAL_GROUP and size <= 2 * FINAL_THREE:
        count = FINAL_THREE
    elif rules.byes is Byes.EACH_ROUND:
        count = (size + 1) // 2
    matches = size - count
    if rules.order is BracketOrder.NUMBERS or rules.byes is Byes.EACH_ROUND:
        return _side_by_side(size, matches, rules.byes)
    groups = _strong_and_weak(size, matches, rules.byes)
    return [groups[rank] for rank in _seeding_order(count)] if count != FINAL_THREE else groups


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
    contest: Contest, groups: Mapping[int, Sequence[Group]], rules: KnockoutRules, rounds: int | None
) -> Bracket:
    """All matches that follow from the first round, or those of the first `rounds`."""
    played = Rounds(rules, 1)
    played.play(contest, groups)
    while rounds is None or played.number < rounds:
        contests = contests_after(played.matches[played.start :])
        if not contests:
            break
        played.next()
        for following in contests:
            played.play(following, adjacent(following, rules, byes_in(played.matches)))
    return tuple(played.matches)


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

    def groups(self, contest: Contest) -> dict[int, list[Group]]:
        return {
            zone: self._drawn(slots, byes_needed(len(slots), contest, self.rules))
            for zone, slots in contest.zones.items()
        }

    def _drawn(self, slots: Sequence[Slot], byes: int) -> list[Group]:
        slots = self.rng.sample(slots, len(slots))
        groups = paired(slots, byes, self.rules, lambda slot: self.byes[self.team_of[slot]])
        return self._apart(groups) if self.rules.departments_apart else groups

    def _apart(self, groups: Sequence[Group]) -> list[Group]:
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
