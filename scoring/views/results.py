"""The page on which officials enter the results of a round, and the history of each table."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.engine.outcomes import InvalidResult
from scoring.engine.results import Side
from scoring.engine.rules import ScoringModel
from scoring.forms.results import HANDICAP, ResultForm
from scoring.result_rows import ResultRow, RowMaker, points_table, result_words, scoring_words
from scoring.round_tables import RoundTables, round_tables
from scoring.rulings import ruling_mark
from scoring.selectors import (
    RulesByMatch,
    counting_rounds,
    group_in_play,
    match_rules,
    newest_round,
    public_round,
    round_matches,
    rules_by_match,
)
from scoring.services import (
    ByeNotEntered,
    MatchesHang,
    ReasonMissing,
    ResultSettled,
    RoundCompleted,
    RoundNotPublished,
    StaleResult,
    TeamsChanged,
    clear_result,
    match_subject,
    record_result,
)
from scoring.statements import confirmation_rules
from scoring.table_states import TableState, table_states
from scoring.views.asked_first import asked_first
from scoring.wording import FORFEIT_WORD, refusal
from tournaments.access import official_event, see_other, signed_in_user
from tournaments.lineups import seat_lineups
from tournaments.log import Act
from tournaments.log_words import log_line
from tournaments.models import Audience, Event, LogEntry, Match, Round
from tournaments.roles import ASSIST, CORRECT

RESULT_ACTS = [
    *(Act.RESULT_ENTERED, Act.RESULT_CHANGED, Act.RESULT_CLEARED, Act.RESULT_CONFIRMED),
    *(Act.RESULT_STATED, Act.RESULT_DISPUTED, Act.DISPUTE_DECIDED),
]
KNOWN_TABLES = re.compile(r"([0-9]{1,6})\.([0-9a-z-]+)")
BASE = 36
"""The last digits of versions tell them apart: nobody corrects a table 36 times between two questions."""
KNOWN_RULINGS = re.compile(r"([0-9]{1,6})\.([0-9a-f]+)")
TableStates = Mapping[int, TableState]


@require_safe
@official_event(ASSIST)
def results_latest(request: HttpRequest, event: Event) -> HttpResponse:
    """Goes to the newest round that is being or was played; says so when there is none."""
    round_ = newest_round(event)
    if round_ is None:
        return render(request, "scoring/results_empty.html", {"event": event, "section": "results"})
    round_.stage.event = event
    group = group_in_play(round_.stage)
    if group is not None:
        place = [event.slug, round_.stage.order, group.order]
        return HttpResponseRedirect(reverse("group_results", args=place))
    return HttpResponseRedirect(_results_address(round_))


@require_safe
@official_event(ASSIST)
def results(request: HttpRequest, event: Event, stage: int, round: int) -> HttpResponse:
    """All tables of a round. `?missing=1` leaves out those entered, `?correct=7` opens one for the chief.

    To htmx it answers with what changed since the state that the page knows, or with one table's line.
    """
    round_ = round_or_404(event, stage, round)
    table = request.GET.get("table", "")
    if not request.headers.get("HX-Request"):
        if table.isdecimal():
            return HttpResponseRedirect(f"{_results_address(round_)}#table-{table}")
        return _page(request, round_)
    if "known" in request.GET:
        return _changes(request, round_)
    match = match_or_404(round_, int(table) if table.isdecimal() and len(table) < 7 else None)
    return _lines(request, round_, [_maker(match).stored(match)], table_states(round_))


@require_POST
@official_event(ASSIST)
def result_save(request: HttpRequest, event: Event, stage: int, round: int, table: int) -> HttpResponse:
    """Saves one table's line: back to it on success, the line with its refusal (422, 403) otherwise."""
    round_ = round_or_404(event, stage, round)
    match = match_or_404(round_, table)
    form = ResultForm(request.POST, best_of=match_rules(match).match.best_of)
    if (elsewhere := asked_first(request, match, form)) is not None:
        return elsewhere
    answer = save_line(request, round_, match, form)
    if request.headers.get("HX-Request"):
        return _lines(request, round_, [answer.row], table_states(round_), status=answer.status)
    if answer.status == 200:
        if answer.row.notice:
            messages.success(request, answer.row.notice)
        return see_other(f"{_results_address(round_)}#table-{table}")
    return _page(request, round_, instead=answer.row, status=answer.status)


@require_safe
@official_event(ASSIST)
def result_history(request: HttpRequest, event: Event, stage: int, round: int, table: int) -> HttpResponse:
    """Who entered, changed or cleared the result of a table, and when; the newest first."""
    round_ = round_or_404(event, stage, round)
    match = match_or_404(round_, table)
    entries = LogEntry.objects.filter(event=event, subject=match_subject(match), act__in=RESULT_ACTS)
    context = page_context(round_) | {"match": match, "lines": [log_line(entry) for entry in entries]}
    return render(request, "scoring/result_history.html", context)


def _page(
    request: HttpRequest, round_: Round, *, instead: ResultRow | None = None, status: int = 200
) -> HttpResponse:
    """The whole page, with one line replaced by what was just refused."""
    matches = seat_lineups(round_matches(round_))
    rules = rules_by_match(round_.stage)
    makers = Makers(round_, rules)
    maker = makers.of(None)
    tables = [match for match in matches if match.table is not None]
    rows = [_page_row(request, round_, makers.of(match), match, instead) for match in tables]
    missing_only = request.GET.get("missing") == "1"
    look = look_of(round_)
    context = (
        page_context(round_)
        | progress(round_, table_states(round_), look)
        | _correcting(request, round_, look)
        | typing_context(makers)
        | {
            "rows": looked([row for row in rows if not missing_only or row.result is None], look),
            "byes": [maker.stored(match) for match in matches if match.is_bye],
            "walkovers": [maker.stored(match) for match in matches if _is_walkover(match)],
            "missing_only": missing_only,
            "is_typed": round_.is_published,
            "rounds": counting_rounds(round_.stage, Audience.HALL),
        }
    )
    return render(request, "scoring/results.html", context, status=status)


def typing_context(makers: Makers) -> dict[str, Any]:
    """What the page shows while somebody types; call it once the rows are made."""
    scoring = makers.of(None).rules.scoring
    return {
        "points_tables": {each.rules_key: points_table(each.rules) for each in makers.made},
        "deal_points": scoring.deal_points if scoring.model is ScoringModel.PER_DEAL else (),
        "counts_from_start": scoring.model is ScoringModel.LEVELS_GAINED,
        "scoring_words": scoring_words(scoring),
    }


def _page_row(
    request: HttpRequest, round_: Round, maker: RowMaker, match: Match, instead: ResultRow | None
) -> ResultRow:
    if instead is not None and instead.match.pk == match.pk:
        return instead
    typed = _late_side(request, match)
    if typed is not None and maker.stored(match).is_open:
        return maker.typed(match, typed)
    is_correction = asks_to_correct(request, match, round_.stage.event)
    return maker.stored(match, is_open=True, is_correction=True) if is_correction else maker.stored(match)


def asks_to_correct(request: HttpRequest, match: Match, event: Event) -> bool:
    """Whether the address opens this table to a correction: never in an archived event. `?correct=7`."""
    is_asked = request.GET.get("correct") == str(match.table) and event.archived_at is None
    return is_asked and request.user.has_perm(CORRECT)


def _late_side(request: HttpRequest, match: Match) -> dict[str, str] | None:
    """What a late team brings about at its table, ready to be saved: `?start=7.2.5` or `?forfeit=7.home`."""
    table, *starts = request.GET.get("start", "").split(".")
    if table == str(match.table) and len(starts) == 2:
        return {"kind": HANDICAP, "home_start": starts[0], "away_start": starts[1]}
    table, _dot, side = request.GET.get("forfeit", "").partition(".")
    if table == str(match.table) and side in set(Side):
        return {f"{side}_level": str(FORFEIT_WORD)}
    return None


def _changes(request: HttpRequest, round_: Round) -> HttpResponse:
    """The lines that differ from those the page knows; 204 when none does."""
    states = table_states(round_)
    changed = changed_tables(states, request)
    told = progress(round_, states, look_of(round_))
    is_moved = request.GET.get("seating") != told["seating"]
    if not changed and not is_moved and request.GET.get("entered") == told["state"]:
        return HttpResponse(status=204)
    makers = Makers(round_, rules_by_match(round_.stage))
    matches = seat_lineups(round_matches(round_).filter(table__in=changed))
    rows = [makers.of(match).stored(match) for match in matches]
    return _lines(request, round_, rows, states, is_poll=True, is_moved=is_moved)


def changed_tables(states: TableStates, request: HttpRequest) -> list[int]:
    """The tables with another version, or other penalties, than the page knows; others that it shows not."""
    versions = _known_versions(request.GET["known"])
    rulings = dict(KNOWN_RULINGS.findall(request.GET.get("rulings", "")))
    return [
        table
        for table, state in states.items()
        if table in versions
        and (state.version % BASE, ruling_mark(state.ruling))
        != (versions[table], rulings.get(str(table), ""))
    ]


def _known_versions(text: str) -> dict[int, int]:
    """What a page knows: by table its version's last digit to base 36, so that a thousand tables fit a line.

    "3.01-0,90.2" says table 3: 0, table 4: 1, table 6: 0, table 90: 2.
    """
    return {
        int(first) + place: int(digit, BASE)
        for first, digits in KNOWN_TABLES.findall(text)
        for place, digit in enumerate(digits)
        if digit != "-"
    }


def _lines(
    request: HttpRequest, round_: Round, rows: Sequence[ResultRow], states: TableStates, **more: Any
) -> HttpResponse:
    """Single lines for htmx, with the progress beside them."""
    status, look = more.pop("status", 200), look_of(round_)
    context = page_context(round_) | progress(round_, states, look) | _correcting(request, round_, look)
    context |= {"rows": looked(rows, look)} | more
    return render(request, "scoring/_result_lines.html", context, status=status)


def page_context(round_: Round) -> dict[str, Any]:
    """What every page about the results of a round knows."""
    return {
        "event": round_.stage.event,
        "section": "results",
        "stage": round_.stage,
        "round": round_,
        "address": _results_address(round_),
        "results_address": _results_address(round_),
        "check_address": reverse(
            "result_checks", args=[round_.stage.event.slug, round_.stage.order, round_.number]
        ),
        "back": "results",
    }


def look_of(round_: Round) -> RoundTables | None:
    """How far the second look is and who calls a referee; None, and no query, where the event has neither."""
    rules = confirmation_rules(round_.stage)
    return round_tables([round_]) if rules.is_on or rules.has_phones else None


def looked(rows: Sequence[ResultRow], look: RoundTables | None) -> list[ResultRow]:
    """The rows with those marked that wait for the chief referee; nobody else types into them."""
    disputed = set(look.disputed) if look else set()
    return [
        replace(row, is_disputed=True, is_open=row.is_open and row.is_correction)
        if row.match.table in disputed
        else row
        for row in rows
    ]


def _correcting(request: HttpRequest, round_: Round, look: RoundTables | None) -> dict[str, bool]:
    """Whether the official may correct what is not open to everybody: closed rounds, confirmed results."""
    is_open = round_.stage.event.archived_at is None and (round_.is_completed or look is not None)
    return {"may_correct": is_open and request.user.has_perm(CORRECT)}


def progress(round_: Round, states: TableStates, look: RoundTables | None) -> dict[str, Any]:
    """How many tables have a result, the mark of the seating, and of what else the page's head tells."""
    entered = sum(state.version > 0 for state in states.values())
    told = (look.unconfirmed, look.disputed, [(call.pk, call.minutes) for call in look.calls]) if look else ()
    return {
        "entered": entered,
        "total": len(states),
        "seating": _seating(round_, states),
        "look": look,
        "state": f"{entered}-{_mark(told)}" if look else str(entered),
    }


@dataclass(frozen=True)
class Answer:
    """What became of a save: the line to show and the status to show it with."""

    row: ResultRow
    status: int = 200


def save_line(request: HttpRequest, round_: Round, match: Match, form: ResultForm) -> Answer:
    """Saves what was typed into one line, or says why not."""
    if not form.is_valid():
        return _refused(request, round_, match, problem=form.problem())
    try:
        notice = _store(request, match, form)
    except StaleResult as error:
        stale = _maker(match).stale(match, error.stored, error.typed)
        return _refused(request, round_, match_or_404(round_, match.table), stale=stale)
    except TeamsChanged as error:
        return _refused(request, round_, match_or_404(round_, match.table), problem=teams_changed(error))
    except (RoundNotPublished, ByeNotEntered):
        raise Http404("no such table") from None
    except RoundCompleted:
        return _too_late(round_, match, form)
    except ResultSettled:
        return _settled(round_, match, form)
    except ReasonMissing:
        problem = _("A correction needs a reason: it stands in the log.")
        return _refused(request, round_, match, problem=problem, is_correction=True)
    except MatchesHang as error:
        return _refused(request, round_, match, problem=hanging(error))
    except InvalidResult as error:
        return _refused(request, round_, match, problem=refusal(error, match_rules(match).match))
    return Answer(_maker(match).stored(match_or_404(round_, match.table), notice=notice))


def _store(request: HttpRequest, match: Match, form: ResultForm) -> str:
    """One service call; answers with what the official should be told beside the line itself."""
    user, reason = signed_in_user(request), form.cleaned_data["reason"]
    if form.entry is None:
        clear_result(match=match, by=user, expected_version=form.expected_version, reason=reason)
        return _("Cleared: this table counts as not entered.")
    recorded = record_result(
        match=match,
        by=user,
        entry=form.entry,
        expected_version=form.expected_version,
        seated=form.seated,
        reason=reason,
    )
    if recorded.changed or recorded.result.entered_by_id == user.pk:
        return ""
    return _("The same result was entered before.")


def teams_changed(error: TeamsChanged) -> str:
    """Who sits at a table instead of the teams that the page showed."""
    numbers = {"home": error.match.home.number, "away": error.match.away and error.match.away.number}
    return _("Teams %(home)s and %(away)s sit at this table now. Check the slip, then save again.") % numbers


def hanging(error: MatchesHang) -> str:
    """Why another winner cannot be entered, and what comes first."""
    return _(
        "Not saved: matches of round %(rounds)s were drawn from who won here. The chief referee voids them "
        "first, on the page of stages, then corrects the result."
    ) % {"rounds": _(", ").join(map(str, error.rounds))}


def _refused(request: HttpRequest, round_: Round, match: Match, **state: Any) -> Answer:
    """The line with what was typed still in it, and why it was not saved."""
    seen = request.POST.get("version", "")
    seen_version = int(seen) if seen.isdecimal() and len(seen) < 10 else None
    is_correction = match.is_closed or "reason" in request.POST
    state = {"is_open": True, "is_correction": is_correction, "seen_version": seen_version, **state}
    return Answer(_maker(match).typed(match, request.POST, **state), 422)


def _settled(round_: Round, match: Match, form: ResultForm) -> Answer:
    """The result was confirmed or disputed meanwhile: the line as it stands, with what was typed in words."""
    problem = _(
        "Not saved: %(typed)s. This result is confirmed or waits for the chief referee; only the chief "
        "referee changes it."
    ) % {"typed": _("cleared") if form.is_clearing else result_words(form.entry)}
    row = _maker(match).stored(match_or_404(round_, match.table), problem=problem)
    return Answer(replace(row, is_open=False), 403)


def _too_late(round_: Round, match: Match, form: ResultForm) -> Answer:
    """Round or group was closed meanwhile: the line as it stands, with what the assistant typed in words."""
    words = {
        "round": round_.number,
        "group": match.group and match.group.title,
        "typed": result_words(form.entry),
    }
    if form.is_clearing:
        problem = _("Round %(round)s is closed: a result can be corrected, not cleared.")
        if match.is_of_closed_group:
            problem = _("%(group)s is over: a result can be corrected, not cleared.")
        return Answer(_maker(match).stored(match, problem=problem % words), 422)
    problem = _("Not saved: %(typed)s. Round %(round)s is closed, only the chief referee corrects it.")
    if match.is_of_closed_group:
        problem = _("Not saved: %(typed)s. %(group)s is over, only the chief referee corrects it.")
    problem %= words
    return Answer(_maker(match).stored(match, problem=problem), 403)


@dataclass(frozen=True)
class Makers:
    """The makers of a round's rows: one for all tables that are played by the same rules."""

    round: Round
    rules: RulesByMatch
    _made: dict[int, RowMaker] = field(default_factory=dict)

    def of(self, match: Match | None) -> RowMaker:
        """The maker for a match; for none, by the rules of the stage."""
        rules = self.rules.of(match) if match else self.rules.stage
        return self._made.setdefault(id(rules), RowMaker(rules, is_open=self.round.is_published))

    @property
    def made(self) -> Sequence[RowMaker]:
        """All makers that were asked for."""
        return list(self._made.values())


def _maker(match: Match) -> RowMaker:
    return RowMaker(match_rules(match), is_open=match.round.is_published)


def _is_walkover(match: Match) -> bool:
    """Whether a team of schedule or bracket did not come because it left the event."""
    return match.table is None and not match.is_bye


def round_or_404(event: Event, stage: int, number: int) -> Round:
    """The published or closed round of an address."""
    round_ = public_round(event, stage, number, Audience.HALL)
    if round_ is None:
        raise Http404("no such round")
    round_.stage.event = event
    return round_


def match_or_404(round_: Round, table: int | None) -> Match:
    """The match at a table of the round."""
    match = round_matches(round_).filter(table=table, away__isnull=False).first()
    if match is None:
        raise Http404("no such table")
    match.round = round_  # spares the query for a row that is at hand
    return seat_lineups([match])[0]


def _results_address(round_: Round) -> str:
    return reverse("results", args=[round_.stage.event.slug, round_.stage.order, round_.number])


def _seating(round_: Round, states: TableStates) -> str:
    """A mark of who sits where and whether results may be typed: when it changes, a page is out of date."""
    seats = [(table, state.home, state.away) for table, state in states.items()]
    return _mark((round_.status, seats))


def _mark(told: object) -> str:
    return hashlib.blake2b(repr(told).encode(), digest_size=8).hexdigest()
