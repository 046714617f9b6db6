"""The next draw of a document's Swiss stage, and a stored draw made again from what it says of itself."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from guandan_site.event_file import document as doc
from guandan_site.event_file.computing import counted_matches, stage_standings
from guandan_site.event_file.rules import stage_rules
from pairing.engine.swiss import draw_round, relaxed
from pairing.engine.tables import ALL_TABLES, OtherStage, Tables, usable_tables
from pairing.engine.types import Draw, Entrant, Meeting, Method, PairingRules, Relaxation, Rule
from pairing.explained import explained_as_dict, tables_as_dict, tables_from_dict
from pairing.format_rules import RoundRobinRules
from scoring.engine.results import MatchResult, Outcome


class RoundNotCompleted(Exception):
    """The next round cannot be drawn: round `number` is still being played."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class NotDrawnRoundByRound(Exception):
    """The stage is no Swiss stage: its matches follow from its format, not from standings."""

    def __init__(self, format: doc.StageFormat) -> None:
        super().__init__(format)
        self.format = format


@dataclass(frozen=True, slots=True)
class DrawInputs:
    """All that decides the draw of one round."""

    round_number: int
    rules: PairingRules
    entrants: tuple[Entrant, ...]
    meetings: tuple[Meeting, ...]
    tables: Tables = ALL_TABLES

    def relaxed(self, relaxations: Iterable[Relaxation]) -> "DrawInputs":
        """The same with some rules softened."""
        rules = self.rules
        for relaxation in relaxations:
            rules = relaxed(rules, relaxation)
        return replace(self, rules=rules)

    def drawn(self, seed: int) -> Draw:
        """The draw. Raises NoLegalDraw, TooFewTables."""
        return draw_round(
            self.entrants,
            self.meetings,
            self.rules,
            round_number=self.round_number,
            seed=seed,
            tables=self.tables,
        )


def draw_next_round(
    document: doc.EventDocument,
    stage: doc.StageEntry,
    seed: int,
    relaxations: Sequence[Relaxation] = (),
) -> Draw:
    """The draw of the next round; a draft of it that stands in the file counts for nothing.

    Raises NoLegalDraw, RoundNotCompleted, NotDrawnRoundByRound, TooFewTables.
    """
    if stage.format is not doc.StageFormat.SWISS:
        raise NotDrawnRoundByRound(stage.format)
    inputs = draw_inputs(document, stage, next_round_number(stage))
    return replace(inputs, tables=hall_of(document, stage)).relaxed(relaxations).drawn(seed)


def hall_of(document: doc.EventDocument, stage: doc.StageEntry) -> Tables:
    """The table numbers that the stage's next round may use."""
    others = [_in_the_hall(each) for each in document.stages if each.id != stage.id and _is_live(each)]
    return usable_tables(stage.first_table, stage.last_table, document.event.broken_tables, others)


def is_self_scheduled(stage: doc.StageEntry) -> bool:
    """Whether the teams of this round robin find their own time (自约): all rounds are played at once."""
    format: Any = stage.rules.get("format", {})
    is_round_robin = stage.format is doc.StageFormat.ROUND_ROBIN
    return is_round_robin and RoundRobinRules.from_dict(format).is_self_scheduled


def _is_live(stage: doc.StageEntry) -> bool:
    """Whether the stage is being played in the hall: begun, and rounds are left or open."""
    is_closed = all(played.is_complete for played in stage.rounds)
    is_over = is_closed and len(stage.rounds) >= stage.rounds_planned
    return bool(stage.rounds) and not is_over and not is_self_scheduled(stage)


def _in_the_hall(stage: doc.StageEntry) -> OtherStage:
    still_open = (played for played in stage.rounds if not played.is_complete)
    taken = {match.table for played in still_open for match in played.matches if match.table is not None}
    return OtherStage(stage.first_table, stage.last_table, frozenset(taken))


def next_round_number(stage: doc.StageEntry) -> int:
    """The round that can be drawn now. Raises RoundNotCompleted."""
    for played in stage.rounds:
        if played.status is doc.RoundStatus.DRAFT and played is stage.rounds[-1]:
            return played.number
        if not played.is_complete:
            raise RoundNotCompleted(played.number)
    return len(stage.rounds) + 1


def draw_inputs(
    document: doc.EventDocument,
    stage: doc.StageEntry,
    number: int,
    teams: Iterable[doc.TeamEntry] | None = None,
) -> DrawInputs:
    """What round `number` is drawn from: standings, byes and meetings of the rounds before that count.

    Without `teams`, those that take part: entered by now, and not withdrawn before this round.
    """
    earlier = replace(stage, rounds=tuple(each for each in stage.rounds if each.number < number))
    places = {row.team: row for row in stage_standings(document, earlier, everybody=True).rows}
    if teams is None:
        teams = [team for team in document.teams_of(stage) if document.plays_in(stage, team, number)]
    byes = Counter(match.home for _, match in counted_matches(earlier) if match.is_bye)
    entrants = tuple(
        Entrant(
            id=team.id,
            number=team.number,
            rank=places[team.id].rank,
            department=team.department,
            byes=byes[team.id],
            fixed_table=team.fixed_table,
            seed=team.seed,
        )
        for team in teams
    )
    meetings = tuple(
        Meeting(played.number, match.home, match.away)
        for played, match in counted_matches(earlier)
        if match.away is not None
    )
    return DrawInputs(number, stage_rules(stage.rules).pairing, entrants, meetings)


def drawn_again(inputs: DrawInputs, entry: doc.DrawEntry) -> Draw:
    """The draw that a draw's record speaks of. Raises NoLegalDraw, TooFewTables."""
    rules = replace(inputs.rules, method=Method(entry.method))
    by_method = replace(inputs, rules=rules, tables=tables_from_dict(entry.tables))
    return by_method.relaxed(recorded_relaxations(entry)).drawn(entry.seed)


def recorded_relaxations(entry: doc.DrawEntry | None) -> list[Relaxation]:
    """The rules that were softened for a draw."""
    recorded = entry.relaxations if entry else ()
    return [Relaxation(Rule(each["rule"]), each["value"]) for each in recorded]


def drafted_round(
    draw: Draw, relaxations: Sequence[Relaxation] = (), tables: Tables = ALL_TABLES
) -> doc.RoundEntry:
    """A draw as a draft round of the event file, with all that is needed to draw it again."""
    explained: dict[str, Any] = explained_as_dict(draw)
    return doc.RoundEntry(
        number=draw.round_number,
        status=doc.RoundStatus.DRAFT,
        matches=_seating(draw),
        draw=doc.DrawEntry(
            seed=draw.seed,
            method=draw.method.value,
            relaxations=tuple({"rule": each.rule.value, "value": each.value} for each in relaxations),
            explained=explained,
            tables=tables_as_dict(tables),
        ),
    )


def _seating(draw: Draw) -> tuple[doc.MatchEntry, ...]:
    tables = tuple(doc.MatchEntry(str(each.home), str(each.away), each.table) for each in draw.matches)
    if draw.bye is None:
        return tables
    return (*tables, doc.MatchEntry(str(draw.bye), None, None, doc.ResultEntry(MatchResult(Outcome.BYE))))


def with_round(stage: doc.StageEntry, entry: doc.RoundEntry) -> doc.StageEntry:
    """The stage with a round put at its place: behind the earlier ones, in place of a draft."""
    return replace(stage, rounds=(*stage.rounds[: entry.number - 1], entry))
