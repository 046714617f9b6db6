"""What a roster is once it is read: columns, teams and problems. No wording here, see `wording`."""

from dataclasses import dataclass
from enum import StrEnum

MAX_FILE_BYTES = 5 * 1024 * 1024
MAX_ROWS = 5_000
MAX_TEAMS = 5_000
MAX_COLUMNS = 60
MAX_CELL_TEXT = 400
MAX_NUMBER = 99_999
MAX_PLAYER_NAME = 40
MAX_PLAYERS = 6
MAX_DEPARTMENT = 40
MAX_SESSION = 40
MAX_TEAM_NAME = 40
MAX_PHONE = 40
MAX_REMARK = 400


class Column(StrEnum):
    """What the cells of one column mean.

    `PLAYER1` … `PLAYER6` hold one person each of a team that fills one row; `PLAYER` holds one person where
    every person has a row of their own; `PLAYERS` holds all persons of a team in one cell.
    """

    NUMBER = "number"
    DEPARTMENT = "department"
    NAME = "name"
    PLAYER1 = "player1"
    PLAYER2 = "player2"
    PLAYER3 = "player3"
    PLAYER4 = "player4"
    PLAYER5 = "player5"
    PLAYER6 = "player6"
    PLAYER = "player"
    PLAYERS = "players"
    SESSION = "session"
    LEADER = "leader"
    COACH = "coach"
    PHONE = "phone"
    REMARK = "remark"
    IGNORE = "ignore"


SEATS = (
    Column.PLAYER1,
    Column.PLAYER2,
    Column.PLAYER3,
    Column.PLAYER4,
    Column.PLAYER5,
    Column.PLAYER6,
)
PERSONS = frozenset((*SEATS, Column.PLAYER, Column.PLAYERS))


class Layout(StrEnum):
    """How the teams lie in the sheet."""

    ONE_ROW = "one_row"
    TWO_ROWS = "two_rows"
    ONE_CELL = "one_cell"
    SEVERAL_A_ROW = "several_a_row"
    SESSIONS = "sessions"


class Problem(StrEnum):
    """What can be wrong, or worth a second look, in one cell of a readable file.

    Errors, which stop an import:

    - `HEADER_NOT_FOUND`: no row names a column of players; the columns have to be told by hand.
    - `NO_PLAYER_COLUMN`: the columns as told by hand hold no players.
    - `MISSING_PARTNER`: the team has a first player and nobody beside.
    - `PLAYER_TWICE`: the person stands in the roster already (`other_rows`). Two people of the same name
      count as one until their names tell them apart, because a person at two tables stops a round and a
      longer name does not: departments, sessions and phone numbers prove nothing here.
    - `TEAM_TWICE`: the same persons, in whatever order, are a team already (`other_rows`).
    - `NUMBER_TWICE`: another team has the number (`other_rows`).
    - `NUMBER_INVALID`: not a whole number from 1 to 99,999; `六` is none.
    - `DEPARTMENT_MISSING`: the file has departments, this team has none.
    - `NAME_TOO_LONG`: a player's name of more than 40 characters.
    - `TEXT_TOO_LONG`: another text longer than its column allows, or a cell of more than 400 characters.
    - `NAME_INVALID`: a player's name without a single letter, such as a date or a phone number.
    - `TOO_MANY_PLAYERS`: more players than the other teams have, or more than six.
    - `FORMULA_WITHOUT_VALUE`: a formula whose result was never saved.
    - `CELL_ERROR`: Excel's own error value such as `#N/A`.
    - `GARBLED_TEXT`: letters that an earlier program has already destroyed.
    - `NOT_SINGLE`: a list of single players has one column of names, one name a row; this one has teams.
    - `SEX_UNKNOWN`: a sex that is neither 男 nor 女, in a list of single players.
    - `DIGITS_LOST`: a long number that Excel has saved as `1.39E+10`; its digits are gone.

    Warnings, which do not:

    - `NUMBER_MISSING`: other teams have a number, this one will be given one.
    - `SESSION_MISSING`: other teams have a session, this one has none.
    - `DEPARTMENT_DIFFERS`: the players of one team come from two departments; the first is taken.
    - `FEWER_PLAYERS`: fewer players than most teams have, but more than one.
    - `UNUSUAL_CHARACTER`: a character that printers and projectors may lack.
    - `PAIRED_BY_ORDER`: every row has a number of its own, so two rows each were taken as a team.
    - `HIDDEN_ROW`: the row is hidden in Excel and was read all the same.
    - `ROW_SKIPPED`: the row holds text but no player, and was left out.
    - `OTHER_SHEETS`: other visible sheets hold teams too (`value`) and were not read.
    """

    HEADER_NOT_FOUND = "header_not_found"
    NO_PLAYER_COLUMN = "no_player_column"
    MISSING_PARTNER = "missing_partner"
    PLAYER_TWICE = "player_twice"
    TEAM_TWICE = "team_twice"
    NUMBER_TWICE = "number_twice"
    NUMBER_INVALID = "number_invalid"
    DEPARTMENT_MISSING = "department_missing"
    NAME_TOO_LONG = "name_too_long"
    TEXT_TOO_LONG = "text_too_long"
    NAME_INVALID = "name_invalid"
    TOO_MANY_PLAYERS = "too_many_players"
    FORMULA_WITHOUT_VALUE = "formula_without_value"
    CELL_ERROR = "cell_error"
    GARBLED_TEXT = "garbled_text"
    DIGITS_LOST = "digits_lost"
    NOT_SINGLE = "not_single"
    SEX_UNKNOWN = "sex_unknown"
    NUMBER_MISSING = "number_missing"
    SESSION_MISSING = "session_missing"
    DEPARTMENT_DIFFERS = "department_differs"
    FEWER_PLAYERS = "fewer_players"
    UNUSUAL_CHARACTER = "unusual_character"
    PAIRED_BY_ORDER = "paired_by_order"
    HIDDEN_ROW = "hidden_row"
    ROW_SKIPPED = "row_skipped"
    OTHER_SHEETS = "other_sheets"


WARNINGS = frozenset(
    {
        Problem.NUMBER_MISSING,
        Problem.SESSION_MISSING,
        Problem.DEPARTMENT_DIFFERS,
        Problem.FEWER_PLAYERS,
        Problem.UNUSUAL_CHARACTER,
        Problem.PAIRED_BY_ORDER,
        Problem.HIDDEN_ROW,
        Problem.ROW_SKIPPED,
        Problem.OTHER_SHEETS,
    }
)


class Unreadable(StrEnum):
    """Why a file as a whole cannot be read.

    - `EMPTY`: no bytes, or no cell with content on any visible sheet.
    - `FILE_TOO_LARGE`: more than 5 MB.
    - `NOT_XLSX`: named like a workbook, but something else inside.
    - `OLD_EXCEL`: the binary format of Excel 97 or WPS (.xls, .et).
    - `OTHER_OFFICE`: .numbers, .ods, .xlsb, .docx, .pdf and the like.
    - `ENCRYPTED`: needs a password.
    - `DAMAGED`: cut off, or not what a spreadsheet program writes.
    - `UNSAFE`: asks for an external or internal XML entity, which no spreadsheet program writes.
    - `TOO_LARGE_INSIDE`: unpacks to more than the limits allow.
    - `TOO_MANY_ROWS`, `TOO_MANY_COLUMNS`: content beyond row 5,000 or column 60.
    - `TOO_MANY_TEAMS`: more than 5,000 teams.
    - `UNKNOWN_ENCODING`: text that is neither UTF-8, UTF-16 nor GB18030.
    - `NO_SUCH_SHEET`: the sheet asked for is not in the workbook.
    - `ONLY_HIDDEN_SHEETS`: no sheet can be seen.
    """

    EMPTY = "empty"
    FILE_TOO_LARGE = "file_too_large"
    NOT_XLSX = "not_xlsx"
    OLD_EXCEL = "old_excel"
    OTHER_OFFICE = "other_office"
    ENCRYPTED = "encrypted"
    DAMAGED = "damaged"
    UNSAFE = "unsafe"
    TOO_LARGE_INSIDE = "too_large_inside"
    TOO_MANY_ROWS = "too_many_rows"
    TOO_MANY_COLUMNS = "too_many_columns"
    TOO_MANY_TEAMS = "too_many_teams"
    UNKNOWN_ENCODING = "unknown_encoding"
    NO_SUCH_SHEET = "no_such_sheet"
    ONLY_HIDDEN_SHEETS = "only_hidden_sheets"


class UnreadableRoster(Exception):
    """The file as a whole is refused; `code` says why."""

    def __init__(self, code: Unreadable) -> None:
        super().__init__(code.value)
        self.code = code


@dataclass(frozen=True, slots=True)
class ColumnGuess:
    """One column of the sheet: where it is (1-based and as a letter), its header, what it is taken for.

    `session` is the session that the header itself names, `samples` are the first few texts below it.
    """

    index: int
    letter: str
    header: str
    meaning: Column
    samples: tuple[str, ...] = ()
    session: str = ""


@dataclass(frozen=True, slots=True)
class RosterPlayer:
    """选手: a person with a name and, where the file gives one, a phone number."""

    name: str
    phone: str = ""


@dataclass(frozen=True, slots=True)
class RosterTeam:
    """队: one entry of the roster; `row` is its first row as Excel numbers it.

    `leader` and `coach` do not play, and may be those of several teams.
    """

    row: int
    number: int | None
    department: str | None
    players: tuple[RosterPlayer, ...]
    session: str | None = None
    name: str = ""
    remark: str = ""
    leader: str = ""
    coach: str = ""


@dataclass(frozen=True, slots=True)
class CellProblem:
    """One problem: Excel's row, the header of the column as in the file, the text found there.

    `other_rows` are up to five rows above that the problem is about.
    """

    row: int
    column: str
    code: Problem
    value: str = ""
    other_rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RosterReading:
    """A roster as read.

    `teams` is empty as soon as there is an error, so that nobody can store half a roster; `candidates` are
    the teams as far as they could be read, to be shown in a preview. `hidden_sheets` are read only when asked
    for by name. A csv file has no sheets and the sheet name "". `header_row` is None when none was found.
    """

    sheets: tuple[str, ...]
    hidden_sheets: tuple[str, ...]
    sheet: str
    header_row: int | None
    columns: tuple[ColumnGuess, ...]
    layout: Layout
    candidates: tuple[RosterTeam, ...]
    errors: tuple[CellProblem, ...]
    warnings: tuple[CellProblem, ...]

    @property
    def teams(self) -> tuple[RosterTeam, ...]:
        """The teams that may be stored: all of them, or none when there is an error."""
        return () if self.errors else self.candidates
