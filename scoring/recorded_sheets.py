"""Reads: the deals of a table as they stand, from the draft or from the result that came of one."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Prefetch

from scoring.engine.results import MatchResult
from scoring.engine.table_sheet import NO_DEALS, Sheet, follow, sheet_of
from scoring.models import Result, TableSheet
from scoring.selectors import StageRules, entered_result, named_players
from tournaments.discipline import Discipline
from tournaments.lineups import seat_lineups
from tournaments.models import Match, Round, Stage


@dataclass(frozen=True)
class RecordedSheet:
    """A table's deals. Not a draft: they are those of the stored result, or there are none.

    `version` is that of the stored row, 0 where nobody ever recorded a deal.
    """

    sheet: Sheet
    version: int
    is_draft: bool
    row: TableSheet | None


def recorded_sheet(match: Match, rules: StageRules, result: Result | None) -> RecordedSheet:
    """The draft of a table, else the deals behind its `result`, else an empty sheet. One query."""
    row = TableSheet.objects.filter(match=match).select_related("updated_by").first()
    version = row.version if row else 0
    if row is not None and row.content is not None:
        return RecordedSheet(Sheet.from_dict(row.content), version, is_draft=True, row=row)
    of_result = sheet_of(entered_result(result), rules.match) if result else None
    return RecordedSheet(of_result or NO_DEALS, version, is_draft=False, row=row)


def sheet_result(match: Match, rules: StageRules) -> MatchResult | None:
    """The result that the recorded deals come to; None while something is open. One query.

    Raises InvalidResult where the rules have changed since, and the deals fit no more.
    """
    recorded = recorded_sheet(match, rules, getattr(match, "result", None))
    return follow(recorded.sheet, rules.match, tie_allowed=rules.tie_allowed).result


def sheet_match(round_: Round, table: int) -> Match | None:
    """The match at a table with names, roles, result and who entered it; None for none. Three queries."""
    players = named_players()
    matches = Match.objects.filter(round=round_, table=table, away__isnull=False)
    teams = matches.select_related("home__department", "away__department", "result__entered_by")
    match = teams.prefetch_related(
        Prefetch("home__players", players), Prefetch("away__players", players)
    ).first()
    if match is None:
        return None
    match.round = round_  # spares the query for a row that is at hand
    return seat_lineups([match])[0]


def stated_discipline(stage: Stage) -> Discipline:
    """What the event's rule sheet states about tribute and the like. One query beyond the first stage."""
    first = stage if stage.order == 1 else stage.event.stages.order_by("order").first()
    return Discipline.from_dict(first.rules.get("discipline") if first else None)
