"""Which rounds a team misses, and what becomes of that when it comes, or goes, at another time."""

import pytest

from tournaments.attendance import (
    Absence,
    Lateness,
    absence_from,
    rounds_missed,
    with_absence,
    with_lateness,
    without_absence,
)

EXCUSED = Absence("s1", 3, excused=True, note="出差")
FROM_TWO = Absence("s1", 2, onwards=True, note="没来")


@pytest.mark.parametrize(
    ("absences", "stage", "missed"),
    [
        ((), "s1", set()),
        ((EXCUSED,), "s1", {3}),
        ((EXCUSED,), "s2", set()),
        ((FROM_TWO,), "s1", {2, 3, 4, 5}),
        ((Absence("s1", 1), EXCUSED), "s1", {1, 3}),
    ],
)
def test_rounds_missed(absences, stage, missed):
    assert rounds_missed(absences, stage, 5) == missed
    assert {n for n in range(1, 6) if absence_from(absences, stage, n)} == missed


def test_back_in_a_round_ends_an_absence_and_keeps_the_rounds_missed_by_then():
    back = without_absence((FROM_TWO,), "s1", 4)
    assert rounds_missed(back, "s1", 9) == {2, 3}
    assert {each.note for each in back} == {"没来"}
    assert without_absence((FROM_TWO,), "s1", 2) == ()
    assert without_absence((FROM_TWO,), "s1", 1) == (FROM_TWO,)


def test_back_in_a_round_keeps_what_was_set_ahead_for_a_later_one():
    assert without_absence((Absence("s1", 1), EXCUSED), "s1", 1) == (EXCUSED,)


def test_a_new_absence_says_what_holds_of_its_round():
    excused = Absence("s1", 2, excused=True)
    assert rounds_missed(with_absence((FROM_TWO,), excused), "s1", 9) == {2}
    assert with_absence((EXCUSED,), FROM_TWO) == (FROM_TWO,)
    assert with_absence((EXCUSED,), Absence("s2", 1)) == (EXCUSED, Absence("s2", 1))


def test_lateness_is_one_number_a_round():
    once = with_lateness((), Lateness("s1", 1, 7))
    assert with_lateness(once, Lateness("s1", 1, 9)) == (Lateness("s1", 1, 9),)
    assert with_lateness(once, Lateness("s1", 1, 0)) == ()
    assert len(with_lateness(once, Lateness("s1", 2, 3))) == 2


def test_unknown_fields_are_kept():
    stored = {"stage": "s1", "round": 1, "note": "病假", "author": "甲", "at": 3}
    assert list(Absence.from_dict(stored).as_dict().items()) == [
        ("stage", "s1"),
        ("round", 1),
        ("note", "病假"),
        ("at", 3),
        ("author", "甲"),
    ]
