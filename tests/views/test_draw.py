"""The public draw: found by table, number, name; nothing of a draft, in no form (case A17)."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from pairing.models import Draw
from pairing.services import close_round, discard_draft, draw_round, publish_round, withdraw_publication
from tests.builders import make_event, make_result, make_user
from tournaments.models import Event, Round
from tournaments.roles import CHIEF


def address(number: int, slug: str = "cup", stage: int = 1) -> str:
    return reverse("draw", args=[slug, stage, number])


def publish(round_: Round, chief) -> None:
    publish_round(round=round_, by=chief, expected_version=Draw.objects.get(round=round_).version)


def text(response) -> str:
    return response.content.decode()


@pytest.fixture
def published(event, chief) -> Round:
    round_ = draw_round(stage=event.stages.get(), by=chief, seed=3)
    publish(round_, chief)
    return Round.objects.get(pk=round_.pk)


@pytest.fixture
def second(published, event, chief) -> Round:
    """A draft of round 2 over a published and closed round 1."""
    for table in (1, 2, 3, 4):
        make_result(published, table, 10, 7)
    close_round(round=published, by=chief)
    return draw_round(stage=event.stages.get(), by=chief)


class TestPage:
    def test_by_table(self, client, published):
        page = text(client.get(address(1)))
        for match in published.matches.all():
            assert match.home.player_names in page
            assert match.away.player_names in page
        assert "v1" in page
        assert "第 1 轮对阵" in page

    def test_by_number(self, client, published):
        page = text(client.get(address(1), {"by": "number"}))
        assert page.index('<b class="team-number">1</b>') < page.index('<b class="team-number">8</b>')

    @pytest.mark.parametrize("wanted", ["3", "３", " 3 "])
    def test_find_by_number(self, client, published, wanted):
        match = published.seats.get(team__number=3).match
        page = text(client.get(address(1), {"q": wanted}))
        assert f"第 <b>{match.table}</b> 桌" in page
        assert page.count('class="found"') == 1

    def test_find_by_part_of_a_name(self, client, published, event):
        name = event.teams.get(number=5).players.first().name
        table = published.seats.get(team__number=5).match.table
        assert f"第 <b>{table}</b> 桌" in text(client.get(address(1), {"q": name[:2]}))

    @pytest.mark.parametrize("wanted", ["999", "没有这个人", "9" * 300, "%_", "'\"><script>"])
    def test_nobody_found(self, client, published, wanted):
        answer = client.get(address(1), {"q": wanted})
        assert answer.status_code == 200
        assert "没有找到" in text(answer)
        assert "<script>" not in text(answer)

    def test_bye_is_listed(self, client, db):
        event = make_event(teams=3, departments=3, slug="three")
        chief = make_user("three-chief", CHIEF, event)
        round_ = draw_round(stage=event.stages.get(), by=chief)
        publish(round_, chief)
        rests = round_.matches.get(away=None).home
        for query in ({}, {"by": "number"}, {"q": str(rests.number)}):
            assert "轮空" in text(client.get(address(1, "three"), query))

    def test_latest_leads_to_the_newest_published_round(self, client, second):
        answer = client.get(reverse("draw_latest", args=["cup"]))
        assert (answer.status_code, answer.headers["Location"]) == (302, address(1))

    def test_before_the_first_publication(self, client, event):
        answer = client.get(reverse("draw_latest", args=["cup"]))
        assert answer.status_code == 200
        assert "还没有公示对阵" in text(answer)

    def test_unchanged_page_costs_a_304(self, client, published):
        tag = client.get(address(1)).headers["ETag"]
        assert client.get(address(1), headers={"If-None-Match": tag}).status_code == 304

    def test_a18_names_are_shown_literally(self, client, published, event):
        event.teams.get(number=1).players.update(name="</script><script>alert(2)</script>")
        Event.objects.update(name="决赛</title><svg onload=alert(3)>")
        for query in ({}, {"by": "number"}, {"q": "1"}, {"q": "<img src=x onerror=alert(1)>"}):
            page = text(client.get(address(1), query))
            assert "<script>" not in page
            assert "<svg" not in page
            assert "<img" not in page
            assert "&lt;/script&gt;&lt;script&gt;alert(2)" in page

    @pytest.mark.parametrize("teams", [8, 200])
    def test_queries(self, client, db, django_assert_num_queries, teams):
        event = make_event(teams=teams, departments=8, slug="size")
        chief = make_user("size-chief", CHIEF, event)
        publish(draw_round(stage=event.stages.get(), by=chief, seed=1), chief)
        # revision; event, round, publication, matches, players twice, numbers
        with django_assert_num_queries(8):
            client.get(address(1, "size"), {"q": "3"})
        with django_assert_num_queries(1):
            client.get(address(1, "size"), {"q": "3"})


TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')


def bodies(client: Client, number: int, **headers: str) -> list[tuple]:
    """Status, content and what matters of the headers of a round's page, in every form of it."""
    answers = [
        client.get(address(number), {"by": "number", "q": "1"}, headers=headers),
        client.get(address(number), headers=headers),
        client.head(address(number), headers=headers),
        client.get(address(number), headers={**headers, "HX-Request": "true"}),
        client.post(address(number), headers=headers),
    ]
    return [
        (
            answer.status_code,
            TOKEN.sub(b"", answer.content.replace(f"/r{number}/".encode(), b"/r-/")),
            answer.headers.get("ETag"),
            answer.headers.get("Cache-Control"),
        )
        for answer in answers
    ]


@pytest.fixture
def visitors(event, chief, assistant, administrator) -> dict[str, Client]:
    """Everybody who might ask, by role."""
    other = make_event(slug="other")
    users = {
        "assistant": assistant,
        "chief": chief,
        "administrator": administrator,
        "foreign chief": make_user("foreign", CHIEF, other),
    }
    clients = {"anonymous": Client()}
    for name, user in users.items():
        clients[name] = Client()
        clients[name].force_login(user)
    return clients


class TestNothingUnpublished:
    """A draft answers as round 9 does, whoever asks and however; so does a withdrawn publication, at once."""

    def test_draft_is_as_missing_as_round_nine(self, second, visitors):
        for name, client in visitors.items():
            assert bodies(client, 2) == bodies(client, 9), name

    def test_drawing_changes_no_public_page(self, second, visitors, chief, event):
        discard_draft(round=second, by=chief, expected_version=1)
        names = ["event", "draw_latest", "screen", "screen_data", "rules"]
        pages = [reverse(name, args=["cup"]) for name in names]
        pages += [address(1), reverse("standings", args=["cup", 1]), reverse("team", args=["cup", 1])]
        before = [visitors["anonymous"].get(page, follow=True).content for page in pages]
        draw_round(stage=event.stages.get(), by=chief)
        assert [visitors["anonymous"].get(page, follow=True).content for page in pages] == before

    def test_the_chiefs_tag_opens_nothing(self, second, visitors, chief):
        publish(second, chief)
        tag = visitors["anonymous"].get(address(2)).headers["ETag"]
        withdraw_publication(round=second, by=chief)
        for name, client in visitors.items():
            assert bodies(client, 2, **{"If-None-Match": tag}) == bodies(client, 9), name

    def test_published_then_withdrawn_then_published(self, second, visitors, chief):
        for expected in (404, 200, 404, 200):
            if expected == 200:
                publish(second, chief)
            elif Round.objects.get(pk=second.pk).is_published:
                withdraw_publication(round=second, by=chief)
            for name, client in visitors.items():
                assert client.get(address(2)).status_code == expected, name
        discard = Draw.objects.get(round=second).version
        withdraw_publication(round=second, by=chief)
        discard_draft(round=second, by=chief, expected_version=discard + 1)
        assert bodies(visitors["anonymous"], 2) == bodies(visitors["anonymous"], 9)

    def test_the_assistant_has_no_draw_board(self, second, visitors):
        board = reverse("draw_board", args=["cup"])
        assert visitors["assistant"].get(board).status_code == 403
        assert visitors["foreign chief"].get(board).status_code == 404
        assert visitors["anonymous"].get(board).status_code == 302

    def test_the_assistants_desk_does_not_know_the_draft(self, second, visitors):
        desk = reverse("desk", args=["cup"])
        with_draft = text(visitors["assistant"].get(desk))
        assert "草稿" not in with_draft
        assert "等主裁判编排第 2 轮" in with_draft
        assert "草稿" in text(visitors["chief"].get(desk))

    def test_private_event_is_missing_too(self, published, visitors):
        Event.objects.filter(slug="cup").update(is_public=False)
        assert visitors["anonymous"].get(address(1)).status_code == 404
        assert visitors["foreign chief"].get(address(1)).status_code == 404
        assert visitors["assistant"].get(address(1)).status_code == 200

    @pytest.mark.parametrize("number", [0, 2, 9, 99999999999999999999])
    def test_numbers_that_are_no_round(self, client, published, number):
        assert client.get(address(number)).status_code == 404
        assert client.get(address(1, stage=number or 3)).status_code == 404
