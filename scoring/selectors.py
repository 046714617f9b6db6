"""Reads: a stage's rules, its results and its standings, from rows of the database to the engine's types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Exists, F, Prefetch, Q, QuerySet

from scoring.engine.penalties import Ruling, counted
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
)
from scoring.knockout import BracketPlace, RoundRules, bracket_places
from scoring.models import Adjustment as PointsGiven
from scoring.models import Confirmation, Result
from scoring.ranked import Ranked, StageFacts, Withdrawal, ranked, scoring_rules, withdrawal_rule
from tournaments.attendance import read_absences, rounds_missed
from tournaments.models import (
    Audience,
    Event,
    Group,
    Match,
    Player,
    Round,
    Stage,
    StageEntry,
    StageFormat,
    Team,
)
from tournaments.selectors.stages import POSTED, seen_by

COUNTING = POSTED
"""A draft counts for nothing: neither its results nor its meetings."""


@dataclass(frozen=True)
class StageRules:
    """The rules of a stage that decide results, points and ranks."""

    match: MatchRules
    scoring: ScoringRules
    ranking: tuple[RankingKey, ...]
    tie_allowed: bool


@dataclass(frozen=True)
class RulesByMatch:
    """The rules of a stage, which a knockout may change from round to round."""

    stage: StageRules
    rounds: RoundRules
    places: Mapping[str, BracketPlace]
    section: Mapping[str, Any]
    _read: dict[str, StageRules] = field(default_factory=dict)

    @property
    def is_uniform(self) -> bool:
        """Whether every match is played by the same rules."""
        return self.rounds.is_empty

    def of(self, match: Match) -> StageRules:
        """The rules of one match. No query."""
        place = self.places.get(match.key)
        changed = self.rounds.of(place) if place and not self.is_uniform else {}
        if not changed:
            return self.stage
        if match.key not in self._read:
            rules = MatchRules.from_dict({**self.section, **changed})
            self._read[match.key] = replace(self.stage, match=rules)
        return self._read[match.key]


@dataclass(frozen=True)
class TeamStanding:
    """One row of the standings: the team as stored, with the engine's place. `is_shared` marks 并列.

    `keys` has every ranking key in order, None where it did not apply; `decided_by` is the key that set this
    row below the one above, None on the first row and below a team of the same rank. `rank` counts within
    the group, if there is one; `last_rank` is the worst place that it stands for, beyond it for a shared one.
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
    last_rank: int = 0
    group: Group | None = None
    unentered: int = 0
    """Matches of rounds in play whose result is not entered: the 0 of such a round is none."""


@dataclass(frozen=True)
class OpenRound:
    """A round that counts but is still being played: how many of its tables have a result.

    `has_bye` tells that somebody has nobody to play in it, whose points count from the publication on.
    """

    number: int
    entered: int
    tables: int
    has_bye: bool = False


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
    groups: tuple[Group, ...] = ()
    """The groups in order, each with its own ranking in `rows`."""
    unconfirmed: Mapping[int, int] = field(default_factory=dict)
    """By round the results that count but wait for their second look."""
    unconfirmed_teams: frozenset[int] = frozenset()
    """The teams that such results are about."""

    @property
    def incomplete_rounds(self) -> tuple[int, ...]:
        """The numbers of the rounds that count but are not completed."""
        return tuple(round_.number for round_ in self.open_rounds)

    @property
    def has_results(self) -> bool:
        """Whether anything was played: byes alone set nobody above the others."""
        return len(self.rounds) > len(self.open_rounds) or any(each.entered for each in self.open_rounds)

    @property
    def is_by_places(self) -> bool:
        """Whether places were played for, so that no key sets a row below another."""
        return self.stage.format == StageFormat.KNOCKOUT and "bracket" in self.stage.layout

    @property
    def has_several_groups(self) -> bool:
        """Whether a row needs its group's name beside it: of one group alone nobody asks which."""
        return len(self.groups) > 1

    @property
    def has_departments(self) -> bool:
        """Whether any team belongs to a department."""
        return any(row.team.department_id is not None for row in self.rows)

    def of_group(self, group: Group) -> tuple[TeamStanding, ...]:
        """The rows of one group."""
        return tuple(row for row in self.rows if row.group == group)

    def compare(self, better: Team, worse: Team) -> tuple[Comparison, ...]:
        """The keys compared between two teams up to the one that decided; raises UnknownTeam.

        Both must be of one group. Empty where places were played for.
        """
        return () if self.is_by_places else proof(self.places, better.pk, worse.pk)


def stage_rules(stage: Stage) -> StageRules:
    """The typed rules of the stage; raises InvalidRules where stored rules cannot be read. No query."""
    rules = stage.rules
    match = MatchRules.from_dict(rules.get("match", {}))
    return StageRules(
        match=match,
        scoring=scoring_rules(rules.get("scoring", {}), stage.format, start_level=match.start_level),
        ranking=parse_ranking(rules.get("ranking", DEFAULT_RANKING)),
        tie_allowed=stage.format != StageFormat.KNOCKOUT,
    )


def rules_by_match(stage: Stage) -> RulesByMatch:
    """The rules of the stage's matches; raises InvalidRules. No query."""
    section = stage.rules.get("match", {})
    is_knockout = stage.format == StageFormat.KNOCKOUT
    rounds = RoundRules.from_dict(stage.rules.get("format", {}) if is_knockout else {}, section)
    places = {} if rounds.is_empty else bracket_places(stage.layout)
    return RulesByMatch(stage_rules(stage), rounds, places, section)


def match_rules(match: Match) -> StageRules:
    """The rules by which one match is played. No query with its round and stage loaded."""
    return rules_by_match(match.round.stage).of(match)


def round_minutes(round_: Round) -> int | None:
    """Minutes of the round, those of its matches for the best places; None without a clock.

    One query at most.
    """
    rules = rules_by_match(round_.stage)
    keys = () if rules.is_uniform else round_.matches.exclude(key="").values_list("key", flat=True)
    places = [rules.places[key] for key in keys if key in rules.places]
    if not places:
        return rules.stage.match.minutes
    main = min(places, key=lambda place: place.span)
    return rules.of(Match(key=main.key)).match.minutes


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


def entered_result(result: Result) -> MatchResult:
    """A stored result as the engine knows it. No query."""
    return _match_result(
        result.outcome, result.home_level, result.away_level, result.winner, result.reason, result.facts
    )


def counting_rounds(stage: Stage, audience: Audience) -> list[Round]:
    """The published and completed rounds of the stage that the audience knows of, in order. One query."""
    return list(stage.rounds.filter(seen_by(audience)).order_by("number"))


def stage_standings(
    stage: Stage,
    *,
    after_round: int | None = None,
    everybody: bool = False,
    audience: Audience = Audience.EVERYBODY,
) -> Standings:
    """The standings from the results entered so far in published and completed rounds, up to `after_round`.

    Rounds that the audience does not know of yet count for nothing, nor do their results.
    In a knockout the places that were played for; with groups each group by itself. Whoever left without a
    place by the stage's rules is missing unless `everybody` is wanted.
    Five queries, whatever the number of teams: rounds, teams with departments, players, results, adjustments;
    in a round robin one more for its groups, and one more where somebody left and that costs the place.
    Raises InvalidRules where the stored rules cannot be read.
    """
    rules = stage_rules(stage)
    stage_rounds = counting_rounds(stage, audience)
    rounds = [round_ for round_ in stage_rounds if after_round is None or round_.number <= after_round]
    teams = {team.pk: team for team in with_names(stage_teams(stage))}
    played = _played_matches(rounds, tie_allowed=rules.tie_allowed)
    keyed = played.matches
    matches = [match for _, match in keyed]
    last = rounds[-1].number if rounds else 0
    members = _members(stage)
    withdrawal = withdrawal_rule(stage.rules)
    facts = StageFacts(
        format=stage.format,
        scoring=rules.scoring,
        ranking=rules.ranking,
        entrants=_entrants(stage, teams.values(), matches, last),
        matches=keyed,
        adjustments=_adjustments(stage, last),
        withdrawal=withdrawal,
        left=_left(stage, teams.values()) if withdrawal is not Withdrawal.KEEP else frozenset(),
        groups={group.order: ids for group, ids in members.items()},
        layout=stage.layout,
        lots=_lots(stage, teams.values()),
    )
    found = ranked(facts, everybody=everybody)
    return Standings(
        stage=stage,
        after_round=last,
        rows=_rows(found, teams, {group.order: group for group in members}, _unentered(matches)),
        ranking=facts.keys,
        rounds=tuple(round_.number for round_ in rounds),
        open_rounds=tuple(
            _open_round(round_, matches, rules.scoring) for round_ in rounds if not round_.is_completed
        ),
        stage_rounds=tuple(round_.number for round_ in stage_rounds),
        places=tuple(each.row for each in found),
        groups=tuple(members),
        unconfirmed=dict(played.unconfirmed),
        unconfirmed_teams=frozenset(played.teams),
    )


def _members(stage: Stage) -> dict[Group, set[int]]:
    """The teams of each group, by group in order; empty without groups. One query in a round robin."""
    if stage.format != StageFormat.ROUND_ROBIN:
        return {}
    members: dict[Group, set[int]] = {}
    entries = StageEntry.objects.filter(stage=stage, group__isnull=False).select_related("group")
    for entry in entries.order_by("group__order"):
        if entry.group is not None:
            members.setdefault(entry.group, set()).add(entry.team_id)
    return members


def _left(stage: Stage, teams: Iterable[Team]) -> frozenset[int | str]:
    """Who withdrew during this stage: not after it, when a later one had them too. One query if anybody."""
    left = {team.pk for team in teams if team.is_withdrawn}
    if left:
        later = StageEntry.objects.filter(team__in=left, stage__event=stage.event_id)
        left -= set(later.filter(stage__order__gt=stage.order).values_list("team_id", flat=True))
    return frozenset(left)


def _lots(stage: Stage, teams: Iterable[Team]) -> dict[int | str, int]:
    places = stage.lots.get("places", {})
    return {team.pk: places[team.key] for team in teams if team.key in places} if places else {}


def _open_round(round_: Round, matches: Iterable[PlayedMatch], scoring: ScoringRules) -> OpenRound:
    own = [match for match in matches if match.round == round_.number]
    tables = [match for match in own if match.away is not None]
    entered = sum(match.result is not None for match in tables)
    return OpenRound(round_.number, entered, len(tables), has_bye=len(tables) < len(own) and scoring.bye > 0)


def _unentered(matches: Sequence[PlayedMatch]) -> Counter[int | str]:
    """By team the matches without a result, in rounds that have any."""
    begun = {match.round for match in matches if match.result is not None}
    missing = [match for match in matches if match.result is None and match.round in begun]
    return Counter(team for match in missing for team in (match.home, match.away) if team is not None)


@dataclass(frozen=True)
class _Played:
    """Matches with their keys; by round how many results wait for their second look, and of which teams."""

    matches: list[tuple[str, PlayedMatch]] = field(default_factory=list)
    unconfirmed: Counter[int] = field(default_factory=Counter)
    teams: set[int] = field(default_factory=set)


def _played_matches(rounds: Sequence[Round], *, tie_allowed: bool) -> _Played:
    """The matches of the rounds as plain tuples: seven rounds of a hundred tables in one cheap query.

    Each result as it counts, with the penalties of its match.
    """
    columns = ("home_level", "away_level", "winner", "reason", "facts")
    rows = Match.objects.filter(round__in=rounds).order_by("round__number", "pk")
    played = _Played()
    for key, number, home, away, stored, look, outcome, *values in rows.values_list(
        "key",
        "round__number",
        "home_id",
        "away_id",
        "ruling",
        "result__confirmation",
        "result__outcome",
        *(f"result__{name}" for name in columns),
    ):
        result = _match_result(outcome, *values) if outcome else None
        match = PlayedMatch(number, home, away, result)
        played.matches.append((key, _ruled(match, stored, tie_allowed) if stored else match))
        if look == Confirmation.OPEN:
            played.unconfirmed[number] += 1
            played.teams.update((home, away))
    return played


def _ruled(match: PlayedMatch, stored: Mapping[str, Any], tie_allowed: bool) -> PlayedMatch:
    """A match with penalties as it counts; a bye is not touched by them."""
    if match.result is None or match.away is None:
        return match
    ruling = Ruling.from_dict(stored)
    result = counted(match.result, ruling, tie_allowed=tie_allowed)
    return replace(match, result=result, is_zero=ruling.is_zero)


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


def _entrants(
    stage: Stage, teams: Iterable[Team], matches: Iterable[PlayedMatch], last_round: int
) -> list[Entrant]:
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
            absent=rounds_missed(read_absences(team.absences), stage.key, last_round),
        )
        for team in teams
    ]


def _adjustments(stage: Stage, last_round: int) -> list[Adjustment]:
    rows = stage.adjustments.filter(round_number__lte=max(last_round, 1)).order_by("pk")
    return [Adjustment(*row) for row in rows.values_list("team_id", "round_number", "points")]


def _rows(
    found: Sequence[Ranked],
    teams: Mapping[Any, Team],
    groups: Mapping[int, Group],
    unentered: Mapping[int | str, int],
) -> tuple[TeamStanding, ...]:
    shared = Counter((each.group, each.row.rank) for each in found)
    return tuple(
        TeamStanding(
            team=teams[each.row.team],
            rank=each.row.rank,
            is_shared=shared[each.group, each.row.rank] > 1,
            points=each.row.points,
            keys=each.row.keys,
            decided_by=each.row.decided_by,
            played=each.row.played,
            wins=each.row.wins,
            ties=each.row.ties,
            losses=each.row.losses,
            byes=each.row.byes,
            withdrawn=each.row.withdrawn,
            last_rank=each.last,
            group=groups.get(each.group),
            unentered=unentered.get(each.row.team, 0),
        )
        for each in found
    )


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
