"""Reads: the rounds that count, their matches, and who plays."""

from __future__ import annotations

from django.db.models import Exists, F, Prefetch, Q, QuerySet

from scoring.models import Adjustment as PointsGiven
from tournaments.models import (
    Audience,
    Event,
    Group,
    Match,
    Player,
    Round,
    Stage,
    StageEntry,
    Team,
)
from tournaments.selectors.stages import POSTED, seen_by

COUNTING = POSTED
"""A draft counts for nothing: neither its results nor its meetings."""


def stage_teams(stage: Stage) -> QuerySet[Team]:
    """The teams of the stage by number: those chosen for it, else all of the event."""
    chosen = StageEntry.objects.filter(stage_id=stage.pk)
    is_member = Q(pk__in=chosen.values("team_id"))
    return Team.objects.filter(is_member | ~Exists(chosen), event_id=stage.event_id).order_by("number")


def named_players() -> QuerySet[Player]:
    """Players with what a page needs to name them; phone numbers are not even read."""
    columns = ("team_id", "position", "name", "role")
    return Player.objects.only(*columns).order_by("team_id", "position")


def with_names(teams: QuerySet[Team]) -> QuerySet[Team]:
    """The teams with department and players' names; phone numbers are not even read. One query more."""
    players = named_players()
    return teams.select_related("department").prefetch_related(Prefetch("players", players))


def counting_rounds(stage: Stage, audience: Audience) -> list[Round]:
    """The published and completed rounds of the stage that the audience knows of, in order. One query."""
    return list(stage.rounds.filter(seen_by(audience)).order_by("number"))


def public_round(
    event: Event, stage_order: int, number: int, audience: Audience = Audience.EVERYBODY
) -> Round | None:
    """A round that the audience knows of, with its stage; None for a draft or for none at all. One query."""
    rounds = Round.objects.select_related("stage").filter(seen_by(audience))
    return rounds.filter(stage__event=event, stage__order=stage_order, number=number).first()


def newest_round(event: Event) -> Round | None:
    """The published or completed round that came last, with its stage, for officials. One query."""
    rounds = Round.objects.select_related("stage").filter(status__in=COUNTING, stage__event=event)
    return rounds.order_by("-stage__order", "-number").first()


def round_matches(round_: Round) -> QuerySet[Match]:
    """The matches of a round by table, byes last, with names, result and who entered it. Three queries."""
    matches = Match.objects.filter(round=round_).select_related("result__entered_by", "group")
    return _with_both_teams(matches).order_by(F("table").asc(nulls_last=True), "home__number")


def group_matches(group: Group) -> QuerySet[Match]:
    """The group's matches of all published rounds by table, those without one last. Three queries."""
    matches = Match.objects.filter(group=group, round__status__in=COUNTING, away__isnull=False)
    related = matches.select_related("result__entered_by", "group", "round__stage")
    return _with_both_teams(related).order_by(F("table").asc(nulls_last=True), "round__number", "pk")


def group_in_play(stage: Stage) -> Group | None:
    """Of a stage whose groups find their own time the first that is not over, else the first of all.

    None, and no query, for another stage; one or two queries.
    """
    if not stage.is_self_scheduled:
        return None
    groups = stage.groups.order_by("order")
    return groups.filter(finished_at=None).first() or groups.first()


def group_of(event: Event, stage_order: int, number: int) -> Group | None:
    """A group that finds its own time (自约), with its stage; None for another. One query."""
    groups = Group.objects.select_related("stage", "convenor_team")
    group = groups.filter(stage__event=event, stage__order=stage_order, order=number).first()
    if group is None or not group.stage.is_self_scheduled:
        return None
    group.stage.event = event
    return group


def team_matches(team: Team, audience: Audience = Audience.EVERYBODY) -> QuerySet[Match]:
    """The team's matches in the rounds that the audience knows of, in order, with results. Three queries."""
    own = Q(home=team) | Q(away=team)
    seen = Match.objects.filter(own, seen_by(audience, "round"))
    matches = seen.select_related("round__stage", "result")
    return _with_both_teams(matches).order_by("round__stage__order", "round__number")


def team_adjustments(team: Team, stage: Stage) -> list[PointsGiven]:
    """Points given to or taken from the team in the stage, in order of rounds. One query."""
    return list(PointsGiven.objects.filter(team=team, stage=stage).order_by("round_number", "pk"))


def _with_both_teams(matches: QuerySet[Match]) -> QuerySet[Match]:
    players = named_players()
    return matches.select_related("home__department", "away__department").prefetch_related(
        Prefetch("home__players", players), Prefetch("away__players", players)
    )
