"""The countdown: server time, start, pause, resume, add minutes."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.builders import make_round
from tournaments.clock import (
    ClockRefused,
    ClockState,
    MinutesRefused,
    clock_face,
    clock_state,
    extend_clock,
    pause_clock,
    reset_clock,
    resume_clock,
    running_round,
    seconds_left,
    start_clock,
)
from tournaments.models import Clock, LogEntry, Round, RoundStatus

NOW = datetime(2026, 12, 5, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ends_in", "left", "state"),
    [
        (timedelta(seconds=60), 60, ClockState.RUNNING),
        (timedelta(seconds=59, milliseconds=1), 60, ClockState.RUNNING),
        (timedelta(milliseconds=1), 1, ClockState.RUNNING),
        (timedelta(0), 0, ClockState.OVER),
        (timedelta(hours=-3), 0, ClockState.OVER),
    ],
)
def test_seconds_left_round_up_and_never_fall_below_zero(ends_in, left, state):
    clock = Clock(length=2700, ends_at=NOW + ends_in)
    assert (seconds_left(clock, NOW), clock_state(clock, NOW)) == (left, state)


def test_an_idle_clock_shows_its_length_and_a_paused_one_its_rest():
    assert seconds_left(Clock(length=2700), NOW) == 2700
    paused = Clock(length=2700, remaining=timedelta(minutes=7))
    assert (seconds_left(paused, NOW), clock_state(paused, NOW)) == (420, ClockState.PAUSED)


@pytest.fixture
def round_(event):
    round_ = make_round(event, [(1, 2), (3, 4), (5, 6), (7, 8)])
    Clock.objects.create(round=round_, length=2700)
    return round_


@pytest.mark.django_db
def test_start_pause_resume_extend_reset(round_, chief):
    start_clock(round=round_, by=chief)
    pause_clock(round=round_, by=chief)
    extend_clock(round=round_, minutes=5, by=chief)
    clock = resume_clock(round=round_, by=chief)
    now = clock.ends_at - timedelta(seconds=10)
    assert seconds_left(clock, now) == 10
    assert clock.length == 3000
    assert timedelta(minutes=49) < clock.ends_at - clock.started_at <= timedelta(minutes=50, seconds=5)
    clock = reset_clock(round=round_, by=chief)
    assert (clock.started_at, clock.ends_at, clock.remaining) == (None, None, None)
    assert list(LogEntry.objects.order_by("pk").values_list("act", flat=True)) == [
        "clock_started",
        "clock_paused",
        "clock_extended",
        "clock_resumed",
        "clock_reset",
    ]


@pytest.mark.django_db
def test_acts_that_do_not_fit_are_refused(round_, chief):
    for act in (pause_clock, resume_clock):
        with pytest.raises(ClockRefused):
            act(round=round_, by=chief)
    start_clock(round=round_, by=chief)
    with pytest.raises(ClockRefused):
        start_clock(round=round_, by=chief)


@pytest.mark.django_db
@pytest.mark.parametrize("minutes", [-45, 436, 10**30])
def test_minutes_that_leave_no_time_or_too_much_are_refused_with_what_fits(round_, chief, minutes):
    with pytest.raises(MinutesRefused) as refused:
        extend_clock(round=round_, minutes=minutes, by=chief)
    assert (refused.value.least, refused.value.most) == (-44, 435)
    assert extend_clock(round=round_, minutes=-44, by=chief).length == 60
    assert extend_clock(round=round_, minutes=479, by=chief).length == 8 * 60 * 60


@pytest.mark.django_db
@pytest.mark.parametrize("status", [RoundStatus.DRAFT, RoundStatus.COMPLETED])
def test_only_a_round_being_played_has_a_clock_to_act_on(round_, chief, status):
    round_.status = status
    round_.save()
    with pytest.raises(ClockRefused):
        start_clock(round=round_, by=chief)


@pytest.mark.django_db
def test_minutes_after_time_is_called_count_from_now(round_, chief):
    start_clock(round=round_, by=chief)
    Clock.objects.update(ends_at=NOW - timedelta(days=365))
    clock = extend_clock(round=round_, minutes=5, by=chief)
    assert clock_state(clock, clock.ends_at - timedelta(seconds=299)) is ClockState.RUNNING


@pytest.mark.django_db
def test_a_draft_has_no_face(event, round_, django_assert_num_queries):
    make_round(event, [(1, 3), (2, 4), (5, 7), (6, 8)], number=2, status=RoundStatus.DRAFT)
    with django_assert_num_queries(1):
        face = clock_face(running_round(event), NOW)
    assert (face.round, face.state, face.remaining) == (1, ClockState.IDLE, 2700)


@pytest.mark.django_db
def test_the_countdown_of_a_closed_round_is_over_everywhere(client, event, round_, chief):
    start_clock(round=round_, by=chief)
    assert client.get(f"/e/{event.slug}/clock.json").json()["state"] == ClockState.RUNNING
    Round.objects.update(status=RoundStatus.COMPLETED)
    face = client.get(f"/e/{event.slug}/clock.json").json()
    assert (face["state"], face["remaining"], face["ends_at"]) == (ClockState.NONE, 0, None)
    client.force_login(chief)
    page = client.get(f"/e/{event.slug}/desk/clock/").content.decode()
    assert "本轮已结束，计时停止。" in page
    assert "data-clock" not in page


@pytest.mark.django_db
def test_a_round_opened_again_goes_on_with_its_countdown(event, round_, chief):
    clock = start_clock(round=round_, by=chief)
    Round.objects.update(status=RoundStatus.COMPLETED)
    Round.objects.update(status=RoundStatus.PUBLISHED)
    assert clock_face(running_round(event), clock.ends_at - timedelta(seconds=9)).remaining == 9
