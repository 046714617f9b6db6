"""签到 and what it means to the draw: a round without those who are missing, and their forfeits."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from django.contrib.auth.models import User
from django.db import transaction

from pairing.engine.types import Method, Relaxation
from pairing.selectors.check_in import missing_teams
from pairing.services.drawing import draw_round, next_round_number
from pairing.services.refusals import TableHasResult, TeamsNotCheckedIn
from scoring.engine.results import MatchResult, Outcome
from scoring.models import Result
from scoring.services import NOT_ENTERED, record_result
from tournaments.attendance import Absence
from tournaments.log import lock_event
from tournaments.models import Match, Round, Stage, Team
from tournaments.services.attendance import check_in, set_absence

SIDES = {"home": Outcome.FORFEIT_HOME, "away": Outcome.FORFEIT_AWAY}


class Unchecked(StrEnum):
    """What the chief says of teams that have not checked in: they are here, or miss the round."""

    PRESENT = "present"
    ABSENT = "absent"


@transaction.atomic
def draw_checked_round(
    *,
    stage: Stage,
    by: User,
    unchecked: Unchecked | None,
    seed: int | None = None,
    relaxations: Sequence[Relaxation] = (),
    method: Method | None = None,
) -> Round:
    """Draws the next round once it is said what becomes of the teams that have not checked in.

    Raises TeamsNotCheckedIn with their numbers where that is not said, and what `draw_round` raises; then
    nobody is checked in or absent for it either.
    """
    lock_event(stage.event_id)
    number = next_round_number(stage)
    missing = missing_teams(stage, number)
    if missing and unchecked is None:
        raise TeamsNotCheckedIn([team.number for team in missing])
    if missing and unchecked is Unchecked.PRESENT:
        check_in(stage=stage, teams=missing, by=by)
    elif missing:
        set_absence(teams=missing, stage=stage, absence=Absence(stage.key, number), by=by)
    return draw_round(stage=stage, by=by, seed=seed, relaxations=relaxations, method=method)


@transaction.atomic
def forfeit_absent_team(*, match: Match, team: Team, by: User, reason: str) -> Result:
    """The team does not come to its table: it forfeits, and where its opponent did already both do.

    Raises TableHasResult where anything else is entered, and what `record_result` raises.
    """
    lock_event(match.round.stage.event_id)
    side, other = ("home", "away") if match.home_id == team.pk else ("away", "home")
    stored = Result.objects.filter(match=match).first()
    outcome = SIDES[side]
    if stored is not None and stored.outcome == SIDES[other].value:
        outcome = Outcome.DOUBLE_FORFEIT
    elif stored is not None and stored.outcome not in (SIDES[side].value, Outcome.DOUBLE_FORFEIT.value):
        raise TableHasResult(match.table or 0)
    elif stored is not None:
        return stored
    version = stored.version if stored else NOT_ENTERED
    entry = MatchResult(outcome)
    return record_result(match=match, by=by, entry=entry, expected_version=version, reason=reason).result
