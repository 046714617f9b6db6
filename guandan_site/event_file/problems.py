"""What can be wrong with an event file: a place, a code and the values that a message needs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

# A file with one fault repeated in every match needs no list of thousands of lines.
MOST_PROBLEMS = 200


class Fault(StrEnum):
    """Why a place in an event file is refused."""

    TOO_BIG = "too_big"
    NOT_UTF8 = "not_utf8"
    NOT_JSON = "not_json"
    NOT_A_NUMBER = "not_a_number"
    DUPLICATE_KEY = "duplicate_key"
    NUMBER_TOO_LARGE = "number_too_large"
    BAD_CHARACTER = "bad_character"
    TOO_DEEP = "too_deep"
    WRONG_FORMAT = "wrong_format"
    UNKNOWN_VERSION = "unknown_version"
    MISSING = "missing"
    WRONG_TYPE = "wrong_type"
    OUT_OF_RANGE = "out_of_range"
    EMPTY = "empty"
    TOO_LONG = "too_long"
    UNKNOWN_VALUE = "unknown_value"
    BAD_SLUG = "bad_slug"
    BAD_TIME = "bad_time"
    DUPLICATE = "duplicate"
    UNKNOWN_ID = "unknown_id"
    NOT_IN_STAGE = "not_in_stage"
    ROUNDS_NOT_IN_ORDER = "rounds_not_in_order"
    TEAM_TWICE = "team_twice"
    TABLE_TWICE = "table_twice"
    WITHDRAWN_BEYOND = "withdrawn_beyond"
    ADJUSTMENT_BEYOND = "adjustment_beyond"
    NO_SUCH_LEVEL = "no_such_level"
    BOTH_PASSED = "both_passed"
    BYE_WITH_AWAY = "bye_with_away"
    BYE_WITH_TABLE = "bye_with_table"
    NO_OPPONENT = "no_opponent"
    INVALID_RULE = "invalid_rule"
    INVALID_RESULT = "invalid_result"


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault at one place: `path` is a JSON path such as `$.stages[0].rounds[1].matches[3].home`."""

    path: str
    fault: Fault
    values: Mapping[str, object] = field(default_factory=dict)


class InvalidEventFile(Exception):
    """The document is no event file that can be used; `problems` says where and why, in file order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{problem.path}: {problem.fault}" for problem in self.problems[:5]))
