"""单位排名 of an event: departments by the points of their best teams, from the standings of one stage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.engine.departments import (
    DecidedBy,
    DepartmentRow,
    DepartmentRules,
    TeamPlace,
    department_ranking,
)
from scoring.selectors import Standings, TeamStanding, stage_standings
from tournaments.models import Audience, Department, Event, Stage

SECTION = "departments"
"""Where a stage's rules say how many teams of a department count."""


@dataclass(frozen=True)
class DepartmentStanding:
    """One department with the engine's row: `counted` make its points, `others` do not, the best first."""

    department: Department
    row: DepartmentRow
    counted: tuple[TeamStanding, ...]
    others: tuple[TeamStanding, ...]
    why: str

    @property
    def has_rank(self) -> bool:
        """Whether it has enough teams."""
        return self.row.rank is not None


@dataclass(frozen=True)
class DepartmentStandings:
    """The departments of an event, best first, those without a rank at the end."""

    standings: Standings
    rules: DepartmentRules
    rows: tuple[DepartmentStanding, ...]

    @property
    def stage(self) -> Stage:
        """The stage whose points count."""
        return self.standings.stage


def department_rules(stage: Stage) -> DepartmentRules:
    """How many teams of a department count in the stage. Raises InvalidRules. No query."""
    return DepartmentRules.from_dict(stage.rules.get(SECTION, {}))


def department_standings(event: Event, audience: Audience = Audience.EVERYBODY) -> DepartmentStandings | None:
    """The ranking of the event's departments now; None for an event without stages.

    The points are those of the last stage whose rules have a section `departments`, else of the first, where
    everybody plays. Teams without a department, and those without a place by the rule for withdrawals, do not
    count. One query beside those of `stage_standings`. Raises InvalidRules.
    """
    stage = _stage(event)
    if stage is None:
        return None
    standings, rules = stage_standings(stage, audience=audience), department_rules(stage)
    ranking = department_ranking(_places(standings), rules)
    rows = {row.team.pk: row for row in standings.rows}
    above = (None, *ranking)
    found = tuple(_row(row, rows, upper) for row, upper in zip(ranking, above, strict=False))
    return DepartmentStandings(standings, rules, found)


def _stage(event: Event) -> Stage | None:
    stages = list(event.stages.order_by("order"))
    stating = [stage for stage in stages if SECTION in stage.rules]
    found = stating[-1] if stating else next(iter(stages), None)
    if found is not None:
        found.event = event
    return found


def _places(standings: Standings) -> Iterator[TeamPlace]:
    for row in standings.rows:
        if row.team.department_id is not None:
            yield TeamPlace(row.team.pk, row.team.number, row.team.department_id, row.points, row.rank)


def _row(
    row: DepartmentRow, rows: dict[int, TeamStanding], above: DepartmentRow | None
) -> DepartmentStanding:
    counted = tuple(rows[int(place.team)] for place in row.counted)
    others = tuple(rows[int(place.team)] for place in row.others)
    department = counted[0].team.department
    assert department is not None  # noqa: S101 - only teams of a department have a place
    return DepartmentStanding(department, row, counted, others, _why(row, above))


def _why(row: DepartmentRow, above: DepartmentRow | None) -> str:
    """Why it stands below the one above it; empty on the first and for a shared rank."""
    if row.missing:
        return _("%(missing)d teams too few for a rank") % {"missing": row.missing}
    if above is None or row.decided_by is None:
        return ""
    if row.decided_by is DecidedBy.POINTS:
        return _("%(number)d points fewer") % {"number": above.points - row.points}
    return _("equal on points; sum of ranks %(own)d to %(above)d") % {"own": row.ranks, "above": above.ranks}
