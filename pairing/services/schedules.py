"""自约: a schedule that is published whole, played in the teams' own time, and closed whole."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from pairing.engine.tables import Tables
from pairing.layouts import scheduled_rounds
from pairing.models import Draw
from pairing.selectors.stages import awaits_beginning, is_self_scheduled, planned_matches
from pairing.services.formats import seat_planned
from pairing.services.guards import fresh_stage
from pairing.services.publishing import new_publication
from pairing.services.refusals import NotSelfScheduled, StageHasRounds, StageNotBegun
from pairing.services.seating import seat
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Occasion, Round, RoundStatus, Stage
from tournaments.snapshots import take_snapshot


@transaction.atomic
def publish_schedule(*, stage: Stage, by: User | None) -> list[Round]:
    """Shows all rounds at once; tables are numbered through the whole schedule, and no clock runs.

    Raises NotSelfScheduled, StageNotBegun, StageHasRounds.
    """
    event = lock_event(stage.event_id)
    stage = fresh_stage(stage)
    if not is_self_scheduled(stage):
        raise NotSelfScheduled
    if awaits_beginning(stage):
        raise StageNotBegun(stage)
    if stage.rounds.exists():
        raise StageHasRounds
    take_snapshot(event=event, by=by, occasion=Occasion.BEFORE_PUBLICATION)
    rounds, table = [], 1
    for number in range(1, scheduled_rounds(stage.layout) + 1):
        round_ = _published(stage, number, table, by)
        table += round_.matches.filter(table__isnull=False).count()
        rounds.append(round_)
    new = {"rounds": len(rounds), "seed": stage.layout.get("seed", 0)}
    record_act(event=event, act=Act.ROUND_PUBLISHED, by=by, subject=stage.name, new=new)
    return rounds


def _published(stage: Stage, number: int, first_table: int, by: User | None) -> Round:
    round_ = Round.objects.create(stage=stage, number=number)
    seat_planned(Draw(round=round_, drawn_by=by), seed=None)
    if first_table > 1:
        seat(round_, planned_matches(stage, number, hall=Tables(first_table)))
    new_publication(round_, by)
    round_.status = RoundStatus.PUBLISHED
    round_.save(update_fields=["status"])
    return round_
