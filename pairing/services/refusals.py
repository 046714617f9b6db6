"""Why an official's act on a round is refused: each carries the facts, the pages make the words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pairing.engine.advancing import Line
from pairing.engine.types import Broken
from pairing.models import Publication
from tournaments.models import Group, Round, Stage, Team


class Refused(Exception):
    """An act that does not fit where the event stands; nothing was written."""


class DraftExists(Refused):
    """The round is drawn already, perhaps by somebody else a moment ago."""

    def __init__(self, round: Round) -> None:
        super().__init__(round.number)
        self.round = round


class EarlierRoundOpen(Refused):
    """The newest round is still being played."""

    def __init__(self, round: Round) -> None:
        super().__init__(round.number)
        self.round = round


class NoRoundsLeft(Refused):
    """All planned rounds are played; of a round robin and a knockout there can be no more."""

    def __init__(self, planned: int, *, is_fixed: bool = False) -> None:
        super().__init__(planned)
        self.planned, self.is_fixed = planned, is_fixed


class TooFewTeams(Refused):
    """Fewer than two teams are still in play: their numbers."""

    def __init__(self, active: Sequence[int]) -> None:
        super().__init__(tuple(active))
        self.active = tuple(active)


class NotADraft(Refused):
    """The round is published (or closed), so its tables stand; `publication` says since when."""

    def __init__(self, round: Round, publication: Publication | None) -> None:
        super().__init__(round.number)
        self.round = round
        self.publication = publication


class DraftGone(Refused):
    """The draft was discarded meanwhile."""


class RoundGone(Refused):
    """The page named no round, or one that exists no more."""


class StaleDraft(Refused):
    """Somebody changed the draft after it was looked at: the changes since, oldest first."""

    def __init__(self, changes: Sequence[dict[str, Any]]) -> None:
        super().__init__(len(changes))
        self.changes = tuple(changes)


class DraftOutdated(Refused):
    """The roster changed after the draw: numbers of seated teams that left, and of teams without a seat."""

    def __init__(self, gone: Sequence[int], unseated: Sequence[int]) -> None:
        super().__init__(tuple(gone), tuple(unseated))
        self.gone = tuple(gone)
        self.unseated = tuple(unseated)


class NotTwoSeats(Refused):
    """The two teams do not sit at two different places of the draft."""


class UnconfirmedWarnings(Refused):
    """The change would break rules and nobody confirmed that: what it breaks, by team numbers."""

    def __init__(self, broken: Sequence[Broken]) -> None:
        super().__init__(len(broken))
        self.broken = tuple(broken)


class TeamsNotCheckedIn(Refused):
    """These teams (their numbers) have not checked in, and nobody said what becomes of them."""

    def __init__(self, teams: Sequence[int]) -> None:
        super().__init__(tuple(teams))
        self.teams = tuple(teams)


class TableHasResult(Refused):
    """A result stands at the table already, so nobody is absent there."""

    def __init__(self, table: int) -> None:
        super().__init__(table)
        self.table = table


class NoLatePlace(Refused):
    """The late team (its number) cannot get that place: somebody else has it, or it sits already."""

    def __init__(self, team: int) -> None:
        super().__init__(team)
        self.team = team


class NotPublished(Refused):
    """The round is not being played."""

    def __init__(self, round: Round) -> None:
        super().__init__(round.number)
        self.round = round


class OpenAlready(Refused):
    """Everybody sees the round already."""

    def __init__(self, round: Round) -> None:
        super().__init__(round.number)
        self.round = round


class TablesHaveBegun(Refused):
    """Play is recorded at these tables (a result, or deals), so who sits there stands."""

    def __init__(self, tables: Sequence[int]) -> None:
        super().__init__(tuple(tables))
        self.tables = tuple(tables)


class TablesHaveResults(Refused):
    """These tables have results, so their assignment cannot be taken back."""

    def __init__(self, tables: Sequence[int]) -> None:
        super().__init__(tuple(tables))
        self.tables = tuple(tables)


class ResultsMissing(Refused):
    """These tables have no result yet."""

    def __init__(self, tables: Sequence[int]) -> None:
        super().__init__(tuple(tables))
        self.tables = tuple(tables)


class ResultsUnconfirmed(Refused):
    """These tables' results wait for their second look; the chief referee may go on with a reason."""

    def __init__(self, tables: Sequence[int]) -> None:
        super().__init__(tuple(tables))
        self.tables = tuple(tables)


class NotClosed(Refused):
    """Only a closed round can be opened again."""


class LaterRoundExists(Refused):
    """A later round was drawn from this one's results."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class ReasonMissing(Refused):
    """The act needs a reason for the log."""


class TablesFollowFormat(Refused):
    """Schedule or bracket says who meets whom: nobody swaps teams there."""


class StageNotBegun(Refused):
    """Groups, bracket or entries of the stage are not settled yet."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage.pk)
        self.stage = stage


class StageHasRounds(Refused):
    """Rounds of the stage are drawn, so its beginning stands."""


class EarlierStageOpen(Refused):
    """The entries come from stages that are not over."""

    def __init__(self, stages: Sequence[Stage]) -> None:
        super().__init__(tuple(stage.pk for stage in stages))
        self.stages = tuple(stages)


class SourceMissing(Refused):
    """The rules name a stage to take entries from that the event does not have before this one."""

    def __init__(self, keys: Sequence[str]) -> None:
        super().__init__(tuple(keys))
        self.keys = tuple(keys)


class LinesOpen(Refused):
    """Teams share the rank at the line where those who advance end: lots, an extra game or the chief."""

    def __init__(self, lines: Sequence[Line]) -> None:
        super().__init__(len(lines))
        self.lines = tuple(lines)


class NoSessions(Refused):
    """The teams have entered fewer than two sessions, or one of them none."""


class NothingToBegin(Refused):
    """A first Swiss stage needs no beginning: its first round is simply drawn."""


class SelfScheduled(Refused):
    """The teams find their own time: all rounds are published at once."""


class NotSelfScheduled(Refused):
    """The stage is played round by round in the hall."""


class MatchesFollow(Refused):
    """The round misses matches that hang on a corrected result: they are to be seated first."""

    def __init__(self, round: Round) -> None:
        super().__init__(round.number)
        self.round = round


class NothingTied(Refused):
    """No teams share a rank that lots have not settled already."""


class NotTied(Refused):
    """The order given names teams that do not share a rank, or not all that do."""

    def __init__(self, teams: Sequence[Team]) -> None:
        super().__init__(tuple(team.number for team in teams))
        self.teams = tuple(teams)


class TeamHasPlayed(Refused):
    """The team sits in a round of the stage, so its place there is its own."""


class NotReplaceable(Refused):
    """The one has no place in the stage, or the other has one already or left the event."""


class NothingFollows(Refused):
    """No match hangs on this one, so its result is simply corrected."""


class StageInUse(Refused):
    """The stage has begun, or another takes its entries from it."""


class GroupOver(Refused):
    """The group is over already."""

    def __init__(self, group: Group) -> None:
        super().__init__(group.pk)
        self.group = group


class GroupNotOver(Refused):
    """The group is still being played."""

    def __init__(self, group: Group) -> None:
        super().__init__(group.pk)
        self.group = group


class NotTheirTeam(Refused):
    """The team that is to call a group together plays in another one."""

    def __init__(self, team: Team) -> None:
        super().__init__(team.number)
        self.team = team


class NotTwoTables(Refused):
    """A match was to go to the table it sits at."""


class NoTable(Refused):
    """No match of the round sits at this table."""

    def __init__(self, table: int) -> None:
        super().__init__(table)
        self.table = table


class NoFreeTable(Refused):
    """No table is free for the matches at these broken ones."""

    def __init__(self, tables: Sequence[int]) -> None:
        super().__init__(tuple(tables))
        self.tables = tuple(tables)


class RoundClosed(Refused):
    """The round is closed: where it was played stands."""

    def __init__(self, round: Round) -> None:
        super().__init__(round.number)
        self.round = round


class TablesRunThrough(Refused):
    """Where the teams find their own time a table is only the number of a match."""


class StageGone(Refused):
    """Somebody took the stage out meanwhile."""


class StageOrder(Refused):
    """A stage would stand before one that its teams come from, or beyond the first or the last place."""


class ScreenGone(Refused):
    """Somebody removed the screen meanwhile."""


class ScreenNameTaken(Refused):
    """Another screen of the event has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class TooManyScreens(Refused):
    """The event has as many screens as it may have."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class CeremonyTooLate(Refused):
    """The clock was started or a result is in: nobody waits for the tables any more."""


class NoCeremony(Refused):
    """Nothing is being put up now."""


class PlanChanged(Refused):
    """The round that follows a corrected result is not any more as the chief saw it."""


class WayClosed(Refused):
    """The round that follows a corrected result cannot be changed in the way chosen."""
