"""What the chief's draw board shows: the draft with its reasons, or what was published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pairing.engine.types import Broken, Method, Note, Proof, Relaxation, Rule
from pairing.engine.types import Draw as DrawnRound
from pairing.explained import explained_from_dict
from pairing.layouts import DrawnBy
from pairing.models import Draw
from pairing.selectors.inputs import DrawInputs, Seating, draw_inputs, drawn_seating, seating_of
from scoring.models import Outcome, Result
from scoring.selectors import TeamStanding
from tournaments.models import Event, Match, Round, Stage, StageFormat, Team


@dataclass(frozen=True)
class DraftTable:
    """One table of a draft: who meets whom, where both stand, and why; notes and rules name team numbers."""

    table: int
    home: TeamStanding
    away: TeamStanding
    notes: tuple[Note, ...]
    broken: tuple[Broken, ...]
    match: Match | None = None
    """The stored match, with its group, where schedule or bracket made it."""


@dataclass(frozen=True)
class Wish:
    """What the chief set for two teams of the stage: `kind` is forced or forbidden."""

    kind: str
    first: Team
    second: Team


@dataclass(frozen=True)
class Draft:
    """A draft as the chief looks at it."""

    round: Round
    draw: Draw
    inputs: DrawInputs
    tables: tuple[DraftTable, ...]
    byes: tuple[TeamStanding, ...]
    bye_notes: tuple[Note, ...]
    apart: tuple[Broken, ...]
    """Broken rules that belong to no table: couples that were set to meet and do not."""
    proof: Proof | None
    gone: tuple[int, ...]
    """Numbers of seated teams that left the event after the draw."""
    unseated: tuple[int, ...]
    """Numbers of teams in play that have no seat."""
    walkovers: tuple[tuple[TeamStanding, TeamStanding], ...] = ()
    """Matches of the format that are not played because a team, or both, left the event."""

    @property
    def is_outdated(self) -> bool:
        """Whether the roster changed after the draw."""
        return bool(self.gone or self.unseated)

    @property
    def broken_count(self) -> int:
        """How many broken rules the draft has."""
        return sum(len(table.broken) for table in self.tables) + len(self.apart)

    @property
    def is_lot(self) -> bool:
        """Whether another seed gives another draw: a first round drawn at random, or a round drawn anew."""
        if not self.is_swiss:
            return self.draw.method == DrawnBy.LOTS
        return self.round.number == 1 and self.inputs.rules.first_round == "random"

    @property
    def is_swiss(self) -> bool:
        """Whether the standings and not schedule or bracket say who meets whom."""
        return self.round.stage.format == StageFormat.SWISS

    @property
    def shows_standings(self) -> bool:
        """Whether ranks say anything: in a knockout all who still play share theirs."""
        return self.round.stage.format != StageFormat.KNOCKOUT

    @property
    def is_changed(self) -> bool:
        """Whether the tables are not just as the engine drew them."""
        return any(change["act"] in {"swap", "tables"} for change in self.draw.changes)

    @property
    def wishes(self) -> list[Wish]:
        """The couples that the chief set to meet or forbade to."""
        rules, places = self.inputs.rules, self.inputs.places
        couples = [("forced", couple) for couple in rules.forced]
        couples += [("forbidden", couple) for couple in rules.forbidden]
        return [Wish(kind, *(places[str(key)].team for key in couple)) for kind, couple in couples]

    def has_place(self, team: TeamStanding) -> bool:
        """Whether the team has a table of this round, or the bye."""
        return team in self.byes or any(team in (each.home, each.away) for each in self.tables)

    def standing(self, number: int) -> TeamStanding | None:
        """The place of the team with this number (组号), if it is of this stage."""
        return next((row for row in self.inputs.places.values() if row.team.number == number), None)


@dataclass(frozen=True)
class Swap:
    """What the draft would be if two teams changed places."""

    first: TeamStanding
    second: TeamStanding
    before: tuple[DraftTable, ...]
    after: tuple[DraftTable, ...]
    bye_before: TeamStanding | None
    bye: TeamStanding | None
    """Who has the bye before and after, if the swap changes that."""
    warnings: tuple[Broken, ...]
    drawn: DrawnRound


def newest_round(stage: Stage) -> Round | None:
    """The stage's last round, draft or not. One query."""
    return stage.rounds.select_related("stage", "draw__drawn_by").order_by("-number").first()


def event_round(event: Event, round_id: int) -> Round | None:
    """A round of the event by its key; None when its draft was discarded. One query."""
    return Round.objects.filter(stage__event=event, pk=round_id).select_related("stage").first()


def tables_with_results(round_: Round) -> list[int]:
    """The tables that have a result; a bye is none. One query."""
    entered = Result.objects.filter(match__round=round_).exclude(outcome=Outcome.BYE)
    return sorted(table for table in entered.values_list("match__table", flat=True) if table is not None)


def draft_inputs(round_: Round, relaxations: Iterable[Mapping[str, str]]) -> DrawInputs:
    """What the round was drawn from, with the rules as they were relaxed for it."""
    softened = [Relaxation(Rule(item["rule"]), item["value"]) for item in relaxations]
    return draw_inputs(round_.stage, round_.number).relaxed(softened)


def round_draft(round_: Round) -> Draft:
    """The draft of a round. Eight queries, whatever the number of teams."""
    draw = Draw.objects.select_related("drawn_by").filter(round=round_).first()
    draw = draw or Draw(round=round_, seed=0, method=Method.ADJACENT)
    inputs = draft_inputs(round_, draw.relaxations)
    seating = seating_of(round_)
    explained = explained_from_dict(draw.explained)
    broken = [_numbered_broken(item, inputs) for item in inputs.broken(seating)]
    tables = _tables(seating, explained.tables, broken, inputs)
    if round_.stage.format != StageFormat.SWISS:
        tables = _with_matches(round_, tables)
    at_tables = {item for table in tables for item in table.broken}
    seated = seating.teams
    is_swiss = round_.stage.format == StageFormat.SWISS
    present = {entrant.id for entrant in inputs.entrants}
    return Draft(
        round=round_,
        draw=draw,
        inputs=inputs,
        tables=tables,
        byes=tuple(inputs.places[key] for key in seating.byes),
        bye_notes=_numbered(explained.bye, inputs),
        apart=tuple(item for item in broken if item not in at_tables),
        proof=explained.proof,
        gone=tuple(inputs.numbers(seated - present)),
        unseated=tuple(inputs.numbers(present - seated)) if is_swiss else (),
        walkovers=() if is_swiss else _walkovers(round_, inputs),
    )


def _with_matches(round_: Round, tables: Iterable[DraftTable]) -> tuple[DraftTable, ...]:
    matches = {match.table: match for match in round_.matches.select_related("group")}
    return tuple(replace(table, match=matches.get(table.table)) for table in tables)


def _walkovers(round_: Round, inputs: DrawInputs) -> tuple[tuple[TeamStanding, TeamStanding], ...]:
    rows = round_.matches.filter(table=None, away__isnull=False).values_list("home__key", "away__key")
    return tuple((inputs.places[home], inputs.places[away]) for home, away in rows)


def swapped(draft: Draft, first: TeamStanding, second: TeamStanding) -> Swap | None:
    """What a swap would make of the draft and which rules it newly breaks; None at one table. One query."""
    seating = seating_of(draft.round)
    changed = seating.swapped(first.team.key, second.team.key)
    if changed is None:
        return None
    arranged = draft.inputs.arranged(changed, draft.draw.seed)
    drawn = with_own_notes(arranged, seating, draft.draw.explained)
    stands = {_couple(item) for item in draft.inputs.broken(seating)}
    moved = {first.team.key, second.team.key}
    notes = {match.table: match.notes for match in drawn.matches}
    broken = [_numbered_broken(item, draft.inputs) for item in drawn.broken]
    tables = _tables(drawn_seating(drawn), notes, broken, draft.inputs)
    here = [table for table in tables if moved & {table.home.team.key, table.away.team.key}]
    return Swap(
        first=first,
        second=second,
        before=tuple(t for t in draft.tables if moved & {t.home.team.key, t.away.team.key}),
        after=tuple(here),
        bye_before=next((draft.inputs.places[key] for key in seating.byes if key in moved), None),
        bye=next((draft.inputs.places[key] for key in changed.byes if key in moved), None),
        warnings=tuple(
            _numbered_broken(item, draft.inputs) for item in drawn.broken if _couple(item) not in stands
        ),
        drawn=drawn,
    )


def with_own_notes(drawn: DrawnRound, before: Seating, explained: Mapping[str, Any]) -> DrawnRound:
    """A seating made by hand with the notes as they stood, wherever nobody was moved: of tables and bye."""
    stood = explained_from_dict(explained)
    couples = {table: {home, away} for table, home, away in before.tables}
    matches = tuple(
        replace(match, notes=stood.tables.get(match.table, ()))
        if couples.get(match.table) == {match.home, match.away}
        else match
        for match in drawn.matches
    )
    is_same_bye = drawn_seating(drawn).byes == before.byes
    return replace(drawn, matches=matches, bye_notes=stood.bye if is_same_bye else drawn.bye_notes)


def broken_by_meeting(draft: Draft, first: TeamStanding, second: TeamStanding) -> tuple[Broken, ...]:
    """What a table of these two would break, by their numbers. No query."""
    couple = {first.team.key, second.team.key}
    seating = Seating(((1, first.team.key, second.team.key),), ())
    found = [item for item in draft.inputs.broken(seating) if set(item.teams) == couple]
    return tuple(_numbered_broken(item, draft.inputs) for item in found)


def _couple(item: Broken) -> tuple[Rule, frozenset[int | str]]:
    return item.rule, frozenset(item.teams)


def _tables(
    seating: Seating, notes: Mapping[int, tuple[Note, ...]], broken: list[Broken], inputs: DrawInputs
) -> tuple[DraftTable, ...]:
    by_couple: dict[frozenset[int | str], list[Broken]] = {}
    for item in broken:
        by_couple.setdefault(frozenset(item.teams), []).append(item)
    rows = []
    for table, home, away in seating.tables:
        seated = inputs.places[home], inputs.places[away]
        found = by_couple.get(frozenset(row.team.number for row in seated), [])
        rows.append(DraftTable(table, *seated, _numbered(notes.get(table, ()), inputs), tuple(found)))
    return tuple(rows)


def _numbered(notes: Iterable[Note], inputs: DrawInputs) -> tuple[Note, ...]:
    """The notes with the teams' numbers, as officials know them."""
    return tuple(
        Note(note.kind, _number(note.team, inputs), note.other and _number(note.other, inputs), note.round)
        for note in notes
    )


def _numbered_broken(item: Broken, inputs: DrawInputs) -> Broken:
    first, second = item.teams
    return replace(item, teams=(_number(first, inputs), _number(second, inputs)))


def _number(key: int | str, inputs: DrawInputs) -> int | str:
    row = inputs.places.get(str(key))
    return row.team.number if row else key


def team_numbers(event: Event, keys: Iterable[int | str]) -> dict[int | str, int]:
    """The numbers (组号) of teams by key. One query."""
    return dict(event.teams.filter(key__in=list(keys)).values_list("key", "number"))


def teams_by_number(event: Event, *numbers: int) -> list[Team]:
    """The event's teams with these numbers (组号), in the order asked for. One query."""
    found = {team.number: team for team in event.teams.filter(number__in=numbers)}
    return [found[number] for number in numbers if number in found]
