"""The hall's screens: set up, steered, told apart; and the tables that are put up one by one."""

from datetime import timedelta

import pytest
from django.utils import timezone

from guandan_site.event_file import document as doc
from guandan_site.event_file import limits
from guandan_site.event_file.dumping import dump_event
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import parse_event
from guandan_site.event_file.problems import InvalidEventFile
from guandan_site.event_file.storing import store_event
from pairing.models import KEY_LENGTH, KEY_LETTERS, Ceremony, Distance, Draw, Screen, ScreenRole
from pairing.selectors.screens import AFTERGLOW, AWAY, running_ceremony, screen_states
from pairing.services import (
    ScreenSetup,
    add_screen,
    change_screen,
    draw_round,
    hold_screen,
    note_contact,
    pin_screen,
    post_notice,
    publish_with_ceremony,
    remove_screen,
    skip_ceremony,
    start_ceremony,
    turn_screen,
    withdraw_publication,
)
from pairing.services.ceremonies import LONGEST, ceremony_seconds
from pairing.services.refusals import (
    CeremonyTooLate,
    NoCeremony,
    NotADraft,
    NotPublished,
    ScreenGone,
    ScreenNameTaken,
    TooManyScreens,
)
from pairing.services.screens import MOST_SCREENS, setup_of
from tests.builders import make_event, make_result
from tests.engine.event_file.files import two_rounds
from tournaments.clock import start_clock
from tournaments.models import Audience, Event, LogEntry, Occasion, Round
from tournaments.snapshots import restore_snapshot, take_snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def screen(event, assistant) -> Screen:
    return add_screen(event=event, setup=ScreenSetup("北墙"), by=assistant)


@pytest.fixture
def draft(event, chief) -> Round:
    return draw_round(stage=event.stages.get(), by=chief, seed=3)


def reveal(draft: Round, chief, audience=Audience.EVERYBODY) -> Ceremony:
    version = Draw.objects.get(round=draft).version
    return publish_with_ceremony(round=draft, by=chief, expected_version=version, audience=audience)


def last_entry() -> LogEntry:
    return LogEntry.objects.first()


class TestSettingUp:
    def test_a_key_cannot_be_guessed(self, event, assistant, screen):
        other = add_screen(event=event, setup=ScreenSetup("南墙"), by=assistant)
        assert screen.key != other.key
        assert len(screen.key) == KEY_LENGTH
        assert set(screen.key) <= set(KEY_LETTERS)

    def test_each_act_is_in_the_log(self, screen, assistant):
        entry = last_entry()
        assert (entry.act, entry.subject, entry.by) == ("screen_added", "北墙", assistant)
        setup = ScreenSetup("入口", ("tables", "code"), 20, "far")
        changed = change_screen(screen=screen, setup=setup, by=assistant)
        assert (setup_of(changed), changed.key) == (setup, screen.key)
        assert (last_entry().old["name"], last_entry().new["name"]) == ("北墙", "入口")
        remove_screen(screen=changed, by=assistant)
        assert (last_entry().act, last_entry().subject) == ("screen_removed", "入口")
        assert not Screen.objects.exists()

    def test_a_name_is_taken_once_in_an_event(self, event, assistant, screen):
        with pytest.raises(ScreenNameTaken):
            add_screen(event=event, setup=ScreenSetup("北墙"), by=assistant)
        other = add_screen(event=event, setup=ScreenSetup("南墙"), by=assistant)
        with pytest.raises(ScreenNameTaken):
            change_screen(screen=other, setup=ScreenSetup("北墙"), by=assistant)
        add_screen(event=make_event(slug="other"), setup=ScreenSetup("北墙"), by=assistant)

    def test_there_is_an_end_to_them(self, event, assistant):
        Screen.objects.bulk_create(Screen(event=event, name=f"{n}") for n in range(MOST_SCREENS))
        with pytest.raises(TooManyScreens):
            add_screen(event=event, setup=ScreenSetup("再一块"), by=assistant)

    def test_what_somebody_removed_is_gone(self, screen, assistant):
        Screen.objects.all().delete()
        with pytest.raises(ScreenGone):
            turn_screen(screen=screen, pages=1, by=assistant)

    def test_a_restore_leaves_the_projectors_on_the_wall(self, event, administrator, assistant):
        snapshot = take_snapshot(event=event, by=administrator, occasion=Occasion.BY_HAND)
        screen = add_screen(event=event, setup=ScreenSetup("北墙"), by=assistant)
        restore_snapshot(event=event, snapshot=snapshot, by=administrator, reason="试")
        assert Screen.objects.get().key == screen.key


class TestSteering:
    def test_two_presses_at_the_same_time_turn_two_pages(self, screen, assistant):
        seen_by_both = Screen.objects.get(pk=screen.pk)
        turn_screen(screen=screen, pages=1, by=assistant)
        turn_screen(screen=seen_by_both, pages=1, by=assistant)
        assert Screen.objects.get().turns == 2
        turn_screen(screen=seen_by_both, pages=-1, by=assistant)
        assert Screen.objects.get().turns == 1
        assert last_entry().new == {"turned": "back"}

    def test_one_role_alone_lets_a_held_page_go(self, screen, assistant):
        hold_screen(screen=screen, is_held=True, by=assistant)
        assert Screen.objects.get().is_held
        pin_screen(screen=screen, role=ScreenRole.CLOCK, by=assistant)
        shown = Screen.objects.get()
        assert (shown.pinned, shown.is_held) == ("clock", False)
        assert (last_entry().old, last_entry().new) == ({"pinned": "rotation"}, {"pinned": "clock"})
        pin_screen(screen=screen, role=None, by=assistant)
        assert Screen.objects.get().pinned == ""

    def test_a_notice_goes_up_and_comes_down_on_the_screens_chosen(self, event, screen, assistant):
        other = add_screen(event=event, setup=ScreenSetup("南墙"), by=assistant)
        post_notice(event=event, screens=[screen], notice="请 12 桌到裁判台", by=assistant)
        shown = {each.name: (each.pinned, each.notice) for each in Screen.objects.all()}
        assert shown == {"北墙": ("notice", "请 12 桌到裁判台"), "南墙": ("", "")}
        assert last_entry().new == {"notice": "请 12 桌到裁判台", "screens": ["北墙"]}
        pin_screen(screen=other, role=ScreenRole.CLOCK, by=assistant)
        post_notice(event=event, screens=[screen, other], notice="", by=assistant)
        shown = {each.name: (each.pinned, each.notice) for each in Screen.objects.all()}
        assert shown == {"北墙": ("", ""), "南墙": ("clock", "")}


class TestContact:
    def test_is_no_act(self, event, screen):
        revision, entries = Event.objects.get().revision, LogEntry.objects.count()
        note_contact(screen, role="tables", page=2, pages=5)
        assert (Event.objects.get().revision, LogEntry.objects.count()) == (revision, entries)
        state = screen_states(event)[0]
        assert state.is_online
        assert (state.screen.seen_role, state.screen.seen_page, state.screen.seen_pages) == ("tables", 2, 5)

    def test_costs_nothing_while_nothing_changes(self, screen, django_assert_num_queries):
        note_contact(screen, role="tables", page=2, pages=5)
        screen.refresh_from_db()
        with django_assert_num_queries(0):
            note_contact(screen, role="tables", page=2, pages=5)
        with django_assert_num_queries(1):
            note_contact(screen, role="tables", page=3, pages=5)

    def test_ends(self, event, screen):
        assert not screen_states(event)[0].was_seen
        Screen.objects.update(seen_at=timezone.now() - AWAY - timedelta(minutes=3))
        state = screen_states(event)[0]
        assert (state.was_seen, state.is_online, state.minutes_silent) == (True, False, 3)


class TestCeremony:
    def test_begins_with_the_publication(self, draft, chief):
        assert running_ceremony(draft) is None
        ceremony = reveal(draft, chief, Audience.HALL)
        round_ = Round.objects.get()
        assert (round_.is_published, round_.is_hall_only) == (True, True)
        assert running_ceremony(round_) == ceremony
        assert list(LogEntry.objects.values_list("act", flat=True)[:2]) == [
            "ceremony_started",
            "round_published",
        ]

    def test_publishes_nothing_twice(self, draft, chief):
        reveal(draft, chief)
        with pytest.raises(NotADraft):
            reveal(draft, chief)
        assert Ceremony.objects.count() == 1

    def test_is_over_after_its_time(self, draft, chief):
        ceremony = reveal(draft, chief)
        end = ceremony.started_at + timedelta(seconds=ceremony.seconds) + AFTERGLOW
        round_ = Round.objects.get()
        assert running_ceremony(round_, end - timedelta(seconds=1)) == ceremony
        assert running_ceremony(round_, end) is None

    @pytest.mark.parametrize(("tables", "seconds"), [(4, 15), (24, 55), (100, LONGEST), (300, LONGEST)])
    def test_nobody_waits_longer_than_a_minute(self, tables, seconds):
        assert ceremony_seconds(tables) == seconds

    def test_can_be_skipped_once(self, draft, chief):
        reveal(draft, chief)
        round_ = Round.objects.get()
        skip_ceremony(round=round_, by=chief)
        assert running_ceremony(round_) is None
        assert last_entry().act == "ceremony_skipped"
        with pytest.raises(NoCeremony):
            skip_ceremony(round=round_, by=chief)

    def test_can_be_shown_again_until_play_begins(self, draft, chief):
        first = reveal(draft, chief)
        round_ = Round.objects.get()
        skip_ceremony(round=round_, by=chief)
        again = start_ceremony(round=round_, by=chief)
        assert (again.pk, again.skipped_at) == (first.pk, None)
        start_clock(round=round_, by=chief)
        with pytest.raises(CeremonyTooLate):
            start_ceremony(round=round_, by=chief)

    def test_comes_too_late_after_a_result(self, draft, chief):
        reveal(draft, chief)
        make_result(Round.objects.get(), 1, 10, 7)
        with pytest.raises(CeremonyTooLate):
            start_ceremony(round=Round.objects.get(), by=chief)

    def test_is_gone_with_the_publication(self, draft, chief):
        with pytest.raises(NotPublished):
            start_ceremony(round=draft, by=chief)
        reveal(draft, chief)
        withdraw_publication(round=Round.objects.get(), by=chief)
        assert running_ceremony(Round.objects.get()) is None
        with pytest.raises(NotPublished):
            start_ceremony(round=Round.objects.get(), by=chief)


class TestFile:
    SCREENS = [
        {"name": "北墙", "key": "northwall23", "roles": ["tables", "code"], "seconds": 20, "distance": "far"},
        {
            "name": "南墙",
            "key": "southwall23",
            "roles": ["auto"],
            "seconds": 12,
            "distance": "near",
            "notice": "请安静",
            "lamp": "new",
        },
    ]

    def test_an_export_imported_gives_the_same_screens(self):
        event = store_event(parse_event(two_rounds() | {"screens": self.SCREENS}))
        written = dump_event(document_of(event))
        assert written["screens"] == self.SCREENS
        Event.objects.all().delete()
        assert dump_event(document_of(store_event(parse_event(written)))) == written

    def test_an_import_keeps_the_projectors_that_hang_already(self, event, assistant):
        kept = add_screen(event=event, setup=ScreenSetup("西墙"), by=assistant)
        add_screen(event=event, setup=ScreenSetup("北墙"), by=assistant)
        store_event(parse_event(two_rounds() | {"screens": self.SCREENS}), replace=True)
        keys = dict(event.screens.values_list("name", "key"))
        assert keys == {"西墙": kept.key, "北墙": "northwall23", "南墙": "southwall23"}

    @pytest.mark.parametrize(
        ("change", "path"),
        [
            ({"roles": ["film"]}, "$.screens[1].roles[0]"),
            ({"roles": []}, "$.screens[1].roles"),
            ({"key": "short"}, "$.screens[1].key"),
            ({"key": "northwall23"}, "$.screens[1].key"),
            ({"name": "北墙"}, "$.screens[1].name"),
            ({"seconds": 1}, "$.screens[1].seconds"),
            ({"distance": "moon"}, "$.screens[1].distance"),
        ],
    )
    def test_refuses_with_the_place(self, change, path):
        screens = [self.SCREENS[0], self.SCREENS[1] | change]
        with pytest.raises(InvalidEventFile) as refused:
            parse_event(two_rounds() | {"screens": screens})
        assert [problem.path for problem in refused.value.problems] == [path]

    def test_a_file_holds_what_the_columns_hold(self):
        assert list(doc.ScreenRole) == ScreenRole.values
        assert list(doc.Distance) == Distance.values
        lengths = {field: Screen._meta.get_field(field).max_length for field in ("name", "key", "notice")}
        assert lengths == {
            "name": limits.LONGEST_SCREEN_NAME,
            "key": limits.LONGEST_SCREEN_NAME,
            "notice": limits.LONGEST_NOTICE,
        }
