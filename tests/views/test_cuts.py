"""A result corrected after the cut: first who would advance now, then the correction, seeds frozen."""

from __future__ import annotations

import pytest
from django.urls import reverse

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.exporting import document_of
from pairing.selectors.cuts import cut_difference
from pairing.services import draw_lots, replace_entry
from pairing.services.rules import change_rules
from scoring.engine.penalties import PenaltyAction, PenaltyRule
from scoring.models import Result
from scoring.penalties import give_penalty
from tests.services.stages import (
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    begun,
    drawn,
    enter,
    play_stage,
    published,
    stage_of,
)
from tournaments.log import Act
from tournaments.models import LogEntry, Match, Stage, StageEntry

LEVELS_FIRST = {"ranking": ["levels_gained", "points", "lots"]}
GROUPS = {"format": {"groups": 2, "grouping": "numbers"}}


def text(response) -> str:
    return response.content.decode()


def at(name: str, *args) -> str:
    return reverse(name, args=["cup", *args])


@pytest.fixture(params=["groups", "swiss"])
def chained(event, chief, request):
    """Four of eight have advanced from groups or a Swiss stage; the knockout is drawn, not played."""
    event.stages.all().delete()
    first = (
        (ROUND_ROBIN, GROUPS)
        if request.param == "groups"
        else (SWISS, {"pairing": {"same_department": "allow"}})
    )
    count = 2 if request.param == "groups" else 4
    later = (KNOCKOUT, {"entry": {"from": "s1", "count": count}})
    for order, (format, rules) in enumerate((first, later), start=1):
        Stage.objects.create(
            event=event,
            key=f"s{order}",
            order=order,
            name=f"阶段{order}",
            format=format,
            rules=rules,
            rounds_planned=3,
        )
    if request.param == "groups":
        begun(event, chief)
    play_stage(stage_of(event), chief)
    if request.param == "swiss":
        draw_lots(stage=stage_of(event), by=chief, seed=3)
    drawn(begun(event, chief, 2), chief)
    return event


def decisive(event) -> Match:
    """A match of a team that advanced against one that did not."""
    entered = set(StageEntry.objects.filter(stage=stage_of(event, 2)).values_list("team", flat=True))
    rows = Match.objects.filter(round__stage__order=1, round__stage__event=event, away__isnull=False)
    for match in rows.select_related("round__stage__event", "home", "away", "result").order_by(
        "-round__number"
    ):
        if (match.home_id in entered) != (match.away_id in entered):
            return match
    raise AssertionError


def forfeit(match: Match, event) -> dict[str, object]:
    """The one that advanced forfeits."""
    entered = set(StageEntry.objects.filter(stage=stage_of(event, 2)).values_list("team", flat=True))
    levels = (
        {"home_level": "x", "away_level": ""}
        if match.home_id in entered
        else {"home_level": "", "away_level": "x"}
    )
    seen = {"version": match.result.version, "home": match.home.number, "away": match.away.number}
    return {**seen, **levels, "reason": "登记错误", "kind": ""}


def place(match: Match) -> list[int]:
    return [1, match.round.number, match.table]


def test_the_chief_is_told_before_anything_is_saved(chained, chief_client):
    match = decisive(chained)
    typed, was = forfeit(match, chained), match.result.version
    answer = chief_client.post(at("result_save", *place(match)), typed)
    assert answer.status_code == 303
    assert answer["Location"].startswith(at("correction", *place(match)))
    page = text(chief_client.get(answer["Location"]))
    assert "种子已经冻结，不会自动改" in page
    assert "应是" in page
    assert Result.objects.get(match=match).version == was
    assert not LogEntry.objects.filter(act=Act.CUT_PASSED).exists()


def test_saved_all_the_same_the_seeds_stay_and_the_log_tells(chained, chief_client):
    match = decisive(chained)
    before = list(StageEntry.objects.filter(stage=stage_of(chained, 2)).values_list("seed", "team"))
    layout = stage_of(chained, 2).layout
    answer = chief_client.post(at("correction", *place(match)), forfeit(match, chained))
    assert answer.status_code == 303
    assert Result.objects.get(match=match).outcome.startswith("forfeit")
    assert list(StageEntry.objects.filter(stage=stage_of(chained, 2)).values_list("seed", "team")) == before
    after = stage_of(chained, 2).layout
    assert after["bracket"] == layout["bracket"]
    assert len(after["after_cut"]) == 1
    entry = LogEntry.objects.get(act=Act.CUT_PASSED)
    assert entry.reason == "登记错误"
    assert entry.old["advanced"] != entry.new["would_advance"]
    page = text(chief_client.get(at("stages")))
    assert "这些队出线之后，前面阶段的成绩有更正" in page
    assert check_event(document_of(chained)) == []


def test_the_desk_tells_it_until_the_right_team_is_in(chained, chief_client, chief):
    first, later = stage_of(chained), stage_of(chained, 2)
    later.rounds.all().delete()
    assert "看出线队" not in text(chief_client.get(at("desk")))
    best = StageEntry.objects.select_related("team").get(stage=later, seed=1).team
    points = {"rule": PenaltyRule.LATE, "action": PenaltyAction.POINTS, "amount": -90}
    give_penalty(stage=first, team=best, by=chief, round_number=3, reason="迟到", **points)
    found = cut_difference(stage_of(chained, 2))
    assert f"应是 {found.into[0].number} 号队，而不是 {best.number} 号队" in text(
        chief_client.get(at("desk"))
    )
    replace_entry(stage=later, team=best, by_team=found.into[0], by=chief, reason="更正")
    left = cut_difference(stage_of(chained, 2))
    assert (left.out, left.into) == ([], [])
    assert "而不是" not in text(chief_client.get(at("stages")))
    published(later, chief)
    assert "看出线队" not in text(chief_client.get(at("desk")))


def test_to_htmx_it_answers_with_where_to_go(chained, chief_client):
    match = decisive(chained)
    answer = chief_client.post(
        at("result_save", *place(match)), forfeit(match, chained), headers={"HX-Request": "true"}
    )
    assert answer["HX-Redirect"].startswith(at("correction", *place(match)))


def test_a_correction_that_changes_nobodys_place(chained, chief_client):
    match = decisive(chained)
    result = match.result
    levels = {"home_level": "a", "away_level": "9"}
    if result.winner == "away":
        levels = {"home_level": "9", "away_level": "a"}
    typed = {**forfeit(match, chained), **levels}
    page = text(chief_client.get(at("correction", *place(match)), typed))
    assert "出线队和种子都不变" in page or "应是" in page
    back = chief_client.post(at("correction", *place(match)), {**typed, "version": "77"})
    assert back.status_code == 303
    assert "刚被别人改过" in text(chief_client.get(back["Location"]))


def test_an_assistant_is_not_sent_there(chained, assistant_client):
    match = decisive(chained)
    assert assistant_client.post(at("result_save", *place(match)), forfeit(match, chained)).status_code == 403
    assert assistant_client.get(at("correction", *place(match))).status_code == 403


def test_points_rules_lots_and_replacements_after_the_cut_are_recorded_too(chained, chief):
    first, later = stage_of(chained), stage_of(chained, 2)
    best = StageEntry.objects.select_related("team").get(stage=later, seed=1).team
    points = {"rule": PenaltyRule.LATE, "action": PenaltyAction.POINTS, "amount": -90}
    give_penalty(stage=first, team=best, by=chief, round_number=3, reason="迟到", **points)
    assert check_event(document_of(chained)) == []
    change_rules(stage=first, rules=stage_of(chained).rules | LEVELS_FIRST, by=chief, reason="规程")
    assert check_event(document_of(chained)) == []
    later.rounds.all().delete()
    entered = StageEntry.objects.filter(stage=later).values("team")
    free = chained.teams.exclude(pk__in=entered).first()
    replace_entry(stage=later, team=best, by_team=free, by=chief, reason="递补")
    assert check_event(document_of(chained)) == []
    last = StageEntry.objects.select_related("team").get(stage=later, seed=4).team
    replace_entry(stage=later, team=last, by_team=best, by=chief, reason="递补")
    assert check_event(document_of(chained)) == []


def test_a_penalty_in_the_stage_before_says_who_would_advance(chained, chief_client):
    best = StageEntry.objects.select_related("team").get(stage=stage_of(chained, 2), seed=1).team
    case = {"stage": "1", "number": best.number, "round_number": "3", "rule": "late", "minutes": "9"}
    ruled = case | {"action": "points_taken", "amount": "90", "reason": "迟到"}
    answer = chief_client.post(at("penalty_give"), ruled)
    assert answer["Location"].startswith(at("penalty_correction"))
    page = text(chief_client.get(answer["Location"]))
    assert "种子已经冻结，不会自动改" in page
    assert "保存处罚，种子不动" in page
    assert chief_client.post(at("penalty_correction"), ruled).status_code == 303
    assert LogEntry.objects.get(act=Act.CUT_PASSED).reason == "迟到"
    assert "阶段1" in text(chief_client.get(at("penalties")))
    assert check_event(document_of(chained)) == []


def test_before_the_cut_a_correction_is_simply_saved(event, chief, chief_client):
    event.stages.all().delete()
    Stage.objects.create(event=event, key="s1", order=1, name="阶段1", format=ROUND_ROBIN, rules=GROUPS)
    Stage.objects.create(
        event=event, key="s2", order=2, name="阶段2", format=KNOCKOUT, rules={"entry": {"from": "s1"}}
    )
    begun(event, chief)
    play_stage(stage_of(event), chief)
    match = Match.objects.select_related("round__stage__event").filter(table=1).first()
    enter(match, chief, home_wins=False, reason="登记错误")
    assert "after_cut" not in stage_of(event, 2).layout
