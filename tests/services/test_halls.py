"""The tables of the hall: broken ones, ranges of stages, and who moves when one breaks."""

from __future__ import annotations

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.drawing import draw_next_round
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.storing import store_event
from pairing.engine.tables import TooFewTables
from pairing.models import Draw, Publication
from pairing.selectors.halls import HallPlan, hall_preview, plan_of
from pairing.services import draw_round, redraw_round, set_tables
from pairing.services.guards import draw_of
from pairing.services.refusals import NoFreeTable, ReasonMissing
from tests.builders import make_user
from tests.services.stages import (
    KNOCKOUT,
    ROUND_ROBIN,
    SWISS,
    begun,
    enter,
    format_event,
    open_matches,
    play_round,
    published,
    seating,
    stage_of,
)
from tournaments.log import Act
from tournaments.models import LogEntry
from tournaments.roles import CHIEF

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief(db):
    return make_user("chief", CHIEF)


def keep(event, by, *broken, reason="", **ranges):
    """Sets broken tables, and by `s1=(21, 24)` the range of a stage."""
    stages = {stage.key: stage.pk for stage in event.stages.all()}
    plan = HallPlan(tuple(broken), {pk: ranges.get(key) for key, pk in stages.items()})
    published = set_tables(event=event, plan=plan, by=by, reason=reason)
    event.refresh_from_db()
    return published


def tables(round_):
    return [row[0] for row in seating(round_)]


def started(event, by, order=1):
    stage = stage_of(event, order)
    return stage if stage.format == SWISS else begun(event, by, order)


def six_wins(match):
    return match.home.number == 6 or (match.away.number != 6 and match.home.number < match.away.number)


@pytest.mark.parametrize("format", [SWISS, ROUND_ROBIN, KNOCKOUT])
class TestDraw:
    def test_keeps_to_range_and_broken_tables(self, format, chief):
        event = format_event((format, {}))
        keep(event, chief, 22, s1=(21, 40))
        stage = started(event, chief)
        round_ = play_round(stage, chief)
        assert tables(round_) == [21, 23, 24, 25]
        assert Draw.objects.get(round=round_).tables == {"first": 21, "last": 40, "without": [22]}
        keep(event, chief)
        assert tables(draw_round(stage=stage_of(event), by=chief, seed=1))[0] == 1
        assert check_event(document_of(event)) == []

    def test_is_refused_where_tables_are_too_few(self, format, chief):
        event = format_event((format, {}))
        keep(event, chief, 3, s1=(1, 4))
        stage = started(event, chief)
        with pytest.raises(TooFewTables) as refused:
            draw_round(stage=stage, by=chief, seed=1)
        assert refused.value.there == 3
        assert not stage.rounds.exists()

    def test_a_fixed_table_is_kept(self, format, chief):
        event = format_event((format, {}))
        event.teams.filter(number=6).update(fixed_table=9)
        stage = started(event, chief)
        for _ in range(2):
            round_ = play_round(stage, chief, six_wins)
            assert round_.matches.get(seats__team__number=6).table == 9
            assert tables(round_)[:-1] == list(range(1, len(tables(round_))))
        assert check_event(document_of(event)) == []


def test_the_file_alone_draws_the_same(chief):
    event = format_event((SWISS, {}), teams=6)
    keep(event, chief, 2, s1=(2, 9))
    event.teams.filter(number=3).update(fixed_table=7)
    drawn = draw_next_round(document_of(event), document_of(event).stages[0], 5)
    round_ = draw_round(stage=stage_of(event), by=chief, seed=5)
    assert tables(round_) == [match.table for match in drawn.matches] == [3, 4, 7]


class TestSideBySide:
    def test_two_ranges_never_share_a_table(self, chief):
        event = format_event((SWISS, {}), (SWISS, {}))
        keep(event, chief, s1=(1, 6), s2=(5, 12))
        first, second = (draw_round(stage=stage_of(event, order), by=chief, seed=1) for order in (1, 2))
        assert tables(first) == [1, 2, 3, 4]
        assert tables(second) == [5, 6, 7, 8]
        again = redraw_round(round=first, by=chief, expected_version=draw_of(first).version)
        assert tables(again) == [1, 2, 3, 4]

    def test_a_stage_without_a_range_leaves_another_s_alone(self, chief):
        event = format_event((SWISS, {}), (SWISS, {}))
        keep(event, chief, s1=(1, 6))
        play_round(stage_of(event), chief)
        assert tables(draw_round(stage=stage_of(event, 2), by=chief, seed=1)) == [7, 8, 9, 10]

    def test_without_any_range_both_count_from_one(self, chief):
        event = format_event((SWISS, {}), (SWISS, {}))
        rounds = [draw_round(stage=stage_of(event, order), by=chief, seed=1) for order in (1, 2)]
        assert tables(rounds[0]) == tables(rounds[1]) == [1, 2, 3, 4]


class TestBrokenTable:
    def test_a_published_match_moves_as_a_new_version(self, chief):
        event = format_event((SWISS, {}))
        round_ = published(stage_of(event), chief)
        before = {table: sides for table, *sides in seating(round_)}
        with pytest.raises(ReasonMissing):
            keep(event, chief, 2, reason=" ")
        keep(event, chief, 2, reason="桌腿断了")
        after = {table: sides for table, *sides in seating(round_)}
        assert after == {1: before[1], 3: before[3], 4: before[4], 5: before[2]}
        first, second = Publication.objects.order_by("version")
        assert (first.withdrawn_at is None, second.reason) == (False, "桌腿断了")
        acts = LogEntry.objects.filter(event=event).order_by("pk").values_list("act", flat=True)
        assert list(acts)[-2:] == [Act.ROUND_PUBLISHED, Act.TABLES_SET]
        entry = LogEntry.objects.filter(act=Act.TABLES_SET).get()
        assert (entry.new["broken_tables"], entry.new["moved"]) == ([2], [[2, 5]])
        assert check_event(document_of(event)) == []

    def test_the_notes_go_with_the_match_of_a_draft(self, chief):
        event = format_event((SWISS, {}))
        play_round(stage_of(event), chief)
        round_ = draw_round(stage=stage_of(event), by=chief, seed=1)
        notes = draw_of(round_).explained["tables"]
        keep(event, chief, 1)
        assert draw_of(round_).explained["tables"]["5"] == notes["1"]
        assert draw_of(round_).changes[-1]["act"] == "broken_table"
        assert not Publication.objects.filter(round=round_).exists()

    def test_where_play_is_recorded_nobody_moves(self, chief):
        event = format_event((SWISS, {}))
        round_ = published(stage_of(event), chief)
        enter(open_matches(round_)[0], chief, home_wins=True)
        assert keep(event, chief, 1) == []
        assert tables(round_) == [1, 2, 3, 4]
        (found,) = hall_preview(event, plan_of(type(event).objects.get(pk=event.pk))).rounds
        assert [match.table for match in found.begun] == [1]

    def test_no_free_table_is_refused_whole(self, chief):
        event = format_event((SWISS, {}))
        keep(event, chief, s1=(1, 4))
        round_ = published(stage_of(event), chief)
        with pytest.raises(NoFreeTable) as refused:
            keep(event, chief, 2, 3, reason="坏", s1=(1, 4))
        assert refused.value.tables == (2, 3)
        assert tables(round_) == [1, 2, 3, 4]
        event.refresh_from_db()
        assert event.broken_tables == []

    def test_the_same_again_writes_nothing(self, chief):
        event = format_event((SWISS, {}))
        keep(event, chief, 3, s1=(1, 9))
        written = LogEntry.objects.count()
        event.refresh_from_db()
        keep(event, chief, 3, s1=(1, 9))
        assert LogEntry.objects.count() == written


def test_the_preview_points_everything_out(chief):
    event = format_event((SWISS, {}), (SWISS, {}))
    event.teams.filter(number=5).update(fixed_table=30)
    one, other = event.stages.order_by("order")
    preview = hall_preview(event, HallPlan((2,), {one.pk: (1, 4), other.pk: (4, 9)}))
    assert [(first, last) for _, _, first, last in preview.overlaps] == [(4, 4)]
    assert [(each.stage, each.needed, each.there) for each in preview.shortages] == [(one, 4, 3)]
    assert [(team.number, stage) for team, stage in preview.astray] == [(5, one), (5, other)]
    assert hall_preview(event, HallPlan((), {one.pk: (1, 8), other.pk: (9, 30)})).astray == (
        (event.teams.get(number=5), one),
    )


def test_the_event_file_brings_it_back(chief):
    event = format_event((SWISS, {}))
    keep(event, chief, 2, 7, s1=(2, 9))
    published(stage_of(event), chief)
    content = to_bytes(document_of(event))
    assert store_event(load_event(content), replace=True).broken_tables == [2, 7]
    assert to_bytes(document_of(type(event).objects.get(pk=event.pk))) == content
