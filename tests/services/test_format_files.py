"""Stages with groups and brackets travel: file → database → file, and both compute the same."""

from __future__ import annotations

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.computing import completed, stage_standings
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.storing import store_event
from pairing.services import begin_stage, draw_lots, publish_schedule, void_following
from scoring import selectors
from tests.engine.event_file.test_formats import CASES, made
from tests.services.stages import (
    KNOCKOUT,
    ROUND_ROBIN,
    begun,
    drawn,
    format_event,
    play_round,
    play_stage,
    stage_of,
)
from tests.services.test_formats import R01
from tournaments.models import Match
from tournaments.services import withdraw_team

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", CASES)
def test_export_of_an_import_is_the_same_file(name):
    document = completed(made(name))
    assert to_bytes(document_of(store_event(document))) == to_bytes(document)


@pytest.mark.parametrize("name", ["uneven groups", "thirteen", "final group", "R01"])
def test_pages_and_files_show_the_same_standings(name):
    document = completed(made(name))
    event = store_event(document)
    for entry, stage in zip(document.stages, event.stages.order_by("order"), strict=True):
        shown = selectors.stage_standings(stage).rows
        computed = stage_standings(document, entry).ranked
        assert [(row.rank, row.last_rank, row.team.key, row.points) for row in shown] == [
            (each.row.rank, each.last, each.row.team, each.row.points) for each in computed
        ]


def _sound(event) -> bool:
    """Whether the event keeps its rules as a file, and comes back from it the same."""
    document = document_of(event)
    assert check_event(document) == []
    content = to_bytes(document)
    again = store_event(load_event(content), replace=True)
    return to_bytes(document_of(again)) == content


def test_an_event_played_by_its_services_keeps_its_rules():
    event = format_event(*R01, teams=24, departments=6)
    for order in (1, 2):
        play_stage(begun(event, None, order), None)
    assert _sound(event)


@pytest.mark.parametrize("bracket", ["numbers", "draw", "redrawn", "seeded"])
def test_a_knockout_of_each_order_keeps_its_rules(bracket):
    rules = {"format": {"bracket": bracket, "played_out": "to_eight"}}
    event = format_event((KNOCKOUT, rules), teams=11, departments=3)
    stage = begun(event, None)
    for _ in range(2):
        play_round(stage, None)
        assert check_event(document_of(event)) == []
    drawn(stage, None)
    assert _sound(event)


@pytest.mark.parametrize("rule", ["keep", "annul", "no_place"])
@pytest.mark.parametrize("format", [ROUND_ROBIN, KNOCKOUT])
def test_a_team_that_leaves(format, rule):
    event = format_event((format, {"withdrawal": rule}), teams=7)
    stage = begun(event, None)
    play_round(stage, None)
    withdraw_team(team=event.teams.get(number=3), from_round=2, by=None)
    play_stage(stage, None)
    assert _sound(event)


def test_a_schedule_played_in_the_teams_own_time():
    event = format_event((ROUND_ROBIN, {"format": {"schedule": "self", "groups": 2}}), teams=7)
    publish_schedule(stage=begun(event, None), by=None)
    assert _sound(event)


def test_lots_and_what_was_voided():
    event = format_event((ROUND_ROBIN, {"ranking": ["wins"]}), (KNOCKOUT, {"entry": {"from": "s1"}}), teams=3)
    play_stage(begun(event, None), None, lambda match: True)
    draw_lots(stage=stage_of(event), by=None, seed=1)
    assert _sound(event)
    event = type(event).objects.get()
    begin_stage(stage=stage_of(event, 2), by=None, seed=1)
    assert _sound(event)


def test_a_bracket_with_matches_voided_misses_them():
    event = format_event((KNOCKOUT, {}), teams=4)
    stage = begun(event, None)
    play_stage(stage, None)
    match = Match.objects.select_related("round__stage__event").get(round__stage=stage, key="1.1")
    void_following(match=match, by=None, reason="登记错误")
    assert _sound(event)
