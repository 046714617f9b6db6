"""编排: the chief draws a round, changes the draft, throws it away. Nothing here is seen by players."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from pairing.engine.tables import Tables
from pairing.engine.types import Draw as DrawnRound
from pairing.engine.types import Method, Relaxation
from pairing.explained import broken_as_dicts, explained_as_dict, tables_as_dict
from pairing.layouts import PlannedMatch
from pairing.models import Draw
from pairing.selectors.board import draft_inputs, newest_round, round_draft, swapped
from pairing.selectors.halls import stage_hall
from pairing.selectors.inputs import Seating, draw_inputs, drawn_seating, teams_to_draw
from pairing.selectors.stages import awaits_beginning
from pairing.services.formats import (
    SEEDS,
    forget_lots,
    new_seed,
    next_format_round,
    seat_following,
    seat_planned,
)
from pairing.services.guards import draft_as_seen, draw_of, note_change, round_subject
from pairing.services.publishing import publish_changed
from pairing.services.refusals import (
    DraftExists,
    EarlierRoundOpen,
    NoRoundsLeft,
    NotTwoSeats,
    StageNotBegun,
    TablesFollowFormat,
    TooFewTeams,
    UnconfirmedWarnings,
)
from pairing.services.seating import seat
from scoring.cuts import keep_what_was, settle_for_draw
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Occasion, Round, Stage, StageFormat, Team
from tournaments.snapshots import take_snapshot

__all__ = [
    "SEEDS",
    "MeetingWish",
    "discard_draft",
    "draw_round",
    "next_round_number",
    "redraw_round",
    "set_meeting",
    "swap_teams",
]


class MeetingWish(StrEnum):
    """What the chief sets for two teams, for this and the coming rounds."""

    FORCED = "forced"
    FORBIDDEN = "forbidden"
    FREE = "free"


def next_round_number(stage: Stage) -> int:
    """The number of the round that can be drawn now. Two or three queries for a Swiss stage.

    In a knockout it may be a published round that misses matches since a result before it was corrected.
    Raises StageNotBegun, SelfScheduled, DraftExists, EarlierRoundOpen, NoRoundsLeft, TooFewTeams.
    """
    if stage.format != StageFormat.SWISS:
        return next_format_round(stage)
    if awaits_beginning(stage):
        raise StageNotBegun(stage)
    newest = newest_round(stage)
    if newest is not None and newest.is_draft:
        raise DraftExists(newest)
    if newest is not None and not newest.is_completed:
        raise EarlierRoundOpen(newest)
    number = newest.number + 1 if newest else 1
    if number > stage.rounds_planned:
        raise NoRoundsLeft(stage.rounds_planned)
    active = [team.number for team in teams_to_draw(stage, number)]
    if len(active) < 2:
        raise TooFewTeams(active)
    return number


@transaction.atomic
def draw_round(
    *,
    stage: Stage,
    by: User | None,
    seed: int | None = None,
    relaxations: Sequence[Relaxation] = (),
    method: Method | None = None,
) -> Round:
    """Draws the next round as a draft; without a seed one is made up and stored, so that it can be repeated.

    Schedule and bracket need none of the options, but for a bracket that is drawn anew its seed. A published
    knockout round that misses matches after a correction gets them, in a new version of its publication.
    Raises what `next_round_number` raises, NoLegalDraw with what could be relaxed, TooFewTables,
    InvalidPairingRules, InvalidFormat.
    """
    event = lock_event(stage.event_id)
    stage = Stage.objects.select_related("event").get(pk=stage.pk)
    number = next_round_number(stage)
    existing = stage.rounds.filter(number=number).first()
    if existing is not None:
        return _seat_following(existing, by)
    drawn = None
    if stage.format == StageFormat.SWISS:
        inputs = draw_inputs(stage, number).relaxed(relaxations).by_method(method)
        inputs = inputs.at_tables(stage_hall(stage))
        drawn = inputs.drawn(new_seed(seed))
    take_snapshot(event=event, by=by, occasion=Occasion.BEFORE_DRAW)
    round_ = Round.objects.create(stage=stage, number=number)
    draw = Draw(round=round_, drawn_by=by)
    if drawn is None:
        seat_planned(draw, seed=seed)
    else:
        store_drawn(draw, drawn, relaxations, inputs.tables)
    record_act(
        event=event, act=Act.ROUND_DRAWN, by=by, subject=round_subject(round_), new=logged_draw(draw, round_)
    )
    return round_


def _seat_following(round_: Round, by: User | None) -> Round:
    """Completes a drawn round after a correction before it."""
    event = round_.stage.event
    take_snapshot(event=event, by=by, occasion=Occasion.BEFORE_DRAW)
    draw = draw_of(round_)
    before = logged_draw(draw, round_)
    seat_following(round_)
    after = logged_draw(draw, round_)
    if not round_.is_draft:
        publish_changed(round_, by)
    record_act(event=event, act=Act.ROUND_DRAWN, by=by, subject=round_subject(round_), old=before, new=after)
    return round_


@transaction.atomic
def redraw_round(
    *,
    round: Round,
    by: User,
    expected_version: int,
    seed: int | None = None,
    relaxations: Sequence[Relaxation] | None = None,
    method: Method | None = None,
) -> Round:
    """Draws a draft again; what was changed by hand is lost, what was relaxed stays unless given anew.

    Raises NotADraft, DraftGone, StaleDraft, TooFewTeams, NoLegalDraw, TooFewTables, InvalidPairingRules.
    """
    event = lock_event(round.stage.event_id)
    round = draft_as_seen(round, expected_version)
    draw = draw_of(round)
    before = logged_draw(draw, round)
    take_snapshot(event=event, by=by, occasion=Occasion.BEFORE_DRAW)
    if round.stage.format == StageFormat.SWISS:
        _draw_again(draw, seed=new_seed(seed), relaxations=relaxations, method=method)
    else:
        forget_lots(round, draw)
        seat_planned(draw, seed=seed)
    note_change(draw, by, "redraw")
    after = logged_draw(draw, round)
    record_act(event=event, act=Act.ROUND_DRAWN, by=by, subject=round_subject(round), old=before, new=after)
    return round


@transaction.atomic
def swap_teams(
    *, round: Round, first: Team, second: Team, by: User, expected_version: int, confirmed: bool = False
) -> Round:
    """Two teams of a draft change places, also with the bye; the tables keep their numbers.

    Raises NotADraft, DraftGone, StaleDraft, NotTwoSeats, TablesFollowFormat where the format says who meets
    whom, and UnconfirmedWarnings unless `confirmed`.
    """
    event = lock_event(round.stage.event_id)
    round = _swiss_draft(round, expected_version)
    draft = round_draft(round)
    places = draft.inputs.places
    swap = None
    if first.key in places and second.key in places:
        swap = swapped(draft, places[first.key], places[second.key])
    if swap is None:
        raise NotTwoSeats
    if swap.warnings and not confirmed:
        raise UnconfirmedWarnings(swap.warnings)
    draw = draw_of(round)
    draw.explained = explained_as_dict(swap.drawn)
    seat(round, _planned(drawn_seating(swap.drawn)))
    warnings = broken_as_dicts(swap.warnings)
    change = note_change(draw, by, "swap", first=first.number, second=second.number, warnings=warnings)
    record_act(event=event, act=Act.DRAFT_CHANGED, by=by, subject=round_subject(round), new=change)
    return round


@transaction.atomic
def set_meeting(
    *, round: Round, first: Team, second: Team, wish: MeetingWish, by: User, expected_version: int
) -> Round:
    """Sets in the stage's rules that two teams meet, or do not meet, or neither, and draws the draft again.

    Raises what `redraw_round` raises, and TablesFollowFormat; then nothing is set either.
    """
    event = lock_event(round.stage.event_id)
    round = _swiss_draft(round, expected_version)
    draw = draw_of(round)
    before = logged_draw(draw, round)
    take_snapshot(event=event, by=by, occasion=Occasion.BEFORE_DRAW)
    keep_what_was(round.stage, rules=round.stage.rules)
    _write_wish(round.stage, first.key, second.key, wish)
    _draw_again(draw, seed=draw.seed, relaxations=None, method=None)
    change = note_change(draw, by, wish.value, first=first.number, second=second.number)
    record_act(
        event=event,
        act=Act.DRAFT_CHANGED,
        by=by,
        subject=round_subject(round),
        old=before,
        new={**change, **logged_draw(draw, round)},
    )
    return round


@transaction.atomic
def discard_draft(*, round: Round, by: User, expected_version: int) -> None:
    """Throws the draft away; the log keeps how it was drawn. Raises NotADraft, DraftGone, StaleDraft."""
    event = lock_event(round.stage.event_id)
    round = draft_as_seen(round, expected_version)
    draw = draw_of(round)
    before = logged_draw(draw, round)
    subject = round_subject(round)
    forget_lots(round, draw)
    settle_for_draw(round.stage, round.number)
    round.delete()
    record_act(event=event, act=Act.DRAFT_DISCARDED, by=by, subject=subject, old=before)


def _swiss_draft(round_: Round, expected_version: int) -> Round:
    fresh = draft_as_seen(round_, expected_version)
    if fresh.stage.format != StageFormat.SWISS:
        raise TablesFollowFormat
    return fresh


def _draw_again(
    draw: Draw, *, seed: int, relaxations: Sequence[Relaxation] | None, method: Method | None
) -> None:
    round_ = draw.round
    active = [team.number for team in teams_to_draw(round_.stage, round_.number)]
    if len(active) < 2:
        raise TooFewTeams(active)
    if relaxations is None:
        inputs = draft_inputs(round_, draw.relaxations)
    else:
        inputs = draw_inputs(round_.stage, round_.number).relaxed(relaxations)
    inputs = inputs.by_method(method or Method(draw.method)).at_tables(stage_hall(round_.stage))
    store_drawn(draw, inputs.drawn(seed), relaxations, inputs.tables)


def store_drawn(
    draw: Draw, drawn: DrawnRound, relaxations: Sequence[Relaxation] | None, tables: Tables
) -> None:
    """Seats a round as the engine drew it, in the place of what was there; part of an act that logs it."""
    draw.seed, draw.method = drawn.seed, drawn.method.value
    if relaxations is not None:
        draw.relaxations = [{"rule": item.rule.value, "value": item.value} for item in relaxations]
    draw.explained, draw.changes = explained_as_dict(drawn), []
    draw.tables, draw.by_hand = tables_as_dict(tables), {}
    draw.save()
    settle_for_draw(draw.round.stage, draw.round.number)
    seat(draw.round, _planned(drawn_seating(drawn)))


def _planned(seating: Seating) -> list[PlannedMatch]:
    tables = [PlannedMatch(home, away, table) for table, home, away in seating.tables]
    return tables + [PlannedMatch(key, None) for key in seating.byes]


def _write_wish(stage: Stage, first: str, second: str, wish: MeetingWish) -> None:
    pairing = dict(stage.rules.get("pairing", {}))
    for name in (MeetingWish.FORCED, MeetingWish.FORBIDDEN):
        kept = [couple for couple in pairing.get(name, []) if set(couple) != {first, second}]
        pairing[name.value] = [*kept, [first, second]] if wish == name else kept
    stage.rules = {**stage.rules, "pairing": pairing}
    stage.save(update_fields=["rules"])


def logged_draw(draw: Draw, round_: Round) -> dict[str, Any]:
    """What the log keeps of a draw and its tables. One query."""
    rows = round_.matches.values_list("table", "home__number", "away__number")
    return {
        "seed": draw.seed,
        "method": draw.method,
        "relaxations": draw.relaxations,
        "seating": [list(row) for row in rows],
    }
