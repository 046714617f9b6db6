"""签到表 with a place to sign, and the teams' cards whose QR code opens their check-in."""

from __future__ import annotations

from urllib.parse import urljoin

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from guandan_site.pdf import sheet_response
from guandan_site.prints.selectors import sheet_head, sheet_team
from guandan_site.prints.views import sheet_phones
from pairing import check_in_words
from pairing.selectors.check_in import CheckIn, Presence, event_check_in
from tournaments.access import official_event
from tournaments.models import Event
from tournaments.roles import ASSIST
from tournaments.sheets import RosterRow, TeamCard, cut_stack, grouped_by_department

CARDS_PER_PAGE = 8


@require_safe
@official_event(ASSIST)
def check_in_pdf(request: HttpRequest, event: Event, order: str) -> HttpResponse:
    """The list to tick and sign, by number or by department."""
    state = _state(event)
    title = _("Check-in sheet")
    rows = _rows(state)
    subtitle = _("%(stage)s, round %(round)d · %(count)d teams") % {
        "stage": state.hand.stage.name,
        "round": state.hand.number,
        "count": len(rows),
    }
    head = sheet_head(event, title, subtitle=subtitle)
    context = {"head": head, "rows": rows, "groups": grouped_by_department(rows)}
    return sheet_response(f"check_in_{order}", context, f"{event.name} {title}")


@require_safe
@official_event(ASSIST)
def team_cards_pdf(request: HttpRequest, event: Event) -> HttpResponse:
    """A card for each team: its number, its names, and the code that opens its page or its check-in."""
    phones, title = sheet_phones(request, event), _("Team cards")
    cards = [
        TeamCard(
            row.team,
            urljoin(phones, reverse("team_card", args=[event.slug, row.team.number])) if phones else "",
        )
        for row in _rows(_state(event))
    ]
    context = {"head": sheet_head(event, title), "pages": cut_stack(cards, CARDS_PER_PAGE)}
    return sheet_response("team_cards", context, f"{event.name} {title}")


def _state(event: Event) -> CheckIn:
    state = event_check_in(event)
    if state is None:
        raise Http404("no stage")
    return state


def _rows(state: CheckIn) -> list[RosterRow]:
    """The teams by number; those that miss the round say so, those that left are not on it."""
    return [
        RosterRow(
            sheet_team(row.team),
            remark=check_in_words.absence_words(row.absence) if row.absence else "",
        )
        for row in state.rows
        if row.presence is not Presence.WITHDRAWN
    ]
