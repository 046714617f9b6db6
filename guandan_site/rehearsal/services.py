"""Beginning a rehearsal, playing its rounds by chance, throwing it away."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from guandan_site.across.copying import NewHead, copy_event
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.simulating import chance_results
from guandan_site.packs.making import remove_packs
from scoring.engine.results import MatchResult
from scoring.services import NOT_ENTERED, StaleResult, record_result
from tournaments.log import Act, record_act
from tournaments.models import Event, Match, Round
from tournaments.selectors.events import proposed_slug

LONGEST_NAME = 100


class NotARehearsal(Exception):
    """The act is for rehearsals only: a real event is never touched by it."""


@transaction.atomic
def begin_rehearsal(*, event: Event, by: User) -> Event:
    """A copy with the teams as they are now, for officials only, marked on every page and sheet."""
    slug = proposed_slug(f"{event.slug}-rehearsal", f"{timezone.localdate():%m%d}")
    name = _("Rehearsal · %(name)s") % {"name": event.name}
    head = NewHead(name[:LONGEST_NAME], slug, event.starts_at, is_public=False)
    rehearsal = copy_event(event=event, head=head, with_teams=True, by=by, act=Act.REHEARSAL_BEGUN)
    rehearsal.is_rehearsal = True
    rehearsal.save(update_fields=["is_rehearsal"])
    return rehearsal


def play_by_chance(*, round: Round, by: User, leave: int, seed: int) -> int:
    """Enters invented results at the tables that have none, all but the last `leave`; how many were entered.

    Each is entered as an assistant would, one by one; what somebody else enters meanwhile stays. Raises
    NotARehearsal.
    """
    event = round.stage.event
    if not event.is_rehearsal:
        raise NotARehearsal
    open_matches = round.matches.filter(table__isnull=False, result=None).order_by("table")
    matches = list(open_matches.select_related("home", "away", "round__stage__event"))
    wanted = matches[: len(matches) - leave] if leave else matches
    results = _invented(event, round, wanted, seed)
    entered = 0
    for match, result in zip(wanted, results, strict=True):
        try:
            record_result(match=match, by=by, entry=result, expected_version=NOT_ENTERED)
            entered += 1
        except StaleResult:
            continue
    return entered


def _invented(event: Event, round_: Round, matches: list[Match], seed: int) -> list[MatchResult]:
    document = document_of(event)
    stage = next(each for each in document.stages if each.id == round_.stage.key)
    played = next(each for each in stage.rounds if each.number == round_.number)
    tables = {match.table for match in matches}
    return chance_results(document, stage, (each for each in played.matches if each.table in tables), seed)


@transaction.atomic
def remove_rehearsal(*, event: Event, by: User) -> None:
    """Throws the copy away with all that was played in it. Raises NotARehearsal."""
    event = Event.objects.select_for_update().get(pk=event.pk)
    if not event.is_rehearsal:
        raise NotARehearsal
    record_act(event=None, act=Act.REHEARSAL_REMOVED, by=by, subject=event.name)
    transaction.on_commit(partial(remove_packs, event.pk))
    event.delete()
