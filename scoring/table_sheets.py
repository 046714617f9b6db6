"""Writes: a table recorded deal by deal, one step of the sheet per function, and its handing over.

A draft counts for nothing, so its steps leave no trace in the log and raise no revision: forty tables of ten
deals would bury the official acts. What is handed over is a result, logged with all its deals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.engine import table_sheet as engine
from scoring.engine.table_sheet import Answer, Sheet
from scoring.models import Result, TableSheet
from scoring.recorded_sheets import RecordedSheet, recorded_sheet
from scoring.selectors import StageRules, match_rules
from scoring.services import Recorded, next_version, open_match, record_result, require_right
from tournaments.log import lock_event
from tournaments.models import Event, Match

Step = Callable[[Sheet, StageRules], Sheet]


class SheetStale(Exception):
    """Somebody else took a step in between: what the page showed does not stand any more."""


class SheetUnfinished(Exception):
    """The match is still being played, or a question is open: there is nothing to hand over."""


class DealsDropped(Exception):
    """The correction leaves `number` deals after the end of a game or match; nobody said to drop them."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@dataclass(frozen=True)
class Seen:
    """What the page showed when the step was taken: the sheet's version, the numbers of home and away."""

    version: int
    seated: tuple[int, int]


@transaction.atomic
def record_deal(*, match: Match, by: User | None, seen: Seen, order: str) -> None:
    """Adds a deal. Raises InvalidResult and what every step raises.

    Every step raises SheetStale, TeamsChanged, RoundNotPublished, ByeNotEntered, and RoundCompleted where the
    round is closed and the user may not correct it.
    """

    def step(sheet: Sheet, rules: StageRules) -> Sheet:
        return engine.add_deal(sheet, order, rules.match, tie_allowed=rules.tie_allowed)

    _take(match, by, seen, step)


@transaction.atomic
def undo_step(*, match: Match, by: User | None, seen: Seen) -> None:
    """Takes the last step back: an answer, the call of time, a deal."""
    _take(match, by, seen, lambda sheet, _rules: engine.undo(sheet))


@transaction.atomic
def call_time(*, match: Match, by: User | None, seen: Seen) -> None:
    """Ends the match where it stands 封牌. Raises InvalidResult when it is over."""

    def step(sheet: Sheet, rules: StageRules) -> Sheet:
        return engine.call_time(sheet, rules.match, tie_allowed=rules.tie_allowed)

    _take(match, by, seen, step)


@transaction.atomic
def answer_question(*, match: Match, by: User | None, seen: Seen, field: str, answer: Answer) -> None:
    """Answers the question that the rules ask. Raises InvalidResult for one that is not open."""

    def step(sheet: Sheet, rules: StageRules) -> Sheet:
        return engine.answer_question(sheet, field, answer, rules.match, tie_allowed=rules.tie_allowed)

    _take(match, by, seen, step)


@transaction.atomic
def correct_deal(
    *, match: Match, by: User | None, seen: Seen, game: int, place: int, order: str, drop: bool = False
) -> None:
    """Changes an earlier deal; `game` and `place` count from 0, `drop` gives up deals that no longer fit.

    Raises DealsDropped when there are such deals and `drop` is False, and InvalidResult.
    """

    def step(sheet: Sheet, rules: StageRules) -> Sheet:
        corrected, dropped = engine.correct_deal(
            sheet, game, place, order, rules.match, tie_allowed=rules.tie_allowed
        )
        if dropped and not drop:
            raise DealsDropped(dropped)
        return corrected

    _take(match, by, seen, step)


@transaction.atomic
def set_start_levels(*, match: Match, by: User | None, seen: Seen, home: int, away: int) -> None:
    """Begins the game at other levels 让级. Raises InvalidResult once a deal was played."""

    def step(sheet: Sheet, rules: StageRules) -> Sheet:
        return engine.set_start_levels(sheet, home, away, rules.match, tie_allowed=rules.tie_allowed)

    _take(match, by, seen, step)


@transaction.atomic
def discard_sheet(*, match: Match, by: User | None, seen: Seen) -> None:
    """Throws the draft away: the stored result stands as it was, or the table begins anew."""
    event, match, recorded = _open(match, by, seen)
    if recorded.is_draft:
        _write(event, match, recorded, by, None)


@transaction.atomic
def hand_over_sheet(
    *, match: Match, by: User | None, seen: Seen, result_version: int, reason: str = ""
) -> Recorded:
    """Makes the sheet the table's result, by the same rules as one that is typed; the draft goes.

    `result_version` is the version of the result that the page showed.
    Raises SheetUnfinished and what record_result raises.
    """
    event, match, recorded = _open(match, by, seen)
    rules = match_rules(match)
    result = engine.follow(recorded.sheet, rules.match, tie_allowed=rules.tie_allowed).result
    if result is None:
        raise SheetUnfinished
    handed = record_result(
        match=match,
        by=by,
        entry=result,
        expected_version=result_version,
        seated=seen.seated,
        reason=reason,
    )
    if recorded.is_draft:
        _write(event, match, recorded, by, None)
    return handed


def _take(match: Match, by: User | None, seen: Seen, step: Step) -> None:
    event, match, recorded = _open(match, by, seen)
    changed = step(recorded.sheet, match_rules(match))
    if changed != recorded.sheet:
        _write(event, match, recorded, by, changed)


def _open(match: Match, by: User | None, seen: Seen) -> tuple[Event, Match, RecordedSheet]:
    """The sheet as it stands under the lock, when it is the one that the page showed."""
    event = lock_event(match.round.stage.event_id)
    match = open_match(match, seen.seated)
    require_right(match, by)
    stored = Result.objects.filter(match=match).first()
    recorded = recorded_sheet(match, match_rules(match), stored)
    if recorded.version != seen.version:
        raise SheetStale
    return event, match, recorded


def _write(event: Event, match: Match, recorded: RecordedSheet, by: User | None, sheet: Sheet | None) -> None:
    """Writes only over the very row that was read, as results do, whoever writes without the lock."""
    columns = {
        "content": None if sheet is None else sheet.as_dict(),
        "version": next_version(event, recorded.row),
        "updated_by": by,
        "updated_at": timezone.now(),
    }
    if recorded.row is None:
        _row, created = TableSheet.objects.get_or_create(match=match, defaults=columns)
        if not created:
            raise SheetStale
        return
    rows = TableSheet.objects.filter(pk=recorded.row.pk, version=recorded.version)
    if not rows.update(**columns):
        raise SheetStale
