"""Writes: what a table says on its phone page: its levels, yes or no to what stands, a call for a referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from scoring.engine.confirmation import ConfirmationRules
from scoring.engine.points import complete_countable
from scoring.engine.results import MatchResult, Side
from scoring.engine.same_results import says_the_same
from scoring.models import CallReason, Confirmation, RefereeCall, Result, Speaker, Statement
from scoring.second_looks import confirm
from scoring.selectors import entered_result, match_rules
from scoring.services import (
    RoundNotPublished,
    log_value,
    match_subject,
    next_version,
    open_match,
    write_result,
)
from scoring.statements import SIDES, confirmation_rules, forget_statements, stated_result
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Match


class PhonesClosed(Exception):
    """The phone page may not do that: the round is over, or the event lets phones only look and call."""


class NewsMeanwhile(Exception):
    """An official or the other side entered something after the page was shown: look again."""


@dataclass(frozen=True)
class _Table:
    """A table under the lock: its teams, the result that stands, what each side said."""

    event: Event
    match: Match
    side: Speaker
    rules: ConfirmationRules
    stored: Result | None
    said: Mapping[str, Statement]

    @property
    def own(self) -> Statement | None:
        return self.said.get(self.side)

    @property
    def other(self) -> Statement | None:
        return self.said.get(Speaker.AWAY if self.side == Speaker.HOME else Speaker.HOME)

    @property
    def speaker_name(self) -> str:
        """How the log names this side's phone, in the installation's own language."""
        team = self.match.home if self.side == Speaker.HOME or self.match.away is None else self.match.away
        with translation.override(settings.LANGUAGE_CODE):
            return _("Table %(table)s, team %(number)s (phone)") % {
                "table": self.match.table,
                "number": team.number,
            }


@transaction.atomic
def state_levels(
    *, match: Match, side: Side, entry: MatchResult, seated: tuple[int, int], seen: int = 0
) -> bool:
    """A side enters what the table played; what both sides say alike becomes the result, entered by 桌上.

    While an official's result stands it says what is not right with it (`seen` is the version shown). What
    says nothing new changes nothing: False.
    Raises PhonesClosed, NewsMeanwhile, InvalidResult, TeamsChanged, RoundNotPublished.
    """
    table = _open(match, side, seated)
    rules = match_rules(table.match)
    said = complete_countable(entry, rules.match, rules.scoring, tie_allowed=rules.tie_allowed)
    if table.stored is not None:
        return _about_stored(table, said, seen)
    if not table.rules.phones_enter:
        raise PhonesClosed
    return _without_result(table, said)


@transaction.atomic
def agree(*, match: Match, side: Side, seated: tuple[int, int], seen: int) -> bool:
    """A side confirms what the page showed, the official's entry or the other side's. False: known already.

    `seen` is the version of what it showed. Raises PhonesClosed, NewsMeanwhile, TeamsChanged,
    RoundNotPublished.
    """
    table = _open(match, side, seated)
    if table.stored is not None:
        return _about_stored(table, entered_result(table.stored), seen)
    shown = stated_result(table.other) if table.other else None
    if not table.rules.phones_enter:
        raise PhonesClosed
    if table.other is None or shown is None or table.other.version != seen:
        raise NewsMeanwhile
    return _without_result(table, shown)


@transaction.atomic
def object_to(*, match: Match, side: Side, seated: tuple[int, int], seen: int) -> bool:
    """A side says that an official's entry is not right, without levels of its own. False: known already.

    Raises PhonesClosed, NewsMeanwhile, TeamsChanged, RoundNotPublished.
    """
    table = _open(match, side, seated)
    if table.stored is None:
        raise NewsMeanwhile
    return _about_stored(table, None, seen)


def _open(match: Match, side: Side, seated: tuple[int, int]) -> _Table:
    event = lock_event(match.round.stage.event_id)
    match = open_match(match, seated)
    rules = confirmation_rules(match.round.stage)
    if not rules.has_phones or match.is_closed:
        raise PhonesClosed
    stored = Result.objects.filter(match=match).first()
    said = {each.speaker: each for each in Statement.objects.filter(match=match, speaker__in=SIDES)}
    return _Table(event, match, Speaker(side.value), rules, stored, said)


def _without_result(table: _Table, said: MatchResult) -> bool:
    """Both sides alike make the result; one alone waits for the other, two that differ for the chief."""
    theirs = stated_result(table.other) if table.other else None
    agrees = theirs is not None and says_the_same(theirs, said)
    mine = stated_result(table.own) if table.own else None
    if not agrees and mine is not None and says_the_same(mine, said):
        return False
    if agrees:
        _enter(table, said)
        return True
    differs = table.other is not None
    _say(table, said, differs=differs)
    if table.other is not None:
        Statement.objects.filter(pk=table.other.pk).update(differs=True)
    record_act(
        event=table.event,
        act=Act.RESULT_DISPUTED if differs else Act.RESULT_STATED,
        by=None,
        by_name=table.speaker_name,
        subject=match_subject(table.match),
        old=log_value(table.match, theirs) if theirs else None,
        new=log_value(table.match, said),
    )
    return True


def _enter(table: _Table, said: MatchResult) -> None:
    how = Confirmation.OPEN if table.rules.is_on else Confirmation.NOT_ASKED
    if table.rules.phones_confirm:
        how = Confirmation.PHONES
    version = next_version(table.event, None)
    write_result(table.match, said, None, None, version, how, at_table=True)
    forget_statements(table.match)
    confirmed = {"confirmed": how.value} if how is Confirmation.PHONES else {}
    record_act(
        event=table.event,
        act=Act.RESULT_ENTERED,
        by=None,
        by_name=table.speaker_name,
        subject=match_subject(table.match),
        new={**log_value(table.match, said), **confirmed},
    )


def _about_stored(table: _Table, said: MatchResult | None, seen: int) -> bool:
    """Yes or no to a result that stands; None is a bare “not right”."""
    stored = table.stored
    assert stored is not None  # noqa: S101 - the callers looked
    stands = entered_result(stored)
    agrees = said is not None and says_the_same(stands, said)
    if agrees and (stored.is_confirmed or not table.rules.is_on):
        return False
    if stored.is_confirmed or not table.rules.phones_confirm:
        raise PhonesClosed
    if _is_known(table.own, said, stands):
        return False
    if seen != stored.version:
        raise NewsMeanwhile
    is_second = agrees and table.other is not None and not table.other.differs
    if is_second:
        confirm(table.event, table.match, stored, Confirmation.PHONES, None, table.speaker_name)
        return True
    _say(table, said, differs=not agrees)
    record_act(
        event=table.event,
        act=Act.RESULT_STATED if agrees else Act.RESULT_DISPUTED,
        by=None,
        by_name=table.speaker_name,
        subject=match_subject(table.match),
        old=None if agrees else log_value(table.match, stands),
        new=log_value(table.match, said) if said else None,
    )
    return True


def _is_known(own: Statement | None, said: MatchResult | None, stands: MatchResult) -> bool:
    """Whether this side said so already: a repeated press changes nothing."""
    if own is None:
        return False
    before = stated_result(own)
    if said is None or before is None:
        return said is None and before is None
    return says_the_same(before, said)


def _say(table: _Table, said: MatchResult | None, *, differs: bool) -> None:
    columns: dict[str, Any] = {
        "content": said.as_dict() if said else None,
        "differs": differs,
        "by": None,
        "at": timezone.now(),
        "version": max(table.event.revision, table.own.version if table.own else 0) + 1,
    }
    Statement.objects.update_or_create(match=table.match, speaker=table.side, defaults=columns)


@transaction.atomic
def call_referee(*, match: Match, reason: CallReason) -> RefereeCall:
    """A table asks for a referee; calling once more keeps the first call and its time.

    Raises PhonesClosed, RoundNotPublished.
    """
    event = lock_event(match.round.stage.event_id)
    match = open_match(match, None)
    if match.is_closed or not confirmation_rules(match.round.stage).has_phones:
        raise PhonesClosed
    call, is_new = RefereeCall.objects.get_or_create(match=match, seen_at=None, defaults={"reason": reason})
    if is_new:
        with translation.override(settings.LANGUAGE_CODE):
            name = _("Table %(table)s (phone)") % {"table": match.table}
        subject = match_subject(match)
        new = {"call": reason.value}
        record_act(event=event, act=Act.REFEREE_CALLED, by=None, by_name=name, subject=subject, new=new)
    return call


@transaction.atomic
def answer_call(*, call: RefereeCall, by: User) -> RefereeCall:
    """An official has seen the call and goes there; answering twice keeps who was first.

    Raises RoundNotPublished where the table is gone.
    """
    event = lock_event(call.match.round.stage.event_id)
    rows = RefereeCall.objects.select_related("match__round__stage")
    current = rows.filter(pk=call.pk).first()
    if current is None:
        raise RoundNotPublished
    if current.seen_at is not None:
        return current
    current.seen_at, current.seen_by = timezone.now(), by
    current.save(update_fields=["seen_at", "seen_by"])
    subject = match_subject(current.match)
    record_act(event=event, act=Act.CALL_ANSWERED, by=by, subject=subject, new={"call": current.reason})
    return current
