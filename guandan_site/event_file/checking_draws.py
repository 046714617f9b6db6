"""The draws of a Swiss stage against its rules, and against the engine where only a draw can tell."""

from collections import Counter
from collections.abc import Iterator

from guandan_site.event_file import document as doc
from guandan_site.event_file.drawing import DrawInputs, draw_inputs, drawn_again, recorded_relaxations
from guandan_site.event_file.findings import Breach, Finding, finding, places
from pairing.engine.types import Draw, NoLegalDraw, Rematch, Rule, SameDepartment


class SwissRound:
    """One round of a Swiss stage, with what it had to be drawn from."""

    def __init__(
        self, document: doc.EventDocument, stage: doc.StageEntry, played: doc.RoundEntry, path: str
    ) -> None:
        self.played = played
        self.path = path
        self.teams = {team.id: team for team in document.teams_of(stage)}
        self.seated = {team for match in played.matches for team in match.teams}
        seated = [team for team in self.teams.values() if team.id in self.seated]
        self.as_planned = draw_inputs(document, stage, played.number, seated)
        self.inputs = self.as_planned.relaxed(recorded_relaxations(played.draw))
        self.met = {frozenset((each.home, each.away)): each.round for each in self.inputs.meetings}
        self.byes = {entrant.id: entrant.byes for entrant in self.inputs.entrants}

    def findings(self) -> Iterator[Finding]:
        """Everything that is wrong with the round's tables."""
        yield from self._check_everyone()
        for place, match in places(self.played, self.path):
            yield from self._check_seats(place, match)
            yield from self._check_meeting(place, match)
        yield from self._check_forced()
        yield from self._check_byes()
        yield from self._check_against_the_engine()

    def _number(self, team: str) -> int:
        return self.teams[team].number

    def _check_everyone(self) -> Iterator[Finding]:
        for team in self.teams.values():
            if team.plays_in(self.played.number) and team.id not in self.seated:
                yield finding(
                    f"{self.path}.matches", Breach.LEFT_OUT, team=team.number, round=self.played.number
                )

    def _check_seats(self, place: str, match: doc.MatchEntry) -> Iterator[Finding]:
        if match.table is None and not match.is_bye:
            yield finding(f"{place}.table", Breach.TABLE_MISSING)
        for side, team in zip(("home", "away"), match.teams, strict=False):
            entry = self.teams[team]
            if entry.has_left(self.played.number):
                yield finding(
                    f"{place}.{side}", Breach.WITHDRAWN, team=entry.number, round=entry.withdrawn_after
                )
            elif not entry.plays_in(self.played.number):
                yield finding(
                    f"{place}.{side}", Breach.NOT_ENTERED, team=entry.number, round=entry.first_round
                )

    def _check_meeting(self, place: str, match: doc.MatchEntry) -> Iterator[Finding]:
        if match.away is None:
            return
        rules = self.inputs.rules
        values = {"home": self._number(match.home), "away": self._number(match.away)}
        met = self.met.get(frozenset(match.teams))
        if met is not None and rules.rematch is Rematch.NEVER:
            yield finding(place, Breach.MET_BEFORE, **values, round=met)
        if self._share_department(match) and self._departments_apart():
            yield finding(place, Breach.SAME_DEPARTMENT, **values)
        if any(set(couple) == set(match.teams) for couple in rules.forbidden):
            yield finding(place, Breach.FORBIDDEN, **values)

    def _share_department(self, match: doc.MatchEntry) -> bool:
        home, away = (self.teams[team].department for team in match.teams)
        return home is not None and home == away

    def _departments_apart(self) -> bool:
        policy = self.inputs.rules.same_department
        return policy is SameDepartment.NEVER or (policy is SameDepartment.ROUND1 and self.played.number == 1)

    def _check_forced(self) -> Iterator[Finding]:
        """Couples set to meet do so once, as soon as both are present; of two that share a team the first."""
        bound: set[object] = set()
        tables = {frozenset(match.teams) for match in self.played.matches}
        for couple in self.inputs.rules.forced:
            wanted = frozenset(couple)
            if wanted in self.met or not wanted <= self.seated or wanted & bound:
                continue
            bound |= wanted
            if wanted not in tables:
                home, away = (self._number(str(team)) for team in couple)
                yield finding(f"{self.path}.matches", Breach.FORCED, home=home, away=away)

    def _check_byes(self) -> Iterator[Finding]:
        found = [(place, match.home) for place, match in places(self.played, self.path) if match.is_bye]
        for place, team in found[1:]:
            yield finding(place, Breach.SECOND_BYE, team=self._number(team))
        if len(found) == 1 and len(self.seated) % 2 == 0:
            yield finding(found[0][0], Breach.BYE_NOT_NEEDED, team=self._number(found[0][1]))

    def _check_against_the_engine(self) -> Iterator[Finding]:
        """What only a draw of the same round can tell: whose the bye was, whether a breach was avoidable."""
        best = _draw_or_none(self.inputs)
        if best is None:
            return
        yield from self._check_fair_bye(best)
        yield from self._check_avoidable(best)
        yield from self._check_recorded_draw()

    def _check_fair_bye(self, best: Draw) -> Iterator[Finding]:
        found = [(place, match.home) for place, match in places(self.played, self.path) if match.is_bye]
        if len(found) != 1 or best.bye is None or found[0][1] == best.bye:
            return
        place, team = found[0]
        values = {"team": self._number(team), "better": self._number(str(best.bye))}
        if self.byes[team] > self.byes[best.bye]:
            yield finding(place, Breach.MORE_BYES, **values, byes=self.byes[team])
        elif self.played.number > 1 and not self._is_changed_by_hand():
            yield finding(place, Breach.BYE_TOO_HIGH, **values)

    def _check_avoidable(self, best: Draw) -> Iterator[Finding]:
        """Rules that are only to be avoided are broken at no more tables than need be."""
        needed = Counter(broken.rule for broken in best.broken)
        for rule, count in self._soft_breaches().items():
            if count > needed[rule]:
                yield finding(
                    f"{self.path}.matches", Breach.AVOIDABLE, str(rule), count=count, needed=needed[rule]
                )

    def _soft_breaches(self) -> dict[Rule, int]:
        rules = self.inputs.rules
        matches = [match for match in self.played.matches if not match.is_bye]
        counts = {}
        if rules.rematch is Rematch.AVOID:
            counts[Rule.REMATCH] = sum(frozenset(match.teams) in self.met for match in matches)
        if rules.same_department is SameDepartment.AVOID:
            counts[Rule.SAME_DEPARTMENT] = sum(map(self._share_department, matches))
        return counts

    def _is_changed_by_hand(self) -> bool:
        return self.played.draw is not None and bool(self.played.draw.changes)

    def _check_recorded_draw(self) -> Iterator[Finding]:
        """A draw that says how it was made and was not changed since comes out the same again."""
        recorded = self.played.draw
        if recorded is None or recorded.changes or not recorded.explained:
            return
        again = drawn_again(self.as_planned, recorded)
        drawn = {(each.table, each.home, each.away) for each in again.matches}
        differing = [
            place
            for place, match in places(self.played, self.path)
            if not match.is_bye and (match.table, match.home, match.away) not in drawn
        ]
        for place in differing:
            yield finding(place, Breach.OTHER_DRAW, seed=recorded.seed)


def _draw_or_none(inputs: DrawInputs) -> Draw | None:
    try:
        return inputs.drawn(0)
    except NoLegalDraw:
        return None
