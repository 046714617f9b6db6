"""What is in an emergency pack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from guandan_site.pdf import Cover, Part
from guandan_site.prints.selectors import sheet_head
from guandan_site.prints.sheets import (
    BY_NUMBER,
    BY_TABLE,
    SLIPS,
    Sheet,
    bracket_sheet,
    cross_table_sheet,
    hanging_sheet,
    standings_sheet,
    version_sheet,
    version_words,
)
from pairing.models import Publication
from pairing.selectors.brackets import public_bracket
from pairing.selectors.cross_tables import cross_tables
from pairing.selectors.published import draw_sheet
from pairing.selectors.versions import Version
from scoring.selectors import COUNTING, Standings, stage_standings
from tournaments.models import Audience, Round, StageFormat

OF_A_ROUND = (BY_TABLE, BY_NUMBER, SLIPS)


def pack_sheets(publication: Publication, page: str) -> list[Sheet]:
    """The version's tables, numbers and slips, then how the event stood before the round.

    A version that hangs shows the tables as they stand, one that was replaced as it was published; nothing in
    it is more than the hall knows.
    """
    return [*_round_sheets(publication, page), *_standing_sheets(publication.round, page)]


def _round_sheets(publication: Publication, page: str) -> Iterator[Sheet]:
    round_, event = publication.round, publication.round.stage.event
    if publication.withdrawn_at is None:
        drawn = draw_sheet(round_, Audience.HALL)
        yield from (hanging_sheet(event, drawn, sheet, page) for sheet in OF_A_ROUND)
    else:
        version = Version(publication)
        yield from (version_sheet(event, round_, version, sheet, page) for sheet in OF_A_ROUND)


def _standing_sheets(round_: Round, page: str) -> Iterator[Sheet]:
    event, stage = round_.stage.event, round_.stage
    standings = _standings_before(round_)
    if standings is not None and standings.after_round:
        title = _("Standings after round %(n)d") % {"n": standings.after_round}
        yield standings_sheet(event, standings, title, page)
    if stage.format == StageFormat.KNOCKOUT:
        bracket = public_bracket(stage, Audience.HALL)
        if bracket is not None:
            yield bracket_sheet(event, bracket, page)
    elif stage.format == StageFormat.ROUND_ROBIN:
        cross = cross_tables(stage, Audience.HALL)
        if cross is not None:
            yield cross_table_sheet(event, cross, page)


def _standings_before(round_: Round) -> Standings | None:
    """Those after the round before; before a stage's first round those of the stage before it."""
    stage = round_.stage
    if round_.number > 1:
        return stage_standings(stage, after_round=round_.number - 1, audience=Audience.HALL)
    earlier = stage.event.stages.filter(order__lt=stage.order, rounds__status__in=COUNTING)
    before = earlier.order_by("-order").first()
    return stage_standings(before, audience=Audience.HALL) if before is not None else None


def pack_cover(publication: Publication, sheets: Sequence[Sheet]) -> Cover:
    """The first page: what the pack is, on which page each sheet begins, how to go on with it."""
    round_ = publication.round
    subtitle = _("%(stage)s, round %(round)d") % {"stage": round_.stage.name, "round": round_.number}
    replaced = publication.withdrawn_at is not None
    head = sheet_head(
        round_.stage.event,
        _("Emergency pack"),
        subtitle=subtitle,
        version=version_words(publication.version),
        at=publication.published_at,
        notice=_("This version was replaced or withdrawn.") if replaced else "",
    )

    def cover(begins: Sequence[int]) -> Part:
        lines = [(sheet.title, page) for sheet, page in zip(sheets, begins, strict=True)]
        return Part("pack", {"head": head, "lines": lines})

    return cover
