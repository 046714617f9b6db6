"""判罚 in an event file: read, and what they make of each match."""

from collections import defaultdict
from collections.abc import Callable, Iterator

from guandan_site.event_file import document as doc
from guandan_site.event_file import limits
from guandan_site.event_file.findings import Breach, Finding, finding
from guandan_site.event_file.parsing_rounds import moment, reference
from guandan_site.event_file.reading import Fields
from scoring.engine.penalties import (
    MATCH_ACTIONS,
    MOST_LEVELS,
    PenaltyAction,
    PenaltyRule,
    Ruling,
    counted,
    ruling_of,
)
from scoring.engine.results import MatchResult

Rulings = Callable[[int, doc.MatchEntry], Ruling]


def read_penalty(fields: Fields, members: set[str], known: set[str]) -> doc.PenaltyEntry:
    """One penalty of the stage."""
    action = fields.choice("action", PenaltyAction)
    most = limits.MOST_POINTS if action is PenaltyAction.POINTS else MOST_LEVELS
    return doc.PenaltyEntry(
        team=reference(fields, "team", members, known),
        round=fields.whole("round", least=1, most=limits.MOST_ROUNDS),
        rule=fields.choice("rule", PenaltyRule, PenaltyRule.OTHER),
        action=action,
        amount=fields.whole("amount", 0, least=-most, most=most),
        minutes=fields.optional_whole("minutes", least=1, most=limits.MOST_ROUNDS),
        reason=fields.text("reason", longest=limits.LONGEST_REASON, blank=True),
        by=fields.text("by", "", longest=limits.LONGEST_OFFICIAL, blank=True),
        at=moment(fields, "at"),
        cancelled=_cancelled(fields),
        extra=fields.extra(),
    )


def _cancelled(fields: Fields) -> doc.Cancelled | None:
    if fields.raw("cancelled", None) is None:
        return None
    given = fields.member("cancelled")
    return doc.Cancelled(
        at=moment(given, "at"),
        by=given.text("by", "", longest=limits.LONGEST_OFFICIAL, blank=True),
        reason=given.text("reason", "", longest=limits.LONGEST_REASON, blank=True),
        extra=given.extra(),
    )


def read_appeal(fields: Fields, members: set[str], known: set[str]) -> doc.AppealEntry:
    """One appeal of the stage; `penalty` counts the stage's penalties from 1."""
    return doc.AppealEntry(
        team=reference(fields, "team", members, known),
        round=fields.whole("round", least=1, most=limits.MOST_ROUNDS),
        text=fields.text("text", longest=limits.LONGEST_REMARK, blank=True),
        penalty=fields.optional_whole("penalty", least=1, most=limits.MOST_TEAM_NUMBER),
        received_at=moment(fields, "received_at"),
        received_by=fields.text("received_by", "", longest=limits.LONGEST_OFFICIAL, blank=True),
        deadline=moment(fields, "deadline"),
        outcome=fields.choice("outcome", doc.AppealOutcome, doc.AppealOutcome.OPEN),
        answer=fields.text("answer", "", longest=limits.LONGEST_REMARK, blank=True),
        decided_at=moment(fields, "decided_at"),
        decided_by=fields.text("decided_by", "", longest=limits.LONGEST_OFFICIAL, blank=True),
        extra=fields.extra(),
    )


def rulings(stage: doc.StageEntry) -> Rulings:
    """What the penalties that stand make of a match, by its round's number."""
    by_seat: dict[tuple[int, str], list[tuple[PenaltyAction, int]]] = defaultdict(list)
    for each in stage.penalties:
        if each.cancelled is None:
            by_seat[each.round, each.team].append((each.action, each.amount))

    def of(number: int, match: doc.MatchEntry) -> Ruling:
        if match.away is None or not by_seat:
            return Ruling()
        return ruling_of(by_seat.get((number, match.home), ()), by_seat.get((number, match.away), ()))

    return of


def counted_results(stage: doc.StageEntry) -> Callable[[int, doc.MatchEntry], MatchResult | None]:
    """The result of a match as it counts, by its round's number; None until one is entered."""
    ruled, tie_allowed = rulings(stage), stage.format is not doc.StageFormat.KNOCKOUT

    def of(number: int, match: doc.MatchEntry) -> MatchResult | None:
        if match.result is None:
            return None
        return counted(match.result.result, ruled(number, match), tie_allowed=tie_allowed)

    return of


def check_penalties(document: doc.EventDocument, stage: doc.StageEntry, path: str) -> Iterator[Finding]:
    """Penalties that stand have the match, the points or the withdrawal that they speak of."""
    numbers = {team.id: team.number for team in document.teams_of(stage)}
    gone = {team.id for team in document.teams_of(stage) if team.withdrawn_after is not None}
    seated = {
        (played.number, team)
        for played in stage.rounds
        if played.counts
        for match in played.matches
        if match.away is not None
        for team in match.teams
    }
    given = [(each.team, each.round, each.points) for each in stage.adjustments]
    for index, each in enumerate(stage.penalties):
        place, about = f"{path}.penalties[{index}]", {"team": numbers[each.team], "round": each.round}
        if each.cancelled is not None:
            continue
        if each.action in MATCH_ACTIONS and (each.round, each.team) not in seated:
            yield finding(place, Breach.PENALTY_WITHOUT_MATCH, **about)
        if each.action is PenaltyAction.POINTS:
            points = (each.team, each.round, each.amount)
            if points in given:
                given.remove(points)
            else:
                yield finding(place, Breach.PENALTY_WITHOUT_POINTS, **about)
        if each.action is PenaltyAction.DISQUALIFIED and each.team not in gone:
            yield finding(place, Breach.DISQUALIFIED_IN_PLAY, **about)
