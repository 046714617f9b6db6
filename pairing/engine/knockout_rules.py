"""How a knockout is drawn: its order, its byes, what is played for besides the champion."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, TypeVar

from .types import InvalidPairingRules

_Choice = TypeVar("_Choice", bound=StrEnum)


class BracketOrder(StrEnum):
    """By number (1 v 2, 3 v 4, adjacent winners meet), by one draw, by a draw each round, seeded."""

    NUMBERS = "numbers"
    DRAW = "draw"
    REDRAWN = "redrawn"
    SEEDED = "seeded"


class Byes(StrEnum):
    """Who has nobody to play: in round 1 the best or the last entries, so that later rounds are full.

    `EACH_ROUND` instead gives one bye in every round with an odd number: the last of those who had fewest.
    """

    BEST = "best"
    LAST = "last"
    EACH_ROUND = "each_round"


class PlayedOut(StrEnum):
    """What is played for besides the champion.

    `TWO_THIRDS`: nothing, both losers of the semi-finals are third (并列第三) · `THIRD_PLACE` · `TO_EIGHT`:
    all places to 8 · `FINAL_GROUP`: the round that has 4, 5 or 6 left leaves three, who meet each other.
    """

    TWO_THIRDS = "two_thirds"
    THIRD_PLACE = "third_place"
    TO_EIGHT = "to_eight"
    FINAL_GROUP = "final_group"


@dataclass(frozen=True, slots=True)
class KnockoutRules:
    """How a bracket is made; `zones`: odd and even numbers apart until the final."""

    order: BracketOrder = BracketOrder.NUMBERS
    byes: Byes = Byes.BEST
    played_out: PlayedOut = PlayedOut.TWO_THIRDS
    zones: bool = False
    departments_apart: bool = False

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> "KnockoutRules":
        """Read plain JSON values; what is left out has its default, other keys are not looked at.

        Raises InvalidPairingRules with the path of the first value that does not exist.
        """
        if not isinstance(mapping, Mapping):
            raise InvalidPairingRules("", "not_an_object", mapping)
        return cls(
            order=_choice(mapping, "order", BracketOrder.NUMBERS),
            byes=_choice(mapping, "byes", Byes.BEST),
            played_out=_choice(mapping, "played_out", PlayedOut.TWO_THIRDS),
            zones=_is_set(mapping, "zones"),
            departments_apart=_is_set(mapping, "departments_apart"),
        )

    def as_dict(self) -> dict[str, Any]:
        """Complete, in plain JSON values."""
        return {key: value if isinstance(value, bool) else value.value for key, value in asdict(self).items()}


def _choice(mapping: Mapping[str, Any], key: str, default: _Choice) -> _Choice:
    value = mapping.get(key, default)
    try:
        return type(default)(value)
    except ValueError:
        raise InvalidPairingRules(key, "unknown_value", value) from None


def _is_set(mapping: Mapping[str, Any], key: str) -> bool:
    value = mapping.get(key, False)
    if isinstance(value, bool):
        return value
    raise InvalidPairingRules(key, "unknown_value", value)
