"""What round robin, groups, knockout and advancing share: the faults that refuse a format."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from .types import TeamId


class FormatFault(StrEnum):
    """Why a format cannot be made as asked.

    `AT_LEAST`: fewer teams than `InvalidFormat.least`. `TEAM_TWICE`: a team is entered twice. `NUMBER_TWICE`:
    two teams have one number. Groups: `NO_GROUP`, `GROUP_TOO_SMALL` (fewer than two teams), `SIZES_DIFFER`
    (they do not add up to the teams, or the method leads to others), `GROUP_UNKNOWN` (the given group is
    missing or does not exist). Knockout: `BYES_IN_EACH_ROUND` (not with seeding), `ZONE_EMPTY` (only odd or
    only even numbers), `ZONES_EXCLUDE_GROUP` (a final group of three has no two zones), `NUMBERS_FIX`
    (opponents by number cannot be kept apart). Results: `MATCH_UNKNOWN`, `NOT_READY`, `NOT_IN_MATCH`,
    `ROUND_OPEN` (matches without a winner), `FINISHED` (no further round). Advancing: `NOT_QUALIFIED`,
    `ALREADY_QUALIFIED`, `UNDECIDED` (ties at the line), `TOO_MANY` (fewer teams than places).
    """

    AT_LEAST = "at_least"
    TEAM_TWICE = "team_twice"
    NUMBER_TWICE = "number_twice"
    NO_GROUP = "no_group"
    GROUP_TOO_SMALL = "group_too_small"
    SIZES_DIFFER = "sizes_differ"
    GROUP_UNKNOWN = "group_unknown"
    BYES_IN_EACH_ROUND = "byes_in_each_round"
    ZONE_EMPTY = "zone_empty"
    ZONES_EXCLUDE_GROUP = "zones_exclude_group"
    NUMBERS_FIX = "numbers_fix"
    MATCH_UNKNOWN = "match_unknown"
    NOT_READY = "not_ready"
    NOT_IN_MATCH = "not_in_match"
    ROUND_OPEN = "round_open"
    FINISHED = "finished"
    NOT_QUALIFIED = "not_qualified"
    ALREADY_QUALIFIED = "already_qualified"
    UNDECIDED = "undecided"
    TOO_MANY = "too_many"


class InvalidFormat(ValueError):
    """A format that cannot be made or a result that does not fit it.

    `teams` and `matches` are those concerned; `least` is how many were needed, for `AT_LEAST`.
    """

    def __init__(
        self,
        fault: FormatFault,
        *,
        teams: Sequence[TeamId] = (),
        matches: Sequence[str] = (),
        least: int | None = None,
    ) -> None:
        super().__init__(fault.value, tuple(teams), tuple(matches), least)
        self.fault = fault
        self.teams = tuple(teams)
        self.matches = tuple(matches)
        self.least = least


def require_teams(teams: Sequence[TeamId], least: int) -> None:
    """Raises InvalidFormat when a team stands twice or there are fewer than `least`."""
    repeated = [team for team, times in Counter(teams).items() if times > 1]
    if repeated:
        raise InvalidFormat(FormatFault.TEAM_TWICE, teams=repeated)
    if len(teams) < least:
        raise InvalidFormat(FormatFault.AT_LEAST, teams=teams, least=least)
