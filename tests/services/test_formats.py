"""Round robin and knockout through their services, alone and chained, to the final ranking."""

from __future__ import annotations

from itertools import combinations

import pytest

from pairing.engine.formats import FormatFault, InvalidFormat
from pairing.models import Publication
from pairing.selectors.ranking import event_ranking, stage_places
from pairing.selectors.stages import is_over
from pairing.services import (
    begin_stage,
    close_round,
    discard_draft,
    draw_lots,
    publish_round,
    publish_schedule,
    redraw_round,
    replace_entry,
    settle_order,
    swap_teams,
)
from pairing.services.refusals import (
    DraftOutdated,
    EarlierStageOpen,
    LinesOpen,
    NoRoundsLeft,
    NothingTied,
    NotReplaceable,
    NotTied,
    SelfScheduled,
    StageHasRounds,
    StageNotBegun,
    TablesFollowFormat,
    TeamHasPlayed,
)
from scoring.engine.outcomes import InvalidResult
from scoring.engine.results import MatchResult, Outcome, Side
from scoring.models import Result
from scoring.selectors import match_rules, round_minutes, stage_standings
from scoring.services import record_result
from tests.services.stages import (
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    begun,
    drawn,
    enter,
    format_event,
    open_matches,
    play_round,
    play_stage,
    published,
    seating,
    stage_of,
)
from tournaments.models import Match
from tournaments.services import withdraw_team

pytestmark = pytest.mark.django_db
R01 = (
    (ROUND_ROBIN, {"format": {"groups": 4}}),
    (
        KNOCKOUT,
        {"format": {"played_out": "to_eight"}, "entry": {"from": "s1", "take": "top", "count": 2}},
    ),
)


@pytest.fixture
def chief():
    return None


def numbers(places) -> list[tuple[int, int, int]]:
    return [(place.first, place.last, place.team.number) for place in places]


class TestRoundRobin:
    def test_a11_five_teams_meet_once_and_are_free_once(self, chief):
        stage = begun(format_event((ROUND_ROBIN, {}), teams=5), chief)
        play_stage(stage, chief)
        rounds = stage.rounds.all()
        rows = [row for round_ in rounds for row in seating(round_)]
        met = sorted(tuple(sorted(row[1:])) for row in rows if row[2] is not None)
        assert [len(seating(round_)) for round_ in rounds] == [3, 3, 3, 3, 3]
        assert met == sorted(combinations(range(1, 6), 2))
        assert sorted(row[1] for row in rows if row[2] is None) == [1, 2, 3, 4, 5]
        assert not Match.objects.filter(round__stage=stage, result=None).exists()
        assert is_over(stage_of(stage.event))

    def test_groups_have_their_own_rankings_and_tables_run_through(self, chief):
        stage = begun(format_event((ROUND_ROBIN, {"format": {"groups": 2}}), teams=8), chief)
        assert seating(published(stage, chief))[-1][0] == 4
        standings = stage_standings(stage)
        assert [group.name for group in standings.groups] == ["A", "B"]
        assert [len(standings.of_group(group)) for group in standings.groups] == [4, 4]

    def test_a_free_round_is_worth_nothing(self, chief):
        stage = begun(format_event((ROUND_ROBIN, {}), teams=3), chief)
        play_round(stage, chief)
        free = stage.rounds.get().matches.get(away=None).home
        assert {row.team: row.points for row in stage_standings(stage).rows}[free] == 0

    def test_the_seed_gives_the_same_groups_again(self, chief):
        event = format_event((ROUND_ROBIN, {"format": {"groups": 3}}), teams=12)
        first = begun(event, chief).layout
        begin_stage(stage=stage_of(event), by=chief, seed=8)
        assert stage_of(event).layout != first
        assert begun(event, chief).layout == first

    def test_given_groups(self, chief):
        event = format_event((ROUND_ROBIN, {"format": {"groups": 2, "grouping": "given"}}), teams=4)
        begin_stage(stage=stage_of(event), by=chief, given={1: 2, 2: 1, 3: 1, 4: 2})
        assert stage_of(event).layout["groups"] == [["t2", "t3"], ["t1", "t4"]]

    def test_nothing_is_drawn_before_the_groups(self, chief):
        with pytest.raises(StageNotBegun):
            drawn(stage_of(format_event((ROUND_ROBIN, {}))), chief)

    def test_groups_stand_once_a_round_is_drawn(self, chief):
        stage = begun(format_event((ROUND_ROBIN, {})), chief)
        drawn(stage, chief)
        with pytest.raises(StageHasRounds):
            begin_stage(stage=stage, by=chief)

    def test_the_schedule_says_who_meets_whom(self, chief):
        event = format_event((ROUND_ROBIN, {}), teams=6)
        round_ = drawn(begun(event, chief), chief)
        before = seating(round_)
        one, two = event.teams.filter(number__in=[before[0][1], before[1][1]])
        with pytest.raises(TablesFollowFormat):
            swap_teams(round=round_, first=one, second=two, by=chief, expected_version=1)
        redraw_round(round=round_, by=chief, expected_version=1)
        assert seating(round_) == before

    def test_all_rounds_and_no_more(self, chief):
        stage = begun(format_event((ROUND_ROBIN, {}), teams=4), chief)
        play_stage(stage, chief)
        with pytest.raises(NoRoundsLeft):
            drawn(stage, chief)


class TestWithdrawal:
    def _left_after_one_round(self, rule, chief):
        event = format_event((ROUND_ROBIN, {"withdrawal": rule}), teams=4)
        stage = begun(event, chief)
        play_round(stage, chief)
        team = event.teams.get(number=1)
        withdraw_team(team=team, from_round=2, by=chief)
        play_stage(stage, chief)
        return stage

    def test_keep_what_is_left_counts_as_forfeited(self, chief):
        stage = self._left_after_one_round("keep", chief)
        later = Result.objects.filter(match__round__number__gt=1, match__table=None)
        assert {result.outcome for result in later} <= {"forfeit_home", "forfeit_away"}
        assert later.count() == 2
        assert 1 in [row.team.number for row in stage_standings(stage).rows]

    def test_annul_takes_the_points_of_all_its_matches(self, chief):
        stage = self._left_after_one_round("annul", chief)
        rows = stage_standings(stage).rows
        assert 1 not in [row.team.number for row in rows]
        assert all(row.played + row.byes == 2 and row.wins + row.losses == 2 for row in rows)

    def test_no_place_keeps_the_points_of_the_others(self, chief):
        stage = self._left_after_one_round("no_place", chief)
        rows = stage_standings(stage).rows
        assert 1 not in [row.team.number for row in rows]
        assert [row.wins + row.losses for row in rows] == [3, 3, 3]

    def test_a_draft_with_a_team_that_left_is_drawn_again(self, chief):
        event = format_event((KNOCKOUT, {}), teams=4)
        round_ = drawn(begun(event, chief), chief)
        withdraw_team(team=event.teams.get(number=2), from_round=1, by=chief)
        with pytest.raises(DraftOutdated):
            publish_round(round=round_, by=chief, expected_version=1)
        redraw_round(round=round_, by=chief, expected_version=1)
        publish_round(round=round_, by=chief, expected_version=2)
        assert [match.away.number for match in open_matches(round_)] == [4]


class TestSelfScheduled:
    RULES = {"format": {"schedule": "self", "deadline": "2026-12-20"}}

    def test_all_rounds_at_once_and_closed_at_once(self, chief):
        stage = begun(format_event((ROUND_ROBIN, self.RULES), teams=5), chief)
        with pytest.raises(SelfScheduled):
            drawn(stage, chief)
        rounds = publish_schedule(stage=stage, by=chief)
        tables = [row[0] for round_ in rounds for row in seating(round_) if row[0]]
        assert tables == list(range(1, 11))
        assert Publication.objects.filter(round__stage=stage).count() == 5
        for round_ in rounds:
            for match in open_matches(round_):
                enter(match, chief, home_wins=True)
        close_round(round=stage.rounds.first(), by=chief)
        assert is_over(stage_of(stage.event))


class TestKnockout:
    @pytest.mark.parametrize(("teams", "matches"), [(5, 4), (6, 5), (7, 6), (3, 2)])
    def test_a12_any_number_of_entries(self, teams, matches, chief):
        stage = begun(format_event((KNOCKOUT, {}), teams=teams), chief)
        play_stage(stage, chief)
        first = seating(stage.rounds.get(number=1))
        entered = sorted(team for row in first for team in row[1:] if team is not None)
        assert entered == list(range(1, teams + 1))
        assert Match.objects.filter(round__stage=stage, away__isnull=False).count() == matches
        assert stage_places(stage)[0].team.number == 1

    def test_a12_one_entry_is_refused(self, chief):
        with pytest.raises(InvalidFormat) as refused:
            begun(format_event((KNOCKOUT, {}), teams=1), chief)
        assert (refused.value.fault, refused.value.least) == (FormatFault.AT_LEAST, 2)

    def test_thirteen_teams_by_number_with_one_bye_a_round(self, chief):
        rules = {"format": {"byes": "each_round", "played_out": "third_place"}}
        stage = begun(format_event((KNOCKOUT, rules), teams=13), chief)
        play_stage(stage, chief)
        tables = [[row[0] for row in seating(round_)] for round_ in stage.rounds.all()]
        assert [len(row) for row in tables] == [7, 4, 2, 2]
        assert numbers(stage_places(stage))[:2] == [(1, 1, 1), (2, 2, 9)]

    def test_all_places_to_eight(self, chief):
        stage = begun(format_event((KNOCKOUT, {"format": {"played_out": "to_eight"}}), teams=8), chief)
        play_stage(stage, chief)
        assert [place[:2] for place in numbers(stage_places(stage))] == [(n, n) for n in range(1, 9)]

    def test_two_share_the_third_place(self, chief):
        stage = begun(format_event((KNOCKOUT, {}), teams=8), chief)
        play_stage(stage, chief)
        spans = [place[:2] for place in numbers(stage_places(stage))]
        assert spans == [(1, 1), (2, 2), (3, 4), (3, 4), (5, 8), (5, 8), (5, 8), (5, 8)]
        assert [row.rank for row in stage_standings(stage).rows] == [1, 2, 3, 3, 5, 5, 5, 5]

    def test_a_final_group_of_three(self, chief):
        stage = begun(format_event((KNOCKOUT, {"format": {"played_out": "final_group"}}), teams=6), chief)
        play_stage(stage, chief)
        assert numbers(stage_places(stage))[:3] == [(1, 1, 1), (2, 2, 3), (3, 3, 5)]

    def test_opponents_drawn_anew_each_round(self, chief):
        rules = {"format": {"bracket": "redrawn", "played_out": "third_place"}}
        stage = begun(format_event((KNOCKOUT, rules), teams=12), chief)
        assert stage.rounds_planned == 4
        play_round(stage, chief)
        round_ = drawn(stage, chief)
        first = seating(round_)
        redraw_round(round=round_, by=chief, expected_version=1, seed=12)
        again = seating(round_)
        redraw_round(round=round_, by=chief, expected_version=2, seed=11)
        assert seating(round_) == first != again
        discard_draft(round=round_, by=chief, expected_version=3)
        play_stage(stage, chief)
        assert numbers(stage_places(stage))[0] == (1, 1, 1)
        assert [place[:2] for place in numbers(stage_places(stage))][:4] == [(n, n) for n in range(1, 5)]

    def test_a_tie_is_refused(self, chief):
        stage = begun(format_event((KNOCKOUT, {}), teams=2), chief)
        match = open_matches(published(stage, chief))[0]
        with pytest.raises(InvalidResult):
            record_result(match=match, by=chief, entry=MatchResult(Outcome.PLAYED, 9, 9), expected_version=0)

    def test_rules_by_round(self, chief):
        rules = {
            "match": {"minutes": 60},
            "format": {
                "best_of": {"final": 3},
                "match_by_round": {"2": {"minutes": None}, "first": {"deals": 9}},
            },
        }
        stage = begun(format_event((KNOCKOUT, rules), teams=4), chief)
        first = play_round(stage, chief)
        assert (round_minutes(first), match_rules(first.matches.first()).match.deals) == (60, 9)
        final = published(stage, chief)
        match = open_matches(final)[0]
        assert (round_minutes(final), match_rules(match).match.best_of) == (None, 3)
        assert not hasattr(final, "clock")
        enter(match, chief, home_wins=True)
        assert len(Result.objects.get(match=match).facts["games"]) == 2

    def test_a_team_that_leaves_lets_the_other_go_on(self, chief):
        event = format_event((KNOCKOUT, {"format": {"played_out": "third_place"}}), teams=4)
        stage = begun(event, chief)
        play_round(stage, chief)
        withdraw_team(team=event.teams.get(number=3), from_round=2, by=chief)
        final = play_round(stage, chief)
        walkover = final.matches.get(table=None)
        assert (walkover.home.number, walkover.away.number) == (1, 3)
        assert numbers(stage_places(stage))[:2] == [(1, 1, 1), (2, 2, 3)]

    def test_both_forfeit_and_nobody_goes_on(self, chief):
        stage = begun(format_event((KNOCKOUT, {}), teams=4), chief)
        round_ = published(stage, chief)
        one, two = open_matches(round_)
        record_result(match=one, by=chief, entry=MatchResult(Outcome.DOUBLE_FORFEIT), expected_version=0)
        enter(two, chief, home_wins=True)
        close_round(round=round_, by=chief)
        play_stage(stage, chief)
        assert numbers(stage_places(stage))[0] == (1, 1, 3)


class TestChained:
    def test_r01_four_groups_of_six_top_two_all_places_to_eight(self, chief):
        event = format_event(*R01, teams=24, departments=8)
        groups = begun(event, chief)
        with pytest.raises(EarlierStageOpen):
            begun(event, chief, 2)
        play_stage(groups, chief)
        finals = begun(event, chief, 2)
        seeds = dict(finals.entries.values_list("team__key", "seed"))
        winners = {group[0] for group in groups.layout["groups"]}
        assert {key for key, seed in seeds.items() if seed <= 4} == winners
        group_of = {key: n for n, group in enumerate(groups.layout["groups"]) for key in group}
        for match in published(finals, chief).matches.select_related("home", "away"):
            assert group_of[match.home.key] != group_of[match.away.key]
            enter(match, chief, home_wins=match.home.number < match.away.number)
        close_round(round=finals.rounds.get(), by=chief)
        play_stage(finals, chief)
        ranking = numbers(event_ranking(event))
        assert [place[:2] for place in ranking[:8]] == [(n, n) for n in range(1, 9)]
        assert [place[:2] for place in ranking[8:]] == [
            (first, first + 3) for first in (9, 13, 17, 21) for _ in range(4)
        ]
        assert sorted(place[2] for place in ranking) == list(range(1, 25))
        assert ranking[0][2] == 1

    def test_seeds_are_frozen_at_the_cut(self, chief):
        event = format_event(*R01, teams=8)
        groups = begun(event, chief)
        play_stage(groups, chief)
        before = dict(begun(event, chief, 2).entries.values_list("team__key", "seed"))
        enter(groups.rounds.first().matches.get(table=1), chief, home_wins=False, reason="更正")
        assert dict(stage_of(event, 2).entries.values_list("team__key", "seed")) == before

    def test_swiss_to_knockout(self, chief):
        entry = {"entry": {"from": "s1", "count": 4}}
        event = format_event((SWISS, {}), (KNOCKOUT, entry), teams=8)
        swiss = stage_of(event)
        swiss.rounds_planned = 3
        swiss.save()
        play_stage(swiss, chief)
        finals = begun(event, chief, 2)
        play_stage(finals, chief)
        assert len(numbers(event_ranking(event))) == 8
        assert finals.entries.count() == 4

    def test_sections_to_a_final_of_three(self, chief):
        final = (ROUND_ROBIN, {"entry": {"from": ["s1", "s2", "s3"], "count": 1}})
        event = format_event(*[(KNOCKOUT, {})] * 3, final, teams=13)
        for order in (1, 2, 3):
            play_stage(begun(event, chief, order), chief)
        entered = [stage_of(event, order).entries.count() for order in (1, 2, 3)]
        assert entered == [5, 4, 4]
        play_stage(begun(event, chief, 4), chief)
        spans = [place[:2] for place in numbers(event_ranking(event))]
        assert spans[:6] == [(1, 1), (2, 2), (3, 3), (4, 6), (4, 6), (4, 6)]

    def test_one_heat_to_a_final_of_two_by_an_extra_game(self, chief):
        """R17: the two highest levels play the final; three are level at the line, then the final is."""
        final = {"entry": {"from": "s1", "count": 2}, "match": {"equal_levels": "extra_game"}}
        event = format_event((SWISS, {"ranking": ["levels_gained"]}), (KNOCKOUT, final), teams=6)
        heat = stage_of(event)
        heat.rounds_planned = 1
        heat.save()
        play_stage(heat, chief, lambda match: True)
        with pytest.raises(LinesOpen):
            begin_stage(stage=stage_of(event, 2), by=chief, seed=1)
        tied = [row.team for row in stage_standings(heat).rows if row.rank == 1]
        assert len(tied) == 3
        settle_order(stage=heat, order=tied[::-1], by=chief, reason="加赛一局")
        last = begun(event, chief, 2)
        assert list(last.entries.order_by("seed").values_list("team", "seed")) == [
            (tied[2].pk, 1),
            (tied[1].pk, 2),
        ]
        (match,) = open_matches(published(last, chief))
        level = MatchResult(Outcome.PLAYED, 9, 9)
        with pytest.raises(InvalidResult):
            record_result(match=match, by=chief, entry=level, expected_version=0)
        decided = MatchResult(Outcome.PLAYED, 9, 9, extra_winner=Side.AWAY)
        record_result(match=match, by=chief, entry=decided, expected_version=0)
        close_round(round=match.round, by=chief)
        first, second, third, *_ = numbers(event_ranking(event))
        assert first == (1, 1, match.away.number)
        assert second == (2, 2, match.home.number)
        assert third[0] == 3

    def test_one_knockout_after_another(self, chief):
        entry = {"entry": {"from": "s1", "count": 8}, "format": {"bracket": "draw"}}
        event = format_event((KNOCKOUT, {}), (KNOCKOUT, entry), teams=14)
        first = begun(event, chief)
        assert first.rounds_planned == 1
        play_stage(first, chief)
        second = begun(event, chief, 2)
        play_stage(second, chief)
        assert second.entries.count() == 8
        assert [place[:2] for place in numbers(event_ranking(event))][8:] == [(9, 14)] * 6

    def test_a_replacement_keeps_the_seed(self, chief):
        event = format_event(*R01, teams=12)
        play_stage(begun(event, chief), chief)
        finals = begun(event, chief, 2)
        first, second = finals.entries.get(seed=1).team, finals.entries.get(seed=2).team
        out = event.teams.exclude(pk__in=finals.entries.values("team_id")).first()
        with pytest.raises(NotReplaceable):
            replace_entry(stage=finals, team=first, by_team=second, by=chief, reason="伤病")
        replace_entry(stage=finals, team=first, by_team=out, by=chief, reason="伤病")
        assert stage_of(event, 2).entries.get(seed=1).team == out

    def test_a_replacement_comes_before_the_first_round(self, chief):
        event = format_event((KNOCKOUT, {"entry": {"from": "s2"}}), (SWISS, {}), teams=6)
        stage = stage_of(event)
        begin_stage(stage=stage, by=chief, seed=1, teams=list(event.teams.filter(number__lte=4)))
        one, five, six = (event.teams.get(number=number) for number in (1, 5, 6))
        replace_entry(stage=stage_of(event), team=one, by_team=five, by=chief, reason="伤病")
        stage = stage_of(event)
        assert "t5" in str(stage.layout)
        assert "'t1'" not in str(stage.layout["bracket"])
        assert stage.layout["replaced"] == [{"team": "t1", "by": "t5"}]
        stage.rules = {}
        stage.save()
        drawn(stage, chief)
        with pytest.raises(TeamHasPlayed):
            replace_entry(stage=stage, team=five, by_team=six, by=chief, reason="伤病")


class TestTiesAtTheLine:
    def _tied(self, chief):
        """Three teams beat each other in a ring, so that no key separates them."""
        ring = {frozenset((1, 2)): 1, frozenset((2, 3)): 2, frozenset((1, 3)): 3}
        rules = {"ranking": ["points"]}
        entry = {"entry": {"from": "s1", "count": 2}}
        event = format_event((ROUND_ROBIN, rules), (KNOCKOUT, entry), teams=3)
        play_stage(
            begun(event, chief),
            chief,
            lambda match: ring[frozenset((match.home.number, match.away.number))] == match.home.number,
        )
        return event

    def test_open_lines_are_refused_with_the_teams(self, chief):
        event = self._tied(chief)
        with pytest.raises(LinesOpen) as refused:
            begun(event, chief, 2)
        assert refused.value.lines[0].open_places == 2
        assert set(refused.value.lines[0].tied) == {"t1", "t2", "t3"}

    def test_lots_anybody_can_draw_again(self, chief):
        event = self._tied(chief)
        places = draw_lots(stage=stage_of(event), by=chief, seed=5)
        assert stage_of(event).lots == {"how": "lots", "seed": 5, "places": places}
        assert [row.rank for row in stage_standings(stage_of(event)).rows] == [1, 2, 3]
        with pytest.raises(NothingTied):
            draw_lots(stage=stage_of(event), by=chief)
        assert begun(event, chief, 2).entries.count() == 2

    def test_the_chief_settles_the_order(self, chief):
        event = self._tied(chief)
        three, one, two = (event.teams.get(number=number) for number in (3, 1, 2))
        with pytest.raises(NotTied):
            settle_order(stage=stage_of(event), order=[three, one], by=chief, reason="加赛")
        settle_order(stage=stage_of(event), order=[three, one, two], by=chief, reason="加赛")
        rows = stage_standings(stage_of(event)).rows
        assert [row.team.number for row in rows] == [3, 1, 2]
        assert set(begun(event, chief, 2).entries.values_list("team__number", flat=True)) == {1, 3}
