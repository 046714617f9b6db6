"""Who advances from groups or a Swiss stage (出线), with which seed, and whom they meet first.

Nothing is decided silently: teams that share the rank at the line are named, and an order found by lots or an
extra game has to be given.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, groupby
from typing import Any, Protocol

from .bracket import EntrySlot
from .formats import FormatFault, InvalidFormat, require_teams
from .knockout import BracketOrder, KnockoutRules, knockout_bracket
from .types import Entrant, TeamId

GroupId = int | str
Tables = tuple[tuple[TeamId] | tuple[TeamId, TeamId], ...]

DECIDED = "decided"
"""In `Line.decided_by`: the order given by hand, from lots or an extra game, decided."""


class Standing(Protocol):
    """One row of the standings, best first; `decided_by`: the ranking key that set it below the row above."""

    @property
    def rank(self) -> int:
        """1 2 2 4: equal when no key separates two teams."""

    @property
    def team(self) -> TeamId:
        """Whose row it is."""

    @property
    def keys(self) -> Mapping[Any, Any]:
        """The value under each ranking key, None where it did not apply."""

    @property
    def decided_by(self) -> str | None:
        """None in the first row and for a shared rank."""


@dataclass(frozen=True, slots=True)
class Qualifier:
    """A team that advances. `seed` counts from 1."""

    team: TeamId
    seed: int
    group: GroupId
    place: int


@dataclass(frozen=True, slots=True)
class Line:
    """Where those who advance end, in a group, or among the next of all groups (`group` None).

    `decided_by` is the key that separates `last_in` from `first_out`, or DECIDED. When nothing does, `tied`
    are the teams that share the rank and `open_places` how many of them advance: an extra game or lots.
    """

    group: GroupId | None
    last_in: TeamId | None = None
    first_out: TeamId | None = None
    decided_by: str | None = None
    tied: tuple[TeamId, ...] = ()
    open_places: int = 0


@dataclass(frozen=True, slots=True)
class SharedPlace:
    """Teams that all advance but share a rank, so that only their number orders their seeds."""

    group: GroupId
    place: int
    teams: tuple[TeamId, ...]


@dataclass(frozen=True, slots=True)
class Advancement:
    """Who advances: `certain` in any case, `qualifiers` with their seeds once no line is open."""

    certain: tuple[TeamId, ...]
    qualifiers: tuple[Qualifier, ...]
    lines: tuple[Line, ...]
    shared: tuple[SharedPlace, ...] = ()

    @property
    def open_lines(self) -> tuple[Line, ...]:
        """The lines at which an extra game or lots are needed."""
        return tuple(line for line in self.lines if line.tied)

    @property
    def is_complete(self) -> bool:
        """Whether it is settled who advances."""
        return not self.open_lines


def advance(
    standings_by_group: Mapping[GroupId, Sequence[Standing]],
    top: int,
    *,
    best_next: int = 0,
    best_by: Sequence[str] = (),
    seed_by: Sequence[str] = (),
    decided: Sequence[TeamId] = (),
) -> Advancement:
    """The best `top` of each group and the `best_next` of those who come next (best thirds, for two).

    Those next are compared under the keys `best_by`, higher first; a key must mean the same in every group.
    Seeds go by place, then by the keys `seed_by`, then in order of the groups. `decided` is an order found
    by lots or extra games; it counts among teams that share a rank if it names all of them. Raises
    InvalidFormat: `AT_LEAST` for a `top` below 1, `TOO_MANY` when a group has fewer than `top` teams or there
    are fewer than `best_next` next, `TEAM_TWICE`.
    """
    _check(standings_by_group, top, best_next)
    order = {team: place for place, team in enumerate(decided)}
    groups = [_Group(name, _runs(rows, order), top) for name, rows in standings_by_group.items()]
    lines = [group.line() for group in groups]
    taken = {group.name: group.rows[: group.sure] for group in groups}
    if best_next and not any(line.tied for line in lines):
        following = _Next(groups, best_next, best_by, order)
        lines += following.lines()
        for group, row in following.certain():
            taken[group.name] = [*taken[group.name], row]
    certain = tuple(row.team for rows in taken.values() for row in rows)
    if any(line.tied for line in lines):
        return Advancement(certain, (), tuple(lines))
    shared = tuple(chain.from_iterable(group.shared() for group in groups))
    return Advancement(certain, _seeded(taken, seed_by), tuple(lines), shared)


def _check(standings_by_group: Mapping[GroupId, Sequence[Standing]], top: int, best_next: int) -> None:
    groups = standings_by_group.values()
    if top < 1:
        raise InvalidFormat(FormatFault.AT_LEAST, least=1)
    require_teams([row.team for rows in groups for row in rows], 1)
    if any(len(rows) < top for rows in groups) or sum(len(rows) > top for rows in groups) < best_next:
        raise InvalidFormat(FormatFault.TOO_MANY)


def _runs(rows: Sequence[Standing], order: Mapping[TeamId, int]) -> list[list[Standing]]:
    """The rows, those together that nothing separates: neither a key nor the order given."""
    runs: list[list[Standing]] = []
    for _, together in groupby(rows, key=lambda row: row.rank):
        run = list(together)
        if all(row.team in order for row in run):
            runs += [[row] for row in sorted(run, key=lambda row: order[row.team])]
        else:
            runs.append(run)
    return runs


class _Group:
    """The standings of one group, cut after `top` teams; the first `sure` rows advance whatever happens."""

    def __init__(self, name: GroupId, runs: Sequence[Sequence[Standing]], top: int) -> None:
        self.name, self.runs, self.top = name, runs, top
        self.rows = [row for run in runs for row in run]
        self.sure, self.tied = 0, list[Standing]()
        for run in runs:
            if self.sure + len(run) <= top:
                self.sure += len(run)
                continue
            if self.sure < top:
                self.tied = list(run)
            break

    def line(self) -> Line:
        """What separates the last that advances from the first that does not."""
        if self.tied:
            teams = tuple(row.team for row in self.tied)
            return Line(self.name, tied=teams, open_places=self.top - self.sure)
        last, first = self.rows[self.top - 1], self.rows[self.top : self.top + 1]
        if not first:
            return Line(self.name, last.team)
        is_by_hand = last.rank == first[0].rank
        key = DECIDED if is_by_hand else _key_above(self.rows, first[0].rank)
        return Line(self.name, last.team, first[0].team, key)

    def following(self) -> Sequence[Standing]:
        """Who is next behind the line; several when nothing separates them."""
        return next((run for run in self.runs if run[0] is self.rows[self.top]), ())

    def shared(self) -> Iterator[SharedPlace]:
        """Ranks shared by teams that all advance."""
        place = 1
        for run in self.runs:
            if len(run) > 1 and place + len(run) - 1 <= self.top:
                yield SharedPlace(self.name, place, tuple(row.team for row in run))
            place += len(run)


def _key_above(rows: Sequence[Standing], rank: int) -> str | None:
    """The key that set a rank below the one above; it stands in one of its rows only."""
    return next((row.decided_by for row in rows if row.rank == rank and row.decided_by), None)


class _Next:
    """Those next behind the line of every group, compared with each other."""

    def __init__(
        self, groups: Sequence[_Group], places: int, keys: Sequence[str], order: Mapping[TeamId, int]
    ) -> None:
        self.places, self.keys, self.order = places, keys, order
        self.ranked = sorted(
            ((group, group.following()) for group in groups if len(group.rows) > group.top),
            key=lambda item: _values(item[1][0], keys),
            reverse=True,
        )
        self._order_cut()

    def _order_cut(self) -> None:
        """Put those equal at the line in the order given, if it names all of them."""
        start, end = self._span()
        equal = self.ranked[start:end]
        self.is_open = start < self.places < end
        if self.is_open and all(row.team in self.order for _, run in equal for row in run):
            self.ranked[start:end] = sorted(equal, key=lambda item: self.order[item[1][0].team])
            self.is_open = False

    def _span(self) -> tuple[int, int]:
        """From where to where in the ranking those stand that equal the last in."""
        values = [_values(run[0], self.keys) for _, run in self.ranked]
        cut = values[self.places - 1]
        return values.index(cut), len(values) - values[::-1].index(cut)

    def lines(self) -> Iterator[Line]:
        """The line among all groups, then the groups in which it is open who is next."""
        start, end = self._span()
        if self.is_open:
            tied = tuple(row.team for _, run in self.ranked[start:end] for row in run)
            yield Line(None, tied=tied, open_places=self.places - start)
        else:
            yield self._decided_line()
        for group, run in self.ranked[: start if self.is_open else self.places]:
            if len(run) > 1:
                yield Line(group.name, tied=tuple(row.team for row in run), open_places=1)

    def _decided_line(self) -> Line:
        last = self.ranked[self.places - 1][1][0]
        if len(self.ranked) == self.places:
            return Line(None, last.team)
        first = self.ranked[self.places][1][0]
        key = next((key for key in self.keys if last.keys.get(key) != first.keys.get(key)), DECIDED)
        return Line(None, last.team, first.team, key)

    def certain(self) -> Iterator[tuple[_Group, Standing]]:
        """Who of them advances whatever happens."""
        start, _ = self._span()
        for group, run in self.ranked[: start if self.is_open else self.places]:
            if len(run) == 1:
                yield group, run[0]


def _values(row: Standing, keys: Sequence[str]) -> tuple[tuple[bool, Fraction], ...]:
    values = (row.keys.get(key) for key in keys)
    return tuple((value is not None, Fraction(value or 0)) for value in values)


def _seeded(taken: Mapping[GroupId, Sequence[Standing]], keys: Sequence[str]) -> tuple[Qualifier, ...]:
    places = [(place, name, row) for name, rows in taken.items() for place, row in enumerate(rows, start=1)]
    best_first = sorted(places, key=lambda item: _values(item[2], keys), reverse=True)
    best_first.sort(key=lambda item: item[0])
    return tuple(
        Qualifier(row.team, seed, name, place) for seed, (place, name, row) in enumerate(best_first, start=1)
    )


def first_tables(qualifiers: Sequence[Qualifier], *, seed: int = 0) -> Tables:
    """The first knockout round, in order of the bracket: one team alone has a bye.

    Groups of which just the first two advance, when they fill a bracket: A1 v B2, C1 v D2 … in one half, B1 v
    A2, D1 v C2 … in the other, so that no two of one group meet before the final. Otherwise by seeds, best
    against last, byes for the best; teams of one group are kept apart for as long as possible, exchanging
    seeds 3–4, 5–8 … each among themselves. So group winners meet only when they are more than half of the
    bracket. `seed` is for lots among equally good exchanges. Raises InvalidFormat.
    """
    require_teams([qualifier.team for qualifier in qualifiers], 2)
    ranked = sorted(qualifiers, key=lambda qualifier: qualifier.seed)
    return _crossed(ranked) or _by_seeds(ranked, seed)


def _crossed(ranked: Sequence[Qualifier]) -> Tables | None:
    winners = [qualifier for qualifier in ranked if qualifier.place == 1]
    second = {qualifier.group: qualifier.team for qualifier in ranked if qualifier.place == 2}
    is_full = len(winners) > 1 and len(winners) & (len(winners) - 1) == 0
    if not is_full or len(ranked) != 2 * len(winners) or {winner.group for winner in winners} != set(second):
        return None
    couples = list(zip(winners[::2], winners[1::2], strict=True))
    upper = [(one.team, second[other.group]) for one, other in couples]
    lower = [(other.team, second[one.group]) for one, other in couples]
    return (*upper, *lower)


def _by_seeds(ranked: Sequence[Qualifier], seed: int) -> Tables:
    is_one_group = len(Counter(qualifier.group for qualifier in ranked)) == 1
    entrants = [
        Entrant(
            id=qualifier.team,
            number=position,
            rank=position,
            department=None if is_one_group else qualifier.group,
            seed=position,
        )
        for position, qualifier in enumerate(ranked, start=1)
    ]
    rules = KnockoutRules(order=BracketOrder.SEEDED, departments_apart=True)
    tables: list[tuple[TeamId] | tuple[TeamId, TeamId]] = []
    for match in knockout_bracket(entrants, rules, seed=seed):
        if match.round == 1 and isinstance(match.home, EntrySlot):
            away = match.away
            tables.append((match.home.team, away.team) if isinstance(away, EntrySlot) else (match.home.team,))
    return tuple(tables)
