"""Where the stages of an event stand: what may begin, who advances, who plays next."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pairing.beginnings import entry_rules, needs_beginning, who_advances
from pairing.engine.advancing import Advancement
from pairing.engine.bracket import Bracket
from pairing.engine.formats import InvalidFormat
from pairing.engine.tables import ALL_TABLES, Tables
from pairing.engine.types import Entrant, TeamId
from pairing.format_rules import EntryRules
from pairing.layouts import PlannedMatch, bracket_matches, bracket_of, bracket_rounds, scheduled_matches
from scoring.engine.rules import RankingKey
from scoring.engine.standings import KeyValue
from scoring.rulings import counted_winner
from scoring.selectors import TeamStanding, stage_rules, stage_standings, stage_teams
from tournaments.models import Event, Match, Round, RoundStatus, Stage, StageEntry, StageFormat, Team


@dataclass(frozen=True)
class SourceRow:
    """A row of an earlier stage's standings, as the advancing engine takes it; the team by its key."""

    rank: int
    team: str
    keys: Mapping[RankingKey, KeyValue]
    decided_by: str | None


@dataclass(frozen=True)
class StageState:
    """One stage as the list of stages shows it."""

    stage: Stage
    entries: int
    rounds: int
    is_begun: bool
    is_over: bool
    can_begin: bool
    waits_for: tuple[Stage, ...]
    """The stages that must be over before this one begins."""


def by_key(event: Event) -> dict[str, Stage]:
    """The event's stages by their key, in order. One query."""
    return {stage.key: stage for stage in event.stages.order_by("order")}


def is_over(stage: Stage) -> bool:
    """Whether all rounds of the stage are closed and none is left to draw. One query."""
    rounds = list(stage.rounds.order_by("number"))
    is_closed = bool(rounds) and all(round_.is_completed for round_ in rounds)
    return is_closed and rounds[-1].number >= stage.rounds_planned


def is_self_scheduled(stage: Stage) -> bool:
    """Whether the teams of this round robin find their own time (自约). No query."""
    return stage.is_self_scheduled


def awaits_beginning(stage: Stage) -> bool:
    """Whether groups or bracket have to be drawn, or entries settled, before a round. No query."""
    return not stage.layout and needs_beginning(stage.format, stage.rules)


def source_stages(stage: Stage) -> tuple[Stage, ...]:
    """The stages that the entries come from, in the order of the rules; a key without a stage is left out."""
    known = by_key(stage.event)
    return tuple(known[key] for key in entry_rules(stage.rules).sources if key in known)


def stage_states(event: Event) -> list[StageState]:
    """Every stage with where it stands. A few queries a stage."""
    return [_state(stage) for stage in event.stages.order_by("order")]


def _state(stage: Stage) -> StageState:
    waits_for = tuple(source for source in source_stages(stage) if not is_over(source))
    rounds = stage.rounds.count()
    is_begun = bool(stage.layout) or bool(rounds)
    return StageState(
        stage=stage,
        entries=stage_teams(stage).count() if is_begun or not entry_rules(stage.rules).is_chained else 0,
        rounds=rounds,
        is_begun=is_begun,
        is_over=is_over(stage),
        can_begin=not rounds and needs_beginning(stage.format, stage.rules) and not waits_for,
        waits_for=waits_for,
    )


def stage_to_begin(stages: Sequence[Stage]) -> Stage | None:
    """The first of an event's stages that awaits its beginning, if the stages before it are over.

    No query while no stage waits.
    """
    for stage in stages:
        if awaits_beginning(stage):
            return stage if all(map(is_over, source_stages(stage))) else None
    return None


# Who enters


def follower(stage: Stage) -> tuple[Stage, EntryRules] | None:
    """The later stage that takes its entries from this one. One query."""
    for later in stage.event.stages.filter(order__gt=stage.order).order_by("order"):
        entry = entry_rules(later.rules)
        if stage.key in entry.sources:
            return later, entry
    return None


def advancement(stage: Stage, *, left: Collection[str] | None = None) -> Advancement:
    """Who advances into the stage from the stages it names; whoever left the event does not.

    `left` are the teams, by key, that had left at another time than now.
    Raises InvalidFormat, e.g. with fewer teams than places.
    """
    sources = source_stages(stage)
    groups: dict[int | str, list[SourceRow]] = {}
    decided: list[TeamId] = []
    for source in sources:
        standings = stage_standings(source)
        for group in standings.groups or (None,):
            name = str(group.order) if group else ""
            label = name if len(sources) == 1 else f"{source.key} {name}".strip()
            rows = [row for row in standings.rows if row.group == group]
            groups[label] = source_rows(rows, left)
        decided += in_order_of_lots(source.lots)
    ranking = stage_rules(sources[0]).ranking if sources else ()
    return who_advances(entry_rules(stage.rules), groups, ranking, decided)


def is_tied_at_the_line(stage: Stage) -> bool:
    """Whether teams are tied where those who advance into the stage end. No query where all teams enter."""
    if not entry_rules(stage.rules).is_chained:
        return False
    try:
        return bool(advancement(stage).open_lines)
    except InvalidFormat:
        return False


def in_order_of_lots(lots: Mapping[str, Any]) -> list[TeamId]:
    """The teams that lots or the chief put in order, best first."""
    places: dict[TeamId, int] = lots.get("places", {})
    return sorted(places, key=lambda team: (places[team], str(team)))


def source_rows(rows: Iterable[TeamStanding], left: Collection[str] | None = None) -> list[SourceRow]:
    """The rows without teams that left the event, by now or as given, ranks closed up behind them."""
    kept: list[SourceRow] = []
    above: int | None = None
    for row in rows:
        if not (row.withdrawn if left is None else row.team.key in left):
            rank = kept[-1].rank if kept and row.rank == above else len(kept) + 1
            kept.append(SourceRow(rank, row.team.key, row.keys, row.decided_by))
            above = row.rank
    return kept


def entrants(stage: Stage, teams: Iterable[Team]) -> list[Entrant]:
    """The teams for the engine, by key. No query."""
    return [
        Entrant(
            id=team.key,
            number=team.number,
            rank=place,
            department=team.department_id,
            fixed_table=team.fixed_table,
            seed=team.seed,
        )
        for place, team in enumerate(teams, start=1)
    ]


def parallel_stages(stage: Stage) -> list[Stage]:
    """The stages that share the teams with this one, itself among them: several that feed one final."""
    found = follower(stage)
    if found is None or entry_rules(stage.rules).is_chained:
        return [stage]
    _later, entry = found
    known = by_key(stage.event)
    return [known[key] for key in entry.sources if key in known and not entry_rules(known[key].rules).sources]


def free_teams(stage: Stage) -> list[Team]:
    """Teams in play that no parallel stage has entered. Few queries."""
    parallel = [other.pk for other in parallel_stages(stage) if other.pk != stage.pk]
    taken = StageEntry.objects.filter(stage__in=parallel).values("team_id")
    teams = Team.objects.filter(event=stage.event_id, withdrawn_after=None).exclude(pk__in=taken)
    return list(teams.order_by("number"))


# What is played next


def left_keys(stage: Stage) -> frozenset[str]:
    """The keys of the stage's teams that have left the event. One query."""
    return frozenset(stage_teams(stage).filter(withdrawn_after__isnull=False).values_list("key", flat=True))


def stage_winners(stage: Stage) -> dict[str, str | None]:
    """Who won each match of the bracket that has a result, by key; None where nobody did. One query."""
    rows = Match.objects.filter(round__stage=stage, away__isnull=False, result__isnull=False)
    rows = rows.exclude(key="").exclude(round__status=RoundStatus.DRAFT)
    winners: dict[str, str | None] = {}
    for match in rows.select_related("home", "away", "result"):
        sides = {"home": match.home.key, "away": match.away.key if match.away else None}
        winners[match.key] = sides.get(counted_winner(match))
    return winners


def planned_matches(stage: Stage, number: int, *, hall: Tables = ALL_TABLES) -> list[PlannedMatch]:
    """The matches of a round as the stage's format has them. Two queries.

    Raises InvalidFormat where a bracket's earlier round is open, TooFewTables.
    """
    left = left_keys(stage)
    if stage.format == StageFormat.ROUND_ROBIN:
        return scheduled_matches(stage.layout, number, left, hall=hall)
    bracket = bracket_of(stage.layout)
    # Only earlier rounds decide who plays: after a correction a later one may hold what is to be voided.
    earlier = {match.key for match in bracket if match.round < number}
    winners = {key: winner for key, winner in stage_winners(stage).items() if key in earlier}
    return bracket_matches(bracket, winners, number, left, hall=hall)


def unseated_matches(round_: Round) -> list[PlannedMatch]:
    """Matches of a drawn knockout round that have no row: what they hung on was voided. Four queries."""
    stage = round_.stage
    if stage.format != StageFormat.KNOCKOUT or "bracket" not in stage.layout:
        return []
    seated = set(round_.matches.values_list("key", flat=True))
    return [match for match in planned_matches(stage, round_.number) if match.key not in seated]


def round_with_gap(stage: Stage, rounds: Sequence[Round]) -> Round | None:
    """The first drawn round of a knockout that misses a match although every earlier round is closed."""
    for round_ in rounds:
        if stage.format == StageFormat.KNOCKOUT and unseated_matches(round_):
            return round_
        if not round_.is_completed:
            return None
    return None


def is_drawn_anew(stage: Stage, bracket: Bracket, number: int) -> bool:
    """Whether this round's opponents are drawn only now (逐轮抽签). No query."""
    return bracket_rounds(bracket) < number
