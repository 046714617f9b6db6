"""出线之后: where the entries of a stage that has begun differ from what the standings say by now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pairing.engine.formats import InvalidFormat
from pairing.layouts import LEFT, first_team
from pairing.selectors.stages import advancement
from scoring.cut_notes import AFTER_CUT
from scoring.cuts import begun_from
from tournaments.models import Stage, StageEntry, Team


@dataclass(frozen=True)
class SeedChange:
    """A seed that another team would have now; None where nobody had it, or nobody would."""

    seed: int
    entered: Team | None
    due: Team | None


@dataclass(frozen=True)
class CutDifference:
    """What a later stage's entries would be by the standings as they are now; its seeds stay frozen.

    `is_open`: who advances would not even be settled, because teams are tied at the line now.
    """

    stage: Stage
    changes: tuple[SeedChange, ...] = ()
    is_open: bool = False

    @property
    def is_any(self) -> bool:
        """Whether anything differs."""
        return self.is_open or bool(self.changes)

    @property
    def out(self) -> list[Team]:
        """Who entered and would not advance now, by seed."""
        due = {change.due for change in self.changes}
        return [each.entered for each in self.changes if each.entered and each.entered not in due]

    @property
    def into(self) -> list[Team]:
        """Who would advance now and did not enter, by seed."""
        entered = {change.entered for change in self.changes}
        return [each.due for each in self.changes if each.due and each.due not in entered]


def cut_differences(stage: Stage) -> list[CutDifference]:
    """Of every later stage that has begun with entries from this one; some queries a stage."""
    return [cut_difference(later) for later in begun_from(stage)]


def cut_difference(later: Stage) -> CutDifference:
    """Of one stage that has begun. Some queries."""
    entries = StageEntry.objects.filter(stage=later, seed__isnull=False).select_related("team")
    try:
        found = advancement(later, left=frozenset(later.layout.get(LEFT, ())))
    except InvalidFormat:
        return CutDifference(later, is_open=True)
    if not found.is_complete:
        return CutDifference(later, is_open=True)
    due = {each.seed: str(each.team) for each in found.qualifiers}
    frozen = {each.seed or 0: _stands_for(later, each.team.key, due) for each in entries}
    return _compared(later, frozen, due)


def _stands_for(later: Stage, team: str, due: Mapping[int, str]) -> str:
    """Who counts in a seed: a team that advances by now, else the one that the entry was made for."""
    return team if team in due.values() else first_team(later.layout, team)


def _compared(later: Stage, frozen: Mapping[int, str], due: Mapping[int, str]) -> CutDifference:
    seeds = [seed for seed in sorted({*frozen, *due}) if frozen.get(seed) != due.get(seed)]
    if not seeds:
        return CutDifference(later)
    keys = {each.get(seed, "") for each in (frozen, due) for seed in seeds}
    teams = {team.key: team for team in Team.objects.filter(event=later.event_id, key__in=keys)}
    changes = (
        SeedChange(seed, teams.get(frozen.get(seed, "")), teams.get(due.get(seed, ""))) for seed in seeds
    )
    return CutDifference(later, tuple(changes))


def corrected_since(later: Stage) -> CutDifference | None:
    """The difference, where something was corrected after the cut; None, and no query, where nothing was."""
    if not later.layout.get(AFTER_CUT):
        return None
    return cut_difference(later)
