"""Why there is no legal draw, and which changes of the rules would make one possible."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from .field import Field
from .matching import Graph, Search, maximum_matching
from .types import NoLegalDraw, PairingRules, Reason, Relaxation, Rematch, Rule, SameDepartment, TeamId

_OFFERED = (
    Relaxation(Rule.SAME_DEPARTMENT, SameDepartment.AVOID.value),
    Relaxation(Rule.REMATCH, Rematch.AVOID.value),
    Relaxation(Rule.FORCED, "drop"),
    Relaxation(Rule.FORBIDDEN, "drop"),
)


def relaxed(rules: PairingRules, relaxation: Relaxation) -> PairingRules:
    """The rules with one of the offered changes made."""
    if relaxation.rule is Rule.SAME_DEPARTMENT:
        return replace(rules, same_department=SameDepartment(relaxation.value))
    if relaxation.rule is Rule.REMATCH:
        return replace(rules, rematch=Rematch(relaxation.value))
    if relaxation.rule is Rule.FORCED:
        return replace(rules, forced=())
    return replace(rules, forbidden=())


def no_legal_draw(field: Field, is_possible: Callable[[PairingRules], bool]) -> NoLegalDraw:
    """The error that says whose fault it is and what would help; `is_possible` tries changed rules."""
    relaxations = _relaxations(field, is_possible)
    if len(field.teams) < 2:
        return NoLegalDraw(Reason.TOO_FEW_TEAMS, _ids(field, range(len(field.teams))))
    free, graph = field.free(), field.permitted()
    majority = _majority(field, free, graph)
    if majority:
        return NoLegalDraw(Reason.DEPARTMENT_MAJORITY, _ids(field, majority), relaxations)
    if all(other in field.met[one] for one, other in combinations(free, 2)):
        return NoLegalDraw(Reason.EVERYBODY_MET, _ids(field, free), relaxations)
    teams, between = _witness(graph, free)
    return NoLegalDraw(
        Reason.NO_PERFECT_MATCHING, _ids(field, teams), relaxations, only_opponents=_ids(field, between)
    )


def _ids(field: Field, positions: Sequence[int]) -> list[TeamId]:
    teams = sorted((field.teams[position] for position in positions), key=lambda team: team.number)
    return [team.id for team in teams]


def _majority(field: Field, free: Sequence[int], graph: Graph) -> list[int]:
    if field.departments is not SameDepartment.NEVER or not free:
        return []
    group, count = Counter(graph.group[position] for position in free).most_common(1)[0]
    # With an odd number one of them may take the bye.
    if 2 * count <= len(free) + len(free) % 2:
        return []
    return [position for position in free if graph.group[position] == group]


def _witness(graph: Graph, free: Sequence[int]) -> tuple[list[int], list[int]]:
    """Gallai and Edmonds: circles, each odd in number, that can meet others only through too few teams.

    One circle that is most of the field is not named: the small ones are what stands in the way, and one of
    them may always be left out of the proof.
    """
    mate, exposed = maximum_matching(graph, free)
    search = Search(graph, mate, free)
    search.label(exposed)
    circles: dict[int, list[int]] = {}
    for position in search.outer:
        circles.setdefault(search.base_of(position), []).append(position)
    named = [circle for circle in circles.values() if 2 * len(circle) <= len(free)]
    return sorted(position for circle in named for position in circle), sorted(search.inner)


def _relaxations(field: Field, is_possible: Callable[[PairingRules], bool]) -> list[Relaxation]:
    """Those that help alone; if none does, the shortest beginning of the list that helps together."""
    open_changes = [change for change in _OFFERED if relaxed(field.rules, change) != field.rules]
    open_changes = [change for change in open_changes if _tightens(field, change.rule)]
    alone = [change for change in open_changes if is_possible(relaxed(field.rules, change))]
    return alone or list(_together(field.rules, open_changes, is_possible))


def _tightens(field: Field, rule: Rule) -> bool:
    return rule is not Rule.SAME_DEPARTMENT or field.departments is SameDepartment.NEVER


def _together(
    rules: PairingRules, changes: Sequence[Relaxation], is_possible: Callable[[PairingRules], bool]
) -> Iterator[Relaxation]:
    for length, change in enumerate(changes, start=1):
        rules = relaxed(rules, change)
        if is_possible(rules):
            yield from (replace(each, together=True) for each in changes[:length])
            return
