"""Stages of a document that begin with groups or a bracket, and their rounds, without a database."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from guandan_site.event_file import document as doc
from guandan_site.event_file.computing import stage_standings
from guandan_site.event_file.drawing import hall_of
from guandan_site.event_file.penalties import counted_results
from guandan_site.event_file.rules import stage_rules
from pairing.beginnings import begin, entry_rules, needs_beginning, who_advances
from pairing.engine.advancing import Advancement
from pairing.engine.knockout import draw_next_round
from pairing.engine.tables import ALL_TABLES, Tables
from pairing.engine.types import Entrant, TeamId
from pairing.explained import tables_as_dict
from pairing.format_rules import knockout_rules
from pairing.layouts import (
    LEFT,
    DrawnBy,
    PlannedMatch,
    at_fixed_tables,
    bracket_as_list,
    bracket_matches,
    bracket_of,
    bracket_rounds,
    scheduled_matches,
)
from pairing.names import group_name
from scoring.engine.results import MatchResult, Outcome
from scoring.engine.rules import RankingKey
from scoring.engine.standings import KeyValue

BYE = doc.ResultEntry(MatchResult(Outcome.BYE))


class NotBegun(Exception):
    """Groups, bracket or entries of the stage are not settled yet."""


class LinesOpen(Exception):
    """Teams are tied at the line where those who advance end."""

    def __init__(self, advancement: Advancement) -> None:
        super().__init__(len(advancement.open_lines))
        self.advancement = advancement


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A row of an earlier stage's standings, as the advancing engine takes it."""

    rank: int
    team: TeamId
    keys: Mapping[RankingKey, KeyValue]
    decided_by: str | None


def awaits_beginning(stage: doc.StageEntry) -> bool:
    """Whether groups or bracket have to be drawn, or entries settled, before a round."""
    return not stage.layout and needs_beginning(stage.format.value, stage.rules)


def begun(document: doc.EventDocument, stage: doc.StageEntry, seed: int) -> doc.StageEntry:
    """The stage with its entries, groups, seeds and layout.

    Raises LinesOpen, and the engines' InvalidFormat and InvalidPairingRules.
    """
    qualifiers = advancement(document, stage).qualifiers if entry_rules(stage.rules).is_chained else ()
    chosen = {str(each.team) for each in qualifiers}
    teams = [team for team in document.teams_of(stage) if not chosen or team.id in chosen]
    teams = [team for team in teams if team.withdrawn_after is None]
    given = {team.id: stage.group_of(team.id) or 0 for team in teams}
    found = begin(
        stage.format.value,
        stage.rules,
        entrants(teams),
        seed,
        qualifiers=qualifiers,
        given={team: group for team, group in given.items() if group},
        teams_left=teams_left(document, stage),
    )
    return replace(
        stage,
        teams=tuple(team.id for team in teams),
        rounds_planned=found.rounds or stage.rounds_planned,
        groups=tuple(
            doc.GroupEntry(group_name(number), tuple(map(str, group)))
            for number, group in enumerate(found.groups, start=1)
        ),
        seeds={str(team): place for team, place in found.seeds.items()},
        layout={**found.layout, **_noted(document, stage)},
    )


def _noted(document: doc.EventDocument, stage: doc.StageEntry) -> dict[str, list[str]]:
    """Who had left when a stage with sources began: they did not advance."""
    if not entry_rules(stage.rules).is_chained:
        return {}
    left = (team for team in document.teams if team.withdrawn_after is not None)
    return {LEFT: [team.id for team in sorted(left, key=lambda team: team.number)]}


def advancement(document: doc.EventDocument, stage: doc.StageEntry) -> Advancement:
    """Who advances into the stage. Raises LinesOpen."""
    entry = entry_rules(stage.rules)
    sources = [each for key in entry.sources for each in document.stages if each.id == key]
    groups: dict[int | str, list[SourceRow]] = {}
    decided: list[TeamId] = []
    for source in sources:
        for number, rows in _rows_by_group(document, source).items():
            groups[f"{source.id} {number}"] = rows
        places: Any = source.lots.get("places", {})
        decided += sorted(places, key=lambda team: (places[team], team))
    ranking = stage_rules(sources[0].rules).ranking if sources else ()
    found = who_advances(entry, groups, ranking, decided)
    if not found.is_complete:
        raise LinesOpen(found)
    return found


def _rows_by_group(document: doc.EventDocument, source: doc.StageEntry) -> dict[int, list[SourceRow]]:
    """The standings of each group without teams that left, ranks closed up behind them."""
    left = {team.id for team in document.teams if team.withdrawn_after is not None}
    groups: dict[int, list[SourceRow]] = {}
    above: dict[int, int] = {}
    for each in stage_standings(document, source).ranked:
        rows = groups.setdefault(each.group, [])
        if each.row.team not in left:
            is_shared = bool(rows) and above.get(each.group) == each.row.rank
            rank = rows[-1].rank if is_shared else len(rows) + 1
            rows.append(SourceRow(rank, each.row.team, each.row.keys, each.row.decided_by))
            above[each.group] = each.row.rank
    return groups


def teams_left(document: doc.EventDocument, stage: doc.StageEntry) -> int:
    """How many may be left when a knockout is over: one, or as many as the next knockout takes."""
    for later in document.stages:
        entry = entry_rules(later.rules)
        if entry.sources == (stage.id,) and later.format is doc.StageFormat.KNOCKOUT:
            return entry.count
    return 1


def entrants(teams: Iterable[doc.TeamEntry]) -> list[Entrant]:
    """The teams for the engine."""
    return [
        Entrant(id=team.id, number=team.number, rank=place, department=team.department, seed=team.seed)
        for place, team in enumerate(teams, start=1)
    ]


# Rounds


def winners(stage: doc.StageEntry, before: int) -> dict[str, TeamId | None]:
    """Who won each match of the bracket in the rounds before one, by the match's key; None: nobody did."""
    found: dict[str, TeamId | None] = {}
    result_of = counted_results(stage)
    for played in stage.rounds:
        for match in played.matches if played.number < before and played.counts else ():
            result = result_of(played.number, match)
            if match.key and match.away is not None and result is not None:
                side = result.winner
                found[match.key] = {"home": match.home, "away": match.away}.get(side or "")
    return found


def planned_matches(
    document: doc.EventDocument, stage: doc.StageEntry, number: int, *, hall: Tables = ALL_TABLES
) -> list[PlannedMatch]:
    """The matches of a round as the stage's format has them. Raises InvalidFormat, TooFewTables."""
    left = {team.id for team in document.teams_of(stage) if document.has_left(stage, team, number)}
    if stage.format is doc.StageFormat.ROUND_ROBIN:
        return scheduled_matches(stage.layout, number, left, hall=hall)
    known = winners(stage, number)
    return bracket_matches(bracket_of(stage.layout), known, number, left, hall=hall)


def format_round(
    document: doc.EventDocument, stage: doc.StageEntry, number: int, seed: int
) -> tuple[doc.StageEntry, doc.RoundEntry]:
    """A round as a draft, and the stage, whose bracket grows by a round that is drawn anew.

    Raises NotBegun, InvalidFormat, TooFewTables.
    """
    if awaits_beginning(stage):
        raise NotBegun
    method = DrawnBy.SCHEDULE
    recorded: Any = stage.layout.get("seed", 0)
    if stage.format is doc.StageFormat.KNOCKOUT:
        method = DrawnBy.BRACKET
        if bracket_rounds(bracket_of(stage.layout)) < number:
            method, recorded = DrawnBy.LOTS, seed
            stage = _extended(document, stage, number, seed)
    hall = hall_of(document, stage)
    planned = planned_matches(document, stage, number, hall=hall)
    fixed = {team.id: team.fixed_table for team in document.teams if team.fixed_table is not None}
    matches = tuple(_match(each) for each in at_fixed_tables(planned, fixed, hall))
    draw = doc.DrawEntry(seed=recorded, method=method.value, tables=tables_as_dict(hall))
    return stage, doc.RoundEntry(number, doc.RoundStatus.DRAFT, matches, draw)


def _extended(document: doc.EventDocument, stage: doc.StageEntry, number: int, seed: int) -> doc.StageEntry:
    known = winners(stage, number)
    format: Any = stage.rules.get("format", {})
    teams = entrants(document.teams_of(stage))
    drawn = draw_next_round(bracket_of(stage.layout), teams, knockout_rules(format), known, seed=seed)
    return replace(stage, layout={**stage.layout, "bracket": bracket_as_list(drawn)})


def _match(planned: PlannedMatch) -> doc.MatchEntry:
    result = BYE if planned.away is None else None
    return doc.MatchEntry(
        planned.home, planned.away, planned.table, result, group=planned.group, key=planned.key
    )
