"""Prices the draws of groups, brackets and schedules: `python -m benchmarks.formats`."""

import random
import statistics
import time
from collections.abc import Callable

from pairing.engine.bracket import Bracket, resolve
from pairing.engine.groups import GroupMethod, draw_groups
from pairing.engine.knockout import BracketOrder, Byes, KnockoutRules, PlayedOut, knockout_bracket
from pairing.engine.round_robin import round_robin_schedule
from pairing.engine.types import Entrant

REPEATS = 5
GROUPS_LIMIT = 500.0
BRACKET_LIMIT = 200.0


def field(teams: int, departments: int, seed: int) -> list[Entrant]:
    rng = random.Random(seed)
    return [Entrant(number, number, number, rng.randrange(departments)) for number in range(1, teams + 1)]


def timed(call: Callable[[], object]) -> float:
    """Median milliseconds."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1_000)
    return statistics.median(times)


def line(what: str, milliseconds: float, limit: float | None = None) -> None:
    verdict = (
        "" if limit is None else f"limit {limit:>6,.0f} ms  {'ok' if milliseconds <= limit else 'TOO SLOW'}"
    )
    print(f"{what:<60}{milliseconds:>10,.1f} ms  {verdict}", flush=True)


def groups() -> None:
    for departments in (7, 30, 100):
        teams = field(512, departments, seed=1)
        for wanted in (32, 128, [3] * 100 + [4] * 53):
            for method in (GroupMethod.DRAW, GroupMethod.SNAKE):
                taken = timed(lambda t=teams, w=wanted, m=method: draw_groups(t, w, method=m, seed=1))
                told = (
                    f"{wanted} groups" if isinstance(wanted, int) else f"{len(wanted)} groups of given sizes"
                )
                line(f"{method.value}, 512 teams, {departments} departments, {told}", taken, GROUPS_LIMIT)


def brackets() -> None:
    cases = [
        ("numbers", KnockoutRules(byes=Byes.EACH_ROUND, played_out=PlayedOut.TO_EIGHT)),
        ("draw", KnockoutRules(BracketOrder.DRAW)),
        ("draw, departments apart", KnockoutRules(BracketOrder.DRAW, departments_apart=True)),
        ("seeded, departments apart", KnockoutRules(BracketOrder.SEEDED, departments_apart=True)),
        (
            "two zones, departments apart",
            KnockoutRules(BracketOrder.DRAW, zones=True, departments_apart=True),
        ),
        ("first of redrawn rounds, apart", KnockoutRules(BracketOrder.REDRAWN, departments_apart=True)),
    ]
    for name, rules in cases:
        for size, departments in ((1_024, 30), (1_024, 400), (1_000, 30)):
            teams = field(size, departments, seed=2)
            taken = timed(lambda t=teams, r=rules: knockout_bracket(t, r, seed=1))
            line(f"{name}, {size:,} teams, {departments} departments", taken, BRACKET_LIMIT)


def results() -> None:
    made = knockout_bracket(field(1_024, 30, seed=2), KnockoutRules(BracketOrder.SEEDED))
    winners = played(made)
    line("resolve 1,024 teams to the champion", timed(lambda: resolve(made, winners)))


def played(made: Bracket) -> dict[str, int | str | None]:
    winners: dict[str, int | str | None] = {}
    while ready := resolve(made, winners).ready:
        winners |= {entry.match.key: entry.home for entry in ready}
    return winners


def schedules() -> None:
    teams = list(range(64))
    line("round robin of 64", timed(lambda: round_robin_schedule(teams)))
    first = {team: team // 2 for team in teams}
    line(
        "round robin of 64, couples first",
        timed(lambda: round_robin_schedule(teams, departments_first=first)),
    )


def main() -> None:
    groups()
    brackets()
    results()
    schedules()


if __name__ == "__main__":
    main()
