"""换桌: a match moves to another table, in a draft or after publication; who meets whom stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from pairing.models import Draw
from pairing.selectors.stages import is_self_scheduled
from pairing.selectors.tables import begun_matches
from pairing.services.guards import draw_of, fresh_round, note_change, round_subject
from pairing.services.publishing import keep_by_hand, publish_changed
from pairing.services.refusals import (
    NoTable,
    NotTwoTables,
    ReasonMissing,
    RoundClosed,
    StaleDraft,
    TablesHaveBegun,
    TablesRunThrough,
)
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Match, Round


@transaction.atomic
def exchange_tables(
    *, round: Round, table: int, to: int, by: User, expected_version: int, reason: str = ""
) -> Round:
    """The match at `table` goes to table `to`, in exchange with the match there, if there is one.

    In any format. A published round gets a new version, with the reason.
    Raises DraftGone, RoundClosed, StaleDraft, ReasonMissing, TablesRunThrough, NotTwoTables, NoTable,
    TablesHaveBegun.
    """
    event = lock_event(round.stage.event_id)
    round = fresh_round(round)
    if round.is_completed:
        raise RoundClosed(round)
    draw = draw_of(round)
    if draw.version != expected_version:
        raise StaleDraft([change for change in draw.changes if change["version"] > expected_version])
    if not round.is_draft and not reason.strip():
        raise ReasonMissing
    _exchange(round, table, to)
    change = _note(draw, by, table, to)
    if round.is_draft:
        record_act(event=event, act=Act.DRAFT_CHANGED, by=by, subject=round_subject(round), new=change)
        return round
    keep_by_hand(round, reason, since=draw.version - 1)
    publish_changed(round, by, reason.strip())
    return round


def _exchange(round_: Round, table: int, to: int) -> None:
    if is_self_scheduled(round_.stage):
        raise TablesRunThrough
    if table == to:
        raise NotTwoTables
    moved = {match.table: match for match in round_.matches.filter(table__in=(table, to))}
    if table not in moved:
        raise NoTable(table)
    _require_untouched(list(moved.values()))
    # Through no table at all: no two matches of a round may ever share one.
    Match.objects.filter(pk__in=[match.pk for match in moved.values()]).update(table=None)
    Match.objects.filter(pk=moved[table].pk).update(table=to)
    if to in moved:
        Match.objects.filter(pk=moved[to].pk).update(table=table)


def _require_untouched(matches: list[Match]) -> None:
    """Nothing is recorded at these tables, neither a result nor deals."""
    begun = begun_matches(matches)
    if begun:
        raise TablesHaveBegun(sorted(match.table or 0 for match in matches if match.pk in begun))


def _note(draw: Draw, by: User, table: int, to: int) -> dict[str, object]:
    """Keeps the exchange on the draw; the reasons go with their tables."""
    draw.explained = move_reasons(draw.explained, {table: to, to: table})
    return note_change(draw, by, "tables", first=table, second=to)


def move_reasons(explained: dict[str, Any], moves: Mapping[int, int]) -> dict[str, Any]:
    """A draw's notes after matches went to other tables: from which to which."""
    if "tables" not in explained:
        return explained
    names = {str(table): str(to) for table, to in moves.items()}
    notes = {names.get(name, name): found for name, found in explained["tables"].items()}
    return {**explained, "tables": notes}
