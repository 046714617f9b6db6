"""The pairing rules as the event file writes them."""

import pytest

from pairing.engine.types import (
    FirstRound,
    InvalidPairingRules,
    Method,
    PairingRules,
    Rematch,
    SameDepartment,
)

DEFAULTS = {
    "first_round": "random",
    "method": "adjacent",
    "rematch": "never",
    "same_department": "never",
    "forced": [],
    "forbidden": [],
}


def test_defaults():
    assert PairingRules.from_dict({}) == PairingRules()
    assert PairingRules().as_dict() == DEFAULTS


def test_there_and_back():
    written = DEFAULTS | {
        "first_round": "halves",
        "method": "closest",
        "rematch": "avoid",
        "same_department": "round1",
        "forced": [["t1", 2]],
        "forbidden": [["t3", "t4"]],
    }
    rules = PairingRules.from_dict(written)
    assert (rules.first_round, rules.method) == (FirstRound.HALVES, Method.CLOSEST)
    assert (rules.rematch, rules.same_department) == (Rematch.AVOID, SameDepartment.ROUND1)
    assert rules.forced == (("t1", 2),)
    assert rules.as_dict() == written


@pytest.mark.parametrize(
    ("written", "path", "code"),
    [
        ({"method": "greedy"}, "method", "unknown_value"),
        ({"rematch": True}, "rematch", "unknown_value"),
        ({"first_round": None}, "first_round", "unknown_value"),
        ({"first_round": ["random"]}, "first_round", "unknown_value"),
        ({"forced": "t1"}, "forced", "not_a_list"),
        ({"forced": None}, "forced", "not_a_list"),
        ({"forced": [["t1", "t2"], ["t1"]]}, "forced[1]", "not_two_teams"),
        ({"forbidden": [["t1", 1.5]]}, "forbidden[0][1]", "not_a_team"),
        ({"forbidden": [[True, "t1"]]}, "forbidden[0][0]", "not_a_team"),
        ({"forbidden": [["t1", "t1"]]}, "forbidden[0]", "same_team_twice"),
        ([], "", "not_an_object"),
    ],
)
def test_what_does_not_exist_is_refused_with_its_path(written, path, code):
    with pytest.raises(InvalidPairingRules) as caught:
        PairingRules.from_dict(written)
    assert (caught.value.path, caught.value.code) == (path, code)
