"""How fast standings are computed and deals are played: `python -m benchmarks.standings_engine`."""

from collections.abc import Callable
from itertools import pairwise
from random import Random
from time import perf_counter

from scoring.engine.deals import play_deal, start_game
from scoring.engine.results import MatchResult, Outcome, complete_result
from scoring.engine.rules import DEFAULT_RANKING, MatchRules, RankingKey, ScoringRules, StrikeRules
from scoring.engine.standings import Entrant, PlayedMatch, standings

ORDERS = ("HHAA", "HAHA", "HAAH", "AAHH", "AHAH", "AHHA")


def event(teams: int, rounds: int, seed: int) -> tuple[list[Entrant], list[PlayedMatch]]:
    """A field that met at random, every match played."""
    random, rules = Random(seed), MatchRules()
    entrants = [Entrant(number, number) for number in range(1, teams + 1)]
    matches = []
    for number in range(1, rounds + 1):
        order = random.sample(range(1, teams + 1), teams)
        for home, away in list(pairwise(order))[::2]:
            levels = random.choice(
                [(15, random.randint(2, 14)), (random.randint(2, 14), random.randint(2, 14))]
            )
            result = MatchResult(Outcome.PLAYED, home_level=levels[0], away_level=levels[1])
            matches.append(PlayedMatch(number, home, away, complete_result(result, rules)))
    return entrants, matches


def best_seconds(call: Callable[[], object], times: int) -> float:
    """The shortest of several runs: the machine's noise only ever adds."""
    return min(_seconds(call) for _ in range(times))


def _seconds(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


def play_deals(orders: list[str], rules: MatchRules) -> None:
    """Plays the orders, a new game whenever one is over."""
    state = start_game(rules)
    for order in orders:
        state = play_deal(state, order, rules)
        if state.winner is not None:
            state = start_game(rules)


def report_standings(teams: int, rounds: int, times: int) -> None:
    """Prints the time for the default keys and for all keys."""
    entrants, matches = event(teams, rounds, seed=1)
    for name, ranking in (("default", DEFAULT_RANKING), ("all", tuple(RankingKey))):
        seconds = best_seconds(
            lambda ranking=ranking: standings(entrants, matches, scoring=ScoringRules(), ranking=ranking),
            times,
        )
        print(f"standings  {teams:6} teams x {rounds} rounds, {name:7} keys  {1000 * seconds:8.1f} ms")


def main() -> None:
    """Prints every figure."""
    report_standings(200, 7, times=20)
    report_standings(10_000, 9, times=3)
    random = Random(2)
    orders = random.choices(ORDERS, k=100_000)
    for name, rules in (("plain", MatchRules()), ("with strikes", MatchRules(strikes=StrikeRules()))):
        seconds = best_seconds(lambda rules=rules: play_deals(orders, rules), times=3)
        print(f"deals      {name:12}  {len(orders) / seconds:10,.0f} deals/s")


if __name__ == "__main__":
    main()
