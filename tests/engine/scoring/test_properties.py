"""What holds for every game and every field, whatever the settings."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring.engine.deals import play_deal, play_game, replay, start_game
from scoring.engine.levels import PASSED
from scoring.engine.points import match_points
from scoring.engine.results import InvalidResult, MatchResult, complete_result
from scoring.engine.rules import (
    DEFAULT_RANKING,
    EqualLevels,
    MatchRules,
    PassRule,
    RankingKey,
    ScoringRules,
    StrikeCount,
    StrikePenalty,
    StrikeRules,
    StrikeWhen,
    UnfinishedDeal,
)
from scoring.engine.standings import Entrant, PlayedMatch, proof, standings

ORDERS = st.lists(
    st.sampled_from(["HhAa", "HAha", "HAah", "aAHh", "AHah", "AHha", "hAaH", "ahHA"]), max_size=60
)
STRIKES = st.builds(
    StrikeRules,
    limit=st.integers(1, 3),
    count=st.sampled_from(StrikeCount),
    when=st.sampled_from(StrikeWhen),
    then=st.sampled_from(StrikePenalty),
)
RULES = st.builds(
    MatchRules,
    start_level=st.integers(2, 8),
    target_level=st.integers(12, 14),
    steps=st.sampled_from([(3, 2, 1), (6, 4, 2), (4, 3, 2)]),
    must_play_target=st.booleans(),
    pass_rule=st.sampled_from(PassRule),
    strikes=st.none() | STRIKES,
    equal_levels=st.sampled_from(EqualLevels),
    unfinished_deal=st.sampled_from(UnfinishedDeal),
    bonuses=st.sets(st.sampled_from(["three_doubles_to_target", "first_streak", "last_streak"])).map(tuple),
)
SIDE = st.sampled_from(["home", "away"])
quick = settings(derandomize=True, max_examples=150, deadline=None)


def until_the_end(orders, rules):
    """The longest start of `orders` that the game lets be played."""
    for count in range(len(orders) + 1):
        if replay(orders[:count], rules).winner is not None:
            return orders[:count]
    return orders


@quick
@given(ORDERS, RULES)
def test_levels_stay_from_2_to_passed(orders, rules):
    orders = until_the_end(orders, rules)
    for count in range(len(orders) + 1):
        state = replay(orders[:count], rules)
        lowest, highest = sorted((state.home.level, state.away.level))
        assert rules.lowest_level <= lowest <= highest <= rules.passed_level <= PASSED
        assert lowest < rules.passed_level
        assert (highest == rules.passed_level) == (state.reason == "passed")
        assert (state.winner is None) == (state.reason is None)


@quick
@given(ORDERS, RULES)
def test_replaying_a_start_is_stopping_early(orders, rules):
    orders = until_the_end(orders, rules)
    state = start_game(rules)
    for count, order in enumerate(orders):
        assert replay(orders[:count], rules) == state
        state = play_deal(state, order, rules)
    assert replay(orders, rules) == state


@quick
@given(ORDERS.filter(bool), RULES, SIDE, SIDE)
def test_a_game_written_as_deals_is_completed_once_and_for_all(orders, rules, head, extra):
    assume(rules.equal_levels is not EqualLevels.FIRST_TO_REACH)
    orders = until_the_end(orders, rules)
    facts = {"head_taken": head, "extra_winner": extra}
    entered = MatchResult.from_dict({"outcome": "played", "deals": orders, **facts})
    done = complete_result(entered, rules)
    assert complete_result(done, rules) == done
    assert MatchResult.from_dict(done.as_dict()) == done
    game = play_game(orders, rules, entered.facts)
    assert (done.home_level, done.away_level, done.winner) == (game.home_level, game.away_level, game.winner)


@quick
@given(
    RULES,
    st.integers(2, 15),
    st.integers(2, 15),
    SIDE,
    SIDE,
    SIDE,
    SIDE,
    st.sampled_from(["", "strikes", "penalty"]),
)
def test_every_played_match_sums_to_26(rules, home, away, head, extra, first, declarer, ruling):
    entered = {"outcome": "played", "home_level": home, "away_level": away, "head_taken": head}
    entered |= {"extra_winner": extra, "reached_first": first, "declarer": declarer}
    if ruling:
        entered |= {"winner": extra, "reason": ruling}
    try:
        done = complete_result(MatchResult.from_dict(entered), rules)
    except InvalidResult:
        assume(False)
    points = match_points(done, ScoringRules())
    assert sum(points) == 26
    assert min(points) >= 0
    assert complete_result(done, rules) == done
    if done.winner == "home":
        assert points[0] >= points[1]


# Standings

OUTCOMES = ["forfeit_home", "forfeit_away", "double_forfeit", "irregular", None]


@st.composite
def fields(draw):
    """A small field with few levels, so that many teams are equal."""
    teams = draw(st.integers(2, 9))
    entrants = [Entrant(f"t{number}", number) for number in range(1, teams + 1)]
    matches = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        line = draw(st.permutations(entrants))
        for home, away in zip(line[::2], line[1::2], strict=False):
            what = draw(st.sampled_from([(15, 9), (9, 15), (9, 9), (10, 9), *OUTCOMES]))
            matches.append(PlayedMatch(number, home.id, away.id, result(what)))
        if teams % 2:
            matches.append(PlayedMatch(number, line[-1].id, None, result("bye")))
    return entrants, matches


def result(what):
    if what is None:
        return None
    levels = {} if isinstance(what, str) else {"home_level": what[0], "away_level": what[1]}
    outcome = what if isinstance(what, str) else "played"
    return complete_result(MatchResult.from_dict({"outcome": outcome, **levels}), MatchRules())


RANKING = st.lists(st.sampled_from(RankingKey), min_size=1, unique=True)


@quick
@given(fields(), RANKING, st.randoms(use_true_random=False))
def test_standings_do_not_depend_on_the_order_of_the_input(field, ranking, random):
    entrants, matches = field
    rows = standings(entrants, matches, scoring=ScoringRules(), ranking=ranking)
    shuffled = [random.sample(entrants, len(entrants)), random.sample(matches, len(matches))]
    assert standings(*shuffled, scoring=ScoringRules(), ranking=ranking) == rows


def is_better(key, one, other):
    return one < other if key == "lots" else one > other


@quick
@given(fields(), RANKING, st.booleans())
def test_ranks_agree_with_the_keys(field, ranking, drawn):
    entrants, matches = field
    lots = {entrant.id: 10 - entrant.number for entrant in entrants} if drawn else None
    rows = standings(entrants, matches, scoring=ScoringRules(), ranking=ranking, lots=lots)
    assert sorted(row.team for row in rows) == sorted(entrant.id for entrant in entrants)
    assert (rows[0].rank, rows[0].decided_by) == (1, None)
    for place, (above, below) in enumerate(pairwise(rows), 2):
        steps = proof(rows, above.team, below.team)
        if below.decided_by is None:
            assert (below.rank, above.number < below.number) == (above.rank, True)
            assert all(step.better == step.worse for step in steps)
        else:
            assert below.rank == place
            assert steps[-1].key == below.decided_by
            assert all(step.better == step.worse for step in steps[:-1])
            assert is_better(steps[-1].key, steps[-1].better, steps[-1].worse)


@quick
@given(fields())
def test_points_are_the_sum_of_all_match_points(field):
    entrants, matches = field
    rows = standings(entrants, matches, scoring=ScoringRules(), ranking=DEFAULT_RANKING)
    given_out = sum(sum(match_points(m.result, ScoringRules())) for m in matches if m.result is not None)
    assert sum(row.points for row in rows) == given_out


@pytest.mark.parametrize("seed", range(3))
def test_a_large_field_is_ranked_whole(seed):
    random = Random(seed)
    entrants = [Entrant(number, number) for number in range(1, 201)]
    matches = []
    for number in range(1, 8):
        line = random.sample(range(1, 201), 200)
        for home, away in zip(line[::2], line[1::2], strict=True):
            matches.append(PlayedMatch(number, home, away, result(random.choice([(15, 9), (9, 9), (10, 9)]))))
    rows = standings(entrants, matches, scoring=ScoringRules(), ranking=DEFAULT_RANKING)
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    assert sum(row.points for row in rows) == 26 * 100 * 7
