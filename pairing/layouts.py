"""What a format draws once for the whole stage: groups with their schedule (赛程), or the bracket (对阵图).

The layout is a plain object of the event file, kept in `Stage.layout`; teams are named by their keys. From it
and from the results follow the matches of each round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from pairing.engine.bracket import (
    Bracket,
    BracketEntry,
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
    with_replacement,
)
from pairing.engine.formats import FormatFault, InvalidFormat
from pairing.engine.groups import Groups
from pairing.engine.round_robin import round_robin_schedule
from pairing.engine.tables import ALL_TABLES, Tables
from pairing.engine.types import InvalidPairingRules, TeamId
from scoring.cut_notes import AFTER_CUT, AFTER_DRAW
from scoring.engine.results import MatchResult

Layout = dict[str, Any]
REPLACED = "replaced"
"""In a layout: who came in for whom after the stage had begun."""
LEFT = "left"
"""In the layout of a stage with sources: who had left the event when it began."""
NOTED: Mapping[str, type] = {
    **{"stage": str, "round": int, "team": str, "given": int, "taken": int, "lots": dict},
    **{"penalty": int, "stood": bool, "rules": dict, "drawn": int},
}
"""What a note of a later correction can have, with its kind."""


class DrawnBy(StrEnum):
    """How a round's tables came about: by one of the Swiss methods, the schedule, the bracket or new lots."""

    ADJACENT = "adjacent"
    CLOSEST = "closest"
    SCHEDULE = "schedule"
    BRACKET = "bracket"
    LOTS = "lots"


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match of a round as its format has it; without `away` the team is free (轮空).

    `is_walkover`: a team that has left does not come, so there is no table. `group` counts from 1.
    """

    home: str
    away: str | None
    table: int | None = None
    group: int | None = None
    key: str = ""
    is_walkover: bool = False


# Round robin


def round_robin_layout(
    groups: Groups,
    seed: int,
    *,
    double: bool = False,
    departments: Mapping[TeamId, TeamId | None] | None = None,
) -> Layout:
    """Groups and their schedule: a list of rounds, each a list of [group, home, away]; away None is free.

    With `departments` (of each team) teams of one department meet early. Raises InvalidFormat.
    """
    schedules = [
        round_robin_schedule(group, double=double, departments_first=departments) for group in groups
    ]
    rounds = []
    for number in range(max(map(len, schedules))):
        due = [(group, plan[number]) for group, plan in enumerate(schedules, start=1) if number < len(plan)]
        met = [[group, match.home, match.away] for group, one in due for match in one.matches]
        free = [[group, one.free, None] for group, one in due if one.free is not None]
        rounds.append([*met, *free])
    return {"seed": seed, "groups": [list(group) for group in groups], "schedule": rounds}


def scheduled_rounds(layout: Mapping[str, Any]) -> int:
    """How many rounds the schedule has."""
    return len(layout["schedule"])


def scheduled_matches(
    layout: Mapping[str, Any],
    number: int,
    left: Collection[str] = (),
    *,
    hall: Tables = ALL_TABLES,
) -> list[PlannedMatch]:
    """The matches of a round, tables numbered through all groups; matches of teams that `left` have none.

    Raises InvalidFormat `FINISHED` behind the last round, TooFewTables.
    """
    if number > scheduled_rounds(layout):
        raise InvalidFormat(FormatFault.FINISHED)
    tables = hall.numbers()
    found = []
    for group, home, away in layout["schedule"][number - 1]:
        is_walkover = away is not None and not {home, away}.isdisjoint(left)
        is_played = away is not None and not is_walkover
        if away is not None or home not in left:
            table = next(tables) if is_played else None
            found.append(PlannedMatch(home, away, table, group, is_walkover=is_walkover))
    return found


# Knockout


def knockout_layout(bracket: Bracket, seed: int) -> Layout:
    """A bracket as a layout."""
    return {"seed": seed, "bracket": bracket_as_list(bracket)}


def bracket_of(layout: Mapping[str, Any]) -> Bracket:
    """The bracket of a layout that was read before."""
    return tuple(_match_from(match) for match in layout["bracket"])


def bracket_as_list(bracket: Bracket) -> list[dict[str, Any]]:
    """A bracket as plain JSON values, in order."""
    return [_match_as_dict(match) for match in bracket]


def bracket_rounds(bracket: Bracket) -> int:
    """How many rounds a bracket has."""
    return max(match.round for match in bracket)


def cut_off(bracket: Bracket, teams_left: int) -> Bracket:
    """The bracket up to the round after which no more than `teams_left` are left for the best places."""
    for number in range(1, bracket_rounds(bracket) + 1):
        main = [match for match in bracket if match.round == number and match.purpose is Purpose.MAIN]
        if main and len(main) <= teams_left:
            return tuple(match for match in bracket if match.round <= number)
    return bracket


def bracket_matches(
    bracket: Bracket,
    winners: Winners,
    number: int,
    left: Collection[str] = (),
    *,
    hall: Tables = ALL_TABLES,
) -> list[PlannedMatch]:
    """The matches of a round.

    Raises InvalidFormat: `ROUND_OPEN` with those whose teams are not known, `FINISHED` behind the last round;
    TooFewTables.
    """
    entries = [entry for entry in resolve(bracket, winners).entries if entry.match.round == number]
    if not entries:
        raise InvalidFormat(FormatFault.FINISHED)
    waiting = [entry.match.key for entry in entries if not entry.is_over and not entry.is_ready]
    if waiting:
        raise InvalidFormat(FormatFault.ROUND_OPEN, matches=waiting)
    tables = hall.numbers()
    planned = (planned_match(entry, left, tables) for entry in entries)
    return [match for match in planned if match is not None]


def planned_match(entry: BracketEntry, left: Collection[str], tables: Iterator[int]) -> PlannedMatch | None:
    """A bracket's match with its teams; None when nobody comes from either side."""
    teams = [str(team) for team in (entry.home, entry.away) if team is not None]
    if len(teams) < 2:
        return PlannedMatch(teams[0], None, key=entry.match.key) if teams else None
    is_walkover = not set(teams).isdisjoint(left)
    table = None if is_walkover else next(tables)
    return PlannedMatch(teams[0], teams[1], table, key=entry.match.key, is_walkover=is_walkover)


# Both


def at_fixed_tables(
    planned: Sequence[PlannedMatch], fixed: Mapping[str, int], hall: Tables
) -> list[PlannedMatch]:
    """The matches with those of `fixed` teams at their tables (固定桌), where these may be used.

    The first match in order has a table that two want; the rest fill the remaining numbers in order.
    Raises TooFewTables.
    """
    wanted: dict[int, int] = {}
    for place, each in enumerate(planned):
        sides = (each.home, each.away or "") if each.table is not None else ()
        tables = [fixed[team] for team in sides if team in fixed and fixed[team] in hall]
        for table in tables[:1]:
            wanted.setdefault(table, place)
    own = {place: table for table, place in wanted.items()}
    others = (number for number in hall.numbers() if number not in wanted)
    return [
        each if each.table is None else replace(each, table=own[place] if place in own else next(others))
        for place, each in enumerate(planned)
    ]


def with_team_replaced(layout: Mapping[str, Any], team: str, by: str) -> Layout:
    """The layout with another team in the place of `team`: group, opponents and seed stay.

    Raises InvalidFormat: `NOT_QUALIFIED` when `team` has no place in it, `ALREADY_QUALIFIED` when `by` has.
    """
    if "bracket" in layout:
        bracket = with_replacement(bracket_of(layout), team, by)
        return {**layout, "bracket": bracket_as_list(bracket)}
    teams = {key for group in layout.get("groups", ()) for key in group}
    if team not in teams:
        raise InvalidFormat(FormatFault.NOT_QUALIFIED, teams=[team])
    if by in teams:
        raise InvalidFormat(FormatFault.ALREADY_QUALIFIED, teams=[by])
    new = {team: by}
    return {
        **layout,
        "groups": [[new.get(key, key) for key in group] for group in layout["groups"]],
        "schedule": [
            [[group, new.get(home, home), new.get(away, away)] for group, home, away in one]
            for one in layout["schedule"]
        ],
    }


def keep_replacement(layout: Mapping[str, Any], team: str, by: str) -> Layout:
    """The layout with a note of who came in for whom, so that anybody can find the first entries again."""
    return {**layout, REPLACED: [*layout.get(REPLACED, []), {"team": team, "by": by}]}


def replacements(layout: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Who went out and who came in, the first change first."""
    return [(str(each["team"]), str(each["by"])) for each in layout.get(REPLACED, [])]


def first_team(layout: Mapping[str, Any], team: str) -> str:
    """The team that entered where `team` stands now."""
    for gone, by in reversed(replacements(layout)):
        if by == team:
            team = gone
    return team


def as_begun(layout: Mapping[str, Any]) -> Layout:
    """The layout with the teams that entered at first. Raises InvalidFormat where the notes do not fit."""
    found = dict(layout)
    for gone, by in reversed(replacements(layout)):
        if "bracket" in found or "groups" in found:
            found = with_team_replaced(found, by, gone)
    return found


def layout_teams(layout: Mapping[str, Any]) -> set[str]:
    """The keys of all teams that a layout names."""
    if "bracket" in layout:
        slots = (slot for match in bracket_of(layout) for slot in (match.home, match.away))
        return {str(slot.team) for slot in slots if isinstance(slot, EntrySlot)}
    return {key for group in layout.get("groups", ()) for key in group}


def read_layout(value: object, format: str) -> Layout:
    """The layout of a stage of this format as it stands in a file, every part of it looked at; may be empty.

    Raises InvalidPairingRules.
    """
    if not isinstance(value, Mapping):
        raise InvalidPairingRules("", "not_an_object", value)
    try:
        _require_notes(value)
        if value and format == "knockout":
            _require_sound(bracket_of(value))
        if value and format == "round_robin":
            _require_schedule(value)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise InvalidPairingRules("", "unreadable", str(error)[:80]) from None
    return dict(value)


def _require_notes(layout: Mapping[str, Any]) -> None:
    """What was noted after the beginning can be read: seed, replacements, who had left, corrections."""
    if not isinstance(layout.get("seed", 0), int) or not isinstance(layout.get(LEFT, []), list):
        raise ValueError(LEFT)
    replacements(layout)
    for change in corrections_noted(layout):
        _require_correction(change)
    if not all("drawn" in change for change in layout.get(AFTER_DRAW, [])):
        raise ValueError(AFTER_DRAW)


def corrections_noted(layout: Mapping[str, Any]) -> list[dict[str, Any]]:
    """All that was corrected after the cut, or after a draw, as the layout notes it."""
    return [*layout.get(AFTER_CUT, []), *layout.get(AFTER_DRAW, [])]


def _require_correction(change: Mapping[str, Any]) -> None:
    wrong = [name for name, kind in NOTED.items() if not isinstance(change.get(name, kind()), kind)]
    is_of_points = "given" in change or "taken" in change
    places = change.get("lots", {}).get("places", {}).values()
    if wrong or (is_of_points and "team" not in change) or not all(isinstance(each, int) for each in places):
        raise ValueError(AFTER_CUT)
    if change.get("was"):
        MatchResult.from_dict(change["was"])


def _require_sound(bracket: Bracket) -> None:
    """Keys are unique and every side hangs on an earlier match."""
    known: set[str] = set()
    if not bracket:
        raise ValueError("bracket")
    for match in bracket:
        sources = {slot.match for slot in (match.home, match.away) if isinstance(slot, WinnerOf | LoserOf)}
        if match.key in known or not sources <= known:
            raise ValueError(match.key)
        known.add(match.key)


def _require_schedule(layout: Mapping[str, Any]) -> None:
    teams = [key for group in layout["groups"] for key in group]
    for one in layout["schedule"]:
        for group, home, away in one:
            members = layout["groups"][group - 1]
            if home not in members or (away is not None and away not in members) or group < 1:
                raise ValueError(home)
    if len(set(teams)) != len(teams) or not all(isinstance(team, str) for team in teams):
        raise ValueError("groups")


def _match_as_dict(match: BracketMatch) -> dict[str, Any]:
    held = {"winner_places": match.winner_places, "loser_places": match.loser_places}
    return {
        "key": match.key,
        "round": match.round,
        "purpose": match.purpose.value,
        "home": _slot_as_dict(match.home),
        "away": _slot_as_dict(match.away),
        "places": list(match.places),
        **{name: list(places) for name, places in held.items() if places is not None},
        **({"zone": match.zone} if match.zone else {}),
    }


def _match_from(match: Mapping[str, Any]) -> BracketMatch:
    return BracketMatch(
        key=str(match["key"]),
        round=int(match["round"]),
        purpose=Purpose(match["purpose"]),
        home=_slot_from(match["home"]),
        away=_slot_from(match["away"]),
        places=_places(match["places"]),
        winner_places=_optional_places(match.get("winner_places")),
        loser_places=_optional_places(match.get("loser_places")),
        zone=int(match.get("zone", 0)),
    )


def _slot_as_dict(slot: Slot) -> dict[str, TeamId] | None:
    match slot:
        case EntrySlot(team):
            return {"team": team}
        case WinnerOf(key):
            return {"winner": key}
        case LoserOf(key):
            return {"loser": key}
        case ByeSlot():
            return None


def _slot_from(value: Mapping[str, Any] | None) -> Slot:
    if value is None:
        return ByeSlot()
    ((kind, name),) = value.items()
    kinds: dict[str, Callable[[str], Slot]] = {"team": EntrySlot, "winner": WinnerOf, "loser": LoserOf}
    return kinds[kind](str(name))


def _places(value: Sequence[int]) -> Places:
    first, last = value
    return Places(int(first), int(last))


def _optional_places(value: Sequence[int] | None) -> Places | None:
    return None if value is None else _places(value)
