"""How a stage begins: groups and schedule, or the bracket, with seeds, from those who enter it.

One computation for the database and the event file; teams are named by their keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pairing.engine.advancing import Advancement, Qualifier, Standing, advance, first_tables
from pairing.engine.bracket import Bracket
from pairing.engine.groups import Groups, draw_groups
from pairing.engine.knockout import (
    BracketOrder,
    Byes,
    KnockoutRules,
    PlayedOut,
    knockout_bracket,
    knockout_from_tables,
)
from pairing.engine.types import Entrant, TeamId
from pairing.format_rules import EntryRules, RoundRobinRules, knockout_rules
from pairing.layouts import (
    Layout,
    bracket_rounds,
    cut_off,
    knockout_layout,
    round_robin_layout,
    scheduled_rounds,
)

SWISS, ROUND_ROBIN, KNOCKOUT = "swiss", "round_robin", "knockout"
UNCOMPARABLE = frozenset({"head_to_head", "head_to_head_group", "lots", "best_rounds", "cumulative"})
"""Ranking keys that say nothing about teams of different groups."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a stage starts from. `rounds` is None where the organiser plans them (Swiss)."""

    layout: Layout
    rounds: int | None = None
    groups: Groups = ()
    seeds: Mapping[TeamId, int] = field(default_factory=dict)


def entry_rules(rules: Mapping[str, Any]) -> EntryRules:
    """`rules.entry` of a stage. Raises InvalidPairingRules."""
    return EntryRules.from_dict(rules.get("entry", {}))


def needs_beginning(format: str, rules: Mapping[str, Any]) -> bool:
    """Whether somebody has to begin the stage first: a Swiss stage of all teams just starts."""
    entry = entry_rules(rules)
    return format != SWISS or entry.is_chained or bool(entry.session)


def who_advances(
    entry: EntryRules,
    standings: Mapping[int | str, Sequence[Standing]],
    ranking: Iterable[str],
    decided: Sequence[TeamId] = (),
) -> Advancement:
    """Who advances from the groups (or whole standings) of the sources. Raises InvalidFormat."""
    comparable = tuple(key for key in ranking if key not in UNCOMPARABLE)
    return advance(standings, entry.count, best_next=entry.best_next, best_by=comparable, decided=decided)


def begin(
    format: str,
    rules: Mapping[str, Any],
    entrants: Sequence[Entrant],
    seed: int,
    *,
    qualifiers: Sequence[Qualifier] = (),
    given: Mapping[TeamId, int] | None = None,
    teams_left: int = 1,
) -> Beginning:
    """The beginning of a stage with these entries.

    `qualifiers` say where those entries come from and with which seed; `given` is the group of each team, for
    groups that are not drawn; a knockout ends when no more than `teams_left` are left.
    Raises InvalidFormat, InvalidPairingRules.
    """
    seeds: dict[TeamId, int] = {each.team: each.seed for each in qualifiers}
    seeds = seeds or {team.id: team.seed for team in entrants if team.seed is not None}
    seeded = [replace(team, seed=seeds.get(team.id)) for team in entrants]
    if format == ROUND_ROBIN:
        return _round_robin(RoundRobinRules.from_dict(rules.get("format", {})), seeded, seed, given, seeds)
    if format == KNOCKOUT:
        return _knockout(rules, seeded, seed, qualifiers, teams_left, seeds)
    return Beginning({"seed": seed}, seeds=seeds)


def _round_robin(
    rules: RoundRobinRules,
    entrants: Sequence[Entrant],
    seed: int,
    given: Mapping[TeamId, int] | None,
    seeds: Mapping[TeamId, int],
) -> Beginning:
    groups = draw_groups(entrants, rules.groups, method=rules.grouping, seed=seed, given=given)
    departments = {team.id: team.department for team in entrants} if rules.departments_first else None
    layout = round_robin_layout(groups, seed, double=rules.double, departments=departments)
    return Beginning(layout, scheduled_rounds(layout), groups, seeds)


def _knockout(
    rules: Mapping[str, Any],
    entrants: Sequence[Entrant],
    seed: int,
    qualifiers: Sequence[Qualifier],
    teams_left: int,
    seeds: Mapping[TeamId, int],
) -> Beginning:
    entry = entry_rules(rules)
    format = knockout_rules(rules.get("format", {}), is_chained=bool(qualifiers))
    if qualifiers and not entry.groups_apart:
        qualifiers = [replace(each, group=0) for each in qualifiers]
    if qualifiers and is_seeded_from_standings(format):
        bracket = knockout_from_tables(first_tables(qualifiers, seed=seed), format)
    else:
        bracket = knockout_bracket(_apart_by_groups(entrants, qualifiers), format, seed=seed)
    kept = cut_off(bracket, teams_left)
    rounds = bracket_rounds(cut_off(_whole(entrants, format, bracket), teams_left))
    return Beginning(knockout_layout(kept, seed), rounds, seeds=seeds)


def is_seeded_from_standings(format: KnockoutRules) -> bool:
    """Whether a knockout after another stage is set by the ranks there, whatever the departments."""
    is_plain = format.byes is Byes.BEST and format.played_out is not PlayedOut.FINAL_GROUP
    return format.order is BracketOrder.SEEDED and is_plain and not format.zones


def _apart_by_groups(entrants: Sequence[Entrant], qualifiers: Sequence[Qualifier]) -> list[Entrant]:
    """Where the entries come from several groups, those count as departments: no group meets itself early."""
    groups = {each.team: each.group for each in qualifiers}
    if len(set(groups.values())) < 2:
        return list(entrants)
    return [replace(team, department=groups[team.id]) for team in entrants]


def _whole(entrants: Sequence[Entrant], format: KnockoutRules, bracket: Bracket) -> Bracket:
    """The bracket with all rounds; one that is redrawn has as many as one drawn at once."""
    if format.order is not BracketOrder.REDRAWN:
        return bracket
    return knockout_bracket(entrants, replace(format, order=BracketOrder.DRAW, departments_apart=False))
