"""签到: checked in, absent, late, back again; players replaced; each act logged and taken back."""

from __future__ import annotations

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.storing import store_event
from pairing.selectors.check_in import Presence, stage_check_in
from pairing.services import close_round, draw_round, publish_round
from scoring.selectors import stage_standings
from tests.builders import make_event, make_result, make_round
from tournaments.attendance import Absence
from tournaments.log import Act
from tournaments.models import Event, LogEntry, Match, Round, RoundStatus, Stage, Team
from tournaments.services.attendance import (
    CannotMissRound,
    begin_check_in_anew,
    check_in,
    end_absence,
    note_lateness,
    set_absence,
    take_back_check_in,
    undo_attendance,
    use_check_in,
)
from tournaments.services.replacements import CannotReplaceFrom, NotAPlayer, replace_player
from tournaments.services.teams import EntryRefused, reinstate_team, withdraw_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(db) -> Event:
    event = make_event(departments=0, rules={"scoring": {"missed": 5}})
    use_check_in(event=event, used=True, by=None)
    return event


def stage_of(event: Event) -> Stage:
    return event.stages.select_related("event").get()


def teams(event: Event, *numbers: int) -> list[Team]:
    return list(event.teams.filter(number__in=numbers).order_by("number"))


def presences(event: Event) -> dict[int, Presence]:
    return {row.team.number: row.presence for row in stage_check_in(stage_of(event)).rows}


def acts(event: Event) -> list[str]:
    return list(LogEntry.objects.filter(event=event).order_by("pk").values_list("act", flat=True))


def come(event: Event, *numbers: int):
    return check_in(stage=stage_of(event), teams=teams(event, *numbers), by=None)


def miss(event: Event, number: int, round_number: int = 1, **facts):
    return set_absence(
        teams=teams(event, number),
        stage=stage_of(event),
        absence=Absence("s1", round_number, **facts),
        by=None,
    )


def drawn(event: Event) -> Round:
    return draw_round(stage=stage_of(event), by=None, seed=1)


def seated(round_: Round) -> set[int]:
    return set(round_.seats.values_list("team__number", flat=True))


def published(event: Event, chief) -> Round:
    round_ = drawn(event)
    publish_round(round=round_, by=chief, expected_version=1)
    return Round.objects.select_related("stage__event").get(pk=round_.pk)


class TestCheckIn:
    def test_who_is_here_and_who_is_not(self, event):
        come(event, 3, 5)
        found = stage_check_in(stage_of(event))
        assert [row.team.number for row in found.missing] == [1, 2, 4, 6, 7, 8]
        assert (found.here, found.expected, found.is_mostly_missing) == (2, 8, True)
        come(event, 1, 2)
        assert not stage_check_in(stage_of(event)).is_mostly_missing

    def test_twice_is_once_in_the_log(self, event):
        assert len(come(event, 3)) == 1
        assert come(event, 3) == []
        assert acts(event) == [Act.CHECK_IN_SWITCHED, Act.TEAMS_CHECKED_IN]
        assert LogEntry.objects.get(act=Act.TEAMS_CHECKED_IN).new == {"teams": [3]}

    def test_without_check_in_everybody_is_here(self, event):
        use_check_in(event=event, used=False, by=None)
        assert set(presences(Event.objects.get()).values()) == {Presence.PRESENT}

    def test_a_withdrawn_team_does_not_check_in(self, event):
        withdraw_team(team=teams(event, 3)[0], from_round=1, by=None)
        assert come(event, 3) == []
        assert presences(event)[3] is Presence.WITHDRAWN

    def test_taken_back(self, event):
        come(event, 3, 4)
        take_back_check_in(stage=stage_of(event), teams=teams(event, 3), by=None)
        assert presences(event)[3] is Presence.MISSING
        assert presences(event)[4] is Presence.PRESENT

    def test_begun_anew_and_undone(self, event):
        come(event, 3, 4)
        changes = begin_check_in_anew(stage=stage_of(event), by=None)
        assert set(presences(event).values()) == {Presence.MISSING}
        assert undo_attendance(event=event, changes=changes, by=None) == 2
        assert presences(event)[3] is Presence.PRESENT

    def test_an_undo_leaves_alone_what_somebody_else_did_since(self, event):
        changes = come(event, 3, 4)
        take_back_check_in(stage=stage_of(event), teams=teams(event, 4), by=None)
        come(event, 4)
        assert undo_attendance(event=event, changes=changes, by=None) == 1
        assert presences(event)[3] is Presence.MISSING
        assert presences(event)[4] is Presence.PRESENT


class TestAbsence:
    def test_an_absent_team_is_not_drawn_and_the_round_counts_as_missed(self, event, chief):
        miss(event, 8)
        round_ = published(event, chief)
        assert seated(round_) == {1, 2, 3, 4, 5, 6, 7}
        bye = round_.matches.get(away=None)
        for match in round_.matches.exclude(pk=bye.pk):
            make_result(round_, match.table, 9, 8)
        row = next(row for row in stage_standings(stage_of(event)).rows if row.team.number == 8)
        assert row.points == 5
        assert check_event(document_of(event)) == []

    def test_one_round_only(self, event, chief):
        miss(event, 7)
        miss(event, 8)
        round_ = published(event, chief)
        for table in (1, 2, 3):
            make_result(round_, table, 9, 8)
        close_round(round=round_, by=chief)
        assert seated(drawn(event)) == set(range(1, 9))

    def test_from_now_on_and_back(self, event, chief):
        miss(event, 7, onwards=True)
        miss(event, 8, onwards=True)
        round_ = published(event, chief)
        come(event, 8)
        assert presences(event)[8] is Presence.LATE
        for table in (1, 2, 3):
            make_result(round_, table, 9, 8)
        close_round(round=round_, by=chief)
        second = drawn(event)
        assert seated(second) == {1, 2, 3, 4, 5, 6, 8}
        publish_round(round=second, by=chief, expected_version=1)
        assert check_event(document_of(event)) == []

    def test_excused_ahead(self, event):
        miss(event, 8, 3, excused=True, note="出差")
        come(event, 8)
        assert presences(event)[8] is Presence.PRESENT
        entry = LogEntry.objects.get(act=Act.TEAMS_ABSENT)
        assert (entry.new["round"], entry.new["excused"], entry.reason) == (3, True, "出差")
        end_absence(team=teams(event, 8)[0], stage=stage_of(event), round_number=3, by=None)
        assert teams(event, 8)[0].absences == []

    def test_not_of_a_round_in_which_it_sits_nor_of_one_that_is_over(self, event, chief):
        round_ = published(event, chief)
        for number in (1, 9):
            with pytest.raises(CannotMissRound):
                miss(event, 8, number)
        miss(event, 8, 2)
        for table in (1, 2, 3, 4):
            make_result(round_, table, 9, 8)
        close_round(round=round_, by=chief)
        with pytest.raises(CannotMissRound):
            miss(event, 7, 1)

    def test_a_team_that_comes_while_it_is_expected_has_no_absence_left(self, event):
        miss(event, 8, onwards=True)
        come(event, 8)
        assert presences(event)[8] is Presence.PRESENT
        assert teams(event, 8)[0].absences == []

    def test_back_after_a_withdrawal_the_rounds_between_are_missed(self, event, chief):
        withdraw_team(team=teams(event, 8)[0], from_round=1, by=None)
        published(event, chief)
        reinstate_team(team=teams(event, 8)[0], by=None)
        assert teams(event, 8)[0].absences == [{"stage": "s1", "round": 1}]
        assert check_event(document_of(event)) == []

    def test_lateness_in_minutes(self, event):
        team = teams(event, 3)[0]
        note_lateness(team=team, stage=stage_of(event), round_number=1, minutes=7, by=None)
        assert stage_check_in(stage_of(event)).row(3).minutes_late == 7
        note_lateness(team=team, stage=stage_of(event), round_number=1, minutes=0, by=None)
        assert teams(event, 3)[0].lateness == []
        assert acts(event).count(Act.LATENESS_NOTED) == 2


class TestReplacement:
    def replace(self, event: Event, number: int, comes: str, from_round: int, leaves: str | None = None):
        team = teams(event, number)[0]
        return replace_player(
            team=team,
            stage=stage_of(event),
            leaves=leaves or team.players.get(position=2).name,
            comes=comes,
            phone="13800000001",
            from_round=from_round,
            note="发烧",
            by=None,
        )

    def test_the_new_player_has_the_place_and_earlier_matches_keep_the_old_name(self, event):
        round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)], status=RoundStatus.COMPLETED)
        old = [player.name for player in teams(event, 2)[0].players.all()]
        player = self.replace(event, 2, "新人", 2)
        assert [each.name for each in teams(event, 2)[0].players.all()] == [old[0], "新人"]
        assert player.former == [{"name": old[1], "stage": "s1", "until": 1, "note": "发烧"}]
        assert round_.matches.get(table=1).lineup == {"away": old}
        entry = LogEntry.objects.get(act=Act.PLAYER_REPLACED)
        assert (entry.old, entry.new) == ({"players": [old[1]]}, {"players": ["新人"], "from_round": 2})

    def test_the_event_file_keeps_who_was_replaced(self, event):
        make_round(event, [(1, 2)], status=RoundStatus.COMPLETED)
        self.replace(event, 2, "新人", 2)
        first = to_bytes(document_of(event))
        assert "发烧" in first.decode()
        event.delete()
        assert to_bytes(document_of(store_event(load_event(first)))) == first

    def test_not_somebody_of_another_team(self, event):
        other = teams(event, 3)[0].players.get(position=1).name
        with pytest.raises(EntryRefused):
            self.replace(event, 2, other, 1)

    def test_not_somebody_who_plays_in_the_team_or_has_left_it(self, event):
        own = teams(event, 2)[0].players.get(position=1).name
        with pytest.raises(NotAPlayer):
            self.replace(event, 2, own, 1)
        with pytest.raises(NotAPlayer):
            self.replace(event, 2, "新人", 1, leaves="无此人")

    def test_from_the_round_at_hand_or_the_next(self, event):
        make_round(event, [(1, 2), (3, 4)])
        for number in (0, 3):
            with pytest.raises(CannotReplaceFrom):
                self.replace(event, 2, "新人", number)
        self.replace(event, 2, "新人", 1)
        assert Match.objects.get(table=1).lineup == {}
