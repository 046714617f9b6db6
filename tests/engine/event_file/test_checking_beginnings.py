"""Groups, brackets, lots and advancement derived again: each way of tampering with them is found."""

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.dumping import dump_event
from guandan_site.event_file.findings import Breach
from guandan_site.event_file.parsing import parse_event
from guandan_site.event_file.simulating import FormatWishes, SimulatedFormat, simulate

ROUND_ROBIN, KNOCKOUT = SimulatedFormat.ROUND_ROBIN, SimulatedFormat.KNOCKOUT
GROUPS_KNOCKOUT = SimulatedFormat.GROUPS_KNOCKOUT
CASES = {
    "by lot": (ROUND_ROBIN, FormatWishes(groups=3)),
    "snake": (ROUND_ROBIN, FormatWishes(groups=3, round_robin={"grouping": "snake"})),
    "odd and even": (ROUND_ROBIN, FormatWishes(groups=2, round_robin={"grouping": "numbers"})),
    "drawn": (KNOCKOUT, FormatWishes(knockout={"bracket": "draw"})),
    "seeded": (KNOCKOUT, FormatWishes(knockout={"bracket": "seeded"})),
    "by number": (KNOCKOUT, FormatWishes(knockout={"bracket": "numbers"})),
    "zones": (KNOCKOUT, FormatWishes(knockout={"bracket": "draw", "zones": True})),
    "redrawn": (KNOCKOUT, FormatWishes(knockout={"bracket": "redrawn"})),
    "chained": (GROUPS_KNOCKOUT, FormatWishes(groups=3)),
}
Value = dict[str, Any]


@cache
def _made(name: str) -> Value:
    format, wishes = CASES[name]
    made = simulate(teams=12, departments=4, rounds=4, seed=5, format=format, wishes=wishes)
    return dump_event(made)


def value_of(name: str) -> Value:
    return copy.deepcopy(_made(name))


def found(value: Value) -> set[tuple[str, Breach]]:
    return {(each.path, each.breach) for each in check_event(parse_event(value))}


def breaches(value: Value) -> set[Breach]:
    return {breach for _path, breach in found(value)}


def _exchange(value: object, one: str, other: str) -> object:
    """Everywhere one team in the other's place, as nobody would notice who looks at the matches alone."""
    names = {one: other, other: one}
    if isinstance(value, dict):
        return {names.get(key, key): _exchange(inner, one, other) for key, inner in value.items()}
    if isinstance(value, list):
        return [_exchange(inner, one, other) for inner in value]
    return names.get(value, value) if isinstance(value, str) else value


def _apart(stage: Value) -> tuple[str, str]:
    """Two teams of different groups."""
    first, second = stage["layout"]["groups"][:2]
    return first[0], second[0]


def _first_round(stage: Value) -> tuple[str, str]:
    """Two teams that enter different matches of the bracket."""
    entered = [match["home"]["team"] for match in stage["layout"]["bracket"] if "team" in match["home"]]
    return entered[0], entered[1]


@pytest.mark.parametrize("name", ["by lot", "snake", "odd and even"])
def test_groups_that_were_not_drawn(name):
    value = value_of(name)
    value["stages"][0] = _exchange(value["stages"][0], *_apart(value["stages"][0]))
    assert ("$.stages[0].layout.groups[0]", Breach.OTHER_GROUPS) in found(value)


@pytest.mark.parametrize("name", ["drawn", "seeded", "by number", "zones", "redrawn"])
def test_a_bracket_that_was_not_drawn(name):
    value = value_of(name)
    value["stages"][0] = _exchange(value["stages"][0], *_first_round(value["stages"][0]))
    assert any(
        path.startswith("$.stages[0].layout.bracket[") and breach is Breach.OTHER_BRACKET
        for path, breach in found(value)
    )


@pytest.mark.parametrize("name", ["by lot", "drawn", "zones", "redrawn", "chained"])
def test_another_seed(name):
    value = value_of(name)
    value["stages"][0]["layout"]["seed"] += 1
    assert breaches(value) & {Breach.OTHER_GROUPS, Breach.OTHER_BRACKET}


def test_a_schedule_in_another_order():
    value = value_of("by lot")
    stage = value["stages"][0]
    for rounds in (stage["layout"]["schedule"], stage["rounds"]):
        rounds[0], rounds[1] = rounds[1], rounds[0]
    for number, played in enumerate(stage["rounds"], start=1):
        played["number"] = number
    assert found(value) == {("$.stages[0].layout.schedule", Breach.OTHER_SCHEDULE)}


def test_lots_of_a_later_round_that_were_not_drawn():
    value = value_of("redrawn")
    second = value["stages"][0]["rounds"][1]
    assert second["draw"]["method"] == "lots"
    second["draw"]["seed"] += 1
    assert ("$.stages[0].rounds[1].draw", Breach.OTHER_LOTS) in found(value)
    second["draw"]["changes"] = [{"act": "voided", "version": 2}]
    assert breaches(value) == set()


class TestAdvancing:
    def test_another_team_entered(self):
        """The one that came second and the one behind it, in all that the later stage says."""
        value = value_of("chained")
        later, groups = value["stages"][1], value["stages"][0]["groups"]
        entered = set(later["teams"])
        inside = next(team for team in groups[0]["teams"] if team in entered)
        outside = next(team for team in groups[0]["teams"] if team not in entered)
        value["stages"][1] = _exchange(later, inside, outside)
        numbers = {team["id"]: team["number"] for team in value["teams"]}
        value["stages"][1]["teams"].sort(key=numbers.__getitem__)
        told = {(each.breach, each.values["team"]) for each in check_event(parse_event(value))}
        assert told == {
            (Breach.ADVANCE_MISSING, numbers[inside]),
            (Breach.ADVANCED_WRONGLY, numbers[outside]),
        }

    def test_seeds_exchanged(self):
        value = value_of("chained")
        later = value["stages"][1]
        one, other = sorted(later["seeds"], key=later["seeds"].__getitem__)[:2]
        later["seeds"][one], later["seeds"][other] = later["seeds"][other], later["seeds"][one]
        assert found(value) == {
            (f"$.stages[1].seeds.{one}", Breach.OTHER_SEED),
            (f"$.stages[1].seeds.{other}", Breach.OTHER_SEED),
        }

    def test_a_replacement_that_nobody_recorded(self):
        value, one, other = self._replaced()
        assert breaches(value) == {Breach.ADVANCE_MISSING, Breach.ADVANCED_WRONGLY}
        value["stages"][1]["layout"]["replaced"] = [{"team": one, "by": other}]
        assert breaches(value) == set()
        value["stages"][1]["layout"]["replaced"] = [{"team": other, "by": one}]
        assert breaches(value) & {Breach.ADVANCE_MISSING, Breach.ADVANCED_WRONGLY}

    @staticmethod
    def _replaced() -> tuple[Value, str, str]:
        value = value_of("chained")
        entered = set(value["stages"][1]["teams"])
        one = min(entered)
        other = next(team["id"] for team in value["teams"] if team["id"] not in entered)
        value["stages"][1] = _exchange(value["stages"][1], one, other)
        numbers = {team["id"]: team["number"] for team in value["teams"]}
        value["stages"][1]["teams"].sort(key=numbers.__getitem__)
        return value, one, other

    def test_a_result_turned_after_the_cut(self):
        """Unless it is recorded what it was, the standings would have let others advance."""
        value = value_of("chained")
        changes = turn_until(value, lambda: bool(breaches(value)))
        assert breaches(value) <= {Breach.ADVANCE_MISSING, Breach.ADVANCED_WRONGLY, Breach.OTHER_SEED}
        value["stages"][1]["layout"]["after_cut"] = changes
        assert breaches(value) == set()

    def test_points_taken_after_the_cut(self):
        value = value_of("chained")
        best = min(value["stages"][1]["seeds"], key=value["stages"][1]["seeds"].__getitem__)
        value["stages"][0]["adjustments"] = [{"team": best, "round": 1, "points": -100, "reason": "迟到"}]
        assert Breach.ADVANCE_MISSING in breaches(value)
        change = {"stage": "s1", "team": best, "round": 1, "given": -100}
        value["stages"][1]["layout"]["after_cut"] = [change]
        assert breaches(value) == set()

    def test_a_tie_at_the_line_without_lots(self):
        value = value_of("chained")
        for played in value["stages"][0]["rounds"]:
            for match in played["matches"]:
                if match["away"] is not None:
                    match["result"] = {"outcome": "irregular"}
        value["stages"][0]["lots"] = {}
        assert ("$.stages[1].teams", Breach.CUT_OPEN) in found(value)

    def test_who_had_left_at_the_cut(self):
        """A team that leaves after the cut had advanced; one that is said to have left before had not."""
        value = value_of("chained")
        best = min(value["stages"][1]["seeds"], key=value["stages"][1]["seeds"].__getitem__)
        value["stages"][1]["layout"]["left"] = [best]
        next(team for team in value["teams"] if team["id"] == best)["withdrawn_after"] = 1
        assert Breach.ADVANCED_WRONGLY in breaches(value)


def turn_until(value: Value, is_done: Callable[[], bool]) -> list[Value]:
    """Results of the first stage turned round one after the other; what they were, in order."""
    changes = []
    for played in value["stages"][0]["rounds"]:
        for match in played["matches"]:
            was = match["result"]
            if was["outcome"] != "played" or is_done():
                continue
            changes.append(
                {
                    "stage": "s1",
                    "round": played["number"],
                    "home": match["home"],
                    "away": match["away"],
                    "was": was,
                }
            )
            turned = {"home": "away", "away": "home"}.get(was.get("winner"), was.get("winner"))
            levels = {"home_level": was["away_level"], "away_level": was["home_level"]}
            match["result"] = {**was, **levels, "winner": turned}
    return changes


def test_a_team_in_two_sections():
    value = value_of("chained")
    first = value["stages"][0]
    second = {**copy.deepcopy(first), "id": "s9", "name": "乙区", "rounds": [], "layout": {}, "groups": []}
    first["teams"] = [team["id"] for team in value["teams"]]
    second["teams"] = first["teams"][:1]
    value["stages"].insert(1, second)
    value["stages"][2]["rules"]["entry"]["from"] = ["s1", "s9"]
    assert ("$.stages[1].teams", Breach.IN_TWO_SECTIONS) in found(value)


def test_a_group_that_is_over_without_a_result():
    value = value_of("by lot")
    stage = value["stages"][0]
    stage["rules"]["format"]["schedule"] = "self"
    for played in stage["rounds"]:
        played["status"] = "published"
    stage["groups"][0]["finished_at"] = "2026-12-05T18:00:00+08:00"
    assert breaches(value) == set()
    index, match = next(
        (index, match)
        for index, match in enumerate(stage["rounds"][0]["matches"])
        if match["group"] == 1 and match["away"]
    )
    match["result"] = None
    path = f"$.stages[0].rounds[0].matches[{index}].result"
    assert found(value) == {(path, Breach.GROUP_UNFINISHED)}
