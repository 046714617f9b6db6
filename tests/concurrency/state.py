"""Where an event stands according to the database itself, asked past the product."""

from __future__ import annotations

from tests.concurrency.venue import Venue


def event_id(venue: Venue, slug: str) -> int:
    """The event's key."""
    return venue.value(f"SELECT id FROM tournaments_event WHERE slug = '{slug}'")


def count(venue: Venue, table: str, where: str) -> int:
    """The number of rows."""
    return venue.value(f"SELECT count(*) FROM {table} WHERE {where}")


def logged(venue: Venue, slug: str, act: str) -> int:
    """How often the act stands in the event's log."""
    return count(venue, "tournaments_logentry", f"event_id = {event_id(venue, slug)} AND act = '{act}'")


def rounds(venue: Venue, slug: str) -> list[tuple[int, str, int, int]]:
    """Of every round of the event: number, status, matches, seats."""
    return venue.rows(
        "SELECT r.number, r.status, (SELECT count(*) FROM tournaments_match m WHERE m.round_id = r.id),"
        " (SELECT count(*) FROM tournaments_seat s WHERE s.round_id = r.id) FROM tournaments_round r"
        f" JOIN tournaments_stage t ON t.id = r.stage_id WHERE t.event_id = {event_id(venue, slug)}"
        " ORDER BY r.number"
    )


def round_id(venue: Venue, slug: str) -> int:
    """The key of the newest round."""
    return venue.value(
        "SELECT max(r.id) FROM tournaments_round r JOIN tournaments_stage t ON t.id = r.stage_id"
        f" WHERE t.event_id = {event_id(venue, slug)}"
    )


def seen_draft(venue: Venue, slug: str) -> dict[str, int]:
    """The newest round's draft as the draw board's forms name it."""
    round_ = round_id(venue, slug)
    version = venue.value(f"SELECT version FROM pairing_draw WHERE round_id = {round_}")
    return {"draft": round_, "version": version}


def stored_result(venue: Venue, slug: str, table: int) -> tuple[int, str] | None:
    """Version and levels of a table of the newest round; None when nothing is entered."""
    rows = venue.rows(
        "SELECT s.version, s.home_level, s.away_level FROM scoring_result s JOIN tournaments_match m"
        f' ON m.id = s.match_id WHERE m.round_id = {round_id(venue, slug)} AND m."table" = {table}'
    )
    assert len(rows) <= 1
    return (rows[0][0], f"{rows[0][1]} : {rows[0][2]}") if rows else None


def line(table: int, levels: str, version: int = 0, *, teams: int = 16, round: int = 1) -> dict[str, object]:
    """A line of the results page, for a round of `prepare`."""
    home, away = levels.split(" : ")
    half = teams // 2
    seated = {"home": table, "away": half + (table - 1 + round) % half + 1}
    return {"version": version, **seated, "home_level": home, "away_level": away}


def open_lines(venue: Venue, slug: str) -> dict[int, dict[str, object]]:
    """A line of the results page for every table of the newest round, the home side ahead."""
    seated = venue.rows(
        'SELECT m."table", h.number, a.number FROM tournaments_match m'
        " JOIN tournaments_team h ON h.id = m.home_id JOIN tournaments_team a ON a.id = m.away_id"
        f" WHERE m.round_id = {round_id(venue, slug)}"
    )
    levels = {"version": 0, "home_level": "10", "away_level": "7"}
    return {table: {"home": home, "away": away, **levels} for table, home, away in seated}
