"""迟到补位: who has no place in a drawn round and why, and whom such a team can still meet."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pairing.engine.types import Relaxation, Rule
from pairing.models import Draw
from pairing.selectors.halls import free_table, stage_hall
from pairing.selectors.inputs import DrawInputs, draw_inputs
from scoring.selectors import stage_teams, with_names
from tournaments.attendance import absence_from, read_absences
from tournaments.models import Match, Round, StageFormat, Team
from tournaments.selectors.attendance import seated_in


@dataclass(frozen=True)
class LateOffer:
    """A new last table for a late team: `takes_bye` where its opponent had the bye, else both came late.

    `is_home`: the late team is the better placed one.
    """

    opponent: Team
    table: int
    takes_bye: bool
    is_home: bool


def late_offer(round_: Round, team: Team) -> LateOffer | None:
    """Whom the late team can legally meet at a new last table of a published Swiss round; None for nobody.

    The team with the bye comes first, then who waits too, the better placed first. Fourteen queries at most.
    """
    if round_.stage.format != StageFormat.SWISS or not round_.is_published or team.is_withdrawn:
        return None
    if seated_in(round_, [team]):
        return None
    free = list(Match.objects.filter(round=round_, away=None).values_list("home__key", flat=True))
    waiting = [each.key for each in waiting_teams(round_) if each.pk != team.pk]
    inputs = _inputs(round_, {team.key, *waiting})
    by_place = [key for key in inputs.places if key in waiting]
    opponent = next((key for key in [*free, *by_place] if inputs.may_meet(team.key, key)), None)
    table = free_table(round_, stage_hall(round_.stage))
    if opponent is None or table is None:
        return None
    order = list(inputs.places)
    return LateOffer(
        opponent=inputs.places[opponent].team,
        table=table,
        takes_bye=opponent in free,
        is_home=order.index(team.key) < order.index(opponent),
    )


class Why(StrEnum):
    """Why a team in play has no place in a drawn round.

    `LATE` is here and waits for a table; `NEW` was entered after the draw and has not come; `UNCHECKED` was
    left out since it had not checked in; `ABSENT` and `EXCUSED` miss the round, as was noted before it.
    """

    LATE = "late"
    NEW = "new"
    UNCHECKED = "unchecked"
    ABSENT = "absent"
    EXCUSED = "excused"


@dataclass(frozen=True)
class Unseated:
    """A team (its number) in play without a place in a drawn round."""

    number: int
    why: Why


def unseated_teams(round_: Round) -> list[Unseated]:
    """Who has no place in a drawn Swiss round and why, by number; nobody else once it is closed.

    One query, another one where somebody is unseated.
    """
    if round_.is_completed or round_.stage.format != StageFormat.SWISS:
        return []
    teams = stage_teams(round_.stage).filter(withdrawn_after=None).exclude(seats__round=round_)
    found = list(teams)
    first = _first_publication(round_) if found else None
    return [Unseated(team.number, _why(round_, team, first)) for team in found]


def _why(round_: Round, team: Team, first: datetime | None) -> Why:
    if round_.is_published and _is_waiting(round_, team, first):
        return Why.LATE
    absence = absence_from(read_absences(team.absences), round_.stage.key, round_.number)
    if absence is None:
        return Why.NEW
    if absence.excused:
        return Why.EXCUSED
    is_unchecked = round_.stage.event.uses_check_in and team.checked_in_at is None and not absence.note
    return Why.UNCHECKED if is_unchecked else Why.ABSENT


def waiting_teams(round_: Round) -> list[Team]:
    """The teams of a published round that are here and have no place in it, by number. Five queries."""
    teams = list(with_names(stage_teams(round_.stage).filter(withdrawn_after=None)))
    seated = seated_in(round_, teams)
    first = _first_publication(round_)
    return [team for team in teams if team.pk not in seated and _is_waiting(round_, team, first)]


def _is_waiting(round_: Round, team: Team, first: datetime | None) -> bool:
    """Whether the team is here; one that was to miss the round only if it came after its publication."""
    if team.is_absent(round_.stage, round_.number):
        return team.checked_in_at is not None and (first is None or team.checked_in_at >= first)
    return team.checked_in_at is not None or not round_.stage.event.uses_check_in


def _first_publication(round_: Round) -> datetime | None:
    return round_.publications.order_by("version").values_list("published_at", flat=True).first()


def _inputs(round_: Round, arrived: Collection[str]) -> DrawInputs:
    """What the round was drawn from, with the rules as they were relaxed for it, and the teams that came."""
    draw = Draw.objects.filter(round=round_).first()
    softened = [Relaxation(Rule(each["rule"]), each["value"]) for each in draw.relaxations] if draw else []
    return draw_inputs(round_.stage, round_.number, arrived=arrived).relaxed(softened)
