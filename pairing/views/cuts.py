"""Before a result is corrected after the cut: who would advance now, in plain words."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.cut_words import cut_sentences
from pairing.services.cuts import Correction, correct_after_cut, foresee_correction
from scoring.engine.outcomes import InvalidResult
from scoring.forms.results import ResultForm
from scoring.result_rows import result_words
from scoring.selectors import entered_result, match_rules
from scoring.services import (
    ByeNotEntered,
    MatchesHang,
    ReasonMissing,
    ResultSettled,
    RoundCompleted,
    RoundNotPublished,
    StaleResult,
    TeamsChanged,
)
from scoring.views.results import hanging, match_or_404, round_or_404, teams_changed
from scoring.wording import refusal
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event, Match
from tournaments.roles import CORRECT

TYPED = ("csrfmiddlewaretoken",)
REFUSED = (
    ByeNotEntered,
    InvalidResult,
    MatchesHang,
    ReasonMissing,
    ResultSettled,
    RoundCompleted,
    RoundNotPublished,
    StaleResult,
    TeamsChanged,
)


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(CORRECT)
def cut_check(request: HttpRequest, event: Event, stage: int, round: int, table: int) -> HttpResponse:
    """What the correction that was typed would change in later stages, and saving it all the same."""
    round_ = round_or_404(event, stage, round)
    match = match_or_404(round_, table)
    typed = request.POST if request.method == "POST" else request.GET
    form = ResultForm(typed, best_of=match_rules(match).match.best_of)
    back = f"{reverse('results', args=[event.slug, stage, round])}?correct={table}#table-{table}"
    if not form.is_valid() or form.entry is None:
        return see_other(back)
    user = signed_in_user(request)
    correction = Correction(
        match, form.entry, form.expected_version, form.seated, form.cleaned_data["reason"]
    )
    try:
        if request.method == "POST":
            found = correct_after_cut(correction=correction, by=user)
        else:
            found = foresee_correction(correction=correction, by=user)
    except REFUSED as error:
        messages.error(request, _refusal(error, match))
        return see_other(back)
    if request.method == "POST":
        messages.success(
            request, _("The result is corrected. The seeds of the later stage stay as they were.")
        )
        for sentence in (line for each in found if each.is_any for line in cut_sentences(each)):
            messages.warning(request, sentence)
        return see_other(f"{reverse('results', args=[event.slug, stage, round])}#table-{table}")
    context = {
        "event": event,
        "section": "results",
        "stage": round_.stage,
        "round": round_,
        "match": match,
        "was": result_words(entered_result(match.result)) if hasattr(match, "result") else "",
        "typed": result_words(form.entry),
        "reason": correction.reason,
        "differing": [(each.stage, cut_sentences(each)) for each in found if each.is_any],
        "later": [each.stage for each in found],
        "fields": [(name, value) for name, value in typed.items() if name not in TYPED],
        "back": back,
    }
    return render(request, "pairing/cut_check.html", context)


def _refusal(error: Exception, match: Match) -> str:
    """Why the correction cannot be saved, in words."""
    if isinstance(error, InvalidResult):
        return refusal(error, match_rules(match).match)
    if isinstance(error, MatchesHang):
        return hanging(error)
    if isinstance(error, TeamsChanged):
        return teams_changed(error)
    return _("Not saved: somebody else changed this result meanwhile. Look at it again.")
