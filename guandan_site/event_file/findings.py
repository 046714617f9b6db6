"""What a check can find: one broken rule at one place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from guandan_site.event_file import document as doc


class Breach(StrEnum):
    """What is wrong at one place."""

    INVALID_RESULT = "invalid_result"
    RESULT_MISSING = "result_missing"
    RESULT_IN_DRAFT = "result_in_draft"
    EARLIER_ROUND_OPEN = "earlier_round_open"
    MET_BEFORE = "met_before"
    SAME_DEPARTMENT = "same_department"
    FORBIDDEN = "forbidden"
    FORCED = "forced"
    WITHDRAWN = "withdrawn"
    NOT_ENTERED = "not_entered"
    ABSENT = "absent"
    LEFT_OUT = "left_out"
    TABLE_MISSING = "table_missing"
    SECOND_BYE = "second_bye"
    MORE_BYES = "more_byes"
    BYE_TOO_HIGH = "bye_too_high"
    AVOIDABLE_REMATCHES = "avoidable_rematches"
    AVOIDABLE_DEPARTMENTS = "avoidable_departments"
    OTHER_DRAW = "other_draw"
    NOT_IN_LAYOUT = "not_in_layout"
    MATCH_MISSING = "match_missing"
    NOT_IN_SCHEDULE = "not_in_schedule"
    OTHER_GROUP = "other_group"
    TWICE_IN_ROUND = "twice_in_round"
    MEETINGS = "meetings"
    NOT_IN_BRACKET = "not_in_bracket"
    EMPTY_MATCH = "empty_match"
    NO_CHAMPION = "no_champion"
    BRACKET_IGNORED = "bracket_ignored"
    OUT_ALREADY = "out_already"
    CUT_OPEN = "cut_open"
    CUT_IMPOSSIBLE = "cut_impossible"
    ADVANCE_MISSING = "advance_missing"
    ADVANCED_WRONGLY = "advanced_wrongly"
    OTHER_SEED = "other_seed"
    OTHER_BEGINNING = "other_beginning"
    OTHER_GROUPS = "other_groups"
    OTHER_SCHEDULE = "other_schedule"
    OTHER_BRACKET = "other_bracket"
    OTHER_LOTS = "other_lots"
    IN_TWO_SECTIONS = "in_two_sections"
    GROUP_UNFINISHED = "group_unfinished"
    PERSON_TWICE = "person_twice"
    TOO_MANY_PLAYERS = "too_many_players"
    DEPARTMENT_TEAMS = "department_teams"
    DEPARTMENT_PERSONS = "department_persons"
    NOT_IN_TEAM = "not_in_team"
    SEX_UNKNOWN = "sex_unknown"
    OTHER_PARTNERS = "other_partners"
    PENALTY_WITHOUT_MATCH = "penalty_without_match"
    PENALTY_WITHOUT_POINTS = "penalty_without_points"
    DISQUALIFIED_IN_PLAY = "disqualified_in_play"


RULES = {
    Breach.RESULT_MISSING: "status",
    Breach.RESULT_IN_DRAFT: "status",
    Breach.EARLIER_ROUND_OPEN: "status",
    Breach.MET_BEFORE: "rematch",
    Breach.SAME_DEPARTMENT: "same_department",
    Breach.FORBIDDEN: "forbidden",
    Breach.FORCED: "forced",
    Breach.WITHDRAWN: "withdrawn",
    Breach.NOT_ENTERED: "everyone_once",
    Breach.ABSENT: "absent",
    Breach.LEFT_OUT: "everyone_once",
    Breach.TABLE_MISSING: "table",
    Breach.SECOND_BYE: "bye",
    Breach.MORE_BYES: "bye",
    Breach.BYE_TOO_HIGH: "bye",
    Breach.AVOIDABLE_REMATCHES: "rematch",
    Breach.AVOIDABLE_DEPARTMENTS: "same_department",
    Breach.OTHER_DRAW: "draw",
    Breach.NOT_IN_LAYOUT: "draw",
    Breach.MATCH_MISSING: "everyone_once",
    Breach.NOT_IN_SCHEDULE: "everyone_once",
    Breach.OTHER_GROUP: "schedule",
    Breach.TWICE_IN_ROUND: "everyone_once",
    Breach.MEETINGS: "schedule",
    Breach.NOT_IN_BRACKET: "everyone_once",
    Breach.EMPTY_MATCH: "bracket",
    Breach.NO_CHAMPION: "bracket",
    Breach.BRACKET_IGNORED: "bracket",
    Breach.OUT_ALREADY: "bracket",
    Breach.CUT_OPEN: "advancing",
    Breach.CUT_IMPOSSIBLE: "advancing",
    Breach.ADVANCE_MISSING: "advancing",
    Breach.ADVANCED_WRONGLY: "advancing",
    Breach.OTHER_SEED: "advancing",
    Breach.OTHER_BEGINNING: "draw",
    Breach.OTHER_GROUPS: "draw",
    Breach.OTHER_SCHEDULE: "schedule",
    Breach.OTHER_BRACKET: "draw",
    Breach.OTHER_LOTS: "draw",
    Breach.IN_TWO_SECTIONS: "everyone_once",
    Breach.GROUP_UNFINISHED: "status",
    Breach.PERSON_TWICE: "entry",
    Breach.TOO_MANY_PLAYERS: "entry",
    Breach.DEPARTMENT_TEAMS: "entry",
    Breach.DEPARTMENT_PERSONS: "entry",
    Breach.NOT_IN_TEAM: "lineup",
    Breach.SEX_UNKNOWN: "partners",
    Breach.OTHER_PARTNERS: "partners",
    Breach.PENALTY_WITHOUT_MATCH: "penalty",
    Breach.PENALTY_WITHOUT_POINTS: "penalty",
    Breach.DISQUALIFIED_IN_PLAY: "penalty",
}
"""The rule that a breach breaks; that of an invalid result depends on what is wrong in it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule at one place; `values` are ids and numbers for the message."""

    path: str
    rule: str
    breach: Breach
    values: Mapping[str, object] = field(default_factory=dict)


def places(played: doc.RoundEntry, path: str) -> Iterator[tuple[str, doc.MatchEntry]]:
    """Every match of a round with its JSON path."""
    for index, match in enumerate(played.matches):
        yield f"{path}.matches[{index}]", match


def finding(path: str, breach: Breach, rule: str | None = None, /, **values: object) -> Finding:
    """A finding; its rule follows from the breach unless it is named."""
    return Finding(path, rule or RULES[breach], breach, values)
