"""Who may enter: limits of a department, persons in one session only, leader and coach, by whatever way."""

from __future__ import annotations

import pytest

from tests.builders import make_event
from tests.rosters import reading
from tournaments.discipline import Discipline
from tournaments.entering import Applicant, EntryFault, EntryLack, entry_problems, lacks
from tournaments.entry_words import entry_sentence
from tournaments.models import PlayerRole, Team
from tournaments.roster import read_roster
from tournaments.selectors.rosters import compare_roster
from tournaments.services.rosters import RosterClashes, import_roster
from tournaments.services.teams import (
    EntryRefused,
    PlayerFacts,
    TeamFacts,
    add_team,
    change_team,
)
from tournaments.workbooks import Sheet, write_workbook


def an_event(teams: int = 0, **stated):
    return make_event(teams=teams, departments=0, rules={"discipline": stated})


def facts(*names: str, **more) -> TeamFacts:
    return TeamFacts(players=tuple(PlayerFacts(name) for name in names), **more)


def add(event, *names: str, **more) -> Team:
    return add_team(event=event, number=None, facts=facts(*names, **more), by=None)


def refusal(act) -> list[EntryFault]:
    with pytest.raises(EntryRefused) as refused:
        act()
    assert all(entry_sentence(problem).endswith("。") for problem in refused.value.problems)
    return [problem.fault for problem in refused.value.problems]


def book(*rows) -> bytes:
    headers, *lines = rows
    return write_workbook([Sheet("报名表", headers, lines)])


def test_a_department_enters_no_more_teams_than_it_may(db):
    event = an_event(department_teams=2)
    for pair in ("甲乙", "丙丁"):
        add(event, *pair, department="一车间")
    assert refusal(lambda: add(event, "戊", "己", department="一车间")) == [EntryFault.DEPARTMENT_TEAMS]
    add(event, "戊", "己", department="二车间")
    assert event.teams.count() == 3


def test_a_department_enters_no_more_persons_than_it_may(db):
    event = an_event(department_persons=5)
    first = add(event, "甲", "乙", department="一车间")
    add(event, "丙", "丁", department="一车间")
    assert refusal(lambda: add(event, "戊", "己", department="一车间")) == [EntryFault.DEPARTMENT_PERSONS]
    change_team(team=first, number=1, facts=facts("甲", "乙", "庚", department="一车间"), by=None)
    grown = facts("甲", "乙", "庚", "辛", department="一车间")
    assert refusal(lambda: change_team(team=first, number=1, facts=grown, by=None)) == [
        EntryFault.DEPARTMENT_PERSONS
    ]


def test_a_limit_set_later_leaves_those_who_are_there(db):
    event = an_event()
    first = add(event, "甲", "乙", department="一车间")
    add(event, "丙", "丁", department="一车间")
    stage = event.stages.get()
    stage.rules = {"discipline": {"department_teams": 1}}
    stage.save()
    changed = facts("甲", "戊", department="一车间", remark="换人")
    assert change_team(team=first, number=1, facts=changed, by=None).remark == "换人"


def test_a_team_has_no_more_players_than_it_may(db):
    event = an_event(players=4, leader=True, coach=True)
    team = add(event, *"甲乙丙丁", leader="王领队", coach="李教练")
    assert [(p.name, p.role) for p in team.players.order_by("position")] == [
        *((name, PlayerRole.PLAYER) for name in "甲乙丙丁"),
        ("王领队", PlayerRole.LEADER),
        ("李教练", PlayerRole.COACH),
    ]
    assert team.player_names == "甲 · 乙 · 丙 · 丁"
    assert refusal(lambda: add(event, *"戊己庚辛壬")) == [EntryFault.TOO_MANY_PLAYERS]


def test_a_leader_may_lead_two_teams_and_can_be_taken_out(db):
    event = an_event()
    add(event, "甲", "乙", leader="王领队")
    second = add(event, "丙", "丁", leader="王领队")
    change_team(team=second, number=2, facts=facts("丙", "丁", "戊"), by=None)
    assert [person.name for person in second.players.order_by("position")] == ["丙", "丁", "戊"]


def test_what_a_team_waits_for():
    stated = Discipline(players=4, leader=True, coach=True)
    assert lacks(stated, Applicant(1, ("甲", "乙"), leader=True)) == [EntryLack.PLAYERS, EntryLack.COACH]
    assert lacks(Discipline(), Applicant(1, ("甲", "乙"))) == []


def test_a_person_enters_one_session_only(db):
    event = an_event(sessions=2)
    add(event, "甲", "乙", session="上午")
    with pytest.raises(EntryRefused) as refused:
        add(event, "甲", "丙", session="下午")
    sentence = entry_sentence(refused.value.problems[0])
    assert "甲" in sentence
    assert "1 号队（上午）" in sentence
    assert "下午" in sentence


def test_a_person_enters_several_sessions_where_that_is_allowed(db):
    event = an_event(sessions=2, several_sessions=True)
    first = add(event, "甲", "乙", session="上午")
    second = add(event, "甲", "丙", session="下午")
    assert refusal(lambda: add(event, "甲", "丁", session="上午")) == [EntryFault.PERSON_TWICE]
    moved = facts("甲", "丙", session="上午")
    assert refusal(lambda: change_team(team=second, number=2, facts=moved, by=None)) == [
        EntryFault.PERSON_TWICE
    ]
    assert first.session == "上午"


def test_a_person_may_come_back_after_a_team_withdrew(db):
    event = an_event()
    add(event, "甲", "乙")
    event.teams.update(withdrawn_after=0)
    assert add(event, "甲", "丙").number == 2


def test_an_import_is_refused_with_the_row_that_passes_a_limit(db):
    event = an_event(department_teams=1)
    rows = (("单位", "选手一", "选手二"), ("甲部", "赵敏", "范遥"), ("甲部", "杨逍", "殷离"))
    found = read_roster(book(*rows), "名单.xlsx")
    with pytest.raises(RosterClashes) as refused:
        import_roster(event=event, reading=found, by=None)
    (problem,) = refused.value.changes.refused
    assert entry_sentence(problem).startswith("第 3 行：甲部")
    assert not event.teams.exists()


def test_an_import_in_place_of_the_old_teams_counts_only_the_new(db):
    event = an_event(department_teams=1)
    add(event, "甲", "乙", department="甲部")
    found = reading(("组号", "单位", "选手一", "选手二"), (2, "甲部", "赵敏", "范遥"))
    with pytest.raises(RosterClashes):
        import_roster(event=event, reading=found, by=None)
    assert import_roster(event=event, reading=found, by=None, remove_missing=True).new == (2,)


def test_leader_and_coach_come_from_the_file_and_go_back_into_it(db):
    event = an_event()
    rows = (
        ("组号", "单位", "领队", "教练", "选手一", "选手二", "选手三", "选手四"),
        (1, "甲部", "王一", "李二", "赵敏", "范遥", "杨逍", "殷离"),
        (2, "乙部", "王一", "", "周颠", "说不得", "彭莹玉", "冷谦"),
    )
    found = read_roster(book(*rows), "名单.xlsx")
    assert found.errors == ()
    import_roster(event=event, reading=found, by=None)
    team = event.teams.get(number=1)
    assert [person.name for person in team.companions] == ["王一", "李二"]
    assert compare_roster(event, found).is_empty
    changed = (rows[0], (1, "甲部", "钱三", "", *rows[1][4:]), rows[2])
    outcome = import_roster(event=event, reading=read_roster(book(*changed), "名单.xlsx"), by=None)
    assert outcome.changed == (1,)
    team = event.teams.get(number=1)
    assert [person.name for person in team.companions] == ["钱三", "李二"]


def test_one_person_in_both_sessions_of_a_file(db):
    rows = (("场次", "选手一", "选手二"), ("上午", "赵敏", "范遥"), ("下午", "赵敏", "范遥"))
    assert read_roster(book(*rows), "名单.xlsx").errors
    event = an_event(sessions=2, several_sessions=True)
    found = read_roster(book(*rows), "名单.xlsx", several_sessions=True)
    assert found.errors == ()
    import_roster(event=event, reading=found, by=None)
    assert [(team.number, team.session) for team in event.teams.all()] == [(1, "上午"), (2, "下午")]
    assert compare_roster(event, found).is_empty


def test_the_first_of_two_faulty_entries_does_not_hide_the_second():
    wanted = [
        Applicant(1, ("甲", "乙"), "一"),
        Applicant(2, ("甲", "丙"), "一"),
        Applicant(3, ("乙", "丁"), "一"),
    ]
    found = entry_problems(Discipline(department_teams=2), [], wanted)
    assert [(each.fault, each.applicant.number) for each in found] == [
        (EntryFault.PERSON_TWICE, 2),
        (EntryFault.PERSON_TWICE, 3),
        (EntryFault.DEPARTMENT_TEAMS, 3),
    ]
