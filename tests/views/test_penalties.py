"""The pages of penalties and appeals, and where players read of them."""

from __future__ import annotations

import pytest

from scoring.models import Adjustment, Appeal, Penalty, Result, TableSheet
from tests.builders import make_event, make_result, make_round
from tournaments.models import LogEntry, Round, RoundStatus, Stage

PAGE = "/e/cup/desk/penalties/"
GIVE = f"{PAGE}give/"
APPEALS = "/e/cup/desk/appeals/"
DISCIPLINE = {"late_minutes": 10, "late_levels": 3, "slow_seconds": 30, "wrong_cards_levels": 3}
CASE = {"number": 1, "round_number": 1, "rule": "wrong_cards", "minutes": ""}
RULING = CASE | {"action": "opponent_levels", "amount": 3, "reason": "少一张牌"}


@pytest.fixture
def round_(event):
    event.stages.update(rules={"discipline": DISCIPLINE})
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    make_result(round_, 1, 10, 9)
    return round_


def text(client, address, data=None) -> str:
    response = client.get(address, data or {})
    assert response.status_code == 200
    return response.content.decode()


def test_assistants_read_and_do_not_rule(round_, assistant_client, client):
    assert 'action="' + GIVE not in text(assistant_client, PAGE, CASE)
    assert assistant_client.post(GIVE, RULING).status_code == 403
    assert client.get(PAGE).status_code == 302
    assert not Penalty.objects.exists()


def test_the_rules_propose_and_the_chief_rules(round_, chief_client):
    page = text(chief_client, PAGE, CASE)
    assert "按规程：对方 +3 级。" in page
    assert '<option value="opponent_levels" selected>' in page
    assert chief_client.post(GIVE, RULING).status_code == 303
    assert "对方 +3 级" in text(chief_client, PAGE)
    penalty = Penalty.objects.get()
    assert (penalty.team.number, penalty.amount, penalty.by_name) == (1, 3, "chief")


def test_a_second_offence_is_a_rung_higher(round_, chief_client):
    case = CASE | {"rule": "slow_play"}
    for _time in range(2):
        assert "按规程：警告。" in text(chief_client, PAGE, case)
        chief_client.post(GIVE, case | {"action": "warning", "amount": "", "reason": "慢打"})
    page = text(chief_client, PAGE, case)
    assert "按规程：取消资格。" in page
    assert "警告（第 1 轮）" in page


def test_a_late_team_gives_its_opponents_a_start_that_is_ready_to_be_entered(round_, chief_client):
    page = text(chief_client, PAGE, CASE | {"number": 4, "rule": "late", "minutes": 8})
    assert "按规程：对方从 5 打起。" in page
    address = "/e/cup/desk/s1/r1/results/?start=2.5.2"
    assert address in page
    row = text(chief_client, address)
    assert 'name="home_start" value="5"' in row
    assert 'name="away_start" value="2"' in row


def test_too_late_is_a_forfeit_that_is_ready_to_be_entered(round_, chief_client):
    page = text(chief_client, PAGE, CASE | {"number": 4, "rule": "late", "minutes": 11})
    assert "本场判弃权" in page
    address = "/e/cup/desk/s1/r1/results/?forfeit=2.away"
    assert address in page
    assert 'name="away_level" value="弃权"' in text(chief_client, address)


def test_an_entered_result_of_others_is_not_overwritten_by_an_address(round_, chief_client):
    round_.status = RoundStatus.COMPLETED
    round_.save()
    page = text(chief_client, "/e/cup/desk/s1/r1/results/?forfeit=1.home")
    assert 'value="弃权"' not in page
    assert Result.objects.get().home_level == 10


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("number", "99", "没有 99 号队"),
        ("round_number", "9", "只有 4 轮"),
        ("round_number", "2", "1 队第 2 轮没有对手"),
        ("amount", "0", "填 0 没有变化"),
        ("amount", "", "填 0 没有变化"),
        ("amount", "13", "最多 12 级"),
        ("amount", "-3", "不写负号"),
        ("action", "points", ""),
        ("amount", "99999999999999", ""),
        ("reason", " ", ""),
        ("action", "hang", ""),
    ],
)
def test_what_is_refused_keeps_what_was_typed(round_, chief_client, field, value, words):
    response = chief_client.post(GIVE, RULING | {field: value})
    page = response.content.decode()
    assert response.status_code == 422
    assert words in page
    assert 'value="1"' in page
    assert not Penalty.objects.exists()


@pytest.mark.parametrize(
    ("chosen", "stored"),
    [
        ("points_taken", ("points", -3)),
        ("points_given", ("points", 3)),
        ("levels_taken", ("levels", -3)),
        ("levels_given", ("levels", 3)),
        ("warning", ("warning", 0)),
    ],
)
def test_taking_and_giving_are_two_choices_and_the_number_has_no_sign(round_, chief_client, chosen, stored):
    assert chief_client.post(GIVE, RULING | {"action": chosen}).status_code == 303
    penalty = Penalty.objects.get()
    assert (penalty.action, penalty.amount) == stored


def test_a_penalty_is_taken_back_with_a_reason(round_, chief_client):
    chief_client.post(GIVE, RULING)
    penalty = Penalty.objects.get()
    cancel = f"{PAGE}{penalty.pk}/cancel/"
    refused = chief_client.post(cancel, {"why": " "})
    assert (refused.status_code, "请写取消的原因" in refused.content.decode()) == (422, True)
    assert chief_client.post(cancel, {"why": "数错"}).status_code == 303
    assert "由 chief 撤销：数错" in text(chief_client, PAGE)
    assert [entry.reason for entry in LogEntry.objects.all()] == ["数错", "少一张牌"]


def test_points_of_an_event_file_stand_there_and_can_be_taken_back(event, round_, chief_client):
    about = {"stage": event.stages.get(), "team": event.teams.get(number=2), "round_number": 1}
    given = Adjustment.objects.create(**about, points=-3, reason="迟到")
    assert "随赛事文件导入的加减分" in text(chief_client, PAGE)
    address = f"{PAGE}points/{given.pk}/cancel/"
    assert chief_client.post(address, {"why": ""}).status_code == 422
    assert chief_client.post(address, {"why": "记错队"}).status_code == 303
    assert not Adjustment.objects.exists()


def test_of_another_event_nothing_is_taken_back(round_, chief_client):
    other = make_event(slug="other")
    about = {"stage": other.stages.get(), "team": other.teams.get(number=1), "round_number": 1}
    penalty = Penalty.objects.create(**about, rule="late", action="warning", reason="迟到")
    assert chief_client.post(f"{PAGE}{penalty.pk}/cancel/", {"why": "试"}).status_code == 404


def test_players_read_the_played_level_and_the_penalty_apart(round_, chief_client, client):
    chief_client.post(GIVE, RULING)
    team, standings = text(client, "/e/cup/teams/1/"), text(client, "/e/cup/s1/standings/")
    assert "10 : 9" in team
    assert "处罚：对方 +3 级" in team
    assert "少一张牌" in team
    assert "第 1 轮 1 队：对方 +3 级（少一张牌）" in standings
    results = text(chief_client, "/e/cup/desk/s1/r1/results/")
    assert "11 : 15" in results
    assert "处罚：客队 +3 级" in results


def test_a_penalty_of_a_round_that_only_the_hall_sees_is_not_told(event, round_, chief_client, client):
    round_.status = RoundStatus.COMPLETED
    round_.save()
    hidden = make_round(event, [(1, 3), (2, 4), (5, 7), (6, 8)], number=2)
    hidden.audience = "hall"
    hidden.save()
    chief_client.post(GIVE, RULING | {"round_number": 2})
    assert "少一张牌" not in text(client, "/e/cup/teams/1/")
    assert "少一张牌" not in text(client, "/e/cup/s1/standings/")


def test_an_earlier_stage_is_ruled_in_too(event, round_, chief_client):
    final = Stage.objects.create(event=event, key="s2", order=2, name="决赛", rules={}, rounds_planned=1)
    Round.objects.create(stage=final, number=1, status=RoundStatus.PUBLISHED)
    page = text(chief_client, PAGE)
    assert '<option value="2" selected>决赛</option>' in page
    assert chief_client.post(GIVE, RULING).status_code == 422
    assert "没有对手" in chief_client.post(GIVE, RULING | {"stage": "2"}).content.decode()
    assert chief_client.post(GIVE, RULING | {"stage": "1"}).status_code == 303
    assert Penalty.objects.get().stage.order == 1
    warned = RULING | {"stage": "2", "action": "warning", "amount": ""}
    assert chief_client.post(GIVE, warned).status_code == 303
    facts = {"stage": "决赛", "round": 1, "broken": "wrong_cards", "action": "warning"}
    assert LogEntry.objects.first().new == facts
    Penalty.objects.filter(stage=final).delete()
    appeal = TestAppeals.APPEAL | {"stage": "2", "penalty": str(Penalty.objects.get().pk)}
    assert chief_client.post(APPEALS, appeal).status_code == 303
    assert Appeal.objects.get().stage.order == 1


def test_a_stage_that_has_not_begun_is_not_offered(event, round_, chief_client):
    Stage.objects.create(event=event, key="s2", order=2, name="决赛", rules={}, rounds_planned=1)
    assert 'name="stage"' not in text(chief_client, PAGE)
    assert chief_client.post(GIVE, RULING).status_code == 303


def test_points_of_an_event_file_stand_below_the_public_standings(event, round_, client):
    about = {"stage": event.stages.get(), "team": event.teams.get(number=2), "round_number": 1}
    Adjustment.objects.create(**about, points=-3, reason="迟到")
    assert "第 1 轮 2 队：-3 分（迟到）" in text(client, "/e/cup/s1/standings/")


def test_the_sheet_of_a_table_shows_what_counts(event, round_, chief_client):
    chief_client.post(GIVE, RULING)
    sheet = "/e/cup/desk/s1/r1/results/1/sheet/"
    seen = {"home": 1, "away": 2}
    assert chief_client.post(f"{sheet}deal/", seen | {"version": 0, "order": "HHAA"}).status_code == 303
    version = TableSheet.objects.get().version
    assert chief_client.post(f"{sheet}time/", seen | {"version": version}).status_code == 303
    page = text(chief_client, sheet)
    assert "13 : 13" in page
    assert "处罚：客队 +3 级" in page


def test_the_list_is_printed(round_, chief_client, assistant_client):
    chief_client.post(GIVE, RULING)
    response = assistant_client.get("/e/cup/desk/prints/penalties.pdf")
    assert response["Content-Type"] == "application/pdf"


class TestAppeals:
    APPEAL = {"number": 1, "round_number": 1, "penalty": "", "text": "没有少牌"}

    def test_any_official_receives_and_the_chief_decides(self, round_, assistant_client, chief_client):
        assert assistant_client.post(APPEALS, self.APPEAL).status_code == 303
        appeal = Appeal.objects.get()
        page = text(assistant_client, APPEALS)
        assert "没有少牌" in page
        assert "待处理" in page
        assert "时限到" in page
        decide = f"{APPEALS}{appeal.pk}/decide/"
        decision = {"outcome": "rejected", "answer": "牌数有误", "act": ""}
        assert assistant_client.post(decide, decision).status_code == 403
        assert chief_client.post(decide, decision | {"answer": ""}).status_code == 422
        assert chief_client.post(decide, decision).status_code == 303
        assert "驳回" in text(assistant_client, APPEALS)

    def test_the_team_reads_that_an_appeal_is_open(self, round_, assistant_client, chief_client, client):
        assert "申诉处理中" not in text(client, "/e/cup/teams/1/")
        assistant_client.post(APPEALS, self.APPEAL)
        assert "申诉处理中" in text(client, "/e/cup/teams/1/")
        assert "没有少牌" not in text(client, "/e/cup/teams/1/")
        decide = f"{APPEALS}{Appeal.objects.get().pk}/decide/"
        chief_client.post(decide, {"outcome": "rejected", "answer": "牌数有误", "act": ""})
        page = text(client, "/e/cup/teams/1/")
        assert "申诉处理中" not in page
        assert "驳回</span> 牌数有误" in page

    def test_what_was_done_can_be_named(self, round_, chief_client):
        chief_client.post(GIVE, RULING)
        penalty = Penalty.objects.get()
        chief_client.post(APPEALS, self.APPEAL | {"penalty": penalty.pk})
        chief_client.post(f"{PAGE}{penalty.pk}/cancel/", {"why": "申诉成立"})
        act, appeal = LogEntry.objects.first(), Appeal.objects.get()
        decision = {"outcome": "upheld", "answer": "牌数无误", "act": act.pk}
        assert chief_client.post(f"{APPEALS}{appeal.pk}/decide/", decision).status_code == 303
        assert "撤销处罚" in text(chief_client, APPEALS)

    @pytest.mark.parametrize(("field", "value"), [("number", "99"), ("text", " "), ("penalty", "7")])
    def test_what_is_refused(self, round_, assistant_client, field, value):
        assert assistant_client.post(APPEALS, self.APPEAL | {field: value}).status_code == 422
        assert not Appeal.objects.exists()
