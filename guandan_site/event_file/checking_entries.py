"""Who entered, who sat at the table and who became partners: checked against what the event states."""

from collections.abc import Iterator

from guandan_site.event_file import document as doc
from guandan_site.event_file.findings import Breach, Finding, finding, places
from tournaments.discipline import Discipline, Partners, PartnersFrom
from tournaments.entering import Applicant, EntryFault, entry_problems
from tournaments.lineups import SIDES
from tournaments.partners import MAN, WOMAN, Person, draw_partners

BREACHES = {
    EntryFault.PERSON_TWICE: Breach.PERSON_TWICE,
    EntryFault.TOO_MANY_PLAYERS: Breach.TOO_MANY_PLAYERS,
    EntryFault.DEPARTMENT_TEAMS: Breach.DEPARTMENT_TEAMS,
    EntryFault.DEPARTMENT_PERSONS: Breach.DEPARTMENT_PERSONS,
}


def check_entries(document: doc.EventDocument) -> Iterator[Finding]:
    """Limits of teams and departments, persons in two sessions, line-ups, draws of partners."""
    yield from _check_limits(document)
    for at, stage in enumerate(document.stages):
        for number, played in enumerate(stage.rounds):
            yield from _check_lineups(document, played, f"$.stages[{at}].rounds[{number}]")
    for at, draw in enumerate(document.partner_draws):
        yield from _check_partners(draw, f"$.partner_draws[{at}]")


def _check_limits(document: doc.EventDocument) -> Iterator[Finding]:
    rules = document.stages[0].rules if document.stages else {}
    stated = Discipline.from_dict(rules.get("discipline"))
    names = {each.id: each.name for each in document.departments}
    playing = [(at, team) for at, team in enumerate(document.teams) if team.withdrawn_after is None]
    applicants = [
        Applicant(
            number=team.number,
            players=tuple(player.name for player in team.players if player.role == "player"),
            department=names.get(team.department or "", ""),
            session=team.session,
            row=at,
        )
        for at, team in playing
    ]
    for problem in entry_problems(stated, [], applicants):
        # Two people of one name are no fault of an event that never said a person enters once.
        if problem.fault is EntryFault.PERSON_TWICE and stated.sessions is None:
            continue
        path = f"$.teams[{problem.applicant.row}]"
        other = problem.other.number if problem.other else None
        values = {"team": problem.applicant.number, "name": problem.person, "other": other}
        yield finding(
            path,
            BREACHES[problem.fault],
            **values,
            department=problem.applicant.department,
            limit=problem.limit,
        )


def _check_lineups(document: doc.EventDocument, played: doc.RoundEntry, path: str) -> Iterator[Finding]:
    """Whoever sits at the table plays, or once played, in the team."""
    teams = {team.id: team for team in document.teams}
    for place, match in places(played, path):
        for side in SIDES:
            team = teams.get(getattr(match, side) or "")
            known = _people(team) if team else set()
            for name in match.lineup.get(side, ()):
                if name not in known:
                    yield finding(f"{place}.lineup.{side}", Breach.NOT_IN_TEAM, name=name)


def _people(team: doc.TeamEntry) -> set[str]:
    playing = [player for player in team.players if player.role == "player"]
    former = {each.name for player in playing for each in player.former}
    return former | {player.name for player in playing}


def _check_partners(draw: doc.PartnerDrawEntry, path: str) -> Iterator[Finding]:
    """The seed gives these pairs again, and mixed partners are a man and a woman."""
    entrants = [Person.from_dict(dict(each)) for each in draw.entrants]
    kind = Partners(draw.kind)
    if kind is Partners.MIXED and any(person.sex not in (MAN, WOMAN) for person in entrants):
        yield finding(f"{path}.entrants", Breach.SEX_UNKNOWN)
        return
    drawn = draw_partners(entrants, kind, PartnersFrom(draw.departments), seed=draw.seed)
    again = [[person.name for person in pair] for pair in drawn.pairs]
    left = [person.name for person in drawn.waiting]
    if again != [pair["players"] for pair in draw.pairs] or left != list(draw.waiting):
        yield finding(f"{path}.pairs", Breach.OTHER_PARTNERS, seed=draw.seed)
