"""Whom a team would meet first: down the standings, or across the fold of a first round."""

from collections.abc import Callable, Iterator, Sequence

from .field import Field
from .matching import Candidates, Unpaired
from .types import FirstRound


def candidates_for(field: Field, positions: Sequence[int]) -> Candidates | None:
    """The first round's own order of preference among `positions`; None for the adjacent rule.

    The fold is counted among those to be drawn: without the bye and without forced couples.
    """
    if not field.is_first:
        return None
    half = len(positions) // 2
    if field.rules.first_round is FirstRound.HALVES:
        return _across_the_fold(positions, lambda index: index + half)
    if field.rules.first_round is FirstRound.SEEDED:
        return _across_the_fold(positions, lambda index: len(positions) - 1 - index)
    return None


def _across_the_fold(positions: Sequence[int], target: Callable[[int], int]) -> Candidates:
    """The lower half by distance from the target, the later first; then one's own half in order."""
    index_of = {position: index for index, position in enumerate(positions)}
    half, end = len(positions) // 2, len(positions)

    def candidates(one: int, unpaired: Unpaired) -> Iterator[int]:
        index = index_of[one]
        if index >= half:
            yield from unpaired.after(one)
            return
        for other in (*_outward(target(index), half, end), *range(index + 1, half)):
            if unpaired.alive[positions[other]]:
                yield positions[other]

    return candidates


def _outward(middle: int, first: int, end: int) -> Iterator[int]:
    yield middle
    for distance in range(1, end - first):
        if middle + distance < end:
            yield middle + distance
        if middle - distance >= first:
            yield middle - distance
