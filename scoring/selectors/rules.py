"""Reads: the rules of a stage and of each of its matches, from the database to the engine's types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.engine.rules import DEFAULT_RANKING, MatchRules, RankingKey, ScoringRules, parse_ranking
from scoring.knockout import BracketPlace, RoundRules, bracket_places
from scoring.ranked import scoring_rules
from tournaments.models import (
    Match,
    Round,
    Stage,
    StageFormat,
)


@dataclass(frozen=True)
class StageRules:
    """The rules of a stage that decide results, points and ranks."""

    match: MatchRules
    scoring: ScoringRules
    ranking: tuple[RankingKey, ...]
    tie_allowed: bool


@dataclass(frozen=True)
class RulesByMatch:
    """The rules of a stage, which a knockout may change from round to round."""

    stage: StageRules
    rounds: RoundRules
    places: Mapping[str, BracketPlace]
    section: Mapping[str, Any]
    _read: dict[str, StageRules] = field(default_factory=dict)

    @property
    def is_uniform(self) -> bool:
        """Whether every match is played by the same rules."""
        return self.rounds.is_empty

    def of(self, match: Match) -> StageRules:
        """The rules of one match. No query."""
        place = self.places.get(match.key)
        changed = self.rounds.of(place) if place and not self.is_uniform else {}
        if not changed:
            return self.stage
        if match.key not in self._read:
            rules = MatchRules.from_dict({**self.section, **changed})
            self._read[match.key] = replace(self.stage, match=rules)
        return self._read[match.key]


def stage_rules(stage: Stage) -> StageRules:
    """The typed rules of the stage; raises InvalidRules where stored rules cannot be read. No query."""
    rules = stage.rules
    match = MatchRules.from_dict(rules.get("match", {}))
    return StageRules(
        match=match,
        scoring=scoring_rules(rules.get("scoring", {}), stage.format, start_level=match.start_level),
        ranking=parse_ranking(rules.get("ranking", DEFAULT_RANKING)),
        tie_allowed=stage.format != StageFormat.KNOCKOUT,
    )


def rules_by_match(stage: Stage) -> RulesByMatch:
    """The rules of the stage's matches; raises InvalidRules. No query."""
    section = stage.rules.get("match", {})
    is_knockout = stage.format == StageFormat.KNOCKOUT
    rounds = RoundRules.from_dict(stage.rules.get("format", {}) if is_knockout else {}, section)
    places = {} if rounds.is_empty else bracket_places(stage.layout)
    return RulesByMatch(stage_rules(stage), rounds, places, section)


def match_rules(match: Match) -> StageRules:
    """The rules by which one match is played. No query with its round and stage loaded."""
    return rules_by_match(match.round.stage).of(match)


def round_minutes(round_: Round) -> int | None:
    """Minutes of the round, those of its matches for the best places; None without a clock.

    One query at most.
    """
    rules = rules_by_match(round_.stage)
    keys = () if rules.is_uniform else round_.matches.exclude(key="").values_list("key", flat=True)
    places = [rules.places[key] for key in keys if key in rules.places]
    if not places:
        return rules.stage.match.minutes
    main = min(places, key=lambda place: place.span)
    return rules.of(Match(key=main.key)).match.minutes
