"""What the table sheet shows: levels, whose level is played, tribute, buttons, questions, the outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scoring.engine.deals import GameState, play_deal, read_order, tribute_after
from scoring.engine.levels import PASSED
from scoring.engine.outcomes import Reason, Side, Winner
from scoring.engine.results import MatchResult
from scoring.engine.rules import EqualLevels, MatchRules
from scoring.engine.table_sheet import Answer, Progress, Sheet, follow, needs_players
from scoring.result_rows import result_words
from scoring.rulings import match_ruling, points_counted, ruling_words
from scoring.selectors import StageRules
from scoring.wording import AWAY, DECIDER, HOME, SIDE_WORDS, handicap_words, level_text, question
from tournaments.discipline import Discipline
from tournaments.models import Match, Team

ORDERS = ("HHAA", "AAHH", "HAHA", "AHAH", "HAAH", "AHHA")
"""The six buttons, home's in the left column and away's in the right."""
PLAYERS: Mapping[Side, str] = {Side.HOME: "Hh", Side.AWAY: "Aa"}
HEAD_ORDER_WORDS = (
    pgettext_lazy("finishing order", "%(side)s first and second"),
    pgettext_lazy("finishing order", "%(side)s first and third"),
    pgettext_lazy("finishing order", "%(side)s first and last"),
)
TIE_RULE_WORDS: Mapping[EqualLevels, str | Promise] = {
    EqualLevels.TIE: gettext_lazy("equal levels, %(side)s was the first to reach it"),
    EqualLevels.FIRST_TO_REACH: gettext_lazy("equal levels, %(side)s was the first to reach it"),
    EqualLevels.DECLARER: gettext_lazy("equal levels, %(side)s was declarer"),
    EqualLevels.OFF_STAGE: gettext_lazy("equal levels, %(side)s was not declarer"),
    EqualLevels.EXTRA_DEAL: gettext_lazy("equal levels, %(side)s won the extra deal"),
    EqualLevels.EXTRA_GAME: gettext_lazy("equal levels, %(side)s won the extra game"),
}


@dataclass(frozen=True)
class SidePanel:
    """One side of the scoreboard. `strikes` are counted against `limit`; both 0 without such a rule."""

    side: Side
    word: str
    team: Team
    level: str
    is_declarer: bool
    is_winner: bool
    strikes: int
    limit: int
    games_won: int


@dataclass(frozen=True)
class OrderButton:
    """One of the six finishing orders, in words, and what it would make of the levels."""

    order: str
    word: str
    effect: str
    side: Side


@dataclass(frozen=True)
class PlayerButton:
    """One player still in play. `order` is the whole finishing order once this one makes it known."""

    name: str
    side: Side
    out: str
    order: str


@dataclass(frozen=True)
class Picker:
    """How the next finishing order is told: six buttons, or the players one after the other."""

    orders: tuple[OrderButton, ...]
    players: tuple[PlayerButton, ...]
    out: tuple[str, ...]

    @property
    def place(self) -> int:
        """The place that is asked for: 1 for the head."""
        return len(self.out) + 1


@dataclass(frozen=True)
class DealLine:
    """One deal of the list: who declared which level, the order, and the levels after it."""

    game: int
    number: int
    word: str
    names: str
    declared: str
    levels: str
    note: str


@dataclass(frozen=True)
class Question:
    """What the rules ask before there is a result."""

    field: str
    text: str
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class OutcomeWords:
    """The result as it would be handed over, with the points that it counts and the penalties in them."""

    winner: str
    reason: str
    score: str
    points: tuple[int, int]
    ruling: str


@dataclass(frozen=True)
class SheetPage:
    """Everything that the page shows of the sheet itself."""

    home: SidePanel
    away: SidePanel
    best_of: int
    game: int
    deal: int
    level_played: str
    tribute: str
    begins_game: bool
    lines: tuple[DealLine, ...]
    question: Question | None
    outcome: OutcomeWords | None
    can_start_elsewhere: bool
    handicap: str
    picker: Picker | None
    correcting: DealLine | None
    """The deal that the picker corrects; None where it records the next one."""

    @property
    def is_playing(self) -> bool:
        """Whether a deal can be recorded."""
        return self.question is None and self.outcome is None

    @property
    def sides(self) -> tuple[SidePanel, SidePanel]:
        """Home and away."""
        return self.home, self.away


def sheet_page(
    match: Match,
    sheet: Sheet,
    rules: StageRules,
    stated: Discipline,
    *,
    correcting: tuple[int, int] | None = None,
    out: str = "",
) -> SheetPage:
    """The page of a sheet under its rules; `correcting` is the number of a game and of its deal.

    `out` are the letters of the players known to be out on the deal that is being told.
    Raises InvalidResult where the sheet's deals do not fit the rules any more.
    """
    progress = follow(sheet, rules.match, tie_allowed=rules.tie_allowed)
    current = progress.current
    orders = () if progress.begins_game else sheet.games[-1].deals
    lines = tuple(_lines(match, sheet, progress, rules.match))
    corrected = next((line for line in lines if (line.game, line.number) == correcting), None)
    is_asked = progress.is_playing or corrected is not None
    return SheetPage(
        home=_panel(match, Side.HOME, progress, rules.match),
        away=_panel(match, Side.AWAY, progress, rules.match),
        best_of=rules.match.best_of,
        game=len(sheet.games) + progress.begins_game,
        deal=current.deals_played + 1,
        level_played=_level_played(current, rules.match),
        tribute=_tribute(orders[-1] if orders else "", stated),
        begins_game=progress.begins_game,
        lines=lines,
        question=_question(progress.question, rules.match),
        outcome=_outcome(match, sheet, progress.result, rules),
        can_start_elsewhere=progress.is_playing and current.deals_played == 0,
        handicap=handicap_words(sheet.games),
        picker=_picker(match, rules.match, None if corrected else current, out) if is_asked else None,
        correcting=corrected,
    )


def player_names(match: Match) -> Mapping[str, str]:
    """The names of the four players by their letters; numbers where a side's two are not the whole team."""
    named = {}
    for side, team in ((Side.HOME, match.home), (Side.AWAY, match.away)):
        players = (team.seated or team.playing_names) if team else ()
        for place, letter in enumerate(PLAYERS[side]):
            words = {"side": SIDE_WORDS[side], "place": place + 1}
            named[letter] = players[place] if len(players) == 2 else _("%(side)s player %(place)s") % words
    return named


def order_words(order: str) -> str:
    """A finishing order by the side that went out first: 主队双上."""
    deal = read_order(order)
    return str(HEAD_ORDER_WORDS[deal.step]) % {"side": SIDE_WORDS[deal.head]}


# Scoreboard


def _panel(match: Match, side: Side, progress: Progress, rules: MatchRules) -> SidePanel:
    current = progress.current
    state = current.side(side)
    team = match.home if side is Side.HOME else match.away
    if team is None:
        raise TypeError("a bye has no table sheet")
    ends = [states[-1].winner for states in progress.games]
    winner = progress.result.winner if progress.result else None
    level = _counted_level(progress.result, side)
    return SidePanel(
        side=side,
        word=str(SIDE_WORDS[side]),
        team=team,
        level=level_text(state.level if level is None else level),
        is_declarer=current.declarer is side and progress.is_playing,
        is_winner=winner == side.value,
        strikes=state.strikes,
        limit=rules.strikes.limit if rules.strikes else 0,
        games_won=_games_won(progress.result, side, ends.count(side)),
    )


def _counted_level(result: MatchResult | None, side: Side) -> int | None:
    """The level that counts in the end, which a head taken at time-up may have raised."""
    if result is None:
        return None
    last = result.games[-1] if result.games else result
    return last.home_level if side is Side.HOME else last.away_level


def _games_won(result: MatchResult | None, side: Side, so_far: int) -> int:
    if result is None or result.games is None:
        return so_far
    return sum(game.winner == side.value for game in result.games)


def _level_played(state: GameState, rules: MatchRules) -> str:
    if state.declarer is None:
        return _("first deal, level %(level)s is played") % {"level": level_text(rules.start_level)}
    return _("level %(level)s of %(side)s is played") % {
        "level": level_text(state.side(state.declarer).level),
        "side": SIDE_WORDS[state.declarer],
    }


def _tribute(order: str, stated: Discipline) -> str:
    """Who pays tribute and who leads the next deal, from the order of the last."""
    if not order:
        return ""
    tribute = tribute_after(order)
    words = {"payer": SIDE_WORDS[tribute.payer], "receiver": SIDE_WORDS[tribute.receiver]}
    if stated.tribute is False:
        return _("No tribute: the head of %(receiver)s leads.") % words
    if tribute.is_double:
        text = _("Both of %(payer)s pay tribute; whose card the head takes leads.") % words
    elif tribute.payer is tribute.receiver:
        text = _("The last of %(payer)s pays tribute to the own head and leads.") % words
    else:
        text = _("The last of %(payer)s pays tribute to the head of %(receiver)s and leads.") % words
    if stated.big_jokers_exempt is False:
        return text
    return text + _(" Two big jokers: no tribute, the head leads.")


# Buttons


def _picker(match: Match, rules: MatchRules, state: GameState | None, out: str) -> Picker:
    """The buttons for a finishing order. `state` is the one it is played from, None for a correction;
    `out` the letters of the players known to be out."""
    if not needs_players(rules):
        return Picker(tuple(_order_button(order, state, rules) for order in ORDERS), (), ())
    names = player_names(match)
    known = out if set(out) <= set(names) and len(set(out)) == len(out) < 3 else ""
    return Picker((), tuple(_player_buttons(names, known)), tuple(names[letter] for letter in known))


def _order_button(order: str, state: GameState | None, rules: MatchRules) -> OrderButton:
    effect = _effect(play_deal(state, order, rules)) if state else ""
    return OrderButton(order, order_words(order), effect, read_order(order).head)


def _effect(after: GameState) -> str:
    if after.winner is None:
        return f"{level_text(after.home.level)} : {level_text(after.away.level)}"
    return _game_end(after)


def _game_end(after: GameState) -> str:
    if after.winner is None:
        return ""
    if after.reason is Reason.STRIKES:
        return _("%(side)s has no attempt left") % {"side": SIDE_WORDS[after.winner.other]}
    passes = _("%(side)s passes A") if after.side(after.winner).level == PASSED else _("%(side)s passes")
    return passes % {"side": SIDE_WORDS[after.winner]}


def _player_buttons(names: Mapping[str, str], out: str) -> Iterator[PlayerButton]:
    for letter, name in names.items():
        if letter not in out:
            told = out + letter
            rest = "".join(other for other in names if other not in told)
            side = Side.HOME if letter in PLAYERS[Side.HOME] else Side.AWAY
            yield PlayerButton(name, side, told, told + rest if len(rest) == 1 else "")


# Deals


def _lines(match: Match, sheet: Sheet, progress: Progress, rules: MatchRules) -> Iterator[DealLine]:
    names = player_names(match) if needs_players(rules) else {}
    for game, (deals, states) in enumerate(zip(sheet.games, progress.games, strict=True), start=1):
        for number, (order, (before, after)) in enumerate(
            zip(deals.deals, pairwise(states), strict=True), start=1
        ):
            yield DealLine(
                game=game,
                number=number,
                word=order_words(order),
                names=" › ".join(names.get(letter, "") for letter in order) if names else "",
                declared=_declared(before, rules),
                levels=f"{level_text(after.home.level)} : {level_text(after.away.level)}",
                note=_line_note(before, after, rules),
            )


def _declared(before: GameState, rules: MatchRules) -> str:
    if before.declarer is None:
        return level_text(rules.start_level)
    return f"{SIDE_WORDS[before.declarer]} {level_text(before.side(before.declarer).level)}"


def _line_note(before: GameState, after: GameState, rules: MatchRules) -> str:
    """What the levels alone would not tell: the end, a fall, a failed attempt at the target."""
    if after.winner is not None:
        return _game_end(after)
    for side in Side:
        was, now = before.side(side), after.side(side)
        if now.level < was.level:
            return _("%(side)s falls to %(level)s") % {
                "side": SIDE_WORDS[side],
                "level": level_text(now.level),
            }
        if now.strikes > was.strikes:
            words = {"side": SIDE_WORDS[side], "number": now.strikes, "level": level_text(rules.target_level)}
            return _("%(side)s failed at %(level)s (%(number)s)") % words
    return ""


# Questions and the outcome


def _question(field: str | None, rules: MatchRules) -> Question | None:
    if field is None:
        return None
    game, dot, name = field.rpartition(".")
    text = question(name)
    if name == "extra_winner" and rules.best_of > 1 and not dot:
        text = question(DECIDER)
    elif dot:
        number = int(game.removeprefix("games[").removesuffix("]")) + 1
        text = _("Game %(number)s: ") % {"number": number} + text
    answers = [(Answer.HOME.value, str(HOME)), (Answer.AWAY.value, str(AWAY))]
    if name == "head_taken":
        answers.append((Answer.NOBODY.value, _("nobody was out")))
    return Question(field, text, tuple(answers))


def _outcome(
    match: Match, sheet: Sheet, result: MatchResult | None, rules: StageRules
) -> OutcomeWords | None:
    if result is None:
        return None
    return OutcomeWords(
        winner=pgettext("outcome of a match", "tie") if result.winner is Winner.TIE else _side_wins(result),
        reason=_reason(sheet, result, rules.match),
        score=result_words(result),
        points=points_counted(match, result, rules),
        ruling=ruling_words(match_ruling(match)),
    )


def _side_wins(result: MatchResult) -> str:
    return _("%(side)s wins") % {"side": SIDE_WORDS[Side(str(result.winner))]}


def _reason(sheet: Sheet, result: MatchResult, rules: MatchRules) -> str:
    if result.games is not None:
        return _("%(home)s : %(away)s games") % {
            "home": _games_won(result, Side.HOME, 0),
            "away": _games_won(result, Side.AWAY, 0),
        }
    ended = _("time called") if sheet.time_up else _("all deals played")
    if result.winner is Winner.TIE:
        return _("%(ended)s, equal levels") % {"ended": ended}
    side = Side(str(result.winner))
    words = {"side": SIDE_WORDS[side], "other": SIDE_WORDS[side.other], "ended": ended}
    if result.reason is Reason.PASSED:
        return _("%(side)s passed %(level)s") % {**words, "level": level_text(rules.target_level)}
    if result.reason is Reason.STRIKES:
        limit = rules.strikes.limit if rules.strikes else 0
        return _("%(other)s failed %(limit)s times at %(level)s") % {
            **words,
            "limit": limit,
            "level": level_text(rules.target_level),
        }
    if result.reason is Reason.TIE_RULE:
        return str(TIE_RULE_WORDS[rules.equal_levels]) % words
    if _is_behind(result, side):
        return _("%(ended)s, %(side)s is one level behind and had a player out") % words
    return _("%(ended)s, %(side)s has the higher level") % words


def _is_behind(result: MatchResult, side: Side) -> bool:
    own, others = result.home_level or 0, result.away_level or 0
    return own < others if side is Side.HOME else others < own
