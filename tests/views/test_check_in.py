"""签到: by number, name and department, by two assistants at once; late teams, forfeits, cards."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from pairing.services import draw_round, publish_round
from scoring.models import Result, Statement
from tests.builders import ROLES, make_event, make_result, make_round, make_user
from tests.format_events import knockout_stage
from tournaments.log import Act
from tournaments.models import Event, LogEntry, Round, RoundStatus, Stage, Team
from tournaments.services.attendance import use_check_in
from tournaments.services.teams import withdraw_team

HTMX = {"headers": {"HX-Request": "true"}}


@pytest.fixture
def event(db) -> Event:
    event = make_event(teams=7, departments=0)
    use_check_in(event=event, used=True, by=None)
    return event


def address(name: str, *args: Any) -> str:
    return reverse(name, args=["cup", *args])


def text(response: Any) -> str:
    return response.content.decode()


def team(number: int) -> Team:
    return Team.objects.get(number=number)


def here() -> list[int]:
    teams = Team.objects.exclude(checked_in_at=None)
    return list(teams.order_by("number").values_list("number", flat=True))


def find(client: Client, wanted: str, **facts: Any) -> Any:
    return client.post(address("check_in_find"), {"q": wanted}, **facts)


def mark(client: Client, **posted: Any) -> Any:
    return client.post(address("check_in_mark"), posted)


def act(client: Client, number: int, name: str, **posted: Any) -> Any:
    return client.post(address("check_in_team", number), {"act": name, **posted})


def in_play(chief, *absent: int) -> Round:
    stage = Stage.objects.select_related("event").get()
    for number in absent:
        Team.objects.filter(number=number).update(absences=[{"stage": "s1", "round": 1}])
    round_ = draw_round(stage=stage, by=chief, seed=1)
    publish_round(round=round_, by=chief, expected_version=1)
    return Round.objects.get()


class TestBySearch:
    def test_a_number(self, assistant_client):
        response = find(assistant_client, "3")
        assert response.status_code == 303
        page = text(assistant_client.get(response.headers["Location"]))
        assert "已签到：3 号。" in page
        assert "6 队未到" in page
        find(assistant_client, "4")
        find(assistant_client, "5")
        find(assistant_client, "6")
        assert "未到：1、2、7" in text(assistant_client.get(address("check_in")))
        assert here() == [3, 4, 5, 6]

    def test_full_width_digits(self, assistant_client):
        assert find(assistant_client, " ３ ").status_code == 303
        assert here() == [3]

    def test_a_name_that_fits_one_team(self, assistant_client):
        name = team(5).players.get(position=1).name
        assert find(assistant_client, name).status_code == 303
        assert here() == [5]

    def test_a_name_that_fits_several_is_a_choice(self, assistant_client):
        response = find(assistant_client, "伟")
        assert response.status_code == 422
        assert len(response.context["found"]) > 1
        assert 'value="伟"' in text(response)
        assert here() == []

    @pytest.mark.parametrize(("typed", "told"), [("99", "没有找到“99”"), ("", "请输入组号或姓名")])
    def test_nobody(self, assistant_client, typed, told):
        response = find(assistant_client, typed)
        assert response.status_code == 422
        assert told in text(response)
        assert f'value="{typed}"' in text(response)

    def test_who_is_here_already(self, assistant_client):
        find(assistant_client, "3")
        response = assistant_client.get(find(assistant_client, "3").headers["Location"])
        page = text(response)
        assert page.count("早已签到：3 号") == 1
        assert "check-in-undo" not in page
        assert "check-in-undo" in text(assistant_client.get(address("check_in")))
        act(assistant_client, 3, "come")
        page = text(assistant_client.get(address("check_in_team", 3)))
        assert page.count("已签到：3 号") == page.count("早已签到：3 号") == 1
        assert LogEntry.objects.filter(act=Act.TEAMS_CHECKED_IN).count() == 1

    def test_a_withdrawn_team_is_said_to_have_left(self, assistant_client):
        withdraw_team(team=team(3), from_round=1, by=None)
        response = find(assistant_client, "3")
        assert response.status_code == 422
        assert "3 号队已退赛" in text(response)

    def test_htmx_gets_the_list_alone(self, assistant_client):
        response = find(assistant_client, "3", **HTMX)
        assert response.status_code == 200
        assert "<html" not in text(response)
        assert 'data-done="yes"' in text(response)
        assert "已签到：3 号。" in text(response)
        assert 'data-done="no"' in text(find(assistant_client, "99", **HTMX))


class TestByDepartment:
    @pytest.fixture
    def event(self, db) -> Event:
        event = make_event(teams=8, departments=2)
        use_check_in(event=event, used=True, by=None)
        return event

    def test_the_whole_department_then_one_taken_back(self, event, assistant_client):
        unit = event.departments.get(name="单位1")
        assert mark(assistant_client, department=unit.pk).status_code == 303
        assert here() == [2, 4, 6, 8]
        assert mark(assistant_client, back=4).status_code == 303
        assert here() == [2, 6, 8]

    def test_a_department_that_is_in_already(self, event, assistant_client):
        unit = event.departments.get(name="单位1")
        mark(assistant_client, department=unit.pk)
        assert mark(assistant_client, department=unit.pk).status_code == 422
        assert mark(assistant_client, department="x").status_code == 422

    def test_only_missing_ones(self, event, assistant_client):
        mark(assistant_client, department=event.departments.get(name="单位1").pk)
        page = text(assistant_client.get(address("check_in") + "?show=missing"))
        assert "单位2" in page
        assert "单位1" not in page

    def test_undo(self, event, assistant_client):
        mark(assistant_client, department=event.departments.get(name="单位1").pk)
        assistant_client.post(address("check_in_undo"))
        assert here() == []
        page = text(assistant_client.get(assistant_client.post(address("check_in_undo")).headers["Location"]))
        assert "没有撤销" in page


class TestSeveralAssistants:
    def test_each_sees_what_the_other_did_and_undoes_only_his_own(self, event, assistant_client):
        other = Client()
        other.force_login(make_user("second", ROLES["assistant"], event))
        seen = assistant_client.get(address("check_in")).context["seen"]
        find(other, "3")
        response = assistant_client.get(address("check_in") + f"?seen={seen}", **HTMX)
        assert response.status_code == 200
        assert response.context["state"].here == 1
        now = response.context["seen"]
        assert assistant_client.get(address("check_in") + f"?seen={now}", **HTMX).status_code == 204
        find(assistant_client, "4")
        mark(other, back=4)
        assistant_client.post(address("check_in_undo"))
        assert here() == [3]

    def test_both_check_in_the_same_team(self, event, assistant_client, chief_client):
        assert find(assistant_client, "3").status_code == 303
        assert find(chief_client, "3").status_code == 303
        assert here() == [3]


class TestUse:
    def test_begun_anew_and_done_without(self, assistant_client):
        find(assistant_client, "3")
        assistant_client.post(address("check_in_use"), {"act": "anew"})
        assert here() == []
        assistant_client.post(address("check_in_use"), {"act": "end"})
        page = text(assistant_client.get(address("check_in")))
        assert "本赛事还没有启用签到" in page
        assert 'id="check-in-box"' not in page
        assistant_client.post(address("check_in_use"), {"act": "begin"})
        assert Event.objects.get().uses_check_in

    @pytest.mark.parametrize("count", [8, 200])
    def test_queries(self, count, assistant_client, event, django_assert_num_queries):
        event.delete()
        event = make_event(teams=count, departments=8)
        Event.objects.update(uses_check_in=True)
        client = Client()
        client.force_login(make_user("counter", ROLES["assistant"], event))
        with django_assert_num_queries(10):
            client.get(address("check_in"))

    @pytest.mark.parametrize("count", [8, 200])
    def test_queries_in_play(self, count, event, chief, django_assert_num_queries):
        event.delete()
        event = make_event(teams=count, departments=8)
        Event.objects.update(uses_check_in=True)
        make_round(event, [(number, number + 1) for number in range(1, count, 2)])
        client = Client()
        client.force_login(make_user("counter", ROLES["assistant"], event))
        with django_assert_num_queries(15):
            client.get(address("check_in"))


class TestDraw:
    def test_asks_once_what_becomes_of_the_missing(self, chief_client, assistant_client):
        for number in range(1, 7):
            find(assistant_client, str(number))
        page = text(chief_client.get(address("draw_board")))
        assert "未到：7 号。" in page
        assert "还没签到？" not in page
        response = chief_client.post(address("draw_make"))
        assert response.status_code == 422
        assert "请先说明这些队怎么处理" in text(response)
        assert not Round.objects.exists()

    def test_without_them(self, chief_client, assistant_client):
        for number in range(1, 7):
            find(assistant_client, str(number))
        assert chief_client.post(address("draw_make"), {"unchecked": "absent"}).status_code == 303
        assert set(Round.objects.get().seats.values_list("team__number", flat=True)) == {1, 2, 3, 4, 5, 6}
        assert team(7).absences == [{"stage": "s1", "round": 1}]

    def test_they_are_here(self, chief_client):
        page = text(chief_client.get(address("draw_board")))
        assert "还没签到？" in page
        assert 'value="absent"' not in page
        assert chief_client.post(address("draw_make"), {"unchecked": "present"}).status_code == 303
        assert here() == [1, 2, 3, 4, 5, 6, 7]

    def test_a_draw_that_fails_leaves_nobody_absent(self, chief_client, assistant_client):
        find(assistant_client, "1")
        assert chief_client.post(address("draw_make"), {"unchecked": "absent"}).status_code == 422
        assert team(7).absences == []

    def test_the_desk_lights_the_check_in(self, chief_client, assistant_client):
        page = text(chief_client.get(address("desk")))
        assert "去签到" in page
        assert "请各队到签到处签到" in page
        for number in range(1, 7):
            find(assistant_client, str(number))
        assert "请 7 号队尽快到签到处签到" in text(chief_client.get(address("desk")))
        find(assistant_client, "7")
        assert "编排第 1 轮" in text(chief_client.get(address("desk")))


class TestTeam:
    def test_absent_with_a_note_and_back(self, assistant_client):
        posted = {"round_number": 2, "span": "one", "excused": "on", "note": "出差"}
        assert act(assistant_client, 3, "miss", **posted).status_code == 303
        page = text(assistant_client.get(address("check_in_team", 3)))
        assert "只缺第 2 轮，请假，出差" in page or "只缺第 2 轮、请假、出差" in page
        act(assistant_client, 3, "play", round=2)
        assert team(3).absences == []

    def test_an_absence_in_a_drawn_round_is_refused_and_what_was_typed_stays(
        self, event, assistant_client, chief
    ):
        in_play(chief)
        response = act(assistant_client, 3, "miss", round_number=1, span="one", note="病")
        assert response.status_code == 422
        assert 'value="病"' in text(response)

    def test_the_draft_is_to_be_drawn_again(self, assistant_client, chief):
        draw_round(stage=Stage.objects.get(), by=chief, seed=1)
        act(assistant_client, 3, "miss", round_number=1, span="onwards")
        assert "请重新编排" in text(assistant_client.get(address("check_in_team", 3)))

    def test_late_by_the_rules(self, event, assistant_client):
        event.stages.update(rules={"discipline": {"late_minutes": 5, "every_round": True}})
        act(assistant_client, 3, "late", minutes=7)
        page = text(assistant_client.get(address("check_in_team", 3)))
        assert "迟到超过 5 分钟" in page
        assert "按规程已超过时限" in page
        assert "每轮必须参赛" in page
        assert act(assistant_client, 3, "late", minutes="x").status_code == 422

    def test_forfeit_of_a_published_match_and_undo(self, event, assistant_client, chief):
        in_play(chief)
        match = Round.objects.get().matches.filter(away__isnull=False).first()
        number = match.away.number
        act(assistant_client, number, "forfeit")
        assert Result.objects.get(match=match).outcome == "forfeit_away"
        assert LogEntry.objects.filter(act=Act.RESULT_ENTERED).get().reason == "没有到场"
        assistant_client.post(address("check_in_undo"))
        assert not Result.objects.filter(match=match).exists()

    def test_a_forfeit_that_the_team_contests_is_not_simply_undone(self, event, assistant_client, chief):
        in_play(chief)
        match = Round.objects.get().matches.filter(away__isnull=False).first()
        act(assistant_client, match.away.number, "forfeit")
        Statement.objects.create(match=match, speaker="away", differs=True)
        undone = assistant_client.post(address("check_in_undo"))
        assert "没有撤销" in text(assistant_client.get(undone.headers["Location"]))
        assert Result.objects.filter(match=match).exists()

    def test_neither_came(self, event, assistant_client, chief):
        in_play(chief)
        match = Round.objects.get().matches.filter(away__isnull=False).first()
        act(assistant_client, match.away.number, "forfeit")
        act(assistant_client, match.home.number, "forfeit")
        assert Result.objects.get(match=match).outcome == "double_forfeit"

    def test_no_forfeit_over_a_result(self, event, assistant_client, chief):
        round_ = in_play(chief)
        make_result(round_, 1, 10, 7)
        number = round_.matches.get(table=1).home.number
        page = text(assistant_client.get(act(assistant_client, number, "forfeit").headers["Location"]))
        assert "第 1 桌已有成绩" in page
        assert Result.objects.get(match__table=1).outcome == "played"

    def test_a_late_team_takes_the_bye(self, event, chief_client, assistant_client, chief):
        Team.objects.create(event=event, key="t8", number=8)
        in_play(chief, 8)
        find(assistant_client, "8")
        desk = text(chief_client.get(address("desk")))
        assert "迟到，还没有桌：8 号队。" in desk
        page = text(assistant_client.get(address("check_in_team", 8)))
        assert "请告诉主裁判" in page
        assert assistant_client.post(address("team_seat", 8)).status_code == 403
        context = chief_client.get(address("check_in_team", 8)).context
        opponent = context["offer"].opponent.number
        assert f"轮空的 {opponent} 号" in context["offer_words"]
        response = chief_client.post(address("team_seat", 8), {"opponent": opponent})
        assert response.status_code == 303
        assert "第 2 版" in text(chief_client.get(response.headers["Location"]))
        assert chief_client.post(address("team_seat", 8), {"opponent": opponent}).status_code == 422

    def test_nobody_to_meet(self, event, chief_client, assistant_client, chief):
        in_play(chief, 7)
        find(assistant_client, "7")
        page = text(chief_client.get(address("check_in_team", 7)))
        assert "没有可以对阵的空闲队" in page
        assert chief_client.post(address("team_seat", 7), {"act": "bye"}).status_code == 303
        assert Round.objects.get().matches.get(away=None).home.number == 7

    def test_back_after_a_withdrawal(self, event, assistant_client, chief):
        withdraw_team(team=team(7), from_round=1, by=None)
        in_play(chief)
        assert "恢复参赛" in text(assistant_client.get(address("check_in_team", 7)))
        response = assistant_client.post(address("team_reinstate", 7), {"from": "check_in"})
        assert response.headers["Location"] == address("check_in_team", 7)
        assert team(7).absences == [{"stage": "s1", "round": 1}]

    def test_a_team_of_another_stage_has_its_facts_in_the_roster(self, event, assistant_client):
        knockout_stage(event, 4)
        response = assistant_client.get(address("check_in_team", 7))
        assert response.headers["Location"] == address("team_edit", 7)
        assert assistant_client.get(address("check_in_team", 99)).status_code == 404


class TestReplacement:
    def posted(self, **facts: Any) -> dict[str, Any]:
        leaves = team(3).players.get(position=2).name
        return {"leaves": leaves, "comes": "新 人", "phone": "", "from_round": 1, "note": "发烧", **facts}

    def test_replaced(self, assistant_client):
        response = assistant_client.post(address("player_replace", 3), self.posted())
        assert response.status_code == 303
        assert team(3).players.get(position=2).name == "新人"
        page = text(assistant_client.get(address("player_replace", 3)))
        assert "到第 0 轮" in page
        assert "发烧" in page

    def test_earlier_rounds_keep_the_old_name_on_page_and_paper(self, event, assistant_client, client):
        make_result(make_round(event, [(3, 2)], status=RoundStatus.COMPLETED), 1, 10, 7)
        old = team(3).players.get(position=2).name
        assistant_client.post(address("player_replace", 3), self.posted(from_round=2))
        make_round(event, [(3, 4)], number=2)
        draws = [text(client.get(address("draw", 1, number))) for number in (1, 2)]
        assert [(old in page, "新人" in page) for page in draws] == [(True, False), (False, True)]
        assert old in text(assistant_client.get(address("results", 1, 1)))

    def test_somebody_of_another_team_is_refused(self, assistant_client):
        other = team(4).players.get(position=1).name
        response = assistant_client.post(address("player_replace", 3), self.posted(comes=other))
        assert response.status_code == 422
        assert "4 号" in text(response)
        assert 'value="发烧"' in text(response)

    def test_a_rule_that_forbids_it_warns(self, event, assistant_client):
        event.stages.update(rules={"discipline": {"player_change": "forfeit"}})
        assert "换人判弃权" in text(assistant_client.get(address("player_replace", 3)))
        assert assistant_client.post(address("player_replace", 3), self.posted()).status_code == 303


class TestWithdrawal:
    def sentences(self, client: Client, number: int) -> str:
        return " ".join(client.get(address("team_withdraw", number)).context["consequences"])

    def test_before_anything_is_played(self, assistant_client):
        assert "还没有比赛" in self.sentences(assistant_client, 3)
        assert "还剩 6 队" in self.sentences(assistant_client, 3)

    @pytest.mark.parametrize(
        ("rule", "told"),
        [
            ("keep", "仍排名次"),
            ("annul", "对手 2 号在这些场次得的分也一并取消"),
            ("no_place", "没有最终名次"),
        ],
    )
    def test_what_the_rule_does(self, event, assistant_client, rule, told):
        event.stages.update(rules={"withdrawal": rule})
        make_result(make_round(event, [(1, 2)], status=RoundStatus.COMPLETED), 1, 10, 7)
        assert told in self.sentences(assistant_client, 1)

    def test_an_open_table(self, event, assistant_client):
        make_round(event, [(1, 2), (3, 4)])
        assert "还在第 1 轮第 2 桌" in self.sentences(assistant_client, 3)

    def test_a_bracket_strikes_nothing_out(self, event, assistant_client):
        stage = knockout_stage(event, 4)
        stage.rules = {**stage.rules, "withdrawal": "annul"}
        stage.save()
        assert "不战晋级" in self.sentences(assistant_client, 3)

    def test_from_the_check_in_and_back(self, assistant_client):
        response = assistant_client.post(
            address("team_withdraw", 3), {"from_round": 1, "reason": "有事", "from": "check_in"}
        )
        assert response.headers["Location"] == address("check_in_team", 3)


class TestCard:
    def test_leads_officials_to_the_check_in_and_others_to_the_team(self, assistant_client, client):
        assert assistant_client.get(address("team_card", 3)).headers["Location"] == address(
            "check_in_team", 3
        )
        assert client.get(address("team_card", 3)).headers["Location"] == address("team", 3)

    def test_an_official_of_another_event_is_the_public(self, event, client):
        stranger = make_user("stranger", ROLES["assistant"], make_event(slug="other"))
        client.force_login(stranger)
        assert client.get(address("team_card", 3)).headers["Location"] == address("team", 3)
