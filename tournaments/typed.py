"""What was typed into a box that no form reads: a reason, a search."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.roster.text import clean_text

LONGEST_REASON = 400
"""What the log keeps of a reason."""


def typed_line(data: Mapping[str, str], name: str, most: int = LONGEST_REASON) -> str:
    """One line as the forms keep it, cut at `most` characters; empty where nothing came.

    Characters that nobody sees go: no database and no workbook takes all of them.
    """
    return clean_text(data.get(name, "")).replace("\n", " ")[:most].strip()
