"""What may be seen of the draw: by the hall what is published, by everybody what was opened to phones too.

A draft is seen by nobody. Whoever does not say for whom gets what everybody may see.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from pairing.models import Publication
from pairing.selectors.versions import Correction, current_correction, seen_versions
from tournaments.lineups import seat_lineups
from tournaments.models import Audience, Event, Match, Round, RoundStatus, Stage, Team
from tournaments.selectors.finding import is_wanted
from tournaments.selectors.stages import seen_by


@dataclass(frozen=True)
class Place:
    """Where one team sits in a round; without a table it has the bye."""

    team: Team
    table: int | None
    opponent: Team | None


@dataclass(frozen=True)
class DrawSheet:
    """A published round as it hangs on the wall."""

    round: Round
    publication: Publication | None
    matches: tuple[Match, ...]
    correction: Correction | None = None
    """What is to be pointed out of a version that took another's place."""
    by_hand: Mapping[str, Any] = field(default_factory=dict)
    """How its tables differ from the engine's own draw, and why."""

    @property
    def tables(self) -> list[Match]:
        """The matches that are played, in table order."""
        return [match for match in self.matches if match.table is not None]

    @property
    def byes(self) -> list[Match]:
        """Who has nobody to play."""
        return [match for match in self.matches if match.is_bye]

    @property
    def rows(self) -> list[Match]:
        """As they hang on the wall: the tables, then who has nobody to play."""
        return self.tables + self.byes

    @property
    def walkovers(self) -> list[Match]:
        """Matches of schedule or bracket that are not played, because a team left the event."""
        return [match for match in self.matches if match.table is None and not match.is_bye]

    @property
    def places(self) -> list[Place]:
        """Every team by its number."""
        places = [Place(match.home, match.table, match.away) for match in self.matches]
        places += [Place(match.away, match.table, match.home) for match in self.matches if match.away]
        return sorted(places, key=lambda place: place.team.number)

    def places_found(self, wanted: str) -> list[Place]:
        """The teams with this number, or with this text in a name."""
        return [place for place in self.places if is_wanted(place.team, wanted)]


def published_round(
    event: Event, stage_order: int, number: int, audience: Audience = Audience.EVERYBODY
) -> Round | None:
    """A round that the audience may see; None for a draft as for a round that does not exist. One query."""
    return _published(event, audience).filter(stage__order=stage_order, number=number).first()


def newest_published_round(event: Event, audience: Audience = Audience.EVERYBODY) -> Round | None:
    """The round that players are in, or were in last, as far as the audience knows. One query."""
    return _published(event, audience).order_by("-stage__order", "-number").first()


def has_hall_only_round(event: Event) -> bool:
    """Whether a round is played that phones and the public pages do not know of. One query."""
    return Round.objects.filter(stage__event=event, audience=Audience.HALL).exists()


def draw_sheet(round_: Round, audience: Audience = Audience.EVERYBODY) -> DrawSheet:
    """The tables of a published round, with its correction as far as the audience saw what was before.

    Four queries, whatever the number of teams, and one more where the round came without its draw.
    """
    matches = round_.matches.select_related("home__department", "away__department", "result", "group")
    with_players = matches.prefetch_related("home__players", "away__players")
    publication, correction = hanging(round_, audience)
    by_hand = round_.draw.by_hand if hasattr(round_, "draw") else {}
    return DrawSheet(round_, publication, tuple(seat_lineups(with_players)), correction, by_hand)


def schedule_sheets(stage: Stage) -> list[DrawSheet]:
    """The tables of all open rounds of a stage that is played in the teams' own time, round by round.

    Four queries, whatever the number of rounds and teams.
    """
    rounds = list(stage.rounds.filter(status=RoundStatus.PUBLISHED).order_by("number"))
    matches = Match.objects.filter(round__in=rounds).order_by("round__number", "table", "pk")
    with_teams = matches.select_related("round", "home__department", "away__department", "group")
    seated = seat_lineups(with_teams.prefetch_related("home__players", "away__players"))
    by_round: dict[int, list[Match]] = {round_.pk: [] for round_ in rounds}
    for match in seated:
        by_round[match.round_id].append(match)
    for round_ in rounds:
        round_.stage = stage
    return [DrawSheet(round_, None, tuple(by_round[round_.pk])) for round_ in rounds]


def hanging(
    round_: Round, audience: Audience = Audience.EVERYBODY
) -> tuple[Publication | None, Correction | None]:
    """The version of a published round that hangs, and what is to be pointed out of it. One query."""
    publications = list(round_.publications.order_by("version"))
    current = [each for each in publications if each.withdrawn_at is None]
    correction = current_correction(round_, seen_versions(publications, audience))
    return current[-1] if current else None, correction


def table_count(round_: Round) -> int:
    """How many tables of a published round are played. One query."""
    return round_.matches.filter(table__isnull=False).count()


def byes(round_: Round) -> list[Match]:
    """Who has nobody to play in a published round, with the players' names. Two queries."""
    free = round_.matches.filter(away__isnull=True).order_by("home__number")
    return list(free.select_related("home").prefetch_related("home__players"))


def published_numbers(round_: Round, audience: Audience = Audience.EVERYBODY) -> list[int]:
    """The numbers of the stage's rounds that the audience knows of. One query."""
    rounds = Round.objects.filter(seen_by(audience), stage_id=round_.stage_id)
    return list(rounds.order_by("number").values_list("number", flat=True))


def _published(event: Event, audience: Audience) -> QuerySet[Round]:
    rounds = Round.objects.filter(seen_by(audience), stage__event=event)
    return rounds.select_related("stage", "clock", "draw").defer("draw__explained", "draw__changes")
