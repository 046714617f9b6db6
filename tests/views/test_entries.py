"""The pages of line-ups, single players and sessions: what they show, refuse in words, and keep as typed."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from tests.builders import ROLES, make_event, make_round, make_user
from tournaments.models import Match, Player, PlayerRole, RoundStatus, Team
from tournaments.roster import RosterSingle
from tournaments.services.lineups import seat_given_lineups
from tournaments.services.singles import add_singles


@pytest.fixture
def event(db):
    event = make_event(
        teams=8, departments=4, rules={"discipline": {"players": 4, "line_up": True, "leader": True}}
    )
    for team in event.teams.filter(number__lte=4):
        for place, role in ((3, PlayerRole.PLAYER), (4, PlayerRole.PLAYER), (5, PlayerRole.LEADER)):
            Player.objects.create(team=team, position=place, name=f"补{team.number}{place}", role=role)
    return event


@pytest.fixture
def assistant(event) -> Client:
    client = Client()
    client.force_login(make_user("assistant", ROLES["assistant"], event))
    return client


def address(name: str, *args) -> str:
    return reverse(name, args=["cup", *args])


def typed(**lineups: str) -> dict[str, str]:
    return {f"team{number}": lineups.get(f"team{number}", "") for number in range(1, 5)} | {
        "reason": lineups.get("reason", "")
    }


class TestLineups:
    def test_given_for_the_next_round_and_shown_on_the_published_draw(self, event, assistant):
        answer = assistant.post(address("lineups"), typed(team1="13", team2="2 4"))
        assert (answer.status_code, answer["Location"]) == (303, address("lineups") + "?next")
        round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
        seat_given_lineups(round_)
        page = Client().get(address("draw", 1, 1)).content.decode()
        first = event.teams.get(number=1).playing_names
        assert f"{first[0]} · 补13" in page
        assert "补14" not in page
        assert "补35" not in page
        results = assistant.get(address("results", 1, 1)).content.decode()
        assert f"{first[0]} · 补13" in results, "as the slip has it"
        assert "补14" not in results

    def test_everything_wrong_is_told_with_its_team_and_kept_as_typed(self, event, assistant):
        answer = assistant.post(
            address("lineups"), typed(team1="1 补15", team2="7 8", team3="11", team4="134")
        )
        page = answer.content.decode()
        assert answer.status_code == 422
        for told in (
            "补15是 1 号队的领队或教练，不能上场",
            "2 号队没有第 7 名选手",
            "3 号队：",
            "报了两次",
            "4 号队：上场须是两人",
            'value="1 补15"',
        ):
            assert told in page
        focused = re.findall(r"<input[^>]* autofocus[^>]*>", page)
        assert ['name="team1"' in field for field in focused] == [True], "where typing goes on"
        assert "autofocus" not in assistant.get(address("lineups")).content.decode()
        assert not event.teams.exclude(lineup=[]).exists()

    def test_a_change_after_publication_asks_for_the_reason(self, event, assistant):
        assistant.post(address("lineups"), typed(team1="13"))
        round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
        seat_given_lineups(round_)
        place = address("lineups_of", 1, 1)
        refused = assistant.post(place, typed(team1="12"))
        assert refused.status_code == 422
        assert "请填写原因" in refused.content.decode()
        assert assistant.post(place, typed(team1="12", reason="换人")).status_code == 303
        names = list(event.teams.get(number=1).playing_names[:2])
        assert Match.objects.get(round=round_, table=1).lineup["home"] == names

    def test_a_draft_is_not_there_and_a_closed_round_only_to_read(self, event, assistant):
        round_ = make_round(event, [(1, 2), (3, 4)], status=RoundStatus.DRAFT)
        assert assistant.get(address("lineups_of", 1, 1)).status_code == 404
        assert "第 1 轮公示之前报" in assistant.get(address("lineups")).content.decode()
        round_.status = RoundStatus.COMPLETED
        round_.save()
        page = assistant.get(address("lineups_of", 1, 1)).content.decode()
        assert "上场名单不再改动" in page
        assert "保存上场名单" not in page
        assert assistant.post(address("lineups_of", 1, 1), typed(team1="12")).status_code == 422

    def test_the_desk_names_the_teams_that_have_not(self, event, assistant):
        assistant.post(address("lineups"), typed(team1="13", team3="12"))
        page = assistant.get(address("desk")).content.decode()
        assert "2、4 号队还没有报上场名单" in page
        assistant.post(address("lineups"), typed(team1="13", team2="13", team3="12", team4="12"))
        assert "还没有报上场名单" not in assistant.get(address("desk")).content.decode()

    def test_the_desk_counts_them_where_they_are_many(self, event, assistant):
        for number in range(9, 27):
            team = Team.objects.create(event=event, key=f"t{number}", number=number)
            for place in (1, 2, 3):
                Player.objects.create(team=team, position=place, name=f"补{number}{place}")
        assert "22 队还没有报上场名单" in assistant.get(address("desk")).content.decode()

    def test_where_all_teams_have_two_there_is_nothing_to_type(self, event, assistant):
        Player.objects.filter(position__gt=2).delete()
        assert "不需要报上场名单" in assistant.get(address("lineups")).content.decode()

    def test_the_page_takes_the_same_queries_at_any_size(self, event, assistant, django_assert_num_queries):
        assistant.get(address("lineups"))
        with django_assert_num_queries(14):
            assistant.get(address("lineups"))
        for team in event.teams.filter(number__gt=4):
            Player.objects.create(team=team, position=3, name=f"补{team.number}")
        with django_assert_num_queries(14):
            assistant.get(address("lineups"))


class TestRoster:
    def test_a_team_without_its_leader_is_told_and_can_be_completed(self, event, assistant):
        page = assistant.get(address("roster")).content.decode()
        assert "名单不全的队：1、2、3" not in page
        assert "缺领队" in page
        form = assistant.get(address("team_edit", 5)).context["form"]
        data = {name: form[name].value() or "" for name in form.fields} | {"leader": "王领队"}
        assert assistant.post(address("team_edit", 5), data).status_code == 303
        assert event.teams.get(number=5).companions[0].name == "王领队"

    def test_only_the_chosen_session_is_listed(self, event, assistant):
        event.teams.filter(number__lte=3).update(session="上午")
        event.teams.filter(number__gt=3).update(session="下午")
        lines = assistant.get(address("roster"), {"session": "上午"}).context["lines"]
        assert [team.number for team, _lacks in lines] == [1, 2, 3]
        assert "全部场次" in assistant.get(address("roster")).content.decode()

    def test_the_printed_roster_names_leaders_and_may_be_of_one_session(self, event, assistant):
        event.teams.filter(number__lte=3).update(session="上午")
        event.teams.filter(number__gt=3).update(session="下午")
        assert "上午 PDF" in assistant.get(address("prints")).content.decode()
        answer = assistant.get(address("roster_pdf"), {"session": "上午"})
        text = "".join(page.extract_text() for page in PdfReader(BytesIO(answer.content)).pages)
        assert "补15" in text
        assert "补35" in text
        assert "补45" not in text


class TestSingles:
    def test_typed_one_by_one(self, event, assistant):
        person = {"name": "赵 敏", "sex": "f", "department": "单位1", "phone": "138"}
        assert assistant.post(address("singles"), person).status_code == 303
        assert event.singles.get().name == "赵敏"
        holder = event.teams.get(number=1).playing_names[0]
        refused = assistant.post(address("singles"), {"name": holder})
        assert refused.status_code == 422
        assert "1 号队" in refused.content.decode()
        assert assistant.post(address("singles"), {}).status_code == 422

    def test_a_list_is_stored_whole_or_told_with_its_rows(self, event, assistant):
        good = SimpleUploadedFile("单人.csv", "姓名,性别\n赵敏,女\n范遥,男\n".encode())
        assert assistant.post(address("singles_import"), {"file": good}).status_code == 303
        bad = SimpleUploadedFile("单人.csv", "姓名,性别\n杨逍,男\n殷离,不知\n".encode())
        refused = assistant.post(address("singles_import"), {"file": bad})
        assert refused.status_code == 422
        assert "第 3 行“性别”" in refused.content.decode()
        assert event.singles.count() == 2
        assert assistant.post(address("singles_import")).status_code == 422

    def test_a_character_that_prints_as_a_box_is_warned_of(self, event, assistant):
        odd = SimpleUploadedFile("单人.csv", "姓名,性别\n赵敏🀄,女\n范遥,男\n".encode())
        told = assistant.post(address("singles_import"), {"file": odd}, follow=True).content.decode()
        assert "打印机和投影上可能没有“🀄”" in told

    def test_looked_at_confirmed_shown_printed_and_taken_back(self, event, assistant):
        assert Client().get(address("partners")).status_code == 404
        people = [RosterSingle(0, name, sex) for name, sex in (("赵敏", "f"), ("范遥", "m"), ("杨逍", "m"))]
        add_singles(event=event, people=people, by=None)
        chosen = {"kind": "mixed", "origin": "any"}
        page = assistant.get(address("partners_draw"), chosen, follow=True)
        data = {**page.context["chosen"], "expected": page.context["preview"].fingerprint}
        assert event.teams.count() == 8
        assert Client().get(address("partners")).status_code == 404
        assert assistant.post(address("partners_draw"), data).status_code == 303
        shown = Client().get(address("partners")).content.decode()
        assert "赵敏" in shown
        assert "9 号队" in shown
        pdf = assistant.get(address("partners_pdf"))
        assert pdf.content[:5] == b"%PDF-"
        draw = event.partner_draws.get()
        assert assistant.post(address("partners_undo", draw.pk)).status_code == 303
        assert event.teams.count() == 8
        assert Client().get(address("partners")).status_code == 404

    def test_mixed_partners_ask_for_whoever_is_not_known(self, event, assistant):
        add_singles(event=event, people=[RosterSingle(0, "赵敏"), RosterSingle(0, "范遥", "m")], by=None)
        refused = assistant.get(address("partners_draw"), {"kind": "mixed", "origin": "any"})
        assert refused.status_code == 422
        assert "赵敏" in refused.content.decode()

    def test_nobody_to_draw_and_a_list_that_changed(self, event, assistant):
        assert (
            assistant.get(address("partners_draw"), {"kind": "numbers", "origin": "any"}).status_code == 422
        )
        add_singles(event=event, people=[RosterSingle(0, "赵敏"), RosterSingle(0, "范遥")], by=None)
        stale = {"kind": "numbers", "origin": "any", "seed": "3", "expected": "0"}
        refused = assistant.post(address("partners_draw"), stale)
        assert refused.status_code == 422
        assert "没有保存" in refused.content.decode()
        assert event.teams.count() == 8

    def test_somebody_goes_home(self, event, assistant):
        add_singles(event=event, people=[RosterSingle(0, "赵敏")], by=None)
        single = event.singles.get()
        assert assistant.post(address("single_remove", single.pk)).status_code == 303
        assert assistant.post(address("single_remove", single.pk)).status_code == 404


def test_the_stages_page_splits_the_sessions_with_one_click(event):
    client = Client()
    client.force_login(make_user("administrator", ROLES["administrator"], event))
    assert "分场进行" not in client.get(address("stages")).content.decode()
    event.teams.filter(number__lte=4).update(session="上午")
    event.teams.filter(number__gt=4).update(session="下午")
    assert "分场进行" in client.get(address("stages")).content.decode()
    assert client.post(address("sessions_split")).status_code == 303
    page = client.get(address("stages")).content.decode()
    assert "“上午”场次的队参加" in page
    assert "分场进行" not in page
    assert client.post(address("sessions_split")).status_code == 422
