"""Sheets and workbooks through their addresses, with what they say."""

from io import BytesIO
from urllib.parse import unquote

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook
from pypdf import PdfReader

from scoring.models import Adjustment, Penalty
from tests.builders import ROLES, make_result, make_round, make_user
from tests.format_events import chained_event, play_through
from tournaments.models import RoundStatus

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(event):
    event.teams.filter(number=8).update(withdrawn_after=1)
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, None)], status=RoundStatus.COMPLETED)
    make_result(round_, 1, 10, 7)
    make_result(round_, 2, 10, 7)
    make_result(round_, 3, 2, 15)
    return event


def _get(client, name, event, **kwargs):
    response = client.get(reverse(name, kwargs={"slug": event.slug, **kwargs}))
    assert response.status_code == 200
    return response


def _text(response) -> str:
    return "".join(page.extract_text() for page in PdfReader(BytesIO(response.content)).pages)


def _rows(response) -> dict[str, list[tuple]]:
    book = load_workbook(BytesIO(response.content))
    return {sheet.title: [tuple(cell.value for cell in row) for row in sheet.iter_rows()] for sheet in book}


ROUND = {"stage": 1, "number": 1}


@pytest.mark.parametrize(
    ("name", "kwargs", "said", "called"),
    [
        ("roster_pdf", {}, "刘伟伟", "cup 掼蛋赛 名单.pdf"),
        ("draw_pdf", {**ROUND, "sheet": "draw-by-table"}, "轮空", "cup 掼蛋赛 第 1 轮对阵表.pdf"),
        (
            "draw_pdf",
            {**ROUND, "sheet": "draw-by-number"},
            "刘伟伟",
            "cup 掼蛋赛 第 1 轮座位表（按组号）.pdf",
        ),
        ("draw_pdf", {**ROUND, "sheet": "slips"}, "成绩单", "cup 掼蛋赛 第 1 轮成绩单.pdf"),
        ("standings_pdf", ROUND, "并列", "cup 掼蛋赛 第 1 轮后排名.pdf"),
        ("final_pdf", {"stage": 1}, "退赛", "cup 掼蛋赛 最终排名.pdf"),
    ],
)
def test_sheets_say_what_they_should_under_a_chinese_name(
    name, kwargs, said, called, played, assistant_client
):
    response = _get(assistant_client, name, played, **kwargs)
    assert said in _text(response).replace("\n", "")
    assert called in unquote(response.headers["Content-Disposition"])


def test_equal_teams_share_their_place_on_paper_and_in_the_workbook(played, assistant_client):
    rows = _rows(_get(assistant_client, "standings_xlsx", played, **ROUND))["第 1 轮后排名"]
    assert [(row[0], row[1]) for row in rows[1:5]] == [("1", 6), ("2 并列", 1), ("2 并列", 3), ("4", 7)]


def test_the_draw_workbook_has_tables_numbers_and_a_list_for_results(played, assistant_client):
    sheets = _rows(_get(assistant_client, "draw_xlsx", played, **ROUND))
    assert list(sheets) == ["按桌号", "按组号", "成绩登记"]
    assert [row[0] for row in sheets["按桌号"][1:]] == [1, 2, 3, "轮空"]
    assert [(row[0], row[3]) for row in sheets["按组号"][1:]] == [
        (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, "轮空")
    ]  # fmt: skip
    assert len(sheets["成绩登记"]) == 4


@pytest.mark.parametrize(("name", "kwargs"), [("standings", ROUND), ("final", {"stage": 1})])
def test_paper_and_workbook_say_what_was_ruled_beside_the_points(name, kwargs, played, assistant_client):
    about = {"stage": played.stages.get(), "round_number": 1}
    team = played.teams.get(number=1)
    taken = Adjustment.objects.create(**about, team=team, points=-3, reason="慢打")
    facts = {"rule": "slow_play", "action": "points", "amount": -3, "reason": "慢打"}
    Penalty.objects.create(**about, **facts, team=team, adjustment=taken)
    Adjustment.objects.create(**about, team=played.teams.get(number=3), points=2, reason="补分")
    told = {1: "1 号队：第 1 轮 -3 分（慢打）", 3: "3 号队：第 1 轮 +2 分（补分）"}
    text = _text(_get(assistant_client, f"{name}_pdf", played, **kwargs)).replace("\n", "").replace(" ", "")
    assert "计入名次的处罚：" + "·".join(told.values()).replace(" ", "") in text
    (rows,) = _rows(_get(assistant_client, f"{name}_xlsx", played, **kwargs)).values()
    assert {row[1]: row[-1] for row in rows[1:] if row[1] in (1, 3)} == told


def test_names_are_never_formulas(played, assistant_client):
    played.teams.get(number=1).players.update(name="=1+1")
    for name, kwargs in [("draw_xlsx", ROUND), ("standings_xlsx", ROUND), ("final_xlsx", {"stage": 1})]:
        response = _get(assistant_client, name, played, **kwargs)
        cells = [cell for sheet in load_workbook(BytesIO(response.content)) for row in sheet for cell in row]
        assert all(cell.data_type != "f" for cell in cells)
        assert any("=1+1" in str(cell.value) for cell in cells)


@pytest.mark.parametrize("number", [2, 9])
def test_a_round_that_is_not_there_has_no_sheet(number, played, assistant_client):
    for name in ("standings_pdf", "standings_xlsx", "draw_xlsx"):
        address = reverse(name, kwargs={"slug": played.slug, "stage": 1, "number": number})
        assert assistant_client.get(address).status_code == 404


def test_the_final_ranking_of_chained_stages_gives_the_places_of_all(db):
    event = chained_event(8, 2)
    for stage in event.stages.filter(order__gt=1):
        play_through(stage)
    client = Client()
    client.force_login(make_user("helper", ROLES["assistant"], event))
    rows = _rows(_get(client, "final_xlsx", event, stage=3))["最终排名"]
    assert [row[0] for row in rows[1:4]] == ["1", "2", "3 并列"]
    assert {row[1] for row in rows[1:]} == set(range(1, 9))
    knockout, groups = (event.stages.get(order=order).name for order in (3, 2))
    assert [row[4] for row in rows[1:]] == [knockout] * 4 + [groups] * 4
    text = _text(_get(client, "final_pdf", event, stage=3))
    assert "名次产生于" in text
    assert "决定项" not in text
