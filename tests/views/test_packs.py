"""Emergency packs: made once for each version, whole or not at all, never of a draft; the emergency card."""

from __future__ import annotations

import io
import json
import time
import zipfile
from datetime import timedelta
from io import StringIO

import pytest
from django.core.files import locks
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from guandan_site.event_file.parsing import load_event
from guandan_site.packs import making
from guandan_site.packs.making import make_missing_packs, make_pack, start_missing_packs
from guandan_site.pdf import PressBusy
from guandan_site.rehearsal.services import begin_rehearsal, remove_rehearsal
from pairing.models import Publication
from pairing.selectors.packs import event_packs, newest_pack, pack_of, packs_folder, packs_to_make
from pairing.services import draw_round, publish_round, republish, withdraw_publication
from tests.builders import ROLES, make_result, make_round, make_user
from tests.format_events import group_stage, knockout_stage, seat_round
from tournaments.models import BackupPlan, Event, Player, RoundStatus

pytestmark = pytest.mark.django_db
PAGE = "http://192.168.1.20:8000/e/cup/"


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return tmp_path


@pytest.fixture
def second_round(event, chief) -> Publication:
    """Round 1 is closed with results, round 2 is published; team 1's player has a remark and a phone."""
    first = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)], status=RoundStatus.COMPLETED)
    for table in range(1, 5):
        make_result(first, table, 10, 3 + table)
    return _published(event, chief)


def _published(event: Event, chief) -> Publication:
    round_ = draw_round(stage=event.stages.get(), by=chief, seed=1)
    return publish_round(round=round_, by=chief, expected_version=1)


def _address(name: str, publication: Publication) -> str:
    round_ = publication.round
    kwargs = {"stage": round_.stage.order, "number": round_.number, "version": publication.version}
    return reverse(name, kwargs={"slug": round_.stage.event.slug, **kwargs})


def _pages(pdf: bytes) -> list[str]:
    return ["".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf)).pages]


def _titles(pdf: bytes) -> list[tuple[str, int]]:
    """The lines of the table of contents with their pages."""
    reader = PdfReader(io.BytesIO(pdf))
    lines = [(line.title, reader.get_destination_page_number(line)) for line in reader.outline]
    return [(title, page + 1) for title, page in lines if page is not None]


class TestContents:
    def test_one_pdf_with_a_line_for_each_sheet(self, second_round, assistant_client):
        answer = assistant_client.get(_address("pack_pdf", second_round))
        assert answer.status_code == 200
        pages = _pages(answer.content)
        titles = _titles(answer.content)
        assert [title for title, _page in titles] == [
            "应急包",
            "第 2 轮对阵表",
            "第 2 轮座位表（按组号）",
            "第 2 轮成绩单",
            "第 1 轮后排名",
        ]
        for title, page in titles[1:]:
            assert f"{''.join(title.split())}{page}" in pages[0], "the cover names the page"
        assert "第2轮成绩单" in pages[titles[3][1] - 1]
        assert "第1版" in pages[0]

    def test_the_zip_holds_the_event_as_a_file_that_can_be_imported(self, second_round, chief_client):
        answer = chief_client.get(_address("pack_zip", second_round))
        with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
            assert packed.namelist() == ["cup-r2-v1.pdf", "cup-r2-v1.json"]
            document = load_event(packed.read("cup-r2-v1.json"))
        assert [played.number for played in document.stages[0].rounds] == [1, 2]
        assert answer.headers["Content-Disposition"].startswith("attachment")

    def test_groups_and_brackets_come_along(self, event):
        for stage in (group_stage(event, 2), knockout_stage(event, 4)):
            round_ = seat_round(stage, 1)
            publication = Publication.objects.create(
                round=round_, version=1, published_at=timezone.now(), seating=[]
            )
            titles = [title for title, _page in _titles(_made(publication))]
            assert titles[-1] == ("对阵图" if stage.format == "knockout" else "循环表")

    def test_a_replaced_version_says_so_and_keeps_its_names(self, second_round, chief, assistant_client):
        match = second_round.round.matches.order_by("table").first()
        old = match.home.players.get(position=1).name
        Player.objects.filter(team=match.home, position=1).update(name="后来人")
        republish(round=second_round.round, by=chief, reason="换人")
        first = "".join(_pages(assistant_client.get(_address("pack_pdf", second_round)).content))
        assert "本版已作废" in first
        assert old in first
        hanging = Publication.objects.get(round=second_round.round, version=2)
        second = "".join(_pages(assistant_client.get(_address("pack_pdf", hanging)).content))
        assert "后来人" in second

    def test_in_the_installations_language_whoever_asks(self, second_round, assistant_client):
        assistant_client.cookies["django_language"] = "en"
        pages = _pages(assistant_client.get(_address("pack_pdf", second_round)).content)
        assert "应急包" in pages[0]


def _made(publication: Publication) -> bytes:
    pack = make_pack(publication, PAGE, is_patient=True)
    return making.pack_content(pack, making.PDF)


class TestRights:
    def test_an_assistant_prints_but_takes_no_event_file(self, second_round, assistant_client):
        assert assistant_client.get(_address("pack_pdf", second_round)).status_code == 200
        assert assistant_client.get(_address("pack_zip", second_round)).status_code == 403

    def test_a_draft_has_none(self, second_round, chief, chief_client, assistant_client):
        withdraw_publication(round=second_round.round, by=chief)
        assert chief_client.get(_address("pack_pdf", second_round)).status_code == 404
        assert assistant_client.get(_address("pack_pdf", second_round)).status_code == 403
        with pytest.raises(making.NeverPublished):
            make_pack(second_round, PAGE, is_patient=True)
        assert not list(packs_folder(second_round.round.stage.event_id).glob("*.zip"))

    def test_a_version_taken_back_keeps_its_pack_for_who_sees_drafts(
        self, second_round, chief, chief_client, assistant_client
    ):
        kept = _made(second_round)
        withdraw_publication(round=second_round.round, by=chief)
        assert chief_client.get(_address("pack_pdf", second_round)).content == kept
        assert assistant_client.get(_address("pack_pdf", second_round)).status_code == 403
        prints = reverse("prints", args=["cup"])
        assert "已撤回" in chief_client.get(prints).content.decode()
        assert "已撤回" not in assistant_client.get(prints).content.decode()

    def test_no_such_version(self, second_round, chief_client):
        assert chief_client.get("/e/cup/desk/prints/packs/s1/r2/v9.pdf").status_code == 404


class TestMaking:
    def test_the_command_makes_what_is_missing_once(self, second_round, capsys):
        call_command("make_pack", "cup", "--page", PAGE, "--json")
        (path,) = json.loads(capsys.readouterr().out)["files"]
        assert path == str(pack_of(second_round).path)
        call_command("make_pack", "cup", "--json")
        assert json.loads(capsys.readouterr().out)["files"] == []

    def test_whole_or_not_at_all(self, second_round, folder, monkeypatch):
        def full(*_args):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(making.os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            make_pack(second_round, PAGE, is_patient=True)
        left = [path.name for path in packs_folder(second_round.round.stage.event_id).iterdir()]
        assert left == []

    def test_one_process_at_a_time_and_a_visitor_is_asked_to_wait(self, second_round, assistant_client):
        event = second_round.round.stage.event
        making._folder(packs_folder(event.pk))
        with (packs_folder(event.pk) / "making.lock").open("w") as other:
            assert locks.lock(other, locks.LOCK_EX | locks.LOCK_NB)
            assert make_missing_packs(event, PAGE) == []
            answer = assistant_client.get(_address("pack_pdf", second_round))
        assert answer.status_code == 503
        assert answer.headers["Refresh"] == "2"
        assert "请稍候" in answer.content.decode()

    def test_a_damaged_pack_is_made_again(self, second_round, assistant_client):
        _made(second_round)
        path = pack_of(second_round).path
        path.write_bytes(path.read_bytes()[:2000])
        assert assistant_client.get(_address("pack_pdf", second_round)).status_code == 200

    def test_an_event_that_never_rests_is_told_from_one_that_does(self, second_round):
        event = second_round.round.stage.event
        readings: list[int] = []

        def restless() -> int:
            readings.append(1)
            Event.objects.filter(pk=event.pk).update(revision=1000 + len(readings))
            return len(readings)

        with pytest.raises(PressBusy):
            making._settled(event.pk, restless)
        assert making._settled(event.pk, lambda: "once") == "once"

    def test_a_busy_press_is_asked_again_by_itself(self, second_round, folder, monkeypatch):
        monkeypatch.setattr("guandan_site.pdf.PATIENCE", 0)
        with (folder / "press.lock").open("w") as press:
            assert locks.lock(press, locks.LOCK_EX | locks.LOCK_NB)
            with pytest.raises(PressBusy):
                make_pack(second_round, PAGE, is_patient=True)

    def test_the_oldest_go(self, second_round, folder, monkeypatch):
        monkeypatch.setattr(making, "KEPT", 2)
        own = packs_folder(second_round.round.stage.event_id)
        making._folder(own)
        (own / "20200101-000000-000000-1-v1.zip").write_bytes(b"")
        (own / "20200102-000000-000000-1-v2.zip").write_bytes(b"")
        (own / ".part-of-a-killed-process").write_bytes(b"")
        make_pack(second_round, PAGE, is_patient=True)
        left = sorted(path.name for path in own.iterdir())
        assert left == ["20200102-000000-000000-1-v2.zip", pack_of(second_round).path.name]

    def test_a_rehearsal_takes_its_packs_along(
        self, event, administrator, django_capture_on_commit_callbacks
    ):
        rehearsal = begin_rehearsal(event=event, by=administrator)
        folder = packs_folder(rehearsal.pk)
        making._folder(folder)
        with django_capture_on_commit_callbacks(execute=True):
            remove_rehearsal(event=rehearsal, by=administrator)
        assert not folder.exists()


class TestByThemselves:
    @pytest.fixture
    def started(self, monkeypatch) -> list[tuple[str, ...]]:
        """What would have been started; a process of its own would look into another database."""
        calls: list[tuple[str, ...]] = []
        monkeypatch.setattr(making, "start_command", lambda *arguments: calls.append(arguments))
        return calls

    def publish(self, client, event: Event) -> None:
        draft = event.stages.get().rounds.get(status=RoundStatus.DRAFT)
        seen = {"draft": draft.pk, "version": draft.draw.version}
        assert client.post(f"/e/{event.slug}/desk/draw/publish/", seen).status_code == 303

    def test_a_publication_starts_one_process(self, event, chief, chief_client, settings, started):
        settings.PACKS_BY_THEMSELVES = True
        draw_round(stage=event.stages.get(), by=chief, seed=1)
        self.publish(chief_client, event)
        assert [call[0] for call in started] == ["make_pack"]
        assert started[0][2].endswith("/e/cup/")
        chief_client.post("/e/cup/desk/clock/start/")
        assert len(started) == 1, "it was started just now"

    def test_a_stranger_starts_none(self, second_round, client, settings, started):
        settings.PACKS_BY_THEMSELVES = True
        client.post("/e/cup/desk/clock/start/", headers={"Host": "elsewhere.example"})
        client.force_login(make_user("foreign", ROLES["chief"]))
        client.post("/e/cup/desk/clock/start/", headers={"Host": "elsewhere.example"})
        assert started == []

    def test_an_address_that_begins_with_a_hyphen_is_no_option(self, second_round, started, folder):
        Event.objects.update(slug="-cup-")
        start_missing_packs("-cup-", lambda event: PAGE)
        call_command(*started[0], stdout=StringIO())
        assert packs_to_make("-cup-") == []

    def test_one_that_died_is_followed_by_another(self, second_round, started, folder):
        event = second_round.round.stage.event
        start_missing_packs("cup", lambda event: PAGE)
        announced = packs_folder(event.pk) / "started"
        long_ago = time.time() - making.STARTING - 1
        making.os.utime(announced, (long_ago, long_ago))
        start_missing_packs("cup", lambda event: PAGE)
        assert len(started) == 2
        make_missing_packs(event, PAGE)
        assert not announced.exists()
        start_missing_packs("cup", lambda event: PAGE)
        assert len(started) == 2, "nothing is missing"

    def test_a_full_disk_is_no_failure_of_the_act(self, event, chief, chief_client, settings, folder):
        settings.PACKS_BY_THEMSELVES = True
        (folder / "packs").write_text("no folder")
        draw_round(stage=event.stages.get(), by=chief, seed=1)
        self.publish(chief_client, event)

    def test_only_what_hangs_in_a_round_that_is_played(self, second_round, chief):
        assert [pack.publication for pack in packs_to_make("cup")] == [second_round]
        withdraw_publication(round=second_round.round, by=chief)
        assert packs_to_make("cup") == []


class TestSelectors:
    def test_the_newest_that_hangs(self, second_round, chief):
        event = second_round.round.stage.event
        assert newest_pack(event).publication == second_round
        assert newest_pack(event).made_at is None
        _made(second_round)
        made_at = newest_pack(event).made_at
        assert timezone.now() - made_at < timedelta(minutes=1)
        withdraw_publication(round=second_round.round, by=chief)
        assert newest_pack(event) is None

    def test_one_query(self, second_round, django_assert_num_queries):
        event = second_round.round.stage.event
        with django_assert_num_queries(1):
            event_packs(event, sees_drafts=True)
        with django_assert_num_queries(1):
            newest_pack(event)
        with django_assert_num_queries(1):
            packs_to_make("cup")

    def test_another_event_at_a_removed_ones_number_gets_no_foreign_pack(self, second_round):
        _made(second_round)
        later = second_round.published_at + timedelta(seconds=1)
        Publication.objects.filter(pk=second_round.pk).update(published_at=later)
        second_round.refresh_from_db()
        assert pack_of(second_round).made_at is None


class TestCard:
    def test_it_names_this_installation(self, event, assistant_client):
        BackupPlan.objects.create(pk=BackupPlan.THE_ONE, folder="/media/usb/备份")
        Event.objects.filter(pk=event.pk).update(public_address="http://192.168.1.20:8000")
        answer = assistant_client.get(
            "/e/cup/desk/prints/emergency-card.pdf", headers={"Host": "10.0.0.7:8000"}
        )
        (page,) = _pages(answer.content)
        for words in (
            "http://10.0.0.7:8000/",
            "http://127.0.0.1:8000/",
            "/media/usb/备份",
            "电脑坏了",
            "停电了",
        ):
            assert words in page

    def test_long_names_stay_on_the_one_page(self, event, assistant_client):
        BackupPlan.objects.create(pk=BackupPlan.THE_ONE, folder="/media/" + "很长的文件夹名字" * 15)
        Event.objects.update(name="某某大学第一届教职工" * 10, public_address="http://192.168.1.20:8000")
        (page,) = _pages(assistant_client.get("/e/cup/desk/prints/emergency-card.pdf").content)
        assert page.count("某某大学第一届教职工" * 10) >= 1

    def test_before_there_is_an_event(self, db, client):
        client.force_login(make_user("admin", ROLES["administrator"]))
        (page,) = _pages(client.get("/backup/emergency-card.pdf").content)
        assert "还没有选备份文件夹" in page
        assert "emergency-card.pdf" in client.get("/backup/").content.decode()


def test_the_page_of_prints_leads_to_both(second_round, assistant_client, chief_client):
    page = assistant_client.get(reverse("prints", args=["cup"])).content.decode()
    assert _address("pack_pdf", second_round) in page
    assert _address("pack_zip", second_round) not in page
    assert (
        _address("pack_zip", second_round)
        in chief_client.get(reverse("prints", args=["cup"])).content.decode()
    )


def test_before_the_first_publication(assistant_client, event):
    assert "第一轮公示时生成第一份" in assistant_client.get(reverse("prints", args=["cup"])).content.decode()
