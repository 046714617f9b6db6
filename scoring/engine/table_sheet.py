"""The table sheet 逐副记录: a match recorded deal by deal, until it has a result.

A sheet holds only what was seen at the table: finishing orders, that time was called, what was answered.
Levels, declarer, strikes, what has to be asked and the result follow from it every time anew, so a corrected
deal moves everything after it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from scoring.engine.deals import GameState, play_deal, read_order, start_game
from scoring.engine.endings import Facts, trails_by_one
from scoring.engine.match_result import SIDE_FIELDS, MatchResult
from scoring.engine.outcomes import InvalidResult, Outcome, Reason, ResultCode, Side
from scoring.engine.results import complete_result
from scoring.engine.rules import Bonus, MatchRules, UnfinishedDeal

_HEAD = "head_taken"
_ASKING = (ResultCode.FACT_MISSING, ResultCode.TIE_NOT_ALLOWED)


class Answer(StrEnum):
    """What may be answered at time-up; only the head 头游 can have been nobody's."""

    HOME = "home"
    AWAY = "away"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class GameSheet:
    """One game: its finishing orders, and the levels it began at where a handicap moved them."""

    deals: tuple[str, ...] = ()
    home_start: int | None = None
    away_start: int | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A match as recorded: its games, whether time was called, the answers in the order they were given.

    An answer belongs to a field of the result, such as `declarer` or, in a match of several games,
    `games[1].declarer`.
    """

    games: tuple[GameSheet, ...] = (GameSheet(),)
    time_up: bool = False
    answers: tuple[tuple[str, Answer], ...] = ()

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> "Sheet":
        """The sheet that `as_dict` wrote."""
        return cls(
            games=tuple(
                GameSheet(tuple(game["deals"]), game.get("home_start"), game.get("away_start"))
                for game in mapping["games"]
            ),
            time_up=mapping["time_up"],
            answers=tuple((field, Answer(answer)) for field, answer in mapping["answers"]),
        )

    def as_dict(self) -> dict[str, Any]:
        """The sheet as plain lists and mappings."""
        return {
            "games": [
                {"deals": list(game.deals), "home_start": game.home_start, "away_start": game.away_start}
                for game in self.games
            ],
            "time_up": self.time_up,
            "answers": [[field, answer.value] for field, answer in self.answers],
        }

    @property
    def deals_played(self) -> int:
        """The number of deals recorded, over all games."""
        return sum(len(game.deals) for game in self.games)


NO_DEALS = Sheet()


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a match stands. `games` holds each game's states: before its first deal and after each.

    `current` is the state that the next deal is played from. `question` is the field that has to be answered
    before the match has a `result`; while both are None it is being played.
    """

    games: tuple[tuple[GameState, ...], ...]
    current: GameState
    begins_game: bool
    question: str | None = None
    result: MatchResult | None = None

    @property
    def is_playing(self) -> bool:
        """Whether another deal can be recorded."""
        return self.question is None and self.result is None


def needs_players(rules: MatchRules) -> bool:
    """Whether finishing orders have to tell the two players of a side apart."""
    return Bonus.FIRST_STREAK in rules.bonuses or Bonus.LAST_STREAK in rules.bonuses


def follow(sheet: Sheet, rules: MatchRules, *, tie_allowed: bool = True) -> Progress:
    """Where the match stands after all that was recorded. Raises InvalidResult, such as for `games[1]`."""
    games = tuple(_states(place, game, rules) for place, game in enumerate(sheet.games))
    last = games[-1][-1]
    if not sheet.time_up and not _is_over(last, rules):
        return Progress(games, last, begins_game=False)
    question = _head_question(sheet, last, rules)
    result = None
    if question is None:
        result, question = _decided(sheet, rules, tie_allowed)
    goes_on = question is None and result is None
    return Progress(games, start_game(rules) if goes_on else last, goes_on, question, result)


def add_deal(sheet: Sheet, order: str, rules: MatchRules, *, tie_allowed: bool = True) -> Sheet:
    """The sheet with one more deal, of the next game where the last is over. Raises InvalidResult."""
    progress = follow(sheet, rules, tie_allowed=tie_allowed)
    if not progress.is_playing:
        raise InvalidResult(ResultCode.AFTER_THE_END, "deals")
    play_deal(progress.current, order, rules)
    if progress.begins_game:
        return replace(sheet, games=(*sheet.games, GameSheet((order,))))
    last = sheet.games[-1]
    return _with_last(sheet, replace(last, deals=(*last.deals, order)))


def call_time(sheet: Sheet, rules: MatchRules, *, tie_allowed: bool = True) -> Sheet:
    """The sheet with time called 封牌; between two games it falls on the first deal of the next.

    Raises InvalidResult when the match is over.
    """
    progress = follow(sheet, rules, tie_allowed=tie_allowed)
    if not progress.is_playing:
        raise InvalidResult(ResultCode.AFTER_THE_END, "deals")
    games = (*sheet.games, GameSheet()) if progress.begins_game else sheet.games
    return replace(sheet, games=games, time_up=True)


def answer_question(
    sheet: Sheet, field: str, answer: Answer, rules: MatchRules, *, tie_allowed: bool = True
) -> Sheet:
    """The sheet with the answer to the question that is open. Raises InvalidResult for any other."""
    is_head = field.endswith(_HEAD)
    if follow(sheet, rules, tie_allowed=tie_allowed).question != field:
        raise InvalidResult(ResultCode.AFTER_THE_END, field)
    if answer is Answer.NOBODY and not is_head:
        raise InvalidResult(ResultCode.FACT_MISSING, field)
    return replace(sheet, answers=(*sheet.answers, (field, answer)))


def correct_deal(
    sheet: Sheet, game: int, place: int, order: str, rules: MatchRules, *, tie_allowed: bool = True
) -> tuple[Sheet, int]:
    """The sheet with one deal changed, and how many deals no longer fit behind it and were dropped.

    Deals after the end of their game are dropped, and games after one that is not over any more or that
    decides the match. What was answered about the game is asked anew, except who had the head at time-up.
    Raises InvalidResult.
    """
    read_order(order)
    if not (0 <= game < len(sheet.games) and 0 <= place < len(sheet.games[game].deals)):
        raise InvalidResult(ResultCode.MISSING, f"games[{game}].deals[{place}]")
    deals = list(sheet.games[game].deals)
    deals[place] = order
    games = list(sheet.games)
    games[game] = replace(games[game], deals=tuple(deals))
    kept = _kept_answers(sheet, game)
    changed = _fitting(replace(sheet, games=tuple(games), answers=kept), rules, tie_allowed)
    follow(changed, rules, tie_allowed=tie_allowed)
    return changed, sheet.deals_played - changed.deals_played


def set_start_levels(
    sheet: Sheet, home: int, away: int, rules: MatchRules, *, tie_allowed: bool = True
) -> Sheet:
    """The sheet with a handicap for the game whose first deal comes next. Raises InvalidResult."""
    progress = follow(sheet, rules, tie_allowed=tie_allowed)
    if not progress.is_playing or progress.current.deals_played:
        raise InvalidResult(ResultCode.AFTER_THE_END, "home_start")
    start_game(rules, Facts(home_start=home, away_start=away))
    usual = (home, away) == (rules.start_level, rules.start_level)
    game = GameSheet() if usual else GameSheet((), home, away)
    if progress.begins_game:
        return replace(sheet, games=(*sheet.games, game))
    return _with_last(sheet, game)


def undo(sheet: Sheet) -> Sheet:
    """The sheet without its last step: an answer, the call of time, a deal, or a handicap."""
    answered = sheet.answers[-1][0] if sheet.answers else None
    if answered is not None and (sheet.time_up or _game_of(answered) in (None, len(sheet.games) - 1)):
        return replace(sheet, answers=sheet.answers[:-1])
    if sheet.time_up:
        return _without_empty_game(replace(sheet, time_up=False))
    last = sheet.games[-1]
    if last.deals:
        return _without_empty_game(_with_last(sheet, replace(last, deals=last.deals[:-1])))
    return replace(sheet, games=sheet.games[:-1] or (GameSheet(),))


def sheet_of(result: MatchResult, rules: MatchRules) -> Sheet | None:
    """The sheet behind a completed result; None where it has no deals."""
    games = result.games or (result,)
    if any(game.deals is None for game in games):
        return None
    sheet = Sheet(tuple(GameSheet(game.deals or (), game.home_start, game.away_start) for game in games))
    answers = [(field, Answer(side)) for field, side in _told(result)]
    sheet = replace(sheet, answers=tuple(answers))
    if not follow(sheet, rules).is_playing:
        return sheet
    stopped = replace(sheet, time_up=True)
    asked = follow(stopped, rules).question
    if asked is None or not asked.endswith(_HEAD):
        return stopped
    return replace(stopped, answers=((asked, Answer.NOBODY), *stopped.answers))


# Games


def _states(place: int, game: GameSheet, rules: MatchRules) -> tuple[GameState, ...]:
    """The states before the first deal and after each; a deal after the end is refused."""
    states = [start_game(rules, Facts(home_start=game.home_start, away_start=game.away_start))]
    for number, order in enumerate(game.deals):
        path = f"games[{place}].deals[{number}]"
        if _is_over(states[-1], rules):
            raise InvalidResult(ResultCode.AFTER_THE_END, path)
        try:
            states.append(play_deal(states[-1], order, rules))
        except InvalidResult as error:
            raise InvalidResult(error.code, path) from None
    return tuple(states)


def _is_over(state: GameState, rules: MatchRules) -> bool:
    return state.winner is not None or (rules.deals is not None and state.deals_played >= rules.deals)


def _with_last(sheet: Sheet, game: GameSheet) -> Sheet:
    return replace(sheet, games=(*sheet.games[:-1], game))


def _without_empty_game(sheet: Sheet) -> Sheet:
    is_empty = len(sheet.games) > 1 and not sheet.games[-1].deals and sheet.games[-1].home_start is None
    return replace(sheet, games=sheet.games[:-1]) if is_empty else sheet


# Corrections


def _kept_answers(sheet: Sheet, game: int) -> tuple[tuple[str, Answer], ...]:
    return tuple(
        (field, answer)
        for field, answer in sheet.answers
        if field.endswith(_HEAD) or _game_of(field) not in (None, game)
    )


def _fitting(sheet: Sheet, rules: MatchRules, tie_allowed: bool) -> Sheet:
    """The sheet without the deals and games that come after an end."""
    kept: list[GameSheet] = []
    for game in sheet.games:
        kept.append(_cut(game, rules))
        so_far = replace(sheet, games=tuple(kept), time_up=False)
        progress = follow(so_far, rules, tie_allowed=tie_allowed)
        if progress.result is not None or not _is_over(progress.games[-1][-1], rules):
            break
    answers = tuple((field, answer) for field, answer in sheet.answers if (_game_of(field) or 0) < len(kept))
    return replace(sheet, games=tuple(kept), answers=answers)


def _cut(game: GameSheet, rules: MatchRules) -> GameSheet:
    for length in range(len(game.deals)):
        shorter = replace(game, deals=game.deals[:length])
        if _is_over(_states(0, shorter, rules)[-1], rules):
            return shorter
    return game


# Questions and the result


def _head_question(sheet: Sheet, last: GameState, rules: MatchRules) -> str | None:
    """The field that asks who had a player out, where that can matter and is not answered."""
    field = _head_field(sheet, rules)
    if not sheet.time_up or _is_over(last, rules) or field in dict(sheet.answers):
        return None
    levels = last.home.level, last.away.level
    matters = rules.unfinished_deal is UnfinishedDeal.HEAD_PLUS_ONE or any(
        trails_by_one(*levels, rules, side) for side in Side
    )
    return field if matters else None


def _head_field(sheet: Sheet, rules: MatchRules) -> str:
    return f"games[{len(sheet.games) - 1}].{_HEAD}" if rules.best_of > 1 else _HEAD


def _decided(sheet: Sheet, rules: MatchRules, tie_allowed: bool) -> tuple[MatchResult | None, str | None]:
    """The result, or the field to be answered before there is one; neither where the next game is due.

    Only answers that are asked for are used: one that a correction made pointless does no harm.
    """
    answers, head = dict(sheet.answers), _head_field(sheet, rules)
    told = {head: answers[head]} if sheet.time_up and head in answers else {}
    stopped = False
    while True:
        try:
            return complete_result(_entry(sheet, told, rules, stopped), rules, tie_allowed=tie_allowed), None
        except InvalidResult as error:
            if error.code is ResultCode.GAMES_MISSING and not stopped:
                if not sheet.time_up:
                    return None, None
                stopped = True
            elif error.code not in _ASKING or error.field in told:
                raise
            elif error.field not in answers:
                return None, error.field
            else:
                told[error.field] = answers[error.field]


def _entry(sheet: Sheet, told: Mapping[str, Answer], rules: MatchRules, stopped: bool) -> MatchResult:
    """What was recorded, as a result that the rules complete."""
    if rules.best_of == 1:
        return _game_entry(sheet.games[0], "", told)
    games = [
        _game_entry(game, f"games[{place}].", told)
        for place, game in enumerate(sheet.games)
        if game.deals or place == 0 or told.get(f"games[{place}].{_HEAD}", Answer.NOBODY) is not Answer.NOBODY
    ]
    facts = _facts("", told)
    why_stopped = Reason.TIE_RULE if facts else Reason.TIME
    return MatchResult(Outcome.PLAYED, games=tuple(games), reason=why_stopped if stopped else None, **facts)


def _game_entry(game: GameSheet, prefix: str, told: Mapping[str, Answer]) -> MatchResult:
    return MatchResult(
        Outcome.PLAYED,
        deals=game.deals,
        home_start=game.home_start,
        away_start=game.away_start,
        **_facts(prefix, told),
    )


def _facts(prefix: str, told: Mapping[str, Answer]) -> dict[str, Any]:
    named = {name: told.get(f"{prefix}{name}", Answer.NOBODY) for name in SIDE_FIELDS}
    return {name: Side(answer.value) for name, answer in named.items() if answer is not Answer.NOBODY}


def _told(result: MatchResult) -> list[tuple[str, Side]]:
    """The facts of a result with the fields they answer."""
    parts = [("", result), *((f"games[{i}].", game) for i, game in enumerate(result.games or ()))]
    named = [(f"{prefix}{name}", getattr(part, name)) for prefix, part in parts for name in SIDE_FIELDS]
    return [(field, side) for field, side in named if side is not None]


def _game_of(field: str) -> int | None:
    """The game that a field speaks of; None for one of the match."""
    game, dot, _name = field.partition("].")
    return int(game.removeprefix("games[")) if dot else None
