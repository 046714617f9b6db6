"""Two people look at one table at the same moment: what is confirmed is what somebody checked (P1)."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

import pytest

from tests.concurrency.state import count, line, logged, round_id, stored_result
from tests.concurrency.venue import CSRF, FORM, Answer, Browser, Server, Venue, posted_together, together

UNGUARDED = "tests.concurrency.unguarded"
TYPED, CHANGED = "10 : 7", "9 : 8"


def contended_checks(venue: Venue, server: Server, slug: str, times: int) -> list[str]:
    """One official checks while the other changes the entry; confirmed results that nobody checked."""
    first, second, chief = (server.browser(account) for account in ("a1", "a2", "chief"))
    problems = []
    for time in range(times):
        table = time % 8 + 1
        results, check = (f"/e/{slug}/desk/s1/r1/{page}/{table}/" for page in ("results", "check"))
        assert first.post(results, line(table, TYPED)).status == 303
        version, _levels = stored_result(venue, slug, table) or (0, "")
        checked, changed = together(
            partial(second.send, second.connection(), check, line(table, TYPED)),
            partial(first.send, first.connection(), results, line(table, CHANGED, version)),
        )
        how, levels, told = _looked_at(venue, slug, table)
        if max(checked.status, changed.status) >= 500 or not _is_sound(how, levels, told):
            problems.append(f"{checked.status} {changed.status}: {how} {levels}, {told} statements")
        version, _levels = stored_result(venue, slug, table) or (0, "")
        clearing = line(table, TYPED, version) | {"kind": "clear", "reason": "again"}
        assert chief.post(results, clearing).status == 303
    return problems


def _is_sound(how: str, levels: str, told: int) -> bool:
    """Confirmed as checked and nothing in dispute; or changed first, and then the check disagrees."""
    return (how, levels, told) in {("official", TYPED, 0), ("open", CHANGED, 1)}


def _looked_at(venue: Venue, slug: str, table: int) -> tuple[str, str, int]:
    at = f'm.round_id = {round_id(venue, slug)} AND m."table" = {table}'
    ((how, home, away),) = venue.rows(
        "SELECT s.confirmation, s.home_level, s.away_level FROM scoring_result s"
        f" JOIN tournaments_match m ON m.id = s.match_id WHERE {at}"
    )
    told = venue.value(
        f"SELECT count(*) FROM scoring_statement s JOIN tournaments_match m ON m.id = s.match_id WHERE {at}"
    )
    return how, f"{home} : {away}", told


def test_what_is_confirmed_was_checked(venue, server):
    assert contended_checks(venue, server, "look", 24) == []


def phone(browser: Browser, address: str, side: str, number: int, fields: dict[str, object]) -> Answer:
    """A press on a table's phone page by a phone that has chosen its side."""
    headers = {**FORM, "Cookie": f"csrftoken={CSRF}; side={side}.{number}", "X-CSRFToken": CSRF}
    return browser.request("POST", address, urlencode(fields).encode(), headers)


@pytest.mark.parametrize("table", range(1, 5))
def test_both_phones_at_once_make_one_result(venue, server, table):
    where = f'round_id = {round_id(venue, "phones")} AND "table" = {table}'
    token = venue.value(f"SELECT token FROM scoring_tablecode WHERE {where}")
    fields = line(table, TYPED)
    sides = [("home", fields["home"]), ("away", fields["away"])]
    before = logged(venue, "phones", "result_entered")
    presses = [
        partial(phone, server.browser(), f"/t/{token}/levels/", side, number, fields)
        for side, number in sides
        for _twice in range(2)
    ]
    assert [answer.status for answer in together(*presses)] == [303] * 4
    assert _looked_at(venue, "phones", table) == ("phones", TYPED, 0)
    assert logged(venue, "phones", "result_entered") == before + 1


def test_codes_are_renewed_whole(venue, server):
    chief, form = server.browser("chief"), {"act": "renew", "table": ""}
    answers = posted_together([chief] * 4, "/e/phones/desk/s1/r1/codes/", form)
    assert [answer.status for answer in answers] == [303] * 4
    assert count(venue, "scoring_tablecode", f"round_id = {round_id(venue, 'phones')}") == 8


@pytest.mark.soak
class TestManyChecks:
    """P1 for confirmations, with its control."""

    @pytest.fixture
    def looks(self, make_venue):
        venue = make_venue()
        venue.prepare({"slug": "look", "teams": 16, "published": 1, "confirmation": {"by": "official"}})
        return venue

    def test_a_thousand_contended_checks(self, looks):
        with Server(looks, workers=4) as server:
            assert contended_checks(looks, server, "look", 1_000) == []

    def test_control_without_guards_something_unchecked_is_confirmed(self, looks):
        with Server(looks, workers=4, application=UNGUARDED) as server:
            assert contended_checks(looks, server, "look", 40) != []
