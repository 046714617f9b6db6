"""What the desk says: the row of steps and the one next button."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from pairing.group_words import open_words
from pairing.models import ScreenRole
from pairing.selectors.desk import NextAct, RoundState, Step
from pairing.services import ScreenShows
from pairing.wording import clock_time, numbers
from tournaments.clock import ClockState
from tournaments.models import Event, StageFormat

MANY = 12
"""More numbers than that are counted in a sentence, not listed."""


@dataclass(frozen=True)
class StepRow:
    """One station in the row: its name, its number in small, and whether it is behind, lit or ahead."""

    name: str
    detail: str
    look: str


@dataclass(frozen=True)
class NextStep:
    """What this official does now: a button that leads to `address`, or posts to it, or nothing but words."""

    words: str
    button: str = ""
    address: str = ""
    is_post: bool = False


TO_DRAW = (NextAct.CHECK_IN, NextAct.DRAW_ROUND)
"""While the next round waits for one of these, what was published is over."""
NOT_DRAWN = (NextAct.BEGIN_STAGE, NextAct.PUBLISH_SCHEDULE)
"""While a stage waits for one of these, what the row of steps says of the round before is over."""


def step_rows(state: RoundState) -> list[StepRow]:
    """名单 → 签到 → 编排 → 公示 → 计时 → 成绩 → 排名, the present one lit."""
    details = {
        Step.ROSTER: (_("Roster"), _roster(state)),
        Step.CHECK_IN: (_("Check-in"), _check_in(state)),
        Step.DRAW: (_("Draw"), _draw(state)),
        Step.PUBLISH: (_("Published"), _published(state)),
        Step.CLOCK: (_("Clock"), _clock(state)),
        Step.RESULTS: (_("Results"), _results(state)),
        Step.STANDINGS: (_("Standings"), _standings(state)),
    }
    lit = list(Step).index(state.step)
    looks = ["done"] * lit + ["now"] + [""] * len(Step)
    return [StepRow(*details[step], looks[place]) for place, step in enumerate(Step)]


def _roster(state: RoundState) -> str:
    if not state.teams:
        return _("empty")
    return _("%(teams)s teams · %(departments)s departments") % {
        "teams": state.teams,
        "departments": state.departments,
    }


def _check_in(state: RoundState) -> str:
    if not state.uses_check_in:
        return _("not used")
    left_out = len(state.unseated)
    if state.unchecked or not left_out:
        return _("%(count)s missing") % {"count": len(state.unchecked)} if state.unchecked else _("all here")
    return _("%(count)s without a table") % {"count": left_out}


def _draw(state: RoundState) -> str:
    if state.next_act in TO_DRAW:
        return _("round %(number)s") % {"number": state.next_number}
    if state.round is None or state.next_act in NOT_DRAWN:
        return "–"
    words = _("round %(number)s, draft") if state.round.is_draft else _("round %(number)s")
    return words % {"number": state.round.number}


def _published(state: RoundState) -> str:
    if state.publication is None or state.next_act in TO_DRAW or state.next_act in NOT_DRAWN:
        return "–"
    words = _("v%(version)s · %(time)s · hall only") if state.is_hall_only else _("v%(version)s · %(time)s")
    return words % {
        "version": state.publication.version,
        "time": clock_time(state.publication.published_at),
    }


def _clock(state: RoundState) -> str:
    if state.round is None or not state.round.is_published:
        return "–"
    return {
        ClockState.NONE: _("no clock"),
        ClockState.IDLE: _("not started"),
        ClockState.RUNNING: _("running"),
        ClockState.PAUSED: _("paused"),
        ClockState.OVER: _("time called"),
    }[state.clock.state]


def _results(state: RoundState) -> str:
    tables = len(state.tables.tables)
    if not tables or state.next_act in TO_DRAW or state.next_act in NOT_DRAWN:
        return "–"
    return _("%(entered)s of %(tables)s tables") % {"entered": state.entered, "tables": tables}


def _standings(state: RoundState) -> str:
    if not state.last_closed:
        return "–"
    return _("after round %(number)s") % {"number": state.last_closed}


def next_step(state: RoundState, event: Event, *, directs: bool) -> NextStep:
    """The next step in words, with a button for whoever may take it."""
    if event.archived_at is not None:
        words = _("This event is archived: it can be read and printed.")
        return NextStep(words, _("Print the final ranking"), reverse("prints", args=[event.slug]))
    maker = _chiefs_step if directs else _assistants_step
    return maker(state, event)


def _chiefs_step(state: RoundState, event: Event) -> NextStep:
    facts = {"number": state.round.number if state.round else 1, "next": state.next_number}
    board = reverse("draw_board", args=[event.slug])
    steps = {
        NextAct.BEGIN_STAGE: lambda: NextStep(
            _begin_words(state),
            _("Settle the tie") if state.is_tied else _("Begin the stage"),
            reverse("stages", args=[event.slug]),
        ),
        NextAct.PUBLISH_SCHEDULE: lambda: NextStep(
            _("The schedule is drawn. Look at it, then publish all rounds at once."),
            _("Publish the schedule"),
            reverse("stages", args=[event.slug]),
        ),
        NextAct.DRAW_ROUND: lambda: _draw_step(state, facts, board),
        NextAct.PUBLISH_ROUND: lambda: NextStep(
            _("Round %(number)s is drawn. Look at it, change it if you must, then publish it.") % facts,
            _("Look and publish round %(number)s") % facts,
            board,
        ),
        NextAct.OPEN_ROUND: lambda: NextStep(
            _("The hall sees round %(number)s. When everybody has looked, publish it to phones too.") % facts,
            _("Publish to phones"),
            reverse("draw_open", args=[event.slug]),
            is_post=True,
        ),
        NextAct.START_CLOCK: lambda: NextStep(
            _("Round %(number)s is published. Start the countdown when everybody sits.") % facts,
            _("Start the countdown"),
            reverse("clock_act", args=[event.slug, "start"]),
            is_post=True,
        ),
        NextAct.CLOSE_ROUND: lambda: NextStep(
            _("All tables of round %(number)s have a result. Close the round to go on.") % facts,
            _("Close round %(number)s") % facts,
            reverse("round_close", args=[event.slug]),
            is_post=True,
        ),
    }
    found = steps.get(state.next_act)
    return found() if found else _anybodys_step(state, event)


def _draw_step(state: RoundState, facts: dict[str, int], board: str) -> NextStep:
    if state.has_gap:
        words = _("A result was corrected. The matches that follow from it are to be seated.")
        return NextStep(words, _("Seat them"), board)
    return NextStep(_draw_words(state), _("Draw round %(next)s") % facts, board)


def _begin_words(state: RoundState) -> str:
    stage = state.to_begin
    if stage is None:
        return ""
    if state.is_tied:
        words = _("Teams are tied where those who advance to “%(stage)s” end: settle who comes first.")
        return words % {"stage": stage.name}
    if stage.format == StageFormat.ROUND_ROBIN:
        return _("“%(stage)s” can begin: its groups and schedule are to be drawn.") % {"stage": stage.name}
    if stage.format == StageFormat.KNOCKOUT:
        return _("“%(stage)s” can begin: its bracket is to be drawn.") % {"stage": stage.name}
    return _("“%(stage)s” can begin: who enters is to be settled.") % {"stage": stage.name}


def _assistants_step(state: RoundState, event: Event) -> NextStep:
    facts = {"number": state.round.number if state.round else 1, "next": state.next_number}
    results = reverse("results_latest", args=[event.slug])
    steps = {
        NextAct.BEGIN_STAGE: lambda: NextStep(
            _("%(what)s The chief referee does that.") % {"what": _begin_words(state)}
        ),
        NextAct.PUBLISH_SCHEDULE: lambda: NextStep(_("The schedule is the chief referee's to publish.")),
        NextAct.DRAW_ROUND: lambda: NextStep(_("Round %(next)s is the chief referee's to draw.") % facts),
        NextAct.OPEN_ROUND: lambda: NextStep(
            _("The hall sees round %(number)s. The chief referee publishes it to phones.") % facts,
            _("Print the result slips"),
            reverse("prints", args=[event.slug]),
        ),
        NextAct.START_CLOCK: lambda: NextStep(
            _("Round %(number)s is published. The chief referee starts the countdown.") % facts,
            _("Print the result slips"),
            reverse("prints", args=[event.slug]),
        ),
        NextAct.CLOSE_ROUND: lambda: NextStep(
            _("All tables of round %(number)s have a result. The chief referee closes the round.") % facts,
            _("Look over the results"),
            results,
        ),
    }
    found = steps.get(state.next_act)
    return found() if found else _anybodys_step(state, event)


def _anybodys_step(state: RoundState, event: Event) -> NextStep:
    if state.next_act == NextAct.IMPORT_ROSTER and state.teams >= 2:
        words = _(
            "Of %(teams)s teams only %(active)s have not withdrawn; a round needs two. "
            "Take a team back on the roster, or enter one more."
        )
        facts = {"teams": state.teams, "active": state.active}
        return NextStep(words % facts, _("Go to the roster"), reverse("roster", args=[event.slug]))
    if state.next_act == NextAct.IMPORT_ROSTER:
        words = _("The roster has fewer than two teams. Import it from Excel.")
        return NextStep(words, _("Import the roster"), reverse("roster_import", args=[event.slug]))
    if state.next_act == NextAct.CHECK_IN:
        words = _("Not here yet: %(teams)s. Check them in, or say on the draw page what becomes of them.")
        if state.is_mostly_unchecked or len(state.unchecked) > MANY:
            words = _("%(count)s teams have not checked in yet. Check them in as they arrive.")
        told = words % {"teams": numbers(state.unchecked), "count": len(state.unchecked)}
        return NextStep(told, _("Go to the check-in"), reverse("check_in", args=[event.slug]))
    if state.next_act == NextAct.ENTER_RESULTS and state.groups:
        return _group_step(state, event)
    if state.next_act == NextAct.ENTER_RESULTS:
        words = _missing_words(state)
        return NextStep(words, _("Enter results"), reverse("results_latest", args=[event.slug]))
    if state.next_act == NextAct.CONFIRM_RESULTS:
        return _confirm_step(state, event)
    words = _("All rounds are played. The final ranking stands.")
    if state.is_cut_short:
        words = _(
            "Fewer than two teams are still in play, so round %(next)s cannot be drawn. "
            "The ranking after round %(number)s stands."
        ) % {"next": state.next_number, "number": state.last_closed}
    return NextStep(words, _("Print the final ranking"), reverse("prints", args=[event.slug]))


def _missing_words(state: RoundState) -> str:
    """Which tables miss a result; too many are counted."""
    if state.is_over_time:
        late = [table.table for table in state.without_slip]
        words = _("Time was called; no slip yet from tables %(tables)s.")
        if len(late) > MANY:
            words = _("Time was called; %(count)s tables have not brought their slip.")
        return words % {"tables": numbers(late), "count": len(late)}
    words = _("These tables have no result yet: %(tables)s.")
    if len(state.missing) > MANY:
        words = _("%(count)s tables have no result yet.")
    return words % {"tables": numbers(state.missing), "count": len(state.missing)}


def _confirm_step(state: RoundState, event: Event) -> NextStep:
    tables = [*state.tables.disputed, *state.tables.unconfirmed]
    words = _("All results are in; these tables wait for their second look: %(tables)s.")
    if len(tables) > MANY:
        words = _("All results are in; %(count)s tables wait for their second look.")
    told = words % {"tables": numbers(sorted(tables)), "count": len(tables)}
    return NextStep(told, _("Second look at the results"), check_address(state, event))


def check_address(state: RoundState, event: Event) -> str:
    """Where the second look at the round's results is taken; nowhere while nothing is published."""
    if state.round is None or state.round.is_draft:
        return ""
    number = state.tables.round_to_check(state.round.number)
    return reverse("result_checks", args=[event.slug, state.round.stage.order, number])


def _group_step(state: RoundState, event: Event) -> NextStep:
    """Groups that find their own time: which of them miss results, the overdue ones first."""
    waiting = sorted((group for group in state.groups if group.open), key=lambda group: not group.is_overdue)
    told = [f"{group.group.title} {open_words(group)}" for group in waiting]
    words = _("Results come in as the groups play: %(groups)s.")
    if any(group.is_overdue for group in waiting):
        words = _(
            "Results come in as the groups play: %(groups)s. "
            "Past the deadline the chief referee ends the group."
        )
    words %= {"groups": _("; ").join(told)}
    return NextStep(words, _("Enter results"), reverse("results_latest", args=[event.slug]))


def _draw_words(state: RoundState) -> str:
    if not state.last_closed and state.stage is not None and state.stage.order > 1:
        return _("The entries of “%(stage)s” stand. Round 1 can be drawn.") % {"stage": state.stage.name}
    if not state.last_closed:
        return _("%(teams)s teams are in play. Round 1 can be drawn.") % {"teams": state.active}
    return _("Round %(number)s is closed. Round %(next)s can be drawn.") % {
        "number": state.last_closed,
        "next": state.next_number,
    }


def screen_names() -> list[tuple[str, str]]:
    """What the projector can show, in the order of the buttons."""
    return [
        (ScreenShows.AUTO.value, _("By itself")),
        (ScreenShows.DRAW.value, _("Tables")),
        (ScreenShows.STANDINGS.value, _("Standings")),
        (ScreenShows.CLOCK.value, _("Clock")),
    ]


def screen_choices() -> list[tuple[str, str]]:
    """What one press puts on a screen of the hall: the acts of steering it, in the order of the buttons."""
    return [
        ("rotation", _("In turn")),
        (ScreenRole.TABLES.value, _("Tables")),
        (ScreenRole.STANDINGS.value, _("Standings")),
        (ScreenRole.CLOCK.value, _("Clock")),
    ]
