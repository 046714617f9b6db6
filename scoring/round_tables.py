"""Reads: how far each table of a round is, from no slip to confirmed, and which tables call a referee."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from scoring.models import CallReason, Confirmation, RefereeCall, Result, Statement
from tournaments.models import Event, Match, Round, RoundStatus


class TableStage(StrEnum):
    """How far a table's result is; where the event wants no second look, entered is confirmed."""

    NO_SLIP = "no_slip"
    ENTERED = "entered"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"


@dataclass(frozen=True)
class RoundTable:
    """One table: a disputed one may be without a result, when its two sides told different ones.

    `withdrawn` are the numbers of the teams seated there that have left the event.
    """

    table: int
    round: int
    stage: TableStage
    has_result: bool
    withdrawn: tuple[int, ...] = ()


@dataclass(frozen=True)
class OpenCall:
    """A table that waits for a referee since `called_at`."""

    pk: int
    table: int
    round: int
    reason: str
    called_at: datetime
    now: datetime

    @property
    def minutes(self) -> int:
        """Whole minutes that the table has waited."""
        return max(0, int((self.now - self.called_at).total_seconds()) // 60)


@dataclass(frozen=True)
class RoundTables:
    """The tables of the rounds by number, and the calls that nobody answered, the longest first."""

    tables: tuple[RoundTable, ...]
    calls: tuple[OpenCall, ...]

    @property
    def without_slip(self) -> list[int]:
        """Tables of which nothing is known yet."""
        return self._at(TableStage.NO_SLIP)

    @property
    def deserted(self) -> list[RoundTable]:
        """Tables of which nothing is known yet, and where a team sits that has left the event."""
        return [each for each in self.tables if each.stage == TableStage.NO_SLIP and each.withdrawn]

    @property
    def unconfirmed(self) -> list[int]:
        """Tables with a result that waits for its second look."""
        return self._at(TableStage.ENTERED)

    @property
    def confirmed(self) -> list[int]:
        """Tables whose result stands."""
        return self._at(TableStage.CONFIRMED)

    @property
    def disputed(self) -> list[int]:
        """Tables that wait for the chief referee's decision."""
        return self._at(TableStage.DISPUTED)

    @property
    def to_check(self) -> dict[int, int]:
        """By number of round how many tables wait for a second look or a decision, the disputed rounds first.

        Where teams find their own time several rounds are open at once.
        """
        waiting = [each for each in self.tables if each.stage in {TableStage.DISPUTED, TableStage.ENTERED}]
        waiting.sort(key=lambda each: each.stage is not TableStage.DISPUTED)
        return dict(Counter(each.round for each in waiting))

    def round_to_check(self, usual: int) -> int:
        """The number of the round whose second look comes first; the usual one while nothing waits."""
        return next(iter(self.to_check), usual)

    def _at(self, stage: TableStage) -> list[int]:
        return [each.table for each in self.tables if each.stage == stage]


def round_tables(rounds: Sequence[Round], now: datetime | None = None) -> RoundTables:
    """How far the tables of these rounds are. Three queries, whatever the number of tables."""
    matches = Match.objects.filter(round__in=rounds, away__isnull=False, table__isnull=False)
    rows = matches.order_by("round__number", "table").values_list(
        *("pk", "table", "round__number", "result__pk", "result__confirmation"),
        *("home__number", "home__withdrawn_after", "away__number", "away__withdrawn_after"),
    )
    disputed = disputed_matches(rounds)
    tables = tuple(
        RoundTable(
            table or 0,
            number,
            _stage(result, confirmation, pk in disputed),
            result is not None,
            tuple(team for team, left_after in (sides[:2], sides[2:]) if left_after is not None),
        )
        for pk, table, number, result, confirmation, *sides in rows
    )
    return RoundTables(tables, open_calls(rounds, now))


@dataclass(frozen=True)
class CorrectedTable:
    """A table of a closed round whose correction waits for its second look, or for the chief's decision."""

    stage: int
    round: int
    table: int
    is_disputed: bool


def corrected_tables(event: Event) -> list[CorrectedTable]:
    """What was corrected after its round was closed and is not confirmed, in order. One query.

    What the chief referee closed the round with unconfirmed is not among it: that was decided.
    """
    contradicted = Statement.objects.filter(match=OuterRef("match"), differs=True)
    rows = Result.objects.filter(
        match__round__stage__event=event,
        match__round__status=RoundStatus.COMPLETED,
        match__table__isnull=False,
        confirmation=Confirmation.OPEN,
        entered_at__gt=F("match__round__completed_at"),
    ).order_by("match__round__stage__order", "match__round__number", "match__table")
    columns = ("match__round__stage__order", "match__round__number", "match__table")
    return [CorrectedTable(*row) for row in rows.values_list(*columns, Exists(contradicted))]


def disputed_matches(rounds: Iterable[Round]) -> set[int]:
    """The matches about which somebody disagrees. One query."""
    statements = Statement.objects.filter(match__round__in=rounds, differs=True)
    return set(statements.values_list("match_id", flat=True))


def open_calls(rounds: Iterable[Round], now: datetime | None = None) -> tuple[OpenCall, ...]:
    """The calls of these rounds that nobody answered, the longest waiting first. One query."""
    calls = RefereeCall.objects.filter(match__round__in=rounds, seen_at=None).order_by("called_at", "pk")
    moment = now or timezone.now()
    return tuple(
        OpenCall(pk, table or 0, number, str(CallReason(reason).label), called_at, moment)
        for pk, table, number, reason, called_at in calls.values_list(
            "pk", "match__table", "match__round__number", "reason", "called_at"
        )
    )


def _stage(result: int | None, confirmation: str | None, is_disputed: bool) -> TableStage:
    if is_disputed:
        return TableStage.DISPUTED
    if result is None:
        return TableStage.NO_SLIP
    return TableStage.ENTERED if confirmation == Confirmation.OPEN else TableStage.CONFIRMED
