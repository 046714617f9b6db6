"""What a Swiss draw is made from and what it answers; ids and codes only, never wording."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

TeamId = int | str
Couple = tuple[TeamId, TeamId]


class Method(StrEnum):
    """How opponents are chosen from round 2 on."""

    ADJACENT = "adjacent"
    CLOSEST = "closest"


class FirstRound(StrEnum):
    """How opponents are chosen in round 1."""

    RANDOM = "random"
    HALVES = "halves"
    ENTRY_ORDER = "entry_order"
    SEEDED = "seeded"


class Rematch(StrEnum):
    """Whether two teams may meet a second time in a stage."""

    NEVER = "never"
    AVOID = "avoid"


class SameDepartment(StrEnum):
    """Whether two teams of one department (单位) may meet."""

    NEVER = "never"
    AVOID = "avoid"
    ROUND1 = "round1"
    ALLOW = "allow"


class Rule(StrEnum):
    """A rule that a table can break or that can be relaxed."""

    SAME_DEPARTMENT = "same_department"
    REMATCH = "rematch"
    FORCED = "forced"
    FORBIDDEN = "forbidden"


class NoteKind(StrEnum):
    """Why a team did not simply get the next opponent, table or bye.

    Passed over: `MET` (in `round`), `SAME_DEPARTMENT`, `FORBIDDEN`, `KEPT_FOR_FORCED` (`other` has a forced
    meeting), `REST_IMPOSSIBLE` (those below could not all be paired, or only by breaking more rules),
    `LEAST_GAPS` (the sum of squared gaps would be larger), `BY_HAND` (nothing stood against it) and `MORE`
    (the list is cut here). About the table itself: `FORCED`, `UNAVOIDABLE_REMATCH`, `UNAVOIDABLE_DEPARTMENT`,
    `TABLE_TAKEN` (the team's fixed table was not free), `TABLE_OUT` (it is broken or not this stage's). About
    a team that stands nearer to the bye than the one that has it: `HAD_BYE`, `KEPT_FOR_FORCED`,
    `REST_IMPOSSIBLE`, `MORE`.
    """

    MET = "met"
    SAME_DEPARTMENT = "same_department"
    FORBIDDEN = "forbidden"
    KEPT_FOR_FORCED = "kept_for_forced"
    REST_IMPOSSIBLE = "rest_impossible"
    LEAST_GAPS = "least_gaps"
    BY_HAND = "by_hand"
    MORE = "more"
    FORCED = "forced"
    UNAVOIDABLE_REMATCH = "unavoidable_rematch"
    UNAVOIDABLE_DEPARTMENT = "unavoidable_department"
    TABLE_TAKEN = "table_taken"
    TABLE_OUT = "table_out"
    HAD_BYE = "had_bye"


class Reason(StrEnum):
    """Why there is no legal draw."""

    TOO_FEW_TEAMS = "too_few_teams"
    DEPARTMENT_MAJORITY = "department_majority"
    EVERYBODY_MET = "everybody_met"
    NO_PERFECT_MATCHING = "no_perfect_matching"


class InvalidPairingRules(ValueError):
    """A value of the pairing rules that does not exist: its `path`, what is wrong (`code`), the `value`."""

    def __init__(self, path: str, code: str, value: object) -> None:
        super().__init__(path, code, value)
        self.path, self.code, self.value = path, code, value


_Choice = TypeVar("_Choice", bound=StrEnum)


def _choice(mapping: Mapping[str, Any], key: str, default: _Choice) -> _Choice:
    value = mapping.get(key, default)
    try:
        return type(default)(value)
    except ValueError:
        raise InvalidPairingRules(key, "unknown_value", value) from None


def _team(path: str, value: object) -> TeamId:
    if isinstance(value, (int, str)) and not isinstance(value, bool):
        return value
    raise InvalidPairingRules(path, "not_a_team", value)


def _couple(path: str, value: object) -> Couple:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise InvalidPairingRules(path, "not_two_teams", value)
    first, second = _team(f"{path}[0]", value[0]), _team(f"{path}[1]", value[1])
    if first == second:
        raise InvalidPairingRules(path, "same_team_twice", value)
    return first, second


def _couples(mapping: Mapping[str, Any], key: str) -> tuple[Couple, ...]:
    value = mapping.get(key, ())
    if not isinstance(value, (list, tuple)):
        raise InvalidPairingRules(key, "not_a_list", value)
    return tuple(_couple(f"{key}[{index}]", item) for index, item in enumerate(value))


@dataclass(frozen=True, slots=True)
class PairingRules:
    """The `pairing` rules of a stage; `forced` and `forbidden` are couples of team ids."""

    first_round: FirstRound = FirstRound.RANDOM
    method: Method = Method.ADJACENT
    rematch: Rematch = Rematch.NEVER
    same_department: SameDepartment = SameDepartment.NEVER
    forced: tuple[Couple, ...] = ()
    forbidden: tuple[Couple, ...] = ()

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> "PairingRules":
        """Read the event file's form; what is left out has its default.

        Raises InvalidPairingRules with the path of the first value that does not exist.
        """
        if not isinstance(mapping, Mapping):
            raise InvalidPairingRules("", "not_an_object", mapping)
        return cls(
            first_round=_choice(mapping, "first_round", FirstRound.RANDOM),
            method=_choice(mapping, "method", Method.ADJACENT),
            rematch=_choice(mapping, "rematch", Rematch.NEVER),
            same_department=_choice(mapping, "same_department", SameDepartment.NEVER),
            forced=_couples(mapping, "forced"),
            forbidden=_couples(mapping, "forbidden"),
        )

    def as_dict(self) -> dict[str, Any]:
        """The event file's form, complete, in plain JSON values."""
        return {
            "first_round": self.first_round.value,
            "method": self.method.value,
            "rematch": self.rematch.value,
            "same_department": self.same_department.value,
            "forced": [list(couple) for couple in self.forced],
            "forbidden": [list(couple) for couple in self.forbidden],
        }


@dataclass(frozen=True, slots=True)
class Entrant:
    """A team that is present and to be drawn.

    `rank` may be shared; `number` (组号) is unique. `byes` = byes it had in this stage. `seed` orders a
    seeded first round.
    """

    id: TeamId
    number: int
    rank: int
    department: TeamId | None = None
    byes: int = 0
    fixed_table: int | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two teams sat at one table in an earlier round of this stage."""

    round: int
    home: TeamId
    away: TeamId


class Note(NamedTuple):
    """One reason: `team` did not get `other`; `round` = when they met, for `MET` and its like."""

    kind: NoteKind
    team: TeamId
    other: TeamId | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A table of the draw; `home` is the better-placed team."""

    table: int
    home: TeamId
    away: TeamId
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that a table (or a forced couple left apart) breaks; `round` = when they met before."""

    rule: Rule
    teams: Couple
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """How good a `closest` draw is: no legal draw has a sum of squared gaps below `lower_bound`."""

    sum_of_squares: int
    lower_bound: int

    @property
    def is_optimal(self) -> bool:
        """True when no legal draw has a smaller sum."""
        return self.sum_of_squares == self.lower_bound


@dataclass(frozen=True, slots=True)
class Draw:
    """The draw (编排) of one round; matches in table order."""

    round_number: int
    seed: int
    method: Method
    matches: tuple[DrawnMatch, ...]
    bye: TeamId | None = None
    bye_notes: tuple[Note, ...] = ()
    broken: tuple[Broken, ...] = ()
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A change of one rule that makes a draw possible; with `together`, only with all the others."""

    rule: Rule
    value: str
    together: bool = False


class NoLegalDraw(Exception):
    """No legal draw exists.

    `teams` make it impossible; outside their own circle they can meet only `only_opponents`, and those are
    too few. `relaxations` in the order in which they are offered; empty when nothing helps.
    """

    def __init__(
        self,
        reason: Reason,
        teams: Sequence[TeamId],
        relaxations: Sequence[Relaxation] = (),
        only_opponents: Sequence[TeamId] = (),
    ) -> None:
        super().__init__(reason.value, tuple(teams))
        self.reason = reason
        self.teams = tuple(teams)
        self.relaxations = tuple(relaxations)
        self.only_opponents = tuple(only_opponents)
