"""What a printed sheet shows (秩序册、对阵表、成绩单、名次表): rows of plain values, ready for paper.

Views fill these from the database, the templates in ``templates/print/`` set them in type. The only
logic here is that of paper itself: the order of slips for cutting, how names fit, who stands on the podium.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TypeVar

Row = TypeVar("Row")

# Longer than this, or with more than two players, a team may need a second line: its names are then kept
# whole one by one. Shorter ones stay a single run of text, which costs a third of the layout time.
NAMES_ON_ONE_LINE = 12
# Two lines of middle-sized type on a slip; what is longer gets small type.
NAMES_ON_A_SLIP = 36
# Up to this many characters number, names and table fit three columns a page on the draw by number.
NAMES_IN_NARROW_COLUMN = 7


@dataclass(frozen=True)
class SheetHead:
    """Head and foot of a sheet. ``version`` and ``subtitle`` are shown as given, empty ones are left out.

    ``printed_at`` is aware and shown in the venue's zone: the time of publication for what was published,
    so that it gives the same paper whenever it is printed, else the time of printing. ``footer`` is a
    last line for the whole sheet, for example where to appeal. ``notice`` says what this version corrects.
    ``phones`` is the address of the event for phones, set as a QR code; empty where none would get there.
    ``is_rehearsal`` sets 演练 across every page.
    """

    event: str
    organiser: str
    venue: str
    title: str
    subtitle: str
    version: str
    printed_at: datetime
    footer: str = ""
    notice: str = ""
    phones: str = ""
    is_rehearsal: bool = False


@dataclass(frozen=True)
class SheetTeam:
    """A team (队) on paper: number (组号), players in order, department (单位), its own name (队名)."""

    number: int
    players: tuple[str, ...]
    department: str
    withdrawn: bool = False
    name: str = ""

    @property
    def origin(self) -> str:
        """Its own name and its department, the department only where the name does not say it already."""
        if self.department in self.name:
            return self.name
        return f"{self.name} · {self.department}" if self.name else self.department

    @property
    def names(self) -> str:
        """All players in one run of text, an ideographic space between two of them."""
        return "\u3000".join(self.players)

    @property
    def is_long(self) -> bool:
        """True when the names may need more than one line in a cell."""
        return len(self.players) > 2 or len(self.names) > NAMES_ON_ONE_LINE

    @property
    def is_crowded(self) -> bool:
        """True when the names fit their place on a slip only in the smallest type."""
        return len(self.names) > NAMES_ON_A_SLIP


@dataclass(frozen=True)
class DrawRow:
    """One table of a round (桌). ``away`` is None for a bye (轮空), which has no table either."""

    table: int | None
    home: SheetTeam
    away: SheetTeam | None
    note: str = ""


@dataclass(frozen=True)
class DrawByNumberRow:
    """Where a team sits in the round. Without an opponent it has a bye (轮空)."""

    team: SheetTeam
    table: int | None
    opponent: SheetTeam | None


@dataclass(frozen=True)
class SlipRow:
    """The result slip (成绩单) or the table card (桌牌) of one table; `phones` is its phone page, if any."""

    table: int
    round_number: int
    home: SheetTeam
    away: SheetTeam
    phones: str = ""

    @property
    def sides(self) -> tuple[SheetTeam, SheetTeam]:
        """Both teams, home first."""
        return self.home, self.away


@dataclass(frozen=True)
class RosterRow:
    """One line of the numbered list (名单). ``remark`` may be private: leave it empty on public paper."""

    team: SheetTeam
    session: str = ""
    remark: str = ""


@dataclass(frozen=True)
class TeamCard:
    """A team's card (队卡); `phones` is where its QR code leads, empty where no phone would get there."""

    team: SheetTeam
    phones: str = ""


@dataclass(frozen=True)
class RosterGroup:
    """A department with its teams in order of number, for the list by department."""

    department: str
    rows: tuple[RosterRow, ...]


@dataclass(frozen=True)
class StandingSheetRow:
    """One line of the standings (名次).

    ``rank`` is None for a team without a place (withdrawn). ``shared`` marks a rank that others have too
    (并列). ``cells`` are the values of the ranking keys in the order of the column titles; ``decided_by``
    is the title of the key that put this team below the one above, empty where none did.
    """

    rank: int | None
    shared: bool
    team: SheetTeam
    points: str
    cells: tuple[str, ...]
    decided_by: str = ""


def cut_stack(rows: Sequence[Row], per_page: int = 4) -> tuple[tuple[Row | None, ...], ...]:
    """Pages of ``per_page`` places: cut the printed pile, lay the stacks on each other, rows are in order.

    Place k of all pages together makes stack k; the first stack goes on top. Places that are left over,
    always the last ones, hold None. No rows, no pages.
    """
    pages = -(-len(rows) // per_page)
    places = (*rows, *[None] * (pages * per_page - len(rows)))
    return tuple(tuple(places[page::pages]) for page in range(pages))


def ordered_by_number(rows: Sequence[DrawByNumberRow]) -> tuple[DrawByNumberRow, ...]:
    """The rows in the order in which players look for themselves."""
    return tuple(sorted(rows, key=lambda row: row.team.number))


def columns_by_number(rows: Sequence[DrawByNumberRow]) -> int:
    """Columns a page for the draw by number: three when every team is short, else two."""
    return 3 if all(len(row.team.names) <= NAMES_IN_NARROW_COLUMN for row in rows) else 2


def grouped_by_department(rows: Sequence[RosterRow]) -> tuple[RosterGroup, ...]:
    """The list by department: departments in order of their first number, teams without one last."""
    first: dict[str, int] = {}
    for row in sorted(rows, key=lambda row: row.team.number):
        first.setdefault(row.team.department, row.team.number)

    def place(row: RosterRow) -> tuple[bool, int, int]:
        department = row.team.department
        return (not department, first[department], row.team.number)

    grouped = groupby(sorted(rows, key=place), key=lambda row: row.team.department)
    return tuple(RosterGroup(department, tuple(members)) for department, members in grouped)


def podium(
    rows: Sequence[StandingSheetRow], places: int = 3, at_most: int = 6
) -> tuple[StandingSheetRow, ...]:
    """The rows set large above the final ranking: up to rank ``places``, a shared rank whole or not."""
    chosen: list[StandingSheetRow] = []
    for rank, same in _by_rank(rows):
        if rank > places or len(chosen) + len(same) > at_most:
            break
        chosen += same
    return tuple(chosen)


def _by_rank(rows: Sequence[StandingSheetRow]) -> Iterator[tuple[int, list[StandingSheetRow]]]:
    ranked = (row for row in rows if row.rank is not None and not row.team.withdrawn)
    for rank, same in groupby(ranked, key=lambda row: row.rank or 0):
        yield rank, list(same)
