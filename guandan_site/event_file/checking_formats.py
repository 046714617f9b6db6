"""Round robins and knockouts: whether schedule and bracket are whole, and whether the rounds follow them."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Any

from guandan_site.event_file import document as doc
from guandan_site.event_file.beginning import planned_matches, winners
from guandan_site.event_file.findings import Breach, Finding, finding, places
from guandan_site.event_file.penalties import counted_results
from pairing.engine.bracket import Bracket, ByeSlot, EntrySlot, Purpose, resolve
from pairing.engine.formats import InvalidFormat
from pairing.format_rules import RoundRobinRules
from pairing.layouts import PlannedMatch, bracket_of

Sides = frozenset[str]


def check_format(document: doc.EventDocument, stage: doc.StageEntry, path: str) -> Iterator[Finding]:
    """What is wrong with a stage that no standings draw, once for the whole stage."""
    if "schedule" in stage.layout:
        yield from _check_schedule(document, stage, path)
    elif "bracket" in stage.layout:
        yield from _check_bracket(document, stage, path)
    elif stage.format is doc.StageFormat.ROUND_ROBIN:
        yield from _check_meetings(document, stage, path)
    else:
        yield from _check_losers(document, stage, path)


def check_format_round(
    document: doc.EventDocument, stage: doc.StageEntry, played: doc.RoundEntry, path: str
) -> Iterator[Finding]:
    """What is wrong with one round: its tables, who had left, and whether it follows the layout."""
    teams = {team.id: team for team in document.teams_of(stage)}
    for place, match in places(played, path):
        if match.table is None and not match.is_bye and not _is_walkover(match, teams):
            yield finding(f"{place}.table", Breach.TABLE_MISSING)
    if stage.layout:
        yield from _check_planned(document, stage, played, path)


def _is_walkover(match: doc.MatchEntry, teams: Mapping[str, doc.TeamEntry]) -> bool:
    return any(teams[team].withdrawn_after is not None for team in match.teams)


def _check_planned(
    document: doc.EventDocument, stage: doc.StageEntry, played: doc.RoundEntry, path: str
) -> Iterator[Finding]:
    """Every match that the layout has for this round, and no other."""
    try:
        planned = planned_matches(document, stage, played.number)
    except InvalidFormat:
        # An earlier round is open, or the bracket does not fit the results: found there.
        if not _has_round(stage, played.number):
            yield finding(path, Breach.NOT_IN_LAYOUT, round=played.number)
        return
    wanted = {_sides(each): each for each in planned}
    numbers = {team.id: team.number for team in document.teams_of(stage)}
    for place, match in places(played, path):
        expected = wanted.pop(frozenset(match.teams), None)
        if expected is None or (expected.key and expected.key != match.key):
            told = [numbers[team] for team in match.teams]
            yield finding(place, Breach.NOT_IN_LAYOUT, teams=told, round=played.number)
    left = {team.id for team in document.teams_of(stage) if team.withdrawn_after is not None}
    for sides in wanted:
        if sides.isdisjoint(left):
            told = sorted(numbers[team] for team in sides)
            yield finding(f"{path}.matches", Breach.MATCH_MISSING, teams=told, round=played.number)


def _sides(planned: PlannedMatch) -> Sides:
    return frozenset((planned.home, planned.away) if planned.away else (planned.home,))


def _has_round(stage: doc.StageEntry, number: int) -> bool:
    if "schedule" in stage.layout:
        return number <= len(_list(stage.layout["schedule"]))
    return any(match.round == number for match in bracket_of(stage.layout))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


# Round robin


def _check_schedule(document: doc.EventDocument, stage: doc.StageEntry, path: str) -> Iterator[Finding]:
    """Within every group each meets each, once or twice; nobody is seated twice in a round."""
    groups: list[list[str]] = _list(stage.layout["groups"])
    numbers = {team.id: team.number for team in document.teams_of(stage)}
    entered = {team for group in groups for team in group}
    place = f"{path}.layout"
    for team in sorted(set(numbers) - entered):
        yield finding(place, Breach.NOT_IN_SCHEDULE, team=numbers[team])
    for number, recorded in enumerate(stage.groups):
        if number >= len(groups) or set(recorded.teams) != set(groups[number]):
            yield finding(f"{path}.groups[{number}]", Breach.OTHER_GROUP, name=recorded.name)
    schedule = _list(stage.layout["schedule"])
    yield from _check_met(schedule, groups, 2 if _is_double(stage) else 1, numbers, place)
    for number, one in enumerate(schedule, start=1):
        seated = Counter(team for _, *sides in one for team in sides if team is not None)
        for team in sorted(team for team, times in seated.items() if times > 1):
            yield finding(place, Breach.TWICE_IN_ROUND, team=numbers[team], round=number)


def _check_met(
    schedule: list[Any], groups: list[list[str]], times: int, numbers: Mapping[str, int], place: str
) -> Iterator[Finding]:
    met = Counter(frozenset((home, away)) for one in schedule for _, home, away in one if away is not None)
    for group in groups:
        for couple in combinations(group, 2):
            if met[frozenset(couple)] != times:
                told = sorted(numbers[team] for team in couple if team in numbers)
                yield finding(place, Breach.MEETINGS, teams=told, times=met[frozenset(couple)], wanted=times)


def _is_double(stage: doc.StageEntry) -> bool:
    format: Any = stage.rules.get("format", {})
    return RoundRobinRules.from_dict(format).double


def _check_meetings(document: doc.EventDocument, stage: doc.StageEntry, path: str) -> Iterator[Finding]:
    """Without a recorded schedule: nobody meets the same team more often than the format has it."""
    most = 2 if _is_double(stage) else 1
    numbers = {team.id: team.number for team in document.teams_of(stage)}
    met = Counter[Sides]()
    for index, played in enumerate(stage.rounds):
        for place, match in places(played, f"{path}.rounds[{index}]"):
            met[frozenset(match.teams)] += not match.is_bye
            if met[frozenset(match.teams)] > most:
                told = [numbers[team] for team in match.teams]
                yield finding(place, Breach.MEETINGS, teams=told, times=most + 1, wanted=most)


# Knockout


def _check_bracket(document: doc.EventDocument, stage: doc.StageEntry, path: str) -> Iterator[Finding]:
    """Everybody enters once, no match has two empty sides, and it leads to one champion."""
    bracket = bracket_of(stage.layout)
    place = f"{path}.layout"
    entered = Counter(
        str(slot.team)
        for match in bracket
        for slot in (match.home, match.away)
        if isinstance(slot, EntrySlot)
    )
    for team in document.teams_of(stage):
        if entered[team.id] != 1:
            yield finding(place, Breach.NOT_IN_BRACKET, team=team.number, times=entered[team.id])
    for match in bracket:
        if isinstance(match.home, ByeSlot):
            yield finding(place, Breach.EMPTY_MATCH, key=match.key)
    if _is_whole(bracket) and _matches_to_champion(bracket) != len(entered) - 1:
        yield finding(
            place, Breach.NO_CHAMPION, matches=_matches_to_champion(bracket), wanted=len(entered) - 1
        )
    yield from _check_results(stage, bracket, path)


def _is_whole(bracket: Bracket) -> bool:
    """Whether the bracket goes on to one champion, who is not found in a final group's standings."""
    return any(match.winner_places == (1, 1) for match in bracket)


def _matches_to_champion(bracket: Bracket) -> int:
    return sum(match.purpose is Purpose.MAIN and not match.is_bye for match in bracket)


def _check_results(stage: doc.StageEntry, bracket: Bracket, path: str) -> Iterator[Finding]:
    """The winners of the file are winners of the bracket."""
    for index, played in enumerate(stage.rounds):
        try:
            resolve(bracket, winners(stage, played.number + 1))
        except InvalidFormat as error:
            keys = list(error.matches) or [""]
            yield finding(f"{path}.rounds[{index}]", Breach.BRACKET_IGNORED, key=keys[0], round=played.number)
            return


def _check_losers(document: doc.EventDocument, stage: doc.StageEntry, path: str) -> Iterator[Finding]:
    """Without a recorded bracket: whoever is out plays at most others that are out, for the lower places."""
    numbers = {team.id: team.number for team in document.teams_of(stage)}
    lost = Counter[str]()
    for index, played in enumerate(stage.rounds):
        for place, match in places(played, f"{path}.rounds[{index}]"):
            if len({bool(lost[team]) for team in match.teams}) > 1:
                out = next(team for team in match.teams if lost[team])
                yield finding(place, Breach.OUT_ALREADY, team=numbers[out])
        lost.update(_losers(stage, played))


def _losers(stage: doc.StageEntry, played: doc.RoundEntry) -> Collection[str]:
    losers, result_of = [], counted_results(stage)
    for match in played.matches:
        result = result_of(played.number, match)
        if match.away is not None and result is not None:
            side = result.winner
            losers += [team for team, own in ((match.home, "home"), (match.away, "away")) if side != own]
    return losers
