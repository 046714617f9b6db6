"""The chief's draw board, through the pages."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from pairing.models import Draw, Publication
from pairing.services import draw_round, publish_round
from scoring.models import Result
from tests.builders import make_event, make_result, make_round, make_user
from tournaments.models import Match, Round, RoundStatus
from tournaments.roles import CHIEF


def address(name: str, slug: str = "cup") -> str:
    return reverse(name, args=[slug])


def seen(round_: Round) -> dict[str, int]:
    draw = Draw.objects.get(round=round_)
    return {"draft": round_.pk, "version": draw.version}


def client_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text(response) -> str:
    return response.content.decode()


@pytest.fixture
def drawn(event, chief) -> Round:
    return draw_round(stage=event.stages.get(), by=chief, seed=3)


@pytest.fixture
def published(drawn, chief) -> Round:
    publish_round(round=drawn, by=chief, expected_version=1)
    return Round.objects.get(pk=drawn.pk)


class TestStates:
    def test_ready(self, chief_client, event):
        page = text(chief_client.get(address("draw_board")))
        assert "编排第 1 轮" in page
        assert "8 队在赛" in page

    def test_no_teams_leads_to_the_roster(self, chief_client, event):
        event.teams.all().delete()
        page = text(chief_client.get(address("draw_board")))
        assert "没有在赛的队" in page
        assert address("roster") in page

    def test_a_team_stands_somewhere_after_a_forfeit_and_after_a_bye(self, chief):
        event = make_event(teams=5, departments=5, slug="forfeits")
        round_ = make_round(event, [(1, 2), (3, 4), (5, None)], status=RoundStatus.COMPLETED)
        for table in (1, 2):
            match = round_.matches.get(table=table)
            Result.objects.create(match=match, outcome="forfeit_away")
        event.officials.create(user=chief)
        draw_round(stage=event.stages.get(), by=chief, seed=3)
        page = text(client_of(chief).get(address("draw_board", "forfeits")))
        standing = [cell.split("</td>")[0] for cell in page.split('<td class="num standing">')[1:]]
        assert len(standing) == 5
        assert all("分" in cell for cell in standing)

    def test_draft_shows_both_teams_with_rank_points_and_reason(self, chief):
        event = make_event(teams=4, departments=2, slug="four")
        first = make_round(event, [(1, 2), (3, 4)], status=RoundStatus.COMPLETED)
        make_result(first, 1, 15, 2)
        make_result(first, 2, 10, 7)
        chief = make_user("other-chief", CHIEF, event)
        draw_round(stage=event.stages.get(), by=chief)
        page = text(client_of(chief).get(address("draw_board", "four")))
        assert "第 1 名 · 26 分" in page
        assert "第 3 名 · 10 分" in page
        assert "1 队：与 3 队同单位" in page
        assert "没有违反规则" in page

    def test_broken_rules_are_named(self, chief_client, event):
        make_round(event, [(1, 5), (2, 3), (4, 6), (7, 8)], status=RoundStatus.DRAFT)
        page = text(chief_client.get(address("draw_board")))
        assert "1 队与 5 队同单位" in page
        assert "违反规则 1 处" in page

    def test_published_with_version_and_withdrawal(self, chief_client, published):
        page = text(chief_client.get(address("draw_board")))
        assert "已公示" in page
        assert "v1" in page
        assert address("draw_withdraw") in page
        make_result(published, 2, 10, 7)
        page = text(chief_client.get(address("draw_board")))
        assert "第 2 桌已有成绩" in page
        assert address("draw_withdraw") not in page

    def test_all_rounds_played(self, chief_client, published, event):
        Round.objects.update(status=RoundStatus.COMPLETED)
        event.stages.update(rounds_planned=1)
        page = text(chief_client.get(address("draw_board")))
        assert "计划的 1 轮已经打完" in page
        assert address("round_reopen") in page

    def test_roster_changed_after_the_draw(self, chief_client, drawn, event):
        event.teams.filter(number=3).update(withdrawn_after=0)
        event.teams.create(key="t9", number=9)
        page = text(chief_client.get(address("draw_board")))
        assert "已退赛或缺席但仍在桌上：3 队" in page
        assert "在赛但没有编入：9 队" in page
        answer = chief_client.post(address("draw_publish"), seen(drawn))
        assert answer.status_code == 422
        assert Round.objects.get().is_draft


def test_many_tables_with_results_are_told_in_spans(chief_client, event, chief):
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    for table in (1, 2, 3):
        make_result(round_, table, 10, 7)
    assert "第 1–3 桌已有成绩" in text(chief_client.get(address("draw_board")))


class TestActs:
    def test_draw_with_a_seed(self, chief_client, event):
        answer = chief_client.post(address("draw_make"), {"seed": "17"})
        assert (answer.status_code, answer.headers["Location"]) == (303, address("draw_board"))
        assert Draw.objects.get().seed == 17

    def test_drawing_twice_shows_what_is_there(self, chief_client, drawn):
        answer = chief_client.post(address("draw_make"))
        assert answer.status_code == 422
        assert "第 1 轮已经编排好了" in text(answer)
        assert "草稿" in text(answer)
        assert Round.objects.count() == 1

    def test_a_bad_seed_is_refused_and_kept(self, chief_client, event):
        answer = chief_client.post(address("draw_make"), {"seed": "abc"})
        assert answer.status_code == 422
        assert 'value="abc"' in text(answer)
        assert not Round.objects.exists()

    def test_closest_is_an_option(self, chief_client, event):
        first = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)], status=RoundStatus.COMPLETED)
        for table in (1, 2, 3, 4):
            make_result(first, table, 10, 7)
        chief_client.post(address("draw_make"), {"method": "closest"})
        assert Draw.objects.get(round__number=2).method == "closest"
        assert "名次差平方和" in text(chief_client.get(address("draw_board")))

    def test_impossible_says_who_and_offers_relaxations(self, db):
        event = make_event(teams=6, departments=1, slug="one")
        client = client_of(make_user("one-chief", CHIEF, event))
        answer = client.post(address("draw_make", "one"))
        assert answer.status_code == 422
        assert "超过一半的队属于同一单位：1、2、3、4、5、6 队" in text(answer)
        assert 'name="relaxation" value="same_department:avoid"' in text(answer)
        client.post(address("draw_make", "one"), {"relaxation": "same_department:avoid"})
        page = text(client.get(address("draw_board", "one")))
        assert "本轮放宽的规则" in page
        assert "允许同单位相遇，桌数尽量少" in page
        assert "违反规则 3 处" in page

    def test_a09_everybody_has_met(self, db):
        event = make_event(teams=2, departments=2, slug="two")
        make_result(make_round(event, [(1, 2)], status=RoundStatus.COMPLETED), 1, 10, 7)
        client = client_of(make_user("two-chief", CHIEF, event))
        answer = client.post(address("draw_make", "two"))
        assert answer.status_code == 422
        assert "能遇的对手都已遇过：1、2 队" in text(answer)
        assert "允许再次相遇" in text(answer)
        assert Round.objects.count() == 1

    def test_a10_one_active_team(self, chief_client, event):
        event.teams.exclude(number=5).update(withdrawn_after=0)
        answer = chief_client.post(address("draw_make"))
        assert answer.status_code == 422
        assert "在赛的只有 5 号队" in text(answer)

    def test_draw_again(self, chief_client, drawn):
        answer = chief_client.post(address("draw_again"), {**seen(drawn), "seed": "9"})
        assert answer.status_code == 303
        draw = Draw.objects.get()
        assert (draw.seed, draw.version) == (9, 2)

    def test_publish_and_withdraw(self, chief_client, drawn):
        answer = chief_client.post(address("draw_publish"), seen(drawn))
        assert answer.status_code == 303
        assert Round.objects.get().is_published
        chief_client.post(address("draw_withdraw"), {"round": drawn.pk})
        assert Round.objects.get().is_draft
        chief_client.post(address("draw_publish"), seen(drawn))
        assert list(Publication.objects.values_list("version", flat=True)) == [1, 2]

    def test_a_draft_that_came_in_with_an_event_file(self, chief_client, event):
        round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)], status=RoundStatus.DRAFT)
        page = text(chief_client.get(address("draw_board")))
        assert f'name="draft" value="{round_.pk}"' in page
        shown = {"draft": round_.pk, "version": 1}
        chief_client.post(address("draw_swap"), {**shown, "first": 1, "second": 3})
        assert round_.matches.get(table=1).home.number == 2
        chief_client.post(address("draw_publish"), {**shown, "version": 2})
        assert Round.objects.get().is_published

    def test_publishing_twice_is_told_calmly(self, chief_client, drawn):
        shown = seen(drawn)
        chief_client.post(address("draw_publish"), shown)
        answer = chief_client.post(address("draw_publish"), shown)
        assert answer.status_code == 422
        assert "第 1 轮已经公示：v1" in text(answer)
        assert Publication.objects.count() == 1

    def test_discard(self, chief_client, drawn):
        shown = seen(drawn)
        assert chief_client.post(address("draw_discard"), shown).status_code == 303
        assert not Round.objects.exists()
        answer = chief_client.post(address("draw_publish"), shown)
        assert answer.status_code == 422
        assert "草稿已被放弃" in text(answer)

    def test_reopen_needs_a_reason(self, chief_client, published):
        for table in (1, 2, 3, 4):
            make_result(published, table, 10, 7)
        chief_client.post(address("round_close"), {"round": published.pk})
        answer = chief_client.post(address("round_reopen"), {"round": published.pk, "reason": " "})
        assert answer.status_code == 422
        assert "请填写原因" in text(answer)
        answer = chief_client.post(address("round_reopen"), {"round": published.pk, "reason": "写反了"})
        assert answer.status_code == 303
        assert Round.objects.get().is_published

    @pytest.mark.parametrize("number", ["", "x", "99999999999999999999999", "-1", "77"])
    def test_a_round_that_is_not_there(self, chief_client, published, number):
        answer = chief_client.post(address("draw_withdraw"), {"round": number})
        assert answer.status_code == 422
        assert "这一轮已不在了" in text(answer)
        assert Round.objects.get().is_published


class TestSwap:
    def test_preview_changes_nothing(self, chief_client, drawn):
        one, other = (drawn.matches.get(table=table).home.number for table in (1, 2))
        before = list(drawn.matches.values_list("home_id", "away_id"))
        page = chief_client.get(address("draw_swap"), {"team": [one, other]})
        assert page.status_code == 200
        assert "交换后" in text(page)
        assert list(drawn.matches.values_list("home_id", "away_id")) == before

    def test_warning_then_confirmation(self, chief_client, event):
        round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)], status=RoundStatus.DRAFT)
        Draw.objects.create(round=round_, seed=1, method="adjacent")
        page = text(chief_client.get(address("draw_swap"), {"team": [2, 5]}))
        assert "1 队与 5 队同单位" in page
        assert "仍然交换" in page
        move = {**seen(round_), "first": 2, "second": 5}
        answer = chief_client.post(address("draw_swap"), move)
        assert answer.status_code == 422
        assert "1 队与 5 队同单位" in text(answer)
        answer = chief_client.post(address("draw_swap"), {**move, "confirmed": "1"})
        assert answer.status_code == 303
        assert round_.matches.get(table=1).away.number == 5

    def test_stale_swap_is_refused_with_what_changed(self, chief_client, drawn):
        tables = [drawn.matches.get(table=table) for table in (1, 2, 3)]
        shown = {**seen(drawn), "confirmed": "1"}
        first = {"first": tables[0].home.number, "second": tables[1].home.number}
        second = {"first": tables[0].away.number, "second": tables[2].home.number}
        assert chief_client.post(address("draw_swap"), {**shown, **first}).status_code == 303
        answer = chief_client.post(address("draw_swap"), {**shown, **second})
        assert answer.status_code == 422
        assert f"chief 交换了 {first['first']} 队和 {first['second']} 队" in text(answer)
        assert len(Draw.objects.get().changes) == 1

    @pytest.mark.parametrize(
        ("teams", "told"),
        [
            *((teams, "请正好选两队") for teams in ([], [1], [1, 2, 3], ["a", 2], [1, "9" * 30])),
            ([1, 1], "请填两支不同的队"),
            ([1, 777], "没有 777 号队"),
        ],
    )
    def test_exactly_two_teams(self, chief_client, drawn, teams, told):
        answer = chief_client.get(address("draw_swap"), {"team": teams})
        assert answer.status_code == 422
        assert told in text(answer)

    def test_at_one_table_they_can_be_kept_apart(self, chief_client, drawn):
        match = drawn.matches.get(table=1)
        page = text(chief_client.get(address("draw_swap"), {"team": [match.home.number, match.away.number]}))
        assert "两队在同一桌" in page
        move = {**seen(drawn), "first": match.home.number, "second": match.away.number, "wish": "forbidden"}
        assert chief_client.post(address("draw_meeting"), move).status_code == 303
        assert "不相遇" in text(chief_client.get(address("draw_board")))

    def test_a_closed_round_is_not_changed(self, chief_client, published):
        Round.objects.update(status=RoundStatus.COMPLETED)
        answer = chief_client.get(address("draw_swap"), {"team": [1, 2]})
        assert answer.headers["Location"] == address("draw_board")


class TestNamesAreData:
    def test_a18_names_are_shown_literally(self, chief_client, event, chief):
        player = event.teams.get(number=1).players.first()
        player.name = "<img src=x onerror=alert(1)>"
        player.save()
        department = event.teams.get(number=1).department
        department.name = "{{7*7}}${7*7}"
        department.save()
        event.name = "决赛</title><svg onload=alert(3)>"
        event.save()
        draw_round(stage=event.stages.get(), by=chief, seed=3)
        pages = [text(chief_client.get(address("draw_board"))), text(chief_client.get(address("desk")))]
        pages.append(text(chief_client.get(address("draw_swap"), {"team": [1, 2]})))
        for page in pages:
            assert "<img src=x" not in page
            assert "<svg" not in page
            assert ">49" not in page
        assert "&lt;img src=x onerror=alert(1)&gt;" in pages[0]
        assert "{{7*7}}${7*7}" in pages[0]


@pytest.mark.parametrize("teams", [8, 200])
def test_queries_of_the_board(teams, db, django_assert_num_queries):
    event = make_event(teams=teams, departments=8, slug="size")
    chief = make_user("size-chief", CHIEF, event)
    round_ = draw_round(stage=event.stages.get(), by=chief, seed=1)
    client = client_of(chief)
    client.get(address("draw_board", "size"))
    # session, user, event, official, rights; stage, newest round, draw, standings 5, meetings, seating
    with django_assert_num_queries(16):
        client.get(address("draw_board", "size"))
    first, second = (round_.matches.get(table=table).home.number for table in (1, 2))
    with django_assert_num_queries(16):
        client.get(address("draw_swap", "size"), {"team": [first, second]})
    assert Result.objects.count() == 0


class TestTables:
    """Moving a match to another table: looked at, then done."""

    def test_looked_at_then_done(self, chief_client, event, chief):
        draw_round(stage=event.stages.get(), by=chief, seed=3)
        board = text(chief_client.get(address("draw_board")))
        page = reverse("draw_tables", args=["cup", 1, 1])
        assert page in board
        event.teams.filter(home_matches__table=1).update(fixed_table=1)
        shown = text(chief_client.get(page, {"table": "1", "to": "12"}))
        assert "要留空" in shown
        assert "固定坐第 1 桌" in shown
        typed = {"table": "1", "to": "12", "version": "1"}
        assert chief_client.post(page, typed).status_code == 303
        assert Match.objects.filter(table=12).exists()

    def test_what_is_refused_keeps_what_was_typed(self, chief_client, event, chief):
        round_ = draw_round(stage=event.stages.get(), by=chief, seed=3)
        publish_round(round=round_, by=chief, expected_version=1)
        page = reverse("draw_tables", args=["cup", 1, 1])
        answer = chief_client.post(page, {"table": "1", "to": "2", "version": "1", "reason": ""})
        assert answer.status_code == 422
        assert "请填写原因" in text(answer) or "原因" in text(answer)
        assert 'name="to" value="2"' in text(answer)
        assert chief_client.get(page, {"table": "x", "to": "2"}).status_code == 422
        assert "第 40 桌这一轮没有对阵" in text(chief_client.get(page, {"table": "40", "to": "2"}))
        assert chief_client.get(reverse("draw_tables", args=["cup", 1, 9])).status_code == 404


class TestByHand:
    def swapped(self, client, drawn, first, second):
        facts = {**seen(drawn), "first": first, "second": second, "confirmed": "1"}
        assert client.post(address("draw_swap"), facts).status_code == 303

    def test_the_difference_and_an_offered_reason(self, chief_client, drawn):
        one, other = drawn.matches.get(table=1), drawn.matches.get(table=3)
        self.swapped(chief_client, drawn, one.away.number, other.away.number)
        page = text(chief_client.get(address("draw_board")))
        assert "这些桌与程序排出的不同" in page
        assert f"原排：{one.home.number} – {one.away.number}" in page
        chief_client.post(address("draw_publish"), {**seen(drawn), "reason": "照顾赶车"})
        assert Publication.objects.count() == 1
        assert "2 桌经主裁判调整（1、3 号桌）：照顾赶车" in text(chief_client.get(address("draw_board")))

    def test_a_broken_rule_needs_the_reason(self, chief_client, drawn, event):
        match = drawn.matches.get(table=1)
        mate = event.teams.filter(department=match.home.department).exclude(pk=match.home_id).get()
        self.swapped(chief_client, drawn, match.away.number, mate.number)
        refused = chief_client.post(address("draw_publish"), seen(drawn))
        assert refused.status_code == 422
        assert "请填写原因" in text(refused)
        assert "调整的原因（必填：违反了规则）" in text(refused)
        assert not Publication.objects.exists()
        chief_client.post(address("ceremony_publish"), {**seen(drawn), "reason": "双方同意"})
        assert Draw.objects.get().by_hand["reason"] == "双方同意"


def test_what_a_meeting_would_break_is_told_before_it_is_set(chief_client, drawn, event):
    one = drawn.matches.get(table=1).home
    mate = event.teams.filter(department=one.department).exclude(pk=one.pk).get()
    page = text(chief_client.get(address("draw_swap"), {"team": [one.number, mate.number]}))
    assert f"指定相遇的话： {one.number} 队与 {mate.number} 队同单位" in page
    other = drawn.matches.get(table=1).away
    page = text(chief_client.get(address("draw_swap"), {"team": [one.number, other.number]}))
    assert "指定相遇的话" not in page


class TestTypedSwap:
    @pytest.mark.parametrize("typed", ["5 12", "5,12", " 5、12 "])
    def test_two_numbers_in_one_box(self, chief_client, db, typed, event, drawn):
        one, other = drawn.matches.get(table=1).home.number, drawn.matches.get(table=2).home.number
        wanted = typed.replace("12", str(other)).replace("5", str(one), 1)
        page = text(chief_client.get(address("draw_swap"), {"teams": wanted}))
        assert "交换后" in page
        assert "autofocus" in page

    def test_while_typing_only_the_card_comes(self, chief_client, drawn):
        one, other = drawn.matches.get(table=1).home.number, drawn.matches.get(table=2).home.number
        htmx = {"HX-Request": "true"}
        card = text(chief_client.get(address("draw_swap"), {"teams": f"{one} {other}"}, headers=htmx))
        assert "交换后" in card
        assert "<html" not in card
        assert "note" not in text(chief_client.get(address("draw_swap"), {"teams": f"{one}"}, headers=htmx))
        wrong = text(chief_client.get(address("draw_swap"), {"teams": f"{one} 99"}, headers=htmx))
        assert "没有 99 号队" in wrong

    def test_a_team_without_a_place_is_not_at_one_table_with_the_other(self, chief_client, drawn):
        here, gone = drawn.matches.get(table=1).home.number, drawn.matches.get(table=2)
        number = gone.home.number
        gone.delete()
        page = text(chief_client.get(address("draw_swap"), {"teams": f"{here} {number}"}))
        assert f"{number} 队本轮没有桌，不能交换" in page
        assert "两队在同一桌" not in page


class TestForecast:
    def test_it_stands_before_and_after_the_draw(self, chief_client, event):
        assert "还没排的 4 轮都能排（其中确定" in text(chief_client.get(address("draw_board")))
        chief_client.post(address("draw_make"))
        assert "还没排的 3 轮" in text(chief_client.get(address("draw_board")))

    def test_it_warns_where_too_many_rounds_are_planned(self, chief_client, event):
        event.stages.update(rounds_planned=9)
        page = text(chief_client.get(address("draw_board")))
        assert "但计划还要排 9 轮" in page
        assert "但计划还要排" not in text(chief_client.get(address("stages")))
        chief_client.post(address("draw_make"))
        assert "但计划还要排 8 轮" in text(chief_client.get(address("stages")))


def test_who_blocks_the_draw_and_whom_each_may_still_meet(db):
    event = make_event(teams=6, departments=0, slug="one")
    for number, seating in enumerate(
        [[(1, 4), (2, 5), (3, 6)], [(1, 5), (2, 6), (3, 4)], [(1, 6), (2, 4), (3, 5)]], 1
    ):
        round_ = make_round(event, seating, number=number, status=RoundStatus.COMPLETED)
        for table in (1, 2, 3):
            make_result(round_, table, 10, 7)
    client = client_of(make_user("one-chief", CHIEF, event))
    answer = client.post(address("draw_make", "one"))
    assert answer.status_code == 422
    page = " ".join(text(answer).split())
    assert "按现有规则排不出对阵" in page
    assert 'data-label="还能遇">2、3</td>' in page
    assert '4 <span class="muted">(1)</span>、 5 <span class="muted">(2)</span>' in page.replace(
        "、5", "、 5"
    )
