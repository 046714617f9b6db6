"""Nothing unpublished is seen, on no public address, by no server process, not for a moment (P3, case A17).

Two servers share the database: what the chief publishes or takes back at the one, the other shows or hides
with its very next answer, though its only worker has every page in its cache.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.concurrency.state import open_lines, round_id, seen_draft
from tests.concurrency.venue import Answer, Browser, Venue

FORMATS = ["swiss", "groups", "knockout"]
OF_A_ROUND = {
    "draw": ["s1/r{}/draw/", "s1/r{}/draw/?by=number", "s1/r{}/draw/?q=3"],
    "draw_changes": ["s1/r{}/changes/"],
    "why": ["s1/r{}/why/3/"],
    "standings_after": ["s1/standings/r{}/", "s1/standings/r{}/?q=3"],
}
"""Public addresses that name a round."""
OF_THE_EVENT = {
    "event": [""],
    "find_team": ["find/?q=3", "find/?q=%E5%BC%A0"],
    "rules": ["rules/"],
    "screen": ["screen/"],
    "screen_data": ["screen/now/"],
    "draw_latest": ["draw/"],
    "standings": ["s1/standings/", "s1/standings/?q=3"],
    "bracket": ["s1/bracket/"],
    "cross_table": ["s1/cross-table/"],
    "department_standings": ["departments/"],
    "team": ["teams/3/", "teams/8/"],
    "team_card": ["card/3/"],
    "partners": ["partners/"],
    "final_ranking": ["final/"],
    "clock_json": ["clock.json"],
}
"""Public addresses that show where the event stands."""
BY_KEY = {
    "screen_keyed": ["screen/hallkey23/"],
    "screen_keyed_data": ["screen/hallkey23/now/"],
    "screen_clock": ["screen/hallkey23/clock.json"],
}
"""Addresses of the hall's projector: whoever knows the key sees what the hall sees, and no draft either."""
BEHIND_THE_LOGIN = [
    "desk/",
    "desk/draw/",
    "desk/s1/r{}/results/",
    "desk/s1/r{}/versions/",
    "desk/s1/r{}/versions/1/",
    "desk/prints/s1/r{}/v1/draw-by-table.pdf",
    "desk/prints/s1/r{}/draw-by-table.pdf",
    "desk/prints/s1/r{}/draw-by-number.pdf",
    "desk/prints/s1/r{}/slips.pdf",
    "desk/prints/s1/r{}/draw.xlsx",
    "desk/prints/s1/r{}/standings.pdf",
    "desk/prints/s1/r{}/standings.xlsx",
    "desk/prints/s1/final.pdf",
    "desk/prints/s1/final.xlsx",
]
NEVER = 9
"""A round that does not exist."""
VARYING = {"Date", "Content-Length", "ETag"}

Seen = tuple[int, str, dict[str, list[str]]]


def test_the_addresses_above_are_all_public_ones():
    """A new public address needs a line here."""
    patterns: list[URLPattern | URLResolver] = [*get_resolver().url_patterns]
    named = set()
    while patterns:
        each = patterns.pop()
        if isinstance(each, URLResolver):
            patterns += each.url_patterns
        elif re.match(r"e/<slug:slug>/(?!desk/)", str(each.pattern)):
            named.add(each.name)
    assert named == {*OF_A_ROUND, *OF_THE_EVENT, *BY_KEY}


@pytest.fixture(params=FORMATS)
def slug(request) -> str:
    """An event for each format."""
    return f"leak-{request.param}"


@pytest.fixture
def ask(server, other_server, slug):
    """Asks a visitor's question at both servers, which must agree; the answer of the other one."""

    def asked(path: str) -> Answer:
        one, other = (each.browser().get(f"/e/{slug}/{path}") for each in (server, other_server))
        assert seen(one) == seen(other), path
        return other

    return asked


@pytest.fixture
def ask_other(other_server, slug):
    """Asks the server at which the chief does not work."""

    def asked(path: str, method: str = "GET", **headers: str) -> Answer:
        return other_server.browser().get(f"/e/{slug}/{path}", method, **headers)

    return asked


def seen(answer: Answer) -> Seen:
    """What a visitor can tell an answer by, without the time of day and the round that was asked for."""
    headers = {
        name: sorted(part for part in value.split("; ") if not part.startswith("expires="))
        for name, value in answer.headers.items()
        if name not in VARYING
    }
    return answer.status, re.sub(r'"now": \d+|(?<=/r)[29](?=/)', "", answer.text), headers


@pytest.fixture
def round_pages(ask, ask_other):
    """Every answer about a round: in full, for htmx, as head only, and to who claims to know it."""

    def asked(number: int) -> list[Answer]:
        paths = [path.format(number) for name in OF_A_ROUND for path in OF_A_ROUND[name]]
        variants: list[dict[str, str]] = [{"HX_Request": "true"}, {"method": "HEAD"}, {"If_None_Match": "*"}]
        return [ask(path) for path in paths] + [
            ask_other(path, **variant) for path in paths for variant in variants
        ]

    return asked


@pytest.fixture
def event_pages(ask):
    """Every answer about the event as it stands, those to the hall's projector too."""
    return lambda: [ask(path) for paths in (OF_THE_EVENT | BY_KEY).values() for path in paths]


@pytest.fixture
def visitors_pages(ask):
    """Every answer about the event to who has neither a login nor a screen's key."""
    return lambda: [ask(path) for paths in OF_THE_EVENT.values() for path in paths]


@pytest.fixture
def screen_pages(ask):
    """What the hall's projector gets."""
    return lambda: [ask(path) for paths in BY_KEY.values() for path in paths]


def number(venue: Venue, slug: str) -> int:
    """The number of the newest round."""
    return venue.value(f"SELECT number FROM tournaments_round WHERE id = {round_id(venue, slug)}")


def all_seen(answers: list[Answer]) -> list[Seen]:
    return [seen(answer) for answer in answers]


def statuses(answers: Iterable[Answer]) -> set[int]:
    return {answer.status for answer in answers}


@dataclass(frozen=True)
class Chief:
    """The chief at the first server: every act must work."""

    browser: Browser
    venue: Venue
    slug: str

    def act(self, name: str, fields: Mapping[str, Any] | None = None) -> None:
        assert self.browser.post(f"/e/{self.slug}/desk/{name}/", fields or {}).status == 303

    def publish(self, audience: str = "everybody") -> None:
        self.act("draw/publish", {**seen_draft(self.venue, self.slug), "audience": audience})

    def enter(self) -> None:
        """A result at every table of the newest round."""
        for table, typed in open_lines(self.venue, self.slug).items():
            self.act(f"s1/r{number(self.venue, self.slug)}/results/{table}", typed)

    def withdraw(self) -> None:
        self.act("draw/withdraw", {"round": round_id(self.venue, self.slug)})

    def play(self) -> None:
        """Draws, publishes, plays and closes the first round."""
        self.act("draw/make")
        self.publish()
        self.enter()
        self.act("round/close", {"round": round_id(self.venue, self.slug)})


def test_a_draft_cannot_be_told_from_nothing(venue, server, slug, ask, ask_other, round_pages, event_pages):
    chief = Chief(server.browser("chief"), venue, slug)
    chief.play()
    before, nothing = all_seen(event_pages()), all_seen(round_pages(NEVER))
    assert {status for status, _text, _headers in nothing} == {404}

    chief.act("draw/make")
    assert all_seen(round_pages(2)) == nothing
    assert all_seen(event_pages()) == before

    chief.publish()
    assert statuses(round_pages(2)) == {200}
    assert all_seen(event_pages()) != before
    known = {path: ask(path).headers["ETag"] for path in ("s1/r2/draw/", "screen/now/", "")}
    assert statuses(ask_other(path, If_None_Match=tag) for path, tag in known.items()) == {304}

    chief.withdraw()
    after = [ask_other(path, If_None_Match=tag).status for path, tag in known.items()]
    assert after == [404, 200, 200]
    assert all_seen(round_pages(2)) == nothing
    assert all_seen(event_pages()) == before

    chief.publish()
    assert statuses(round_pages(2)) == {200}
    assert "v2" in ask("s1/r2/draw/").text


@pytest.mark.parametrize("slug", [f"hall-{format_}" for format_ in FORMATS], indirect=True)
def test_what_only_the_hall_sees_cannot_be_told_from_nothing(
    venue, server, slug, round_pages, visitors_pages, screen_pages
):
    """Published to the hall, printed and played there, a round is to everybody else as one never drawn."""
    chief = Chief(server.browser("chief"), venue, slug)
    chief.play()
    before, nothing = all_seen(visitors_pages()), all_seen(round_pages(NEVER))

    hall_before = all_seen(screen_pages())

    chief.act("draw/make")
    assert all_seen(screen_pages()) == hall_before
    chief.publish("hall")
    assert all(now != then for now, then in zip(all_seen(screen_pages()), hall_before, strict=True))
    for step in (chief.enter, lambda: chief.act("clock/start")):
        assert all_seen(round_pages(2)) == nothing
        assert all_seen(visitors_pages()) == before
        step()
    assert all_seen(round_pages(2)) == nothing
    assert all_seen(visitors_pages()) == before
    sheet = chief.browser.get(f"/e/{slug}/desk/prints/s1/r2/draw.xlsx")
    assert sheet.status == 200

    chief.act("draw/open", {"round": round_id(venue, slug)})
    assert statuses(round_pages(2)) == {200}


@pytest.mark.parametrize("slug", ["key"], indirect=True)
def test_a_screen_without_its_key_shows_nothing(venue, server, ask, slug):
    """A guessed key answers alike before the draw, in the hall stage and after."""
    chief, guesses = Chief(server.browser("chief"), venue, slug), ("screen/aaaabbbbccccdd/", "screen/1/")
    chief.act("draw/make")
    before = [seen(ask(guess)) for guess in guesses]
    assert {status for status, _text, _headers in before} == {404}
    chief.publish("hall")
    assert [seen(ask(guess)) for guess in guesses] == before


@pytest.mark.parametrize("path", BEHIND_THE_LOGIN)
def test_sheets_lead_a_visitor_to_the_login(server, path):
    for number in (1, NEVER):
        for method in ("GET", "HEAD"):
            answer = server.browser().get("/e/leak-swiss/" + path.format(number), method, If_None_Match="*")
            assert (answer.status, answer.body) == (302, b"")
            assert answer.headers["Location"].startswith("/login/")
            assert "ETag" not in answer.headers


def test_a_forged_session_sees_what_a_visitor_sees(server):
    """A session cookie passes by the cache: what comes then holds no more."""
    stranger = Browser(server.browser().port, "nobody" * 5)
    answer = stranger.get(f"/e/leak-swiss/s1/r{NEVER}/draw/")
    assert seen(answer)[:2] == seen(server.browser().get(f"/e/leak-swiss/s1/r{NEVER}/draw/"))[:2]
