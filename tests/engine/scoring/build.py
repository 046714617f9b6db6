"""Short ways to write results, matches and standings in a test."""

from __future__ import annotations

from typing import Any

from scoring.engine.outcomes import InvalidResult
from scoring.engine.results import MatchResult, complete_result
from scoring.engine.rules import DEFAULT_RANKING, MatchRules, ScoringRules, StrikeRules, parse_ranking
from scoring.engine.standings import Entrant, PlayedMatch, StandingRow, standings


def rules(**settings: Any) -> MatchRules:
    """Match rules from the fields of the event file."""
    return MatchRules.from_dict(settings)


def strikes(**settings: Any) -> StrikeRules:
    return StrikeRules.from_dict(settings)


def scoring(**settings: Any) -> ScoringRules:
    return ScoringRules.from_dict(settings)


def played(home: int | None = None, away: int | None = None, **more: Any) -> MatchResult:
    """A played result as it is entered."""
    return MatchResult.from_dict({"outcome": "played", "home_level": home, "away_level": away, **more})


def completed(home: int, away: int, match_rules: MatchRules | None = None, **more: Any) -> MatchResult:
    return complete_result(played(home, away, **more), match_rules or MatchRules())


def refusal(result: MatchResult, match_rules: MatchRules | None = None, **options: Any) -> tuple[str, str]:
    """Code and field of the refusal of a result; fails when it is accepted."""
    try:
        accepted = complete_result(result, match_rules or MatchRules(), **options)
    except InvalidResult as error:
        return error.code.value, error.field
    raise AssertionError(f"accepted as {accepted}")


def match(number: int, home: int, away: int | None, what: tuple[int, int] | str | None) -> PlayedMatch:
    """`what`: two levels, the outcome of a match that was not played, or None while nothing is entered."""
    if what is None:
        return PlayedMatch(number, home, away, None)
    if isinstance(what, str):
        return PlayedMatch(
            number, home, away, complete_result(MatchResult.from_dict({"outcome": what}), MatchRules())
        )
    return PlayedMatch(number, home, away, completed(*what))


def table(teams: int, matches: list[PlayedMatch], *keys: str, **more: Any) -> tuple[StandingRow, ...]:
    """Standings of teams 1…n under the named keys."""
    ranking = parse_ranking(keys) if keys else DEFAULT_RANKING
    settings = more.pop("scoring", ScoringRules())
    entrants = [Entrant(number, number) for number in range(1, teams + 1)]
    return standings(entrants, matches, scoring=settings, ranking=ranking, **more)


def order(rows: tuple[StandingRow, ...]) -> list[int]:
    return [row.team for row in rows]


def ranks(rows: tuple[StandingRow, ...]) -> list[int]:
    return [row.rank for row in rows]


def deciders(rows: tuple[StandingRow, ...]) -> list[str | None]:
    return [row.decided_by and row.decided_by.value for row in rows]


def values(rows: tuple[StandingRow, ...], key: str) -> dict[int, Any]:
    return {row.team: row.keys[key] for row in rows}
