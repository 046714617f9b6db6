"""Which numbers a stage may use, and that a draw keeps to them whatever is broken, fixed or in use."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from pairing.engine.checks import check_draw
from pairing.engine.swiss import draw_round
from pairing.engine.tables import OtherStage, Tables, TooFewTables, usable_tables
from pairing.engine.types import NoteKind, PairingRules
from pairing.layouts import PlannedMatch, at_fixed_tables

from .fields import teams

NUMBERS = some.integers(1, 30)
HALLS = some.builds(
    lambda first, size, without: Tables(first, first + size, frozenset(without)),
    NUMBERS,
    some.integers(0, 30),
    some.sets(NUMBERS, max_size=8),
)


@pytest.mark.parametrize(
    ("own", "broken", "others", "expected"),
    [
        ((None, None), [], [], Tables()),
        ((None, None), [3], [], Tables(without=frozenset({3}))),
        ((21, 40), [3, 22], [], Tables(21, 40, frozenset({3, 22}))),
        ((None, None), [], [OtherStage(taken=frozenset({1, 2}))], Tables()),
        ((None, None), [], [OtherStage(1, 3)], Tables(without=frozenset({1, 2, 3}))),
        ((None, None), [], [OtherStage(1, 2, frozenset({9}))], Tables(without=frozenset({1, 2, 9}))),
        ((1, 9), [], [OtherStage(taken=frozenset({1, 2}))], Tables(1, 9, frozenset({1, 2}))),
        ((1, 9), [], [OtherStage(8, 20, frozenset({8}))], Tables(1, 9, frozenset({8}))),
    ],
)
def test_usable_tables(own, broken, others, expected):
    assert usable_tables(*own, broken, others) == expected


@settings(max_examples=60, deadline=None)
@given(some.integers(2, 12), HALLS, some.dictionaries(some.integers(1, 12), NUMBERS, max_size=4))
def test_a_draw_keeps_to_the_hall(count, hall, fixed):
    entrants = [replace(team, fixed_table=fixed.get(team.id)) for team in teams(count)]
    room = sum(number in hall for number in range(hall.first, hall.last + 1))
    if room < count // 2:
        with pytest.raises(TooFewTables) as refused:
            draw_round(entrants, (), PairingRules(), round_number=1, seed=1, tables=hall)
        assert refused.value.there <= room
        return
    drawn = draw_round(entrants, (), PairingRules(), round_number=1, seed=1, tables=hall)
    assert check_draw(drawn.matches, drawn.bye, entrants, (), PairingRules(), 1, hall) == []
    for match in drawn.matches:
        wanted = [fixed[team] for team in (match.home, match.away) if team in fixed]
        told = [note.kind for note in match.notes]
        assert told.count(NoteKind.TABLE_OUT) == sum(number not in hall for number in wanted)


@settings(max_examples=60, deadline=None)
@given(some.integers(1, 8), HALLS, some.dictionaries(some.integers(1, 16), NUMBERS, max_size=4))
def test_schedule_and_bracket_keep_to_it_too(count, hall, fixed):
    planned = [PlannedMatch(f"t{2 * n - 1}", f"t{2 * n}", n) for n in range(1, count + 1)]
    wishes = {f"t{team}": number for team, number in fixed.items()}
    room = sum(number in hall for number in range(hall.first, hall.last + 1))
    if room < count:
        with pytest.raises(TooFewTables):
            at_fixed_tables(planned, wishes, hall)
        return
    seated = at_fixed_tables(planned, wishes, hall)
    tables = [match.table for match in seated]
    assert len(set(tables)) == count
    assert all(table in hall for table in tables)
    wanted = {number for team, number in fixed.items() if team <= 2 * count and number in hall}
    # Of two that want one table, or sit at one, the first is heard: some table wanted is always given.
    assert not wanted or wanted & set(tables)
