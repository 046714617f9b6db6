"""The page of the hall's tables, and the warnings before a match is moved."""

from __future__ import annotations

import pytest
from django.urls import reverse

from pairing.models import Publication
from pairing.services import draw_round, publish_round
from tests.builders import make_result
from tournaments.models import Event, Round, Stage

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def address(name="hall_tables", *more) -> str:
    return reverse(name, args=["cup", *more])


def text(answer) -> str:
    return answer.content.decode()


def typed(broken="", first="", last="", **more) -> dict[str, str]:
    stage = Stage.objects.get()
    return {"broken": broken, f"first_{stage.pk}": first, f"last_{stage.pk}": last, **more}


@pytest.fixture
def published(event, chief) -> Round:
    round_ = draw_round(stage=event.stages.get(), by=chief, seed=3)
    publish_round(round=round_, by=chief, expected_version=1)
    return Round.objects.get()


def test_it_keeps_what_was_typed(chief_client, event):
    answer = chief_client.post(address(), typed("17，3、3", "2", "40"))
    assert (answer.status_code, answer.url) == (303, address())
    stage = Stage.objects.get()
    assert Event.objects.get().broken_tables == [3, 17]
    assert (stage.first_table, stage.last_table) == (2, 40)
    page = text(chief_client.get(address()))
    assert 'value="3, 17"' in page
    assert 'value="40"' in page


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"broken": "3, 五"}, "“五”不是桌号。"),
        ({"broken": "0"}, "“0”不是桌号。"),
        ({"first": "5"}, "两头的桌号都填，或都不填。"),
        ({"first": "9", "last": "5"}, "后一格的桌号要大于前一格。"),
    ],
)
def test_what_cannot_be_read_is_said_and_kept(chief_client, event, wrong, said):
    answer = chief_client.post(address(), typed(**wrong))
    assert answer.status_code == 422
    assert said in text(answer)
    assert f'value="{next(iter(wrong.values()))}"' in text(answer)
    assert Event.objects.get().broken_tables == []


def test_looking_changes_nothing(chief_client, published):
    answer = chief_client.post(address(), typed("2", look="1"))
    assert answer.status_code == 200
    assert "积分编排 第 1 轮：" in text(answer)
    assert "从 2 号桌移到 5 号桌。" in text(answer)
    assert Event.objects.get().broken_tables == []


def test_the_warnings_come_while_typing(chief_client, published):
    Event.objects.get().teams.filter(number=4).update(fixed_table=9)
    page = text(chief_client.get(address(), typed("2", "1", "4"), headers=HTMX))
    assert "<html" not in page
    for said in (
        "没有空桌可移。",
        "“积分编排”要 4 张桌，只有 3 张可用。",
        "4 队固定坐 9 号桌，但“积分编排”不能用这张桌。",
    ):
        assert said in page
    assert "可以这样设，没有对阵要换桌。" in text(chief_client.get(address(), typed("70"), headers=HTMX))


def test_published_tables_move_with_a_reason(chief_client, published):
    refused = chief_client.post(address(), typed("2"))
    assert refused.status_code == 422
    assert "请填写原因" in text(refused)
    assert 'value="2"' in text(refused)
    assert chief_client.post(address(), typed("2", reason="桌腿断了")).status_code == 303
    assert Publication.objects.last().reason == "桌腿断了"
    shown = text(chief_client.get(reverse("draw_board", args=["cup"])))
    assert "第 2 版" in shown


def test_no_free_table_is_said(chief_client, published):
    Stage.objects.update(first_table=1, last_table=4)
    answer = chief_client.post(address(), typed("2", "1", "4", reason="坏"))
    assert answer.status_code == 422
    assert "2 号桌的对阵没有空桌可移" in text(answer)
    make_result(published, 2, 10, 7)
    assert "2 号桌已有记录，仍在原桌打完。" in text(chief_client.get(address(), typed("2"), headers=HTMX))


def test_too_few_tables_are_said_on_the_board(chief_client, event):
    chief_client.post(address(), typed("", "1", "3"))
    answer = chief_client.post(reverse("draw_make", args=["cup"]))
    assert answer.status_code == 422
    assert "桌不够：只有 3 张可用。" in text(answer)
    assert not Round.objects.exists()


def test_moving_to_a_table_out_of_use_is_warned_of(chief_client, published):
    Event.objects.update(broken_tables=[7])
    move = {"table": "1", "to": "7"}
    warned = "7 号桌不能用"
    page = address("draw_tables", 1, 1)
    assert warned in text(chief_client.get(page, move))
    fragment = text(chief_client.get(page, move, headers=HTMX))
    assert warned in fragment
    assert "<html" not in fragment
    assert warned not in text(chief_client.get(page, {**move, "to": "8"}))
