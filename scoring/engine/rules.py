"""The settings of a stage that decide games, points and ranks, under the names of the event file.

Every `from_dict` takes the mapping of the event file, fills what is missing with the default, leaves out
fields it does not know, and raises InvalidRules with the path of the value it cannot read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoring.engine.levels import ACE, JACK, LOWEST
from scoring.engine.reading import Fields, InvalidRules, RulesCode, read_choices, read_integer, read_list

__all__ = [
    "DEFAULT_RANKING",
    "Bonus",
    "EqualLevels",
    "InvalidRules",
    "MatchRules",
    "PassRule",
    "RankingKey",
    "RankingWarning",
    "RulesCode",
    "ScoringModel",
    "ScoringRules",
    "StrikeCount",
    "StrikePenalty",
    "StrikeRules",
    "StrikeWhen",
    "UnfinishedDeal",
    "parse_ranking",
    "ranking_warnings",
]

_BIGGEST = 10_000  # no regulation knows a number near it; keeps sums and database columns small


class PassRule(StrEnum):
    """What passes A on a deal declared at one's own A 过A.

    `partner_not_last`: first with the partner second or third; `any_head`: first, wherever the partner is;
    `double_only`: first and second; `reach`: arriving at A is enough; `no_last`: neither player is last,
    even when the other side is first.
    """

    PARTNER_NOT_LAST = "partner_not_last"
    ANY_HEAD = "any_head"
    DOUBLE_ONLY = "double_only"
    REACH = "reach"
    NO_LAST = "no_last"


class EqualLevels(StrEnum):
    """Who wins when both sides hold the same level at time-up 封牌."""

    TIE = "tie"
    FIRST_TO_REACH = "first_to_reach"
    DECLARER = "declarer"
    OFF_STAGE = "off_stage"
    EXTRA_DEAL = "extra_deal"
    EXTRA_GAME = "extra_game"


class UnfinishedDeal(StrEnum):
    """What the deal under way at time-up is worth.

    `void`: nothing; `head_plus_one`: the side that already has a player out is one level higher;
    `trailing_by_one`: the side exactly one level behind wins when it has a player out first.
    """

    VOID = "void"
    HEAD_PLUS_ONE = "head_plus_one"
    TRAILING_BY_ONE = "trailing_by_one"


class StrikeCount(StrEnum):
    """Whether strikes add up over the game or only on deals that follow each other."""

    TOTAL = "total"
    IN_A_ROW = "in_a_row"


class StrikeWhen(StrEnum):
    """Which failed deals are strikes 打A不过: those declared at one's own A, or any while at A."""

    OWN_DEAL = "own_deal"
    ANY_DEAL = "any_deal"


class StrikePenalty(StrEnum):
    """What the last allowed strike costs: back to 2, back to J, or the game."""

    BACK_TO_2 = "2"
    BACK_TO_J = "J"
    LOSE = "lose"


class Bonus(StrEnum):
    """Levels beyond the steps of a deal.

    `three_doubles_to_target`: a side's third double running takes it straight to the target level.
    `first_streak`: one player first three times running gives the side one level more, four times two more, …
    `last_streak`: one player last three times running, and each time after that, costs the side one level.
    The two streaks need finishing orders that tell the players apart (`HhAa`, see deals.py).
    """

    THREE_DOUBLES_TO_TARGET = "three_doubles_to_target"
    FIRST_STREAK = "first_streak"
    LAST_STREAK = "last_streak"


class ScoringModel(StrEnum):
    """What the points of a played match 积分 come from.

    `level_difference` 级差分: a base plus or minus the difference of the levels; `win_loss` 胜负分: win, tie
    and loss; `levels_gained` 升级分: the levels that a side climbed, its last level less the one it began at;
    `per_deal` 副分: every deal won, more for a double than for first and third or first and last.
    """

    LEVEL_DIFFERENCE = "level_difference"
    WIN_LOSS = "win_loss"
    LEVELS_GAINED = "levels_gained"
    PER_DEAL = "per_deal"


class RankingKey(StrEnum):
    """What the standings compare, in the order that the stage chooses."""

    POINTS = "points"
    HEAD_TO_HEAD = "head_to_head"
    HEAD_TO_HEAD_GROUP = "head_to_head_group"
    WINS = "wins"
    BEST_ROUNDS = "best_rounds"
    OPPONENTS_POINTS = "opponents_points"
    BEATEN_OPPONENTS_POINTS = "beaten_opponents_points"
    NET_LEVELS = "net_levels"
    LEVELS_GAINED = "levels_gained"
    CUMULATIVE = "cumulative"
    LOTS = "lots"


class RankingWarning(StrEnum):
    """A ranking key that cannot do what it is there for."""

    OPPONENTS_POINTS_SEPARATE_NOBODY = "opponents_points_separate_nobody"
    NET_LEVELS_REPEAT_POINTS = "net_levels_repeat_points"
    LEVELS_GAINED_REPEAT_POINTS = "levels_gained_repeat_points"


DEFAULT_RANKING = (
    RankingKey.POINTS,
    RankingKey.HEAD_TO_HEAD,
    RankingKey.WINS,
    RankingKey.BEST_ROUNDS,
    RankingKey.OPPONENTS_POINTS,
)


@dataclass(frozen=True, slots=True)
class StrikeRules:
    """How many failed attempts at A a side has, how they are counted and what the last one costs."""

    limit: int = 3
    count: StrikeCount = StrikeCount.TOTAL
    when: StrikeWhen = StrikeWhen.OWN_DEAL
    then: StrikePenalty = StrikePenalty.BACK_TO_2

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> "StrikeRules":
        """The `strikes` of the event file; raises InvalidRules, with paths inside `strikes`."""
        fields = Fields(mapping)
        return cls(
            limit=fields.integer("limit", cls().limit, 1, 9),
            count=fields.choice("count", StrikeCount, StrikeCount.TOTAL),
            when=fields.choice("when", StrikeWhen, StrikeWhen.OWN_DEAL),
            then=fields.choice("then", StrikePenalty, StrikePenalty.BACK_TO_2),
        )

    def as_dict(self) -> dict[str, Any]:
        """The mapping of the event file."""
        return {
            "limit": self.limit,
            "count": self.count.value,
            "when": self.when.value,
            "then": self.then.value,
        }


@dataclass(frozen=True, slots=True)
class MatchRules:
    """How a game is played and how it ends. `minutes` and `deals` are None when there is no limit."""

    minutes: int | None = 45
    deals: int | None = None
    start_level: int = LOWEST
    target_level: int = ACE
    steps: tuple[int, int, int] = (3, 2, 1)
    must_play_target: bool = True
    pass_rule: PassRule = PassRule.PARTNER_NOT_LAST
    strikes: StrikeRules | None = None
    equal_levels: EqualLevels = EqualLevels.TIE
    unfinished_deal: UnfinishedDeal = UnfinishedDeal.VOID
    best_of: int = 1
    bonuses: tuple[Bonus, ...] = ()

    @property
    def is_limited(self) -> bool:
        """Whether time or a number of deals can end a game that nobody has passed."""
        return self.minutes is not None or self.deals is not None

    @property
    def passed_level(self) -> int:
        """The level of a side that passed the target: 15 when the target is A."""
        return self.target_level + 1

    @property
    def lowest_level(self) -> int:
        """The lowest level that a side can hold when the game ends."""
        if Bonus.LAST_STREAK in self.bonuses:
            return LOWEST
        fallen = {StrikePenalty.BACK_TO_2: LOWEST, StrikePenalty.BACK_TO_J: JACK}
        return min(self.start_level, fallen.get(self.strikes.then, ACE) if self.strikes else ACE)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> "MatchRules":
        """The `rules.match` of the event file. Raises InvalidRules."""
        fields, plain = Fields(mapping), cls()
        target = fields.integer("target_level", plain.target_level, LOWEST + 1, ACE)
        return cls(
            minutes=fields.limit("minutes", plain.minutes, 600),
            deals=fields.limit("deals", plain.deals, 1000),
            start_level=fields.integer("start_level", plain.start_level, LOWEST, target - 1),
            target_level=target,
            steps=_triple("steps", fields.get("steps", plain.steps), ACE),
            must_play_target=fields.boolean("must_play_target", plain.must_play_target),
            pass_rule=fields.choice("pass_rule", PassRule, plain.pass_rule),
            strikes=_strikes(fields.get("strikes", None), target),
            equal_levels=fields.choice("equal_levels", EqualLevels, plain.equal_levels),
            unfinished_deal=fields.choice("unfinished_deal", UnfinishedDeal, plain.unfinished_deal),
            best_of=_odd("best_of", fields.integer("best_of", plain.best_of, 1, 9)),
            bonuses=read_choices("bonuses", fields.get("bonuses", ()), Bonus),
        )

    def as_dict(self) -> dict[str, Any]:
        """The mapping of the event file, every field in it."""
        return {
            "minutes": self.minutes,
            "deals": self.deals,
            "start_level": self.start_level,
            "target_level": self.target_level,
            "steps": list(self.steps),
            "must_play_target": self.must_play_target,
            "pass_rule": self.pass_rule.value,
            "strikes": self.strikes.as_dict() if self.strikes else None,
            "equal_levels": self.equal_levels.value,
            "unfinished_deal": self.unfinished_deal.value,
            "best_of": self.best_of,
            "bonuses": [bonus.value for bonus in self.bonuses],
        }


@dataclass(frozen=True, slots=True)
class ScoringRules:
    """Match points 积分. `missed` is what a round before a late team's entry is worth.

    `deal_points` are what a deal won as a double, with first and third, with first and last is worth.
    `start_level` comes from the rules of the game and is no field of its own: levels gained count from it.
    """

    model: ScoringModel = ScoringModel.LEVEL_DIFFERENCE
    base: int = 13
    win: int = 2
    tie: int = 1
    loss: int = 0
    forfeit_win: int = 16
    forfeit_loss: int = 0
    double_forfeit: int = 0
    bye: int = 16
    irregular: int = 0
    missed: int = 0
    deal_points: tuple[int, int, int] = (3, 2, 1)
    start_level: int = LOWEST

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> "ScoringRules":
        """The `rules.scoring` of the event file. Raises InvalidRules."""
        fields, plain = Fields(mapping), cls()
        numbers = {
            name: fields.integer(name, getattr(plain, name), -_BIGGEST, _BIGGEST) for name in POINT_NUMBERS
        }
        deal_points = _triple("deal_points", fields.get("deal_points", plain.deal_points), _BIGGEST)
        return cls(
            model=fields.choice("model", ScoringModel, plain.model), deal_points=deal_points, **numbers
        )

    def as_dict(self) -> dict[str, Any]:
        """The mapping of the event file, every field in it."""
        numbers = {name: getattr(self, name) for name in POINT_NUMBERS}
        return {"model": self.model.value, **numbers, "deal_points": list(self.deal_points)}


POINT_NUMBERS = (
    "base",
    "win",
    "tie",
    "loss",
    "forfeit_win",
    "forfeit_loss",
    "double_forfeit",
    "bye",
    "irregular",
    "missed",
)


def parse_ranking(names: Sequence[Any]) -> tuple[RankingKey, ...]:
    """The `rules.ranking` of the event file: a list of keys, each once. Raises InvalidRules."""
    ranking = read_choices("ranking", names, RankingKey)
    if not ranking:
        raise InvalidRules("ranking", RulesCode.WRONG_LENGTH, names)
    return ranking


def ranking_warnings(
    ranking: Sequence[RankingKey], scoring: ScoringRules, format: str, complete_single_round_robin: bool
) -> tuple[RankingWarning, ...]:
    """Keys that cannot separate anybody whom `points` left equal, in the order of the ranking.

    Where everyone meets everyone once, opponents' points are all points less one's own. Where points are
    13 ± d, net levels are points less 13 for each match, so they repeat them for teams with the same number
    of matches; in a `knockout` those numbers differ and the key is not useless. Where points are the levels
    gained, the key of that name is the same number but for handicaps and matches that were not played.
    """
    warnings = []
    for place, key in enumerate(ranking):
        if key is RankingKey.OPPONENTS_POINTS and complete_single_round_robin:
            warnings.append(RankingWarning.OPPONENTS_POINTS_SEPARATE_NOBODY)
        repeated = _REPEATED.get((scoring.model, key))
        if repeated and RankingKey.POINTS in ranking[:place] and format != "knockout":
            warnings.append(repeated)
    return tuple(warnings)


_REPEATED: Mapping[tuple[ScoringModel, RankingKey], RankingWarning] = {
    (ScoringModel.LEVEL_DIFFERENCE, RankingKey.NET_LEVELS): RankingWarning.NET_LEVELS_REPEAT_POINTS,
    (ScoringModel.LEVELS_GAINED, RankingKey.LEVELS_GAINED): RankingWarning.LEVELS_GAINED_REPEAT_POINTS,
}


def _triple(path: str, value: object, most: int) -> tuple[int, int, int]:
    """What a double, first and third, first and last are worth: never rising, the double not nothing."""
    worth = [
        read_integer(f"{path}[{place}]", each, 0, most) for place, each in enumerate(read_list(path, value))
    ]
    if len(worth) != 3:
        raise InvalidRules(path, RulesCode.WRONG_LENGTH, value)
    if worth != sorted(worth, reverse=True) or worth[0] == 0:
        raise InvalidRules(path, RulesCode.NOT_DESCENDING, value)
    return worth[0], worth[1], worth[2]


def _strikes(value: Any, target: int) -> StrikeRules | None:
    if value is None:
        return None
    try:
        strikes = StrikeRules.from_dict(value)
    except InvalidRules as error:
        path = f"strikes.{error.path}" if error.path else "strikes"
        raise InvalidRules(path, error.code, error.value) from None
    if strikes.then is StrikePenalty.BACK_TO_J and target <= JACK:
        raise InvalidRules("strikes.then", RulesCode.OUT_OF_RANGE, strikes.then.value)
    return strikes


def _odd(path: str, value: int) -> int:
    if value % 2 == 0:
        raise InvalidRules(path, RulesCode.NOT_ODD, value)
    return value
