"""Finding a team by what a player types: its number, or a part of a name."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from django.db.models import Q

from tournaments.models import Event, Team
from tournaments.roster.text import clean_text

MOST_FOUND = 60
LONGEST_SEARCH = 40
MY_TEAM = "my_team"
"""The cookie in which a phone remembers its team's number, one for each event."""
LONGEST_NUMBER = 5


def my_number(cookies: Mapping[str, str]) -> int | None:
    """The number of the team that this phone was told is its own."""
    stored = cookies.get(MY_TEAM, "")
    is_number = stored.isascii() and stored.isdecimal() and len(stored) <= LONGEST_NUMBER
    return int(stored) if is_number else None


def tidy_search(text: str) -> str:
    """What was typed into a search box: full-width digits made plain, at most 40 characters that are seen."""
    return clean_text(unicodedata.normalize("NFKC", text)).replace("\n", " ")[:LONGEST_SEARCH].strip()


def is_wanted(team: Team, wanted: str) -> bool:
    """Whether a loaded team has this number, or this text in a name. No query with players loaded."""
    if wanted.isdecimal():
        return team.number == int(wanted)
    return wanted.casefold() in team.player_names.casefold()


def teams_found(event: Event, wanted: str) -> list[Team]:
    """Teams with this number, or with this text in a player's or the team's name, by number. Two queries."""
    if wanted.isdecimal():
        answers = Q(number=int(wanted[:9]))
    else:
        answers = Q(players__name__icontains=wanted) | Q(name__icontains=wanted)
    teams = event.teams.filter(answers).select_related("department").prefetch_related("players")
    return list(teams.order_by("number").distinct()[:MOST_FOUND])
