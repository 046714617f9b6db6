"""Reads: the standings of a stage, always computed from what was entered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.engine.penalties import Ruling, counted
from scoring.engine.rules import RankingKey, ScoringRules
from scoring.engine.standings import (
    Adjustment,
    Comparison,
    Entrant,
    KeyValue,
    PlayedMatch,
    StandingRow,
    proof,
)
from scoring.models import Confirmation
from scoring.ranked import Ranked, StageFacts, Withdrawal, ranked, withdrawal_rule
from scoring.selectors.results import match_result
from scoring.selectors.rounds import counting_rounds, stage_teams, with_names
from scoring.selectors.rules import stage_rules
from tournaments.attendance import read_absences, rounds_missed
from tournaments.models import (
    Audience,
    Group,
    Match,
    Round,
    Stage,
    StageEntry,
    StageFormat,
    Team,
)


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
        result = match_result(outcome, *values) if outcome else None
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
