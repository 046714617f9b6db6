"""A frozen version of a round's tables, printed again as it hung."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from guandan_site.pdf import sheet_response
from guandan_site.prints import selectors
from guandan_site.prints.views import sheet_phones, version_words
from pairing.selectors.published import published_round
from pairing.selectors.versions import Version
from pairing.views.versions import numbered_version
from tournaments.access import official_event
from tournaments.models import Audience, Event
from tournaments.roles import ASSIST
from tournaments.sheets import columns_by_number, ordered_by_number


@require_safe
@official_event(ASSIST)
def draw_version_pdf(
    request: HttpRequest, event: Event, stage: int, number: int, version: int, sheet: str
) -> HttpResponse:
    """A version by table or by number, with the names it was published with."""
    round_ = published_round(event, stage, number, Audience.HALL)
    if round_ is None or sheet not in SHEETS:
        raise Http404("no such sheet")
    found = numbered_version(round_, version)
    by_table = sheet == BY_TABLE
    title = _("Round %(n)d draw by table") if by_table else _("Round %(n)d draw by number")
    words = version_words(found.number)
    head = selectors.sheet_head(
        event,
        title % {"n": number},
        subtitle=round_.stage.name,
        version=words,
        at=found.publication.published_at,
        notice=_replaced(found),
        phones=sheet_phones(request, event),
    )
    context = {"head": head, **(_by_table(found) if by_table else _by_number(found))}
    return sheet_response(sheet.replace("-", "_"), context, f"{event.name} {title % {'n': number}} {words}")


BY_TABLE = "draw-by-table"
SHEETS = (BY_TABLE, "draw-by-number")


def _replaced(version: Version) -> str:
    """What a sheet says that does not hold any more."""
    return _("This version was replaced or withdrawn.") if version.publication.withdrawn_at else ""


def _by_table(version: Version) -> dict[str, Any]:
    return {"rows": selectors.frozen_rows(version)}


def _by_number(version: Version) -> dict[str, Any]:
    rows = ordered_by_number(selectors.frozen_by_number_rows(version))
    return {"rows": rows, "columns": columns_by_number(rows)}
