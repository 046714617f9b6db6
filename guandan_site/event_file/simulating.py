"""An invented event, played through its draws: for demonstrations, for tests and for trying rules.

The same arguments always give the same event. Names and departments are invented.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from guandan_site.event_file import document as doc
from guandan_site.event_file.drawing import drafted_round, draw_next_round, with_round
from guandan_site.event_file.limits import MOST_ROUNDS
from pairing.engine.types import Draw, NoLegalDraw, Relaxation
from scoring.engine.levels import ACE, LOWEST, PASSED
from scoring.engine.results import MatchResult, Outcome, complete_result
from scoring.engine.rules import MatchRules

MOST_TEAMS = 10_000
RULES = MatchRules()
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


def simulate(*, teams: int, departments: int, rounds: int, seed: int) -> doc.EventDocument:
    """An event of `rounds` completed Swiss rounds. Raises CannotSimulate.

    Where no legal draw is left, the first relaxation that helps is taken and recorded, as a chief would.
    """
    if not (2 <= teams <= MOST_TEAMS and 0 <= departments <= teams and 1 <= rounds <= MOST_ROUNDS):
        raise CannotSimulate
    random = Random(seed)  # noqa: S311  repeatable on purpose, nothing secret
    document = _event(teams, departments, rounds, seed, random)
    strengths = {team.id: random.gauss(0, 1) for team in document.teams}
    for _ in range(rounds):
        document = _with_next_round(document, strengths, random)
    return document


def _event(teams: int, departments: int, rounds: int, seed: int, random: Random) -> doc.EventDocument:
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
        stages=(_stage(departments, rounds),),
    )


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
    document: doc.EventDocument, strengths: dict[str, float], random: Random
) -> doc.EventDocument:
    stage = document.stages[0]
    draft = drafted_round(*_drawn(document, random.randrange(10**9)))
    matches = tuple(_played(match, strengths, random) for match in draft.matches)
    played = replace(draft, status=doc.RoundStatus.COMPLETED, matches=matches)
    return replace(document, stages=(with_round(stage, played),))


def _drawn(document: doc.EventDocument, seed: int) -> tuple[Draw, tuple[Relaxation, ...]]:
    stage = document.stages[0]
    try:
        return draw_next_round(document, stage, seed), ()
    except NoLegalDraw as error:
        taken = _first_offered(error.relaxations)
    return draw_next_round(document, stage, seed, taken), taken


def _first_offered(relaxations: tuple[Relaxation, ...]) -> tuple[Relaxation, ...]:
    """The first relaxation that helps alone, else those that help together."""
    alone = tuple(each for each in relaxations if not each.together)
    return alone[:1] or relaxations


def _played(match: doc.MatchEntry, strengths: dict[str, float], random: Random) -> doc.MatchEntry:
    if match.away is None:
        return match
    chance = 1 / (1 + math.exp(strengths[match.away] - strengths[match.home]))
    return replace(match, result=doc.ResultEntry(complete_result(_result(chance, random), RULES)))


def _result(chance: float, random: Random) -> MatchResult:
    if random.random() < FORFEITS:
        return MatchResult(random.choice((Outcome.FORFEIT_HOME, Outcome.FORFEIT_AWAY)))
    home, away = _levels(chance, random)
    return MatchResult(Outcome.PLAYED, home_level=home, away_level=away)


def _levels(chance: float, random: Random) -> tuple[int, int]:
    """The levels at time-up, or when a side passed A: on a deal declared by itself, the partner not last."""
    levels = [LOWEST, LOWEST]
    declarer = None
    for _ in range(random.randint(*DEALS_IN_TIME)):
        winner = 0 if random.random() < chance else 1
        steps = random.choices((3, 2, 1), (25, 40, 35))[0]
        if levels[winner] == ACE and declarer == winner and steps > 1:
            levels[winner] = PASSED
            break
        levels[winner] = min(levels[winner] + steps, ACE)
        declarer = winner
    return levels[0], levels[1]
