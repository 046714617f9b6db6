"""The next round of a round robin or knockout: what the schedule or the bracket says."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from pairing.engine.bracket import Bracket
from pairing.engine.knockout import draw_next_round
from pairing.explained import tables_as_dict
from pairing.format_rules import knockout_rules
from pairing.layouts import DrawnBy, PlannedMatch, at_fixed_tables, bracket_as_list, bracket_of
from pairing.models import Draw
from pairing.selectors.halls import stage_hall
from pairing.selectors.stages import (
    awaits_beginning,
    entrants,
    is_drawn_anew,
    is_over,
    is_self_scheduled,
    planned_matches,
    round_with_gap,
    source_stages,
    stage_winners,
    unseated_matches,
)
from pairing.services.refusals import (
    DraftExists,
    EarlierRoundOpen,
    EarlierStageOpen,
    NoRoundsLeft,
    SelfScheduled,
    StageNotBegun,
)
from pairing.services.seating import add_matches, seat
from scoring.selectors import stage_teams
from tournaments.models import Round, Stage, StageFormat

SEEDS = 10**9
"""Seeds are short enough to be read out and typed again."""


def new_seed(seed: int | None) -> int:
    """The seed asked for, else one made up."""
    return secrets.randbelow(SEEDS) if seed is None else seed


def next_format_round(stage: Stage) -> int:
    """The number of the round that can be drawn, or of one that misses matches after a correction.

    Raises StageNotBegun, SelfScheduled, EarlierStageOpen, DraftExists, EarlierRoundOpen, NoRoundsLeft.
    """
    if awaits_beginning(stage):
        raise StageNotBegun(stage)
    if is_self_scheduled(stage):
        raise SelfScheduled
    rounds = list(stage.rounds.order_by("number"))
    still_open = [] if rounds else [source for source in source_stages(stage) if not is_over(source)]
    if still_open:
        raise EarlierStageOpen(still_open)
    gap = round_with_gap(stage, rounds)
    if gap is not None:
        return gap.number
    for round_ in rounds:
        if not round_.is_completed:
            raise DraftExists(round_) if round_.is_draft else EarlierRoundOpen(round_)
    if len(rounds) >= stage.rounds_planned:
        raise NoRoundsLeft(stage.rounds_planned, is_fixed=True)
    return len(rounds) + 1


def seat_planned(draw: Draw, *, seed: int | None) -> None:
    """Seats a draft as its stage's format says; a bracket that is drawn anew draws its round by `seed`.

    Raises InvalidFormat, TooFewTables.
    """
    round_ = draw.round
    stage, number = round_.stage, round_.number
    draw.seed, draw.method = stage.layout.get("seed", 0), DrawnBy.SCHEDULE.value
    if stage.format == StageFormat.KNOCKOUT:
        draw.method = DrawnBy.BRACKET.value
        if is_drawn_anew(stage, bracket_of(stage.layout), number):
            draw.seed, draw.method = new_seed(seed), DrawnBy.LOTS.value
            _extend_bracket(stage, number, draw.seed)
    hall = stage_hall(stage)
    draw.explained, draw.changes = {}, []
    draw.tables, draw.by_hand = tables_as_dict(hall), {}
    draw.save()
    planned = planned_matches(stage, number, hall=hall)
    seat(round_, planned if is_self_scheduled(stage) else at_fixed_tables(planned, _fixed(stage), hall))


def _fixed(stage: Stage) -> dict[str, int]:
    """The tables of the teams that always sit at one, by key."""
    rows = stage_teams(stage).values_list("key", "fixed_table")
    return {key: table for key, table in rows if table is not None}


def _extend_bracket(stage: Stage, number: int, seed: int) -> None:
    bracket = bracket_of(stage.layout)
    winners = {key: winner for key, winner in stage_winners(stage).items() if _is_in(bracket, key)}
    rules = knockout_rules(stage.rules.get("format", {}))
    drawn = draw_next_round(bracket, entrants(stage, stage_teams(stage)), rules, winners, seed=seed)
    stage.layout = {**stage.layout, "bracket": bracket_as_list(drawn)}
    stage.save(update_fields=["layout"])


def _is_in(bracket: Bracket, key: str) -> bool:
    return any(match.key == key for match in bracket)


def forget_lots(round_: Round, draw: Draw) -> None:
    """Takes a round that was drawn anew out of the bracket again: its draft is discarded or drawn again."""
    if draw.method != DrawnBy.LOTS:
        return
    stage = round_.stage
    kept = [match for match in stage.layout["bracket"] if match["round"] < round_.number]
    stage.layout = {**stage.layout, "bracket": kept}
    stage.save(update_fields=["layout"])


def seat_following(round_: Round) -> Sequence[PlannedMatch]:
    """Adds the matches that a drawn round misses, at tables that are free in it. Raises TooFewTables."""
    missing = unseated_matches(round_)
    taken = set(round_.matches.values_list("table", flat=True))
    free = (table for table in stage_hall(round_.stage).numbers() if table not in taken)
    planned = [_at_table(match, next(free)) if match.table else match for match in missing]
    add_matches(round_, planned)
    return planned


def _at_table(match: PlannedMatch, table: int) -> PlannedMatch:
    return PlannedMatch(match.home, match.away, table, match.group, match.key, match.is_walkover)
