"""The planner's codes in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.planner import DAY, Concern, PlanFormat, Remark

FORMAT_NAMES: Mapping[PlanFormat, Promise] = {
    PlanFormat.SWISS: gettext_lazy("Swiss"),
    PlanFormat.GROUPS_KNOCKOUT: gettext_lazy("Groups, then knockout"),
    PlanFormat.KNOCKOUT: gettext_lazy("Knockout"),
    PlanFormat.ROUND_ROBIN: gettext_lazy("Round robin"),
}

FORMAT_EXPLANATIONS: Mapping[PlanFormat, Promise] = {
    PlanFormat.SWISS: gettext_lazy(
        "In each round teams of about equal standing meet; everybody plays to the end."
    ),
    PlanFormat.GROUPS_KNOCKOUT: gettext_lazy(
        "Everybody meets everybody in the group; the best two of each group go on by knockout."
    ),
    PlanFormat.KNOCKOUT: gettext_lazy("The loser is out; the third place is played for."),
    PlanFormat.ROUND_ROBIN: gettext_lazy("Everybody meets everybody once: the fairest, and the longest."),
}

SHORTEST = 30
"""Minutes of the shortest round that the settings offer."""

_TEXTS: Mapping[Concern, Promise] = {
    Concern.MORE_THAN_HALF: gettext_lazy(
        "A department with %(department)d of %(teams)d teams is more than half: no round can be drawn that "
        "keeps it apart. Let teams of one department meet where it cannot be avoided."
    ),
    Concern.EVERYBODY_MET: gettext_lazy(
        "%(teams)d teams have at most %(most)d rounds without a second meeting. Take fewer rounds."
    ),
    Concern.DEPARTMENT_RUNS_OUT: gettext_lazy(
        "The department with %(department)d teams has opponents for %(most)d rounds only. Take fewer rounds, "
        "or let teams of one department meet where it cannot be avoided."
    ),
    Concern.DRAW_MAY_RUN_OUT: gettext_lazy(
        "For %(teams)d teams a draw without a second meeting is certain for %(certain)d rounds only. Later "
        "ones may fail; the program then names the teams and offers ways on."
    ),
    Concern.DEPARTMENT_MAY_RUN_OUT: gettext_lazy(
        "With %(department)d teams in one department a draw that keeps departments apart is certain for "
        "%(certain)d rounds only. Later ones may fail; the program then offers ways on."
    ),
    Concern.TOO_FEW_ROUNDS: gettext_lazy(
        "Several teams may win all %(rounds)d rounds; a clear winner needs %(enough)d."
    ),
    Concern.BYE_EACH_ROUND: gettext_lazy("The number of teams is odd: one team has a bye in each round."),
    Concern.UNEVEN_GROUPS: gettext_lazy("Groups of %(smaller)d and of %(larger)d teams."),
    Concern.MEETS_AT_ONCE: gettext_lazy(
        "The department has %(department)d teams, the first round only %(places)d places: some of them meet "
        "at once."
    ),
    Concern.SHARES_GROUP: gettext_lazy(
        "The department has %(department)d teams, there are %(groups)d groups: some of them share a group."
    ),
    Concern.SHIFTS: gettext_lazy(
        "A full round needs %(tables)d tables at once: it is played in %(turns)d turns, one after the other."
    ),
}


def remark_text(remark: Remark) -> str:
    """One remark as the organiser reads it."""
    counted = _COUNTED.get(remark.concern)
    return counted(remark.facts) if counted else _TEXTS[remark.concern] % remark.facts


def _byes_text(facts: Mapping[str, int]) -> str:
    text = ngettext(
        "%(byes)d team has a bye in round 1.", "%(byes)d teams have a bye in round 1.", facts["byes"]
    )
    return text % facts


def _late_text(facts: Mapping[str, int]) -> str:
    late = _("The time does not suffice: it ends %(late)s too late.") % {"late": duration_text(facts["late"])}
    if facts["fits"] < SHORTEST:
        return late
    return late + _("Rounds of %(fits)d minutes would fit.") % facts


_COUNTED: Mapping[Concern, Callable[[Mapping[str, int]], str]] = {
    Concern.BYES_AT_FIRST: _byes_text,
    Concern.TIME_SHORT: _late_text,
}


def duration_text(minutes: int) -> str:
    """A length of time: 45 minutes, 3 hours, 3 hours 20 minutes."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return _("%(minutes)d min") % {"minutes": rest}
    if not rest:
        return _("%(hours)d h") % {"hours": hours}
    return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": rest}


def clock_text(minutes: int) -> str:
    """A time of the day from the minutes after its midnight; later days are counted."""
    days, rest = divmod(minutes, DAY)
    clock = f"{rest // 60:02d}:{rest % 60:02d}"
    return _("day %(day)d, %(clock)s") % {"day": days + 1, "clock": clock} if days else clock
