"""Writes: what an assistant enters, what the chief corrects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from scoring.cuts import keep_result, keep_what_was
from scoring.engine.points import complete_countable
from scoring.engine.results import MatchResult
from scoring.engine.same_results import says_the_same
from scoring.models import Adjustment, Confirmation, Result, TableSheet
from scoring.selectors import entered_result, match_rules
from scoring.statements import confirmation_rules, forget_statements, is_settled, weigh_statements
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Match, Seat, Stage, StageFormat, Team
from tournaments.roles import CORRECT

NOT_ENTERED = 0
"""The version that a page saw of a table without a result."""


class ResultRefused(Exception):
    """An act on a result that does not fit where its table stands; nothing was written."""


class RoundNotPublished(ResultRefused):
    """The round is a draft or its publication was withdrawn: for whoever enters results it does not exist."""


class RoundCompleted(ResultRefused):
    """The round is closed and the user may not correct it; or a result in it was to be cleared."""


class ReasonMissing(ResultRefused):
    """The act needs a reason that stands in the log."""


class ByeNotEntered(ResultRefused):
    """The match is a bye: its result was written with the draw and is nobody's to enter."""


class TeamsChanged(ResultRefused):
    """Other teams sit at the table than the page showed; `match` is the one that stands now."""

    def __init__(self, match: Match) -> None:
        super().__init__(match.pk)
        self.match = match


class StaleResult(ResultRefused):
    """Somebody else saved in between: `stored` stands (None: cleared), `typed` was to be saved."""

    def __init__(self, stored: Result | None, typed: MatchResult | None) -> None:
        super().__init__(stored.pk if stored else None)
        self.stored = stored
        self.typed = typed


class ResultSettled(ResultRefused):
    """The result is confirmed or in dispute: only the chief referee changes it, with a reason."""

    def __init__(self, stored: Result | None) -> None:
        super().__init__(stored.pk if stored else None)
        self.stored = stored


class MatchesHang(ResultRefused):
    """Later matches of the knockout are drawn from who won here: `rounds` are their numbers."""

    def __init__(self, rounds: Sequence[int]) -> None:
        super().__init__(tuple(rounds))
        self.rounds = tuple(rounds)


class TeamNotInEvent(Exception):
    """The team plays in another event than the stage belongs to."""


@dataclass(frozen=True)
class Recorded:
    """A result that stands; `changed` is False when the very same one stood already."""

    result: Result
    changed: bool


@transaction.atomic
def record_result(
    *,
    match: Match,
    by: User | None,
    entry: MatchResult,
    expected_version: int,
    seated: tuple[int, int] | None = None,
    reason: str = "",
) -> Recorded:
    """Enters or changes the result of a table; the same result once more changes nothing.

    `expected_version` is the version that the page showed, NOT_ENTERED for none; `seated` the numbers of
    home and away that it showed. A completed round needs the right to correct and a reason, and so does a
    result that is confirmed or in dispute; its confirmation is dropped.
    Raises InvalidResult, StaleResult, TeamsChanged, RoundNotPublished, RoundCompleted, ResultSettled,
    ReasonMissing, ByeNotEntered, and MatchesHang for another winner of a knockout match than later ones were
    drawn from.
    """
    event = lock_event(match.round.stage.event_id)
    match = open_match(match, seated)
    require_right(match, by)
    if match.is_closed and not reason.strip():
        raise ReasonMissing
    rules = match_rules(match)
    completed = complete_countable(entry, rules.match, rules.scoring, tie_allowed=rules.tie_allowed)
    stored = Result.objects.filter(match=match).first()
    if stored is not None and says_the_same(entered_result(stored), completed):
        return Recorded(stored, changed=False)
    if expected_version != (stored.version if stored else NOT_ENTERED):
        raise StaleResult(stored, completed)
    was_settled = stored is not None and require_settler(stored, by, reason)
    if stored is not None and stored.winner != (completed.winner or ""):
        require_nothing_hangs(match)
    if was_settled:
        forget_statements(match)
    confirmation = weigh_statements(match, completed, confirmation_rules(match.round.stage))
    confirmed_by = by if confirmation is Confirmation.CHIEF else None
    version = next_version(event, stored)
    result = write_result(match, completed, stored, by, version, confirmation, confirmed_by=confirmed_by)
    record_act(
        event=event,
        act=Act.RESULT_CHANGED if stored else Act.RESULT_ENTERED,
        by=by,
        subject=match_subject(match),
        old=log_value(match, entered_result(stored)) if stored else None,
        new=log_value(match, completed),
        reason=reason,
    )
    return Recorded(result, changed=True)


@transaction.atomic
def clear_result(*, match: Match, by: User | None, expected_version: int, reason: str = "") -> None:
    """Takes back the result of a table in a running round; clearing it once more changes nothing.

    A completed round has a result at every table: there it can be corrected, not cleared.
    Raises StaleResult, RoundNotPublished, RoundCompleted, ResultSettled, ReasonMissing, ByeNotEntered,
    MatchesHang.
    """
    event = lock_event(match.round.stage.event_id)
    match = open_match(match, None)
    if match.is_closed:
        raise RoundCompleted
    stored = Result.objects.filter(match=match).first()
    if stored is None:
        return
    if stored.version != expected_version:
        raise StaleResult(stored, None)
    require_settler(stored, by, reason)
    require_nothing_hangs(match)
    old = log_value(match, entered_result(stored))
    stored.delete()
    forget_statements(match)
    subject = match_subject(match)
    record_act(event=event, act=Act.RESULT_CLEARED, by=by, subject=subject, old=old, reason=reason)


def require_nothing_hangs(match: Match) -> None:
    """In a knockout the two teams' later matches hang on who won this one."""
    stage = match.round.stage
    if stage.format != StageFormat.KNOCKOUT:
        return
    later = Q(round__stage=stage, round__number__gt=match.round.number)
    later |= Q(round__stage__event=stage.event_id, round__stage__order__gt=stage.order)
    seats = Seat.objects.filter(later, team__in=[match.home_id, match.away_id])
    rounds = sorted(set(seats.values_list("round__number", flat=True)))
    if rounds:
        raise MatchesHang(rounds)


@transaction.atomic
def remove_adjustment(*, adjustment: Adjustment, by: User | None, reason: str) -> None:
    """Takes points back that came without a penalty, with an event file, once. Raises ReasonMissing."""
    event = lock_event(adjustment.stage.event_id)
    if not reason.strip():
        raise ReasonMissing
    removed, _by_model = Adjustment.objects.filter(pk=adjustment.pk).delete()
    if not removed:
        return
    place = {"team": adjustment.team.key, "round": adjustment.round_number}
    keep_what_was(adjustment.stage, **place, taken=adjustment.points)
    old = {
        "team": adjustment.team.number,
        **round_facts(adjustment.stage, adjustment.round_number),
        "points": adjustment.points,
        "reason": adjustment.reason,
    }
    subject = team_subject(adjustment.team)
    record_act(event=event, act=Act.POINTS_ADJUSTED, by=by, subject=subject, old=old, reason=reason.strip())


def match_subject(match: Match) -> str:
    """How the log names a table: 第 3 轮 第 7 桌, after the stage's name where it is not the first.

    Always in the installation's own language, because the history of a table is found by it.
    """
    with translation.override(settings.LANGUAGE_CODE):
        place = _("Round %(round)s, table %(table)s") % {"round": match.round.number, "table": match.table}
    stage = match.round.stage
    return place if stage.order == 1 else f"{stage.name} {place}"


def team_subject(team: Team) -> str:
    """How the log names a team, in the installation's own language."""
    with translation.override(settings.LANGUAGE_CODE):
        return _("Team %(number)s") % {"number": team.number}


def round_facts(stage: Stage, number: int) -> dict[str, Any]:
    """The round in the log's words, with its stage where it is not the first, as with tables."""
    return {"round": number} if stage.order == 1 else {"stage": stage.name, "round": number}


def open_match(match: Match, seated: tuple[int, int] | None) -> Match:
    """The match as it stands under the lock, when results may be entered for it at all.

    Raises RoundNotPublished, ByeNotEntered, TeamsChanged.
    """
    rows = Match.objects.select_related("round__stage", "home", "away", "group")
    current = rows.filter(pk=match.pk).first()
    if current is None or current.round.is_draft:
        raise RoundNotPublished
    if current.away is None:
        raise ByeNotEntered
    if seated is not None and seated != (current.home.number, current.away.number):
        raise TeamsChanged(current)
    return current


def require_right(match: Match, by: User | None) -> None:
    """Raises RoundCompleted where the round or the group is closed and the user may not correct it."""
    if match.is_closed and by is not None and not by.has_perm(CORRECT):
        raise RoundCompleted


def require_settler(stored: Result, by: User | None, reason: str) -> bool:
    """Whether the result is confirmed or in dispute, so that changing it is the chief referee's.

    Raises ResultSettled where the user may not, and ReasonMissing. One query.
    """
    if not is_settled(stored):
        return False
    if by is not None and not by.has_perm(CORRECT):
        raise ResultSettled(stored)
    if not reason.strip():
        raise ReasonMissing
    return True


def next_version(event: Event, stored: Result | TableSheet | None) -> int:
    """A version that no row of this table had before, so that a table cleared and entered again is not
    mistaken for the result that a page still shows."""
    return max(event.revision, stored.version if stored else 0) + 1


def write_result(
    match: Match,
    completed: MatchResult,
    stored: Result | None,
    by: User | None,
    version: int,
    confirmation: Confirmation,
    *,
    confirmed_by: User | None = None,
    at_table: bool = False,
) -> Result:
    """Writes only over the very row that was read: a row that changed or came in between is stale.

    The event's lock lets nobody in between; the version and the one-to-one constraint hold the promise
    against whoever writes without it.
    """
    columns = _columns(completed) | {
        "version": version,
        "entered_by": by,
        "entered_at": timezone.now(),
        "entered_at_table": at_table,
        **confirmation_columns(confirmation, confirmed_by),
    }
    if stored is None:
        result, created = Result.objects.get_or_create(match=match, defaults=columns)
        if not created:
            raise StaleResult(result, completed)
        return result
    keep_result(match, entered_result(stored).as_dict())
    if not Result.objects.filter(pk=stored.pk, version=stored.version).update(**columns):
        raise StaleResult(Result.objects.filter(match=match).first(), completed)
    return Result(pk=stored.pk, match=match, extra=stored.extra, **columns)


def confirmation_columns(confirmation: Confirmation, by: User | None) -> dict[str, Any]:
    """A confirmation as columns; `by` is the official who gave it, None where the teams did or nobody yet."""
    is_given = confirmation not in {Confirmation.NOT_ASKED, Confirmation.OPEN}
    return {
        "confirmation": confirmation,
        "confirmed_by": by if is_given else None,
        "confirmed_at": timezone.now() if is_given else None,
    }


def _columns(completed: MatchResult) -> dict[str, Any]:
    """The engine's result as columns; what has no column of its own stands in `facts`."""
    values = completed.as_dict()
    return {
        "outcome": values.pop("outcome"),
        "home_level": values.pop("home_level", None),
        "away_level": values.pop("away_level", None),
        "winner": values.pop("winner", ""),
        "reason": values.pop("reason", ""),
        "facts": values,
    }


def log_value(match: Match, result: MatchResult) -> dict[str, Any]:
    """A result as the log keeps it, with the numbers of the teams."""
    away = match.away.number if match.away else None
    return {"home": match.home.number, "away": away, **result.as_dict()}
