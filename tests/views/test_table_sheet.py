"""The table sheet through its addresses: a table recorded deal by deal, without JavaScript."""

from __future__ import annotations

import html
import re

import pytest

from scoring.models import Result, TableSheet
from tests.builders import make_event, make_result, make_round, make_user
from tournaments.models import RoundStatus, Stage, StageFormat
from tournaments.roles import ASSISTANT

PAGE = "/e/cup/desk/s1/r1/results/1/sheet/"
DOUBLE, THIRD, FOURTH = "HHAA", "HAHA", "HAAH"
LOST, LOST_THIRD = "AAHH", "AHAH"
HOME_PASSES = [DOUBLE] * 4 + [THIRD]

pytestmark = pytest.mark.django_db


@pytest.fixture
def round_(event):
    return make_round(event, [(1, 2), (3, 4), (7, None)])


@pytest.fixture
def official(round_, assistant_client):
    return assistant_client


def use_rules(event, *, knockout=False, discipline=None, **match):
    rules = {"match": match} | ({"discipline": discipline} if discipline else {})
    format = StageFormat.KNOCKOUT if knockout else StageFormat.SWISS
    event.stages.update(rules=rules, format=format)


def version() -> int:
    row = TableSheet.objects.filter(match__table=1).first()
    return row.version if row else 0


def act(client, name, **fields):
    fields = {"version": version(), "home": 1, "away": 2} | fields
    return client.post(f"{PAGE}{name}/", fields)


def play(client, *orders):
    for order in orders:
        response = act(client, "deal", order=order)
        assert (response.status_code, response["Location"]) == (303, PAGE)


def text(response) -> str:
    """What the page says, without its marks."""
    content = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", html.unescape(content))


def page(client, query="") -> str:
    return text(client.get(PAGE + query))


def levels(client) -> list[str]:
    return re.findall(r'class="sheet-level">.*?</span> (\S+)</p>', client.get(PAGE).content.decode())


def hand_over(client, **fields):
    """Presses the button of the page: with the versions that stand in its form."""
    form = (
        client.get(PAGE).content.decode().partition(f'action="{PAGE}hand-over/"')[2].partition("</form>")[0]
    )
    shown = dict(re.findall(r'type="hidden" name="(\w+)" value="(\w*)"', form))
    return client.post(f"{PAGE}hand-over/", shown | fields)


def stored():
    result = Result.objects.get(match__table=1)
    return result.home_level, result.away_level, result.winner, result.reason


class TestWhoMayRecord:
    def test_nobody_without_signing_in(self, round_, client):
        assert client.get(PAGE).status_code == 302
        assert act(client, "deal", order=DOUBLE).status_code == 302
        assert not TableSheet.objects.exists()

    def test_no_official_of_another_event(self, round_, client):
        client.force_login(make_user("stranger", ASSISTANT, make_event(slug="other")))
        assert client.get(PAGE).status_code == 404
        assert act(client, "deal", order=DOUBLE).status_code == 404

    @pytest.mark.parametrize("table", [3, 99])
    def test_no_bye_and_no_table_that_does_not_exist(self, official, table):
        assert official.get(f"/e/cup/desk/s1/r1/results/{table}/sheet/").status_code == 404

    def test_a_draft_answers_as_a_round_that_does_not_exist(self, event, chief_client):
        make_round(event, [(1, 2)], status=RoundStatus.DRAFT)
        assert chief_client.get(PAGE).status_code == 404
        assert act(chief_client, "deal", order=DOUBLE).status_code == 404

    def test_steps_are_posts_and_known(self, official):
        assert official.get(f"{PAGE}deal/").status_code == 405
        assert act(official, "cheat").status_code == 404

    def test_a_closed_round_is_read_by_assistants_and_corrected_by_the_chief(
        self, round_, assistant_client, chief_client
    ):
        play(assistant_client, *HOME_PASSES)
        hand_over(assistant_client)
        round_.status = RoundStatus.COMPLETED
        round_.save()
        closed = assistant_client.get(PAGE)
        assert "成绩只由主裁判更正" in text(closed)
        assert b"/undo/" not in closed.content
        assert act(assistant_client, "undo").status_code == 403
        assert act(chief_client, "correct", game=1, deal=5, order=DOUBLE).status_code == 303
        refused = hand_over(chief_client)
        assert (refused.status_code, "更正必须写原因，" in text(refused)) == (422, True)
        assert hand_over(chief_client, reason="记错名次").status_code == 303
        assert Result.objects.get(match__table=1).facts["deals"][4] == DOUBLE


class TestPlaying:
    def test_the_first_page(self, official):
        said = page(official)
        assert levels(official) == ["2", "2"]
        assert "第 1 副 首副，打 2" in said
        for word in ["主队双上 5 : 2", "主队 1、3 4 : 2", "主队 1、4 3 : 2", "客队双上 2 : 5"]:
            assert word in said

    def test_levels_declarer_tribute_and_the_list(self, official):
        play(official, DOUBLE)
        said = page(official)
        assert levels(official) == ["5", "2"]
        assert "第 2 副 主队主打，打 5" in said
        assert "客队双下，两人进贡；贡牌归头游的一人先出" in said
        play(official, "AHHA")
        said = page(official)
        assert levels(official) == ["5", "3"]
        assert "客队末游向同伴头游进贡，末游先出" in said
        assert "主队 5 客队 1、4 5 : 3" in said

    def test_an_event_without_tribute(self, event, official):
        use_rules(event, discipline={"tribute": False})
        play(official, DOUBLE)
        assert "不进贡，主队头游先出" in page(official)

    def test_undo_takes_back_the_last_step(self, official):
        play(official, DOUBLE, LOST)
        act(official, "undo")
        assert levels(official) == ["5", "2"]
        act(official, "undo")
        assert levels(official) == ["2", "2"]
        assert "撤回" not in page(official)

    def test_another_winner_waits_until_what_was_drawn_from_the_first_is_voided(
        self, event, round_, official
    ):
        use_rules(event, knockout=True)
        make_result(round_, 1, 10, 7)
        make_round(event, [(1, 3)], number=2)
        play(official, *[LOST] * 4, LOST_THIRD)
        refused = hand_over(official)
        assert (refused.status_code, "第 2 轮" in text(refused)) == (422, True)
        assert stored()[2] == "home"

    def test_passing_a_ends_it_and_one_button_hands_it_over(self, official):
        play(official, *HOME_PASSES)
        said = page(official)
        assert "主队胜 主队打过 A" in said
        assert "积分 26 : 0" in said
        assert "主队双上" not in said.split("各副")[0]
        assert hand_over(official).status_code == 303
        assert stored() == (15, 2, "home", "passed")
        said = page(official)
        assert "✓ 已交 assistant" in said
        assert "交成绩" not in said

    def test_a_deal_after_the_end_is_refused(self, official):
        play(official, *HOME_PASSES)
        assert act(official, "deal", order=DOUBLE).status_code == 422

    def test_fall_to_j_and_then_the_pass(self, event, official):
        use_rules(event, strikes={"limit": 3, "then": "J"})
        play(official, *[DOUBLE] * 4, LOST)
        said = page(official)
        assert "打A不过 1 / 3" in said
        assert "主队打 A 不过（1）" in said
        play(official, DOUBLE, LOST, DOUBLE, LOST)
        said = page(official)
        assert levels(official) == ["J", "J"]
        assert "主队退到 J" in said
        assert "打A不过" not in said
        play(official, DOUBLE, THIRD)
        hand_over(official)
        assert stored() == (15, 11, "home", "passed")

    def test_strikes_that_lose_the_match(self, event, official):
        use_rules(event, strikes={"limit": 2, "then": "lose"})
        play(official, *[DOUBLE] * 4, LOST, DOUBLE, LOST)
        assert "客队胜 主队 2 次打 A 不过" in page(official)
        hand_over(official)
        assert stored() == (14, 8, "away", "strikes")

    def test_overshoot_and_other_steps(self, event, official):
        use_rules(event, must_play_target=False, steps=[6, 4, 2])
        play(official, DOUBLE, THIRD)
        assert "主队双上 主队过A" in page(official)
        play(official, DOUBLE)
        assert "主队打过 A" in page(official)

    def test_only_a_double_passes(self, event, official):
        use_rules(event, pass_rule="double_only")
        play(official, *HOME_PASSES)
        assert levels(official) == ["A", "2"]
        play(official, DOUBLE)
        assert "主队打过 A" in page(official)

    def test_the_deal_limit(self, event, official):
        use_rules(event, deals=2)
        play(official, DOUBLE, LOST)
        assert "平局 副数打满，双方同级" in page(official)

    def test_a_handicap(self, official):
        act(official, "start", home_start="2", away_start="j")
        assert levels(official) == ["2", "J"]
        play(official, LOST)
        assert levels(official) == ["2", "A"]
        assert act(official, "start", home_start="2", away_start="2").status_code == 422

    @pytest.mark.parametrize("typed", ["23", "", "+"])
    def test_a_handicap_that_is_no_level(self, official, typed):
        assert act(official, "start", home_start="2", away_start=typed).status_code == 422
        assert not TableSheet.objects.exists()


class TestTimeUp:
    def test_the_higher_level_wins_without_a_question(self, official):
        play(official, DOUBLE)
        act(official, "time")
        assert "主队胜 时间到，主队级高" in page(official)
        hand_over(official)
        assert stored() == (5, 2, "home", "time")

    def test_a_knockout_takes_the_first_to_reach_from_the_deals(self, event, official):
        use_rules(event, knockout=True, equal_levels="first_to_reach")
        play(official, DOUBLE, LOST)
        act(official, "time")
        assert "双方同级，主队先打到这一级" in page(official)

    def test_off_stage_side(self, event, official):
        use_rules(event, equal_levels="off_stage")
        play(official, DOUBLE, LOST)
        act(official, "time")
        assert "主队胜 双方同级，封牌时主队在台下" in page(official)

    def test_the_extra_deal_is_asked(self, event, official):
        use_rules(event, equal_levels="extra_deal")
        play(official, DOUBLE, LOST)
        act(official, "time")
        said = page(official)
        assert "加打哪一方胜" in said
        assert "还没有人出完" not in said
        assert act(official, "answer", field="declarer", answer="home").status_code == 422
        act(official, "answer", field="extra_winner", answer="away")
        assert "客队胜 双方同级，客队加打一副胜" in page(official)

    def test_head_taken_gives_a_level(self, event, official):
        use_rules(event, unfinished_deal="head_plus_one")
        play(official, DOUBLE, LOST)
        act(official, "time")
        assert "还没有人出完" in page(official)
        act(official, "answer", field="head_taken", answer="away")
        assert levels(official) == ["5", "6"]
        hand_over(official)
        assert stored() == (5, 6, "away", "time")

    def test_trailing_by_one_with_the_head_taken_wins(self, event, official):
        use_rules(event, unfinished_deal="trailing_by_one")
        play(official, FOURTH)
        act(official, "time")
        act(official, "answer", field="head_taken", answer="away")
        assert "客队胜 时间到，客队落后一级而已有头游" in page(official)

    def test_undo_leads_back_into_the_play(self, official):
        play(official, DOUBLE)
        act(official, "time")
        act(official, "undo")
        assert "第 2 副" in page(official)


class TestBestOfThree:
    def test_games_follow_each_other(self, event, official):
        use_rules(event, best_of=3)
        play(official, *HOME_PASSES)
        said = page(official)
        assert "第 2 局（3 局制） 1 : 0" in said
        assert "新的一局" in said
        assert levels(official) == ["2", "2"]
        play(official, *[LOST] * 4, LOST_THIRD, *HOME_PASSES)
        assert "主队胜 2 : 1 局" in page(official)
        hand_over(official)
        assert len(Result.objects.get(match__table=1).facts["games"]) == 3

    def test_time_with_as_many_games_each_asks_in_a_knockout(self, event, official):
        use_rules(event, best_of=3, knockout=True)
        play(official, *HOME_PASSES, LOST)
        act(official, "time")
        assert "双方胜局相同：加赛哪一方胜" in page(official)
        act(official, "answer", field="extra_winner", answer="home")
        hand_over(official)
        assert Result.objects.get(match__table=1).winner == "home"

    def test_a_game_s_own_question_names_the_game(self, event, official):
        use_rules(event, best_of=3, deals=2, equal_levels="extra_deal")
        play(official, DOUBLE, LOST)
        assert "第 1 局：双方同级：加打哪一方胜" in page(official)


class TestPlayersToldApart:
    def test_streak_rules_ask_player_by_player(self, event, official):
        use_rules(event, bonuses=["first_streak"])
        said = page(official)
        assert "谁是头游" in said
        assert "主队双上" not in said
        response = official.get(f"{PAGE}?out=Ha")
        names = [player.name for team in (1, 2) for player in event.teams.get(number=team).players.all()]
        assert "谁是三游" in text(response)
        assert f"{names[0]} › {names[3]}" in text(response)
        assert b'value="HahA"' in response.content
        play(official, "HahA", "HahA", "HahA")
        assert levels(official) == ["9", "2"]
        assert f"主队 1、3 {names[0]} › {names[3]} › {names[1]} › {names[2]}" in page(official)
        assert act(official, "deal", order=DOUBLE).status_code == 422

    @pytest.mark.parametrize("out", ["HH", "X", "HhAa", "HhA"])
    def test_nonsense_in_the_address_begins_again(self, event, official, out):
        use_rules(event, bonuses=["last_streak"])
        assert "谁是头游" in page(official, f"?out={out}")

    def test_a_team_of_more_than_two_is_told_by_place(self, event, official):
        use_rules(event, bonuses=["first_streak"])
        event.teams.get(number=1).players.create(position=3, name="替补")
        assert "主队 1 号选手" in page(official)


class TestCorrections:
    def test_an_early_deal_moves_everything_after_it(self, official):
        play(official, DOUBLE, THIRD, LOST)
        assert "更正第 1 副（原记：主队双上）" in page(official, "?correct=1.1")
        assert act(official, "correct", game=1, deal=1, order=LOST).status_code == 303
        assert levels(official) == ["4", "8"]

    def test_deals_that_no_longer_fit_go_only_when_told_to(self, official):
        play(official, *[DOUBLE] * 4, FOURTH, THIRD)
        asked = act(official, "correct", game=1, deal=5, order=THIRD)
        assert asked.status_code == 422
        assert "已记的 1 副不再有效" in text(asked)
        assert b'name="drop" value="1"' in asked.content
        assert len(TableSheet.objects.get().content["games"][0]["deals"]) == 6
        assert act(official, "correct", game=1, deal=5, order=THIRD, drop=1).status_code == 303
        assert "主队打过 A" in page(official)

    def test_a_result_handed_over_is_corrected_and_handed_over_again(self, official):
        play(official, DOUBLE)
        act(official, "time")
        hand_over(official)
        act(official, "correct", game=1, deal=1, order=THIRD)
        said = page(official)
        assert "本桌已有成绩：5 : 2" in said
        hand_over(official)
        assert stored() == (4, 2, "home", "time")

    @pytest.mark.parametrize("query", ["?correct=1.9", "?correct=x", "?correct=0.1"])
    def test_a_deal_that_does_not_exist(self, official, query):
        play(official, DOUBLE)
        assert "更正第" not in page(official, query).split("各副")[0]

    def test_discarding_goes_back_to_the_stored_result(self, official):
        play(official, *HOME_PASSES)
        hand_over(official)
        act(official, "undo")
        act(official, "discard")
        assert "✓ 已交" in page(official)


class TestSeveralDevices:
    def test_a_stale_step_shows_how_the_table_stands(self, official):
        play(official, DOUBLE)
        response = act(official, "deal", order=LOST, version=0)
        assert response.status_code == 422
        assert "另一台设备刚刚记过" in text(response)
        assert levels(official) == ["5", "2"]

    def test_other_teams_sit_there_now(self, official):
        response = act(official, "deal", order=DOUBLE, away=8)
        assert (response.status_code, "队伍已变动" in text(response)) == (422, True)

    def test_a_result_typed_in_between_is_shown_before_it_is_replaced(self, round_, official):
        play(official, *HOME_PASSES)
        make_result(round_, 1, 10, 7)
        response = act(official, "hand-over", result_version=0)
        assert response.status_code == 422
        assert "本桌已有成绩：10 : 7" in text(response)
        assert hand_over(official).status_code == 303
        assert stored() == (15, 2, "home", "passed")

    @pytest.mark.parametrize("fields", [{"version": "x"}, {"order": ""}, {"home": ""}])
    def test_a_page_that_is_out_of_date(self, official, fields):
        response = act(official, "deal", **{"order": DOUBLE} | fields)
        assert (response.status_code, "页面已过时" in text(response)) == (422, True)

    def test_handing_over_too_early(self, official):
        play(official, DOUBLE)
        assert act(official, "hand-over", result_version=0).status_code == 422

    def test_rules_changed_under_a_sheet(self, event, official):
        play(official, DOUBLE, THIRD)
        use_rules(event, deals=1)
        said = page(official)
        assert "规则改过" in said
        act(official, "undo")
        assert "规则改过" not in page(official)


class TestThePage:
    def test_the_results_page_leads_to_it(self, official):
        assert f'href="{PAGE}"' in official.get("/e/cup/desk/s1/r1/results/").content.decode()

    def test_no_inline_style_or_script(self, official):
        play(official, DOUBLE)
        content = official.get(PAGE).content.decode()
        assert " style=" not in content
        assert not re.search(r"<script(?![^>]*src=)", content)

    @pytest.mark.parametrize(("tables", "orders"), [(2, []), (100, HOME_PASSES[:4] + [FOURTH] * 20)])
    def test_twelve_queries_whatever_the_size(self, tables, orders, client, django_assert_num_queries):
        event = make_event(teams=2 * tables, slug="cup")
        make_round(event, [(2 * i - 1, 2 * i) for i in range(1, tables + 1)])
        client.force_login(make_user("someone", ASSISTANT, event))
        play(client, *orders)
        with django_assert_num_queries(12):
            assert client.get(PAGE).status_code == 200

    @pytest.mark.parametrize("orders", [[], [DOUBLE] * 3])
    def test_a_step_costs_the_same_however_many_went_before(
        self, orders, official, django_assert_num_queries
    ):
        play(official, DOUBLE, *orders)
        fields = {"order": LOST, "version": version(), "home": 1, "away": 2}
        with django_assert_num_queries(17):
            assert official.post(f"{PAGE}deal/", fields).status_code == 303

    def test_a_later_stage_reads_what_the_event_states(self, event, official):
        use_rules(event, discipline={"tribute": False})
        stage = Stage.objects.create(event=event, key="s2", order=2, name="决赛", rules={})
        event.stages.get(order=1).rounds.update(stage=stage)
        address = "/e/cup/desk/s2/r1/results/1/sheet/"
        official.post(f"{address}deal/", {"version": 0, "home": 1, "away": 2, "order": DOUBLE})
        assert "不进贡" in text(official.get(address))
