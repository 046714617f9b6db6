"""What the page of stages shows of each stage: its entries, who advances into it, who is tied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pairing.beginnings import entry_rules
from pairing.engine.advancing import Advancement
from pairing.engine.formats import InvalidFormat
from pairing.format_rules import EntryRules, RoundRobinRules
from pairing.selectors.cuts import CutDifference, corrected_since
from pairing.selectors.groups import GroupState, group_states
from pairing.selectors.stages import (
    StageState,
    advancement,
    by_key,
    is_self_scheduled,
    source_stages,
    stage_states,
)
from scoring.selectors import stage_standings, with_names
from tournaments.models import Event, Group, Match, Stage, StageEntry, StageFormat, Team


@dataclass(frozen=True)
class TiedTeams:
    """Teams that share a rank of a stage, by number; in a group, if there are groups."""

    rank: int
    group: Group | None
    teams: tuple[Team, ...]


@dataclass(frozen=True)
class StageCard:
    """One stage with all that the chief can do about its beginning."""

    state: StageState
    sources: tuple[Stage, ...]
    entry: EntryRules
    groups: tuple[tuple[Group, tuple[StageEntry, ...]], ...]
    entries: tuple[StageEntry, ...]
    """Best seed first; those without a seed by number."""
    advancement: Advancement | None
    """Who advances into the stage, while it can begin and enters from earlier ones."""
    fault: InvalidFormat | None
    """Why nobody can advance: fewer teams are there than places."""
    tied: tuple[TiedTeams, ...]
    """Ties of this stage, once it is over and another takes its entries from it."""
    teams: Mapping[str, Team]
    """The teams that the advancement names, by key."""
    followed: tuple[Match, ...]
    """Matches of a knockout that later ones hang on: those of its closed rounds but the last drawn."""
    corrected: CutDifference | None = None
    """How its entries differ from the standings, where something was corrected after they came in."""
    own_time: tuple[GroupState, ...] = ()
    """The groups of a stage that is played in the teams' own time."""

    @property
    def is_given(self) -> bool:
        """Whether the groups are typed in instead of drawn."""
        if self.state.stage.format != StageFormat.ROUND_ROBIN:
            return False
        rules = RoundRobinRules.from_dict(self.state.stage.rules.get("format", {}))
        return rules.grouping == "given"

    @property
    def gone(self) -> tuple[Team, ...]:
        """Entries that have withdrawn since the stage was drawn, while another team can still come in."""
        if self.state.rounds:
            return ()
        return tuple(entry.team for entry in self.entries if entry.team.is_withdrawn)

    @property
    def can_publish_schedule(self) -> bool:
        """Whether all rounds can be shown at once."""
        stage = self.state.stage
        return bool(stage.layout) and not self.state.rounds and is_self_scheduled(stage)


def stage_cards(event: Event) -> list[StageCard]:
    """Every stage of the event in order. Some queries a stage."""
    states = stage_states(event)
    feeding = {key for state in states for key in entry_rules(state.stage.rules).sources}
    return [_card(state, is_feeding=state.stage.key in feeding) for state in states]


def _card(state: StageState, *, is_feeding: bool) -> StageCard:
    stage = state.stage
    entries = _entries(stage) if state.is_begun else ()
    grouped = {entry.group: [each for each in entries if each.group == entry.group] for entry in entries}
    groups = sorted((group for group in grouped if group is not None), key=lambda group: group.order)
    found, fault = _advancement(state)
    return StageCard(
        state=state,
        sources=source_stages(stage),
        entry=entry_rules(stage.rules),
        groups=tuple((group, tuple(grouped[group])) for group in groups),
        entries=entries,
        advancement=found,
        fault=fault,
        tied=_tied(stage) if state.is_over and is_feeding else (),
        teams=_teams(stage, found),
        followed=_followed(stage),
        corrected=corrected_since(stage),
        own_time=group_states(stage),
    )


def _followed(stage: Stage) -> tuple[Match, ...]:
    if stage.format != StageFormat.KNOCKOUT:
        return ()
    last = stage.rounds.order_by("-number").values_list("number", flat=True).first() or 0
    rows = Match.objects.filter(round__stage=stage, round__number__lt=last, table__isnull=False)
    return tuple(rows.select_related("round", "home", "away").order_by("round__number", "table"))


def _entries(stage: Stage) -> tuple[StageEntry, ...]:
    rows = StageEntry.objects.filter(stage=stage).select_related("team__department", "group")
    rows = rows.prefetch_related("team__players")
    return tuple(sorted(rows, key=lambda each: (each.seed is None, each.seed or 0, each.team.number)))


def _advancement(state: StageState) -> tuple[Advancement | None, InvalidFormat | None]:
    if not state.can_begin or not entry_rules(state.stage.rules).is_chained:
        return None, None
    try:
        return advancement(state.stage), None
    except InvalidFormat as error:
        return None, error


def _tied(stage: Stage) -> tuple[TiedTeams, ...]:
    groups: dict[tuple[Group | None, int], list[Team]] = {}
    standings = stage_standings(stage)
    for row in () if standings.is_by_places else standings.rows:
        groups.setdefault((row.group, row.rank), []).append(row.team)
    return tuple(
        TiedTeams(rank, group, tuple(teams)) for (group, rank), teams in groups.items() if len(teams) > 1
    )


def _teams(stage: Stage, found: Advancement | None) -> dict[str, Team]:
    if found is None:
        return {}
    keys: Sequence[str] = [str(each.team) for each in found.qualifiers]
    keys = [*keys, *(str(team) for team in found.certain)]
    for line in found.lines:
        keys += [str(team) for team in (line.last_in, line.first_out, *line.tied) if team is not None]
    teams = with_names(Team.objects.filter(event=stage.event_id, key__in=set(keys)))
    return {team.key: team for team in teams}


def sources_of(stage: Stage) -> list[Stage]:
    """The stages before this one, which it may take its entries from. One query."""
    return list(stage.event.stages.filter(order__lt=stage.order).order_by("order"))


def known_sources(event: Event) -> list[Stage]:
    """The stages that a new one may take its entries from. One query."""
    return list(by_key(event).values())
