"""Publishing to the hall, then to phones; corrections afterwards; versions opened and printed again."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from pairing.models import Draw, Publication, Screen
from pairing.services import draw_round, open_to_everybody, publish_round, swap_published
from tests.builders import make_event, make_result, make_round, make_user
from tests.views.test_pdf import text_of as words
from tournaments.models import Audience, Event, Round, RoundStatus
from tournaments.roles import ASSISTANT

pytestmark = pytest.mark.django_db


def address(name: str, *more, slug: str = "cup") -> str:
    return reverse(name, args=[slug, *more])


def text(answer) -> str:
    return answer.content.decode()


def seen(round_: Round) -> dict[str, int]:
    return {"draft": round_.pk, "version": Draw.objects.get(round=round_).version}


@pytest.fixture
def drawn(event, chief) -> Round:
    return draw_round(stage=event.stages.get(), by=chief, seed=5)


@pytest.fixture
def in_hall(drawn, chief) -> Round:
    publish_round(round=drawn, by=chief, expected_version=1, audience=Audience.HALL)
    return Round.objects.get()


@pytest.fixture
def published(drawn, chief) -> Round:
    publish_round(round=drawn, by=chief, expected_version=1)
    return Round.objects.get()


@pytest.fixture
def pair(published) -> tuple[int, int]:
    """Two teams of different tables."""
    return published.matches.get(table=1).home.number, published.matches.get(table=3).home.number


class TestPublicScreen:
    LEAVES_OUT = "只公布给大厅"

    def test_tells_officials_that_it_leaves_the_hall_s_round_out(
        self, client, assistant_client, in_hall, chief
    ):
        page = text(assistant_client.get(address("screen")))
        assert self.LEAVES_OUT in page
        assert f'href="{address("screens")}"' in page
        assert "data-hall-only" in text(assistant_client.get(address("screen_data")))
        assert "只公布给大厅：这个公开页面不显示它" in text(assistant_client.get(address("desk")))
        assert self.LEAVES_OUT not in text(client.get(address("screen")))
        assert "data-hall-only" not in text(client.get(address("screen_data")))
        open_to_everybody(round=in_hall, by=chief)
        assert "data-hall-only" not in text(assistant_client.get(address("screen_data")))
        assert "data-leaves-out hidden" in text(assistant_client.get(address("screen")))

    def test_an_official_of_another_event_is_the_public(self, client, in_hall):
        client.force_login(make_user("other", ASSISTANT, make_event(slug="other")))
        assert self.LEAVES_OUT not in text(client.get(address("screen")))


class TestButtons:
    def test_both_ways_stand_on_the_draft(self, chief_client, drawn):
        page = text(chief_client.get(address("draw_board")))
        assert re.search(r'go big" name="audience" value="everybody"', page)
        assert "只给大厅" in page
        Event.objects.update(publishes_to=Audience.HALL)
        page = text(chief_client.get(address("draw_board")))
        assert re.search(r'go big" name="audience" value="hall"', page)
        assert "同时公布到手机" in page

    @pytest.mark.parametrize(
        ("pressed", "usual", "audience"),
        [
            ("hall", "everybody", "hall"),
            ("everybody", "hall", "everybody"),
            (None, "hall", "hall"),
            (None, "everybody", "everybody"),
        ],
    )
    def test_the_button_decides_then_the_setting(self, chief_client, drawn, pressed, usual, audience):
        Event.objects.update(publishes_to=usual)
        button = {"audience": pressed} if pressed else {}
        assert chief_client.post(address("draw_publish"), {**seen(drawn), **button}).status_code == 303
        assert Round.objects.get().audience == audience

    def test_nobody_else_sees_it(self, chief_client, drawn):
        answer = chief_client.post(address("draw_publish"), {**seen(drawn), "audience": "moon"})
        assert answer.status_code == 422
        assert Round.objects.get().is_draft

    def test_the_desk_asks_for_the_next_step(self, chief_client, assistant_client, in_hall):
        page = text(chief_client.get(address("desk")))
        assert "只给大厅" in page
        assert re.search(r'id="next-act">公布到手机', page)
        assert "由主裁判公布到手机" in text(assistant_client.get(address("desk")))
        answer = chief_client.post(address("draw_open"), {"round": in_hall.pk, "from": "desk"})
        assert answer.headers["Location"] == address("desk")
        assert not Round.objects.get().is_hall_only
        assert re.search(r'id="next-act">开始计时', text(chief_client.get(address("desk"))))
        answer = chief_client.post(address("draw_open"), {"round": in_hall.pk})
        assert answer.status_code == 422
        assert "已经公布到手机" in text(answer)

    def test_without_a_projector_of_its_own_only_paper_shows_it(self, event, chief_client, in_hall):
        words = "现在只有打印的纸上有本轮对阵"
        assert words in text(chief_client.get(address("draw_board")))
        Screen.objects.create(event=event, name="北墙")
        assert words not in text(chief_client.get(address("draw_board")))

    def test_once_play_has_begun_it_stays_beside_the_next_step(self, chief_client, in_hall):
        make_result(in_hall, 1, 10, 7)
        page = text(chief_client.get(address("desk")))
        assert re.search(r'id="next-act"[^>]*>录入成绩', page)
        assert "手机上还看不到第 1 轮" in page


class TestHallStage:
    """What only the hall sees answers to everybody else as a round that does not exist."""

    PUBLIC = ("event", "draw_latest", "screen", "screen_data", "rules", "department_standings", "clock_json")

    def _answers(self, client: Client) -> list[tuple[int, bytes]]:
        pages = [address(name) for name in self.PUBLIC]
        pages += [address("standings", 1), address("team", 1), address("team", 8)]
        pages += [address("find_team") + "?q=伟", reverse("home")]
        answers = [client.get(page) for page in pages]
        return [(answer.status_code, re.sub(rb'"now": \d+', b"", answer.content)) for answer in answers]

    def test_it_changes_no_public_answer(self, client, drawn, chief):
        before = self._answers(client)
        publish_round(round=drawn, by=chief, expected_version=1, audience=Audience.HALL)
        make_result(Round.objects.get(), 1, 15, 2)
        Event.objects.update(revision=99)  # no answer from the cache
        assert self._answers(client) == before

    def test_its_addresses_are_those_of_no_round(self, client, chief_client, in_hall):
        for visitor in (client, chief_client):
            for name in ("draw", "draw_changes", "standings_after"):
                assert visitor.get(address(name, 1, 1)).status_code == 404, name
        Event.objects.update(revision=99)
        assert (
            client.get(address("draw_changes", 1, 1)).content.replace(b"/r1/", b"/r9/")
            == client.get(address("draw_changes", 1, 9)).content
        )

    def test_officials_print_and_enter(self, assistant_client, in_hall):
        sheet = assistant_client.get(reverse("draw_pdf", args=["cup", 1, 1, "draw-by-table"]))
        assert sheet.status_code == 200
        assert "第1版" in words(sheet.content)
        match = in_hall.matches.get(table=1)
        typed = {"version": 0, "home": match.home.number, "away": match.away.number}
        typed |= {"home_level": "10", "away_level": "7"}
        answer = assistant_client.post(address("result_save", 1, 1, 1), typed)
        assert answer.status_code == 303
        standings = assistant_client.get(reverse("standings_pdf", args=["cup", 1, 1]))
        assert standings.status_code == 200

    def test_opened_it_is_there_at_once(self, client, in_hall, chief):
        assert client.get(address("draw", 1, 1)).status_code == 404
        open_to_everybody(round=in_hall, by=chief)
        assert client.get(address("draw", 1, 1)).status_code == 200


class TestSwapAfterPublication:
    def test_looked_at_then_done_with_a_reason(self, chief_client, client, published, pair):
        page = text(chief_client.get(address("draw_swap"), {"team": pair}))
        assert "所有人已经看到这份对阵" in page
        move = {**seen(published), "first": pair[0], "second": pair[1], "confirmed": "1"}
        answer = chief_client.post(address("draw_swap"), move)
        assert answer.status_code == 422
        assert "请填写原因" in text(answer)
        assert chief_client.post(address("draw_swap"), {**move, "reason": "抄错座次"}).status_code == 303
        board = text(chief_client.get(address("draw_board")))
        assert "更正：第 2 版" in board
        for page in (address("event"), address("draw", 1, 1)):
            assert "第 1、3 桌有变" in text(client.get(page)), page

    def test_a_table_with_a_result_is_told(self, chief_client, published, pair):
        make_result(published, 1, 10, 7)
        move = {**seen(published), "first": pair[0], "second": pair[1], "confirmed": "1", "reason": "抄错"}
        answer = chief_client.post(address("draw_swap"), move)
        assert answer.status_code == 422
        assert "这些桌已有记录：1 桌" in text(answer)

    def test_the_notice_is_taken_down(self, chief_client, client, event, chief, published, pair):
        _swapped(event, chief, published, pair)
        assert chief_client.post(address("notice_end"), {"round": published.pk}).status_code == 303
        for page in (address("event"), address("draw", 1, 1)):
            assert "更正" not in text(client.get(page)), page

    def test_changed_names_ask_for_a_new_version(self, chief_client, event, published):
        event.teams.get(number=3).players.filter(position=1).update(name="替补员")
        assert "公示新版" in text(chief_client.get(address("draw_board")))
        answer = chief_client.post(address("draw_republish"), {"round": published.pk, "reason": ""})
        assert answer.status_code == 422
        fields = {"round": published.pk, "reason": "换人"}
        assert chief_client.post(address("draw_republish"), fields).status_code == 303
        assert Publication.objects.filter(withdrawn_at=None).get().version == 2
        assert "公示新版" not in text(chief_client.get(address("draw_board")))


def _swapped(event, chief, round_: Round, pair: tuple[int, int]) -> None:
    first, second = (event.teams.get(number=number) for number in pair)
    version = Draw.objects.get(round=round_).version
    swap_published(
        round=round_,
        first=first,
        second=second,
        by=chief,
        expected_version=version,
        reason="抄错座次",
        confirmed=True,
    )


class TestChangedNames:
    def replaced(self, client, team: int = 3) -> str:
        leaves = Event.objects.get().teams.get(number=team).players.get(position=2).name
        posted = {"leaves": leaves, "comes": "新人", "phone": "", "from_round": 1, "note": "发烧"}
        return text(client.post(address("player_replace", team), posted, follow=True))

    def test_whoever_replaces_a_player_hears_that_old_names_hang(self, assistant_client, published):
        assert "第 1 轮的桌次表上还是原来的名字" in self.replaced(assistant_client)

    def test_not_before_anything_hangs(self, assistant_client, drawn):
        assert "还是原来的名字" not in self.replaced(assistant_client)

    def test_the_desk_offers_the_correction_until_it_hangs(self, chief_client, assistant_client, published):
        offered = f'href="{address("draw_board")}#republish"'
        assert offered not in text(chief_client.get(address("desk")))
        self.replaced(assistant_client)
        assert offered in text(chief_client.get(address("desk")))
        assistants = text(assistant_client.get(address("desk")))
        assert offered not in assistants
        assert "请告诉裁判长" in assistants
        assert 'id="republish"' in text(chief_client.get(address("draw_board")))
        sent = {"round": published.pk, "stage": "", "reason": "换人"}
        assert chief_client.post(address("draw_republish"), sent).status_code == 303
        assert offered not in text(chief_client.get(address("desk")))

    def test_the_teams_own_page_tells_of_it_and_no_other(
        self, client, chief_client, assistant_client, published
    ):
        match = published.matches.get(table=1)
        own, opponent = match.home.number, match.away.number
        others = set(published.stage.event.teams.values_list("number", flat=True)) - {own, opponent}
        self.replaced(assistant_client, own)
        chief_client.post(address("draw_republish"), {"round": published.pk, "stage": "", "reason": "换人"})
        page = text(client.get(address("team", own)))
        assert "own-correction" in page
        assert "桌次和对手不变" in page
        assert "新人" in page.split("own-correction")[1].split("</div>")[0]
        assert "own-correction" not in text(client.get(address("team", min(others))))

    def test_another_table_is_told_on_the_teams_page(self, client, event, chief, published, pair):
        _swapped(event, chief, published, pair)
        told = text(client.get(address("team", pair[0]))).split("own-correction")[1].split("</div>")[0]
        assert re.search(r"原来： 第 <b>1</b> 桌.*现在： 第 <b>3</b> 桌", " ".join(told.split()))


class TestVersions:
    @pytest.fixture
    def corrected(self, event, chief, published, pair) -> Round:
        _swapped(event, chief, published, pair)
        return published

    def test_all_versions_with_who_and_why(self, assistant_client, corrected):
        page = text(assistant_client.get(address("versions", 1, 1)))
        assert page.index("第 2 版") < page.index("第 1 版")
        assert "抄错座次" in page
        assert "chief" in page
        assert page.count("现在张贴的") == 1

    def test_a_version_opens_as_it_was(self, assistant_client, event, corrected, pair):
        event.teams.get(number=pair[0]).players.filter(position=1).update(name="后来人")
        page = assistant_client.get(address("version", 1, 1, 1))
        assert page.status_code == 200
        assert "后来人" not in text(page)
        assert "后来人" in text(assistant_client.get(address("draw", 1, 1)))
        assert assistant_client.get(address("version", 1, 1, 1) + "?by=number").status_code == 200
        assert assistant_client.get(address("version", 1, 1, 3)).status_code == 404

    @pytest.mark.parametrize("sheet", ["draw-by-table", "draw-by-number"])
    def test_a_version_prints_as_it_was(self, assistant_client, event, corrected, pair, sheet):
        event.teams.get(number=pair[0]).players.filter(position=1).update(name="后来人")
        print_ = reverse("draw_version_pdf", args=["cup", 1, 1, 1, sheet])
        printed = words(assistant_client.get(print_).content)
        assert "第1版" in printed
        assert "本版已作废" in printed
        assert "后来人" not in printed
        now = words(assistant_client.get(reverse("draw_pdf", args=["cup", 1, 1, sheet])).content)
        assert "第2版" in now
        assert "第1、3桌有变" in now

    def test_slips_have_no_frozen_sheet(self, assistant_client, corrected):
        print_ = reverse("draw_version_pdf", args=["cup", 1, 1, 1, "slips"])
        assert assistant_client.get(print_).status_code == 404

    def test_everybody_reads_what_changed(self, client, corrected, pair):
        page = text(client.get(address("draw_changes", 1, 1)))
        assert f'<th scope="row">{pair[0]} ' in page
        assert "第 <b>1</b> 桌" in page
        assert "第 <b>3</b> 桌" in page

    def test_nothing_changed_says_so(self, client, published):
        assert "公示以来没有改动" in text(client.get(address("draw_changes", 1, 1)))

    def test_a_round_from_an_event_file_has_none(self, assistant_client, event):
        make_round(event, [(1, 2)])
        assert "没有版本记录" in text(assistant_client.get(address("versions", 1, 1)))

    @pytest.mark.parametrize("teams", [8, 200])
    def test_queries(self, client, chief, teams, django_assert_num_queries):
        big = make_event(teams=teams, slug="big")
        round_ = make_round(big, [(number, number + 1) for number in range(1, teams, 2)])
        Draw.objects.create(round=round_, seed=1, method="adjacent")
        _swapped(big, chief, round_, (1, 3))
        with django_assert_num_queries(4):
            client.get(address("draw_changes", 1, 1, slug="big"))


class TestPhonesAddress:
    def test_on_every_sheet(self, assistant_client, published):
        page = text(assistant_client.get(address("prints"), headers={"host": "192.168.1.5:8000"}))
        assert "http://192.168.1.5:8000/e/cup/" in page
        assert 'class="qr"' not in page

    def test_the_setting_counts_more(self, assistant_client, published):
        Event.objects.update(public_address="https://cup.example.org")
        assert "https://cup.example.org/e/cup/" in text(assistant_client.get(address("prints")))

    @pytest.mark.parametrize(
        ("typed", "stored"),
        [
            ("192.168.1.5:8000", "http://192.168.1.5:8000"),
            (" https://cup.example.org/ ", "https://cup.example.org"),
            ("", ""),
        ],
    )
    def test_it_is_typed_in_the_settings(self, administrator_client, event, typed, stored):
        fields = {"name": "杯赛", "slug": "cup", "rounds": 4, "minutes": 45, "publishes_to": "hall"}
        answer = administrator_client.post(address("event_settings"), {**fields, "public_address": typed})
        assert answer.status_code == 303
        event.refresh_from_db()
        assert (event.public_address, event.publishes_to) == (stored, "hall")

    @pytest.mark.parametrize("typed", ["javascript:alert(1)", "http://a b", "http://a/e/x/", "ftp://a"])
    def test_what_is_no_address_is_refused(self, administrator_client, event, typed):
        fields = {"name": "杯赛", "slug": "cup", "rounds": 4, "minutes": 45}
        answer = administrator_client.post(address("event_settings"), {**fields, "public_address": typed})
        assert answer.status_code == 422
        assert "请写成 http://" in text(answer)


def test_a_withdrawn_round_has_no_changes_page(client, chief, event, published, pair):
    _swapped(event, chief, published, pair)
    assert client.get(address("draw_changes", 1, 1)).status_code == 200
    Round.objects.update(status=RoundStatus.DRAFT)
    Event.objects.update(revision=99)
    assert client.get(address("draw_changes", 1, 1)).status_code == 404
