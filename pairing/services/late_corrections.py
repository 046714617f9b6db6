"""事后更正: results or points change although a draw was made from them, and what becomes of the draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from django.contrib.auth.models import User
from django.db import transaction

from pairing.explained import explained_as_dict
from pairing.selectors.board import with_own_notes
from pairing.selectors.cuts import CutDifference, cut_differences
from pairing.selectors.inputs import Seating
from pairing.selectors.redraws import (
    NextRound,
    RankMove,
    following_round,
    next_round,
    rank_moves,
    standings_to_draw,
)
from pairing.services.drawing import logged_draw, store_drawn
from pairing.services.guards import draw_of, note_change, round_subject
from pairing.services.publishing import keep_by_hand, publish_changed
from pairing.services.refusals import PlanChanged, WayClosed
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Match, Occasion, Round, Seat, Stage, Team
from tournaments.snapshots import take_snapshot


class Way(StrEnum):
    """What becomes of the round that was drawn from the result before it was corrected."""

    KEEP = "keep"
    FEWEST = "fewest"
    ALL = "all"


class Correction(Protocol):
    """An act that changes what others were made from; it counts from round `number` of a stage on."""

    @property
    def stage(self) -> Stage:
        """Whose standings it changes."""

    @property
    def number(self) -> int:
        """The round that it belongs to."""

    @property
    def teams(self) -> Sequence[Team]:
        """Whom it is about; the smallest redraw looks at their tables first."""

    @property
    def reason(self) -> str:
        """Why, for the log."""

    def make(self, by: User) -> None:
        """Does it, with its own line in the log."""


@dataclass(frozen=True)
class Foreseen:
    """What a correction brings: ranks that move, the round that follows, entries of later stages.

    The rows of those whom it is about come first, then the others, best first.
    """

    moves: tuple[RankMove, ...]
    next: NextRound | None
    cuts: tuple[CutDifference, ...]

    @property
    def mark(self) -> str:
        """What the chief has seen of the round that follows; empty without one."""
        return self.next.mark if self.next else ""


@transaction.atomic
def foresee_correction(*, correction: Correction, by: User) -> Foreseen:
    """What the correction would bring; nothing is kept. Raises what its own service raises."""
    found = _made(correction, by)
    transaction.set_rollback(True)
    return found


@transaction.atomic
def make_correction(*, correction: Correction, by: User, way: Way, seen: str) -> Foreseen:
    """Makes the correction and does with the round that follows as the chief chose, in one piece.

    A changed round that was published gets a new version with the reason; seeds of later stages stay. A
    snapshot is kept of the event as it was; the log has old, new and the way.
    Raises what its own service raises, PlanChanged where the round that follows is not as it was `seen`,
    and WayClosed for a way that is not open.
    """
    stage = correction.stage
    event = lock_event(stage.event_id)
    take_snapshot(event=event, by=by, occasion=Occasion.BEFORE_CORRECTION)
    before = cut_differences(stage)
    found = _made(correction, by)
    if found.mark != seen:
        raise PlanChanged
    _tell_cuts(event, by, before, found.cuts, correction.reason)
    if found.next is not None:
        _go(found.next, way, by, correction.reason.strip())
    return found


def _made(correction: Correction, by: User) -> Foreseen:
    stage, number = correction.stage, correction.number
    following = following_round(stage, number)
    before = standings_to_draw(stage, following)
    correction.make(by)
    moves = rank_moves(before, standings_to_draw(stage, following))
    moves = tuple(sorted(moves, key=lambda move: move.team not in correction.teams))
    follows = next_round(stage, number, correction.teams)
    return Foreseen(moves, follows, tuple(cut_differences(stage)))


def _go(plan: NextRound, way: Way, by: User, reason: str) -> None:
    """One of the three ways on, with its line in the log."""
    round_, before = plan.round, logged_draw(plan.draw, plan.round)
    draw = draw_of(round_)
    if way is Way.KEEP:
        note_change(draw, by, "kept")
        record_act(
            event=round_.stage.event,
            act=Act.DRAW_KEPT,
            by=by,
            subject=round_subject(round_),
            new={"way": way.value},
            reason=reason,
        )
        return
    if way is Way.ALL:
        _draw_all(plan)
        draw.refresh_from_db()
        note_change(draw, by, "redraw")
    else:
        _seat_fewest(plan)
        arranged = plan.inputs.arranged(plan.fewest, plan.draw.seed)
        arranged = with_own_notes(arranged, plan.seating, draw.explained)
        draw.explained = explained_as_dict(arranged)
        before_it = [
            [each.table, *(team.number for team in each.now)] for each in plan.changed_by_fewest if each.now
        ]
        note_change(draw, by, "corrected", seating=before_it)
    _tell_draw(round_, way, by, reason, before)


def _draw_all(plan: NextRound) -> None:
    if not plan.may_draw_all or plan.everything is None:
        raise WayClosed
    store_drawn(draw_of(plan.round), plan.everything, None, plan.inputs.tables)


def _seat_fewest(plan: NextRound) -> None:
    """Other teams at the tables that change; the matches, and what hangs on a table, stay where they are."""
    if not plan.may_draw_fewest:
        raise WayClosed
    changed = {change.table for change in plan.changed_by_fewest}
    matches = list(Match.objects.filter(round=plan.round, table__in=changed))
    seats = _couples(plan.fewest)
    teams = dict(Team.objects.filter(event=plan.round.stage.event_id).values_list("key", "pk"))
    Seat.objects.filter(match__in=matches).delete()
    for match in matches:
        home, away = seats[match.table or 0]
        match.home_id, match.away_id, match.lineup = teams[home], teams[away], {}
        match.save(update_fields=["home", "away", "lineup"])
    Seat.objects.bulk_create(
        Seat(round_id=match.round_id, match=match, team_id=team)
        for match in matches
        for team in (match.home_id, match.away_id)
        if team is not None
    )


def _couples(seating: Seating) -> dict[int, tuple[str, str]]:
    return {table: (home, away) for table, home, away in seating.tables}


def _tell_draw(round_: Round, way: Way, by: User, reason: str, before: dict[str, Any]) -> None:
    """The new tables in the log, and in a new version where the round was published."""
    event = round_.stage.event
    if round_.is_draft:
        new = {"way": way.value, **logged_draw(draw_of(round_), round_)}
        subject = round_subject(round_)
        record_act(
            event=event, act=Act.DRAFT_CHANGED, by=by, subject=subject, old=before, new=new, reason=reason
        )
        return
    keep_by_hand(round_, reason, since=draw_of(round_).version - 1)
    publish_changed(round_, by, reason, before=before, way=way.value)


def _tell_cuts(
    event: Event,
    by: User,
    before: Sequence[CutDifference],
    after: Sequence[CutDifference],
    reason: str,
) -> None:
    """Where others would advance into a later stage from now on."""
    for was, now in zip(before, after, strict=True):
        if now != was:
            record_act(
                event=event,
                act=Act.CUT_PASSED,
                by=by,
                subject=now.stage.name,
                old={"advanced": _told(now, "entered")},
                new={"would_advance": _told(now, "due")},
                reason=reason.strip(),
            )


def _told(found: CutDifference, side: str) -> Sequence[Any]:
    """Seed and team of what differs; nothing where it does not, or is not settled."""
    teams: list[tuple[int, Team | None]] = [(each.seed, getattr(each, side)) for each in found.changes]
    return [[seed, team.number] for seed, team in teams if team is not None]
