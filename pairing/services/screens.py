"""大屏: the hall's projectors: what each shows, and what an official makes it do now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from pairing.models import Distance, Screen, ScreenRole
from pairing.services.refusals import ScreenGone, ScreenNameTaken, TooManyScreens
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event

MOST_SCREENS = 20
CONTACT_KEPT = timedelta(seconds=10)
"""A screen that shows the same as before is noted again only after this."""


class ScreenShows(StrEnum):
    """What an official may put on the public projector page; `auto` follows the round."""

    AUTO = "auto"
    DRAW = "draw"
    STANDINGS = "standings"
    CLOCK = "clock"


@dataclass(frozen=True)
class ScreenSetup:
    """How a screen is set up: `seconds` a page (the first is held longer), `roles` one after the other."""

    name: str
    roles: tuple[str, ...] = (ScreenRole.AUTO.value,)
    seconds: int = 12
    distance: str = Distance.NEAR.value
    notice: str = ""


@transaction.atomic
def switch_screen(*, event: Event, shows: ScreenShows, by: User) -> Event:
    """Puts something else on the public projector page; it follows within one poll."""
    event = lock_event(event.pk)
    before = event.screen_shows
    event.screen_shows = shows.value
    event.save(update_fields=["screen_shows"])
    record_act(event=event, act=Act.SCREEN_SWITCHED, by=by, old={"shows": before}, new={"shows": shows.value})
    return event


@transaction.atomic
def add_screen(*, event: Event, setup: ScreenSetup, by: User) -> Screen:
    """Sets up one more projector, with a new key in its address. Raises ScreenNameTaken, TooManyScreens."""
    event = lock_event(event.pk)
    _require_free_name(event, setup.name)
    if event.screens.count() >= MOST_SCREENS:
        raise TooManyScreens(MOST_SCREENS)
    screen = Screen.objects.create(event=event, **_columns(setup))
    record_act(event=event, act=Act.SCREEN_ADDED, by=by, subject=screen.name, new=_logged(setup))
    return screen


@transaction.atomic
def change_screen(*, screen: Screen, setup: ScreenSetup, by: User) -> Screen:
    """Renames a screen or sets it up anew; its address stays. Raises ScreenGone, ScreenNameTaken."""
    event = lock_event(screen.event_id)
    screen = _fresh(screen)
    _require_free_name(event, setup.name, besides=screen)
    before = _logged(setup_of(screen))
    for name, value in _columns(setup).items():
        setattr(screen, name, value)
    screen.save(update_fields=list(_columns(setup)))
    record_act(
        event=event, act=Act.SCREEN_CHANGED, by=by, subject=screen.name, old=before, new=_logged(setup)
    )
    return screen


@transaction.atomic
def remove_screen(*, screen: Screen, by: User) -> None:
    """Takes a screen away: its address leads nowhere from now on. Raises ScreenGone."""
    event = lock_event(screen.event_id)
    screen = _fresh(screen)
    setup = setup_of(screen)
    screen.delete()
    record_act(event=event, act=Act.SCREEN_REMOVED, by=by, subject=setup.name, old=_logged(setup))


@transaction.atomic
def turn_screen(*, screen: Screen, pages: int, by: User) -> Screen:
    """Turns a screen forward (positive) or back by so many pages. Raises ScreenGone."""
    return _steer(screen, by, {"turned": "forward" if pages > 0 else "back"}, turns=screen.turns + pages)


@transaction.atomic
def hold_screen(*, screen: Screen, is_held: bool, by: User) -> Screen:
    """Keeps the page up that is up, or lets the pages turn again. Raises ScreenGone."""
    return _steer(screen, by, {"held": is_held}, is_held=is_held)


@transaction.atomic
def pin_screen(*, screen: Screen, role: ScreenRole | None, by: User) -> Screen:
    """Shows one role alone; without one the screen goes through all its roles again. Raises ScreenGone."""
    pinned = role.value if role else ""
    return _steer(screen, by, {"pinned": pinned or "rotation"}, pinned=pinned, is_held=False)


@transaction.atomic
def post_notice(*, event: Event, screens: Sequence[Screen], notice: str, by: User) -> None:
    """Puts a notice up at once on these screens; an empty one takes it down, and they go on as before."""
    event = lock_event(event.pk)
    found = Screen.objects.filter(event=event, pk__in=[screen.pk for screen in screens])
    names = list(found.values_list("name", flat=True))
    if notice:
        found.update(notice=notice, pinned=ScreenRole.NOTICE.value, is_held=False)
    else:
        found.filter(pinned=ScreenRole.NOTICE.value).update(pinned="", is_held=False)
        found.update(notice="")
    record_act(event=event, act=Act.NOTICE_POSTED, by=by, new={"notice": notice, "screens": names})


def note_contact(screen: Screen, *, role: str, page: int, pages: int) -> None:
    """Notes that a screen asked and what it shows. No official's act: it is neither logged nor a revision.

    At most one query, none while nothing changed in the last seconds.
    """
    now = timezone.now()
    shown = {"seen_role": role, "seen_page": page, "seen_pages": pages}
    due = Q(seen_at=None) | Q(seen_at__lt=now - CONTACT_KEPT) | ~Q(**shown)
    is_recent = screen.seen_at is not None and screen.seen_at >= now - CONTACT_KEPT
    if is_recent and shown == {name: getattr(screen, name) for name in shown}:
        return
    Screen.objects.filter(due, pk=screen.pk).update(seen_at=now, **shown)


def setup_of(screen: Screen) -> ScreenSetup:
    """How a screen is set up."""
    return ScreenSetup(screen.name, tuple(screen.roles), screen.seconds, screen.distance, screen.notice)


def _steer(screen: Screen, by: User, new: dict[str, Any], **columns: Any) -> Screen:
    event = lock_event(screen.event_id)
    fresh = _fresh(screen)
    before = {"pinned": fresh.pinned or "rotation"} if "pinned" in new else None
    if "turns" in columns:
        columns["turns"] += fresh.turns - screen.turns
    for name, value in columns.items():
        setattr(fresh, name, value)
    fresh.save(update_fields=list(columns))
    record_act(event=event, act=Act.SCREEN_SWITCHED, by=by, subject=fresh.name, old=before, new=new)
    return fresh


def _fresh(screen: Screen) -> Screen:
    found = Screen.objects.filter(pk=screen.pk).first()
    if found is None:
        raise ScreenGone
    return found


def _require_free_name(event: Event, name: str, besides: Screen | None = None) -> None:
    others = event.screens.filter(name=name)
    if besides is not None:
        others = others.exclude(pk=besides.pk)
    if others.exists():
        raise ScreenNameTaken(name)


def _columns(setup: ScreenSetup) -> dict[str, Any]:
    return asdict(setup) | {"roles": list(setup.roles)}


def _logged(setup: ScreenSetup) -> dict[str, Any]:
    facts = _columns(setup)
    return {"name": facts.pop("name"), "roles": facts.pop("roles"), **facts}
