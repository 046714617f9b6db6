"""Why a table is as it is, for everybody who may see the round; and for the chief before."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from pairing.models import Draw
from pairing.services import draw_round, open_to_everybody, publish_round, redraw_round
from pairing.services.guards import draw_of
from tests.builders import make_user
from tests.services.stages import (
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    begun,
    drawn,
    format_event,
    play_round,
    published,
    stage_of,
)
from tests.services.test_by_hand import publish, swap
from tournaments.models import Audience, Stage
from tournaments.roles import CHIEF

pytestmark = pytest.mark.django_db
BY_NUMBER = {"pairing": {"first_round": "entry_order"}}


@pytest.fixture
def chief(db):
    return make_user("chief", CHIEF)


def address(number, *, name="why", round=1, stage=1):
    return reverse(name, args=["cup", stage, round, number])


def words(answer) -> str:
    """The page's text without its marks, each run of blanks as one."""
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def page_of(number, **where) -> str:
    return words(Client().get(address(number, **where)))


class TestSwiss:
    def test_nearer_opponents_and_what_ruled_each_out(self, chief):
        event = format_event((SWISS, BY_NUMBER), teams=8, departments=0)
        play_round(stage_of(event), chief)
        published(stage_of(event), chief)
        page = page_of(1, round=2)
        assert "第 2 轮 1 号桌：为什么是这两队" in page
        assert "第 1 名" in page
        assert "按第 1 轮后的名次从前往后排" in page
        assert "1 队后面第一支还没有对手、又可以相遇的，就是 3 队。" in page
        assert page_of(3, round=2) == page

    def test_met_in_words(self, chief):
        event = format_event((SWISS, BY_NUMBER), teams=8, departments=0)
        for _ in range(3):
            play_round(stage_of(event), chief)
        published(stage_of(event), chief)
        match = next(
            each
            for each in stage_of(event).rounds.get(number=4).matches.order_by("table")
            if Draw.objects.get(round=each.round).explained["tables"][str(each.table)]
        )
        page = page_of(match.home.number, round=4)
        assert f"离 {match.home.number} 队更近的对手，为什么不行" in page
        assert re.search(r"\d+ \S+ · \S+（第 \d+ 名，\d+ 分）：两队第 [123] 轮已经遇过。", page)

    def test_departments(self, chief):
        event = format_event((SWISS, BY_NUMBER), teams=4, departments=2)
        event.teams.update(department=None)
        event.teams.filter(number__in=(1, 2)).update(department=event.departments.first())
        published(stage_of(event), chief)
        assert re.search(r"2 \S+ · \S+：两队同单位。", page_of(1))

    def test_the_bye(self, chief):
        event = format_event((SWISS, BY_NUMBER), teams=5)
        play_round(stage_of(event), chief)
        published(stage_of(event), chief)
        free = stage_of(event).rounds.get(number=2).matches.get(away=None).home.number
        page = page_of(free, round=2)
        assert "第 2 轮：为什么轮空" in page
        assert "在轮空次数最少的队里取名次最低的" in page
        first = stage_of(event).rounds.get(number=1).matches.get(away=None).home.number
        assert free != first

    def test_a_random_first_round_says_how_it_was_drawn(self, chief):
        event = format_event((SWISS, {}), teams=8)
        published(stage_of(event), chief)
        page = page_of(1)
        assert "第 1 轮抽签决定" in page
        assert re.search(r"抽签顺序中的位次：(\d)、(\d)。", page)
        assert "python manage.py draw_round cup.json --seed 11" in page
        places = re.search(r"位次：(\d)、(\d)。", page)
        assert int(places[2]) == int(places[1]) + 1

    def test_what_the_chief_changed(self, chief):
        event = format_event((SWISS, BY_NUMBER))
        round_ = drawn(stage_of(event), chief)
        swap(round_, chief, 2, 3)
        publish(round_, chief, "照顾赶车")
        assert "这一桌经主裁判调整：照顾赶车" in page_of(1)
        assert "为什么不行" not in page_of(1)
        assert "经主裁判调整" not in page_of(5)
        shown = Client().get(reverse("draw", args=["cup", 1, 1])).content.decode()
        assert "2 桌经主裁判调整（1、2 号桌）：照顾赶车" in shown


def test_the_team_s_page_leads_to_the_reasons_of_each_of_its_tables(chief):
    stage = stage_of(format_event((SWISS, BY_NUMBER), teams=7))
    play_round(stage, chief)
    published(stage, chief)
    team = stage.rounds.get(number=1).matches.get(away=None).home.number
    page = Client().get(reverse("team", args=["cup", team])).content.decode()
    assert re.findall(r'href="/e/cup/s1/r(\d)/why/(\d+)/"', page) == [
        ("2", str(team)),
        ("1", str(team)),
        ("2", str(team)),
    ]
    assert "为什么是这一桌" in page


class TestFormats:
    def test_the_schedule(self, chief):
        published(begun(format_event((ROUND_ROBIN, {"format": {"groups": 2}})), chief), chief)
        page = page_of(1)
        assert re.search(r"[AB] 组的赛程把这一场排在第 1 轮", page)
        assert "python manage.py check_event cup.json" in page

    def test_the_bracket(self, chief):
        stage = begun(format_event((KNOCKOUT, {})), chief)
        play_round(stage, chief)
        round_ = published(stage_of(stage.event), chief)
        match = round_.matches.get(table=1)
        page = page_of(match.home.number, round=2)
        assert "谁遇谁由阶段开始时抽定的对阵图决定" in page
        assert re.search(rf"{match.home.number} 队在第 1 轮 \d 号桌获胜。", page)
        assert "从这里进入对阵图" in page_of(1)


class TestWhoMaySee:
    def test_a_draft_answers_as_no_round_at_all(self, chief):
        event = format_event((SWISS, {}))
        nothing = Client().get(address(1, round=9))
        round_ = drawn(stage_of(event), chief)
        assert Client().get(address(1)).status_code == nothing.status_code == 404
        version = draw_of(round_).version
        publish_round(round=round_, by=chief, expected_version=version, audience=Audience.HALL)
        assert Client().get(address(1)).status_code == 404
        open_to_everybody(round=round_, by=chief)
        assert Client().get(address(1)).status_code == 200
        assert Client().get(address(99)).status_code == 404

    def test_the_chief_sees_it_on_the_draft(self, chief):
        event = format_event((SWISS, {}))
        event.officials.create(user=chief)
        round_ = drawn(stage_of(event), chief)
        client = Client()
        client.force_login(chief)
        assert "第 1 轮抽签决定" in words(client.get(address(1, name="why_official")))
        redraw_round(round=round_, by=chief, expected_version=draw_of(round_).version, seed=5)
        assert "--seed 5" in words(client.get(address(1, name="why_official")))
        assert Client().get(address(1, name="why_official")).status_code == 302


@pytest.mark.parametrize("teams", [8, 40])
def test_queries(teams, chief, django_assert_num_queries):
    event = format_event((SWISS, {}), teams=teams)
    play_round(stage_of(event), chief)
    published(stage_of(event), chief)
    with django_assert_num_queries(14):
        page_of(1, round=2)


def test_a_round_from_a_file_without_its_draw_still_answers(chief):
    event = format_event((SWISS, BY_NUMBER))
    draw_round(stage=stage_of(event), by=chief, seed=1)
    round_ = Stage.objects.get().rounds.get()
    Draw.objects.all().delete()
    round_.status = "published"
    round_.save()
    assert "第 1 轮按队号" in page_of(1)
