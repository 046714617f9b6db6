"""Settings of the event file: defaults, every value, and what is refused with its path."""

import pytest

from scoring.engine.rules import (
    DEFAULT_RANKING,
    Bonus,
    EqualLevels,
    InvalidRules,
    MatchRules,
    PassRule,
    RankingKey,
    ScoringRules,
    StrikeRules,
    UnfinishedDeal,
    parse_ranking,
    ranking_warnings,
)


def test_match_defaults_are_those_of_the_event_file():
    assert MatchRules.from_dict({}) == MatchRules()
    assert MatchRules().as_dict() == {
        "minutes": 45, "deals": None, "start_level": 2, "target_level": 14, "steps": [3, 2, 1],
        "must_play_target": True, "pass_rule": "partner_not_last", "strikes": None, "equal_levels": "tie",
        "unfinished_deal": "void", "best_of": 1, "bonuses": [],
    }  # fmt: skip


def test_scoring_defaults_are_those_of_the_event_file():
    assert ScoringRules.from_dict({}) == ScoringRules()
    assert ScoringRules().as_dict() == {
        "model": "level_difference", "base": 13, "win": 2, "tie": 1, "loss": 0, "forfeit_win": 16,
        "forfeit_loss": 0, "double_forfeit": 0, "bye": 16, "irregular": 0, "missed": 0,
            "deal_points": [3, 2, 1],
    }  # fmt: skip


def test_default_ranking_is_that_of_the_event_file():
    names = ["points", "head_to_head", "wins", "best_rounds", "opponents_points"]
    assert parse_ranking(names) == DEFAULT_RANKING


def test_every_ranking_key_can_be_named():
    names = [
        "points", "head_to_head", "head_to_head_group", "wins", "best_rounds", "opponents_points",
        "beaten_opponents_points", "net_levels", "levels_gained", "cumulative", "lots",
    ]  # fmt: skip
    assert parse_ranking(names) == tuple(RankingKey)


MATCH_VALUES = [
    *[{"minutes": minutes} for minutes in (None, 30, 35, 40, 45, 50, 60, 80, 120)],
    {"deals": None}, {"deals": 8}, {"best_of": 3}, {"start_level": 5}, {"target_level": 10},
    *[{"steps": steps} for steps in ([3, 2, 1], [6, 4, 2], [4, 3, 2])],
    {"must_play_target": False},
    *[{"pass_rule": value.value} for value in PassRule],
    *[{"equal_levels": value.value} for value in EqualLevels],
    *[{"unfinished_deal": value.value} for value in UnfinishedDeal],
    {"bonuses": [value.value for value in Bonus]},
    *[
        {"strikes": {"limit": limit, "count": count, "when": when, "then": then}}
        for limit in (2, 3) for count in ("total", "in_a_row")
        for when in ("own_deal", "any_deal") for then in ("2", "J", "lose")
    ],
]  # fmt: skip


@pytest.mark.parametrize("mapping", MATCH_VALUES, ids=str)
def test_every_match_setting_survives_the_file(mapping):
    rules = MatchRules.from_dict(mapping)
    assert rules.as_dict() == MatchRules().as_dict() | mapping
    assert MatchRules.from_dict(rules.as_dict()) == rules


def test_fields_of_a_later_version_are_left_out():
    assert MatchRules.from_dict({"colour": "green"}) == MatchRules()
    assert ScoringRules.from_dict({"colour": "green"}) == ScoringRules()
    assert StrikeRules.from_dict({"colour": "green"}) == StrikeRules()


MATCH_REFUSED = [
    ({"minutes": "45"}, "minutes", "not_an_integer"),
    ({"minutes": True}, "minutes", "not_an_integer"),
    ({"minutes": 0}, "minutes", "out_of_range"),
    ({"deals": -1}, "deals", "out_of_range"),
    ({"start_level": 1}, "start_level", "out_of_range"),
    ({"start_level": 14}, "start_level", "out_of_range"),
    ({"target_level": 15}, "target_level", "out_of_range"),
    ({"target_level": 14.0}, "target_level", "not_an_integer"),
    ({"steps": "321"}, "steps", "not_a_list"),
    ({"steps": [3, 2]}, "steps", "wrong_length"),
    ({"steps": [1, 2, 3]}, "steps", "not_descending"),
    ({"steps": [0, 0, 0]}, "steps", "not_descending"),
    ({"steps": [3, 2, "1"]}, "steps[2]", "not_an_integer"),
    ({"must_play_target": 1}, "must_play_target", "not_a_boolean"),
    ({"pass_rule": "always"}, "pass_rule", "unknown_value"),
    ({"pass_rule": None}, "pass_rule", "unknown_value"),
    ({"pass_rule": ["reach"]}, "pass_rule", "unknown_value"),
    ({"equal_levels": "coin"}, "equal_levels", "unknown_value"),
    ({"unfinished_deal": "half"}, "unfinished_deal", "unknown_value"),
    ({"best_of": 2}, "best_of", "not_odd"),
    ({"best_of": 0}, "best_of", "out_of_range"),
    ({"strikes": 3}, "strikes", "not_a_mapping"),
    ({"strikes": {"limit": 0}}, "strikes.limit", "out_of_range"),
    ({"strikes": {"then": "3"}}, "strikes.then", "unknown_value"),
    ({"strikes": {"then": 2}}, "strikes.then", "unknown_value"),
    ({"strikes": {"then": "J"}, "target_level": 11}, "strikes.then", "out_of_range"),
    ({"bonuses": "none"}, "bonuses", "not_a_list"),
    ({"bonuses": ["luck"]}, "bonuses[0]", "unknown_value"),
    ({"bonuses": ["first_streak", "first_streak"]}, "bonuses[1]", "repeated"),
    ([], "", "not_a_mapping"),
]


@pytest.mark.parametrize(("mapping", "path", "code"), MATCH_REFUSED, ids=str)
def test_refuses_match_settings_with_their_path(mapping, path, code):
    with pytest.raises(InvalidRules) as refused:
        MatchRules.from_dict(mapping)
    assert (refused.value.path, refused.value.code) == (path, code)


SCORING_REFUSED = [
    ({"model": "swiss"}, "model", "unknown_value"),
    ({"base": 13.0}, "base", "not_an_integer"),
    ({"win": None}, "win", "not_an_integer"),
    ({"bye": 10**30}, "bye", "out_of_range"),
    (None, "", "not_a_mapping"),
]


@pytest.mark.parametrize(("mapping", "path", "code"), SCORING_REFUSED, ids=str)
def test_refuses_scoring_settings_with_their_path(mapping, path, code):
    with pytest.raises(InvalidRules) as refused:
        ScoringRules.from_dict(mapping)
    assert (refused.value.path, refused.value.code) == (path, code)


RANKING_REFUSED = [
    ([], "ranking", "wrong_length"),
    ("points", "ranking", "not_a_list"),
    (["points", "luck"], "ranking[1]", "unknown_value"),
    (["points", 7], "ranking[1]", "unknown_value"),
    (["points", "wins", "points"], "ranking[2]", "repeated"),
]


@pytest.mark.parametrize(("names", "path", "code"), RANKING_REFUSED, ids=str)
def test_refuses_rankings_with_their_path(names, path, code):
    with pytest.raises(InvalidRules) as refused:
        parse_ranking(names)
    assert (refused.value.path, refused.value.code) == (path, code)


WARNINGS = [
    (["points", "opponents_points"], {}, "round_robin", True, ["opponents_points_separate_nobody"]),
    (["points", "opponents_points"], {}, "swiss", False, []),
    (["points", "net_levels"], {}, "swiss", False, ["net_levels_repeat_points"]),
    (["points", "net_levels"], {"model": "win_loss"}, "swiss", False, []),
    (["net_levels", "points"], {}, "swiss", False, []),
    (["points", "net_levels"], {}, "knockout", False, []),
    (
        ["points", "net_levels", "opponents_points"],
        {},
        "round_robin",
        True,
        ["net_levels_repeat_points", "opponents_points_separate_nobody"],
    ),
    (["points", "wins"], {}, "round_robin", True, []),
    (
        ["points", "levels_gained"],
        {"model": "levels_gained"},
        "swiss",
        False,
        ["levels_gained_repeat_points"],
    ),
    (["points", "net_levels"], {"model": "levels_gained"}, "swiss", False, []),
    (["points", "levels_gained"], {}, "swiss", False, []),
    *(
        (
            ["points", "opponents_points"],
            {"model": model},
            "round_robin",
            True,
            ["opponents_points_separate_nobody"],
        )
        for model in ("win_loss", "levels_gained", "per_deal")
    ),
]


@pytest.mark.parametrize(("names", "scoring", "format", "complete", "warnings"), WARNINGS, ids=str)
def test_warns_of_keys_that_separate_nobody(names, scoring, format, complete, warnings):
    given = ranking_warnings(parse_ranking(names), ScoringRules.from_dict(scoring), format, complete)
    assert list(given) == warnings
