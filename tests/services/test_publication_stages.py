"""A round goes to the hall, then to everybody; what changes afterwards is a new version that says so."""

import json

import pytest
from django.db import IntegrityError, transaction

from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event, parse_event
from guandan_site.event_file.problems import InvalidEventFile
from guandan_site.event_file.storing import store_event
from pairing.models import Draw, Publication
from pairing.selectors.published import draw_sheet, newest_published_round, published_round
from pairing.selectors.versions import corrections, current_correction, is_as_published, round_versions
from pairing.services import (
    close_round,
    discard_draft,
    draw_round,
    end_notice,
    open_to_everybody,
    publish_round,
    reopen_round,
    republish,
    swap_published,
    withdraw_publication,
)
from pairing.services.refusals import (
    NotPublished,
    NotTwoSeats,
    OpenAlready,
    ReasonMissing,
    StaleDraft,
    TablesFollowFormat,
    TablesHaveBegun,
    UnconfirmedWarnings,
)
from pairing.wording import correction
from scoring.models import Outcome, Result, TableSheet
from scoring.selectors import stage_standings, team_matches
from tests.builders import make_event, make_result, make_round
from tests.format_events import knockout_stage, seat_round
from tournaments.clock import running_round, start_clock
from tournaments.log import Act
from tournaments.models import Audience, Event, LogEntry, Round, RoundStatus, Seat

pytestmark = pytest.mark.django_db
HALL, EVERYBODY = Audience.HALL, Audience.EVERYBODY


@pytest.fixture
def drawn(event, chief) -> Round:
    return draw_round(stage=event.stages.get(), by=chief, seed=5)


@pytest.fixture
def in_hall(drawn, chief) -> Round:
    publish_round(round=drawn, by=chief, expected_version=1, audience=HALL)
    return Round.objects.get(pk=drawn.pk)


@pytest.fixture
def published(drawn, chief) -> Round:
    publish_round(round=drawn, by=chief, expected_version=1)
    return Round.objects.get(pk=drawn.pk)


def numbers_at(round_: Round, table: int) -> set[int]:
    match = round_.matches.get(table=table)
    return {match.home.number, match.away.number}


def team(event, number: int):
    return event.teams.get(number=number)


def swap(event, round_: Round, chief, first: int, second: int, **how) -> Publication:
    draw, _made = Draw.objects.get_or_create(round=round_, defaults={"seed": 0, "method": "adjacent"})
    facts = {"expected_version": draw.version, "reason": "座次抄错", "confirmed": True, **how}
    return swap_published(
        round=round_, first=team(event, first), second=team(event, second), by=chief, **facts
    )


class TestHall:
    def test_only_the_hall_sees_it(self, event, in_hall, chief):
        assert (in_hall.status, in_hall.audience) == (RoundStatus.PUBLISHED, HALL)
        assert newest_published_round(event) is None
        assert newest_published_round(event, HALL) == in_hall
        assert published_round(event, 1, 1) is None
        assert published_round(event, 1, 1, HALL) == in_hall
        assert running_round(event) is None
        assert running_round(event, HALL) == in_hall
        publication = Publication.objects.get()
        assert (publication.version, publication.opened_at, publication.published_by) == (1, None, chief)

    def test_results_are_entered_and_nobody_outside_counts_them(self, event, in_hall):
        make_result(in_hall, 1, 10, 7)
        stage = event.stages.get()
        assert stage_standings(stage).stage_rounds == ()
        assert {row.points for row in stage_standings(stage).rows} == {0}
        assert stage_standings(stage, audience=HALL).rows[0].points == 16
        assert not team_matches(team(event, 1)).exists()

    def test_then_everybody_in_the_same_version(self, event, in_hall, chief):
        publication = open_to_everybody(round=in_hall, by=chief)
        assert (publication.version, publication.opened_by) == (1, chief)
        assert publication.opened_at >= publication.published_at
        assert newest_published_round(event) == in_hall
        entry = LogEntry.objects.get(act=Act.ROUND_OPENED)
        assert (entry.subject, entry.old, entry.new["audience"]) == ("1/1", {"audience": "hall"}, "everybody")
        with pytest.raises(OpenAlready):
            open_to_everybody(round=in_hall, by=chief)
        assert Publication.objects.count() == 1

    def test_a_draft_is_not_opened(self, drawn, chief):
        with pytest.raises(NotPublished):
            open_to_everybody(round=drawn, by=chief)

    def test_withdrawn_it_is_a_draft_for_all(self, event, in_hall, chief):
        withdraw_publication(round=in_hall, by=chief)
        round_ = Round.objects.get()
        assert (round_.status, round_.audience) == (RoundStatus.DRAFT, EVERYBODY)
        assert newest_published_round(event, HALL) is None

    def test_closing_opens_it_to_everybody(self, event, in_hall, chief):
        for table in (1, 2, 3, 4):
            make_result(in_hall, table, 10, 7)
        close_round(round=in_hall, by=chief)
        assert newest_published_round(event).is_completed
        assert Publication.objects.get().opened_by == chief
        reopen_round(round=in_hall, by=chief, reason="写反了")
        assert not Round.objects.get().is_hall_only

    @pytest.mark.parametrize("status", [RoundStatus.DRAFT, RoundStatus.COMPLETED])
    def test_the_database_keeps_the_hall_to_the_play(self, in_hall, status):
        with pytest.raises(IntegrityError), transaction.atomic():
            Round.objects.update(status=status)

    def test_the_clock_runs_in_the_hall(self, event, in_hall, chief):
        start_clock(round=in_hall, by=chief)
        assert running_round(event) is None


class TestVersions:
    def test_a_version_keeps_the_names(self, event, published):
        players = team(event, 1).players.order_by("position")
        names = " · ".join(player.name for player in players)
        players.filter(position=1).update(name="后来人")
        (version,) = round_versions(published)
        assert version.seats[1].team.names == names
        assert version.seats[1].team.department == team(event, 1).department.name

    def test_a_swap_makes_a_version_that_says_what_changed(self, event, published, chief):
        one, other = published.matches.get(table=2).home.number, published.matches.get(table=4).away.number
        stayed = numbers_at(published, 1) | numbers_at(published, 3)
        publication = swap(event, published, chief, one, other)
        assert (publication.version, publication.reason, publication.published_by) == (2, "座次抄错", chief)
        assert other in numbers_at(published, 2)
        assert one in numbers_at(published, 4)
        assert Seat.objects.filter(round=published).count() == 8
        assert set(
            Seat.objects.filter(match__round=published, match__table=2).values_list("team__number", flat=True)
        ) == numbers_at(published, 2)
        (found,) = corrections(round_versions(published))
        assert found.tables == [2, 4]
        moved = {move.team.number for move in found.moves}
        assert moved == numbers_at(published, 2) | numbers_at(published, 4)
        assert not moved & stayed
        move = next(move for move in found.moves if move.team.number == one)
        assert (move.before.table, move.after.table) == (2, 4)
        entry = LogEntry.objects.filter(act=Act.ROUND_PUBLISHED).first()
        assert (entry.reason, entry.old["version"], entry.new["version"]) == ("座次抄错", 1, 2)

    def test_the_notice_in_words(self, event, published, chief):
        publication = swap(
            event,
            published,
            chief,
            1,
            next(iter({*range(2, 9)} - numbers_at(published, _table_of(published, 1)))),
        )
        told = correction(draw_sheet(published).correction)
        assert told.startswith("更正：第 2 版，")
        assert told.endswith(" 桌有变")
        assert publication.version == 2

    def test_the_notice_hangs_until_the_chief_or_the_end(self, event, published, chief):
        assert draw_sheet(published).correction is None
        with_whom = next(iter({*range(2, 9)} - numbers_at(published, _table_of(published, 1))))
        swap(event, published, chief, 1, with_whom)
        assert draw_sheet(published).correction is not None
        end_notice(round=published, by=chief)
        assert draw_sheet(published).correction is None
        end_notice(round=published, by=chief)
        assert LogEntry.objects.filter(act=Act.NOTICE_ENDED).count() == 1
        assert corrections(round_versions(published))
        withdraw_publication(round=published, by=chief)
        with pytest.raises(NotPublished):
            end_notice(round=published, by=chief)

    def test_a_closed_round_has_no_notice(self, event, published, chief):
        with_whom = next(iter({*range(2, 9)} - numbers_at(published, _table_of(published, 1))))
        swap(event, published, chief, 1, with_whom)
        Round.objects.update(status=RoundStatus.COMPLETED)
        assert draw_sheet(Round.objects.get()).correction is None

    def test_phones_hear_only_of_what_they_saw(self, event, in_hall, chief):
        with_whom = next(iter({*range(2, 9)} - numbers_at(in_hall, _table_of(in_hall, 1))))
        swap(event, in_hall, chief, 1, with_whom)
        assert Publication.objects.filter(opened_at__isnull=False).count() == 0
        assert current_correction(in_hall, round_versions(in_hall, HALL)) is not None
        open_to_everybody(round=in_hall, by=chief)
        round_ = Round.objects.get()
        assert [version.number for version in round_versions(round_)] == [2]
        assert draw_sheet(round_).correction is None
        assert draw_sheet(round_, HALL).correction is not None

    def test_withdrawn_and_published_as_it_was(self, published, chief):
        withdraw_publication(round=published, by=chief)
        publish_round(round=published, by=chief, expected_version=Draw.objects.get().version)
        found = draw_sheet(Round.objects.get()).correction
        assert found.moves == ()
        assert "与第 1 版完全相同" in correction(found)

    def test_the_version_before_was_drawn_anew(self, event, published, chief):
        withdraw_publication(round=published, by=chief)
        discard_draft(round=published, by=chief, expected_version=Draw.objects.get().version)
        again = draw_round(stage=event.stages.get(), by=chief, seed=6)
        publish_round(round=again, by=chief, expected_version=1)
        found = draw_sheet(Round.objects.get()).correction
        assert (found.version.number, found.before) == (2, None)
        assert "请重新查看桌号" in correction(found)


def _table_of(round_: Round, number: int) -> int:
    return Seat.objects.get(round=round_, team__number=number).match.table


class TestSwap:
    def test_warnings_as_on_the_draft(self, event, published, chief):
        # Of eight teams of four departments, 1 and 5 belong to one.
        opponent = (numbers_at(published, _table_of(published, 1)) - {1}).pop()
        with pytest.raises(UnconfirmedWarnings):
            swap(event, published, chief, opponent, 5, confirmed=False)
        assert Publication.objects.count() == 1
        assert swap(event, published, chief, opponent, 5).version == 2
        entry = LogEntry.objects.filter(act=Act.ROUND_PUBLISHED).first()
        assert {item["rule"] for item in entry.new["warnings"]} == {"same_department"}

    def test_not_where_a_result_is(self, event, published, chief):
        make_result(published, 2, 10, 7)
        first = published.matches.get(table=2).home.number
        second = published.matches.get(table=3).home.number
        with pytest.raises(TablesHaveBegun) as refused:
            swap(event, published, chief, first, second)
        assert refused.value.tables == (2,)
        others = (published.matches.get(table=table).home.number for table in (1, 4))
        assert swap(event, published, chief, *others).version == 2
        assert Result.objects.get().match.table == 2

    def test_not_where_deals_are_recorded(self, event, published, chief):
        match = published.matches.get(table=1)
        TableSheet.objects.create(match=match, content={"deals": []})
        with pytest.raises(TablesHaveBegun):
            swap(event, published, chief, match.home.number, published.matches.get(table=3).home.number)

    def test_with_the_bye(self, chief):
        seven = make_event(teams=7, departments=7, slug="seven")
        round_ = make_round(seven, [(1, 2), (3, 4), (5, 6), (7, None)])
        swap(seven, round_, chief, 7, 2)
        assert numbers_at(round_, 1) == {1, 7}
        bye = round_.matches.get(table=None)
        assert (bye.home.number, bye.result.outcome) == (2, Outcome.BYE)

    @pytest.mark.parametrize("reason", ["", "  "])
    def test_a_reason_is_needed(self, event, published, chief, reason):
        with pytest.raises(ReasonMissing):
            swap(event, published, chief, 1, 2, reason=reason)

    def test_at_one_table_there_is_nothing_to_swap(self, event, published, chief):
        first, second = numbers_at(published, 1)
        with pytest.raises(NotTwoSeats):
            swap(event, published, chief, first, second)

    def test_somebody_else_swapped_meanwhile(self, event, published, chief):
        others = (published.matches.get(table=table).home.number for table in (1, 4))
        swap(event, published, chief, *others)
        with pytest.raises(StaleDraft):
            swap(event, published, chief, 1, 2, expected_version=1)

    def test_a_draft_has_its_own_swap(self, event, drawn, chief):
        with pytest.raises(NotPublished):
            swap(event, drawn, chief, 1, 2)

    def test_a_bracket_says_who_meets_whom(self, event, chief):
        round_ = seat_round(knockout_stage(event, 4), 1)
        with pytest.raises(TablesFollowFormat):
            swap(event, round_, chief, 1, 2)


class TestRepublish:
    def test_changed_names_make_a_version(self, event, published, chief):
        team(event, 3).players.filter(position=1).update(name="替补员")
        assert republish(round=published, by=chief, reason="换人").version == 2
        (found,) = corrections(round_versions(published))
        assert [(move.team.number, move.is_renamed) for move in found.moves] == [(3, True)]
        assert found.tables == [_table_of(published, 3)]

    def test_nothing_changed_is_nothing_published(self, published, chief):
        before = LogEntry.objects.count()
        assert republish(round=published, by=chief, reason="再发").version == 1
        assert LogEntry.objects.count() == before

    def test_in_the_hall_it_stays_there(self, event, in_hall, chief):
        team(event, 3).players.filter(position=1).update(name="替补员")
        assert republish(round=in_hall, by=chief, reason="换人").opened_at is None
        assert newest_published_round(event) is None

    def test_refused(self, published, chief):
        with pytest.raises(ReasonMissing):
            republish(round=published, by=chief, reason=" ")
        withdraw_publication(round=published, by=chief)
        with pytest.raises(NotPublished):
            republish(round=published, by=chief, reason="换人")


class TestEventFile:
    def test_the_hall_stage_and_its_versions_come_out_and_in_again(self, event, in_hall, chief):
        with_whom = next(iter({*range(2, 9)} - numbers_at(in_hall, _table_of(in_hall, 1))))
        swap(event, in_hall, chief, 1, with_whom)
        Event.objects.update(publishes_to=HALL, public_address="http://192.168.1.5:8000")
        first = to_bytes(document_of(Event.objects.get()))
        Event.objects.all().delete()
        again = store_event(load_event(first))
        assert to_bytes(document_of(again)) == first
        assert (again.publishes_to, again.public_address) == (HALL, "")
        assert newest_published_round(again) is None
        round_ = newest_published_round(again, HALL)
        assert [version.seats[1].team.names for version in round_versions(round_, HALL)] != ["", ""]
        assert draw_sheet(round_, HALL).correction.version.publication.reason == "座次抄错"

    def test_an_older_file_says_nothing_of_it(self, event, published):
        value = json.loads(to_bytes(document_of(event)))
        (publication,) = value["stages"][0]["rounds"][0]["publications"]
        del publication["names"]
        Event.objects.all().delete()
        again = store_event(parse_event(value))
        assert newest_published_round(again).publications.get().opened_at is not None
        assert is_as_published(newest_published_round(again), Publication.objects.get())

    def test_a_draft_has_no_hall_stage(self, event, drawn):
        value = json.loads(to_bytes(document_of(event)))
        value["stages"][0]["rounds"][0]["audience"] = "hall"
        with pytest.raises(InvalidEventFile) as refused:
            parse_event(value)
        assert [problem.path for problem in refused.value.problems] == ["$.stages[0].rounds[0].audience"]
