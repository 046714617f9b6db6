"""From rows to entries: which cells make up each team, before anybody judges what they say."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from tournaments.roster.blocks import Block
from tournaments.roster.columns import Header, meaning_of
from tournaments.roster.grid import EMPTY, Cell, Grid
from tournaments.roster.text import is_nobody, same_key, split_names, team_number, tidy
from tournaments.roster.types import MAX_PLAYERS, MAX_TEAMS, Column, Unreadable, UnreadableRoster

# 附属医院 and 注塑车间 are departments: these words make a note only alone or before a colon.
_NOTE = re.compile(
    "[(（【★※*]*(?:"
    "(?:注|备注|说明|附注?|附件|填表人?|填报人?|制表人?|审核人?|审批人?|联系人|领队|负责人|盖章|签字|签名|日期|截止|要求|统计|"
    "(?:报名|填表|填报)(?:日期|时间|截止|要求)|温馨提示)[)）】]?[0-9一二三]?(?:[:：、\\s]|$)|"
    "注意|以上|特此|合计|总计|小计|共计|共 ?[0-9]+)"
)
_TOTAL = re.compile("(?:合计|总计|小计|共计)[:：]?")
_SENTENCE = re.compile("[:：。；;！!？?，,]|.{21}")
_LABELLED = re.compile("(?:^|\\s)(?P<label>[^\\s:：]{2,20})\\s*[:：]\\s*(?P<value>[^\\s:：]+)")


@dataclass(frozen=True)
class Spot:
    """A cell and where it stands; `row` and `column` are those a person would look at."""

    row: int
    column: int
    cell: Cell = EMPTY

    @cached_property
    def text(self) -> str:
        """The text in one line, blanks inside Chinese words taken out."""
        return tidy(self.cell.text)

    @property
    def line(self) -> str:
        """The text in one line as it was typed."""
        return self.cell.text.replace("\n", " ")


@dataclass(frozen=True)
class Seat:
    """One player's name and phone number as they stand in the sheet."""

    name: Spot
    phone: Spot | None = None


@dataclass(frozen=True)
class Entry:
    """The cells of one team. `seats` holds the places for players of a row, empty ones too."""

    row: int
    seats: tuple[Seat, ...]
    has_columns: bool = False
    """Whether every seat has a column of its own, so that nobody can have slipped in from another team."""
    number: Spot | None = None
    departments: tuple[Spot, ...] = ()
    session: Spot | None = None
    heading_session: str = ""
    name: Spot | None = None
    remark: Spot | None = None
    leader: Spot | None = None
    coach: Spot | None = None

    @cached_property
    def taken(self) -> tuple[Seat, ...]:
        """The seats that somebody sits on, or that a fault makes unreadable."""
        return tuple(seat for seat in self.seats if seat.name.cell.fault or not is_nobody(seat.name.text))


@dataclass(frozen=True)
class Entries:
    """All entries in the order of their rows, the rows left out, a department outside the table."""

    entries: tuple[Entry, ...]
    skipped: tuple[Spot, ...] = ()
    department: str = ""
    paired_by_order: bool = False


def entries_of(grid: Grid, header: Header, blocks: Sequence[Block]) -> Entries:
    """The entries below the header, block by block; notes, labels and repeated headers are none."""
    rows = tuple(_body_rows(grid, header))
    has_departments = any(block.departments for block in blocks)
    labelled = {} if has_departments else _department_labels(grid, header, rows, blocks)
    body = [row for row in rows if row not in labelled]
    found: list[Entry] = []
    by_order = False
    for block in blocks:
        reader = _BlockReader(grid, block)
        entries = reader.entries(body)
        by_order = by_order or reader.paired_by_order
        found += entries
        if len(found) > MAX_TEAMS:
            raise UnreadableRoster(Unreadable.TOO_MANY_TEAMS)
    used = {seat.name.row for entry in found for seat in entry.seats}
    skipped = tuple(_skipped(grid, header, [row for row in body if row not in used]))
    ordered = tuple(sorted(found, key=lambda entry: (entry.row, entry.seats[0].name.column)))
    return Entries(ordered, skipped, next(iter(labelled.values()), ""), by_order)


def _body_rows(grid: Grid, header: Header) -> Iterator[int]:
    """The rows below the header with content of their own, without headers that a printout repeats."""
    known = {column.index: column.header for column in header.columns if column.header}
    for row in grid.rows:
        texts = {column: tidy(cell.text) for column, cell in grid.cells[row].items()}
        repeats_header = sum(known.get(column) == text for column, text in texts.items()) > len(texts) / 2
        if row > header.row and not (repeats_header and len(texts) > 1):
            yield row


def _department_labels(
    grid: Grid, header: Header, body: Iterable[int], blocks: Sequence[Block]
) -> dict[int, str]:
    """Rows such as `分工会 | 化学学院` or `单位：化学学院` above or below the table: row → department."""
    labels: dict[int, str] = {}
    above = (row for row in grid.rows if row < header.row)
    for row in (*above, *(row for row in body if _may_be_label(grid, blocks, row))):
        department = _labelled_department(
            [tidy(cell.text) for _, cell in sorted(grid.cells[row].items())], grid, row
        )
        if department:
            labels[row] = department
    return labels


def _labelled_department(texts: list[str], grid: Grid, row: int) -> str:
    for label, value in pairwise(texts):
        if _is_department(label) and meaning_of(value)[0] in (Column.IGNORE, Column.DEPARTMENT):
            return value
    raw = " ".join(cell.text for _, cell in sorted(grid.cells[row].items()))
    pairs = _LABELLED.finditer(raw.replace("\n", " "))
    return next((tidy(pair["value"]) for pair in pairs if _is_department(pair["label"])), "")


def _is_department(label: str) -> bool:
    return meaning_of(label)[0] is Column.DEPARTMENT


def _may_be_label(grid: Grid, blocks: Sequence[Block], row: int) -> bool:
    """Whether no whole team stands in the row, or a colon shows that what looks like one is a label."""
    is_team = any(_is_complete(grid, block, row) for block in blocks)
    return not is_team or _ends_in_colon(grid.cells[row][min(grid.cells[row])])


def _ends_in_colon(cell: Cell) -> bool:
    return cell.text.endswith((":", "："))


def _is_complete(grid: Grid, block: Block, row: int) -> bool:
    """Whether the row holds a whole team in this block."""
    texts = [grid.own(row, column).text for column in block.players]
    if block.in_one_cell:
        return len(split_names(texts[0])) > 1
    return len(texts) > 1 and not any(is_nobody(text) for text in texts[:2])


def _skipped(grid: Grid, header: Header, rows: Iterable[int]) -> Iterator[Spot]:
    """Rows left out that somebody may miss: text in a column that means something, and no note."""
    meant = [column.index for column in header.columns if column.meaning is not Column.IGNORE]
    for row in rows:
        cells = [Spot(row, column, grid.own(row, column)) for column in meant]
        words = [spot for spot in cells if not is_nobody(spot.text) and not team_number(spot.text)]
        if words and not is_note(grid, row):
            yield words[0]


def is_note(grid: Grid, row: int) -> bool:
    """Whether a row speaks about the list and is no part of it: 注：…, 合计 …, 签字：, a sentence alone."""
    cells = [cell for _, cell in sorted(grid.cells[row].items())]
    if _NOTE.match(cells[0].text) or any(map(_ends_in_colon, cells)):
        return True
    return len(cells) == 1 and _SENTENCE.search(cells[0].text) is not None


class _BlockReader:
    """Reads the entries of one block."""

    def __init__(self, grid: Grid, block: Block) -> None:
        self.grid = grid
        self.block = block
        self.paired_by_order = False

    def entries(self, rows: Sequence[int]) -> list[Entry]:
        present = [entry for entry in map(self._entry, rows) if self._has_players(entry)]
        return self._grouped(present) if self.block.by_rows else present

    def _has_players(self, entry: Entry) -> bool:
        taken = len(entry.taken)
        if taken and _TOTAL.fullmatch(tidy(min(self.grid.cells[entry.row].items())[1].text)):
            return False
        return taken > 1 or (taken == 1 and not is_note(self.grid, entry.row))

    def _entry(self, row: int) -> Entry:
        block = self.block
        return Entry(
            row=row,
            seats=self._seats(row),
            has_columns=not (block.in_one_cell or block.by_rows),
            number=self._spot(row, block.number),
            departments=tuple(Spot(row, column, self.grid.down(row, column)) for column in block.departments),
            session=self._spot(row, block.session_column),
            heading_session=block.session,
            name=self._spot(row, block.name),
            remark=self._spot(row, block.remark),
            leader=self._spot(row, block.leader),
            coach=self._spot(row, block.coach),
        )

    def _spot(self, row: int, column: int | None) -> Spot | None:
        return None if column is None else Spot(row, column, self.grid.down(row, column))

    def _seats(self, row: int) -> tuple[Seat, ...]:
        if self.block.in_one_cell:
            return self._split_seats(row)
        seats = []
        for at, column in enumerate(self.block.players):
            phone = self.block.phones[at] if at < len(self.block.phones) else None
            name = Spot(row, column, self.grid.own(row, column))
            seats.append(Seat(name, None if phone is None else Spot(row, phone, self.grid.own(row, phone))))
        return tuple(seats)

    def _split_seats(self, row: int) -> tuple[Seat, ...]:
        column = self.block.players[0]
        cell = self.grid.own(row, column)
        if cell.fault:
            return (Seat(Spot(row, column, cell)),)
        phones = self._split_phones(row)
        names = split_names(cell.text)[: MAX_PLAYERS + 1]
        seats = [
            Seat(Spot(row, column, Cell(name)), phones[at] if at < len(phones) else None)
            for at, name in enumerate(names)
        ]
        return tuple(seats) or (Seat(Spot(row, column)),)

    def _split_phones(self, row: int) -> list[Spot]:
        cells = [(column, self.grid.own(row, column)) for column in self.block.phones]
        return [
            Spot(row, column, cell if cell.fault else Cell(part))
            for column, cell in cells
            for part in (re.split("[、，,/;；\n ]+", cell.text) if len(cells) == 1 else [cell.text])
            if part or cell.fault
        ]

    def _grouped(self, persons: list[Entry]) -> list[Entry]:
        """One row a player: rows of one number, one team name or, with neither, two rows each."""
        by_key = self._group_key(persons)
        groups: list[list[Entry]] = []
        for person in persons:
            if groups and self._joins(person, groups[-1], by_key):
                groups[-1].append(person)
            else:
                groups.append([person])
        return [self._merged(group) for group in groups]

    def _group_key(self, persons: list[Entry]) -> int | None:
        """The column whose content starts a new team, None to count rows by two."""
        if self.block.number is None:
            return self.block.name
        own = [self.grid.own(person.row, self.block.number).text for person in persons]
        numbers_persons = len(own) > 1 and all(own) and len(set(own)) == len(own)
        self.paired_by_order = numbers_persons
        return self.block.name if numbers_persons else self.block.number

    def _joins(self, person: Entry, group: list[Entry], key: int | None) -> bool:
        last = group[-1]
        if key is None:
            return (
                len(group) < 2
                and self._is_next(last.row, person.row)
                and self._same_department(group, person)
            )
        text, first = self.grid.down(person.row, key).text, self.grid.down(group[0].row, key).text
        if not text:
            return self._is_next(last.row, person.row) and self._same_department(group, person)
        is_same_range = self.grid.anchor(person.row, key) == self.grid.anchor(group[0].row, key)
        return is_same_range or (same_key(text) == same_key(first) and self._is_next(last.row, person.row))

    def _is_next(self, last: int, row: int) -> bool:
        """Whether nothing but the other row of the same team lies between: a blank row ends a team."""
        return row == last + 1

    def _same_department(self, group: list[Entry], person: Entry) -> bool:
        known = next((spot.text for entry in group for spot in entry.departments if spot.text), "")
        texts = [spot.text for spot in person.departments if spot.text]
        return not texts or not known or same_key(texts[0]) == same_key(known)

    def _merged(self, group: list[Entry]) -> Entry:
        first = group[0]
        seats = tuple(seat for entry in group for seat in entry.seats)
        if len(seats) == 1:
            # The empty place beside is what the message has to point at: the same cell, it has no other.
            seats = (*seats, Seat(Spot(first.row, self.block.players[0])))
        departments = tuple(spot for entry in group for spot in entry.departments if spot.text)
        merged = replace(first, seats=seats, departments=departments or first.departments)
        return replace(merged, number=None) if self.paired_by_order else merged


def single_seat(entry: Entry) -> Spot:
    """Where the missing partner should stand: the first empty place of a team with one player."""
    empty = (seat.name for seat in entry.seats if seat not in entry.taken)
    return next(empty, entry.seats[0].name)
