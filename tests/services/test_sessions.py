"""分场: two sessions are two stages with their own teams, played one after the other."""

from __future__ import annotations

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.storing import store_event
from pairing.selectors.desk import NextAct, round_state
from pairing.selectors.ranking import event_ranking
from pairing.selectors.sessions import sessions_to_split
from pairing.services import begin_stage, close_round, draw_round, publish_round, split_sessions
from pairing.services.refusals import NoSessions, StageInUse
from tests.builders import make_event, make_result, make_user
from tournaments.log import Act
from tournaments.models import LogEntry, Stage
from tournaments.roles import CHIEF
from tournaments.services.teams import PlayerFacts, TeamFacts, add_team, change_team


@pytest.fixture
def event(db):
    """Eight teams, the odd ones in the morning, two rounds; discipline stated once."""
    event = make_event(teams=8, departments=0, rounds=2, rules={"discipline": {"sessions": 2}})
    for team in event.teams.all():
        team.session = "上午" if team.number % 2 else "下午"
        team.save()
    return event


@pytest.fixture
def chief(event):
    return make_user("chief", CHIEF, event)


def numbers(stage: Stage) -> list[int]:
    return sorted(stage.teams.values_list("number", flat=True))


def play(stage: Stage, chief) -> None:
    """All rounds of a stage, the home team always winning."""
    begin_stage(stage=stage, by=chief, seed=3)
    for _number in range(stage.rounds_planned):
        round_ = draw_round(stage=Stage.objects.get(pk=stage.pk), by=chief, seed=5)
        publish_round(round=round_, by=chief, expected_version=round_.draw.version)
        for match in round_.matches.all():
            make_result(round_, match.table, 10, 7)
        close_round(round=round_, by=chief)


def test_each_session_is_a_stage_with_its_own_teams(event):
    assert sessions_to_split(event) == {"上午": 4, "下午": 4}
    first, second = split_sessions(event=event, by=None)
    assert [stage.name for stage in event.stages.order_by("order")] == ["积分编排 上午", "积分编排 下午"]
    assert (numbers(first), numbers(second)) == ([1, 3, 5, 7], [2, 4, 6, 8])
    assert "discipline" in first.rules
    assert "discipline" not in second.rules
    assert sessions_to_split(event) == {}
    assert LogEntry.objects.filter(act=Act.SESSIONS_SPLIT).count() == 1


def test_the_desk_leads_through_both_and_the_ranking_puts_them_side_by_side(event, chief):
    first, second = split_sessions(event=event, by=chief)
    assert round_state(event, sees_drafts=True).next_act is NextAct.BEGIN_STAGE
    play(first, chief)
    state = round_state(event, sees_drafts=True)
    assert (state.next_act, state.to_begin) == (NextAct.BEGIN_STAGE, second)
    play(second, chief)
    assert round_state(event, sees_drafts=True).next_act is NextAct.PRINT_FINAL
    seats = {match.home.number % 2 for round_ in first.rounds.all() for match in round_.matches.all()}
    assert seats == {1}
    places = event_ranking(event)
    assert {place.team.number % 2 for place in places[:2]} == {0, 1}
    assert [(place.first, place.last) for place in places[:2]] == [(1, 2), (1, 2)]


def test_the_event_file_keeps_both_at_every_moment(event, chief):
    first, _second = split_sessions(event=event, by=chief)
    play(first, chief)
    document = document_of(event)
    assert check_event(document) == []
    written = to_bytes(document)
    again = store_event(load_event(written), replace=True)
    assert to_bytes(document_of(again)) == written
    play(again.stages.get(order=2), chief)
    assert check_event(document_of(again)) == []


def test_a_late_team_enters_the_stage_of_its_session_and_may_change_it(event, chief):
    first, second = split_sessions(event=event, by=chief)
    begin_stage(stage=first, by=chief, seed=3)
    facts = TeamFacts(players=(PlayerFacts("新一"), PlayerFacts("新二")), session="下午")
    team = add_team(event=event, number=None, facts=facts, by=None)
    assert numbers(second) == [2, 4, 6, 8, 9]
    moved = TeamFacts(players=facts.players, session="上午")
    change_team(team=team, number=9, facts=moved, by=None)
    assert (numbers(first), numbers(second)) == ([1, 3, 5, 7, 9], [2, 4, 6, 8])


def test_a_final_takes_its_teams_from_all_sessions(event):
    Stage.objects.create(
        event=event,
        key="s2",
        order=2,
        name="决赛",
        format="knockout",
        rules={"entry": {"from": "s1", "count": 2}},
    )
    split_sessions(event=event, by=None)
    final = event.stages.get(name="决赛")
    assert (final.order, final.rules["entry"]["from"]) == (3, ["s1", "s3"])


def test_not_with_one_session_a_team_without_one_or_once_begun(event, chief):
    event.teams.filter(number=1).update(session="")
    with pytest.raises(NoSessions):
        split_sessions(event=event, by=None)
    event.teams.update(session="上午")
    with pytest.raises(NoSessions):
        split_sessions(event=event, by=None)
    event.teams.filter(number=1).update(session="下午")
    draw_round(stage=event.stages.get(), by=chief, seed=1)
    with pytest.raises(StageInUse):
        split_sessions(event=event, by=None)
