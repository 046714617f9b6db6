"""The numbered versions of a round's tables, each as it was published, and what changed between two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pairing.models import Publication
from tournaments.lineups import seat_lineups
from tournaments.models import Audience, Round


@dataclass(frozen=True)
class FrozenTeam:
    """A team as it was published; `names` is empty in a version that did not keep them."""

    number: int
    names: str = ""
    department: str = ""


@dataclass(frozen=True)
class FrozenSeat:
    """Where a team sat in a version: `table` None and no opponent is the bye."""

    team: FrozenTeam
    table: int | None
    opponent: FrozenTeam | None


@dataclass(frozen=True)
class FrozenMatch:
    """One line of a version; without `away` a bye, without a table and with `away` a match not played."""

    table: int | None
    home: FrozenTeam
    away: FrozenTeam | None


@dataclass(frozen=True)
class Move:
    """What a version changed for one team: `before` or `after` is None where it had, or has, no place."""

    team: FrozenTeam
    before: FrozenSeat | None
    after: FrozenSeat | None

    @property
    def is_renamed(self) -> bool:
        """Whether the team kept its place and its opponent's number, and only names changed."""
        return _place(self.before) == _place(self.after)

    @property
    def was(self) -> FrozenTeam | None:
        """The team as it was published before."""
        return self.before.team if self.before else None


def _place(seat: FrozenSeat | None) -> tuple[int | None, int | None] | None:
    return (seat.table, seat.opponent.number if seat.opponent else None) if seat else None


@dataclass(frozen=True)
class Version:
    """A publication, read; `follows_lost` where the one before is not kept, its draft was discarded."""

    publication: Publication
    follows_lost: bool = False

    @property
    def number(self) -> int:
        """Its version."""
        return self.publication.version

    @cached_property
    def matches(self) -> tuple[FrozenMatch, ...]:
        """The lines in order of tables, byes last."""
        teams = self.publication.names
        rows = [
            FrozenMatch(table, _team(home, teams), None if away is None else _team(away, teams))
            for table, home, away in self.publication.seating
        ]
        return tuple(sorted(rows, key=lambda row: (row.table is None, row.table or 0, row.home.number)))

    @cached_property
    def seats(self) -> Mapping[int, FrozenSeat]:
        """Where each team sat, by its number."""
        seats = [FrozenSeat(match.home, match.table, match.away) for match in self.matches]
        seats += [FrozenSeat(match.away, match.table, match.home) for match in self.matches if match.away]
        return {seat.team.number: seat for seat in sorted(seats, key=lambda seat: seat.team.number)}


def _team(number: int, names: Mapping[str, Sequence[str]]) -> FrozenTeam:
    return FrozenTeam(number, *names.get(str(number), ()))


@dataclass(frozen=True)
class Correction:
    """更正: what a version changed of the one that was seen before it.

    `before` is None where that one is not kept: its draft was discarded meanwhile.
    """

    version: Version
    before: Version | None

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The teams that another table, another opponent or another name was given, by number."""
        return tuple(_moves(self.before, self.version)) if self.before else ()

    def move_of(self, number: int) -> Move | None:
        """What changed for the team of this number, if anything."""
        return next((move for move in self.moves if move.team.number == number), None)

    @property
    def tables(self) -> list[int]:
        """The tables where something changed, in either version."""
        seats = [seat for move in self.moves for seat in (move.before, move.after) if seat]
        return sorted({seat.table for seat in seats if seat.table is not None})


def _moves(before: Version, after: Version) -> Iterator[Move]:
    for number in sorted({*before.seats, *after.seats}):
        old, new = before.seats.get(number), after.seats.get(number)
        if _place(old) != _place(new) or _renamed(old, new):
            yield Move(new.team if new else old.team, old, new)  # type: ignore[union-attr]


def _renamed(old: FrozenSeat | None, new: FrozenSeat | None) -> bool:
    """Whether a team bears other names; a version that kept none cannot tell."""
    return bool(old and new and old.team.names and new.team.names and old.team.names != new.team.names)


def round_versions(round_: Round, audience: Audience = Audience.EVERYBODY) -> list[Version]:
    """The versions that the audience ever saw, the oldest first. One query.

    Of a round that phones do not know of now, everybody saw nothing.
    """
    if audience == Audience.EVERYBODY and (round_.is_draft or round_.is_hall_only):
        return []
    return seen_versions(round_.publications.order_by("version"), audience)


def seen_versions(publications: Iterable[Publication], audience: Audience) -> list[Version]:
    """Those of the publications that the audience saw. No query."""
    versions = [Version(each, not place and each.version > 1) for place, each in enumerate(publications)]
    return [each for each in versions if audience == Audience.HALL or each.publication.opened_at is not None]


def corrections(versions: Sequence[Version]) -> list[Correction]:
    """What each version changed of the one seen before, the newest first; of the first nothing. No query."""
    befores = (None, *versions)
    found = [
        Correction(version, before)
        for version, before in zip(versions, befores, strict=False)
        if before is not None or version.follows_lost
    ]
    return found[::-1]


def current_correction(round_: Round, versions: Sequence[Version]) -> Correction | None:
    """What is still to be pointed out of the version that hangs: until the round ends or the chief is done.

    None for a first version, and where whoever looks has seen only this one. No query.
    """
    if not round_.is_published or not versions:
        return None
    publication = versions[-1].publication
    is_over = publication.withdrawn_at is not None or publication.notice_ended_at is not None
    found = [] if is_over else corrections(versions)
    return found[0] if found and found[0].version == versions[-1] else None


def seating_now(round_: Round) -> list[list[Any]]:
    """[table, home number, away number] of each match as it stands. One query."""
    rows = round_.matches.values_list("table", "home__number", "away__number")
    return [list(row) for row in rows]


def names_now(round_: Round) -> dict[str, list[str]]:
    """By team number who sits there (上场名单) and for which department. Three queries."""
    matches = round_.matches.select_related("home__department", "away__department")
    seated = seat_lineups(matches.prefetch_related("home__players", "away__players"))
    teams = [team for match in seated for team in (match.home, match.away) if team is not None]
    return {
        str(team.number): [team.player_names, team.department.name if team.department else ""]
        for team in teams
    }


def is_as_published(round_: Round, publication: Publication) -> bool:
    """Whether the round's tables and names still are what the version shows. Four queries.

    A version that kept no names, from an event file, can only tell the tables.
    """
    is_seated = publication.seating == seating_now(round_)
    return is_seated and (not publication.names or publication.names == names_now(round_))


def is_outdated(round_: Round) -> bool:
    """Whether tables or names of a round in play are not any more what hangs of it. Five queries at most."""
    publication = round_.publications.filter(withdrawn_at=None).last() if round_.is_published else None
    return publication is not None and not is_as_published(round_, publication)
