"""上场名单: who of a team sits at the table, given before the round and frozen with it."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.lineups import SIDES, checked_lineup, lineup_of, usual_lineup
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Match, Round, Team
from tournaments.selectors.lineups import LineupRow, lineup_sheet, needs_lineup, next_lineups


class LineupsClosed(Exception):
    """The round is over, withdrawn or gone: its line-ups stand as they are."""


class LineupReasonMissing(Exception):
    """A line-up that was public is changed: the log has to say why."""


@transaction.atomic
def give_lineups(
    *,
    event: Event,
    round: Round | None,
    names: Mapping[int, tuple[str, ...]],
    by: User | None,
    reason: str = "",
) -> int:
    """Names who sits at the table, by the teams' numbers; how many line-ups are new or changed.

    `round` is a published one, None the one that is drawn next. The line-up holds for the rounds that follow
    until another is given. An empty one takes it back before the round, and changes nothing after.
    Raises LineupsClosed, LineupRefused (somebody does not play in the team), LineupReasonMissing when the
    line-up of a published round is changed without a reason.
    """
    event = lock_event(event.pk)
    place = (round.stage.order, round.number) if round is not None else None
    sheet = lineup_sheet(event, place) if place else next_lineups(event)
    if sheet is None or sheet.is_closed:
        raise LineupsClosed
    rows = {row.team.number: row for row in sheet.rows}
    changed = {
        number: row
        for number, row in rows.items()
        if number in names and row.names != names[number] and (names[number] or row.match is None)
    }
    if any(row.match and row.names for row in changed.values()) and not reason.strip():
        raise LineupReasonMissing
    for number, row in changed.items():
        _give(row, names[number])
    if changed:
        stage = sheet.stage.order if sheet.stage else 1
        record_act(
            event=event,
            act=Act.LINEUPS_GIVEN,
            by=by,
            subject=f"{stage}/{sheet.number}",
            old={"lineup": _told({number: row.names for number, row in changed.items()})},
            new={"lineup": _told({number: names[number] for number in changed})},
            reason=reason.strip(),
        )
    return len(changed)


def _give(row: LineupRow, names: tuple[str, ...]) -> None:
    companions = [person.name for person in row.team.companions]
    chosen = list(checked_lineup(names, row.team.playing_names, companions)) if names else []
    row.team.lineup = chosen
    row.team.save(update_fields=["lineup"])
    if row.match is not None:
        row.match.lineup = {**row.match.lineup, row.side: chosen}
        row.match.save(update_fields=["lineup"])


def _told(names: Mapping[int, tuple[str, ...]]) -> list[str]:
    return [f"{number}: {' · '.join(chosen)}" for number, chosen in sorted(names.items()) if chosen]


def seat_given_lineups(round: Round) -> None:
    """Puts the line-ups given so far on the matches of a round that is being published.

    What a match already has stays. One query in an event without line-ups, else four at most.
    """
    teams = Team.objects.filter(seats__round=round).exclude(lineup=[])
    given = {team.pk: team for team in teams.prefetch_related("players")}
    if not given:
        return
    changed = []
    for match in round.matches.filter(away__isnull=False):
        lineup = {side: names for side in SIDES if (names := _side(match, side, given))}
        if lineup != match.lineup:
            match.lineup = lineup
            changed.append(match)
    Match.objects.bulk_update(changed, ["lineup"], batch_size=100)


def _side(match: Match, side: str, given: Mapping[int, Team]) -> list[str]:
    team = given.get((match.home_id if side == "home" else match.away_id) or 0)
    if team is None or not needs_lineup(team):
        return list(lineup_of(match, side))
    players = team.playing_names
    return list(usual_lineup(lineup_of(match, side), players) or usual_lineup(team.lineup, players))
