"""What is corrected after later rounds were drawn: each draw is checked from what stood when it was made."""

from __future__ import annotations

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.storing import store_event
from pairing.services import (
    close_round,
    discard_draft,
    draw_round,
    publish_round,
    redraw_round,
    set_meeting,
    swap_teams,
)
from pairing.services.drawing import MeetingWish
from pairing.services.guards import draw_of
from pairing.services.rules import change_rules
from scoring.engine.penalties import PenaltyAction, PenaltyRule
from scoring.engine.swapping import sides_swapped
from scoring.penalties import cancel_penalty, give_penalty
from scoring.selectors import entered_result, stage_standings
from scoring.services import record_result
from tests.builders import make_event, make_result
from tests.services.stages import stage_of
from tournaments.models import Match, Round, Stage
from tournaments.services.teams import withdraw_team


@pytest.fixture
def event(db):
    return make_event(teams=8, departments=0, rules={"withdrawal": "annul"})


@pytest.fixture
def third(event, chief):
    """Two rounds closed, the third drawn and still a draft."""
    for number in (1, 2):
        round_ = draw_round(stage=stage_of(event), by=chief, seed=number)
        publish_round(round=round_, by=chief, expected_version=draw_of(round_).version)
        for table in range(1, 5):
            make_result(round_, table, 15, 2 + (table * 3 + number) % 12)
        close_round(round=Round.objects.get(pk=round_.pk), by=chief)
    return draw_round(stage=stage_of(event), by=chief, seed=3)


def give(event, chief, action=PenaltyAction.POINTS, amount=-40, round_number=1):
    facts = {"rule": PenaltyRule.OTHER, "action": action, "amount": amount, "reason": "违规"}
    team = best(event)
    return give_penalty(stage=stage_of(event), team=team, by=chief, round_number=round_number, **facts)


def best(event):
    return stage_standings(stage_of(event)).rows[0].team


def given_and_cancelled(event, chief):
    cancel_penalty(penalty=give(event, chief), by=chief, reason="误判")
    give(event, chief, PenaltyAction.MATCH_LOST, 0)


def turned(event, chief):
    """Table 1 of round 1 was written the wrong way round."""
    match = Match.objects.select_related("round__stage", "result").get(round__number=1, table=1)
    record_result(
        match=match,
        by=chief,
        entry=sides_swapped(entered_result(match.result)),
        expected_version=match.result.version,
        reason="两队写反了",
    )


def other_rules(event, chief):
    rules = {"scoring": {"model": "win_loss"}, "ranking": ["points", "levels_gained"]}
    change_rules(stage=stage_of(event), rules=rules, by=chief, reason="规程")


def notes(event):
    return stage_of(event).layout.get("after_draw", [])


def breaches(event):
    return {each.breach.value for each in check_event(document_of(event))}


ACTS = {
    "points": give,
    "levels": lambda event, chief: give(event, chief, PenaltyAction.LEVELS, -9),
    "taken back": given_and_cancelled,
    "a result": turned,
    "rules": other_rules,
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_each_draw_is_found_again_from_what_stood_when_it_was_made(event, third, chief, act):
    act(event, chief)
    assert breaches(event) == set()
    Stage.objects.update(layout={})
    assert breaches(event) & {"other_draw", "bye_too_high"}


def test_who_leaves_takes_the_results_only_out_of_later_draws(event, third, chief):
    publish_round(round=third, by=chief, expected_version=draw_of(third).version)
    withdraw_team(team=best(event), from_round=4, by=chief, reason="身体不适")
    assert breaches(event) == set()


def test_a_meeting_forbidden_from_now_on_speaks_of_no_earlier_round(event, third, chief):
    met = Match.objects.select_related("home", "away").get(round__number=2, table=1)
    wish = {"wish": MeetingWish.FORBIDDEN, "expected_version": draw_of(third).version}
    set_meeting(round=third, first=met.home, second=met.away, by=chief, **wish)
    assert [note["drawn"] for note in notes(event)] == [2]
    assert breaches(event) == set()


def test_what_a_draw_knew_is_no_news_to_it(event, third, chief):
    give(event, chief)
    give(event, chief, amount=-2, round_number=2)
    give(event, chief, amount=-2, round_number=3)
    assert [(note["drawn"], note["given"]) for note in notes(event)] == [(3, -40), (3, -2)]
    redraw_round(round=third, by=chief, expected_version=draw_of(third).version, seed=7)
    assert [note["drawn"] for note in notes(event)] == [2, 2]
    assert breaches(event) == set()
    discard_draft(round=third, by=chief, expected_version=draw_of(third).version)
    assert [note["drawn"] for note in notes(event)] == [2, 2]


def test_a_first_draft_that_is_discarded_leaves_no_note(event, chief):
    first = draw_round(stage=stage_of(event), by=chief, seed=1)
    give(event, chief)
    assert [note["drawn"] for note in notes(event)] == [1]
    discard_draft(round=first, by=chief, expected_version=draw_of(first).version)
    assert stage_of(event).layout == {}


def test_the_event_file_carries_it(event, third, chief):
    give(event, chief)
    written = to_bytes(document_of(event))
    document = load_event(written)
    assert check_event(document) == []
    assert to_bytes(document_of(store_event(document, replace=True))) == written


def test_what_no_draw_was_made_from_is_not_noted(event, chief):
    round_ = draw_round(stage=stage_of(event), by=chief, seed=1)
    publish_round(round=round_, by=chief, expected_version=draw_of(round_).version)
    for table in range(1, 5):
        make_result(round_, table, 15, 2 + table)
    close_round(round=Round.objects.get(pk=round_.pk), by=chief)
    turned(event, chief)
    give(event, chief, PenaltyAction.MATCH_LOST, 0)
    assert notes(event) == []
    give(event, chief)
    assert [(note["drawn"], note["given"]) for note in notes(event)] == [(1, -40)]


def test_by_hand_is_only_what_the_chief_changed(event, third, chief):
    other_rules(event, chief)
    first, second = (match.home for match in third.matches.order_by("table")[1:3])
    version = draw_of(third).version
    swap_teams(round=third, first=first, second=second, by=chief, expected_version=version, confirmed=True)
    version = draw_of(third).version
    publish_round(round=third, by=chief, expected_version=version, reason="轮椅")
    assert draw_of(third).by_hand["tables"] == [2, 3]
