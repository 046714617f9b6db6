"""Final places: of a stage of any format, and of an event over all its stages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pairing.beginnings import entry_rules
from scoring.selectors import TeamStanding, stage_standings
from tournaments.models import Audience, Event, Stage, StageFormat, Team
from tournaments.selectors.stages import seen_by, session_of


@dataclass(frozen=True)
class FinalPlace:
    """A team's place: `first` to `last`, which differ where it is shared (并列) or still played for."""

    team: Team
    first: int
    last: int
    stage: Stage

    @property
    def is_shared(self) -> bool:
        """Whether others have the same place."""
        return self.last > self.first


def stage_places(stage: Stage) -> list[FinalPlace]:
    """The places of a stage, best first; equal ranks of several groups share theirs. Some queries."""
    standings = stage_standings(stage)
    rows = sorted(standings.rows, key=_place)
    found: list[FinalPlace] = []
    for _, together in groupby(rows, key=_place):
        found += _shared(stage, [row.team for row in together], len(found))
    if standings.is_by_places:
        spans = {row.team.pk: (row.rank, row.last_rank) for row in rows}
        return [replace(each, first=spans[each.team.pk][0], last=spans[each.team.pk][1]) for each in found]
    return found


def _place(row: TeamStanding) -> tuple[int, int]:
    return row.rank, row.last_rank if row.group is None else 0


def _shared(stage: Stage, teams: Sequence[Team], before: int) -> Iterator[FinalPlace]:
    for team in sorted(teams, key=lambda team: team.number):
        yield FinalPlace(team, before + 1, before + len(teams), stage)


def event_ranking(event: Event) -> list[FinalPlace]:
    """The final ranking: the places of the last stage, then those who went out before, stage by stage.

    Stages that feed the same later one stand side by side: their second places share theirs. Stages that
    have not begun count for nothing. Some queries a stage.
    """
    found: list[FinalPlace] = []
    for stages in _tiers(event):
        placed = {place.team.pk for place in found}
        rest = [place for stage in stages for place in stage_places(stage) if place.team.pk not in placed]
        found += _behind(rest, len(found), is_alone=len(stages) == 1)
    return found


def _tiers(event: Event) -> list[list[Stage]]:
    """Stages that have begun, the last first; side by side those that feed one later stage, and sessions."""
    begun = event.stages.filter(seen_by(Audience.EVERYBODY, "rounds")).distinct().order_by("order")
    waiting = {stage.key: stage for stage in begun}
    tiers: list[list[Stage]] = []
    while waiting:
        last = list(waiting.values())[-1]
        beside = [waiting[key] for key in _beside(last, tiers, waiting) if key in waiting] or [last]
        tiers.append(beside)
        for stage in beside:
            del waiting[stage.key]
    return tiers


def _beside(stage: Stage, tiers: Iterable[Sequence[Stage]], waiting: Mapping[str, Stage]) -> tuple[str, ...]:
    for tier in tiers:
        for later in tier:
            sources = entry_rules(later.rules).sources
            if stage.key in sources:
                return sources
    if session_of(stage):
        return tuple(key for key, other in waiting.items() if session_of(other))
    return (stage.key,)


def _behind(places: Sequence[FinalPlace], before: int, *, is_alone: bool) -> Iterator[FinalPlace]:
    """The places counted on behind those before; equal places of stages side by side are shared."""
    if is_alone and before == 0 and places and places[0].stage.format == StageFormat.KNOCKOUT:
        yield from places
        return
    ordered = sorted(places, key=lambda place: (place.first, place.last, place.team.number))
    for _, together in groupby(ordered, key=lambda place: (place.first, place.last)):
        teams = list(together)
        for place in teams:
            yield replace(place, first=before + 1, last=before + len(teams))
        before += len(teams)
