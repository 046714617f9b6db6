"""Reading rosters (报名表) from the files that offices send, whatever their layout.

The package is pure: bytes go in, frozen dataclasses come out. It knows no database and no web page.
"""

from tournaments.roster.export import roster_sheet, roster_workbook
from tournaments.roster.reader import read_roster
from tournaments.roster.singles import RosterSingle, SinglesReading, read_singles
from tournaments.roster.template import roster_template
from tournaments.roster.types import (
    CellProblem,
    Column,
    ColumnGuess,
    Layout,
    Problem,
    RosterPlayer,
    RosterReading,
    RosterTeam,
    Unreadable,
    UnreadableRoster,
)
from tournaments.roster.wording import COLUMN_NAMES, LAYOUT_NAMES, describe

__all__ = [
    "COLUMN_NAMES",
    "LAYOUT_NAMES",
    "CellProblem",
    "Column",
    "ColumnGuess",
    "Layout",
    "Problem",
    "RosterPlayer",
    "RosterReading",
    "RosterSingle",
    "RosterTeam",
    "SinglesReading",
    "Unreadable",
    "UnreadableRoster",
    "describe",
    "read_roster",
    "read_singles",
    "roster_sheet",
    "roster_template",
    "roster_workbook",
]
