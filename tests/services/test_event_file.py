"""An event file stored and written again: nothing is lost, nothing is half done."""

import json

import pytest
from django.db import models

from guandan_site.event_file import limits
from guandan_site.event_file.checking import check_event
from guandan_site.event_file.computing import completed, stage_standings
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event, parse_event
from guandan_site.event_file.problems import InvalidEventFile
from guandan_site.event_file.simulating import simulate
from guandan_site.event_file.storing import EventExists, store_event
from pairing.models import Draw, Publication
from scoring.models import Adjustment, Result
from scoring.selectors import stage_standings as standings_of_the_pages
from tests.builders import make_event, make_result, make_round
from tests.engine.event_file.files import event_of, full_file, played, round_of, two_rounds
from tournaments.log import Act
from tournaments.models import Clock, Department, Event, LogEntry, Player, RoundStatus, Seat, Stage, Team

pytestmark = pytest.mark.django_db


def stored(value: dict, **options) -> Event:
    return store_event(parse_event(value), **options)


def exported(event: Event) -> bytes:
    return to_bytes(document_of(event))


def test_an_export_imported_gives_the_same_file():
    first = exported(stored(full_file()))
    Event.objects.all().delete()
    again = store_event(load_event(first))
    assert exported(again) == first


def test_deals_won_handicaps_and_departments_come_back():
    result = {
        "outcome": "played",
        "home_level": 10,
        "away_level": 9,
        "home_start": 2,
        "away_start": 5,
        "home_deals": [2, 1, 0],
        "away_deals": [0, 1, 1],
    }
    rules = {
        "scoring": {"model": "per_deal", "deal_points": [4, 2, 1]},
        "departments": {"best": 2, "minimum": 1},
    }
    value = event_of(
        2, [round_of(1, [{"table": 1, "home": "P1", "away": "P2", "result": result}])], rules=rules
    )
    first = exported(stored(value))
    match = json.loads(first)["stages"][0]["rounds"][0]["matches"][0]
    assert result.items() <= match["result"].items()
    assert json.loads(first)["stages"][0]["rules"]["departments"] == {"best": 2, "minimum": 1}
    assert check_event(load_event(first)) == []
    Event.objects.all().delete()
    assert exported(store_event(load_event(first))) == first


def test_a_result_without_deals_is_refused_where_deals_make_the_points():
    rules = {"scoring": {"model": "per_deal"}}
    value = event_of(2, [round_of(1, [played(1, "P1", "P2", 10, 9)])], rules=rules)
    with pytest.raises(InvalidEventFile) as refused:
        stored(value)
    assert [problem.path for problem in refused.value.problems] == [
        "$.stages[0].rounds[0].matches[0].result.home_deals"
    ]
    assert not Event.objects.exists()


def test_nothing_of_a_file_is_lost():
    value = full_file()
    written = exported(stored(value)).decode()
    for text in (
        "友谊第一",
        "茶厂",
        "born",
        "colour",
        "lamp",
        "tribute",
        "主裁判",
        "machine",
        "hall",
        "room",
        "slip",
    ):
        assert text in written
    document = load_event(written.encode())
    assert document.event.starts_at == "2026-12-05T09:00:00+08:00"
    assert document.stages[0].rounds[0].draw == parse_event(value).stages[0].rounds[0].draw
    assert document.stages[0].rounds[1].matches[1].result.result.home_level == 7


def test_an_event_made_in_the_browser_comes_out_and_in_again():
    event = make_event(teams=5, departments=2)
    make_result(make_round(event, [(1, 2), (3, 4), (5, None)], status=RoundStatus.COMPLETED), 1, 15, 9)
    first = exported(event)
    Event.objects.all().delete()
    assert exported(store_event(load_event(first))) == first


def test_rows_are_what_the_file_says():
    event = stored(full_file())
    assert list(event.teams.values_list("number", flat=True)) == [1, 2, 3, 4, 5]
    assert Team.objects.get(key="P1").players.count() == 2
    assert Seat.objects.count() == 10
    result = Result.objects.get(match__table=1, match__round__number=1)
    assert (result.home_level, result.winner, result.reason) == (15, "home", "passed")
    assert Result.objects.filter(match__away=None).count() == 2
    assert Draw.objects.get().seed == 77
    assert Publication.objects.count() == 2
    assert Clock.objects.get().length == 30 * 60
    assert Adjustment.objects.get().points == -2
    assert LogEntry.objects.get().act == Act.EVENT_IMPORTED


def test_a_stored_event_is_replaced_only_when_asked():
    stored(two_rounds())
    with pytest.raises(EventExists):
        stored(two_rounds())
    assert Event.objects.count() == 1


def test_replacing_keeps_the_row_its_log_and_a_snapshot(event, chief):
    value = event_of(2, [round_of(1, [played(1, "P1", "P2", 9, 3)])])
    value["event"]["slug"] = event.slug
    replaced = stored(value, replace=True, author=chief)
    assert replaced.pk == event.pk
    assert replaced.teams.count() == 2
    assert replaced.stages.get().rounds.count() == 1
    assert replaced.officials.filter(user=chief).exists()
    assert replaced.snapshots.get().by_name == "chief"
    assert replaced.revision > event.revision


def test_a_page_opened_before_a_replacement_is_stale():
    first = stored(two_rounds())
    Result.objects.update(version=5)
    stored(two_rounds(), replace=True)
    assert set(Result.objects.values_list("version", flat=True)) == {6}
    assert first.pk == Event.objects.get().pk


def test_results_that_contradict_the_rules_store_nothing():
    value = two_rounds()
    value["stages"][0]["rounds"][0]["matches"][0]["result"]["winner"] = "away"
    with pytest.raises(InvalidEventFile) as refused:
        stored(value)
    assert refused.value.problems[0].path == "$.stages[0].rounds[0].matches[0].result.winner"
    assert not Event.objects.exists()


@pytest.mark.parametrize("value", [full_file(), two_rounds()], ids=["full", "plain"])
def test_pages_and_files_show_the_same_standings(value):
    stage = stored(value).stages.get()
    document = completed(parse_event(value))
    for number in (0, 1, 2):
        shown = [
            (row.team.key, *ranked(row)) for row in standings_of_the_pages(stage, after_round=number).rows
        ]
        computed = stage_standings(document, document.stages[0], number).rows
        assert shown == [(row.team, *ranked(row)) for row in computed]


def ranked(row) -> tuple:
    return row.rank, row.points, dict(row.keys), row.decided_by, row.withdrawn


def test_a_late_team_is_told_from_a_missing_one():
    event = make_event(teams=3, departments=0)
    make_round(event, [(1, 2)], status=RoundStatus.COMPLETED)
    make_round(event, [(1, 3)], number=2)
    assert [team.first_round for team in document_of(event).teams] == [1, 1, 2]


@pytest.mark.parametrize("teams", [8, 24])
def test_import_writes_each_kind_of_row_at_once(teams, django_assert_max_num_queries):
    document = simulate(teams=teams, departments=4, rounds=4, seed=1)
    with django_assert_max_num_queries(24):
        store_event(document)


@pytest.mark.parametrize("teams", [8, 80])
def test_export_asks_the_database_the_same_number_of_questions(teams, django_assert_num_queries):
    event = make_event(teams=teams)
    make_round(event, [(number, number + 1) for number in range(1, teams, 2)])
    with django_assert_num_queries(15):
        document_of(event)


@pytest.mark.parametrize(
    ("model", "field", "limit"),
    [
        (Event, "name", limits.LONGEST_TITLE),
        (Event, "venue", limits.LONGEST_TITLE),
        (Event, "organiser", limits.LONGEST_TITLE),
        (Event, "slug", limits.LONGEST_KEY),
        (Department, "key", limits.LONGEST_KEY),
        (Department, "name", limits.LONGEST_NAME),
        (Team, "key", limits.LONGEST_KEY),
        (Team, "name", limits.LONGEST_NAME),
        (Team, "session", limits.LONGEST_NAME),
        (Team, "remark", limits.LONGEST_REMARK),
        (Player, "name", limits.LONGEST_NAME),
        (Player, "phone", limits.LONGEST_PHONE),
        (Stage, "key", limits.LONGEST_KEY),
        (Stage, "name", limits.LONGEST_STAGE_NAME),
        (Adjustment, "reason", limits.LONGEST_REASON),
    ],
)
def test_a_file_holds_what_the_columns_hold(model: type[models.Model], field: str, limit: int):
    assert model._meta.get_field(field).max_length == limit


def test_line_ups_singles_and_draws_of_partners_travel(db):
    value = two_rounds()
    value["teams"][0] |= {
        "players": ["甲1", "乙1", "丙1", {"name": "王一", "role": "leader"}],
        "lineup": ["甲1", "丙1"],
    }
    value["stages"][0]["rounds"][0]["matches"][0]["lineup"] = {"home": ["甲1", "丙1"]}
    value["singles"] = [
        {"name": "赵敏", "sex": "f", "department": "d1", "phone": "13800000001"},
        {"name": "范遥"},
    ]
    value["partner_draws"] = [
        {
            "drawn_at": "2026-12-05T09:00:00+08:00",
            "seed": 7,
            "kind": "mixed",
            "departments": "any",
            "entrants": [{"department": "单位1", "name": "周颠", "sex": "m"}, {"name": "殷离", "sex": "f"}],
            "pairs": [{"number": 1, "players": ["周颠", "殷离"], "team": "P9"}],
            "waiting": [],
        }
    ]
    event = store_event(parse_event(value))
    first = event.stages.get().rounds.get(number=1).matches.get(table=1)
    assert first.lineup == {"home": ["甲1", "丙1"]}
    assert event.teams.get(number=1).lineup == ["甲1", "丙1"]
    assert [(single.name, single.sex) for single in event.singles.all()] == [("赵敏", "f"), ("范遥", "")]
    written = to_bytes(document_of(event))
    again = store_event(load_event(written), replace=True)
    assert to_bytes(document_of(again)) == written
    assert b'"lineup": {"home"' in written
    assert check_event(document_of(again)) == []
