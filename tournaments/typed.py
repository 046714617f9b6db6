"""What was typed into a box that no form reads: a reason, a search."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.roster.text import clean_text

LONGEST_REASON = 400
"""What the log keeps of a reason."""
LONGEST_KEY = 19
"""Digits of a number that every database can look for."""


def typed_line(data: Mapping[str, str], name: str, most: int = LONGEST_REASON) -> str:
    """One line as the forms keep it, cut at `most` characters; empty where nothing came.

    Characters that nobody sees go: no database and no workbook takes all of them.
    """
    return clean_text(data.get(name, "")).replace("\n", " ")[:most].strip()


def typed_key(data: Mapping[str, str], name: str) -> int:
    """The number of a row that a page carries along; 0, which no row has, where nothing like it came."""
    text = data.get(name, "")
    return int(text) if text.isdecimal() and len(text) < LONGEST_KEY else 0
