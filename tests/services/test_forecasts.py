"""How many further rounds a stage can still draw, from the database."""

from __future__ import annotations

import pytest

from pairing.engine.forecast import Forecast
from pairing.forecast_words import forecast_sentence
from pairing.selectors.forecasts import stage_forecast
from tests.builders import make_user
from tests.services.stages import ROUND_ROBIN, SWISS, begun, drawn, format_event, play_round, stage_of
from tournaments.models import Stage
from tournaments.revisions import forget_all
from tournaments.roles import CHIEF

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief(db):
    forget_all()
    return make_user("chief", CHIEF)


def planned(rounds, **options):
    event = format_event((SWISS, {}), **options)
    Stage.objects.filter(event=event).update(rounds_planned=rounds)
    return event


def seen(event):
    found = stage_forecast(stage_of(event))
    return found and (found.asked, found.certain, found.expected, found.is_enough)


def test_a_large_field_has_room_for_everything(chief):
    assert seen(planned(4, teams=40)) == (4, 4, 4, True)


def test_six_teams_cannot_play_six_rounds(chief):
    event = planned(6, teams=6)
    asked, certain, expected, is_enough = seen(event)
    assert (asked, is_enough) == (6, False)
    assert certain <= expected <= 5


def test_a_draft_counts_as_played(chief):
    event = planned(4, teams=4)
    assert seen(event)[0] == 4
    play_round(stage_of(event), chief)
    assert seen(event) == (3, 1, 2, False)
    drawn(stage_of(event), chief)
    assert seen(event) == (2, 1, 1, False)


def test_nothing_is_said_where_nothing_is_left_or_the_format_decides(chief):
    event = planned(1)
    play_round(stage_of(event), chief)
    assert seen(event) is None
    event.delete()
    assert stage_forecast(begun(format_event((ROUND_ROBIN, {})), chief)) is None


def test_in_words(chief):
    event = planned(4, teams=4)
    play_round(stage_of(event), chief)
    told = forecast_sentence(stage_forecast(stage_of(event)))
    assert told == "照现在的情况，还能排 2 轮（确定 1 轮），但计划还要排 3 轮。请减少轮数，或及早放宽规则。"


def test_no_round_left_is_said_without_figures():
    told = forecast_sentence(Forecast(asked=4, certain=0, at_most=0, chances=()))
    assert told == "照现在的情况，一轮也排不出来，但计划还要排 4 轮。请减少轮数，或放宽规则。"
