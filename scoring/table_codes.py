"""桌码: the secrets in the addresses of the tables' phone pages, made, printed, renewed and revoked."""

from __future__ import annotations

import secrets

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from scoring.models import TableCode
from scoring.statements import confirmation_rules
from tournaments.lineups import seat_lineups
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Match, Round

SECRET_BYTES = 18
"""144 bits: more than anybody guesses, and still a QR code that an old phone reads from a slip."""


class NoSuchTable(Exception):
    """Nobody plays at the table in this round."""


def make_wanted_codes(round_: Round) -> None:
    """Codes for a round that is being published, where the event wants phones at its tables."""
    if confirmation_rules(round_.stage).has_phones:
        make_codes(round_)


def make_codes(round_: Round) -> None:
    """Gives every table of the round that has no code one; call it under the event's lock. Two queries."""
    coded = TableCode.objects.filter(round=round_).values("table")
    tables = round_.matches.filter(away__isnull=False, table__isnull=False).exclude(table__in=coded)
    TableCode.objects.bulk_create(
        TableCode(round=round_, table=table, token=_new_token())
        for table in tables.order_by("table").values_list("table", flat=True)
        if table is not None
    )


@transaction.atomic
def renew_codes(*, round: Round, by: User, table: int | None = None) -> None:
    """New codes for one table or all of the round: what was printed before leads nowhere from now on.

    Raises NoSuchTable.
    """
    event = lock_event(round.stage.event_id)
    _require_table(round, table)
    _codes(round, table).delete()
    make_codes(round)
    record_act(event=event, act=Act.TABLE_CODES_MADE, by=by, subject=_subject(round), new=_told(table))


@transaction.atomic
def revoke_codes(*, round: Round, by: User, table: int | None = None) -> None:
    """The phone page of one table or of the whole round is closed; revoking twice changes nothing.

    Raises NoSuchTable.
    """
    event = lock_event(round.stage.event_id)
    _require_table(round, table)
    removed, _by_model = _codes(round, table).delete()
    if removed:
        record_act(event=event, act=Act.TABLE_CODES_REVOKED, by=by, subject=_subject(round), new=_told(table))


def codes_of(round_: Round) -> dict[int, str]:
    """The codes of the round by table. One query."""
    return dict(TableCode.objects.filter(round=round_).values_list("table", "token"))


def coded_match(token: str) -> tuple[TableCode, Match] | None:
    """The table behind a code, with its round, clock, teams and result; None where it leads nowhere.

    A draft answers as a code that was never made. Four queries.
    """
    codes = TableCode.objects.select_related("round__stage__event", "round__clock")
    code = codes.filter(token=token).first()
    if code is None or code.round.is_draft:
        return None
    matches = Match.objects.filter(round=code.round_id, table=code.table, away__isnull=False)
    teams = matches.select_related("result", "home__department", "away__department")
    match = teams.prefetch_related("home__players", "away__players").first()
    if match is None:
        return None
    match.round = code.round  # spares the query for a row that is at hand
    return code, seat_lineups([match])[0]


def _codes(round_: Round, table: int | None) -> QuerySet[TableCode]:
    codes = TableCode.objects.filter(round=round_)
    return codes if table is None else codes.filter(table=table)


def _require_table(round_: Round, table: int | None) -> None:
    if table is not None and not round_.matches.filter(table=table, away__isnull=False).exists():
        raise NoSuchTable(table)


def _subject(round_: Round) -> str:
    return f"{round_.stage.order}/{round_.number}"


def _told(table: int | None) -> dict[str, list[int]] | None:
    return None if table is None else {"tables": [table]}


def _new_token() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)
