"""Prizes by place: tiers, shared ranks inside a tier, across a border, settled by hand or by lot."""

from __future__ import annotations

import pytest

from tournaments.prizes import Ranked, Tier, TieSettled, awards, drawn_order, find_tie, read_tiers

FIRST, SECOND, THIRD = Tier(1, 1, "一等奖"), Tier(2, 4, "二等奖"), Tier(5, 8, "三等奖")
TIERS = (FIRST, SECOND, THIRD)


def ranking(*ranks: int | None) -> list[Ranked]:
    """Teams 1, 2, 3 … with these ranks, best first."""
    return [Ranked(number, rank) for number, rank in enumerate(ranks, start=1)]


def names(found) -> list[str]:
    return [row.tier.name if row.tier else "?" if row.is_open else "" for row in found.rows]


def test_tiers_by_place_and_nothing_behind_the_last():
    found = awards(ranking(*range(1, 11)), TIERS, [])
    assert names(found) == ["一等奖"] + ["二等奖"] * 3 + ["三等奖"] * 4 + ["", ""]
    assert (found.open_ties, len(found.winners)) == ((), 8)


def test_others_get_the_open_tier():
    found = awards(ranking(*range(1, 11)), (*TIERS, Tier(9, None, "优胜奖")), [])
    assert names(found)[8:] == ["优胜奖", "优胜奖"]


def test_a_shared_rank_inside_a_tier_needs_no_decision():
    found = awards(ranking(1, 2, 2, 4, 5), TIERS, [])
    assert names(found) == ["一等奖", "二等奖", "二等奖", "二等奖", "三等奖"]
    assert found.open_ties == ()


def test_a_border_through_a_shared_rank_stays_open():
    found = awards(ranking(1, 2, 3, 4, 4, 4, 7), TIERS, [])
    assert names(found) == ["一等奖", "二等奖", "二等奖", "?", "?", "?", "三等奖"]
    (tie,) = found.open_ties
    assert (tie.rank, tie.last, tie.numbers, tie.tiers) == (4, 6, (4, 5, 6), (SECOND, THIRD))
    assert 4 not in {row.number for row in found.winners}


def test_two_champions_are_not_made_silently():
    assert names(awards(ranking(1, 1, 3), TIERS, [])) == ["?", "?", "二等奖"]


def test_the_border_of_the_last_prize_counts_too():
    found = awards(ranking(1, 2, 3, 4, 5, 6, 7, 8, 8), TIERS, [])
    assert found.open_ties[0].tiers == (THIRD, None)


def test_the_same_prize_for_all():
    settled = [{"teams": [4, 5], "how": "shared"}]
    found = awards(ranking(1, 2, 3, 4, 4, 6), TIERS, settled)
    assert names(found)[3:5] == ["二等奖", "二等奖"]
    assert [row.settled for row in found.rows[3:5]] == [TieSettled.SHARED] * 2
    assert (found.open_ties, found.settled_ties[0].rank) == ((), 4)


def test_lots_give_each_its_own_place():
    settled = [{"teams": [4, 5], "how": "lots", "seed": 9, "order": [5, 4]}]
    found = awards(ranking(1, 2, 3, 4, 4, 6), TIERS, settled)
    assert [(row.number, row.place, row.tier.name) for row in found.rows[3:5]] == [
        (5, 4, "二等奖"),
        (4, 5, "三等奖"),
    ]


def test_a_settlement_falls_when_other_teams_share_the_rank():
    settled = [{"teams": [4, 5], "how": "shared"}]
    assert names(awards(ranking(1, 2, 3, 4, 4, 4), TIERS, settled))[3:] == ["?", "?", "?"]


def test_a_withdrawn_team_gets_no_prize_and_moves_nobody():
    rows = [Ranked(1, 1), Ranked(2, 2, withdrawn=True), Ranked(3, 3), Ranked(4, None)]
    found = awards(rows, TIERS, [])
    assert names(found) == ["一等奖", "", "二等奖", ""]
    assert found.rows[3].rank is None


def test_find_a_tie_by_its_teams():
    found = awards(ranking(1, 1, 3), TIERS, [])
    assert find_tie(found, "1,2") == found.open_ties[0]
    assert find_tie(found, "3") is None


def test_lots_can_be_drawn_again_by_anybody():
    assert drawn_order([9, 3, 7], 5) == drawn_order([7, 9, 3], 5)
    assert {tuple(drawn_order([1, 2, 3], seed)) for seed in range(60)} == {
        (1, 2, 3),
        (1, 3, 2),
        (2, 1, 3),
        (2, 3, 1),
        (3, 1, 2),
        (3, 2, 1),
    }


@pytest.mark.parametrize(
    "stored",
    [
        None,
        {},
        [None],
        [{"from": 0, "to": 1, "name": "x"}],
        [{"from": 2, "to": 1, "name": "x"}],
        [{"from": True, "to": None, "name": "x"}],
        [{"from": 1, "to": "3", "name": "x"}],
        [{"from": 1, "to": 1, "name": ""}],
    ],
)
def test_tiers_that_cannot_be_read_are_none(stored):
    assert read_tiers(stored) == ()


@pytest.mark.parametrize(
    "stored",
    [
        None,
        {"how": "shared"},
        ["x", None],
        [{"how": "shared"}],
        [{"how": "lots", "teams": [4, 5]}],
        [{"how": "lots", "order": "45"}],
        [{"how": "shared", "teams": [4, "5"]}],
        [{"how": "fair", "teams": [4, 5]}],
    ],
)
def test_a_settlement_that_cannot_be_read_leaves_the_tie_open(stored):
    assert names(awards(ranking(1, 2, 3, 4, 4, 6), TIERS, stored))[3:5] == ["?", "?"]
