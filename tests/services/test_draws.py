"""The chief's acts on a round: draw, change, publish, withdraw, close, reopen (cases A07 to A10)."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from pairing.engine.types import NoLegalDraw, Reason, Relaxation, Rule
from pairing.models import Draw, Publication
from pairing.selectors.board import round_draft
from pairing.services import (
    MeetingWish,
    close_round,
    discard_draft,
    draw_round,
    publish_round,
    redraw_round,
    reopen_round,
    set_meeting,
    swap_teams,
    withdraw_publication,
)
from pairing.services.refusals import (
    DraftExists,
    DraftGone,
    DraftOutdated,
    EarlierRoundOpen,
    LaterRoundExists,
    NoRoundsLeft,
    NotADraft,
    NotClosed,
    NotPublished,
    NotTwoSeats,
    ReasonMissing,
    ResultsMissing,
    StageNotBegun,
    StaleDraft,
    TablesHaveResults,
    TooFewTeams,
    UnconfirmedWarnings,
)
from scoring.models import Result
from scoring.selectors import stage_standings
from tests.builders import make_event, make_result, make_round, make_user
from tournaments.log import Act
from tournaments.models import Clock, Event, LogEntry, Match, Round, RoundStatus, Seat, Snapshot
from tournaments.roles import CHIEF

LOWER_NUMBER_WINS = (10, 7)


def the_chief(event: Event) -> User:
    return make_user(f"chief-{event.slug}", CHIEF, event)


def stage_of(event: Event):
    return event.stages.get(order=1)


def version(round_: Round) -> int:
    return Draw.objects.get(round=round_).version


def publish(round_: Round, by: User) -> Publication:
    return publish_round(round=round_, by=by, expected_version=version(round_))


def seating(round_: Round) -> set[frozenset[int]]:
    rows = round_.matches.values_list("home__number", "away__number")
    return {frozenset(number for number in row if number) for row in rows}


def bye_of(round_: Round) -> int:
    return round_.matches.get(away=None).home.number


def play(round_: Round, by: User) -> None:
    """Publishes a draft, lets the lower number win 10–7 everywhere, closes it."""
    publish(round_, by)
    for match in round_.matches.filter(away__isnull=False).select_related("home", "away"):
        levels = (10, 7) if match.home.number < match.away.number else (7, 10)
        make_result(round_, match.table, *levels)
    close_round(round=round_, by=by)


def team(event: Event, number: int):
    return event.teams.get(number=number)


@pytest.fixture
def drawn(event, chief) -> Round:
    return draw_round(stage=stage_of(event), by=chief, seed=3)


@pytest.fixture
def published(drawn, chief) -> Round:
    publish(drawn, chief)
    return Round.objects.get(pk=drawn.pk)


@pytest.fixture
def closed(published, chief) -> Round:
    for table in (1, 2, 3, 4):
        make_result(published, table, 10, 7)
    return close_round(round=published, by=chief)


class TestDraw:
    def test_every_team_has_one_seat(self, drawn, event):
        assert drawn.is_draft
        assert drawn.number == 1
        assert drawn.seats.count() == 8
        assert list(drawn.matches.values_list("table", flat=True)) == [1, 2, 3, 4]
        assert {seat.team_id for seat in drawn.seats.all()} == {team.pk for team in event.teams.all()}

    def test_seed_repeats_the_draw(self, drawn, event, chief):
        first = seating(drawn)
        discard_draft(round=drawn, by=chief, expected_version=1)
        again = draw_round(stage=stage_of(event), by=chief, seed=3)
        assert seating(again) == first
        other = redraw_round(round=again, by=chief, expected_version=1, seed=4)
        assert seating(other) != first

    def test_a_seed_is_made_up_and_kept(self, event, chief):
        draw = Draw.objects.get(round=draw_round(stage=stage_of(event), by=chief))
        assert 0 <= draw.seed < 10**9
        assert draw.drawn_by == chief

    def test_log_and_snapshot(self, drawn, event, chief):
        entry = LogEntry.objects.get(act=Act.ROUND_DRAWN)
        assert (entry.by, entry.subject, entry.new["seed"]) == (chief, "1/1", 3)
        assert len(entry.new["seating"]) == 4
        assert Snapshot.objects.get(event=event).occasion == "before_draw"

    def test_second_draw_finds_the_first(self, drawn, event, chief):
        with pytest.raises(DraftExists) as refused:
            draw_round(stage=stage_of(event), by=chief)
        assert refused.value.round == drawn
        assert Round.objects.count() == 1

    def test_database_refuses_a_double_round_and_a_double_seat(self, drawn, event):
        with pytest.raises(IntegrityError), transaction.atomic():
            Round.objects.create(stage=stage_of(event), number=1)
        with pytest.raises(IntegrityError), transaction.atomic():
            Seat.objects.create(round=drawn, match=drawn.matches.first(), team=team(event, 1))

    def test_earlier_round_must_be_closed(self, published, event, chief):
        with pytest.raises(EarlierRoundOpen):
            draw_round(stage=stage_of(event), by=chief)

    def test_no_round_beyond_the_plan(self, chief, event):
        event.stages.update(rounds_planned=1)
        play(draw_round(stage=stage_of(event), by=chief), chief)
        with pytest.raises(NoRoundsLeft):
            draw_round(stage=stage_of(event), by=chief)
        event.stages.update(rounds_planned=2)
        assert draw_round(stage=stage_of(event), by=chief).number == 2

    @pytest.mark.django_db
    def test_one_team_is_not_enough(self):
        event = make_event(teams=1)
        with pytest.raises(TooFewTeams) as refused:
            draw_round(stage=stage_of(event), by=the_chief(event))
        assert refused.value.active == (1,)

    def test_knockout_is_not_drawn_here(self, event, chief):
        event.stages.update(format="knockout")
        with pytest.raises(StageNotBegun):
            draw_round(stage=stage_of(event), by=chief)

    @pytest.mark.django_db
    def test_department_majority_is_explained_and_relaxed(self):
        event = make_event(teams=6, departments=1)
        chief = the_chief(event)
        with pytest.raises(NoLegalDraw) as error:
            draw_round(stage=stage_of(event), by=chief)
        assert error.value.reason == Reason.DEPARTMENT_MAJORITY
        assert set(error.value.teams) == {f"t{number}" for number in range(1, 7)}
        assert not Round.objects.exists()
        assert not Snapshot.objects.exists()
        assert not LogEntry.objects.filter(act=Act.ROUND_DRAWN).exists()
        round_ = draw_round(stage=stage_of(event), by=chief, relaxations=error.value.relaxations[:1])
        assert Draw.objects.get(round=round_).relaxations == [{"rule": "same_department", "value": "avoid"}]
        assert LogEntry.objects.get(act=Act.ROUND_DRAWN).new["relaxations"]
        assert round_draft(round_).broken_count == 3

    def test_forfeits_and_irregular_matches_are_meetings_and_byes_are_not(self, chief):
        event = make_event(teams=5, departments=0, rounds=6, slug="odd")
        first = make_round(event, [(1, 2), (3, 4), (5, None)], status=RoundStatus.COMPLETED)
        Result.objects.create(match=first.matches.get(table=1), outcome="forfeit_away", winner="home")
        Result.objects.create(match=first.matches.get(table=2), outcome="irregular")
        second = draw_round(stage=stage_of(event), by=chief)
        assert not seating(second) & {frozenset({1, 2}), frozenset({3, 4})}
        assert bye_of(second) != 5


@pytest.mark.django_db
class TestFaultCases:
    def test_a07_five_byes_for_five_different_teams(self):
        event = make_event(teams=7, departments=7, rounds=5)
        chief = the_chief(event)
        byes, met = [], []
        for number in range(1, 6):
            round_ = draw_round(stage=stage_of(event), by=chief, seed=number)
            assert round_.seats.count() == 7
            assert len(seating(round_)) == 4
            byes.append(bye_of(round_))
            met += [couple for couple in seating(round_) if len(couple) == 2]
            play(round_, chief)
        assert len(set(byes)) == 5
        assert len(set(met)) == 15

    def test_a08_bye_for_the_lowest_who_had_none(self):
        event = make_event(teams=5, departments=5)
        first = make_round(event, [(1, 2), (3, 4), (5, None)], status=RoundStatus.COMPLETED)
        make_result(first, 1, 15, 2)
        make_result(first, 2, 10, 7)
        second = draw_round(stage=stage_of(event), by=the_chief(event))
        assert bye_of(second) == 2
        assert seating(second) == {frozenset({1, 3}), frozenset({4, 5}), frozenset({2})}

    def test_a09_clean_draw_is_found_then_everybody_has_met(self):
        event = make_event(teams=4, departments=4)
        chief = the_chief(event)
        for number, tables in enumerate([[(1, 2), (3, 4)], [(1, 3), (2, 4)]], start=1):
            round_ = make_round(event, tables, number=number, status=RoundStatus.COMPLETED)
            make_result(round_, 1, *LOWER_NUMBER_WINS)
            make_result(round_, 2, *LOWER_NUMBER_WINS)
        third = draw_round(stage=stage_of(event), by=chief)
        assert seating(third) == {frozenset({1, 4}), frozenset({2, 3})}
        play(third, chief)
        with pytest.raises(NoLegalDraw) as error:
            draw_round(stage=stage_of(event), by=chief)
        assert error.value.reason == Reason.EVERYBODY_MET
        assert Relaxation(Rule.REMATCH, "avoid") in error.value.relaxations
        assert Round.objects.count() == 3

    def test_a10_withdrawn_teams_are_not_drawn(self):
        event = make_event(teams=6, departments=6)
        chief = the_chief(event)
        play(draw_round(stage=stage_of(event), by=chief), chief)
        event.teams.filter(number=4).update(withdrawn_after=1)
        second = draw_round(stage=stage_of(event), by=chief)
        assert len(seating(second)) == 3
        assert not any(4 in couple for couple in seating(second))
        play(second, chief)
        row = next(row for row in stage_standings(stage_of(event)).rows if row.team.number == 4)
        assert row.withdrawn
        assert row.points in {10, 16}
        event.teams.filter(number__in=[1, 2, 3, 5]).update(withdrawn_after=2)
        with pytest.raises(TooFewTeams) as refused:
            draw_round(stage=stage_of(event), by=chief)
        assert refused.value.active == (6,)


class TestChangeTheDraft:
    def test_swap_keeps_tables_and_seats(self, drawn, event, chief):
        first, second = drawn.matches.get(table=1), drawn.matches.get(table=2)
        swap_teams(
            round=drawn, first=first.home, second=second.home, by=chief, expected_version=1, confirmed=True
        )
        assert seating(drawn) >= {
            frozenset({second.home.number, first.away.number}),
            frozenset({first.home.number, second.away.number}),
        }
        assert drawn.seats.count() == 8
        draw = Draw.objects.get(round=drawn)
        assert draw.version == 2
        assert draw.changes[0]["act"] == "swap"
        assert LogEntry.objects.get(act=Act.DRAFT_CHANGED).new["first"] == first.home.number

    def test_swap_that_breaks_a_rule_is_confirmed_first(self, event, chief):
        round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)], status=RoundStatus.DRAFT)
        Draw.objects.create(round=round_, seed=1, method="adjacent")
        move = {"round": round_, "first": team(event, 2), "second": team(event, 5), "by": chief}
        with pytest.raises(UnconfirmedWarnings) as refused:
            swap_teams(**move, expected_version=1)
        assert [(item.rule, item.teams) for item in refused.value.broken] == [
            (Rule.SAME_DEPARTMENT, (1, 5)),
            (Rule.SAME_DEPARTMENT, (2, 6)),
        ]
        swap_teams(**move, expected_version=1, confirmed=True)
        assert len(Draw.objects.get(round=round_).changes[0]["warnings"]) == 2
        assert round_draft(round_).broken_count == 2

    def test_swap_with_the_bye(self, chief):
        event = make_event(teams=5, departments=5, slug="odd")
        round_ = draw_round(stage=stage_of(event), by=chief, seed=1)
        rests, plays = team(event, bye_of(round_)), round_.matches.get(table=1).home
        swap_teams(round=round_, first=rests, second=plays, by=chief, expected_version=1)
        assert bye_of(round_) == plays.number
        assert Result.objects.get(match__round=round_).match.home == plays
        assert round_.seats.count() == 5

    def test_better_placed_team_stays_home(self, chief):
        event = make_event(teams=4, departments=4, slug="four")
        first = make_round(event, [(1, 2), (3, 4)], status=RoundStatus.COMPLETED)
        make_result(first, 1, 15, 2)
        make_result(first, 2, 10, 7)
        second = draw_round(stage=stage_of(event), by=chief)
        assert list(second.matches.values_list("home__number", "away__number")) == [(1, 3), (4, 2)]
        swap_teams(
            round=second,
            first=team(event, 1),
            second=team(event, 2),
            by=chief,
            expected_version=1,
            confirmed=True,
        )
        assert list(second.matches.values_list("home__number", "away__number")) == [(3, 2), (1, 4)]

    def test_swap_needs_two_seats_at_two_tables(self, drawn, event, chief):
        match = drawn.matches.get(table=1)
        with pytest.raises(NotTwoSeats):
            swap_teams(round=drawn, first=match.home, second=match.away, by=chief, expected_version=1)
        other = make_event(teams=2, slug="other")
        with pytest.raises(NotTwoSeats):
            swap_teams(round=drawn, first=match.home, second=team(other, 1), by=chief, expected_version=1)

    def test_stale_change_is_told_what_changed(self, drawn, event, chief):
        tables = {table: drawn.matches.get(table=table) for table in (1, 2)}
        moved = {"first": tables[1].home, "second": tables[2].home, "by": chief, "confirmed": True}
        swap_teams(round=drawn, expected_version=1, **moved)
        with pytest.raises(StaleDraft) as refused:
            swap_teams(round=drawn, expected_version=1, **moved)
        assert [change["act"] for change in refused.value.changes] == ["swap"]
        with pytest.raises(StaleDraft):
            publish_round(round=drawn, by=chief, expected_version=1)
        with pytest.raises(StaleDraft):
            discard_draft(round=drawn, by=chief, expected_version=1)
        assert Round.objects.get().is_draft

    def test_forced_and_forbidden_meetings(self, drawn, event, chief):
        one, other = team(event, 1), team(event, 4)
        set_meeting(
            round=drawn, first=one, second=other, wish=MeetingWish.FORCED, by=chief, expected_version=1
        )
        assert frozenset({1, 4}) in seating(drawn)
        assert stage_of(event).rules["pairing"]["forced"] == [["t1", "t4"]]
        set_meeting(
            round=drawn, first=other, second=one, wish=MeetingWish.FORBIDDEN, by=chief, expected_version=2
        )
        assert frozenset({1, 4}) not in seating(drawn)
        assert stage_of(event).rules["pairing"] == {"forced": [], "forbidden": [["t4", "t1"]]}
        set_meeting(round=drawn, first=one, second=other, wish=MeetingWish.FREE, by=chief, expected_version=3)
        assert stage_of(event).rules["pairing"] == {"forced": [], "forbidden": []}
        assert version(drawn) == 4

    def test_impossible_wish_changes_nothing(self, chief):
        event = make_event(teams=2, departments=2, slug="two")
        round_ = draw_round(stage=stage_of(event), by=chief)
        with pytest.raises(NoLegalDraw):
            set_meeting(
                round=round_,
                first=team(event, 1),
                second=team(event, 2),
                wish=MeetingWish.FORBIDDEN,
                by=chief,
                expected_version=1,
            )
        assert stage_of(event).rules == {}
        assert seating(round_) == {frozenset({1, 2})}
        assert version(round_) == 1

    def test_redraw_keeps_relaxations(self, chief):
        event = make_event(teams=6, departments=1, slug="one")
        softened = [Relaxation(Rule.SAME_DEPARTMENT, "avoid")]
        round_ = draw_round(stage=stage_of(event), by=chief, relaxations=softened)
        redraw_round(round=round_, by=chief, expected_version=1)
        assert Draw.objects.get(round=round_).relaxations == [{"rule": "same_department", "value": "avoid"}]

    def test_redraw_leaves_out_who_withdrew(self, drawn, event, chief):
        event.teams.filter(number=8).update(withdrawn_after=0)
        with pytest.raises(DraftOutdated) as refused:
            publish(drawn, chief)
        assert (refused.value.gone, refused.value.unseated) == ((8,), ())
        redraw_round(round=drawn, by=chief, expected_version=1)
        assert not any(8 in couple for couple in seating(drawn))
        publish(drawn, chief)

    def test_discarded_draft_is_gone(self, drawn, chief):
        discard_draft(round=drawn, by=chief, expected_version=1)
        assert not Round.objects.exists()
        assert not Match.objects.exists()
        assert LogEntry.objects.get(act=Act.DRAFT_DISCARDED).old["seed"] == 3
        with pytest.raises(DraftGone):
            publish_round(round=drawn, by=chief, expected_version=1)


class TestPublish:
    def test_frozen_seating_and_a_clock_at_rest(self, published, chief):
        publication = Publication.objects.get()
        assert publication.version == 1
        assert publication.seating == [
            list(row) for row in published.matches.values_list("table", "home__number", "away__number")
        ]
        clock = Clock.objects.get(round=published)
        assert (clock.length, clock.started_at, clock.ends_at) == (45 * 60, None, None)
        assert Snapshot.objects.first().occasion == "before_publication"
        assert LogEntry.objects.get(act=Act.ROUND_PUBLISHED).new["version"] == 1

    def test_no_clock_where_the_rules_have_none(self, chief):
        event = make_event(slug="slow", rules={"match": {"minutes": None}})
        publish(draw_round(stage=stage_of(event), by=chief), chief)
        assert not Clock.objects.exists()

    def test_second_publication_is_told_of_the_first(self, published, chief):
        with pytest.raises(NotADraft) as refused:
            publish_round(round=published, by=chief, expected_version=1)
        assert refused.value.publication.version == 1
        assert Publication.objects.count() == 1

    def test_a_published_draw_is_not_changed(self, published, event, chief):
        with pytest.raises(NotADraft):
            swap_teams(
                round=published,
                first=team(event, 1),
                second=team(event, 2),
                by=chief,
                expected_version=1,
                confirmed=True,
            )
        with pytest.raises(NotADraft):
            redraw_round(round=published, by=chief, expected_version=1)

    def test_late_team_must_be_seated(self, drawn, event, chief):
        event.teams.create(key="t9", number=9)
        with pytest.raises(DraftOutdated) as refused:
            publish(drawn, chief)
        assert refused.value.unseated == (9,)

    def test_withdraw_then_version_two(self, published, chief):
        withdraw_publication(round=published, by=chief)
        round_ = Round.objects.get()
        assert round_.is_draft
        assert Publication.objects.get().withdrawn_at is not None
        assert not Clock.objects.exists()
        with pytest.raises(StaleDraft):
            publish_round(round=round_, by=chief, expected_version=1)
        assert publish(round_, chief).version == 2

    def test_version_goes_on_after_a_discarded_draft(self, published, event, chief):
        withdraw_publication(round=published, by=chief)
        discard_draft(round=published, by=chief, expected_version=version(published))
        assert publish(draw_round(stage=stage_of(event), by=chief), chief).version == 2

    def test_no_withdrawal_once_a_result_is_entered(self, published, chief):
        make_result(published, 3, 10, 7)
        with pytest.raises(TablesHaveResults) as refused:
            withdraw_publication(round=published, by=chief)
        assert refused.value.tables == (3,)
        assert Round.objects.get().is_published

    def test_a_bye_is_no_obstacle(self, chief):
        event = make_event(teams=3, departments=3, slug="three")
        round_ = draw_round(stage=stage_of(event), by=chief)
        publish(round_, chief)
        withdraw_publication(round=round_, by=chief)
        assert Round.objects.get().is_draft

    def test_a_draft_is_not_withdrawn(self, drawn, chief):
        with pytest.raises(NotPublished):
            withdraw_publication(round=drawn, by=chief)


class TestCloseAndReopen:
    def test_open_tables_are_listed(self, published, chief):
        make_result(published, 2, 10, 7)
        with pytest.raises(ResultsMissing) as refused:
            close_round(round=published, by=chief)
        assert refused.value.tables == (1, 3, 4)

    def test_closed_round_lets_the_next_be_drawn(self, closed, event, chief):
        assert closed.is_completed
        assert closed.completed_at is not None
        assert draw_round(stage=stage_of(event), by=chief).number == 2
        with pytest.raises(NotPublished):
            close_round(round=closed, by=chief)

    def test_reopen_needs_a_reason(self, closed, chief):
        with pytest.raises(ReasonMissing):
            reopen_round(round=closed, by=chief, reason="  ")
        reopen_round(round=closed, by=chief, reason="第 2 桌写反了")
        round_ = Round.objects.get()
        assert round_.is_published
        assert round_.completed_at is None
        assert LogEntry.objects.get(act=Act.ROUND_REOPENED).reason == "第 2 桌写反了"
        with pytest.raises(NotClosed):
            reopen_round(round=round_, by=chief, reason="再开")

    def test_no_reopening_under_a_later_round(self, closed, event, chief):
        later = draw_round(stage=stage_of(event), by=chief)
        with pytest.raises(LaterRoundExists) as refused:
            reopen_round(round=closed, by=chief, reason="改")
        assert refused.value.number == 2
        discard_draft(round=later, by=chief, expected_version=1)
        reopen_round(round=closed, by=chief, reason="改")
