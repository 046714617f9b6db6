"""公示: a draft becomes what the players see, numbered and frozen; and back, while nobody played."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from pairing.models import Publication
from pairing.selectors.board import tables_with_results
from pairing.selectors.inputs import active_teams
from pairing.services.guards import draft_as_seen, draw_of, fresh_round, note_change, round_subject
from pairing.services.refusals import DraftOutdated, NotPublished, TablesHaveResults
from scoring.selectors import round_minutes
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Clock, LogEntry, Round, RoundStatus, StageFormat
from tournaments.snapshots import take_snapshot


@transaction.atomic
def publish_round(*, round: Round, by: User, expected_version: int) -> Publication:
    """Shows the draft to everybody: a numbered publication with its seating, and a clock at rest.

    Raises NotADraft, StaleDraft, DraftOutdated, DraftGone.
    """
    event = lock_event(round.stage.event_id)
    round = draft_as_seen(round, expected_version)
    _require_current_roster(round)
    take_snapshot(event=event, by=by, occasion="before_publication")
    publication = new_publication(round, by)
    round.status = RoundStatus.PUBLISHED
    round.save(update_fields=["status"])
    _lay_out_clock(round)
    record_act(
        event=event,
        act=Act.ROUND_PUBLISHED,
        by=by,
        subject=round_subject(round),
        new={"version": publication.version, "seating": publication.seating},
    )
    return publication


@transaction.atomic
def withdraw_publication(*, round: Round, by: User) -> Round:
    """Takes the tables back from everybody's sight; the round is a draft again, its clock is gone.

    Raises NotPublished, TablesHaveResults (a bye is no obstacle), DraftGone.
    """
    event = lock_event(round.stage.event_id)
    round = fresh_round(round)
    if not round.is_published:
        raise NotPublished(round)
    _require_no_results(round)
    publication = round.publications.filter(withdrawn_at=None).last()
    round.publications.filter(withdrawn_at=None).update(withdrawn_at=timezone.now())
    Clock.objects.filter(round=round).delete()
    note_change(draw_of(round), by, "withdrawn")
    round.status = RoundStatus.DRAFT
    round.save(update_fields=["status"])
    record_act(
        event=event,
        act=Act.PUBLICATION_WITHDRAWN,
        by=by,
        subject=round_subject(round),
        old={"version": publication.version if publication else None},
    )
    return round


def new_publication(round_: Round, by: User | None) -> Publication:
    """The round's tables as they stand, under the next version."""
    return Publication.objects.create(
        round=round_,
        version=_last_version(round_) + 1,
        published_at=timezone.now(),
        published_by=by,
        seating=_seating(round_),
    )


def publish_again(round_: Round, by: User | None) -> None:
    """A published round's changed tables, in the place of those that hung before."""
    round_.publications.filter(withdrawn_at=None).update(withdrawn_at=timezone.now())
    new_publication(round_, by)


def _require_current_roster(round_: Round) -> None:
    """Nobody who left sits at a table, and in a Swiss round everybody in play has a place."""
    active = {team.pk: team.number for team in active_teams(round_.stage)}
    places = round_.seats.exclude(match__table=None, match__away__isnull=False)
    seated = dict(places.values_list("team_id", "team__number"))
    is_swiss = round_.stage.format == StageFormat.SWISS
    gone = sorted(number for pk, number in seated.items() if pk not in active)
    unseated = sorted(number for pk, number in active.items() if is_swiss and pk not in seated)
    if gone or unseated:
        raise DraftOutdated(gone, unseated)


def _require_no_results(round_: Round) -> None:
    tables = tables_with_results(round_)
    if tables:
        raise TablesHaveResults(tables)


def _last_version(round_: Round) -> int:
    """The last version that was ever shown, also of a draft that was discarded meanwhile: paper stays."""
    acts = LogEntry.objects.filter(
        event=round_.stage.event,
        act=Act.ROUND_PUBLISHED,
        subject=round_subject(round_),
        new__version__isnull=False,
    )
    logged: list[int] = list(acts.values_list("new__version", flat=True))
    return max([0, *logged, *round_.publications.values_list("version", flat=True)])


def _seating(round_: Round) -> list[list[Any]]:
    rows = round_.matches.values_list("table", "home__number", "away__number")
    return [list(row) for row in rows]


def _lay_out_clock(round_: Round) -> None:
    minutes = round_minutes(round_)
    if minutes is not None:
        Clock.objects.create(round=round_, length=minutes * 60)
