"""The officials of the day at their pages: set up, draw, publish, enter, look a second time, close."""

from __future__ import annotations

import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from random import Random

from tests.concurrency.day_phones import Duty, Phone, Projector
from tests.concurrency.shipped import ShippedServer
from tests.concurrency.venue import together
from tests.concurrency.visitors import Diary, Page, Visitor

SLUG = "day"
EVENT = f"/e/{SLUG}/"
DESK = f"{EVENT}desk/"
PASSWORD = "Sunny-hall-42"
ASSISTANT, CHIEF = "裁判助理", "主裁判"
LEAVER = "leaver"
"""An assistant who only helps until somebody takes the rights away."""
SURNAMES, GIVEN = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许", "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚"
LEVELS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
RESULTS_POLL = 4.0
PATIENCE = 120
VERSION = re.compile(r'data-table="(\d+)" data-version="(\d+)"')
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

Levels = tuple[str, str]


@dataclass(frozen=True)
class Seat:
    """A table of a round: who sits there, and the code on its card."""

    table: int
    home: int
    away: int
    token: str = ""


@dataclass(frozen=True)
class Slip:
    """A signed slip: what a table played, and when it comes to the desk."""

    seat: Seat
    levels: Levels
    at: float


@dataclass
class Office:
    """The desk, its eight assistants, the phones in the hall, and what all of them know to be true."""

    server: ShippedServer
    teams: int
    rounds: int
    hurry: float
    play_seconds: float
    assistants_wanted: int = 8
    chance: Random = field(default_factory=lambda: Random(2026))
    diary: Diary = field(default_factory=Diary)
    acts: Counter[str] = field(default_factory=Counter)
    """How often each act was confirmed to somebody; the log must say the same."""
    stored: dict[tuple[int, int], tuple[int, int, Levels]] = field(default_factory=dict)
    """By round and table what was confirmed last: home, away, levels."""
    phones: dict[int, Phone] = field(default_factory=dict)
    assistants: list[Visitor] = field(default_factory=list)
    _threads: list[threading.Thread] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def visitor(self, name: str = "") -> Visitor:
        """Somebody with a browser of their own."""
        return Visitor(self.server.port, self.diary, name)

    def did(self, *acts: str) -> None:
        """Acts that the server has confirmed."""
        with self._lock:
            self.acts.update(acts)

    def holds(self, round_: int, seat: Seat, levels: Levels) -> None:
        """A result that the server has confirmed."""
        with self._lock:
            self.stored[round_, seat.table] = (seat.home, seat.away, levels)

    # The morning

    def set_up(self, late: Iterable[int]) -> None:
        """First administrator, event, users, rules, roster, check-in of all but the late."""
        self.admin = self.visitor("admin")
        page = self.admin.get("/start/")
        typed = {"username": "admin", "full_name": "管理员", "password": PASSWORD, "again": PASSWORD}
        assert self.admin.submit(page, page.form("/start/", field="again"), **typed).status == 200
        page = self.admin.get("/events/new/")
        typed = {"name": "一日赛", "slug": SLUG, "preset": "default", "rounds": self.rounds, "minutes": "45"}
        page = self.admin.submit(page, page.form("/events/new/"), **typed)
        assert page.status == 200
        assert SLUG in page.address
        self.did("event_created")
        helpers = [LEAVER, *(f"a{n}" for n in range(1, self.assistants_wanted + 1))]
        accounts = [("chief", CHIEF), *((name, ASSISTANT) for name in helpers)]
        for name, role in accounts:
            self._appoint(name, role)
        signed_in = together(*(partial(self._signed_in, name) for name, _role in accounts))
        self.chief, self.leaver, *self.assistants = signed_in
        page = self.admin.get(f"{DESK}rules/confirmation/")
        page = self.admin.submit(page, page.form("/rules/confirmation/"), by="either", phones="enter")
        assert page.status == 200
        self.did("rules_changed")
        self._import_roster(set(late))
        self._check_in(set(late))

    def _appoint(self, name: str, role: str) -> None:
        page = self.admin.get("/users/new/")
        form = page.form("/users/new/")
        page = self.admin.submit(page, form, username=name, full_name=name, role=role, password=PASSWORD)
        assert page.status == 200
        self.appoint_again(name)

    def appoint_again(self, name: str) -> None:
        """Gives a user who exists rights in the event."""
        page = self.admin.get(f"{DESK}officials/")
        form = page.form("/officials/", field="user")
        found = re.search(rf'<option value="(\d+)"[^>]*>[^<]*\b{name}\b', page.text)
        assert found, name
        assert self.admin.submit(page, form, user=found[1]).status == 200
        self.did("officials_changed")

    def _signed_in(self, name: str) -> Visitor:
        visitor = self.visitor(name)
        page = visitor.get(DESK)
        page = visitor.submit(page, page.form("/login/"), username=name, password=PASSWORD)
        assert page.address.endswith(DESK)
        assert page.status == 200
        return visitor

    def _unit(self, number: int) -> int:
        return number % max(2, self.teams // 10) + 1

    def _import_roster(self, late: set[int]) -> None:
        """From a file; late teams have a department of their own, so that they may meet whoever is free."""
        assistant = self.assistants[0]
        names = [surname + a + b for surname in SURNAMES for a in GIVEN for b in GIVEN]
        lines = ["组号,单位,姓名1,姓名2"]
        for number in range(1, self.teams + 1):
            unit = "外单位" if number in late else f"单位{self._unit(number)}"
            lines.append(f"{number},{unit},{names[2 * number]},{names[2 * number + 1]}")
        page = assistant.get(f"{DESK}roster/import/")
        content = "\n".join(lines).encode("utf-8-sig")
        page = assistant.upload(page, page.form("/roster/import/"), "名单.csv", content)
        page = assistant.submit(page, page.form("/roster/import/", field="upload"))
        assert page.address.endswith(f"{DESK}roster/"), page.text
        self.did("roster_imported")

    def _check_in(self, late: set[int]) -> None:
        """The chief types the numbers of the first department, the assistants take whole ones."""
        chief, address = self.chief, f"{DESK}check-in/"
        page = chief.get(address)
        chief.submit(page, page.form("/check-in/use/"), ("act", "begin"))
        self.did("check_in_switched")
        page = chief.get(address)
        keys = re.findall(r'aria-label="单位(\d+)".*?name="department" value="([^"]*)"', page.text, re.S)
        whole = [key for unit, key in keys if unit != "1"]
        numbers = [n for n in range(1, self.teams + 1) if self._unit(n) == 1 and n not in late]
        work = [
            partial(self._check_in_units, whole[place :: len(self.assistants)], who)
            for place, who in enumerate(self.assistants)
        ]
        together(*work, partial(self._check_in_numbers, chief, numbers))

    def _check_in_units(self, keys: list[str], who: Visitor) -> None:
        for key in keys:
            page, press = who.get(f"{DESK}check-in/"), ("department", key)
            assert who.submit(page, page.form("/mark/", press), press).status == 200
            self.did("teams_checked_in")

    def _check_in_numbers(self, who: Visitor, numbers: Iterable[int]) -> None:
        for number in numbers:
            page = who.get(f"{DESK}check-in/")
            page = who.submit(page, page.form("/find/"), q=number)
            assert page.status == 200, page.text
            self.did("teams_checked_in")

    def open_phones(self, projectors: int) -> None:
        """Every team takes out its phone; the chief hangs up the projectors."""
        self.projectors = [self._hang_up(f"{place}号屏") for place in range(1, projectors + 1)]
        for number in range(1, self.teams + 1):
            self.phones[number] = Phone(self.visitor(), number, EVENT, self.hurry)
        carried: list[Callable[[], None]] = [phone.carry for phone in self.phones.values()]
        carried += [projector.hang for projector in self.projectors]
        self._threads = [threading.Thread(target=each, daemon=True) for each in carried]
        for thread in self._threads:
            thread.start()

    def _hang_up(self, name: str) -> Projector:
        page = self.chief.get(f"{DESK}screens/")
        page = self.chief.submit(page, page.form("/screens/", field="distance"), name=name)
        address = page.links(rf"{EVENT}screen/[^/]+/$")[-1]
        self.did("screen_added")
        return Projector(self.server.port, self.diary, address[address.index("/e/") :], self.hurry)

    def close_phones(self) -> list[str]:
        """The evening; what went wrong on phones and projectors."""
        everybody = [*self.phones.values(), *self.projectors]
        for one in everybody:
            one.leaves.set()
        for thread in self._threads:
            thread.join(PATIENCE)
        return [problem for one in everybody for problem in one.problems]

    # A round

    def draw(self, number: int, press: tuple[str, str] | None = None) -> None:
        """The chief draws the next round."""
        page = self.chief.get(f"{DESK}draw/")
        page = self.chief.submit(page, page.form("/draw/make/"), press)
        assert page.status == 200, page.text
        assert page.has_form("/draw/publish/")
        self.did("round_drawn")
        if press is not None:
            self.did("teams_absent")

    def publish(self, number: int) -> None:
        """Publishes the draft: every second round to the hall first, then to the phones."""
        audience = "hall" if number % 2 == 0 else "everybody"
        page = self.chief.get(f"{DESK}draw/")
        form = page.form("/draw/publish/")
        by_hand = {"reason": "主裁判调整"} if "reason" in form.names else {}
        page = self.chief.submit(page, form, ("audience", audience), **by_hand)
        assert page.status == 200, page.text
        self.did("round_published")
        if audience == "hall":
            assert f"/r{number}/draw/" not in self.visitor().get(f"{EVENT}draw/").address
            page = self.chief.get(DESK)
            self.chief.submit(page, page.form("/draw/open/"))
            self.did("round_opened")

    def seats(self, number: int) -> list[Seat]:
        """Who sits where, with the codes of the printed cards."""
        codes = self.chief.get(f"{DESK}s1/r{number}/codes/")
        tokens = re.findall(r'class="table-number">(\d+)</th>.*?href="/t/([^/"]+)/"', codes.text, re.S)
        by_table = {int(table): token for table, token in tokens}
        page = self.assistants[0].get(f"{DESK}s1/r{number}/results/")
        seats = []
        for form in page.forms:
            found = re.search(r"/results/(\d+)/$", form.action)
            if found:
                told = dict(form.fields)
                table = int(found[1])
                seats.append(Seat(table, int(told["home"]), int(told["away"]), by_table[table]))
        assert len(seats) == len(by_table) > 0
        return seats

    def start_clock(self) -> None:
        page = self.chief.get(DESK)
        self.chief.submit(page, page.form("/clock/start/"))
        self.did("clock_started")

    def levels(self) -> Levels:
        """What a table played; a few are equal."""
        home, away = self.chance.choice(LEVELS), self.chance.choice(LEVELS)
        return home, away

    def play(self, number: int, seats: list[Seat], meanwhile: Callable[[], None]) -> None:
        """Half of the tables enter on their phones, half bring slips; something happens meanwhile."""
        begun = time.monotonic()
        slips: list[Slip] = []
        for seat in seats:
            levels, at = self.levels(), begun + self.chance.uniform(0, self.play_seconds)
            by_phone = seat.table % 2 == 0
            self.sit_at(seat, levels if by_phone else None, at)
            if by_phone:
                self.did("result_stated", "result_entered")
                self.holds(number, seat, levels)
            else:
                slips.append(Slip(seat, levels, at))
        slips.sort(key=lambda slip: slip.at)
        several = len(self.assistants)
        piles = [slips[place::several] for place in range(several)]
        second: list[SimpleQueue[Slip]] = [SimpleQueue() for _assistant in self.assistants]
        work = [partial(self._work, number, place, piles, second) for place in range(several)]
        together(*work, meanwhile)

    def sit_at(self, seat: Seat, levels: Levels | None, at: float = 0) -> None:
        """Both teams scan the code of their table; with levels the home side enters, the other agrees."""
        enters = {"levels": levels, "over_at": at, "enters": True} if levels else {}
        self.phones[seat.home].sit_down(Duty(seat.token, "home", **enters))
        self.phones[seat.away].sit_down(Duty(seat.token, "away", agrees=levels is not None))

    def _work(
        self, number: int, place: int, piles: list[list[Slip]], second: list[SimpleQueue[Slip]]
    ) -> None:
        """An assistant enters one pile of slips as they come, and looks a second time at the pile before."""
        who, pile, asked = self.assistants[place], list(piles[place]), 0.0
        until = time.monotonic() + self.play_seconds + PATIENCE
        unchecked = len(piles[place - 1])
        page = who.get(f"{DESK}s1/r{number}/results/")
        while pile or unchecked:
            assert time.monotonic() < until, f"{who.name} waits for slips in vain"
            if pile and time.monotonic() >= pile[0].at:
                slip = pile.pop(0)
                self.enter(who, page, number, slip.seat, slip.levels)
                second[(place + 1) % len(self.assistants)].put(slip)
            elif not second[place].empty():
                slip = second[place].get()
                self.check(who, number, slip.seat, slip.levels)
                unchecked -= 1
            elif time.monotonic() - asked > RESULTS_POLL / self.hurry:
                self._poll_results(who, page)
                asked = time.monotonic()
            else:
                time.sleep(0.05)

    def enter(self, who: Visitor, page: Page, number: int, seat: Seat, levels: Levels) -> None:
        """Types a slip into its line, as the results page does."""
        form = page.form(f"/r{number}/results/{seat.table}/")
        answer = who.submit(page, form, htmx=True, home_level=levels[0], away_level=levels[1])
        assert answer.status == 200, answer.text
        assert 'class="result entered"' in answer.text, answer.text
        self.did("result_entered")
        self.holds(number, seat, levels)

    def check(self, who: Visitor, number: int, seat: Seat, levels: Levels) -> None:
        """Types a slip a second time, without seeing the first entry."""
        page = who.get(f"{DESK}s1/r{number}/check/")
        form = page.form(f"/r{number}/check/{seat.table}/")
        answer = who.submit(page, form, htmx=True, home_level=levels[0], away_level=levels[1])
        assert answer.status == 200, answer.text
        self.did("result_confirmed")

    def _poll_results(self, who: Visitor, page: Page) -> None:
        versions = [(int(table), int(version)) for table, version in VERSION.findall(page.text)]
        first = min((table for table, _version in versions), default=1)
        digits = "".join(DIGITS[version % 36] for _table, version in versions)
        told = re.search(r'data-entered="([^"]*)" data-seating="([^"]*)"', page.text)
        assert told
        query = f"?known={first}.{digits}&entered={told[1]}&seating={told[2]}"
        who.get(page.address.split("?")[0] + query, HX_Request="true")

    def wait_until_confirmed(self, number: int) -> None:
        """The chief waits at the desk until its big button closes the round."""
        until, seen = time.monotonic() + PATIENCE, ""
        while time.monotonic() < until:
            page = self.chief.get(DESK, HX_Request="true", If_None_Match=seen)
            if page.status == 200 and page.has_form("/round/close/"):
                return
            seen = page.headers["Etag"]
            time.sleep(5 / self.hurry)
        text = self.chief.get(DESK).text
        raise AssertionError(f"round {number} does not end: {' '.join(re.sub('<[^>]*>', ' ', text).split())}")

    def close(self, number: int) -> None:
        """Presses the desk's big button; the phones put their tables away."""
        page = self.chief.get(DESK)
        page = self.chief.submit(page, page.form("/round/close/"))
        assert page.status == 200
        assert not page.has_form("/round/close/")
        self.did("round_closed")
        for phone in self.phones.values():
            phone.sit_down(None)

    def act_on_team(self, who: Visitor, number: int, act: str, **typed: object) -> Page:
        """A button of a team's page at the check-in."""
        page = who.get(f"{DESK}check-in/{number}/")
        press = ("act", act)
        page = who.submit(page, page.form(f"/check-in/{number}/", press), press, **typed)
        assert page.status == 200, page.text
        return page
