"""出席 in the event file: rounds missed, lateness and former players, each with the stage it speaks of."""

from collections.abc import Sequence, Set

from guandan_site.event_file import limits
from guandan_site.event_file.document import TeamEntry
from guandan_site.event_file.problems import Fault
from guandan_site.event_file.reading import Faults, Fields
from tournaments.attendance import MOST_MINUTES_LATE, Absence, Former, Lateness


def read_absence(fields: Fields) -> Absence:
    """One absence of a team."""
    return Absence(
        stage=fields.text("stage", longest=limits.LONGEST_KEY),
        round=fields.whole("round", least=1, most=limits.MOST_ROUNDS),
        onwards=fields.truth("onwards", False),
        excused=fields.truth("excused", False),
        note=fields.text("note", "", longest=limits.LONGEST_REASON, blank=True),
        extra=fields.extra(),
    )


def read_lateness(fields: Fields) -> Lateness:
    """How late a team came once."""
    return Lateness(
        stage=fields.text("stage", longest=limits.LONGEST_KEY),
        round=fields.whole("round", least=1, most=limits.MOST_ROUNDS),
        minutes=fields.whole("minutes", least=1, most=MOST_MINUTES_LATE),
        extra=fields.extra(),
    )


def read_former(fields: Fields) -> Former:
    """Who held a player's place before."""
    return Former(
        name=fields.text("name", longest=limits.LONGEST_NAME),
        stage=fields.text("stage", longest=limits.LONGEST_KEY),
        until=fields.whole("until", least=0, most=limits.MOST_ROUNDS),
        note=fields.text("note", "", longest=limits.LONGEST_REASON, blank=True),
        extra=fields.extra(),
    )


def note_unknown_stages(teams: Sequence[TeamEntry], stages: Set[str], faults: Faults) -> None:
    """Notes every stage that attendance speaks of and the file does not have."""
    for index, team in enumerate(teams):
        spoken: dict[str, Sequence[Absence | Lateness | Former]] = {
            "absences": team.absences,
            "lateness": team.lateness,
            **{f"players[{place}].former": each.former for place, each in enumerate(team.players)},
        }
        for name, entries in spoken.items():
            for place, each in enumerate(entries):
                if each.stage not in stages:
                    path = f"$.teams[{index}].{name}[{place}].stage"
                    faults.note(path, Fault.UNKNOWN_ID, value=each.stage)
