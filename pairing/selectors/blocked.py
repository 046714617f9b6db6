"""排不出来: the teams that make a draw impossible, and whom each of them may and may not meet."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from pairing.engine.field import Field, field_of
from pairing.engine.types import NoLegalDraw, Relaxation, Rule
from pairing.selectors.inputs import draw_inputs
from scoring.selectors import TeamStanding
from tournaments.models import Stage

MOST_SHOWN = 12
"""Teams shown one by one; more of them tell nothing new."""


@dataclass
class BlockedTeam:
    """One of the teams in the way; others by number (组号)."""

    place: TeamStanding
    met: list[tuple[int, int | None]] = field(default_factory=list)
    """Whom it met, and in which round."""
    same: list[int] = field(default_factory=list)
    """Teams of its department, where the rules keep them apart."""
    forbidden: list[int] = field(default_factory=list)
    free: list[int] = field(default_factory=list)
    """Whom it may still meet."""


@dataclass(frozen=True)
class Blocked:
    """The teams in the way: the first of them one by one, `more` not shown."""

    teams: tuple[BlockedTeam, ...]
    more: int


def blocked_teams(
    stage: Stage,
    error: NoLegalDraw,
    number: int,
    relaxations: Sequence[Relaxation],
    absent: Collection[str] = (),
) -> Blocked:
    """Why each of the teams has too few opponents in round `number`, which could not be drawn. Six queries.

    `absent` are the keys of teams that were to be left out.
    """
    inputs = draw_inputs(stage, number).relaxed(relaxations)
    entrants = tuple(each for each in inputs.entrants if each.id not in absent)
    drawn = field_of(entrants, inputs.meetings, inputs.rules, round_number=number, seed=0)
    keys = [key for key in error.teams if key in drawn.place]
    shown = [_blocked(drawn, drawn.place[key], inputs.places[str(key)]) for key in keys[:MOST_SHOWN]]
    return Blocked(tuple(shown), len(keys) - len(shown))


def _blocked(drawn: Field, one: int, place: TeamStanding) -> BlockedTeam:
    graph = drawn.permitted()
    found = BlockedTeam(place)
    for other in sorted(range(len(drawn.teams)), key=lambda position: drawn.teams[position].number):
        number = drawn.teams[other].number
        if other == one:
            continue
        if graph.legal(one, other):
            found.free.append(number)
            continue
        broken = dict(drawn.broken(one, other))
        if Rule.REMATCH in broken:
            found.met.append((number, broken[Rule.REMATCH]))
        elif Rule.FORBIDDEN in broken:
            found.forbidden.append(number)
        else:
            found.same.append(number)
    return found
