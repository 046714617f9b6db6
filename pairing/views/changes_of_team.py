"""换人、退赛、复赛: a player gives way to another, a team leaves the event or comes back."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from pairing.check_in_words import withdrawal_words
from pairing.forms.check_in import ReplaceForm
from pairing.selectors.check_in import matches_of
from pairing.selectors.published import newest_published_round
from pairing.selectors.versions import is_outdated
from scoring.ranked import withdrawal_rule
from scoring.selectors import stage_teams
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.attendance import read_former
from tournaments.discipline import PlayerChange
from tournaments.entry_words import entry_sentence
from tournaments.forms.teams import WithdrawForm
from tournaments.models import Audience, Event, Team
from tournaments.roles import ASSIST
from tournaments.selectors.attendance import round_at_hand
from tournaments.selectors.entries import stated_rules
from tournaments.selectors.stages import current_stage
from tournaments.selectors.teams import planned_rounds, roster_teams, rounds_to_leave_from, sits_in_draft
from tournaments.services.replacements import (
    CannotReplaceFrom,
    NotAPlayer,
    replace_player,
    rounds_to_replace_from,
)
from tournaments.services.teams import (
    AlreadyWithdrawn,
    CannotLeaveFrom,
    EntryRefused,
    reinstate_team,
    withdraw_team,
)
from tournaments.unusual import tell_of_unusual


def team_or_404(event: Event, number: int) -> Team:
    """The team with this number, with players and department."""
    team = roster_teams(event).filter(number=number).first()
    if team is None:
        raise Http404("no such team")
    team.event = event
    return team


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def player_replace(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """换人: who leaves, who comes in, from which round on, and why."""
    team, stage = team_or_404(event, number), current_stage(event)
    if stage is None:
        raise Http404("no stage")
    form = ReplaceForm(request.POST or None, team=team, rounds=rounds_to_replace_from(round_at_hand(stage)))
    if request.method == "POST" and form.is_valid():
        try:
            replace_player(team=team, stage=stage, by=signed_in_user(request), **form.cleaned_data)
        except EntryRefused as error:
            for problem in error.problems:
                form.add_error("comes", entry_sentence(problem))
        except NotAPlayer:
            form.add_error("comes", _("This person plays in the team already, or the other has left it."))
        except CannotReplaceFrom:
            form.add_error("from_round", _("That round is over by now. Please choose again."))
        else:
            told = {"number": team.number, "round": form.cleaned_data["from_round"], **form.cleaned_data}
            words = _("Team %(number)d: %(comes)s plays for %(leaves)s from round %(round)d on.")
            messages.success(request, words % told)
            tell_of_unusual(request, form)
            _tell_of_old_names(request, event)
            return see_other(reverse("check_in_team", args=[event.slug, number]))
    context = {
        "event": event,
        "section": "check_in",
        "team": team,
        "form": form,
        "is_forfeit": stated_rules(event).player_change == PlayerChange.FORFEIT,
        "former": [(player, each) for player in team.players.all() for each in read_former(player.former)],
    }
    return render(request, "pairing/player_replace.html", context, status=422 if form.is_bound else 200)


def _tell_of_old_names(request: HttpRequest, event: Event) -> None:
    """Says when the tables that hang name somebody who does not play any more."""
    round_ = newest_published_round(event, Audience.HALL)
    if round_ is not None and is_outdated(round_):
        messages.warning(
            request,
            _(
                "The tables of round %(round)d still hang with the old names: the chief referee publishes a "
                "correction on the draw board."
            )
            % {"round": round_.number},
        )


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def team_withdraw(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """退赛, from which round on, and what that will do."""
    team = team_or_404(event, number)
    if team.withdrawn_after is not None:
        return _left_already(request, team, team.withdrawn_after)
    planned = planned_rounds(team)
    form = WithdrawForm(request.POST or None, rounds=rounds_to_leave_from(team), planned=planned)
    if request.method == "POST" and form.is_valid():
        try:
            is_done = _withdrawn(request, team, form)
        except AlreadyWithdrawn as error:
            return _left_already(request, team, error.last)
        if is_done:
            _tell_of_withdrawal(request, team, form.cleaned_data["from_round"])
            return _back(request, team)
    context = {
        "event": event,
        "section": "check_in" if _is_from_check_in(request) else "roster",
        "team": team,
        "form": form,
        "consequences": _consequences(team),
        "is_from_check_in": _is_from_check_in(request),
    }
    return render(request, "pairing/team_withdraw.html", context, status=422 if form.is_bound else 200)


def _withdrawn(request: HttpRequest, team: Team, form: WithdrawForm) -> bool:
    typed = form.cleaned_data
    try:
        withdraw_team(
            team=team, from_round=typed["from_round"], reason=typed["reason"], by=signed_in_user(request)
        )
    except CannotLeaveFrom:
        form.refuse()
        return False
    return True


def _left_already(request: HttpRequest, team: Team, last: int) -> HttpResponse:
    """Whoever asks a second time reads what stands; nothing is changed and nothing logged."""
    words = _("Team %(number)d has left already, after round %(last)d. To change that, take it back first.")
    if last == 0:
        words = _("Team %(number)d has left already, before round 1. To change that, take it back first.")
    messages.info(request, words % {"number": team.number, "last": last})
    return _back(request, team)


def _tell_of_withdrawal(request: HttpRequest, team: Team, from_round: int) -> None:
    told = {"number": team.number, "round": from_round}
    words = _("Team %(number)d is out from round %(round)d on.")
    if from_round > planned_rounds(team):
        words = _("Team %(number)d is out: it has played all rounds of this stage.")
    messages.success(request, words % told)
    draft = sits_in_draft(team)
    if draft is not None and draft >= from_round:
        told = {"number": team.number, "round": draft}
        messages.warning(
            request,
            _("Team %(number)d still sits in the draft of round %(round)d: please draw it again.") % told,
        )


@require_POST
@official_event(ASSIST)
def team_reinstate(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """A withdrawn team plays again from the next draw on."""
    team = reinstate_team(team=team_or_404(event, number), by=signed_in_user(request))
    messages.success(
        request, _("Team %(number)d plays again from the next draw on.") % {"number": team.number}
    )
    return _back(request, team)


def _consequences(team: Team) -> list[str]:
    """What a withdrawal will do, in sentences."""
    stage = current_stage(team.event)
    if stage is None:
        return []
    left = stage_teams(stage).filter(withdrawn_after=None).exclude(pk=team.pk).count()
    rule = withdrawal_rule(stage.rules)
    return list(withdrawal_words(team, stage, rule, matches_of(team, stage), left))


def _is_from_check_in(request: HttpRequest) -> bool:
    return (request.POST.get("from") or request.GET.get("from")) == "check_in"


def _back(request: HttpRequest, team: Team) -> HttpResponse:
    """To the page that the official came from."""
    if _is_from_check_in(request):
        return see_other(reverse("check_in_team", args=[team.event.slug, team.number]))
    return see_other(reverse("roster", args=[team.event.slug]))
