"""What a bracket is called: its rounds (决赛、半决赛、八强), its other matches, all that its picture says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from pairing.bracket_drawing import bracket_drawings, hall_drawings
from pairing.bracket_parts import BracketTexts, Drawing, TeamText
from pairing.engine.bracket import (
    Bracket,
    BracketEntry,
    BracketMatch,
    LoserOf,
    Purpose,
    Slot,
    WinnerOf,
)
from pairing.layouts import bracket_of
from pairing.selectors.brackets import PublicBracket
from scoring.engine.results import Winner
from scoring.models import Outcome, Result
from scoring.selectors import entered_result
from scoring.wording import level_text
from tournaments.models import Match, Stage, StageFormat, Team

ODD, EVEN = 1, 2
"""The two zones of a bracket."""

_ROUNDS: Mapping[int, Callable[[], str]] = {
    2: lambda: _("Final"),
    4: lambda: _("Semi-finals"),
    8: lambda: _("Last 8"),
    16: lambda: _("Last 16"),
    32: lambda: _("Last 32"),
    64: lambda: _("Last 64"),
    128: lambda: _("Last 128"),
}


@dataclass(frozen=True)
class MatchLine:
    """A match of the bracket as a line of a table; `home` and `away` are names, or who is waited for."""

    name: str
    home: str
    away: str
    score: str
    winner: str


@dataclass(frozen=True)
class RoundLines:
    """The matches of a round with the round's name; `byes` are the teams that have nobody to play."""

    name: str
    lines: tuple[MatchLine, ...]
    byes: tuple[str, ...]


def round_names(bracket: Bracket) -> dict[int, str]:
    """The name of each round: by the teams it has left where it is full, else its number."""
    teams = Counter[int]()
    for match in bracket:
        if match.purpose is Purpose.MAIN:
            teams[match.round] += 1 if match.is_bye else 2
    final = {match.round for match in bracket if match.purpose is Purpose.FINAL_GROUP}
    names = {number: _round_name(number, left, bool(final)) for number, left in teams.items()}
    return names | {number: _("Final group") for number in final}


def _round_name(number: int, left: int, has_final_group: bool) -> str:
    is_semi_final = left == 4 and not has_final_group
    if left in _ROUNDS and (left != 4 or is_semi_final):
        return _ROUNDS[left]()
    return _("Round %(n)s") % {"n": number}


def match_names(bracket: Bracket) -> dict[str, str]:
    """What each match is called; several of a round on the way to the final are numbered."""
    rounds = round_names(bracket)
    counted = Counter(_kind(match) for match in bracket if not match.is_bye)
    seen = Counter[tuple[object, ...]]()
    names = {}
    for match in bracket:
        kind = _kind(match)
        seen[kind] += not match.is_bye
        name = _purpose_name(match) or rounds[match.round]
        names[match.key] = f"{name} {seen[kind]}" if counted[kind] > 1 else name
    return names


def _kind(match: BracketMatch) -> tuple[object, ...]:
    """What matches share that are numbered together."""
    return (Purpose.FINAL_GROUP,) if match.purpose is Purpose.FINAL_GROUP else (match.round, match.places)


def _purpose_name(match: BracketMatch) -> str:
    """What is played for besides the champion; empty on the way to the final."""
    if match.purpose is Purpose.THIRD_PLACE:
        return pgettext("match", "Third place")
    if match.purpose is Purpose.FINAL_GROUP:
        return _("Final group")
    if match.purpose is Purpose.PLACEMENT:
        return _("Places %(first)s–%(last)s") % match.places._asdict()
    return ""


def stage_round_name(stage: Stage, number: int) -> str:
    """What a round of a knockout is called; empty where it has no name but its number."""
    if stage.format != StageFormat.KNOCKOUT or "bracket" not in stage.layout:
        return ""
    bracket = bracket_of(stage.layout)
    name = round_names(tuple(match for match in bracket if match.round <= number)).get(number, "")
    return "" if name == _("Round %(n)s") % {"n": number} else name


def stage_match_names(stage: Stage) -> dict[str, str]:
    """What the matches of a stage are called that are played for more than the round says, by key."""
    if stage.format != StageFormat.KNOCKOUT or "bracket" not in stage.layout:
        return {}
    bracket = bracket_of(stage.layout)
    names = match_names(bracket)
    return {match.key: names[match.key] for match in bracket if match.purpose is not Purpose.MAIN}


# The picture


def drawings(public: PublicBracket) -> tuple[Drawing, ...]:
    """The picture of a bracket, in several parts if it is large."""
    return bracket_drawings(public.state, bracket_texts(public))


def drawings_for_hall(public: PublicBracket) -> tuple[Drawing, ...]:
    """The bracket as a hall reads it from the last row: the rounds now played."""
    return hall_drawings(public.state, bracket_texts(public))


def bracket_texts(public: PublicBracket) -> BracketTexts:
    """All that the picture says, in the reader's language."""
    bracket, names = public.bracket, match_names(public.bracket)
    results = {key: result for key, match in public.matches.items() if (result := _result(match))}
    return BracketTexts(
        teams={key: _team_text(team) for key, team in public.teams.items()},
        rounds=round_names(bracket),
        bye=_("bye"),
        champion=_("Champion"),
        matches={match.key: names[match.key] for match in bracket if match.purpose is not Purpose.MAIN},
        scores={key: score(result) for key, result in results.items()},
        notes={key: note for key, match in public.matches.items() if (note := _note(match))},
        waiting={slot: _waiting(slot, names) for match in bracket for slot in (match.home, match.away)},
        zones={ODD: _("Odd numbers"), EVEN: _("Even numbers")},
        champion_team=public.champion,
    )


def _team_text(team: Team) -> TeamText:
    department = f" {team.department.name}" if team.department else ""
    return TeamText(str(team.number), team.player_names, f"{team.number} {team.player_names}{department}")


def _result(match: Match) -> Result | None:
    result: Result | None = getattr(match, "result", None)
    return None if match.is_bye else result


def _note(match: Match) -> str:
    """Where a match is being played, or that its result waits for a second look; else nothing."""
    result = _result(match)
    if result is not None:
        return pgettext("result", "not confirmed") if result.is_unconfirmed else ""
    if match.is_bye:
        return ""
    return _("Table %(n)s") % {"n": match.table} if match.table else _("being played")


def _waiting(slot: Slot, names: Mapping[str, str]) -> str:
    match slot:
        case WinnerOf(key):
            return _("winner of %(match)s") % {"match": names[key]}
        case LoserOf(key):
            return _("loser of %(match)s") % {"match": names[key]}
        case _:
            return ""


def score(result: Result) -> tuple[str, str]:
    """What stands beside home and away: levels, games won of a best of three, or who forfeited."""
    forfeit = pgettext("beside a team", "forfeit")
    unplayed = {
        Outcome.FORFEIT_HOME: (forfeit, ""),
        Outcome.FORFEIT_AWAY: ("", forfeit),
        Outcome.DOUBLE_FORFEIT: (forfeit, forfeit),
    }
    if result.outcome in unplayed:
        return unplayed[Outcome(result.outcome)]
    games = entered_result(result).games
    if games:
        winners = Counter(game.winner for game in games)
        return str(winners[Winner.HOME]), str(winners[Winner.AWAY])
    return level_text(result.home_level), level_text(result.away_level)


# The picture in words


def bracket_lines(public: PublicBracket) -> Iterator[RoundLines]:
    """The bracket round by round, for who reads instead of looking."""
    texts, names, rounds = bracket_texts(public), match_names(public.bracket), round_names(public.bracket)
    for number, name in sorted(rounds.items()):
        entries = [entry for entry in public.state.entries if entry.match.round == number]
        lines = tuple(_line(entry, texts, names) for entry in entries if not entry.match.is_bye)
        byes = (entry.home for entry in entries if entry.match.is_bye and entry.home is not None)
        yield RoundLines(name, lines, tuple(texts.teams[team].full for team in byes))


def _line(entry: BracketEntry, texts: BracketTexts, names: Mapping[str, str]) -> MatchLine:
    sides = ((entry.home, entry.match.home), (entry.away, entry.match.away))
    home, away = (
        texts.waiting.get(slot, "") if team is None else texts.teams[team].full for team, slot in sides
    )
    levels = texts.scores.get(entry.match.key)
    return MatchLine(
        name=names[entry.match.key],
        home=home,
        away=away,
        score=" : ".join(filter(None, levels)) if levels else texts.notes.get(entry.match.key, ""),
        winner="" if entry.winner is None else "home" if entry.winner == entry.home else "away",
    )
