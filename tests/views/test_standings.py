"""Standings and team pages, as players and officials see them."""

from __future__ import annotations

import re

import pytest

from scoring.models import Adjustment
from tests.builders import make_event, make_result, make_round
from tests.services.test_standings import A13_RULES, full_rounds
from tournaments.log import Act, record_act
from tournaments.models import RoundStatus

PAGE = "/e/cup/s1/standings/"
PAYLOADS = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "{{7*7}}${7*7}",
    "\"'><b>x",
]


def text(client, address=PAGE) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def rows(page: str) -> list[tuple[int, int]]:
    """Place and number of each row, in order."""
    found = re.findall(r'<tr id="team-(\d+)".*?<td class="place"><b>(\d+)</b>', page, re.DOTALL)
    return [(int(place), int(number)) for number, place in found]


def row(page: str, number: int) -> str:
    return re.search(rf'<tr id="team-{number}".*?</tr>', page, re.DOTALL).group(0)


@pytest.fixture
def a13(db):
    event = make_event(teams=4, rules=A13_RULES)
    first = make_round(event, [(1, 2), (3, 4)], status=RoundStatus.COMPLETED)
    make_result(first, 1, 10, 7)
    make_result(first, 2, 15, 2)
    make_result(make_round(event, [(1, 3), (2, 4)], number=2), 2, 10, 7)
    return event


class TestStandings:
    def test_a13_only_finished_matches_count_and_the_page_says_what_is_open(self, a13, client):
        page = text(client)
        assert rows(page) == [(1, 2), (2, 3), (3, 1), (4, 4)]
        opponents = [re.search(r'key-value">(\d+)<', row(page, number)).group(1) for number in (1, 2, 3, 4)]
        assert opponents == ["26", "26", "10", "52"]
        assert "第 2 轮尚未结束" in page
        assert "2 桌中已交 1 桌" in page

    def test_a_round_without_a_result_is_no_zero_among_the_best_rounds(self, a13, client):
        a13.stages.update(rules={**A13_RULES, "ranking": ["best_rounds"]})
        page = text(client)
        assert re.search(r'key-value">([^<]+)<', row(page, 1)).group(1) == "16, –"
        assert re.search(r'key-value">([^<]+)<', row(page, 2)).group(1) == "16, 10"
        assert "16, –" in text(client, "/e/cup/teams/1/")

    def test_the_bye_of_a_round_without_results_is_explained_and_not_set_off(self, db, client):
        event = make_event(teams=5)
        round_ = make_round(event, [(1, 2), (3, 4), (5, None)])
        page = text(client)
        assert rows(page)[0] == (1, 5)
        assert "2 桌中已交 0 桌，名次还会变。 轮空队的分已先计入。" in page
        assert "set-off" not in page
        make_result(round_, 1, 15, 2)
        record_act(event=event, act=Act.RESULT_ENTERED, by=None)
        assert 'class="set-off place-1' in row(text(client), 1)

    def test_a_bye_that_is_worth_nothing_needs_no_word(self, db, client):
        make_round(make_event(teams=3, rules={"scoring": {"bye": 0}}), [(1, 2), (3, None)])
        assert "轮空队的分" not in text(client)

    def test_a14_equal_teams_share_a_rank_in_ten_reloads(self, client, db):
        event = make_event(teams=4, rules={"ranking": ["points", "head_to_head", "wins", "best_rounds"]})
        round_ = make_round(event, [(1, 2), (3, 4)], status=RoundStatus.COMPLETED)
        make_result(round_, 1, 10, 7)
        make_result(round_, 2, 10, 7)
        seen = {tuple(rows(text(client))) for _ in range(10)}
        assert seen == {((1, 1), (1, 3), (3, 2), (3, 4))}
        assert text(client).count('<span class="shared">并列</span>') == 4

    def test_each_row_says_in_words_what_set_it_below(self, a13, client):
        page = text(client)
        assert '<td class="side-column why">对手积分少 16</td>' in row(page, 3)
        assert '<td class="side-column why">积分少 10</td>' in row(page, 1)
        assert '<td class="side-column why"></td>' in row(page, 2)

    def test_after_a_round(self, a13, client):
        page = text(client, f"{PAGE}r1/")
        assert rows(page) == [(1, 3), (2, 1), (3, 2), (4, 4)]
        assert "尚未结束" not in page

    def test_a_draft_answers_as_a_round_that_does_not_exist(self, a13, client):
        make_round(a13, [(1, 4), (2, 3)], number=3, status=RoundStatus.DRAFT)
        assert client.get(f"{PAGE}r3/").status_code == client.get(f"{PAGE}r9/").status_code == 404
        assert "第 3 轮" not in text(client)

    def test_a_draft_is_hidden_from_officials_too(self, a13, chief_client):
        make_round(a13, [(1, 4), (2, 3)], number=3, status=RoundStatus.DRAFT)
        assert chief_client.get(f"{PAGE}r3/").status_code == 404

    @pytest.fixture
    def event(self, a13):
        """The officials' fixtures belong to this very event."""
        return a13

    @pytest.mark.parametrize(
        "address", ["/e/cup/s9/standings/", f"/e/cup/s{'9' * 24}/standings/", f"{PAGE}r0/"]
    )
    def test_what_does_not_exist(self, a13, client, address):
        assert client.get(address).status_code == 404

    def test_before_the_first_round(self, client, db):
        make_event()
        assert "有了成绩，这里就有排名" in text(client)

    def test_search_marks_the_team(self, a13, client):
        page = text(client, f"{PAGE}?q=3")
        assert "is-found" in row(page, 3)
        assert page.count("is-found") == 1
        name = a13.teams.get(number=4).players.first().name
        assert "is-found" in row(text(client, f"{PAGE}?q={name}"), 4)
        assert "排名里没有" in text(client, f"{PAGE}?q=无此人")

    def test_a_withdrawn_team_is_marked(self, a13, client):
        a13.teams.filter(number=4).update(withdrawn_after=1)
        assert "退赛" in row(text(client), 4)

    def test_a_private_event_is_hidden(self, a13, client):
        a13.is_public = False
        a13.save()
        assert client.get(PAGE).status_code == 404

    def test_officials_are_led_to_the_same_page(self, a13, chief_client):
        assert chief_client.get("/e/cup/desk/standings/").url == PAGE
        assert "处罚" in text(chief_client)

    @pytest.mark.parametrize("teams", [8, 200])
    def test_ten_queries_whatever_the_size(self, teams, client, db, django_assert_num_queries):
        full_rounds(make_event(teams=teams), 3)
        with django_assert_num_queries(10):
            assert client.get(PAGE).status_code == 200

    @pytest.mark.parametrize("payload", PAYLOADS)
    def test_names_are_data(self, client, db, payload):
        """A18."""
        event = make_event(teams=4)
        event.name = payload
        event.save()
        event.teams.get(number=1).players.update(name=payload[:40])
        event.departments.filter(teams__number=1).update(name=payload[:40])
        make_result(make_round(event, [(1, 2), (3, 4)]), 1, 10, 7)
        for address in (PAGE, "/e/cup/teams/1/", "/e/cup/teams/2/", f"{PAGE}?q={payload[:20]}"):
            page = text(client, address)
            assert "<img" not in page
            assert "alert(2)</script>" not in page
            assert "49" not in page
            assert "<b>x" not in page


class TestTeamPage:
    def test_rounds_with_levels_points_and_running_total(self, a13, client):
        page = text(client, "/e/cup/teams/2/")
        assert "7 : 10" in page
        assert "10 : 7" in page
        assert re.findall(r'<td class="number"><b>(\d+)</b></td>', page) == ["10", "26"]

    def test_the_table_of_a_round_to_be_played_is_large(self, a13, client):
        assert '<p class="now-table"><b>1</b></p>' in text(client, "/e/cup/teams/1/")
        assert "now-table" not in text(client, "/e/cup/teams/2/")

    def test_proof_against_both_neighbours(self, a13, client):
        page = text(client, "/e/cup/teams/3/")
        assert "为什么第 2 名排在第 1 名之后" in page
        assert "3 号队对手积分少 16" in page
        assert "为什么第 2 名排在第 3 名之前" in page
        assert "1 号队积分少 10" in page

    def test_proof_of_a_shared_rank(self, client, db):
        event = make_event(teams=4)
        round_ = make_round(event, [(1, 2), (3, 4)])
        make_result(round_, 1, 10, 7)
        make_result(round_, 2, 10, 7)
        page = text(client, "/e/cup/teams/1/")
        assert "为什么这两队并列第 1 名" in page
        assert "各项都相同" in page

    def test_adjustments_stand_with_their_reason(self, a13, client):
        team, stage = a13.teams.get(number=2), a13.stages.get()
        Adjustment.objects.create(stage=stage, team=team, round_number=1, points=-3, reason="迟到十分钟")
        page = text(client, "/e/cup/teams/2/")
        assert "扣分：迟到十分钟" in page
        assert re.findall(r'<td class="number"><b>(\d+)</b></td>', page) == ["7", "23"]

    def test_never_a_phone_or_a_remark(self, a13, client):
        team = a13.teams.get(number=2)
        team.remark = "左手"
        team.save()
        team.players.update(phone="13912340001")
        for address in ("/e/cup/teams/2/", PAGE):
            page = text(client, address)
            assert "13912340001" not in page
            assert "左手" not in page

    def test_a_draft_is_not_told(self, a13, client):
        before = text(client, "/e/cup/teams/2/")
        make_round(a13, [(2, 3), (1, 4)], number=3, status=RoundStatus.DRAFT)
        a13.revision += 1
        a13.save()
        assert text(client, "/e/cup/teams/2/") == before

    @pytest.mark.parametrize("number", ["99", "9" * 24, "0"])
    def test_a_team_that_does_not_exist(self, a13, client, number):
        assert client.get(f"/e/cup/teams/{number}/").status_code == 404

    def test_a_team_of_an_event_without_rounds(self, client, db):
        make_event()
        assert "桌号和对手会显示在这里" in text(client, "/e/cup/teams/1/")

    @pytest.mark.parametrize("teams", [8, 200])
    def test_seventeen_queries_whatever_the_size(self, teams, client, db, django_assert_num_queries):
        full_rounds(make_event(teams=teams), 3)
        with django_assert_num_queries(17):
            assert client.get("/e/cup/teams/3/").status_code == 200
