"""The cross-tables (循环表) of a round robin as everybody may see them: published rounds, their results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from pairing.engine.formats import InvalidFormat
from pairing.selectors.groups import GroupState, group_states
from pairing.selectors.stages import advancement, follower, is_over
from scoring.engine.match_result import MatchResult
from scoring.engine.results import Outcome, Side, Winner
from scoring.ranked import Withdrawal, withdrawal_rule
from scoring.rulings import counted_result, match_ruling, points_counted, ruling_words
from scoring.selectors import (
    StageRules,
    Standings,
    TeamStanding,
    entered_result,
    named_players,
    stage_rules,
    stage_standings,
)
from tournaments.models import Audience, Group, Match, Stage, StageEntry, Team
from tournaments.selectors.stages import seen_by


@dataclass(frozen=True)
class Meeting:
    """A match from the side of one team: `result` None while it is being played, then also without points.

    Levels are own and opponent's, one couple a game; None where nothing was played. `is_won` is None for a
    tie and where nobody won.
    """

    round: int
    table: int | None
    result: MatchResult | None
    levels: tuple[tuple[int | None, int | None], ...]
    points: int | None
    is_won: bool | None
    is_unconfirmed: bool = False
    """Whether the result waits for its second look."""
    ruling: str = ""
    """The penalties that count beside the levels, in words."""

    @property
    def is_forfeited(self) -> bool:
        """Whether this team did not come, or both did not."""
        is_decided_unplayed = self.result is not None and self.result.outcome in _FORFEITS
        return is_decided_unplayed and not self.is_won

    @property
    def is_irregular(self) -> bool:
        """Whether the match counts for nobody."""
        return self.result is not None and self.result.outcome is Outcome.IRREGULAR


_FORFEITS = {Outcome.FORFEIT_HOME, Outcome.FORFEIT_AWAY, Outcome.DOUBLE_FORFEIT}


@dataclass(frozen=True)
class CrossRow:
    """A team's line: its meetings by opponent in order of the columns, and the rounds in which it was free.

    `standing` is None for a team without a place. `advances` is true once that is settled. The results of a
    team that left do not count where they `are_annulled`.
    """

    team: Team
    standing: TeamStanding | None
    meetings: tuple[tuple[Meeting, ...], ...]
    free: tuple[int, ...]
    advances: bool
    are_annulled: bool


@dataclass(frozen=True)
class CrossTable:
    """Who met whom in one group; `group` is None where the stage has no groups.

    `own_time` says who calls the group together and until when, where it finds its own time.
    """

    group: Group | None
    rows: tuple[CrossRow, ...]
    own_time: GroupState | None = None

    @property
    def by_rank(self) -> list[CrossRow]:
        """The rows with a place, best first."""
        placed = [row for row in self.rows if row.standing is not None]
        return sorted(placed, key=lambda row: (row.standing.rank if row.standing else 0, row.team.number))


@dataclass(frozen=True)
class CrossTables:
    """The groups of a stage. `taken` is how many of each advance to stage `into`; 0 where nobody does.

    `best_next` more advance from those next in all groups.
    """

    stage: Stage
    tables: tuple[CrossTable, ...]
    standings: Standings
    taken: int = 0
    best_next: int = 0
    into: Stage | None = None


def cross_tables(stage: Stage, audience: Audience = Audience.EVERYBODY) -> CrossTables | None:
    """The cross-tables once the audience knows of a round; None before, whether groups are drawn or not.

    Nine queries, whatever the size: the standings' six, the matches, the stage that follows; teams of groups
    and their players two more; once the stage is over those for who advances; three where groups find their
    own time.
    """
    standings = stage_standings(stage, audience=audience)
    if not standings.rounds:
        return None
    matches = Match.objects.filter(seen_by(audience, "round"), round__stage=stage)
    own_time: dict[Group | None, GroupState] = {state.group: state for state in group_states(stage)}
    meetings = _meetings(matches.select_related("round", "result"), stage_rules(stage), in_hall=not own_time)
    following = follower(stage)
    advancing = _advancing(following[0]) if following and is_over(stage) else frozenset()
    members = _members(stage, standings)
    return CrossTables(
        stage=stage,
        tables=tuple(
            CrossTable(group, tuple(_rows(stage, teams, standings, meetings, advancing)), own_time.get(group))
            for group, teams in members.items()
        ),
        standings=standings,
        taken=following[1].count if following else 0,
        best_next=following[1].best_next if following else 0,
        into=following[0] if following else None,
    )


def _advancing(following: Stage) -> Collection[str]:
    """Keys of the teams that certainly go on; none while another stage that feeds the next one is open."""
    try:
        return {str(team) for team in advancement(following).certain}
    except InvalidFormat:
        return ()


def _members(stage: Stage, standings: Standings) -> dict[Group | None, list[Team]]:
    """The teams of each group by number, those without a place too."""
    if not standings.groups:
        return {None: sorted((row.team for row in standings.rows), key=lambda team: team.number)}
    players = named_players()
    entries = StageEntry.objects.filter(stage=stage, group__isnull=False).order_by("team__number")
    entered = entries.select_related("team__department").prefetch_related(Prefetch("team__players", players))
    return {
        group: [entry.team for entry in entered if entry.group_id == group.pk] for group in standings.groups
    }


Meetings = Mapping[tuple[int, int | None], Sequence[Meeting]]
"""By team and opponent; with None for the rounds in which a team was free."""


def _meetings(matches: Collection[Match], rules: StageRules, *, in_hall: bool) -> Meetings:
    """A match that its teams play in their own time is at no table of the hall."""
    found: dict[tuple[int, int | None], list[Meeting]] = defaultdict(list)
    for match in sorted(matches, key=lambda match: (match.round.number, match.pk)):
        found[match.home_id, match.away_id].append(_meeting(match, rules, in_hall, is_home=True))
        if match.away_id is not None:
            found[match.away_id, match.home_id].append(_meeting(match, rules, in_hall, is_home=False))
    return found


def _meeting(match: Match, rules: StageRules, in_hall: bool, *, is_home: bool) -> Meeting:
    table = match.table if in_hall else None
    result = entered_result(match.result) if hasattr(match, "result") else None
    number = match.round.number
    if result is None:
        return Meeting(number, table, None, (), None, None)
    own = Winner.HOME if is_home else Winner.AWAY
    counted = counted_result(match, tie_allowed=rules.tie_allowed)
    winner = counted.winner if counted else None
    is_decided = winner in (Winner.HOME, Winner.AWAY)
    return Meeting(
        round=number,
        table=table,
        result=result,
        levels=_levels(result, is_home),
        points=points_counted(match, result, rules)[0 if is_home else 1],
        is_won=winner is own if is_decided else None,
        is_unconfirmed=match.result.is_unconfirmed,
        ruling=ruling_words(match_ruling(match), Side.HOME if is_home else Side.AWAY),
    )


def _levels(result: MatchResult, is_home: bool) -> tuple[tuple[int | None, int | None], ...]:
    if result.outcome is not Outcome.PLAYED:
        return ()
    games = [(game.home_level, game.away_level) for game in result.games or (result,)]
    return tuple((home, away) if is_home else (away, home) for home, away in games)


def _rows(
    stage: Stage, teams: Sequence[Team], standings: Standings, meetings: Meetings, advancing: Collection[str]
) -> list[CrossRow]:
    placed = {row.team.pk: row for row in standings.rows}
    is_annulling = withdrawal_rule(stage.rules) is Withdrawal.ANNUL
    return [
        CrossRow(
            team=team,
            standing=placed.get(team.pk),
            meetings=tuple(tuple(meetings.get((team.pk, other.pk), ())) for other in teams),
            free=tuple(meeting.round for meeting in meetings.get((team.pk, None), ())),
            advances=team.key in advancing,
            are_annulled=is_annulling and team.is_withdrawn,
        )
        for team in teams
    ]
