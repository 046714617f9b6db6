"""Reads, from rows of the database to the engine's types: rules, results, rounds, standings."""

from scoring.selectors.results import entered_result
from scoring.selectors.rounds import (
    COUNTING,
    counting_rounds,
    group_in_play,
    group_matches,
    group_of,
    named_players,
    newest_round,
    public_round,
    round_matches,
    stage_teams,
    team_adjustments,
    team_matches,
    with_names,
)
from scoring.selectors.rules import (
    RulesByMatch,
    StageRules,
    match_rules,
    round_minutes,
    rules_by_match,
    stage_rules,
)
from scoring.selectors.standings import OpenRound, Standings, TeamStanding, stage_standings

__all__ = [
    "COUNTING",
    "OpenRound",
    "RulesByMatch",
    "StageRules",
    "Standings",
    "TeamStanding",
    "counting_rounds",
    "entered_result",
    "group_in_play",
    "group_matches",
    "group_of",
    "match_rules",
    "named_players",
    "newest_round",
    "public_round",
    "round_matches",
    "round_minutes",
    "rules_by_match",
    "stage_rules",
    "stage_standings",
    "stage_teams",
    "team_adjustments",
    "team_matches",
    "with_names",
]
