"""迟到补位: whom a team without a place in a published round can still meet."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pairing.engine.types import Relaxation, Rule
from pairing.models import Draw
from pairing.selectors.halls import free_table, stage_hall
from pairing.selectors.inputs import DrawInputs, draw_inputs
from scoring.selectors import stage_teams, with_names
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


def waiting_teams(round_: Round) -> list[Team]:
    """The teams of a published round that are here and have no place in it, by number. Five queries."""
    teams = list(with_names(stage_teams(round_.stage).filter(withdrawn_after=None)))
    seated = seated_in(round_, teams)
    first = round_.publications.order_by("version").values_list("published_at", flat=True).first()
    uses_check_in = round_.stage.event.uses_check_in
    return [
        team
        for team in teams
        if team.pk not in seated
        and (
            team.checked_in_at is not None and (first is None or team.checked_in_at >= first)
            if team.is_absent(round_.stage, round_.number)
            else team.checked_in_at is not None or not uses_check_in
        )
    ]


def _inputs(round_: Round, arrived: Collection[str]) -> DrawInputs:
    """What the round was drawn from, with the rules as they were relaxed for it, and the teams that came."""
    draw = Draw.objects.filter(round=round_).first()
    softened = [Relaxation(Rule(each["rule"]), each["value"]) for each in draw.relaxations] if draw else []
    return draw_inputs(round_.stage, round_.number, arrived=arrived).relaxed(softened)
