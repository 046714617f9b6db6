"""名单: the roster page, its files, and each team by hand."""

from __future__ import annotations

from io import BytesIO

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.access import official_event, see_other, signed_in_user
from tournaments.forms.teams import TeamForm
from tournaments.models import NAME_LENGTH, Event, Team
from tournaments.roles import ASSIST
from tournaments.roster import roster_template as template_workbook
from tournaments.roster import roster_workbook
from tournaments.selectors.entries import roster_lines, session_counts, stated_rules
from tournaments.selectors.lineups import needs_lineup
from tournaments.selectors.rosters import roster_entries
from tournaments.selectors.teams import (
    department_counts,
    has_seat,
    is_drawn,
    roster_teams,
)
from tournaments.services.teams import (
    EntryRefused,
    NumberInUse,
    NumberTaken,
    TeamHasSeats,
    add_team,
    change_team,
    remove_team,
)
from tournaments.typed import typed_line
from tournaments.unusual import tell_of_unusual

LONGEST_SEARCH = 100


@require_safe
@official_event(ASSIST)
def roster(request: HttpRequest, event: Event) -> HttpResponse:
    """The numbered list with counts by department and session, a search, and what teams still wait for."""
    search = typed_line(request.GET, "q", LONGEST_SEARCH)
    session = typed_line(request.GET, "session", NAME_LENGTH)
    everybody = list(roster_teams(event))
    found = list(roster_teams(event, search)) if search else everybody
    stated = stated_rules(event)
    context = {
        "event": event,
        "section": "roster",
        "search": search,
        "session": session,
        "lines": roster_lines(stated, [team for team in found if session in ("", team.session)]),
        "lacking": [team.number for team, lacks in roster_lines(stated, everybody) if lacks],
        "total": len(everybody),
        "withdrawn": sum(team.is_withdrawn for team in everybody),
        "departments": department_counts(everybody),
        "sessions": session_counts(everybody),
        "has_lineups": bool(stated.line_up) or any(needs_lineup(team) for team in everybody),
        "has_singles": stated.partners is not None or event.singles.exists(),
    }
    return render(request, "tournaments/roster.html", context)


@require_safe
@official_event(ASSIST)
def roster_template(request: HttpRequest, event: Event) -> HttpResponseBase:
    """An empty roster to send to the departments."""
    return _download(template_workbook(), _("Entry form %(event)s") % {"event": event.name})


@require_safe
@official_event(ASSIST)
def roster_export(request: HttpRequest, event: Event) -> HttpResponseBase:
    """The roster as a workbook that imports again; phone numbers and remarks are in it."""
    workbook = roster_workbook(roster_entries(event))
    return _download(workbook, _("Roster %(event)s") % {"event": event.name})


def _download(workbook: bytes, title: str) -> FileResponse:
    return FileResponse(BytesIO(workbook), as_attachment=True, filename=f"{title}.xlsx")


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def team_add(request: HttpRequest, event: Event) -> HttpResponse:
    """One more team by hand."""
    form = TeamForm(request.POST or None, event=event)
    if request.method == "POST" and form.is_valid():
        try:
            team = add_team(
                event=event,
                number=form.cleaned_data["number"],
                facts=form.facts(),
                by=signed_in_user(request),
            )
        except (NumberTaken, EntryRefused) as error:
            form.refuse(error)
        else:
            messages.success(request, _("Team %(number)d is entered.") % {"number": team.number})
            tell_of_unusual(request, form)
            return see_other(reverse("roster", args=[event.slug]))
    context = {**_team_page(event, form), "is_late": is_drawn(event)}
    return render(request, "tournaments/team_form.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def team_edit(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """A team's facts; withdrawing, taking back and removing start here."""
    team = _team_or_404(event, number)
    form = TeamForm(request.POST or None, event=event, team=team)
    if request.method == "POST" and form.is_valid() and _changed(request, team, form):
        messages.success(request, _("The team is saved."))
        tell_of_unusual(request, form)
        return see_other(reverse("roster", args=[event.slug]))
    context = {**_team_page(event, form), "team": team, "has_seat": has_seat(team)}
    return render(request, "tournaments/team_form.html", context, status=422 if form.is_bound else 200)


def _team_page(event: Event, form: TeamForm) -> dict[str, object]:
    departments = event.departments.values_list("name", flat=True)
    return {"event": event, "section": "roster", "form": form, "departments": departments}


def _changed(request: HttpRequest, team: Team, form: TeamForm) -> bool:
    try:
        change_team(
            team=team, number=form.cleaned_data["number"], facts=form.facts(), by=signed_in_user(request)
        )
    except (NumberTaken, NumberInUse, EntryRefused) as error:
        form.refuse(error)
        return False
    return True


def _team_or_404(event: Event, number: int) -> Team:
    team = roster_teams(event).filter(number=number).first()
    if team is None:
        raise Http404("no such team")
    return team


@require_http_methods(["GET", "HEAD", "POST"])
@official_event(ASSIST)
def team_remove(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Takes out a team that was entered by mistake and sits in no round."""
    team = _team_or_404(event, number)
    context = {"event": event, "section": "roster", "team": team, "has_seat": has_seat(team)}
    if request.method == "POST":
        try:
            remove_team(team=team, by=signed_in_user(request))
        except TeamHasSeats:
            return render(request, "tournaments/team_remove.html", context, status=422)
        messages.success(request, _("Team %(number)d is removed.") % {"number": number})
        return see_other(reverse("roster", args=[event.slug]))
    return render(request, "tournaments/team_remove.html", context)
