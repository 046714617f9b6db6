"""签到 in words: what is told after an act, what stands against a team, what a withdrawal will do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from pairing.selectors.check_in import Presence
from pairing.selectors.latecomers import LateOffer, Unseated, Why
from pairing.wording import numbers
from scoring.ranked import Withdrawal
from tournaments.attendance import Absence
from tournaments.models import Match, Stage, StageFormat, Team

PRESENCES: Mapping[Presence, Callable[[], str]] = {
    Presence.PRESENT: lambda: _("here"),
    Presence.MISSING: lambda: _("not here yet"),
    Presence.LATE: lambda: _("came late, no table"),
    Presence.ABSENT: lambda: _("absent"),
    Presence.EXCUSED: lambda: _("excused"),
    Presence.WITHDRAWN: lambda: _("withdrawn"),
    Presence.FREE: lambda: _("does not play in this round"),
}
"""Called late, so that the words come in the reader's language."""


def checked_in(teams: Sequence[int]) -> str:
    """What was done, to be read in one glance."""
    return _("Checked in: %(teams)s.") % {"teams": numbers(teams)}


def checked_in_already(teams: Sequence[int]) -> str:
    """What is told where there was nothing to do."""
    return _("Checked in already: %(teams)s.") % {"teams": numbers(teams)}


def taken_back(teams: Sequence[int]) -> str:
    """What was done, to be read in one glance."""
    return _("Not here after all: %(teams)s.") % {"teams": numbers(teams)}


LEFT_OUT: Mapping[Why, Callable[[], str]] = {
    Why.UNCHECKED: lambda: _("not checked in: %(teams)s"),
    Why.ABSENT: lambda: _("absent: %(teams)s"),
    Why.EXCUSED: lambda: _("excused: %(teams)s"),
}


def left_out_words(round_number: int, unseated: Sequence[Unseated]) -> str:
    """Whom a round was drawn without and why; empty where everybody that could be drawn was."""
    told = []
    for why, words in LEFT_OUT.items():
        teams = [team.number for team in unseated if team.why is why]
        told += [words() % {"teams": numbers(teams)}] if teams else []
    if not told:
        return ""
    facts = {"number": round_number, "teams": _("; ").join(told)}
    return _("Round %(number)s is drawn without these teams. %(teams)s.") % facts


def absence_words(absence: Absence) -> str:
    """An absence in one line: which rounds, whether excused, why."""
    words = _("from round %(number)d on") if absence.onwards else _("round %(number)d only")
    parts = [words % {"number": absence.round}]
    parts += [_("excused")] if absence.excused else []
    parts += [absence.note] if absence.note else []
    return _(", ").join(parts)


def offer_words(offer: LateOffer) -> str:
    """Where a late team can sit."""
    told = {"opponent": offer.opponent.number, "names": offer.opponent.player_names, "table": offer.table}
    if offer.takes_bye:
        return (
            _(
                "It can play this round: against team %(opponent)s %(names)s, which has the bye, at the new "
                "last table %(table)s. All other tables stay as they are."
            )
            % told
        )
    return (
        _(
            "It can play this round: against team %(opponent)s %(names)s, which came late too, at the new "
            "last table %(table)s. All other tables stay as they are."
        )
        % told
    )


def withdrawal_words(
    team: Team, stage: Stage, rule: Withdrawal, matches: Sequence[Match], left: int
) -> Iterator[str]:
    """What happens when the team leaves: to its results, its place, its coming matches and the draw.

    `matches` are its published ones of the stage; `left` is how many teams remain.
    """
    played = [match for match in matches if hasattr(match, "result")]
    # In a bracket nothing can be struck out: who lost to the team is out all the same.
    is_kept = rule is Withdrawal.ANNUL and stage.format == StageFormat.KNOCKOUT
    yield _results_words(team, Withdrawal.NO_PLACE if is_kept else rule, played)
    yield from _open_words(team, matches)
    if stage.format == StageFormat.SWISS:
        yield _swiss_words(left)
    elif stage.format == StageFormat.ROUND_ROBIN:
        yield _("Its coming matches of the schedule are not played; the opponents win them without playing.")
    else:
        yield _("Its next opponent in the bracket goes on without playing.")


def _results_words(team: Team, rule: Withdrawal, played: Sequence[Match]) -> str:
    if not played:
        return _("It has played nothing yet, so no result changes.")
    rounds = numbers(match.round.number for match in played)
    if rule is Withdrawal.ANNUL:
        opponents = sorted(opponent.number for match in played if (opponent := _opponent(team, match)))
        return _(
            "All its results of this stage are struck out (rounds %(rounds)s): the points of these matches "
            "go for the opponents too, teams %(teams)s. It has no final place."
        ) % {"rounds": rounds, "teams": numbers(opponents) or "–"}
    if rule is Withdrawal.NO_PLACE:
        return _(
            "Its results stay and count for the opponents (rounds %(rounds)s); it has no final place itself."
        ) % {"rounds": rounds}
    return _(
        "Its results stay (rounds %(rounds)s); it keeps its place in the ranking, marked as withdrawn."
    ) % {"rounds": rounds}


def _open_words(team: Team, matches: Sequence[Match]) -> Iterator[str]:
    for match in matches:
        if match.table is not None and not hasattr(match, "result"):
            yield _(
                "It still sits at table %(table)s of round %(round)s, which stays published: enter a forfeit "
                "there if it does not play."
            ) % {"table": match.table, "round": match.round.number}


def _swiss_words(left: int) -> str:
    words = ngettext(
        "It is no longer drawn; %(count)d team is left.",
        "It is no longer drawn; %(count)d teams are left.",
        left,
    ) % {"count": left}
    bye = _("One of them has the bye in each round.")
    return f"{words} {bye}".strip() if left % 2 else words


def _opponent(team: Team, match: Match) -> Team | None:
    return match.away if match.home_id == team.pk else match.home
