"""The draws of a Swiss stage: who sits where, and whether the engine finds the rules kept."""

from collections.abc import Iterator
from typing import Any

from guandan_site.event_file import document as doc
from guandan_site.event_file.cutting import at_draw
from guandan_site.event_file.drawing import DrawInputs, draw_inputs, drawn_again, recorded_relaxations
from guandan_site.event_file.findings import Breach, Finding, finding, places
from pairing.engine import checks
from pairing.engine.checks import Fault, check_draw
from pairing.engine.tables import TooFewTables
from pairing.engine.types import DrawnMatch, NoLegalDraw, TeamId
from scoring.cut_notes import AFTER_DRAW

KEPT = "kept"
"""What a draw says of itself where the chief kept it after a correction."""
BREACHES = {
    Fault.REMATCH: Breach.MET_BEFORE,
    Fault.SAME_DEPARTMENT: Breach.SAME_DEPARTMENT,
    Fault.FORBIDDEN: Breach.FORBIDDEN,
    Fault.FORCED_APART: Breach.FORCED,
    Fault.BYE_NOT_FEWEST: Breach.MORE_BYES,
    Fault.MORE_REMATCHES: Breach.AVOIDABLE_REMATCHES,
    Fault.MORE_SAME_DEPARTMENT: Breach.AVOIDABLE_DEPARTMENTS,
}
"""The faults that an event is blamed for: who is named first or at which table breaks no rule."""


def check_round(
    document: doc.EventDocument, stage: doc.StageEntry, played: doc.RoundEntry, path: str
) -> Iterator[Finding]:
    """Everything that is wrong with the tables of one round of a Swiss stage."""
    swiss = _SwissRound(document, stage, played, path)
    yield from swiss.check_everyone()
    yield from swiss.check_seats()
    yield from swiss.check_rules()
    yield from swiss.check_bye()
    yield from swiss.check_recorded_draw()


class _SwissRound:
    """One round with what it had to be drawn from: the teams that sit in it, and the standings before it."""

    def __init__(
        self, document: doc.EventDocument, stage: doc.StageEntry, played: doc.RoundEntry, path: str
    ) -> None:
        self.document, self.stage = document, stage
        self.played = played
        self.path = path
        self.teams = {team.id: team for team in document.teams_of(stage)}
        self.matches = dict(places(played, path))
        self.tables = {place: match for place, match in self.matches.items() if not match.is_bye}
        self.byes = {place: match.home for place, match in self.matches.items() if match.is_bye}
        self.seated = {team for match in played.matches for team in match.teams}
        seated = [team for team in self.teams.values() if team.id in self.seated]
        self.as_planned = draw_inputs(*at_draw(document, stage, played.number), played.number, seated)
        self.inputs = self.as_planned.relaxed(recorded_relaxations(played.draw))

    def check_everyone(self) -> Iterator[Finding]:
        """Every team that takes part has a place."""
        for team in self.teams.values():
            is_due = self.document.plays_in(self.stage, team, self.played.number)
            if is_due and team.id not in self.seated:
                yield self._about_round(Breach.LEFT_OUT, team=team.number, round=self.played.number)

    def check_seats(self) -> Iterator[Finding]:
        """Nobody sits who left, is absent or has not yet come; one team is free; every match has a table."""
        number = self.played.number
        for place, match in self.matches.items():
            if match.table is None and not match.is_bye:
                yield finding(f"{place}.table", Breach.TABLE_MISSING)
            for side, team in zip(("home", "away"), (self.teams[each] for each in match.teams), strict=False):
                if self.document.has_left(self.stage, team, number):
                    left = team.withdrawn_after
                    yield finding(f"{place}.{side}", Breach.WITHDRAWN, team=team.number, round=left)
                elif team.is_absent(self.stage.id, number):
                    yield finding(f"{place}.{side}", Breach.ABSENT, team=team.number, round=number)
                elif not self.document.plays_in(self.stage, team, number):
                    entered = team.first_round
                    yield finding(f"{place}.{side}", Breach.NOT_ENTERED, team=team.number, round=entered)
        for place, free in list(self.byes.items())[1:]:
            yield finding(place, Breach.SECOND_BYE, team=self._number(free))

    def check_rules(self) -> Iterator[Finding]:
        """Rematches, departments, what the chief set, and the number of byes, as the engine judges them."""
        bye = self._bye()
        tables = [
            DrawnMatch(number, match.home, str(match.away))
            for number, match in enumerate(self.tables.values(), start=1)
        ]
        present = {team for table in tables for team in (table.home, table.away)} | {bye}
        entrants = [entrant for entrant in self.inputs.entrants if entrant.id in present]
        meetings, rules = self.inputs.meetings, self.inputs.rules
        for fault in check_draw(tables, bye, entrants, meetings, rules, self.played.number):
            if fault.fault in BREACHES:
                yield self._fault(fault)

    def _fault(self, fault: checks.Finding) -> Finding:
        numbers = [self._number(team) for team in fault.teams]
        values = {"teams": numbers, "round": fault.round, "least": fault.least}
        return finding(self._place(fault.teams), BREACHES[fault.fault], **values)

    def _place(self, teams: tuple[TeamId, ...]) -> str:
        for place, match in self.matches.items():
            if teams and set(teams) == set(match.teams):
                return place
        return f"{self.path}.matches"

    def check_bye(self) -> Iterator[Finding]:
        """From round 2 the bye is the engine's, unless the chief changed the draw by hand."""
        bye = self._bye()
        if bye is None or self.played.number == 1 or self._is_changed_by_hand():
            return
        try:
            best = self.inputs.drawn(0).bye
        except NoLegalDraw:
            return
        byes = {entrant.id: entrant.byes for entrant in self.inputs.entrants}
        if best is not None and best != bye and byes[bye] <= byes[best]:
            place = next(iter(self.byes))
            yield finding(place, Breach.BYE_TOO_HIGH, team=self._number(bye), better=self._number(best))

    def check_recorded_draw(self) -> Iterator[Finding]:
        """A draw that says how it was made, and was not changed since, comes out the same again."""
        recorded = self.played.draw
        if recorded is None or self._is_changed_by_hand() or not recorded.explained:
            return
        drawn = _tables_drawn(self.as_planned, recorded)
        for place, match in self.tables.items():
            if (match.table, match.home, match.away) not in drawn:
                yield finding(place, Breach.OTHER_DRAW, seed=recorded.seed)

    def _bye(self) -> str | None:
        """The team that is free, if it is the only one."""
        return next(iter(self.byes.values())) if len(self.byes) == 1 else None

    def _is_changed_by_hand(self) -> bool:
        """Whether the tables are not the engine's; a draw kept after a correction that was noted still is."""
        changes: tuple[Any, ...] = self.played.draw.changes if self.played.draw else ()
        is_noted = AFTER_DRAW in self.stage.layout
        return any(not is_noted or change.get("act") != KEPT for change in changes)

    def _number(self, team: TeamId) -> int:
        return self.teams[str(team)].number

    def _about_round(self, breach: Breach, **values: object) -> Finding:
        return finding(f"{self.path}.matches", breach, **values)


def _tables_drawn(
    inputs: DrawInputs, recorded: doc.DrawEntry
) -> set[tuple[int | None, TeamId, TeamId | None]]:
    try:
        drawn = drawn_again(inputs, recorded)
    except (NoLegalDraw, TooFewTables):
        return set()
    return {(each.table, each.home, each.away) for each in drawn.matches}
