"""更正成绩: old → new, typed or recorded deal by deal, or the two sides exchanged."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from pairing.services.correctable import CorrectedResult, SheetHandedOver
from pairing.views.foreseen import Asked, carried, foreseen
from scoring.engine.outcomes import InvalidResult
from scoring.engine.points import complete_countable
from scoring.engine.results import MatchResult
from scoring.engine.swapping import sides_swapped
from scoring.forms.results import ResultForm
from scoring.forms.table_sheets import HandOverForm
from scoring.recorded_sheets import sheet_result
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
from scoring.table_sheets import SheetStale, SheetUnfinished
from scoring.views.results import hanging, match_or_404, round_or_404, teams_changed
from scoring.wording import refusal
from tournaments.access import official_event, see_other
from tournaments.models import Event, Match
from tournaments.roles import CORRECT
from tournaments.typed import typed_line

SHEET = "sheet"
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
    SheetStale,
    SheetUnfinished,
    StaleResult,
    TeamsChanged,
)


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(CORRECT)
def correction(request: HttpRequest, event: Event, stage: int, round: int, table: int) -> HttpResponse:
    """What the correction that was typed brings, before it is saved.

    `?swap=1` exchanges the two sides, `?sheet=1` takes the table as it was recorded deal by deal.
    """
    match = match_or_404(round_or_404(event, stage, round), table)
    typed = request.POST if request.method == "POST" else request.GET
    back = _back(match, typed)
    found = _correction(match, typed)
    if found is None:
        return see_other(back)
    correction, entry = found
    stored = entered_result(match.result) if hasattr(match, "result") else None
    fields = carried(typed)
    if isinstance(correction, CorrectedResult):
        fields |= {"version": str(correction.expected_version)}
    facts = {"stage": match.round.stage.name, "n": round, "table": table}
    asked = Asked(
        correction=correction,
        section="results",
        title=_("Correct a result"),
        place=_("%(stage)s · round %(n)s, table %(table)s") % facts,
        heading=_("The result"),
        was=result_words(stored),
        was_points=_points(match, stored),
        now=result_words(entry),
        now_points=_points(match, entry),
        save=_("Save the correction"),
        save_all_the_same=_("Save the correction, leave the seeds"),
        saved=_("The result is corrected."),
        address=reverse("correction", args=[event.slug, stage, round, table]),
        back=back,
        done=f"{reverse('results', args=[event.slug, stage, round])}#table-{table}",
        fields=fields,
        refused=REFUSED,
        refusal=lambda error: _refusal(error, match),
    )
    return foreseen(request, event, asked)


def _back(match: Match, typed: Mapping[str, str]) -> str:
    place = [match.round.stage.event.slug, match.round.stage.order, match.round.number]
    if SHEET in typed:
        return reverse("table_sheet", args=[*place, match.table])
    return f"{reverse('results', args=place)}?correct={match.table}#table-{match.table}"


def _correction(
    match: Match, typed: Mapping[str, str]
) -> tuple[CorrectedResult | SheetHandedOver, MatchResult] | None:
    """What is to be saved, and the result that it makes; None for nothing."""
    if SHEET in typed:
        return _handed_over(match, typed)
    reason = typed_line(typed, "reason", 200)
    seated = match.home.number, match.away.number if match.away else 0
    if SWAP in typed:
        if not hasattr(match, "result"):
            return None
        version = typed.get("version", "")
        seen = int(version) if version.isdecimal() and len(version) < 10 else match.result.version
        entry = sides_swapped(entered_result(match.result))
        return CorrectedResult(match, entry, seen, seated, reason or str(WRONG_WAY_ROUND)), entry
    form = ResultForm(typed, best_of=match_rules(match).match.best_of)
    if not form.is_valid() or form.entry is None:
        return None
    return CorrectedResult(match, form.entry, form.expected_version, form.seated, reason), form.entry


def _handed_over(match: Match, typed: Mapping[str, str]) -> tuple[SheetHandedOver, MatchResult] | None:
    form = HandOverForm(typed)
    try:
        entry = sheet_result(match, match_rules(match))
    except InvalidResult:
        return None
    if not form.is_valid() or entry is None:
        return None
    return SheetHandedOver(match, form.seen, **form.arguments()), entry


def _points(match: Match, result: MatchResult | None) -> tuple[int, int] | None:
    """What a result would count; None without one, or where it is none by the rules."""
    if result is None:
        return None
    rules = match_rules(match)
    try:
        completed = complete_countable(result, rules.match, rules.scoring, tie_allowed=rules.tie_allowed)
    except InvalidResult:
        return None
    return points_counted(match, completed, rules)


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
