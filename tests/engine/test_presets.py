"""Every regulation is read by the engines' own parsers and says what its row of the list of presets says."""

from __future__ import annotations

import json

import pytest

from pairing.engine.knockout import BracketOrder, Byes, PlayedOut
from pairing.engine.types import FirstRound, PairingRules, SameDepartment
from pairing.format_rules import EntryRules, RoundRobinRules, knockout_rules
from scoring.engine.rules import (
    Bonus,
    EqualLevels,
    MatchRules,
    PassRule,
    RankingKey,
    RankingWarning,
    ScoringModel,
    StrikeCount,
    StrikePenalty,
    UnfinishedDeal,
    parse_ranking,
    ranking_warnings,
)
from scoring.knockout import RoundRules
from scoring.ranked import Withdrawal, scoring_rules, withdrawal_rule
from tests.engine.scoring.build import deciders, table
from tests.engine.scoring.build import match as played_match
from tournaments.discipline import Discipline, Partners
from tournaments.models import StageFormat
from tournaments.presets import Preset, presets
from tournaments.prizes import read_tiers

CODES = tuple(presets())
REGULATIONS = [f"R{number:02}" for number in (*range(1, 5), *range(6, 23))]


def match_of(code: str, stage: int = 0) -> MatchRules:
    return MatchRules.from_dict(presets()[code].stages[stage].rules["match"])


def bracket_of(code: str, stage: int = 0):
    rules = presets()[code].stages[stage].rules
    return knockout_rules(rules["format"], is_chained="entry" in rules)


def rounds_of(code: str) -> RoundRules:
    rules = presets()[code].stages[0].rules
    return RoundRules.from_dict(rules["format"], rules["match"])


def stated(code: str) -> Discipline:
    return Discipline.from_dict(presets()[code].discipline)


def ranking_of(code: str, stage: int = 0) -> list[str]:
    return presets()[code].stages[stage].rules["ranking"]


def formats_of(preset: Preset) -> list[str]:
    return [stage.format.value for stage in preset.stages]


def test_all_regulations_are_there():
    assert set(REGULATIONS) <= set(CODES)
    assert CODES[0] == "default"


@pytest.mark.parametrize("code", CODES)
def test_every_preset_is_read_whole(code):
    preset = presets()[code]
    assert preset.name
    assert len(preset.summary) <= 200
    for place, stage in enumerate(preset.stages, start=1):
        rules = stage.rules
        assert set(rules) <= {"pairing", "format", "entry", "withdrawal", "match", "scoring", "ranking"}
        PairingRules.from_dict(rules.get("pairing", {}))
        read_format = knockout_rules if stage.format is StageFormat.KNOCKOUT else RoundRobinRules.from_dict
        read_format(rules.get("format", {}))
        RoundRules.from_dict(rules.get("format", {}), rules["match"])
        entry = EntryRules.from_dict(rules.get("entry", {}))
        assert all(key in {f"s{earlier}" for earlier in range(1, place)} for key in entry.sources)
        scoring_rules(rules["scoring"], stage.format)
        withdrawal_rule(rules)
        parse_ranking(rules["ranking"])


@pytest.mark.parametrize("code", CODES)
def test_no_setting_of_a_preset_is_misspelt(code):
    """What a parser does not know it leaves out: reading and writing again keeps every setting given."""
    preset = presets()[code]
    assert Discipline.from_dict(preset.discipline).as_dict() == preset.discipline
    assert [tier.as_dict() for tier in read_tiers(list(preset.prizes))] == list(preset.prizes)
    for stage in preset.stages:
        match = MatchRules.from_dict(stage.rules["match"]).as_dict()
        assert {name: match[name] for name in stage.rules["match"]} == stage.rules["match"]
        scoring = scoring_rules(stage.rules["scoring"], stage.format).as_dict()
        assert {name: scoring[name] for name in stage.rules["scoring"]} == stage.rules["scoring"]


@pytest.mark.parametrize("code", CODES)
def test_a_knockout_never_ends_in_a_tie(code):
    for place, stage in enumerate(presets()[code].stages):
        if stage.format is StageFormat.KNOCKOUT:
            assert match_of(code, place).equal_levels is not EqualLevels.TIE


@pytest.mark.parametrize("code", CODES)
def test_a_preset_is_plain_json(code):
    content = presets()[code].content()
    assert json.loads(json.dumps(content)) == content


def test_the_general_rules_come_in_every_format_before_the_regulations():
    general = ["default", "general-groups", "general-knockout", "general-round-robin"]
    assert list(CODES[:4]) == general
    formats = [formats_of(presets()[code]) for code in general]
    assert formats == [["swiss"], ["round_robin", "knockout"], ["knockout"], ["round_robin"]]
    assert {presets()[code].minutes for code in general} == {45}


def test_r01_groups_then_all_places_to_eight():
    groups, knockout = presets()["R01"].stages
    assert formats_of(presets()["R01"]) == ["round_robin", "knockout"]
    assert RoundRobinRules.from_dict(groups.rules["format"]).groups == 4
    assert EntryRules.from_dict(knockout.rules["entry"]) == EntryRules(("s1",), 2, 0, True)
    assert bracket_of("R01", 1).played_out is PlayedOut.TO_EIGHT
    match = match_of("R01")
    assert (match.minutes, match.must_play_target) == (50, False)
    assert match.equal_levels is EqualLevels.FIRST_TO_REACH
    assert match.unfinished_deal is UnfinishedDeal.HEAD_PLUS_ONE
    scoring = scoring_rules(groups.rules["scoring"], groups.format)
    assert (scoring.win, scoring.loss, scoring.forfeit_win, scoring.forfeit_loss) == (2, 1, 2, 0)
    assert ranking_of("R01") == ["points", "opponents_points"]
    warnings = ranking_warnings(parse_ranking(ranking_of("R01")), scoring, groups.format, True)
    assert warnings == (RankingWarning.OPPONENTS_POINTS_SEPARATE_NOBODY,)
    rules = stated("R01")
    assert (rules.players, rules.leader, rules.coach) == (4, True, True)
    assert (rules.late_minutes, rules.tribute, rules.wrong_cards_levels) == (10, False, 3)
    assert [(tier.first, tier.last) for tier in read_tiers(list(presets()["R01"].prizes))] == [
        (1, 1),
        (2, 4),
        (5, 8),
        (9, None),
    ]


def test_r02_groups_in_their_own_time_then_a_final_group_of_eight():
    groups, final = presets()["R02"].stages
    robin = RoundRobinRules.from_dict(groups.rules["format"])
    assert robin.is_self_scheduled
    assert EntryRules.from_dict(final.rules["entry"]).count * robin.groups == 8
    assert final.format is StageFormat.ROUND_ROBIN
    assert {withdrawal_rule(stage.rules) for stage in (groups, final)} == {Withdrawal.ANNUL}
    assert {match_of("R02", stage).minutes for stage in (0, 1)} == {60}
    assert stated("R02").signatures == "both"
    assert sum((tier.last or 0) - tier.first + 1 for tier in read_tiers(list(presets()["R02"].prizes))) == 6


def test_r03_halves_and_level_difference():
    stage = presets()["R03"].stages[0]
    pairing = PairingRules.from_dict(stage.rules["pairing"])
    assert (pairing.first_round, pairing.same_department) == (FirstRound.HALVES, SameDepartment.ROUND1)
    scoring = scoring_rules(stage.rules["scoring"], stage.format)
    assert (scoring.model, scoring.base) == (ScoringModel.LEVEL_DIFFERENCE, 13)
    assert (scoring.forfeit_win, scoring.forfeit_loss, scoring.double_forfeit) == (16, 0, 0)


def test_r04_five_rounds_match_points_then_levels():
    stage = presets()["R04"].stages[0]
    assert stage.rounds == 5
    assert scoring_rules(stage.rules["scoring"], stage.format).model is ScoringModel.WIN_LOSS
    assert ranking_of("R04")[:3] == ["points", "net_levels", "levels_gained"]


def test_r04_small_points_part_teams_with_equal_big_points():
    stage = presets()["R04"].stages[0]
    scoring = scoring_rules(stage.rules["scoring"], stage.format)
    matches = [
        played_match(1, 1, 2, (15, 9)),
        played_match(1, 3, 4, (15, 3)),
        played_match(2, 1, 3, "double_forfeit"),
    ]
    rows = table(4, matches, *ranking_of("R04"), scoring=scoring)
    assert [(row.team, row.points, row.keys["net_levels"]) for row in rows] == [
        (3, 2, 12),
        (1, 2, 6),
        (2, 0, -6),
        (4, 0, -12),
    ]
    assert deciders(rows)[1] == "net_levels"


def test_r12_points_are_the_levels_gained():
    """Of the final three: 1 beats 2 by passed : 8, 2 beats 3 by J : 9, 3 beats 1 by passed : 5."""
    stage = presets()["R12"].stages[0]
    scoring = scoring_rules(stage.rules["scoring"], stage.format)
    matches = [
        played_match(1, 1, 2, (15, 8)),
        played_match(2, 2, 3, (11, 9)),
        played_match(3, 3, 1, (15, 5)),
    ]
    rows = table(3, matches, *ranking_of("R12"), scoring=scoring)
    assert [(row.team, row.points) for row in rows] == [(3, 20), (1, 16), (2, 15)]


def test_r06_by_number_thirty_minutes():
    assert bracket_of("R06").order is BracketOrder.NUMBERS
    assert match_of("R06").minutes == 30


def test_r07_three_knockouts_and_a_final_group():
    preset = presets()["R07"]
    assert formats_of(preset) == ["knockout"] * 3 + ["round_robin"]
    assert EntryRules.from_dict(preset.stages[3].rules["entry"]).sources == ("s1", "s2", "s3")
    assert EntryRules.from_dict(preset.stages[3].rules["entry"]).count == 1
    assert stated("R07").partners is Partners.NUMBERS


def test_r08_steps_four_three_two():
    match = match_of("R08")
    assert (match.minutes, match.steps) == (None, (4, 3, 2))
    assert match.strikes is not None
    assert (match.strikes.limit, match.strikes.then) == (3, StrikePenalty.LOSE)
    assert bracket_of("R08").played_out is PlayedOut.TWO_THIRDS


def test_r09_best_of_three_or_only_in_the_final():
    assert match_of("R09").best_of == 3
    assert match_of("R09").bonuses == (Bonus.FIRST_STREAK,)
    assert match_of("R09b").best_of == 1
    assert rounds_of("R09b").best_of == {"2": 3}


def test_r10_two_zones_odd_and_even():
    match, bracket = match_of("R10"), bracket_of("R10")
    assert (bracket.zones, bracket.order) == (True, BracketOrder.NUMBERS)
    assert (match.minutes, match.equal_levels) == (80, EqualLevels.FIRST_TO_REACH)
    assert match.strikes is not None
    assert (match.strikes.limit, match.strikes.then) == (3, StrikePenalty.BACK_TO_2)


def test_r11_any_head_passes():
    assert match_of("R11").pass_rule is PassRule.ANY_HEAD


def test_r12_mixed_by_number_with_a_final_group():
    bracket, match = bracket_of("R12"), match_of("R12")
    assert (bracket.order, bracket.byes) == (BracketOrder.NUMBERS, Byes.EACH_ROUND)
    assert bracket.played_out is PlayedOut.FINAL_GROUP
    assert match.minutes is None
    assert match.strikes is not None
    assert (match.strikes.limit, match.strikes.then) == (2, StrikePenalty.LOSE)
    scoring = presets()["R12"].stages[0].rules["scoring"]
    assert scoring_rules(scoring, "knockout").model is ScoringModel.LEVELS_GAINED
    assert ranking_of("R12")[0] == RankingKey.POINTS
    assert stated("R12").partners is Partners.MIXED
    assert any("自选加级" in note for note in stated("R12").notes)


def test_r13_knockout_with_byes():
    assert bracket_of("R13").order is BracketOrder.DRAW
    assert (stated("R13").late_minutes, stated("R13").report_at) == (10, 6)


def test_r14_no_clock_from_the_last_eight():
    match = match_of("R14")
    assert match.minutes == 60
    assert rounds_of("R14").match == {name: {"minutes": None} for name in ("8", "4", "2")}
    assert match.equal_levels is EqualLevels.DECLARER
    assert match.unfinished_deal is UnfinishedDeal.TRAILING_BY_ONE
    assert match.bonuses == (Bonus.FIRST_STREAK, Bonus.LAST_STREAK)
    assert stated("R14").report_at == 10


def test_r15_three_knockout_stages():
    assert formats_of(presets()["R15"]) == ["knockout"] * 3
    rules = [match_of("R15", stage) for stage in range(3)]
    assert [match.minutes for match in rules] == [45, 120, None]
    assert [match.steps for match in rules] == [(6, 4, 2), (3, 2, 1), (3, 2, 1)]
    for match in rules:
        assert match.strikes is not None
        assert (match.strikes.limit, match.strikes.count) == (3, StrikeCount.IN_A_ROW)
        assert match.strikes.then is StrikePenalty.BACK_TO_2
        assert match.equal_levels is EqualLevels.FIRST_TO_REACH


def test_r16_reach_a_in_round_one():
    first = MatchRules.from_dict(rounds_of("R16").match["first"])
    assert (first.minutes, first.pass_rule) == (60, PassRule.REACH)
    assert first.equal_levels is EqualLevels.OFF_STAGE
    later = match_of("R16")
    assert (later.minutes, later.pass_rule) == (None, PassRule.PARTNER_NOT_LAST)


def test_r17_one_heat_and_a_final_of_two():
    heat, final = presets()["R17"].stages
    assert (heat.format, heat.rounds) == (StageFormat.SWISS, 1)
    assert ranking_of("R17")[0] == RankingKey.LEVELS_GAINED
    assert EntryRules.from_dict(final.rules["entry"]).count == 2
    assert match_of("R17", 1).equal_levels is EqualLevels.EXTRA_GAME
    assert stated("R17").calls


def test_r18_only_a_double_passes():
    match = match_of("R18")
    assert bracket_of("R18").order is BracketOrder.NUMBERS
    assert (match.minutes, match.pass_rule) == (40, PassRule.DOUBLE_ONLY)
    assert match.strikes is not None
    assert (match.strikes.count, match.strikes.then) == (StrikeCount.IN_A_ROW, StrikePenalty.BACK_TO_J)


def test_r19_redrawn_each_round():
    match = match_of("R19")
    assert bracket_of("R19").order is BracketOrder.REDRAWN
    assert (match.minutes, match.pass_rule) == (60, PassRule.DOUBLE_ONLY)
    assert match.strikes is not None
    assert (match.strikes.limit, match.strikes.then) == (3, StrikePenalty.BACK_TO_J)
    assert match.equal_levels is EqualLevels.EXTRA_GAME
    assert stated("R19").late_minutes == 5


def test_r20_three_chances_in_total():
    match = match_of("R20")
    assert match.minutes == 60
    assert {rules["minutes"] for rules in rounds_of("R20").match.values()} == {120}
    assert match.strikes is not None
    assert (match.strikes.count, match.strikes.then) == (StrikeCount.TOTAL, StrikePenalty.BACK_TO_2)
    assert match.equal_levels is EqualLevels.EXTRA_GAME


def test_r21_back_to_j():
    match = match_of("R21")
    assert (match.minutes, match.pass_rule) == (35, PassRule.PARTNER_NOT_LAST)
    assert match.strikes is not None
    assert (match.strikes.count, match.strikes.then) == (StrikeCount.IN_A_ROW, StrikePenalty.BACK_TO_J)


def test_r22_swiss_of_four_rounds():
    stage = presets()["R22"].stages[0]
    pairing = PairingRules.from_dict(stage.rules["pairing"])
    assert (stage.rounds, stage.minutes) == (4, 45)
    assert (pairing.first_round, pairing.same_department) == (FirstRound.ENTRY_ORDER, SameDepartment.NEVER)
    match, scoring = match_of("R22"), scoring_rules(stage.rules["scoring"], stage.format)
    assert match.bonuses == (Bonus.THREE_DOUBLES_TO_TARGET,)
    assert match.strikes is not None
    assert match.strikes.then is StrikePenalty.BACK_TO_J
    assert (scoring.bye, scoring.forfeit_win, scoring.irregular) == (0, 0, 0)
    assert ranking_of("R22") == ["points", "head_to_head", "wins", "best_rounds"]
    assert stated("R22").sessions == 2


@pytest.mark.parametrize(
    "unreadable",
    [
        None,
        [],
        "x",
        {"tribute": 1},
        {"report_at": True},
        {"late_minutes": -1},
        {"partners": ["mixed"]},
        {"notes": 7},
    ],
)
def test_what_cannot_be_read_is_not_stated(unreadable):
    assert Discipline.from_dict(unreadable) == Discipline()


def test_notes_are_kept_short():
    read = Discipline.from_dict({"notes": ["  甲  ", "", 5, *["乙" * 500] * 20]})
    assert read.notes[0] == "甲"
    assert len(read.notes) == 12
    assert max(map(len, read.notes)) == 200
