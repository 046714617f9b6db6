"""Does an event keep its own rules? Every draw and every result of a document, derived again.

A finding is a fact about the file. A rule softened for a round and recorded in its draw is kept when it is
kept in its softened form.
"""

from collections.abc import Iterator

from guandan_site.event_file import document as doc
from guandan_site.event_file.checking_beginnings import check_beginning, check_sections
from guandan_site.event_file.checking_draws import check_round
from guandan_site.event_file.checking_entries import check_entries
from guandan_site.event_file.checking_formats import check_format, check_format_round
from guandan_site.event_file.computing import complete_results
from guandan_site.event_file.drawing import is_self_scheduled
from guandan_site.event_file.findings import Breach, Finding, finding, places
from guandan_site.event_file.penalties import check_penalties
from guandan_site.event_file.problems import Problem
from scoring.engine.results import ResultCode

RESULT_RULES = {
    ResultCode.LEVEL_OUT_OF_RANGE: "levels",
    ResultCode.LEVELS_DISAGREE: "levels",
    ResultCode.BOTH_PASSED: "levels",
    ResultCode.WINNER_DISAGREES: "winner",
    ResultCode.REASON_DISAGREES: "winner",
    ResultCode.TIE_NOT_ALLOWED: "winner",
    ResultCode.FACT_MISSING: "winner",
    ResultCode.FACT_DISAGREES: "winner",
}


def check_event(document: doc.EventDocument) -> list[Finding]:
    """Every finding of a document that was read, stage by stage and round by round."""
    whole, problems = complete_results(document)
    findings = [_result_finding(problem) for problem in problems]
    refused = {problem.path.partition(".result")[0] for problem in problems}
    for index, stage in enumerate(whole.stages):
        findings += _check_stage(whole, stage, f"$.stages[{index}]", refused)
    findings += check_sections(whole)
    findings += check_entries(whole)
    return findings


def _result_finding(problem: Problem) -> Finding:
    rule = RESULT_RULES.get(ResultCode(str(problem.values["code"])), "result")
    return Finding(problem.path, rule, Breach.INVALID_RESULT, problem.values)


def _check_stage(
    document: doc.EventDocument, stage: doc.StageEntry, path: str, refused: set[str]
) -> Iterator[Finding]:
    is_swiss = stage.format is doc.StageFormat.SWISS
    if not is_swiss:
        yield from check_format(document, stage, path)
    yield from check_beginning(document, stage, path)
    yield from _check_groups_over(stage, path)
    yield from check_penalties(document, stage, path)
    check = check_round if is_swiss else check_format_round
    for index, played in enumerate(stage.rounds):
        place = f"{path}.rounds[{index}]"
        yield from _check_status(stage, played, place, refused)
        yield from check(document, stage, played, place)


def _check_groups_over(stage: doc.StageEntry, path: str) -> Iterator[Finding]:
    """A group that was ended has all its results."""
    over = {number for number, group in enumerate(stage.groups, start=1) if group.finished_at}
    for index, played in enumerate(stage.rounds):
        for place, match in places(played, f"{path}.rounds[{index}]"):
            is_open = played.counts and not match.is_bye and match.result is None
            if is_open and match.group in over and not played.is_complete:
                yield finding(f"{place}.result", Breach.GROUP_UNFINISHED)


def _check_status(
    stage: doc.StageEntry, played: doc.RoundEntry, path: str, refused: set[str]
) -> Iterator[Finding]:
    is_one_after_another = not is_self_scheduled(stage)
    if is_one_after_another and any(not each.is_complete for each in stage.rounds[: played.number - 1]):
        yield finding(f"{path}.status", Breach.EARLIER_ROUND_OPEN, round=played.number)
    for place, match in places(played, path):
        is_entered = match.result is not None or place in refused
        if played.is_complete and not is_entered:
            yield finding(f"{place}.result", Breach.RESULT_MISSING, table=match.table)
        if not played.counts and not match.is_bye and is_entered:
            yield finding(f"{place}.result", Breach.RESULT_IN_DRAFT, table=match.table)
