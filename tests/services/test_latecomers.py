"""迟到补位: a late team gets a place in a published round, and what is published says so."""

from __future__ import annotations

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.exporting import document_of
from pairing.selectors.latecomers import late_offer, waiting_teams
from pairing.services import draw_round, publish_round
from pairing.services.latecomers import give_late_bye, seat_late_team
from pairing.services.refusals import NoLatePlace, NotPublished, TablesFollowFormat
from tests.builders import make_event, make_round
from tests.format_events import group_stage, seat_round
from tournaments.attendance import Absence
from tournaments.log import Act
from tournaments.models import Event, LogEntry, Round, RoundStatus, Team
from tournaments.services.attendance import check_in, set_absence

pytestmark = pytest.mark.django_db


def in_play(event: Event, chief, *absent: int) -> Round:
    """Round 1 drawn and published without the absent teams."""
    stage = event.stages.select_related("event").get()
    teams = [team(event, number) for number in absent]
    set_absence(teams=teams, stage=stage, absence=Absence("s1", 1), by=None)
    round_ = draw_round(stage=stage, by=chief, seed=1)
    publish_round(round=round_, by=chief, expected_version=1)
    return Round.objects.select_related("stage__event").get(pk=round_.pk)


def team(event: Event, number: int) -> Team:
    return event.teams.get(number=number)


def arrive(event: Event, number: int) -> Team:
    check_in(stage=event.stages.select_related("event").get(), teams=[team(event, number)], by=None)
    return team(event, number)


def tables(round_: Round) -> list[tuple[int | None, int, int | None]]:
    rows = round_.matches.order_by("table").values_list("table", "home__number", "away__number")
    return sorted(rows, key=lambda row: row[0] or 99)


def test_a_late_team_takes_the_bye(chief):
    event = make_event(slug="late", departments=0)
    round_ = in_play(event, chief, 8)
    before = tables(round_)
    *played, (_none, free, _nobody) = before
    late = arrive(event, 8)
    offer = late_offer(round_, late)
    assert (offer.opponent.number, offer.table, offer.takes_bye) == (free, 4, True)
    publication = seat_late_team(round=round_, team=late, opponent=offer.opponent, by=chief)
    assert publication.version == 2
    assert tables(round_) == [*played, (4, free, 8)]
    assert team(event, 8).absences == []
    assert not round_.matches.filter(away=None).exists()
    assert set(round_.seats.values_list("team__number", flat=True)) == set(range(1, 9))
    entry = LogEntry.objects.filter(act=Act.ROUND_PUBLISHED).first()
    assert (entry.old["version"], entry.new["version"]) == (1, 2)
    assert entry.reason == publication.reason == f"8 号队迟到，与轮空的 {free} 号队在第 4 桌对阵。"
    assert check_event(document_of(event)) == []


def test_the_bye_of_a_mate_is_not_to_be_had(chief):
    event = make_event(slug="late", teams=6, departments=3)
    round_ = in_play(event, chief, 6)
    bye = round_.matches.get(away=None)
    mate = event.teams.get(number=6)
    mate.department = bye.home.department
    mate.save()
    late = arrive(event, 6)
    assert late_offer(round_, late) is None
    with pytest.raises(NoLatePlace):
        seat_late_team(round=round_, team=late, opponent=bye.home, by=chief)
    assert round_.matches.filter(away=None).exists()


def test_two_late_teams_meet_at_a_new_last_table(chief):
    event = make_event(slug="late", departments=0)
    round_ = in_play(event, chief, 7, 8)
    late = arrive(event, 8)
    assert late_offer(round_, late) is None
    arrive(event, 7)
    assert [each.number for each in waiting_teams(round_)] == [7, 8]
    offer = late_offer(round_, late)
    assert (offer.opponent.number, offer.table, offer.takes_bye) == (7, 4, False)
    seat_late_team(round=round_, team=late, opponent=offer.opponent, by=chief)
    assert tables(round_)[-1] == (4, 7, 8)
    assert late_offer(round_, late) is None
    assert check_event(document_of(event)) == []


def test_who_did_not_come_gives_nobody_a_match(chief):
    event = make_event(slug="late", departments=0)
    round_ = in_play(event, chief, 7, 8)
    late = arrive(event, 8)
    with pytest.raises(NoLatePlace):
        seat_late_team(round=round_, team=late, opponent=team(event, 7), by=chief)


def test_a_team_entered_after_the_publication_takes_the_bye(chief):
    event = make_event(slug="late", teams=7, departments=0)
    round_ = in_play(event, chief)
    late = Team.objects.create(event=event, key="t8", number=8)
    assert late_offer(round_, late).takes_bye
    seat_late_team(round=round_, team=late, opponent=late_offer(round_, late).opponent, by=chief)
    assert tables(round_)[-1][0] == 4


def test_the_bye_for_a_late_team_where_nobody_has_it(chief):
    event = make_event(slug="late", departments=0)
    round_ = in_play(event, chief, 7, 8)
    late = arrive(event, 8)
    publication = give_late_bye(round=round_, team=late, by=chief)
    assert publication.version == 2
    assert tables(round_)[-1] == (None, 8, None)
    assert round_.matches.get(away=None).result.outcome == "bye"
    with pytest.raises(NoLatePlace):
        give_late_bye(round=round_, team=team(event, 7), by=chief)
    assert check_event(document_of(event)) == []


def test_only_a_published_swiss_round_takes_a_late_team(chief):
    event = make_event(slug="late", departments=0)
    draft = make_round(event, [(1, 2), (3, None)], status=RoundStatus.DRAFT)
    facts = {"team": team(event, 8), "opponent": team(event, 3), "by": chief}
    assert late_offer(Round.objects.select_related("stage__event").get(pk=draft.pk), team(event, 8)) is None
    with pytest.raises(NotPublished):
        seat_late_team(round=draft, **facts)
    groups = seat_round(group_stage(event, 2), 1)
    with pytest.raises(TablesFollowFormat):
        seat_late_team(round=groups, **facts)
