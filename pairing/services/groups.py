"""小组自约: who calls a group together and until when it plays; a group is ended, and opened again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from pairing.selectors.groups import open_matches, unconfirmed_tables
from pairing.services.refusals import (
    GroupNotOver,
    GroupOver,
    LaterRoundExists,
    NotSelfScheduled,
    NotTheirTeam,
    ReasonMissing,
    ResultsMissing,
    ResultsUnconfirmed,
    StageNotBegun,
)
from scoring.engine.results import MatchResult, Outcome
from scoring.services import NOT_ENTERED, record_result
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Group, Match, Round, RoundStatus, Team

DECIDED = (Outcome.DOUBLE_FORFEIT, Outcome.FORFEIT_HOME, Outcome.FORFEIT_AWAY, Outcome.IRREGULAR)
"""What the chief can make of a match that was not played in time."""


@dataclass(frozen=True)
class Arrangement:
    """Who calls the group together, a team of it or a person, and until when it plays."""

    team: Team | None = None
    name: str = ""
    phone: str = ""
    deadline: datetime | None = None


@transaction.atomic
def arrange_group(*, group: Group, arrangement: Arrangement, by: User | None) -> Group:
    """Stores both; the same once more changes nothing. Raises NotSelfScheduled, NotTheirTeam."""
    event = lock_event(group.stage.event_id)
    group = _fresh(group)
    team = arrangement.team
    if team is not None and not group.entries.filter(team=team).exists():
        raise NotTheirTeam(team)
    old = _told(group)
    group.convenor_team, group.convenor = team, "" if team else arrangement.name
    group.convenor_phone, group.deadline = arrangement.phone, arrangement.deadline
    new = _told(group)
    if new != old:
        group.save(update_fields=["convenor_team", "convenor", "convenor_phone", "deadline"])
        record_act(event=event, act=Act.GROUP_ARRANGED, by=by, subject=_subject(group), old=old, new=new)
    return group


@transaction.atomic
def finish_group(
    *, group: Group, by: User | None, decided: Mapping[int, Outcome] | None = None, reason: str = ""
) -> Group:
    """Ends the group; with the last one all rounds of the stage are closed.

    `decided` says what becomes of each match without a result, by its key in the database: only the chief
    decides that, with a reason. Results that wait for their second look need a reason too.
    Raises NotSelfScheduled, StageNotBegun, GroupOver, ResultsMissing with the tables left, ReasonMissing,
    ResultsUnconfirmed.
    """
    event = lock_event(group.stage.event_id)
    group = _fresh(group)
    if not group.stage.rounds.exists():
        raise StageNotBegun(group.stage)
    if group.finished_at is not None:
        raise GroupOver(group)
    unplayed, decided = open_matches(group), decided or {}
    if missing := [match.table or 0 for match in unplayed if match.pk not in decided]:
        raise ResultsMissing(missing)
    if unplayed and not reason.strip():
        raise ReasonMissing
    unconfirmed = unconfirmed_tables(group)
    if unconfirmed and not reason.strip():
        raise ResultsUnconfirmed(unconfirmed)
    for match in unplayed:
        _decide(match, decided[match.pk], by, reason)
    group.finished_at = timezone.now()
    group.save(update_fields=["finished_at"])
    _close_with_the_last(group)
    new = {"decided": [_decision(match, decided[match.pk]) for match in unplayed]}
    record_act(
        event=event,
        act=Act.GROUP_FINISHED,
        by=by,
        subject=_subject(group),
        new=new if unplayed else None,
        reason=reason.strip(),
    )
    return group


@transaction.atomic
def reopen_group(*, group: Group, by: User | None, reason: str) -> Group:
    """Lets results be entered again, and opens the stage's rounds if they were closed.

    Raises ReasonMissing, NotSelfScheduled, GroupNotOver, LaterRoundExists once a later stage has a round.
    """
    if not reason.strip():
        raise ReasonMissing
    event = lock_event(group.stage.event_id)
    group = _fresh(group)
    if group.finished_at is None:
        raise GroupNotOver(group)
    _require_nothing_later(group, event)
    group.finished_at = None
    group.save(update_fields=["finished_at"])
    closed = group.stage.rounds.filter(status=RoundStatus.COMPLETED)
    closed.update(status=RoundStatus.PUBLISHED, completed_at=None)
    record_act(event=event, act=Act.GROUP_REOPENED, by=by, subject=_subject(group), reason=reason.strip())
    return group


def finish_all_groups(round_: Round) -> None:
    """Part of closing a stage that was played in the teams' own time."""
    Group.objects.filter(stage=round_.stage_id, finished_at=None).update(finished_at=timezone.now())


def open_all_groups(round_: Round) -> None:
    """Part of opening such a stage again."""
    Group.objects.filter(stage=round_.stage_id).update(finished_at=None)
    closed = Round.objects.filter(stage=round_.stage_id, status=RoundStatus.COMPLETED)
    closed.update(status=RoundStatus.PUBLISHED, completed_at=None)


def _fresh(group: Group) -> Group:
    """The group as it stands under the lock. Raises NotSelfScheduled."""
    fresh = Group.objects.select_related("stage__event", "convenor_team").get(pk=group.pk)
    if not fresh.stage.is_self_scheduled:
        raise NotSelfScheduled
    return fresh


def _decide(match: Match, outcome: Outcome, by: User | None, reason: str) -> None:
    entry = MatchResult(outcome)
    record_result(match=match, by=by, entry=entry, expected_version=NOT_ENTERED, reason=reason.strip())


def _decision(match: Match, outcome: Outcome) -> dict[str, Any]:
    away = match.away.number if match.away else None
    return {"table": match.table, "home": match.home.number, "away": away, "outcome": outcome.value}


def _close_with_the_last(group: Group) -> None:
    if group.stage.groups.filter(finished_at=None).exists():
        return
    ending = group.stage.rounds.filter(status=RoundStatus.PUBLISHED)
    ending.update(status=RoundStatus.COMPLETED, completed_at=timezone.now())


def _require_nothing_later(group: Group, event: Event) -> None:
    later = Round.objects.filter(stage__event=event, stage__order__gt=group.stage.order)
    first = later.order_by("stage__order", "number").first()
    if first is not None:
        raise LaterRoundExists(first.number)


def _subject(group: Group) -> str:
    return f"{group.stage.name} {group.name}"


def _told(group: Group) -> dict[str, Any]:
    return {
        "convenor_team": group.convenor_team.number if group.convenor_team else None,
        "convenor": group.convenor,
        "phone": group.convenor_phone,
        "deadline": timezone.localtime(group.deadline).isoformat() if group.deadline else None,
    }
