"""单人: a list of people becomes teams by one draw, which anybody can repeat and the desk can take back."""

from __future__ import annotations

import pytest

from tests.builders import make_event, make_round
from tournaments.discipline import Partners, PartnersFrom
from tournaments.log import Act
from tournaments.models import LogEntry, Player, Single
from tournaments.partners import Person, draw_partners
from tournaments.roster import RosterSingle
from tournaments.selectors.singles import draw_results, waiting_singles
from tournaments.services.singles import (
    CannotUndo,
    DrawOutdated,
    NothingToDraw,
    add_singles,
    draw_singles,
    preview_partners,
    remove_single,
    undo_partners,
)
from tournaments.services.teams import EntryRefused

PEOPLE = [
    RosterSingle(2, "赵敏", "f", "甲部", "13800000001"),
    RosterSingle(3, "范遥", "m", "甲部"),
    RosterSingle(4, "杨逍", "m", "乙部"),
    RosterSingle(5, "殷离", "f", "乙部"),
    RosterSingle(6, "周颠", "m"),
]


@pytest.fixture
def event(db):
    event = make_event(teams=3, departments=0)
    add_singles(event=event, people=PEOPLE, by=None, source="单人.xlsx")
    return event


def draw(event, kind=Partners.NUMBERS, origin=PartnersFrom.ANY, seed=7):
    preview = preview_partners(event, kind, origin, seed)
    return draw_singles(
        event=event, kind=kind, partners_from=origin, seed=seed, expected=preview.fingerprint, by=None
    )


def names(event) -> list[str]:
    return [single.name for single in waiting_singles(event)]


def test_the_draw_makes_teams_after_the_existing_ones_and_one_stays(event):
    drawn = draw(event)
    made = event.teams.filter(number__gt=3)
    assert [team.number for team in made] == [4, 5]
    (left,) = names(event)
    assert drawn.record["waiting"] == [left]
    assert {person.name for team in made for person in team.players.all()} == {
        person.name for person in PEOPLE
    } - {left}
    phones = dict(Player.objects.filter(team__in=made).values_list("name", "phone"))
    assert phones.get("赵敏", "13800000001") == "13800000001"


def test_the_record_repeats_the_draw(event):
    record = draw(event, Partners.MIXED, PartnersFrom.DIFFERENT, seed=99).record
    again = draw_partners(
        [Person.from_dict(each) for each in record["entrants"]],
        Partners(record["kind"]),
        PartnersFrom(record["departments"]),
        seed=record["seed"],
    )
    assert [[one.name, other.name] for one, other in again.pairs] == [
        pair["players"] for pair in record["pairs"]
    ]
    assert record["waiting"] == [person.name for person in again.waiting]


def test_partners_of_one_department_play_for_it(event):
    draw(event, origin=PartnersFrom.SAME)
    made = event.teams.filter(number__gt=3)
    assert {team.department.name for team in made} == {"甲部", "乙部"}
    assert names(event) == ["周颠"]


def test_a_preview_of_others_is_not_confirmed(event):
    preview = preview_partners(event, Partners.NUMBERS, PartnersFrom.ANY, 7)
    remove_single(single=event.singles.first(), by=None)
    with pytest.raises(DrawOutdated):
        draw_singles(
            event=event,
            kind=Partners.NUMBERS,
            partners_from=PartnersFrom.ANY,
            seed=7,
            expected=preview.fingerprint,
            by=None,
        )
    assert event.teams.count() == 3


def test_confirming_twice_makes_the_teams_once(event):
    preview = preview_partners(event, Partners.NUMBERS, PartnersFrom.ANY, 7)
    wanted = {"kind": Partners.NUMBERS, "partners_from": PartnersFrom.ANY, "seed": 7, "by": None}
    draw_singles(event=event, expected=preview.fingerprint, **wanted)
    with pytest.raises((DrawOutdated, NothingToDraw)):
        draw_singles(event=event, expected=preview.fingerprint, **wanted)
    assert event.teams.count() == 5


def test_taken_back_everybody_waits_as_before(event):
    before = list(waiting_singles(event).values_list("name", "sex", "department__name", "phone"))
    drawn = draw(event)
    add_singles(event=event, people=[RosterSingle(0, "韦一笑")], by=None)
    undo_partners(draw=drawn, by=None)
    after = list(waiting_singles(event).values_list("name", "sex", "department__name", "phone"))
    assert after == [*before, ("韦一笑", "", None, "")]
    assert event.teams.count() == 3
    assert draw_results(event) == []
    assert LogEntry.objects.filter(act=Act.PARTNERS_UNDONE).count() == 1


def test_not_taken_back_once_a_round_is_drawn_or_a_team_changed(event):
    first = draw(event)
    Player.objects.filter(team__number=4, position=1).update(name="换人")
    with pytest.raises(CannotUndo):
        undo_partners(draw=first, by=None)
    add_singles(event=event, people=[RosterSingle(0, "韦一笑"), RosterSingle(0, "说不得")], by=None)
    second = draw(event)
    make_round(event, [(1, 2)])
    with pytest.raises(CannotUndo):
        undo_partners(draw=second, by=None)


def test_whoever_plays_already_does_not_wait(event):
    player = Player.objects.filter(team__number=1).first()
    with pytest.raises(EntryRefused):
        add_singles(event=event, people=[RosterSingle(9, player.name)], by=None)


def test_the_same_list_again_changes_nothing_and_fills_in_what_was_missing(event):
    before = LogEntry.objects.count()
    assert add_singles(event=event, people=PEOPLE, by=None) == (0, 5)
    assert LogEntry.objects.count() == before
    assert add_singles(event=event, people=[RosterSingle(6, "周颠", "m", "丙部")], by=None) == (0, 1)
    assert Single.objects.get(name="周颠").department.name == "丙部"


def test_a_limit_of_a_department_holds_for_drawn_teams_too(event):
    stage = event.stages.get()
    stage.rules = {"discipline": {"department_persons": 3}}
    stage.save()
    event.teams.filter(number=1).update(department=event.departments.get(name="甲部"))
    with pytest.raises(EntryRefused):
        draw(event, origin=PartnersFrom.SAME)
    assert len(names(event)) == 5
