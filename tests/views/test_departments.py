"""The departments' ranking, as everybody sees it."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.db.models import F
from openpyxl import load_workbook
from pypdf import PdfReader

from tests.builders import ROLES, make_event, make_result, make_round, make_user
from tests.services.test_standings import full_rounds
from tournaments.models import Event, RoundStatus, Stage, StageFormat

PAGE = "/e/cup/departments/"


def text(client, address: str = PAGE) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def rows(page: str) -> list[tuple[str, str, str]]:
    """Rank, name and points of each department, in order."""
    found = r'class="place"><b>(\S+)</b>.*?department-name">(.*?)</b>.*?class="total">(-?\d+)</b>'
    return re.findall(found, page, re.DOTALL)


def revise(event: Event) -> None:
    """What every official act does: cached pages are out of date."""
    Event.objects.filter(pk=event.pk).update(revision=F("revision") + 1)


def played(**changes):
    """Eight teams of four departments after one round: 26:0, 25:1, 24:2 and 23:3 for the lower numbers."""
    event = make_event(**changes)
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)], status=RoundStatus.COMPLETED)
    for table, level in enumerate((15, 14, 13, 12), start=1):
        make_result(round_, table, level, 2)
    return event


def test_the_points_of_the_best_teams_with_the_teams_that_counted(db, client):
    played()
    page = text(client)
    assert rows(page) == [
        ("1", "单位2", "50"),
        ("2", "单位4", "48"),
        ("3", "单位1", "4"),
        ("4", "单位3", "2"),
    ]
    assert "第 1 轮后" in page
    assert re.findall(r'side-column why">(.*?)</td>', page) == ["", "积分少 2", "积分少 44", "积分少 2"]
    assert re.findall(r'<a href="/e/cup/teams/(\d)/"', page) == ["1", "5", "3", "7", "8", "4", "6", "2"]


def test_rules_of_the_stage_say_how_many_count(db, client):
    played(rules={"departments": {"best": 1, "minimum": 3}})
    page = text(client)
    assert {rank for rank, _, _ in rows(page)} == {"–"}
    assert "少 1 队，不排名次" in page
    assert "不足 3 队的单位不排名次" in page
    assert "不计：" in page


def test_equal_departments_share_a_rank(db, client):
    event = make_event(teams=4, departments=2)
    round_ = make_round(event, [(1, 2), (3, 4)], status=RoundStatus.COMPLETED)
    make_result(round_, 1, 15, 2)
    make_result(round_, 2, 2, 15)
    page = text(client)
    assert [(rank, points) for rank, _, points in rows(page)] == [("1", "26"), ("1", "26")]
    assert page.count('<span class="shared">并列</span>') == 2


def test_the_stage_that_states_departments_counts_else_the_first(db, client):
    event = played()
    Stage.objects.create(
        event=event, key="s2", order=2, name="决赛", format=StageFormat.KNOCKOUT, rounds_planned=2
    )
    assert "积分编排" in text(client)
    event.stages.filter(order=2).update(rules={"departments": {"best": 2}})
    revise(event)
    assert "决赛" in text(client)


def test_teams_without_a_department_do_not_count(db, client):
    event = played()
    event.teams.filter(department=event.departments.get(name="单位1")).update(department=None)
    assert "单位1" not in text(client)
    event.teams.update(department=None)
    revise(event)
    assert "都没有填写单位" in text(client)


def test_before_the_first_round(db, client):
    event = make_event()
    assert "有了成绩，这里就有单位排名" in text(client)
    make_round(event, [(1, 2)], status=RoundStatus.DRAFT)
    revise(event)
    assert "有了成绩，这里就有单位排名" in text(client)


def test_an_open_round_is_told(db, client):
    make_round(make_event(), [(1, 2), (3, 4)])
    assert "第 1 轮尚未结束" in text(client)


def test_no_stage_and_a_private_event_answer_as_what_does_not_exist(db, client):
    event = played()
    event.is_public = False
    event.save()
    assert client.get(PAGE).status_code == 404
    event.is_public = True
    event.save()
    event.stages.all().delete()
    assert client.get(PAGE).status_code == 404


def test_the_standings_lead_here_where_there_are_departments(db, client):
    played()
    assert f'href="{PAGE}"' in text(client, "/e/cup/s1/standings/")
    played(slug="alone", departments=0)
    assert "/e/alone/departments/" not in text(client, "/e/alone/s1/standings/")


@pytest.mark.parametrize(("teams", "departments"), [(8, 4), (200, 40)])
def test_eight_queries_whatever_the_size(teams, departments, db, client, django_assert_num_queries):
    full_rounds(make_event(teams=teams, departments=departments), 3)
    with django_assert_num_queries(8):
        assert client.get(PAGE).status_code == 200


def test_names_are_data(db, client):
    """A18."""
    event = played()
    event.departments.filter(name="单位1").update(name="<img src=x onerror=alert(1)>")
    event.teams.get(number=2).players.update(name="{{7*7}}<b>x")
    page = text(client)
    assert "<img" not in page
    assert "<b>x" not in page
    assert "49" not in page


def test_the_ranking_on_paper_and_as_a_workbook(db, client, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    event = played(rules={"departments": {"best": 1}})
    client.force_login(make_user("assistant", ROLES["assistant"], event))
    assert "department-ranking.pdf" in text(client)
    prints = client.get("/e/cup/desk/prints/").content.decode()
    assert "/e/cup/departments/" in prints
    assert "department-ranking.pdf" in prints
    response = client.get("/e/cup/desk/prints/department-ranking.pdf")
    paper = "".join(PdfReader(BytesIO(response.content)).pages[0].extract_text().split())
    assert "单位排名" in paper
    assert "单位4" in paper
    assert "每个单位取积分最高的1队相加" in paper
    workbook = load_workbook(BytesIO(client.get("/e/cup/desk/prints/department-ranking.xlsx").content))
    cells = [[cell.value for cell in row] for row in workbook.active.iter_rows()]
    place = next(number for number, row in enumerate(cells) if row[0] == "名次")
    assert cells[place + 1][:5] == [1, "单位2", 26, 1, "1 (26)"]
