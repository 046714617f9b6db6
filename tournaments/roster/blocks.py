"""Which columns belong together: the blocks of a row that hold one team each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournaments.roster.types import PERSONS, SEATS, Column, ColumnGuess, Layout


@dataclass(frozen=True)
class Block:
    """The columns of one team inside a row, as column indexes.

    `players` stand in the order of their seats. With `in_one_cell` a cell holds all names of a team, with
    `by_rows` every person has a row of their own.
    """

    players: tuple[int, ...]
    in_one_cell: bool = False
    by_rows: bool = False
    number: int | None = None
    departments: tuple[int, ...] = ()
    session_column: int | None = None
    session: str = ""
    phones: tuple[int, ...] = ()
    name: int | None = None
    remark: int | None = None
    leader: int | None = None
    coach: int | None = None


def blocks_of(columns: Sequence[ColumnGuess]) -> tuple[Block, ...]:
    """The blocks that the columns form, from left to right; none when no column holds players."""
    persons = [column for column in columns if column.meaning in PERSONS]
    numbers = sum(column.meaning is Column.NUMBER for column in columns)
    groups = _person_groups(persons, numbers)
    return tuple(_block(group, at, len(groups), columns) for at, group in enumerate(groups))


def seated_columns(columns: Sequence[ColumnGuess], blocks: Sequence[Block]) -> tuple[ColumnGuess, ...]:
    """The columns with the seat of each that holds one player of several: 姓名 | 搭档 are 1 and 2."""
    seats = {
        index: seat
        for block in blocks
        if not (block.in_one_cell or block.by_rows)
        for index, seat in zip(block.players, SEATS, strict=False)
    }
    return tuple(replace(column, meaning=seats.get(column.index, column.meaning)) for column in columns)


def layout_of(blocks: Sequence[Block]) -> Layout:
    """The layout in one word, for the preview."""
    if len({block.session for block in blocks}) > 1:
        return Layout.SESSIONS
    if len(blocks) > 1:
        return Layout.SEVERAL_A_ROW
    if blocks and blocks[0].in_one_cell:
        return Layout.ONE_CELL
    return Layout.TWO_ROWS if blocks and blocks[0].by_rows else Layout.ONE_ROW


def _person_groups(persons: list[ColumnGuess], numbers: int) -> list[list[ColumnGuess]]:
    """Columns of persons, team by team: another session, a cell of names, a seat taken twice part them."""
    plain = [column for column in persons if column.meaning is Column.PLAYER and not column.session]
    if plain and len(plain) == len(persons) and numbers > 1 and len(plain) % numbers == 0:
        size = len(plain) // numbers
        return [plain[at : at + size] for at in range(0, len(plain), size)]
    groups: list[list[ColumnGuess]] = []
    for column in persons:
        if groups and _fits(column, groups[-1]):
            groups[-1].append(column)
        else:
            groups.append([column])
    return groups


def _fits(column: ColumnGuess, group: list[ColumnGuess]) -> bool:
    if column.session != group[0].session or len(group) == len(SEATS):
        return False
    if Column.PLAYERS in (column.meaning, group[0].meaning):
        return False
    return column.meaning is Column.PLAYER or all(column.meaning is not other.meaning for other in group)


def _block(group: list[ColumnGuess], at: int, count: int, columns: Sequence[ColumnGuess]) -> Block:
    def of(meaning: Column) -> tuple[int, ...]:
        return _share([column.index for column in columns if column.meaning is meaning], at, count)

    numbers = [column.index for column in columns if column.meaning is Column.NUMBER]
    return Block(
        players=_seated(group),
        in_one_cell=group[0].meaning is Column.PLAYERS,
        by_rows=len(group) == 1 and group[0].meaning is not Column.PLAYERS,
        # One number beside several teams, as in 序号 1 beside both sessions, numbers none of them.
        number=next(iter(of(Column.NUMBER)), None) if len(numbers) >= count else None,
        departments=of(Column.DEPARTMENT),
        session_column=next(iter(of(Column.SESSION)), None),
        session=group[0].session,
        phones=of(Column.PHONE),
        name=next(iter(of(Column.NAME)), None),
        remark=next(iter(of(Column.REMARK)), None),
        leader=next(iter(of(Column.LEADER)), None),
        coach=next(iter(of(Column.COACH)), None),
    )


def _share(indexes: list[int], at: int, count: int) -> tuple[int, ...]:
    """The columns of one meaning that belong to block `at` of `count`; a single column is common to all."""
    if len(indexes) == 1 or count == 1:
        return tuple(indexes)
    size = len(indexes) // count
    return tuple(indexes[at * size : (at + 1) * size]) if size * count == len(indexes) else ()


def _seated(group: list[ColumnGuess]) -> tuple[int, ...]:
    """Column indexes in seat order; a column without a seat of its own takes the next free one."""
    taken = {SEATS.index(column.meaning): column.index for column in group if column.meaning in SEATS}
    for column in group:
        if column.meaning not in SEATS:
            free = next(seat for seat in range(len(SEATS) + len(group)) if seat not in taken)
            taken[free] = column.index
    return tuple(index for _, index in sorted(taken.items()))
