"""Long public lists in pages: what a phone gets to see within 30 kB, however many teams there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from django.core.paginator import Page, Paginator

Row = TypeVar("Row")

ROWS = 300
FEW_MORE = 60
"""So many rows more than full pages stand on the last one rather than on one of their own."""


def page_of(rows: Sequence[Row], asked: str, is_found: Callable[[Row], bool] | None = None) -> Page[Row]:
    """The page asked for; without a number the one with the first row that is found, else the first."""
    paginator = Paginator(rows, ROWS, orphans=FEW_MORE)
    if not asked and is_found is not None:
        place = next((place for place, row in enumerate(rows) if is_found(row)), 0)
        return paginator.page(min(place // ROWS + 1, paginator.num_pages))
    return paginator.get_page(asked)
