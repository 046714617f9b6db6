"""桌码: the chief's page of a round's table codes, to be renewed or revoked for one table or all."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.selectors import round_matches
from scoring.statements import confirmation_rules
from scoring.table_codes import NoSuchTable, codes_of, renew_codes, revoke_codes
from scoring.views.results import page_context, round_or_404
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.lineups import seat_lineups
from tournaments.models import Event
from tournaments.roles import DIRECT

ACTS = {"renew": renew_codes, "revoke": revoke_codes}


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(DIRECT)
def table_codes(request: HttpRequest, event: Event, stage: int, round: int) -> HttpResponse:
    """The tables of a round with their codes; a lost or photographed one is replaced by a new one."""
    round_ = round_or_404(event, stage, round)
    address = reverse("table_codes", args=[event.slug, stage, round])
    if request.method == "POST":
        wanted = request.POST.get("table", "")
        act = ACTS.get(request.POST.get("act", ""))
        table = int(wanted) if wanted.isdecimal() and len(wanted) < 7 else None
        try:
            if act is not None and (table is not None or wanted == ""):
                act(round=round_, by=signed_in_user(request), table=table)
                messages.success(request, _("Done. Codes printed before for these tables lead nowhere now."))
        except NoSuchTable:
            messages.error(request, _("Nobody plays at table %(table)s in this round.") % {"table": table})
        return see_other(address)
    codes = codes_of(round_)
    matches = round_matches(round_).filter(table__isnull=False, away__isnull=False)
    context = page_context(round_) | {
        "tables": [(match, codes.get(match.table or 0, "")) for match in seat_lineups(matches)],
        "coded": len(codes),
        "rules": confirmation_rules(round_.stage),
        "address": address,
    }
    return render(request, "scoring/table_codes.html", context)
