"""The projectors: what each shows, what its data costs, and the page from which they are steered."""

import gzip
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.models import Draw, Screen
from pairing.services import draw_round, publish_round, publish_with_ceremony, republish
from pairing.services.screens import MOST_SCREENS
from tests.builders import make_event, make_result, make_round, make_user, player_name
from tests.format_events import group_stage, knockout_stage, play_through
from tournaments.clock import start_clock
from tournaments.models import Audience, Clock, Event, LogEntry, Round
from tournaments.roles import ASSISTANT

pytestmark = pytest.mark.django_db
KEY = "hallkey23"
SEATING = [(1, 2), (3, 4), (5, 6), (7, 8)]
BYTES_OF_48 = 1_500
BYTES_OF_200 = 4_500
"""What the scenes of a draw by table and by number may weigh on the way, compressed; names repeat here."""


@pytest.fixture
def screen(event) -> Screen:
    return Screen.objects.create(event=event, name="北墙", key=KEY)


@pytest.fixture
def helper(event, assistant) -> Client:
    client = Client()
    client.force_login(assistant)
    return client


def data(client, slug="cup", **told):
    response = client.get(reverse("screen_keyed_data", args=[slug, KEY]), told)
    assert response.status_code == 200
    return response.content.decode()


def kinds(html: str) -> list[str]:
    return re.findall(r'class="scene [^"]*" data-role="(\w+)"', html)


def desk(name: str, *args) -> str:
    return reverse(name, args=["cup", *args])


def published(event, chief, audience=Audience.EVERYBODY) -> Round:
    round_ = draw_round(stage=event.stages.get(), by=chief, seed=3)
    version = Draw.objects.get(round=round_).version
    publish_round(round=round_, by=chief, expected_version=version, audience=audience)
    return Round.objects.get(pk=round_.pk)


class TestScenes:
    @pytest.mark.parametrize(
        ("roles", "shown"),
        [
            (["auto"], ["tables", "numbers"]),
            (["tables"], ["tables"]),
            (["numbers", "code"], ["numbers", "code"]),
            (["standings", "clock"], ["standings", "clock"]),
            (["auto", "tables", "notice"], ["tables", "numbers"]),
            (["notice"], ["tables", "numbers"]),
            (["bracket"], ["tables", "numbers"]),
        ],
    )
    def test_follow_the_roles_and_leave_out_what_there_is_nothing_of(
        self, event, screen, client, roles, shown
    ):
        Clock.objects.create(round=make_round(event, SEATING), length=2700)
        Screen.objects.update(roles=roles)
        assert kinds(data(client)) == shown

    def test_before_the_first_round(self, event, screen, client):
        assert kinds(data(client)) == ["title"]
        Screen.objects.update(roles=["code", "notice"], notice="欢迎\n<b>各位</b>")
        html = data(client)
        assert kinds(html) == ["code", "notice"]
        assert "欢迎<br>&lt;b&gt;各位&lt;/b&gt;" in html

    def test_automatic_follows_the_round(self, event, screen, client, chief):
        round_ = make_round(event, SEATING)
        Clock.objects.create(round=round_, length=2700)
        assert kinds(data(client)) == ["tables", "numbers"]
        start_clock(round=round_, by=chief)
        assert kinds(data(client)) == ["clock"]
        Round.objects.update(status="completed")
        Event.objects.update(revision=99)
        assert kinds(data(client)) == ["standings"]

    def test_one_role_alone(self, event, screen, client):
        make_round(event, SEATING)
        Screen.objects.update(roles=["tables", "numbers"], pinned="standings")
        assert kinds(data(client)) == ["standings"]

    def test_a_cross_table_for_groups_and_the_bracket_for_a_knockout(self, event, screen, client):
        Screen.objects.update(roles=["bracket"])
        play_through(group_stage(event, 2), 1)
        html = data(client)
        assert html.count('class="cross-grid"') == 2
        assert player_name(3) in html
        play_through(knockout_stage(event, 4), 1)
        Event.objects.update(revision=9)
        assert "scene-bracket" in data(client)

    def test_a_private_event_has_no_code_for_phones_but_shows_the_rest(self, event, screen, client):
        make_round(event, SEATING)
        Event.objects.update(is_public=False)
        Screen.objects.update(roles=["code", "tables"])
        assert kinds(data(client)) == ["tables"]
        assert client.get(reverse("screen", args=["cup"])).status_code == 404

    def test_an_unknown_key_and_the_key_of_another_event_lead_nowhere(self, event, screen, client):
        make_event(slug="other")
        for slug, key in (("cup", "hallkey24"), ("other", KEY), ("nothing", KEY)):
            for name in ("screen_keyed", "screen_keyed_data", "screen_clock"):
                assert client.get(reverse(name, args=[slug, key])).status_code == 404


class TestAudience:
    def test_the_hall_sees_more_than_everybody(self, event, screen, client, chief):
        published(event, chief, Audience.HALL)
        Clock.objects.update(length=1234)
        assert kinds(data(client)) == ["tables", "numbers"]
        assert client.get(reverse("screen_clock", args=["cup", KEY])).json()["length"] == 1234
        public = client.get(reverse("screen_data", args=["cup"])).content.decode()
        assert kinds(public) == ["title"]
        assert client.get(reverse("clock_json", args=["cup"])).json()["state"] == "none"

    def test_a_draft_changes_no_byte_of_a_screen(self, event, screen, client, chief):
        before = client.get(reverse("screen_keyed_data", args=["cup", KEY]))
        draw_round(stage=event.stages.get(), by=chief, seed=3)
        after = client.get(reverse("screen_keyed_data", args=["cup", KEY]))
        assert (after.content, after.headers["ETag"]) == (before.content, before.headers["ETag"])

    def test_a_correction_stands_on_every_screen_as_a_band(self, event, screen, client, chief):
        round_ = published(event, chief)
        assert "correction" not in data(client)
        event.teams.get(number=1).players.filter(position=1).update(name="改名")
        republish(round=round_, by=chief, reason="姓名有误")
        for html in (data(client), client.get(reverse("screen_data", args=["cup"])).content.decode()):
            assert re.search(r'class="correction">[^<]*更正', html)


class TestCeremony:
    def test_the_scenes_bring_it_with_the_seed(self, event, screen, client, chief):
        round_ = draw_round(stage=event.stages.get(), by=chief, seed=1234567)
        version = Draw.objects.get(round=round_).version
        publish_with_ceremony(round=round_, by=chief, expected_version=version, audience=Audience.HALL)
        html = data(client)
        assert "scene-ceremony" in html
        assert "1234567" in html
        public = client.get(reverse("screen_data", args=["cup"])).content.decode()
        assert "1234567" not in public
        Screen.objects.update(roles=["numbers"])
        assert kinds(data(client)) == ["tables", "numbers", "tables"]
        Screen.objects.update(roles=["clock"])
        assert "scene-ceremony" not in data(client)

    def test_the_chief_starts_and_skips_it_from_the_board(self, event, screen, client, chief):
        client.force_login(chief)
        round_ = draw_round(stage=event.stages.get(), by=chief, seed=3)
        board = client.get(desk("draw_board")).content.decode()
        assert f'formaction="{desk("ceremony_publish")}"' in board
        seen = {"draft": round_.pk, "version": Draw.objects.get(round=round_).version}
        assert client.post(desk("ceremony_publish"), seen).status_code == 303
        assert "ceremony-skip" in client.get(desk("draw_board")).content.decode()
        assert "ceremony-skip" in client.get(desk("screens")).content.decode()
        assert client.post(desk("ceremony_skip"), {"round": round_.pk}).status_code == 303
        answer = client.post(desk("ceremony_skip"), {"round": round_.pk})
        assert answer.status_code == 422
        assert "现在没有在逐桌揭晓" in answer.content.decode()
        assert "ceremony-start" in client.get(desk("draw_board")).content.decode()
        assert client.post(desk("ceremony_start"), {"round": round_.pk}).status_code == 303

    def test_nothing_is_published_from_a_draft_that_changed(self, event, screen, client, chief):
        client.force_login(chief)
        round_ = draw_round(stage=event.stages.get(), by=chief, seed=3)
        answer = client.post(desk("ceremony_publish"), {"draft": round_.pk, "version": 9})
        assert answer.status_code == 422
        assert Round.objects.get().is_draft


class TestPoll:
    def test_nothing_new_costs_no_body(self, event, screen, client):
        make_round(event, SEATING)
        address = reverse("screen_keyed_data", args=["cup", KEY])
        first = client.get(address)
        assert first.headers["Cache-Control"] == "no-store"
        again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        Screen.objects.update(turns=1)
        assert client.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200

    def test_it_tells_what_it_shows_unless_somebody_only_looks(self, event, screen, client):
        data(client, role="tables", page="2", pages="5")
        shown = Screen.objects.get()
        assert (shown.seen_role, shown.seen_page, shown.seen_pages) == ("tables", 2, 5)
        for told in ({}, {"role": "<b>", "page": 1, "pages": 1}, {"role": "tables", "page": "x"}):
            data(client, **told)
        client.head(reverse("screen_keyed_data", args=["cup", KEY]), {"role": "code", "page": 1, "pages": 1})
        assert Screen.objects.get().seen_role == "tables"
        page = reverse("screen_keyed", args=["cup", KEY])
        assert "data-tells" in client.get(page).content.decode()
        assert "data-tells" not in client.get(page, {"look": ""}).content.decode()

    @pytest.mark.parametrize(("teams", "most"), [(48, BYTES_OF_48), (200, BYTES_OF_200)])
    def test_queries_and_bytes(self, db, client, django_assert_num_queries, teams, most):
        event = make_event(teams=teams, departments=8, slug="size")
        make_round(event, [(number, number + 1) for number in range(1, teams, 2)])
        Screen.objects.create(event=event, name="北墙", key=KEY)
        address = reverse("screen_keyed_data", args=["size", KEY])
        told = {"role": "tables", "page": 1, "pages": 3}
        # cache, screen, contact, round, ceremony, version; twice: tables, players (2), version
        with django_assert_num_queries(14):
            answer = client.get(address, told, headers={"Accept-Encoding": "gzip"})
        assert answer.headers["Content-Encoding"] == "gzip"
        assert len(answer.content) < most
        assert gzip.decompress(answer.content).count(b'<li class="row">') == teams // 2 + teams
        with django_assert_num_queries(5):
            known = {"Accept-Encoding": "gzip", "If-None-Match": answer.headers["ETag"]}
            assert client.get(address, told, headers=known).status_code == 304

    def test_two_screens_share_what_was_rendered(self, event, screen, client, django_assert_num_queries):
        make_round(event, SEATING)
        Screen.objects.create(event=event, name="南墙", key="other23456")
        data(client)
        with django_assert_num_queries(5):
            client.get(reverse("screen_keyed_data", args=["cup", "other23456"]))


class TestDesk:
    def test_an_assistant_sets_a_screen_up(self, event, helper):
        page = helper.get(desk("screens")).content.decode()
        assert "还没有设置大屏" in page
        form = {"name": "北墙", "roles": ["tables", "code"], "seconds": 15, "distance": "far"}
        answer = helper.post(desk("screens"), form)
        assert (answer.status_code, answer.headers["Location"]) == (303, desk("screens"))
        screen = Screen.objects.get()
        assert (screen.name, screen.roles, screen.seconds, screen.distance) == (
            "北墙",
            ["tables", "code"],
            15,
            "far",
        )
        page = helper.get(desk("screens")).content.decode()
        assert reverse("screen_keyed", args=["cup", screen.key]) in page
        assert "还没有打开过" in page

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"name": ""}, "这个字段是必填项"),
            ({"roles": []}, "这个字段是必填项"),
            ({"seconds": 1}, "5"),
            ({"name": "北墙"}, "已经有一块大屏叫“北墙”"),
        ],
    )
    def test_what_cannot_be_is_said_and_typed_input_stays(self, event, screen, helper, change, said):
        form = {"name": "南墙", "roles": ["tables"], "seconds": 15, "distance": "far"} | change
        answer = helper.post(desk("screens"), form)
        assert answer.status_code == 422
        page = answer.content.decode()
        assert said in page
        assert '<option value="far" selected>' in page
        assert Screen.objects.count() == 1

    def test_no_more_than_the_hall_can_have(self, event, helper):
        Screen.objects.bulk_create(Screen(event=event, name=f"{n}") for n in range(MOST_SCREENS))
        form = {"name": "南墙", "roles": ["tables"], "seconds": 15, "distance": "far"}
        answer = helper.post(desk("screens"), form)
        assert answer.status_code == 422
        assert "已经有 20 块大屏" in answer.content.decode()

    def test_rename_keeps_address_and_notice(self, event, screen, helper):
        Screen.objects.update(notice="请安静")
        assert 'value="北墙"' in helper.get(desk("screen_edit", screen.pk)).content.decode()
        form = {"name": "入口", "roles": ["auto"], "seconds": 12, "distance": "near"}
        assert helper.post(desk("screen_edit", screen.pk), form).status_code == 303
        changed = Screen.objects.get()
        assert (changed.name, changed.key, changed.notice) == ("入口", KEY, "请安静")

    def test_remove(self, event, screen, helper, client):
        assert helper.post(desk("screen_remove", screen.pk)).status_code == 303
        assert client.get(reverse("screen_keyed", args=["cup", KEY])).status_code == 404
        assert helper.post(desk("screen_remove", screen.pk)).status_code == 404

    @pytest.mark.parametrize(
        ("act", "after"),
        [
            ("forward", {"turns": 1}),
            ("back", {"turns": -1}),
            ("hold", {"is_held": True}),
            ("clock", {"pinned": "clock"}),
            ("rotation", {"pinned": ""}),
        ],
    )
    def test_one_press_steers(self, event, screen, helper, act, after):
        answer = helper.post(desk("screen_steer", screen.pk), {"act": act})
        assert answer.headers["Location"] == desk("screens")
        assert Screen.objects.filter(pk=screen.pk, **after).exists()
        assert LogEntry.objects.filter(act="screen_switched", subject="北墙").count() == 1
        answer = helper.post(desk("screen_steer", screen.pk), {"act": act, "from": "desk"})
        assert answer.headers["Location"] == desk("desk")

    def test_an_unknown_press_changes_nothing(self, event, screen, helper):
        assert helper.post(desk("screen_steer", screen.pk), {"act": "explode"}).status_code == 422
        assert not LogEntry.objects.exists()

    def test_a_notice(self, event, screen, helper):
        answer = helper.post(desk("screens_notice"), {"notice": " ", "screens": [screen.pk]})
        assert answer.status_code == 422
        assert "请填写要显示的内容" in answer.content.decode()
        answer = helper.post(desk("screens_notice"), {"notice": "12 桌来一下", "screens": []})
        assert answer.status_code == 422
        assert "12 桌来一下" in answer.content.decode()
        posted = {"notice": "12 桌来一下", "screens": [screen.pk]}
        assert helper.post(desk("screens_notice"), posted).status_code == 303
        assert kinds(data(Client())) == ["notice"]
        down = {"notice": "", "screens": [screen.pk], "take_down": "1"}
        assert helper.post(desk("screens_notice"), down).status_code == 303
        assert kinds(data(Client())) == ["title"]

    def test_the_screens_of_another_event_do_not_exist(self, event, screen, helper):
        foreign = Screen.objects.create(event=make_event(slug="other"), name="别处")
        assert helper.post(desk("screen_steer", foreign.pk), {"act": "forward"}).status_code == 404
        answer = helper.post(desk("screens_notice"), {"notice": "来", "screens": [foreign.pk]})
        assert answer.status_code == 422
        assert Screen.objects.get(pk=foreign.pk).notice == ""

    @pytest.mark.parametrize("name", ["desk", "screens", "screens_now"])
    def test_what_each_shows_and_since_when_not(self, event, screen, helper, name):
        now = timezone.now()
        Screen.objects.update(seen_at=now, seen_role="standings", seen_page=2, seen_pages=5)
        gone = Screen.objects.create(event=event, name="入口", seen_at=now - timedelta(minutes=3, seconds=5))
        page = helper.get(desk(name)).content.decode()
        assert "在线" in page
        assert "排名 · 第 2 / 5 页" in page
        assert gone.name in page
        assert "3 分钟没有联系" in page

    @pytest.mark.parametrize("screens", [1, 12])
    def test_queries(self, db, django_assert_num_queries, screens):
        event = make_event(slug="many")
        Screen.objects.bulk_create(Screen(event=event, name=f"{n}") for n in range(screens))
        client = Client()
        client.force_login(make_user("many-helper", ASSISTANT, event))
        # session, user, event, official, rights (2); screens, round
        with django_assert_num_queries(8):
            client.get(reverse("screens_now", args=["many"]))


def test_the_clock_of_a_screen_is_never_cached(event, screen, client):
    round_ = make_round(event, SEATING)
    Clock.objects.create(round=round_, length=2700)
    make_result(round_, 1, 10, 7)
    answer = client.get(reverse("screen_clock", args=["cup", KEY]))
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.json()["length"] == 2700
