"""上场名单: who of each team sits at the table, for a whole round on one page."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournaments.access import official_event, see_other, signed_in_user
from tournaments.forms.lineups import LineupsForm
from tournaments.models import Event
from tournaments.roles import ASSIST
from tournaments.selectors.entries import stated_rules
from tournaments.selectors.lineups import LineupSheet, lineup_sheet, next_lineups
from tournaments.services.lineups import LineupReasonMissing, LineupsClosed, give_lineups


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def lineups(
    request: HttpRequest, event: Event, stage: int | None = None, round: int | None = None
) -> HttpResponse:
    """The line-ups of the round being played, of another one, or of the next; all saved at once."""
    sheet = _sheet_or_404(request, event, stage, round)
    form = LineupsForm(request.POST or None, sheet=sheet)
    if request.method == "POST" and form.is_valid() and _given(request, event, form):
        return see_other(_address(event, sheet))
    context = {
        "event": event,
        "section": "roster",
        "sheet": sheet,
        "form": form,
        "address": _address(event, sheet),
        "is_asked": bool(stated_rules(event).line_up),
    }
    return render(request, "tournaments/lineups.html", context, status=422 if form.errors else 200)


def _sheet_or_404(request: HttpRequest, event: Event, stage: int | None, round: int | None) -> LineupSheet:
    if stage is not None and round is not None:
        sheet = lineup_sheet(event, (stage, round))
    elif "next" in request.GET:
        whole = lineup_sheet(event)
        sheet = next_lineups(event, open_rounds=whole.open_rounds if whole else ())
    else:
        sheet = lineup_sheet(event)
    if sheet is None:
        raise Http404("no such round")
    return sheet


def _address(event: Event, sheet: LineupSheet) -> str:
    if sheet.round is None:
        return reverse("lineups", args=[event.slug]) + "?next"
    return reverse("lineups_of", args=[event.slug, sheet.round.stage.order, sheet.number])


def _given(request: HttpRequest, event: Event, form: LineupsForm) -> bool:
    try:
        changed = give_lineups(
            event=event,
            round=form.sheet.round,
            names=form.names(),
            by=signed_in_user(request),
            reason=form.cleaned_data["reason"],
        )
    except LineupReasonMissing:
        form.add_error("reason", _("A line-up that was given before is changed: please say why."))
        return False
    except LineupsClosed:
        form.add_error(None, _("The round is closed or taken back: its line-ups stand. Nothing was saved."))
        return False
    if not changed:
        messages.info(request, _("No change: the line-ups already are like this."))
        return True
    messages.success(
        request,
        ngettext("%(count)d line-up is saved.", "%(count)d line-ups are saved.", changed)
        % {"count": changed},
    )
    return True
