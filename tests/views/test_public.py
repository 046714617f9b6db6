"""What players and spectators see: the event now, the finder, the rules, the projector, the clock."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from tests.builders import make_event, make_result, make_round, player_name
from tournaments.clock import pause_clock, start_clock
from tournaments.models import Clock, Event, Round, RoundStatus

pytestmark = pytest.mark.django_db
SEATING = [(1, 2), (3, 4), (5, 6), (7, 8)]


def _page(client, name, **kwargs):
    return client.get(reverse(name, kwargs={"slug": "cup", **kwargs}))


def _text(client, name, **kwargs):
    response = _page(client, name, **kwargs)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def published(event) -> Round:
    round_ = make_round(event, SEATING)
    Clock.objects.create(round=round_, length=2700)
    return round_


def test_before_the_first_round_the_event_says_so(event, client):
    assert "尚未开始" in _text(client, "event")
    assert "对阵表将显示在这里" in _text(client, "screen_data")


def test_a_draft_changes_nothing(event, client):
    before = {name: _page(client, name).content for name in ("event", "screen", "screen_data")}
    make_round(event, SEATING, status=RoundStatus.DRAFT)
    Event.objects.update(revision=7)  # no answer from the cache
    assert {name: _page(client, name).content for name in before} == before


def test_the_event_shows_round_clock_byes_and_leaders(event, published, client):
    make_result(published, 1, 15, 2)
    page = _text(client, "event")
    assert "第 1 轮 / 共 4 轮" in page
    assert "45:00" in page
    assert "共 4 桌" in page
    assert "排名（第 1 轮进行中）" in page
    event.stages.get().rounds.all().delete()
    make_round(event, [(1, 2), (3, 4), (5, 6), (7, None)])
    Event.objects.update(revision=8)
    assert f"轮空：7 {player_name(15)} · {player_name(16)}" in _text(client, "event")


@pytest.mark.parametrize("teams", [8, 200])
def test_the_event_takes_the_same_number_of_queries(teams, client, django_assert_num_queries):
    big = make_event(teams=teams, slug="big")
    make_round(big, [(number, number + 1) for number in range(1, teams, 2)])
    with django_assert_num_queries(12):
        client.get(reverse("event", args=["big"]))


def test_find_a_team_by_number_or_name(event, client):
    find = reverse("find_team", args=["cup"])
    assert client.get(find, {"q": "７"}).headers["Location"] == reverse("event", args=["cup"])
    assert client.get(find, {"q": player_name(2 * 3 + 1)}).headers["Location"] == reverse(
        "team", args=["cup", 3]
    )
    assert client.get(find, {"q": "伟"}).content.decode().count("team-number") == 8
    assert "没有找到“谁”" in client.get(find, {"q": "谁"}).content.decode()
    assert client.get(find).status_code == 200


def test_the_rules_are_written_out(event, client):
    page = _text(client, "rules")
    assert "任何两队不重复交手" in page
    assert "13" in page


@pytest.mark.parametrize(
    ("shows", "said", "not_said"),
    [("auto", "按桌号", "名次"), ("standings", "排名", "按桌号"), ("clock", "即将开始", "按桌号")],
)
def test_the_projector_shows_what_the_desk_chose(event, published, client, shows, said, not_said):
    Event.objects.update(screen_shows=shows, revision=9)
    page = _text(client, "screen_data")
    assert said in page
    assert not_said not in page


def test_the_projector_follows_the_round(event, published, client, chief):
    start_clock(round=published, by=chief)
    assert "还有 4 桌没有交成绩" in _text(client, "screen_data")
    Round.objects.update(status=RoundStatus.COMPLETED)
    Event.objects.update(revision=99)
    assert "第 1 轮后排名" in _text(client, "screen_data")


def test_the_clock_is_never_cached_and_carries_the_servers_now(event, published, client, chief):
    start_clock(round=published, by=chief)
    response = _page(client, "clock_json")
    face = response.json()
    assert response.headers["Cache-Control"] == "no-store"
    assert face["state"] == "running"
    assert abs(face["now"] - timezone.now().timestamp() * 1000) < 5_000
    pause_clock(round=published, by=chief)
    assert _page(client, "clock_json").json()["state"] == "paused"


def test_the_chief_runs_the_clock_from_its_page(event, published, chief_client):
    def act(name, **data):
        return chief_client.post(reverse("clock_act", args=["cup", name]), data)

    assert "开始计时" in _text(chief_client, "clock")
    assert act("start").status_code == 303
    assert "暂停" in _text(chief_client, "clock")
    assert act("extend", minutes="5").headers["Location"] == reverse("clock", args=["cup"])
    assert act("extend", minutes="0").status_code == 422
    refused = act("extend", minutes="-60")
    assert (refused.status_code, "现在可以填 -49 到 430" in refused.content.decode()) == (422, True)
    assert act("pause", **{"from": "desk"}).headers["Location"] == reverse("desk", args=["cup"])
    act("pause")
    assert "计时已暂停，没有改动" in _text(chief_client, "clock")
    act("resume")
    Clock.objects.update(ends_at=timezone.now() - timedelta(minutes=1))
    assert "00:00" in _text(chief_client, "clock")
    act("reset")
    assert Clock.objects.get().started_at is None


def test_a_page_left_open_starts_the_clock_of_no_other_round(event, published, chief_client):
    page = _text(chief_client, "clock")
    Round.objects.update(status=RoundStatus.COMPLETED)
    later = make_round(event, SEATING, number=2)
    Clock.objects.create(round=later, length=2700)
    assert f'name="round" value="{published.pk}"' in page
    chief_client.post(reverse("clock_act", args=["cup", "start"]), {"round": published.pk})
    assert "这一轮现在不计时，没有做任何改动" in _text(chief_client, "clock")
    assert not Clock.objects.exclude(started_at=None).exists()
    for nonsense in ("x", "9" * 30):
        assert (
            chief_client.post(reverse("clock_act", args=["cup", "start"]), {"round": nonsense}).status_code
            == 302
        )


@pytest.mark.parametrize(
    ("target", "goes_to"),
    [
        ("/e/cup/", "/e/cup/"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("javascript:alert(1)", "/"),
    ],
)
def test_the_language_switch_goes_back_to_own_pages_only(event, client, target, goes_to):
    response = client.get(reverse("language", args=["en"]), {"next": target})
    assert response.headers["Location"] == goes_to
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "en"
    assert "Find my team" in _text(client, "event")
    assert client.get(reverse("language", args=["xx"])).status_code == 404
