"""Reading a roster: the one door of the package."""

from collections.abc import Mapping
from dataclasses import replace

from tournaments.roster.blocks import blocks_of, layout_of, seated_columns
from tournaments.roster.checks import Judgement, column_title, judge
from tournaments.roster.columns import Header, find_header, judge_by_content, plain_header, read_header
from tournaments.roster.entries import Entries, entries_of
from tournaments.roster.files import Source, open_file
from tournaments.roster.grid import Grid
from tournaments.roster.text import clean_text, tidy
from tournaments.roster.types import (
    MAX_DEPARTMENT,
    CellProblem,
    Column,
    ColumnGuess,
    Problem,
    RosterReading,
    Unreadable,
    UnreadableRoster,
)

MAX_SHEETS_TO_SEARCH = 20
_GUIDE_SHEETS = frozenset(
    {"填写说明", "说明", "填表说明", "示例", "样例", "模板说明", "使用说明", "readme", "example"}
)


def read_roster(
    data: bytes,
    filename: str,
    *,
    sheet: str | None = None,
    mapping: Mapping[int, Column] | None = None,
    header_row: int | None = None,
    department: str | None = None,
    several_sessions: bool = False,
) -> RosterReading:
    """Read the teams of an .xlsx or .csv file, and everything that is wrong with it.

    The sheet, the header row and the meaning of the columns are found unless given: `sheet` by name (a hidden
    one only this way), `header_row` as Excel numbers it (0: the first row is a team already), `mapping` from
    column (1-based) to meaning. `department` is given to teams whose row names none, and goes before one that
    stands above or below the table. With `several_sessions` a person may play in each.
    The file is read by its content; `filename` tells what it claims to be.

    Raises UnreadableRoster when the file as a whole cannot be read; no other exception comes out.
    """
    source = open_file(data, filename)
    grids = _loaded(source, sheet)
    chosen, header = _choose(grids, header_row, mapping)
    reading = _read(grids[chosen], header, department, several_sessions=several_sessions)
    others = _other_sheets(grids, chosen) if sheet is None and header_row is None else ()
    return replace(
        reading,
        sheets=source.sheets if source.sheets != ("",) else (),
        hidden_sheets=source.hidden_sheets,
        sheet=chosen,
        warnings=(*_others_warning(header, others), *reading.warnings),
    )


def _loaded(source: Source, sheet: str | None) -> dict[str, Grid]:
    """The sheets that come into question: the one asked for, else the visible ones."""
    if sheet is not None:
        if sheet not in (*source.sheets, *source.hidden_sheets):
            raise UnreadableRoster(Unreadable.NO_SUCH_SHEET)
        return {sheet: source.load(sheet)}
    if not source.sheets:
        raise UnreadableRoster(Unreadable.ONLY_HIDDEN_SHEETS if source.hidden_sheets else Unreadable.EMPTY)
    grids = {name: source.load(name) for name in source.sheets[:MAX_SHEETS_TO_SEARCH]}
    if not any(grid.cells for grid in grids.values()):
        raise UnreadableRoster(Unreadable.EMPTY)
    return grids


def _choose(
    grids: Mapping[str, Grid], header_row: int | None, mapping: Mapping[int, Column] | None
) -> tuple[str, Header | None]:
    """The sheet to read and its header: the first with teams, else with a header, else with content."""
    headers = {name: _header(grid, header_row, mapping) for name, grid in grids.items()}
    best = max(grids, key=lambda name: _promise(name, grids[name], headers[name]))
    return best, headers[best]


def _promise(name: str, grid: Grid, header: Header | None) -> tuple[bool, bool, bool, bool]:
    """How much a sheet promises to be the roster; of equals the first is taken."""
    has_rows = header is not None and grid.last_row > header.row
    return header is not None, not _is_guide(name), has_rows, bool(grid.cells)


def _is_guide(name: str) -> bool:
    return plain_header(name) in _GUIDE_SHEETS


def _header(grid: Grid, header_row: int | None, mapping: Mapping[int, Column] | None) -> Header | None:
    if header_row is not None:
        found: Header | None = read_header(grid, header_row, mapping)
    else:
        found = find_header(grid)
        if mapping:
            found = read_header(grid, found.row if found else 0, mapping)
    return found and judge_by_content(found, grid, frozenset(mapping or ()))


def _read(
    grid: Grid, header: Header | None, department: str | None, *, several_sessions: bool = False
) -> RosterReading:
    columns = header.columns if header else _unnamed_columns(grid)
    blocks = blocks_of(columns)
    entries = entries_of(grid, header, blocks) if header else Entries(())
    chosen = tidy(clean_text(department or ""))[:MAX_DEPARTMENT]
    judgement = judge(
        entries.entries,
        columns,
        department=chosen or entries.department,
        skipped=entries.skipped,
        several_sessions=several_sessions,
    )
    return RosterReading(
        sheets=(),
        hidden_sheets=(),
        sheet="",
        header_row=header.row if header else None,
        columns=seated_columns(columns, blocks),
        layout=layout_of(blocks),
        candidates=judgement.teams,
        errors=(*_header_errors(grid, header, len(blocks)), *judgement.errors),
        warnings=(
            *_paired_warning(header, entries),
            *_hidden_warnings(grid, judgement, columns),
            *judgement.warnings,
        ),
    )


def _unnamed_columns(grid: Grid) -> tuple[ColumnGuess, ...]:
    """The columns of a sheet without a header, with samples, for somebody to name them."""
    return judge_by_content(read_header(grid, 0), grid).columns


def _header_errors(grid: Grid, header: Header | None, blocks: int) -> tuple[CellProblem, ...]:
    if header is None:
        return (CellProblem(min(grid.rows, default=1), "", Problem.HEADER_NOT_FOUND),)
    return () if blocks else (CellProblem(max(header.row, 1), "", Problem.NO_PLAYER_COLUMN),)


def _paired_warning(header: Header | None, entries: Entries) -> tuple[CellProblem, ...]:
    if header is None or not entries.paired_by_order:
        return ()
    title = column_title(next(column for column in header.columns if column.meaning is Column.NUMBER))
    return (CellProblem(max(header.row, 1), title, Problem.PAIRED_BY_ORDER),)


def _hidden_warnings(
    grid: Grid, judgement: Judgement, columns: tuple[ColumnGuess, ...]
) -> tuple[CellProblem, ...]:
    title = next((column_title(column) for column in columns if column.meaning is not Column.IGNORE), "")
    rows = sorted({team.row for team in judgement.teams} & grid.hidden_rows)
    return tuple(CellProblem(row, title, Problem.HIDDEN_ROW) for row in rows)


def _other_sheets(grids: Mapping[str, Grid], chosen: str) -> tuple[str, ...]:
    """Visible sheets beside the chosen one that hold teams too."""
    return tuple(
        name
        for name, grid in grids.items()
        if name != chosen
        and not _is_guide(name)
        and (header := find_header(grid))
        and grid.last_row > header.row
    )


def _others_warning(header: Header | None, others: tuple[str, ...]) -> tuple[CellProblem, ...]:
    if not others:
        return ()
    return (CellProblem(max(header.row, 1) if header else 1, "", Problem.OTHER_SHEETS, "、".join(others)),)
