"""The standings of a stage as the database knows it."""

from __future__ import annotations

import pytest

from scoring.engine.rules import RankingKey
from scoring.models import Adjustment
from scoring.selectors import (
    stage_rules,
    stage_standings,
)
from tests.builders import make_event, make_result, make_round
from tournaments.models import RoundStatus, Stage
from tournaments.selectors.stages import current_stage

A13_RULES = {"ranking": ["points", "opponents_points"]}


def numbers(standings):
    return [row.team.number for row in standings.rows]


def full_rounds(event, rounds: int) -> None:
    """Every round complete; home wins by levels that differ from table to table."""
    teams = event.teams.count()
    for number in range(1, rounds + 1):
        seating = [(i, i + 1) for i in range(1, teams, 2)]
        round_ = make_round(event, seating, number=number, status=RoundStatus.COMPLETED)
        for table in range(1, len(seating) + 1):
            make_result(round_, table, 15, 2 + (table + number) % 12)


@pytest.mark.django_db
class TestStageStandings:
    def test_opponents_of_matches_not_yet_played_do_not_count(self):
        """A13: only finished matches feed the opponents' points, and the page's data says what is open."""
        event = make_event(teams=4, rules=A13_RULES)
        first = make_round(event, [(1, 2), (3, 4)], status=RoundStatus.COMPLETED)
        make_result(first, 1, 10, 7)
        make_result(first, 2, 15, 2)
        second = make_round(event, [(1, 3), (2, 4)], number=2)
        make_result(second, 2, 10, 7)

        standings = stage_standings(event.stages.get())

        assert numbers(standings) == [2, 3, 1, 4]
        assert [row.points for row in standings.rows] == [26, 26, 16, 10]
        opponents = [row.keys[RankingKey.OPPONENTS_POINTS] for row in standings.rows]
        assert opponents == [26, 10, 26, 52]
        assert standings.incomplete_rounds == (2,)
        assert standings.after_round == 2

    def test_teams_equal_on_every_key_share_a_rank(self):
        """A14."""
        event = make_event(teams=4, rules={"ranking": ["points", "head_to_head", "wins", "best_rounds"]})
        round_ = make_round(event, [(1, 2), (3, 4)], status=RoundStatus.COMPLETED)
        make_result(round_, 1, 10, 7)
        make_result(round_, 2, 10, 7)

        rows = stage_standings(event.stages.get()).rows

        assert [(row.rank, row.team.number, row.is_shared) for row in rows] == [
            (1, 1, True),
            (1, 3, True),
            (3, 2, True),
            (3, 4, True),
        ]
        assert [row.decided_by for row in rows] == [None, None, RankingKey.POINTS, None]

    def test_a_draft_counts_for_nothing(self, event):
        round_ = make_round(event, [(1, 2)], status=RoundStatus.DRAFT)
        make_result(round_, 1, 15, 2)
        standings = stage_standings(event.stages.get())
        assert {row.points for row in standings.rows} == {0}
        assert (standings.after_round, standings.rounds) == (0, ())

    def test_after_a_round_later_ones_do_not_count(self, event):
        full_rounds(event, 3)
        stage = event.stages.get()
        earlier = stage_standings(stage, after_round=1)
        assert earlier.rounds == (1,)
        assert sum(row.points for row in earlier.rows) == 4 * 26
        assert stage_standings(stage).rounds == (1, 2, 3)

    def test_an_adjustment_counts_from_its_round_on(self, event):
        full_rounds(event, 2)
        stage, team = event.stages.get(), event.teams.get(number=2)
        before = {row.team.number: row.points for row in stage_standings(stage).rows}
        Adjustment.objects.create(stage=stage, team=team, round_number=2, points=-3, reason="迟到")
        after = {row.team.number: row.points for row in stage_standings(stage).rows}
        assert after == before | {2: before[2] - 3}
        first = {row.team.number: row.points for row in stage_standings(stage, after_round=1).rows}
        assert first[2] == 26 - first[1]

    def test_a_team_that_came_late_has_the_points_of_missed_rounds(self):
        event = make_event(teams=3, rules={"scoring": {"missed": 5}})
        make_result(make_round(event, [(1, 2)], status=RoundStatus.COMPLETED), 1, 10, 7)
        make_result(make_round(event, [(1, 3), (2, None)], number=2), 1, 10, 7)
        points = {row.team.number: row.points for row in stage_standings(event.stages.get()).rows}
        assert points == {1: 32, 2: 26, 3: 15}

    def test_only_the_teams_of_the_stage_are_ranked(self, event):
        stage = event.stages.get()
        stage.teams.set(event.teams.filter(number__lte=4))
        assert numbers(stage_standings(stage)) == [1, 2, 3, 4]

    def test_phone_numbers_are_not_read(self, event):
        row = stage_standings(event.stages.get()).rows[0]
        assert "phone" in row.team.players.all()[0].get_deferred_fields()

    @pytest.mark.parametrize("teams", [8, 200])
    def test_five_queries_whatever_the_size(self, teams, django_assert_num_queries):
        event = make_event(teams=teams)
        full_rounds(event, 3)
        stage = event.stages.get()
        with django_assert_num_queries(5):
            for row in stage_standings(stage).rows:
                assert row.team.player_names
                assert row.team.department

    def test_proof_stops_at_the_key_that_decided(self):
        event = make_event(teams=4)
        round_ = make_round(event, [(1, 2), (3, 4)])
        make_result(round_, 1, 10, 7)
        make_result(round_, 2, 9, 7)
        standings = stage_standings(event.stages.get())
        first, second = standings.rows[:2]
        steps = standings.compare(first.team, second.team)
        assert [(step.key, step.better, step.worse) for step in steps] == [(RankingKey.POINTS, 16, 15)]


@pytest.mark.django_db
class TestCurrentStage:
    def test_the_first_one_until_a_round_exists(self, event):
        Stage.objects.create(event=event, key="s2", order=2, name="决赛")
        assert current_stage(event).order == 1

    def test_the_last_one_that_has_rounds(self, event):
        make_round(event, [(1, 2)])
        second = Stage.objects.create(event=event, key="s2", order=2, name="决赛")
        second.rounds.create(number=1)
        assert current_stage(event).order == 2
        assert current_stage(event, drafts=False).order == 1

    def test_none_without_stages(self, event):
        event.stages.all().delete()
        assert current_stage(event) is None


@pytest.mark.django_db
def test_rules_of_a_knockout_allow_no_tie(event):
    stage = event.stages.get()
    assert stage_rules(stage).tie_allowed
    stage.format = "knockout"
    assert not stage_rules(stage).tie_allowed
