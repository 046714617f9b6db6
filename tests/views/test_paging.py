"""Public lists of an event with more teams than a page holds: paged, found, still light."""

from __future__ import annotations

import gzip
import re

import pytest
from django.core.management import call_command
from django.test import Client

from tournaments.paging import FEW_MORE, ROWS, page_of

TEAMS = 2 * ROWS + FEW_MORE + 40


@pytest.mark.parametrize(
    ("rows", "pages"), [(0, 1), (ROWS, 1), (ROWS + FEW_MORE, 1), (ROWS + FEW_MORE + 1, 2), (2 * ROWS, 2)]
)
def test_a_few_more_rows_are_no_page_of_their_own(rows, pages):
    assert page_of(range(rows), "").paginator.num_pages == pages


@pytest.mark.parametrize(
    ("asked", "found", "number"),
    [
        *[("", None, 1), ("2", None, 2), ("99", None, 3), ("x", None, 1)],
        *[("", 0, 1), ("", ROWS, 2), ("", 2 * ROWS + 50, 2), ("1", ROWS, 1), ("", -1, 1)],
    ],
)
def test_the_page_asked_for_or_the_one_with_what_is_found(asked, found, number):
    rows = range(2 * ROWS + (FEW_MORE if found is not None else FEW_MORE + 1))
    is_found = None if found is None else lambda row: row == found
    assert page_of(rows, asked, is_found).number == number


@pytest.fixture
def visitor(db, capsys) -> Client:
    """A visitor of a large event with one round played."""
    wishes = {"teams": TEAMS, "departments": 50, "rounds": 1, "seed": 4}
    call_command("simulate_event", *(f"--{name}={wish}" for name, wish in wishes.items()), "--save")
    return Client()


def rows(html: str, row: str) -> list[int]:
    """The numbers that stand in the first column."""
    return [int(number) for number in re.findall(row, html)]


@pytest.mark.parametrize(
    ("path", "row", "several"),
    [
        ("s1/standings/", r'<tr id="team-(\d+)"', TEAMS),
        ("s1/r1/draw/?by=number", r'<tr><td><span class="team"><b class="team-number">(\d+)', TEAMS),
        ("s1/r1/draw/", r'class="why-link"[^>]*>(\d+)</a>', TEAMS // 2),
    ],
)
def test_all_rows_stand_on_light_pages(visitor, path, row, several):
    shown, address, pages = [], f"/e/sim-{TEAMS}-1-4/{path}", 0
    while address:
        answer = visitor.get(address, headers={"Accept-Encoding": "gzip"})
        assert len(answer.content) < 30_000
        html = gzip.decompress(answer.content).decode()
        shown += rows(html, row)
        following = re.search(r'rel="next" href="([^"]*)"', html)
        address = address.split("?")[0] + following[1].replace("&amp;", "&") if following else ""
        pages += 1
    assert (len(shown), len(set(shown))) == (several, several)
    assert pages == (3 if several == TEAMS else 1)


def test_a_team_is_found_on_the_page_on_which_it_stands(visitor):
    address = f"/e/sim-{TEAMS}-1-4/s1/standings/"
    last = rows(visitor.get(f"{address}?page=3").text, r'<tr id="team-(\d+)"')[-1]
    html = visitor.get(f"{address}?q={last}").text
    assert re.search(rf'<tr id="team-{last}" class="[^"]*is-found', html)
    assert f'href="?q={last}#team-{last}"' in html
    assert f"s1/standings/?q={last}#team-{last}" in visitor.get(f"/e/sim-{TEAMS}-1-4/teams/{last}/").text
