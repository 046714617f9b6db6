"""As few tables as possible are seated anew after a correction: cases, and every seating of small fields."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from pairing.engine.field import field_of
from pairing.engine.mending import fewest_changes
from pairing.engine.swiss import draw_round
from pairing.engine.types import PairingRules

from .exhaustive import Definition
from .fields import fields, met, rules, seats, teams

DEFAULT = PairingRules()
ROUND_ONE = met("1-8 2-7 3-6 4-5")


def mend(tables, entrants, meetings=ROUND_ONE, rules=DEFAULT, *, wanted, started=()):
    found = fewest_changes(tables, started, entrants, meetings, rules, wanted=wanted, round_number=2)
    assert [index for index, table in enumerate(tables) if found.tables[index] != table] == list(
        found.changed
    )
    return found


def test_two_tables_change_when_their_teams_may_meet_crosswise():
    published = [(1, 2), (3, 4), (5, 6), (7, 8)]
    found = mend(published, teams(8), wanted={1: 3, 3: 1})
    assert found.tables == ((1, 3), (2, 4), (5, 6), (7, 8))
    assert found.changed == (0, 1)


def test_a_third_table_joins_when_those_left_have_met():
    published = [(1, 2), (3, 4), (5, 6), (7, 8)]
    found = mend(published, teams(8), met("1-8 2-4 3-7 5-6"), wanted={1: 3})
    assert found.tables == ((1, 3), (2, 5), (4, 6), (7, 8))


def test_a_table_that_has_started_stays_and_the_nearest_opponent_is_taken():
    published = [(1, 2), (3, 4), (5, 6), (7, 8)]
    found = mend(published, teams(8), wanted={1: 3}, started={1})
    assert found.tables == tuple(published)  # nobody stands nearer to 3 than 2 does


def test_nothing_changes_when_everybody_sits_where_wanted():
    published = [(1, 2), (3, 4), (5, 6), (7, 8)]
    assert mend(published, teams(8), wanted={1: 2, 4: 3}).changed == ()


def test_departments_stay_apart():
    published = [(1, 2), (3, 4), (5, 6), (7, 8)]
    found = mend(published, teams(8, ".A.A...."), wanted={1: 3})
    assert found.tables == ((1, 3), (2, 5), (4, 6), (7, 8))


def test_the_bye_stays():
    published = [(1, 2), (3, 4)]
    found = mend(published, teams(5), met("1-4 2-5"), wanted={1: 3})
    assert found.tables == ((1, 3), (2, 4))


def test_a_large_field_moves_only_those_near():
    entrants = teams(1_000)
    first = draw_round(entrants, [], DEFAULT, round_number=1, seed=1)
    meetings = met(" ".join(f"{home}-{away}" for home, away in seats(first)))
    published = seats(draw_round(entrants, meetings, DEFAULT, round_number=2, seed=1))
    wanted = {500: next(n for n in range(503, 510) if n not in {m.away for m in meetings if m.home == 500})}
    found = mend(published, entrants, meetings, wanted=wanted)
    assert 2 <= len(found.changed) <= 4
    assert any(set(table) == {*wanted, *wanted.values()} for table in found.tables)


@given(fields(largest=8), rules(first_round=st.just("random")), st.data())
def test_equals_the_definition(field_, rules_, data):
    """Every seating of the tables that have not started is looked at, the best aims taken."""
    entrants, meetings = field_
    definition = Definition(entrants, meetings, rules_, 2, 0)
    order = field_of(entrants, meetings, rules_, round_number=2, seed=0).teams
    positions = list(range(len(order) - len(order) % 2))
    seatings = list(definition.seatings(positions))
    if not seatings:
        return
    published = data.draw(st.sampled_from(seatings))
    started = data.draw(st.sets(st.sampled_from(range(len(published))), max_size=len(published)))
    wanted = dict(data.draw(st.lists(st.sampled_from(list(combinations(positions, 2))), max_size=2)))
    ids = [team.id for team in order]

    def aims(tables):
        mate = {one: other for table in tables for one, other in (table, table[::-1])}
        free = {
            position for index, table in enumerate(published) if index not in started for position in table
        }
        new = [table for table in tables if table not in published]
        return (
            sum(abs(mate[team] - opponent) for team, opponent in wanted.items() if team in free),
            len(new),
            definition.total(new),
            sum((one - other) ** 2 for one, other in tables),
        )

    kept = {table for index, table in enumerate(published) if index in started}
    best = min(aims(tables) for tables in seatings if kept <= set(tables))
    found = fewest_changes(
        [(ids[one], ids[other]) for one, other in published],
        started,
        entrants,
        meetings,
        rules_,
        wanted={ids[one]: ids[other] for one, other in wanted.items()},
        round_number=2,
    )
    place = {team: index for index, team in enumerate(ids)}
    seated = [tuple(sorted((place[one], place[other]))) for one, other in found.tables]
    assert aims(seated) == best
    assert [seated[index] for index in sorted(started)] == [published[index] for index in sorted(started)]
