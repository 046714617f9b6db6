"""The pages of groups that find their own time, from the stages page to the cross-table."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from pairing.models import Screen
from pairing.selectors.groups import open_matches
from pairing.selectors.published import schedule_sheets
from pairing.services import publish_schedule
from scoring.engine.results import MatchResult, Outcome
from scoring.models import Result
from scoring.services import record_result
from tests.services.stages import ROUND_ROBIN, begun, enter, stage_of
from tests.services.test_second_looks import set_rules
from tournaments.models import Event, Group, LogEntry, Match, Player, Stage

RULES = {"format": {"groups": 2, "schedule": "self", "grouping": "numbers"}}


@pytest.fixture
def stage(event, chief) -> Stage:
    event.stages.all().delete()
    Stage.objects.create(event=event, key="s1", order=1, name="小组赛", format=ROUND_ROBIN, rules=RULES)
    begun(event, chief)
    publish_schedule(stage=stage_of(event), by=chief)
    return stage_of(event)


def text(response) -> str:
    return response.content.decode()


def at(name: str, *args) -> str:
    return reverse(name, args=["cup", *args])


def group(stage, order=1) -> Group:
    return Group.objects.select_related("stage__event", "convenor_team").get(stage=stage, order=order)


class TestArranging:
    def test_from_the_stages_page(self, stage, chief_client):
        page = text(chief_client.get(at("stages")))
        assert at("group_edit", 1, 1) in page
        Player.objects.filter(team__number=3, position=1).update(phone="13800000000")
        typed = {"team": "3", "name": "", "phone": "", "deadline": "2026-12-05T18:00"}
        assert chief_client.post(at("group_edit", 1, 1), typed).status_code == 303
        page = text(chief_client.get(at("group_edit", 1, 1)))
        assert "该队电话：13800000000" in page
        assert 'value="2026-12-05T18:00"' in page

    def test_the_board_lists_the_tables_of_all_open_rounds(
        self, stage, chief_client, django_assert_num_queries
    ):
        page = text(chief_client.get(at("draw_board")))
        assert re.findall(r"<h2>第 (\d) 轮</h2>", page) == ["1", "2", "3"]
        tables = Match.objects.filter(round__stage=stage).count()
        assert len(set(re.findall(r'class="why-link" href="([^"]+)"', page))) == tables
        with django_assert_num_queries(4):
            assert [len(sheet.tables) for sheet in schedule_sheets(stage)] == [4, 4, 4]

    def test_no_page_counts_rounds_that_are_all_played_at_once(self, stage, chief_client):
        for page in (at("stages"), at("desk")):
            shown = text(chief_client.get(page))
            assert "各组自约，进行中" in shown, page
            assert "第 3 轮，共 3 轮" not in shown, page
        assert "赛程各轮同时开放" in text(chief_client.get(at("draw_board")))

    def test_neither_tables_nor_rounds_where_teams_find_their_own_time(self, stage, client):
        Screen.objects.create(
            event=stage.event, name="n", key="north", roles=["auto", "tables", "clock", "bracket"]
        )
        Screen.objects.create(event=stage.event, name="s", key="south", roles=["numbers"])
        screens = [text(client.get(at("screen_keyed", key))) for key in ("north", "south")]
        assert all('data-scene-title="小组赛"' in screen for screen in screens)
        cross = client.get(at("draw_latest"), follow=True)
        assert cross.redirect_chain == [(at("cross_table", 1), 302)]
        for shown in (*screens, text(cross)):
            assert " 桌" not in re.sub(r"<title>.*?</title>", "", shown)
            assert "进行中" not in shown

    def test_a_phone_tells_whom_a_team_still_meets_and_neither_table_nor_round(self, stage, chief, client):
        enter(Match.objects.filter(round__stage=stage, home__number=1).first(), chief, home_wins=True)
        now, team = text(client.get(f"{at('find_team')}?q=1", follow=True)), text(client.get(at("team", 1)))
        assert "还有 2 场没打" in now
        for page in (now, team, text(client.get(at("event")))):
            assert re.findall(r".{40}(?:号桌|第 \d+ 轮 / 共|尚未结束|轮进行中)", page) == []
        assert "各队自约，还有场次没打，名次还会变" in team

    def test_a_team_and_a_person_at_once_are_refused(self, stage, chief_client):
        typed = {"team": "3", "name": "工会小陈", "phone": "", "deadline": ""}
        answer = chief_client.post(at("group_edit", 1, 1), typed)
        assert answer.status_code == 422
        assert "不要两个都填" in text(answer)
        assert 'value="工会小陈"' in text(answer)

    def test_everybody_reads_who_and_until_when_but_no_phone(self, stage, chief_client, client):
        typed = {"team": "", "name": "工会小陈", "phone": "13911112222", "deadline": "2026-12-05T18:00"}
        chief_client.post(at("group_edit", 1, 1), typed)
        for page in (at("cross_table", 1), at("rules"), at("event"), at("standings", 1)):
            assert "13911112222" not in text(client.get(page))
        cross, rules = text(client.get(at("cross_table", 1))), text(client.get(at("rules")))
        assert "召集人：工会小陈 · 2026年12月5日 18:00 前打完 · 还有 6 场没打" in cross
        assert "A 组：召集人 工会小陈；2026年12月5日 18:00 前打完" in rules

    def test_a_group_that_plays_in_the_hall_has_no_such_page(self, event, chief, chief_client):
        event.stages.all().delete()
        Stage.objects.create(
            event=event, key="s1", order=1, name="小组赛", format=ROUND_ROBIN, rules={"format": {"groups": 2}}
        )
        begun(event, chief)
        assert chief_client.get(at("group_edit", 1, 1)).status_code == 404
        assert chief_client.get(at("group_results", 1, 1)).status_code == 404


class TestResults:
    def test_all_matches_of_the_group_on_one_page(self, stage, assistant_client):
        answer = assistant_client.get(at("results_latest"))
        assert answer["Location"] == at("group_results", 1, 1)
        page = text(assistant_client.get(answer["Location"]))
        assert page.count("<tbody id=") == 6
        assert "A 组成绩" in page

    def test_saved_by_hand_it_goes_back_to_the_group(self, stage, assistant_client):
        match = open_matches(group(stage, 2))[-1]
        typed = {"version": "0", "home": match.home.number, "away": match.away.number}
        address = f"{at('group_results', 1, 2)}{match.table}/"
        answer = assistant_client.post(address, {**typed, "home_level": "a", "away_level": "9"})
        assert answer["Location"] == f"{at('group_results', 1, 2)}#table-{match.table}"
        assert Result.objects.get().match_id == match.pk
        answer = assistant_client.post(address, {**typed, "home_level": "23", "away_level": "9"})
        assert answer.status_code == 422
        assert 'value="23"' in text(answer)

    def test_htmx_gets_the_line_with_the_groups_progress(self, stage, assistant_client):
        match = open_matches(group(stage))[0]
        typed = {"version": "0", "home": match.home.number, "away": match.away.number}
        answer = assistant_client.post(
            f"{at('group_results', 1, 1)}{match.table}/",
            {**typed, "home_level": "a", "away_level": "9"},
            headers={"HX-Request": "true"},
        )
        assert "<b>1</b> / 6" in text(answer)
        assert f'action="{at("group_results", 1, 1)}{match.table}/"' in text(answer)

    def test_what_others_entered_is_told(self, stage, assistant_client, chief):
        page = text(assistant_client.get(at("group_results", 1, 1)))
        seating = page.split('data-seating="')[1].split('"')[0]
        asked = {"known": "1.0", "seating": seating, "entered": "0"}
        hx = {"HX-Request": "true"}
        assert assistant_client.get(at("group_results", 1, 1), asked, headers=hx).status_code == 204
        match = open_matches(group(stage))[0]
        enter(match, chief, home_wins=True)
        answer = assistant_client.get(
            at("group_results", 1, 1), asked | {"known": f"{match.table}.0"}, headers=hx
        )
        assert f'id="table-{match.table}"' in text(answer)

    def test_history_and_sheet_stand_with_the_round(self, stage, assistant_client):
        match = open_matches(group(stage))[-1]
        address = f"{at('group_results', 1, 1)}{match.table}/"
        number = match.round.number
        answer = assistant_client.get(f"{address}history/")
        assert answer["Location"] == at("result_history", 1, number, match.table)
        answer = assistant_client.get(f"{address}sheet/")
        assert answer["Location"] == at("table_sheet", 1, number, match.table)
        assert assistant_client.get(f"{address}nothing/").status_code == 404

    def test_corrected_by_the_chief_after_the_end(self, stage, chief_client, assistant_client, chief):
        for match in open_matches(group(stage)):
            enter(match, chief, home_wins=True)
        chief_client.post(at("group_finish", 1, 1), {"reason": ""})
        page = text(assistant_client.get(at("group_results", 1, 1)))
        assert "本组已结束，成绩只有主裁判可以更正" in page
        assert 'class="level-box"' not in page
        page = text(chief_client.get(at("group_results", 1, 1), {"correct": "1"}))
        assert 'name="reason"' in page


class TestDeskAndEnd:
    def test_the_desk_shows_groups_and_overdue_ones(self, stage, chief_client, assistant_client, chief):
        for match in open_matches(group(stage, 2)):
            enter(match, chief, home_wins=True)
        Group.objects.filter(order=1).update(deadline=timezone.now() - timedelta(days=1, hours=1))
        Event.objects.update(revision=99)
        page = text(chief_client.get(at("desk")))
        assert 'class="chip late"' in page
        assert 'class="chip entered"' in page
        assert "已过截止时间 1 天 1 小时" in page
        assert "过了截止时间，由主裁判结束该组" in page
        assert at("group_edit", 1, 1) in page
        assert f'"{at("group_edit", 1, 1)}"' not in text(assistant_client.get(at("desk")))

    def test_ended_with_what_the_chief_decides(self, stage, chief_client):
        matches = open_matches(group(stage))
        page = text(chief_client.get(at("group_edit", 1, 1)))
        assert "还有 6 场没有成绩" in page
        typed = {f"match{match.pk}": "double_forfeit" for match in matches}
        answer = chief_client.post(at("group_finish", 1, 1), typed)
        assert answer.status_code == 422
        assert Group.objects.filter(finished_at=None).count() == 2
        typed |= {"reason": "过期未打"}
        assert chief_client.post(at("group_finish", 1, 1), typed).status_code == 303
        assert Result.objects.filter(outcome="double_forfeit").count() == 6
        assert "已结束" in text(chief_client.get(at("group_edit", 1, 1)))
        page = text(chief_client.get(at("log")))
        assert "结束小组" in page
        assert "过期未打" in page

    def test_opened_again(self, stage, chief_client, chief):
        for match in open_matches(group(stage)):
            enter(match, chief, home_wins=True)
        chief_client.post(at("group_finish", 1, 1), {"reason": ""})
        assert chief_client.post(at("group_reopen", 1, 1), {"reason": ""}).status_code == 422
        assert chief_client.post(at("group_reopen", 1, 1), {"reason": "漏打"}).status_code == 303
        assert LogEntry.objects.filter(act="group_reopened", reason="漏打").exists()


class TestSecondLook:
    def test_every_open_round_is_within_reach(self, stage, event, chief, chief_client, assistant_client):
        set_rules(event)
        first, last = stage.rounds.order_by("number").first(), stage.rounds.order_by("number").last()
        for round_ in (first, last):
            match = round_.matches.select_related("round__stage").order_by("table").first()
            entry = MatchResult(Outcome.PLAYED, 13, 7)
            record_result(match=match, by=chief, entry=entry, expected_version=0)
        checks = [at("result_checks", 1, round_.number) for round_ in (first, last)]
        assert f'href="{checks[0]}' in text(chief_client.get(at("desk")))
        assert f'href="{checks[0]}"' in text(chief_client.get(at("group_results", 1, 1)))
        page = text(assistant_client.get(checks[0]))
        link = f'<a class="button" href="{checks[1]}">第 {last.number} 轮 (1)</a>'
        assert link in page.split("其他轮次还有待复核的：")[1]
        assert f'href="{checks[0]}">' in text(assistant_client.get(checks[1])).split("其他轮次")[1]
