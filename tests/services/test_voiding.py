"""A knockout result that others were played from: what follows is voided in the open, then played again."""

from __future__ import annotations

import pytest

from pairing.models import Draw
from pairing.selectors.ranking import stage_places
from pairing.services import close_round, discard_draft, draw_round, void_following, withdraw_publication
from pairing.services.refusals import MatchesFollow, NothingFollows, ReasonMissing
from scoring.services import MatchesHang
from tests.services.stages import (
    KNOCKOUT,
    begun,
    enter,
    format_event,
    open_matches,
    play_round,
    play_stage,
    published,
)
from tests.services.test_formats import numbers
from tournaments.log import Act
from tournaments.models import LogEntry, Match, Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief():
    return None


def played(chief):
    stage = begun(format_event((KNOCKOUT, {"format": {"played_out": "third_place"}}), teams=8), chief)
    play_stage(stage, chief)
    return stage


def test_a_result_that_others_were_played_from_is_refused(chief):
    stage = played(chief)
    match = stage.rounds.get(number=1).matches.get(table=1)
    with pytest.raises(MatchesHang) as refused:
        enter(match, chief, home_wins=False, reason="登记错误")
    assert refused.value.rounds == (2, 3)
    enter(match, chief, home_wins=True, reason="级数登记错误")


def test_what_follows_is_voided_in_the_open_and_played_again(chief):
    stage = played(chief)
    match = Match.objects.select_related("round__stage__event").get(round__stage=stage, key="1.1")
    with pytest.raises(ReasonMissing):
        void_following(match=match, by=chief, reason=" ")
    void_following(match=match, by=chief, reason="登记错误")
    assert LogEntry.objects.filter(act=Act.MATCHES_VOIDED, reason="登记错误").count() == 1
    assert list(stage.rounds.values_list("number", "status")) == [(1, "completed"), (2, "published")]
    enter(match, chief, home_wins=False, reason="登记错误")
    with pytest.raises(MatchesFollow):
        close_round(round=stage.rounds.get(number=2), by=chief)
    round_ = draw_round(stage=stage, by=chief)
    assert (round_.number, round_.publications.filter(withdrawn_at=None).get().version) == (2, 3)
    again = open_matches(round_)
    assert [(each.home.number, each.away.number) for each in again] == [(2, 3)]
    enter(again[0], chief, home_wins=True)
    close_round(round=Round.objects.get(pk=round_.pk), by=chief)
    play_stage(stage, chief)
    assert numbers(stage_places(stage))[0] == (1, 1, 2)


def test_a_version_that_hung_is_given_to_no_other_tables(chief):
    """Although the round that it showed was thrown away: its paper may hang still."""
    stage = begun(format_event((KNOCKOUT, {}), teams=8), chief)
    play_round(stage, chief)
    round_ = published(stage, chief)
    match = Match.objects.select_related("round__stage__event").get(round__stage=stage, key="1.1")
    void_following(match=match, by=chief, reason="登记错误")
    withdraw_publication(round=round_, by=chief)
    discard_draft(round=round_, by=chief, expected_version=Draw.objects.get(round=round_).version)
    assert published(stage, chief).publications.get().version == 3


def test_the_final_has_nothing_that_follows(chief):
    stage = played(chief)
    with pytest.raises(NothingFollows):
        void_following(match=stage.rounds.get(number=3).matches.first(), by=chief, reason="-")
