"""赛事规划: which formats a field, a hall and a day allow, and what to mind about each. Plain arithmetic.

Times are minutes after midnight, durations minutes. Nothing here draws; what draws can promise for a field of
this size say `most_rounds` (beyond it there is none) and `certain_rounds` (up to it there always is one).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

DAY = 24 * 60
MOST_ROUNDS = 50
"""Rounds of the longest event that is worth proposing."""
ADVANCING = 2
"""The best of each group who enter the knockout."""
GROUP_SIZES = range(3, 9)
USUAL_GROUP_SIZE = 5
GROUP_COUNTS = (2, 4, 8, 16, 32, 64)
"""Powers of two: then the knockout after the groups has no byes."""
RESERVE_EVERY = 10
"""One table's cards in reserve for so many tables."""
PACKS_PER_TABLE = 2


class PlanFormat(StrEnum):
    """赛制: what a proposal plays."""

    SWISS = "swiss"
    GROUPS_KNOCKOUT = "groups_knockout"
    KNOCKOUT = "knockout"
    ROUND_ROBIN = "round_robin"


class Concern(StrEnum):
    """What an organiser has to know before choosing a proposal."""

    TIME_SHORT = "time_short"
    MORE_THAN_HALF = "more_than_half"
    DEPARTMENT_RUNS_OUT = "department_runs_out"
    EVERYBODY_MET = "everybody_met"
    DEPARTMENT_MAY_RUN_OUT = "department_may_run_out"
    DRAW_MAY_RUN_OUT = "draw_may_run_out"
    TOO_FEW_ROUNDS = "too_few_rounds"
    BYE_EACH_ROUND = "bye_each_round"
    BYES_AT_FIRST = "byes_at_first"
    UNEVEN_GROUPS = "uneven_groups"
    MEETS_AT_ONCE = "meets_at_once"
    SHARES_GROUP = "shares_group"
    SHIFTS = "shifts"


PREVENTING = frozenset(
    {Concern.TIME_SHORT, Concern.MORE_THAN_HALF, Concern.DEPARTMENT_RUNS_OUT, Concern.EVERYBODY_MET}
)
"""With one of these the proposal cannot be played as it stands."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One concern with its numbers."""

    concern: Concern
    facts: Mapping[str, int] = field(default_factory=dict)

    @property
    def prevents(self) -> bool:
        """Whether the proposal cannot be played as it stands."""
        return self.concern in PREVENTING


class InvalidPlan(ValueError):
    """A wish that makes no sense: `field` is its name."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


@dataclass(frozen=True, slots=True)
class Wishes:
    """What there is: teams, tables in the hall, the hours, minutes of a round and of the pause after it.

    `department` is the number of teams of the largest department, 0 where nobody is kept apart; `rounds` are
    those wished for a Swiss event. Raises InvalidPlan.
    """

    teams: int
    tables: int
    starts: int
    ends: int
    minutes: int
    pause: int = 0
    department: int = 0
    rounds: int | None = None

    def __post_init__(self) -> None:
        holds = {
            "teams": self.teams >= 2,
            "tables": self.tables >= 1,
            "starts": 0 <= self.starts < DAY,
            "ends": self.starts < self.ends <= DAY,
            "minutes": self.minutes >= 1,
            "pause": self.pause >= 0,
            "department": 0 <= self.department <= self.teams,
            "rounds": self.rounds is None or self.rounds >= 1,
        }
        for name, is_so in holds.items():
            if not is_so:
                raise InvalidPlan(name)

    @property
    def available(self) -> int:
        """Minutes from the first to the last of the day."""
        return self.ends - self.starts

    @property
    def affordable(self) -> int:
        """How often a hall full of tables can be played in that time."""
        return (self.available + self.pause) // (self.minutes + self.pause)


@dataclass(frozen=True, slots=True)
class Proposal:
    """One way to play: `tables` are the matches of each round in order; `groups` 0 without groups.

    `fewest` and `most` are the matches that a team plays.
    """

    format: PlanFormat
    wishes: Wishes
    tables: tuple[int, ...]
    fewest: int
    most: int
    groups: int = 0
    group_rounds: int = 0
    remarks: tuple[Remark, ...] = ()

    @property
    def rounds(self) -> int:
        """All rounds, those of the groups and of the knockout together."""
        return len(self.tables)

    @property
    def matches(self) -> int:
        """All matches together."""
        return sum(self.tables)

    @property
    def tables_wanted(self) -> int:
        """Tables for all matches of the fullest round at once."""
        return max(self.tables)

    @property
    def tables_used(self) -> int:
        """Tables that are set up."""
        return min(self.tables_wanted, self.wishes.tables)

    @property
    def shifts(self) -> int:
        """How often the clock runs: a round takes several turns where the hall is too small for it."""
        return sum(_divided_up(count, self.wishes.tables) for count in self.tables)

    @property
    def duration(self) -> int:
        """Minutes from the first start to the last end."""
        return self.shifts * (self.wishes.minutes + self.wishes.pause) - self.wishes.pause

    @property
    def ends(self) -> int:
        """When the last round ends; DAY and more is another day."""
        return self.wishes.starts + self.duration

    @property
    def packs_reserve(self) -> int:
        """Packs of 54 beside those on the tables."""
        return PACKS_PER_TABLE * _divided_up(self.tables_used, RESERVE_EVERY)

    @property
    def packs(self) -> int:
        """Packs of 54 to buy: two a table and the reserve."""
        return PACKS_PER_TABLE * self.tables_used + self.packs_reserve

    @property
    def is_possible(self) -> bool:
        """Whether nothing prevents it."""
        return not any(remark.prevents for remark in self.remarks)


def proposals(wishes: Wishes) -> tuple[Proposal, ...]:
    """The formats for these wishes: what can be played first, then in the order of PlanFormat.

    A format that the field is too small or too large for is left out.
    """
    found = [swiss(wishes), groups_knockout(wishes), knockout(wishes), round_robin(wishes)]
    kept = [each for each in found if each is not None]
    return tuple(sorted(kept, key=lambda each: (not each.is_possible, list(PlanFormat).index(each.format))))


# What a draw without a second meeting can promise


def most_rounds(teams: int, department: int = 0) -> int:
    """Beyond so many rounds somebody would have to meet an opponent again, or the own department.

    0 where a department has more than half of the field. With an odd field a bye may fall to the department,
    which then lasts a little longer.
    """
    is_odd = teams % 2 == 1
    most = teams if is_odd else teams - 1
    if department < 2:
        return most
    if department > _half(teams):
        return 0
    others = teams - department
    return min(most, department * others // (department - 1) if is_odd else others)


def certain_rounds(teams: int, department: int = 0) -> int:
    """So many rounds can be drawn whatever the results: nobody meets twice, nor the own department.

    Proved for a field that nobody leaves. With 2h places (a bye is one) everybody still may meet 2h − s − r
    others after r rounds, s teams being of one department; while that is h or more, all can be paired
    (Dirac): h − s + 1 rounds. Without departments an even h gives one more: with h − 1 opponents left for
    everybody only two closed circles of h teams could stop the draw (Tutte), and an even circle can be paired
    in itself. An odd one cannot: six teams after three rounds may stand in two triangles.
    """
    half = _half(teams)
    if department < 2:
        return min(half if half % 2 else half + 1, most_rounds(teams))
    return max(0, min(half - department + 1, most_rounds(teams, department)))


def enough_rounds(teams: int) -> int:
    """The fewest rounds after which at most one team can have won all: 4 for nine to sixteen teams."""
    return (teams - 1).bit_length()


def _half(teams: int) -> int:
    return (teams + 1) // 2


def _divided_up(count: int, by: int) -> int:
    return -(-count // by)


# The formats


def swiss(wishes: Wishes) -> Proposal:
    """Swiss: the rounds wished, else one more than a clear winner needs, as far as draw and time allow."""
    rounds = wishes.rounds or _swiss_rounds(wishes)
    teams = wishes.teams
    fewest = rounds - _divided_up(rounds, teams) if teams % 2 else rounds
    made = Proposal(PlanFormat.SWISS, wishes, (teams // 2,) * rounds, fewest, rounds)
    return _with(made, [*_swiss_remarks(wishes, rounds), *_byes(wishes, rounds)])


def _swiss_rounds(wishes: Wishes) -> int:
    certain = certain_rounds(wishes.teams, wishes.department)
    enough = enough_rounds(wishes.teams)
    drawn = certain if certain >= enough else min(enough, most_rounds(wishes.teams, wishes.department))
    turns = _divided_up(wishes.teams // 2, wishes.tables)
    return max(1, min(enough + 1, drawn, wishes.affordable // turns))


def _swiss_remarks(wishes: Wishes, rounds: int) -> Iterator[Remark]:
    yield from _draw_remarks(wishes, rounds)
    enough = enough_rounds(wishes.teams)
    if rounds < enough:
        yield Remark(Concern.TOO_FEW_ROUNDS, {"rounds": rounds, "enough": enough})


def _draw_remarks(wishes: Wishes, rounds: int) -> Iterator[Remark]:
    """The one thing that stands in the way of the draws, the worst that applies."""
    teams, department = wishes.teams, wishes.department
    facts = {"rounds": rounds, "teams": teams, "department": department}
    most, certain = most_rounds(teams), certain_rounds(teams)
    apart, surely_apart = most_rounds(teams, department), certain_rounds(teams, department)
    if department > _half(teams):
        yield Remark(Concern.MORE_THAN_HALF, {**facts, "half": _half(teams)})
    elif rounds > most:
        yield Remark(Concern.EVERYBODY_MET, {**facts, "most": most})
    elif rounds > apart:
        yield Remark(Concern.DEPARTMENT_RUNS_OUT, {**facts, "most": apart})
    elif rounds > certain:
        yield Remark(Concern.DRAW_MAY_RUN_OUT, {**facts, "certain": min(certain, surely_apart)})
    elif rounds > surely_apart:
        yield Remark(Concern.DEPARTMENT_MAY_RUN_OUT, {**facts, "certain": surely_apart})


def round_robin(wishes: Wishes) -> Proposal | None:
    """Everybody meets everybody once; None where that takes too many rounds."""
    tables = _circle(wishes.teams)
    if len(tables) > MOST_ROUNDS:
        return None
    played = wishes.teams - 1
    made = Proposal(
        PlanFormat.ROUND_ROBIN, wishes, tables, played, played, groups=1, group_rounds=len(tables)
    )
    return _with(made, _byes(wishes, len(tables)))


def knockout(wishes: Wishes) -> Proposal:
    """The losers are out; the third place is played for beside the final."""
    tables = _bracket(wishes.teams)
    byes = 2 ** enough_rounds(wishes.teams) - wishes.teams
    made = Proposal(PlanFormat.KNOCKOUT, wishes, tables, 1, len(tables))
    return _with(made, _knockout_remarks(wishes, byes))


def _knockout_remarks(wishes: Wishes, byes: int) -> Iterator[Remark]:
    if byes:
        yield Remark(Concern.BYES_AT_FIRST, {"byes": byes})
    places = 2 ** (enough_rounds(wishes.teams) - 1)
    if wishes.department > places:
        yield Remark(Concern.MEETS_AT_ONCE, {"department": wishes.department, "places": places})


def groups_knockout(wishes: Wishes) -> Proposal | None:
    """Groups, of which the best two enter a knockout: the number of groups that fits best, None for none."""
    found = [
        _in_groups(wishes, count)
        for count in GROUP_COUNTS
        if all(size in GROUP_SIZES for size in _sizes(wishes.teams, count))
    ]
    return min(found, key=_preference, default=None)


def _preference(proposal: Proposal) -> tuple[int, int, int]:
    """What fits into the day, else is over first; then groups near the usual size."""
    groups = proposal.groups
    late = 0 if proposal.is_possible else proposal.ends
    return late, abs(proposal.wishes.teams - USUAL_GROUP_SIZE * groups), groups


def _in_groups(wishes: Wishes, groups: int) -> Proposal:
    sizes = _sizes(wishes.teams, groups)
    circles = [_circle(size) for size in sizes]
    group_rounds = max(map(len, circles))
    tables = tuple(
        sum(circle[place] for circle in circles if place < len(circle)) for place in range(group_rounds)
    )
    after = _bracket(ADVANCING * groups)
    made = Proposal(
        PlanFormat.GROUPS_KNOCKOUT,
        wishes,
        tables + after,
        min(sizes) - 1,
        max(sizes) - 1 + len(after),
        groups=groups,
        group_rounds=group_rounds,
    )
    return _with(made, _group_remarks(wishes, groups, sizes))


def _group_remarks(wishes: Wishes, groups: int, sizes: Sequence[int]) -> Iterator[Remark]:
    if min(sizes) < max(sizes):
        yield Remark(Concern.UNEVEN_GROUPS, {"smaller": min(sizes), "larger": max(sizes)})
    if wishes.department > groups:
        yield Remark(Concern.SHARES_GROUP, {"department": wishes.department, "groups": groups})


def _sizes(teams: int, groups: int) -> list[int]:
    small, larger = divmod(teams, groups)
    return [small + 1] * larger + [small] * (groups - larger)


def _circle(teams: int) -> tuple[int, ...]:
    """The matches of each round of a single round robin."""
    return (teams // 2,) * (teams if teams % 2 else teams - 1)


def _bracket(teams: int) -> tuple[int, ...]:
    """The matches of each round of a knockout, byes in the first, the match for third beside the final."""
    rounds = enough_rounds(teams)
    first = teams - 2 ** (rounds - 1)
    later = [2 ** (rounds - place) for place in range(2, rounds + 1)]
    if teams >= 4:
        later[-1] += 1
    return first, *later


# What holds for every format


def _byes(wishes: Wishes, rounds: int) -> Iterator[Remark]:
    if wishes.teams % 2:
        yield Remark(Concern.BYE_EACH_ROUND, {"teams": wishes.teams, "rounds": rounds})


def _with(proposal: Proposal, remarks: Iterator[Remark] | Sequence[Remark]) -> Proposal:
    """The proposal with its remarks, the preventing ones first, in the order of Concern."""
    told = [*remarks, *_hall_remarks(proposal)]
    told.sort(key=lambda remark: list(Concern).index(remark.concern))
    return replace(proposal, remarks=tuple(told))


def _hall_remarks(proposal: Proposal) -> Iterator[Remark]:
    wishes = proposal.wishes
    if proposal.tables_wanted > wishes.tables:
        turns = _divided_up(proposal.tables_wanted, wishes.tables)
        yield Remark(Concern.SHIFTS, {"tables": proposal.tables_wanted, "turns": turns})
    late = proposal.ends - wishes.ends
    if late > 0:
        fits = (wishes.available + wishes.pause) // proposal.shifts - wishes.pause
        yield Remark(Concern.TIME_SHORT, {"late": late, "fits": max(0, fits)})
