"""The event file as Python values: a whole event in one document, format `guandan-event`, version 1.

The document says what the file says: nothing is computed here, a reference is the id that stands in the file.
`extra` holds the fields that this program does not know, so that writing a file back loses nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.engine.penalties import PenaltyAction, PenaltyRule
from scoring.engine.results import MatchResult
from tournaments.attendance import Absence, Former, Lateness, absence_from

FORMAT = "guandan-event"
VERSION = 1

Extra = Mapping[str, object]


class StageFormat(StrEnum):
    """赛制 of a stage."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    KNOCKOUT = "knockout"


class PlayerRole(StrEnum):
    """What a person does in the team."""

    PLAYER = "player"
    LEADER = "leader"
    COACH = "coach"


class Sex(StrEnum):
    """性别 of a person without a partner; empty where nobody said."""

    UNKNOWN = ""
    MAN = "m"
    WOMAN = "f"


class RoundStatus(StrEnum):
    """How far a round is: a draft counts for nothing."""

    DRAFT = "draft"
    PUBLISHED = "published"
    COMPLETED = "completed"


class Audience(StrEnum):
    """公示范围: who sees a published round."""

    EVERYBODY = "everybody"
    HALL = "hall"


@dataclass(frozen=True, slots=True)
class EventHead:
    """What the event is called, where and when; `starts_at` is ISO 8601 as written in the file."""

    name: str
    slug: str
    venue: str = ""
    organiser: str = ""
    starts_at: str | None = None
    is_public: bool = True
    publishes_to: Audience = Audience.EVERYBODY
    uses_check_in: bool = False
    is_rehearsal: bool = False
    broken_tables: tuple[int, ...] = ()
    archived_at: str | None = None
    prizes: tuple[object, ...] = ()
    prize_ties: tuple[object, ...] = ()
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DepartmentEntry:
    """单位 with its id in the file."""

    id: str
    name: str
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    """选手, or whoever else belongs to the team: `role` is player, leader or coach.

    `former` are those who held the place before, the earliest first.
    """

    name: str
    phone: str = ""
    role: str = "player"
    former: tuple[Former, ...] = ()
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TeamEntry:
    """队; `withdrawn_after` is the number of the last round it took part in, None while it plays.

    `first_round` is the first round that it could be drawn in, later than 1 for a late entry; `checked_in_at`
    is ISO 8601. It is not drawn in the rounds of its `absences`.
    """

    id: str
    number: int
    players: tuple[PlayerEntry, ...]
    department: str | None = None
    name: str = ""
    session: str = ""
    seed: int | None = None
    fixed_table: int | None = None
    first_round: int = 1
    withdrawn_after: int | None = None
    checked_in_at: str | None = None
    absences: tuple[Absence, ...] = ()
    lateness: tuple[Lateness, ...] = ()
    remark: str = ""
    lineup: tuple[str, ...] = ()
    extra: Extra = field(default_factory=dict)

    def has_left(self, round_number: int) -> bool:
        """Whether it withdrew before a round."""
        return self.withdrawn_after is not None and self.withdrawn_after < round_number

    def is_absent(self, stage: str, round_number: int) -> bool:
        """Whether it misses a round of the stage with this id."""
        return absence_from(self.absences, stage, round_number) is not None


@dataclass(frozen=True, slots=True)
class AdjustmentEntry:
    """加减分 of a team that counts from `round` on."""

    team: str
    round: int
    points: int
    reason: str = ""
    extra: Extra = field(default_factory=dict)


class AppealOutcome(StrEnum):
    """What an appeal came to; empty while it is open."""

    OPEN = ""
    UPHELD = "upheld"
    PARTLY = "partly"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Cancelled:
    """When, by whom and why a penalty was taken back."""

    at: str | None = None
    by: str = ""
    reason: str = ""
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PenaltyEntry:
    """判罚 of a team in a round; `amount` are levels or points. Points that stand are an adjustment too."""

    team: str
    round: int
    rule: PenaltyRule
    action: PenaltyAction
    amount: int = 0
    minutes: int | None = None
    reason: str = ""
    by: str = ""
    at: str | None = None
    cancelled: Cancelled | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AppealEntry:
    """申诉 of a team about its match of a round, or about a penalty, by its place in the list from 1."""

    team: str
    round: int
    text: str
    penalty: int | None = None
    received_at: str | None = None
    received_by: str = ""
    deadline: str | None = None
    outcome: AppealOutcome = AppealOutcome.OPEN
    answer: str = ""
    decided_at: str | None = None
    decided_by: str = ""
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ResultEntry:
    """成绩 as it stands in the file, not completed; `game_extras` are unknown fields, one object a game.

    `confirmed` tells of its second look, None where the event asked for none, `confirmed_how` who took it;
    `entered_at_table` that both teams entered it on the table's phone page.
    """

    result: MatchResult
    extra: Extra = field(default_factory=dict)
    game_extras: tuple[Extra, ...] = ()
    confirmed: bool | None = None
    confirmed_how: str = ""
    entered_at_table: bool = False


@dataclass(frozen=True, slots=True)
class MatchEntry:
    """对阵; without `away` it is the bye. A `result` of None is not entered, which is never a tie.

    `group` is the number of its group from 1, `key` its place in the bracket. `lineup` names by side (home,
    away) who of a larger team sits at the table.
    """

    home: str
    away: str | None
    table: int | None = None
    result: ResultEntry | None = None
    group: int | None = None
    key: str = ""
    lineup: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    extra: Extra = field(default_factory=dict)

    @property
    def is_bye(self) -> bool:
        """Whether the home team has nobody to play."""
        return self.away is None

    @property
    def teams(self) -> tuple[str, ...]:
        """The ids of the teams at this table, home first."""
        return (self.home,) if self.away is None else (self.home, self.away)


@dataclass(frozen=True, slots=True)
class DrawEntry:
    """How a round's tables came about; `relaxations` are the rules that were softened for it.

    `tables` are the numbers that it could use, empty for 1, 2, 3 …; `by_hand` how what was published differs
    from the engine's own draw, and why.
    """

    seed: int
    method: str = "adjacent"
    relaxations: tuple[Mapping[str, str], ...] = ()
    explained: Extra = field(default_factory=dict)
    changes: tuple[object, ...] = ()
    tables: Extra = field(default_factory=dict)
    by_hand: Extra = field(default_factory=dict)
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PublicationEntry:
    """公示: one numbered version of a round's tables; `seating` lists [table, home number, away number].

    Its `audience` is the hall while phones do not see it; `opened_at` is when they did, None for at once.
    `names` are players and department by team number, as they were published.
    """

    version: int
    published_at: str
    audience: Audience = Audience.EVERYBODY
    opened_at: str | None = None
    withdrawn_at: str | None = None
    reason: str = ""
    notice_ended_at: str | None = None
    seating: tuple[tuple[int | None, ...], ...] = ()
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RoundEntry:
    """轮; rounds of a stage are numbered 1, 2, 3 … in the order of the file."""

    number: int
    status: RoundStatus
    matches: tuple[MatchEntry, ...]
    draw: DrawEntry | None = None
    completed_at: str | None = None
    audience: Audience = Audience.EVERYBODY
    publications: tuple[PublicationEntry, ...] = ()
    extra: Extra = field(default_factory=dict)

    @property
    def counts(self) -> bool:
        """Whether its matches are meetings and its results are in the standings."""
        return self.status is not RoundStatus.DRAFT

    @property
    def is_complete(self) -> bool:
        """Whether the chief closed it."""
        return self.status is RoundStatus.COMPLETED


@dataclass(frozen=True, slots=True)
class GroupEntry:
    """小组 with the ids of its teams.

    One that finds its own time may have a convenor, a team of it or a person, a deadline, and its end.
    """

    name: str
    teams: tuple[str, ...]
    extra: Extra = field(default_factory=dict)
    convenor: "ConvenorEntry | None" = None
    deadline: str | None = None
    finished_at: str | None = None


@dataclass(frozen=True, slots=True)
class ConvenorEntry:
    """召集人: a team by its id, or a person by name; the phone is for officials."""

    team: str | None = None
    name: str = ""
    phone: str = ""
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StageEntry:
    """阶段; `rules` is the object of the file as given, `teams` is None when all teams take part.

    `seeds` are those frozen when the stage began, by team; `layout` is its schedule or bracket, `lots` what
    settles ties. It plays at the tables from `first_table` to `last_table`, where it has a range.
    """

    id: str
    name: str
    format: StageFormat
    rounds_planned: int
    teams: tuple[str, ...] | None = None
    rules: Extra = field(default_factory=dict)
    adjustments: tuple[AdjustmentEntry, ...] = ()
    penalties: tuple[PenaltyEntry, ...] = ()
    appeals: tuple[AppealEntry, ...] = ()
    rounds: tuple[RoundEntry, ...] = ()
    groups: tuple[GroupEntry, ...] = ()
    seeds: Mapping[str, int] = field(default_factory=dict)
    layout: Extra = field(default_factory=dict)
    lots: Extra = field(default_factory=dict)
    first_table: int | None = None
    last_table: int | None = None
    extra: Extra = field(default_factory=dict)

    def group_of(self, team: str) -> int | None:
        """The number of the team's group, from 1."""
        found = (number for number, group in enumerate(self.groups, start=1) if team in group.teams)
        return next(found, None)


@dataclass(frozen=True, slots=True)
class SingleEntry:
    """单人: somebody who waits for a partner, in the order of entering; `department` is an id of the file."""

    name: str
    sex: str = ""
    department: str | None = None
    phone: str = ""
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PartnerDrawEntry:
    """搭档抽签: who drew in which order (`entrants`), who became partners, who is left over.

    A pair has the `number` drawn, the id of its `team` and its `players`. `departments` is any, same or
    different. The seed with the entrants gives the same pairs again.
    """

    drawn_at: str
    seed: int
    kind: str
    departments: str
    entrants: tuple[Mapping[str, object], ...]
    pairs: tuple[Mapping[str, object], ...]
    waiting: tuple[str, ...] = ()
    extra: Extra = field(default_factory=dict)

    def record(self) -> dict[str, object]:
        """The draw as it is stored."""
        return {
            "seed": self.seed,
            "kind": self.kind,
            "departments": self.departments,
            "entrants": [dict(sorted(each.items())) for each in self.entrants],
            "pairs": [dict(sorted(each.items())) for each in self.pairs],
            "waiting": list(self.waiting),
        }


class ScreenRole(StrEnum):
    """What a projector can show."""

    AUTO = "auto"
    TABLES = "tables"
    NUMBERS = "numbers"
    STANDINGS = "standings"
    CLOCK = "clock"
    BRACKET = "bracket"
    NOTICE = "notice"
    CODE = "code"


class Distance(StrEnum):
    """How far the last row sits from a projector."""

    NEAR = "near"
    MIDDLE = "middle"
    FAR = "far"


@dataclass(frozen=True, slots=True)
class ScreenEntry:
    """大屏: a projector of the hall, known by the key in its address; `roles` are shown in turn."""

    name: str
    key: str
    roles: tuple[str, ...]
    seconds: int = 12
    distance: Distance = Distance.NEAR
    notice: str = ""
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EventDocument:
    """A whole event."""

    event: EventHead
    departments: tuple[DepartmentEntry, ...]
    teams: tuple[TeamEntry, ...]
    stages: tuple[StageEntry, ...]
    singles: tuple[SingleEntry, ...] = ()
    partner_draws: tuple[PartnerDrawEntry, ...] = ()
    screens: tuple[ScreenEntry, ...] = ()
    extra: Extra = field(default_factory=dict)

    def teams_of(self, stage: StageEntry) -> tuple[TeamEntry, ...]:
        """The teams of a stage, by number."""
        wanted = None if stage.teams is None else set(stage.teams)
        chosen = (team for team in self.teams if wanted is None or team.id in wanted)
        return tuple(sorted(chosen, key=lambda team: team.number))

    def plays_in(self, stage: StageEntry, team: TeamEntry, round_number: int) -> bool:
        """Whether a team takes part in a round of a stage: it has entered, has not withdrawn, is not absent.

        Its first round counts in the first stage that has it.
        """
        place = self._place(stage)
        is_late = team.first_round > round_number and not any(
            each.teams is None or team.id in each.teams for each in self.stages[:place]
        )
        is_absent = team.is_absent(stage.id, round_number)
        return not is_late and not is_absent and not self.has_left(stage, team, round_number)

    def has_left(self, stage: StageEntry, team: TeamEntry, round_number: int) -> bool:
        """Whether a team withdrew before a round of a stage: not if a later stage has entered it."""
        return team.has_left(round_number) and not self.goes_on(stage, team)

    def goes_on(self, stage: StageEntry, team: TeamEntry) -> bool:
        """Whether a later stage has entered the team by name."""
        return any(team.id in (each.teams or ()) for each in self.stages[self._place(stage) + 1 :])

    def _place(self, stage: StageEntry) -> int:
        return [each.id for each in self.stages].index(stage.id)
