"""Which line-ups an event has, and which are still to be given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.discipline import Discipline
from tournaments.lineups import AT_TABLE, lineup_of, usual_lineup
from tournaments.models import Event, Match, Round, RoundStatus, Stage, Team
from tournaments.selectors.entries import stated_rules
from tournaments.selectors.stages import POSTED, current_stage, newest_seen


@dataclass(frozen=True)
class LineupRow:
    """A team of more than two players with those who sit at the table; `match` None before its round."""

    team: Team
    match: Match | None
    side: str
    names: tuple[str, ...]

    @property
    def table(self) -> int | None:
        """The table of the match."""
        return self.match.table if self.match else None

    @property
    def opponent(self) -> Team | None:
        """Whom the team meets."""
        if self.match is None:
            return None
        return self.match.away if self.side == "home" else self.match.home

    @property
    def places(self) -> str:
        """The line-up as it is typed: 1 3."""
        players = self.team.playing_names
        return " ".join(str(players.index(name) + 1) for name in self.names if name in players)

    @property
    def listed(self) -> list[tuple[int, str, bool]]:
        """The players with the number to type and whether they sit at the table."""
        return [
            (place, name, name in self.names) for place, name in enumerate(self.team.playing_names, start=1)
        ]


@dataclass(frozen=True)
class LineupSheet:
    """The line-ups of one round. `round` is None for the round that is drawn next."""

    stage: Stage | None
    round: Round | None
    number: int
    rows: tuple[LineupRow, ...]
    open_rounds: tuple[Round, ...]

    @property
    def missing(self) -> list[int]:
        """The numbers of the teams whose line-up is not given yet."""
        return [row.team.number for row in self.rows if not row.names]

    @property
    def is_closed(self) -> bool:
        """Whether the round is over and its line-ups stand."""
        return self.round is not None and self.round.is_completed


def lineup_sheet(event: Event, place: tuple[int, int] | None = None) -> LineupSheet | None:
    """The line-ups of a round by (order of the stage, number); None where it cannot be seen.

    Without a place, those of the round being played, else of the next one. Eight queries at most.
    """
    stage = current_stage(event)
    opened = Round.objects.filter(stage=stage, status=RoundStatus.PUBLISHED).order_by("number")
    open_rounds = tuple(opened.select_related("stage"))
    if place is None:
        round_ = open_rounds[0] if open_rounds else None
        return _of_round(round_, open_rounds) if round_ else next_lineups(event, stage, open_rounds)
    rounds = Round.objects.filter(stage__event=event, status__in=POSTED).select_related("stage")
    found = rounds.filter(stage__order=place[0], number=place[1]).first()
    return _of_round(found, open_rounds) if found else None


def next_lineups(
    event: Event, stage: Stage | None = None, open_rounds: tuple[Round, ...] = ()
) -> LineupSheet:
    """The line-ups that hold from the next publication on."""
    stage = stage or current_stage(event)
    teams = Team.objects.filter(event=event, withdrawn_after=None)
    if stage is not None and stage.entries.exists():
        teams = teams.filter(entries__stage=stage)
    rows = (
        LineupRow(team, None, "", usual_lineup(team.lineup, team.playing_names))
        for team in _loaded(teams)
        if needs_lineup(team)
    )
    return LineupSheet(stage, None, newest_seen(stage) + 1, tuple(rows), open_rounds)


def lineups_missing(event: Event, stage: Stage | None) -> list[int]:
    """The numbers of the teams that have not named their players, where the event asks for it.

    No query in an event of one stage that does not ask.
    """
    if stage is None:
        return []
    is_first = stage.order == 1
    stated = Discipline.from_dict(stage.rules.get("discipline")) if is_first else stated_rules(event)
    sheet = lineup_sheet(event) if stated.line_up else None
    return sheet.missing if sheet and not sheet.is_closed else []


def needs_lineup(team: Team) -> bool:
    """Whether more than two of the team play, so that somebody has to say who sits down. No query."""
    return len(team.playing_names) > AT_TABLE


def matches_with_teams(round_: Round) -> list[Match]:
    """The tables of a round with teams and players. Three queries."""
    rows = round_.matches.filter(away__isnull=False).order_by("table", "pk")
    rows = rows.select_related("home__department", "away__department")
    return list(rows.prefetch_related("home__players", "away__players"))


def _of_round(round_: Round, open_rounds: tuple[Round, ...]) -> LineupSheet:
    rows = tuple(row for match in matches_with_teams(round_) for row in _sides(match))
    return LineupSheet(round_.stage, round_, round_.number, rows, open_rounds)


def _sides(match: Match) -> Iterable[LineupRow]:
    for side, team in (("home", match.home), ("away", match.away)):
        if team is not None and needs_lineup(team):
            yield LineupRow(team, match, side, lineup_of(match, side))


def _loaded(teams: Iterable[Team]) -> list[Team]:
    found = Team.objects.filter(pk__in=[team.pk for team in teams])
    return list(found.select_related("department").prefetch_related("players").order_by("number"))
