"""The roster page, its files, and teams by hand."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.urls import reverse
from openpyxl import load_workbook

from tests.builders import make_event, make_round, player_name
from tournaments.log import Act
from tournaments.models import LogEntry, Player, RoundStatus, Team

PAGES = ["roster", "roster_import", "roster_template", "roster_export", "team_add"]
TEAM_PAGES = ["team_edit", "team_withdraw", "team_remove"]


def address(name: str, *args) -> str:
    return reverse(name, args=["cup", *args])


def typed(**changes) -> dict[str, str]:
    return {"number": "", "department": "单位1", "player1": "赵敏", "player2": "范遥", **changes}


@pytest.mark.parametrize("name", PAGES)
def test_ladder_of_rights(name, event, client, assistant_client, administrator_client):
    assert client.get(address(name)).status_code == 302
    assert assistant_client.get(address(name)).status_code == 200
    assert administrator_client.get(address(name)).status_code == 200
    other = make_event(slug="other")
    assert assistant_client.get(reverse(name, args=[other.slug])).status_code == 404
    assert client.put(address(name)).status_code in {302, 405}


@pytest.mark.parametrize("name", TEAM_PAGES)
def test_ladder_of_rights_on_a_team(name, event, client, assistant_client):
    assert client.get(address(name, 3)).status_code == 302
    assert assistant_client.get(address(name, 3)).status_code == 200
    assert assistant_client.get(address(name, 99)).status_code == 404
    make_event(slug="other")
    assert assistant_client.get(reverse(name, args=["other", 3])).status_code == 404


def test_reinstating_is_a_post(event, client, assistant_client):
    assert assistant_client.get(address("team_reinstate", 3)).status_code == 405
    assert client.post(address("team_reinstate", 3)).status_code == 302


def test_the_list_shows_numbers_names_departments_and_counts(event, assistant_client):
    page = assistant_client.get(address("roster")).content.decode()
    assert "8 队 · 4 个单位" in page
    assert f"{player_name(3)} · {player_name(4)}" in page
    assert "各单位队数" in page


def test_search_finds_numbers_names_and_departments(event, assistant_client):
    def numbers(search: str) -> list[int]:
        return [
            team.number
            for team, _lacks in assistant_client.get(address("roster"), {"q": search}).context["lines"]
        ]

    assert numbers("3") == [3]
    assert numbers(player_name(10)) == [4]
    assert numbers("单位2") == [1, 5]
    assert numbers("单位2 5") == [5]
    assert numbers("%") == []
    assert numbers("９" * 200) == []


def test_an_empty_roster_asks_for_an_import(db, administrator_client):
    empty = make_event(slug="empty", teams=0)
    page = administrator_client.get(reverse("roster", args=[empty.slug])).content.decode()
    assert "名单还是空的" in page
    assert "导入名单" in page


@pytest.mark.parametrize("teams", [8, 200])
def test_the_list_takes_the_same_queries_at_any_size(teams, administrator_client, django_assert_num_queries):
    sized = make_event(slug="sized", teams=teams)
    with django_assert_num_queries(9):
        administrator_client.get(reverse("roster", args=[sized.slug]))


def test_files_have_chinese_names_and_hold_the_roster(event, assistant_client):
    Player.objects.filter(team__number=1, position=1).update(name="=1+1", phone="13800000001")
    response = assistant_client.get(address("roster_export"))
    assert "filename*=utf-8''%E5%90%8D%E5%8D%95" in response["Content-Disposition"]
    sheet = load_workbook(BytesIO(b"".join(response.streaming_content))).active
    assert sheet.max_row == 9
    assert (sheet["C2"].value, sheet["C2"].data_type) == ("=1+1", "s")
    template = assistant_client.get(address("roster_template"))
    assert load_workbook(BytesIO(b"".join(template.streaming_content))).sheetnames[0] == "报名表"


def test_add_a_team(event, assistant, assistant_client):
    response = assistant_client.post(
        address("team_add"),
        typed(department="新单位", phone1="13800000001", remark="左撇子", fixed_table="2"),
    )
    assert (response.status_code, response["Location"]) == (303, address("roster"))
    team = Team.objects.get(number=9)
    assert (team.department.name, team.remark, team.fixed_table) == ("新单位", "左撇子", 2)
    assert [(player.name, player.phone) for player in team.players.all()] == [
        ("赵敏", "13800000001"),
        ("范遥", ""),
    ]
    entry = LogEntry.objects.get(act=Act.TEAM_ADDED)
    assert (entry.by, entry.subject, entry.new["players"]) == (assistant, "9 赵敏 · 范遥", ["赵敏", "范遥"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"number": "3"}, "3 号已经有队在用"),
        ({"player2": ""}, "这个字段是必填项。"),
        ({"player2": "赵敏"}, "赵敏 在这里写了两次"),
        ({"player1": player_name(3)}, f"{player_name(3)} 已在 1 号队"),
        ({"player1": "长" * 41}, "最多 40 个字，现在有 41 个。"),
        ({"number": "0"}, "不能小于 1。"),
        ({"number": "9" * 30}, "不能大于 99999。"),
        ({"player1": "\u202e\ufeff\u3000"}, "这个字段是必填项。"),
        ({"player1": "赵\ufffd"}, "有乱码"),
        ({"player2": "赵　敏"}, "赵敏 在这里写了两次"),
        ({"player1": f" {player_name(3)}\u200b"}, f"{player_name(3)} 已在 1 号队"),
    ],
)
def test_refused_teams_are_told_in_words_and_kept_as_typed(changes, message, event, assistant_client):
    response = assistant_client.post(address("team_add"), typed(remark="留着", **changes))
    page = response.content.decode()
    assert response.status_code == 422
    assert message in page
    assert "留着" in page
    assert Team.objects.count() == 8


def test_a_team_typed_by_hand_is_stored_as_an_import_would_store_it(event, assistant_client):
    assistant_client.post(
        address("team_add"),
        typed(
            player1="\u202e赵 敏",
            player2="买买提•艾力",
            department="信息　中心\ufeff",
            remark="左手 ，\t用轮椅",
        ),
    )
    team = Team.objects.get(number=9)
    assert [player.name for player in team.players.all()] == ["赵敏", "买买提·艾力"]
    assert (team.department.name, team.remark) == ("信息中心", "左手 ， 用轮椅")


def test_a_late_team_is_told_that_it_enters_late(event, assistant_client):
    assert "迟到报名" not in assistant_client.get(address("team_add")).content.decode()
    make_round(event, [(1, 2)])
    assert "迟到报名" in assistant_client.get(address("team_add")).content.decode()


def test_change_a_team(event, assistant_client):
    team = Team.objects.get(number=3)
    names = [player.name for player in team.players.all()]
    response = assistant_client.post(
        address("team_edit", 3),
        typed(number="33", player1=names[0], player2="范遥", player3="韦一笑", department=""),
    )
    assert response.status_code == 303
    team.refresh_from_db()
    assert (team.number, team.department) == (33, None)
    assert [player.name for player in team.players.all()] == [names[0], "范遥", "韦一笑"]
    entry = LogEntry.objects.get(act=Act.TEAM_CHANGED)
    assert (entry.old["number"], entry.new["number"]) == (3, 33)
    assert "remark" not in entry.old
    assistant_client.post(address("team_edit", 33), typed(number="33", player1=names[0], department=""))
    assert [player.name for player in team.players.all()] == [names[0], "范遥"]


def test_saving_without_a_change_writes_no_log(event, assistant_client):
    team = Team.objects.get(number=3)
    names = [player.name for player in team.players.all()]
    assistant_client.post(
        address("team_edit", 3),
        typed(number="3", player1=names[0], player2=names[1], department=team.department.name),
    )
    assert not LogEntry.objects.exists()


def test_the_number_of_a_seated_team_stays(event, assistant_client):
    make_round(event, [(1, 2)])
    assistant_client.post(address("team_edit", 1), typed(number="77"))
    assert Team.objects.filter(number=1, players__name="赵敏").exists()
    assert not Team.objects.filter(number=77).exists()


def test_withdraw_and_take_back(event, chief, assistant_client):
    make_round(event, [(1, 2), (3, 4)], status=RoundStatus.COMPLETED)
    form = assistant_client.get(address("team_withdraw", 3)).context["form"]
    assert [value for value, _label in form.fields["from_round"].choices] == [2]
    assert assistant_client.post(address("team_withdraw", 3), {"from_round": "1"}).status_code == 422
    unexplained = assistant_client.post(address("team_withdraw", 3), {"from_round": "2", "reason": " "})
    assert (unexplained.status_code, "请写退赛的原因" in unexplained.content.decode()) == (422, True)
    response = assistant_client.post(address("team_withdraw", 3), {"from_round": "2", "reason": "有事"})
    assert response.status_code == 303
    assert Team.objects.get(number=3).withdrawn_after == 1
    assert LogEntry.objects.get(act=Act.TEAM_WITHDRAWN).reason == "有事"
    assert "第 1 轮后退赛" in assistant_client.get(address("roster")).content.decode()
    assert assistant_client.post(address("team_reinstate", 3)).status_code == 303
    assert Team.objects.get(number=3).withdrawn_after is None


def test_withdrawing_twice_says_so_and_logs_once(event, assistant_client):
    make_round(event, [(1, 2), (3, 4)], status=RoundStatus.COMPLETED)
    typed_once = {"from_round": "2", "reason": "有事"}
    for _ in range(2):
        assert assistant_client.post(address("team_withdraw", 3), typed_once).status_code == 303
    assert LogEntry.objects.filter(act=Act.TEAM_WITHDRAWN).count() == 1
    assert "3 号队第 1 轮后已经退赛" in assistant_client.get(address("roster")).content.decode()
    assert assistant_client.get(address("team_withdraw", 3)).status_code == 303
    assert Team.objects.get(number=3).withdrawn_after == 1


def test_after_the_last_planned_round_no_further_one_is_named(event, assistant_client):
    event.stages.update(rounds_planned=1)
    make_round(event, [(1, 2)], status=RoundStatus.COMPLETED)
    form = assistant_client.get(address("team_withdraw", 1)).context["form"]
    assert [str(label) for _value, label in form.fields["from_round"].choices] == ["本阶段 1 轮全部打完之后"]
    assistant_client.post(address("team_withdraw", 1), {"from_round": "2", "reason": "有事"})
    html = assistant_client.get(address("roster")).content.decode()
    assert "1 号队退赛：本阶段各轮都已打完" in html
    assert "第 2 轮" not in html


def test_withdrawing_a_team_of_the_draft_asks_for_a_new_draw(event, assistant_client):
    make_round(event, [(1, 2)], status=RoundStatus.DRAFT)
    assistant_client.post(address("team_withdraw", 1), {"from_round": "1", "reason": "有事"})
    assert "还在第 1 轮的草稿里" in assistant_client.get(address("roster")).content.decode()


def test_only_a_team_without_a_seat_can_be_removed(event, assistant_client):
    make_round(event, [(1, 2)], status=RoundStatus.DRAFT)
    assert assistant_client.post(address("team_remove", 1)).status_code == 422
    assert Team.objects.filter(number=1).exists()
    assert assistant_client.post(address("team_remove", 3)).status_code == 303
    assert not Team.objects.filter(number=3).exists()
    assert LogEntry.objects.get(act=Act.TEAM_REMOVED).old["number"] == 3


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "</script><script>alert(2)", "{{7*7}}${7*7}"]
)
def test_names_are_never_code(name, event, assistant_client):
    Player.objects.filter(team__number=1, position=1).update(name=name)
    Team.objects.filter(number=1).update(remark=name, session=name)
    event.departments.filter(name="单位2").update(name=name)
    for page in (
        address("roster"),
        address("team_edit", 1),
        address("team_withdraw", 1),
        address("team_remove", 1),
    ):
        html = assistant_client.get(page).content.decode()
        assert "<img src=x" not in html
        assert "<script>alert" not in html
        assert ">49" not in html
