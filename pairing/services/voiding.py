"""A knockout result that others were played from is corrected in the open: first what follows is voided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.db import transaction

from pairing.engine.bracket import dependents
from pairing.layouts import bracket_of
from pairing.services.guards import draw_of, note_change, round_subject
from pairing.services.publishing import publish_changed
from pairing.services.refusals import NothingFollows, ReasonMissing
from scoring.selectors import entered_result
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Match, Occasion, Round, RoundStatus, Stage, StageFormat
from tournaments.snapshots import take_snapshot


def following_matches(match: Match) -> list[Match]:
    """The drawn matches whose teams hang on the result of this one, in order; with results. Three queries."""
    stage = match.round.stage
    if stage.format != StageFormat.KNOCKOUT or "bracket" not in stage.layout or not match.key:
        return []
    keys = dependents(bracket_of(stage.layout), match.key)
    rows = Match.objects.filter(round__stage=stage, key__in=keys)
    rows = rows.select_related("round__stage", "home", "away", "result")
    return list(rows.order_by("round__number", "table", "pk"))


@transaction.atomic
def void_following(*, match: Match, by: User, reason: str) -> Sequence[Match]:
    """Takes back every match that hangs on this one, with its result; then this one can be corrected.

    Rounds that lose all their matches go; others are open again until their matches are seated anew.
    Raises ReasonMissing, NothingFollows.
    """
    if not reason.strip():
        raise ReasonMissing
    event = lock_event(match.round.stage.event_id)
    match = Match.objects.select_related("round__stage__event").get(pk=match.pk)
    following = following_matches(match)
    if not following:
        raise NothingFollows
    take_snapshot(event=event, by=by, occasion=Occasion.BEFORE_DRAW)
    told = [_told(each) for each in following]
    rounds = list({each.round_id: each.round for each in following}.values())
    Match.objects.filter(pk__in=[each.pk for each in following]).delete()
    _reopen(rounds, match.round.stage, by, reason.strip())
    record_act(
        event=event,
        act=Act.MATCHES_VOIDED,
        by=by,
        subject=round_subject(match.round),
        old={"matches": told},
        reason=reason.strip(),
    )
    return following


def _reopen(rounds: Iterable[Round], stage: Stage, by: User, reason: str) -> None:
    """Rounds without a match go, from the last on, so that numbers stay without a gap."""
    for round_ in stage.rounds.order_by("-number"):
        if round_.matches.exists():
            break
        round_.delete()
    for round_ in rounds:
        if not Round.objects.filter(pk=round_.pk).exists() or round_.is_draft:
            continue
        round_.status, round_.completed_at = RoundStatus.PUBLISHED, None
        round_.save(update_fields=["status", "completed_at"])
        note_change(draw_of(round_), by, "voided")
        publish_changed(round_, by, reason)


def _told(match: Match) -> dict[str, object]:
    result = entered_result(match.result).as_dict() if hasattr(match, "result") else None
    away = match.away.number if match.away else None
    return {"round": match.round.number, "home": match.home.number, "away": away, "result": result}
