"""Checks a seating that a person changed, and whether a finished draw obeys the rules it was made under."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from .field import Field, field_of
from .matching import Table
from .notes import table_notes
from .swiss import Seating, breaks, seating_of
from .tables import ALL_TABLES, Tables
from .types import (
    Broken,
    Couple,
    DrawnMatch,
    Entrant,
    Meeting,
    Method,
    Note,
    NoteKind,
    PairingRules,
    Rematch,
    Rule,
    SameDepartment,
    TeamId,
)


class Fault(StrEnum):
    """What is wrong with a draw."""

    TEAM_UNKNOWN = "team_unknown"
    TEAM_MISSING = "team_missing"
    TEAM_TWICE = "team_twice"
    TABLE_TWICE = "table_twice"
    TABLE_GAP = "table_gap"
    TABLE_OUT = "table_out"
    HOME_BELOW_AWAY = "home_below_away"
    BYE_NOT_NEEDED = "bye_not_needed"
    BYE_NOT_FEWEST = "bye_not_fewest"
    REMATCH = "rematch"
    SAME_DEPARTMENT = "same_department"
    FORBIDDEN = "forbidden"
    FORCED_APART = "forced_apart"
    MORE_REMATCHES = "more_rematches"
    MORE_SAME_DEPARTMENT = "more_same_department"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: the teams or the table it is about.

    `round` = when two teams met before; `least` = how many byes or broken tables would have done.
    """

    fault: Fault
    teams: tuple[TeamId, ...] = ()
    table: int | None = None
    round: int | None = None
    least: int | None = None


def broken_rules(
    seating: Sequence[Couple],
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    rules: PairingRules,
    round_number: int,
) -> list[Broken]:
    """What these tables (home, away) break, soft rules too, in their order; then forced couples left apart.

    Teams that are not among the entrants break nothing here.
    """
    field = _field(entrants, meetings, rules, round_number)
    broken = []
    for home, away in seating:
        one, other = field.place.get(home), field.place.get(away)
        if one is not None and other is not None:
            broken += [Broken(rule, (home, away), played) for rule, played in field.broken(one, other)]
    seated = set(_positions(field, seating))
    return broken + [
        Broken(Rule.FORCED, _ids(field, couple)) for couple in field.forced if couple not in seated
    ]


def may_meet(
    one: TeamId,
    other: TeamId,
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    rules: PairingRules,
    round_number: int,
) -> bool:
    """Whether a table of these two is legal by itself: it breaks at most what the rules only avoid.

    Raises KeyError for a team that is not among the entrants.
    """
    field = _field(entrants, meetings, rules, round_number)
    hard = {
        Rule.FORBIDDEN: True,
        Rule.REMATCH: rules.rematch is Rematch.NEVER,
        Rule.SAME_DEPARTMENT: field.departments is SameDepartment.NEVER,
    }
    return not any(hard[rule] for rule, _round in field.broken(field.place[one], field.place[other]))


def explain_seating(
    seating: Sequence[Couple],
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    rules: PairingRules,
    *,
    round_number: int,
    seed: int,
) -> list[tuple[Note, ...]]:
    """For each table of a hand-made seating, in its order, why it is not simply the next one.

    An opponent against whom no rule stood was passed over by hand. Raises KeyError for a team that is not
    among the entrants.
    """
    field = field_of(entrants, meetings, rules, round_number=round_number, seed=seed)
    tables = [_ordered(field.place[home], field.place[away]) for home, away in seating]
    notes = table_notes(field, sorted(tables), NoteKind.BY_HAND)
    return [notes.get(table, ()) for table in tables]


def check_draw(
    matches: Sequence[DrawnMatch],
    bye: TeamId | None,
    entrants: Sequence[Entrant],
    meetings: Sequence[Meeting],
    rules: PairingRules,
    round_number: int,
    tables: Tables = ALL_TABLES,
) -> list[Finding]:
    """Everything wrong with a draw: seats, table numbers, bye, hard rules, soft rules broken too often.

    `entrants` and `meetings` as they stood before the round, `tables` those that could be used in it. Whether
    neighbours meet is not asked: a chief referee may have swapped teams.
    """
    field = _field(entrants, meetings, rules, round_number)
    findings = [*_seats(field, matches, bye), *_table_numbers(field, matches, tables)]
    if findings:
        return findings
    best = seating_of(replace(field, rules=replace(rules, method=Method.ADJACENT)))
    seating = [(match.home, match.away) for match in matches]
    free = [table for table in _positions(field, seating) if table not in field.forced]
    return [
        *_sides(field, matches),
        *_bye(field, bye, best),
        *_hard(field, bye, broken_rules(seating, entrants, meetings, rules, round_number)),
        *_soft(field, free, best),
    ]


def _field(
    entrants: Sequence[Entrant], meetings: Sequence[Meeting], rules: PairingRules, round_number: int
) -> Field:
    # What a draw breaks does not depend on the order in which a random first round was drawn.
    return field_of(entrants, meetings, rules, round_number=round_number, seed=0)


def _ordered(one: int, other: int) -> Table:
    return min(one, other), max(one, other)


def _positions(field: Field, seating: Iterable[Couple]) -> list[Table]:
    couples = [(field.place.get(home), field.place.get(away)) for home, away in seating]
    return [_ordered(one, other) for one, other in couples if one is not None and other is not None]


def _ids(field: Field, table: Table) -> Couple:
    return field.teams[table[0]].id, field.teams[table[1]].id


def _seats(field: Field, matches: Sequence[DrawnMatch], bye: TeamId | None) -> Iterator[Finding]:
    seats = Counter(team for match in matches for team in (match.home, match.away))
    if bye is not None:
        seats[bye] += 1
        if len(field.teams) % 2 == 0:
            yield Finding(Fault.BYE_NOT_NEEDED, (bye,))
    for team, count in seats.items():
        if team not in field.place:
            yield Finding(Fault.TEAM_UNKNOWN, (team,))
        elif count > 1:
            yield Finding(Fault.TEAM_TWICE, (team,))
    for entrant in sorted(field.teams, key=lambda each: each.number):
        if entrant.id not in seats:
            yield Finding(Fault.TEAM_MISSING, (entrant.id,))


def _table_numbers(field: Field, matches: Sequence[DrawnMatch], tables: Tables) -> Iterator[Finding]:
    """Each number once, of those that could be used without a gap; only a fixed table may lie beyond."""
    numbers = Counter(match.table for match in matches)
    fixed = {team.fixed_table for team in field.teams}
    for number, count in sorted(numbers.items()):
        if count > 1:
            yield Finding(Fault.TABLE_TWICE, table=number)
    out = [number for number in sorted(numbers) if number not in tables]
    if out:
        yield from (Finding(Fault.TABLE_OUT, table=number) for number in out)
        return
    highest = max((number for number in numbers if number not in fixed), default=0)
    for number in range(tables.first, highest):
        if number in tables and number not in numbers:
            yield Finding(Fault.TABLE_GAP, table=number)
            return


def _sides(field: Field, matches: Sequence[DrawnMatch]) -> Iterator[Finding]:
    if field.is_first:
        return
    for match in matches:
        if field.place[match.home] > field.place[match.away]:
            yield Finding(Fault.HOME_BELOW_AWAY, (match.home, match.away), match.table)


def _bye(field: Field, bye: TeamId | None, best: Seating | None) -> Iterator[Finding]:
    if bye is None or best is None or best.bye is None:
        return
    least = field.teams[best.bye].byes
    if field.teams[field.place[bye]].byes > least:
        yield Finding(Fault.BYE_NOT_FEWEST, (bye,), least=least)


def _hard(field: Field, bye: TeamId | None, broken: Sequence[Broken]) -> Iterator[Finding]:
    excused = {_ids(field, table) for table in field.forced}
    excused |= {(away, home) for home, away in excused}
    hard = {Rule.FORBIDDEN: Fault.FORBIDDEN, Rule.FORCED: Fault.FORCED_APART}
    if field.rules.rematch is Rematch.NEVER:
        hard[Rule.REMATCH] = Fault.REMATCH
    if field.departments is SameDepartment.NEVER:
        hard[Rule.SAME_DEPARTMENT] = Fault.SAME_DEPARTMENT
    for each in broken:
        if each.rule not in hard or (each.rule is not Rule.FORCED and each.teams in excused):
            continue
        if each.rule is not Rule.FORCED or bye not in each.teams:
            yield Finding(hard[each.rule], each.teams, round=each.round)


def _soft(field: Field, tables: Sequence[Table], best: Seating | None) -> Iterator[Finding]:
    if best is None:
        return
    rematches, same = breaks(field, tables)
    least, least_same = breaks(field, (table for table in best.tables if table not in field.forced))
    if field.rules.rematch is Rematch.AVOID and rematches > least:
        yield Finding(Fault.MORE_REMATCHES, least=least)
    soft = field.departments is SameDepartment.AVOID
    if soft and rematches <= least and same > least_same:
        yield Finding(Fault.MORE_SAME_DEPARTMENT, least=least_same)
