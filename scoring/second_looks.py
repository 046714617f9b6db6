"""Writes: the second look at a result 复核, what officials disagree on, and the chief's decision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.engine.confirmation import ConfirmationRules
from scoring.engine.outcomes import Outcome
from scoring.engine.points import complete_countable
from scoring.engine.results import MatchResult
from scoring.engine.same_results import says_the_same
from scoring.models import Confirmation, Result, Speaker, Statement
from scoring.selectors import entered_result, match_rules
from scoring.services import (
    ReasonMissing,
    Recorded,
    ResultSettled,
    StaleResult,
    confirmation_columns,
    log_value,
    match_subject,
    next_version,
    open_match,
    require_nothing_hangs,
    require_right,
    write_result,
)
from scoring.statements import SIDES, confirmation_rules, forget_statements, is_disputed
from scoring.table_codes import make_codes
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Match, Round, RoundStatus
from tournaments.roles import CORRECT


class NoSecondLook(Exception):
    """The event does not want a second official's look, or nothing is entered at the table."""


class OwnEntry(Exception):
    """Whoever entered a result cannot confirm it."""


class InDispute(Exception):
    """The table waits for the chief referee's decision."""


class NothingInDispute(Exception):
    """Nobody disagrees about the table any more."""


class DecisionCorrects(Exception):
    """The round is closed, and another result than stands there is a correction, with all that follows."""


class StaleDispute(Exception):
    """Somebody entered or said something else after the page showed what is to be decided."""


@dataclass(frozen=True)
class Checked:
    """What a second official's entry came to; `agrees` is False when the chief referee has to decide."""

    result: Result
    agrees: bool


@transaction.atomic
def check_result(
    *, match: Match, by: User, entry: MatchResult, seated: tuple[int, int] | None = None
) -> Checked:
    """A second official enters what the slip says without seeing the first entry.

    The same: confirmed. Something else: both stand side by side for the chief referee. Entering once more
    what is confirmed changes nothing. In a closed round what was corrected waits for it too.
    Raises NoSecondLook, OwnEntry, InDispute, ResultSettled where something else is confirmed already,
    InvalidResult, TeamsChanged, RoundNotPublished, RoundCompleted, ByeNotEntered.
    """
    event = lock_event(match.round.stage.event_id)
    match = open_match(match, seated)
    stored = Result.objects.filter(match=match).first()
    if stored is None or not stored.is_unconfirmed:
        require_right(match, by)
    if stored is None or not confirmation_rules(match.round.stage).officials_confirm:
        raise NoSecondLook
    rules = match_rules(match)
    begun = _begun_as(entry, entered_result(stored))
    typed = complete_countable(begun, rules.match, rules.scoring, tie_allowed=rules.tie_allowed)
    agrees = says_the_same(entered_result(stored), typed)
    if stored.is_confirmed:
        if not agrees:
            raise ResultSettled(stored)
        return Checked(stored, agrees=True)
    if stored.entered_by_id == by.pk:
        raise OwnEntry
    if is_disputed(match.pk):
        raise InDispute
    if agrees:
        return Checked(confirm(event, match, stored, Confirmation.OFFICIAL, by), agrees=True)
    _contradict(event, match, stored, typed, by)
    return Checked(stored, agrees=False)


def _begun_as(entry: MatchResult, stored: MatchResult) -> MatchResult:
    """The levels typed, with the start levels that stand: the second look is about how the match ended."""
    if entry.games and stored.games:
        first, *others = entry.games
        return replace(entry, games=(_begun_as(first, stored.games[0]), *others))
    if entry.home_start is not None or entry.away_start is not None or entry.outcome is not Outcome.PLAYED:
        return entry
    return replace(entry, home_start=stored.home_start, away_start=stored.away_start)


def confirm(
    event: Event, match: Match, stored: Result, how: Confirmation, by: User | None, by_name: str = ""
) -> Result:
    """Confirms the very row that was read, and logs it; call it under the event's lock."""
    columns = {**confirmation_columns(how, by), "version": next_version(event, stored)}
    if not Result.objects.filter(pk=stored.pk, version=stored.version).update(**columns):
        raise StaleResult(Result.objects.filter(match=match).first(), None)
    forget_statements(match)
    record_act(
        event=event,
        act=Act.RESULT_CONFIRMED,
        by=by,
        by_name=by_name,
        subject=match_subject(match),
        new={**log_value(match, entered_result(stored)), "confirmed": how.value},
    )
    return Result.objects.get(pk=stored.pk)


def _contradict(event: Event, match: Match, stored: Result, typed: MatchResult, by: User) -> None:
    columns = {
        "content": typed.as_dict(),
        "differs": True,
        "by": by,
        "at": timezone.now(),
        "version": next_version(event, stored),
    }
    Statement.objects.update_or_create(match=match, speaker=Speaker.OFFICIAL, defaults=columns)
    record_act(
        event=event,
        act=Act.RESULT_DISPUTED,
        by=by,
        subject=match_subject(match),
        old=log_value(match, entered_result(stored)),
        new=log_value(match, typed),
    )


def dispute_mark(stored: Result | None, statements: Iterable[Statement]) -> str:
    """What a page showed of a disagreement: when it changes, the decision on it is stale."""
    versions = sorted((each.speaker, each.version) for each in statements)
    return "-".join(map(str, [stored.version if stored else 0, *(version for _who, version in versions)]))


@transaction.atomic
def decide_dispute(*, match: Match, by: User, entry: MatchResult, seen: str, reason: str) -> Recorded:
    """The chief referee says what the table played: one of the values side by side, or a third.

    `seen` is the `dispute_mark` of what the page showed. A repeated decision changes nothing.
    Raises ReasonMissing, ResultSettled without the right, NothingInDispute, StaleDispute, InvalidResult,
    RoundNotPublished, ByeNotEntered, MatchesHang, and DecisionCorrects in a closed round for another result
    than the one that stands.
    """
    event = lock_event(match.round.stage.event_id)
    match = open_match(match, None)
    stored = Result.objects.filter(match=match).first()
    _require_chief(stored, by, reason)
    rules = match_rules(match)
    decided = complete_countable(entry, rules.match, rules.scoring, tie_allowed=rules.tie_allowed)
    statements = list(Statement.objects.filter(match=match))
    is_same = stored is not None and says_the_same(entered_result(stored), decided)
    if not any(each.differs for each in statements):
        if stored is not None and is_same:
            return Recorded(stored, changed=False)
        raise NothingInDispute
    if seen != dispute_mark(stored, statements):
        raise StaleDispute
    if match.is_closed and not is_same:
        raise DecisionCorrects
    if stored is not None and stored.winner != (decided.winner or ""):
        require_nothing_hangs(match)
    look = confirmation_rules(match.round.stage)
    how = Confirmation.CHIEF if look.is_on else Confirmation.NOT_ASKED
    version = next_version(event, stored)
    if stored is not None and is_same:
        result = _confirm_only(match, stored, how, by, version)
    else:
        result = write_result(match, decided, stored, by, version, how, confirmed_by=by)
    forget_statements(match)
    record_act(
        event=event,
        act=Act.DISPUTE_DECIDED,
        by=by,
        subject=match_subject(match),
        old=log_value(match, entered_result(stored)) if stored else None,
        new=log_value(match, decided),
        reason=reason.strip(),
    )
    return Recorded(result, changed=True)


def _require_chief(stored: Result | None, by: User, reason: str) -> None:
    if not by.has_perm(CORRECT):
        raise ResultSettled(stored)
    if not reason.strip():
        raise ReasonMissing


def _confirm_only(match: Match, stored: Result, how: Confirmation, by: User, version: int) -> Result:
    columns: dict[str, Any] = {**confirmation_columns(how, by), "version": version}
    if not Result.objects.filter(pk=stored.pk, version=stored.version).update(**columns):
        raise StaleResult(Result.objects.filter(match=match).first(), None)
    return Result.objects.get(pk=stored.pk)


@transaction.atomic
def change_confirmation(*, event: Event, rules: ConfirmationRules, by: User | None, reason: str = "") -> None:
    """Who confirms results from now on, and what the tables' phones may do.

    In rounds being played results begin or cease to wait for the second look; closed rounds stay as they
    are. Where phones come in, every table of a published round gets its code.
    """
    event = lock_event(event.pk)
    stage = event.stages.order_by("order").first()
    if stage is None:
        return
    old = confirmation_rules(stage)
    if old == rules:
        return
    stage.rules = {**stage.rules, "confirmation": rules.as_dict()}
    stage.save(update_fields=["rules"])
    _apply_to_running_rounds(event, rules)
    record_act(
        event=event,
        act=Act.RULES_CHANGED,
        by=by,
        subject=stage.name,
        old={"confirmation": old.as_dict()},
        new={"confirmation": rules.as_dict()},
        reason=reason.strip(),
    )


def _apply_to_running_rounds(event: Event, rules: ConfirmationRules) -> None:
    running = Round.objects.filter(stage__event=event, status=RoundStatus.PUBLISHED)
    results = Result.objects.filter(match__round__in=running, match__table__isnull=False)
    if rules.is_on:
        results.filter(confirmation=Confirmation.NOT_ASKED).update(confirmation=Confirmation.OPEN)
    else:
        results.filter(confirmation=Confirmation.OPEN).update(confirmation=Confirmation.NOT_ASKED)
    statements = Statement.objects.filter(match__round__in=running)
    if not rules.officials_confirm:
        statements.filter(speaker=Speaker.OFFICIAL).delete()
    if not rules.has_phones:
        statements.filter(speaker__in=SIDES).delete()
    else:
        for round_ in running.select_related("stage"):
            make_codes(round_)
