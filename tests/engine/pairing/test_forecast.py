"""How many further rounds can be drawn: certain, tried, and beyond what is possible."""

import pytest

from pairing.engine.forecast import forecast
from pairing.engine.types import FirstRound, PairingRules, Rematch, SameDepartment

from .exhaustive import Definition
from .fields import met, teams

DEFAULT = PairingRules(first_round=FirstRound.ENTRY_ORDER)
SIX_AFTER_TWO = met("1-2 3-4 5-6", "1-3 2-5 4-6")


def ask(entrants, meetings=(), rules=DEFAULT, *, asked=6, seed=1):
    played = max((each.round for each in meetings), default=0)
    return forecast(entrants, meetings, rules, played=played, asked=asked, seed=seed)


def longest(entrants, meetings, rules, asked):
    """By looking at every continuation: the fewest and the most rounds until no draw is left."""
    played = max((each.round for each in meetings), default=0)
    definition = Definition(entrants, meetings, rules, played + 1, 0)
    odd = len(entrants) % 2

    def search(used, left):
        if not left:
            return 0, 0
        ends = [search(used | set(round_), left - 1) for round_ in rounds(definition, used, odd)]
        if not ends:
            return 0, 0
        return 1 + min(least for least, _ in ends), 1 + max(most for _, most in ends)

    return search(frozenset(), asked)


def rounds(definition, used, odd):
    positions = range(len(definition.teams))
    for bye in positions if odd else [None]:
        for tables in definition.seatings([each for each in positions if each != bye]):
            if not used & set(tables):
                yield tables


def test_three_rounds_are_certain_for_six_teams_then_two_triangles_may_be_left():
    found = ask(teams(6), asked=5)
    assert found.certain == 3
    assert found.at_most == 5
    assert found.chances[2] == 1
    assert found.chances[3] < 1
    assert found.expected == 3
    assert not found.is_enough


def test_everybody_has_met():
    found = ask(teams(4), met("1-2 3-4", "1-3 2-4", "1-4 2-3"))
    assert (found.certain, found.at_most, found.expected) == (0, 0, 0)


def test_a_department_of_half_the_field_ends_after_the_others_are_met():
    found = ask(teams(6, "AAABBB"))
    assert (found.certain, found.at_most) == (1, 3)


def test_departments_apart_in_round_one_only_do_not_limit_the_rounds_after():
    rules = PairingRules(first_round=FirstRound.ENTRY_ORDER, same_department=SameDepartment.ROUND1)
    assert ask(teams(6, "AAABBB"), rules=rules).at_most == 5


def test_a_second_meeting_allowed_leaves_no_end():
    found = ask(teams(4), met("1-2 3-4", "1-3 2-4", "1-4 2-3"), PairingRules(rematch=Rematch.AVOID))
    assert found.chances == (1,) * 6
    assert found.is_enough


def test_a_large_field_is_certain_without_trying():
    assert ask(teams(200), asked=9).certain == 9


def test_the_same_seed_gives_the_same_forecast():
    entrants = teams(10, "AAAABBBBCC")
    assert ask(entrants, asked=7) == ask(entrants, asked=7)


@pytest.mark.parametrize(
    ("entrants", "meetings"),
    [
        (teams(4), ()),
        (teams(5), ()),
        (teams(6), SIX_AFTER_TWO),
        (teams(6, "AABBCC"), met("1-3 2-5 4-6")),
        (teams(7, "AABB..."), met("1-3 2-5 4-6", "1-4 2-6 5-7")),
    ],
)
def test_the_bounds_hold_in_every_continuation(entrants, meetings):
    asked = 4
    found = ask(entrants, meetings, asked=asked)
    least, most = longest(entrants, meetings, DEFAULT, asked)
    assert found.certain <= least
    assert most <= found.at_most
    assert found.certain <= found.expected <= found.at_most


def test_a_forced_meeting_inside_a_department_counts_as_an_opponent():
    forced = PairingRules(first_round=FirstRound.ENTRY_ORDER, forced=((1, 2),))
    assert ask(teams(4, "AA..")).at_most == 2
    assert ask(teams(4, "AA.."), rules=forced).at_most == 3
