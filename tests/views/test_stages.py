"""The page of stages, and the draw board, desk and results page of round robins and knockouts."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from pairing.services import close_round, publish_schedule
from scoring.models import Result
from tests.builders import make_user
from tests.services.stages import (
    KNOCKOUT,
    ROUND_ROBIN,
    begun,
    enter,
    format_event,
    open_matches,
    play_round,
    play_stage,
    published,
    stage_of,
)
from tests.services.test_formats import R01
from tournaments.models import Group, LogEntry, Match, Stage
from tournaments.roles import CHIEF
from tournaments.services import withdraw_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def stages(event):
    """Makes the event's stages: keys s1, s2 …"""

    def make(*formats):
        event.stages.all().delete()
        for order, (format, rules) in enumerate(formats, start=1):
            Stage.objects.create(
                event=event, key=f"s{order}", order=order, name=f"阶段{order}", format=format, rules=rules
            )
        return event

    return make


def at(name, event, *args) -> str:
    return reverse(name, args=[event.slug, *args])


def of(name, event, order) -> str:
    return at(name, event, stage_of(event, order).pk)


def text(response) -> str:
    return response.content.decode()


class TestStagesPage:
    def test_groups_are_drawn_and_shown(self, stages, chief_client):
        event = stages((ROUND_ROBIN, {"format": {"groups": 2}}))
        assert "抽签分组" in text(chief_client.get(at("stages", event)))
        answer = chief_client.post(of("stage_begin", event, 1), {"seed": "5", "groups": ""})
        assert (answer.status_code, answer["Location"]) == (303, at("stages", event))
        page = text(chief_client.get(at("stages", event)))
        assert "A 组" in page
        assert "B 组" in page
        assert "抽签种子 5" in page

    @pytest.mark.parametrize(
        ("name", "title"),
        [("A", "A 组"), ("12", "12 组"), ("红队组", "红队组"), ("East", "East"), ("A 组", "A 组")],
    )
    def test_a_letter_is_read_as_a_group(self, name, title):
        assert Group(name=name).title == title

    def test_a_stage_leads_to_what_it_brought_and_the_last_one_to_the_prizes(
        self, stages, chief_client, chief
    ):
        event = stages((ROUND_ROBIN, {"format": {"groups": 2}}))
        stage = begun(event, chief)
        assert at("cross_table", event, 1) not in text(chief_client.get(at("stages", event)))
        play_stage(stage, chief)
        page = text(chief_client.get(at("stages", event)))
        for name, *args in (("cross_table", 1), ("standings", 1), ("prizes",)):
            assert f'href="{at(name, event, *args)}"' in page
        assert f'href="{at("prizes", event)}"' in text(chief_client.get(at("desk", event)))

    def test_the_only_group_goes_without_its_name(self, stages, chief_client, chief, client):
        event = stages((ROUND_ROBIN, {"format": {"groups": 1}}))
        published(begun(event, chief), chief)
        addresses = (
            at("standings", event, 1),
            at("cross_table", event, 1),
            at("event", event),
            at("team", event, 1),
        )
        for address in (*addresses, at("draw", event, 1, 1)):
            answer = client.get(address)
            assert (answer.status_code, "A 组" in text(answer)) == (200, False)

    def test_given_groups_are_typed(self, stages, chief_client):
        event = stages((ROUND_ROBIN, {"format": {"groups": 2, "grouping": "given"}}))
        assert "按此分组" in text(chief_client.get(at("stages", event)))
        chief_client.post(of("stage_begin", event, 1), {"groups": "1 2 3 4\n5,6,7,8"})
        assert stage_of(event).layout["groups"] == [["t1", "t2", "t3", "t4"], ["t5", "t6", "t7", "t8"]]

    def test_a_team_without_a_group_is_refused(self, stages, chief_client):
        event = stages((ROUND_ROBIN, {"format": {"groups": 2, "grouping": "given"}}))
        answer = chief_client.post(of("stage_begin", event, 1), {"groups": "1 2 3 4\n5,6,7"})
        assert answer.status_code == 422
        assert "每支队都要有组" in text(answer)
        assert not stage_of(event).layout

    def test_a_stage_is_changed_before_it_begins(self, stages, administrator_client):
        settings = {"format": {"groups": 2, "double": True}, "match": {"minutes": 50}}
        event = stages(("swiss", {}), (ROUND_ROBIN, settings))
        typed = {"name": "复赛", "format": "round_robin", "rounds_planned": "4", "groups": "4"}
        answer = administrator_client.post(
            of("stage_change", event, 2), {**typed, "sources": ["s1"], "count": "8"}
        )
        assert answer.status_code == 303
        stage = stage_of(event, 2)
        assert stage.name == "复赛"
        assert stage.rules == {
            "format": {"groups": 4, "double": True},
            "match": {"minutes": 50},
            "entry": {"from": ["s1"], "take": "top", "count": 8},
        }
        told = LogEntry.objects.get(act="stage_changed")
        assert (told.old["groups"], told.new["groups"], told.new["from"]) == (2, 4, ["s1"])

    def test_a_change_that_cannot_be_read_keeps_what_was_typed(self, stages, administrator_client):
        event = stages(("swiss", {}))
        answer = administrator_client.post(
            of("stage_change", event, 1),
            {"name": "预赛", "format": "swiss", "rounds_planned": "0", "groups": "1", "count": "2"},
        )
        assert answer.status_code == 422
        assert 'value="预赛"' in text(answer)

    def test_a_stage_that_has_begun_is_not_changed(self, stages, administrator_client, chief):
        event = stages((ROUND_ROBIN, {"format": {"groups": 2}}))
        begun(event, chief)
        assert of("stage_change", event, 1) not in text(administrator_client.get(at("stages", event)))
        typed = {
            "name": "小组赛",
            "format": "round_robin",
            "rounds_planned": "4",
            "groups": "4",
            "count": "2",
        }
        answer = administrator_client.post(of("stage_change", event, 1), typed)
        assert answer.status_code == 422
        assert stage_of(event).rules == {"format": {"groups": 2}}

    def test_stages_change_places(self, stages, administrator_client):
        event = stages(("swiss", {}), (ROUND_ROBIN, {}), (KNOCKOUT, {"entry": {"from": "s2"}}))
        page = text(administrator_client.get(at("stages", event)))
        assert page.count(">↑</span>") == page.count(">↓</span>") == 2
        assert administrator_client.post(of("stage_move", event, 2), {"to": "earlier"}).status_code == 303
        assert [stage.key for stage in event.stages.order_by("order")] == ["s2", "s1", "s3"]
        assert LogEntry.objects.filter(act="stage_changed").count() == 1

    @pytest.mark.parametrize(("stage", "to"), [(1, "earlier"), (3, "later"), (2, "later"), (3, "earlier")])
    def test_no_stage_stands_before_those_it_takes_from(self, stage, to, stages, administrator_client):
        event = stages(("swiss", {}), (ROUND_ROBIN, {}), (KNOCKOUT, {"entry": {"from": "s2"}}))
        answer = administrator_client.post(of("stage_move", event, stage), {"to": to})
        assert answer.status_code == 422
        assert "要排在它的参赛队所来自的阶段之后" in text(answer)
        assert [each.key for each in event.stages.order_by("order")] == ["s1", "s2", "s3"]

    def test_nothing_moves_before_a_stage_that_has_begun(self, stages, administrator_client, chief):
        event = stages((ROUND_ROBIN, {}), ("swiss", {}))
        begun(event, chief)
        assert administrator_client.post(of("stage_move", event, 2), {"to": "earlier"}).status_code == 422

    def test_a_stage_is_added_and_removed(self, stages, administrator_client):
        event = stages((ROUND_ROBIN, {"format": {"groups": 2}}))
        wanted = {
            "name": "决赛",
            "format": "knockout",
            "rounds_planned": "1",
            "groups": "1",
            "sources": ["s1"],
            "count": "2",
        }
        assert administrator_client.post(at("stage_add", event), wanted).status_code == 303
        assert stage_of(event, 2).rules == {"entry": {"from": ["s1"], "take": "top", "count": 2}}
        assert "等待阶段1" in text(administrator_client.get(at("stages", event)))
        assert administrator_client.post(of("stage_remove", event, 1)).status_code == 422
        assert administrator_client.post(of("stage_remove", event, 2)).status_code == 303
        assert event.stages.count() == 1

    def test_a_page_left_open_removes_no_stage_but_its_own(self, stages, administrator_client):
        """The button pressed twice: the next stage has come up to the place of the removed one."""
        event = stages(("swiss", {}), ("swiss", {}), ("swiss", {}))
        address = of("stage_remove", event, 2)
        assert administrator_client.post(address).status_code == 303
        again = administrator_client.post(address)
        assert (again.status_code, "这个阶段已被删除" in text(again)) == (422, True)
        assert list(event.stages.values_list("key", flat=True)) == ["s1", "s3"]

    def test_a_stage_without_a_name_is_refused(self, stages, administrator_client):
        event = stages((ROUND_ROBIN, {}))
        assert administrator_client.post(at("stage_add", event), {"format": "swiss"}).status_code == 422

    def test_who_advances_with_the_key_that_decides(self, stages, chief_client, chief):
        event = stages(*R01)
        Stage.objects.filter(order=1).update(rules={"format": {"groups": 2}})
        play_stage(begun(event, chief), chief)
        page = text(chief_client.get(at("stages", event)))
        assert "凭“积分”排在" in page
        assert "出线队（按种子顺序）" in page
        board = text(chief_client.get(at("draw_board", event)))
        assert f'href="{at("stages", event)}#stage-2"' in board
        assert "在设置中增加轮数" not in board
        assert chief_client.post(of("stage_begin", event, 2), {"groups": ""}).status_code == 303
        assert stage_of(event, 2).entries.count() == 4

    def _ring(self, stages, chief):
        event = stages(
            (ROUND_ROBIN, {"ranking": ["points"]}), (KNOCKOUT, {"entry": {"from": "s1", "count": 2}})
        )
        event.teams.filter(number__gt=3).delete()
        ring = {frozenset((1, 2)): 1, frozenset((2, 3)): 2, frozenset((1, 3)): 3}
        play_stage(
            begun(event, chief),
            chief,
            lambda match: ring[frozenset((match.home.number, match.away.number))] == match.home.number,
        )
        return event

    def test_ties_at_the_line_need_lots(self, stages, chief_client, chief):
        event = self._ring(stages, chief)
        page = text(chief_client.get(at("stages", event)))
        assert "1、2、3 号并列，其中 2 队出线" in page
        assert "请先定出先后" in text(chief_client.get(at("desk", event)))
        assert "等并列定出先后" in page
        assert chief_client.post(of("stage_begin", event, 2), {"groups": ""}).status_code == 422
        assert chief_client.post(of("stage_lots", event, 1)).status_code == 303
        assert "请先定出先后" not in text(chief_client.get(at("desk", event)))
        assert chief_client.post(of("stage_begin", event, 2), {"groups": ""}).status_code == 303

    def test_ties_at_the_line_by_an_extra_game(self, stages, chief_client, chief):
        event = self._ring(stages, chief)
        refused = chief_client.post(of("stage_order", event, 1), {"order": "3 1", "reason": "加赛"})
        assert refused.status_code == 422
        unknown = chief_client.post(of("stage_order", event, 1), {"order": "3 1 99", "reason": "加赛"})
        assert "没有 99 号队" in text(unknown)
        for answer, typed in ((refused, "3 1"), (unknown, "3 1 99")):
            assert f'value="{typed}"' in text(answer), "what was typed stays"
        done = chief_client.post(of("stage_order", event, 1), {"order": "3 1 2", "reason": "加赛"})
        assert done.status_code == 303
        assert "已录入，名次从前到后：3、1、2 号" in text(chief_client.get(done["Location"]))
        standings = text(chief_client.get(at("standings", event, 1)))
        assert ("加赛或裁定在后" in standings, "抽签在后" in standings) == (True, False)
        assert LogEntry.objects.get(act="order_settled").reason == "加赛"

    def test_an_entry_is_replaced(self, stages, chief_client, chief):
        event = stages((ROUND_ROBIN, {}), (KNOCKOUT, {"entry": {"from": "s1", "count": 4}}))
        play_stage(begun(event, chief), chief)
        begun(event, chief, 2)
        assert "抽签后已退赛" not in text(chief_client.get(at("stages", event)))
        withdraw_team(team=event.teams.get(number=1), from_round=1, by=chief, reason="伤病")
        assert "抽签后已退赛：1 号队" in text(chief_client.get(at("stages", event)))
        sent = {"team": "1", "by_team": "8", "reason": "伤病"}
        assert chief_client.post(of("stage_replace", event, 2), sent).status_code == 303
        assert chief_client.post(of("stage_replace", event, 2), sent).status_code == 422
        assert chief_client.post(of("stage_replace", event, 2), {**sent, "team": "1 2"}).status_code == 422

    def test_a_schedule_is_published_whole(self, stages, chief_client, chief):
        event = stages((ROUND_ROBIN, {"format": {"schedule": "self"}}))
        begun(event, chief)
        assert "公布赛程" in text(chief_client.get(at("desk", event)))
        assert chief_client.post(of("schedule_publish", event, 1)).status_code == 303
        assert event.stages.get().rounds.count() == 7
        page = text(chief_client.get(at("desk", event)))
        assert "28" in page
        assert chief_client.post(of("schedule_publish", event, 1)).status_code == 422

    @pytest.mark.parametrize("formats", [(), R01])
    def test_the_page_of_any_event(self, stages, chief_client, formats, event):
        event = stages(*formats) if formats else event
        assert chief_client.get(at("stages", event)).status_code == 200


class TestDrawBoard:
    def test_it_sends_to_the_stages_first(self, stages, chief_client):
        event = stages((KNOCKOUT, {}))
        page = text(chief_client.get(at("draw_board", event)))
        assert "还没有开始" in page
        assert at("stages", event) in page

    def test_a_round_of_a_bracket_has_its_name(self, stages, chief_client, chief):
        event = stages((KNOCKOUT, {"format": {"played_out": "third_place"}}))
        begun(event, chief)
        assert "八强" in text(chief_client.get(at("draw_board", event)))
        chief_client.post(at("draw_make", event), {"method": "", "seed": ""})
        page = text(chief_client.get(at("draw_board", event)))
        assert "checkbox" not in page
        assert "按对阵图" in page

    def test_the_third_place_has_its_name(self, stages, chief_client, chief):
        event = stages((KNOCKOUT, {"format": {"played_out": "third_place"}}))
        stage = begun(event, chief)
        play_round(stage, chief)
        play_round(stage, chief)
        chief_client.post(at("draw_make", event), {"method": "", "seed": ""})
        page = text(chief_client.get(at("draw_board", event)))
        assert "决赛" in page
        assert '<span class="table-name">三四名决赛</span>' in page

    def test_groups_have_their_letters(self, stages, chief_client, chief):
        event = stages((ROUND_ROBIN, {"format": {"groups": 2}}))
        begun(event, chief)
        chief_client.post(at("draw_make", event), {"method": "", "seed": ""})
        page = text(chief_client.get(at("draw_board", event)))
        assert '<span class="table-name">A 组</span>' in page

    def test_stages_side_by_side(self, stages, chief_client, chief):
        event = stages((KNOCKOUT, {}), (KNOCKOUT, {}), (ROUND_ROBIN, {"entry": {"from": ["s1", "s2"]}}))
        begun(event, chief)
        begun(event, chief, 2)
        board = f"{at('draw_board', event)}?stage=1"
        assert "阶段1" in text(chief_client.get(board))
        answer = chief_client.post(at("draw_make", event), {"method": "", "seed": "", "stage": "1"})
        assert answer["Location"] == board
        assert stage_of(event, 1).rounds.count() == 1

    def test_a_walkover_is_told(self, stages, chief_client, chief):
        event = stages((KNOCKOUT, {}))
        stage = begun(event, chief)
        play_round(stage, chief)
        withdraw_team(team=event.teams.get(number=3), from_round=2, by=chief)
        chief_client.post(at("draw_make", event), {"method": "", "seed": ""})
        assert "1 号对 3 号不进行" in text(chief_client.get(at("draw_board", event)))


class TestCorrections:
    def test_what_follows_is_voided_and_seated_again(self, stages, chief_client, chief):
        event = stages((KNOCKOUT, {}))
        stage = begun(event, chief)
        play_stage(stage, chief)
        match = Match.objects.get(round__stage=stage, round__number=1, table=1)
        sent = {
            "version": Result.objects.get(match=match).version,
            "home": 1,
            "away": 2,
            "home_level": "9",
            "away_level": "+",
            "reason": "登记错误",
        }
        address = at("result_save", event, 1, 1, 1)
        refused = chief_client.post(address, sent)
        assert refused.status_code == 422
        assert "作废后续对阵" in text(refused)
        void = at("matches_void", event, 1, 1, 1)
        assert "这些对阵" in text(chief_client.get(void))
        assert chief_client.post(void, {"reason": ""}).status_code == 422
        assert chief_client.post(void, {"reason": "登记错误"}).status_code == 303
        assert chief_client.post(address, sent).status_code == 303
        assert "补排对阵" in text(chief_client.get(at("desk", event)))
        board = text(chief_client.get(at("draw_board", event)))
        assert "补排后续对阵" in board
        assert chief_client.post(at("draw_make", event), {"stage": "1"}).status_code == 303
        assert len(open_matches(stage.rounds.get(number=2))) == 1

    def test_nothing_follows(self, stages, chief_client, chief):
        event = stages((KNOCKOUT, {}))
        published(begun(event, chief), chief)
        void = at("matches_void", event, 1, 1, 1)
        assert "直接在成绩页更正" in text(chief_client.get(void))
        assert chief_client.post(void, {"reason": "-"}).status_code == 422
        assert chief_client.get(at("matches_void", event, 1, 1, 99)).status_code == 404


class TestResults:
    def test_a_final_of_three_games(self, stages, chief_client, chief):
        event = stages((KNOCKOUT, {"format": {"best_of": {"final": 3}, "played_out": "third_place"}}))
        stage = begun(event, chief)
        play_round(stage, chief)
        play_round(stage, chief)
        final = published(stage, chief)
        page = text(chief_client.get(at("results", event, 1, final.number)))
        assert page.count('name="home_level_3"') == 1
        sent = {"version": 0, "home": 1, "away": 5, "home_level": "+", "away_level": "9"}
        sent |= {"home_level_2": "+", "away_level_2": "k", "home_level_3": "", "away_level_3": ""}
        assert chief_client.post(at("result_save", event, 1, 3, 1), sent).status_code == 303
        assert Result.objects.get(match__round=final, match__table=1).winner == "home"

    def test_a_walkover_has_no_line_to_type_in(self, stages, chief_client, chief):
        event = stages((KNOCKOUT, {}))
        stage = begun(event, chief)
        play_round(stage, chief)
        withdraw_team(team=event.teams.get(number=3), from_round=2, by=chief)
        round_ = published(stage, chief)
        page = text(chief_client.get(at("results", event, 1, round_.number)))
        assert "未进行" in page
        assert "None" not in page

    def test_a_round_in_the_teams_own_time(self, stages, chief_client, chief):
        event = stages((ROUND_ROBIN, {"format": {"schedule": "self"}}))
        rounds = publish_schedule(stage=begun(event, chief), by=chief)
        for round_ in rounds:
            for match in open_matches(round_):
                enter(match, chief, home_wins=True)
        assert chief_client.get(at("results", event, 1, 3)).status_code == 200
        close_round(round=rounds[-1], by=chief)
        assert not event.stages.get().rounds.exclude(status="completed").exists()


class TestDesk:
    def test_step_by_step_through_two_stages(self, stages, chief_client, chief):
        event = stages((ROUND_ROBIN, {"format": {"groups": 2}}), (KNOCKOUT, {"entry": {"from": "s1"}}))
        desk = at("desk", event)
        assert "请抽签分组" in text(chief_client.get(desk))
        groups = begun(event, chief)
        assert "第 1 轮" in text(chief_client.get(desk))
        play_stage(groups, chief)
        assert "“阶段2”可以开始" in text(chief_client.get(desk))
        finals = begun(event, chief, 2)
        assert "阶段2" in text(chief_client.get(desk))
        play_stage(finals, chief)
        assert "全部轮次已打完" in text(chief_client.get(desk))

    def test_the_assistant_waits_for_the_chief(self, stages, assistant_client):
        event = stages((KNOCKOUT, {}))
        assert "由主裁判操作" in text(assistant_client.get(at("desk", event)))


@pytest.mark.parametrize("teams", [8, 64])
def test_the_page_asks_as_often_for_every_number_of_teams(teams, django_assert_num_queries):
    event = format_event(
        (ROUND_ROBIN, {"format": {"groups": 2}}), (KNOCKOUT, {"entry": {"from": "s1"}}), teams=teams
    )
    begun(event, None)
    client = Client()
    client.force_login(make_user("chief", CHIEF, event))
    with django_assert_num_queries(24):
        client.get(at("stages", event))
