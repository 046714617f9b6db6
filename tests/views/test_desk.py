"""The desk: the lit step, the one next button by role, what is missing, the projector."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from pairing.models import Draw, Screen
from pairing.services import close_round, draw_round, publish_round
from pairing.services.check_in import Unchecked, draw_checked_round
from scoring.appeals import receive_appeal
from scoring.engine.confirmation import ConfirmationRules
from scoring.models import Appeal, Confirmation, Result, Statement
from scoring.second_looks import change_confirmation
from tests.builders import make_event, make_result, make_user
from tournaments.attendance import Absence
from tournaments.clock import start_clock
from tournaments.models import (
    Audience,
    BackupPlan,
    Clock,
    Event,
    LogEntry,
    Round,
    Snapshot,
    Team,
)
from tournaments.roles import ADMINISTRATOR, ASSISTANT, CHIEF
from tournaments.services.attendance import check_in, set_absence, use_check_in
from tournaments.services.presence import note_seen
from tournaments.services.teams import withdraw_team

QUERIES = 27


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


def chips(page: str) -> dict[str, list[int]]:
    """The tables that need somebody, by what they wait for."""
    found: dict[str, list[int]] = {}
    for look, number in re.findall(r'<a class="chip (\w+)"[^>]*>(\d+)</a>', page):
        found.setdefault(look, []).append(int(number))
    return found


def said(page: str) -> list[str]:
    return re.findall(r'<p class="say" id="say-\d+">(.*?)</p>', page)


def poll(client: Client, etag: str, slug: str = "cup"):
    return client.get(address("desk", slug), headers={"HX-Request": "true", "If-None-Match": etag})


def event_team(event: Event, number: int) -> Team:
    return event.teams.get(number=number)


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
        assert f'<a class="chip waiting" href="{results}#table-1" aria-label="第 1 桌，未录入">1</a>' in page
        assert chips(page) == {"waiting": [1, 3, 4]}
        assert "1 / 4 桌" in page
        assert "还差 3 桌" in page

    def test_clock_in_server_time(self, chief_client, published):
        page = text(chief_client.get(address("desk")))
        assert f'data-clock="{address("clock_json")}"' in page
        assert "45:00" in page

    def test_who_entered_last(self, assistant_client, published, assistant):
        result = make_result(published, 3, 10, 7)
        result.entered_by = assistant
        result.save()
        assert "最近录入：第 3 桌，assistant" in text(assistant_client.get(address("desk")))

    def test_the_chief_reads_who_did_what_last_and_the_assistant_does_not(
        self, chief_client, assistant_client, published
    ):
        assert re.search(r"</time> chief <b>公示</b>", text(chief_client.get(address("desk"))))
        assert "desk-history" not in text(assistant_client.get(address("desk")))

    def test_old_copies_in_a_running_event(self, chief_client, administrator_client, published):
        assert "最近的存档或备份是" not in text(chief_client.get(address("desk")))
        Snapshot.objects.update(at="2026-01-01T08:00:00Z")
        page = text(chief_client.get(address("desk")))
        assert "最近的存档或备份是 01-01 16:00。" in page
        assert "请管理员存一次档" in page
        assert f'href="{address("snapshots")}">' in text(administrator_client.get(address("desk")))
        BackupPlan.objects.create(pk=BackupPlan.THE_ONE, folder="/usb", done_at=timezone.now())
        assert "最近的存档或备份是" not in text(chief_client.get(address("desk")))
        Snapshot.objects.all().delete()
        BackupPlan.objects.update(done_at=None, problem="U 盘已满")
        page = text(chief_client.get(address("desk")))
        assert "还没有存档，也没有备份。" in page
        assert "自动备份失败：U 盘已满" in page

    def test_who_is_there(self, chief_client, published, assistant):
        assert "最近五分钟没有人" in text(chief_client.get(address("desk")))
        note_seen(slug="cup", user=assistant)
        page = text(chief_client.get(address("desk")))
        assert re.search(r"裁判助理<span[^>]*>：</span>assistant", page)

    def test_poll_without_news_has_no_body(self, chief_client, published, one_moment):
        etag = chief_client.get(address("desk")).headers["ETag"]
        answer = poll(chief_client, etag)
        assert (answer.status_code, answer.content) == (304, b"")
        Event.objects.update(revision=F("revision") + 1)
        answer = poll(chief_client, etag)
        assert answer.status_code == 200
        assert text(answer).lstrip().startswith('<div id="desk-now"')
        assert f'data-etag="{escape(answer.headers["ETag"])}"' in text(answer)

    def test_a_screen_that_falls_silent_and_time_that_is_called_are_news(
        self, chief, chief_client, published, one_moment
    ):
        screen = Screen.objects.create(event=published.stage.event, name="北墙", seen_at=timezone.now())
        start_clock(round=published, by=chief)
        etag = chief_client.get(address("desk")).headers["ETag"]
        assert poll(chief_client, etag).status_code == 304
        Screen.objects.filter(pk=screen.pk).update(seen_at=timezone.now() - timedelta(minutes=3))
        answer = poll(chief_client, etag)
        assert "3 分钟没有联系" in text(answer)
        Clock.objects.update(ends_at=timezone.now())
        assert poll(chief_client, answer.headers["ETag"]).status_code == 200

    def test_one_official_sees_what_the_other_did(self, chief_client, assistant_client, published):
        etag = chief_client.get(address("desk")).headers["ETag"]
        page = reverse("result_save", args=["cup", 1, 1, 3])
        assert assistant_client.post(page, _levels(published, 3)).status_code == 303
        answer = poll(chief_client, etag)
        assert chips(text(answer)) == {"waiting": [1, 2, 4]}

    def test_works_without_script(self, chief_client, published):
        page = text(chief_client.get(address("desk"), headers={"If-None-Match": "anything"}))
        assert "<html" in page

    @pytest.mark.parametrize("teams", [48, 200])
    def test_queries(self, db, django_assert_num_queries, teams, one_moment):
        event = make_event(teams=teams, departments=8, slug="size")
        chief = make_user("size-chief", CHIEF, event)
        round_ = publish(event, chief)
        enter_all(round_)
        client = Client()
        client.force_login(chief)
        # session, user, event, official, rights (2); screens, clocks; stages, round, counts, publication,
        # what hangs (4), tables (3), appeals, copies (3), who is there, pack, last acts
        with django_assert_num_queries(QUERIES):
            page = client.get(address("desk", "size"))
        with django_assert_num_queries(8):
            assert poll(client, page.headers["ETag"], "size").status_code == 304


def _levels(round_: Round, table: int) -> dict[str, object]:
    match = round_.matches.get(table=table)
    teams = {"home": match.home.number, "away": match.away.number}
    return {"version": 0, "home_level": "A", "away_level": "9", **teams}


class TestStates:
    """What the page says of each state beside its big button."""

    def over_time(self, round_: Round) -> None:
        now = timezone.now()
        Clock.objects.filter(round=round_).update(started_at=now - timedelta(hours=1), ends_at=now)

    def test_tables_over_time_stand_out_and_are_read_out(self, chief_client, published):
        make_result(published, 1, 10, 7)
        self.over_time(published)
        page = text(chief_client.get(address("desk")))
        assert chips(page) == {"late": [2, 3, 4]}
        assert "时间已到，第 2、3、4 桌还没有交成绩单。" in page
        assert said(page) == ["请第 2、3、4 桌尽快把成绩单交到裁判台。"]

    def test_a_hall_that_still_plays_is_counted(self, chief_client, chief):
        event = make_event(teams=100, slug="big")
        chief.appointments.create(event=event)
        start_clock(round=publish(event, chief), by=chief)
        page = text(chief_client.get(address("desk", "big")))
        assert '<details class="more chip-row" id="chips-waiting"><summary>未交 50</summary>' in page
        assert "50 桌还没有成绩。" in page
        Clock.objects.update(ends_at=timezone.now())
        assert "<details" not in text(chief_client.get(address("desk", "big"))).split("chip-row")[0][-80:]

    def test_disputed_and_unconfirmed(self, chief_client, assistant_client, published, assistant):
        rules = ConfirmationRules.from_dict({"by": "official"})
        change_confirmation(event=published.stage.event, rules=rules, by=None)
        enter_all(published)
        Result.objects.update(confirmation=Confirmation.OPEN)
        result = Result.objects.get(match__table=2)
        Statement.objects.create(match=result.match, by=assistant, differs=True)
        page = text(chief_client.get(address("desk")))
        assert chips(page) == {"disputed": [2], "unconfirmed": [1, 3, 4]}
        assert big_button(page) == "去复核成绩"
        assert "请第 2 桌双方到裁判台。" in said(page)
        assert 'id="close-why"' in page
        assert 'id="close-why"' not in text(assistant_client.get(address("desk")))

    def test_a_refused_close_keeps_the_typed_reason(self, chief_client, published):
        change_confirmation(
            event=published.stage.event, rules=ConfirmationRules.from_dict({"by": "official"}), by=None
        )
        enter_all(published)
        Result.objects.update(confirmation=Confirmation.OPEN)
        Result.objects.filter(match__table=1).delete()
        answer = chief_client.post(address("round_close"), {"round": published.pk, "reason": "都签字了"})
        assert answer.status_code == 422
        assert "第 1 桌还没有成绩" in text(answer)

    def test_who_sees_the_round_and_in_which_version(self, chief_client, assistant_client, event, chief):
        def told(client):
            found = re.search(r'<span class="tag[^>]*>(.*?)</span>', text(client.get(address("desk"))))
            return found and found[1]

        assert told(chief_client) is None
        round_ = draw_round(stage=event.stages.get(), by=chief, seed=3)
        assert (told(chief_client), told(assistant_client)) == ("草稿，别人看不到", None)
        publish_round(round=round_, by=chief, expected_version=1, audience=Audience.HALL)
        assert told(assistant_client) == "只在现场公示，第 1 版"
        Round.objects.update(audience=Audience.EVERYBODY)
        assert told(assistant_client) == "已公示，第 1 版"

    def test_open_appeals(self, chief_client, published):
        stage = published.stage
        receive_appeal(stage=stage, team=event_team(stage.event, 5), round_number=1, text="不服", by=None)
        Appeal.objects.update(received_at=timezone.now() - timedelta(minutes=12))
        page = text(chief_client.get(address("desk")))
        assert "申诉待裁定：5 号队，最早的已等 12 分钟。" in page
        assert f'href="{address("appeals")}"' in page

    def test_missing_and_late_teams_while_a_round_hangs(self, chief_client, event, chief):
        use_check_in(event=event, used=True, by=None)
        stage = event.stages.get()
        check_in(stage=stage, teams=event.teams.filter(number__gt=1), by=None)
        set_absence(teams=[event_team(event, 1)], stage=stage, absence=Absence(stage.key, 1), by=None)
        publish(Event.objects.get(), chief)
        Team.objects.filter(number=1).update(absences=[], checked_in_at=timezone.now())
        Team.objects.filter(number=4).update(checked_in_at=None)
        page = text(chief_client.get(address("desk")))
        assert "迟到，还没有桌：1 号队。" in page
        assert "已编排但没有签到：4 号队。" in page
        assert said(page)[:2] == ["请 1 号队到裁判台。", "请 4 号队尽快到签到处签到。"]

    def test_who_a_round_was_drawn_without_and_why(self, chief_client, event, chief):
        use_check_in(event=event, used=True, by=None)
        stage = event.stages.select_related("event").get()
        check_in(stage=stage, teams=event.teams.filter(number__gt=2), by=None)
        excused = Absence(stage.key, 1, excused=True)
        set_absence(teams=[event_team(event, 8)], stage=stage, absence=excused, by=None)
        round_ = draw_checked_round(stage=stage, by=chief, unchecked=Unchecked.ABSENT)
        told = "第 1 轮没有编排这些队：未签到 1、2 号；请假 8 号。"
        assert told in text(chief_client.get(address("draw_board")))
        assert told in text(chief_client.get(address("desk")))
        event.teams.create(number=9, key="t9")
        assert "参赛但不在第 1 轮草稿里：9 号队。请重新编排。" in text(chief_client.get(address("desk")))
        event.teams.filter(number=9).delete()
        publish_round(round=round_, by=chief, expected_version=1)
        event.teams.create(number=9, key="t9")
        page = text(chief_client.get(address("desk")))
        assert told in page
        assert "第 1 轮编排以后才加入、还没签到：9 号队。" in page
        assert "已编排但没有签到" not in page
        assert told in text(chief_client.get(address("draw_board")))
        Team.objects.filter(number__in=[1, 9]).update(checked_in_at=timezone.now())
        page = text(chief_client.get(address("desk")))
        assert "迟到，还没有桌：1、9 号队。" in page
        assert "第 1 轮没有编排这些队：未签到 2 号；请假 8 号。" in page

    def test_a_team_entered_late_is_named_without_a_check_in_too(self, chief_client, event, published):
        event.teams.create(number=9, key="t9")
        assert "迟到，还没有桌：9 号队。" in text(chief_client.get(address("desk")))

    def test_an_archived_event_offers_nothing_to_do(self, chief_client, event, published):
        enter_all(published)
        Event.objects.update(archived_at=timezone.now())
        page = text(chief_client.get(address("desk")))
        assert big_button(page) == "打印最终排名"
        assert "desk/round/close" not in page
        assert "desk/screen/" not in page
        assert "desk/clock/" not in page.split('id="desk-now"')[1]

    def test_what_an_assistant_can_do(self, chief_client, assistant_client, published):
        ways = text(assistant_client.get(address("desk"))).split("desk-ways")[1].split("</p>")[0]
        assert re.findall(r">([^<]+)</a>", ways) == ["签到", "成绩", "打印"]
        assert "desk-ways" not in text(chief_client.get(address("desk")))


class TestStages:
    def test_each_of_several_has_its_line(self, chief_client, assistant_client, event, chief):
        event.stages.update(name="上午场", rounds_planned=1)
        second = event.stages.get()
        second.pk, second.key, second.order, second.name = None, "s2", 2, "下午场"
        second.rounds_planned = 2
        second.save()
        first = event.stages.get(order=1)
        round_ = draw_round(stage=first, by=chief, seed=1)
        assert lines(chief_client) == [("上午场", "第 1 轮（共 1 轮）草稿"), ("下午场", "还没开始")]
        assert lines(assistant_client) == [("上午场", "还没开始"), ("下午场", "还没开始")]
        publish_round(round=round_, by=chief, expected_version=1)
        make_result(Round.objects.get(), 1, 10, 7)
        assert lines(assistant_client)[0] == ("上午场", "第 1 轮（共 1 轮）：1 / 4 桌")
        enter_all(Round.objects.get())
        close_round(round=Round.objects.get(), by=chief)
        assert lines(assistant_client)[0] == ("上午场", "已结束，共 1 轮")

    def test_a_single_stage_has_none(self, chief_client, published):
        assert lines(chief_client) == []


def lines(client: Client) -> list[tuple[str, str]]:
    page = text(client.get(address("desk")))
    found = re.search(r'<ul class="desk-stages"[^>]*>(.*?)</ul>', page, re.DOTALL)
    return re.findall(r"<b>(.*?)</b>\s*<\w+[^>]*>(.*?)</", found[1]) if found else []


class TestHints:
    def test_a_team_that_left_and_still_sits_at_a_table_forfeits(self, assistant_client, event, published):
        match = published.matches.get(table=2)
        withdraw_team(team=match.away, from_round=published.number + 1, by=None)
        told = f"{match.away.number} 号已退赛，还编排在第 2 桌"
        assert told in text(assistant_client.get(address("desk")))
        make_result(published, 2, 10, 7)
        assert told not in text(assistant_client.get(address("desk")))

    def test_a_result_that_came_with_a_file_says_so(self, assistant_client, published):
        make_result(published, 2, 10, 7)
        assert "最近录入：第 2 桌，来自赛事文件，" in text(assistant_client.get(address("desk")))

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
