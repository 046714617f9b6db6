"""What the picture of a bracket (对阵图) is made of: texts, boxes and lines, measured in whole pixels."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from pairing.engine.bracket import Slot
from pairing.engine.types import TeamId

LINE = 26
"""Height of one side of a match; a bye has one side, a match two."""
GAP = 18
"""Between two matches one above the other; a note of SMALL size fits into it."""
COLUMN_GAP = 26
MARGIN = 8
HEADING = 30
PADDING = 8
TYPE, SMALL = 14, 11


@dataclass(frozen=True, slots=True)
class TeamText:
    """A team as the picture writes it; `full` is told where the names had to be shortened."""

    number: str
    names: str
    full: str


@dataclass(frozen=True, slots=True)
class BracketTexts:
    """Everything that is written in the picture, in the reader's language.

    `rounds`: heading of each round · `matches`: name of each match that is not on the way to the final, by
    key · `scores`: by key, home and away · `notes`: by key, where a match is being played · `waiting`: who a
    side waits for, where no line shows it · `zones`: by number · `champion_team`: who won, where the bracket
    alone does not tell it.
    """

    teams: Mapping[TeamId, TeamText]
    rounds: Mapping[int, str]
    bye: str
    champion: str
    matches: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    waiting: Mapping[Slot, str] = field(default_factory=dict)
    zones: Mapping[int, str] = field(default_factory=dict)
    champion_team: TeamId | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """A text at its base line; `anchor` is start, middle or end."""

    x: int
    y: int
    text: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a match as drawn: `text` is the name as far as there is room, `full` the whole of it.

    `y` is the base line. `state`: won, lost, known, or waiting for somebody.
    """

    y: int
    number: str
    text: str
    full: str
    score: str
    state: str


@dataclass(frozen=True, slots=True)
class Box:
    """A match, a bye, or the champion; `kind` is match, live (being played), bye, champion or open."""

    x: int
    y: int
    width: int
    height: int
    kind: str
    sides: tuple[Side, ...]
    note: str = ""
    number_x: int = 0
    names_x: int = 0
    score_x: int = 0

    @property
    def right(self) -> int:
        """Its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """Its lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> int:
        """The line between its two sides."""
        return self.y + self.height // 2

    @property
    def centre(self) -> int:
        """Half of its width."""
        return self.x + self.width // 2

    @property
    def note_y(self) -> int:
        """The base line of its note: above a match, inside the champion's box."""
        return self.y + (LINE - 6 if self.kind in {"champion", "open"} else -4)


@dataclass(frozen=True, slots=True)
class Line:
    """The way from a match to the next; `is_won` once somebody went it, `is_last` to the champion."""

    path: str
    is_won: bool
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """One picture: width and height in pixels and what is in it, lines first."""

    width: int
    height: int
    lines: tuple[Line, ...]
    boxes: tuple[Box, ...]
    headings: tuple[Label, ...]
    zones: tuple[Label, ...]
    entries: int
    """How many teams stand at its outer ends."""
    small: int
    """The size of notes and of who is waited for."""


def text_width(text: str, size: int = TYPE) -> int:
    """How many pixels a text takes at most in a Chinese sans serif of this size, rounded up."""
    return -(-sum(map(_hundredths, text)) * size // 100)


def _hundredths(character: str) -> int:
    """Width in hundredths of the type's size."""
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in "WFA":
        return 100
    if character in " .,:;'|!ijl":
        return 32
    return 85 if character in "MWmw@%" else 72 if character.isupper() else 62


def shortened(text: str, width: int, size: int = TYPE) -> str:
    """The text, or a team's own name without its players, or as much as fits with … at its end."""
    if text_width(text, size) <= width:
        return text
    own_name = text.partition("（")[0]
    if own_name and text_width(own_name, size) <= width:
        return own_name
    kept = text
    while kept and text_width(kept + "…", size) > width:
        kept = kept[:-1]
    return f"{kept.rstrip(' ·')}…"
