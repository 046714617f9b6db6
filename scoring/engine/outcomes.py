"""The words of a result: sides, outcomes, winners, reasons, and what can be wrong with one."""

from enum import StrEnum


class Side(StrEnum):
    """One of the two sides of a match; home is the one named first in the draw."""

    HOME = "home"
    AWAY = "away"

    @property
    def other(self) -> "Side":
        """The opponents of this side."""
        return Side.AWAY if self is Side.HOME else Side.HOME


class Outcome(StrEnum):
    """What became of a match. `forfeit_home` 弃权: home forfeits, so away wins."""

    PLAYED = "played"
    FORFEIT_HOME = "forfeit_home"
    FORFEIT_AWAY = "forfeit_away"
    DOUBLE_FORFEIT = "double_forfeit"
    BYE = "bye"
    IRREGULAR = "irregular"


class Winner(StrEnum):
    """The side that won, or a tie."""

    HOME = "home"
    AWAY = "away"
    TIE = "tie"


class Reason(StrEnum):
    """Why the winner won: passed A, higher at time-up, by the rule for equal levels, or by a ruling."""

    PASSED = "passed"
    TIME = "time"
    TIE_RULE = "tie_rule"
    STRIKES = "strikes"
    PENALTY = "penalty"


class ResultCode(StrEnum):
    """Why a result is refused."""

    NOT_A_MAPPING = "not_a_mapping"
    NOT_A_LIST = "not_a_list"
    NOT_AN_INTEGER = "not_an_integer"
    UNKNOWN_VALUE = "unknown_value"
    MISSING = "missing"
    NOT_PLAYED = "not_played"
    LEVEL_OUT_OF_RANGE = "level_out_of_range"
    LEVEL_BELOW_START = "level_below_start"
    BOTH_PASSED = "both_passed"
    LEVELS_DISAGREE = "levels_disagree"
    WINNER_DISAGREES = "winner_disagrees"
    REASON_DISAGREES = "reason_disagrees"
    FACT_DISAGREES = "fact_disagrees"
    FACT_MISSING = "fact_missing"
    COUNTS_OUT_OF_RANGE = "counts_out_of_range"
    COUNTS_DISAGREE = "counts_disagree"
    TIE_NOT_ALLOWED = "tie_not_allowed"
    DEALS_AND_GAMES = "deals_and_games"
    UNKNOWN_ORDER = "unknown_order"
    PLAYERS_NOT_TOLD = "players_not_told"
    AFTER_THE_END = "after_the_end"
    TOO_MANY = "too_many"
    GAMES_MISSING = "games_missing"
    OPPONENT_MISSING = "opponent_missing"
    OPPONENT_NOT_EXPECTED = "opponent_not_expected"


class InvalidResult(ValueError):
    """A result that cannot stand: `code` says why, `field` where, such as `games[1].away_level`."""

    def __init__(self, code: ResultCode, field: str) -> None:
        super().__init__(f"{field}: {code}")
        self.code = code
        self.field = field
