"""The standings for everybody, and each team's own page with the proof of its rank."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from scoring.penalty_rows import counted_notes, effect_words, team_appeals, team_penalties
from scoring.selectors import (
    Standings,
    TeamStanding,
    stage_rules,
    stage_standings,
    team_adjustments,
    team_matches,
    with_names,
)
from scoring.standing_rows import key_columns, neighbour_proofs, standing_lines, team_rounds
from tournaments.access import official_event, public_event
from tournaments.attendance import read_absences, rounds_missed
from tournaments.lineups import seat_lineups
from tournaments.models import Event, Match, Stage, Team
from tournaments.paging import page_of
from tournaments.revisions import kept_for_revision
from tournaments.roles import ASSIST
from tournaments.selectors.finding import MOST_FOUND, is_wanted, tidy_search
from tournaments.selectors.stages import current_stage


@require_safe
@official_event(ASSIST)
def standings_latest(request: HttpRequest, event: Event) -> HttpResponse:
    """Goes to the standings of the present stage, the very page that the public sees."""
    stage = current_stage(event, drafts=False)
    if stage is None:
        raise Http404("no stage")
    return HttpResponseRedirect(reverse("standings", args=[event.slug, stage.order]))


@require_safe
@public_event
def standings(request: HttpRequest, event: Event, stage: int, round: int | None = None) -> HttpResponse:
    """The standings now, or as they stood after a round; `?q=` finds teams by number or name."""
    stages, found_stage = _stages(event, stage)
    asked = (found_stage.pk, round)
    table = kept_for_revision(
        event, ("standings", *asked), lambda: stage_standings(found_stage, after_round=round)
    )
    if round is not None and round not in table.rounds:
        raise Http404("no such round")
    wanted = tidy_search(request.GET.get("q", ""))
    context: dict[str, Any] = {
        "event": event,
        "stage": found_stage,
        "stages": stages,
        "section": "standings",
        "standings": table,
        "wanted": wanted,
    }
    found = [row for row in table.rows if is_wanted(row.team, wanted)] if wanted else []
    teams = frozenset(row.team.pk for row in found)
    page = page_of(table.rows, request.GET.get("page", ""), lambda row: row.team.pk in teams)
    context |= {"page": page, "found_rows": found[:MOST_FOUND]}
    if found:
        context["table"] = _table(table, page, teams)
    else:
        said = ("table", *asked, page.number, get_language())
        context["table"] = kept_for_revision(event, said, lambda: _table(table, page, teams))
    return render(request, "scoring/standings.html", context)


def _table(table: Standings, page: Page[TeamStanding], found: frozenset[int]) -> SafeString:
    """The table of the page, its most costly part, with the teams found marked."""
    context = {
        "standings": table,
        "lines": standing_lines(table, slice(max(0, page.start_index() - 1), page.end_index())),
        "columns": key_columns(table),
        "found": found,
        "notes": counted_notes(table.stage, table.after_round),
    }
    return render_to_string("scoring/_standings_table.html", context)


def team_facts(event: Event, number: int) -> dict[str, Any]:
    """What a team's own page shows: its rounds, its rank and why it stands between its neighbours."""
    found = with_names(event.teams.filter(number=number)).first()
    if found is None:
        raise Http404("no such team")
    matches = seat_lineups(team_matches(found))
    stage = matches[-1].round.stage if matches else current_stage(event, drafts=False)
    facts: dict[str, Any] = {"event": event, "stage": stage, "section": "team", "team": found}
    if stage is not None:
        own = [match for match in matches if match.round.stage_id == stage.pk]
        facts |= _way_through(stage, found, own)
    return facts


def _way_through(stage: Stage, found: Team, matches: list[Match]) -> dict[str, Any]:
    """The team's rounds, its place and the proof of it."""
    table, scoring = stage_standings(stage), stage_rules(stage).scoring
    adjustments = [
        given for given in team_adjustments(found, stage) if given.round_number <= table.after_round
    ]
    missed = [number for number in table.rounds if matches and number < matches[0].round.number]
    absent = rounds_missed(read_absences(found.absences), stage.key, table.after_round).difference(missed)
    rounds = list(
        team_rounds(
            found,
            matches,
            adjustments,
            scoring,
            start=scoring.missed * len(missed),
            missed=absent.intersection(table.rounds),
        )
    )
    told = {given.pk for played in rounds for given in played.adjustments}
    row = next((row for row in table.rows if row.team.pk == found.pk), None)
    return {
        "standings": table,
        "row": row,
        "rivals": len(table.of_group(row.group) if row and row.group else table.rows),
        "proofs": neighbour_proofs(table, found) if table.rounds else (),
        "rounds": rounds,
        "now": rounds[-1] if rounds and rounds[-1].points is None else None,
        "missed": missed,
        "missed_points": scoring.missed * len(missed),
        "later_adjustments": [given for given in adjustments if given.pk not in told],
        "penalties": [
            (each, effect_words(each.action, each.amount))
            for each in team_penalties(found, stage)
            if each.round_number <= max(table.after_round, 1)
        ],
        "appeals": [
            each for each in team_appeals(found, stage) if each.round_number <= max(table.after_round, 1)
        ],
    }


def _stages(event: Event, order: int) -> tuple[list[Stage], Stage]:
    """All stages, for the tabs, and the one of the address. One query."""
    stages = list(event.stages.order_by("order"))
    found = next((stage for stage in stages if stage.order == order), None)
    if found is None:
        raise Http404("no such stage")
    found.event = event
    return stages, found
