"""The desk: the lit step, the one next button by role, what is missing, the projector."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.models import Draw
from pairing.services import close_round, draw_round, publish_round
from tests.builders import make_event, make_result, make_user
from tournaments.clock import start_clock
from tournaments.models import Event, LogEntry, Round, Snapshot
from tournaments.roles import ADMINISTRATOR, ASSISTANT, CHIEF


def address(name: str, slug: str = "cup") -> str:
    return reverse(name, args=[slug])


def text(response) -> str:
    return response.content.decode()


def publish(event: Event, chief) -> Round:
    round_ = draw_round(stage=event.stages.get(), by=chief, seed=3)
    publish_round(round=round_, by=chief, expected_version=Draw.objects.get(round=round_).version)
    return Round.objects.get(pk=round_.pk)


def enter_all(round_: Round) -> None:
    for match in round_.matches.filter(away__isnull=False, result=None):
        make_result(round_, match.table, 10, 7)


@pytest.fixture
def published(event, chief) -> Round:
    return publish(event, chief)


@pytest.fixture
def one_moment(monkeypatch):
    """The desk shows ages, so it changes with every minute: hold the time still."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


def lit(page: str) -> str:
    return page.split('aria-current="step"><b>')[1].split("</b>")[0]


def big_button(page: str) -> str:
    if 'id="next-act"' not in page:
        return ""
    return page.split('id="next-act"')[1].split(">", 1)[1].split("<")[0].strip()


class TestNextStep:
    """What is lit, and the big button of the chief and of the assistant, through a whole round."""

    def check(self, chief_client, assistant_client, step, chiefs, assistants):
        chief_page, assistant_page = (
            text(client.get(address("desk"))) for client in (chief_client, assistant_client)
        )
        assert lit(chief_page) == step
        assert (big_button(chief_page), big_button(assistant_page)) == (chiefs, assistants)

    def test_a_round_from_roster_to_ranking(self, chief_client, assistant_client, event, chief):
        def check(step, chiefs, assistants):
            self.check(chief_client, assistant_client, step, chiefs, assistants)

        event.stages.update(rounds_planned=1)
        check("编排", "编排第 1 轮", "")
        round_ = draw_round(stage=event.stages.get(), by=chief, seed=3)
        check("公示", "公示第 1 轮", "")
        publish_round(round=round_, by=chief, expected_version=1)
        round_ = Round.objects.get()
        check("计时", "开始计时", "打印成绩单")
        start_clock(round=round_, by=chief)
        check("成绩", "录入成绩", "录入成绩")
        enter_all(round_)
        check("成绩", "结束第 1 轮", "核对成绩")
        close_round(round=round_, by=chief)
        check("排名", "打印最终排名", "打印最终排名")
        page = text(chief_client.get(address("desk")))
        assert "第 1 轮可以在编排页重新打开。" in page
        assert "下一轮编排之前" not in page
        event.stages.update(rounds_planned=2)
        check("编排", "编排第 2 轮", "")

    def test_empty_event(self, chief_client, assistant_client, event):
        event.teams.all().delete()
        self.check(chief_client, assistant_client, "名单", "导入名单", "导入名单")

    def test_without_a_clock_results_come_next(self, chief_client, assistant_client, event, chief):
        event.stages.update(rules={"match": {"minutes": None}})
        publish(event, chief)
        self.check(chief_client, assistant_client, "成绩", "录入成绩", "录入成绩")
        assert "请第 1、2、3、4 桌尽快把成绩单交到裁判台" in text(chief_client.get(address("desk")))

    def test_nobody_left_to_play(self, chief_client, assistant_client, event, chief):
        round_ = publish(event, chief)
        enter_all(round_)
        close_round(round=round_, by=chief)
        event.teams.exclude(number=6).update(withdrawn_after=1)
        self.check(chief_client, assistant_client, "排名", "打印最终排名", "打印最终排名")
        assert "在赛的只有 6 号队" in text(chief_client.get(address("draw_board")))
        page = text(chief_client.get(address("desk")))
        assert "还在参赛的不到两支队，第 2 轮无法编排" in page
        assert "所有轮次" not in page

    def test_too_few_before_the_first_round(self, chief_client, assistant_client, event):
        event.teams.exclude(number=6).update(withdrawn_after=0)
        self.check(chief_client, assistant_client, "名单", "去名单", "去名单")
        assert "8 支队里没有退赛的只剩 1 支" in text(chief_client.get(address("desk")))


class TestPage:
    def test_tables_lead_to_their_results(self, assistant_client, published):
        make_result(published, 2, 10, 7)
        page = text(assistant_client.get(address("desk")))
        results = reverse("results", args=["cup", 1, 1])
        assert f'<a class="chip" href="{results}#table-1" aria-label="第 1 桌，未录入">1</a>' in page
        assert f'<a class="chip entered" href="{results}#table-2" aria-label="第 2 桌，已录入">2</a>' in page
        assert "1 / 4 桌" in page
        assert "还差 3 桌" in page

    def test_clock_in_server_time(self, chief_client, published):
        page = text(chief_client.get(address("desk")))
        assert f'data-clock="{address("clock_json")}"' in page
        assert "45:00" in page

    def test_who_entered_last(self, chief_client, published, assistant):
        result = make_result(published, 3, 10, 7)
        result.entered_by = assistant
        result.save()
        assert "最近录入：第 3 桌，assistant" in text(chief_client.get(address("desk")))

    def test_old_snapshot_in_a_running_event(self, chief_client, published):
        assert "最近一次存档是" not in text(chief_client.get(address("desk")))
        Snapshot.objects.update(at="2026-01-01T08:00:00Z")
        assert "最近一次存档是" in text(chief_client.get(address("desk")))
        Snapshot.objects.all().delete()
        assert "还没有存档" in text(chief_client.get(address("desk")))

    def test_poll_is_empty_while_nothing_happened(self, chief_client, published, one_moment):
        page = text(chief_client.get(address("desk")))
        poll = page.split('hx-get="')[1].split('"')[0]
        answer = chief_client.get(poll, headers={"HX-Request": "true"})
        assert (answer.status_code, answer.content) == (204, b"")
        published.stage.event.refresh_from_db()
        Event.objects.update(revision=published.stage.event.revision + 1)
        answer = chief_client.get(poll, headers={"HX-Request": "true"})
        assert answer.status_code == 200
        assert text(answer).lstrip().startswith('<div id="desk-now"')
        assert "ETag" in answer.headers

    def test_works_without_script(self, chief_client, published):
        assert "<html" in text(chief_client.get(address("desk") + "?seen=anything"))

    @pytest.mark.parametrize("teams", [8, 200])
    def test_queries(self, db, django_assert_num_queries, teams, one_moment):
        event = make_event(teams=teams, departments=8, slug="size")
        chief = make_user("size-chief", CHIEF, event)
        round_ = publish(event, chief)
        enter_all(round_)
        client = Client()
        client.force_login(chief)
        # session, user, event, rights (2), official; stage, round, counts, tables, publication, snapshot,
        # screens
        with django_assert_num_queries(13):
            page = text(client.get(address("desk", "size")))
        poll = page.split('hx-get="')[1].split('"')[0]
        with django_assert_num_queries(6):
            assert client.get(poll, headers={"HX-Request": "true"}).status_code == 204


class TestHints:
    def test_a_result_that_came_with_a_file_says_so(self, chief_client, published):
        make_result(published, 2, 10, 7)
        assert "最近录入：第 2 桌，来自赛事文件，" in text(chief_client.get(address("desk")))

    def test_a_new_event_points_to_its_officials_until_somebody_is_appointed(self, db):
        event = make_event(teams=0)
        client = Client()
        client.force_login(make_user("head", ADMINISTRATOR))
        link = f'href="{address("officials")}">安排工作人员'
        assert link in text(client.get(address("desk")))
        make_user("chief", CHIEF, event)
        assert link not in text(client.get(address("desk")))

    def test_who_may_not_appoint_is_not_sent_there(self, chief_client, event):
        assert "安排工作人员" not in text(chief_client.get(address("desk")))


class TestScreen:
    def test_assistant_switches(self, assistant_client, event, assistant):
        answer = assistant_client.post(address("screen_switch"), {"shows": "standings"})
        assert (answer.status_code, answer.headers["Location"]) == (303, address("desk"))
        assert Event.objects.get().screen_shows == "standings"
        entry = LogEntry.objects.get(act="screen_switched")
        assert (entry.by, entry.old, entry.new) == (assistant, {"shows": "auto"}, {"shows": "standings"})
        assert 'value="standings" id="screen-standings" aria-pressed="true"' in text(
            assistant_client.get(address("desk"))
        )

    @pytest.mark.parametrize("shows", ["", "nothing", "<script>"])
    def test_unknown_value_is_refused(self, assistant_client, event, shows):
        assert assistant_client.post(address("screen_switch"), {"shows": shows}).status_code == 422
        assert Event.objects.get().screen_shows == "auto"


class TestClose:
    def test_open_tables_are_named(self, chief_client, published):
        make_result(published, 2, 10, 7)
        answer = chief_client.post(address("round_close"), {"round": published.pk})
        assert answer.status_code == 422
        assert "第 1、3、4 桌还没有成绩" in text(answer)
        assert Round.objects.get().is_published

    def test_closed_from_the_desk(self, chief_client, published):
        enter_all(published)
        answer = chief_client.post(address("round_close"), {"round": published.pk})
        assert (answer.status_code, answer.headers["Location"]) == (303, address("desk"))
        assert Round.objects.get().is_completed

    def test_closing_twice_is_told_calmly(self, chief_client, published):
        enter_all(published)
        chief_client.post(address("round_close"), {"round": published.pk})
        answer = chief_client.post(address("round_close"), {"round": published.pk})
        assert answer.status_code == 422
        assert "第 1 轮不在进行中" in text(answer)

    def test_a_round_of_another_event_is_missing(self, published, db):
        other = make_event(slug="other")
        client = Client()
        client.force_login(make_user("other-chief", CHIEF, other))
        enter_all(published)
        assert client.post(address("round_close", "other"), {"round": published.pk}).status_code == 422
        assert Round.objects.get().is_published

    def test_the_assistant_may_not(self, assistant_client, published):
        assert assistant_client.post(address("round_close"), {"round": published.pk}).status_code == 403


def test_an_official_of_another_event_finds_nothing(published, db):
    other = make_event(slug="other")
    client = Client()
    client.force_login(make_user("other-assistant", ASSISTANT, other))
    assert client.get(address("desk")).status_code == 404
