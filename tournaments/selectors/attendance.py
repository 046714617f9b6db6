"""签到: the round that teams come to, and what stands with a team about coming."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tournaments.models import Round, RoundStatus, Seat, Stage, Team


@dataclass(frozen=True)
class RoundAtHand:
    """The round of a stage that teams come to now: the one being played, else the next to be drawn.

    `round` is None until it is drawn.
    """

    stage: Stage
    number: int
    round: Round | None

    @property
    def is_published(self) -> bool:
        """Whether its tables stand, so that who has no seat waits for the next one."""
        return self.round is not None and self.round.is_published

    @property
    def next_open(self) -> int:
        """The number of the first round that can still be drawn."""
        return self.number + 1 if self.is_published else self.number

    @property
    def is_beyond(self) -> bool:
        """Whether no round is left to come to."""
        return self.number > self.stage.rounds_planned


def round_at_hand(stage: Stage) -> RoundAtHand:
    """The round that teams of the stage come to now. One query."""
    newest = stage.rounds.order_by("-number").first()
    if newest is None:
        return RoundAtHand(stage, 1, None)
    newest.stage = stage
    if newest.status == RoundStatus.COMPLETED:
        return RoundAtHand(stage, newest.number + 1, None)
    return RoundAtHand(stage, newest.number, newest)


def seated_in(round_: Round | None, teams: Iterable[Team]) -> frozenset[int]:
    """Which of the teams have a place in the round, a bye too. One query."""
    if round_ is None:
        return frozenset()
    seats = Seat.objects.filter(round=round_, team__in=[team.pk for team in teams])
    return frozenset(seats.values_list("team_id", flat=True))


def attendance_of(team: Team) -> dict[str, Any]:
    """What stands with a team about coming, as an undo and the log keep it. No query."""
    return {
        "checked_in_at": team.checked_in_at.isoformat() if team.checked_in_at else None,
        "absences": team.absences,
        "lateness": team.lateness,
    }
