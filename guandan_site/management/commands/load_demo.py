"""The demo event and its three accounts, for a first look."""

from __future__ import annotations

import json
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.storing import store_event
from tournaments.models import Clock, Event, Official, RoundStatus
from tournaments.roles import ADMINISTRATOR, ASSISTANT, CHIEF
from tournaments.snapshots import take_snapshot_now

DEMO_FILE: Path = settings.FIXTURES_DIR / "demo.json"
ACCOUNTS = {
    "admin": (ADMINISTRATOR, "王管理员"),
    "chief": (CHIEF, "陈主裁判"),
    "assistant": (ASSISTANT, "李助理"),
}
LEFT = timedelta(minutes=18)
"""What is left of round 3 when the demo is loaded."""


class Command(BaseCommand):
    """Loads the demo once; prints address, accounts and passwords every time."""

    help = "Loads the demo event and its three accounts (never in the server profile)"

    def handle(self, *args: Any, **options: Any) -> None:
        """Refused in the server profile: an installation on the internet gets no accounts by itself."""
        if settings.ON_SERVER:
            raise CommandError("load_demo is not for the server profile")
        passwords = _passwords()
        event = _load(passwords)
        self.stdout.write(f"\n  {event.name}  /e/{event.slug}/\n\n")
        for username, (role, _name) in ACCOUNTS.items():
            self.stdout.write(f"  {role}  {username} / {passwords[username]}\n")


def _passwords() -> dict[str, str]:
    """Made once for this machine and kept readable by its owner alone."""
    path = settings.DATA_DIR / "demo-accounts.json"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(json.dumps({username: secrets.token_urlsafe(6) for username in ACCOUNTS}))
    passwords: dict[str, str] = json.loads(path.read_text())
    return passwords


@transaction.atomic
def _load(passwords: dict[str, str]) -> Event:
    document = load_event(DEMO_FILE)
    event = Event.objects.filter(slug=document.event.slug).first()
    if event is None:
        event = store_event(document)
        _start_clock(event)
        take_snapshot_now(event=event, by=None)
    for username, (role, name) in ACCOUNTS.items():
        Official.objects.get_or_create(event=event, user=_account(username, role, name, passwords[username]))
    return event


def _account(username: str, role: str, name: str, password: str) -> User:
    user, is_new = User.objects.get_or_create(username=username, defaults={"first_name": name})
    if is_new:
        user.set_password(password)
        user.is_staff = role == ADMINISTRATOR
        user.save()
        user.groups.set(Group.objects.filter(name=role))
    return user


def _start_clock(event: Event) -> None:
    clock = Clock.objects.filter(round__stage__event=event, round__status=RoundStatus.PUBLISHED).first()
    if clock is not None:
        now = timezone.now()
        clock.ends_at = now + LEFT
        clock.started_at = clock.ends_at - timedelta(seconds=clock.length)
        clock.save()
