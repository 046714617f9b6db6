"""How stages began, derived again: who had to advance, groups and schedule, bracket, rounds drawn by lot."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from guandan_site.event_file import document as doc
from guandan_site.event_file.beginning import LinesOpen, entrants, teams_left, winners
from guandan_site.event_file.cutting import advancement_at_cut
from guandan_site.event_file.findings import Breach, Finding, finding
from guandan_site.event_file.problems import InvalidEventFile
from pairing.beginnings import Beginning, begin, entry_rules
from pairing.engine.advancing import Qualifier
from pairing.engine.bracket import Bracket
from pairing.engine.formats import InvalidFormat
from pairing.engine.knockout import draw_next_round
from pairing.engine.types import Entrant
from pairing.format_rules import knockout_rules
from pairing.layouts import DrawnBy, as_begun, bracket_of, first_team
from scoring.engine.outcomes import InvalidResult


def check_beginning(document: doc.EventDocument, stage: doc.StageEntry, path: str) -> Iterator[Finding]:
    """Whether the entries and what was drawn from them follow from the seed and from the stages before."""
    if "seed" not in stage.layout:
        return
    numbers = {team.id: team.number for team in document.teams}
    entered = {first_team(stage.layout, team): team for team in _entered(document, stage)}
    qualifiers: Sequence[Qualifier] = ()
    if entry_rules(stage.rules).is_chained:
        try:
            qualifiers = advancement_at_cut(document, stage).qualifiers
        except LinesOpen as error:
            tied = sorted(numbers[str(team)] for line in error.advancement.open_lines for team in line.tied)
            yield finding(f"{path}.teams", Breach.CUT_OPEN, teams=tied)
            return
        except (InvalidFormat, InvalidEventFile, InvalidResult):
            yield finding(f"{path}.teams", Breach.CUT_IMPOSSIBLE)
            return
        found = list(_check_entries(stage, qualifiers, entered, numbers, path))
        yield from found
        if found:
            return
    yield from _check_drawn(document, stage, qualifiers, list(entered), path)


def _entered(document: doc.EventDocument, stage: doc.StageEntry) -> list[str]:
    return [team.id for team in document.teams_of(stage)]


def _check_entries(
    stage: doc.StageEntry,
    qualifiers: Sequence[Qualifier],
    entered: Mapping[str, str],
    numbers: Mapping[str, int],
    path: str,
) -> Iterator[Finding]:
    """Who had to advance has entered, with the seed that was frozen, or somebody in its place."""
    due = {str(each.team): each.seed for each in qualifiers}
    for team, seed in due.items():
        if team not in entered:
            yield finding(f"{path}.teams", Breach.ADVANCE_MISSING, team=numbers[team], seed=seed)
    for team, stands in entered.items():
        if team not in due:
            yield finding(f"{path}.teams", Breach.ADVANCED_WRONGLY, team=numbers[stands])
        elif stage.seeds.get(stands) != due[team]:
            told = {"team": numbers[stands], "seed": stage.seeds.get(stands), "wanted": due[team]}
            yield finding(f"{path}.seeds.{stands}", Breach.OTHER_SEED, **told)


def _check_drawn(
    document: doc.EventDocument,
    stage: doc.StageEntry,
    qualifiers: Sequence[Qualifier],
    teams: Sequence[str],
    path: str,
) -> Iterator[Finding]:
    """The same seed and entries give the same groups and schedule, or the same bracket."""
    seed: Any = stage.layout["seed"]
    entering = [team for team in document.teams if team.id in set(teams)]
    entering.sort(key=lambda team: team.number)
    try:
        recorded = as_begun(stage.layout)
        found = begin(
            stage.format.value,
            stage.rules,
            entrants(entering),
            seed,
            qualifiers=qualifiers,
            given=_given(recorded),
            teams_left=teams_left(document, stage),
        )
    except InvalidFormat:
        yield finding(f"{path}.layout", Breach.OTHER_BEGINNING, seed=seed)
        return
    if "schedule" in recorded:
        yield from _check_groups(recorded, found, path)
    elif "bracket" in recorded:
        yield from _check_bracket(stage, recorded, found, entrants(entering), path)


def _given(recorded: Mapping[str, Any]) -> dict[int | str, int]:
    """The groups as they stand, for those that nobody draws."""
    groups = recorded.get("groups", [])
    return {team: number for number, group in enumerate(groups, start=1) for team in group}


def _check_groups(recorded: Mapping[str, Any], found: Beginning, path: str) -> Iterator[Finding]:
    drawn = [list(group) for group in found.groups]
    for place, group in enumerate(recorded["groups"]):
        if place >= len(drawn) or sorted(group) != sorted(map(str, drawn[place])):
            where = f"{path}.layout.groups[{place}]"
            yield finding(where, Breach.OTHER_GROUPS, group=place + 1, seed=recorded["seed"])
            return
    if recorded["schedule"] != found.layout["schedule"]:
        yield finding(f"{path}.layout.schedule", Breach.OTHER_SCHEDULE)


def _check_bracket(
    stage: doc.StageEntry,
    recorded: Mapping[str, Any],
    found: Beginning,
    teams: Sequence[Entrant],
    path: str,
) -> Iterator[Finding]:
    """Match by match; rounds that were drawn anew from who had won until then."""
    bracket, begun = bracket_of(recorded), bracket_of(found.layout)
    place = _first_difference(bracket, begun)
    rounds = {match.round for match in begun}
    if place < len(begun):
        key = bracket[place].key if place < len(bracket) else begun[place].key
        yield finding(f"{path}.layout.bracket[{place}]", Breach.OTHER_BRACKET, key=key, seed=recorded["seed"])
        return
    for index, played in enumerate(stage.rounds):
        if played.number not in rounds:
            yield from _check_lots(stage, bracket, teams, index, path)


def _first_difference(one: Bracket, other: Bracket) -> int:
    """How many matches agree from the beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _check_lots(
    stage: doc.StageEntry,
    bracket: Bracket,
    teams: Sequence[Entrant],
    index: int,
    path: str,
) -> Iterator[Finding]:
    """A round drawn anew among the winners comes out the same again, if nothing was voided before it."""
    played = stage.rounds[index]
    draw = played.draw
    if draw is None or draw.method != DrawnBy.LOTS or draw.changes:
        return
    before = tuple(match for match in bracket if match.round < played.number)
    known = {
        key: None if winner is None else first_team(stage.layout, str(winner))
        for key, winner in winners(stage, played.number).items()
    }
    format: Any = stage.rules.get("format", {})
    rules = knockout_rules(format)
    wanted = tuple(match for match in bracket if match.round <= played.number)
    try:
        again = draw_next_round(before, teams, rules, known, seed=draw.seed)
    except InvalidFormat:
        return  # An earlier round is open, or the results do not fit: found there.
    if again != wanted:
        yield finding(f"{path}.rounds[{index}].draw", Breach.OTHER_LOTS, round=played.number, seed=draw.seed)


def check_sections(document: doc.EventDocument) -> Iterator[Finding]:
    """Stages that feed one final share the teams: nobody plays in two of them."""
    for later in document.stages:
        seen: dict[str, str] = {}
        for index, stage in enumerate(document.stages):
            if stage.id not in entry_rules(later.rules).sources or stage.teams is None:
                continue
            for team in document.teams_of(stage):
                if team.id in seen:
                    told = {"team": team.number, "stage": seen[team.id]}
                    yield finding(f"$.stages[{index}].teams", Breach.IN_TWO_SECTIONS, **told)
                seen.setdefault(team.id, stage.name)
