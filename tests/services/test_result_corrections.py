"""A result is corrected while the next round is drawn, published or played: three ways on."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from django.utils import timezone

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.problems import InvalidEventFile
from guandan_site.event_file.storing import store_event
from pairing.selectors.by_hand import reasons_told
from pairing.selectors.inputs import draw_inputs, drawn_seating, seating_of
from pairing.services import (
    close_round,
    draw_round,
    exchange_tables,
    publish_round,
    swap_published,
    withdraw_publication,
)
from pairing.services.correctable import CorrectedResult
from pairing.services.guards import draw_of
from pairing.services.late_corrections import Way, foresee_correction, make_correction
from pairing.services.refusals import PlanChanged, WayClosed
from scoring.engine.results import MatchResult, Outcome
from scoring.engine.swapping import sides_swapped
from scoring.models import Confirmation, Result
from scoring.selectors import entered_result, stage_standings
from scoring.services import StaleResult
from tests.builders import make_event, make_result, make_round
from tests.services.stages import seating, stage_of
from tournaments.models import Clock, LogEntry, Match, Round, Snapshot

LEVELS = [(15, 2), (15, 5), (15, 8), (15, 11), (10, 2), (9, 2), (8, 2), (7, 2)]


@pytest.fixture
def event(db):
    return make_event(teams=16, departments=0)


@pytest.fixture
def second(event, chief) -> Round:
    """Round 2 of 16 teams, published; in round 1 the odd number won at each table."""
    first = make_round(event, [(number, number + 1) for number in range(1, 16, 2)])
    for table, levels in enumerate(LEVELS, start=1):
        make_result(first, table, *levels)
    close_round(round=first, by=chief)
    round_ = draw_round(stage=stage_of(event), by=chief, seed=5)
    publish_round(round=round_, by=chief, expected_version=draw_of(round_).version)
    return Round.objects.select_related("stage__event").get(pk=round_.pk)


def swapped(event, table=1) -> CorrectedResult:
    """The result of a table of round 1, the two teams exchanged."""
    rows = Match.objects.select_related("round__stage__event", "home", "away", "result", "group")
    match = rows.get(round__stage__event=event, round__number=1, table=table)
    seated = match.home.number, match.away.number
    entry = sides_swapped(entered_result(match.result))
    return CorrectedResult(match, entry, match.result.version, seated, "两队写反了")


def correct(event, by, way, table=1, seen=None):
    asked = swapped(event, table)
    mark = foresee_correction(correction=asked, by=by).mark if seen is None else seen
    return make_correction(correction=asked, by=by, way=way, seen=mark)


def test_nothing_is_kept_of_what_was_foreseen(event, second, chief):
    before, log = seating(second), LogEntry.objects.count()
    found = foresee_correction(correction=swapped(event), by=chief)
    assert Result.objects.get(match__round__number=1, match__table=1).winner == "home"
    assert (seating(second), LogEntry.objects.count()) == (before, log)
    moved = {move.team.number: (move.rank_before, move.rank, move.points) for move in found.moves}
    assert moved[1] == (1, 16, 0)
    assert moved[2][1] == 1
    assert [move.team.number for move in found.moves[:2]] == [2, 1]


def test_what_a_new_draw_would_change_is_the_engines_own(event, second, chief):
    now, seated = seating_of(second), {team.key: team.number for team in event.teams.all()}
    asked = replace(swapped(event, 4), entry=MatchResult(Outcome.PLAYED, 2, 15))
    plan = foresee_correction(correction=asked, by=chief)
    found = plan.next
    make_correction(correction=asked, by=chief, way=Way.KEEP, seen=plan.mark)
    own = drawn_seating(draw_inputs(second.stage, 2).drawn(5))
    then = {table: {seated[home], seated[away]} for table, home, away in own.tables}
    stood = {table: {seated[home], seated[away]} for table, home, away in now.tables}
    told = {change.table: {team.number for team in change.then} for change in found.changed_by_all}
    assert told == {table: teams for table, teams in then.items() if teams != stood[table]}
    assert len(told) > len(found.changed_by_fewest) > 0


def test_keep_changes_the_standings_and_no_table(event, second, chief):
    before = seating(second)
    correct(event, chief, Way.KEEP)
    assert seating(second) == before
    assert second.publications.count() == 1
    rows = {row.team.number: row.points for row in stage_standings(stage_of(event), after_round=1).rows}
    assert (rows[1], rows[2]) == (0, 26)
    kept, changed = LogEntry.objects.all()[:2]
    assert (kept.act, kept.subject, kept.new, kept.reason) == (
        "draw_kept",
        "1/2",
        {"way": "keep"},
        "两队写反了",
    )
    assert (changed.act, changed.old["home_level"], changed.new["home_level"]) == ("result_changed", 15, 2)
    assert check_event(document_of(event)) == []


def test_the_fewest_tables_are_published_again_with_the_reason(event, second, chief):
    before = {table: (home, away) for table, home, away in seating(second)}
    found = correct(event, chief, Way.FEWEST)
    after = {table: (home, away) for table, home, away in seating(second)}
    changed = {table for table in after if set(after[table]) != set(before[table])}
    assert changed == {change.table for change in found.next.changed_by_fewest}
    assert 2 <= len(changed) <= 4
    old, new = second.publications.order_by("version")
    assert (old.withdrawn_at is not None, new.version, new.reason) == (True, 2, "两队写反了")
    assert sorted(team for table in after.values() for team in table) == list(range(1, 17))
    assert second.seats.count() == 16
    entry = LogEntry.objects.first()
    assert (entry.act, entry.new["way"], entry.new["version"], entry.old["version"]) == (
        "round_published",
        "fewest",
        2,
        1,
    )
    assert check_event(document_of(event)) == []


def test_all_tables_are_the_engines_draw(event, second, chief):
    correct(event, chief, Way.ALL)
    assert seating_of(second) == drawn_seating(draw_inputs(second.stage, 2).drawn(5))
    assert second.publications.order_by("version").last().version == 2
    assert check_event(document_of(event)) == []


def test_a_draft_is_drawn_again_and_published_by_nobody(event, second, chief):
    withdraw_publication(round=second, by=chief)
    correct(event, chief, Way.ALL)
    second.refresh_from_db()
    assert second.is_draft
    assert second.publications.filter(withdrawn_at=None).count() == 0
    entry = LogEntry.objects.first()
    assert (entry.act, entry.new["way"]) == ("draft_changed", "all")


def test_a_table_with_a_result_stays(event, second, chief):
    asked = swapped(event)
    first = foresee_correction(correction=asked, by=chief).next.changed_by_fewest[0].table
    make_result(second, first, 10, 7)
    found = foresee_correction(correction=asked, by=chief)
    assert found.next.started == (first,)
    assert first not in {change.table for change in found.next.changed_by_fewest}
    assert not found.next.may_draw_all
    with pytest.raises(WayClosed):
        make_correction(correction=asked, by=chief, way=Way.ALL, seen=found.mark)
    assert Result.objects.get(match__round__number=1, match__table=1).winner == "home"


def test_once_the_clock_was_started_every_table_plays(event, second, chief):
    Clock.objects.update_or_create(
        round=second,
        defaults={"length": 2700, "ends_at": timezone.now() + timezone.timedelta(minutes=40)},
    )
    plan = foresee_correction(correction=swapped(event), by=chief).next
    assert plan.is_clock_started
    assert len(plan.started) == 8
    assert not plan.may_draw_fewest
    with pytest.raises(WayClosed):
        correct(event, chief, Way.FEWEST)


def test_a_plan_that_changed_meanwhile_is_shown_again(event, second, chief):
    seen = foresee_correction(correction=swapped(event), by=chief).mark
    make_result(second, 8, 10, 7)
    with pytest.raises(PlanChanged):
        correct(event, chief, Way.KEEP, seen=seen)
    assert Result.objects.get(match__round__number=1, match__table=1).winner == "home"
    assert not Snapshot.objects.filter(occasion="before_correction").exists()


def test_another_correction_in_between_is_stale(event, second, chief):
    asked = swapped(event)
    seen = foresee_correction(correction=asked, by=chief).mark
    Result.objects.filter(match=asked.match).update(version=77)
    with pytest.raises(StaleResult):
        make_correction(correction=asked, by=chief, way=Way.KEEP, seen=seen)


def test_a_snapshot_is_kept_and_the_confirmation_dropped(event, second, chief):
    Result.objects.filter(match__round__number=1).update(confirmation=Confirmation.OFFICIAL)
    correct(event, chief, Way.KEEP)
    assert Snapshot.objects.filter(occasion="before_correction").count() == 1
    assert Result.objects.get(match__round__number=1, match__table=1).confirmation == ""


def test_a_team_keeps_its_fixed_table(event, second, chief):
    plan = foresee_correction(correction=swapped(event), by=chief).next
    change = plan.changed_by_fewest[-1]
    staying = change.then[0]
    other = plan.changed_by_fewest[0].table
    event.teams.filter(pk=staying.pk).update(fixed_table=other)
    plan = foresee_correction(correction=swapped(event), by=chief).next
    tables = {table for table, home, away in plan.fewest.tables if staying.key in (home, away)}
    assert tables == {other}


def test_the_last_round_needs_no_way(event, chief):
    first = make_round(event, [(number, number + 1) for number in range(1, 16, 2)])
    for table, levels in enumerate(LEVELS, start=1):
        make_result(first, table, *levels)
    close_round(round=first, by=chief)
    found = correct(event, chief, Way.KEEP, seen="")
    assert found.next is None
    assert not LogEntry.objects.filter(act="draw_kept").exists()


class TestToldByHand:
    """主裁判调整: what the act itself changed is named, and nothing that it left alone."""

    def test_the_fewest_tables_are_those_of_the_act(self, event, second, chief):
        correct(event, chief, Way.KEEP, table=3)
        stood = draw_of(second).explained["tables"]
        found = correct(event, chief, Way.FEWEST)
        changed = [change.table for change in found.next.changed_by_fewest]
        assert set(changed) < {change.table for change in found.next.changed_by_all}
        draw = draw_of(second)
        assert (draw.by_hand["tables"], draw.by_hand["reason"]) == (changed, "两队写反了")
        kept = {table: stood[table] for table in stood if int(table) not in changed}
        assert kept == {table: draw.explained["tables"][table] for table in kept}

    def test_a_change_before_it_had_another_reason(self, event, second, chief):
        self.exchange(second, chief)
        assert draw_of(second).by_hand["tables"] == [3, 4]
        found = correct(event, chief, Way.FEWEST)
        changed = [change.table for change in found.next.changed_by_fewest]
        assert not {3, 4} & set(changed)
        assert reasons_told(draw_of(second).by_hand) == [
            {"tables": [3, 4], "reason": "轮椅"},
            {"tables": changed, "reason": "两队写反了"},
        ]

    def test_in_a_draft_all_changes_are_told(self, event, second, chief):
        withdraw_publication(round=second, by=chief)
        self.exchange(second, chief)
        found = correct(event, chief, Way.FEWEST)
        changed = [change.table for change in found.next.changed_by_fewest]
        publish_round(round=second, by=chief, expected_version=draw_of(second).version, reason="轮椅")
        assert draw_of(second).by_hand["tables"] == sorted([3, 4, *changed])

    @pytest.mark.parametrize("way", [Way.KEEP, Way.FEWEST])
    def test_a_change_after_it_names_no_table_left_alone(self, event, second, chief, way):
        found = correct(event, chief, way)
        changed = [change.table for change in found.next.changed_by_fewest] if way is Way.FEWEST else []
        assert not {3, 4} & set(changed)
        self.exchange(second, chief)
        assert draw_of(second).by_hand["tables"] == sorted([*changed, 3, 4])
        swap = {"first": event.teams.get(number=1), "second": event.teams.get(number=16)}
        version = draw_of(second).version
        for more in range(2):
            swap_published(
                round=second,
                by=chief,
                reason="坐错了",
                confirmed=True,
                expected_version=version + more,
                **swap,
            )
        self.exchange(second, chief)
        assert draw_of(second).by_hand.get("tables", []) == changed

    def test_the_event_file_brings_it_back(self, event, second, chief):
        correct(event, chief, Way.FEWEST)
        content = to_bytes(document_of(event))
        store_event(load_event(content), replace=True)
        assert to_bytes(document_of(event)) == content
        assert len(draw_of(Round.objects.get(number=2)).changes[-1]["seating"]) == 2

    @pytest.mark.parametrize("seat", [[1, "a"], [None, 1, 2], 7])
    def test_a_file_with_other_seats_is_refused(self, event, second, chief, seat):
        correct(event, chief, Way.FEWEST)
        document = json.loads(to_bytes(document_of(event)))
        document["stages"][0]["rounds"][1]["draw"]["changes"][-1]["seating"] = [seat]
        with pytest.raises(InvalidEventFile):
            load_event(json.dumps(document).encode())

    def exchange(self, round_, by):
        version = draw_of(round_).version
        exchange_tables(round=round_, table=3, to=4, by=by, expected_version=version, reason="轮椅")
