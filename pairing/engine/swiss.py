"""The Swiss draw (积分编排): each team in turn meets the best-placed team that leaves the rest drawable.

The rule stands in `draw_round`; `matching` finds it fast, `soft` and `closest` weigh the rest.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from .closest import closest_tables
from .field import Cost, Field, field_of, under
from .impossible import no_legal_draw, relaxed
from .matching import Table, pair_down, spare_positions
from .notes import bye_notes, table_notes
from .preference import candidates_for
from .soft import fewest_broken
from .tables import ALL_TABLES, Tables, numbered
from .types import (
    Broken,
    Couple,
    Draw,
    DrawnMatch,
    Entrant,
    FirstRound,
    Meeting,
    Method,
    NoteKind,
    PairingRules,
    Proof,
)

__all__ = ["Seating", "breaks", "draw_round", "relaxed", "seating_of"]


@dataclass(frozen=True, slots=True)
class Seating:
    """Who meets whom, by position: tables in order of the better-placed team, and the bye."""

    tables: list[Table]
    bye: int | None = None
    proof: Proof | None = None


def draw_round(
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    rules: PairingRules,
    *,
    round_number: int,
    seed: int,
    tables: Tables = ALL_TABLES,
) -> Draw:
    """Draw one round of a Swiss stage among the teams that are present, at the `tables` that may be used.

    `meetings` are those of the stage's earlier rounds, byes left out. Going down the standings (rank, then
    number; in round 1 the order that `rules.first_round` says), each team still unpaired meets the
    highest-placed team it may meet such that everyone below can still be paired. A rule to be avoided is
    broken at as few tables as possible (rematches before departments), and those fall as low as possible.
    With an odd number, first the bye: fewest byes so far, then fewest broken rules, then lowest place. With
    the method `closest`, from round 2, instead the least sum of squared gaps after the same bye.

    `seed` matters in a random first round only. The answer does not depend on the order of the arguments.
    Raises NoLegalDraw, TeamEnteredTwice, TooFewTables.
    """
    field = field_of(entrants, meetings, rules, round_number=round_number, seed=seed)
    seating = seating_of(field)
    if seating is None:
        raise no_legal_draw(field, lambda changed: _is_possible(under(field, changed)))
    return Draw(
        round_number=round_number,
        seed=seed,
        method=rules.method,
        matches=_matches(field, seating, tables),
        bye=None if seating.bye is None else field.teams[seating.bye].id,
        bye_notes=() if seating.bye is None else bye_notes(field, seating.bye),
        broken=tuple(_broken(field, seating)),
        proof=seating.proof,
    )


def seating_of(field: Field) -> Seating | None:
    """Who meets whom under the rules of `draw_round`; None when no legal draw exists."""
    if len(field.teams) < 2:
        return None
    free = field.free()
    seating = _with_bye(field, free) if len(free) % 2 else _even(field, free)
    return None if seating is None else _finished(field, seating)


def _finished(field: Field, seating: Seating) -> Seating:
    if field.rules.method is Method.CLOSEST and not field.is_first:
        tables, proof = closest_tables(field, seating.tables, seating.bye)
        seating = replace(seating, tables=tables, proof=proof)
    return replace(seating, tables=sorted([*seating.tables, *field.forced]))


def _even(field: Field, positions: Sequence[int]) -> Seating | None:
    tables = pair_down(field.strict(), positions, candidates_for(field, positions))
    if tables is None and field.is_soft:
        tables, _ = fewest_broken(field, positions) or (None, None)
    return None if tables is None else Seating(tables)


def _with_bye(field: Field, positions: Sequence[int]) -> Seating | None:
    """The bye first: fewest byes so far, then fewest broken rules, then lowest place.

    A team with a forced meeting never needs to take it: in any draw where it does, its opponent meets some
    team, and that one could have had the bye instead.
    """
    classes = _bye_classes(field, positions)
    seating = _clean(field, positions, classes[0][0])
    if seating is not None:
        return seating
    clean = spare_positions(field.strict(), positions)
    permitted = spare_positions(field.permitted(), positions) if field.is_soft else clean
    for members in classes:
        fit = [position for position in members if position in permitted]
        if fit:
            bye = next((position for position in fit if position in clean), None)
            return _broken_least(field, positions, fit) if bye is None else _clean(field, positions, bye)
    return None


def _bye_classes(field: Field, positions: Sequence[int]) -> list[list[int]]:
    """Those with equally many byes together, fewest byes first, the lowest-placed first."""

    def byes(position: int) -> int:
        return field.teams[position].byes

    ordered = sorted(positions, key=lambda position: (byes(position), -position))
    return [list(members) for _, members in groupby(ordered, byes)]


def _clean(field: Field, positions: Sequence[int], bye: int) -> Seating | None:
    rest = [position for position in positions if position != bye]
    tables = pair_down(field.strict(), rest, candidates_for(field, rest))
    return None if tables is None else Seating(tables, bye)


def _broken_least(field: Field, positions: Sequence[int], bye_from: Sequence[int]) -> Seating | None:
    drawn = fewest_broken(field, positions, bye_from)
    return None if drawn is None else Seating(*drawn)


def breaks(field: Field, tables: Iterable[Table]) -> Cost:
    """How many tables are rematches, and how many of one department."""
    costs = [field.cost(*table) for table in tables]
    return sum(rematch for rematch, _ in costs), sum(same for _, same in costs)


def _is_possible(field: Field) -> bool:
    """Whether any legal draw exists: the same question without the order."""
    if len(field.teams) < 2:
        return False
    free, graph = field.free(), field.permitted()
    if len(free) % 2:
        return bool(spare_positions(graph, free))
    return pair_down(graph, free) is not None


def _matches(field: Field, seating: Seating, tables: Tables) -> tuple[DrawnMatch, ...]:
    otherwise = NoteKind.REST_IMPOSSIBLE if seating.proof is None else NoteKind.LEAST_GAPS
    notes = table_notes(field, seating.tables, otherwise)
    return tuple(
        DrawnMatch(number, *_sides(field, table), notes.get(table, ()) + taken)
        for number, table, taken in numbered(field, seating.tables, tables)
    )


def _sides(field: Field, table: Table) -> Couple:
    """Home and away: home stands higher, in a random first round has the lower number."""
    home, away = field.teams[table[0]], field.teams[table[1]]
    is_random = field.is_first and field.rules.first_round is FirstRound.RANDOM
    return (away.id, home.id) if is_random and away.number < home.number else (home.id, away.id)


def _broken(field: Field, seating: Seating) -> Iterator[Broken]:
    for table in seating.tables:
        for rule, played in field.broken(*table):
            yield Broken(rule, _sides(field, table), played)
