"""The draw's codes in words for officials: why a table is as it is, what it breaks, why an act is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from pairing.engine.formats import FormatFault, InvalidFormat
from pairing.engine.tables import TooFewTables
from pairing.engine.types import Broken, NoLegalDraw, Note, NoteKind, Reason, Relaxation, Rule
from pairing.layouts import DrawnBy
from pairing.models import Screen, ScreenRole
from pairing.selectors.versions import Correction
from pairing.services import refusals

PASSED_OVER: dict[NoteKind, Callable[[], str]] = {
    NoteKind.MET: lambda: _("met %(other)s in round %(round)s"),
    NoteKind.SAME_DEPARTMENT: lambda: _("same department as %(other)s"),
    NoteKind.FORBIDDEN: lambda: _("not to meet %(other)s, as the chief set"),
    NoteKind.KEPT_FOR_FORCED: lambda: _("%(other)s has another opponent set"),
    NoteKind.REST_IMPOSSIBLE: lambda: _("with %(other)s the teams below could not all be drawn"),
    NoteKind.LEAST_GAPS: lambda: _("with %(other)s the gaps in rank would add up to more"),
    NoteKind.BY_HAND: lambda: _("could have met %(other)s; changed by hand"),
    NoteKind.MORE: lambda: _("and more"),
}
ABOUT_TABLE: dict[NoteKind, Callable[[], str]] = {
    NoteKind.FORCED: lambda: _("set by the chief referee"),
    NoteKind.UNAVOIDABLE_REMATCH: lambda: _("met in round %(round)s already; unavoidable"),
    NoteKind.UNAVOIDABLE_DEPARTMENT: lambda: _("same department; unavoidable"),
    NoteKind.TABLE_TAKEN: lambda: _("the fixed table of %(team)s was taken"),
    NoteKind.TABLE_OUT: lambda: _("the fixed table of %(team)s may not be used"),
}
ABOUT_BYE: dict[NoteKind, Callable[[], str]] = {
    NoteKind.HAD_BYE: lambda: _("%(other)s had a bye before"),
    NoteKind.KEPT_FOR_FORCED: lambda: _("%(other)s has an opponent set"),
    NoteKind.REST_IMPOSSIBLE: lambda: _("without %(other)s the others could not all be drawn"),
    NoteKind.BY_HAND: lambda: _("%(other)s could have had it; changed by hand"),
    NoteKind.MORE: lambda: _("and more"),
}
"""Called late, so that the words come in the reader's language."""


def table_reasons(notes: Sequence[Note]) -> list[str]:
    """Why a table is not simply the next two teams; one sentence a team, about the table last."""
    passed = [note for note in notes if note.kind in PASSED_OVER]
    reasons = [
        _("%(team)s: %(reasons)s")
        % {"team": team, "reasons": _("; ").join(_fill(PASSED_OVER, note) for note in group)}
        for team, group in groupby(passed, key=lambda note: note.team)
    ]
    return reasons + [_fill(ABOUT_TABLE, note) for note in notes if note.kind in ABOUT_TABLE]


def bye_reasons(notes: Sequence[Note]) -> str:
    """Why the teams nearer to the bye did not get it."""
    return _("; ").join(_fill(ABOUT_BYE, note) for note in notes if note.kind in ABOUT_BYE)


def _fill(words: dict[NoteKind, Callable[[], str]], note: Note) -> str:
    return words[note.kind]() % {"team": note.team, "other": note.other, "round": note.round}


def broken_rule(broken: Broken) -> str:
    """What a table breaks, as a warning."""
    first, second = broken.teams
    words = {
        Rule.SAME_DEPARTMENT: _("%(first)s and %(second)s belong to one department"),
        Rule.REMATCH: _("%(first)s and %(second)s met in round %(round)s already"),
        Rule.FORCED: _("%(first)s and %(second)s were set to meet and do not"),
        Rule.FORBIDDEN: _("%(first)s and %(second)s were not to meet"),
    }
    return words[broken.rule] % {"first": first, "second": second, "round": broken.round or ""}


def impossible(error: NoLegalDraw, teams: Sequence[int], opponents: Sequence[int]) -> str:
    """Why there is no legal draw, by team numbers."""
    words = {
        Reason.TOO_FEW_TEAMS: _("There are not enough teams in play."),
        Reason.DEPARTMENT_MAJORITY: _("More than half of the teams belong to one department: %(teams)s."),
        Reason.EVERYBODY_MET: _("These teams have met everybody they may meet: %(teams)s."),
        Reason.NO_PERFECT_MATCHING: _("These teams cannot all get an opponent they may meet: %(teams)s."),
    }
    text = words[error.reason] % {"teams": numbers(teams)}
    if opponents:
        text += _(
            " Outside their own circle only these are left for them, and they are too few: %(teams)s."
        ) % {"teams": numbers(opponents)}
    return text


def too_few_tables(error: TooFewTables) -> str:
    """Why a round does not fit into the hall."""
    return _(
        "There are more matches than tables: only %(there)s may be used. Give the stage a larger range or "
        "put tables back into use, on the page of tables."
    ) % {"there": error.there}


def relaxation_name(relaxation: Relaxation) -> str:
    """What a relaxation allows, as the words of its button."""
    words = {
        (Rule.SAME_DEPARTMENT, "avoid"): _("Let teams of one department meet, as few tables as possible"),
        (Rule.SAME_DEPARTMENT, "allow"): _("Let teams of one department meet"),
        (Rule.REMATCH, "avoid"): _("Let teams meet a second time, as few tables as possible"),
    }
    plain = {
        Rule.FORBIDDEN: _("Leave out the meetings forbidden by hand"),
        Rule.FORCED: _("Leave out the meetings set by hand"),
    }
    found = words.get((relaxation.rule, relaxation.value)) or plain.get(relaxation.rule)
    return found or f"{relaxation.rule}: {relaxation.value}"


def method_name(method: str) -> str:
    """How opponents were chosen."""
    return {
        DrawnBy.ADJACENT: _("adjacent ranks meet"),
        DrawnBy.CLOSEST: _("smallest gaps in rank over all tables"),
        DrawnBy.SCHEDULE: _("by the schedule"),
        DrawnBy.BRACKET: _("by the bracket"),
        DrawnBy.LOTS: _("drawn anew among the winners"),
    }[DrawnBy(method)]


def numbers(values: Iterable[int]) -> str:
    """Numbers as the language lists them."""
    return _(", ").join(str(value) for value in values)


def change_made(change: dict[str, Any]) -> str:
    """One change of a draft, for somebody who looked at it before."""
    words = {
        "swap": _("%(by)s swapped %(first)s and %(second)s."),
        "redraw": _("%(by)s drew the round again."),
        "forced": _("%(by)s set %(first)s and %(second)s to meet."),
        "forbidden": _("%(by)s forbade %(first)s and %(second)s to meet."),
        "free": _("%(by)s lifted what was set for %(first)s and %(second)s."),
        "withdrawn": _("%(by)s withdrew the publication."),
        "late": _("%(by)s seated the late team %(first)s against %(second)s."),
        "late_bye": _("%(by)s gave the late team %(first)s the bye."),
        "voided": _("%(by)s voided matches."),
        "tables": _("%(by)s exchanged tables %(first)s and %(second)s."),
        "broken_table": _("%(by)s took table %(first)s out of use; its match moved to table %(second)s."),
    }
    blank = {"by": "", "first": "", "second": ""}
    return words[change["act"]] % {**blank, **change}


def refusal(error: refusals.Refused) -> str:
    """What an official reads when an act is refused."""
    return REFUSALS[type(error)](error)


def _not_a_draft(error: Any) -> str:
    if error.publication is None:
        return _("Round %(number)s is closed.") % {"number": error.round.number}
    return _("Round %(number)s is published already: version %(version)s, since %(time)s.") % {
        "number": error.round.number,
        "version": error.publication.version,
        "time": clock_time(error.publication.published_at),
    }


def _stale(error: Any) -> str:
    changes = " ".join(change_made(change) for change in error.changes)
    return (
        _("The draft changed while you were looking. %(changes)s Look at it again, then go on.")
        % {"changes": changes}
    ).replace("  ", " ")


def _outdated(error: Any) -> str:
    parts = []
    if error.gone:
        parts.append(_("Withdrawn or absent but seated: %(teams)s.") % {"teams": numbers(error.gone)})
    if error.unseated:
        parts.append(_("In play but not seated: %(teams)s.") % {"teams": numbers(error.unseated)})
    return _("The roster changed after the draw. %(parts)s Draw again.") % {"parts": " ".join(parts)}


def _too_few(error: Any) -> str:
    if len(error.active) == 1:
        return _("Only one team is in play (%(team)s); a round needs two.") % {"team": error.active[0]}
    return _("No team is in play; a round needs two.")


FORMAT_FAULTS: dict[FormatFault, Callable[[], str]] = {
    FormatFault.AT_LEAST: lambda: _("At least %(least)s teams are needed."),
    FormatFault.TEAM_TWICE: lambda: _("A team is entered twice."),
    FormatFault.NUMBER_TWICE: lambda: _("Two teams have the same number."),
    FormatFault.NO_GROUP: lambda: _("There must be at least one group."),
    FormatFault.GROUP_TOO_SMALL: lambda: _("A group needs two teams; choose fewer groups."),
    FormatFault.SIZES_DIFFER: lambda: _("The sizes of the groups do not add up to the teams."),
    FormatFault.GROUP_UNKNOWN: lambda: _(
        "Every team needs a group: some have none, or one that is not there."
    ),
    FormatFault.BYES_IN_EACH_ROUND: lambda: _("Byes in each round do not go with a seeded bracket."),
    FormatFault.ZONE_EMPTY: lambda: _("Two zones need odd and even numbers."),
    FormatFault.ZONES_EXCLUDE_GROUP: lambda: _("A final group of three does not go with two zones."),
    FormatFault.NUMBERS_FIX: lambda: _(
        "Where numbers say who meets whom, departments cannot be kept apart. Choose one of the two."
    ),
    FormatFault.FINISHED: lambda: _("All rounds are played."),
    FormatFault.ROUND_OPEN: lambda: _("The round before is not closed."),
    FormatFault.TOO_MANY: lambda: _("Fewer teams are there than advance."),
    FormatFault.UNDECIDED: lambda: _("Teams are tied at the line."),
    FormatFault.NOT_QUALIFIED: lambda: _("The team has no place in this stage."),
    FormatFault.ALREADY_QUALIFIED: lambda: _("The team has a place in this stage already."),
}


def format_fault(error: InvalidFormat) -> str:
    """Why a format cannot be made as asked."""
    words = FORMAT_FAULTS.get(error.fault)
    if words is None:
        return _("The bracket and the results do not fit together (%(code)s).") % {"code": error.fault}
    return words() % {"least": error.least}


def _stage_names(error: Any) -> str:
    return _(", ").join(stage.name for stage in error.stages)


def screen_now(screen: Screen) -> str:
    """What a screen showed when it last asked: its part, and the page of how many."""
    known = screen.seen_role in ScreenRole.values
    role = str(ScreenRole(screen.seen_role).label) if known else _("the event's name")
    if screen.seen_pages < 2:
        return role
    facts = {"role": role, "page": screen.seen_page, "pages": screen.seen_pages}
    return _("%(role)s · page %(page)s of %(pages)s") % facts


REFUSALS: dict[type[refusals.Refused], Callable[[Any], str]] = {
    refusals.StageGone: lambda error: _(
        "That stage was taken out meanwhile. Here are the stages as they are now."
    ),
    refusals.ScreenGone: lambda error: _("This screen was removed meanwhile. Set up another one below."),
    refusals.ScreenNameTaken: lambda error: (
        _("Another screen is called “%(name)s” already. Choose another name.") % {"name": error.name}
    ),
    refusals.TooManyScreens: lambda error: (
        _("There are %(most)s screens already. Remove one that nobody needs.") % {"most": error.most}
    ),
    refusals.CeremonyTooLate: lambda error: _(
        "The clock was started or a result is in: the tables cannot be put up one by one any more."
    ),
    refusals.NoCeremony: lambda error: _("Nothing is being put up one by one now; all tables are shown."),
    refusals.TeamsNotCheckedIn: lambda error: (
        _("Not checked in yet: %(teams)s. Say first what becomes of them.") % {"teams": numbers(error.teams)}
    ),
    refusals.TableHasResult: lambda error: (
        _("Table %(table)s has a result already. Look at the results page.") % {"table": error.table}
    ),
    refusals.NoLatePlace: lambda error: (
        _("The tables changed while you were looking. Look again where team %(team)s can sit.")
        % {"team": error.team}
    ),
    refusals.DraftExists: lambda error: (
        _("Round %(number)s is drawn already; here it is.") % {"number": error.round.number}
    ),
    refusals.EarlierRoundOpen: lambda error: (
        _("Round %(number)s is still being played. Close it first.") % {"number": error.round.number}
    ),
    refusals.NoRoundsLeft: lambda error: (
        (
            _("All %(planned)s rounds are played.")
            if error.is_fixed
            else _(
                "All %(planned)s rounds are played. For one more, raise the number of rounds in the settings."
            )
        )
        % {"planned": error.planned}
    ),
    refusals.TooFewTeams: _too_few,
    refusals.NotADraft: _not_a_draft,
    refusals.DraftGone: lambda error: _("The draft was discarded meanwhile."),
    refusals.RoundGone: lambda error: _("That round is not there any more; this is how the event stands."),
    refusals.StaleDraft: _stale,
    refusals.PlanChanged: lambda error: _(
        "Not saved: the round that follows has changed meanwhile. Look at it as it is now, then choose again."
    ),
    refusals.WayClosed: lambda error: _(
        "Not saved: this way is not open any more, because tables have started. Choose another one."
    ),
    refusals.DraftOutdated: _outdated,
    refusals.NotTwoSeats: lambda error: _("Choose two teams that sit at different tables."),
    refusals.UnconfirmedWarnings: lambda error: _("This breaks rules. Confirm it, or leave it."),
    refusals.NotPublished: lambda error: (
        _("Round %(number)s is not being played.") % {"number": error.round.number}
    ),
    refusals.OpenAlready: lambda error: (
        _("Round %(number)s is on the phones already.") % {"number": error.round.number}
    ),
    refusals.TablesHaveBegun: lambda error: (
        _("Play is recorded at these tables already: %(tables)s. Who sits there cannot be changed any more.")
        % {"tables": numbers(error.tables)}
    ),
    refusals.TablesHaveResults: lambda error: (
        _("These tables have results already: %(tables)s. Withdrawing comes before the first result.")
        % {"tables": numbers(error.tables)}
    ),
    refusals.ResultsUnconfirmed: lambda error: (
        _(
            "Not closed: the results of tables %(tables)s are not confirmed. Confirm them on the page "
            "“second look”, or close the round there with a reason."
        )
        % {"tables": numbers(error.tables)}
    ),
    refusals.ResultsMissing: lambda error: (
        _("These tables have no result yet: %(tables)s.") % {"tables": numbers(error.tables)}
    ),
    refusals.NotClosed: lambda error: _("The round is not closed, so it need not be opened."),
    refusals.LaterRoundExists: lambda error: (
        _("Round %(number)s was drawn from these results. Discard its draft first; a published one stands.")
        % {"number": error.number}
    ),
    refusals.ReasonMissing: lambda error: _("Give a reason; it stands in the log."),
    refusals.TablesFollowFormat: lambda error: _(
        "Schedule or bracket says who meets whom here; teams cannot be swapped."
    ),
    refusals.StageNotBegun: lambda error: (
        _("“%(stage)s” has not begun. Draw its groups or bracket first, on the page of stages.")
        % {"stage": error.stage.name}
    ),
    refusals.StageHasRounds: lambda error: _("A round of this stage is drawn, so its beginning stands."),
    refusals.EarlierStageOpen: lambda error: (
        _("This stage takes its teams from %(stages)s, which is not over yet.")
        % {"stages": _stage_names(error)}
    ),
    refusals.SourceMissing: lambda error: (
        _("The rules name an earlier stage that is not there: %(keys)s.") % {"keys": _(", ").join(error.keys)}
    ),
    refusals.LinesOpen: lambda error: _(
        "Who advances is not settled: teams are tied at the line. "
        "Draw lots, or enter the order of an extra game."
    ),
    refusals.NoSessions: lambda error: _(
        "The sessions cannot be played for themselves: the teams need at least two sessions, and each team "
        "one. Look at the roster."
    ),
    refusals.NothingToBegin: lambda error: _("This stage needs no beginning: draw its first round."),
    refusals.SelfScheduled: lambda error: _(
        "The teams find their own time in this stage: publish the whole schedule on the page of stages."
    ),
    refusals.NotSelfScheduled: lambda error: _("This stage is played round by round in the hall."),
    refusals.MatchesFollow: lambda error: (
        _("Round %(number)s misses matches since a result before it was corrected. Seat them first.")
        % {"number": error.round.number}
    ),
    refusals.NothingTied: lambda error: _("No teams are tied, so there is nothing to draw lots for."),
    refusals.NotTied: lambda error: _("Give all teams that share one rank, and only these."),
    refusals.TeamHasPlayed: lambda error: _(
        "The team sits in a round of this stage already and cannot be replaced."
    ),
    refusals.NotReplaceable: lambda error: _(
        "One of the two cannot change: the first must be in this stage, the other free and in play."
    ),
    refusals.NothingFollows: lambda error: _(
        "No match hangs on this one: correct its result on the results page."
    ),
    refusals.StageInUse: lambda error: _(
        "The stage has begun, or another takes its teams from it: this cannot be changed any more."
    ),
    refusals.GroupOver: lambda error: _("%(group)s is over already.") % {"group": error.group.title},
    refusals.GroupNotOver: lambda error: _("%(group)s is still being played.") % {"group": error.group.title},
    refusals.NotTheirTeam: lambda error: (
        _("Team %(number)s does not play in this group.") % {"number": error.team.number}
    ),
    refusals.NotTwoTables: lambda error: _("Choose two different tables."),
    refusals.NoTable: lambda error: (
        _("Nobody sits at table %(table)s in this round. Choose a table with a match.")
        % {"table": error.table}
    ),
    refusals.NoFreeTable: lambda error: (
        _(
            "No table is free for the matches at tables %(tables)s. Give the stage a larger range, or leave "
            "these tables in use."
        )
        % {"tables": numbers(error.tables)}
    ),
    refusals.RoundClosed: lambda error: _("Round %(number)s is closed.") % {"number": error.round.number},
    refusals.TablesRunThrough: lambda error: _(
        "The teams of this stage find their own place: its tables only number the matches."
    ),
    refusals.StageOrder: lambda error: _(
        "A stage comes after those that its teams come from. Change where the teams come from first."
    ),
}


MOST_TABLES_NAMED = 8
"""A correction that touches more tables only counts them."""


def correction(found: Correction) -> str:
    """更正：第 2 版，10:42，第 5、7 桌有变: one line for screens, phones and paper."""
    tables, before = found.tables, found.before
    facts = {
        "version": found.version.number,
        "time": clock_time(found.version.publication.published_at),
        "tables": numbers(tables),
        "count": len(tables),
        "before": before.number if before else 0,
    }
    if before is not None and not found.moves:
        return _("Version %(version)s, %(time)s: the same tables as version %(before)s") % facts
    if not tables:
        return _("Correction: version %(version)s, %(time)s. Please look your table up again.") % facts
    if len(tables) > MOST_TABLES_NAMED:
        return (
            _("Correction: version %(version)s, %(time)s, %(count)s tables changed. Please look up yours.")
            % facts
        )
    return _("Correction: version %(version)s, %(time)s, tables %(tables)s changed") % facts


def clock_time(moment: Any) -> str:
    """14:02 at the venue."""
    return time_format(timezone.localtime(moment), "H:i")
