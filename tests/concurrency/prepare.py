"""Fills a venue's database; runs in a process of its own, in the venue's environment."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client

from guandan_site.event_file.simulating import simulate
from guandan_site.event_file.storing import EventExists, store_event
from pairing.models import Screen
from scoring.engine.confirmation import ConfirmationRules
from scoring.second_looks import change_confirmation
from tests.builders import make_event, make_result, make_round, make_user
from tests.format_events import group_stage, knockout_stage
from tournaments.models import Clock, Event, RoundStatus, StageFormat
from tournaments.roles import ADMINISTRATOR, ASSISTANT, CHIEF

ASSISTANTS = 8
STAGES = {StageFormat.ROUND_ROBIN: group_stage, StageFormat.KNOCKOUT: knockout_stage}


def main() -> None:
    """Reads a list of events from the command line, prints account → session key."""
    call_command("migrate", verbosity=0)
    with transaction.atomic():
        events = [_event(**wanted) for wanted in json.loads(sys.argv[1])]
        users = [make_user("chief", CHIEF, *events), make_user("administrator", ADMINISTRATOR, *events)]
        users += [make_user(f"a{n}", ASSISTANT, *events) for n in range(1, ASSISTANTS + 1)]
        sessions = {user.username: _session_of(user) for user in users}
    sys.stdout.write(json.dumps(sessions))


def _event(
    *,
    slug: str,
    teams: int,
    published: int = 0,
    format: str = StageFormat.SWISS,
    confirmation: Mapping[str, str] | None = None,
) -> Event:
    """Rounds up to `published` are closed with results, that one is being played, its clock at rest."""
    event = make_event(slug=slug, teams=teams, rounds=50)
    if format != StageFormat.SWISS:
        event.stages.all().delete()
        STAGES[format](event, 2 if format == StageFormat.ROUND_ROBIN else teams, order=1)
    Screen.objects.create(event=event, name="北墙", key="hallkey23")
    for number in range(1, published + 1):
        is_played = number < published
        status = RoundStatus.COMPLETED if is_played else RoundStatus.PUBLISHED
        round_ = make_round(event, _seating(teams, number), number=number, status=status)
        Clock.objects.create(round=round_, length=45 * 60)
        for table in range(1, teams // 2 + 1) if is_played else ():
            make_result(round_, table, 10, 3 + table % 6)
    if confirmation:
        change_confirmation(event=event, rules=ConfirmationRules.from_dict(confirmation), by=None)
    return event


def _seating(teams: int, number: int) -> list[tuple[int, int]]:
    """The lower half meets the upper, shifted by one every round."""
    half = teams // 2
    return [(home + 1, half + (home + number) % half + 1) for home in range(half)]


def _session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value


def import_together(times: int = 4) -> None:
    """Stores one event file several times at the same moment; prints what became of each."""
    document, barrier = simulate(teams=16, departments=4, rounds=2, seed=1), Barrier(times)

    def store(_place: int) -> str:
        barrier.wait()
        try:
            store_event(document)
        except EventExists:
            return "EventExists"
        finally:
            connection.close()
        return "Stored"

    with ThreadPoolExecutor(times) as pool:
        sys.stdout.write(" ".join(pool.map(store, range(times))))
