"""Who waits for a partner, and who drew whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from tournaments.entering import Applicant, EntryFault, EntryProblem
from tournaments.models import Event, PartnerDraw, Single, Team
from tournaments.partners import Person
from tournaments.roster import RosterSingle
from tournaments.selectors.entries import staying_teams
from tournaments.selectors.teams import is_drawn


@dataclass(frozen=True)
class PairRow:
    """One drawn number with the two who drew it, and the team they are; `team` None once it is gone."""

    number: int
    players: tuple[str, ...]
    team: Team | None


@dataclass(frozen=True)
class DrawResult:
    """A draw of partners as it is shown: by the numbers drawn, and who is left over."""

    draw: PartnerDraw
    rows: tuple[PairRow, ...]
    waiting: tuple[str, ...]

    @property
    def by_name(self) -> list[tuple[str, PairRow]]:
        """Every person with the row they are in, by name, to look oneself up."""
        return sorted((name, row) for row in self.rows for name in row.players)


def waiting_singles(event: Event) -> QuerySet[Single]:
    """Who waits for a partner, in the order of entering. One query."""
    return Single.objects.filter(event=event).select_related("department").order_by("position")


def person_of(single: Single) -> Person:
    """Somebody who waits, as the draw sees them. No query with the department loaded."""
    return Person(single.name, single.sex, single.department.name if single.department else "")


def single_problems(event: Event, people: Iterable[RosterSingle]) -> list[EntryProblem]:
    """Who of these people plays in a team already. Three queries."""
    holders: dict[str, Applicant] = {}
    for team in staying_teams(event):
        for name in team.players:
            holders.setdefault(name, team)
    return [
        EntryProblem(
            EntryFault.PERSON_TWICE,
            Applicant(number=0, players=(person.name,), row=person.row or None),
            person.name,
            holders[person.name],
        )
        for person in people
        if person.name in holders
    ]


def draw_results(event: Event) -> list[DrawResult]:
    """All draws of partners, the newest first. Three queries."""
    draws = list(event.partner_draws.order_by("-pk"))
    teams = {}
    if draws:
        loaded = event.teams.select_related("department").prefetch_related("players")
        teams = {team.key: team for team in loaded}
    return [_result(draw, teams) for draw in draws]


def _result(draw: PartnerDraw, teams: dict[str, Team]) -> DrawResult:
    pairs: Sequence[dict[str, object]] = draw.record.get("pairs", ())
    rows = tuple(
        PairRow(
            int(str(pair["number"])), tuple(map(str, _listed(pair["players"]))), teams.get(str(pair["team"]))
        )
        for pair in pairs
    )
    return DrawResult(draw, rows, tuple(draw.record.get("waiting", ())))


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def can_undo(event: Event) -> bool:
    """Whether the newest draw of partners may be taken back: no round is drawn yet. One query."""
    return not is_drawn(event)
