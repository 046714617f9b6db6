"""The list of penalties on paper, to post or to file."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from guandan_site.pdf import sheet_response
from guandan_site.prints.selectors import sheet_head, sheet_team
from scoring.models import Penalty
from scoring.penalty_rows import effect_words, event_penalties
from tournaments.access import official_event
from tournaments.models import Event
from tournaments.roles import ASSIST
from tournaments.sheets import SheetTeam


@dataclass(frozen=True)
class PenaltyRow:
    """A penalty with its team and what it does, in words."""

    penalty: Penalty
    team: SheetTeam
    effect: str


@require_safe
@official_event(ASSIST)
def penalties_pdf(request: HttpRequest, event: Event) -> HttpResponse:
    """All penalties in order of time, those taken back with the reason."""
    title = _("Penalties")
    rows = [
        PenaltyRow(each, sheet_team(each.team), effect_words(each.action, each.amount))
        for each in reversed(event_penalties(event))
    ]
    count, has_stages = len(rows), len({row.penalty.stage_id for row in rows}) > 1
    subtitle = ngettext("%(count)d penalty", "%(count)d penalties", count) % {"count": count}
    context = {"head": sheet_head(event, title, subtitle=subtitle), "rows": rows, "has_stages": has_stages}
    return sheet_response("penalties", context, f"{event.name} {title}")
