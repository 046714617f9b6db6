"""为什么是这一桌: all that decided one table of a drawn round, or its bye."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pairing.engine.bracket import EntrySlot, LoserOf, Slot, WinnerOf
from pairing.engine.field import field_of
from pairing.engine.types import Broken, FirstRound, Method, Note, PairingRules
from pairing.explained import explained_from_dict
from pairing.layouts import DrawnBy, bracket_of
from pairing.models import Draw
from pairing.selectors.board import draft_inputs
from pairing.selectors.inputs import DrawInputs, Seating, seating_of
from scoring.selectors import TeamStanding, round_matches
from tournaments.models import Match, Round, Stage, StageFormat, Team


@dataclass(frozen=True)
class Origin:
    """Where a side of a knockout match comes from: `won` that match, lost it, or entered the bracket here."""

    team: Team
    match: Match | None = None
    won: bool = True


@dataclass(frozen=True)
class Why:
    """One table of a round, or the bye (without `away`), with what decided it; teams as they stood before.

    `first` is the side that the draw came to first. `between` are the teams ranked between the two that had
    an opponent already. `lots` are the places of both sides in a first round drawn at random, from 1.
    """

    round: Round
    draw: Draw
    match: Match
    home: TeamStanding
    away: TeamStanding | None
    rules: PairingRules
    notes: tuple[Note, ...] = ()
    bye_notes: tuple[Note, ...] = ()
    broken: tuple[Broken, ...] = ()
    between: int = 0
    lots: tuple[int, ...] = ()
    origins: tuple[Origin, ...] = ()
    places: Mapping[str, TeamStanding] = field(default_factory=dict)

    @property
    def is_swiss(self) -> bool:
        """Whether the standings decided, and not schedule or bracket."""
        return self.round.stage.format == StageFormat.SWISS

    @property
    def is_first(self) -> bool:
        """Whether there were no standings yet."""
        return self.round.number == 1

    @property
    def is_lot(self) -> bool:
        """Whether the seed decided."""
        is_random = self.is_swiss and self.is_first and self.rules.first_round is FirstRound.RANDOM
        return is_random or self.draw.method == DrawnBy.LOTS

    @property
    def first(self) -> TeamStanding:
        """The side whose turn it was."""
        is_away = self.away is not None and len(self.lots) == 2 and self.lots[1] < self.lots[0]
        return self.away if is_away and self.away is not None else self.home

    @property
    def second(self) -> TeamStanding | None:
        """The other side."""
        return self.home if self.first is self.away else self.away

    @property
    def is_by_hand(self) -> bool:
        """Whether the chief referee changed this table: it is not as the engine drew it."""
        return self.match.table in self.draw.by_hand.get("tables", ())

    def standing(self, key: object) -> TeamStanding | None:
        """Where a team stood that a note names."""
        return self.places.get(str(key))


def why_of_team(round_: Round, number: int) -> Why | None:
    """What decided where the team with this number sits; None where it has no seat. Some ten queries."""
    match = round_matches(round_).filter(seats__team__number=number).select_related("group").first()
    if match is None:
        return None
    draw = Draw.objects.filter(round=round_).first() or Draw(round=round_, seed=0, method=Method.ADJACENT)
    inputs = draft_inputs(round_, draw.relaxations)
    away = inputs.places[match.away.key] if match.away else None
    home = inputs.places[match.home.key]
    common = Why(round_, draw, match, home, away, inputs.rules, places=inputs.places)
    if round_.stage.format != StageFormat.SWISS:
        return _of_format(common)
    return _of_swiss(common, inputs, seating_of(round_))


def _of_swiss(why: Why, inputs: DrawInputs, seating: Seating) -> Why:
    explained = explained_from_dict(why.draw.explained)
    couple = {why.match.home.key, why.match.away.key if why.match.away else None}
    return replace(
        why,
        notes=explained.tables.get(why.match.table or 0, ()),
        bye_notes=explained.bye if why.away is None else (),
        broken=tuple(item for item in inputs.broken(seating) if set(item.teams) == couple),
        between=_between(why, seating, list(inputs.places)),
        lots=_lots(why, inputs, seating),
    )


def _between(why: Why, seating: Seating, order: list[str]) -> int:
    """Teams ranked between the two sides whose table was drawn before."""
    if why.away is None or why.is_first:
        return 0
    place = {key: number for number, key in enumerate(order)}
    upper, lower = sorted((place[why.home.team.key], place[why.away.team.key]))
    return sum(
        upper < place[key] < lower and min(place[home], place[away]) < upper
        for _table, home, away in seating.tables
        for key in (home, away)
    )


def _lots(why: Why, inputs: DrawInputs, seating: Seating) -> tuple[int, ...]:
    """Where both sides stood in the order of the lots; nothing once a team has left the event since."""
    if not why.is_lot or {str(entrant.id) for entrant in inputs.entrants} != seating.teams:
        return ()
    drawn = field_of(inputs.entrants, (), inputs.rules, round_number=1, seed=why.draw.seed)
    sides = [side for side in (why.home, why.away) if side is not None]
    return tuple(drawn.place[side.team.key] + 1 for side in sides)


def _of_format(why: Why) -> Why:
    stage = why.round.stage
    if stage.format != StageFormat.KNOCKOUT or "bracket" not in stage.layout:
        return why
    planned = next((each for each in bracket_of(stage.layout) if each.key == why.match.key), None)
    slots = (planned.home, planned.away) if planned else ()
    found = _matches(stage, slots)
    sides = [side.team for side in (why.home, why.away) if side is not None]
    origins = [_origin(team, slots, found) for team in sides]
    return replace(why, origins=tuple(each for each in origins if each is not None))


def _matches(stage: Stage, slots: tuple[Slot, ...]) -> dict[str, Match]:
    """The matches that a match hangs on, by their keys. One query."""
    keys = [slot.match for slot in slots if isinstance(slot, WinnerOf | LoserOf)]
    rows = Match.objects.filter(round__stage=stage, key__in=keys).select_related("round", "home", "away")
    return {match.key: match for match in rows}


def _origin(team: Team, slots: tuple[Slot, ...], found: Mapping[str, Match]) -> Origin | None:
    for slot in slots:
        if isinstance(slot, EntrySlot) and slot.team == team.key:
            return Origin(team)
        if isinstance(slot, WinnerOf | LoserOf) and slot.match in found:
            match = found[slot.match]
            if team.pk in (match.home_id, match.away_id):
                return Origin(team, match, isinstance(slot, WinnerOf))
    return None
