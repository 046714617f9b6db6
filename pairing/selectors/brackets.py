"""The bracket of a knockout as everybody may see it: published rounds and their results, never a draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pairing.engine.bracket import (
    Bracket,
    BracketState,
    ByeSlot,
    EntrySlot,
    Winners,
    resolve,
)
from pairing.engine.formats import InvalidFormat
from pairing.engine.knockout import BracketOrder
from pairing.format_rules import knockout_rules
from pairing.layouts import bracket_of, bracket_rounds
from scoring.rulings import counted_winner
from scoring.selectors import stage_standings, with_names
from tournaments.models import Audience, Match, Stage, Team
from tournaments.selectors.stages import seen_by


@dataclass(frozen=True)
class PublicBracket:
    """A bracket with its teams by key and, by key of the match, what was published of it.

    `champion` is known once nobody can take the first place any more; a final group's from its standings.
    """

    stage: Stage
    bracket: Bracket
    state: BracketState
    teams: Mapping[str, Team]
    matches: Mapping[str, Match]
    champion: str | None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return self.state.is_complete


def public_bracket(stage: Stage, audience: Audience = Audience.EVERYBODY) -> PublicBracket | None:
    """The bracket once the audience knows of its first round; None before, drawn or not.

    Three queries, whatever the size: the matches with their results, the teams, their players; five more for
    the champion of a final group.
    """
    played = Match.objects.filter(seen_by(audience, "round"), round__stage=stage).exclude(key="")
    matches = list(played.select_related("round", "result").order_by("round__number", "table", "pk"))
    if not matches or "bracket" not in stage.layout:
        return None
    bracket = _shown(stage, matches[-1].round.number)
    teams = _teams(stage, bracket)
    state = _state(bracket, _winners(bracket, matches, teams))
    return PublicBracket(
        stage=stage,
        bracket=bracket,
        state=state,
        teams=teams,
        matches={match.key: match for match in matches},
        champion=_champion(stage, state, audience),
    )


def _shown(stage: Stage, newest: int) -> Bracket:
    """All of it; where each round is drawn anew (逐轮抽签) only what is published."""
    bracket = bracket_of(stage.layout)
    if knockout_rules(stage.rules.get("format", {})).order is not BracketOrder.REDRAWN:
        return bracket
    return tuple(match for match in bracket if match.round <= newest)


def _teams(stage: Stage, bracket: Bracket) -> dict[str, Team]:
    slots = (slot for match in bracket for slot in (match.home, match.away))
    keys = {str(slot.team) for slot in slots if isinstance(slot, EntrySlot)}
    return {team.key: team for team in with_names(Team.objects.filter(event=stage.event_id, key__in=keys))}


def _winners(bracket: Bracket, matches: Sequence[Match], teams: Mapping[str, Team]) -> dict[str, str | None]:
    """Who won the matches that have a result, in order of the bracket; None where nobody did."""
    played = {match.key: match for match in matches if match.away_id and hasattr(match, "result")}
    keys = {team.pk: key for key, team in teams.items()}
    return {
        match.key: keys.get(_winner(played[match.key]) or 0)
        for match in bracket
        if match.key in played and not isinstance(match.away, ByeSlot)
    }


def _winner(match: Match) -> int | None:
    return {"home": match.home_id, "away": match.away_id}.get(counted_winner(match))


def _state(bracket: Bracket, winners: Winners) -> BracketState:
    """Where the bracket stands.

    While a corrected result waits for what hangs on it to be voided, later results do not fit: they are not
    shown.
    """
    for number in range(bracket_rounds(bracket), 0, -1):
        known = {match.key for match in bracket if match.round <= number}
        try:
            return resolve(bracket, {key: winner for key, winner in winners.items() if key in known})
        except InvalidFormat:
            continue
    return resolve(bracket, {})


def _champion(stage: Stage, state: BracketState, audience: Audience) -> str | None:
    if not state.final_group:
        return None if state.champion is None else str(state.champion)
    best = stage_standings(stage, audience=audience).rows[0]
    return best.team.key if best.last_rank == 1 else None
