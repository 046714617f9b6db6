"""揭晓: published tables are put up in the hall one after the other, never before their publication."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from pairing.models import Ceremony, Publication
from pairing.selectors.board import tables_with_results
from pairing.selectors.published import table_count
from pairing.selectors.screens import running_ceremony
from pairing.services.guards import fresh_round, round_subject
from pairing.services.publishing import publish_round
from pairing.services.refusals import CeremonyTooLate, NoCeremony, NotPublished
from tournaments.clock import ClockState, clock_face
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Audience, Round

TITLE_SECONDS = 7
"""How long the round and its seed stand alone before the first table."""
SECONDS_A_TABLE = 2
LONGEST = 60
"""A large field comes in blocks, so that nobody waits longer than this."""


@transaction.atomic
def publish_with_ceremony(
    *,
    round: Round,
    by: User,
    expected_version: int,
    audience: Audience = Audience.EVERYBODY,
    reason: str = "",
) -> Ceremony:
    """Publishes the draft as `publish_round` does, and lets the screens put its tables up one by one.

    Raises what `publish_round` raises.
    """
    publication = publish_round(
        round=round, by=by, expected_version=expected_version, audience=audience, reason=reason
    )
    return _begin(publication, by)


@transaction.atomic
def start_ceremony(*, round: Round, by: User) -> Ceremony:
    """Puts a published round's tables up one by one, again if need be, as long as nobody plays.

    Raises NotPublished, CeremonyTooLate, DraftGone.
    """
    lock_event(round.stage.event_id)
    round = fresh_round(round)
    publication = round.publications.filter(withdrawn_at=None).last()
    if not round.is_published or publication is None:
        raise NotPublished(round)
    if tables_with_results(round) or clock_face(round).state not in {ClockState.NONE, ClockState.IDLE}:
        raise CeremonyTooLate
    return _begin(publication, by)


@transaction.atomic
def skip_ceremony(*, round: Round, by: User) -> Ceremony:
    """Ends it at once: the screens show all tables. Raises NoCeremony, DraftGone."""
    event = lock_event(round.stage.event_id)
    ceremony = running_ceremony(fresh_round(round))
    if ceremony is None:
        raise NoCeremony
    ceremony.skipped_at = timezone.now()
    ceremony.save(update_fields=["skipped_at"])
    record_act(event=event, act=Act.CEREMONY_SKIPPED, by=by, subject=round_subject(round))
    return ceremony


def ceremony_seconds(tables: int) -> int:
    """From the start until the last of so many tables is up."""
    return min(LONGEST, TITLE_SECONDS + SECONDS_A_TABLE * tables)


def _begin(publication: Publication, by: User) -> Ceremony:
    round_ = publication.round
    seconds = ceremony_seconds(table_count(round_))
    ceremony, _is_new = Ceremony.objects.update_or_create(
        publication=publication,
        defaults={"started_at": timezone.now(), "seconds": seconds, "skipped_at": None},
    )
    record_act(
        event=round_.stage.event,
        act=Act.CEREMONY_STARTED,
        by=by,
        subject=round_subject(round_),
        new={"version": publication.version},
    )
    return ceremony
