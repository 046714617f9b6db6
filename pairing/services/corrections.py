"""更正: what changed after a publication is published again, under the next version and with a reason."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from pairing.engine.types import Draw as DrawnRound
from pairing.explained import broken_as_dicts, explained_as_dict
from pairing.models import Publication
from pairing.selectors.board import round_draft, swapped
from pairing.selectors.tables import begun_matches
from pairing.selectors.versions import is_as_published
from pairing.services.guards import draw_of, fresh_round, note_change, round_subject
from pairing.services.publishing import keep_by_hand, publish_changed
from pairing.services.refusals import (
    NotPublished,
    NotTwoSeats,
    ReasonMissing,
    StaleDraft,
    TablesFollowFormat,
    TablesHaveBegun,
    UnconfirmedWarnings,
)
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Match, Round, Seat, StageFormat, Team


@transaction.atomic
def republish(*, round: Round, by: User, reason: str) -> Publication:
    """更正公示: the tables and names as they stand now, in a new version for whoever sees the round.

    Where nothing differs from what hangs, the version that hangs is given back and nothing is written.
    Raises ReasonMissing, NotPublished, DraftGone.
    """
    lock_event(round.stage.event_id)
    round = _in_play(round, reason)
    standing = round.publications.filter(withdrawn_at=None).last()
    if standing is not None and is_as_published(round, standing):
        return standing
    return publish_changed(round, by, reason.strip())


@transaction.atomic
def swap_published(
    *,
    round: Round,
    first: Team,
    second: Team,
    by: User,
    expected_version: int,
    reason: str,
    confirmed: bool = False,
) -> Publication:
    """Two teams of a published round change places, also with the bye, in a new version.

    Only where nothing is recorded at their tables. Raises ReasonMissing, NotPublished, StaleDraft, DraftGone,
    TablesFollowFormat, NotTwoSeats, TablesHaveBegun, and UnconfirmedWarnings unless `confirmed`.
    """
    lock_event(round.stage.event_id)
    round = _in_play(round, reason)
    if round.stage.format != StageFormat.SWISS:
        raise TablesFollowFormat
    draft = round_draft(round)
    if draft.draw.version != expected_version:
        raise StaleDraft([each for each in draft.draw.changes if each["version"] > expected_version])
    places = draft.inputs.places
    swap = None
    if first.key in places and second.key in places:
        swap = swapped(draft, places[first.key], places[second.key])
    if swap is None:
        raise NotTwoSeats
    matches = _untouched(round, first, second)
    if swap.warnings and not confirmed:
        raise UnconfirmedWarnings(swap.warnings)
    _change_places(matches, first, second)
    _note_swap(round, by, first, second, swap.drawn)
    keep_by_hand(round, reason, since=draw_of(round).version - 1)
    return publish_changed(round, by, reason.strip(), warnings=broken_as_dicts(swap.warnings))


@transaction.atomic
def end_notice(*, round: Round, by: User) -> Publication | None:
    """The correction notice leaves screens, phones and paper; the version stays. Taking it down twice is one.

    Raises NotPublished, DraftGone.
    """
    event = lock_event(round.stage.event_id)
    round = fresh_round(round)
    if not round.is_published:
        raise NotPublished(round)
    publication = round.publications.filter(withdrawn_at=None).last()
    if publication is None or publication.notice_ended_at is not None:
        return publication
    publication.notice_ended_at = timezone.now()
    publication.save(update_fields=["notice_ended_at"])
    new = {"version": publication.version}
    record_act(event=event, act=Act.NOTICE_ENDED, by=by, subject=round_subject(round), new=new)
    return publication


def _in_play(round_: Round, reason: str) -> Round:
    if not reason.strip():
        raise ReasonMissing
    fresh = fresh_round(round_)
    if not fresh.is_published:
        raise NotPublished(fresh)
    return fresh


def _untouched(round_: Round, *teams: Team) -> list[Match]:
    """The matches of the teams, if nothing but a bye is recorded at their tables; raises TablesHaveBegun."""
    matches = list(Match.objects.filter(round=round_, seats__team__in=teams).distinct())
    begun = begun_matches(matches)
    if begun:
        raise TablesHaveBegun(sorted(match.table or 0 for match in matches if match.pk in begun))
    return matches


def _change_places(matches: list[Match], first: Team, second: Team) -> None:
    """The two teams in each other's seats; tables, and whatever hangs on a table, stay where they are."""
    other = {first.pk: second.pk, second.pk: first.pk}
    Seat.objects.filter(match__in=matches).delete()
    for match in matches:
        match.home_id = other.get(match.home_id, match.home_id)
        match.away_id = other.get(match.away_id, match.away_id) if match.away_id else None
        match.save(update_fields=["home", "away"])
    Seat.objects.bulk_create(
        Seat(round_id=match.round_id, match=match, team_id=team)
        for match in matches
        for team in (match.home_id, match.away_id)
        if team is not None
    )


def _note_swap(round_: Round, by: User, first: Team, second: Team, drawn: DrawnRound) -> None:
    draw = draw_of(round_)
    draw.explained = explained_as_dict(drawn)
    warnings = broken_as_dicts(drawn.broken)
    note_change(draw, by, "swap", first=first.number, second=second.number, warnings=warnings)
