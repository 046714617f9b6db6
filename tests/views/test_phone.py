"""A player's phone: it remembers the team, shows its table first, and every page is small."""

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pairing.models import Publication
from tests.builders import make_event, make_result, make_round, player_name
from tournaments.models import Clock, Event, Round, RoundStatus

pytestmark = pytest.mark.django_db
SEATING = [(1, 2), (3, 4), (5, 6), (7, None)]
MOST_BYTES = 30_000


@pytest.fixture
def played(event) -> Round:
    """Round 1 closed, round 2 being played; team 8 was never seated."""
    first = make_round(event, SEATING, status=RoundStatus.COMPLETED)
    for table in (1, 2, 3):
        make_result(first, table, 10, 7)
    round_ = make_round(event, [(1, 3), (2, 7), (4, 6), (5, None)], number=2)
    Clock.objects.create(round=round_, length=2700)
    return round_


def find(client, **asked):
    return client.get(reverse("find_team", args=["cup"]), asked)


def page(client, name: str = "event", *more) -> str:
    answer = client.get(reverse(name, args=["cup", *more]))
    assert answer.status_code == 200
    return answer.content.decode()


class TestMyTeam:
    def test_found_once_it_leads_from_then_on(self, client, played):
        assert 'class="my-table"' not in page(client)
        answer = find(client, q="３")
        assert answer.headers["Location"] == reverse("event", args=["cup"])
        cookie = answer.cookies["my_team"]
        assert (cookie.value, cookie["path"], cookie["samesite"]) == ("3", "/e/cup/", "Lax")
        assert cookie["httponly"]
        shown = page(client)
        assert '<p class="my-table"><b>1</b>' in shown
        assert "您在" in shown
        assert f"<b>1</b> {player_name(3)} · {player_name(4)}" in shown
        assert "45:00" in shown
        assert re.search(r"第 1 轮对 4 .*：\s*<b>10 : 7 胜</b> · 16 分", shown)
        assert re.search(r"第 <b>\d</b> 名，共 8 队 · <b>16</b> 分", shown)
        assert reverse("team", args=["cup", 3]) in shown

    def test_by_name_in_one_tap_of_a_list(self, client, played):
        shown = find(client, q="伟").content.decode()
        assert 'href="/e/cup/find/?mine=3"' in shown
        assert find(client, mine="3").headers["Location"] == reverse("event", args=["cup"])
        assert 'class="my-table"' in page(client)

    def test_another_team_is_only_looked_at(self, client, played):
        find(client, q="3")
        assert find(client, q="5").headers["Location"] == reverse("team", args=["cup", 5])
        assert 'href="/e/cup/teams/1/"' in find(client, q="伟").content.decode()
        assert "查别的队" in page(client)
        find(client, mine="5")
        assert "本轮轮空" in page(client)

    def test_not_me(self, client, played):
        find(client, q="3")
        find(client, forget="1")
        assert 'class="my-table"' not in page(client)
        assert "找我的队" in page(client)

    def test_each_phone_has_its_own_page_from_the_cache(self, client, played):
        shown = {}
        for number in ("1", "2", "1", "2"):
            client.cookies["my_team"] = number
            shown.setdefault(number, set()).add(page(client))
        assert [len(pages) for pages in shown.values()] == [1, 1]
        assert shown["1"] != shown["2"]

    @pytest.mark.parametrize("stored", ["99", "x", "", "-1", "999999999999", "<b>"])
    def test_a_number_of_no_team_is_no_team(self, client, played, stored):
        client.cookies["my_team"] = stored
        assert "找我的队" in page(client)

    def test_what_is_said_of_the_round(self, client, event, played):
        client.cookies["my_team"] = "8"
        assert "本轮没有您的比赛" in page(client)
        event.teams.filter(number=8).update(withdrawn_after=1)
        Event.objects.update(revision=7)
        assert "您的队已退赛" in page(client)
        client.cookies["my_team"] = "1"
        make_result(played, 1, 15, 2)
        Event.objects.update(revision=8)
        assert re.search(r"过A : 2 胜 · 26 分", page(client))

    def test_after_the_round_the_next_is_announced(self, client, event, played):
        client.cookies["my_team"] = "1"
        Round.objects.filter(pk=played.pk).update(status=RoundStatus.COMPLETED)
        Event.objects.update(revision=7)
        shown = page(client)
        assert "第 3 轮还没公布" in shown
        assert 'class="my-table"' not in shown

    def test_before_the_first_round(self, client, event):
        client.cookies["my_team"] = "1"
        shown = page(client)
        assert "尚未开始" in shown
        assert player_name(3) in shown

    def test_without_javascript_everything_is_there(self, client, played):
        find(client, q="3")
        shown = page(client)
        assert "onclick" not in shown
        assert re.search(r'<form action="/e/cup/find/"[^>]*>', shown)

    def test_a_correction_is_pointed_out(self, client, played):
        for version, seating in ((1, [[1, 3, 1]]), (2, [[1, 1, 3]])):
            at = played.stage.event.created_at
            gone = at if version == 1 else None
            Publication.objects.create(
                round=played,
                version=version,
                published_at=at,
                opened_at=at,
                withdrawn_at=gone,
                seating=seating,
            )
        assert "与第 1 版完全相同" in page(client)
        assert "与第 1 版完全相同" in page(client, "draw", 1, 2)


class TestSmallPages:
    """HTML, styles and scripts of a phone's page as they travel, without pictures."""

    @pytest.fixture(params=[48, 200])
    def big(self, request) -> Event:
        event = make_event(teams=request.param, departments=20, slug="cup")
        for number in (1, 2):
            numbers = range(1, request.param + 1)
            seating = list(zip(numbers[::2], numbers[1::2], strict=True))
            round_ = make_round(
                event,
                seating if number == 1 else [(home, away) for away, home in seating],
                number=number,
                status=RoundStatus.COMPLETED if number == 1 else RoundStatus.PUBLISHED,
            )
            if number == 1:
                for table in range(1, len(seating) + 1):
                    make_result(round_, table, 10, 3 + table % 6)
        Clock.objects.create(round=round_, length=2700)
        return event

    @pytest.mark.parametrize(
        "path",
        [
            "",
            "s1/r2/draw/",
            "s1/r2/draw/?by=number",
            "s1/r2/draw/?q=7",
            "s1/r2/changes/",
            "s1/r2/why/7/",
            "find/?q=%E4%BC%9F",
            "teams/7/",
            "s1/standings/",
            "s1/standings/r1/",
            "rules/",
        ],
    )
    def test_under_thirty_kilobytes(self, client, big, path):
        client.cookies["my_team"] = "7"
        answer = client.get(f"/e/cup/{path}", headers={"accept-encoding": "gzip"})
        assert answer.headers["Content-Encoding"] == "gzip"
        html = gzip.decompress(answer.content).decode()
        files = set(re.findall(r'(?:href|src)="/static/([\w.-]+\.(?:css|js))"', html))
        assert {name for name in files if name.endswith(".css")} == {"site.css", "public.css"}
        loaded = sum(len(gzip.compress((_static() / name).read_bytes(), 6)) for name in files)
        assert len(answer.content) + loaded < MOST_BYTES

    def test_query_counts(self, client, big, django_assert_num_queries):
        with django_assert_num_queries(12):
            client.get("/e/cup/")
        client.cookies["my_team"] = "7"  # the standings are kept from the page before
        with django_assert_num_queries(10):
            client.get("/e/cup/")

    def test_query_counts_of_the_other_pages(self, client, big):
        counts = {
            "s1/r2/draw/": 8,
            "s1/r2/draw/?by=number": 8,
            "s1/r2/draw/?q=7": 8,
            "s1/r2/changes/": 4,
            "s1/r2/why/7/": 14,
            "find/?q=%E4%BC%9F": 5,
            "teams/7/": 17,
            "s1/standings/": 10,
            "s1/standings/r1/": 10,
            "rules/": 4,
        }
        assert {path: _queries(client, big, path) for path in counts} == counts


def _queries(client: Client, event: Event, path: str) -> int:
    """What the page costs when nothing is kept from before."""
    Event.objects.filter(pk=event.pk).update(revision=F("revision") + 1)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(f"/e/cup/{path}").status_code == 200
    return len(captured)


def _static() -> Path:
    return Path(settings.STATICFILES_DIRS[0])
