"""应急包: the emergency packs of an event, one for each published version, as they lie on the disk.

A pack is one file: the sheets of the version as a PDF, and the event file of that moment. It is made by
`guandan_site.packs`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from pairing.models import Publication
from tournaments.models import Event, RoundStatus

MOST_BY_THEMSELVES = 12
"""Of one event, the newest versions that hang: a schedule publishes all its rounds at once."""


@dataclass(frozen=True)
class Pack:
    """The pack of a version; without `made_at` it is made when somebody asks for it."""

    publication: Publication
    path: Path
    made_at: datetime | None

    @property
    def is_replaced(self) -> bool:
        """Whether the version does not hang any more."""
        return self.publication.withdrawn_at is not None

    @property
    def is_taken_back(self) -> bool:
        """Whether its round is a draft again: the pack is only for who may see drafts."""
        return self.publication.round.is_draft


def packs_folder(event_id: int) -> Path:
    """Where the event's packs lie; it need not be there."""
    return Path(settings.DATA_DIR) / "packs" / str(event_id)


def pack_of(publication: Publication) -> Pack:
    """The version's pack. No query with its round and stage loaded."""
    moment = publication.published_at.astimezone(UTC)
    name = f"{moment:%Y%m%d-%H%M%S-%f}-{publication.round_id}-v{publication.version}.zip"
    path = packs_folder(publication.round.stage.event_id) / name
    try:
        made_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        made_at = None
    return Pack(publication, path, made_at)


def event_packs(event: Event, *, sees_drafts: bool) -> list[Pack]:
    """The pack of every version, the newest first. One query.

    Of a version whose publication was taken back only a pack that was made before, and only for who may see
    drafts.
    """
    packs = map(pack_of, _publications(event))
    return [pack for pack in packs if not pack.is_taken_back or (sees_drafts and pack.made_at)]


def newest_pack(event: Event) -> Pack | None:
    """The pack of the version that was published last and hangs, made or not; None before one. One query."""
    return next(_hanging(_publications(event).exclude(round__status=RoundStatus.DRAFT)), None)


def packs_to_make(slug: str) -> list[Pack]:
    """The packs that are missing of what hangs in rounds that are being played. One query."""
    publications = Publication.objects.filter(
        round__stage__event__slug=slug, round__status=RoundStatus.PUBLISHED, withdrawn_at=None
    )
    newest = publications.select_related("round__stage__event").order_by("-published_at", "-pk")
    return [pack for pack in map(pack_of, newest[:MOST_BY_THEMSELVES]) if pack.made_at is None]


def _publications(event: Event) -> QuerySet[Publication]:
    publications = Publication.objects.filter(round__stage__event=event)
    return publications.select_related("round__stage__event").order_by("-published_at", "-pk")


def _hanging(publications: QuerySet[Publication]) -> Iterator[Pack]:
    return map(pack_of, publications.filter(withdrawn_at=None)[:1])
