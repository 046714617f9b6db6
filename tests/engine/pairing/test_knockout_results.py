"""A knockout as it is played: who is ready, walkovers, corrections that void what follows, replacements."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairing.engine.bracket import (
    Places,
    Purpose,
    dependents,
    resolve,
    voided_by,
    with_replacement,
)
from pairing.engine.formats import FormatFault, InvalidFormat
from pairing.engine.knockout import (
    BracketOrder,
    Byes,
    PlayedOut,
    knockout_bracket,
)
from tests.engine.pairing.test_knockout import RULES, bracket, entrants, tables


def test_what_is_ready_and_who_is_out():
    made = bracket(6, order=BracketOrder.SEEDED, played_out=PlayedOut.THIRD_PLACE)
    state = resolve(made, {})
    assert [(entry.home, entry.away) for entry in state.ready] == [(4, 5), (3, 6)]
    assert (state.out, state.champion) == ((), None)
    state = resolve(made, {"1.4": 6})
    assert [(entry.home, entry.away) for entry in state.ready] == [(4, 5), (2, 6)]
    assert dict(state.places) == {3: Places(5, 6)}
    state = resolve(made, {"1.2": 5, "1.4": 6, "2.1": 1, "2.2": 6})
    assert [(entry.match.purpose, entry.home, entry.away) for entry in state.ready] == [
        (Purpose.MAIN, 1, 6),
        (Purpose.THIRD_PLACE, 5, 2),
    ]
    state = resolve(made, {"1.2": 5, "1.4": 6, "2.1": 1, "2.2": 6, "3.1": 6, "3.2": 2})
    assert state.champion == 6
    assert [(team, *places) for team, places in state.places.items()] == [
        (6, 1, 1),
        (1, 2, 2),
        (2, 3, 3),
        (5, 4, 4),
        (4, 5, 6),
        (3, 5, 6),
    ]


def test_where_both_forfeit_nobody_goes_on_and_the_next_opponent_walks_over():
    made = bracket(8, played_out=PlayedOut.THIRD_PLACE)
    winners = {"1.1": None, "1.2": 3, "1.3": 5, "1.4": 7}
    state = resolve(made, winners)
    walkover = next(entry for entry in state.entries if entry.match.key == "2.1")
    assert (walkover.winner, walkover.is_ready, walkover.is_over) == (3, False, True)
    assert state.places[1] == state.places[2] == Places(5, 8)
    state = resolve(made, {**winners, "2.2": 5})
    third = next(entry for entry in state.entries if entry.match.purpose is Purpose.THIRD_PLACE)
    assert (third.winner, third.is_over) == (7, True)
    assert state.places[7] == Places(3, 3)
    both_out = resolve(made, {**winners, "2.2": None})
    assert both_out.champion == 3
    assert both_out.places[5] == both_out.places[7] == Places(4, 4)


@pytest.mark.parametrize(
    ("winners", "fault", "teams", "matches"),
    [
        ({"9.1": 1}, FormatFault.MATCH_UNKNOWN, (), ("9.1",)),
        ({"1.1": 1}, FormatFault.MATCH_UNKNOWN, (), ("1.1",)),
        ({"2.1": 1}, FormatFault.NOT_READY, (), ("2.1",)),
        ({"1.2": 1}, FormatFault.NOT_IN_MATCH, (1,), ("1.2",)),
        ({"1.2": 3, "2.1": 2}, FormatFault.NOT_IN_MATCH, (2,), ("2.1",)),
    ],
)
def test_results_that_do_not_fit_are_refused(winners, fault, teams, matches):
    with pytest.raises(InvalidFormat) as refused:
        resolve(bracket(3), winners)
    assert (refused.value.fault, refused.value.teams, refused.value.matches) == (fault, teams, matches)


def test_a_corrected_result_voids_what_was_played_on_it():
    made = bracket(8, played_out=PlayedOut.TO_EIGHT)
    assert dependents(made, "1.1") == ("2.1", "2.3", "3.1", "3.2", "3.3", "3.4")
    assert dependents(made, "3.1") == ()
    winners = {"1.1": 1, "1.2": 3, "1.3": 5, "1.4": 7, "2.1": 1, "2.2": 5}
    assert voided_by(made, "1.1", winners) == ("2.1",)
    assert voided_by(made, "1.3", winners) == ("2.2",)
    with pytest.raises(InvalidFormat):
        dependents(made, "4.1")


def test_a_bye_carries_the_correction_on():
    made = bracket(5, byes=Byes.EACH_ROUND)
    assert dependents(made, "1.2") == ("2.2", "3.1")
    assert voided_by(made, "1.2", {"1.1": 1, "1.2": 3, "2.1": 1, "3.1": 1}) == ("3.1",)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.integers(3, 20), st.sampled_from(RULES), st.randoms(use_true_random=False), st.data())
def test_after_voiding_a_correction_always_fits(size, rules, rng, data):
    made = knockout_bracket(entrants(size), rules, seed=1)
    winners: dict[str, object] = {}
    while ready := resolve(made, winners).ready:
        winners |= {entry.match.key: rng.choice([entry.home, entry.away]) for entry in ready}
    key = data.draw(st.sampled_from(sorted(winners)))
    entry = next(entry for entry in resolve(made, winners).entries if entry.match.key == key)
    kept = {match: team for match, team in winners.items() if match not in voided_by(made, key, winners)}
    corrected = resolve(made, {**kept, key: entry.loser})
    before = resolve(made, winners)
    assert corrected.is_complete == (len(kept) == len(winners))
    untouched = set(kept) - {key}
    assert [e for e in corrected.entries if e.match.key in untouched] == [
        e for e in before.entries if e.match.key in untouched
    ]


def test_a_replacement_keeps_the_seed():
    made = bracket(4, order=BracketOrder.SEEDED)
    assert tables(with_replacement(made, 4, 9)) == [(1, 9), (2, 3)]
    for team, by, fault in ((7, 9, FormatFault.NOT_QUALIFIED), (4, 3, FormatFault.ALREADY_QUALIFIED)):
        with pytest.raises(InvalidFormat) as refused:
            with_replacement(made, team, by)
        assert refused.value.fault is fault
