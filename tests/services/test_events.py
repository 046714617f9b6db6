"""Creating and setting up events, and who officiates them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pairing.engine.types import PairingRules
from scoring.engine.rules import MatchRules, ScoringRules, parse_ranking
from tests.builders import make_round, make_user
from tournaments.log import Act
from tournaments.models import Event, LogEntry, Official, RoundStatus, Stage, StageFormat
from tournaments.presets import presets, with_minutes
from tournaments.roles import CHIEF
from tournaments.selectors.events import EventState, event_cards, proposed_slug
from tournaments.services.events import (
    EventFacts,
    SlugTaken,
    TooFewRounds,
    appoint_official,
    change_event,
    create_event,
    remove_official,
)

FACTS = EventFacts("教职工赛", "staff-2026", "活动中心", "校工会", datetime(2026, 12, 5, 1, tzinfo=UTC))


def create(**changes) -> Event:
    chosen = {"facts": FACTS, "preset": presets()["R22"], "rounds": 4, "minutes": 45, "by": None} | changes
    return create_event(**chosen)


@pytest.mark.parametrize("code", ["default", "R03", "R04", "R22"])
def test_every_preset_is_read_by_the_engines(code):
    rules = presets()[code].rules
    MatchRules.from_dict(rules["match"])
    ScoringRules.from_dict(rules["scoring"])
    parse_ranking(rules["ranking"])


def test_the_default_preset_is_the_engines_default():
    rules = presets()["default"].rules
    assert next(iter(presets())) == "default"
    assert MatchRules.from_dict(rules["match"]) == MatchRules()
    assert ScoringRules.from_dict(rules["scoring"]) == ScoringRules()


def test_minutes_go_into_a_copy_of_the_rules():
    rules = presets()["R22"].rules
    assert with_minutes(rules, 60)["match"]["minutes"] == 60
    assert with_minutes({}, None) == {"match": {"minutes": None}}
    assert rules["match"]["minutes"] == 45


def test_a_new_event_has_one_swiss_stage_with_the_presets_rules(administrator):
    event = create(minutes=None, rounds=5, by=administrator)
    stage = event.stages.get()
    assert (stage.format, stage.rounds_planned, stage.minutes) == (StageFormat.SWISS, 5, None)
    assert stage.rules["match"]["strikes"]["then"] == "J"
    entry = LogEntry.objects.get(act=Act.EVENT_CREATED)
    assert (entry.event, entry.by, entry.new["preset"]) == (event, administrator, "教工瑞士赛")
    with pytest.raises(SlugTaken):
        create()


def test_a_change_is_logged_old_and_new(db, administrator):
    event = create()
    change_event(
        event=event,
        facts=replace(FACTS, venue="体育馆", slug="cup-2"),
        rounds=4,
        minutes=60,
        by=administrator,
    )
    event.refresh_from_db()
    assert (event.venue, event.slug, event.stages.get().minutes) == ("体育馆", "cup-2", 60)
    entry = LogEntry.objects.get(act=Act.EVENT_CHANGED)
    assert entry.old == {"venue": "活动中心", "slug": "staff-2026", "minutes": 45}
    assert entry.new == {"venue": "体育馆", "slug": "cup-2", "minutes": 60}
    change_event(
        event=event, facts=replace(FACTS, venue="体育馆", slug="cup-2"), rounds=4, minutes=60, by=None
    )
    assert LogEntry.objects.filter(act=Act.EVENT_CHANGED).count() == 1


def test_rounds_do_not_fall_below_those_drawn(event):
    make_round(event, [(1, 2)], status=RoundStatus.COMPLETED)
    make_round(event, [(1, 3)], number=2, status=RoundStatus.DRAFT)
    facts = EventFacts(event.name, event.slug)
    with pytest.raises(TooFewRounds) as refused:
        change_event(event=event, facts=facts, rounds=1, minutes=45, by=None)
    assert refused.value.drawn == 2
    event.refresh_from_db()
    assert (event.venue, event.stages.get().rounds_planned) == ("活动中心", 4)


def test_officials_come_and_go_and_it_is_logged_once(event, administrator):
    user = make_user("new", CHIEF)
    for _turn in range(2):
        appoint_official(event=event, user=user, by=administrator)
    assert Official.objects.filter(event=event, user=user).count() == 1
    for _turn in range(2):
        remove_official(event=event, user=user, by=administrator)
    assert not Official.objects.filter(event=event, user=user).exists()
    assert LogEntry.objects.filter(act=Act.OFFICIALS_CHANGED).count() == 2


def test_a_slug_is_proposed_from_name_and_day(event):
    assert proposed_slug("教职工掼蛋赛", "20261205") == "event-20261205"
    assert proposed_slug("Spring Cup", "20261205") == "spring-cup-20261205"
    Event.objects.create(name="a", slug="event-20261205")
    Event.objects.create(name="b", slug="event-20261205-2")
    assert proposed_slug("赛", "20261205") == "event-20261205-3"
    assert len(proposed_slug("x" * 100, "20261205")) <= 60


def test_a_card_says_how_far_an_event_is(event, assistant):
    def state() -> EventState:
        (card,) = event_cards(assistant)
        return card.state

    assert state() == EventState.PREPARING
    make_round(event, [(1, 2)], status=RoundStatus.DRAFT)
    assert state() == EventState.PREPARING
    event.stages.get().rounds.update(status=RoundStatus.PUBLISHED)
    assert state() == EventState.PLAYING
    event.stages.get().rounds.update(status=RoundStatus.COMPLETED)
    assert state() == EventState.BETWEEN
    event.stages.update(rounds_planned=1)
    assert state() == EventState.FINISHED


def test_groups_and_minutes_chosen_reach_the_stages_they_are_meant_for(db):
    groups, knockout = create(preset=presets()["R01"], groups=8, minutes=40).stages.order_by("order")
    assert groups.rules["format"] == {**presets()["R01"].rules["format"], "groups": 8}
    assert (groups.minutes, knockout.minutes) == (40, 40)
    assert "groups" not in knockout.rules["format"]
    assert presets()["R01"].rules["format"]["groups"] == 4


def test_groups_chosen_mean_nothing_to_a_swiss_stage(db):
    assert "format" not in create(groups=8).stages.get().rules


def test_later_stages_with_minutes_of_their_own_keep_them(db):
    event = create(preset=presets()["R15"], minutes=30)
    assert [stage.minutes for stage in event.stages.order_by("order")] == [30, 120, None]


def test_every_preset_draws():
    for preset in presets().values():
        assert PairingRules.from_dict(preset.rules.get("pairing", {}))


def test_a_bracket_keeps_its_rounds_when_settings_change(event, administrator):
    stage = event.stages.get()
    Stage.objects.filter(pk=stage.pk).update(format="knockout", rounds_planned=3)
    facts = EventFacts(event.name, event.slug, event.venue, event.organiser)
    change_event(event=event, facts=facts, rounds=9, minutes=30, by=administrator)
    stage.refresh_from_db()
    assert (stage.rounds_planned, stage.minutes) == (3, 30)
