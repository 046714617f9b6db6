"""What an official reads about a refused event file: one line for each problem."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from guandan_site.event_file.findings import Breach, Finding
from guandan_site.event_file.problems import Fault, InvalidEventFile, Problem
from guandan_site.event_file.reading import BAD_CHARACTER
from scoring.engine.outcomes import InvalidResult, ResultCode
from scoring.wording import refusal

MESSAGES = {
    Fault.TOO_BIG: _("the file is larger than %(limit)s MB"),
    Fault.NOT_UTF8: _("the file is not UTF-8 text (byte %(offset)s)"),
    Fault.NOT_JSON: _("the file is not JSON (line %(line)s, column %(column)s)"),
    Fault.NOT_A_NUMBER: _("%(constant)s is not a number that JSON knows"),
    Fault.DUPLICATE_KEY: _("the field %(key)s stands here twice"),
    Fault.NUMBER_TOO_LARGE: _("the number is too large"),
    Fault.BAD_CHARACTER: _("the text holds a control character or a broken one"),
    Fault.TOO_DEEP: _("lists and objects are nested more than %(limit)s deep"),
    Fault.WRONG_FORMAT: _("this is no event file: the format must be %(wanted)s"),
    Fault.UNKNOWN_VERSION: _("unknown version: this program reads version %(wanted)s"),
    Fault.MISSING: _("a required field is missing"),
    Fault.WRONG_TYPE: _("wrong kind of value: wanted %(wanted)s"),
    Fault.OUT_OF_RANGE: _("the number must be from %(least)s to %(most)s"),
    Fault.EMPTY: _("the text is empty"),
    Fault.TOO_LONG: _("the text is longer than %(limit)s characters"),
    Fault.UNKNOWN_VALUE: _("unknown value %(value)s: known are %(known)s"),
    Fault.BAD_SLUG: _("only letters a–z, digits, - and _ are allowed"),
    Fault.BAD_TIME: _("not a date and time such as 2026-12-05T09:00:00+08:00"),
    Fault.DUPLICATE: _("%(value)s stands in the file twice"),
    Fault.UNKNOWN_ID: _("%(value)s is not in the file"),
    Fault.NOT_IN_STAGE: _("team %(value)s does not take part in this stage"),
    Fault.ROUNDS_NOT_IN_ORDER: _("rounds are numbered 1, 2, 3 …: this one must be %(wanted)s"),
    Fault.TEAM_TWICE: _("team %(value)s is in this round twice"),
    Fault.TABLE_TWICE: _("table %(value)s is in this round twice"),
    Fault.WITHDRAWN_BEYOND: _("the team cannot withdraw after round %(last)s, the last one"),
    Fault.ADJUSTMENT_BEYOND: _("there is no such round: the last one is %(last)s"),
    Fault.NO_SUCH_LEVEL: _("there is no level %(value)s: levels are 2 to 14 (A), 15 is passed A"),
    Fault.BOTH_PASSED: _("both sides cannot have passed A"),
    Fault.BYE_WITH_AWAY: _("a bye has no opponent"),
    Fault.BYE_WITH_TABLE: _("a bye has no table"),
    Fault.NO_OPPONENT: _("a match without an opponent can only be a bye"),
    Fault.INVALID_RULE: _("this setting is not possible (%(code)s): %(value)s"),
}

RESULTS = {
    ResultCode.WINNER_DISAGREES: _("the winner does not follow from the levels or from who forfeits"),
    ResultCode.LEVELS_DISAGREE: _("the level does not follow from the deals or games"),
    ResultCode.FACT_DISAGREES: _("this does not fit the deals"),
    ResultCode.REASON_DISAGREES: _("the reason does not fit the levels"),
    ResultCode.NOT_PLAYED: _("a match that was not played has no levels, deals or reason"),
    ResultCode.GAMES_MISSING: _("the match is not decided: a game is missing"),
    ResultCode.MISSING: _("a required field is missing"),
    ResultCode.NOT_AN_INTEGER: _("this is no whole number"),
    ResultCode.UNKNOWN_VALUE: _("this value is unknown"),
}
"""For whoever reads a file; the other codes are worded as in the result form."""

FINDINGS = {
    Breach.RESULT_MISSING: _("the round is completed, but this match has no result"),
    Breach.RESULT_IN_DRAFT: _("the round is a draft, but this match has a result"),
    Breach.EARLIER_ROUND_OPEN: _("round %(round)s was drawn although an earlier one is not completed"),
    Breach.MET_BEFORE: _("teams %(teams)s met in round %(round)s already"),
    Breach.SAME_DEPARTMENT: _("teams %(teams)s belong to one department"),
    Breach.FORBIDDEN: _("teams %(teams)s were not to meet"),
    Breach.FORCED: _("teams %(teams)s were set to meet and do not"),
    Breach.WITHDRAWN: _("team %(team)s withdrew after round %(round)s"),
    Breach.NOT_ENTERED: _("team %(team)s takes part from round %(round)s on"),
    Breach.ABSENT: _("team %(team)s is absent in round %(round)s"),
    Breach.LEFT_OUT: _("team %(team)s has no place in round %(round)s"),
    Breach.TABLE_MISSING: _("the match has no table"),
    Breach.SECOND_BYE: _("team %(team)s has a second bye in this round"),
    Breach.MORE_BYES: _("team %(teams)s has the bye although others had fewer (%(least)s)"),
    Breach.BYE_TOO_HIGH: _("team %(team)s has the bye, it belongs to team %(better)s"),
    Breach.AVOIDABLE_REMATCHES: _("more teams meet again than need be: %(least)s tables would do"),
    Breach.AVOIDABLE_DEPARTMENTS: _("more tables of one department than need be: %(least)s would do"),
    Breach.OTHER_DRAW: _("the draw with seed %(seed)s gives another table from these results"),
    Breach.NOT_IN_LAYOUT: _("schedule or bracket has no such match in round %(round)s"),
    Breach.MATCH_MISSING: _("round %(round)s misses the match of teams %(teams)s"),
    Breach.NOT_IN_SCHEDULE: _("team %(team)s stands in no group of the schedule"),
    Breach.OTHER_GROUP: _("group %(name)s has other teams than its schedule"),
    Breach.TWICE_IN_ROUND: _("team %(team)s stands in round %(round)s of the schedule twice"),
    Breach.MEETINGS: _("teams %(teams)s meet %(times)s times instead of %(wanted)s"),
    Breach.NOT_IN_BRACKET: _("team %(team)s enters the bracket %(times)s times instead of once"),
    Breach.EMPTY_MATCH: _("match %(key)s of the bracket has nobody on a side that somebody should take"),
    Breach.NO_CHAMPION: _("the bracket has %(matches)s matches to its champion instead of %(wanted)s"),
    Breach.BRACKET_IGNORED: _("round %(round)s does not follow the bracket: the winner of match %(key)s"),
    Breach.CUT_OPEN: _("who advances is not settled: teams %(teams)s are tied and no lots are recorded"),
    Breach.CUT_IMPOSSIBLE: _("the stages before have fewer teams than had to advance"),
    Breach.ADVANCE_MISSING: _("team %(team)s had to advance as seed %(seed)s and did not enter"),
    Breach.ADVANCED_WRONGLY: _("team %(team)s has entered although it did not advance"),
    Breach.OTHER_SEED: _("team %(team)s has seed %(seed)s, by the standings at the cut it is %(wanted)s"),
    Breach.OTHER_BEGINNING: _("with seed %(seed)s and these rules nothing can be drawn from these entries"),
    Breach.OTHER_GROUPS: _("the draw with seed %(seed)s puts other teams into group %(group)s"),
    Breach.OTHER_SCHEDULE: _("the schedule is not the one that follows from these groups"),
    Breach.OTHER_BRACKET: _("the draw with seed %(seed)s gives another match %(key)s of the bracket"),
    Breach.OTHER_LOTS: _("the lots of round %(round)s with seed %(seed)s give other opponents"),
    Breach.IN_TWO_SECTIONS: _("team %(team)s plays in “%(stage)s” too"),
    Breach.GROUP_UNFINISHED: _("the group is over, but a match of it has no result"),
    Breach.OUT_ALREADY: _("team %(team)s is out already and plays one that is not"),
    Breach.PERSON_TWICE: _("%(name)s plays in team %(team)s and in team %(other)s"),
    Breach.TOO_MANY_PLAYERS: _("team %(team)s has more than %(limit)s players"),
    Breach.DEPARTMENT_TEAMS: _("%(department)s has more than %(limit)s teams"),
    Breach.DEPARTMENT_PERSONS: _("%(department)s has more than %(limit)s players"),
    Breach.NOT_IN_TEAM: _("%(name)s sits at the table and does not play in the team"),
    Breach.SEX_UNKNOWN: _("mixed partners were drawn although it is not said who is a man or a woman"),
    Breach.OTHER_PARTNERS: _("the draw of partners with seed %(seed)s gives other pairs from these people"),
    Breach.PENALTY_WITHOUT_MATCH: _("team %(team)s is penalised for round %(round)s and has no match there"),
    Breach.PENALTY_WITHOUT_POINTS: _(
        "the points of this penalty of team %(team)s are not in the adjustments"
    ),
    Breach.DISQUALIFIED_IN_PLAY: _("team %(team)s is disqualified and has not withdrawn"),
}


def problem_text(problem: Problem) -> str:
    """`$.teams[3].number: …` in the language of the moment."""
    return f"{problem.path}: {problem_message(problem)}"


def problem_message(problem: Problem) -> str:
    """What is wrong, without the place."""
    if problem.fault is Fault.INVALID_RESULT:
        return result_message(problem.values)
    return str(MESSAGES[problem.fault]) % {key: shown(value) for key, value in problem.values.items()}


def result_message(values: Mapping[str, Any]) -> str:
    """Why a result is refused, from the engine's code, the field and the rules of the match."""
    code = values["code"]
    if code in RESULTS:
        return str(RESULTS[code])
    return refusal(InvalidResult(code, values["field"]), values["rules"])


def finding_message(finding: Finding) -> str:
    """What a check found, without the place."""
    if finding.breach is Breach.INVALID_RESULT:
        return result_message(finding.values)
    return str(FINDINGS[finding.breach]) % {key: shown(value) for key, value in finding.values.items()}


def problem_lines(error: InvalidEventFile) -> list[str]:
    """One line for each problem of a refused file."""
    return [problem_text(problem) for problem in error.problems]


def shown(value: object) -> str:
    """A value from a file, short enough for one line, without line breaks and unprintable characters."""
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return BAD_CHARACTER.sub("?", " ".join(text.split()))[:200]
