"""The guide in the program: open to everybody, and one press away on each page of an official."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from guandan_site.help.chapters import ORDER, chapter, page_address
from guandan_site.help.context import OF_SECTION
from tests.builders import make_event, make_round
from tournaments.models import RoundStatus


def help_link(response) -> str:
    """Where the page's way to the guide leads."""
    return unquote(re.findall(r'<a [^>]*href="(/help/[^"]*)"', response.content.decode())[0])


@pytest.mark.django_db
class TestTheGuide:
    @pytest.mark.parametrize("name", ORDER)
    def test_every_chapter_is_open_to_everybody(self, client, name, django_assert_num_queries):
        with django_assert_num_queries(0):
            page = client.get(f"/help/{name}/")
        assert page.status_code == 200
        text = page.content.decode()
        assert chapter(name).title in text
        assert "【" not in text
        assert ".md" not in re.sub(r"<[^>]*>", "", text).replace("CHANGELOG.md", "")

    def test_the_front_page_leads_to_every_chapter(self, client):
        text = client.get("/help/").content.decode()
        assert [name for name in ORDER if f'href="/help/{name}/"' not in text] == []

    def test_a_chapter_that_is_not_there(self, client):
        assert client.get("/help/nowhere/").status_code == 404
        assert client.get("/help/README/").status_code == 404

    def test_says_in_english_that_it_is_chinese(self, client):
        client.cookies["django_language"] = "en"
        text = client.get("/help/day/").content.decode()
        assert "The guide is written in Chinese." in text
        assert 'lang="zh-Hans"' in text

    def test_a_named_text_is_marked_and_links_stay_inside(self):
        body = chapter("day").body
        assert '<b class="named">控制台</b>' in body
        assert f'href="{page_address("trouble")}#' in body
        assert 'src="/static/guide/desk.png"' in body


@pytest.mark.django_db
class TestTheWayThere:
    def test_the_draw_board_leads_to_its_chapter(self, chief_client, event):
        assert help_link(chief_client.get("/e/cup/desk/draw/")) == "/help/chief/#编排"

    @pytest.mark.parametrize(
        ("page", "chapter"),
        [
            ("/e/cup/desk/", "/help/chief/#控制台"),
            ("/e/cup/desk/roster/", "/help/assistant/#名单"),
            ("/e/cup/desk/roster/import/", "/help/assistant/#导入名单"),
            ("/e/cup/desk/check-in/", "/help/assistant/#签到"),
            ("/e/cup/desk/teams/1/withdraw/", "/help/trouble/#有队要退赛"),
            ("/e/cup/desk/results/", "/help/assistant/#录入成绩"),
            ("/e/cup/desk/prints/", "/help/screens/#打印"),
            ("/e/cup/desk/screens/", "/help/screens/#大屏"),
            ("/e/cup/desk/log/", "/help/chief/#日志"),
        ],
    )
    def test_each_page_leads_to_its_own(self, chief_client, event, page, chapter):
        assert help_link(chief_client.get(page, follow=True)) == chapter

    def test_who_is_not_signed_in_finds_it_at_the_foot(self, client, event):
        assert help_link(client.get("/e/cup/")) == "/help/players/"
        assert help_link(client.get("/login/")) == "/help/trouble/#忘了密码"
        assert help_link(client.get("/e/nowhere/")) == "/help/"

    def test_every_part_of_the_navigation_has_its_chapter(self, client, administrator, event):
        client.force_login(administrator)
        parts = re.findall(
            r'<nav aria-label="主导航".*?</nav>', client.get("/e/cup/desk/").content.decode(), re.S
        )
        links = re.findall(r'href="([^"]+)"', parts[0])
        assert len(links) > 8
        assert [link for link in links if help_link(client.get(link, follow=True)) == "/help/"] == []

    def test_no_part_is_known_that_no_page_has(self):
        assert all(place[0] in ORDER for place in OF_SECTION.values())


@pytest.fixture
def event(db):
    event = make_event()
    make_round(event, [(1, 2), (3, 4)], status=RoundStatus.PUBLISHED)
    return event
