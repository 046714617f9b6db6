"""Who advances: lines and ties at them, the best next, seeds, replacements, the first knockout round."""

from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from pairing.engine.advancing import (
    DECIDED,
    Line,
    Qualifier,
    SharedPlace,
    advance,
    first_tables,
)
from pairing.engine.bracket import WinnerOf
from pairing.engine.formats import FormatFault, InvalidFormat
from pairing.engine.knockout import knockout_from_tables


@dataclass(frozen=True)
class Row:
    """A row as the standings give it."""

    rank: int
    team: str
    keys: dict[str, object] = field(default_factory=dict)
    decided_by: str | None = None


def rows(*points, name="A", key="points"):
    """A1, A2 … with these points; equal points share a rank."""
    table = []
    for place, value in enumerate(points, start=1):
        is_shared = place > 1 and value == points[place - 2]
        rank = table[-1].rank if is_shared else place
        table.append(Row(rank, f"{name}{place}", {"points": value}, None if is_shared or place == 1 else key))
    return table


def groups(count, size=4):
    return {name: rows(*range(size, 0, -1), name=name) for name in "ABCDEFGHIJKLMNOP"[:count]}


def teams(qualifiers):
    return [qualifier.team for qualifier in qualifiers]


# Lines


def test_the_line_shows_the_key_that_decides():
    table = [*rows(9, 7), Row(3, "A3", {"points": 7}, "best_rounds"), Row(4, "A4", {"points": 2}, "points")]
    found = advance({"A": table}, 2)
    assert found.lines == (Line("A", "A2", "A3", "best_rounds"),)
    assert found.qualifiers == (Qualifier("A1", 1, "A", 1), Qualifier("A2", 2, "A", 2))
    assert (found.is_complete, found.shared) == (True, ())


def test_a_tie_at_the_line_names_the_teams_and_the_places_left():
    found = advance({"A": rows(9, 5, 5, 5, 1)}, 2)
    assert found.lines == (Line("A", tied=("A2", "A3", "A4"), open_places=1),)
    assert (found.certain, found.qualifiers, found.is_complete) == (("A1",), (), False)
    assert found.open_lines == found.lines


def test_an_order_found_by_lots_decides_if_it_names_all_of_them():
    standings = {"A": rows(9, 5, 5, 5, 1)}
    found = advance(standings, 2, decided=["A4", "A2", "A3"])
    assert found.lines == (Line("A", "A4", "A2", DECIDED),)
    assert teams(found.qualifiers) == ["A1", "A4"]
    assert not advance(standings, 2, decided=["A4", "A2"]).is_complete


def test_lots_do_not_move_teams_that_a_key_separates():
    assert teams(advance({"A": rows(9, 7, 5)}, 1, decided=["A3", "A2", "A1"]).qualifiers) == ["A1"]


def test_all_of_a_group_may_advance():
    found = advance({"A": rows(3, 2)}, 2)
    assert found.lines == (Line("A", "A2"),)
    assert teams(found.qualifiers) == ["A1", "A2"]


def test_a_shared_place_above_the_line_is_told():
    found = advance({"A": rows(9, 9, 5), "B": rows(8, 7, 1, name="B")}, 2)
    assert found.is_complete
    assert found.shared == (SharedPlace("A", 1, ("A1", "A2")),)
    assert advance({"A": rows(9, 9, 5)}, 2, decided=["A2", "A1"]).shared == ()


def test_one_open_line_leaves_all_seeds_open():
    found = advance({"A": rows(9, 5, 1), "B": rows(8, 7, 7, name="B")}, 2)
    assert found.qualifiers == ()
    assert found.certain == ("A1", "A2", "B1")


# Best next


THIRDS = {
    "A": rows(9, 8, 5),
    "B": rows(9, 8, 6, name="B"),
    "C": rows(9, 8, 4, name="C"),
    "D": rows(9, 8, name="D"),
}


def test_the_best_thirds_advance_and_their_line_has_its_key():
    found = advance(THIRDS, 2, best_next=2, best_by=["points"])
    assert teams(found.qualifiers)[8:] == ["A3", "B3"]
    assert found.lines[-1] == Line(None, "A3", "C3", "points")
    assert found.qualifiers[8] == Qualifier("A3", 9, "A", 3)


def test_the_best_next_of_one_advancing_are_seconds():
    found = advance({"A": rows(9, 3), "B": rows(9, 4, name="B")}, 1, best_next=1, best_by=["points"])
    assert teams(found.qualifiers) == ["A1", "B1", "B2"]


def test_equal_thirds_at_the_line_are_open_until_lots_are_drawn():
    standings = {"A": rows(9, 8, 5), "B": rows(9, 8, 5, name="B"), "C": rows(9, 8, 6, name="C")}
    found = advance(standings, 2, best_next=2, best_by=["points"])
    assert found.open_lines == (Line(None, tied=("A3", "B3"), open_places=1),)
    assert found.certain == ("A1", "A2", "B1", "B2", "C1", "C2", "C3")
    drawn = advance(standings, 2, best_next=2, best_by=["points"], decided=["B3", "A3"])
    assert teams(drawn.qualifiers)[6:] == ["B3", "C3"]
    assert drawn.lines[-1] == Line(None, "B3", "A3", DECIDED)


def test_two_thirds_in_one_group_are_open_only_if_one_of_them_advances():
    standings = {"A": rows(9, 8, 5, 5), "B": rows(9, 8, 6, 1, name="B")}
    assert advance(standings, 2, best_next=1, best_by=["points"]).is_complete
    found = advance(standings, 2, best_next=2, best_by=["points"])
    assert found.open_lines == (Line("A", tied=("A3", "A4"), open_places=1),)
    drawn = advance(standings, 2, best_next=2, best_by=["points"], decided=["A4", "A3"])
    assert teams(drawn.qualifiers)[4:] == ["A4", "B3"]


def test_keys_that_did_not_apply_come_last_and_fractions_compare_exactly():
    standings = {
        "A": [Row(1, "A1"), Row(2, "A2", {"average": None}, "points")],
        "B": [Row(1, "B1"), Row(2, "B2", {"average": Fraction(1, 3)}, "points")],
        "C": [Row(1, "C1"), Row(2, "C2", {"average": Fraction(-1, 3)}, "points")],
    }
    found = advance(standings, 1, best_next=2, best_by=["average"])
    assert teams(found.qualifiers)[3:] == ["B2", "C2"]


# Seeds


def test_seeds_go_by_place_then_by_group():
    found = advance(groups(3), 2)
    assert teams(found.qualifiers) == ["A1", "B1", "C1", "A2", "B2", "C2"]
    assert [qualifier.seed for qualifier in found.qualifiers] == [1, 2, 3, 4, 5, 6]


def test_seeds_may_go_by_keys_within_a_place():
    standings = {"A": rows(5, 1), "B": rows(9, 2, name="B"), "C": rows(7, 3, name="C")}
    found = advance(standings, 2, seed_by=["points"])
    assert teams(found.qualifiers) == ["B1", "C1", "A1", "C2", "B2", "A2"]


def test_a_swiss_stage_is_one_group():
    assert teams(advance({"swiss": rows(*range(16, 0, -1))}, 8).qualifiers) == [
        f"A{place}" for place in range(1, 9)
    ]


# The first knockout round


@pytest.mark.parametrize(
    ("count", "tables"),
    [
        (2, (("A1", "B2"), ("B1", "A2"))),
        (4, (("A1", "B2"), ("C1", "D2"), ("B1", "A2"), ("D1", "C2"))),
    ],
)
def test_two_of_each_group_cross(count, tables):
    assert first_tables(advance(groups(count), 2).qualifiers) == tables


def halves(tables):
    """The teams of either half of a bracket with this first round."""
    made = knockout_from_tables(tables)
    final = next(match for match in made if match.winner_places == (1, 1))
    below = {}
    for match in made:
        sides = [below.get(slot) or {getattr(slot, "team", None)} for slot in (match.home, match.away)]
        below[WinnerOf(match.key)] = (sides[0] | sides[1]) - {None}
    return below[final.home], below[final.away]


@pytest.mark.parametrize("count", [2, 4, 8, 16])
def test_crossed_groups_meet_again_only_in_the_final(count):
    for half in halves(first_tables(advance(groups(count), 2).qualifiers)):
        assert len({team[0] for team in half}) == len(half) == count


@pytest.mark.parametrize("count", range(2, 17))
@pytest.mark.parametrize("top", [1, 2, 3, 4])
def test_group_winners_apart_and_no_rematch_in_the_first_round(count, top):
    standings = groups(count, size=top + 1)
    lots = [f"{name}{top + 1}" for name in standings]
    for best_next in sorted({0, 1, count // 2, count - 1}):
        found = advance(standings, top, best_next=best_next, best_by=["points"], decided=lots)
        tables = first_tables(found.qualifiers)
        assert sorted(team for table in tables for team in table) == sorted(teams(found.qualifiers))
        assert len(tables) & (len(tables) - 1) == 0
        met = [table for table in tables if len(table) == 2]
        assert all(home[0] != away[0] for home, away in met)
        if count <= len(tables):
            assert not any(home[1:] == away[1:] == "1" for home, away in met)
        free = {table[0] for table in tables if len(table) == 1}
        assert free == set(teams(found.qualifiers)[: len(free)])


def test_of_one_stage_the_best_meet_the_last():
    qualifiers = advance({"swiss": rows(*range(8, 0, -1))}, 6).qualifiers
    assert first_tables(qualifiers) == (("A1",), ("A4", "A5"), ("A2",), ("A3", "A6"))


# What is refused


@pytest.mark.parametrize(
    ("standings", "top", "best_next", "fault"),
    [
        ({"A": rows(3, 2), "B": rows(1, name="B")}, 2, 0, FormatFault.TOO_MANY),
        ({"A": rows(3, 2), "B": rows(1, name="B")}, 1, 2, FormatFault.TOO_MANY),
        ({"A": rows(3, 2), "B": rows(3, 2)}, 1, 0, FormatFault.TEAM_TWICE),
        ({"A": rows(3, 2)}, 0, 0, FormatFault.AT_LEAST),
        ({}, 1, 0, FormatFault.AT_LEAST),
    ],
)
def test_what_cannot_advance_is_refused(standings, top, best_next, fault):
    with pytest.raises(InvalidFormat) as refused:
        advance(standings, top, best_next=best_next, best_by=["points"])
    assert refused.value.fault is fault


def test_one_team_makes_no_knockout():
    with pytest.raises(InvalidFormat) as refused:
        first_tables([Qualifier("A1", 1, "A", 1)])
    assert refused.value.fault is FormatFault.AT_LEAST
