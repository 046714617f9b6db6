"""Prizes: set by place, the list with shared ranks left to the chief, paper, workbook, certificates."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime

import pytest
from django.urls import reverse
from django.utils import translation
from openpyxl import load_workbook
from pypdf import PdfReader

from guandan_site.prints.prizes import certificate_date
from tests.builders import make_event, make_result, make_round
from tournaments.forms.prizes import read_places, written_places
from tournaments.log import Act
from tournaments.models import Event, LogEntry, Player, RoundStatus, Team
from tournaments.prizes import Tier

TIERS = [
    {"from": 1, "to": 1, "name": "一等奖", "prize": "奖杯"},
    {"from": 2, "to": 4, "name": "二等奖", "prize": ""},
    {"from": 5, "to": None, "name": "优胜奖", "prize": "扑克"},
]


@pytest.fixture(autouse=True)
def press(settings, tmp_path):
    """A press of its own, so that tests running beside this one never find it busy."""
    settings.DATA_DIR = tmp_path


def played(event: Event, levels: list[int]) -> Event:
    """One round, 1 beats 2, 3 beats 4 …: losers stood at `levels`, so equal levels share a rank."""
    Event.objects.filter(pk=event.pk).update(prizes=TIERS, starts_at=datetime(2026, 12, 24, 17, tzinfo=UTC))
    event.stages.update(rounds_planned=1)
    tables = [(number, number + 1) for number in range(1, 2 * len(levels), 2)]
    round_ = make_round(event, tables, status=RoundStatus.COMPLETED)
    for table, level in enumerate(levels, start=1):
        make_result(round_, table, 15, level)
    return event


def address(name: str, event: Event) -> str:
    return reverse(name, args=[event.slug])


def page_of(client, where: str) -> str:
    return client.get(where).content.decode()


def text_of(response) -> str:
    pages = PdfReader(io.BytesIO(response.content)).pages
    return "".join("".join(page.extract_text() for page in pages).split())


def lines(*rows: tuple[str, str, str]) -> dict[str, str]:
    """What the form of prizes sends."""
    sent = {"form-TOTAL_FORMS": str(len(rows)), "form-INITIAL_FORMS": "0"}
    for place, values in enumerate(rows):
        sent |= {
            f"form-{place}-{name}": value
            for name, value in zip(("places", "name", "prize"), values, strict=True)
        }
    return sent


# Setting prizes


def test_set_the_prizes(event, administrator_client):
    where = address("prizes_edit", event)
    sent = lines(("9起", "优胜奖", "扑克"), ("", "", ""), ("1", "冠军", "奖杯"), ("2～4", "二等奖", ""))
    response = administrator_client.post(where, sent)
    assert (response.status_code, response["Location"]) == (303, where)
    event.refresh_from_db()
    assert event.prizes == [
        {"from": 1, "to": 1, "name": "冠军", "prize": "奖杯"},
        {"from": 2, "to": 4, "name": "二等奖", "prize": ""},
        {"from": 9, "to": None, "name": "优胜奖", "prize": "扑克"},
    ]
    page = page_of(administrator_client, where)
    assert 'value="2-4"' in page
    assert 'value="9-"' in page
    log = page_of(administrator_client, address("log", event))
    assert "1 冠军 奖杯" in log


def test_saving_the_page_as_it_is_changes_nothing(event, administrator_client):
    Event.objects.update(prizes=TIERS)
    formset = administrator_client.get(address("prizes_edit", event)).context["forms"]
    sent = {field.html_name: field.value() or "" for form in formset for field in form}
    management = {field.html_name: field.value() for field in formset.management_form}
    administrator_client.post(address("prizes_edit", event), {**sent, **management})
    event.refresh_from_db()
    assert event.prizes == TIERS
    assert not LogEntry.objects.filter(act=Act.PRIZES_CHANGED).exists()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("1-4", "一等奖", ""), ("3", "二等奖", "")], "第 3 名同时属于“一等奖”和“二等奖”"),
        ([("5-", "优胜奖", ""), ("9", "纪念奖", "")], "第 7 名同时属于"),
        ([("4-2", "一等奖", "")], "名次请写作"),
        ([("x", "一等奖", "")], "名次请写作"),
        ([("0", "一等奖", "")], "名次请写作"),
        ([("", "一等奖", "")], "名次请写作"),
        ([("1", "", "奖杯")], "请填写奖项名称"),
    ],
)
def test_refused_prizes_keep_what_was_typed(rows, message, event, administrator_client):
    response = administrator_client.post(address("prizes_edit", event), lines(*rows, ("7", "留着", "")))
    assert response.status_code == 422
    page = response.content.decode()
    assert message in page
    assert 'value="留着"' in page
    event.refresh_from_db()
    assert event.prizes == []


def test_a_broken_form_is_refused_without_a_server_error(event, administrator_client):
    for sent in ({}, {"form-TOTAL_FORMS": "x"}, {"form-TOTAL_FORMS": "5000", "form-INITIAL_FORMS": "0"}):
        assert administrator_client.post(address("prizes_edit", event), sent).status_code == 422


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("1", (1, 1)),
        ("2-4", (2, 4)),
        ("2–4", (2, 4)),
        ("2至4", (2, 4)),
        ("第2-4名", (2, 4)),
        ("第 5 名", (5, 5)),
        ("9-", (9, None)),
        ("9起", (9, None)),
        ("第9名起", (9, None)),
    ],
)
def test_places_as_officials_write_them(text, places):
    assert read_places(text) == places
    assert read_places(written_places(Tier(*places, "x"))) == places


# The list


def test_the_list_names_everybody_with_rank_and_prize(event, assistant_client):
    played(event, [2, 3, 4, 5])
    page = page_of(assistant_client, address("prizes", event))
    assert "一等奖" in page
    assert "奖杯" in page
    assert page.count("<b>优胜奖</b>") == 4
    assert "尚" not in page
    assert "并列" not in page


def test_a_shared_rank_across_prizes_waits_for_the_chief(event, assistant_client, chief_client):
    played(event, [2, 2, 4, 5])
    page = page_of(assistant_client, address("prizes", event))
    assert "第 1 名有 2 队并列" in page
    assert "一等奖 / 二等奖" in page
    assert page.count("并列，待处理") == 2
    assert "由主裁判处理" in page
    assert "现在抽签" not in page
    assert "现在抽签" in page_of(chief_client, address("prizes", event))


@pytest.mark.parametrize("how", ["shared", "lots"])
def test_the_chief_settles_it_in_the_open(how, event, chief_client, administrator_client):
    played(event, [2, 2, 4, 5])
    where = address("prizes", event)
    response = chief_client.post(address("prize_tie", event), {"teams": "1,3", "how": how})
    assert (response.status_code, response["Location"]) == (303, where)
    page = page_of(chief_client, where)
    assert "待处理" not in page
    assert page.count("<b>一等奖</b>") == (2 if how == "shared" else 1)
    log = page_of(chief_client, address("log", event))
    assert "处理并列奖项" in log
    assert ("先后" in log) == (how == "lots")
    assert "重新处理第 1 名的并列" in page


def test_a_corrected_result_opens_the_tie_again(event, chief_client):
    played(event, [2, 2, 4, 5])
    chief_client.post(address("prize_tie", event), {"teams": "1,3", "how": "shared"})
    event.stages.get().rounds.get().matches.get(table=3).result.__class__.objects.filter(
        match__table=3
    ).update(home_level=15, away_level=2)
    page = page_of(chief_client, address("prizes", event))
    assert "第 1 名有 3 队并列" in page
    assert page.count("并列，待处理") == 3
    assert 'name="teams" value="1,3,5"' in page
    chief_client.post(address("prize_tie", event), {"teams": "1,3", "how": "lots"})  # a page left open
    assert page_of(chief_client, address("prizes", event)).count("并列，待处理") == 3


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"teams": "1,3"},
        {"teams": "x", "how": "lots"},
        {"teams": "1,2", "how": "lots"},
        {"teams": "1,3", "how": "x"},
    ],
)
def test_settling_what_is_not_tied_changes_nothing(sent, event, chief_client):
    played(event, [2, 2, 4, 5])
    response = chief_client.post(address("prize_tie", event), sent, follow=True)
    assert "已不再并列" in response.content.decode()
    event.refresh_from_db()
    assert event.prize_ties == []


def test_an_assistant_does_not_settle(event, assistant_client):
    played(event, [2, 2, 4, 5])
    assert (
        assistant_client.post(address("prize_tie", event), {"teams": "1,3", "how": "lots"}).status_code == 403
    )


def test_the_list_says_what_is_missing(event, assistant_client):
    where = address("prizes", event)
    assert "还没有排名" in page_of(assistant_client, where)
    make_round(event, [(1, 2)])
    page = page_of(assistant_client, where)
    assert "还没有设置奖项" in page
    assert "最后一轮还没有结束" in page


@pytest.mark.parametrize("teams", [8, 48])
def test_the_list_takes_the_same_queries_at_any_size(
    teams, administrator, administrator_client, django_assert_num_queries
):
    event = played(make_event(slug="size", teams=teams), [2] * (teams // 2))
    where = address("prizes", event)
    with django_assert_num_queries(13):
        administrator_client.get(where)


# Paper


def test_the_list_on_paper_and_as_a_workbook(event, assistant_client):
    played(event, [2, 2, 4, 5])
    team = Team.objects.get(event=event, number=5)
    Player.objects.filter(team=team, position=1).update(name="=1+1")
    text = text_of(assistant_client.get(address("prizes_pdf", event)))
    assert "获奖名单" in text
    assert text.count("并列，待处理") == 2
    assert "=1+1" in text
    response = assistant_client.get(address("prizes_xlsx", event))
    rows = list(load_workbook(io.BytesIO(response.content)).active.iter_rows(values_only=True))
    assert rows[0] == ("名次", "组号", "选手", "单位", "奖项", "奖品")
    assert rows[1][:2] == ("1 并列", 1)
    assert rows[3][4] == "二等奖"
    assert rows[-1][5] == "扑克"


def test_certificates_one_a_page_for_all_with_a_certain_prize(event, assistant_client):
    played(event, [2, 2, 4, 5])
    response = assistant_client.get(address("certificates_pdf", event))
    pages = PdfReader(io.BytesIO(response.content)).pages
    assert len(pages) == 6, "eight teams less two that share a rank across prizes"
    assert all(page.mediabox.width > page.mediabox.height for page in pages)
    first = "".join(pages[0].extract_text().split())
    names = [player.name for player in Player.objects.filter(team__number=5, team__event=event)]
    for words in (
        "荣誉证书",
        *names,
        "单位2",
        "在“cup掼蛋赛”中荣获",
        "二等奖",
        "第3名",
        "校工会",
        "二〇二六年十二月二十五日",
    ):
        assert words in first


def test_certificates_for_chosen_teams_and_another_day(event, assistant_client):
    played(event, [2, 2, 4, 5])
    response = assistant_client.get(
        address("certificates_pdf", event), {"team": ["1", "x"], "day": "2027-01-10"}
    )
    text = text_of(response)
    assert text.count("荣誉证书") == 1
    assert "第1名" in text
    assert "一等奖" not in text
    assert "二〇二七年一月十日" in text


def test_a_title_that_tells_the_place_stands_alone(event, assistant_client):
    played(event, [2, 3, 4, 5])
    Event.objects.update(prizes=[{"from": 1, "to": 1, "name": "冠军", "prize": ""}])
    text = text_of(assistant_client.get(address("certificates_pdf", event)))
    assert "冠军" in text
    assert "第1名" not in text


def test_without_winners_there_is_a_word_instead_of_paper(event, assistant_client):
    make_round(event, [(1, 2)])
    response = assistant_client.get(address("certificates_pdf", event), {"day": "nonsense"}, follow=True)
    assert "还没有确定的获奖队" in response.content.decode()


@pytest.mark.parametrize("name", ["</title><svg onload=alert(3)>", "{{7*7}}"])
def test_names_are_never_code(name, event, assistant_client):
    played(event, [2, 3, 4, 5])
    Event.objects.update(name=name, prizes=[{"from": 1, "to": 1, "name": name, "prize": name}])
    Player.objects.filter(team__number=1).update(name=name)
    assert "<svg" not in page_of(assistant_client, address("prizes", event))
    assert "".join(name.split()) in text_of(assistant_client.get(address("certificates_pdf", event)))


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 12, 5), "二〇二六年十二月五日"),
        (date(2030, 10, 10), "二〇三〇年十月十日"),
        (date(2027, 1, 31), "二〇二七年一月三十一日"),
        (date(2027, 2, 20), "二〇二七年二月二十日"),
    ],
)
def test_days_in_characters(day, words):
    assert certificate_date(day) == words


def test_days_in_english():
    with translation.override("en"):
        assert "2026" in certificate_date(date(2026, 12, 5))
