"""Standings 排名: the keys applied in turn to each group of teams that is still tied."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.engine.rules import RankingKey, ScoringRules
from scoring.engine.tallies import (
    Adjustment,
    Entrant,
    PlayedMatch,
    RepeatedTeam,
    Tally,
    TeamId,
    UnknownTeam,
    incomplete_rounds,
    tally,
    without_annulled,
)
from scoring.engine.tiebreaks import GROUP_KEYS, KeyValue, Lots, Tallies, group_values, team_values

__all__ = [
    "Adjustment",
    "Comparison",
    "Entrant",
    "KeyValue",
    "PlayedMatch",
    "RepeatedTeam",
    "StandingRow",
    "TeamId",
    "UnknownTeam",
    "incomplete_rounds",
    "leave_out",
    "proof",
    "standings",
    "without_annulled",
]


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One team's place. `keys` has every ranking key in order, None where the key did not apply.

    `decided_by` is the key that set this row below the one above, None on the first row and on a shared rank.
    `played` counts matches played at the table, `wins` and `losses` forfeits too.
    """

    rank: int
    team: TeamId
    number: int
    points: int
    keys: Mapping[RankingKey, KeyValue]
    decided_by: RankingKey | None
    played: int
    wins: int
    ties: int
    losses: int
    byes: int
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """One step in the proof of a rank: what both teams have under one key; None where it did not apply."""

    key: RankingKey
    better: KeyValue
    worse: KeyValue


def standings(
    entrants: Sequence[Entrant],
    matches: Iterable[PlayedMatch],
    *,
    scoring: ScoringRules,
    ranking: Sequence[RankingKey],
    adjustments: Iterable[Adjustment] = (),
    lots: Lots | None = None,
) -> tuple[StandingRow, ...]:
    """The standings, best first, from the matches that have a result.

    The keys of `ranking` are applied in turn to each group still tied; a group that a later key splits is not
    tried again with an earlier one. Teams that all keys leave equal share a rank (1, 2, 2, 4), in order of
    number. `lots` gives the places drawn. Raises UnknownTeam, RepeatedTeam, and InvalidResult for a result
    that is not completed.
    """
    tallies = tally(entrants, matches, scoring, adjustments)
    table = _Table(tallies, lots or {}, {key: _first_values(key, tallies) for key in ranking})
    ordered = sorted(entrants, key=lambda entrant: (entrant.number, str(entrant.id)))
    groups = _split(tuple(entrant.id for entrant in ordered), tuple(ranking), table)
    return tuple(_rows(groups, {entrant.id: entrant for entrant in entrants}, table))


def proof(rows: Sequence[StandingRow], better: TeamId, worse: TeamId) -> tuple[Comparison, ...]:
    """The keys that were compared between two teams, with both values, up to the one that decided.

    `better` stands above `worse`; all keys when they share a rank. Raises UnknownTeam.
    """
    above, below = _place(rows, better), _place(rows, worse)
    upper, lower = rows[above], rows[below]
    ranking = tuple(upper.keys)
    deciding = _earliest(ranking, rows[above + 1 : below + 1])
    compared = ranking if deciding is None else ranking[: ranking.index(deciding) + 1]
    return tuple(Comparison(key, upper.keys[key], lower.keys[key]) for key in compared)


def leave_out(rows: Sequence[StandingRow], teams: Collection[TeamId]) -> tuple[StandingRow, ...]:
    """The rows without `teams` (withdrawn without a final place), ranks closed up behind them.

    What the others got from their matches with them stays.
    """
    kept: list[StandingRow] = []
    between: list[StandingRow] = []
    for row in rows:
        between.append(row)
        if row.team in teams:
            continue
        decided_by = _earliest(tuple(row.keys), between) if kept else None
        shares = bool(kept) and decided_by is None
        kept.append(replace(row, rank=kept[-1].rank if shares else len(kept) + 1, decided_by=decided_by))
        between = []
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class _Table:
    tallies: dict[TeamId, Tally]
    lots: Lots
    values: dict[RankingKey, dict[TeamId, KeyValue]]
    """Values by key; those of the group keys come in while groups are split."""


_Group = tuple[TeamId, ...]


def _first_values(key: RankingKey, tallies: Tallies) -> dict[TeamId, KeyValue]:
    return {} if key in GROUP_KEYS else team_values(key, tallies)


def _split(
    tied: _Group, ranking: tuple[RankingKey, ...], table: _Table
) -> Iterator[tuple[_Group, RankingKey | None]]:
    """The groups that no key splits, best first, each with the key that set it below the one before."""
    if len(tied) < 2 or not ranking:
        yield tied, None
        return
    key, later = ranking[0], ranking[1:]
    for place, part in enumerate(_parts(tied, key, table)):
        decided_by = key if place else None
        for group, decided_later in _split(part, later, table):
            yield group, decided_later or decided_by
            decided_by = None


def _parts(tied: _Group, key: RankingKey, table: _Table) -> list[_Group]:
    """The tied teams by their values under one key, best first; one part when the key does not apply."""
    values = table.values[key]
    if key in GROUP_KEYS:
        found = group_values(key, tied, table.tallies, table.lots)
        if not found:
            return [tied]
        values.update(found)
    parts: dict[Any, list[TeamId]] = {}
    for team in tied:
        parts.setdefault(values[team], []).append(team)
    best_first = sorted(parts, reverse=key is not RankingKey.LOTS)
    return [tuple(parts[value]) for value in best_first]


def _rows(
    groups: Iterable[tuple[_Group, RankingKey | None]], entrants: Mapping[TeamId, Entrant], table: _Table
) -> Iterator[StandingRow]:
    rank = 1
    for group, decided_by in groups:
        for place, team in enumerate(group):
            yield _row(rank, entrants[team], None if place else decided_by, table)
        rank += len(group)


def _row(rank: int, entrant: Entrant, decided_by: RankingKey | None, table: _Table) -> StandingRow:
    team = table.tallies[entrant.id]
    return StandingRow(
        rank=rank,
        team=entrant.id,
        number=entrant.number,
        points=team.points,
        keys={key: values.get(entrant.id) for key, values in table.values.items()},
        decided_by=decided_by,
        played=team.played,
        wins=team.wins,
        ties=team.ties,
        losses=team.losses,
        byes=team.byes,
        withdrawn=entrant.withdrawn,
    )


def _place(rows: Sequence[StandingRow], team: TeamId) -> int:
    for place, row in enumerate(rows):
        if row.team == team:
            return place
    raise UnknownTeam(team)


def _earliest(ranking: Sequence[RankingKey], rows: Iterable[StandingRow]) -> RankingKey | None:
    """The first key of the ranking among those that set one of the rows below the one above it."""
    deciding = [row.decided_by for row in rows if row.decided_by is not None]
    return min(deciding, key=ranking.index) if deciding else None
