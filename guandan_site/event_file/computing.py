"""From a document to results that count, standings and the next draw, without a database.

Results of published and completed rounds count as soon as they are entered, published matches are meetings,
a draft counts for nothing, and the next round is drawn when every earlier one is completed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from guandan_site.event_file import document as doc
from guandan_site.event_file.penalties import counted_results, rulings
from guandan_site.event_file.problems import Fault, InvalidEventFile, Problem
from guandan_site.event_file.rules import stage_rules
from scoring.engine import standings as scoring
from scoring.engine.points import complete_countable
from scoring.engine.results import InvalidResult
from scoring.engine.rules import MatchRules, ScoringRules
from scoring.knockout import RoundRules, bracket_places
from scoring.ranked import Ranked, StageFacts, ranked, withdrawal_rule
from tournaments.attendance import rounds_missed


class UnknownStage(LookupError):
    """The document has no stage with this id; without any stage `stage` is None."""

    def __init__(self, stage: str | None) -> None:
        super().__init__(stage)
        self.stage = stage


class NoSuchRound(LookupError):
    """The stage has no published round with this `number`; the last one is `last`."""

    def __init__(self, number: int, last: int) -> None:
        super().__init__(number, last)
        self.number = number
        self.last = last


@dataclass(frozen=True, slots=True)
class StageStandings:
    """The standings of a stage after a round; `incomplete` are the rounds that still miss a result."""

    stage: doc.StageEntry
    after_round: int
    rows: tuple[scoring.StandingRow, ...]
    incomplete: tuple[int, ...]
    ranked: tuple[Ranked, ...] = ()
    """The rows with the number of their group and the places they stand for."""


def find_stage(document: doc.EventDocument, stage_id: str | None) -> doc.StageEntry:
    """The stage with this id; without one, the last stage that has a round, else the first."""
    if stage_id is not None:
        found = [stage for stage in document.stages if stage.id == stage_id]
    else:
        found = [stage for stage in document.stages if stage.rounds][-1:] or list(document.stages[:1])
    if not found:
        raise UnknownStage(stage_id)
    return found[0]


# Results


def completed(document: doc.EventDocument) -> doc.EventDocument:
    """The document with levels, winner and reason of every result as the rules give them.

    Raises InvalidEventFile with every result that contradicts the rules of its stage.
    """
    whole, problems = complete_results(document)
    if problems:
        raise InvalidEventFile(problems)
    return whole


def complete_results(document: doc.EventDocument) -> tuple[doc.EventDocument, list[Problem]]:
    """The document with completed results, and the results that the rules refuse, left out as not entered."""
    problems: list[Problem] = []
    stages = [
        _complete_stage(stage, f"$.stages[{index}]", problems) for index, stage in enumerate(document.stages)
    ]
    return replace(document, stages=tuple(stages)), problems


def _complete_stage(stage: doc.StageEntry, path: str, problems: list[Problem]) -> doc.StageEntry:
    rules_of = rules_by_match(stage)
    points = stage_rules(stage.rules, stage.format).scoring
    tie_allowed = stage.format is not doc.StageFormat.KNOCKOUT
    rounds = []
    for index, played in enumerate(stage.rounds):
        matches = []
        for place, match in enumerate(played.matches):
            where = f"{path}.rounds[{index}].matches[{place}]"
            matches.append(_complete_match(match, where, rules_of(match), points, tie_allowed, problems))
        rounds.append(replace(played, matches=tuple(matches)))
    return replace(stage, rounds=tuple(rounds))


def rules_by_match(stage: doc.StageEntry) -> Callable[[doc.MatchEntry], MatchRules]:
    """The rules of each match, which a knockout may change from round to round."""
    section: Any = stage.rules.get("match", {})
    plain = stage_rules(stage.rules).match
    is_knockout = stage.format is doc.StageFormat.KNOCKOUT
    rounds = RoundRules.from_dict(_object(stage.rules.get("format")) if is_knockout else {}, section)
    places = bracket_places(stage.layout)

    def rules_of(match: doc.MatchEntry) -> MatchRules:
        place = places.get(match.key)
        changed = rounds.of(place) if place else {}
        return MatchRules.from_dict({**section, **changed}) if changed else plain

    return rules_of


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _complete_match(
    match: doc.MatchEntry,
    path: str,
    rules: MatchRules,
    points: ScoringRules,
    tie_allowed: bool,
    problems: list[Problem],
) -> doc.MatchEntry:
    if match.result is None:
        return match
    try:
        result = complete_countable(match.result.result, rules, points, tie_allowed=tie_allowed)
    except InvalidResult as error:
        place = f"{path}.result.{error.field}" if error.field else f"{path}.result"
        problems.append(
            Problem(place, Fault.INVALID_RESULT, {"code": error.code, "field": error.field, "rules": rules})
        )
        return replace(match, result=None)
    return replace(match, result=replace(match.result, result=result))


# Standings


def stage_standings(
    document: doc.EventDocument,
    stage: doc.StageEntry,
    after_round: int | None = None,
    *,
    everybody: bool = False,
) -> StageStandings:
    """The standings of a stage whose results are completed, after a round or after all that count.

    Adjustments of later rounds are left out. Whoever left without a place by the rules is missing unless
    `everybody` is wanted. Raises NoSuchRound.
    """
    last = max((played.number for played in stage.rounds if played.counts), default=0)
    number = last if after_round is None else after_round
    if not 0 <= number <= last:
        raise NoSuchRound(number, last)
    rules = stage_rules(stage.rules, stage.format)
    matches = list(_played_matches(stage, number))
    teams = document.teams_of(stage)
    places: Any = _object(stage.lots.get("places"))
    left = (team.id for team in teams if team.withdrawn_after is not None)
    facts = StageFacts(
        format=stage.format.value,
        scoring=rules.scoring,
        ranking=rules.ranking,
        entrants=_standing_entrants(stage.id, teams, [match for _, match in matches], number),
        matches=matches,
        adjustments=tuple(_adjustments(stage, number)),
        withdrawal=withdrawal_rule(stage.rules),
        left=frozenset(each for each in left if not _goes_on(document, stage, each)),
        groups={place: group.teams for place, group in enumerate(stage.groups, start=1)},
        layout=stage.layout,
        lots=places,
    )
    found = ranked(facts, everybody=everybody)
    incomplete = scoring.incomplete_rounds(match for _, match in matches)
    return StageStandings(stage, number, tuple(each.row for each in found), incomplete, found)


def _goes_on(document: doc.EventDocument, stage: doc.StageEntry, team: str) -> bool:
    return any(document.goes_on(stage, each) for each in document.teams if each.id == team)


def _standing_entrants(
    stage: str, teams: Iterable[doc.TeamEntry], matches: Iterable[scoring.PlayedMatch], last: int
) -> list[scoring.Entrant]:
    """The teams as the standings see them: a late one takes part from the first round that seats it."""
    first_rounds: dict[str | int | None, int] = {}
    for match in matches:
        for team in (match.home, match.away):
            first_rounds.setdefault(team, match.round)
    return [
        scoring.Entrant(
            id=team.id,
            number=team.number,
            department=team.department,
            withdrawn=team.withdrawn_after is not None,
            first_round=first_rounds.get(team.id, last + 1),
            absent=rounds_missed(team.absences, stage, last),
        )
        for team in teams
    ]


def _played_matches(stage: doc.StageEntry, last: int) -> Iterator[tuple[str, scoring.PlayedMatch]]:
    ruled, result_of = rulings(stage), counted_results(stage)
    for played, match in counted_matches(stage):
        if played.number <= last:
            is_zero = ruled(played.number, match).is_zero and match.result is not None
            result = result_of(played.number, match)
            yield match.key, scoring.PlayedMatch(played.number, match.home, match.away, result, is_zero)


def _adjustments(stage: doc.StageEntry, last: int) -> Iterator[scoring.Adjustment]:
    """Adjustments up to a round; those of round 1 count before it is drawn."""
    for each in stage.adjustments:
        if each.round <= max(last, 1):
            yield scoring.Adjustment(each.team, each.round, each.points)


def counted_matches(stage: doc.StageEntry) -> Iterator[tuple[doc.RoundEntry, doc.MatchEntry]]:
    """Every match of the rounds that count, in the order of the file."""
    for played in stage.rounds:
        if played.counts:
            for match in played.matches:
                yield played, match
