"""事后更正: the acts that change what a draw or a later stage was made from, each with its service."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User

from scoring.engine.penalties import PenaltyAction, PenaltyRule
from scoring.engine.results import MatchResult
from scoring.models import Adjustment, Penalty
from scoring.penalties import cancel_penalty, give_penalty
from scoring.services import record_result, remove_adjustment
from scoring.table_sheets import Seen, hand_over_sheet
from tournaments.models import Match, Stage, Team


@dataclass(frozen=True)
class _OfMatch:
    """About one table: both its teams."""

    match: Match

    @property
    def stage(self) -> Stage:
        """The stage of the table."""
        return self.match.round.stage

    @property
    def number(self) -> int:
        """The round of the table."""
        return self.match.round.number

    @property
    def teams(self) -> tuple[Team, ...]:
        """Home and away."""
        home, away = self.match.home, self.match.away
        return (home, away) if away is not None else (home,)


@dataclass(frozen=True)
class CorrectedResult(_OfMatch):
    """更正成绩: what the chief typed over a result, and what the page had shown."""

    entry: MatchResult
    expected_version: int
    seated: tuple[int, int]
    reason: str

    def make(self, by: User) -> None:
        """Records it."""
        record_result(
            match=self.match,
            by=by,
            entry=self.entry,
            expected_version=self.expected_version,
            seated=self.seated,
            reason=self.reason,
        )


@dataclass(frozen=True)
class SheetHandedOver(_OfMatch):
    """The table recorded deal by deal once more, in place of its result."""

    seen: Seen
    result_version: int
    reason: str

    def make(self, by: User) -> None:
        """Hands it over."""
        hand_over_sheet(
            match=self.match,
            by=by,
            seen=self.seen,
            result_version=self.result_version,
            reason=self.reason,
        )


@dataclass(frozen=True)
class PenaltyGiven:
    """判罚 that changes what a closed round counts."""

    stage: Stage
    team: Team
    round_number: int
    rule: PenaltyRule
    action: PenaltyAction
    reason: str
    amount: int = 0
    minutes: int | None = None

    @property
    def number(self) -> int:
        """The round that it is given for."""
        return self.round_number

    @property
    def teams(self) -> tuple[Team, ...]:
        """Who is penalised."""
        return (self.team,)

    def make(self, by: User) -> None:
        """Gives it."""
        give_penalty(
            stage=self.stage,
            team=self.team,
            by=by,
            round_number=self.round_number,
            rule=self.rule,
            action=self.action,
            reason=self.reason,
            amount=self.amount,
            minutes=self.minutes,
        )


@dataclass(frozen=True)
class TakenBack:
    """撤销: a penalty, or points that came with an event file."""

    taken: Penalty | Adjustment
    reason: str

    @property
    def stage(self) -> Stage:
        """The stage that it was given in."""
        return self.taken.stage

    @property
    def number(self) -> int:
        """The round that it was given for."""
        return self.taken.round_number

    @property
    def teams(self) -> tuple[Team, ...]:
        """Who had been penalised."""
        return (self.taken.team,)

    def make(self, by: User) -> None:
        """Takes it back."""
        if isinstance(self.taken, Adjustment):
            remove_adjustment(adjustment=self.taken, by=by, reason=self.reason)
        else:
            cancel_penalty(penalty=self.taken, by=by, reason=self.reason)
