"""Standings as a page tells them: why each team stands where it does, and a team's way through the rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.cuts import advancing_from
from scoring.engine.penalties import counted, counted_points
from scoring.engine.results import MatchResult, Outcome, Side, Winner
from scoring.engine.rules import RankingKey, ScoringRules
from scoring.engine.standings import Comparison, KeyValue
from scoring.engine.tiebreaks import GROUP_KEYS
from scoring.models import Adjustment, Result
from scoring.rulings import match_ruling, ruling_words
from scoring.selectors import Standings, TeamStanding, entered_result
from scoring.wording import KEY_EXPLANATIONS, KEY_NAMES, OUTCOME_WORDS, decision, key_value, level_text
from tournaments.models import Match, StageFormat, Team

_OWN_COLUMNS = frozenset({RankingKey.POINTS, RankingKey.WINS}) | GROUP_KEYS
"""Keys without a column: points and wins have one anyway, the others are only told where they decide."""

PLACES_SET_OFF = 3
SETTLED = "settled"
"""In the lots of a stage: the teams (keys) whose order an extra game or the chief decided."""
TWO_THIRDS = (3, 4)
"""Both losers of the semi-finals, where nothing is played for third place."""


@dataclass(frozen=True)
class KeyColumn:
    """A ranking key as a column of the table."""

    name: str
    explanation: str


@dataclass(frozen=True)
class StandingLine:
    """A row of the standings as shown: `values` of the key columns, `why` it stands below the one above."""

    row: TeamStanding
    address: str
    values: tuple[str, ...]
    why: str
    is_set_off: bool


@dataclass(frozen=True)
class ProofStep:
    """One key compared between two neighbours, in words; `is_deciding` on the one that set them apart."""

    name: str
    explanation: str
    upper: str
    lower: str
    verdict: str
    is_deciding: bool


@dataclass(frozen=True)
class Proof:
    """Why `upper` stands above `lower`, key by key; `is_shared` when every key left them equal."""

    upper: TeamStanding
    lower: TeamStanding
    steps: tuple[ProofStep, ...]
    is_shared: bool


@dataclass(frozen=True)
class TeamRound:
    """A round from one team's side. Without `opponent` it is the bye, without `points` it is being played.

    Without `match` the team missed the round.
    """

    number: int
    match: Match | None
    opponent: Team | None
    levels: str
    verdict: str
    points: int | None
    adjustments: tuple[Adjustment, ...]
    total: int
    ruling: str = ""
    """The penalties that count beside the levels, in words."""


def key_columns(standings: Standings) -> tuple[KeyColumn, ...]:
    """The ranking keys that have a column of their own, in order; none where places were played for."""
    return tuple(
        KeyColumn(str(KEY_NAMES[key]), str(KEY_EXPLANATIONS[key])) for key in _column_keys(standings)
    )


def _column_keys(standings: Standings) -> list[RankingKey]:
    if standings.is_by_places:
        return []
    return [key for key in standings.ranking if key not in _OWN_COLUMNS]


def standing_lines(standings: Standings, places: slice) -> list[StandingLine]:
    """The rows at these places with their words, best first. Before the first result nobody is set off.

    Of groups those who would advance are set off: one query there, none elsewhere.
    """
    keys = _column_keys(standings)
    settled = frozenset(standings.stage.lots.get(SETTLED, ()))
    first = advancing_from(standings.stage) if standings.has_several_groups else PLACES_SET_OFF
    teams = reverse("team", args=[standings.stage.event.slug, 0]).removesuffix("0/")
    return [
        StandingLine(
            row=row,
            address=f"{teams}{row.team.number}/",
            values=tuple(key_value(row.keys[key], row.unentered) for key in keys),
            why=_why(above, row, settled),
            is_set_off=standings.has_results and _is_set_off(standings, row, first),
        )
        for above, row in list(zip((None, *standings.rows), standings.rows, strict=False))[places]
    ]


def _is_set_off(standings: Standings, row: TeamStanding, first: int) -> bool:
    """Whether the row is one of the `first`; in a knockout only once its place is certain or shared."""
    places = (row.rank, row.last_rank)
    is_certain = not standings.is_by_places or row.rank == row.last_rank or places == TWO_THIRDS
    return row.rank <= first and is_certain


def neighbour_proofs(standings: Standings, team: Team) -> tuple[Proof, ...]:
    """The team compared with the one above it and the one below it, as far as there are any."""
    rows = standings.rows
    place = next((i for i, row in enumerate(rows) if row.team.pk == team.pk), None)
    if place is None:
        return ()
    couples = [(place - 1, place), (place, place + 1)]
    neighbours = [(rows[a], rows[b]) for a, b in couples if a >= 0 and b < len(rows)]
    return tuple(
        _proof(standings, upper, lower)
        for upper, lower in neighbours
        if upper.group == lower.group and not standings.is_by_places
    )


def team_rounds(
    team: Team,
    matches: Iterable[Match],
    adjustments: Sequence[Adjustment],
    scoring: ScoringRules,
    *,
    start: int,
    missed: Iterable[int] = (),
) -> Iterator[TeamRound]:
    """The team's rounds with a running total from `start`, what rounds missed before its entry are worth.

    `missed` are later rounds that it missed. An adjustment counts in its round, or in the next one.
    """
    total, left = start, list(adjustments)
    by_round: dict[int, Match | None] = dict.fromkeys(missed)
    by_round |= {match.round.number: match for match in matches}
    for number, match in sorted(by_round.items()):
        due = tuple(given for given in left if given.round_number <= number)
        left = [given for given in left if given.round_number > number]
        seen = TeamRound(number, None, None, "", _("absent"), scoring.missed, due, 0)
        if match is not None:
            seen = _seen_by(team, match, due, scoring)
        total += (seen.points or 0) + sum(given.points for given in due)
        yield replace(seen, total=total)


def _seen_by(team: Team, match: Match, due: tuple[Adjustment, ...], scoring: ScoringRules) -> TeamRound:
    """A match from one team's side, without the total."""
    result: Result | None = getattr(match, "result", None)
    entered = entered_result(result) if result else None
    is_home = match.home_id == team.pk
    ruling, tie_allowed = match_ruling(match), match.round.stage.format != StageFormat.KNOCKOUT
    points = counted_points(entered, ruling, scoring, tie_allowed=tie_allowed) if entered else None
    counts = counted(entered, ruling, tie_allowed=tie_allowed) if entered else None
    return TeamRound(
        number=match.round.number,
        match=match,
        opponent=match.away if is_home else match.home,
        levels=_levels(entered, is_home),
        verdict=_verdict(counts, is_home),
        points=points[0 if is_home else 1] if points else None,
        adjustments=due,
        total=0,
        ruling=ruling_words(ruling, Side.HOME if is_home else Side.AWAY),
    )


def _why(above: TeamStanding | None, row: TeamStanding, settled: frozenset[str]) -> str:
    if above is None or row.decided_by is None:
        return ""
    if row.decided_by is RankingKey.LOTS and {above.team.key, row.team.key} <= settled:
        return _("behind by an extra game or the chief’s decision")
    key = row.decided_by
    return decision(Comparison(key, above.keys[key], row.keys[key]))


def _proof(standings: Standings, upper: TeamStanding, lower: TeamStanding) -> Proof:
    is_shared = upper.rank == lower.rank
    compared = standings.compare(upper.team, lower.team)
    steps = tuple(
        _step(step, not is_shared and step is compared[-1], (upper.unentered, lower.unentered))
        for step in compared
    )
    return Proof(upper, lower, steps, is_shared)


def _step(step: Comparison, is_deciding: bool, unentered: tuple[int, int]) -> ProofStep:
    return ProofStep(
        name=str(KEY_NAMES[step.key]),
        explanation=str(KEY_EXPLANATIONS[step.key]),
        upper=_proof_value(step.key, step.better, unentered[0]),
        lower=_proof_value(step.key, step.worse, unentered[1]),
        verdict=_proof_verdict(step, is_deciding),
        is_deciding=is_deciding,
    )


def _proof_value(key: RankingKey, value: KeyValue, unentered: int) -> str:
    if key is RankingKey.HEAD_TO_HEAD and value is not None:
        return _("%(wins)s won") % {"wins": value}
    return key_value(value, unentered)


def _proof_verdict(step: Comparison, is_deciding: bool) -> str:
    if is_deciding:
        return decision(step)
    if step.better is None or step.worse is None:
        return _("does not apply")
    return _("equal")


def _levels(result: MatchResult | None, is_home: bool) -> str:
    """The levels from the team's own side: 10 : 7."""
    if result is None or result.outcome is not Outcome.PLAYED:
        return ""
    games = [
        (game.home_level, game.away_level) if is_home else (game.away_level, game.home_level)
        for game in result.games or (result,)
    ]
    line = ", ".join(f"{level_text(own)} : {level_text(other)}" for own, other in games)
    first = (result.games or (result,))[0]
    begun = (first.home_start, first.away_start) if is_home else (first.away_start, first.home_start)
    return line + "".join(_begun(*begun))


def _begun(own: int | None, other: int | None) -> Iterator[str]:
    """Where a handicap made the sides begin, as the team sees it."""
    if own is not None:
        yield _(" (began at %(level)s)") % {"level": level_text(own)}
    if other is not None:
        yield _(" (the opponents began at %(level)s)") % {"level": level_text(other)}


def _verdict(result: MatchResult | None, is_home: bool) -> str:
    """Won, lost or tied, as the team sees it; what became of a match that was not played."""
    if result is None:
        return ""
    if result.winner is None:
        return str(OUTCOME_WORDS.get(result.outcome, ""))
    if result.winner is Winner.TIE:
        return _("tied")
    is_won = result.winner is (Winner.HOME if is_home else Winner.AWAY)
    if result.outcome is Outcome.PLAYED:
        return _("won") if is_won else _("lost")
    return _("won by forfeit") if is_won else _("lost by forfeit")
