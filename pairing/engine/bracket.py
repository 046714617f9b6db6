"""A knockout bracket (淘汰赛对阵图): where each side comes from, what is ready to be played, who is out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from .formats import FormatFault, InvalidFormat
from .types import TeamId


class Purpose(StrEnum):
    """What a match is for: the champion (主线), third place (三四名), another place, the final three."""

    MAIN = "main"
    THIRD_PLACE = "third_place"
    PLACEMENT = "placement"
    FINAL_GROUP = "final_group"


class Places(NamedTuple):
    """A span of final places, 5–8; a shared place when the two differ and nothing more is played for it."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class EntrySlot:
    """A side taken by a team from the start."""

    team: TeamId


@dataclass(frozen=True, slots=True)
class ByeSlot:
    """The empty side of a bye (轮空)."""


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """A side taken by whoever goes on from another match, a bye too."""

    match: str


@dataclass(frozen=True, slots=True)
class LoserOf:
    """A side taken by the loser of another match."""

    match: str


Slot = EntrySlot | ByeSlot | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match of the bracket, or a bye (`away` is a ByeSlot).

    `key` is "round.order", unique in the bracket. `places` are those its two teams can still reach;
    `winner_places` and `loser_places` those they have when the match is over, None for a side that plays on
    or whose place is found in the final group's standings. `zone` is 1 (odd numbers), 2 (even) or 0.
    """

    key: str
    round: int
    purpose: Purpose
    home: Slot
    away: Slot
    places: Places
    winner_places: Places | None = None
    loser_places: Places | None = None
    zone: int = 0

    @property
    def is_bye(self) -> bool:
        """Whether there is nothing to play."""
        return isinstance(self.away, ByeSlot)


Bracket = tuple[BracketMatch, ...]
Winners = Mapping[str, TeamId | None]
"""Key of a played match → who won; None when nobody did (both forfeit) and nobody goes on."""


@dataclass(frozen=True, slots=True)
class BracketEntry:
    """A match with the teams known so far.

    `is_ready`: both teams are known and there is no winner yet. `is_over`: played, or nothing to be played,
    because of a bye or because nobody came from one side or both.
    """

    match: BracketMatch
    home: TeamId | None
    away: TeamId | None
    winner: TeamId | None
    loser: TeamId | None
    is_ready: bool
    is_over: bool


@dataclass(frozen=True, slots=True)
class BracketState:
    """Where a bracket stands: its matches in order with their teams, and the places of those who are done.

    `final_group` has the three of a final round robin once all its matches are over: their places come from
    its standings. `out` are all teams that have nothing more to play, best place first, without the three.
    """

    entries: tuple[BracketEntry, ...]
    places: Mapping[TeamId, Places]
    final_group: tuple[TeamId, ...] = ()

    @property
    def ready(self) -> tuple[BracketEntry, ...]:
        """The matches that can be played now."""
        return tuple(entry for entry in self.entries if entry.is_ready)

    @property
    def out(self) -> tuple[TeamId, ...]:
        """Who has nothing more to play, best place first."""
        return tuple(self.places)

    @property
    def champion(self) -> TeamId | None:
        """The team in place 1, once known; a final group's champion is found in its standings."""
        return next((team for team, places in self.places.items() if places.last == 1), None)

    @property
    def is_complete(self) -> bool:
        """Whether every match of the bracket is over."""
        return all(entry.is_over for entry in self.entries)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What leaves a match: known or not yet, and which team, if any."""

    is_known: bool
    team: TeamId | None = None


_OPEN = _Outcome(False)
_NOBODY = _Outcome(True)


def resolve(bracket: Bracket, winners: Winners) -> BracketState:
    """Put the teams where the winners so far take them.

    Raises InvalidFormat for a key that is not a match to be played (`MATCH_UNKNOWN`), a winner that does not
    play in the match (`NOT_IN_MATCH`) and a match whose teams are not known (`NOT_READY`): after a corrected
    result first void what `voided_by` names.
    """
    keys = {match.key for match in bracket if not match.is_bye}
    unknown = [key for key in winners if key not in keys]
    if unknown:
        raise InvalidFormat(FormatFault.MATCH_UNKNOWN, matches=unknown)
    walk = _Walk(winners)
    entries = tuple(walk.entry(match) for match in bracket)
    return BracketState(entries, _places(entries), _final_group(entries))


class _Walk:
    """Goes through a bracket in order, keeping what leaves each match."""

    def __init__(self, winners: Winners) -> None:
        self.winners = winners
        self.winner: dict[str, _Outcome] = {}
        self.loser: dict[str, _Outcome] = {}

    def entry(self, match: BracketMatch) -> BracketEntry:
        home, away = self._side(match.home), self._side(match.away)
        winner, loser = self._outcomes(match, home, away)
        self.winner[match.key], self.loser[match.key] = winner, loser
        is_met = home.team is not None and away.team is not None
        return BracketEntry(
            match=match,
            home=home.team,
            away=away.team,
            winner=winner.team,
            loser=loser.team,
            is_ready=is_met and not winner.is_known,
            is_over=winner.is_known,
        )

    def _side(self, slot: Slot) -> _Outcome:
        match slot:
            case EntrySlot(team):
                return _Outcome(True, team)
            case WinnerOf(key):
                return self.winner[key]
            case LoserOf(key):
                return self.loser[key]
            case ByeSlot():
                return _NOBODY

    def _outcomes(self, match: BracketMatch, home: _Outcome, away: _Outcome) -> tuple[_Outcome, _Outcome]:
        key = match.key
        if home.team is None or away.team is None:
            if key in self.winners:
                raise InvalidFormat(FormatFault.NOT_READY, matches=[key])
            if home.is_known and away.is_known:
                return (away if home.team is None else home), _NOBODY
            return _OPEN, _OPEN
        if key not in self.winners:
            return _OPEN, _OPEN
        return self._played(key, home, away)

    def _played(self, key: str, home: _Outcome, away: _Outcome) -> tuple[_Outcome, _Outcome]:
        winner = self.winners[key]
        if winner is None:
            return _NOBODY, _NOBODY
        if winner == home.team:
            return home, away
        if winner == away.team:
            return away, home
        raise InvalidFormat(FormatFault.NOT_IN_MATCH, teams=[winner], matches=[key])


def _places(entries: Sequence[BracketEntry]) -> dict[TeamId, Places]:
    """The teams whose last match is over, best place first, in order of the bracket within a place."""
    found: dict[TeamId, Places] = {}
    for entry in entries:
        if entry.is_over:
            found.update(_places_of(entry))
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _places_of(entry: BracketEntry) -> Iterator[tuple[TeamId, Places]]:
    match = entry.match
    if entry.winner is None:
        for team in (entry.home, entry.away):
            if team is not None and match.purpose is not Purpose.FINAL_GROUP:
                yield team, match.loser_places or Places(match.places.last, match.places.last)
        return
    if match.winner_places:
        yield entry.winner, match.winner_places
    if match.loser_places and entry.loser is not None:
        yield entry.loser, match.loser_places


def _final_group(entries: Sequence[BracketEntry]) -> tuple[TeamId, ...]:
    final = [entry for entry in entries if entry.match.purpose is Purpose.FINAL_GROUP]
    if not all(entry.is_over for entry in final):
        return ()
    teams = (team for entry in final for team in (entry.home, entry.away) if team is not None)
    return tuple(dict.fromkeys(teams))


def with_replacement(bracket: Bracket, team: TeamId, by: TeamId) -> Bracket:
    """The bracket with another team where `team` stood: seed and opponents stay.

    Raises InvalidFormat: `NOT_QUALIFIED` when `team` has no place in it, `ALREADY_QUALIFIED` when `by` has.
    """
    slots = {slot for match in bracket for slot in (match.home, match.away)}
    if EntrySlot(team) not in slots:
        raise InvalidFormat(FormatFault.NOT_QUALIFIED, teams=[team])
    if EntrySlot(by) in slots:
        raise InvalidFormat(FormatFault.ALREADY_QUALIFIED, teams=[by])
    new: dict[Slot, Slot] = {EntrySlot(team): EntrySlot(by)}
    return tuple(
        replace(match, home=new.get(match.home, match.home), away=new.get(match.away, match.away))
        for match in bracket
    )


def dependents(bracket: Bracket, key: str) -> tuple[str, ...]:
    """The matches whose teams hang on the result of match `key`, directly or through others, in order.

    Raises InvalidFormat when there is no such match.
    """
    if all(match.key != key for match in bracket):
        raise InvalidFormat(FormatFault.MATCH_UNKNOWN, matches=[key])
    reached = {key}
    for match in bracket:
        if not reached.isdisjoint(_sources(match)):
            reached.add(match.key)
    return tuple(match.key for match in bracket if match.key in reached and match.key != key)


def voided_by(bracket: Bracket, key: str, winners: Winners) -> tuple[str, ...]:
    """The results that fall when the winner of match `key` becomes another, in order.

    Byes between have no result and are left out. Raises InvalidFormat when there is no such match.
    """
    return tuple(match for match in dependents(bracket, key) if match in winners)


def _sources(match: BracketMatch) -> Iterator[str]:
    for slot in (match.home, match.away):
        if isinstance(slot, WinnerOf | LoserOf):
            yield slot.match
