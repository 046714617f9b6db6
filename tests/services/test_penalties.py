"""Penalties and appeals as acts: what they change, what the log says, what taking them back restores."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.computing import stage_standings as file_standings
from guandan_site.event_file.exporting import document_of
from pairing.services import close_round, draw_round, publish_round, swap_published
from pairing.services.guards import draw_of
from scoring.appeals import AppealDecided, acts_since, decide_appeal, open_appeals, receive_appeal
from scoring.engine.penalties import PenaltyAction, PenaltyRule
from scoring.models import Adjustment, AppealOutcome, Penalty, Result
from scoring.penalties import AmountMissing, NoMatchToRule, cancel_penalty, give_penalty
from scoring.selectors import stage_standings
from scoring.services import MatchesHang, ReasonMissing, TeamNotInEvent
from tests.builders import make_event, make_result, make_round
from tests.services.stages import KNOCKOUT, begun, enter, open_matches, published, stage_of
from tournaments.models import LogEntry, Match, Round

A, R = PenaltyAction, PenaltyRule


@pytest.fixture
def round_(event):
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    make_result(round_, 1, 10, 9)
    return round_


def give(event, chief, number=1, action=A.WARNING, **more):
    facts = {"round_number": 1, "rule": R.OTHER, "reason": "违规"} | more
    return give_penalty(
        stage=stage_of(event), team=event.teams.get(number=number), by=chief, action=action, **facts
    )


def points(event, number):
    rows = stage_standings(stage_of(event)).rows
    return next((row.points, row.wins) for row in rows if row.team.number == number)


def test_levels_for_the_opponents_count_beside_what_was_played(event, chief, round_):
    penalty = give(event, chief, action=A.OPPONENT_LEVELS, amount=3, rule=R.WRONG_CARDS)
    assert (points(event, 1), points(event, 2)) == ((11, 0), (15, 1))
    stored = Result.objects.get()
    assert (stored.home_level, stored.away_level, stored.winner, stored.version) == (10, 9, "home", 1)
    cancel_penalty(penalty=penalty, by=chief, reason="数错")
    assert (points(event, 1), points(event, 2)) == ((14, 1), (12, 0))
    assert Match.objects.get(table=1).ruling == {}


@pytest.mark.parametrize(
    ("action", "expected"), [(A.MATCH_LOST, ((12, 0), (14, 1))), (A.BOTH_ZERO, ((0, 0), (0, 0)))]
)
def test_the_match_lost_or_worth_nothing(event, chief, round_, action, expected):
    give(event, chief, action=action)
    assert (points(event, 1), points(event, 2)) == expected


def test_points_are_an_adjustment_beneath(event, chief, round_):
    penalty = give(event, chief, action=A.POINTS, amount=-3, rule=R.LATE, minutes=8)
    assert Adjustment.objects.get().points == -3
    assert points(event, 1) == (11, 1)
    cancel_penalty(penalty=penalty, by=chief, reason="记错队")
    assert not Adjustment.objects.exists()
    assert points(event, 1) == (14, 1)


def test_both_acts_stand_in_the_log(event, chief, round_):
    penalty = give(event, chief, action=A.POINTS, amount=-3, rule=R.LATE, minutes=8)
    cancel_penalty(penalty=penalty, by=chief, reason="记错队")
    cancel_penalty(penalty=penalty, by=chief, reason="记错队")
    taken, given = LogEntry.objects.all()
    facts = {"round": 1, "broken": "late", "action": "points", "amount": -3, "minutes_late": 8}
    assert (given.act, given.subject, given.reason, given.new) == ("penalty_given", "1 号队", "违规", facts)
    assert (taken.act, taken.old, taken.reason) == ("penalty_cancelled", facts, "记错队")
    penalty.refresh_from_db()
    assert (penalty.is_cancelled, penalty.cancel_reason) == (True, "记错队")


def test_what_is_refused(event, chief, round_):
    with pytest.raises(ReasonMissing):
        give(event, chief, reason=" ")
    with pytest.raises(AmountMissing):
        give(event, chief, action=A.POINTS)
    with pytest.raises(AmountMissing):
        give(event, chief, action=A.LEVELS, amount=13)
    with pytest.raises(NoMatchToRule):
        give(event, chief, action=A.MATCH_LOST, round_number=2)
    with pytest.raises(TeamNotInEvent):
        give_penalty(
            stage=stage_of(event),
            team=make_event(slug="other").teams.first(),
            by=chief,
            round_number=1,
            rule=R.OTHER,
            action=A.WARNING,
            reason="违规",
        )
    with pytest.raises(ReasonMissing):
        cancel_penalty(penalty=give(event, chief), by=chief, reason="")
    assert Penalty.objects.count() == 1


def test_disqualified_loses_the_match_and_is_drawn_no_more(event, chief, round_):
    penalty = give(event, chief, action=A.DISQUALIFIED)
    team = event.teams.get(number=1)
    assert (team.withdrawn_after, points(event, 1)) == (1, (12, 0))
    cancel_penalty(penalty=penalty, by=chief, reason="误判")
    assert event.teams.get(number=1).withdrawn_after is None
    assert points(event, 1) == (14, 1)


def test_a_ruling_follows_its_team_to_another_table(event, chief):
    publish_round(round=draw_round(stage=stage_of(event), by=chief, seed=3), by=chief, expected_version=1)
    round_ = Round.objects.select_related("stage").get()
    first, other = (match.home for match in round_.matches.order_by("table")[:2])
    give(event, chief, first.number, A.LEVELS, amount=-2)
    swap_published(
        round=round_,
        first=first,
        second=other,
        by=chief,
        expected_version=draw_of(round_).version,
        reason="坐错",
        confirmed=True,
    )
    matches = {match.table: match for match in round_.matches.all()}
    assert matches[1].ruling == {}
    side = "home" if matches[2].home_id == first.pk else "away"
    assert matches[2].ruling == {f"{side}_levels": -2}


def test_a_knockout_match_can_be_lost_until_another_hangs_on_it(event, chief):
    event.stages.update(format=KNOCKOUT)
    first = published(begun(event, chief), chief)
    for match in open_matches(first):
        enter(match, chief, home_wins=True)
    match = first.matches.order_by("table").first()
    penalty = give(event, chief, match.home.number, A.MATCH_LOST)
    close_round(round=first, by=chief)
    final = draw_round(stage=stage_of(event), by=chief, seed=1)
    assert final.seats.filter(team=match.away).exists()
    with pytest.raises(MatchesHang):
        cancel_penalty(penalty=penalty, by=chief, reason="误判")
    penalty.refresh_from_db()
    assert not penalty.is_cancelled


def test_the_event_file_computes_and_checks_the_same(event, chief, round_):
    give(event, chief, 1, A.OPPONENT_LEVELS, amount=3)
    give(event, chief, 2, A.POINTS, amount=-5)
    give(event, chief, 3, A.WARNING)
    document = document_of(event)
    rows = {row.number: row.points for row in file_standings(document, document.stages[0]).rows}
    assert rows == {row.team.number: row.points for row in stage_standings(stage_of(event)).rows}
    assert (rows[1], rows[2]) == (11, 10)
    assert [each.rule for each in check_event(document) if each.rule == "penalty"] == []


def test_the_check_finds_penalties_that_miss_what_they_speak_of(event, chief, round_):
    give(event, chief, 1, A.POINTS, amount=-5)
    give(event, chief, 3, A.DISQUALIFIED)
    give(event, chief, 5, A.MATCH_LOST)
    Adjustment.objects.all().delete()
    event.teams.update(withdrawn_after=None)
    Penalty.objects.filter(team__number=5).update(round_number=3)
    found = [each.breach.value for each in check_event(document_of(event)) if each.rule == "penalty"]
    assert found == ["penalty_without_points", "disqualified_in_play", "penalty_without_match"]


class TestAppeals:
    def receive(self, event, by, **more):
        facts = {"round_number": 1, "text": "没有少牌"} | more
        return receive_appeal(stage=stage_of(event), team=event.teams.get(number=1), by=by, **facts)

    def test_the_time_runs_from_the_result_or_from_the_penalty(self, event, chief, assistant, round_):
        entered = Result.objects.get().entered_at
        appeal = self.receive(event, assistant)
        assert appeal.deadline == entered + timedelta(minutes=30)
        assert not appeal.is_late
        penalty = give(event, chief)
        assert self.receive(event, assistant, penalty=penalty).deadline == penalty.at + timedelta(minutes=30)

    def test_the_minutes_are_those_of_the_rules(self, event, assistant, round_):
        stage = stage_of(event)
        stage.rules = {"discipline": {"appeal_minutes": 10}}
        stage.save()
        entered = Result.objects.get().entered_at
        assert self.receive(event, assistant).deadline == entered + timedelta(minutes=10)

    def test_a_late_one_is_marked_not_refused(self, event, assistant, round_):
        late = self.receive(event, assistant, now=timezone.now() + timedelta(minutes=31))
        assert late.is_late
        assert LogEntry.objects.get().new == {"round": 1, "text": "没有少牌", "late": True}

    def test_without_a_result_nothing_has_begun_the_time(self, event, assistant, round_):
        appeal = receive_appeal(
            stage=stage_of(event), team=event.teams.get(number=3), round_number=1, text="座位", by=assistant
        )
        assert (appeal.deadline, appeal.is_late) == (None, False)

    def test_is_decided_once_with_what_was_done(self, event, chief, assistant, round_):
        penalty = give(event, chief)
        appeal = self.receive(event, assistant, penalty=penalty)
        assert open_appeals(event) == [appeal]
        cancel_penalty(penalty=penalty, by=chief, reason="申诉成立")
        act = acts_since(appeal)[0]
        decided = decide_appeal(
            appeal=appeal, outcome=AppealOutcome.UPHELD, answer="牌数无误", by=chief, act=act
        )
        assert (decided.act, act.act, open_appeals(event)) == (act, "penalty_cancelled", [])
        with pytest.raises(AppealDecided):
            decide_appeal(appeal=appeal, outcome=AppealOutcome.REJECTED, answer="否", by=chief)

    def test_needs_words(self, event, chief, round_):
        with pytest.raises(ReasonMissing):
            self.receive(event, chief, text=" ")
        appeal = self.receive(event, chief)
        with pytest.raises(ReasonMissing):
            decide_appeal(appeal=appeal, outcome=AppealOutcome.UPHELD, answer="", by=chief)
