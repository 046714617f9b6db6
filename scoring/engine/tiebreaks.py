"""The ranking keys 排名依据: a value for every team, or for the teams that are still tied.

A higher value is better, except `lots`, where the place drawn counts from 1.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from scoring.engine.rules import RankingKey
from scoring.engine.tallies import Tally, TeamId

KeyValue = int | Fraction | tuple[int, ...] | None
Tallies = Mapping[TeamId, Tally]
Lots = Mapping[TeamId, int]

GROUP_KEYS = frozenset({RankingKey.HEAD_TO_HEAD, RankingKey.HEAD_TO_HEAD_GROUP, RankingKey.LOTS})
"""Keys that ask who is still tied; all others have one value for each team."""


def team_values(key: RankingKey, tallies: Tallies) -> dict[TeamId, KeyValue]:
    """The value of every team under a key that does not ask who is tied."""
    measure = _MEASURES[key]
    return {team: measure(team_tally, tallies) for team, team_tally in tallies.items()}


def group_values(
    key: RankingKey, tied: Sequence[TeamId], tallies: Tallies, lots: Lots
) -> dict[TeamId, KeyValue]:
    """The values of the tied teams under a key that asks who is tied; empty when it does not apply."""
    if key is RankingKey.HEAD_TO_HEAD:
        return _head_to_head(tied, tallies)
    if key is RankingKey.HEAD_TO_HEAD_GROUP:
        return _mini_table(tied, tallies)
    return {team: lots[team] for team in tied} if all(team in lots for team in tied) else {}


def _head_to_head(tied: Sequence[TeamId], tallies: Tallies) -> dict[TeamId, KeyValue]:
    """Wins against each other, for exactly two teams that met."""
    if len(tied) != 2:
        return {}
    one, other = tied
    if all(meeting.opponent != other for meeting in tallies[one].meetings):
        return {}
    return {one: _wins_against(tallies[one], other), other: _wins_against(tallies[other], one)}


def _wins_against(team: Tally, opponent: TeamId) -> int:
    return sum(meeting.halves == 2 for meeting in team.meetings if meeting.opponent == opponent)


def _mini_table(tied: Sequence[TeamId], tallies: Tallies) -> dict[TeamId, KeyValue]:
    """Points from the matches among the tied teams, only when all of them met each other."""
    inside = set(tied)
    values: dict[TeamId, KeyValue] = {}
    for team in tied:
        among = [meeting for meeting in tallies[team].meetings if meeting.opponent in inside]
        if len({meeting.opponent for meeting in among}) < len(inside) - 1:
            return {}
        values[team] = sum(meeting.points for meeting in among)
    return values


def _best_rounds(team: Tally, _: Tallies) -> KeyValue:
    return tuple(sorted(team.round_points.values(), reverse=True))


def _opponents_points(team: Tally, tallies: Tallies) -> KeyValue:
    return sum([tallies[meeting.opponent].points for meeting in team.meetings])


def _beaten_opponents_points(team: Tally, tallies: Tallies) -> KeyValue:
    """Exact: a whole number where it is one, else a Fraction with the half."""
    doubled = sum([meeting.halves * tallies[meeting.opponent].points for meeting in team.meetings])
    return Fraction(doubled, 2) if doubled % 2 else doubled // 2


_MEASURES: Mapping[RankingKey, Callable[[Tally, Tallies], KeyValue]] = {
    RankingKey.POINTS: lambda team, _: team.points,
    RankingKey.WINS: lambda team, _: team.wins,
    RankingKey.BEST_ROUNDS: _best_rounds,
    RankingKey.OPPONENTS_POINTS: _opponents_points,
    RankingKey.BEATEN_OPPONENTS_POINTS: _beaten_opponents_points,
    RankingKey.NET_LEVELS: lambda team, _: team.net_levels,
    RankingKey.LEVELS_GAINED: lambda team, _: team.levels_gained,
    RankingKey.CUMULATIVE: lambda team, _: team.cumulative,
}
