"""A frozen version of a round's tables, printed again as it hung."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from guandan_site.prints.sheets import BY_NUMBER, BY_TABLE, Sheet, version_sheet, version_words
from guandan_site.prints.views import part_response
from pairing.phones import phones_address
from pairing.selectors.published import published_round
from pairing.views.versions import numbered_version
from tournaments.access import official_event
from tournaments.models import Audience, Event
from tournaments.roles import ASSIST


@require_safe
@official_event(ASSIST)
def draw_version_pdf(
    request: HttpRequest, event: Event, stage: int, number: int, version: int, sheet: str
) -> HttpResponse:
    """A version by table or by number, with the names it was published with."""
    round_ = published_round(event, stage, number, Audience.HALL)
    if round_ is None or sheet not in (BY_TABLE, BY_NUMBER):
        raise Http404("no such sheet")
    printed = version_sheet(
        event, round_, numbered_version(round_, version), sheet, phones_address(request, event)
    )
    named = Sheet(f"{printed.title} {version_words(version)}", printed.part)
    return part_response(event, named)
