"""One match's result 成绩 as it is entered and as the event file holds it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from scoring.engine.endings import Facts
from scoring.engine.outcomes import InvalidResult, Outcome, Reason, ResultCode, Side, Winner

SIDE_FIELDS = ("reached_first", "declarer", "head_taken", "extra_winner")
LEVEL_FIELDS = ("home_level", "away_level", "home_start", "away_start")
COUNT_FIELDS = ("home_deals", "away_deals")
MOST_DEALS = 999
"""Of one kind in one match: a slip never has more."""
DealCounts = tuple[int, int, int]
"""Deals won as a double, with first and third, with first and last."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What is known of one match 对阵, under the names of the event file; None is "not stated".

    A played match has levels, or `deals` (finishing orders of its one game), or `games` (one result each).
    `reached_first`, `declarer`, `head_taken`, `extra_winner` are what the rules at time-up may need;
    `home_start` and `away_start` the levels that a handicap made the sides start from. `home_deals` and
    `away_deals` count the deals that each side won, where points go by them and the orders are not written.
    """

    outcome: Outcome
    home_level: int | None = None
    away_level: int | None = None
    winner: Winner | None = None
    reason: Reason | None = None
    reached_first: Side | None = None
    declarer: Side | None = None
    head_taken: Side | None = None
    extra_winner: Side | None = None
    deals: tuple[str, ...] | None = None
    games: tuple["MatchResult", ...] | None = None
    home_start: int | None = None
    away_start: int | None = None
    home_deals: DealCounts | None = None
    away_deals: DealCounts | None = None

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> "MatchResult":
        """The `result` of the event file as it stands there, not completed. Raises InvalidResult."""
        if not isinstance(mapping, Mapping):
            raise InvalidResult(ResultCode.NOT_A_MAPPING, "")
        outcome = _choice(mapping, "outcome", Outcome)
        if outcome is None:
            raise InvalidResult(ResultCode.MISSING, "outcome")
        facts: dict[str, Any] = {name: _choice(mapping, name, Side) for name in SIDE_FIELDS}
        levels: dict[str, Any] = {name: _integer(mapping, name) for name in LEVEL_FIELDS}
        return cls(
            outcome=outcome,
            winner=_choice(mapping, "winner", Winner),
            reason=_choice(mapping, "reason", Reason),
            deals=_deals(mapping.get("deals")),
            games=_games(mapping.get("games")),
            home_deals=_counts(mapping, "home_deals"),
            away_deals=_counts(mapping, "away_deals"),
            **facts,
            **levels,
        )

    def as_dict(self) -> dict[str, Any]:
        """The mapping of the event file, without what is not stated."""
        plain = {
            name: getattr(self, name) for name in ("outcome", *LEVEL_FIELDS, "winner", "reason", *SIDE_FIELDS)
        }
        stated: dict[str, Any] = {
            name: value if isinstance(value, int) else value.value
            for name, value in plain.items()
            if value is not None
        }
        for name in COUNT_FIELDS:
            if getattr(self, name) is not None:
                stated[name] = list(getattr(self, name))
        if self.deals is not None:
            stated["deals"] = list(self.deals)
        if self.games is not None:
            stated["games"] = [game.as_dict() for game in self.games]
        return stated

    @property
    def facts(self) -> Facts:
        """What the rules at time-up may need to know."""
        return Facts(
            self.reached_first,
            self.declarer,
            self.head_taken,
            self.extra_winner,
            self.home_start,
            self.away_start,
        )


# Reading the event file

_Choice = TypeVar("_Choice", bound=StrEnum)


def _choice(mapping: Mapping[str, Any], name: str, kind: type[_Choice]) -> _Choice | None:
    value = mapping.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or value not in set(kind):
        raise InvalidResult(ResultCode.UNKNOWN_VALUE, name)
    return kind(value)


def _integer(mapping: Mapping[str, Any], name: str) -> int | None:
    value = mapping.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise InvalidResult(ResultCode.NOT_AN_INTEGER, name)
    return value


def _counts(mapping: Mapping[str, Any], name: str) -> DealCounts | None:
    value = mapping.get(name)
    if value is None:
        return None
    counts = _list(name, value)
    if any(not isinstance(count, int) or isinstance(count, bool) for count in counts):
        raise InvalidResult(ResultCode.NOT_AN_INTEGER, name)
    if len(counts) != 3 or not all(0 <= count <= MOST_DEALS for count in counts):
        raise InvalidResult(ResultCode.COUNTS_OUT_OF_RANGE, name)
    return counts[0], counts[1], counts[2]


def _deals(value: object) -> tuple[str, ...] | None:
    if value is None:
        return None
    for place, order in enumerate(_list("deals", value)):
        if not isinstance(order, str):
            raise InvalidResult(ResultCode.UNKNOWN_ORDER, f"deals[{place}]")
    return tuple(_list("deals", value))


def _games(value: object) -> tuple[MatchResult, ...] | None:
    if value is None:
        return None
    return tuple(_game(f"games[{place}]", game) for place, game in enumerate(_list("games", value)))


def _game(path: str, value: object) -> MatchResult:
    if not isinstance(value, Mapping):
        raise InvalidResult(ResultCode.NOT_A_MAPPING, path)
    if value.get("games") is not None:  # also keeps a nested file from nesting without end
        raise InvalidResult(ResultCode.DEALS_AND_GAMES, f"{path}.games")
    try:
        return MatchResult.from_dict(value)
    except InvalidResult as error:
        raise InvalidResult(error.code, f"{path}.{error.field}") from None


def _list(path: str, value: object) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise InvalidResult(ResultCode.NOT_A_LIST, path)
    return value
