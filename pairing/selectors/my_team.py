"""我的队: what a phone that knows its team shows first — the table now, the last result, the rank."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.selectors import Standings, TeamStanding, stage_rules, team_matches, with_names
from scoring.standing_rows import TeamRound, team_rounds
from tournaments.lineups import seat_lineups
from tournaments.models import Event, Round, Team


@dataclass(frozen=True)
class MyTeam:
    """A team on its own phone. `now` is its match in the newest round that everybody sees, a bye too."""

    team: Team
    place: TeamStanding | None = None
    rivals: int = 0
    """How many teams are ranked beside it."""
    now: TeamRound | None = None
    last: TeamRound | None = None
    """Its newest result."""
    open: tuple[TeamRound, ...] = ()
    """All its matches without a result: what is still to play where teams find their own time."""

    @property
    def is_free(self) -> bool:
        """Whether it has the bye in the newest round."""
        return self.now is not None and self.now.opponent is None

    @property
    def is_done(self) -> bool:
        """Whether its match of the newest round has a result."""
        return self.now is not None and self.now.points is not None


def my_team(
    event: Event, number: int, round_: Round | None = None, standings: Standings | None = None
) -> MyTeam | None:
    """The team with this number, as far as everybody may know of it; None where there is none.

    `standings` are those of the round's stage. Five queries at most.
    """
    if round_ is None or standings is None:
        team = with_names(event.teams.filter(number=number)).first()
        return MyTeam(team) if team else None
    place = next((row for row in standings.rows if row.team.number == number), None)
    team = place.team if place else with_names(event.teams.filter(number=number)).first()
    if team is None:
        return None
    own = [match for match in team_matches(team) if match.round.stage_id == round_.stage_id]
    rounds = list(team_rounds(team, seat_lineups(own), (), stage_rules(round_.stage).scoring, start=0))
    group = place.group if place else None
    return MyTeam(
        team=team,
        place=place,
        rivals=len(standings.of_group(group) if group else standings.rows),
        now=next((each for each in rounds if each.number == round_.number), None),
        last=next((each for each in reversed(rounds) if each.points is not None and each.opponent), None),
        open=tuple(each for each in rounds if each.points is None and each.opponent),
    )
