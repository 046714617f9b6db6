"""What an official reads of an entry that may not stand: what, where, and what to do."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.entering import Applicant, EntryFault, EntryLack, EntryProblem


def entry_sentence(problem: EntryProblem) -> str:
    """One fault in one sentence, with the row where it comes from a file."""
    place = _("Row %(row)d: ") % {"row": problem.applicant.row} if problem.applicant.row else ""
    return place + _SENTENCES[problem.fault](problem)


def lack_word(lack: EntryLack) -> str:
    """What a team still waits for, as a tag beside its names."""
    words = {
        EntryLack.PLAYERS: _("too few players"),
        EntryLack.LEADER: _("no leader"),
        EntryLack.COACH: _("no coach"),
    }
    return words[lack]


def _person_twice(problem: EntryProblem) -> str:
    assert problem.other is not None  # noqa: S101 (another team holds the person)
    told = {"name": problem.person, "own": _team(problem.applicant), "other": _team(problem.other)}
    sessions = {problem.applicant.session, problem.other.session}
    if len(sessions) == 2 and "" not in sessions:
        return (
            _(
                "%(name)s already plays in %(other)s; a person may enter one session only, so not %(own)s as "
                "well. If it is another person of the same name, add something that tells them apart, for "
                "example %(name)s (Office)."
            )
            % told
        )
    return (
        _(
            "%(name)s already plays in %(other)s, so not in %(own)s. If it is another person of the same "
            "name, add something that tells them apart, for example %(name)s (Office)."
        )
        % told
    )


def _team(applicant: Applicant) -> str:
    told = {"number": applicant.number, "session": applicant.session}
    if not applicant.number:
        return _("this team (%(session)s)") % told if applicant.session else _("this team")
    return _("team %(number)d (%(session)s)") % told if applicant.session else _("team %(number)d") % told


def _too_many_players(problem: EntryProblem) -> str:
    sentence = ngettext(
        "A team may have %(limit)d player, this one has %(count)d. Please take some out.",
        "A team may have %(limit)d players, this one has %(count)d. Please take some out.",
        problem.limit,
    )
    return sentence % {"limit": problem.limit, "count": len(problem.applicant.players)}


def _department_teams(problem: EntryProblem) -> str:
    sentence = ngettext(
        "%(department)s may enter %(limit)d team and has it already. Please ask the department.",
        "%(department)s may enter %(limit)d teams and has them already. Please ask the department.",
        problem.limit,
    )
    return sentence % {"department": problem.applicant.department, "limit": problem.limit}


def _department_persons(problem: EntryProblem) -> str:
    sentence = ngettext(
        "%(department)s may enter %(limit)d player; with this team it would have more. "
        "Please ask the department.",
        "%(department)s may enter %(limit)d players; with this team it would have more. "
        "Please ask the department.",
        problem.limit,
    )
    return sentence % {"department": problem.applicant.department, "limit": problem.limit}


_SENTENCES = {
    EntryFault.PERSON_TWICE: _person_twice,
    EntryFault.TOO_MANY_PLAYERS: _too_many_players,
    EntryFault.DEPARTMENT_TEAMS: _department_teams,
    EntryFault.DEPARTMENT_PERSONS: _department_persons,
}
