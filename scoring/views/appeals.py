"""申诉 at the desk: received by any official with the time allowed, decided by the chief referee."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.appeals import AppealDecided, acts_since, decide_appeal, event_appeals, receive_appeal
from scoring.forms.penalties import AppealForm, DecisionForm
from scoring.models import Appeal, Penalty
from scoring.penalty_ladders import appeal_minutes
from scoring.penalty_rows import effect_words, event_penalties
from scoring.views.penalties import stages_or_404
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.log_words import log_line
from tournaments.models import Event, LogEntry
from tournaments.roles import ASSIST, CORRECT
from tournaments.selectors.entries import stated_rules


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def appeals(request: HttpRequest, event: Event) -> HttpResponse:
    """The appeals, those that wait first, with a form for one more."""
    form = _form(request, event)
    if request.method == "POST" and form.is_valid():
        stored = receive_appeal(by=signed_in_user(request), **form.appeal())
        words = _("Received: appeal of team %(team)s.") % {"team": form.team.number}
        if stored.is_late:
            words = _("Received, after the time allowed: appeal of team %(team)s.") % {
                "team": form.team.number
            }
        messages.success(request, words)
        return see_other(reverse("appeals", args=[event.slug]))
    return _page(request, event, form, status=422 if form.is_bound else 200)


@require_POST
@official_event(CORRECT)
def appeal_decide(request: HttpRequest, event: Event, pk: int) -> HttpResponse:
    """Answers an appeal."""
    rows = Appeal.objects.select_related("stage", "team")
    appeal = get_object_or_404(rows, stage__event=event, pk=pk)
    form = DecisionForm(request.POST, acts=_acts(appeal))
    if not form.is_valid():
        return _page(request, event, _form(None, event), status=422, refused=(appeal.pk, form))
    try:
        decide_appeal(appeal=appeal, by=signed_in_user(request), **form.decision())
    except AppealDecided as error:
        words = _("Not stored: %(name)s has decided this appeal already.")
        messages.error(request, words % {"name": error.appeal.decided_by})
    else:
        words = _("Decided: appeal of team %(team)s.") % {"team": appeal.team.number}
        messages.success(request, words)
    return see_other(reverse("appeals", args=[event.slug]))


def _form(request: HttpRequest | None, event: Event) -> AppealForm:
    at_hand = stages_or_404(event)
    words = [(each, _against(each)) for each in event_penalties(event)]
    data = request.POST if request is not None and request.method == "POST" else None
    return AppealForm(data, at_hand=at_hand, penalties=words)


def _against(penalty: Penalty) -> str:
    words = _("the penalty of team %(team)s in round %(round)s: %(effect)s") % {
        "team": penalty.team.number,
        "round": penalty.round_number,
        "effect": effect_words(penalty.action, penalty.amount),
    }
    return words if penalty.stage.order == 1 else f"{penalty.stage.name} · {words}"


def _acts(appeal: Appeal) -> list[tuple[LogEntry, str]]:
    return [(entry, _act_words(entry)) for entry in acts_since(appeal)]


def _act_words(entry: LogEntry) -> str:
    """An act of the log in one line: 10:42 更正成绩 第 1 轮 第 3 桌."""
    line, at = log_line(entry), timezone.localtime(entry.at)
    return f"{at:%H:%M} {line.act} {line.subject}"


def _page(
    request: HttpRequest,
    event: Event,
    form: AppealForm,
    *,
    status: int = 200,
    refused: tuple[int, DecisionForm] | None = None,
) -> HttpResponse:
    context = {
        "event": event,
        "section": "penalties",
        "form": form,
        "has_stages": "stage" in form.fields,
        "rows": [_row(appeal, request.user.has_perm(CORRECT), refused) for appeal in event_appeals(event)],
        "minutes": appeal_minutes(stated_rules(event)),
    }
    return render(request, "scoring/appeals.html", context, status=status)


def _row(appeal: Appeal, may_decide: bool, refused: tuple[int, DecisionForm] | None) -> dict[str, object]:
    """One appeal in words, with the form that decides it."""
    decision = None
    if appeal.is_open and may_decide:
        is_refused = refused is not None and refused[0] == appeal.pk
        decision = refused[1] if refused and is_refused else DecisionForm(None, acts=_acts(appeal))
        decision.auto_id = f"appeal-{appeal.pk}-%s"
    return {
        "appeal": appeal,
        "decision": decision,
        "against": _against(appeal.penalty) if appeal.penalty else "",
        "act": _act_words(appeal.act) if appeal.act else "",
    }
