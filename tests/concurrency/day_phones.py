"""The players' phones and a projector of the day: they look as often as their pages do."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import dataclass, field

from tests.concurrency.visitors import AGAIN, NOT_HEARD, Diary, Page, Visitor

EVENT_POLL, TABLE_POLL, CLOCK_POLL, SCREEN_POLL = 20.0, 6.0, 10.0, 4.0
"""Seconds between two looks, as in static/phone.js, table.js, clock.js and screen.js."""
SCANNING = 15.0
"""Seconds within which all tables of the hall have scanned their codes."""
NOW = re.compile(r'<section class="now (\w+)"')
MARK = re.compile(r'data-mark="([^"]+)"')


@dataclass(frozen=True)
class Duty:
    """What a phone does at its table: enter the levels once the match is over, agree, or only look on.

    `objects`: levels that this side says instead of what the other side entered.
    """

    token: str
    side: str
    levels: tuple[str, str] = ("", "")
    enters: bool = False
    agrees: bool = False
    objects: tuple[str, str] | None = None
    over_at: float = 0


@dataclass
class Phone:
    """A team's phone: it knows its team, looks at the event, and at its table's page while there is one."""

    visitor: Visitor
    number: int
    event: str
    hurry: float = 1
    duty: Duty | None = None
    states: list[str] = field(default_factory=list)
    """What the table's page said, each new state once; read by others after the round."""
    problems: list[str] = field(default_factory=list)
    leaves: threading.Event = field(default_factory=threading.Event)
    _known: dict[str, str] = field(default_factory=dict)
    _due: dict[str, float] = field(default_factory=dict)

    def carry(self) -> None:
        """The whole day."""
        try:
            page = self.visitor.get(self.event)
            self.visitor.submit(page, page.form("/find/"), q=self.number)
            while not self.leaves.is_set():
                duty = self.duty
                try:
                    self._look(duty)
                except NOT_HEARD:
                    self.visitor.diary.note_silence()
                    self.leaves.wait(AGAIN)
                self.leaves.wait(0.05 if self.hurry > 1 else 0.2)
        except AssertionError as problem:
            self.problems.append(f"phone {self.number}: {problem}")

    def _look(self, duty: Duty | None) -> None:
        if self._is_due("clock", CLOCK_POLL):
            self.visitor.ask_once("GET", f"{self.event}clock.json", None, {})
        if duty is None:
            if self._is_due("event", EVENT_POLL):
                self._reload()
        elif self._is_due(duty.token, TABLE_POLL, SCANNING) or self._must_act(duty):
            self._at_table(duty)

    def _is_due(self, what: str, seconds: float, spread: float = 0) -> bool:
        now = time.monotonic()
        # Phones were not all opened in the same moment: the first look of each kind is somewhere in its turn.
        first = now + (spread or seconds) / self.hurry * (self.number * 37 % 100) / 100
        if now < self._due.setdefault(what, first):
            return False
        self._due[what] = now + seconds / self.hurry
        return True

    def _must_act(self, duty: Duty) -> bool:
        state = self.states[-1:]
        if state == ["confirm"]:
            return duty.agrees or duty.objects is not None
        return duty.enters and state == ["enter"] and time.monotonic() >= duty.over_at

    def _reload(self) -> None:
        known = {"If-None-Match": self._known["event"]} if "event" in self._known else {}
        page = self.visitor.ask_once("GET", self.event, None, known)
        self._known["event"] = page.headers.get("Etag", self._known.get("event", ""))

    def _at_table(self, duty: Duty) -> None:
        address = f"/t/{duty.token}/"
        known = {"X-Known": self._known[duty.token]} if duty.token in self._known else {}
        if self._must_act(duty):
            known = {}  # what it knows already is what it acts on
        page = self.visitor.ask_once("GET", address, None, known)
        if page.status != 200:
            return
        self._read(duty, page)
        if page.has_form("/side/") and not NOW.search(page.text):
            press = ("side", duty.side)
            self._read(duty, self.visitor.submit(page, page.form("/side/", press), press))
        elif self._must_act(duty):
            self._act(duty, page)

    def _act(self, duty: Duty, page: Page) -> None:
        if self.states[-1] == "enter":
            self._press(duty, page, "/levels/", duty.levels)
        elif duty.objects is not None:
            self._press(duty, page, "/not-right/", duty.objects)
        else:
            self._read(duty, self.visitor.submit(page, page.form("/agree/")))

    def _press(self, duty: Duty, page: Page, act: str, levels: tuple[str, str]) -> None:
        form = page.form(act)
        self._read(duty, self.visitor.submit(page, form, home_level=levels[0], away_level=levels[1]))

    def _read(self, duty: Duty, page: Page) -> None:
        mark, now = MARK.search(page.text), NOW.search(page.text)
        if mark and page.status == 200:
            self._known[duty.token] = mark[1]
        if now and self.states[-1:] != [now[1]]:
            self.states.append(now[1])

    def call(self, reason: str) -> None:
        """Calls a referee, from a window of its own."""
        assert self.duty is not None
        window = Visitor(self.visitor.port, self.visitor.diary, cookies=dict(self.visitor.cookies))
        page = window.get(f"/t/{self.duty.token}/")
        page = window.submit(page, page.form("/call/"), ("reason", reason))
        assert 'class="called"' in page.text

    def sit_down(self, duty: Duty | None) -> None:
        """Scans the code of a table, or goes back to the event's page."""
        self.states.clear()
        self.duty = duty


@dataclass
class Projector:
    """A screen on the wall: opened once by its key, then asking for news; it can lose its network."""

    port: int
    diary: Diary
    address: str
    hurry: float = 1
    leaves: threading.Event = field(default_factory=threading.Event)
    is_away: threading.Event = field(default_factory=threading.Event)
    problems: list[str] = field(default_factory=list)
    news: int = 0
    """How often something new came."""

    def hang(self) -> None:
        """The whole day."""
        visitor, mark = Visitor(self.port, self.diary), ""
        if visitor.get(self.address).status != 200:
            self.problems.append(f"{self.address} does not open")
        while not self.leaves.wait(SCREEN_POLL / self.hurry):
            if self.is_away.is_set():
                continue
            known = {"If-None-Match": mark} if mark else {}
            try:
                page = visitor.ask_once("GET", f"{self.address}now/?role=tables&page=1&pages=2", None, known)
            except NOT_HEARD:
                self.diary.note_silence()
                continue
            if page.status not in {200, 304}:
                self.problems.append(f"screen: {page.status}")
            self.news += page.status == 200
            mark = page.headers.get("Etag", mark)
