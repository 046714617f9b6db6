"""What is typed into boxes that no form reads: characters that nobody sees go, as everywhere."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.builders import make_result, make_round
from tournaments.log import Act
from tournaments.models import LogEntry, RoundStatus
from tournaments.selectors.finding import tidy_search
from tournaments.typed import typed_line

UNSEEN = "登记\x00错\u202e误"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [(UNSEEN, "登记错误"), ("  登记\n错误 ", "登记 错误"), ("０７", "07"), ("长" * 9, "长" * 5), ("", "")],
)
def test_one_line_is_kept_as_a_person_sees_it(typed, kept):
    assert typed_line({"reason": typed}, "reason", 5) == kept
    assert typed_line({}, "reason") == ""


def test_a_search_asks_no_database_for_what_it_cannot_hold():
    assert tidy_search("王\x00伟") == "王伟"
    assert tidy_search("\x00") == ""


def test_the_log_keeps_a_reason_that_every_database_can_hold(event, chief_client):
    round_ = make_round(event, [(1, 2)], status=RoundStatus.COMPLETED)
    make_result(round_, 1, 10, 7)
    sent = {"round": round_.pk, "reason": UNSEEN}
    assert chief_client.post(reverse("round_reopen", args=[event.slug]), sent).status_code == 303
    assert LogEntry.objects.get(act=Act.ROUND_REOPENED).reason == "登记错误"
