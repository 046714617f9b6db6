"""The page of the second look, what the results page and the desk tell of it, and closing a round."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from pairing.services import close_round
from scoring.engine.results import MatchResult, Outcome
from scoring.models import Confirmation, RefereeCall, Result, Statement
from scoring.services import record_result
from tests.builders import make_event, make_round, make_user
from tests.services.test_second_looks import set_rules
from tournaments.models import RoundStatus
from tournaments.roles import ASSISTANT

DESK = "/e/cup/desk/"
CHECK = "/e/cup/desk/s1/r1/check/"
RESULTS = "/e/cup/desk/s1/r1/results/"


@pytest.fixture
def round_(event, assistant):
    set_rules(event)
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    for table, away in ((1, 7), (2, 8), (3, 9)):
        enter(round_, table, assistant, away)
    return round_


@pytest.fixture
def second_client(event, client):
    client.force_login(make_user("second", ASSISTANT, event))
    return client


def enter(round_, table, by, away):
    match = round_.matches.select_related("round__stage").get(table=table)
    entry = MatchResult(Outcome.PLAYED, 13, away)
    return record_result(match=match, by=by, entry=entry, expected_version=0).result


def line(round_, table, away, home="k", **more):
    match = round_.matches.get(table=table)
    seated = {"home": match.home.number, "away": match.away.number}
    levels = {"home_level": str(home), "away_level": str(away)}
    return {"version": 0, **seated, **levels, **more}


def stored(round_, table):
    return Result.objects.get(match__round=round_, match__table=table)


def text(response) -> str:
    page = re.sub(r"<script.*?</script>", "", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


class TestBlind:
    def test_every_table_but_ones_own_has_empty_boxes(self, round_, second_client):
        page = second_client.get(CHECK).content.decode()
        rows = re.findall(r'<tbody id="table-(\d+)"', page)
        boxes = re.findall(r'name="(?:home|away)_level" value="([^"]*)"', page)
        assert rows == ["1", "2", "3"]
        assert boxes == [""] * 6

    def test_nothing_of_the_first_entry_is_in_the_page(self, round_, second_client, assistant):
        points = "17 : 9"  # of K : 9
        page = second_client.get(CHECK).content.decode()
        table = page[page.index('<tbody id="table-3"') :]
        assert points not in table[: table.index("</tbody>")]
        assert "李" not in table

    def test_ones_own_entries_wait_for_somebody_else(self, round_, assistant_client):
        page = text(assistant_client.get(CHECK))
        assert "没有要您复核的桌" in page
        assert "您录入的、要由别人复核的桌： 1 , 2 , 3" in page

    def test_the_same_confirms_and_tells_so(self, round_, second_client):
        response = second_client.post(f"{CHECK}1/", line(round_, 1, 7), follow=True)
        assert "第 1 桌：两次录入一致，已确认。" in text(response)
        assert stored(round_, 1).is_confirmed

    def test_htmx_gets_the_line_back_without_boxes(self, round_, second_client):
        response = second_client.post(f"{CHECK}1/", line(round_, 1, 7), headers={"HX-Request": "true"})
        assert response.status_code == 200
        assert "level-box" not in response.content.decode()
        assert "已确认" in text(response)

    def test_something_else_goes_to_the_chief(self, round_, second_client, chief_client):
        second_client.post(f"{CHECK}2/", line(round_, 2, 9))
        page = text(chief_client.get(CHECK))
        assert re.search(r"K : 8 .*assistant.* K : 9 .*second（复核）", page)
        assert "另一个成绩" in page

    def test_own_entries_answer_409_with_a_sentence(self, round_, assistant_client):
        response = assistant_client.post(f"{CHECK}1/", line(round_, 1, 7))
        assert response.status_code == 409
        assert "这一桌是您录入的，要由别人复核。" in text(response)
        assert stored(round_, 1).is_unconfirmed

    def test_what_cannot_be_keeps_what_was_typed(self, round_, second_client):
        response = second_client.post(f"{CHECK}1/", line(round_, 1, 23))
        assert response.status_code == 422
        assert 'value="23"' in response.content.decode()
        assert not Statement.objects.exists()

    def test_two_second_officials_at_once(self, round_, second_client, chief_client):
        second_client.post(f"{CHECK}1/", line(round_, 1, 7))
        late = chief_client.post(f"{CHECK}1/", line(round_, 1, 8))
        assert late.status_code == 409
        assert "已经按这里的成绩确认。您录的是 K : 8" in text(late)

    def test_a_poll_tells_what_others_confirmed(self, round_, second_client, chief_client):
        page = second_client.get(CHECK).content.decode()
        known = ",".join(f"{table}.{_digit(stored(round_, table))}" for table in (1, 2, 3))
        state = re.search(r'data-entered="([^"]+)"', page)[1]
        ask = {"known": known, "entered": state}
        quiet = second_client.get(CHECK, ask, headers={"HX-Request": "true"})
        chief_client.post(f"{CHECK}1/", line(round_, 1, 7))
        news = second_client.get(CHECK, ask, headers={"HX-Request": "true"})
        assert (quiet.status_code, news.status_code) == (204, 200)
        assert re.findall(r'<tbody id="table-(\d+)"', news.content.decode()) == ["1"]

    @pytest.mark.django_db
    @pytest.mark.parametrize("teams", [8, 80])
    def test_queries(self, teams, client, django_assert_num_queries):
        event = make_event(slug=f"q{teams}", teams=teams)
        set_rules(event)
        round_ = make_round(event, [(home, home + 1) for home in range(1, teams, 2)])
        official = make_user(f"a{teams}", ASSISTANT, event)
        for match in round_.matches.all():
            Result.objects.create(
                match=match, outcome="played", home_level=9, away_level=7, confirmation="open"
            )
        client.force_login(official)
        with django_assert_num_queries(16):
            assert client.get(f"/e/q{teams}/desk/s1/r1/check/").status_code == 200


def _digit(result) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return digits[result.version % 36]


class TestClosedRound:
    @pytest.fixture(autouse=True)
    def _corrected(self, round_, chief):
        """Table 1 is corrected from K : 7 to K : 8 after its round was closed."""
        enter(round_, 4, chief, 10)
        Result.objects.update(confirmation=Confirmation.OFFICIAL)
        close_round(round=round_, by=chief)
        match = round_.matches.select_related("round__stage").get(table=1)
        facts = {"entry": MatchResult(Outcome.PLAYED, 13, 8), "expected_version": stored(round_, 1).version}
        record_result(match=match, by=chief, reason="写错", **facts)

    def test_the_desk_says_so_until_a_second_official_confirmed(self, round_, second_client, chief_client):
        told = "第 1 轮已结束，更正过的第 1 桌还要由另一人复核。"
        assert told in text(chief_client.get(DESK))
        page = second_client.get(DESK).content.decode()
        assert told in page
        assert f'href="{CHECK}"' in page
        assert re.findall(r'<tbody id="table-(\d+)"', second_client.get(CHECK).content.decode()) == ["1"]
        assert second_client.post(f"{CHECK}1/", line(round_, 1, 8)).status_code == 303
        assert stored(round_, 1).is_confirmed
        assert told not in text(chief_client.get(DESK))

    def test_another_value_is_no_decision_but_a_correction(self, round_, second_client, chief_client):
        second_client.post(f"{CHECK}1/", line(round_, 1, 7))
        assert "第 1 轮已结束，更正后的复核不一致：第 1 桌" in text(chief_client.get(DESK))
        page = chief_client.get(CHECK)
        assert "没有要录的" in text(page)
        assert "都已确认" not in text(page)
        seen = re.search(r'name="seen" value="([^"]+)"', page.content.decode())[1]
        form = {**line(round_, 1, ""), "home_level": "", "seen": seen, "reason": "看成绩单"}
        refused = chief_client.post(f"{CHECK}1/decide/", {**form, "choice": "official"})
        assert refused.status_code == 422
        assert "换成别的成绩就是更正" in text(refused)
        assert chief_client.post(f"{CHECK}1/decide/", {**form, "choice": "stored"}).status_code == 303
        assert stored(round_, 1).confirmation == "chief"


class TestDecision:
    @pytest.fixture(autouse=True)
    def _disputed(self, round_, second_client):
        second_client.post(f"{CHECK}2/", line(round_, 2, 9))

    def decide(self, client, round_, **more):
        page = client.get(CHECK).content.decode()
        found = re.search(r'name="seen" value="([^"]+)"', page)
        form = {"seen": found[1] if found else "", "reason": "以成绩单为准", "choice": "official"}
        return client.post(f"{CHECK}2/decide/", {**line(round_, 2, ""), "home_level": "", **form, **more})

    @pytest.mark.parametrize(
        ("more", "away"),
        [
            ({"choice": "stored"}, 8),
            ({"choice": "official"}, 9),
            ({"choice": "other", "home_level": "k", "away_level": "10"}, 10),
        ],
    )
    def test_the_chief_takes_one_or_types_a_third(self, round_, chief_client, more, away):
        assert self.decide(chief_client, round_, **more).status_code == 303
        assert (stored(round_, 2).away_level, stored(round_, 2).confirmation) == (away, "chief")

    @pytest.mark.parametrize(
        ("more", "words"),
        [
            ({"reason": " "}, "裁定必须写原因"),
            ({"choice": ""}, "请选一个成绩"),
            ({"choice": "home"}, "请选一个成绩"),
            ({"seen": "1-2"}, "期间又有新的录入"),
            ({"choice": "other", "home_level": "23", "away_level": "3"}, "“23”不是级。"),
        ],
    )
    def test_refusals_keep_the_choice(self, round_, chief_client, more, words):
        response = self.decide(chief_client, round_, **more)
        assert response.status_code == 422
        assert words in text(response)
        assert stored(round_, 2).is_unconfirmed

    def test_an_assistant_sees_both_and_decides_nothing(self, round_, second_client):
        assert "由主裁判裁定，请备好成绩单。" in text(second_client.get(CHECK))
        assert self.decide(second_client, round_).status_code == 403


class TestResultsPage:
    def test_it_marks_unconfirmed_confirmed_and_disputed(self, round_, second_client):
        second_client.post(f"{CHECK}1/", line(round_, 1, 7))
        second_client.post(f"{CHECK}2/", line(round_, 2, 9))
        page = second_client.get(RESULTS).content.decode()
        marks = {
            table: [word for word in ("未确认", "已确认", "不一致") if word in row]
            for table, row in re.findall(r'<tbody id="table-(\d+)"(.*?)</tbody>', page, re.DOTALL)
        }
        assert marks == {"1": ["已确认"], "2": ["不一致"], "3": ["未确认"], "4": []}

    def test_an_assistant_cannot_change_what_is_confirmed(self, round_, second_client):
        second_client.post(f"{CHECK}1/", line(round_, 1, 7))
        version = stored(round_, 1).version
        response = second_client.post(f"{RESULTS}1/", line(round_, 1, 8, version=version))
        assert response.status_code == 403
        assert "没有保存：K : 8。这一桌已确认" in text(response)

    def test_the_chief_corrects_with_a_reason(self, round_, second_client, chief_client):
        second_client.post(f"{CHECK}1/", line(round_, 1, 7))
        assert 'name="reason"' in chief_client.get(f"{RESULTS}?correct=1").content.decode()
        change = line(round_, 1, 8, version=stored(round_, 1).version)
        refused = chief_client.post(f"{RESULTS}1/", change)
        assert (refused.status_code, 'name="reason"' in refused.content.decode()) == (422, True)
        assert chief_client.post(f"{RESULTS}1/", {**change, "reason": "看错"}).status_code == 303
        assert stored(round_, 1).is_unconfirmed

    def test_without_a_second_look_the_page_is_as_ever(self, event, round_, second_client):
        set_rules(event, "off")
        page = text(second_client.get(RESULTS))
        assert "未确认" not in page
        assert "复核" not in page


class TestCalls:
    @pytest.fixture
    def call(self, event, round_):
        set_rules(event, "off", "confirm")
        return RefereeCall.objects.create(match=round_.matches.get(table=4), reason="cards")

    @pytest.mark.parametrize("name", ["desk", "results", "result_checks"])
    def test_every_page_shows_it_and_one_click_answers(self, call, second_client, name):
        args = ["cup"] if name == "desk" else ["cup", 1, 1]
        address = reverse(name, args=args)
        assert "第 4 桌叫裁判 缺牌 · 刚刚" in text(second_client.get(address))
        answer = second_client.post(f"/e/cup/desk/calls/{call.pk}/", {"back": name})
        assert (answer.status_code, answer.headers["Location"]) == (303, address)
        call.refresh_from_db()
        assert call.seen_by.username == "second"
        assert "叫裁判" not in text(second_client.get(address))

    def test_a_call_of_another_event_is_none(self, call, client):
        client.force_login(make_user("foreign", ASSISTANT, make_event(slug="other")))
        assert client.post(f"/e/other/desk/calls/{call.pk}/").status_code == 404


class TestClosing:
    @pytest.fixture(autouse=True)
    def _all_in(self, round_, assistant):
        enter(round_, 4, assistant, 10)

    def test_the_desk_says_what_is_missing(self, round_, chief_client):
        page = text(chief_client.get("/e/cup/desk/"))
        assert "成绩已齐，这些桌还没有复核：1、2、3、4。" in page

    def test_it_is_refused_until_a_reason_is_given(self, round_, chief_client):
        address = "/e/cup/desk/round/close/"
        refused = chief_client.post(address, {"round": round_.pk})
        assert refused.status_code == 422
        assert "第 1、2、3、4 桌的成绩未确认" in text(refused)
        assert "仍要结束第 1 轮" in text(chief_client.get(CHECK))
        assert chief_client.post(address, {"round": round_.pk, "reason": "散场"}).status_code == 303
        round_.refresh_from_db()
        assert round_.status == RoundStatus.COMPLETED

    def test_reports_go_on_marking_what_stayed_unconfirmed(self, round_, chief_client, client):
        chief_client.post("/e/cup/desk/round/close/", {"round": round_.pk, "reason": "散场"})
        assert "第 1 轮有 4 桌成绩未确认。" in text(client.get("/e/cup/s1/standings/"))
        assert "未确认" in text(client.get("/e/cup/teams/1/"))
        assert "未确认" in text(chief_client.get(RESULTS))


class TestSetting:
    ADDRESS = "/e/cup/desk/rules/confirmation/"

    def test_it_is_stored_and_stands_in_the_rules(self, event, administrator_client, client):
        response = administrator_client.post(self.ADDRESS, {"by": "official", "phones": "off"})
        assert response.status_code == 303
        assert "第二名工作人员按成绩单再录一遍" in text(client.get("/e/cup/rules/"))

    def test_teams_cannot_confirm_without_a_page(self, event, administrator_client):
        response = administrator_client.post(self.ADDRESS, {"by": "phones", "phones": "off"})
        assert response.status_code == 422
        assert "要由双方确认，就要打开桌上手机页。" in text(response)

    def test_off_the_rules_say_nothing(self, event, client):
        assert "复核" not in text(client.get("/e/cup/rules/"))
