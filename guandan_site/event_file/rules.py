"""The `rules` of a stage, read by the engines that follow them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from guandan_site.event_file.problems import Fault, Problem
from guandan_site.event_file.reading import join
from pairing.engine.types import InvalidPairingRules, PairingRules
from pairing.format_rules import EntryRules, RoundRobinRules, knockout_rules
from scoring.engine.confirmation import ConfirmationRules
from scoring.engine.departments import DepartmentRules
from scoring.engine.rules import (
    DEFAULT_RANKING,
    InvalidRules,
    MatchRules,
    RankingKey,
    RulesCode,
    ScoringRules,
    parse_ranking,
)
from scoring.knockout import RoundRules
from scoring.ranked import scoring_rules, withdrawal_rule

Section = TypeVar("Section")


@dataclass(frozen=True, slots=True)
class StageRules:
    """What a stage is drawn, played, scored and ranked by."""

    pairing: PairingRules
    match: MatchRules
    scoring: ScoringRules
    ranking: tuple[RankingKey, ...]


def stage_rules(rules: Mapping[str, Any], format: str = "swiss") -> StageRules:
    """The rules of a stage that was read before; raises the engines' errors for any other mapping."""
    match = MatchRules.from_dict(rules.get("match", {}))
    return StageRules(
        PairingRules.from_dict(rules.get("pairing", {})),
        match,
        scoring_rules(rules.get("scoring", {}), format, start_level=match.start_level),
        parse_ranking(rules.get("ranking", DEFAULT_RANKING)),
    )


def rule_problems(rules: Mapping[str, Any], path: str, teams: set[str], format: str) -> list[Problem]:
    """What the engines cannot read in `rules`, the first fault of each section, and unknown teams."""
    readers: dict[str, Callable[[Any], object]] = {
        "format": lambda given: _read_format(given, format, rules.get("match", {})),
        "entry": EntryRules.from_dict,
        "withdrawal": lambda given: withdrawal_rule({"withdrawal": given}),
        "pairing": lambda given: _known_teams(PairingRules.from_dict(given), teams),
        "match": MatchRules.from_dict,
        "scoring": ScoringRules.from_dict,
        "ranking": parse_ranking,
        "departments": DepartmentRules.from_dict,
        "confirmation": ConfirmationRules.from_dict,
    }
    found = (_problem(read, rules[name], path, name) for name, read in readers.items() if name in rules)
    return [problem for problem in found if problem is not None]


def _problem(read: Callable[[Any], object], given: object, path: str, section: str) -> Problem | None:
    try:
        read(given)
    except (InvalidRules, InvalidPairingRules) as error:
        inner = error.path.removeprefix(section)
        place = join(path, section) + (inner if inner.startswith("[") or not inner else f".{inner}")
        return Problem(place, Fault.INVALID_RULE, {"code": str(error.code), "value": error.value})
    return None


def _read_format(given: Any, format: str, match: Any) -> None:
    if not isinstance(given, Mapping):
        raise InvalidRules("", RulesCode.NOT_A_MAPPING, given)
    if format == "round_robin":
        RoundRobinRules.from_dict(given)
    elif format == "knockout":
        knockout_rules(given)
        RoundRules.from_dict(given, match if isinstance(match, Mapping) else {})


def _known_teams(rules: PairingRules, teams: set[str]) -> None:
    for name, couples in (("forced", rules.forced), ("forbidden", rules.forbidden)):
        for index, couple in enumerate(couples):
            for place, team in enumerate(couple):
                if team not in teams:
                    raise InvalidPairingRules(f"{name}[{index}][{place}]", "unknown_team", team)
