"""What an official reads about a refused event file: one line for each problem."""

from django.utils.translation import gettext_lazy as _

from guandan_site.event_file.problems import Fault, InvalidEventFile, Problem

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
    Fault.INVALID_RESULT: _("this result is not possible (%(code)s)"),
}


def problem_text(problem: Problem) -> str:
    """`$.teams[3].number: …` in the language of the moment."""
    return f"{problem.path}: {problem_message(problem)}"


def problem_message(problem: Problem) -> str:
    """What is wrong, without the place."""
    return str(MESSAGES[problem.fault]) % {key: shown(value) for key, value in problem.values.items()}


def problem_lines(error: InvalidEventFile) -> list[str]:
    """One line for each problem of a refused file."""
    return [problem_text(problem) for problem in error.problems]


def shown(value: object) -> str:
    """A value from a file, short enough for one line and without line breaks."""
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return " ".join(text.split())[:200]
