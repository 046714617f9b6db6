"""The administrator's page for the rules of an event."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.rules_form import POINTS_FIELDS, RANKING_PLACES, RulesForm
from pairing.services.rules import change_rules, has_results
from scoring.engine.rules import RankingWarning, ranking_warnings
from scoring.selectors import current_stage, stage_rules
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event, Stage, StageFormat
from tournaments.roles import MANAGE

SECTIONS = {
    "pairing": ("first_round", "method", "rematch", "same_department"),
    "game": (
        "must_play_target",
        "pass_rule",
        "strikes_limit",
        "strikes_count",
        "strikes_then",
        "bonuses",
        "equal_levels",
        "unfinished_deal",
    ),
    "points": ("model", *POINTS_FIELDS),
    "ranking": tuple(f"ranking_{place}" for place in range(1, RANKING_PLACES + 1)),
}


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(MANAGE)
def rules_edit(request: HttpRequest, event: Event) -> HttpResponse:
    """Draw, game, points and ranking; after the first result a change needs a reason."""
    stage = current_stage(event)
    if stage is None:
        raise Http404("no stage")
    needs_reason = has_results(stage)
    form = RulesForm(request.POST or None, stage=stage, needs_reason=needs_reason)
    if request.method == "POST" and form.is_valid():
        change_rules(
            stage=stage,
            rules=form.rules(),
            by=signed_in_user(request),
            reason=form.cleaned_data.get("reason", ""),
        )
        messages.success(request, _("The rules are saved."))
        return see_other(reverse("rules_edit", args=[event.slug]))
    context = {
        "event": event,
        "section": "settings",
        "form": form,
        "groups": {name: [form[field] for field in fields] for name, fields in SECTIONS.items()},
        "warnings": _warnings(stage),
        "needs_reason": needs_reason,
    }
    return render(request, "pairing/rules_edit.html", context, status=422 if form.errors else 200)


def _warnings(stage: Stage) -> list[str]:
    rules = stage_rules(stage)
    everybody_meets = stage.format == StageFormat.ROUND_ROBIN
    words = {
        RankingWarning.OPPONENTS_POINTS_SEPARATE_NOBODY: _(
            "Where everybody meets everybody once, the opponents' points can never separate "
            "teams with equal points."
        ),
        RankingWarning.NET_LEVELS_REPEAT_POINTS: _(
            "With points by the difference of levels, net levels repeat the points of teams that played "
            "the same number of matches."
        ),
    }
    found = ranking_warnings(rules.ranking, rules.scoring, stage.format, everybody_meets)
    return [words[warning] for warning in found]
