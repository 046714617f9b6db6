"""桌号: the chief takes broken tables out and gives stages their range; who sits at a broken table moves."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from pairing.models import Publication
from pairing.selectors.halls import HallPlan, RoundMoves, hall_preview, plan_of
from pairing.services.guards import draw_of, note_change
from pairing.services.publishing import publish_changed
from pairing.services.refusals import NoFreeTable, ReasonMissing
from pairing.services.tables import move_reasons
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Match


@transaction.atomic
def set_tables(*, event: Event, plan: HallPlan, by: User, reason: str = "") -> list[Publication]:
    """Keeps the plan; matches at broken tables where nothing is recorded go to the next free one.

    A published round gets a new version with the reason. Setting again what is set writes nothing.
    Raises NoFreeTable, and ReasonMissing where published tables change.
    """
    event = lock_event(event.pk)
    before, preview = plan_of(event), hall_preview(event, plan)
    moving = [each for each in preview.rounds if each.moves]
    for each in moving:
        if each.without_table:
            raise NoFreeTable([match.table or 0 for match in each.without_table])
    if preview.needs_reason and not reason.strip():
        raise ReasonMissing
    if plan == before and not moving:
        return []
    _keep(event, plan)
    published = [_move(each, by, reason.strip()) for each in moving]
    old, new = (_told(event, each) for each in (before, plan))
    moved = [[each.match.table, each.to] for one in moving for each in one.moves]
    record_act(
        event=event,
        act=Act.TABLES_SET,
        by=by,
        old=old,
        new=new | ({"moved": moved} if moved else {}),
        reason=reason.strip(),
    )
    return [each for each in published if each is not None]


def _keep(event: Event, plan: HallPlan) -> None:
    event.broken_tables = list(plan.broken)
    event.save(update_fields=["broken_tables"])
    for stage in event.stages.all():
        if stage.pk in plan.ranges:
            stage.first_table, stage.last_table = plan.ranges[stage.pk] or (None, None)
            stage.save(update_fields=["first_table", "last_table"])


def _move(found: RoundMoves, by: User, reason: str) -> Publication | None:
    """The round at its new tables; a published one hangs anew."""
    round_, draw = found.round, draw_of(found.round)
    for move in found.moves:
        Match.objects.filter(pk=move.match.pk).update(table=move.to)
        draw.explained = move_reasons(draw.explained, {move.match.table or 0: move.to or 0})
        note_change(draw, by, "broken_table", first=move.match.table, second=move.to)
    return None if round_.is_draft else publish_changed(round_, by, reason)


def _told(event: Event, plan: HallPlan) -> dict[str, Any]:
    """What the log keeps: the broken tables, and [stage, first, last] of each range."""
    stages = event.stages.order_by("order")
    ranges = [[stage.name, *(plan.ranges.get(stage.pk) or ())] for stage in stages]
    return {"broken_tables": list(plan.broken), "ranges": [each for each in ranges if len(each) > 1]}
