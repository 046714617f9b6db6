"""Small events for tests, built straight from the models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import Group, User

from scoring.models import Outcome, Result
from tournaments.models import (
    Department,
    Event,
    Match,
    Official,
    Player,
    Round,
    RoundStatus,
    Seat,
    Stage,
    Team,
)
from tournaments.roles import ADMINISTRATOR, ASSISTANT, CHIEF

SURNAMES = "王李张刘陈杨赵黄周吴徐孙马朱胡林郭何高罗"
GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚"


def player_name(index: int) -> str:
    """The index-th of 8,000 invented names, all different."""
    surname, given = index % 20, index // 20
    return SURNAMES[surname] + GIVEN[given % 20] + GIVEN[given // 20 % 20]


def make_event(
    *,
    teams: int = 8,
    departments: int = 4,
    rounds: int = 4,
    slug: str = "cup",
    rules: dict[str, Any] | None = None,
) -> Event:
    """An event with one Swiss stage; team i plays for department i modulo `departments` (0: none)."""
    event = Event.objects.create(name=f"{slug} 掼蛋赛", slug=slug, venue="活动中心", organiser="校工会")
    Stage.objects.create(
        event=event, key="s1", order=1, name="积分编排", rounds_planned=rounds, rules=rules or {}
    )
    units = [
        Department.objects.create(event=event, key=f"d{i}", name=f"单位{i}")
        for i in range(1, departments + 1)
    ]
    created = Team.objects.bulk_create(
        Team(event=event, key=f"t{i}", number=i, department=units[i % departments] if departments else None)
        for i in range(1, teams + 1)
    )
    Player.objects.bulk_create(
        Player(team=team, position=place, name=player_name(2 * team.number + place))
        for team in created
        for place in (1, 2)
    )
    return event


def make_round(
    event: Event,
    seating: Sequence[tuple[int, int | None]],
    *,
    number: int = 1,
    status: RoundStatus = RoundStatus.PUBLISHED,
) -> Round:
    """A round of the event's first stage: `seating` holds team numbers, (7, None) is a bye."""
    stage = event.stages.get(order=1)
    round_ = Round.objects.create(stage=stage, number=number, status=status)
    by_number = {team.number: team for team in event.teams.all()}
    tables = iter(range(1, len(seating) + 1))
    for home, away in seating:
        match = Match.objects.create(
            round=round_,
            table=None if away is None else next(tables),
            home=by_number[home],
            away=None if away is None else by_number[away],
        )
        for team in (home, away):
            if team is not None:
                Seat.objects.create(round=round_, match=match, team=by_number[team])
        if away is None:
            Result.objects.create(match=match, outcome=Outcome.BYE)
    return round_


def make_result(round_: Round, table: int, home_level: int, away_level: int) -> Result:
    """A played result, winner by levels."""
    winner = "home" if home_level > away_level else "away" if away_level > home_level else "tie"
    return Result.objects.create(
        match=round_.matches.get(table=table),
        outcome=Outcome.PLAYED,
        home_level=home_level,
        away_level=away_level,
        winner=winner,
        reason="passed" if 15 in (home_level, away_level) else "time",
    )


def make_user(username: str, role: str | None, *events: Event) -> User:
    """A user in one of the three groups, appointed to the events; the password is pw-<username>."""
    user = User.objects.create_user(username, password=f"pw-{username}")
    if role:
        user.groups.add(Group.objects.get(name=role))
    Official.objects.bulk_create(Official(event=event, user=user) for event in events)
    return user


ROLES = {"administrator": ADMINISTRATOR, "chief": CHIEF, "assistant": ASSISTANT}
