"""Who sits where: the only place where matches and seats are written, and the results that no table plays."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pairing.layouts import PlannedMatch
from scoring.models import Outcome, Result
from tournaments.models import Group, Match, Round, Seat, Team


def seat(round_: Round, planned: Iterable[PlannedMatch]) -> None:
    """Writes a draft's matches and seats anew."""
    round_.matches.all().delete()
    add_matches(round_, planned)


def add_matches(round_: Round, planned: Iterable[PlannedMatch]) -> list[Match]:
    """Adds matches with their seats; a bye and a match that somebody left gets its result at once."""
    planned = list(planned)
    event_id = round_.stage.event_id
    teams = dict(Team.objects.filter(event=event_id).values_list("key", "pk"))
    left = set(
        Team.objects.filter(event=event_id, withdrawn_after__isnull=False).values_list("pk", flat=True)
    )
    groups = dict(Group.objects.filter(stage=round_.stage_id).values_list("order", "pk"))
    matches = Match.objects.bulk_create(
        Match(
            round=round_,
            table=each.table,
            home_id=teams[each.home],
            away_id=teams[each.away] if each.away else None,
            group_id=groups[each.group] if each.group else None,
            key=each.key,
        )
        for each in planned
    )
    Seat.objects.bulk_create(
        Seat(round=round_, match=match, team_id=team)
        for match in matches
        for team in (match.home_id, match.away_id)
        if team is not None
    )
    walkovers = {match.pk for match, each in zip(matches, planned, strict=True) if each.is_walkover}
    Result.objects.bulk_create(
        _walkover(match, left) if match.pk in walkovers else Result(match=match, outcome=Outcome.BYE)
        for match in matches
        if match.is_bye or match.pk in walkovers
    )
    return matches


def _walkover(match: Match, left: Collection[int]) -> Result:
    """The result of a match to which a team, or neither, does not come because it left the event."""
    is_left = (match.home_id in left, match.away_id in left)
    outcome, winner = {
        (True, False): (Outcome.FORFEIT_HOME, "away"),
        (False, True): (Outcome.FORFEIT_AWAY, "home"),
    }.get(is_left, (Outcome.DOUBLE_FORFEIT, ""))
    return Result(match=match, outcome=outcome, winner=winner)
