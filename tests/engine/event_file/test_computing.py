"""Standings and draws from a document: what counts, who is drawn, what is refused."""

import copy

import pytest

from guandan_site.event_file.computing import (
    NoSuchRound,
    UnknownStage,
    complete_results,
    completed,
    find_stage,
    stage_standings,
)
from guandan_site.event_file.document import RoundStatus
from guandan_site.event_file.drawing import (
    NotDrawnRoundByRound,
    RoundNotCompleted,
    drafted_round,
    draw_inputs,
    draw_next_round,
    drawn_again,
    with_round,
)
from guandan_site.event_file.parsing import parse_event
from guandan_site.event_file.problems import InvalidEventFile
from pairing.engine.types import NoLegalDraw
from tests.engine.event_file.files import bye, event_of, open_match, played, round_of, two_rounds


def points(value: dict, after_round: int | None = None) -> dict[str, int]:
    document = completed(parse_event(value))
    return {row.team: row.points for row in stage_standings(document, document.stages[0], after_round).rows}


def next_draw(value: dict, seed: int = 1):
    document = completed(parse_event(value))
    return draw_next_round(document, document.stages[0], seed)


def seats(draw) -> set[frozenset[str]]:
    return {frozenset((match.home, match.away)) for match in draw.matches}


def one_round(status: str = "completed") -> dict:
    return event_of(4, [round_of(1, [played(1, "P1", "P2", 15, 9), played(2, "P3", "P4", 8, 8)], status)])


def test_results_of_a_running_round_count_as_soon_as_they_are_entered():
    assert points(two_rounds()) == {"P1": 26, "P2": 14, "P3": 16, "P4": 23, "P5": 29}


def test_standings_after_an_earlier_round_leave_out_what_came_later():
    assert points(two_rounds(), 1) == {"P1": 26, "P2": -2, "P3": 16, "P4": 10, "P5": 16}


def test_a_draft_counts_for_nothing():
    assert set(points(one_round("draft")).values()) == {0}


def test_standings_say_which_round_is_not_complete():
    document = completed(parse_event(two_rounds()))
    found = stage_standings(document, document.stages[0])
    assert (found.after_round, found.incomplete) == (2, (2,))


@pytest.mark.parametrize("number", [-1, 3])
def test_there_are_no_standings_of_a_round_that_is_not(number):
    with pytest.raises(NoSuchRound):
        points(two_rounds(), number)


def test_the_present_stage_is_the_last_one_that_has_begun():
    value = one_round()
    value["stages"] += [{"id": "s2", "format": "swiss"}, {"id": "s3", "format": "knockout"}]
    document = parse_event(value)
    assert find_stage(document, None).id == "s1"
    assert find_stage(document, "s3").id == "s3"
    with pytest.raises(UnknownStage):
        find_stage(document, "s4")


def test_an_event_without_stages_has_none():
    with pytest.raises(UnknownStage):
        find_stage(parse_event(event_of(2, []) | {"stages": []}), None)


def test_results_that_contradict_the_rules_are_named_and_count_for_nothing():
    value = one_round()
    value["stages"][0]["rounds"][0]["matches"][0]["result"]["winner"] = "away"
    document, problems = complete_results(parse_event(value))
    assert [problem.path for problem in problems] == ["$.stages[0].rounds[0].matches[0].result.winner"]
    assert document.stages[0].rounds[0].matches[0].result is None
    with pytest.raises(InvalidEventFile):
        completed(parse_event(value))


def test_a_knockout_match_is_no_tie():
    value = one_round()
    value["stages"][0]["format"] = "knockout"
    _document, problems = complete_results(parse_event(value))
    assert [problem.values["code"] for problem in problems] == ["tie_not_allowed"]


def test_levels_follow_from_deals_and_completing_twice_changes_nothing():
    value = one_round()
    value["stages"][0]["rounds"][0]["matches"][0]["result"] = {"outcome": "played", "deals": ["HHAA", "AAHH"]}
    document = completed(parse_event(value))
    result = document.stages[0].rounds[0].matches[0].result.result
    assert (result.home_level, result.away_level, result.winner) == (5, 5, "tie")
    assert completed(document) == document


# The next draw


def test_home_is_the_better_ranked_team_and_tables_come_in_order():
    drawn = next_draw(one_round())
    assert [(each.table, each.home, each.away) for each in drawn.matches] == [
        (1, "P1", "P3"),
        (2, "P4", "P2"),
    ]


def test_a_draft_in_the_file_is_drawn_again():
    value = one_round()
    value["stages"][0]["rounds"].append(round_of(2, [open_match(1, "P1", "P2")], "draft"))
    assert next_draw(value).round_number == 2
    assert seats(next_draw(value)) == seats(next_draw(one_round()))


def test_the_next_round_waits_for_the_earlier_ones():
    with pytest.raises(RoundNotCompleted) as refused:
        next_draw(one_round("published"))
    assert refused.value.number == 1
    value = one_round("draft")
    value["stages"][0]["rounds"].append(round_of(2, [], "draft"))
    with pytest.raises(RoundNotCompleted):
        next_draw(value)


def test_only_a_swiss_stage_is_drawn():
    with pytest.raises(NotDrawnRoundByRound):
        next_draw(event_of(4, [], format="knockout"))


def test_forfeits_and_irregular_matches_are_meetings_byes_are_not():
    value = event_of(5, [])
    matches = [
        {"table": 1, "home": "P1", "away": "P2", "result": {"outcome": "forfeit_away"}},
        {"table": 2, "home": "P3", "away": "P4", "result": {"outcome": "irregular"}},
        bye("P5"),
    ]
    value["stages"][0]["rounds"] = [round_of(1, matches)]
    document = completed(parse_event(value))
    inputs = draw_inputs(document, document.stages[0], 2)
    assert [(each.home, each.away) for each in inputs.meetings] == [("P1", "P2"), ("P3", "P4")]
    assert {each.id: each.byes for each in inputs.entrants} == {"P1": 0, "P2": 0, "P3": 0, "P4": 0, "P5": 1}


@pytest.mark.parametrize(("withdrawn_after", "is_drawn"), [(0, False), (1, False), (2, True)])
def test_a_team_takes_part_up_to_its_last_round(withdrawn_after, is_drawn):
    value = one_round()
    value["teams"][0]["withdrawn_after"] = withdrawn_after
    document = completed(parse_event(value))
    entrants = {each.id for each in draw_inputs(document, document.stages[0], 2).entrants}
    assert ("P1" in entrants) == is_drawn


def test_fixed_tables_seeds_and_departments_reach_the_engine():
    value = event_of(4, [], departments=2, rules={"pairing": {"first_round": "seeded"}})
    value["teams"][0] |= {"fixed_table": 2, "seed": 4}
    value["teams"][3] |= {"seed": 1}
    document = parse_event(value)
    entrant = draw_inputs(document, document.stages[0], 1).entrants[0]
    assert (entrant.fixed_table, entrant.seed, entrant.department) == (2, 4, "d1")
    tables = {each.table: {each.home, each.away} for each in next_draw(value).matches}
    assert "P1" in tables[2]


def test_seven_teams_have_five_byes_and_no_rematch():
    value = event_of(7, [], rounds_planned=5)
    byes, met = [], set()
    for number in range(1, 6):
        drawn = next_draw(value)
        assert len(drawn.matches) == 3
        assert len({team for each in drawn.matches for team in (each.home, each.away)} | {drawn.bye}) == 7
        assert not met & seats(drawn)
        met |= seats(drawn)
        byes.append(drawn.bye)
        matches = [lower_number_wins(each.table, each.home, each.away) for each in drawn.matches]
        value["stages"][0]["rounds"].append(round_of(number, [*matches, bye(drawn.bye)]))
    assert len(set(byes)) == 5


def lower_number_wins(table: int, home: str, away: str) -> dict:
    return played(table, home, away, *((10, 7) if home < away else (7, 10)))


def test_the_same_seed_draws_the_same_first_round():
    value = event_of(20, [])
    assert next_draw(value, 5) == next_draw(value, 5)
    assert seats(next_draw(value, 5)) != seats(next_draw(value, 6))


def test_order_in_the_file_does_not_matter():
    value = one_round()
    mixed = copy.deepcopy(value)
    mixed["teams"].reverse()
    mixed["stages"][0]["rounds"][0]["matches"].reverse()
    assert next_draw(mixed) == next_draw(value)


def test_a_draw_kept_in_the_file_can_be_made_again():
    document = completed(parse_event(event_of(9, [])))
    stage = document.stages[0]
    drawn = draw_next_round(document, stage, 42)
    kept = with_round(stage, drafted_round(drawn))
    assert kept.rounds[0].status is RoundStatus.DRAFT
    assert drawn_again(draw_inputs(document, stage, 1), kept.rounds[0].draw) == drawn
    assert with_round(kept, kept.rounds[0]) == kept


def test_who_makes_a_draw_impossible_is_named():
    value = event_of(4, [], departments=1)
    with pytest.raises(NoLegalDraw) as refused:
        next_draw(value)
    assert refused.value.reason == "department_majority"
