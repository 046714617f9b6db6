"""The planner's page, and the event that a proposal leads to."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from tournaments.models import Event
from tournaments.plan_words import clock_text, duration_text, remark_text
from tournaments.planner import Concern, Wishes, proposals

PLAN = "/events/plan/"
WISHES = {
    "teams": "24",
    "department": "",
    "tables": "12",
    "day": "",
    "starts": "09:00",
    "ends": "17:00",
    "minutes": "45",
    "pause": "10",
    "rounds": "",
}


def planned(client, **changes):
    return client.get(PLAN, {**WISHES, **changes})


def addresses(response) -> list[str]:
    """Where the cards' buttons lead, in order."""
    found = re.findall(r'href="(/events/new/\?[^"]+)"', response.content.decode())
    return [unescape(address) for address in found]


def test_only_administrators_plan(client, chief_client, administrator_client):
    assert client.get(PLAN).status_code == 302
    assert chief_client.get(PLAN).status_code == 403
    assert administrator_client.get(PLAN).status_code == 200
    assert administrator_client.post(PLAN).status_code == 405


def test_an_empty_form_begins_with_a_usual_day(administrator_client):
    page = administrator_client.get(PLAN).content.decode()
    assert 'value="09:00"' in page
    assert "plan-head" not in page


def test_each_format_has_a_card_with_its_numbers(administrator_client):
    page = planned(administrator_client).content.decode()
    assert re.findall(r'plan-head"><h2>(.*?)</h2>', page) == [
        "积分编排",
        "小组赛 + 淘汰赛",
        "淘汰赛",
        "循环赛",
    ]
    assert page.count(">可行<") == 3
    assert "14:20 <small>5 小时 20 分</small>" in page
    assert "28 <small>其中备用 4 副</small>" in page
    assert "第 2 天 05:55" in page
    assert "时间不够：超出 12 小时 55 分。" in page


def test_the_plan_stands_in_the_address_and_nothing_is_stored(administrator_client):
    before = Event.objects.count()
    planned(administrator_client)
    page = planned(administrator_client, teams="13").content.decode()
    assert 'value="13"' in page
    assert "每轮有一队轮空" in page
    assert Event.objects.count() == before


def test_six_teams_are_warned_of_a_dead_end_after_three_rounds(administrator_client):
    page = planned(administrator_client, teams="6", rounds="5").content.decode()
    assert "6 队只能保证前 3 轮排得出不重复的对阵" in page


@pytest.mark.parametrize(
    ("changes", "draws", "tried"),
    [
        ({"teams": "24"}, "23 最多；13 轮一定能排", ""),
        (
            {"teams": "16", "department": "6", "rounds": "4"},
            "10 最多；3 轮一定能排",
            "用随机成绩试排：4 轮每次都排得出来。",
        ),
        (
            {"teams": "10", "rounds": "8"},
            "9 最多；5 轮一定能排",
            "用随机成绩试排：8 轮里只有 7 轮每次都排得出来。",
        ),
        ({"teams": "10", "rounds": "12"}, "9 最多；5 轮一定能排", ""),
        ({"teams": "1000", "department": "500", "rounds": "9"}, "500 最多；1 轮一定能排", ""),
    ],
)
def test_how_many_rounds_can_be_drawn(administrator_client, changes, draws, tried):
    page = re.sub(r"<[^>]+>", "", planned(administrator_client, **changes).content.decode())
    assert draws in page
    assert (tried in page) if tried else ("用随机成绩试排" not in page)


def test_a_department_of_more_than_half_is_told(administrator_client):
    page = planned(administrator_client, department="13").content.decode()
    assert "一个单位占了 24 队中的 13 队，超过一半" in page


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"teams": "1"}, "teams"),
        ({"teams": "many"}, "teams"),
        ({"ends": "08:00"}, "结束时间要晚于开始时间"),
        ({"department": "25"}, "一个单位的队数不能多于总队数"),
        ({"minutes": "44"}, "minutes"),
        ({"starts": ""}, "starts"),
    ],
)
def test_what_cannot_be_planned_is_told_beside_its_field(changes, message, administrator_client):
    response = planned(administrator_client, **changes)
    assert response.status_code == 422
    page = response.content.decode()
    assert "plan-head" not in page
    assert "errorlist" in page
    assert message in page


def test_a_proposal_fills_in_the_form_of_a_new_event(administrator_client):
    swiss, groups, knockout, robin = addresses(planned(administrator_client, day="2026-12-05"))
    assert swiss == "/events/new/?preset=default&minutes=45&rounds=6&starts_at=2026-12-05T09%3A00"
    assert "preset=general-groups" in groups
    assert "groups=4" in groups
    assert "rounds" not in knockout + robin
    page = administrator_client.get(groups).content.decode()
    assert re.search(r'value="general-groups"[^>]*checked', page)
    assert re.search(r'name="groups"[^>]*value="4"|value="4"[^>]*name="groups"', page)
    assert 'value="2026-12-05T09:00"' in page
    assert '<option value="45" selected>' in page


def test_the_event_is_created_as_proposed(administrator_client):
    address = addresses(planned(administrator_client, teams="48", tables="24", minutes="40"))[1]
    form = administrator_client.get(address).context["form"]
    typed = {field.html_name: field.value() for field in form if field.value() not in (None, False)}
    response = administrator_client.post(
        reverse("event_create"), {**typed, "name": "规划的比赛", "slug": "made"}
    )
    assert response.status_code == 303
    groups, knockout = Event.objects.get(slug="made").stages.order_by("order")
    assert groups.rules["format"]["groups"] == 8
    assert (groups.minutes, knockout.minutes) == (40, 40)


def test_an_address_fills_in_only_what_it_may(administrator_client):
    address = (
        reverse("event_create") + "?preset=nonsense&slug=stolen&name=%3Cb%3Ex&rounds=abc&starts_at=later"
    )
    page = administrator_client.get(address).content.decode()
    assert 'value="stolen"' not in page
    assert "<b>x" not in page
    assert administrator_client.get(address).status_code == 200


def test_home_and_the_new_event_lead_to_the_planner(administrator_client, client):
    assert f'href="{PLAN}"' in administrator_client.get("/").content.decode()
    assert f'href="{PLAN}"' in administrator_client.get(reverse("event_create")).content.decode()
    assert PLAN not in client.get("/").content.decode()
    Event.objects.all().delete()
    assert f'href="{PLAN}"' in administrator_client.get("/").content.decode()


@pytest.mark.parametrize("teams", ["8", "2000"])
def test_four_queries_whatever_the_size(teams, administrator_client, django_assert_num_queries):
    with django_assert_num_queries(4):
        assert planned(administrator_client, teams=teams).status_code == 200


def test_every_concern_has_its_words():
    def wished(teams, **changes):
        return Wishes(
            teams, **{"tables": 9, "starts": 540, "ends": 720, "minutes": 45, "pause": 10, **changes}
        )

    asked = [
        wished(21, department=12),
        wished(21, department=10, rounds=13),
        wished(21, department=3, rounds=30),
        wished(20, department=8, rounds=4),
        wished(6, rounds=4),
        wished(100, rounds=2),
        wished(16, department=9),
    ]
    told = {
        remark.concern: remark_text(remark)
        for wish in asked
        for plan in proposals(wish)
        for remark in plan.remarks
    }
    assert set(told) == set(Concern)
    assert not any("%(" in text for text in told.values())
    assert all(re.search("[\u4e00-\u9fff]", text) for text in told.values())


def test_lengths_and_hours_in_words():
    assert [duration_text(minutes) for minutes in (45, 120, 200)] == ["45 分钟", "2 小时", "3 小时 20 分"]
    assert [clock_text(minutes) for minutes in (545, 24 * 60 + 5)] == ["09:05", "第 2 天 00:05"]
