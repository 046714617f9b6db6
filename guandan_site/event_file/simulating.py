"""An invented event, played through its draws: for demonstrations, for tests and for trying rules.

The same arguments always give the same event. Names and departments are invented.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random
from typing import Any

from guandan_site.event_file import document as doc
from guandan_site.event_file.beginning import LinesOpen, awaits_beginning, begun, format_round
from guandan_site.event_file.computing import rules_by_match
from guandan_site.event_file.drawing import drafted_round, draw_next_round, hall_of, with_round
from guandan_site.event_file.limits import MOST_ROUNDS
from guandan_site.event_file.rules import stage_rules
from pairing.engine.formats import InvalidFormat
from pairing.engine.types import Draw, InvalidPairingRules, NoLegalDraw, Relaxation
from scoring.engine.levels import ACE, LOWEST, PASSED
from scoring.engine.results import MatchResult, Outcome, Side, complete_result
from scoring.engine.rules import EqualLevels, MatchRules, ScoringModel
from tournaments.attendance import Absence
from tournaments.lineups import AT_TABLE, SIDES

MOST_TEAMS = 10_000
MOST_PLAYERS = 6
TIE_FACTS = {
    EqualLevels.DECLARER: "declarer",
    EqualLevels.OFF_STAGE: "declarer",
    EqualLevels.EXTRA_DEAL: "extra_winner",
    EqualLevels.EXTRA_GAME: "extra_winner",
}
SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛"
GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂英华玉兰飞红波宁辉文斌琳颖松岩梅晨雪峰莉凯岚翔"
DEPARTMENTS = (
    "数学学院",
    "物理学院",
    "化学学院",
    "图书馆",
    "后勤处",
    "机械学院",
    "校医院",
    "信息中心",
    "外语学院",
    "财务处",
    "体育部",
    "土木学院",
    "附属中学",
    "出版社",
    "法学院",
    "离退休处",
)
DEALS_IN_TIME = (6, 10)
"""How many deals 45 minutes hold."""
FORFEITS = 0.01
"""The share of matches in which one side does not come."""


class CannotSimulate(Exception):
    """No event can be made of these numbers."""


class SimulatedFormat(StrEnum):
    """What kind of event is invented."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    KNOCKOUT = "knockout"
    GROUPS_KNOCKOUT = "groups_knockout"


@dataclass(frozen=True, slots=True)
class FieldWishes:
    """What the field may be told: players of a team, of whom two sit at the table, and how many teams rest.

    `rests` teams, others every time, miss each Swiss round.
    """

    players: int = AT_TABLE
    rests: int = 0


@dataclass(frozen=True, slots=True)
class FormatWishes:
    """What the formats beside Swiss may be told: groups, how many of each advance, and their own settings."""

    groups: int = 1
    advance: int = 2
    round_robin: Mapping[str, object] = field(default_factory=dict)
    knockout: Mapping[str, object] = field(default_factory=dict)


def simulate(
    *,
    teams: int,
    departments: int,
    rounds: int,
    seed: int,
    format: SimulatedFormat = SimulatedFormat.SWISS,
    wishes: FormatWishes | None = None,
    field_wishes: FieldWishes | None = None,
) -> doc.EventDocument:
    """An event played through: `rounds` Swiss rounds, or all rounds of the other formats.

    Where no legal draw is left, the first relaxation that helps is taken and recorded, as a chief would; ties
    at the line where those who advance end are settled by lots. Raises CannotSimulate.
    """
    wanted = field_wishes or FieldWishes()
    if not (2 <= teams <= MOST_TEAMS and 0 <= departments <= teams and 1 <= rounds <= MOST_ROUNDS):
        raise CannotSimulate
    if not (AT_TABLE <= wanted.players <= MOST_PLAYERS and 0 <= wanted.rests <= teams - 2):
        raise CannotSimulate
    random = Random(seed)  # noqa: S311  repeatable on purpose, nothing secret
    stages = _stages(format, departments, rounds, wishes or FormatWishes())
    document = _event(teams, departments, rounds, seed, random, stages)
    if wanted != FieldWishes():
        document = _with_wishes(document, wanted, seed)
    return _played_through(document, random)


def _with_wishes(document: doc.EventDocument, wanted: FieldWishes, seed: int) -> doc.EventDocument:
    """The event with longer rosters and a rule that says so, and with teams that rest."""
    random = Random(f"field {seed}")  # noqa: S311  as above
    used = {player.name for team in document.teams for player in team.players}
    names = (name for name in _names(random) if name not in used)
    stated = {"players": wanted.players, "line_up": True} if wanted.players > AT_TABLE else {}
    first = document.stages[0]
    resting = _resting(document, wanted.rests, random)
    return replace(
        document,
        stages=(
            replace(first, rules={**first.rules, "discipline": stated} if stated else first.rules),
            *document.stages[1:],
        ),
        teams=tuple(
            replace(
                team,
                players=(
                    *team.players,
                    *(doc.PlayerEntry(next(names)) for _ in range(wanted.players - AT_TABLE)),
                ),
                absences=tuple(Absence(first.id, number) for number in sorted(resting.get(team.id, ()))),
            )
            for team in document.teams
        ),
    )


def _resting(document: doc.EventDocument, rests: int, random: Random) -> Mapping[str, set[int]]:
    """The rounds of a Swiss stage that each team misses."""
    first, found = document.stages[0], dict[str, set[int]]()
    if first.format is doc.StageFormat.SWISS:
        for number in range(1, first.rounds_planned + 1):
            for team in random.sample(document.teams, rests):
                found.setdefault(team.id, set()).add(number)
    return found


def replay(document: doc.EventDocument, *, seed: int) -> doc.EventDocument:
    """An event with its roster and its stages, none of them begun, played through by invented results.

    Raises CannotSimulate.
    """
    return _played_through(document, Random(seed))  # noqa: S311  as above


def _played_through(document: doc.EventDocument, random: Random) -> doc.EventDocument:
    strengths = {team.id: random.gauss(0, 1) for team in document.teams}
    try:
        for index in range(len(document.stages)):
            document = _play_stage(document, index, strengths, random)
    except (InvalidFormat, InvalidPairingRules) as error:
        raise CannotSimulate from error
    return document


def _play_stage(
    document: doc.EventDocument, index: int, strengths: dict[str, float], random: Random
) -> doc.EventDocument:
    if awaits_beginning(document.stages[index]):
        document = _begun(document, index, random)
    for number in range(1, document.stages[index].rounds_planned + 1):
        document = _with_next_round(document, index, number, strengths, random)
    return document


def _begun(document: doc.EventDocument, index: int, random: Random) -> doc.EventDocument:
    """The stage begun; where teams are tied at the line, after lots among them."""
    seed = random.randrange(10**9)
    for _ in range(len(document.teams)):
        try:
            return _with_stage(document, index, begun(document, document.stages[index], seed))
        except LinesOpen as error:
            document = _with_lots(document, error, random.randrange(10**9))
    raise CannotSimulate


def _with_lots(document: doc.EventDocument, error: LinesOpen, seed: int) -> doc.EventDocument:
    """Lots among the teams tied at the line, in the stages that they come from."""
    numbers = {team.id: team.number for team in document.teams}
    open_lines = error.advancement.open_lines
    tied = sorted({str(team) for line in open_lines for team in line.tied}, key=lambda team: numbers[team])
    order = Random(seed).sample(tied, len(tied))  # noqa: S311  given again by the recorded seed
    places = {team: place for place, team in enumerate(order, start=1)}
    stages = []
    for stage in document.stages:
        members = {team.id for team in document.teams_of(stage)} if stage.rounds else set()
        held: Any = stage.lots.get("places", {})
        own = {team: place for team, place in places.items() if team in members}
        lots = {"how": "lots", "seed": seed, "places": {**held, **own}} if own else stage.lots
        stages.append(replace(stage, lots=lots))
    return replace(document, stages=tuple(stages))


def _with_stage(document: doc.EventDocument, index: int, stage: doc.StageEntry) -> doc.EventDocument:
    return replace(document, stages=(*document.stages[:index], stage, *document.stages[index + 1 :]))


def _event(
    teams: int,
    departments: int,
    rounds: int,
    seed: int,
    random: Random,
    stages: tuple[doc.StageEntry, ...],
) -> doc.EventDocument:
    names = _names(random)
    homes = [f"d{1 + index % departments}" if departments else None for index in range(teams)]
    random.shuffle(homes)
    return doc.EventDocument(
        event=doc.EventHead(name=f"模拟赛 {teams} 队 {rounds} 轮", slug=f"sim-{teams}-{rounds}-{seed}"),
        departments=tuple(
            doc.DepartmentEntry(f"d{number}", _department_name(number))
            for number in range(1, departments + 1)
        ),
        teams=tuple(
            doc.TeamEntry(
                id=f"t{number}",
                number=number,
                players=(doc.PlayerEntry(next(names)), doc.PlayerEntry(next(names))),
                department=home,
            )
            for number, home in enumerate(homes, start=1)
        ),
        stages=stages,
    )


def _stages(
    format: SimulatedFormat, departments: int, rounds: int, wishes: FormatWishes
) -> tuple[doc.StageEntry, ...]:
    round_robin = {"format": {"groups": wishes.groups, **wishes.round_robin}}
    knockout: dict[str, object] = {"format": dict(wishes.knockout)}
    chained = {**knockout, "entry": {"from": "s1", "take": "top", "count": wishes.advance}}
    made = doc.StageEntry
    kinds = doc.StageFormat
    return {
        SimulatedFormat.SWISS: (_stage(departments, rounds),),
        SimulatedFormat.ROUND_ROBIN: (made("s1", "循环赛", kinds.ROUND_ROBIN, 1, rules=round_robin),),
        SimulatedFormat.KNOCKOUT: (made("s1", "淘汰赛", kinds.KNOCKOUT, 1, rules=knockout),),
        SimulatedFormat.GROUPS_KNOCKOUT: (
            made("s1", "小组赛", kinds.ROUND_ROBIN, 1, rules=round_robin),
            made("s2", "淘汰赛", kinds.KNOCKOUT, 1, rules=chained),
        ),
    }[format]


def _stage(departments: int, rounds: int) -> doc.StageEntry:
    """Two departments or fewer leave too few opponents to keep them apart."""
    policy = "never" if departments > 2 else "allow"
    return doc.StageEntry(
        id="s1",
        name="积分编排",
        format=doc.StageFormat.SWISS,
        rounds_planned=rounds,
        rules={"pairing": {"same_department": policy}},
    )


def _names(random: Random) -> Iterator[str]:
    """Invented names, no two alike."""
    seen: set[str] = set()
    while True:
        given = "".join(random.choices(GIVEN, k=1 if random.random() < 0.3 else 2))
        name = random.choice(SURNAMES) + given
        if name not in seen:
            seen.add(name)
            yield name


def _department_name(number: int) -> str:
    return DEPARTMENTS[number - 1] if number <= len(DEPARTMENTS) else f"第{number}分会"


def _with_next_round(
    document: doc.EventDocument, index: int, number: int, strengths: dict[str, float], random: Random
) -> doc.EventDocument:
    stage = document.stages[index]
    if stage.format is doc.StageFormat.SWISS:
        drawn, taken = _drawn(document, stage, random.randrange(10**9))
        draft = drafted_round(drawn, taken, hall_of(document, stage))
    else:
        stage, draft = format_round(document, stage, number, random.randrange(10**9))
    result_of = _Results(stage, strengths, random)
    lineups = _Lineups(document, f"{document.event.slug} {stage.id} {number}")
    matches = tuple(result_of.played(lineups.seated(match)) for match in draft.matches)
    played = replace(draft, status=doc.RoundStatus.COMPLETED, matches=matches)
    return _with_stage(document, index, with_round(stage, played))


def _drawn(
    document: doc.EventDocument, stage: doc.StageEntry, seed: int
) -> tuple[Draw, tuple[Relaxation, ...]]:
    try:
        return draw_next_round(document, stage, seed), ()
    except NoLegalDraw as error:
        taken = _first_offered(error.relaxations)
    return draw_next_round(document, stage, seed, taken), taken


def _first_offered(relaxations: tuple[Relaxation, ...]) -> tuple[Relaxation, ...]:
    """The first relaxation that helps alone, else those that help together."""
    alone = tuple(each for each in relaxations if not each.together)
    return alone[:1] or relaxations


def chance_results(
    document: doc.EventDocument, stage: doc.StageEntry, matches: Iterable[doc.MatchEntry], seed: int
) -> list[MatchResult]:
    """Invented results of matches of a stage under its own rules, in their order; byes are left out."""
    random = Random(seed)  # noqa: S311  as above
    strengths = {team.id: random.gauss(0, 1) for team in document.teams}
    results = _Results(stage, strengths, random)
    played = (results.played(match) for match in matches if not match.is_bye)
    return [match.result.result for match in played if match.result is not None]


class _Lineups:
    """Who sits at the table, where a team has more players than two."""

    def __init__(self, document: doc.EventDocument, seed: str) -> None:
        self.players = {team.id: [player.name for player in team.players] for team in document.teams}
        self.random = Random(seed)  # noqa: S311  as above

    def seated(self, match: doc.MatchEntry) -> doc.MatchEntry:
        """The match with a line-up of each side; nobody is named for a bye."""
        if match.away is None:
            return match
        lineup = {
            side: self._chosen(self.players[team])
            for side, team in zip(SIDES, (match.home, match.away), strict=True)
            if len(self.players[team]) > AT_TABLE
        }
        return replace(match, lineup=lineup) if lineup else match

    def _chosen(self, players: list[str]) -> tuple[str, ...]:
        places = sorted(self.random.sample(range(len(players)), AT_TABLE))
        return tuple(players[place] for place in places)


class _Results:
    """Invents the results of a stage's matches under their own rules."""

    def __init__(self, stage: doc.StageEntry, strengths: dict[str, float], random: Random) -> None:
        self.rules_of = rules_by_match(stage)
        self.tie_allowed = stage.format is not doc.StageFormat.KNOCKOUT
        self.counts_deals = stage_rules(stage.rules).scoring.model is ScoringModel.PER_DEAL
        self.strengths, self.random = strengths, random

    def played(self, match: doc.MatchEntry) -> doc.MatchEntry:
        """The match with a result; a bye has its own."""
        if match.away is None:
            return match
        rules = self.rules_of(match)
        chance = 1 / (1 + math.exp(self.strengths[match.away] - self.strengths[match.home]))
        if self.random.random() < FORFEITS:
            result = MatchResult(self.random.choice((Outcome.FORFEIT_HOME, Outcome.FORFEIT_AWAY)))
        elif rules.best_of == 1:
            result = self._game(chance, rules)
        else:
            result = MatchResult(Outcome.PLAYED, games=tuple(self._games(chance, rules)))
        completed = complete_result(result, rules, tie_allowed=self.tie_allowed)
        return replace(match, result=doc.ResultEntry(completed, game_extras=({},) * len(result.games or ())))

    def _games(self, chance: float, rules: MatchRules) -> Iterator[MatchResult]:
        """Games until a side has won most of them; who is level plays on, as an extra game would."""
        won = [0, 0]
        while max(won) <= rules.best_of // 2:
            game = self._game(chance, rules)
            home, away = game.home_level or 0, game.away_level or 0
            if home != away:
                won[home < away] += 1
                yield game

    def _game(self, chance: float, rules: MatchRules) -> MatchResult:
        """One game; at equal levels the facts that the rules may ask for are known."""
        (home, away), won = _levels(chance, self.random)
        told: dict[str, Any] = {"home_deals": won[0], "away_deals": won[1]} if self.counts_deals else {}
        if home != away or (self.tie_allowed and rules.equal_levels is EqualLevels.TIE):
            return MatchResult(Outcome.PLAYED, home_level=home, away_level=away, **told)
        side = Side.HOME if self.random.random() < chance else Side.AWAY
        told[TIE_FACTS.get(rules.equal_levels, "reached_first")] = side
        return MatchResult(Outcome.PLAYED, home_level=home, away_level=away, **told)


def _levels(chance: float, random: Random) -> tuple[tuple[int, int], list[tuple[int, ...]]]:
    """The levels at time-up, or when a side passed A: on a deal declared by itself, the partner not last.

    Besides, how many deals each side won as a double, with first and third, with first and last.
    """
    levels, won = [LOWEST, LOWEST], [[0, 0, 0], [0, 0, 0]]
    declarer = None
    for _ in range(random.randint(*DEALS_IN_TIME)):
        winner = 0 if random.random() < chance else 1
        steps = random.choices((3, 2, 1), (25, 40, 35))[0]
        won[winner][3 - steps] += 1
        if levels[winner] == ACE and declarer == winner and steps > 1:
            levels[winner] = PASSED
            break
        levels[winner] = min(levels[winner] + steps, ACE)
        declarer = winner
    return (levels[0], levels[1]), [tuple(counts) for counts in won]
