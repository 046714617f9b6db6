"""A table's phone page: what it shows, to whom, and that pressing twice does no harm."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.core.cache import cache
from django.test import Client
from pypdf import PdfReader

from guandan_site.prints.sheets import phones_of_tables
from pairing.phones import phones_address
from scoring.engine.results import MatchResult, Outcome
from scoring.models import RefereeCall, Result, Statement
from scoring.services import record_result
from scoring.table_codes import codes_of
from scoring.views import table_phone
from tests.builders import make_round
from tests.services.test_second_looks import set_rules
from tests.views.test_checks import text
from tournaments.models import Clock, RoundStatus


@pytest.fixture(autouse=True)
def _nobody_pressed_yet():
    cache.clear()


@pytest.fixture
def round_(event):
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    Clock.objects.create(round=round_, length=2700)
    set_rules(event, "phones", "enter")
    return round_


@pytest.fixture
def address(round_):
    return f"/t/{codes_of(round_)[1]}/"


@pytest.fixture
def phones(address):
    """A phone of each side that has chosen it."""
    found = {}
    for side in ("home", "away"):
        found[side] = Client()
        assert found[side].post(f"{address}side/", {"side": side}).status_code == 303
    return found


def levels(ours, theirs, version=0, **more):
    return {"home_level": ours, "away_level": theirs, "version": version, "home": 1, "away": 2, **more}


def seen(phone, address) -> int:
    return int(re.search(r'name="version" value="(\d+)"', phone.get(address).content.decode())[1])


class TestPage:
    def test_it_asks_for_the_side_once_and_remembers_it(self, address, client):
        assert "您是哪一队？" in text(client.get(address))
        answer = client.post(f"{address}side/", {"side": "away"})
        cookie = answer.cookies["side"]
        assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (address, True, "Lax")
        page = text(client.get(address))
        assert re.search(r"我方 2 .* 对手 1 ", page)
        assert "报成绩" in page

    def test_it_is_light(self, address, phones, settings):
        page = len(phones["home"].get(address).content)
        files = ("table.css", "table.js", "clock.js", "icon.svg")
        assets = sum((settings.BASE_DIR / "static" / name).stat().st_size for name in files)
        assert page + assets < 30_000

    def test_nobody_keeps_indexes_or_passes_on_its_address(self, address, client):
        for answer in (client.get(address), client.post(f"{address}side/", {"side": "home"})):
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
            assert answer.headers["Referrer-Policy"] == "same-origin"

    def test_it_knows_no_other_table(self, round_, address, phones, assistant):
        match = round_.matches.select_related("round__stage").get(table=2)
        entry = MatchResult(Outcome.PLAYED, 15, 4)
        record_result(match=match, by=assistant, entry=entry, expected_version=0)
        page = phones["home"].get(address).content.decode()
        names = {player.name for team in (match.home, match.away) for player in team.players.all()}
        assert not [name for name in names if name in page]

    def test_a_phone_that_knows_the_state_loads_nothing(self, address, phones):
        page = phones["home"].get(address).content.decode()
        mark = re.search(r'data-mark="(\w+)"', page)[1]
        assert phones["home"].get(address, headers={"X-Known": mark}).status_code == 204
        phones["away"].post(f"{address}levels/", levels("10", "7"))
        assert phones["home"].get(address, headers={"X-Known": mark}).status_code == 200

    def test_queries(self, address, phones, django_assert_num_queries):
        with django_assert_num_queries(6):
            phones["home"].get(address)

    def test_a_closed_round_says_so_kindly(self, round_, address, phones):
        phones["home"].post(f"{address}levels/", levels("10", "7"))
        phones["away"].post(f"{address}levels/", levels("10", "7"))
        round_.status = RoundStatus.COMPLETED
        round_.save()
        page = text(phones["home"].get(address))
        assert "第 1 轮已结束" in page
        assert "10 : 7" in page
        assert phones["home"].post(f"{address}levels/", levels("9", "7")).status_code == 409

    @pytest.mark.parametrize("how", ["draft", "revoked", "off", "never"])
    def test_what_is_not_there_answers_alike(self, event, round_, address, client, how):
        if how == "draft":
            round_.status = RoundStatus.DRAFT
            round_.save()
        elif how == "revoked":
            round_.table_codes.all().delete()
        elif how == "off":
            set_rules(event, "official", "off")
        else:
            address = "/t/AAAAAAAAAAAAAAAAAAAAAAAA/"
        answer, press = client.get(address), client.post(f"{address}side/", {"side": "home"})
        assert (answer.status_code, press.status_code) == (404, 404)
        unknown = client.get("/t/BBBBBBBBBBBBBBBBBBBBBBBB/").content.decode()
        assert answer.content.decode().replace(address, "") == unknown.replace(
            "/t/BBBBBBBBBBBBBBBBBBBBBBBB/", ""
        )

    def test_other_teams_at_the_table_are_asked_anew(self, round_, address, phones):
        match = round_.matches.get(table=1)
        match.home, match.away = match.away, match.home
        match.save()
        assert "您是哪一队？" in text(phones["home"].get(address))


class TestEntry:
    def test_one_enters_the_other_confirms(self, round_, address, phones):
        phones["home"].post(f"{address}levels/", levels("A", "过A"))
        assert "等待对方确认" in text(phones["home"].get(address))
        page = text(phones["away"].get(address))
        assert "对方填写" in page
        assert "A : 过A" in page
        version = seen(phones["away"], address)
        answer = phones["away"].post(f"{address}agree/", levels("", "", version))
        assert answer.status_code == 303
        result = Result.objects.get(match__round=round_, match__table=1)
        assert (result.home_level, result.away_level, result.confirmation) == (14, 15, "phones")
        assert "成绩已确认" in text(phones["home"].get(address))

    def test_a_repeated_post_changes_nothing(self, round_, event, address, phones):
        for _again in range(2):
            assert phones["home"].post(f"{address}levels/", levels("10", "7")).status_code == 303
        version = seen(phones["away"], address)
        for _again in range(2):
            answer = phones["away"].post(f"{address}agree/", levels("", "", version))
            assert answer.status_code == 303
        acts = list(event.log.order_by("pk").values_list("act", flat=True))
        assert acts == ["rules_changed", "result_stated", "result_entered"]

    def test_not_right_with_levels_goes_to_the_queue(self, round_, address, phones, chief_client):
        phones["home"].post(f"{address}levels/", levels("10", "7"))
        version = seen(phones["away"], address)
        phones["away"].post(f"{address}not-right/", levels("10", "8", version))
        for phone in phones.values():
            assert "双方填写不一致" in text(phone.get(address))
        queue = text(chief_client.get("/e/cup/desk/s1/r1/check/"))
        assert re.search(r"10 : 7 .*1 号队（手机）.* 10 : 8 .*2 号队（手机）", queue)

    def test_an_officials_entry_is_confirmed_by_both(self, event, round_, address, phones, assistant):
        set_rules(event, "either", "confirm")
        assert "祝比赛愉快" in text(phones["home"].get(address))
        match = round_.matches.select_related("round__stage").get(table=1)
        entry = MatchResult(Outcome.PLAYED, 10, 7)
        record_result(match=match, by=assistant, entry=entry, expected_version=0)
        for side in ("home", "away"):
            version = seen(phones[side], address)
            phones[side].post(f"{address}agree/", levels("", "", version))
        assert Result.objects.get(match=match).confirmation == "phones"

    def test_not_right_without_levels(self, event, round_, address, phones, assistant):
        match = round_.matches.select_related("round__stage").get(table=1)
        record_result(match=match, by=assistant, entry=MatchResult(Outcome.PLAYED, 10, 7), expected_version=0)
        version = seen(phones["home"], address)
        answer = phones["home"].post(f"{address}not-right/", levels("", "", version))
        assert answer.status_code == 303
        assert Statement.objects.get(match=match).content is None

    @pytest.mark.parametrize(
        ("sent", "status", "words"),
        [
            (levels("", "7"), 422, "请选好双方的级数。"),
            (levels("过A", "过A"), 422, "只有一方能过A"),
            (levels("23", "7"), 422, "23"),
            (levels("10", "7", home=5), 409, "这一桌换了队伍"),
        ],
    )
    def test_refusals_keep_what_was_chosen(self, address, phones, sent, status, words):
        answer = phones["home"].post(f"{address}levels/", sent)
        assert answer.status_code == status
        assert words in text(answer)
        if sent["away_level"] == "7" and status == 422:
            assert "<option selected>7</option>" in answer.content.decode()
        assert not Statement.objects.exists()

    def test_without_a_side_nothing_is_said(self, address, client):
        answer = client.post(f"{address}levels/", levels("10", "7"))
        assert answer.status_code == 422
        assert "请先选择您是哪一队。" in text(answer)

    def test_forfeits_are_the_referees(self, address, phones):
        page = phones["home"].get(address).content.decode()
        assert "弃权" not in page


class TestCall:
    def test_the_phone_sees_that_a_referee_saw_it(self, address, phones, assistant_client):
        phones["home"].post(f"{address}call/", {"reason": "cards"})
        phones["away"].post(f"{address}call/", {"reason": "rules"})
        assert "已叫裁判 缺牌" in text(phones["away"].get(address))
        call = RefereeCall.objects.get()
        assistant_client.post(f"/e/cup/desk/calls/{call.pk}/", {"back": "desk"})
        assert "裁判已看到" in text(phones["home"].get(address))

    def test_an_unknown_reason_is_refused(self, address, phones):
        assert phones["home"].post(f"{address}call/", {"reason": "hunger"}).status_code == 422


class TestLimits:
    def test_a_phone_gone_wild_is_told_to_wait(self, address, phones):
        for _press in range(table_phone.PRESSES_A_MINUTE):
            last = phones["home"].post(f"{address}call/", {"reason": "rules"})
        assert last.status_code == 429
        assert last.headers["Retry-After"] == "60"
        assert "请稍候" in text(last)
        assert phones["home"].get(address).status_code == 200
        assert RefereeCall.objects.count() == 1

    def test_a_large_hall_makes_nobody_forget_who_has_to_wait(self, address, phones):
        for _press in range(table_phone.PRESSES_A_MINUTE):
            phones["home"].post(f"{address}call/", {"reason": "rules"})
        for table in range(1_000):
            cache.add(f"table-phone:POST:{table}", 0, timeout=60)
        assert phones["home"].post(f"{address}call/", {"reason": "rules"}).status_code == 429


class TestSheets:
    def test_every_table_has_its_own_address_on_paper(self, event, round_, rf):
        event.public_address = "http://192.168.1.20:8000"
        round_.stage.refresh_from_db()
        assert phones_of_tables(round_, phones_address(rf.get("/"), event)) == {
            table: f"http://192.168.1.20:8000/t/{token}/" for table, token in codes_of(round_).items()
        }
        set_rules(event, "official", "off")
        round_.stage.refresh_from_db()
        assert phones_of_tables(round_, phones_address(rf.get("/"), event)) == {}

    def test_no_code_that_leads_a_phone_to_itself(self, event, round_, rf):
        event.public_address = "http://localhost:8000"
        round_.stage.refresh_from_db()
        assert phones_of_tables(round_, phones_address(rf.get("/"), event)) == {}

    def test_a_card_stands_on_each_table(self, round_, chief_client):
        answer = chief_client.get("/e/cup/desk/prints/s1/r1/cards.pdf")
        pages = PdfReader(BytesIO(answer.content)).pages
        assert [page.extract_text().count("轮") > 1 for page in pages] == [True] * 4


class TestPointsByDeals:
    def test_both_sides_tell_the_deals_that_they_won(self, event, round_, address, phones):
        stage = event.stages.get()
        stage.rules = {**stage.rules, "scoring": {"model": "per_deal"}}
        stage.save()
        page = phones["home"].get(address).content.decode()
        assert 'name="home_deals"' in page
        refused = phones["home"].post(f"{address}levels/", levels("10", "7"))
        assert refused.status_code == 422
        assert "请填" in text(refused)
        told = levels("10", "7", home_deals="2 1 0", away_deals="0 1 1")
        assert phones["home"].post(f"{address}levels/", told).status_code == 303
        assert "10 : 7" in text(phones["away"].get(address))
        assert phones["away"].post(f"{address}levels/", told).status_code == 303
        assert Result.objects.get().facts == {"home_deals": [2, 1, 0], "away_deals": [0, 1, 1]}
