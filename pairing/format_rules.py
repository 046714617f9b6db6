"""The settings of a stage's format and of who enters it: `rules.format`, `rules.entry`, `rules.withdrawal`.

Every reader takes the object of the event file, fills what is missing with the default, leaves out what it
does not know, and raises InvalidPairingRules with the path of the value it cannot read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, TypeVar

from pairing.engine.groups import GroupMethod
from pairing.engine.knockout import BracketOrder, Byes, KnockoutRules, PlayedOut
from pairing.engine.types import InvalidPairingRules
from tournaments.roster.types import MAX_SESSION

MOST_GROUPS = 100
MOST_ADVANCING = 10_000
Choice = TypeVar("Choice", bound=StrEnum)


class ScheduleKind(StrEnum):
    """Round after round in the hall, or all at once, played in the teams' own time (自约) to a deadline."""

    ROUNDS = "rounds"
    SELF = "self"


class Take(StrEnum):
    """Who advances from an earlier stage: the best of each group, or of its standings."""

    TOP = "top"


@dataclass(frozen=True, slots=True)
class RoundRobinRules:
    """循环赛: how many groups, how they come about, once or twice, who meets early, and when it is played."""

    groups: int = 1
    grouping: GroupMethod = GroupMethod.DRAW
    double: bool = False
    departments_first: bool = False
    schedule: ScheduleKind = ScheduleKind.ROUNDS
    deadline: date | None = None

    @property
    def is_self_scheduled(self) -> bool:
        """Whether the teams find their own time."""
        return self.schedule is ScheduleKind.SELF

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> RoundRobinRules:
        """The `rules.format` of a round robin."""
        _require_object(mapping)
        return cls(
            groups=_whole(mapping, "groups", 1, MOST_GROUPS),
            grouping=_choice(mapping, "grouping", GroupMethod.DRAW),
            double=_truth(mapping, "double", False),
            departments_first=_truth(mapping, "departments_first", False),
            schedule=_choice(mapping, "schedule", ScheduleKind.ROUNDS),
            deadline=_date(mapping, "deadline"),
        )

    def as_dict(self) -> dict[str, Any]:
        """The object of the event file, complete."""
        return {
            "groups": self.groups,
            "grouping": self.grouping.value,
            "double": self.double,
            "departments_first": self.departments_first,
            "schedule": self.schedule.value,
            "deadline": self.deadline.isoformat() if self.deadline else None,
        }


def knockout_rules(mapping: Mapping[str, Any], *, is_chained: bool = False) -> KnockoutRules:
    """The `rules.format` of a knockout (淘汰赛).

    Left out, the order is by number, or by seeds where the entries come from an earlier stage; departments
    are kept apart wherever the order leaves that free.
    """
    _require_object(mapping)
    usual = BracketOrder.SEEDED if is_chained else BracketOrder.NUMBERS
    order = _choice(mapping, "bracket", usual)
    return KnockoutRules(
        order=order,
        byes=_choice(mapping, "byes", Byes.BEST),
        played_out=_choice(mapping, "played_out", PlayedOut.TWO_THIRDS),
        zones=_truth(mapping, "zones", False),
        departments_apart=_truth(mapping, "departments_apart", order is not BracketOrder.NUMBERS),
    )


@dataclass(frozen=True, slots=True)
class EntryRules:
    """Who enters a stage: the best `count` of each group (or of the standings) of the stages `sources`.

    `best_next` more come from those next behind the line of all groups. Without sources all teams enter.
    With `groups_apart` teams of one group meet as late as possible. A stage of one `session` (场次) has the
    teams of that session.
    """

    sources: tuple[str, ...] = ()
    count: int = 2
    best_next: int = 0
    groups_apart: bool = True
    session: str = ""

    @property
    def is_chained(self) -> bool:
        """Whether the entries come from earlier stages."""
        return bool(self.sources)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> EntryRules:
        """The `rules.entry` of the event file."""
        _require_object(mapping)
        _choice(mapping, "take", Take.TOP)
        return cls(
            sources=_sources(mapping.get("from")),
            count=_whole(mapping, "count", 2, MOST_ADVANCING),
            best_next=_whole(mapping, "best_next", 0, MOST_ADVANCING, least=0),
            groups_apart=_truth(mapping, "groups_apart", True),
            session=_session(mapping.get("session", "")),
        )

    def as_dict(self) -> dict[str, Any]:
        """The object of the event file, complete."""
        return {
            "from": list(self.sources),
            "take": Take.TOP.value,
            "count": self.count,
            "best_next": self.best_next,
            "groups_apart": self.groups_apart,
            **({"session": self.session} if self.session else {}),
        }


def _session(value: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_SESSION:
        raise InvalidPairingRules("session", "unknown_value", value)
    return value


def _sources(value: object) -> tuple[str, ...]:
    keys = [value] if isinstance(value, str) else [] if value is None else value
    if not isinstance(keys, list | tuple):
        raise InvalidPairingRules("from", "not_a_list", value)
    for place, key in enumerate(keys):
        if not isinstance(key, str) or keys.index(key) != place:
            raise InvalidPairingRules(f"from[{place}]", "not_a_stage", key)
    return tuple(keys)


def _require_object(mapping: object) -> None:
    if not isinstance(mapping, Mapping):
        raise InvalidPairingRules("", "not_an_object", mapping)


def _choice(mapping: Mapping[str, Any], key: str, default: Choice) -> Choice:
    value = mapping.get(key, default)
    if not isinstance(value, str) or value not in set(type(default)):
        raise InvalidPairingRules(key, "unknown_value", value)
    return type(default)(value)


def _truth(mapping: Mapping[str, Any], key: str, default: bool) -> bool:
    value = mapping.get(key, default)
    if not isinstance(value, bool):
        raise InvalidPairingRules(key, "not_a_boolean", value)
    return value


def _whole(mapping: Mapping[str, Any], key: str, default: int, most: int, *, least: int = 1) -> int:
    value = mapping.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidPairingRules(key, "not_an_integer", value)
    if not least <= value <= most:
        raise InvalidPairingRules(key, "out_of_range", value)
    return value


def _date(mapping: Mapping[str, Any], key: str) -> date | None:
    value = mapping.get(key)
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise InvalidPairingRules(key, "not_a_date", value) from None
