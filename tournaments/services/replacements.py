"""换人: a player leaves the team and another takes the place, from a round on."""

from __future__ import annotations

from dataclasses import replace

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from tournaments.attendance import Former, read_former
from tournaments.log import Act, lock_event, record_act
from tournaments.models import Event, Match, Player, PlayerRole, Round, Stage, Team
from tournaments.selectors.attendance import RoundAtHand, round_at_hand
from tournaments.selectors.entries import applicant_of
from tournaments.services.teams import require_entry


class NotAPlayer(Exception):
    """The person does not play in the team (any more), or the one that comes in does already."""


class CannotReplaceFrom(Exception):
    """The round is over, or not the next one."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def rounds_to_replace_from(hand: RoundAtHand) -> list[int]:
    """The rounds from which a player may be replaced: the one at hand and, while it is played, the next."""
    return sorted({hand.number, hand.next_open})


@transaction.atomic
def replace_player(
    *,
    team: Team,
    stage: Stage,
    leaves: str,
    comes: str,
    phone: str,
    from_round: int,
    note: str,
    by: User | None,
) -> Player:
    """Another person plays in the place of `leaves` from that round of the stage on.

    The matches before keep the names of those who played them.
    Raises NotAPlayer, CannotReplaceFrom, EntryRefused where the person may not play in the team.
    """
    event = lock_event(team.event_id)
    team = event.teams.select_related("department").prefetch_related("players").get(pk=team.pk)
    hand = round_at_hand(stage)
    if from_round not in rounds_to_replace_from(hand):
        raise CannotReplaceFrom(from_round)
    player = _player(team, leaves, comes)
    _require_entry(event, team, leaves, comes)
    _keep_names(team, stage, from_round)
    former = Former(player.name, stage.key, from_round - 1, note)
    player.former = [each.as_dict() for each in (*read_former(player.former), former)]
    player.name, player.phone = comes, phone
    player.save(update_fields=["name", "phone", "former"])
    team.lineup = [comes if name == leaves else name for name in team.lineup]
    team.save(update_fields=["lineup"])
    record_act(
        event=event,
        act=Act.PLAYER_REPLACED,
        by=by,
        subject=f"{team.number} {team.player_names}",
        old={"players": [leaves]},
        new={"players": [comes], "from_round": from_round},
        reason=note,
    )
    return player


def _player(team: Team, leaves: str, comes: str) -> Player:
    playing = [person for person in team.players.all() if person.role == PlayerRole.PLAYER]
    found = next((person for person in playing if person.name == leaves), None)
    if found is None or any(person.name == comes for person in playing):
        raise NotAPlayer
    return found


def _require_entry(event: Event, team: Team, leaves: str, comes: str) -> None:
    before = applicant_of(team)
    players = tuple(comes if name == leaves else name for name in before.players)
    require_entry(event, [replace(before, players=players, before=before)], but=[team.pk])


def _keep_names(team: Team, stage: Stage, from_round: int) -> None:
    """Writes down with the team's earlier matches who sat there, where that is not written yet."""
    earlier = Round.objects.filter(
        Q(stage=stage, number__lt=from_round) | Q(stage__order__lt=stage.order), stage__event=stage.event_id
    )
    matches = list(Match.objects.filter(Q(home=team) | Q(away=team), round__in=earlier))
    for match in matches:
        side = "home" if match.home_id == team.pk else "away"
        match.lineup = {side: list(team.playing_names), **match.lineup}
    Match.objects.bulk_update(matches, ["lineup"])
