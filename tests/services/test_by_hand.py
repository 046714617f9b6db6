"""What was changed by hand: the difference to the engine's own draw, and the reason that goes out with it."""

from __future__ import annotations

import pytest

from guandan_site.event_file.checking import check_event
from guandan_site.event_file.dumping import to_bytes
from guandan_site.event_file.exporting import document_of
from guandan_site.event_file.parsing import load_event
from guandan_site.event_file.storing import store_event
from pairing.engine.types import NoteKind, Rule
from pairing.models import Draw, Publication
from pairing.selectors.board import round_draft
from pairing.selectors.by_hand import changed_by_hand, reasons_told
from pairing.services import (
    MeetingWish,
    draw_round,
    exchange_tables,
    publish_round,
    redraw_round,
    set_meeting,
    swap_published,
    swap_teams,
    withdraw_publication,
)
from pairing.services.guards import draw_of
from pairing.services.refusals import ReasonMissing
from pairing.why_words import by_hand_sentence, table_by_hand_sentence
from tests.builders import make_user
from tests.services.stages import (
    ROUND_ROBIN,
    SWISS,
    begun,
    drawn,
    format_event,
    play_round,
    seating,
    stage_of,
)
from tournaments.log import Act
from tournaments.models import LogEntry, Round
from tournaments.roles import CHIEF

pytestmark = pytest.mark.django_db
BY_NUMBER = {"pairing": {"first_round": "entry_order"}}


@pytest.fixture
def chief(db):
    return make_user("chief", CHIEF)


@pytest.fixture
def event(chief):
    return format_event((SWISS, BY_NUMBER))


def swap(round_, by, first, second, **options):
    teams = round_.stage.event.teams
    swap_teams(
        round=round_,
        first=teams.get(number=first),
        second=teams.get(number=second),
        by=by,
        expected_version=draw_of(round_).version,
        **options,
    )


def publish(round_, by, reason=""):
    return publish_round(round=round_, by=by, expected_version=draw_of(round_).version, reason=reason)


def difference(round_):
    found = changed_by_hand(round_draft(round_))
    return [
        (each.now.table, each.drawn and tuple(side.team.number for side in each.drawn))
        for each in found.tables
    ]


def test_the_tables_that_differ_and_what_was_drawn(event, chief):
    round_ = drawn(stage_of(event), chief)
    assert difference(round_) == []
    swap(round_, chief, 2, 3)
    assert difference(round_) == [(1, (1, 2)), (2, (3, 4))]
    swap(round_, chief, 2, 3)
    assert difference(round_) == []


def test_a_change_that_breaks_nothing_needs_no_reason_but_keeps_one(event, chief):
    round_ = drawn(stage_of(event), chief)
    swap(round_, chief, 2, 3)
    publish(round_, chief, " 照顾赶车 ")
    assert Draw.objects.get(round=round_).by_hand == {"tables": [1, 2], "broken": [], "reason": "照顾赶车"}
    entry = LogEntry.objects.filter(act=Act.ROUND_PUBLISHED).get()
    assert (entry.reason, entry.new["by_hand"]) == ("照顾赶车", [1, 2])


def test_a_draw_as_it_came_keeps_nothing(event, chief):
    round_ = drawn(stage_of(event), chief)
    publish(round_, chief, "无")
    assert Draw.objects.get(round=round_).by_hand == {}
    assert LogEntry.objects.get(act=Act.ROUND_PUBLISHED).reason == ""


class TestBrokenRule:
    @pytest.fixture
    def round_(self, event, chief):
        play_round(stage_of(event), chief)
        return drawn(stage_of(event), chief)

    def rematch(self, round_, by):
        """Puts 1 and 2 at one table again."""
        opponent = next(other for _, *sides in seating(round_) if 1 in sides for other in sides if other != 1)
        swap(round_, by, opponent, 2, confirmed=True)

    def test_needs_a_reason(self, round_, chief):
        self.rematch(round_, chief)
        with pytest.raises(ReasonMissing):
            publish(round_, chief, "  ")
        assert not Publication.objects.filter(round=round_).exists()
        publish(round_, chief, "双方同意")
        kept = Draw.objects.get(round=round_).by_hand
        assert kept["reason"] == "双方同意"
        assert [(each["rule"], sorted(each["teams"])) for each in kept["broken"]] == [
            ("rematch", [1, 2]),
            ("rematch", [3, 4]),
        ]
        entry = LogEntry.objects.filter(act=Act.ROUND_PUBLISHED).first()
        assert entry.new["warnings"][0]["rule"] == "rematch"

    def test_drawing_again_forgets_it(self, round_, chief):
        self.rematch(round_, chief)
        redraw_round(round=round_, by=chief, expected_version=draw_of(round_).version)
        publish(round_, chief)
        assert Draw.objects.get(round=round_).by_hand == {}

    def test_the_event_file_brings_it_back(self, event, round_, chief):
        self.rematch(round_, chief)
        publish(round_, chief, "双方同意")
        content = to_bytes(document_of(event))
        store_event(load_event(content), replace=True)
        assert to_bytes(document_of(event)) == content
        assert Draw.objects.filter(by_hand__reason="双方同意").count() == 1


def test_a_meeting_set_against_a_rule_needs_a_reason_too(chief):
    event = format_event((SWISS, BY_NUMBER), departments=4)
    round_ = drawn(stage_of(event), chief)
    one, other = event.teams.get(number=1), event.teams.get(number=5)
    version = draw_of(round_).version
    set_meeting(
        round=round_, first=one, second=other, wish=MeetingWish.FORCED, by=chief, expected_version=version
    )
    round_ = Round.objects.get(pk=round_.pk)
    found = changed_by_hand(round_draft(round_))
    assert [(item.rule, set(item.teams)) for item in found.broken] == [(Rule.SAME_DEPARTMENT, {1, 5})]
    with pytest.raises(ReasonMissing):
        publish(round_, chief)


def test_a_correction_after_publication_is_told_too(event, chief):
    round_ = drawn(stage_of(event), chief)
    publish(round_, chief)
    assert Draw.objects.get(round=round_).by_hand == {}
    teams = event.teams
    swap_published(
        round=round_,
        first=teams.get(number=2),
        second=teams.get(number=3),
        by=chief,
        expected_version=draw_of(round_).version,
        reason="坐错了",
    )
    assert Draw.objects.get(round=round_).by_hand["tables"] == [1, 2]
    assert Draw.objects.get(round=round_).by_hand["reason"] == "坐错了"
    assert check_event(document_of(event)) == []


@pytest.mark.parametrize("format", [SWISS, ROUND_ROBIN])
def test_exchanged_tables_are_told(format, chief):
    event = format_event((format, BY_NUMBER if format == SWISS else {}))
    stage = stage_of(event) if format == SWISS else begun(event, chief)
    round_ = drawn(stage, chief)
    version = draw_of(round_).version
    exchange_tables(round=round_, table=1, to=4, by=chief, expected_version=version)
    assert [table for table, _ in difference(round_)] == [1, 4]
    publish(round_, chief, "轮椅")
    assert Draw.objects.get(round=round_).by_hand["tables"] == [1, 4]


class TestTwice:
    """Tables changed by hand twice: both reasons are kept, each with its tables."""

    @pytest.fixture
    def round_(self, event, chief):
        round_ = drawn(stage_of(event), chief)
        swap(round_, chief, 2, 3)
        publish(round_, chief, "照顾赶车")
        return Round.objects.get()

    def exchange(self, round_, by, table, to, reason):
        version = draw_of(round_).version
        exchange_tables(round=round_, table=table, to=to, by=by, expected_version=version, reason=reason)

    def test_both_reasons_stand_with_their_tables(self, event, round_, chief):
        self.exchange(round_, chief, 3, 4, "桌子坏了")
        by_hand = draw_of(round_).by_hand
        assert (by_hand["tables"], by_hand["reason"]) == ([1, 2, 3, 4], "照顾赶车；桌子坏了")
        assert by_hand_sentence(by_hand) == (
            "4 桌经主裁判调整（1、2、3、4 号桌）：1、2 号桌：照顾赶车；3、4 号桌：桌子坏了"
        )
        assert table_by_hand_sentence(by_hand, 2).endswith("照顾赶车")
        assert table_by_hand_sentence(by_hand, 3).endswith("桌子坏了")
        assert check_event(document_of(event)) == []

    def test_a_table_changed_again_has_the_new_reason(self, round_, chief):
        self.exchange(round_, chief, 2, 4, "桌子坏了")
        assert [(each["tables"], each["reason"]) for each in reasons_told(draw_of(round_).by_hand)] == [
            ([1], "照顾赶车"),
            ([2, 4], "桌子坏了"),
        ]

    def test_what_is_undone_goes_with_its_reason(self, round_, chief):
        self.exchange(round_, chief, 3, 4, "桌子坏了")
        self.exchange(round_, chief, 3, 4, "修好了")
        assert draw_of(round_).by_hand == {"tables": [1, 2], "broken": [], "reason": "照顾赶车"}

    def test_published_again_after_a_withdrawal_it_keeps_the_first(self, round_, chief):
        withdraw_publication(round=round_, by=chief)
        version = draw_of(round_).version
        exchange_tables(round=round_, table=3, to=4, by=chief, expected_version=version)
        publish(round_, chief, "桌子坏了")
        assert [each["reason"] for each in draw_of(round_).by_hand["reasons"]] == ["照顾赶车", "桌子坏了"]

    def test_the_event_file_brings_both_back(self, event, round_, chief):
        self.exchange(round_, chief, 3, 4, "桌子坏了")
        content = to_bytes(document_of(event))
        store_event(load_event(content), replace=True)
        assert to_bytes(document_of(event)) == content


def notes_of(round_):
    return {each.table: each.notes for each in round_draft(round_).tables}


def test_a_swap_leaves_the_notes_of_other_tables_as_the_engine_wrote_them(chief):
    event = format_event((SWISS, {"pairing": {"first_round": "random"}}), teams=12, departments=3)
    round_ = draw_round(stage=stage_of(event), by=chief, seed=35)
    own = notes_of(round_)
    assert all(NoteKind.REST_IMPOSSIBLE in {note.kind for note in own[table]} for table in (4, 5))
    one, other = seating(round_)[:2]
    swap(round_, chief, one[2], other[2], confirmed=True)
    now = notes_of(round_)
    assert {table: now[table] for table in own if table > 2} == {t: own[t] for t in own if t > 2}
    assert NoteKind.BY_HAND in {note.kind for note in now[1] + now[2]}
