"""Reads: what an open page asks of the tables of a round again and again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tournaments.models import Match, Round


class TableState(NamedTuple):
    """What an open page must know of a table: the version of its result (0: none), seats, penalties."""

    version: int
    home: int
    away: int | None
    ruling: Mapping[str, Any]


def table_states(round_: Round) -> dict[int, TableState]:
    """The tables of a round by number. One query."""
    rows = Match.objects.filter(round=round_, away__isnull=False).order_by("table")
    columns = ("table", "result__version", "home_id", "away_id", "ruling")
    return {
        table: TableState(version or 0, *seated)
        for table, version, *seated in rows.values_list(*columns)
        if table is not None
    }
