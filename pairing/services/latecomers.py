"""迟到补位: a team that comes after the publication gets a place in it; the tables keep their numbers."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from pairing.layouts import PlannedMatch
from pairing.models import Publication
from pairing.selectors.latecomers import LateOffer, late_offer
from pairing.services.guards import draw_of, fresh_round, note_change
from pairing.services.publishing import publish_changed
from pairing.services.refusals import NoLatePlace, NotPublished, TablesFollowFormat
from pairing.services.seating import add_matches
from tournaments.attendance import read_absences, without_absence
from tournaments.log import lock_event
from tournaments.models import Event, Match, Round, StageFormat, Team
from tournaments.selectors.attendance import seated_in


@transaction.atomic
def seat_late_team(*, round: Round, team: Team, opponent: Team, by: User) -> Publication:
    """The late team meets `opponent`, who had the bye or came late too, at a new last table.

    A new version of the publication. Raises NotPublished, DraftGone, TablesFollowFormat, and NoLatePlace
    where the opponent is meanwhile not the one that the rules give it.
    """
    event = lock_event(round.stage.event_id)
    round, team = _in_play(event, round, team)
    offer = late_offer(round, team)
    if offer is None or offer.opponent.pk != opponent.pk:
        raise NoLatePlace(team.number)
    round.matches.filter(away=None, home=offer.opponent).delete()
    _end_absence(round, team, offer.opponent)
    sides = (team, offer.opponent) if offer.is_home else (offer.opponent, team)
    add_matches(round, [PlannedMatch(sides[0].key, sides[1].key, offer.table)])
    note_change(draw_of(round), by, "late", first=team.number, second=offer.opponent.number)
    return publish_changed(round, by, _reason_to_seat(team, offer))


@transaction.atomic
def give_late_bye(*, round: Round, team: Team, by: User) -> Publication:
    """The late team has the bye of a round in which nobody else has one, in a new version of the publication.

    Raises NotPublished, DraftGone, TablesFollowFormat, NoLatePlace.
    """
    event = lock_event(round.stage.event_id)
    round, team = _in_play(event, round, team)
    if seated_in(round, [team]) or Match.objects.filter(round=round, away=None).exists():
        raise NoLatePlace(team.number)
    _end_absence(round, team)
    add_matches(round, [PlannedMatch(team.key, None)])
    note_change(draw_of(round), by, "late_bye", first=team.number)
    with translation.override(settings.LANGUAGE_CODE):
        reason = _("Team %(team)s came late and has the bye.") % {"team": team.number}
    return publish_changed(round, by, reason)


def _in_play(event: Event, round_: Round, team: Team) -> tuple[Round, Team]:
    fresh = fresh_round(round_)
    if not fresh.is_published:
        raise NotPublished(fresh)
    if fresh.stage.format != StageFormat.SWISS:
        raise TablesFollowFormat
    team = event.teams.get(pk=team.pk)
    if team.is_withdrawn:
        raise NoLatePlace(team.number)
    return fresh, team


def _end_absence(round_: Round, *teams: Team) -> None:
    """Who has a place plays, whatever was set before."""
    for team in teams:
        absences = without_absence(read_absences(team.absences), round_.stage.key, round_.number)
        team.absences = [each.as_dict() for each in absences]
        team.save(update_fields=["absences"])


def _reason_to_seat(team: Team, offer: LateOffer) -> str:
    """In the installation's own language, because it is printed with the version."""
    told = {"team": team.number, "opponent": offer.opponent.number, "table": offer.table}
    with translation.override(settings.LANGUAGE_CODE):
        if offer.takes_bye:
            return (
                _("Team %(team)s came late and meets %(opponent)s, who had the bye, at table %(table)s.")
                % told
            )
        return _("Teams %(team)s and %(opponent)s came late and meet at table %(table)s.") % told
