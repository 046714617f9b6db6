"""Home, new events, settings, officials, the log, sign-in and the error pages."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.builders import make_event, make_round, make_user
from tournaments.log import Act, record_act
from tournaments.models import Event, LogEntry, Official
from tournaments.roles import CHIEF

HOME, CREATE = "/", "/events/new/"


def page_of(client, address: str) -> str:
    return client.get(address).content.decode()


def typed(**changes) -> dict[str, str]:
    facts = {
        "name": "教职工赛",
        "slug": "",
        "venue": "体育馆",
        "organiser": "",
        "starts_at": "2026-12-05T09:00",
    }
    return {**facts, "is_public": "on", "preset": "R04", "rounds": "", "minutes": "", **changes}


# Home


def test_home_says_how_to_begin(client, db):
    page = page_of(client, HOME)
    assert 'href="/start/"' in page
    User.objects.create_superuser("root", password="pw-root-1")
    assert "/start/" not in page_of(client, HOME)
    client.login(username="root", password="pw-root-1")
    assert "新建第一个赛事" in page_of(client, HOME)


def test_home_shows_public_events_and_an_officials_own(client, event, assistant_client, administrator_client):
    make_event(slug="closed", teams=0)
    Event.objects.filter(slug="closed").update(is_public=False)
    assert "closed" not in page_of(client, HOME)
    assert "closed" not in page_of(assistant_client, HOME)
    assert "/e/closed/desk/" in page_of(administrator_client, HOME)
    assert "/e/cup/desk/" in page_of(assistant_client, HOME)
    assert "/e/cup/desk/" not in page_of(client, HOME)


def test_home_tells_an_official_without_an_event(client, db):
    client.force_login(make_user("idle", CHIEF))
    assert "还没有安排给您的赛事" in page_of(client, HOME)


def test_home_knows_no_draft(client, event):
    make_round(event, [(1, 2)], status="draft")
    assert "尚未编排" in page_of(client, HOME)
    event.stages.get().rounds.update(status="published")
    assert "第 1 轮进行中" in page_of(client, HOME)


@pytest.mark.parametrize("events", [2, 20])
def test_home_takes_the_same_queries_at_any_size(events, client, db, django_assert_num_queries):
    for number in range(events):
        make_round(make_event(slug=f"event{number}", teams=2), [(1, 2)])
    with django_assert_num_queries(3):
        client.get(HOME)


# New event


def test_an_emoji_in_a_printed_text_is_warned_of(administrator_client, event):
    told = "打印机和投影上可能没有“🎉”"
    made = administrator_client.post(CREATE, typed(name="教职工赛🎉"), follow=True)
    assert told in made.content.decode()
    facts = typed(name=event.name, slug="cup", preset="", rounds="4", minutes="45", organiser="工会🎉")
    saved = administrator_client.post("/e/cup/desk/settings/", facts, follow=True).content.decode()
    assert "设置已保存" in saved
    assert told in saved
    saved = administrator_client.post("/e/cup/desk/settings/", {**facts, "organiser": "工会"}, follow=True)
    assert "可能没有" not in saved.content.decode()


def test_ladder_of_rights(client, event, assistant_client, chief_client, administrator_client):
    installation = [CREATE, "/users/", "/users/new/"]
    desk = [reverse(name, args=["cup"]) for name in ("event_settings", "officials")]
    for address in [*installation, *desk]:
        assert client.get(address).status_code == 302
        assert assistant_client.get(address).status_code == 403
        assert chief_client.get(address).status_code == 403
        assert administrator_client.get(address).status_code == 200
    log = reverse("log", args=["cup"])
    assert client.get(log).status_code == 302
    assert assistant_client.get(log).status_code == 403
    assert chief_client.get(log).status_code == 200
    make_event(slug="other")
    for name in ("event_settings", "officials", "log"):
        assert chief_client.get(reverse(name, args=["other"])).status_code == 404


def test_create_an_event_from_a_preset(administrator_client, administrator):
    response = administrator_client.post(CREATE, typed())
    event = Event.objects.get(name="教职工赛")
    assert (response.status_code, response["Location"]) == (303, f"/e/{event.slug}/desk/")
    assert event.slug == "event-20261205"
    assert timezone.localtime(event.starts_at).isoformat() == "2026-12-05T09:00:00+08:00"
    stage = event.stages.get()
    assert (stage.rounds_planned, stage.minutes, stage.rules["scoring"]["model"]) == (5, 45, "win_loss")
    assert LogEntry.objects.get(act=Act.EVENT_CREATED).by == administrator


@pytest.mark.parametrize(("minutes", "stored"), [("none", None), ("80", 80)])
def test_rounds_and_minutes_may_differ_from_the_preset(minutes, stored, administrator_client):
    administrator_client.post(CREATE, typed(slug="own", rounds="7", minutes=minutes))
    stage = Event.objects.get(slug="own").stages.get()
    assert (stage.rounds_planned, stage.minutes) == (7, stored)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": ""}, "这个字段是必填项。"),
        ({"slug": "cup"}, "另一个赛事已经用了这个简称"),
        ({"slug": "掼蛋"}, "id_slug"),
        ({"rounds": "0"}, "1"),
        ({"rounds": "51"}, "50"),
        ({"minutes": "7"}, "7"),
        ({"preset": "R99"}, "R99"),
        ({"starts_at": "someday"}, "id_starts_at"),
    ],
)
def test_refused_events_keep_what_was_typed(changes, message, administrator_client):
    response = administrator_client.post(CREATE, typed(venue="留着的地点", **changes))
    assert response.status_code == 422
    assert message in response.content.decode()
    assert "留着的地点" in response.content.decode()
    assert Event.objects.count() == 1


# Settings and officials


def test_change_the_settings(event, administrator_client):
    address = reverse("event_settings", args=["cup"])
    page = page_of(administrator_client, address)
    assert 'value="活动中心"' in page
    response = administrator_client.post(address, typed(slug="cup", rounds="6", minutes="60"))
    assert (response.status_code, response["Location"]) == (303, address)
    event.refresh_from_db()
    assert (event.name, event.stages.get().rounds_planned, event.stages.get().minutes) == ("教职工赛", 6, 60)


def test_settings_keep_minutes_that_the_list_does_not_offer(event, administrator_client):
    event.stages.update(rules={"match": {"minutes": 25}})
    address = reverse("event_settings", args=["cup"])
    assert '<option value="25" selected>' in page_of(administrator_client, address)
    administrator_client.post(address, typed(slug="cup", rounds="4", minutes="25"))
    assert event.stages.get().minutes == 25


def test_settings_refuse_fewer_rounds_than_drawn(event, administrator_client):
    make_round(event, [(1, 2)])
    make_round(event, [(1, 3)], number=2)
    address = reverse("event_settings", args=["cup"])
    response = administrator_client.post(address, typed(slug="cup", rounds="1", minutes="45"))
    assert response.status_code == 422
    assert "第 2 轮已经编排" in response.content.decode()
    event.refresh_from_db()
    assert event.name != "教职工赛"


def test_settings_left_open_set_the_rounds_of_no_later_stage(event, administrator_client):
    first = event.stages.get()
    address = reverse("event_settings", args=["cup"])
    assert f'name="stage" value="{first.pk}"' in page_of(administrator_client, address)
    later = event.stages.create(key="s2", order=2, name="决赛", layout={"seed": 1}, rounds_planned=3)
    sent = {**typed(slug="cup", rounds="6", minutes="60"), "stage": first.pk}
    response = administrator_client.post(address, sent)
    assert (response.status_code, "下一阶段已经开始" in response.content.decode()) == (422, True)
    assert f'name="stage" value="{later.pk}"' in response.content.decode()
    assert list(event.stages.values_list("rounds_planned", flat=True)) == [4, 3]


def test_appoint_and_remove_an_official(event, client, administrator_client):
    user = make_user("new", CHIEF)
    address = reverse("officials", args=["cup"])
    assert administrator_client.post(address, {"user": user.pk}).status_code == 303
    client.force_login(user)
    assert client.get(reverse("log", args=["cup"])).status_code == 200
    assert administrator_client.post(address, {"remove": user.pk}).status_code == 303
    assert client.get(reverse("log", args=["cup"])).status_code == 404
    assert not Official.objects.filter(user=user).exists()


@pytest.mark.parametrize("posted", [{"remove": text} for text in ("x", "", "999999", "9" * 25, "9" * 5000)])
def test_removing_nobody_is_not_found(posted, event, administrator_client):
    assert administrator_client.post(reverse("officials", args=["cup"]), posted).status_code == 404


@pytest.mark.parametrize("posted", [{"user": "x"}, {"user": "999999"}, {"user": "9" * 25}, {}])
def test_appointing_nobody_is_refused(posted, event, administrator_client):
    assert administrator_client.post(reverse("officials", args=["cup"]), posted).status_code == 422


def test_a_name_that_nobody_could_see_is_no_name(administrator_client, event):
    for name in ("\u202e\ufeff", "\u3164", "决赛\ufffd"):
        refused = administrator_client.post(reverse("event_create"), {"name": name, "preset": "default"})
        assert refused.status_code == 422
    assert Event.objects.count() == 1
    administrator_client.post(reverse("event_create"), {"name": "\u202e教工 杯\u200b", "preset": "default"})
    assert Event.objects.latest("pk").name == "教工 杯"


# Log


def test_the_log_is_newest_first_paged_filtered_and_in_words(event, chief, chief_client):
    for number in range(60):
        record_act(event=event, act=Act.TEAM_ADDED, by=chief, subject=f"{number} 号", new={"number": number})
    record_act(
        event=event,
        act=Act.RESULT_CHANGED,
        by=chief,
        subject="第 1 轮 第 3 桌",
        old={"home": 5, "away": 6, "outcome": "played", "home_level": 14, "away_level": 9, "winner": "home"},
        new={"home": 5, "away": 6, "outcome": "played", "home_level": 15, "away_level": 9, "winner": "home"},
        reason="写反了",
    )
    address = reverse("log", args=["cup"])
    page = page_of(chief_client, address)
    assert "第 1 / 2 页" in page
    assert "<del>5 号 A : 9 6 号</del>" in page
    assert "<ins>5 号 过A : 9 6 号</ins>" in page
    assert "理由：写反了" in page
    assert "home_level" not in page
    assert page.index("更正成绩") < page.index("59 号")
    assert len(chief_client.get(address, {"page": "2"}).context["lines"]) == 11
    assert len(chief_client.get(address, {"act": "result_changed"}).context["lines"]) == 1
    assert len(chief_client.get(address, {"q": "写反"}).context["lines"]) == 1
    assert chief_client.get(address, {"page": "x", "act": "nothing"}).context["lines"] == []


@pytest.mark.parametrize("entries", [3, 49])
def test_the_log_takes_the_same_queries_at_any_size(
    entries, event, administrator, administrator_client, django_assert_num_queries
):
    for _number in range(entries):
        record_act(event=event, act=Act.TEAM_ADDED, by=administrator)
    with django_assert_num_queries(8):
        administrator_client.get(reverse("log", args=["cup"]))


# Sign-in and error pages


def test_sign_in_goes_only_to_own_pages(client, event, assistant):
    address = reverse("roster", args=["cup"])
    login = client.get(address)["Location"]
    assert "这个页面供工作人员使用" in page_of(client, login)
    wrong = client.post(login, {"username": "assistant", "password": "no"})
    assert "账号或密码不对" in wrong.content.decode()
    right = {"username": "assistant", "password": "pw-assistant", "next": "https://evil.example/"}
    assert client.post("/login/", right)["Location"] == "/"


def test_too_many_wrong_passwords_lock_the_account_for_a_while(client, settings, event, assistant):
    settings.AXES_ENABLED = True
    wrong = {"username": "assistant", "password": "no"}
    answers = [client.post("/login/", wrong) for _turn in range(settings.AXES_FAILURE_LIMIT)]
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert "尝试次数过多" in answers[-1].content.decode()


def test_error_pages_are_chinese_and_lead_on(client, event, assistant_client):
    missing = client.get("/nothing/")
    assert missing.status_code == 404
    assert "没有这个页面" in missing.content.decode()
    forbidden = assistant_client.get(CREATE)
    assert "您的身份不能做这件事" in forbidden.content.decode()
    assert "回到赛事列表" in forbidden.content.decode()


def test_a_stale_form_is_explained(event, assistant):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(assistant)
    refused = strict.post(reverse("team_add", args=["cup"]), {})
    assert refused.status_code == 403
    assert "页面放得太久" in refused.content.decode()


def test_a_server_error_says_what_to_do():
    page = render_to_string("500.html")
    assert "之前已确认的内容都在" in page
    assert "这次请求无法读取" in render_to_string("400.html")


@pytest.mark.parametrize("address", ["/login/", "/e/cup/desk/screen/"])
@pytest.mark.parametrize("charset", ["utf-16", "gbk"])
def test_a_form_in_another_charset_is_refused_in_words(address, charset, event, assistant):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(assistant)
    strict.cookies["csrftoken"] = "a" * 32
    refused = strict.post(address, b"shows=auto", f"application/x-www-form-urlencoded; charset={charset}")
    assert refused.status_code == 400
    assert "这次请求无法读取" in refused.content.decode()


@pytest.mark.parametrize("name", ["决赛</title><svg onload=alert(3)>", "{{7*7}}${7*7}"])
def test_an_events_name_is_never_code(name, client, event, administrator_client):
    Event.objects.update(name=name, venue=name, organiser=name)
    for visitor, address in (
        (client, HOME),
        (administrator_client, HOME),
        (administrator_client, reverse("event_settings", args=["cup"])),
        (administrator_client, reverse("officials", args=["cup"])),
        (administrator_client, reverse("roster", args=["cup"])),
        (administrator_client, reverse("log", args=["cup"])),
        (administrator_client, "/users/"),
    ):
        page = page_of(visitor, address)
        assert "<svg" not in page
        assert page.count("</title>") == 1
        assert ">49" not in page
