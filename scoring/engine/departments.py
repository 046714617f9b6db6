"""单位排名: the departments ranked by the points of their best teams."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Any

from scoring.engine.reading import Fields
from scoring.engine.tallies import TeamId

DepartmentId = Hashable
_BIGGEST = 1_000


@dataclass(frozen=True, slots=True)
class DepartmentRules:
    """`rules.departments`: the best `best` teams count; below `minimum` teams a department has no rank."""

    best: int = 3
    minimum: int = 1

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> "DepartmentRules":
        """Reads the section of the event file; what is left out has its default. Raises InvalidRules."""
        fields = Fields(mapping)
        return cls(
            best=fields.integer("best", 3, 1, _BIGGEST), minimum=fields.integer("minimum", 1, 1, _BIGGEST)
        )

    def as_dict(self) -> dict[str, int]:
        """The section of the event file, complete."""
        return {"best": self.best, "minimum": self.minimum}


class DecidedBy(StrEnum):
    """What set a department below the one above it."""

    POINTS = "points"
    RANKS = "ranks"


@dataclass(frozen=True, slots=True)
class TeamPlace:
    """What one team brings to its department: its points and its rank in the standings."""

    team: TeamId
    number: int
    department: DepartmentId
    points: int
    rank: int


@dataclass(frozen=True, slots=True)
class DepartmentRow:
    """One department's place: `counted` are the teams that make its points, the best first.

    `rank` is None with fewer teams than the minimum; `missing` says how many it lacks. `decided_by` is None
    on the first row, below a department of the same rank and without a rank.
    """

    rank: int | None
    is_shared: bool
    department: DepartmentId
    points: int
    ranks: int
    counted: tuple[TeamPlace, ...]
    others: tuple[TeamPlace, ...]
    missing: int
    decided_by: DecidedBy | None


def department_ranking(places: Iterable[TeamPlace], rules: DepartmentRules) -> tuple[DepartmentRow, ...]:
    """The departments, best first, then those without a rank.

    A department has the sum of the points of its best teams (of all it has, if they are fewer). Departments
    equal on points are ordered by the sum of these teams' ranks, the lower first; still equal they share a
    rank (1, 2, 2, 4) and stand by their lowest team number.
    """
    teams: dict[DepartmentId, list[TeamPlace]] = {}
    for place in sorted(places, key=_best_first):
        teams.setdefault(place.department, []).append(place)
    rows = [_row(found, rules) for found in teams.values()]
    ranked = sorted((row for row in rows if not row.missing), key=_order)
    unranked = sorted((row for row in rows if row.missing), key=_order)
    return (*_with_ranks(ranked), *unranked)


def _best_first(place: TeamPlace) -> tuple[int, int, int]:
    return -place.points, place.rank, place.number


def _row(teams: Sequence[TeamPlace], rules: DepartmentRules) -> DepartmentRow:
    counted = tuple(teams[: rules.best])
    return DepartmentRow(
        rank=None,
        is_shared=False,
        department=teams[0].department,
        points=sum(place.points for place in counted),
        ranks=sum(place.rank for place in counted),
        counted=counted,
        others=tuple(teams[rules.best :]),
        missing=max(0, rules.minimum - len(teams)),
        decided_by=None,
    )


def _merit(row: DepartmentRow) -> tuple[int, int]:
    return -row.points, row.ranks


def _order(row: DepartmentRow) -> tuple[int, int, int]:
    return *_merit(row), min(place.number for place in (*row.counted, *row.others))


def _with_ranks(rows: Sequence[DepartmentRow]) -> list[DepartmentRow]:
    """The rows with their ranks; they come in order."""
    done: list[DepartmentRow] = []
    for _, equal in groupby(rows, key=_merit):
        sharing = list(equal)
        rank, above = len(done) + 1, done[-1] if done else None
        for place, row in enumerate(sharing):
            decided_by = None if place or above is None else _decided(above, row)
            done.append(replace(row, rank=rank, is_shared=len(sharing) > 1, decided_by=decided_by))
    return done


def _decided(above: DepartmentRow, row: DepartmentRow) -> DecidedBy:
    return DecidedBy.POINTS if row.points < above.points else DecidedBy.RANKS
