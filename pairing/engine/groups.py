"""The draw of groups (分组): by lot, by snake, by number or given; departments spread over them."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum

from .formats import FormatFault, InvalidFormat, require_teams
from .spread import coloured, evened
from .types import Entrant, TeamId

Groups = tuple[tuple[TeamId, ...], ...]


class GroupMethod(StrEnum):
    """How teams come into groups.

    By lot · by snake (蛇形: 1 2 3, then 6 5 4 …) · by number, in turn (two groups: odd and even) · as
    given.
    """

    DRAW = "draw"
    SNAKE = "snake"
    NUMBERS = "numbers"
    GIVEN = "given"


def draw_groups(
    entrants: Sequence[Entrant],
    groups: int | Sequence[int],
    *,
    method: GroupMethod,
    seed: int = 0,
    spread: bool = True,
    given: Mapping[TeamId, int] | None = None,
) -> Groups:
    """The team ids of each group, best first (lowest `seed`, then lowest number).

    `groups` is their number, and sizes differ by at most one; or their sizes. With `spread`, in a draw and a
    snake, a department of k teams has ⌊k / groups⌋ or one more in each group; with sizes, as few couples
    within groups as there can be. A snake keeps one team of each of its rows in every group. The answer does
    not depend on the order of the arguments; `seed` matters in a draw. `given` has the group of each team,
    from 1. Raises InvalidFormat.
    """
    require_teams([team.id for team in entrants], 2)
    teams = sorted(entrants, key=lambda team: (team.seed is None, team.seed or 0, team.number))
    sizes = _sizes(len(teams), groups)
    if method is GroupMethod.GIVEN:
        placed = _given(teams, given or {}, len(sizes))
    elif method is GroupMethod.NUMBERS:
        placed = [(team.number - 1) % len(sizes) for team in teams]
    else:
        placed = _drawn(teams, sizes, method, seed, spread, is_even=isinstance(groups, int))
    return _collected(teams, placed, sizes, is_fixed=not isinstance(groups, int))


def _sizes(teams: int, groups: int | Sequence[int]) -> list[int]:
    """The sizes asked for, or even ones, the larger first."""
    if isinstance(groups, int):
        if groups < 1:
            raise InvalidFormat(FormatFault.NO_GROUP)
        share, more = divmod(teams, groups)
        sizes = [share + (group < more) for group in range(groups)]
    else:
        sizes = list(groups)
    if not sizes:
        raise InvalidFormat(FormatFault.NO_GROUP)
    if min(sizes) < 2:
        raise InvalidFormat(FormatFault.GROUP_TOO_SMALL, least=2)
    if sum(sizes) != teams:
        raise InvalidFormat(FormatFault.SIZES_DIFFER)
    return sizes


def _given(teams: Sequence[Entrant], given: Mapping[TeamId, int], count: int) -> list[int]:
    unknown = [team.id for team in teams if not 1 <= given.get(team.id, 0) <= count]
    if unknown:
        raise InvalidFormat(FormatFault.GROUP_UNKNOWN, teams=unknown)
    return [given[team.id] - 1 for team in teams]


def _collected(
    teams: Sequence[Entrant], placed: Sequence[int], sizes: Sequence[int], *, is_fixed: bool
) -> Groups:
    """The groups; numbers and given groups must come out at the sizes asked for, no group too small."""
    drawn: list[list[TeamId]] = [[] for _ in sizes]
    for team, group in zip(teams, placed, strict=True):
        drawn[group].append(team.id)
    if min(map(len, drawn)) < 2:
        raise InvalidFormat(FormatFault.GROUP_TOO_SMALL, least=2)
    if is_fixed and [len(group) for group in drawn] != list(sizes):
        raise InvalidFormat(FormatFault.SIZES_DIFFER)
    return tuple(map(tuple, drawn))


def _drawn(
    teams: Sequence[Entrant],
    sizes: Sequence[int],
    method: GroupMethod,
    seed: int,
    spread: bool,
    *,
    is_even: bool,
) -> list[int]:
    """The group of each team, in the order in which lots or seeds call them."""
    rng = random.Random(seed)  # noqa: S311 - a draw that the stored seed gives again
    is_lot = method is GroupMethod.DRAW
    called = rng.sample(range(len(teams)), len(teams)) if is_lot else list(range(len(teams)))
    departments = [teams[team].department if spread else None for team in called]
    if is_even:
        found = _even(departments, len(sizes), rng if is_lot else None)
    else:
        found = evened(_row_by_row(departments, sizes, rng if is_lot else None), departments, len(sizes))
    placed = [0] * len(teams)
    for team, group in zip(called, found, strict=True):
        placed[team] = group
    return placed


def _even(departments: Sequence[TeamId | None], count: int, rng: random.Random | None) -> list[int]:
    """Row after row, one team into each group: groups that differ by at most one team.

    In a draw the larger groups come first; in a snake the first row stands in order.
    """
    size = len(departments)
    rows = [team // count for team in range(size)]
    if rng:
        wishes = [rng.sample(range(count), count) for _ in range(size)]
    else:
        wishes = [_snake(team, count) for team in range(size)]
    found = coloured(rows, departments, wishes)
    if rng:
        sizes = Counter(found)
        names = sorted(range(count), key=lambda group: -sizes[group])
    else:
        names = found[:count]
    number = {group: position for position, group in enumerate(names)}
    return [number[group] for group in found]


def _snake(team: int, count: int) -> list[int]:
    """The groups, nearest to the snake's first; of two as near the one it has already passed."""
    row, step = divmod(team, count)
    wish, passed = (count - 1 - step, -1) if row % 2 else (step, 1)
    return sorted(range(count), key=lambda group: (abs(group - wish), passed * group))


def _row_by_row(
    departments: Sequence[TeamId | None], sizes: Sequence[int], rng: random.Random | None
) -> list[int]:
    """Groups of given sizes: each team into the group of the row that has fewest of its department."""
    held = [Counter[TeamId]() for _ in sizes]
    groups: list[int] = []
    row: list[int] = []
    for department in departments:
        if not row:
            row = _next_row(groups, sizes, rng)
        group = (
            row[0] if department is None else min(row, key=lambda open_group: held[open_group][department])
        )
        row.remove(group)
        groups.append(group)
        if department is not None:
            held[group][department] += 1
    return groups


def _next_row(groups: Sequence[int], sizes: Sequence[int], rng: random.Random | None) -> list[int]:
    """The groups that still have a place: back and forth in a snake, by lot in a draw."""
    filled = Counter(groups)
    row = [group for group, size in enumerate(sizes) if filled[group] < size]
    if rng:
        return rng.sample(row, len(row))
    return row[::-1] if max(filled.values(), default=0) % 2 else row
