"""The final list with prizes: page, paper, workbook and certificates."""

from __future__ import annotations

from datetime import date

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from guandan_site.pdf import sheet_response
from guandan_site.prints import selectors
from guandan_site.prints.prizes import (
    certificate_date,
    certificates,
    event_day,
    prize_cells,
    prize_list,
    prize_word,
    rank_word,
)
from guandan_site.prints.views import list_response, sheet_phones
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event
from tournaments.prizes import TieSettled, find_tie
from tournaments.roles import ASSIST, DIRECT
from tournaments.services.prizes import settle_prize_tie


@require_safe
@official_event(ASSIST)
def prizes(request: HttpRequest, event: Event) -> HttpResponse:
    """Who gets which prize; a shared rank between two prizes waits for the chief."""
    context = {
        "event": event,
        "section": "prints",
        "prizes": prize_list(event),
        "day": event_day(event),
        "may_settle": request.user.has_perm(DIRECT),
    }
    return render(request, "prints/prizes.html", context)


@require_POST
@official_event(DIRECT)
def prize_tie(request: HttpRequest, event: Event) -> HttpResponse:
    """The chief settles a shared rank: the better prize for all, or lots drawn now."""
    how, tie = request.POST.get("how", ""), find_tie(prize_list(event).found, request.POST.get("teams", ""))
    if tie is None or how not in set(TieSettled):
        messages.error(request, _("This rank is not shared any more. Here is the list as it is now."))
        return see_other(reverse("prizes", args=[event.slug]))
    settle_prize_tie(event=event, numbers=tie.numbers, how=TieSettled(how), by=signed_in_user(request))
    messages.success(request, _("The shared rank %(rank)d is settled.") % {"rank": tie.rank})
    return see_other(reverse("prizes", args=[event.slug]))


@require_safe
@official_event(ASSIST)
def prizes_pdf(request: HttpRequest, event: Event) -> HttpResponse:
    """The final list with prizes on paper."""
    found, title = prize_list(event), _("List of prizes")
    subtitle = "" if found.is_final else _("not final yet")
    rows = [
        {
            "rank": rank_word(row),
            "team": row.sheet_team,
            "name": prize_word(row.award),
            "tier": row.award.tier,
        }
        for row in found.rows
    ]
    context = {
        "head": selectors.sheet_head(event, title, subtitle=subtitle, phones=sheet_phones(request, event)),
        "rows": rows,
    }
    context["has_gifts"] = any(row.award.tier and row.award.tier.prize for row in found.rows)
    return sheet_response("prizes", context, f"{event.name} {title}")


@require_safe
@official_event(ASSIST)
def prizes_xlsx(request: HttpRequest, event: Event) -> HttpResponse:
    """The final list with prizes as a workbook."""
    headers, rows = prize_cells(prize_list(event))
    return list_response(event, _("List of prizes"), headers, rows)


@require_safe
@official_event(ASSIST)
def certificates_pdf(request: HttpRequest, event: Event) -> HttpResponse:
    """荣誉证书, one a page: of the chosen teams (`team`), else of all prize winners; `day` is its date."""
    numbers = [int(each) for each in request.GET.getlist("team") if each.isdecimal() and len(each) < 6]
    made = certificates(prize_list(event), numbers)
    if not made:
        messages.error(request, _("Nobody has a certain prize yet. Set the prizes, or tick the teams."))
        return redirect("prizes", event.slug)
    title = _("Certificates")
    context = {
        "head": selectors.sheet_head(event, title),
        "certificates": made,
        "day": certificate_date(_day(request.GET.get("day", ""), event)),
    }
    return sheet_response("certificates", context, f"{event.name} {title}")


def _day(text: str, event: Event) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return event_day(event)
