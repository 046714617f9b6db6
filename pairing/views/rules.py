"""The administrator's pages for the rules of an event: a stage at a time, and what is stated besides."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from pairing.forms.discipline import SECTIONS as DISCIPLINE_SECTIONS
from pairing.forms.discipline import DisciplineForm
from pairing.forms.round_rules import COLUMNS
from pairing.forms.rules import (
    DEAL_FIELDS,
    DEPARTMENT_FIELDS,
    RANKING_PLACES,
    PresetForm,
    RulesForm,
    entry_fields,
    format_fields,
    readable_rules,
)
from pairing.rulebook.points import warning_lines
from pairing.services.rules import ResultsWithoutPoints, change_rules, has_results
from scoring.engine.rules import POINT_NUMBERS
from scoring.selectors import stage_rules
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.models import Event, Stage
from tournaments.roles import MANAGE
from tournaments.selectors.stages import current_stage
from tournaments.services.presets import NothingToKeep, keep_preset
from tournaments.typed import typed_key

SECTIONS = {
    "time": ("minutes", "deals", "best_of"),
    "game": (
        "start_level",
        "target_level",
        "steps",
        "must_play_target",
        "pass_rule",
        "strikes_limit",
        "strikes_count",
        "strikes_when",
        "strikes_then",
        "bonuses",
        "equal_levels",
        "unfinished_deal",
    ),
    "points": ("model", *POINT_NUMBERS),
    "deal_points": DEAL_FIELDS,
    "ranking": tuple(f"ranking_{place}" for place in range(1, RANKING_PLACES + 1)),
    "departments": DEPARTMENT_FIELDS,
}


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(MANAGE)
def rules_edit(request: HttpRequest, event: Event) -> HttpResponse:
    """Format, game, points and ranking of a stage; after the first result a change needs a reason."""
    stage = _chosen_stage(request, event)
    needs_reason = has_results(stage)
    stage.rules, unreadable = readable_rules(stage)
    form = RulesForm(request.POST or None, stage=stage, needs_reason=needs_reason)
    if request.method == "POST" and form.is_valid() and _is_changed(request, stage, form):
        messages.success(request, _("The rules are saved."))
        return see_other(f"{reverse('rules_edit', args=[event.slug])}?stage={stage.order}")
    context = {
        **_shown(event, stage),
        "form": form,
        "groups": {name: [form[field] for field in fields] for name, fields in _sections(form).items()},
        "columns": COLUMNS,
        "is_unreadable": bool(unreadable),
        "warnings": warning_lines(stage, stage_rules(stage)),
        "needs_reason": needs_reason,
    }
    return render(request, "pairing/rules_edit.html", context, status=422 if form.errors else 200)


def _is_changed(request: HttpRequest, stage: Stage, form: RulesForm) -> bool:
    """Stores what the form says; where results give no points by it, the form says which."""
    try:
        change_rules(
            stage=stage,
            rules=form.rules(),
            by=signed_in_user(request),
            reason=form.cleaned_data.get("reason", ""),
        )
    except ResultsWithoutPoints as error:
        number, table = error.tables[0]
        facts = {"count": len(error.tables), "round": number, "table": table}
        form.add_error(
            "model",
            _(
                "%(count)d results do not say how many deals each side won (the first: round %(round)s, "
                "table %(table)s): correct those first, or choose other points."
            )
            % facts,
        )
        return False
    return True


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(MANAGE)
def discipline_edit(request: HttpRequest, event: Event) -> HttpResponse:
    """Teams, cards and discipline: what the rule sheet states and the referees see to."""
    stage = event.stages.order_by("order").first()
    if stage is None:
        raise Http404("no stage")
    needs_reason = has_results(stage)
    stored = stage.rules.get("discipline")
    form = DisciplineForm(request.POST or None, stored=stored, needs_reason=needs_reason)
    if request.method == "POST" and form.is_valid():
        rules = {**stage.rules, "discipline": form.discipline()}
        reason = form.cleaned_data.get("reason", "")
        change_rules(stage=stage, rules=rules, by=signed_in_user(request), reason=reason)
        messages.success(request, _("The rules are saved."))
        return see_other(reverse("discipline_edit", args=[event.slug]))
    context = {
        **_shown(event, None),
        "form": form,
        "groups": {name: [form[field] for field in fields] for name, fields in DISCIPLINE_SECTIONS.items()},
        "needs_reason": needs_reason,
    }
    return render(request, "pairing/discipline_edit.html", context, status=422 if form.errors else 200)


@require_POST
@official_event(MANAGE)
def preset_keep(request: HttpRequest, event: Event) -> HttpResponse:
    """保存为我的模板: the rules of this event for later ones; a preset of that name is replaced."""
    form = PresetForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Please give the preset a name of at most 40 characters."))
        return see_other(reverse("rules_edit", args=[event.slug]))
    try:
        keep_preset(event=event, by=signed_in_user(request), **form.cleaned_data)
    except NothingToKeep:
        raise Http404("no stage") from None
    messages.success(request, _("Kept as “%(name)s”: a new event offers it first.") % form.cleaned_data)
    return see_other(reverse("rules_edit", args=[event.slug]))


def _chosen_stage(request: HttpRequest, event: Event) -> Stage:
    """The very stage that the form was for; without one that of the address, else the present one."""
    wanted = request.GET.get("stage", "")
    if "stage" in request.POST:
        stage = event.stages.filter(pk=typed_key(request.POST, "stage")).first()
    elif wanted:
        is_number = wanted.isdecimal() and len(wanted) < 4
        stage = event.stages.filter(order=int(wanted)).first() if is_number else None
    else:
        stage = current_stage(event)
    if stage is None:
        raise Http404("no such stage")
    return stage


def _shown(event: Event, stage: Stage | None) -> dict[str, Any]:
    stages = list(event.stages.order_by("order"))
    return {
        "event": event,
        "section": "settings",
        "stages": stages,
        "stage": stage,
        "preset": PresetForm(),
    }


def _sections(form: RulesForm) -> dict[str, tuple[str, ...]]:
    return {"format": (*entry_fields(form.stage), *format_fields(form.stage), "withdrawal"), **SECTIONS}
