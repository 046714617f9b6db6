"""签到 of one team: absent or back, late, forfeit, a place after the publication."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from pairing import check_in_words, wording
from pairing.forms.check_in import AbsenceForm, LateForm
from pairing.models import Publication
from pairing.rulebook.conduct import late_lines
from pairing.selectors.check_in import CheckIn, CheckInRow, event_check_in
from pairing.selectors.latecomers import late_offer
from pairing.services.check_in import forfeit_absent_team
from pairing.services.latecomers import give_late_bye, seat_late_team
from pairing.services.refusals import NoLatePlace, Refused
from pairing.views.check_in import remember, undo_words
from scoring.services import ResultRefused
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.attendance import Absence, read_absences
from tournaments.models import Event, StageFormat
from tournaments.roles import ASSIST, DIRECT
from tournaments.selectors.attendance import RoundAtHand
from tournaments.selectors.entries import stated_rules
from tournaments.selectors.teams import sits_in_draft
from tournaments.services.attendance import (
    CannotMissRound,
    Change,
    check_in,
    end_absence,
    note_lateness,
    set_absence,
    take_back_check_in,
)


@dataclass
class _Desk:
    """One request about one team: where it stands, and the form that it may bring."""

    request: HttpRequest
    event: Event
    state: CheckIn
    row: CheckInRow

    @property
    def facts(self) -> dict[str, Any]:
        """What every act on the team needs."""
        return {"stage": self.state.hand.stage, "by": signed_in_user(self.request)}

    @property
    def rounds(self) -> list[int]:
        """The rounds that the team can still miss."""
        hand = self.state.hand
        first = hand.next_open if self.row.match is not None else hand.number
        return list(range(first, hand.stage.rounds_planned + 1))

    def done(self, words: str, changes: list[Change]) -> None:
        """Tells what was done, and keeps it for the undo button."""
        if changes:
            remember(self.request, self.event, words, changes)
        else:
            messages.success(self.request, words)


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def team_page(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """One team's line: what it is, and every act that fits where it stands."""
    desk = _desk(request, event, number)
    if desk is None:
        return _elsewhere(request, event, number)
    if request.method != "POST":
        return _page(desk)
    act = _ACTS.get(request.POST.get("act", ""))
    form = act(desk) if act is not None else None
    if form is not None:
        return _page(desk, form=form, status=422)
    return see_other(reverse("check_in_team", args=[event.slug, number]))


@require_POST
@official_event(DIRECT)
def team_seat(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Gives a late team its place in the published round: the new last table, or the bye."""
    desk = _desk(request, event, number)
    if desk is None:
        return _elsewhere(request, event, number)
    try:
        publication = _seated(desk)
    except Refused as refused:
        return _page(desk, problem=wording.refusal(refused), status=422)
    words = _(
        "%(reason)s The tables are published again as version %(version)d: print and read out the new one."
    )
    messages.success(request, words % {"reason": publication.reason, "version": publication.version})
    return see_other(reverse("check_in_team", args=[event.slug, number]))


def _seated(desk: _Desk) -> Publication:
    """Does what the pressed button said. Raises Refused."""
    round_, posted = desk.state.hand.round, desk.request.POST
    team, by = desk.row.team, signed_in_user(desk.request)
    if round_ is not None and posted.get("act") == "bye":
        return give_late_bye(round=round_, team=team, by=by)
    opponent = desk.state.row(_number(posted.get("opponent", "")))
    if round_ is None or opponent is None:
        raise NoLatePlace(team.number)
    return seat_late_team(round=round_, team=team, opponent=opponent.team, by=by)


def _desk(request: HttpRequest, event: Event, number: int) -> _Desk | None:
    """None where the team does not play in the present stage."""
    state = event_check_in(event)
    row = state.row(number) if state else None
    if state is None or row is None:
        return None
    row.team.event = event
    return _Desk(request, event, state, row)


def _elsewhere(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """A team of another stage has nothing to come to; its facts are in the roster."""
    if not event.teams.filter(number=number).exists():
        raise Http404("no such team")
    messages.info(request, _("Team %(number)d does not play in the present stage.") % {"number": number})
    return see_other(reverse("team_edit", args=[event.slug, number]))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= 5 else 0


def _come(desk: _Desk) -> None:
    changes = check_in(teams=[desk.row.team], **desk.facts)
    words = check_in_words.checked_in if changes else check_in_words.checked_in_already
    desk.done(words([desk.row.team.number]), changes)


def _leave(desk: _Desk) -> None:
    changes = take_back_check_in(teams=[desk.row.team], **desk.facts)
    desk.done(check_in_words.taken_back([desk.row.team.number]), changes)


def _miss(desk: _Desk) -> forms.Form | None:
    form = AbsenceForm(desk.request.POST, rounds=desk.rounds)
    if not form.is_valid():
        return form
    absence = form.absence(desk.state.hand.stage)
    try:
        changes = set_absence(teams=[desk.row.team], absence=absence, **desk.facts)
    except CannotMissRound:
        form.refuse()
        return form
    told = {"number": desk.row.team.number, "absence": check_in_words.absence_words(absence)}
    desk.done(_("Team %(number)d does not play: %(absence)s.") % told, changes)
    draft = sits_in_draft(desk.row.team)
    if draft is not None and absence.covers(desk.state.hand.stage.key, draft):
        words = _("Team %(number)d still sits in the draft of round %(round)d: please draw it again.")
        messages.warning(desk.request, words % {"number": desk.row.team.number, "round": draft})
    return None


def _play(desk: _Desk) -> None:
    number = _number(desk.request.POST.get("round", ""))
    try:
        changes = end_absence(team=desk.row.team, round_number=number, **desk.facts)
    except CannotMissRound:
        messages.warning(desk.request, _("That round is over; what is noted for it stays."))
        return
    told = {"number": desk.row.team.number, "round": number}
    desk.done(_("Team %(number)d plays in round %(round)d.") % told, changes)


def _come_late(desk: _Desk) -> forms.Form | None:
    form = LateForm(desk.request.POST)
    if not form.is_valid():
        return form
    minutes = form.cleaned_data["minutes"]
    changes = note_lateness(
        team=desk.row.team, round_number=desk.state.hand.number, minutes=minutes, **desk.facts
    )
    told = {"number": desk.row.team.number, "minutes": minutes}
    desk.done(_("Team %(number)d: %(minutes)d minutes late.") % told, changes)
    return None


def _forfeit(desk: _Desk) -> None:
    match = desk.row.match
    if match is None:
        return
    try:
        result = forfeit_absent_team(
            match=match, team=desk.row.team, by=signed_in_user(desk.request), reason=_("did not come")
        )
    except Refused as refused:
        messages.warning(desk.request, wording.refusal(refused))
        return
    except ResultRefused:
        messages.warning(desk.request, _("The table has changed meanwhile. Look at the results page."))
        return
    told = {"number": desk.row.team.number, "table": match.table or 0}
    words = _("Team %(number)d forfeits at table %(table)d.") % told
    remember(desk.request, desk.event, words, result=result, team=desk.row.team)


_ACTS: dict[str, Callable[[_Desk], forms.Form | None]] = {
    "come": _come,
    "leave": _leave,
    "miss": _miss,
    "play": _play,
    "late": _come_late,
    "forfeit": _forfeit,
}


def _page(
    desk: _Desk, *, form: forms.Form | None = None, problem: str = "", status: int = 200
) -> HttpResponse:
    row, hand = desk.row, desk.state.hand
    stated = stated_rules(desk.event)
    is_swiss = hand.stage.format == StageFormat.SWISS
    is_open = hand.is_published and hand.round is not None and row.match is None
    context = {
        "event": desk.event,
        "section": "check_in",
        "state": desk.state,
        "row": row,
        "team": row.team,
        "presence": check_in_words.PRESENCES[row.presence](),
        "absences": [
            (check_in_words.absence_words(each), _back_from(each, hand))
            for each in read_absences(row.team.absences)
            if each.stage == hand.stage.key
        ],
        "absence_form": form if isinstance(form, AbsenceForm) else AbsenceForm(rounds=desk.rounds),
        "late_form": form if isinstance(form, LateForm) else LateForm(initial={"minutes": row.minutes_late}),
        "may_miss": bool(desk.rounds) and is_swiss and not row.team.is_withdrawn,
        "late_rules": list(late_lines(stated)),
        "forfeits_by_now": _is_too_late(stated.late_minutes, row.minutes_late),
        "every_round": bool(stated.every_round),
        "undo": undo_words(desk.request, desk.event, row.team),
        "problem": problem,
        **(_offer(desk) if is_open else {}),
    }
    return render(desk.request, "pairing/check_in_team.html", context, status=status)


def _back_from(absence: Absence, hand: RoundAtHand) -> int:
    """The first round of the absence that the team can still play; 0 where all of it is over."""
    if absence.onwards:
        return max(absence.round, hand.next_open)
    return absence.round if absence.round >= hand.next_open else 0


def _is_too_late(limit: int | None, minutes: int) -> bool:
    return limit is not None and minutes > limit


def _offer(desk: _Desk) -> dict[str, Any]:
    """Where the team can still sit in the published round, in words."""
    round_ = desk.state.hand.round
    if round_ is None or desk.row.team.is_withdrawn or round_.stage.format != StageFormat.SWISS:
        return {}
    offer = late_offer(round_, desk.row.team)
    has_bye = round_.matches.filter(away=None).exists()
    return {
        "is_waiting": True,
        "offer": offer,
        "offer_words": check_in_words.offer_words(offer) if offer else "",
        "may_have_bye": offer is None and not has_bye,
    }
