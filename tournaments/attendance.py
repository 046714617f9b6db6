"""出席: which rounds a team misses, how late it came and whose place a player took.

As it stands with the team and in the event file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

LONGEST_NOTE = 200
MOST_MINUTES_LATE = 240


@dataclass(frozen=True, slots=True)
class Absence:
    """缺席: the team is not drawn in a round of a stage (its key), with `onwards` in none from there on."""

    stage: str
    round: int
    onwards: bool = False
    excused: bool = False
    note: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Absence:
        """An absence as it is stored; what is not stated is no, what is not known is `extra`."""
        known = {name: stored[name] for name in _ABSENCE if name in stored}
        return cls(**known, extra=_rest(stored, _ABSENCE))

    def as_dict(self) -> dict[str, Any]:
        """What is stated, as it is stored."""
        known: dict[str, Any] = {"stage": self.stage, "round": self.round}
        stated = {"onwards": self.onwards, "excused": self.excused, "note": self.note}
        return known | {name: value for name, value in stated.items() if value} | _sorted(self.extra)

    def covers(self, stage: str, round_number: int) -> bool:
        """Whether the team misses that round for it."""
        if stage != self.stage:
            return False
        return round_number >= self.round if self.onwards else round_number == self.round


@dataclass(frozen=True, slots=True)
class Lateness:
    """迟到: by how many minutes the team came late to a round of a stage (by its key)."""

    stage: str
    round: int
    minutes: int
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Lateness:
        """Lateness as it is stored."""
        return cls(**{name: stored[name] for name in _LATENESS}, extra=_rest(stored, _LATENESS))

    def as_dict(self) -> dict[str, Any]:
        """As it is stored."""
        return {name: getattr(self, name) for name in _LATENESS} | _sorted(self.extra)


@dataclass(frozen=True, slots=True)
class Former:
    """换人: who held a player's place up to round `until` of a stage (its key), and why no more."""

    name: str
    stage: str
    until: int
    note: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Former:
        """A former player as it is stored."""
        known = {name: stored[name] for name in _FORMER if name in stored}
        return cls(**known, extra=_rest(stored, _FORMER))

    def as_dict(self) -> dict[str, Any]:
        """As it is stored."""
        known: dict[str, Any] = {"name": self.name, "stage": self.stage, "until": self.until}
        return known | ({"note": self.note} if self.note else {}) | _sorted(self.extra)


_ABSENCE = ("stage", "round", "onwards", "excused", "note")
_LATENESS = ("stage", "round", "minutes")
_FORMER = ("name", "stage", "until", "note")


def _rest(stored: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any]:
    return {name: value for name, value in stored.items() if name not in known}


def _sorted(extra: Mapping[str, Any]) -> dict[str, Any]:
    return {name: extra[name] for name in sorted(extra)}


def read_absences(stored: Iterable[Mapping[str, Any]]) -> tuple[Absence, ...]:
    """A team's absences as stored."""
    return tuple(Absence.from_dict(each) for each in stored)


def read_lateness(stored: Iterable[Mapping[str, Any]]) -> tuple[Lateness, ...]:
    """A team's lateness as stored."""
    return tuple(Lateness.from_dict(each) for each in stored)


def read_former(stored: Iterable[Mapping[str, Any]]) -> tuple[Former, ...]:
    """Who held a player's place before, as stored."""
    return tuple(Former.from_dict(each) for each in stored)


def absence_from(absences: Iterable[Absence], stage: str, round_number: int) -> Absence | None:
    """The absence for which a team misses that round, None when it plays."""
    return next((each for each in absences if each.covers(stage, round_number)), None)


def rounds_missed(absences: Iterable[Absence], stage: str, last_round: int) -> frozenset[int]:
    """The rounds of a stage, up to the last one asked for, that a team misses."""
    return frozenset(
        number
        for each in absences
        for number in range(each.round, last_round + 1)
        if each.covers(stage, number)
    )


def with_absence(absences: Iterable[Absence], added: Absence) -> tuple[Absence, ...]:
    """The absences with one more: it says what holds of its round, and with `onwards` of all later ones."""
    kept = without_absence(absences, added.stage, added.round)
    if added.onwards:
        kept = tuple(each for each in kept if each.stage != added.stage or each.round < added.round)
    return _in_order([*kept, added])


def without_absence(absences: Iterable[Absence], stage: str, round_number: int) -> tuple[Absence, ...]:
    """The absences of a team that plays that round; one from an earlier round on ends before it."""
    kept: list[Absence] = []
    for each in absences:
        if not each.covers(stage, round_number):
            kept.append(each)
        elif each.onwards:
            kept += [replace(each, round=missed, onwards=False) for missed in range(each.round, round_number)]
    return _in_order(kept)


def _in_order(absences: Iterable[Absence]) -> tuple[Absence, ...]:
    return tuple(sorted(absences, key=lambda each: (each.stage, each.round)))


def with_lateness(stored: Iterable[Lateness], added: Lateness) -> tuple[Lateness, ...]:
    """The lateness with that of one round as it is now; 0 minutes are none."""
    kept = [each for each in stored if (each.stage, each.round) != (added.stage, added.round)]
    kept += [added] if added.minutes else []
    return tuple(sorted(kept, key=lambda each: (each.stage, each.round)))
