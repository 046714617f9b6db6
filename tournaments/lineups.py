"""上场名单: which two of a team's players sit at the table in a round.

Plain Python; `seat_lineups` puts the names on teams that a page has loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from tournaments.roster.text import same_key, tidy

if TYPE_CHECKING:
    from tournaments.models import Match

AT_TABLE = 2
SIDES = ("home", "away")
_PARTS = re.compile(r"[\s,，、;；·/&+]+")
_PLACES = re.compile(r"[0-9]+")


class LineupFault(StrEnum):
    """Why what was typed names no line-up: the word or number it speaks of is `LineupRefused.value`."""

    NOT_TWO = "not_two"
    TWICE = "twice"
    NO_SUCH_PLACE = "no_such_place"
    NOT_IN_TEAM = "not_in_team"
    DOES_NOT_PLAY = "does_not_play"


class LineupRefused(ValueError):
    """The names are no line-up of the team."""

    def __init__(self, fault: LineupFault, value: str = "") -> None:
        super().__init__(fault, value)
        self.fault, self.value = fault, value


def read_lineup(text: str, players: Sequence[str], companions: Sequence[str] = ()) -> tuple[str, ...]:
    """The names of the two that were typed: places in the list (13, 1 3, 1、3) or names.

    Nothing typed is no line-up. `companions` are leader and coach. Raises LineupRefused.
    """
    words = [word for word in _PARTS.split(text.strip()) if word]
    if not words:
        return ()
    names = [_named(word, players, companions) for word in _spread(words)]
    return checked_lineup(names, players, companions)


def checked_lineup(
    names: Sequence[str], players: Sequence[str], companions: Sequence[str] = ()
) -> tuple[str, ...]:
    """Two different players of the team, in the order of its list. Raises LineupRefused."""
    for name in names:
        if name not in players:
            fault = LineupFault.DOES_NOT_PLAY if name in companions else LineupFault.NOT_IN_TEAM
            raise LineupRefused(fault, name)
        if list(names).count(name) > 1:
            raise LineupRefused(LineupFault.TWICE, name)
    if len(names) != AT_TABLE:
        raise LineupRefused(LineupFault.NOT_TWO, str(len(names)))
    return tuple(name for name in players if name in names)


def usual_lineup(kept: Sequence[str], players: Sequence[str]) -> tuple[str, ...]:
    """The line-up that holds until another is given; nobody once one of the two has left the team."""
    is_whole = len(kept) == AT_TABLE and all(name in players for name in kept)
    return tuple(kept) if is_whole else ()


def lineup_of(match: Match, side: str) -> tuple[str, ...]:
    """Who sits on that side of a match; empty where nobody is named. No query."""
    given: Mapping[str, Sequence[str]] = match.lineup or {}
    return tuple(given.get(side, ()))


def seat_lineups(matches: Iterable[Match]) -> list[Match]:
    """The matches with their teams shown by who sits at the table. No query."""
    seated = list(matches)
    for match in seated:
        match.home.seated = lineup_of(match, "home")
        if match.away is not None:
            match.away.seated = lineup_of(match, "away")
    return seated


def _spread(words: Sequence[str]) -> list[str]:
    """13 means 1 and 3: a team never has ten players."""
    if len(words) == 1 and _PLACES.fullmatch(words[0]):
        return list(words[0])
    return list(words)


def _named(word: str, players: Sequence[str], companions: Sequence[str]) -> str:
    if _PLACES.fullmatch(word):
        place = int(word[:3])
        if not 1 <= place <= len(players):
            raise LineupRefused(LineupFault.NO_SUCH_PLACE, word[:3])
        return players[place - 1]
    wanted = same_key(tidy(word))
    return next((name for name in (*players, *companions) if same_key(name) == wanted), word)
