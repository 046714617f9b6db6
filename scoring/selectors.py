"""Reads: a stage's rules, its results and its standings, from rows of the database to the engine's types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet

from scoring.engine.results import MatchResult, Outcome, Reason, Winner
from scoring.engine.rules import DEFAULT_RANKING, MatchRules, RankingKey, ScoringRules, parse_ranking
from scoring.engine.standings import (
    Adjustment,
    Comparison,
    Entrant,
    KeyValue,
    PlayedMatch,
    StandingRow,
    proof,
    standings,
)
from scoring.models import Adjustment as PointsGiven
from scoring.models import Result
from tournaments.models import Event, Match, Player, Round, RoundStatus, Stage, StageFormat, Team

COUNTING = (RoundStatus.PUBLISHED, RoundStatus.COMPLETED)
"""A draft counts for nothing: neither its results nor its meetings."""


@dataclass(frozen=True)
class StageRules:
    """The rules of a stage that decide results, points and ranks."""

    match: MatchRules
    scoring: ScoringRules
    ranking: tuple[RankingKey, ...]
    tie_allowed: bool


@dataclass(frozen=True)
class TeamStanding:
    """One row of the standings: the team as stored, with the engine's place. `is_shared` marks 并列.

    `keys` has every ranking key in order, None where it did not apply; `decided_by` is the key that set this
    row below the one above, None on the first row and below a team of the same rank.
    """

    team: Team
    rank: int
    is_shared: bool
    points: int
    keys: Mapping[RankingKey, KeyValue]
    decided_by: RankingKey | None
    played: int
    wins: int
    ties: int
    losses: int
    byes: int
    withdrawn: bool


@dataclass(frozen=True)
class OpenRound:
    """A round that counts but is still being played: how many of its tables have a result."""

    number: int
    entered: int
    tables: int


@dataclass(frozen=True)
class Standings:
    """排名 of a stage after round `after_round` (0: nothing published yet), best first.

    `rounds` are the rounds that count; `open_rounds` those of them that are still being played;
    `stage_rounds` all published and completed rounds of the stage, later ones too.
    """

    stage: Stage
    after_round: int
    rows: tuple[TeamStanding, ...]
    ranking: tuple[RankingKey, ...]
    rounds: tuple[int, ...]
    open_rounds: tuple[OpenRound, ...]
    stage_rounds: tuple[int, ...]
    places: tuple[StandingRow, ...]
    """The engine's rows, of which a proof is made."""

    @property
    def incomplete_rounds(self) -> tuple[int, ...]:
        """The numbers of the rounds that count but are not completed."""
        return tuple(round_.number for round_ in self.open_rounds)

    def compare(self, better: Team, worse: Team) -> tuple[Comparison, ...]:
        """The keys compared between two teams up to the one that decided; raises UnknownTeam."""
        return proof(self.places, better.pk, worse.pk)


def stage_rules(stage: Stage) -> StageRules:
    """The typed rules of the stage; raises InvalidRules where stored rules cannot be read. No query."""
    rules = stage.rules
    return StageRules(
        match=MatchRules.from_dict(rules.get("match", {})),
        scoring=ScoringRules.from_dict(rules.get("scoring", {})),
        ranking=parse_ranking(rules.get("ranking", DEFAULT_RANKING)),
        tie_allowed=stage.format != StageFormat.KNOCKOUT,
    )


def current_stage(event: Event, *, drafts: bool = True) -> Stage | None:
    """The last stage that has rounds, else the first; None for an event without stages. One query.

    Public pages ask without `drafts`: a stage whose only round is a draft has not begun for them.
    """
    rounds = Round.objects.filter(stage=OuterRef("pk"))
    if not drafts:
        rounds = rounds.filter(status__in=COUNTING)
    stages = list(event.stages.annotate(has_begun=Exists(rounds)).order_by("order"))
    begun = [stage for stage in stages if stage.has_begun]
    return begun[-1] if begun else stages[0] if stages else None


def stage_teams(stage: Stage) -> QuerySet[Team]:
    """The teams of the stage by number: those chosen for it, else all of the event."""
    chosen = Stage.teams.through.objects.filter(stage_id=stage.pk)
    is_member = Q(pk__in=chosen.values("team_id"))
    return Team.objects.filter(is_member | ~Exists(chosen), event_id=stage.event_id).order_by("number")


def with_names(teams: QuerySet[Team]) -> QuerySet[Team]:
    """The teams with department and players' names; phone numbers are not even read. One query more."""
    players = Player.objects.only("team_id", "position", "name").order_by("team_id", "position")
    return teams.select_related("department").prefetch_related(Prefetch("players", players))


def entered_result(result: Result) -> MatchResult:
    """A stored result as the engine knows it. No query."""
    return _match_result(
        result.outcome, result.home_level, result.away_level, result.winner, result.reason, result.facts
    )


def counting_rounds(stage: Stage) -> list[Round]:
    """The published and completed rounds of the stage in order. One query."""
    return list(stage.rounds.filter(status__in=COUNTING).order_by("number"))


def stage_standings(stage: Stage, *, after_round: int | None = None) -> Standings:
    """The standings from the results entered so far in published and completed rounds, up to `after_round`.

    Five queries, whatever the number of teams: rounds, teams with departments, players, results, adjustments.
    Raises InvalidRules where the stored rules cannot be read.
    """
    rules = stage_rules(stage)
    stage_rounds = counting_rounds(stage)
    rounds = [round_ for round_ in stage_rounds if after_round is None or round_.number <= after_round]
    teams = {team.pk: team for team in with_names(stage_teams(stage))}
    matches = _played_matches(rounds)
    last = rounds[-1].number if rounds else 0
    places = standings(
        _entrants(teams.values(), matches, last),
        matches,
        scoring=rules.scoring,
        ranking=rules.ranking,
        adjustments=_adjustments(stage, last),
    )
    return Standings(
        stage=stage,
        after_round=last,
        rows=_rows(places, teams),
        ranking=rules.ranking,
        rounds=tuple(round_.number for round_ in rounds),
        open_rounds=tuple(_open_round(round_, matches) for round_ in rounds if not round_.is_completed),
        stage_rounds=tuple(round_.number for round_ in stage_rounds),
        places=places,
    )


def _open_round(round_: Round, matches: Iterable[PlayedMatch]) -> OpenRound:
    tables = [match for match in matches if match.round == round_.number and match.away is not None]
    return OpenRound(round_.number, sum(match.result is not None for match in tables), len(tables))


def _played_matches(rounds: Sequence[Round]) -> list[PlayedMatch]:
    """The matches of the rounds as plain tuples: seven rounds of a hundred tables in one cheap query."""
    columns = ("home_level", "away_level", "winner", "reason", "facts")
    rows = Match.objects.filter(round__in=rounds).order_by("round__number", "pk")
    return [
        PlayedMatch(number, home, away, _match_result(outcome, *values) if outcome else None)
        for number, home, away, outcome, *values in rows.values_list(
            "round__number", "home_id", "away_id", "result__outcome", *(f"result__{name}" for name in columns)
        )
    ]


def _match_result(
    outcome: str,
    home_level: int | None,
    away_level: int | None,
    winner: str,
    reason: str,
    facts: Mapping[str, Any],
) -> MatchResult:
    if not facts:  # nearly always: a third of the time that reading a mapping costs, 700 times a page
        winner_side, why = Winner(winner) if winner else None, Reason(reason) if reason else None
        return MatchResult(Outcome(outcome), home_level, away_level, winner_side, why)
    levels = {"home_level": home_level, "away_level": away_level}
    return MatchResult.from_dict(
        {**facts, "outcome": outcome, **levels, "winner": winner or None, "reason": reason or None}
    )


def _entrants(teams: Iterable[Team], matches: Iterable[PlayedMatch], last_round: int) -> list[Entrant]:
    """The teams for the engine. A team takes part from the first round that seats it (迟到)."""
    first_rounds: dict[int | str, int] = {}
    for match in matches:
        for team in (match.home, match.away):
            if team is not None:
                first_rounds.setdefault(team, match.round)
    return [
        Entrant(
            id=team.pk,
            number=team.number,
            withdrawn=team.is_withdrawn,
            first_round=first_rounds.get(team.pk, last_round + 1),
        )
        for team in teams
    ]


def _adjustments(stage: Stage, last_round: int) -> list[Adjustment]:
    rows = stage.adjustments.filter(round_number__lte=max(last_round, 1)).order_by("pk")
    return [Adjustment(*row) for row in rows.values_list("team_id", "round_number", "points")]


def _rows(places: Sequence[StandingRow], teams: Mapping[Any, Team]) -> tuple[TeamStanding, ...]:
    ranks = [place.rank for place in places]
    return tuple(
        TeamStanding(
            team=teams[place.team],
            rank=place.rank,
            is_shared=place.rank in (ranks[index - 1 : index] + ranks[index + 1 : index + 2]),
            points=place.points,
            keys=place.keys,
            decided_by=place.decided_by,
            played=place.played,
            wins=place.wins,
            ties=place.ties,
            losses=place.losses,
            byes=place.byes,
            withdrawn=place.withdrawn,
        )
        for index, place in enumerate(places)
    )


def public_round(event: Event, stage_order: int, number: int) -> Round | None:
    """A published or completed round with its stage, None for a draft or for none at all. One query."""
    rounds = Round.objects.select_related("stage").filter(status__in=COUNTING)
    return rounds.filter(stage__event=event, stage__order=stage_order, number=number).first()


def newest_round(event: Event) -> Round | None:
    """The published or completed round that came last, with its stage. One query."""
    rounds = Round.objects.select_related("stage").filter(status__in=COUNTING, stage__event=event)
    return rounds.order_by("-stage__order", "-number").first()


def round_matches(round_: Round) -> QuerySet[Match]:
    """The matches of a round by table, byes last, with names, result and who entered it. Three queries."""
    matches = Match.objects.filter(round=round_).select_related("result__entered_by")
    return _with_both_teams(matches).order_by(F("table").asc(nulls_last=True), "home__number")


def team_matches(team: Team) -> QuerySet[Match]:
    """The team's matches in published and completed rounds, in order, with results. Three queries."""
    own = Q(home=team) | Q(away=team)
    matches = Match.objects.filter(own, round__status__in=COUNTING).select_related("round__stage", "result")
    return _with_both_teams(matches).order_by("round__stage__order", "round__number")


def stage_adjustments(stage: Stage) -> QuerySet[PointsGiven]:
    """Points given or taken in the stage, the newest first, with team and names. Two queries."""
    given = PointsGiven.objects.filter(stage=stage).select_related("team__department")
    return given.prefetch_related("team__players").order_by("-pk")


def team_adjustments(team: Team, stage: Stage) -> list[PointsGiven]:
    """Points given to or taken from the team in the stage, in order of rounds. One query."""
    return list(PointsGiven.objects.filter(team=team, stage=stage).order_by("round_number", "pk"))


def _with_both_teams(matches: QuerySet[Match]) -> QuerySet[Match]:
    players = Player.objects.only("team_id", "position", "name").order_by("team_id", "position")
    return matches.select_related("home__department", "away__department").prefetch_related(
        Prefetch("home__players", players), Prefetch("away__players", players)
    )


def table_states(round_: Round) -> dict[int, tuple[int, int, int | None]]:
    """By table: the version of its result (0: none), home and away. One query, for polling."""
    rows = Match.objects.filter(round=round_, away__isnull=False).order_by("table")
    return {
        table: (version or 0, home, away)
        for table, version, home, away in rows.values_list("table", "result__version", "home_id", "away_id")
        if table is not None
    }
