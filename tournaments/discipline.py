"""参赛与纪律: what the rule sheet of an event states besides the rules of its stages.

Who may enter is checked wherever people are entered (`tournaments.entering`), partners are drawn as stated;
the rest the referees see to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

MOST_NOTES = 12
LONGEST_NOTE = 200


class TributeReturn(StrEnum):
    """The highest card that may be given back for a tribute 还贡."""

    NINE = "9"
    TEN = "10"
    JACK = "J"
    ANY = "any"


class FirstDeal(StrEnum):
    """Who shuffles and leads the first deal 首副洗牌领出: cards are drawn, the home side, or away."""

    DRAW = "draw"
    HOME = "home"
    AWAY = "away"


class Signals(StrEnum):
    """What signals and talk 暗示 cost: a warning and then the match, or the whole event."""

    MATCH_LOST = "match_lost"
    DISQUALIFIED = "disqualified"


class PlayerChange(StrEnum):
    """What a change of player 换人 means: it is not allowed and forfeits, or it is within the roster."""

    FORFEIT = "forfeit"
    ROSTER = "roster"


class Signatures(StrEnum):
    """Who signs the result slip 签字."""

    BOTH = "both"
    WINNER = "winner"


class Partners(StrEnum):
    """How players without a partner get one: equal numbers drawn, or men and women drawn apart 混双."""

    NUMBERS = "numbers"
    MIXED = "mixed"


class PartnersFrom(StrEnum):
    """Which departments drawn partners come from: any, the same one, or two different ones."""

    ANY = "any"
    SAME = "same"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Discipline:
    """What is stated; None leaves a sentence out.

    `late_minutes` forfeit the match, `late_levels` are the start that the opponent gets before that.
    `report_at` is the number of cards left that must be told. `wrong_cards_levels` go to the opponent, with
    the lead. `players` (at most; `players_least` where fewer will do), `leader` and `coach` are the people of
    a team, with `line_up` two of the players are named for each match. A department enters at most
    `department_teams` teams and `department_persons` players. A person enters one of the `sessions`, several
    only with `several_sessions`.
    """

    late_minutes: int | None = None
    late_levels: int | None = None
    every_round: bool | None = None
    tribute: bool | None = None
    tribute_return: TributeReturn | None = None
    big_jokers_exempt: bool | None = None
    report_at: int | None = None
    first_deal: FirstDeal | None = None
    slow_seconds: int | None = None
    wrong_cards_levels: int | None = None
    signals: Signals | None = None
    player_change: PlayerChange | None = None
    calls: bool | None = None
    signatures: Signatures | None = None
    appeal_minutes: int | None = None
    players: int | None = None
    players_least: int | None = None
    leader: bool | None = None
    coach: bool | None = None
    line_up: bool | None = None
    department_teams: int | None = None
    department_persons: int | None = None
    partners: Partners | None = None
    partners_from: PartnersFrom | None = None
    sessions: int | None = None
    several_sessions: bool | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, stored: object) -> Discipline:
        """The stated rules of a mapping; what cannot be read is not stated, because nothing depends on it."""
        given: Mapping[str, Any] = stored if isinstance(stored, Mapping) else {}
        read = {name: _read(name, given.get(name)) for name in _NAMES}
        return cls(**read, notes=_notes(given.get("notes")))

    def as_dict(self) -> dict[str, Any]:
        """What is stated, as it is stored."""
        stated = {
            name: value for name, value in asdict(self).items() if value is not None and name != "notes"
        }
        plain = {name: value.value if isinstance(value, StrEnum) else value for name, value in stated.items()}
        return plain | ({"notes": list(self.notes)} if self.notes else {})


CHOICES: Mapping[str, type[StrEnum]] = {
    "tribute_return": TributeReturn,
    "first_deal": FirstDeal,
    "signals": Signals,
    "player_change": PlayerChange,
    "signatures": Signatures,
    "partners": Partners,
    "partners_from": PartnersFrom,
}
SWITCHES = (
    "tribute",
    "big_jokers_exempt",
    "calls",
    "leader",
    "coach",
    "line_up",
    "several_sessions",
    "every_round",
)
NUMBERS: Mapping[str, tuple[int, int]] = {
    "late_minutes": (0, 120),
    "late_levels": (1, 12),
    "report_at": (1, 27),
    "slow_seconds": (5, 600),
    "wrong_cards_levels": (1, 12),
    "appeal_minutes": (1, 1440),
    "players": (2, 20),
    "players_least": (2, 20),
    "department_teams": (1, 999),
    "department_persons": (2, 9999),
    "sessions": (2, 9),
}
"""The least and the most of each number."""
_NAMES = tuple(each.name for each in fields(Discipline) if each.name != "notes")


def _read(name: str, value: Any) -> Any:
    if name in SWITCHES:
        return value if isinstance(value, bool) else None
    if name in CHOICES:
        known = {each.value: each for each in CHOICES[name]}
        return known.get(value) if isinstance(value, str) else None
    least, most = NUMBERS[name]
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and least <= value <= most else None


def _notes(value: Any) -> tuple[str, ...]:
    lines = value if isinstance(value, list | tuple) else ()
    texts = [line.strip()[:LONGEST_NOTE] for line in lines if isinstance(line, str) and line.strip()]
    return tuple(texts[:MOST_NOTES])
