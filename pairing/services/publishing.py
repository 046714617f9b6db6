"""公示: a draft becomes what the hall, then everybody sees, numbered; and back, while nobody played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from pairing.explained import broken_as_dicts
from pairing.models import Publication
from pairing.selectors.board import round_draft, tables_with_results
from pairing.selectors.by_hand import ByHand, changed_by_hand, told_together
from pairing.selectors.inputs import teams_to_draw
from pairing.selectors.versions import names_now, seating_now
from pairing.services.guards import draft_as_seen, draw_of, fresh_round, note_change, round_subject
from pairing.services.refusals import (
    DraftOutdated,
    NotPublished,
    OpenAlready,
    ReasonMissing,
    TablesHaveResults,
)
from scoring.penalties import refresh_rulings
from scoring.selectors import round_minutes
from scoring.table_codes import make_wanted_codes
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Audience, Clock, LogEntry, Occasion, Round, RoundStatus, StageFormat
from tournaments.services.lineups import seat_given_lineups
from tournaments.snapshots import take_snapshot


@transaction.atomic
def publish_round(
    *,
    round: Round,
    by: User,
    expected_version: int,
    audience: Audience = Audience.EVERYBODY,
    reason: str = "",
) -> Publication:
    """Shows the draft to the hall, or to everybody: a numbered publication, and a clock at rest.

    What was changed by hand is kept with the reason. Raises NotADraft, StaleDraft, DraftOutdated, DraftGone,
    and ReasonMissing where a change broke a rule that the draw kept.
    """
    event = lock_event(round.stage.event_id)
    round = draft_as_seen(round, expected_version)
    _require_current_roster(round)
    by_hand = keep_by_hand(round, reason, since=_taken_back(round))
    take_snapshot(event=event, by=by, occasion=Occasion.BEFORE_PUBLICATION)
    round.status, round.audience = RoundStatus.PUBLISHED, audience
    round.save(update_fields=["status", "audience"])
    publication = new_publication(round, by)
    _lay_out_clock(round)
    record_act(
        event=event,
        act=Act.ROUND_PUBLISHED,
        by=by,
        subject=round_subject(round),
        new=told_of(publication) | told_by_hand(by_hand),
        reason=reason.strip() if by_hand.is_any else "",
    )
    return publication


@transaction.atomic
def open_to_everybody(*, round: Round, by: User) -> Publication | None:
    """公布到手机: what the hall sees already, phones and public pages see as well, in the same version.

    Raises NotPublished, OpenAlready, DraftGone.
    """
    event = lock_event(round.stage.event_id)
    round = fresh_round(round)
    if not round.is_published:
        raise NotPublished(round)
    if not round.is_hall_only:
        raise OpenAlready(round)
    publication = show_everybody(round, by)
    record_act(
        event=event,
        act=Act.ROUND_OPENED,
        by=by,
        subject=round_subject(round),
        old={"audience": Audience.HALL.value},
        new={"version": publication.version if publication else None, "audience": Audience.EVERYBODY.value},
    )
    return publication


@transaction.atomic
def withdraw_publication(*, round: Round, by: User) -> Round:
    """Takes the tables back from everybody's sight; the round is a draft again, its clock is gone.

    Raises NotPublished, TablesHaveResults (a bye is no obstacle), DraftGone.
    """
    event = lock_event(round.stage.event_id)
    round = fresh_round(round)
    if not round.is_published:
        raise NotPublished(round)
    _require_no_results(round)
    publication = round.publications.filter(withdrawn_at=None).last()
    round.publications.filter(withdrawn_at=None).update(withdrawn_at=timezone.now())
    Clock.objects.filter(round=round).delete()
    note_change(draw_of(round), by, "withdrawn")
    round.status, round.audience = RoundStatus.DRAFT, Audience.EVERYBODY
    round.save(update_fields=["status", "audience"])
    record_act(
        event=event,
        act=Act.PUBLICATION_WITHDRAWN,
        by=by,
        subject=round_subject(round),
        old={"version": publication.version if publication else None},
    )
    return round


def new_publication(round_: Round, by: User | None, reason: str = "") -> Publication:
    """The round's tables and names as they stand, under the next version, for whoever sees the round now.

    The line-ups given so far go onto the tables first, and what penalties make of each match.
    """
    seat_given_lineups(round_)
    refresh_rulings(round_)
    make_wanted_codes(round_)
    now, is_open = timezone.now(), not round_.is_hall_only
    return Publication.objects.create(
        round=round_,
        version=_last_version(round_) + 1,
        published_at=now,
        published_by=by,
        opened_at=now if is_open else None,
        opened_by=by if is_open else None,
        reason=reason,
        seating=seating_now(round_),
        names=names_now(round_),
    )


def publish_again(round_: Round, by: User | None, reason: str = "") -> Publication:
    """A published round's changed tables, in the place of those that hung before.

    Part of an act that has locked the event and writes the log itself; alone it is `republish`.
    """
    round_.publications.filter(withdrawn_at=None).update(withdrawn_at=timezone.now())
    return new_publication(round_, by, reason)


def publish_changed(
    round_: Round, by: User | None, reason: str = "", *, before: Mapping[str, Any] | None = None, **told: Any
) -> Publication:
    """As `publish_again`, with its line in the log: what hung before, what hangs now, and what is `told`.

    `before` is what the log says of a round that came without a version.
    Part of an act that has locked the event.
    """
    standing = round_.publications.filter(withdrawn_at=None).last()
    publication = publish_again(round_, by, reason)
    record_act(
        event=round_.stage.event,
        act=Act.ROUND_PUBLISHED,
        by=by,
        subject=round_subject(round_),
        old=told_of(standing) if standing else before,
        new={**told_of(publication), **told},
        reason=reason,
    )
    return publication


def show_everybody(round_: Round, by: User | None) -> Publication | None:
    """Lets phones and public pages see the round; part of an act that writes the log itself."""
    round_.audience = Audience.EVERYBODY
    round_.save(update_fields=["audience"])
    round_.publications.filter(withdrawn_at=None).update(opened_at=timezone.now(), opened_by=by)
    return round_.publications.filter(withdrawn_at=None).last()


def told_of(publication: Publication) -> dict[str, Any]:
    """What the log keeps of a publication."""
    return {
        "version": publication.version,
        "audience": publication.round.audience,
        "seating": publication.seating,
    }


def keep_by_hand(round_: Round, reason: str, *, since: int = 0) -> ByHand:
    """Keeps on the draw how its tables differ from the engine's own, and why; part of an act that logs it.

    The reason goes with what was changed after `since`, a version of the draw; what was changed before keeps
    its own. Raises ReasonMissing where a change broke a rule that the draw kept.
    """
    draw = draw_of(round_)
    if not draw.changes and not round_.stage.rules.get("pairing", {}).get("forced"):
        return ByHand()
    draft = round_draft(round_)
    whole = changed_by_hand(draft)
    act = changed_by_hand(draft, since=since) if since else whole
    if act.needs_reason and not reason.strip():
        raise ReasonMissing
    draw.by_hand = told_together(draw.by_hand, whole, act, reason.strip())
    draw.save(update_fields=["by_hand"])
    return whole


def _taken_back(round_: Round) -> int:
    """The version of the draw at which a publication was withdrawn last; 0 where none was."""
    versions = [change["version"] for change in draw_of(round_).changes if change["act"] == "withdrawn"]
    return max(versions, default=0)


def told_by_hand(by_hand: ByHand) -> dict[str, Any]:
    """What the log keeps of a difference to the engine's own draw."""
    if not by_hand.is_any:
        return {}
    told = {"by_hand": [each.now.table for each in by_hand.tables]}
    return told | ({"warnings": broken_as_dicts(by_hand.broken)} if by_hand.broken else {})


def _require_current_roster(round_: Round) -> None:
    """Nobody who left or is absent sits at a table, and in a Swiss round all others have a place."""
    active = {team.pk: team.number for team in teams_to_draw(round_.stage, round_.number)}
    places = round_.seats.exclude(match__table=None, match__away__isnull=False)
    seated = dict(places.values_list("team_id", "team__number"))
    is_swiss = round_.stage.format == StageFormat.SWISS
    gone = sorted(number for pk, number in seated.items() if pk not in active)
    unseated = sorted(number for pk, number in active.items() if is_swiss and pk not in seated)
    if gone or unseated:
        raise DraftOutdated(gone, unseated)


def _require_no_results(round_: Round) -> None:
    tables = tables_with_results(round_)
    if tables:
        raise TablesHaveResults(tables)


def _last_version(round_: Round) -> int:
    """The last version that was ever shown, also of a draft that was discarded meanwhile: paper stays."""
    acts = LogEntry.objects.filter(
        event=round_.stage.event,
        act=Act.ROUND_PUBLISHED,
        subject=round_subject(round_),
        new__version__isnull=False,
    )
    logged: list[int] = list(acts.values_list("new__version", flat=True))
    return max([0, *logged, *round_.publications.values_list("version", flat=True)])


def _lay_out_clock(round_: Round) -> None:
    minutes = round_minutes(round_)
    if minutes is not None:
        Clock.objects.create(round=round_, length=minutes * 60)
