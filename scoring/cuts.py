"""出线之后: results and points of a stage that another has taken its entries from already.

The seeds of the later stage are frozen at the cut. What was there before a later correction is kept with that
stage, so that anybody can find again who had to advance.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.cut_notes import AFTER_CUT
from tournaments.models import Match, Stage


def begun_from(stage: Stage) -> list[Stage]:
    """The later stages that have begun with entries from this one, in order. One query."""
    later = Stage.objects.filter(event=stage.event_id, order__gt=stage.order).exclude(layout={})
    return [each for each in later.order_by("order") if stage.key in _sources(each.rules)]


def _sources(rules: Mapping[str, Any]) -> list[str]:
    named = rules.get("entry", {}).get("from") or []
    return [named] if isinstance(named, str) else list(named)


def keep_what_was(stage: Stage, **change: Any) -> None:
    """Notes with every stage that has begun from this one what a correction changes, as it was before.

    Part of an act that has locked the event. One query, and one for each such stage.
    """
    for later in begun_from(stage):
        kept = [*later.layout.get(AFTER_CUT, []), {"stage": stage.key, **change}]
        later.layout = {**later.layout, AFTER_CUT: kept}
        later.save(update_fields=["layout"])


def keep_result(match: Match, was: Mapping[str, Any] | None) -> None:
    """The same for a table's result; it is corrected, not entered, only where its round or group is over."""
    if match.is_closed and match.away is not None:
        sides = {"home": match.home.key, "away": match.away.key}
        keep_what_was(match.round.stage, round=match.round.number, **sides, was=was)
