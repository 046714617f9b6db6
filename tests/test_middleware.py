"""The cache of public pages: fresh with every change, small, and blind to who is signed in."""

from __future__ import annotations

import gzip

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from guandan_site import middleware
from tests.builders import make_event, make_round
from tournaments.log import Act, record_act
from tournaments.models import Event

PAGE = "/e/cup/s1/standings/"


@pytest.fixture
def visitor(event) -> Client:
    """A visitor of an event with one published round."""
    make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    return Client()


def renamed(event: Event, name: str) -> None:
    """An official act, as far as a cache is concerned."""
    Event.objects.filter(pk=event.pk).update(name=name)
    record_act(event=event, act=Act.EVENT_CHANGED, by=None)


def test_a_page_is_made_once_and_asked_for_with_one_query(visitor, django_assert_num_queries):
    first = visitor.get(PAGE)
    with django_assert_num_queries(1):
        second = visitor.get(PAGE)
    assert (second.content, second.headers["ETag"]) == (first.content, first.headers["ETag"])
    assert second.headers["Cache-Control"] == "no-cache"


def test_an_official_act_shows_with_the_next_request(visitor, event):
    tag = visitor.get(PAGE).headers["ETag"]
    renamed(event, "决赛")
    answer = visitor.get(PAGE, headers={"If-None-Match": tag})
    assert (answer.status_code, "决赛" in answer.text) == (200, True)


def test_another_event_at_the_address_of_a_deleted_one_is_not_mistaken_for_it(visitor, event):
    visitor.get(PAGE)
    event.stages.all().delete()
    event.delete()
    make_event(slug="cup", rounds=2)
    assert Event.objects.get().revision == 0
    assert "第 1 轮" not in visitor.get(PAGE).text


@pytest.mark.parametrize("known", ["{}", '"other", {}', "  {}  "])
def test_a_page_that_the_browser_knows_costs_a_304(visitor, known):
    tag = visitor.get(PAGE).headers["ETag"]
    for sent in (tag, tag.removeprefix("W/")):
        answer = visitor.get(PAGE, headers={"If-None-Match": known.format(sent)})
        assert (answer.status_code, answer.content, answer.headers["ETag"]) == (304, b"", tag)
        assert "Content-Length" not in answer.headers


def test_pages_travel_compressed_to_browsers_that_can_read_it(visitor):
    plain, zipped = visitor.get(PAGE), visitor.get(PAGE, headers={"Accept-Encoding": "gzip, br"})
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.content) == plain.content
    assert "Content-Encoding" not in plain.headers
    for answer in (plain, zipped):
        assert answer.headers["Content-Length"] == str(len(answer.content))
        assert "Accept-Encoding" in answer.headers["Vary"]


@pytest.mark.parametrize(
    ("accepted", "is_zipped"),
    [
        ("gzip", True),
        ("br;q=1.0, GZIP ; q=0.5", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, identity", False),
        ("*;q=0", False),
        ("*, gzip;q=0", False),
        ("identity", False),
        ("", False),
    ],
)
def test_a_page_is_zipped_only_for_whoever_takes_it(visitor, accepted, is_zipped):
    answer = visitor.get(PAGE, headers={"Accept-Encoding": accepted})
    assert ("Content-Encoding" in answer.headers) is is_zipped


def test_head_answers_as_get_without_the_page(visitor):
    head, get = visitor.head(PAGE), visitor.get(PAGE)
    assert head.content == b""
    assert head.headers["ETag"] == get.headers["ETag"]
    assert head.headers["Content-Length"] == get.headers["Content-Length"]


def test_pages_of_officials_travel_compressed_and_sheets_as_they_are(visitor, assistant_client):
    zipped = {"Accept-Encoding": "gzip"}
    plain = assistant_client.get("/e/cup/desk/s1/r1/results/")
    answer = assistant_client.get("/e/cup/desk/s1/r1/results/", headers=zipped)
    assert (answer.headers["Content-Encoding"], answer.headers["Cache-Control"]) == ("gzip", "no-store")
    assert len(answer.content) < len(plain.content) / 3
    sheet = assistant_client.get("/e/cup/desk/prints/s1/r1/draw.xlsx", headers=zipped)
    assert (sheet.status_code, "Content-Encoding" in sheet.headers) == (200, False)


def test_languages_and_queries_are_pages_of_their_own(visitor):
    pages = {visitor.get(PAGE).text, visitor.get(PAGE, {"q": "3"}).text}
    visitor.cookies["django_language"] = "en"
    assert len(pages | {visitor.get(PAGE).text}) == 3


def test_an_official_s_page_is_neither_kept_nor_served_from_the_cache(visitor, chief, event):
    anonymous = visitor.get(PAGE).text
    visitor.force_login(chief)
    own = visitor.get(PAGE)
    assert own.headers["Cache-Control"] == "no-store"
    assert "ETag" not in own.headers
    assert chief.username in own.text
    visitor.logout()
    assert visitor.get(PAGE).text == anonymous


def test_a_private_event_is_served_by_no_cache(visitor, event):
    tag = visitor.get(PAGE).headers["ETag"]
    Event.objects.update(is_public=False)
    assert visitor.get(PAGE, headers={"If-None-Match": tag}).status_code == 404


def test_what_says_no_store_is_made_anew(visitor):
    answer = visitor.get("/e/cup/clock.json")
    assert (answer.headers["Cache-Control"], "ETag" in answer.headers) == ("no-store", False)


def test_the_oldest_pages_make_room(visitor, monkeypatch):
    """Whoever asks for ever new addresses fills no memory."""
    monkeypatch.setattr(middleware, "CACHED_BYTES", 3 * len(gzip.compress(visitor.get(PAGE).content)))
    for number in range(6):
        visitor.get(PAGE, {"q": f"x{number}"})
    assert queries(visitor, "x5") == 1
    assert queries(visitor, "x0") > 1


def queries(visitor: Client, wanted: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        visitor.get(PAGE, {"q": wanted})
    return len(captured)


@pytest.mark.parametrize(
    ("act", "page"),
    [
        ("/e/cup/desk/draw/publish/", "/e/cup/desk/draw/"),
        ("/e/cup/desk/round/close/", "/e/cup/desk/"),
        ("/e/cup/desk/stages/1/order/", "/e/cup/desk/stages/"),
        ("/e/cup/desk/s1/r1/results/3/", "/e/cup/desk/s1/r1/results/"),
        ("/logout/", "/"),
    ],
)
def test_a_browser_at_the_address_of_an_act_is_led_to_its_page(visitor, chief_client, act, page):
    browser = {"Accept": "text/html,*/*;q=0.8"}
    answer = chief_client.get(act, headers=browser)
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert "请在这一页再点一次" in chief_client.get(page, headers=browser).text
    assert chief_client.get(act).status_code == 405, "no page was asked for"


def test_a_phone_that_loads_a_refused_act_again_sees_its_table(visitor):
    answer = visitor.get("/t/abc/levels/", headers={"Accept": "text/html"})
    assert (answer.status_code, answer["Location"]) == (302, "/t/abc/")
