"""The page on which officials enter results, through its addresses."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from scoring.engine.penalties import PenaltyAction, PenaltyRule
from scoring.models import Adjustment, Result
from scoring.penalties import cancel_penalty, give_penalty
from tests.builders import make_event, make_result, make_round, make_user
from tournaments.models import LogEntry, RoundStatus
from tournaments.roles import ASSISTANT

PAGE = "/e/cup/desk/s1/r1/results/"
HTMX = {"HX-Request": "true"}

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_(event):
    return make_round(event, [(1, 2), (3, 4), (5, 6), (7, None)])


def typed(home_level, away_level, *, home=1, away=2, version=0, **more):
    fields = {"home_level": home_level, "away_level": away_level, "home": home, "away": away}
    return fields | {"version": version} | more


def save(client, fields, table=1, **headers):
    return client.post(f"{PAGE}{table}/", fields, headers=headers)


def stored(round_, table=1):
    return Result.objects.filter(match__round=round_, match__table=table).first()


def line(response, table=1) -> str:
    """One table's line of the page or fragment."""
    found = re.search(rf'<tbody id="table-{table}".*?</tbody>', response.content.decode(), re.DOTALL)
    return found.group(0) if found else ""


class TestWhoMayEnter:
    def test_nobody_without_signing_in(self, round_, client):
        assert client.get(PAGE).status_code == 302
        assert save(client, typed("10", "7")).status_code == 302
        assert stored(round_) is None

    def test_no_official_of_another_event(self, round_, client):
        stranger = make_user("stranger", ASSISTANT, make_event(slug="other"))
        client.force_login(stranger)
        assert client.get(PAGE).status_code == 404
        assert save(client, typed("10", "7")).status_code == 404

    def test_a_draft_answers_as_a_round_that_does_not_exist(self, event, chief_client):
        make_round(event, [(1, 2)], status=RoundStatus.DRAFT)
        draft, absent = chief_client.get(PAGE), chief_client.get("/e/cup/desk/s1/r9/results/")
        assert (draft.status_code, absent.status_code) == (404, 404)
        assert save(chief_client, typed("10", "7")).status_code == 404

    @pytest.mark.parametrize("table", ["99", "9" * 5_000, "x"])
    def test_a_table_that_is_none_is_not_found(self, round_, assistant_client, table):
        assert assistant_client.get(PAGE, {"table": table}, headers=HTMX).status_code == 404

    def test_saving_is_a_post(self, round_, assistant_client):
        assert assistant_client.get(f"{PAGE}1/").status_code == 405


class TestThePage:
    def test_latest_goes_to_the_newest_published_round(self, event, round_, assistant_client):
        make_round(event, [(1, 3)], number=2)
        make_round(event, [(1, 4)], number=3, status=RoundStatus.DRAFT)
        assert assistant_client.get("/e/cup/desk/results/").url == "/e/cup/desk/s1/r2/results/"

    def test_latest_without_a_round_says_so(self, event, assistant_client):
        assert "还没有公示的轮次" in assistant_client.get("/e/cup/desk/results/").content.decode()

    def test_not_entered_never_looks_like_a_result(self, round_, assistant_client):
        make_result(round_, 2, 10, 7)
        page = assistant_client.get(PAGE)
        assert "未交" in line(page, 1)
        assert "score-points" not in line(page, 1)
        assert '<b class="score-points">16 : 10</b>' in line(page, 2)

    def test_progress_and_bye(self, round_, assistant_client):
        make_result(round_, 2, 10, 7)
        text = assistant_client.get(PAGE).content.decode()
        assert "<b>1</b> / 3" in text
        assert "轮空" in text

    def test_only_tables_not_entered(self, round_, assistant_client):
        make_result(round_, 2, 10, 7)
        page = assistant_client.get(f"{PAGE}?missing=1")
        assert line(page, 1)
        assert not line(page, 2)

    def test_a_table_number_leads_to_its_line_without_javascript(self, round_, assistant_client):
        assert assistant_client.get(f"{PAGE}?table=3").url == f"{PAGE}#table-3"

    def test_no_inline_style_or_script(self, round_, assistant_client):
        text = assistant_client.get(PAGE).content.decode()
        assert " style=" not in text
        assert not re.search(r"<script(?![^>]*(src=|application/json))", text)

    @pytest.mark.parametrize("tables", [4, 100])
    def test_twelve_queries_whatever_the_size(self, tables, client, django_assert_num_queries):
        event = make_event(teams=2 * tables, slug="size")
        round_ = make_round(event, [(2 * i - 1, 2 * i) for i in range(1, tables + 1)])
        for table in range(1, tables + 1, 2):
            make_result(round_, table, 10, 7)
        client.force_login(make_user("someone", ASSISTANT, event))
        with django_assert_num_queries(12):
            assert client.get("/e/size/desk/s1/r1/results/").status_code == 200


class TestSaving:
    def test_without_javascript_it_goes_back_to_the_line(self, round_, assistant_client):
        response = save(assistant_client, typed("k", "6"))
        assert (response.status_code, response["Location"]) == (303, f"{PAGE}#table-1")
        assert (stored(round_).home_level, stored(round_).away_level) == (13, 6)

    def test_with_htmx_the_line_shows_points_who_and_that_it_is_saved(self, round_, assistant_client):
        response = save(assistant_client, typed("+", "9"), **HTMX)
        assert response.status_code == 200
        assert "19 : 7" in line(response)
        assert "✓ 已存" in line(response)
        assert "assistant" in line(response)
        assert "<b>1</b> / 3" in response.content.decode()

    @pytest.mark.parametrize(
        ("home", "away", "outcome"),
        [("x", "", "forfeit_home"), ("", "x", "forfeit_away"), ("×", "弃权", "double_forfeit")],
    )
    def test_x_is_a_forfeit_of_that_side(self, round_, assistant_client, home, away, outcome):
        assert save(assistant_client, typed(home, away)).status_code == 303
        assert stored(round_).outcome == outcome

    def test_a_forfeit_with_a_level_on_the_other_side_is_refused(self, round_, assistant_client):
        response = save(assistant_client, typed("x", "9"), **HTMX)
        assert response.status_code == 422
        assert "另一方的级请留空" in line(response)

    def test_irregular_and_rulings_from_the_menu(self, round_, assistant_client):
        save(assistant_client, typed("", "", kind="irregular"))
        assert stored(round_).outcome == "irregular"
        save(assistant_client, typed("A", "9", home=3, away=4, kind="penalty_home"), 2)
        assert (stored(round_, 2).winner, stored(round_, 2).reason) == ("away", "penalty")
        assert "判主队负" in line(assistant_client.get(PAGE), 2)

    def test_clearing(self, round_, assistant_client):
        result = make_result(round_, 1, 10, 7)
        response = save(assistant_client, typed("10", "7", version=result.version, kind="clear"), **HTMX)
        assert response.status_code == 200
        assert "未交" in line(response)
        assert stored(round_) is None

    def test_what_is_refused_keeps_what_was_typed(self, round_, assistant_client):
        response = save(assistant_client, typed("+", "+"), **HTMX)
        assert response.status_code == 422
        assert "只有一方能过A" in line(response)
        assert line(response).count('value="+"') == 2
        whole_page = save(assistant_client, typed("+", "+"))
        assert whole_page.status_code == 422
        assert line(whole_page).count('value="+"') == 2
        assert line(whole_page, 2)

    def test_the_rules_ask_for_the_side_that_came_first(self, assistant_client, event):
        stage = event.stages.get()
        stage.rules = {"match": {"equal_levels": "first_to_reach"}}
        stage.save()
        round_ = make_round(event, [(1, 2)])
        response = save(assistant_client, typed("9", "9"), **HTMX)
        assert response.status_code == 422
        assert "哪一方先打到这一级" in line(response)
        save(assistant_client, typed("9", "9", reached_first="away"))
        assert stored(round_).winner == "away"

    def test_best_of_three_asks_for_each_game(self, assistant_client, event):
        stage = event.stages.get()
        stage.rules = {"match": {"best_of": 3}}
        stage.save()
        round_ = make_round(event, [(1, 2)])
        assert line(assistant_client.get(PAGE)).count("level-box") == 6
        undecided = save(assistant_client, typed("+", "9"), **HTMX)
        assert "胜负未定" in line(undecided)
        two_games = typed("+", "9", home_level_2="+", away_level_2="5")
        assert save(assistant_client, two_games).status_code == 303
        assert stored(round_).winner == "home"
        assert 'value="9"' in line(assistant_client.get(PAGE))

    def test_twenty_five_queries_a_save(self, round_, assistant_client, django_assert_num_queries):
        with django_assert_num_queries(25):
            save(assistant_client, typed("10", "7"), **HTMX)


class TestA15:
    """Requests that no page of ours would send: refused, nothing stored, nothing breaks."""

    @pytest.mark.parametrize(("home", "away"), [(5, 5), (5, 7), (7, 6), (6, 5), (0, 6), ("", ""), ("x", 6)])
    def test_teams_that_do_not_sit_at_the_table(self, round_, assistant_client, home, away):
        response = save(assistant_client, typed("10", "7", home=home, away=away), 3)
        assert response.status_code == 422
        assert stored(round_, 3) is None

    @pytest.mark.parametrize(
        "text", ["1", "16", "", "10.5", "−3", "-3", "0", "B", "9" * 24, "１６", "10 7", "\x00", "<b>"]
    )
    def test_levels_that_do_not_exist(self, round_, assistant_client, text):
        response = save(assistant_client, typed(text, "7", home=5, away=6), 3)
        assert response.status_code == 422
        assert stored(round_, 3) is None

    def test_full_width_k_is_a_king(self, round_, assistant_client):
        assert save(assistant_client, typed("Ｋ", "7", home=5, away=6), 3).status_code == 303
        assert stored(round_, 3).home_level == 13

    def test_both_sides_passed(self, round_, assistant_client):
        assert save(assistant_client, typed("A+", "A+", home=5, away=6), 3).status_code == 422
        assert stored(round_, 3) is None

    @pytest.mark.parametrize("version", ["", "-1", "x", "9" * 24])
    def test_a_version_that_no_page_showed(self, round_, assistant_client, version):
        assert save(assistant_client, typed("10", "7", version=version)).status_code == 422
        assert stored(round_) is None

    def test_a_table_of_a_finished_round(self, event, assistant_client):
        finished = make_round(event, [(1, 2)], status=RoundStatus.COMPLETED)
        make_result(finished, 1, 10, 7)
        response = save(assistant_client, typed("10", "8", version=1), **HTMX)
        assert response.status_code == 403
        assert "只有主裁判可以更正" in line(response)
        assert "10 : 8" in line(response)
        assert stored(finished).away_level == 7

    @pytest.mark.parametrize("address", ["r1/results/99/", "r1/results/0/", f"r{'9' * 24}/results/1/"])
    def test_tables_that_do_not_exist(self, round_, assistant_client, address):
        assert assistant_client.post(f"/e/cup/desk/s1/{address}", typed("10", "7")).status_code == 404

    def test_a_table_number_beyond_all_bounds(self, round_, assistant_client):
        assert assistant_client.post(f"{PAGE}{'9' * 24}/", typed("10", "7")).status_code == 404

    def test_a_bye_has_no_table(self, round_, chief_client):
        assert save(chief_client, typed("10", "7", home=7, away=""), 4).status_code == 404


class TestStale:
    def test_both_values_side_by_side_and_the_official_s_own_on_demand(
        self, event, round_, assistant_client, chief
    ):
        other = Client()
        other.force_login(chief)
        save(assistant_client, typed("10", "7"))
        refused = save(other, typed("10", "8"), **HTMX)
        assert refused.status_code == 422
        assert "10 : 7" in line(refused)
        assert "10 : 8" in line(refused)
        assert 'value="8"' in line(refused)
        assert save(other, typed("10", "8"), **HTMX).status_code == 422
        accept = re.search(r'name="accept" value="(\d+)"', line(refused)).group(1)
        assert save(other, typed("10", "8", accept=accept), **HTMX).status_code == 200
        assert stored(round_).away_level == 8

    def test_the_same_value_is_accepted_calmly(self, round_, assistant_client, chief_client):
        save(assistant_client, typed("10", "7"))
        response = save(chief_client, typed("10", "7"), **HTMX)
        assert response.status_code == 200
        assert "与先前录入的成绩相同" in line(response)
        assert LogEntry.objects.filter(act="result_entered").count() == 1

    def test_a_double_click_is_harmless(self, round_, assistant_client):
        first = save(assistant_client, typed("10", "7"), **HTMX)
        second = save(assistant_client, typed("10", "7"), **HTMX)
        assert (first.status_code, second.status_code) == (200, 200)
        assert "先前录入" not in line(second)

    def test_other_teams_at_the_table_meanwhile(self, round_, event, assistant_client):
        round_.matches.filter(table=1).update(home=event.teams.get(number=8))
        response = save(assistant_client, typed("10", "7"), **HTMX)
        assert response.status_code == 422
        assert "8 号队对 2 号队" in line(response)
        assert 'name="home" value="8"' in line(response)


class TestCompletedRound:
    @pytest.fixture
    def finished(self, event):
        round_ = make_round(event, [(1, 2), (3, 4)], status=RoundStatus.COMPLETED)
        make_result(round_, 1, 10, 7)
        make_result(round_, 2, 9, 7)
        return round_

    def test_is_read_only_to_assistants(self, finished, assistant_client):
        page = assistant_client.get(f"{PAGE}?correct=1")
        assert "<form" not in line(page)
        assert "更正" not in line(page)

    def test_the_chief_opens_one_line(self, finished, chief_client):
        page = chief_client.get(f"{PAGE}?correct=1")
        assert "更正的原因" in line(page, 1)
        assert "<form" not in line(page, 2)
        assert "?correct=2" in line(page, 2)

    def test_a_correction_needs_a_reason(self, finished, chief_client):
        refused = save(chief_client, typed("10", "8", version=1))
        assert refused.status_code == 422
        assert "更正必须写原因" in line(refused)
        assert 'value="8"' in line(refused)
        assert save(chief_client, typed("10", "8", version=1, reason="抄错")).status_code == 303
        assert stored(finished).away_level == 8
        assert LogEntry.objects.get().reason == "抄错"

    def test_nothing_is_cleared(self, finished, chief_client):
        response = save(chief_client, typed("", "", version=1, kind="clear", reason="抄错"))
        assert response.status_code == 422
        assert stored(finished) is not None


class TestPolling:
    def poll(self, client, known, entered=0, seating=None, page=PAGE):
        if seating is None:
            seating = re.search(r'data-seating="(\w+)"', client.get(page).content.decode()).group(1)
        query = {"known": known, "entered": entered, "seating": seating}
        return client.get(page, query, headers=HTMX)

    def test_nothing_new_has_no_content(self, round_, assistant_client):
        assert self.poll(assistant_client, "1.0,2.0,3.0").status_code == 204

    def test_only_lines_that_changed(self, round_, assistant_client):
        make_result(round_, 2, 10, 7)
        response = self.poll(assistant_client, "1.0,2.0,3.0")
        assert "16 : 10" in line(response, 2)
        assert not line(response, 1)
        assert "<b>1</b> / 3" in response.content.decode()

    def test_a_penalty_brings_its_points_and_so_does_taking_it_back(self, event, round_, chief_client, chief):
        make_result(round_, 2, 10, 9)
        known = {"known": "1.010"}
        assert chief_client.get(PAGE, known, headers=HTMX).status_code == 200
        facts = {"rule": PenaltyRule.OTHER, "action": PenaltyAction.OPPONENT_LEVELS, "reason": "少一张牌"}
        team, stage = round_.matches.get(table=2).home, round_.stage
        penalty = give_penalty(stage=stage, team=team, by=chief, round_number=1, amount=3, **facts)
        row = line(chief_client.get(PAGE, known, headers=HTMX), 2)
        assert "11 : 15" in row
        known["rulings"] = "2." + re.search(r'data-ruling="([0-9a-f]+)"', row)[1]
        assert not line(chief_client.get(PAGE, known, headers=HTMX), 2)
        cancel_penalty(penalty=penalty, by=chief, reason="数错")
        assert "14 : 12" in line(chief_client.get(PAGE, known, headers=HTMX), 2)

    def test_a_page_of_missing_tables_gets_only_its_own(self, round_, assistant_client):
        make_result(round_, 2, 10, 7)
        response = self.poll(assistant_client, "1.0")
        assert not line(response, 2)
        assert "<b>1</b> / 3" in response.content.decode()

    def test_a_round_that_was_closed_says_so(self, round_, assistant_client):
        seating = re.search(r'data-seating="(\w+)"', assistant_client.get(PAGE).content.decode()).group(1)
        round_.status = RoundStatus.COMPLETED
        round_.save()
        response = self.poll(assistant_client, "1.0,2.0,3.0", seating=seating)
        assert "本轮有变动" in response.content.decode()

    @pytest.mark.parametrize(
        ("known", "told"),
        [("1.000", {2}), ("1.0-0", set()), ("1.0,2.10", set()), ("1.01,3.1", {3}), ("2.0", {2})],
    )
    def test_what_a_page_knows_is_told_in_runs(self, round_, assistant_client, known, told):
        make_result(round_, 2, 10, 7)
        answer = self.poll(assistant_client, known, entered=1)
        assert {table for table in (1, 2, 3) if answer.status_code == 200 and line(answer, table)} == told

    @pytest.mark.parametrize("known", ["", "x", "1", "1.0.0,;", "99.0", "١.0", "1.9" + "9" * 40, "1.ß"])
    def test_rubbish_breaks_nothing(self, round_, assistant_client, known):
        assert self.poll(assistant_client, known).status_code in {200, 204}

    @pytest.mark.parametrize("tables", [4, 100])
    def test_eight_queries_whatever_the_size(self, tables, client, django_assert_num_queries):
        event = make_event(teams=2 * tables, slug="size")
        make_round(event, [(2 * i - 1, 2 * i) for i in range(1, tables + 1)])
        client.force_login(make_user("someone", ASSISTANT, event))
        page = "/e/size/desk/s1/r1/results/"
        known = ",".join(f"{table}.0" for table in range(1, tables + 1))
        seating = re.search(r'data-seating="(\w+)"', client.get(page).content.decode()).group(1)
        with django_assert_num_queries(8):
            assert self.poll(client, known, seating=seating, page=page).status_code == 204


class TestHistory:
    def test_who_entered_what(self, round_, assistant_client, chief_client):
        save(assistant_client, typed("10", "7"))
        save(chief_client, typed("10", "8", version=stored(round_).version))
        text = assistant_client.get(f"{PAGE}1/history/").content.decode()
        assert re.findall(r'class="log-who">(\w+)<', text) == ["chief", "assistant"]
        assert "第 1 轮 第 1 桌" in text

    def test_of_an_untouched_table(self, round_, assistant_client):
        assert "没有录入记录" in assistant_client.get(f"{PAGE}1/history/").content.decode()

    def test_only_of_this_table(self, round_, assistant_client):
        save(assistant_client, typed("10", "7", home=3, away=4), 2)
        assert "没有录入记录" in assistant_client.get(f"{PAGE}1/history/").content.decode()


class TestBackRoom:
    """Results are read there and changed nowhere but on their own page."""

    @pytest.fixture
    def back_room(self, administrator, client):
        administrator.is_staff = True
        administrator.save()
        client.force_login(administrator)
        return client

    @pytest.mark.parametrize("table", ["result", "adjustment"])
    def test_is_read_only(self, event, round_, back_room, table):
        result = make_result(round_, 1, 10, 7)
        Adjustment.objects.create(
            pk=result.pk, stage=round_.stage, team=event.teams.first(), round_number=1, points=1, reason="x"
        )
        address = f"/admin/scoring/{table}/"
        assert back_room.get(address).status_code == 200
        assert back_room.get(f"{address}{result.pk}/change/").status_code == 200
        assert back_room.post(f"{address}{result.pk}/change/", {"home_level": 11}).status_code == 403
        assert back_room.get(f"{address}add/").status_code == 403
        assert back_room.post(f"{address}{result.pk}/delete/", {"post": "yes"}).status_code == 403


class TestA18:
    """Names are data on the officials' page too."""

    @pytest.mark.parametrize(
        "payload", ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "{{7*7}}${7*7}"]
    )
    def test_nothing_runs(self, event, round_, assistant_client, payload):
        event.teams.get(number=1).players.update(name=payload[:40])
        event.departments.filter(teams__number=1).update(name=payload[:40])
        pages = [
            assistant_client.get(PAGE),
            save(assistant_client, typed("+", "+"), **HTMX),
            save(assistant_client, typed(payload, "7")),
            assistant_client.get(f"{PAGE}1/history/"),
        ]
        for page in pages:
            text = page.content.decode()
            assert "<img" not in text
            assert "alert(2)</script>" not in text
            assert ">49" not in text


class TestBesideTheLevels:
    """What a slip says beside two levels: a handicap, the deals won, the extra play of an even match."""

    def rules(self, event, **rules):
        stage = event.stages.get()
        stage.rules = {**stage.rules, **rules}
        stage.save()

    def test_a_handicap_is_asked_for_kept_and_shown(self, round_, assistant_client):
        asked = save(assistant_client, typed("10", "9", kind="handicap"))
        assert asked.status_code == 422
        assert "各从几级打起" in line(asked)
        assert 'name="away_start"' in line(asked)
        saved = save(assistant_client, typed("10", "9", kind="handicap", home_start="2", away_start="5"))
        assert saved.status_code == 303
        assert stored(round_).facts == {"home_start": 2, "away_start": 5}
        shown = line(assistant_client.get(PAGE))
        assert "迟到让级" in shown
        assert 'name="away_start" value="5"' in shown
        assert 'value="handicap" selected' in shown
        assert "5 打起" in assistant_client.get("/e/cup/teams/1/").content.decode()
        assert "2 : 5 打起" in assistant_client.get(f"{PAGE}1/history/").content.decode()

    def test_a_level_below_the_handicap_is_refused(self, round_, assistant_client):
        refused = save(assistant_client, typed("10", "4", home_start="2", away_start="5"))
        assert (refused.status_code, stored(round_)) == (422, None)
        assert "不会低于" in line(refused)

    def test_a_handicap_is_taken_back(self, round_, assistant_client):
        save(assistant_client, typed("10", "9", home_start="2", away_start="5"))
        version = stored(round_).version
        empty = {"home_start": "", "away_start": ""}
        save(assistant_client, typed("10", "9", version=version, kind="", **empty))
        assert stored(round_).facts == {}

    def test_points_by_levels_gained_leave_the_handicap_out(self, event, round_, assistant_client):
        self.rules(event, scoring={"model": "levels_gained"})
        assert "data-counts-from-start" in assistant_client.get(PAGE).content.decode()
        save(assistant_client, typed("10", "9", away_start="5"))
        assert "8 : 4" in line(assistant_client.get(PAGE))

    def test_points_per_deal_need_the_deals_of_both_sides(self, event, round_, assistant_client):
        self.rules(event, scoring={"model": "per_deal", "deal_points": [3, 2, 1]})
        page = assistant_client.get(PAGE)
        assert 'data-deal-points="3 2 1"' in page.content.decode()
        assert 'name="home_deals"' in line(page)
        refused = save(assistant_client, typed("10", "9"))
        assert (refused.status_code, stored(round_)) == (422, None)
        assert "主队赢的副数" in line(refused)
        wrong = save(assistant_client, typed("10", "9", home_deals="two", away_deals="1 1 1"))
        assert "2 1 0" in line(wrong)
        assert 'value="two"' in line(wrong)
        assert (
            save(assistant_client, typed("10", "9", home_deals="210", away_deals="0/3/1")).status_code == 303
        )
        assert stored(round_).facts == {"home_deals": [2, 1, 0], "away_deals": [0, 3, 1]}
        assert "8 : 7" in line(assistant_client.get(PAGE))
        assert 'name="home_deals" value="2 1 0"' in line(assistant_client.get(PAGE))

    def test_an_even_match_of_several_games_is_decided_by_extra_play(self, event, round_, assistant_client):
        event.stages.update(format="knockout")
        self.rules(event, match={"best_of": 3})
        games = typed("15", "9", home_level_2="9", away_level_2="+")
        games["home_level"] = "+"
        refused = save(assistant_client, {**games, "kind": "time"})
        assert (refused.status_code, stored(round_)) == (422, None)
        assert "双方胜局相同" in line(refused)
        assert save(assistant_client, {**games, "kind": "time", "decider": "away"}).status_code == 303
        result = stored(round_)
        assert (result.winner, result.reason, result.facts["extra_winner"]) == ("away", "tie_rule", "away")
        again = typed_again(line(assistant_client.get(PAGE)), games)
        assert save(assistant_client, {**again, "version": result.version}).status_code == 303
        assert stored(round_).version == result.version

    def test_each_table_finds_what_its_own_round_s_levels_are_worth(self, event, round_, assistant_client):
        self.rules(event, match={"pass_rule": "reach"})
        page = assistant_client.get(PAGE)
        key = re.search(r'data-rules="(\w+)"', line(page)).group(1)
        assert page.context["points_tables"][key]["14:9"] == {"points": "19 : 7"}

    def test_of_several_games_the_page_knows_winner_lead_and_what_the_match_is_worth(
        self, event, round_, assistant_client
    ):
        self.rules(event, match={"best_of": 3, "equal_levels": "first_to_reach"})
        page = assistant_client.get(PAGE)
        key = re.search(r'data-rules="(\w+)"', line(page)).group(1)
        table = page.context["points_tables"][key]
        assert table["15:9"] == {"winner": "home", "lead": "6"}
        assert table["7:7"] == {"needs": "reached_first"}
        assert "problem" in table["15:15"]
        assert table["home:8"] == {"points": "21 : 5"}, "passed against 9 and 13"
        assert table["away:3"] == {"points": "12 : 14"}, "who wins by games is one level ahead"
        assert "home:0" not in table, "even levels need more than winner and lead"
        won = typed("15", "9", home_level_2="15", away_level_2="13") | {"home_level": "+"}
        save(assistant_client, {**won, "home_level_2": "+", "away_level_2": "K"})
        assert "21 : 5" in line(assistant_client.get(PAGE))


def typed_again(shown: str, games: dict) -> dict:
    """What a browser sends of a line that nobody touches."""
    chosen = dict.fromkeys(("kind", "decider"), "")
    for name in chosen:
        menu = re.search(rf'<select [^>]*name="{name}".*?</select>', shown, re.DOTALL).group(0)
        picked = re.search(r'<option value="(\w*)" selected', menu)
        chosen[name] = picked.group(1) if picked else ""
    return {**games, **chosen}
