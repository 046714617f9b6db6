"""A result is corrected after a later stage took its entries: first it is said who would advance now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from pairing.selectors.cuts import CutDifference, cut_differences
from scoring.engine.results import MatchResult
from scoring.services import record_result
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Match, Team


@dataclass(frozen=True)
class Correction:
    """What the chief typed over a result, and what the page had shown."""

    match: Match
    entry: MatchResult
    expected_version: int
    seated: tuple[int, int]
    reason: str


@transaction.atomic
def foresee_correction(*, correction: Correction, by: User) -> list[CutDifference]:
    """What would differ in the later stages; nothing is kept. Raises what `record_result` raises."""
    _record(correction, by)
    found = cut_differences(correction.match.round.stage)
    transaction.set_rollback(True)
    return found


@transaction.atomic
def correct_after_cut(*, correction: Correction, by: User) -> list[CutDifference]:
    """Corrects the result; the seeds of later stages stay. What differs from now on stands in the log.

    Raises what `record_result` raises.
    """
    stage = correction.match.round.stage
    event = lock_event(stage.event_id)
    before = cut_differences(stage)
    _record(correction, by)
    after = cut_differences(stage)
    for was, now in zip(before, after, strict=True):
        if now != was:
            record_act(
                event=event,
                act=Act.CUT_PASSED,
                by=by,
                subject=now.stage.name,
                old={"advanced": _told(now, "entered")},
                new={"would_advance": _told(now, "due")},
                reason=correction.reason.strip(),
            )
    return after


def _record(correction: Correction, by: User) -> None:
    record_result(
        match=correction.match,
        by=by,
        entry=correction.entry,
        expected_version=correction.expected_version,
        seated=correction.seated,
        reason=correction.reason,
    )


def _told(found: CutDifference, side: str) -> Sequence[Any]:
    """Seed and team of what differs; nothing where it does not, or is not settled."""
    teams: list[tuple[int, Team | None]] = [(each.seed, getattr(each, side)) for each in found.changes]
    return [[seed, team.number] for seed, team in teams if team is not None]
