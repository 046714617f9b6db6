"""What the projector shows of groups and brackets: pages that a hall can read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pairing.bracket_texts import drawings_for_hall
from pairing.selectors.brackets import public_bracket
from pairing.selectors.cross_tables import CrossTable, cross_tables
from tournaments.models import Audience, Stage, StageFormat

_ROWS_OF_FOUR, _ROWS_OF_TWO = 7, 16
"""Teams of the largest group with which four groups, or two, fit on a page."""
MOST_IN_CROSS_TABLE = 12
"""Teams whose results against each other fit side by side in readable type."""


def format_scenes(stage: Stage, audience: Audience = Audience.EVERYBODY) -> dict[str, Any]:
    """The pages of a knockout's bracket or of several groups as context; empty where standings say it all."""
    if stage.format == StageFormat.KNOCKOUT:
        public = public_bracket(stage, audience)
        pages = drawings_for_hall(public) if public else ()
        return {"stage": stage, "format_pages": pages, "is_bracket": True} if pages else {}
    if stage.format == StageFormat.ROUND_ROBIN:
        cross = cross_tables(stage, audience)
        if cross is not None and len(cross.tables) > 1:
            return {"stage": stage, "cross": cross, "format_pages": group_pages(cross.tables)}
    return {}


def cross_scenes(stage: Stage, audience: Audience = Audience.EVERYBODY) -> dict[str, Any]:
    """A round robin's groups as context, each with who met whom on a page of its own.

    A knockout's bracket as `format_scenes`; empty for a Swiss stage, and for a group that is too large.
    """
    if stage.format != StageFormat.ROUND_ROBIN:
        return format_scenes(stage, audience)
    cross = cross_tables(stage, audience)
    if cross is None:
        return {}
    if max(len(table.rows) for table in cross.tables) > MOST_IN_CROSS_TABLE:
        return format_scenes(stage, audience)
    return {"stage": stage, "cross": cross, "cross_pages": cross.tables}


def group_pages(tables: Sequence[CrossTable]) -> list[Sequence[CrossTable]]:
    """The groups by pages: four, two or one, as large as they are."""
    rows = max(len(table.rows) for table in tables)
    size = 4 if rows <= _ROWS_OF_FOUR else 2 if rows <= _ROWS_OF_TWO else 1
    return [tables[start : start + size] for start in range(0, len(tables), size)]
