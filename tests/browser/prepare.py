"""Fills the hall's database; runs in a process of its own, in the venue's environment."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone

from guandan_site.event_file.dumping import dump_event
from guandan_site.event_file.parsing import parse_event
from guandan_site.event_file.simulating import FormatWishes, SimulatedFormat, simulate
from guandan_site.event_file.storing import store_event
from pairing.models import Screen
from pairing.services import close_round, draw_round, publish_round
from scoring.engine.confirmation import ConfirmationRules
from scoring.models import Confirmation, Result
from scoring.second_looks import change_confirmation
from tests.browser.names import EVENT_NAME, LONG_NAMES, PAYLOADS, SCREEN_KEY
from tests.builders import ROLES, make_event, make_result, make_round, make_user
from tests.services.stages import begun, play_round, published
from tournaments.attendance import Absence
from tournaments.models import Clock, Event, StageFormat
from tournaments.presets import presets, stage_rules_of
from tournaments.services.attendance import check_in, set_absence, use_check_in
from tournaments.services.teams import withdraw_team
from tournaments.snapshots import take_snapshot_now

Document = dict[str, Any]
ACCOUNTS = {"administrator": "王管理", "chief": "陈裁判", "assistant": "李助理"}


def main() -> None:
    """Makes events and accounts; prints account → session key."""
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    with transaction.atomic():
        events = [store_event(parse_event(document)) for document in _documents()]
        by_number = {"pairing": {"first_round": "entry_order"}}
        events.append(make_event(slug="keys", departments=0, rules=by_number))
        events += [_empty_event("empty"), _clock_event("clock"), _clock_event("restart")]
        events += [_phones_event("phones"), _phones_event("checked"), _unconfirmed_event("waiting")]
        events += [_table_event("deals"), final := _knockout_event("final")]
        events.append(seated := make_event(slug="corrected", departments=0))
        late = [_arrivals(slug, departments=0) for slug in ("late-desk", "late-phone")]
        events += [_arrivals("arrivals", departments=3), _arrivals("morning", departments=3), *late]
        Screen.objects.bulk_create(Screen(event=event, name="北墙", key=SCREEN_KEY) for event in events)
        users = [_user(account, name, events) for account, name in ACCOUNTS.items()]
        sessions = {user.username: _session_of(user) for user in users}
        _play_to_the_final(final, by=users[0])
        _seat_the_second_round(seated, by=users[0])
        for event in late:
            _publish_without_the_last(event, by=users[0])
    _start_demo(next(event for event in events if event.slug == "demo"))
    sys.stdout.write(json.dumps(sessions))


def _arrivals(slug: str, *, departments: int) -> Event:
    """Nine teams that check in."""
    event = make_event(slug=slug, teams=9, departments=departments)
    use_check_in(event=event, used=True, by=None)
    return event


def _publish_without_the_last(event: Event, *, by: User) -> None:
    """Team 8 is absent in round 1, team 9 has withdrawn, and the other seven are drawn and published."""
    stage = event.stages.get()
    absent, gone = event.teams.order_by("number")[7:9]
    set_absence(teams=[absent], stage=stage, absence=Absence(stage.key, 1), by=by)
    withdraw_team(team=gone, from_round=1, by=by)
    check_in(stage=stage, teams=event.teams.filter(number__lt=8), by=by)
    publish_round(round=draw_round(stage=stage, by=by, seed=1), by=by, expected_version=1)


def _documents() -> list[Document]:
    demo = json.loads(settings.FIXTURES_DIR.joinpath("demo.json").read_bytes())
    return [
        demo,
        _drafted(demo, "draft"),
        _finished(_simulated(12, rounds=2), "finished"),
        _named(_simulated(48), LONG_NAMES, "screen-48"),
        _named(_simulated(48), {}, "screen-turn"),
        _named(_simulated(48), {}, "screen-away"),
        _named(_simulated(200), LONG_NAMES, "screen-200"),
        _named(_simulated(600, rounds=1), LONG_NAMES, "screen-600"),
        _drafted(_simulated(48), "screen-reveal"),
        _attacked(_simulated(len(PAYLOADS)), "names"),
        _drafted(_attacked(_simulated(len(PAYLOADS)), "names"), "names-draft"),
        _attacked(_groups_and_bracket(len(PAYLOADS)), "names-bracket"),
        _renamed(_groups_and_bracket(16), "bracket"),
    ]


def _simulated(teams: int, rounds: int = 2) -> Document:
    """The last round is being played: its first table has a result, the others none."""
    document = dump_event(simulate(teams=teams, departments=min(teams // 3, 12), rounds=rounds, seed=1))
    document: Document = json.loads(json.dumps(document))
    last = document["stages"][0]["rounds"][-1]
    last["status"] = "published"
    for match in last["matches"][1:]:
        match["result"] = None
    return document


def _groups_and_bracket(teams: int) -> Document:
    """Two groups, then a bracket of four, all played."""
    document = simulate(
        teams=teams,
        departments=4,
        rounds=1,
        seed=1,
        format=SimulatedFormat.GROUPS_KNOCKOUT,
        wishes=FormatWishes(groups=2),
    )
    played: Document = json.loads(json.dumps(dump_event(document)))
    return played


def _renamed(document: Document, slug: str) -> Document:
    copy: Document = json.loads(json.dumps(document))
    copy["event"]["slug"] = slug
    return copy


def _drafted(document: Document, slug: str) -> Document:
    """The last round is only a draft."""
    copy = _renamed(document, slug)
    last = copy["stages"][0]["rounds"][-1]
    last["status"] = "draft"
    last.pop("publications", None)
    for match in last["matches"]:
        match["result"] = None
    return copy


def _finished(document: Document, slug: str) -> Document:
    copy = _renamed(document, slug)
    last = copy["stages"][0]["rounds"][-1]
    last["status"] = "completed"
    for match in last["matches"]:
        match["result"] = {"outcome": "played", "home_level": 10, "away_level": 7}
    return copy


def _named(document: Document, names: Mapping[int, tuple[str, str]], slug: str) -> Document:
    """Some teams, by number, get these players."""
    copy = _renamed(document, slug)
    for team in copy["teams"]:
        if team["number"] in names:
            team["players"] = [{"name": name} for name in names[team["number"]]]
    return copy


def _attacked(document: Document, slug: str) -> Document:
    """The event with an attack for every name."""
    document = _renamed(document, slug)
    for place, team in enumerate(document["teams"]):
        team["players"] = [{"name": PAYLOADS[place]}, {"name": f"同伴{place}"}]
    for place, department in enumerate(document["departments"]):
        department["name"] = PAYLOADS[place][:40]
    document["event"] |= {
        "name": EVENT_NAME,
        "venue": PAYLOADS[0],
        "organiser": PAYLOADS[1],
    }
    return document


def _empty_event(slug: str) -> Event:
    """No team yet, and a name as long as an organiser's banner."""
    event = make_event(slug=slug, teams=0)
    event.name = "2026 年度教职工“工会杯”掼蛋比赛暨第三届校际友谊邀请赛（东校区）"
    event.save()
    return event


def _clock_event(slug: str) -> Event:
    event = make_event(slug=slug, teams=4)
    round_ = make_round(event, [(1, 3), (2, 4)])
    Clock.objects.create(round=round_, length=50 * 60)
    return event


def _phones_event(slug: str) -> Event:
    """Four tables in play with a phone page each; a second official or both teams confirm."""
    event = make_event(slug=slug)
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    Clock.objects.create(round=round_, length=45 * 60)
    rules = ConfirmationRules.from_dict({"by": "either", "phones": "enter"})
    change_confirmation(event=event, rules=rules, by=None)
    return event


def _unconfirmed_event(slug: str) -> Event:
    """Four tables with a result that waits for its second look."""
    event = make_event(slug=slug)
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    change_confirmation(event=event, rules=ConfirmationRules.from_dict({"by": "official"}), by=None)
    for table in range(1, 5):
        make_result(round_, table, 10, 7)
    Result.objects.filter(match__round=round_).update(confirmation=Confirmation.OPEN)
    return event


def _table_event(slug: str) -> Event:
    """One table of the regulation that sends a side back to J after three strikes; numbers 1 and 12."""
    event = make_event(slug=slug, teams=12, departments=0, rules=stage_rules_of(presets()["R22"], 0))
    make_round(event, [(1, 12)])
    return event


def _knockout_event(slug: str) -> Event:
    """Four teams, by the regulation whose final is best of three."""
    event = make_event(slug=slug, teams=4, departments=0)
    rules = stage_rules_of(presets()["R09b"], 0)
    event.stages.update(name="淘汰赛", format=StageFormat.KNOCKOUT, rules=rules)
    return event


def _play_to_the_final(event: Event, by: User) -> None:
    """The semi-finals are over, final and third place are published."""
    stage = begun(event, by)
    play_round(stage, by)
    published(stage, by)


def _seat_the_second_round(event: Event, by: User) -> None:
    """Round 1 is closed, its first table written the wrong way round; round 2 is published, nobody plays."""
    first = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    for table, levels in enumerate([(15, 2), (15, 5), (10, 2), (9, 2)], start=1):
        make_result(first, table, *levels)
    close_round(round=first, by=by)
    published(event.stages.get(), by)


def _start_demo(event: Event) -> None:
    """The demo's third round is in play, with 18 minutes left."""
    ends_at = timezone.now() + timedelta(minutes=18)
    Clock.objects.filter(round__stage__event=event, round__number=3).update(
        started_at=ends_at - timedelta(minutes=45), ends_at=ends_at
    )
    take_snapshot_now(event=event, by=None)


def _user(account: str, name: str, events: list[Event]) -> User:
    user = make_user(account, ROLES[account], *events)
    user.first_name, user.is_staff = name, account == "administrator"
    user.save()
    return user


def _session_of(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value
