"""What a projector page shows now: its roles turned into scenes, each rendered once for all screens.

A scene is HTML that depends on the event's revision, the audience and the language only; it is kept while
the revision stands, so that ten screens cost one rendering and a poll without news none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from pairing.format_scenes import cross_scenes, format_scenes
from pairing.models import Ceremony, Distance, Screen, ScreenRole
from pairing.selectors.published import draw_sheet, hanging, newest_published_round
from pairing.selectors.screens import running_ceremony
from pairing.selectors.versions import Correction
from pairing.services.screens import ScreenShows
from scoring.selectors import stage_standings
from tournaments.clock import ClockState, clock_face
from tournaments.models import Audience, Event, Round
from tournaments.revisions import kept_for_revision

TITLE = "title"
"""The scene of an event of which there is nothing to show yet."""
OF_THE_DRAW = (ScreenRole.TABLES.value, ScreenRole.NUMBERS.value)
PUBLIC_ROLES = {
    ScreenShows.AUTO: (ScreenRole.AUTO.value,),
    ScreenShows.DRAW: OF_THE_DRAW,
    ScreenShows.STANDINGS: (ScreenRole.STANDINGS.value,),
    ScreenShows.CLOCK: (ScreenRole.CLOCK.value,),
}
"""What the choices of the public page mean in roles."""
PLAYING = {ClockState.RUNNING, ClockState.PAUSED, ClockState.OVER}


@dataclass(frozen=True)
class Program:
    """What one projector page shows: its scenes in order, and how it goes through them."""

    event: Event
    round: Round | None
    scenes: tuple[SafeString, ...]
    seconds: int = 12
    distance: str = Distance.NEAR.value
    turns: int = 0
    is_held: bool = False
    correction: Correction | None = None
    ceremony: Ceremony | None = None


def public_program(event: Event, address: str) -> Program:
    """The page without a key: what everybody may see. `address` is where phones find the event."""
    source = _Source(event, Audience.EVERYBODY, address)
    return source.program(PUBLIC_ROLES[ScreenShows(event.screen_shows)])


def screen_program(screen: Screen, address: str) -> Program:
    """A screen of the hall: what the hall may see, by the roles it was given or the one shown alone."""
    source = _Source(screen.event, Audience.HALL, address, screen.notice)
    return source.program(
        [screen.pinned] if screen.pinned else screen.roles,
        seconds=screen.seconds,
        distance=screen.distance,
        turns=screen.turns,
        is_held=screen.is_held,
    )


class _Source:
    """Where the scenes of one program come from."""

    def __init__(self, event: Event, audience: Audience, address: str, notice: str = "") -> None:
        self.event, self.audience, self.address, self.notice = event, audience, address, notice
        self.round = newest_published_round(event, audience)

    def program(self, roles: Iterable[str], **how: Any) -> Program:
        wanted = list(dict.fromkeys(kind for role in roles for kind in self._kinds(role)))
        scenes = self._scenes(wanted) or self._scenes(self._instead()) or self._scenes([TITLE])
        ceremony = running_ceremony(self.round) if set(wanted) & set(OF_THE_DRAW) else None
        if ceremony is not None and ScreenRole.TABLES.value not in wanted:
            scenes = (*scenes, *self._scenes([ScreenRole.TABLES.value]))
        told = hanging(self.round, self.audience)[1] if self.round else None
        return Program(self.event, self.round, scenes, correction=told, ceremony=ceremony, **how)

    def _instead(self) -> Sequence[str]:
        """What is shown where there is nothing of what was asked for."""
        return [ScreenRole.STANDINGS.value] if self._is_own_time else OF_THE_DRAW

    @property
    def _is_own_time(self) -> bool:
        """Whether all rounds are played at once, at no table of the hall and without its clock."""
        return self.round is not None and self.round.stage.is_self_scheduled

    def _kinds(self, role: str) -> Sequence[str]:
        """`auto` means the draw until play begins, then the clock, and the standings after the round.

        Groups that find their own time have standings only.
        """
        if role != ScreenRole.AUTO:
            return [role]
        if self._is_own_time:
            return [ScreenRole.STANDINGS.value]
        if self.round is not None and self.round.is_completed:
            return [ScreenRole.STANDINGS.value]
        playing = self.round is not None and clock_face(self.round).state in PLAYING
        return [ScreenRole.CLOCK.value] if playing else OF_THE_DRAW

    def _scenes(self, kinds: Iterable[str]) -> tuple[SafeString, ...]:
        return tuple(scene for kind in kinds if (scene := self._scene(kind)))

    def _scene(self, kind: str) -> SafeString:
        """The scene as HTML, empty where there is nothing to show."""
        if kind == ScreenRole.NOTICE:
            return _rendered(kind, {"notice": self.notice}) if self.notice else SafeString()
        make = self._makers.get(kind)
        if make is None:
            return SafeString()
        # The round is part of the key: phones may know of an earlier one than the hall.
        known = (kind, self.round.pk if self.round else None, self.audience, self.address, get_language())
        return kept_for_revision(self.event, ("scene", *known), make)

    @property
    def _makers(self) -> dict[str, Callable[[], SafeString]]:
        anytime = {TITLE: lambda: _rendered(TITLE, {"event": self.event})}
        if self.event.is_public:
            anytime[ScreenRole.CODE.value] = lambda: _rendered("code", {"address": self.address})
        if self.round is None:
            return anytime
        round_, audience = self.round, self.audience
        makers = anytime | {
            ScreenRole.STANDINGS.value: lambda: _standings(round_, audience),
            ScreenRole.BRACKET.value: lambda: _bracket(round_, audience),
        }
        if self._is_own_time:
            return makers
        return makers | {
            ScreenRole.TABLES.value: lambda: _draw("tables", round_),
            ScreenRole.NUMBERS.value: lambda: _draw("numbers", round_),
            ScreenRole.CLOCK.value: lambda: _clock(round_),
        }


def _rendered(kind: str, context: dict[str, Any]) -> SafeString:
    return render_to_string(f"pairing/screen/{kind}.html", context)


def _draw(kind: str, round_: Round) -> SafeString:
    return _rendered(kind, {"round": round_, "sheet": draw_sheet(round_)})


def _standings(round_: Round, audience: Audience) -> SafeString:
    pages = format_scenes(round_.stage, audience)
    if pages:
        return _rendered("formats", pages)
    return _rendered("standings", {"standings": stage_standings(round_.stage, audience=audience)})


def _bracket(round_: Round, audience: Audience) -> SafeString:
    pages = cross_scenes(round_.stage, audience)
    if not pages:
        return SafeString()
    return _rendered("cross" if "cross_pages" in pages else "formats", pages)


def _clock(round_: Round) -> SafeString:
    face = clock_face(round_)
    if face.state == ClockState.NONE:
        return SafeString()
    missing = round_.matches.filter(table__isnull=False, result__isnull=True).order_by("table")
    tables = list(missing.values_list("table", flat=True))
    return _rendered("clock", {"round": round_, "face": face, "missing": tables})
