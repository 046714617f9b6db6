"""What the desk points at: what the next step lacks, tables that need somebody, stages, what to read out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.urls import reverse
from django.utils.translation import gettext as _

from pairing.check_in_words import left_out_words
from pairing.cut_words import cut_sentences
from pairing.desk_wording import MANY, check_address
from pairing.group_words import open_words
from pairing.selectors.desk import NextAct, RoundState, StageLine
from pairing.wording import numbers
from scoring.models import Appeal
from scoring.round_tables import RoundTable, TableStage
from tournaments.clock import ClockState
from tournaments.models import Event

FOLDED = 40
"""More tables than that, still playing, are folded into their count."""


@dataclass(frozen=True)
class Hint:
    """What the next step still lacks: one sentence, and where it is mended."""

    words: str
    address: str = ""
    link: str = ""
    is_bad: bool = False


@dataclass(frozen=True)
class Chip:
    """A table that needs somebody: its number leads to `address`, `label` says it in full."""

    number: int
    address: str
    label: str


@dataclass(frozen=True)
class ChipRow:
    """The tables that wait for the same thing; `look` is its colour, `is_folded` while nobody need act."""

    name: str
    look: str
    chips: tuple[Chip, ...]
    is_folded: bool = False


@dataclass(frozen=True)
class StageRow:
    """One stage of several, in a line; `look` is "done", "now" or empty."""

    name: str
    words: str
    address: str
    look: str


def hints(
    state: RoundState,
    event: Event,
    *,
    directs: bool,
    appeals: Sequence[Appeal] = (),
    without_lineup: Sequence[int] = (),
    lacks_officials: bool = False,
) -> list[Hint]:
    """What the next step still lacks beside its own sentence, the gravest first."""
    return [
        *_table_hints(state, event),
        *_appeal_hints(appeals, event, state.now),
        *_cut_hints(state, event),
        *_version_hints(state, event, directs=directs),
        *_team_hints(state, event),
        *_group_hints(state, event),
        *_setup_hints(event, without_lineup, lacks_officials=lacks_officials),
    ]


def _table_hints(state: RoundState, event: Event) -> Iterator[Hint]:
    if state.tables.disputed:
        words = _("Tables %(tables)s: what was told or entered does not agree. The slip decides.")
        told = words % {"tables": numbers(state.tables.disputed)}
        yield Hint(told, f"{check_address(state, event)}#disputes", _("Look at both and decide"), is_bad=True)
    if state.tables.unconfirmed and state.next_act != NextAct.CONFIRM_RESULTS:
        words = _("%(count)s results wait for their second look.") % {"count": len(state.tables.unconfirmed)}
        yield Hint(words, check_address(state, event), _("Second look at the results"))
    yield from _deserted_hints(state, event)
    yield from _corrected_hints(state, event)


def _deserted_hints(state: RoundState, event: Event) -> Iterator[Hint]:
    """The tables whose match may never be played, for a team has left the event."""
    deserted = state.tables.deserted
    if not deserted or state.own_round is None:
        return
    words = _(
        "Teams %(teams)s have withdrawn and still sit at tables %(tables)s. Who does not play any more "
        "forfeits: enter x there."
    )
    facts = {
        "teams": numbers(team for each in deserted for team in each.withdrawn),
        "tables": numbers(each.table for each in deserted),
    }
    results = reverse("results", args=[event.slug, state.own_round.stage.order, state.own_round.number])
    yield Hint(words % facts, results, _("Enter results"), is_bad=True)


def _corrected_hints(state: RoundState, event: Event) -> Iterator[Hint]:
    """The closed rounds with a correction that nobody has confirmed yet."""
    for (order, number), found in groupby(state.corrected, key=lambda each: (each.stage, each.round)):
        tables = list(found)
        words = _(
            "Round %(number)s is closed, and its corrected tables wait for a second official: "
            "tables %(tables)s."
        )
        if any(each.is_disputed for each in tables):
            words = _(
                "Round %(number)s is closed, and after a correction the second look does not agree: tables "
                "%(tables)s. The slip decides."
            )
        told = words % {"number": number, "tables": numbers(each.table for each in tables)}
        address = reverse("result_checks", args=[event.slug, order, number])
        yield Hint(told, address, _("Second look at the results"), is_bad=True)


def _appeal_hints(appeals: Sequence[Appeal], event: Event, now: datetime) -> Iterator[Hint]:
    if appeals:
        words = _("Appeals wait for a decision: teams %(teams)s; the oldest for %(minutes)s min.")
        waited = now - min(appeal.received_at for appeal in appeals)
        facts = {
            "teams": numbers(sorted({appeal.team.number for appeal in appeals})),
            "minutes": max(0, int(waited.total_seconds()) // 60),
        }
        yield Hint(words % facts, reverse("appeals", args=[event.slug]), _("To the appeals"), is_bad=True)


def _cut_hints(state: RoundState, event: Event) -> Iterator[Hint]:
    """Who would advance by now into a stage that is drawn, and not played yet."""
    if state.cut is not None:
        card = f"{reverse('stages', args=[event.slug])}#stage-{state.cut.stage.order}"
        yield Hint(cut_sentences(state.cut)[0], card, _("Look at who advances"), is_bad=True)


def _version_hints(state: RoundState, event: Event, *, directs: bool) -> Iterator[Hint]:
    if state.is_outdated and state.round is not None and state.publication is not None:
        words = _(
            "Names or tables of round %(n)s changed after version %(v)s was published. "
            "Phones show them as they are now; the printed sheets do not."
        ) % {"n": state.round.number, "v": state.publication.version}
        if directs:
            board = reverse("draw_board", args=[event.slug])
            yield Hint(words, f"{board}#republish", _("Publish a new version"), is_bad=True)
        else:
            plea = _("Please tell the chief referee: a new version is to be published.")
            yield Hint(f"{words} {plea}", is_bad=True)


def _team_hints(state: RoundState, event: Event) -> Iterator[Hint]:
    if state.late:
        words = _("Came late and have no table: teams %(teams)s.") % {"teams": numbers(state.late)}
        first = reverse("check_in_team", args=[event.slug, state.late[0]])
        address = first if len(state.late) == 1 else reverse("check_in", args=[event.slug])
        yield Hint(words, address, _("Find them a table"), is_bad=True)
    yield from _new_team_hints(state, event)
    if state.unchecked and _is_under_way(state):
        words = _("Drawn, but not checked in: teams %(teams)s.")
        if len(state.unchecked) > MANY:
            words = _("%(count)s teams are drawn, but have not checked in.")
        told = words % {"teams": numbers(state.unchecked), "count": len(state.unchecked)}
        yield Hint(told, reverse("check_in", args=[event.slug]), _("Go to the check-in"))


def _new_team_hints(state: RoundState, event: Event) -> Iterator[Hint]:
    """Who was entered after the draw, and whom the round was drawn without."""
    if state.own_round is None:
        return
    facts = {"teams": numbers(state.new), "number": state.own_round.number}
    if state.new and state.own_round.is_draft:
        words = _("In play, but not in the draft of round %(number)s: teams %(teams)s. Draw it again.")
        yield Hint(words % facts, reverse("draw_board", args=[event.slug]), _("Go to the draft"), is_bad=True)
    elif state.new:
        words = _(
            "Entered after the draw of round %(number)s and not checked in: teams %(teams)s. "
            "When they come, the check-in finds them a table."
        )
        yield Hint(words % facts, reverse("check_in", args=[event.slug]), _("Go to the check-in"))
    left_out = left_out_words(state.own_round.number, state.unseated)
    if left_out:
        yield Hint(left_out, reverse("check_in", args=[event.slug]), _("Go to the check-in"))


def _is_under_way(state: RoundState) -> bool:
    """Whether a round is drawn and not closed."""
    return state.own_round is not None and not state.own_round.is_completed


def _group_hints(state: RoundState, event: Event) -> Iterator[Hint]:
    for each in state.groups:
        if each.is_overdue and state.round is not None:
            words = _("%(group)s is past its deadline, %(open)s.")
            told = words % {"group": each.group.title, "open": open_words(each)}
            args = [event.slug, state.round.stage.order, each.group.order]
            yield Hint(
                told, f"{reverse('group_results', args=args)}?missing=1", _("Enter results"), is_bad=True
            )


def _setup_hints(event: Event, without_lineup: Sequence[int], *, lacks_officials: bool) -> Iterator[Hint]:
    if without_lineup:
        words = _("Teams %(numbers)s have not named who sits at the table.")
        if len(without_lineup) > MANY:
            words = _("%(count)s teams have not named who sits at the table.")
        told = words % {"numbers": numbers(without_lineup), "count": len(without_lineup)}
        yield Hint(told, reverse("lineups", args=[event.slug]), _("Line-ups"))
    if lacks_officials:
        words = _(
            "Nobody officiates here yet: chief referee and assistants see the event only "
            "once they are appointed."
        )
        yield Hint(words, reverse("officials", args=[event.slug]), _("Appoint the officials"))


def chip_rows(state: RoundState, event: Event) -> list[ChipRow]:
    """The tables that need somebody, the gravest first; confirmed ones are only counted."""
    waiting = [] if state.groups else state.without_slip
    unconfirmed = _chips(state, event, TableStage.ENTERED)
    is_over = state.is_over_time
    rows = [
        ChipRow(_("in dispute"), "disputed", _chips(state, event, TableStage.DISPUTED)),
        ChipRow(
            _("time is up, no slip") if is_over else _("no slip yet"),
            "late" if is_over else "waiting",
            tuple(_chip(state, event, table) for table in waiting),
            is_folded=len(waiting) > FOLDED and not is_over,
        ),
        ChipRow(
            _("not confirmed"),
            "unconfirmed",
            unconfirmed,
            is_folded=len(unconfirmed) > (MANY if state.missing else FOLDED),
        ),
    ]
    return [row for row in rows if row.chips]


def _chips(state: RoundState, event: Event, stage: TableStage) -> tuple[Chip, ...]:
    return tuple(_chip(state, event, table) for table in state.tables.tables if table.stage == stage)


def _chip(state: RoundState, event: Event, table: RoundTable) -> Chip:
    order = state.round.stage.order if state.round else 1
    page, anchor, label = {
        TableStage.DISPUTED: ("result_checks", "dispute", _("Table %(n)s, does not agree")),
        TableStage.ENTERED: ("result_checks", "table", _("Table %(n)s, not confirmed")),
    }.get(table.stage, ("results", "table", _("Table %(n)s, not entered")))
    address = reverse(page, args=[event.slug, order, table.round])
    return Chip(table.table, f"{address}#{anchor}-{table.table}", label % {"n": table.table})


def stage_rows(state: RoundState, event: Event) -> list[StageRow]:
    """Each stage of several in a line, with the way to its results or its set-up."""
    return [_stage_row(line, event) for line in state.stages]


def _stage_row(line: StageLine, event: Event) -> StageRow:
    newest = line.newest
    if newest is None:
        words = _("drawn, no round yet") if line.is_drawn else _("not begun")
        return StageRow(line.stage.name, words, "", "")
    facts = {
        "number": newest.number,
        "planned": line.stage.rounds_planned,
        "entered": line.entered,
        "tables": line.tables,
    }
    results = reverse("results", args=[event.slug, line.stage.order, newest.number])
    if newest.is_draft:
        words = _("round %(number)s of %(planned)s: draft") % facts
        return StageRow(line.stage.name, words, reverse("draw_board", args=[event.slug]), "now")
    if line.is_in_play and line.stage.is_self_scheduled:
        words = _("in the teams’ own time: %(entered)s of %(tables)s matches") % facts
        return StageRow(line.stage.name, words, results, "now")
    if line.is_in_play:
        words = _("round %(number)s of %(planned)s: %(entered)s of %(tables)s tables") % facts
        return StageRow(line.stage.name, words, results, "now")
    words = _("over, %(planned)s rounds") if line.is_over else _("round %(number)s of %(planned)s is closed")
    return StageRow(line.stage.name, words % facts, results, "done")


def publication_words(state: RoundState) -> str:
    """Who sees the round, and in which version; empty before there is one."""
    if state.own_round is None:
        return ""
    if state.own_round.is_draft:
        return _("draft: nobody else sees it")
    if state.publication is None:
        return ""
    words = _("hall only, version %(version)s") if state.is_hall_only else _("published, version %(version)s")
    return words % {"version": state.publication.version}


def announcements(state: RoundState) -> list[str]:
    """What to read out in the hall now, the most urgent first; none when there is nothing to say."""
    told = []
    if state.tables.disputed:
        told.append(
            _("Both teams of tables %(tables)s, please come to the referees' desk.")
            % {"tables": numbers(state.tables.disputed)}
        )
    if state.late:
        told.append(_("Teams %(teams)s, please come to the referees' desk.") % {"teams": numbers(state.late)})
    expected = sorted([*state.unchecked, *state.new])
    if expected and _is_under_way(state) and not state.is_mostly_unchecked:
        told.append(_come_to_check_in(expected))
    return [*told, *filter(None, [_announcement(state)])]


def _come_to_check_in(teams: Sequence[int]) -> str:
    return _("Teams %(teams)s, please come to the check-in.") % {"teams": numbers(teams)}


def _announcement(state: RoundState) -> str:
    """What belongs to the next step."""
    facts = {"number": state.round.number if state.round else 1, "tables": numbers(state.missing)}
    if state.next_act in {NextAct.OPEN_ROUND, NextAct.START_CLOCK}:
        return (
            _("The tables of round %(number)s are posted. Find yours by your number and sit down, please.")
            % facts
        )
    if state.next_act == NextAct.CHECK_IN and state.is_mostly_unchecked:
        return _("All teams, please come to the check-in.")
    if state.next_act == NextAct.CHECK_IN:
        return _come_to_check_in(state.unchecked)
    if state.next_act == NextAct.ENTER_RESULTS and not state.groups:
        return _results_call(state) % facts
    if state.next_act == NextAct.CLOSE_ROUND:
        return _("Round %(number)s is over. Please wait for the next tables to be posted.") % facts
    if state.next_act == NextAct.PRINT_FINAL:
        if state.is_cut_short:
            return _("There are no further rounds. Please stay for the final ranking.")
        return _("All rounds are played. Please stay for the final ranking.")
    return ""


def _results_call(state: RoundState) -> str:
    if state.clock.state in {ClockState.RUNNING, ClockState.PAUSED, ClockState.IDLE}:
        return _("Tables that have finished, please bring your slip of round %(number)s to the desk.")
    return _("Tables %(tables)s, please bring your result slip to the desk.")
