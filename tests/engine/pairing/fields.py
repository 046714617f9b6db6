"""Fields to draw from: small ones by hand, random ones for hypothesis, whole tournaments by simulation."""

import random
from collections import Counter
from dataclasses import replace

from hypothesis import strategies as st

from pairing.engine.swiss import draw_round
from pairing.engine.types import Draw, Entrant, FirstRound, Meeting, PairingRules, Rematch, SameDepartment


def teams(count: int, departments: str = "", **common: object) -> list[Entrant]:
    """Teams 1…count ranked by number; a letter per team names its department, a dot none."""
    letters = departments or "." * count
    return [
        Entrant(number, number, number, None if letter == "." else letter, **common)
        for number, letter in zip(range(1, count + 1), letters, strict=True)
    ]


def met(*rounds: str) -> list[Meeting]:
    """One text a round: `met("1-2 3-4", "1-3 2-4")`."""
    return [
        Meeting(number, *map(int, table.split("-")))
        for number, tables in enumerate(rounds, start=1)
        for table in tables.split()
    ]


def seats(draw: Draw) -> list[tuple[int, int]]:
    return [(match.home, match.away) for match in draw.matches]


@st.composite
def fields(draw: st.DrawFn, largest: int = 10) -> tuple[list[Entrant], list[Meeting]]:
    """Teams with shared ranks, byes and departments, and any set of meetings at all."""
    count = draw(st.integers(2, largest))
    numbers = draw(st.permutations(range(1, count + 1)))
    departments = draw(st.sampled_from([[None], ["A", "B"], ["A", "B", "C", None], ["A", None]]))
    department = st.sampled_from(departments)
    entrants = [
        Entrant(
            f"t{number}",
            number,
            draw(st.integers(1, count)),
            draw(department),
            byes=draw(st.integers(0, 1)) if count % 2 else 0,
            seed=draw(st.none() | st.integers(1, 9)),
        )
        for number in numbers
    ]
    couples = [(a.id, b.id) for i, a in enumerate(entrants) for b in entrants[:i]]
    density = draw(st.sampled_from([2, 4, 7]))
    chosen = [draw(st.integers(1, 9)) <= density for _ in couples]
    meetings = [
        Meeting(1 + index % 3, *couple)
        for index, (couple, has_met) in enumerate(zip(couples, chosen, strict=True))
        if has_met
    ]
    return entrants, meetings


def rules(**fixed: object) -> st.SearchStrategy[PairingRules]:
    """Any rules, with some fixed."""
    choices = {
        "first_round": st.sampled_from(FirstRound),
        "rematch": st.sampled_from(Rematch),
        "same_department": st.sampled_from(SameDepartment),
    }
    choices |= {name: st.just(value) for name, value in fixed.items()}
    return st.builds(PairingRules, **choices)


def ranked(entrants: list[Entrant], points: Counter) -> list[Entrant]:
    """Ranks by points, shared where equal."""
    return [
        replace(team, rank=1 + sum(points[other.id] > points[team.id] for other in entrants))
        for team in entrants
    ]


def tournament(entrants: list[Entrant], rounds: int, rules: PairingRules, seed: int) -> list[Draw]:
    """All draws of a tournament with random results."""
    rng = random.Random(seed)
    points: Counter = Counter()
    meetings: list[Meeting] = []
    draws = []
    for number in range(1, rounds + 1):
        draw = draw_round(entrants, meetings, rules, round_number=number, seed=seed)
        draws.append(draw)
        for match in draw.matches:
            difference = rng.randint(-13, 13)
            points[match.home] += 13 + difference
            points[match.away] += 13 - difference
            meetings.append(Meeting(number, match.home, match.away))
        points[draw.bye] += 16
        entrants = [replace(team, byes=team.byes + (team.id == draw.bye)) for team in entrants]
        entrants = ranked(entrants, points)
    return draws
