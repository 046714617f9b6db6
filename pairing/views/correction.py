"""更正成绩: old → new, the standings before and after, the present draw, and three ways on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from pairing import wording
from pairing.cut_words import cut_sentences
from pairing.forms.corrections import CorrectionForm
from pairing.services.refusals import Refused
from pairing.services.result_corrections import (
    Correction,
    Foreseen,
    Way,
    correct_result,
    foresee_correction,
)
from scoring.engine.outcomes import InvalidResult
from scoring.engine.points import complete_countable
from scoring.engine.swapping import sides_swapped
from scoring.forms.results import ResultForm
from scoring.result_rows import result_words
from scoring.rulings import points_counted
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

NOT_CARRIED = frozenset({"csrfmiddlewaretoken", "reason", "way", "seen"})
SWAP = "swap"
WRONG_WAY_ROUND = gettext_lazy("the two teams were written the wrong way round")
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
def correction(request: HttpRequest, event: Event, stage: int, round: int, table: int) -> HttpResponse:
    """What the correction that was typed brings, before it is saved; `?swap=1` exchanges the two sides."""
    match = match_or_404(round_or_404(event, stage, round), table)
    typed = request.POST if request.method == "POST" else request.GET
    back = f"{reverse('results', args=[event.slug, stage, round])}?correct={table}#table-{table}"
    asked = _asked(match, typed)
    if asked is None:
        return see_other(back)
    try:
        found = foresee_correction(correction=asked, by=signed_in_user(request))
    except REFUSED as error:
        messages.error(request, _refusal(error, match))
        return see_other(back)
    if request.method != "POST":
        return _page(request, match, asked, found, typed)
    form = CorrectionForm(request.POST, needs_way=found.next is not None)
    if not form.is_valid():
        return _page(request, match, asked, found, typed, form=form, status=422)
    chosen = form.cleaned_data
    try:
        way = Way(chosen["way"] or Way.KEEP)
        done = correct_result(correction=asked, by=signed_in_user(request), way=way, seen=chosen["seen"])
    except REFUSED as error:
        messages.error(request, _refusal(error, match))
        return see_other(back)
    except Refused as refused:
        found = foresee_correction(correction=asked, by=signed_in_user(request))
        problem = wording.refusal(refused)
        return _page(request, match, asked, found, typed, form=form, problem=problem, status=422)
    _tell(request, done, way)
    return see_other(f"{reverse('results', args=[event.slug, stage, round])}#table-{table}")


def _asked(match: Match, typed: Mapping[str, str]) -> Correction | None:
    """What is to be saved: what was typed, or the stored result the other way round; None for nothing."""
    reason = typed.get("reason", "")[:200]
    seated = match.home.number, match.away.number if match.away else 0
    if SWAP in typed:
        if not hasattr(match, "result"):
            return None
        version = typed.get("version", "")
        seen = int(version) if version.isdecimal() and len(version) < 10 else match.result.version
        entry = sides_swapped(entered_result(match.result))
        return Correction(match, entry, seen, seated, reason or str(WRONG_WAY_ROUND))
    form = ResultForm(typed, best_of=match_rules(match).match.best_of)
    if not form.is_valid() or form.entry is None:
        return None
    return Correction(match, form.entry, form.expected_version, form.seated, reason)


def _page(
    request: HttpRequest,
    match: Match,
    asked: Correction,
    found: Foreseen,
    typed: Mapping[str, str],
    *,
    form: CorrectionForm | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    round_, rules = match.round, match_rules(match)
    stored = entered_result(match.result) if hasattr(match, "result") else None
    fields = {name: value for name, value in typed.items() if name not in NOT_CARRIED}
    fields |= {"version": str(asked.expected_version)}
    address = reverse("results", args=[round_.stage.event.slug, round_.stage.order, round_.number])
    context: dict[str, Any] = {
        "event": round_.stage.event,
        "section": "results",
        "stage": round_.stage,
        "round": round_,
        "match": match,
        "was": result_words(stored),
        "was_points": points_counted(match, stored, rules) if stored else None,
        "typed": result_words(asked.entry),
        "typed_points": _points(match, asked),
        "reason": asked.reason,
        "found": found,
        "following": found.next,
        "differing": [(each.stage, cut_sentences(each)) for each in found.cuts if each.is_any],
        "later": [each.stage for each in found.cuts],
        "fields": fields.items(),
        "form": form,
        "way": typed.get("way", ""),
        "problem": problem,
        "back": f"{address}?correct={match.table}#table-{match.table}",
    }
    return render(request, "pairing/correction.html", context, status=status)


def _points(match: Match, asked: Correction) -> tuple[int, int] | None:
    """What the corrected result counts; it was recorded a moment ago, so the rules can complete it."""
    rules = match_rules(match)
    completed = complete_countable(asked.entry, rules.match, rules.scoring, tie_allowed=rules.tie_allowed)
    return points_counted(match, completed, rules)


def _tell(request: HttpRequest, done: Foreseen, way: Way) -> None:
    """What was done, and what is to do next in the hall."""
    for sentence in (line for each in done.cuts if each.is_any for line in cut_sentences(each)):
        messages.warning(request, sentence)
    if done.next is None:
        messages.success(request, _("The result is corrected."))
        return
    facts = {"round": done.next.round.number}
    if way is Way.KEEP:
        words = _("The result is corrected. The draw of round %(round)s stays as it is.")
    elif done.next.round.is_draft:
        words = _(
            "The result is corrected, the draft of round %(round)s drawn again: look at it and publish."
        )
    else:
        words = _(
            "The result is corrected, round %(round)s published again. Print the new sheets and take the "
            "old ones down."
        )
    messages.success(request, words % facts)


def _refusal(error: Exception, match: Match) -> str:
    """Why the correction cannot be saved, in words."""
    if isinstance(error, InvalidResult):
        return refusal(error, match_rules(match).match)
    if isinstance(error, MatchesHang):
        return hanging(error)
    if isinstance(error, TeamsChanged):
        return teams_changed(error)
    if isinstance(error, ReasonMissing):
        return _("A correction needs a reason: it stands in the log.")
    return _("Not saved: somebody else changed this result meanwhile. Look at it again.")
