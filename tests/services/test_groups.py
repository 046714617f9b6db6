"""Groups that find their own time: convenor, deadline, results in any order, the end and after it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone, translation

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.storing import store_event
from pairing.group_words import left_words, open_words, own_time_words, phone_words
from pairing.selectors.groups import deadline_of, group_states, open_matches
from pairing.selectors.stages import is_over
from pairing.services import (
    Arrangement,
    arrange_group,
    begin_stage,
    close_round,
    finish_group,
    publish_schedule,
    reopen_group,
    reopen_round,
)
from pairing.services.refusals import (
    GroupNotOver,
    GroupOver,
    LaterRoundExists,
    NotSelfScheduled,
    NotTheirTeam,
    ReasonMissing,
    ResultsMissing,
    StageNotBegun,
)
from scoring.engine.results import Outcome
from scoring.models import Result
from scoring.services import RoundCompleted
from tests.builders import make_user
from tests.services.stages import (
    KNOCKOUT,
    ROUND_ROBIN,
    begun,
    drawn,
    enter,
    format_event,
    stage_of,
)
from tournaments.log import Act
from tournaments.models import Group, LogEntry, Match, Player, Round
from tournaments.roles import ASSISTANT, CHIEF
from tournaments.services import withdraw_team

pytestmark = pytest.mark.django_db
RULES = {"format": {"groups": 2, "schedule": "self", "grouping": "numbers"}}


@pytest.fixture
def chief(db):
    return make_user("chief", CHIEF)


@pytest.fixture
def stage(chief):
    event = format_event((ROUND_ROBIN, RULES), (KNOCKOUT, {"entry": {"from": "s1", "count": 1}}))
    begun(event, chief)
    publish_schedule(stage=stage_of(event), by=chief)
    return stage_of(event)


def group(stage, order=1) -> Group:
    return Group.objects.select_related("stage__event").get(stage=stage, order=order)


def play(stage, by, order=1, leave_open=0) -> None:
    matches = open_matches(group(stage, order))
    for match in list(reversed(matches))[: len(matches) - leave_open]:
        enter(match, by, home_wins=True)


def test_a_convenor_and_a_deadline(stage, chief):
    team = stage.event.teams.get(number=3)
    Player.objects.filter(team=team, position=1).update(phone="13800000000")
    deadline = datetime(2026, 12, 5, 18, 0, tzinfo=timezone.get_default_timezone())
    for _ in range(2):
        arrange_group(group=group(stage), arrangement=Arrangement(team, deadline=deadline), by=chief)
    (state, other) = group_states(stage, deadline - timedelta(days=1, hours=2, minutes=30))
    assert (state.matches, state.open, state.deadline, other.deadline) == (6, 6, deadline, None)
    assert "3 号队" in own_time_words(state)
    assert "13800000000" not in own_time_words(state)
    assert phone_words(state.group) == "13800000000"
    assert left_words(state) == "还剩 1 天 2 小时"
    entry = LogEntry.objects.get(act=Act.GROUP_ARRANGED)
    assert (entry.old["convenor_team"], entry.new["convenor_team"]) == (None, 3)


def test_a_person_may_convene(stage, chief):
    person = Arrangement(name="工会小陈", phone="13900000000")
    arrange_group(group=group(stage), arrangement=person, by=chief)
    (state, _other) = group_states(stage)
    assert own_time_words(state) == "召集人：工会小陈 · 还有 6 场没打"
    assert phone_words(state.group) == "13900000000"


def test_a_team_of_another_group_does_not_convene(stage, chief):
    with pytest.raises(NotTheirTeam):
        arrange_group(group=group(stage), arrangement=Arrangement(stage.event.teams.get(number=2)), by=chief)
    assert not LogEntry.objects.filter(act=Act.GROUP_ARRANGED).exists()


def test_without_its_own_a_group_has_the_last_day_of_the_rules(stage):
    stage.rules["format"]["deadline"] = "2026-12-04"
    found = deadline_of(group(stage), stage)
    assert timezone.localtime(found).isoformat()[:19] == "2026-12-04T23:59:59"


def test_matches_open_behind_the_deadline_are_overdue(stage, chief):
    play(stage, chief, 1)
    play(stage, chief, 2, leave_open=1)
    now = timezone.now()
    Group.objects.update(deadline=now - timedelta(hours=3, minutes=5))
    first, second = group_states(stage, now)
    assert (first.is_overdue, first.is_all_in, second.is_overdue) == (False, True, True)
    assert (open_words(first), open_words(second)) == ("成绩已齐", "还有 1 场没打")
    assert left_words(second) == "已过截止时间 3 小时 5 分钟"
    with translation.override("en"):
        assert left_words(second) == "3 hours 5 minutes over the deadline"


def test_results_come_in_any_order_and_a_group_is_ended_by_itself(stage, chief):
    play(stage, chief, 2)
    finish_group(group=group(stage, 2), by=chief)
    assert not is_over(stage)
    assert stage.rounds.filter(status="published").count() == 3
    play(stage, chief, 1)
    finish_group(group=group(stage, 1), by=chief)
    assert is_over(stage)
    assert LogEntry.objects.filter(act=Act.GROUP_FINISHED).count() == 2
    with pytest.raises(GroupOver):
        finish_group(group=group(stage, 1), by=chief)


def test_open_matches_become_what_the_chief_decides(stage, chief):
    play(stage, chief, 1, leave_open=2)
    first, second = open_matches(group(stage))
    with pytest.raises(ResultsMissing):
        finish_group(group=group(stage), by=chief, reason="过期未打")
    with pytest.raises(ResultsMissing):
        finish_group(
            group=group(stage), by=chief, decided={first.pk: Outcome.DOUBLE_FORFEIT}, reason="过期未打"
        )
    decided = {first.pk: Outcome.DOUBLE_FORFEIT, second.pk: Outcome.FORFEIT_AWAY}
    with pytest.raises(ReasonMissing):
        finish_group(group=group(stage), by=chief, decided=decided)
    assert Result.objects.filter(match__in=[first, second]).count() == 0
    finish_group(group=group(stage), by=chief, decided=decided, reason="过期未打")
    outcomes = dict(Result.objects.filter(match__in=decided).values_list("match", "outcome"))
    assert outcomes == {first.pk: "double_forfeit", second.pk: "forfeit_away"}
    entry = LogEntry.objects.get(act=Act.GROUP_FINISHED)
    assert entry.reason == "过期未打"
    assert [each["outcome"] for each in entry.new["decided"]] == ["double_forfeit", "forfeit_away"]


def test_after_its_end_results_are_corrected_by_the_chief_only(stage, chief):
    assistant = make_user("assistant", ASSISTANT)
    play(stage, chief, 1)
    finish_group(group=group(stage), by=chief)
    match = Match.objects.filter(group=group(stage)).select_related("round__stage").first()
    with pytest.raises(RoundCompleted):
        enter(match, assistant, home_wins=False)
    enter(match, chief, home_wins=False, reason="登记错误")
    assert Result.objects.get(match=match).winner == "away"


def test_opened_again_with_a_reason_while_no_later_stage_plays(stage, chief):
    for order in (1, 2):
        play(stage, chief, order)
        finish_group(group=group(stage, order), by=chief)
    with pytest.raises(ReasonMissing):
        reopen_group(group=group(stage), by=chief, reason="")
    reopen_group(group=group(stage), by=chief, reason="漏打一场")
    assert not is_over(stage)
    with pytest.raises(GroupNotOver):
        reopen_group(group=group(stage), by=chief, reason="漏打一场")
    finish_group(group=group(stage), by=chief)
    later = stage_of(stage.event, 2)
    begin_stage(stage=later, by=chief, seed=1)
    drawn(later, chief)
    with pytest.raises(LaterRoundExists):
        reopen_group(group=group(stage), by=chief, reason="漏打一场")


def test_closing_the_stage_ends_its_groups_and_opening_opens_them(stage, chief):
    for order in (1, 2):
        play(stage, chief, order)
    last = Round.objects.select_related("stage__event").filter(stage=stage).order_by("number").last()
    close_round(round=last, by=chief)
    assert not Group.objects.filter(finished_at=None).exists()
    reopen_round(round=last, by=chief, reason="登记错误")
    assert Group.objects.filter(finished_at=None).count() == 2
    assert stage.rounds.filter(status="published").count() == 3


def test_who_left_is_annulled_and_its_open_matches_are_ended(stage, chief):
    stage.rules = {**stage.rules, "withdrawal": "annul"}
    stage.save()
    play(stage, chief, 1, leave_open=1)
    (match,) = open_matches(group(stage))
    withdraw_team(team=match.home, from_round=stage.rounds_planned + 1, by=chief)
    finish_group(group=group(stage), by=chief, decided={match.pk: Outcome.FORFEIT_HOME}, reason="退赛")
    assert check_event(document_of(stage.event)) == []


def test_what_is_no_group_of_its_own_time(chief):
    event = format_event((ROUND_ROBIN, {"format": {"groups": 2}}))
    begun(event, chief)
    with pytest.raises(NotSelfScheduled):
        arrange_group(group=group(stage_of(event)), arrangement=Arrangement(), by=chief)
    stage = stage_of(event)
    stage.rules = RULES
    stage.save()
    with pytest.raises(StageNotBegun):
        finish_group(group=group(stage), by=chief)


def test_convenor_deadline_and_end_travel_in_the_event_file(stage, chief):
    deadline = datetime(2026, 12, 5, 18, 0, tzinfo=timezone.get_default_timezone())
    team = stage.event.teams.get(number=1)
    arrange_group(group=group(stage), arrangement=Arrangement(team, deadline=deadline), by=chief)
    person = Arrangement(name="工会小陈", phone="13900000000")
    arrange_group(group=group(stage, 2), arrangement=person, by=chief)
    play(stage, chief, 2)
    finish_group(group=group(stage, 2), by=chief)
    content = to_bytes(document_of(stage.event))
    first, second = document_of(stage.event).stages[0].groups
    assert (first.convenor.team, first.deadline[:16]) == ("t1", "2026-12-05T18:00")
    assert (second.convenor.name, second.convenor.phone) == ("工会小陈", "13900000000")
    assert second.finished_at
    again = store_event(load_event(content), replace=True)
    assert to_bytes(document_of(again)) == content
