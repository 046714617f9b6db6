"""Prices a Swiss draw: `python -m benchmarks.draw`.

Every field is a tournament of eight rounds played through its own draws, one department with 45 % of the
teams; the draw of round 9 is timed, whole: order, meetings, tables, notes.
"""

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import networkx

from pairing.engine.field import field_of
from pairing.engine.swiss import draw_round
from pairing.engine.types import Draw, Entrant, Meeting, Method, PairingRules, SameDepartment

ROUNDS = 8
ADJACENT_LIMITS = {200: 2.0, 1_000: 8.0, 10_000: 250.0, 100_000: 5_000.0}
CLOSEST_LIMITS = {200: 40.0, 1_000: 1_000.0, 10_000: 10_000.0}

Price = tuple[float, float]
Played = tuple[list[Entrant], list[Meeting]]


def played(teams: int, share: float, rules: PairingRules, seed: int) -> Played:
    """The field before round 9: `share` of the teams in one department, the rest in twenty."""
    rng = random.Random(seed)
    strength = [rng.gauss(0, 1) for _ in range(teams)]
    large = round(teams * share)
    departments = [0] * large + [1 + rng.randrange(20) for _ in range(teams - large)]
    rng.shuffle(departments)
    entrants = [Entrant(team, team, 1, departments[team]) for team in range(teams)]
    points = [0] * teams
    meetings: list[Meeting] = []
    for number in range(1, ROUNDS + 1):
        draw = draw_round(entrants, meetings, rules, round_number=number, seed=seed)
        for match in draw.matches:
            edge = strength[match.home] - strength[match.away] + rng.gauss(0, 1)
            difference = max(-13, min(13, round(5 * edge)))
            points[match.home] += 13 + difference
            points[match.away] += 13 - difference
            meetings.append(Meeting(number, match.home, match.away))
        entrants = _ranked(entrants, points)
    return entrants, meetings


def _ranked(entrants: list[Entrant], points: list[int]) -> list[Entrant]:
    best_first = sorted(entrants, key=lambda team: (-points[team.id], team.number))
    ranked, rank = [], 0
    for place, team in enumerate(best_first, start=1):
        if place == 1 or points[team.id] != points[best_first[place - 2].id]:
            rank = place
        ranked.append(replace(team, rank=rank))
    return ranked


def timed(call: Callable[[], object], repeats: int) -> Price:
    """Median milliseconds on the clock, and of the processor: they differ on a busy machine."""
    clock, processor = [], []
    for _ in range(repeats):
        start, begin = time.perf_counter(), time.process_time()
        call()
        clock.append((time.perf_counter() - start) * 1_000)
        processor.append((time.process_time() - begin) * 1_000)
    return statistics.median(clock), statistics.median(processor)


def next_draw(field: Played, rules: PairingRules) -> Draw:
    entrants, meetings = field
    return draw_round(entrants, meetings, rules, round_number=ROUNDS + 1, seed=1)


def networkx_matching(field: Played) -> set[tuple[int, int]]:
    """Maximum-weight matching over all legal couples: the usual way, near opponents weighing more."""
    entrants, meetings = field
    known = field_of(entrants, meetings, PairingRules(), round_number=ROUNDS + 1, seed=1)
    legal, size = known.strict().legal, len(entrants)
    graph = networkx.Graph()
    for one in range(size):
        for other in range(one + 1, size):
            if legal(one, other):
                graph.add_edge(one, other, weight=size * size - (other - one) ** 2)
    return networkx.max_weight_matching(graph, maxcardinality=True)


def line(what: str, price: Price, limit: float | None = None, remark: str = "") -> None:
    clock, processor = price
    verdict = "" if limit is None else f"limit {limit:,.0f} ms: {'ok' if clock <= limit else 'TOO SLOW'}"
    print(f"{what:<44}{clock:>11,.2f} ms ({processor:,.2f} of processor)  {verdict}  {remark}", flush=True)


def adjacent(fields: dict[int, Played]) -> None:
    for teams, field in fields.items():
        repeats = max(3, min(51, 20_000 // teams))
        line(
            f"adjacent, {teams:,} teams",
            timed(lambda field=field: next_draw(field, PairingRules()), repeats),
            ADJACENT_LIMITS[teams],
        )


def against_networkx(field: Played) -> None:
    ours = timed(lambda: next_draw(field, PairingRules()), 51)
    theirs = timed(lambda: networkx_matching(field), 1)
    line(
        "networkx maximum-weight matching, 200 teams", theirs, remark=f"{theirs[1] / ours[1]:,.0f} times ours"
    )


def closest(fields: dict[int, Played]) -> None:
    rules = PairingRules(method=Method.CLOSEST)
    for teams, limit in CLOSEST_LIMITS.items():
        field = fields[teams]
        taken = timed(lambda field=field: next_draw(field, rules), 9 if teams < 10_000 else 1)
        proof = next_draw(field, rules).proof
        told = "optimal" if proof.is_optimal else f"at least {proof.lower_bound:,}"
        line(f"closest, {teams:,} teams", taken, limit, f"sum {proof.sum_of_squares:,}, {told}")


def soft() -> None:
    rules = PairingRules(same_department=SameDepartment.AVOID)
    for teams in (200, 1_000):
        field = played(teams, 0.6, rules, seed=1)
        tables = len(next_draw(field, rules).broken)
        taken = timed(lambda field=field: next_draw(field, rules), 5)
        line(f"to be avoided, 60 % one department, {teams:,}", taken, remark=f"{tables} tables within it")


def main() -> None:
    fields = {teams: played(teams, 0.45, PairingRules(), seed=1) for teams in ADJACENT_LIMITS}
    adjacent(fields)
    against_networkx(fields[200])
    closest(fields)
    soft()


if __name__ == "__main__":
    main()
