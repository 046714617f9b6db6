"""Levels 级: 2…10, J, Q, K and A as the integers 2…14, and passed A 过A as 15."""

import unicodedata

LOWEST = 2
JACK = 11
ACE = 14
PASSED = 15

_SYMBOLS = {
    **{level: str(level) for level in range(LOWEST, JACK)},
    JACK: "J",
    12: "Q",
    13: "K",
    ACE: "A",
    PASSED: "A+",
}
_LEVELS = {symbol: level for level, symbol in _SYMBOLS.items()} | {"+": PASSED, "过A": PASSED, "過A": PASSED}
_LONGEST = max(map(len, _LEVELS))


class InvalidLevel(ValueError):
    """The text names no level; `text` is what was typed."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def parse_level(text: str) -> int:
    """The level that an official typed: `2`…`10`, `j q k a` in any case, and `+`, `A+` or `过A` for passed.

    Full-width characters and surrounding blanks are accepted. Raises InvalidLevel for everything else.
    """
    bare = text.strip()
    if len(bare) > _LONGEST:  # also keeps a pasted page away from the Unicode tables
        raise InvalidLevel(text)
    level = _LEVELS.get(unicodedata.normalize("NFKC", bare).upper())
    if level is None:
        raise InvalidLevel(text)
    return level


def level_symbol(level: int) -> str:
    """How a level is written: `2`…`10`, `J`, `Q`, `K`, `A`, `A+`. Raises InvalidLevel outside 2…15."""
    if level not in _SYMBOLS:
        raise InvalidLevel(str(level))
    return _SYMBOLS[level]
