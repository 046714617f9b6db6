"""What a stored bracket says about results: under which rules a match is played, which places it leads to.

The bracket itself is drawn and resolved by the pairing engine; here it is read from the stage's layout.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.engine.reading import InvalidRules, RulesCode, read_integer
from scoring.engine.results import Winner
from scoring.engine.rules import MatchRules, RankingKey, ScoringRules
from scoring.engine.standings import Entrant, PlayedMatch, TeamId, standings

Span = tuple[int, int]
"""The best and the worst place that a team can still have; equal, or shared, once nothing more is played."""

FINAL_GROUP = "final_group"
THIRD_PLACE = "third_place"
FIRST = "first"
TEAMS_LEFT = {"final": 2, "semi": 4, "quarter": 8}
"""Words for the rounds with so many teams left; other rounds are named by the number itself."""


@dataclass(frozen=True, slots=True)
class BracketPlace:
    """One match of the bracket as the layout holds it; the span of a winner or loser that goes on is None."""

    key: str
    round: int
    purpose: str
    span: Span
    winner_span: Span | None
    loser_span: Span | None

    @property
    def teams_left(self) -> int:
        """How many teams a full round of this kind has: 8 for 5 to 8 left, and for the places 5 to 8."""
        size = 2 if self.purpose == FINAL_GROUP else self.span[1]
        return 1 << (size - 1).bit_length()


def bracket_places(layout: Mapping[str, Any]) -> dict[str, BracketPlace]:
    """The matches of a knockout's layout by key, in order; none for a stage without a bracket."""
    return {each["key"]: _place(each) for each in layout.get("bracket", ())}


def _place(match: Mapping[str, Any]) -> BracketPlace:
    return BracketPlace(
        key=match["key"],
        round=match["round"],
        purpose=match["purpose"],
        span=_span(match["places"]),
        winner_span=_optional_span(match.get("winner_places")),
        loser_span=_optional_span(match.get("loser_places")),
    )


def _optional_span(value: Sequence[int] | None) -> Span | None:
    return None if value is None else _span(value)


def _span(value: Sequence[int]) -> Span:
    first, last = value
    return first, last


# Rules that differ from round to round


@dataclass(frozen=True, slots=True)
class RoundRules:
    """Settings of single rounds, by the round's name: `first`, `third_place` or the number of teams left."""

    best_of: Mapping[str, int]
    match: Mapping[str, Mapping[str, Any]]

    @property
    def is_empty(self) -> bool:
        """Whether all rounds are played alike."""
        return not (self.best_of or self.match)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any], match: Mapping[str, Any]) -> RoundRules:
        """`best_of` and `match_by_round` of `rules.format`, each tried on the stage's `match` rules.

        Raises InvalidRules.
        """
        best_of = {
            name: read_integer(f"best_of.{key}", value, 1, 9)
            for key, name, value in _sections(mapping, "best_of")
        }
        changed = {}
        for key, name, value in _sections(mapping, "match_by_round"):
            if not isinstance(value, Mapping):
                raise InvalidRules(f"match_by_round.{key}", RulesCode.NOT_A_MAPPING, value)
            changed[name] = value
            _require_readable(f"match_by_round.{key}", {**match, **value})
        for name, games in best_of.items():
            _require_readable(f"best_of.{name}", {"best_of": games})
        return cls(best_of, changed)

    def of(self, place: BracketPlace) -> dict[str, Any]:
        """What differs in one match: the round's name counts most exactly, then what is won in it."""
        names = [str(place.teams_left)]
        if place.round == 1:
            names.append(FIRST)
        if place.purpose == THIRD_PLACE:
            names.append(THIRD_PLACE)
        return self.together(names)

    def together(self, names: Iterable[str]) -> dict[str, Any]:
        """What differs where rounds of several names coincide; the later names count more."""
        changed: dict[str, Any] = {}
        for name in names:
            changed |= self.match.get(name, {})
            if name in self.best_of:
                changed["best_of"] = self.best_of[name]
        return changed


def _sections(mapping: Mapping[str, Any], field: str) -> Iterator[tuple[str, str, Any]]:
    given = mapping.get(field) or {}
    if not isinstance(given, Mapping):
        raise InvalidRules(field, RulesCode.NOT_A_MAPPING, given)
    for key, value in given.items():
        name = round_name(key)
        if name not in {FIRST, THIRD_PLACE} and not _is_full_round(name):
            raise InvalidRules(f"{field}.{key}", RulesCode.UNKNOWN_VALUE, key)
        yield key, name, value


def round_name(key: str) -> str:
    """The round that a key of the event file names: `final` is the round of 2."""
    return str(TEAMS_LEFT.get(key, key))


def _is_full_round(name: str) -> bool:
    if not (name.isascii() and name.isdecimal() and len(name) < 6):
        return False
    return int(name) > 1 and int(name).bit_count() == 1


def _require_readable(path: str, match: Mapping[str, Any]) -> None:
    try:
        MatchRules.from_dict(match)
    except InvalidRules as error:
        raise InvalidRules(f"{path}.{error.path}", error.code, error.value) from None


# Places


def spans(
    places: Mapping[str, BracketPlace],
    matches: Iterable[tuple[str, PlayedMatch]],
    entrants: Sequence[Entrant],
    scoring: ScoringRules,
    ranking: Sequence[RankingKey],
) -> dict[TeamId, Span]:
    """The places that every team of a knockout can still have, from the matches that are drawn.

    The places of a final group come from the standings of its matches, once all are played.
    """
    played = {key: match for key, match in matches if key in places}
    found: dict[TeamId, Span] = {entrant.id: (1, max(len(entrants), 1)) for entrant in entrants}
    going_on = Counter((place.round, place.span) for place in places.values())
    for key, place in places.items():
        if key in played and place.purpose != FINAL_GROUP:
            found.update(_after(place, played[key], going_on[place.round, place.span]))
    final = [key for key, place in places.items() if place.purpose == FINAL_GROUP]
    found.update(_final_places([played[key] for key in final if key in played], len(final), scoring, ranking))
    return found


def _after(place: BracketPlace, match: PlayedMatch, going_on: int) -> Iterator[tuple[TeamId, Span]]:
    """Where the two teams of a match stand after it; `going_on` teams go on from its round."""
    first, last = place.span
    upper, lower = place.winner_span or (first, first + going_on - 1), place.loser_span
    if match.away is None:
        yield match.home, upper
    elif match.result is None:
        yield match.home, place.span
        yield match.away, place.span
    elif match.result.winner in (Winner.HOME, Winner.AWAY):
        is_home = match.result.winner is Winner.HOME
        winner, loser = (match.home, match.away) if is_home else (match.away, match.home)
        yield winner, upper
        yield loser, lower or (first + going_on, last)
    else:
        yield match.home, lower or (last, last)
        yield match.away, lower or (last, last)


def _final_places(
    matches: Sequence[PlayedMatch], planned: int, scoring: ScoringRules, ranking: Sequence[RankingKey]
) -> Iterator[tuple[TeamId, Span]]:
    teams = [team for match in matches for team in (match.home, match.away) if team is not None]
    if not planned or len(matches) < planned or any(match.result is None for match in matches):
        yield from ((team, (1, 3)) for team in teams)
        return
    entrants = [Entrant(id=team, number=number) for number, team in enumerate(dict.fromkeys(teams))]
    rows = standings(entrants, matches, scoring=scoring, ranking=ranking)
    sharing = Counter(row.rank for row in rows)
    yield from ((row.team, (row.rank, row.rank + sharing[row.rank] - 1)) for row in rows)
