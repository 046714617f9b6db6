"""Levels as officials type them and as the product writes them."""

import pytest

from scoring.engine.levels import InvalidLevel, level_symbol, parse_level

TYPED = [
    *[(str(level), level) for level in range(2, 11)],
    ("j", 11), ("J", 11), ("q", 12), ("Q", 12), ("k", 13), ("K", 13), ("a", 14), ("A", 14),
    ("+", 15), ("A+", 15), ("a+", 15), ("过A", 15), ("过a", 15),
    ("Ｋ", 13), ("ｋ", 13), ("１０", 10), ("２", 2), ("＋", 15), ("Ａ＋", 15), ("过Ａ", 15),
    (" 7 ", 7), ("\t10\n", 10), ("\u3000Q\u3000", 12),
]  # fmt: skip


@pytest.mark.parametrize(("text", "level"), TYPED)
def test_reads_what_officials_type(text, level):
    assert parse_level(text) == level


REFUSED = [
    "1", "16", "", " ", "10.5", "-3", "999999999999999999999999", "0", "11", "12", "13", "14", "15", "23",
    "x", "A++", "++", "K+", "1 0", "02", "2.0", "jack", "过", "过K", "٣", "½", "\x00", "9" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:12] or "empty")
def test_refuses_what_is_no_level(text):
    with pytest.raises(InvalidLevel) as refused:
        parse_level(text)
    assert refused.value.text == text


def test_writes_every_level_so_that_it_reads_back():
    symbols = [level_symbol(level) for level in range(2, 16)]
    assert symbols == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "A+"]
    assert [parse_level(symbol) for symbol in symbols] == list(range(2, 16))


@pytest.mark.parametrize("level", [1, 16, 0, -3])
def test_has_no_symbol_outside_the_levels(level):
    with pytest.raises(InvalidLevel):
        level_symbol(level)
