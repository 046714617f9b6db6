"""docs/rules.md keeps its word: what applies and what holds each rule exists, every setting stands there."""

import ast
import importlib
import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import pytest

from pairing.engine import types as draw_rules
from pairing.engine.groups import GroupMethod
from pairing.engine.knockout import BracketOrder, Byes, PlayedOut
from scoring.engine import outcomes
from scoring.engine import rules as match_rules
from scoring.engine.levels import PASSED, parse_level
from scoring.engine.points import match_points
from tests.engine.scoring.build import completed, rules
from tournaments.planner import Concern
from tournaments.roster import Problem

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
FOLDERS = re.compile(r"^Code in `(?P<code>[^`]+)`, tests in `(?P<tests>[^`]+)`", re.MULTILINE)
CODE = re.compile(r"`([\w/]+\.py): ([\w.]+)`")
TEST = re.compile(r"`([\w/]+\.py)::([\w:]+)`")
CHOICES: list[type[StrEnum]] = [
    draw_rules.FirstRound,
    draw_rules.Method,
    draw_rules.Rematch,
    draw_rules.SameDepartment,
    GroupMethod,
    BracketOrder,
    Byes,
    PlayedOut,
    match_rules.ScoringModel,
    match_rules.RankingKey,
    match_rules.PassRule,
    match_rules.EqualLevels,
    match_rules.UnfinishedDeal,
    match_rules.StrikeCount,
    match_rules.StrikeWhen,
    match_rules.StrikePenalty,
    match_rules.Bonus,
    outcomes.Outcome,
    outcomes.Reason,
    Problem,
    Concern,
]
REASONS = {"strikes": "strikes", "penalty": "penalty", "the rule for equal levels": "tie_rule"}


class Row(NamedTuple):
    """A rule: its first cell, the functions that apply it and the tests that hold it, as paths and names."""

    rule: str
    code: list[tuple[str, str]]
    tests: list[tuple[str, str]]


def _under(folder: str, found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(path if "/" in path else folder + path, name) for path, name in found]


def _rows() -> Iterator[Row]:
    """The rows of all tables that end in "applied by | held by", each read under its chapter's folders."""
    for chapter in TEXT.split("\n## ")[1:]:
        folders = FOLDERS.search(chapter)
        _, _, table = chapter.partition("| applied by | held by |\n")
        for line in table.splitlines()[1:]:
            if not folders or not line.startswith("|"):
                break
            cells = line.strip("| ").split(" | ")
            code, tests = CODE.findall(cells[-2]), TEST.findall(cells[-1])
            yield Row(cells[0], _under(folders["code"], code), _under(folders["tests"], tests))


ROWS = list(_rows())


@cache
def _tests_in(path: str) -> set[str]:
    """`test_x` and `TestY::test_x` of a file; it is parsed, not run."""
    found = set()
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        found |= {prefix + each.name for each in inside if isinstance(each, ast.FunctionDef)}
    return found


def _has(path: str, name: str) -> bool:
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    try:
        return attrgetter(name)(module) is not None
    except AttributeError:
        return False


def test_every_chapter_of_rules_is_read():
    assert len({row.rule for row in ROWS}) > 100
    assert TEXT.count("| applied by | held by |") == len(FOLDERS.findall(TEXT))


def test_every_reference_is_read():
    assert sum(len(row.code) for row in ROWS) == len(CODE.findall(TEXT))
    assert sum(len(row.tests) for row in ROWS) == len(TEST.findall(TEXT))


def test_every_rule_is_applied_and_held():
    assert [row.rule for row in ROWS if not (row.code and row.tests)] == []


def test_every_function_exists():
    named = {place for row in ROWS for place in row.code}
    assert [place for place in sorted(named) if not _has(*place)] == []


def test_every_test_exists():
    named = {place for row in ROWS for place in row.tests}
    assert [(path, name) for path, name in sorted(named) if name not in _tests_in(path)] == []


@pytest.mark.parametrize("kind", CHOICES, ids=lambda kind: kind.__name__)
def test_every_value_of_a_setting_is_explained(kind):
    assert [each.value for each in kind if f"`{each.value}`" not in TEXT] == []


def test_every_field_of_the_rules_is_explained():
    fields = [*match_rules.MatchRules().as_dict(), *match_rules.ScoringRules().as_dict()]
    fields += [*match_rules.StrikeRules().as_dict(), *draw_rules.PairingRules().as_dict()]
    assert [name for name in fields if not re.search(rf"`[\w.]*\b{name}`", TEXT)] == []


POINTS = re.findall(r"^\| (\w+) \| (\w+) \| (\d+) : (\d+) \|(?: (\w+) won by ([\w ]+))?", TEXT, re.MULTILINE)


@pytest.mark.parametrize(("home", "away", "home_points", "away_points", "winner", "reason"), POINTS)
def test_the_table_of_points(home, away, home_points, away_points, winner, reason):
    levels = [PASSED if text == "passed" else parse_level(text) for text in (home, away)]
    ruling = {"winner": winner, "reason": REASONS[reason.strip()]} if winner else {}
    result = completed(*levels, rules(equal_levels="first_to_reach" if reason else "tie"), **ruling)
    assert match_points(result, match_rules.ScoringRules()) == (int(home_points), int(away_points))


def test_the_table_of_points_is_read():
    assert len(POINTS) == 11
