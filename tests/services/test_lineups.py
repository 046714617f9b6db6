"""上场名单: typed by place or name, kept for rounds to come, put on the tables on publication."""

from __future__ import annotations

import pytest

from pairing.services import draw_round, publish_round, withdraw_publication
from tests.builders import make_event, make_user
from tournaments.lineups import LineupFault, LineupRefused, read_lineup
from tournaments.log import Act
from tournaments.log_words import log_line
from tournaments.models import LogEntry, Player, PlayerRole, Round, RoundStatus
from tournaments.roles import CHIEF
from tournaments.selectors.lineups import lineup_sheet
from tournaments.services.lineups import (
    LineupReasonMissing,
    LineupsClosed,
    give_lineups,
    seat_given_lineups,
)

FOUR = ("赵一", "钱二", "孙三", "李四")


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("13", ("赵一", "孙三")),
        ("1 3", ("赵一", "孙三")),
        ("3、1", ("赵一", "孙三")),
        ("４，2", ("钱二", "李四")),
        ("李四 赵一", ("赵一", "李四")),
        ("  ", ()),
    ],
)
def test_what_may_be_typed(typed, names):
    assert read_lineup(typed.replace("４", "4"), FOUR, ("王领队",)) == names


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("1", LineupFault.NOT_TWO),
        ("124", LineupFault.NOT_TWO),
        ("11", LineupFault.TWICE),
        ("赵一 1", LineupFault.TWICE),
        ("1 5", LineupFault.NO_SUCH_PLACE),
        ("10", LineupFault.NO_SUCH_PLACE),
        ("1 王领队", LineupFault.DOES_NOT_PLAY),
        ("1 周五", LineupFault.NOT_IN_TEAM),
    ],
)
def test_what_is_refused(typed, fault):
    with pytest.raises(LineupRefused) as refused:
        read_lineup(typed, FOUR, ("王领队",))
    assert refused.value.fault is fault


@pytest.fixture
def event(db):
    """Four teams: 1 and 2 have four players and a leader, 3 and 4 have two."""
    event = make_event(teams=4, departments=0, rules={"discipline": {"players": 4, "line_up": True}})
    for team in event.teams.filter(number__in=(1, 2)):
        for place, role in ((3, PlayerRole.PLAYER), (4, PlayerRole.PLAYER), (5, PlayerRole.LEADER)):
            Player.objects.create(team=team, position=place, name=f"补{team.number}{place}", role=role)
    return event


@pytest.fixture
def chief(event):
    return make_user("chief", CHIEF, event)


def players(event, number: int, *places: int) -> tuple[str, ...]:
    names = event.teams.get(number=number).playing_names
    return tuple(names[place - 1] for place in places)


def give(event, round_=None, reason: str = "", **names):
    wanted = {int(team[1:]): players(event, int(team[1:]), *places) for team, places in names.items()}
    return give_lineups(event=event, round=round_, names=wanted, by=None, reason=reason)


def published(event, chief) -> Round:
    round_ = draw_round(stage=event.stages.get(), by=chief, seed=1)
    return publish_round(round=round_, by=chief, expected_version=round_.draw.version).round


def on_tables(round_) -> dict[int, list[str]]:
    sides = [(match, side) for match in round_.matches.all() for side in ("home", "away")]
    return {getattr(match, side).number: match.lineup.get(side, []) for match, side in sides}


def test_given_before_the_draw_it_is_on_the_published_table_and_holds_for_the_next_round(event, chief):
    assert give(event, t1=(1, 3), t2=(2, 4)) == 2
    assert lineup_sheet(event).missing == []
    round_ = published(event, chief)
    assert on_tables(round_) == {
        1: list(players(event, 1, 1, 3)),
        2: list(players(event, 2, 2, 4)),
        3: [],
        4: [],
    }
    Round.objects.filter(pk=round_.pk).update(status=RoundStatus.COMPLETED)
    give(event, t1=(2, 3))
    assert on_tables(round_)[1] == list(players(event, 1, 1, 3))
    following = Round.objects.create(stage=round_.stage, number=2)
    for match in round_.matches.all():
        match.pk = None
        match.lineup, match.round = {}, following
        match.save()
        for team in (match.home, match.away):
            match.seats.create(round=following, team=team)
    seat_given_lineups(following)
    assert on_tables(following)[1] == list(players(event, 1, 2, 3))
    assert on_tables(following)[2] == list(players(event, 2, 2, 4))


def test_a_change_after_publication_says_why(event, chief):
    give(event, t1=(1, 3))
    round_ = published(event, chief)
    with pytest.raises(LineupReasonMissing):
        give(event, round_, t1=(1, 2))
    assert give(event, round_, reason="身体不适", t1=(1, 2), t2=(1, 2)) == 2
    entry = LogEntry.objects.filter(act=Act.LINEUPS_GIVEN).first()
    assert (entry.reason, entry.subject) == ("身体不适", "1/1")
    (change,) = log_line(entry).changes
    assert change.label == "上场名单"
    assert players(event, 1, 3)[0] in change.old
    assert players(event, 1, 2)[0] in change.new
    assert on_tables(round_)[1] == list(players(event, 1, 1, 2))


def test_the_first_line_up_after_publication_needs_no_reason(event, chief):
    round_ = published(event, chief)
    assert lineup_sheet(event).missing == [1, 2]
    assert give(event, round_, t1=(1, 4)) == 1
    assert lineup_sheet(event).missing == [2]


def test_a_closed_or_withdrawn_round_takes_none(event, chief):
    round_ = published(event, chief)
    withdraw_publication(round=round_, by=chief)
    with pytest.raises(LineupsClosed):
        give(event, round_, t1=(1, 2))
    Round.objects.filter(pk=round_.pk).update(status=RoundStatus.COMPLETED)
    with pytest.raises(LineupsClosed):
        give(event, round_, t1=(1, 2))


def test_whoever_does_not_play_in_the_team_is_refused_at_the_door_too(event):
    for names in (("补13", "补15"), ("补13", "补23"), ("补13", "补13"), ("补13",)):
        with pytest.raises(LineupRefused):
            give_lineups(event=event, round=None, names={1: names}, by=None)
    assert event.teams.get(number=1).lineup == []


def test_a_line_up_ends_when_one_of_the_two_has_left_the_team(event):
    give(event, t1=(1, 3))
    Player.objects.filter(team__number=1, position=3).update(name="新人")
    assert lineup_sheet(event).missing == [1, 2]


def test_the_same_again_is_no_act(event):
    give(event, t1=(1, 3))
    before = LogEntry.objects.count()
    assert give(event, t1=(1, 3)) == 0
    assert LogEntry.objects.count() == before
