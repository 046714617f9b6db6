"""Across events: a copy, the archive, the history of players and departments."""

from __future__ import annotations

import pytest
from django.db.models import F
from django.utils import timezone

from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event
from pairing.models import Screen
from pairing.services import draw_round
from tests.builders import ROLES, make_event, make_result, make_round, make_user
from tournaments.log import Act, EventArchived
from tournaments.models import Audience, Event, LogEntry, Player, Round, RoundStatus
from tournaments.services.archive import RoundOpen, archive_event, unarchive_event

LEVELS = (15, 14, 13, 12)


def played(slug: str, seating=((1, 2), (3, 4), (5, 6), (7, 8)), **changes) -> Event:
    """Eight teams of four departments; the home sides win 26:0, 25:1, 24:2, 23:3."""
    event = make_event(slug=slug, rounds=1, **changes)
    round_ = make_round(event, seating, status=RoundStatus.COMPLETED)
    for table, level in enumerate(LEVELS, start=1):
        make_result(round_, table, level, 2)
    return event


def archived(slug: str, *args, **changes) -> Event:
    event = played(slug, *args, **changes)
    Event.objects.filter(pk=event.pk).update(archived_at=timezone.now())
    event.refresh_from_db()
    return event


@pytest.fixture
def administrator(client, db):
    user = make_user("administrator", ROLES["administrator"])
    client.force_login(user)
    return user


def page(client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


class TestCopy:
    address = "/e/cup/desk/settings/copy/"

    def copy(self, client, **typed) -> Event:
        response = client.post(
            self.address, {"name": "第二届职工赛", "starts_at": "2027-05-01T09:00", **typed}
        )
        assert response.status_code == 303
        return Event.objects.get(slug=response.headers["Location"].split("/")[2])

    def test_takes_rules_and_people_along_and_nothing_that_was_played(self, client, administrator):
        rules = {"match": {"minutes": 35}, "pairing": {"method": "closest", "forced": [["t1", "t2"]]}}
        event = played("cup", rules=rules)
        make_user("chief", ROLES["chief"], event)
        Screen.objects.create(event=event, name="东墙")
        copied = self.copy(client)
        stage = copied.stages.get()
        assert (copied.name, stage.rounds_planned, stage.minutes) == ("第二届职工赛", 1, 35)
        assert stage.rules["pairing"] == {"method": "closest"}
        assert copied.departments.count() == 4
        assert [copied.teams.count(), stage.rounds.count()] == [0, 0]
        assert [official.user.username for official in copied.officials.all()] == ["chief"]
        screen = copied.screens.get()
        assert screen.name == "东墙"
        assert screen.key != event.screens.get().key
        acts = set(LogEntry.objects.filter(event=copied).values_list("act", flat=True))
        assert acts == {Act.EVENT_IMPORTED, Act.EVENT_COPIED}

    def test_the_name_proposed_is_another_one_and_short_enough(self, client, administrator):
        event = played("cup")
        for name, proposed in (("职工赛", "职工赛（第二次）"), ("长" * 100, "长" * 95 + "（第二次）")):
            Event.objects.filter(pk=event.pk).update(name=name)
            assert f'value="{proposed}"' in page(client, self.address)

    def test_the_copy_of_a_private_event_is_private(self, client, administrator):
        played("cup")
        Event.objects.update(is_public=False)
        copied = self.copy(client, with_teams="on")
        client.logout()
        assert client.get(f"/e/{copied.slug}/").status_code == 404
        assert copied.name not in client.get("/").content.decode()

    def test_with_the_teams_everybody_plays_again(self, client, administrator):
        event = played("cup")
        event.teams.filter(number=3).update(withdrawn_after=1, remark="带球童")
        copied = self.copy(client, with_teams="on")
        team = copied.teams.get(number=3)
        assert (copied.teams.count(), team.withdrawn_after, team.remark) == (8, None, "带球童")
        assert [player.name for player in team.players.all()] == [
            player.name for player in event.teams.get(number=3).players.all()
        ]
        assert draw_round(stage=copied.stages.get(), by=administrator, seed=1).matches.count() == 4

    def test_a_copy_without_a_name_keeps_what_was_typed(self, client, administrator):
        played("cup")
        response = client.post(
            self.address, {"name": "", "starts_at": "2027-05-01T09:00", "with_teams": "on"}
        )
        text = response.content.decode()
        assert response.status_code == 422
        assert 'value="2027-05-01T09:00"' in text
        assert "checked" in text
        assert Event.objects.count() == 1

    def test_the_event_file_is_offered_beside_it(self, client, administrator):
        event = make_event(slug="cup")
        client.force_login(administrator)
        assert 'href="/e/cup/desk/event.json"' in client.get("/e/cup/desk/settings/copy/").content.decode()
        assert load_event(client.get("/e/cup/desk/event.json").content).event.name == event.name

    def test_an_archived_event_can_be_copied(self, client, administrator):
        archived("cup")
        assert self.copy(client).archived_at is None


class TestArchive:
    def test_an_open_round_comes_first(self, client, administrator):
        event = make_event()
        make_round(event, [(1, 2), (3, 4)])
        with pytest.raises(RoundOpen):
            archive_event(event=event, by=administrator)
        response = client.post("/e/cup/desk/settings/archive/")
        assert response.status_code == 422
        assert "第 1 轮还没结束" in response.content.decode()

    def test_archived_then_only_read_then_open_again(self, client, administrator):
        event = played("cup")
        assert client.post("/e/cup/desk/settings/archive/").status_code == 303
        before = Event.objects.get(slug="cup").revision
        response = client.post("/e/cup/desk/screen/", {"shows": "clock"})
        assert response.status_code == 409
        assert "已归档" in response.content.decode()
        assert Event.objects.get(slug="cup").revision == before
        assert event.teams.count() == 8
        assert "已归档" in page(client, "/e/cup/desk/")
        assert client.post("/e/cup/desk/settings/archive/", {"reason": ""}).status_code == 422
        assert client.post("/e/cup/desk/settings/archive/", {"reason": "补录成绩"}).status_code == 303
        entry = LogEntry.objects.filter(event=event).first()
        assert (entry.act, entry.reason) == (Act.EVENT_UNARCHIVED, "补录成绩")

    def test_its_pages_offer_nothing_that_would_be_refused(self, client, administrator):
        event = played("cup")
        event.uses_check_in = True
        event.save()
        pages = (
            "/e/cup/desk/s1/r1/results/",
            "/e/cup/desk/s1/r1/results/?correct=1",
            "/e/cup/desk/penalties/",
            "/e/cup/desk/appeals/",
            "/e/cup/desk/check-in/",
            "/e/cup/desk/check-in/1/",
        )
        offer = ("<form", "?correct=")
        for archived_at, is_offered in ((None, True), (timezone.now(), False)):
            Event.objects.filter(pk=event.pk).update(archived_at=archived_at)
            for address in pages:
                content = page(client, address).split("<main")[1].split("</main>")[0]
                assert any(each in content for each in offer) is is_offered, address

    @pytest.mark.parametrize(
        ("address", "offer"),
        [
            ("roster/", "/e/cup/desk/roster/import/"),
            ("roster/", "/e/cup/desk/teams/1/"),
            ("settings/", "<button"),
            ("settings/prizes/", "<button"),
            ("officials/", 'name="user"'),
            ("rules/", "<button"),
            ("rules/discipline/", "<button"),
            ("rules/confirmation/", "<button"),
            ("stages/", "<button"),
            ("draw/", "<button"),
        ],
    )
    def test_nor_do_the_pages_where_it_was_set_up(self, client, administrator, address, offer):
        event = played("cup")
        make_user("li", ROLES["assistant"])
        for archived_at, is_offered in ((None, True), (timezone.now(), False)):
            Event.objects.filter(pk=event.pk).update(archived_at=archived_at)
            content = page(client, f"/e/cup/desk/{address}").split("<main")[1].split("</main>")[0]
            assert (offer in content) is is_offered

    def test_every_act_is_refused(self, administrator):
        event = archived("cup")
        with pytest.raises(EventArchived):
            draw_round(stage=event.stages.get(), by=administrator, seed=1)
        assert unarchive_event(event=event, reason="补赛", by=administrator).archived_at is None

    def test_archiving_twice_is_one_act(self, administrator):
        event = played("cup")
        archive_event(event=event, by=administrator)
        archive_event(event=event, by=administrator)
        assert LogEntry.objects.filter(event=event, act=Act.EVENT_ARCHIVED).count() == 1

    def test_travels_in_the_event_file(self, db, tmp_path):
        document = document_of(archived("cup"))
        path = tmp_path / "cup.json"
        path.write_bytes(to_bytes(document))
        assert load_event(path).event.archived_at == document.event.archived_at is not None

    def test_leaves_the_home_page_for_the_past_events(self, client, db):
        archived("cup")
        played("now")
        home, past = page(client, "/"), page(client, "/past/")
        assert ("cup 掼蛋赛" in home, "now 掼蛋赛" in home) == (False, True)
        assert ("cup 掼蛋赛" in past, "now 掼蛋赛" in past) == (True, False)
        assert Player.objects.filter(team__number=1, team__event__slug="cup").first().name in past

    def test_the_final_ranking_is_for_everybody_once_archived(self, client, db):
        played("now")
        archived("cup")
        assert client.get("/e/now/final/").status_code == 302
        text = page(client, "/e/cup/final/")
        assert text.index(">1</b>") < text.index(">3</b>") < text.index(">8</b>")

    def test_a_private_event_stays_private(self, client, db):
        event = archived("cup")
        Event.objects.filter(pk=event.pk).update(is_public=False)
        assert "cup 掼蛋赛" not in page(client, "/past/")
        assert client.get("/e/cup/final/").status_code == 404


class TestHistory:
    def test_a_player_across_events_with_partner_and_place(self, client, db):
        archived("cup")
        archived("cup-2", ((2, 1), (4, 3), (6, 5), (8, 7)))
        played("now")
        player = Player.objects.get(team__event__slug="cup", team__number=1, position=1)
        text = page(client, f"/past/?q={player.name}")
        assert text.count("/teams/1/") == 2
        assert "同名" in text
        partner = Player.objects.get(team__event__slug="cup", team__number=1, position=2)
        assert f"搭档：{partner.name}" in text

    def test_an_official_also_finds_the_events_at_hand(self, client, db):
        event = played("now")
        client.force_login(make_user("assistant", ROLES["assistant"], event))
        name = Player.objects.filter(team__number=1).first().name
        assert "now 掼蛋赛" in page(client, f"/past/?q={name}")

    def test_nobody_of_that_name(self, client, db):
        archived("cup")
        assert "没有叫“司马懿”的选手" in page(client, "/past/?q=司马懿")

    @pytest.mark.parametrize("count", [1, 4])
    def test_rankings_are_worked_out_once(self, client, db, django_assert_num_queries, count):
        for number in range(count):
            archived(f"cup-{number}")
        page(client, "/past/")
        with django_assert_num_queries(1):
            page(client, "/past/")


class TestDepartments:
    def test_most_firsts_then_seconds_then_thirds(self, client, db):
        archived("cup")
        archived("cup-2", ((1, 2), (3, 4), (5, 6), (7, 8)))
        text = page(client, "/past/departments/")
        order = [text.index(f"<b>单位{number}</b>") for number in (2, 4, 1, 3)]
        assert order == sorted(order)
        assert text.count('<td class="place"><b>3</b></td>') == 2

    def test_only_the_chosen_events_count(self, client, db):
        archived("cup")
        archived("other", departments=0)
        text = page(client, "/past/departments/?event=cup")
        assert text.count("checked") == 1
        assert "1 场赛事" in text


class TestNothingLeaks:
    """An event file can be archived and still hold a draft, or a round that only the hall has seen."""

    ADDRESSES = ("/past/", "/past/?q=王", "/past/departments/", "/e/cup/final/", "/e/cup/")

    def seen(self, client) -> list[str]:
        Event.objects.update(revision=F("revision") + 1)
        return [page(client, address) for address in self.ADDRESSES]

    @pytest.mark.parametrize("status", [RoundStatus.DRAFT, RoundStatus.PUBLISHED])
    def test_what_the_public_does_not_know_is_not_in_the_archive(self, client, status, db):
        event = archived("cup")
        before = self.seen(client)
        hidden = make_round(event, [(8, 1), (7, 2), (6, 3), (5, 4)], number=2, status=status)
        Round.objects.filter(pk=hidden.pk).update(
            audience=Audience.HALL if status == RoundStatus.PUBLISHED else Audience.EVERYBODY
        )
        for table in range(1, 5):
            make_result(hidden, table, 15, 2)
        assert self.seen(client) == before

    def test_a_private_one_is_nowhere(self, client, db):
        event = archived("cup")
        name = event.teams.get(number=1).players.first().name
        Event.objects.update(is_public=False)
        assert client.get("/e/cup/final/").status_code == 404
        for address in ("/past/", f"/past/?q={name}", "/past/departments/", "/past/departments/?event=cup"):
            told = page(client, address)
            assert event.name not in told
            assert "单位1" not in told
