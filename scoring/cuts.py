"""事后更正: what changes in a stage after a later stage, or a round of its own, was made from it.

Seeds are frozen at the cut, and a drawn round stays. What was there before is kept, with the later stage and
with the stage itself, so that anybody can find again who had to advance and who had to meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Max

from scoring.cut_notes import AFTER_CUT, AFTER_DRAW
from tournaments.models import Match, RoundStatus, Stage, StageFormat


def begun_from(stage: Stage) -> list[Stage]:
    """The later stages that have begun with entries from this one, in order. One query."""
    later = Stage.objects.filter(event=stage.event_id, order__gt=stage.order).exclude(layout={})
    return [each for each in later.order_by("order") if stage.key in _sources(each.rules)]


def advancing_from(stage: Stage) -> int:
    """How many of each group advance into the next stage; 1, the winner, where none follows. One query."""
    later = Stage.objects.filter(event=stage.event_id, order__gt=stage.order).order_by("order")
    following = next((each for each in later if stage.key in _sources(each.rules)), None)
    return 1 if following is None else int(following.rules["entry"].get("count", 2))


def _sources(rules: Mapping[str, Any]) -> list[str]:
    named = rules.get("entry", {}).get("from") or []
    return [named] if isinstance(named, str) else list(named)


def has_followed(stage: Stage, number: int) -> bool:
    """Whether a round in play, a draft or a later stage was made from what stands after round `number`.

    Two queries at most.
    """
    if stage.format == StageFormat.SWISS:
        later = stage.rounds.filter(number__gt=number).exclude(status=RoundStatus.COMPLETED)
        if later.exists():
            return True
    return bool(begun_from(stage))


def keep_what_was(stage: Stage, **change: Any) -> None:
    """Notes what a correction changes, as it was before, with every stage and draw that was made from it.

    Part of an act that has locked the event. Two queries, and one for each stage that keeps a note.
    """
    for later in begun_from(stage):
        kept = [*later.layout.get(AFTER_CUT, []), {"stage": stage.key, **change}]
        later.layout = {**later.layout, AFTER_CUT: kept}
        later.save(update_fields=["layout"])
    if stage.format == StageFormat.SWISS:
        _keep_for_draws(stage, change)


def _keep_for_draws(stage: Stage, change: Mapping[str, Any]) -> None:
    drawn: int | None = stage.rounds.aggregate(newest=Max("number"))["newest"]
    if drawn is None or not _was_drawn_from(change, drawn):
        return
    stage.refresh_from_db(fields=["layout"])
    kept = [*stage.layout.get(AFTER_DRAW, []), {"drawn": drawn, **change}]
    stage.layout = {**stage.layout, AFTER_DRAW: kept}
    stage.save(update_fields=["layout"])


def _was_drawn_from(change: Mapping[str, Any], drawn: int) -> bool:
    """What a match counts is known to the rounds after it; points of round 1 count before it is drawn."""
    number: int = change.get("round", 0)
    is_of_match = "was" in change or "penalty" in change
    return number < drawn or (number <= 1 and not is_of_match)


def was_corrected_since(stage: Stage, number: int) -> bool:
    """Whether something was corrected since round `number` was drawn from it. No query."""
    return any(each["drawn"] >= number for each in stage.layout.get(AFTER_DRAW, []))


def settle_for_draw(stage: Stage, number: int) -> None:
    """Round `number` is drawn from what stands now: what was changed before is news to no draw from it on.

    Part of an act that has locked the event. No query where nothing was changed.
    """
    kept = stage.layout.get(AFTER_DRAW, [])
    settled = [{**each, "drawn": min(each["drawn"], number - 1)} for each in kept]
    settled = [each for each in settled if each["drawn"] > 0]
    if settled == kept:
        return
    stage.layout = {name: value for name, value in stage.layout.items() if name != AFTER_DRAW}
    if settled:
        stage.layout[AFTER_DRAW] = settled
    stage.save(update_fields=["layout"])


def keep_result(match: Match, was: Mapping[str, Any] | None) -> None:
    """The same for a table's result; it is corrected, not entered, only where its round or group is over."""
    if match.is_closed and match.away is not None:
        sides = {"home": match.home.key, "away": match.away.key}
        keep_what_was(match.round.stage, round=match.round.number, **sides, was=was)
