"""Small events with groups and brackets for tests, built straight from the models and the layouts."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from pairing.engine.bracket import Bracket, resolve
from pairing.engine.knockout import knockout_bracket
from pairing.engine.types import Entrant
from pairing.format_rules import knockout_rules
from pairing.layouts import (
    PlannedMatch,
    bracket_matches,
    bracket_of,
    knockout_layout,
    round_robin_layout,
    scheduled_matches,
)
from scoring.models import Outcome, Result
from tests.builders import make_event
from tournaments.models import (
    Event,
    Group,
    Match,
    Round,
    RoundStatus,
    Seat,
    Stage,
    StageEntry,
    StageFormat,
)


def group_stage(
    event: Event, groups: int, *, order: int = 2, rules: Mapping[str, Any] | None = None, double: bool = False
) -> Stage:
    """A round robin of all teams in groups by number in turn; nothing drawn yet."""
    stage = Stage.objects.create(
        event=event,
        key=f"s{order}",
        order=order,
        name="小组赛",
        format=StageFormat.ROUND_ROBIN,
        rules={"format": {"groups": groups}, **(rules or {})},
    )
    teams = list(event.teams.order_by("number"))
    members = [teams[place::groups] for place in range(groups)]
    for place, group_teams in enumerate(members, start=1):
        group = Group.objects.create(stage=stage, order=place, name=f"{'ABCDEFGH'[place - 1]} 组")
        StageEntry.objects.bulk_create(
            StageEntry(stage=stage, team=team, group=group) for team in group_teams
        )
    keys = tuple(tuple(team.key for team in group_teams) for group_teams in members)
    stage.layout = round_robin_layout(keys, 1, double=double)
    stage.rounds_planned = len(stage.layout["schedule"])
    stage.save()
    return stage


def knockout_stage(
    event: Event, entries: int, *, order: int = 3, rules: Mapping[str, Any] | None = None
) -> Stage:
    """A knockout of the first `entries` teams by number; nothing drawn yet."""
    stage = Stage.objects.create(
        event=event,
        key=f"s{order}",
        order=order,
        name="淘汰赛",
        format=StageFormat.KNOCKOUT,
        rules=rules or {},
    )
    teams = list(event.teams.order_by("number")[:entries])
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, team=team, seed=place) for place, team in enumerate(teams, start=1)
    )
    entrants = [
        Entrant(id=team.key, number=team.number, rank=place, department=team.department_id, seed=place)
        for place, team in enumerate(teams, start=1)
    ]
    read = knockout_rules(stage.rules.get("format", {}), is_chained=True)
    stage.layout = knockout_layout(knockout_bracket(entrants, read, seed=1), 1)
    stage.rounds_planned = max(match["round"] for match in stage.layout["bracket"])
    stage.save()
    return stage


def seat_round(stage: Stage, number: int, *, status: RoundStatus = RoundStatus.PUBLISHED) -> Round:
    """The round that schedule or bracket says, with the results entered before it."""
    round_ = Round.objects.create(stage=stage, number=number, status=status)
    groups = {group.order: group for group in stage.groups.all()}
    for planned in _planned(stage, number):
        seat(round_, planned, groups.get(planned.group or 0))
    return round_


def seat(round_: Round, planned: PlannedMatch, group: Group | None = None) -> Match:
    """One match with its seats, and the result of a bye."""
    teams = {team.key: team for team in round_.stage.event.teams.all()}
    away = teams[planned.away] if planned.away else None
    match = Match.objects.create(
        round=round_, table=planned.table, home=teams[planned.home], away=away, group=group, key=planned.key
    )
    for team in (match.home, away):
        if team is not None:
            Seat.objects.create(round=round_, match=match, team=team)
    if away is None:
        Result.objects.create(match=match, outcome=Outcome.BYE)
    return match


def play(round_: Round, *, seed: int = 1, leave_open: int = 0) -> None:
    """Results for all tables but the last few; the winner is anybody's."""
    rng = random.Random(seed)
    tables = list(round_.matches.filter(away__isnull=False).order_by("table"))
    for match in tables[: len(tables) - leave_open]:
        levels = rng.choice([(15, 10), (9, 15), (11, 8), (12, 14), (15, 3)])
        Result.objects.create(
            match=match,
            outcome=Outcome.PLAYED,
            home_level=levels[0],
            away_level=levels[1],
            winner="home" if levels[0] > levels[1] else "away",
            reason="time" if 15 not in levels else "passed",
        )
    if not leave_open:
        round_.status = RoundStatus.COMPLETED
        round_.save()


def play_through(stage: Stage, rounds: int | None = None, *, leave_open: int = 0) -> list[Round]:
    """The first rounds of the stage, or all, played; the last one with some tables open."""
    count = stage.rounds_planned if rounds is None else rounds
    played = []
    for number in range(1, count + 1):
        round_ = seat_round(stage, number)
        play(round_, seed=number, leave_open=leave_open if number == count else 0)
        played.append(round_)
    return played


def _planned(stage: Stage, number: int) -> Sequence[PlannedMatch]:
    if stage.format == StageFormat.ROUND_ROBIN:
        return scheduled_matches(stage.layout, number)
    bracket = bracket_of(stage.layout)
    return bracket_matches(bracket, winners(stage, bracket), number)


def winners(stage: Stage, bracket: Bracket) -> dict[str, str | None]:
    """Who won the matches played so far."""
    rows = Match.objects.filter(round__stage=stage, away__isnull=False, result__isnull=False)
    found = {}
    for match in rows.select_related("result", "home", "away"):
        sides = {"home": match.home.key, "away": match.away.key if match.away else None}
        found[match.key] = sides.get(match.result.winner)
    resolve(bracket, found)
    return found


def chained_event(teams: int = 24, groups: int = 4, *, slug: str = "cup") -> Event:
    """Groups as stage 2, the best two of each in a knockout as stage 3; stage 1 is never played."""
    event = make_event(teams=teams, slug=slug)
    group_stage(event, groups)
    knockout_stage(event, 2 * groups, rules={"entry": {"from": "s2", "count": 2}})
    return event
