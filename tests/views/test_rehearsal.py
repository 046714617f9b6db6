"""A rehearsal: a marked copy, played by chance, thrown away; the real event is never touched."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader

from guandan_site.across.copying import NewHead, copy_event
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.storing import store_event
from guandan_site.rehearsal.services import NotARehearsal, begin_rehearsal, play_by_chance, remove_rehearsal
from pairing.services import draw_round, publish_round
from tests.builders import ROLES, make_event, make_round, make_user
from tournaments.log import Act
from tournaments.models import Event, LogEntry, Round


@pytest.fixture
def real(db) -> Event:
    event = make_event(teams=16)
    make_round(event, [(1, 2), (3, 4)])
    return event


@pytest.fixture
def administrator(client, real):
    user = make_user("administrator", ROLES["administrator"])
    client.force_login(user)
    return user


@pytest.fixture
def rehearsal(real, administrator) -> Event:
    return begin_rehearsal(event=real, by=administrator)


def published(event: Event, by) -> Round:
    round_ = draw_round(stage=event.stages.get(), by=by, seed=1)
    publish_round(round=round_, by=by, expected_version=1)
    return round_


def act(client, event: Event, name: str, **typed):
    return client.post(f"/e/{event.slug}/desk/rehearsal/{name}/", typed)


def test_a_copy_that_every_page_marks(client, real, administrator):
    response = act(client, real, "begin")
    copy = Event.objects.get(is_rehearsal=True)
    assert response.headers["Location"] == f"/e/{copy.slug}/desk/"
    assert copy.name == f"演练 · {real.name}"
    assert (copy.teams.count(), Round.objects.filter(stage__event=copy).count()) == (16, 0)
    assert "演练：这里的一切都不算数" in client.get(f"/e/{copy.slug}/desk/").content.decode()
    assert "演练：" not in client.get("/e/cup/desk/").content.decode()
    client.logout()
    assert client.get(f"/e/{copy.slug}/").status_code == 404
    assert "演练" not in client.get("/").content.decode()


def test_sheets_say_so_across_the_page(client, rehearsal):
    pdf = client.get(f"/e/{rehearsal.slug}/desk/prints/roster.pdf").content
    text = PdfReader(BytesIO(pdf)).pages[0].extract_text()
    assert text.count("演练") >= 2


def test_results_by_chance_leave_some_tables_open_when_asked(client, rehearsal, administrator):
    round_ = published(rehearsal, administrator)
    act(client, rehearsal, "play", leave="1")
    assert round_.matches.filter(result=None).count() == 3
    act(client, rehearsal, "play")
    assert not round_.matches.filter(result=None).exists()
    assert LogEntry.objects.filter(event=rehearsal, act=Act.RESULT_ENTERED).count() == 8


def test_the_same_seed_invents_the_same_results(rehearsal, administrator, real):
    other = begin_rehearsal(event=real, by=administrator)
    levels = []
    for event in (rehearsal, other):
        round_ = published(event, administrator)
        play_by_chance(round=round_, by=administrator, leave=0, seed=5)
        levels.append(
            list(round_.matches.order_by("table").values_list("result__home_level", "result__away_level"))
        )
    assert levels[0] == levels[1]


def test_without_a_round_nothing_is_invented(client, rehearsal):
    response = act(client, rehearsal, "play")
    assert response.status_code == 303
    assert "没有正在进行的轮次" in client.get(response.headers["Location"]).content.decode()


def test_a_real_event_is_never_played_or_thrown_away(client, real, administrator):
    for name in ("play", "remove", "begin-again"):
        assert act(client, real, name).headers["Location"] == "/e/cup/desk/rehearsal/"
    assert not Round.objects.filter(matches__result__isnull=False).exists()
    with pytest.raises(NotARehearsal):
        remove_rehearsal(event=real, by=administrator)
    with pytest.raises(NotARehearsal):
        play_by_chance(round=Round.objects.get(), by=administrator, leave=0, seed=1)


def test_thrown_away_with_one_click(client, rehearsal, administrator, real):
    published(rehearsal, administrator)
    assert act(client, rehearsal, "remove").status_code == 303
    assert list(Event.objects.all()) == [real]
    assert LogEntry.objects.first().act == Act.REHEARSAL_REMOVED


def test_the_chief_plays_but_does_not_begin(client, real, rehearsal):
    client.force_login(make_user("chief", ROLES["chief"], real, rehearsal))
    assert act(client, real, "begin").status_code == 403
    assert act(client, rehearsal, "remove").status_code == 403
    assert act(client, rehearsal, "play").status_code == 303


def test_its_event_file_says_so_and_a_copy_of_it_is_a_real_event(rehearsal, administrator):
    document = load_event(to_bytes(document_of(rehearsal)))
    elsewhere = store_event(replace(document, event=replace(document.event, slug="elsewhere")))
    assert elsewhere.is_rehearsal
    head = NewHead("明年", "next", None, is_public=False)
    assert not copy_event(event=rehearsal, head=head, with_teams=True, by=administrator).is_rehearsal
