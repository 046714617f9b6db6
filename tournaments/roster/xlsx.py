"""The little of an .xlsx workbook that a roster needs: sheet names, texts, merged cells, hidden rows.

Read with expat from the standard library and not with openpyxl, for four reasons that rosters of real
offices give: a million formatted empty rows cost openpyxl a minute and hundreds of megabytes; its quick mode
does not tell merged cells; a formula without a saved value needs a second reading; and a style or filter that
WPS wrote in its own way makes it give up on a file whose names are perfectly readable.
"""

import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache
from io import BytesIO
from posixpath import join, normpath
from xml.parsers import expat

from openpyxl.styles.numbers import is_date_format
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

from tournaments.roster.grid import Cell, Grid, Merge, cell_of
from tournaments.roster.text import plain_number
from tournaments.roster.types import MAX_COLUMNS, MAX_ROWS, Problem, Unreadable, UnreadableRoster

MAX_MEMBERS = 2_000
MAX_UNPACKED_BYTES = 250 * 1024 * 1024
MAX_PART_BYTES = 40 * 1024 * 1024
MAX_ELEMENTS = 1_200_000
MAX_MERGED_CELLS = 1_000_000
MAX_RAW_TEXT = 4_000
MAX_TOKEN_BYTES = 1024 * 1024
CHUNK_BYTES = 128 * 1024

# What zipfile, zlib and expat raise over bytes that are no workbook.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    expat.ExpatError,
    EOFError,
    KeyError,
    LookupError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
)

# Built-in formats that are dates: ECMA-376 part 1, 18.8.30, with those of Chinese Excel (27–36, 50–58).
_DATE_FORMATS = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
_REFERENCE = re.compile("([A-Za-z]{1,3})([0-9]{1,7})")
_EMPTY_CELL = re.compile(rb'<c r="[A-Z]{1,3}[0-9]{1,7}"[^<>]*(?:/>|></c>)')
_EMPTY_ROW = re.compile(rb'<row r="[0-9]{1,7}"[^<>]*(?:/>|>\s*</row>)')


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A worksheet as the workbook lists it: its name, its part in the archive, whether it can be seen."""

    name: str
    part: str
    is_visible: bool


@dataclass(slots=True)
class Budget:
    """What reading a workbook may still cost: the same large part may be named by many sheets."""

    bytes: int = MAX_UNPACKED_BYTES
    elements: int = MAX_ELEMENTS


def refuse(code: Unreadable) -> UnreadableRoster:
    """The error for `code`, to be raised."""
    return UnreadableRoster(code)


class Workbook:
    """An opened .xlsx file. What the limits forbid is refused on opening, before anything is unpacked."""

    def __init__(self, data: bytes) -> None:
        # Each member has this mark in the directory; counting marks cannot be lied to, and costs 1 ms.
        if data.count(b"PK\x01\x02") > MAX_MEMBERS:
            raise refuse(Unreadable.TOO_LARGE_INSIDE)
        self._budget = Budget()
        try:
            self._archive = zipfile.ZipFile(BytesIO(data))
            self._parts = {_part_name(info.filename): info for info in self._archive.infolist()}
            self._check_archive()
            self.sheets = self._list_sheets()
        except DAMAGE as damage:
            raise refuse(Unreadable.DAMAGED) from damage

    def grid(self, sheet: SheetEntry) -> Grid:
        """The content of one sheet."""
        try:
            return self._read_grid(sheet)
        except DAMAGE as damage:
            raise refuse(Unreadable.DAMAGED) from damage

    def _check_archive(self) -> None:
        infos = self._parts.values()
        if any(info.flag_bits & 1 for info in infos):
            raise refuse(Unreadable.ENCRYPTED)
        if sum(info.file_size for info in infos) > MAX_UNPACKED_BYTES:
            raise refuse(Unreadable.TOO_LARGE_INSIDE)
        if "[content_types].xml" not in self._parts or any(
            part.endswith("workbook.bin") for part in self._parts
        ):
            raise refuse(Unreadable.OTHER_OFFICE)

    def _list_sheets(self) -> tuple[SheetEntry, ...]:
        root = self._relations("")
        workbook_part = next(
            (part for kind, part in root.values() if kind == "officeDocument"), "xl/workbook.xml"
        )
        if workbook_part not in self._parts:
            raise refuse(Unreadable.OTHER_OFFICE)
        book = _WorkbookPart()
        self._parse(workbook_part, book.start)
        if not book.sheets:
            raise refuse(Unreadable.OTHER_OFFICE)
        self._epoch = CALENDAR_MAC_1904 if book.counts_from_1904 else CALENDAR_WINDOWS_1900
        relations = self._relations(workbook_part)
        self._texts_part = next((part for kind, part in relations.values() if kind == "sharedStrings"), "")
        self._styles_part = next((part for kind, part in relations.values() if kind == "styles"), "")
        found = ((name, visible, relations.get(link, ("", ""))) for name, visible, link in book.sheets)
        return tuple(
            SheetEntry(name, part, visible)
            for name, visible, (kind, part) in found
            if kind == "worksheet" and part in self._parts
        )

    def _relations(self, part: str) -> dict[str, tuple[str, str]]:
        """What a part refers to inside the archive: id → (kind, part). External links are left out."""
        folder, _, name = part.rpartition("/")
        relations_part = join(folder, "_rels", f"{name}.rels")
        found: dict[str, tuple[str, str]] = {}

        def start(tag: str, attributes: dict[str, str]) -> None:
            if _local(tag) == "Relationship" and attributes.get("TargetMode") != "External":
                kind = attributes.get("Type", "").rpartition("/")[2]
                target = attributes.get("Target", "").replace("\\", "/")
                found[attributes.get("Id", "")] = kind, _part_name(normpath(join("/", folder, target)))

        if relations_part in self._parts:
            self._parse(relations_part, start)
        return found

    def _read_grid(self, sheet: SheetEntry) -> Grid:
        reader = _SheetPart()
        self._parse(sheet.part, reader.start, reader.end, reader.data, skip_empty=True)
        wanted = {
            int(raw.text) for raw in reader.cells.values() if raw.kind == "s" and raw.text.strip().isdecimal()
        }
        texts = self._shared_texts(wanted) if wanted else {}
        rows: dict[int, dict[int, Cell]] = {}
        for (row, column), raw in sorted(reader.cells.items()):
            cell = self._cell(raw, texts)
            if cell.text or cell.fault:
                rows.setdefault(row, {})[column] = cell
        merges = tuple(reader.merges)
        _check_merges(merges, Grid(rows))
        return Grid(rows, merges, frozenset(reader.hidden_rows))

    def _cell(self, raw: "_RawCell", texts: Mapping[int, str]) -> Cell:
        text = raw.text.strip()
        if raw.kind == "e":
            return Cell(text or "#", Problem.CELL_ERROR)
        if raw.has_formula and not text and raw.kind != "str":
            return Cell("", Problem.FORMULA_WITHOUT_VALUE)
        if raw.kind == "s":
            return cell_of(_unescape(texts.get(int(text), ""))) if text.isdecimal() else Cell("")
        if raw.kind in ("str", "inlineStr"):
            return cell_of(_unescape(raw.text))
        if raw.kind == "b":
            return Cell({"1": "TRUE", "0": "FALSE"}.get(text, text))
        if raw.kind == "d":
            return cell_of(text.removesuffix("T00:00:00").replace("T", " "))
        return cell_of(self._number(text, raw.style))

    def _number(self, text: str, style: int) -> str:
        return _date(text, self._epoch) if text and self._styles.shows_dates(style) else plain_number(text)

    @cached_property
    def _styles(self) -> "_StylesPart":
        styles = _StylesPart()
        if self._styles_part in self._parts:
            self._parse(self._styles_part, styles.start, styles.end)
        return styles

    def _shared_texts(self, wanted: set[int]) -> dict[int, str]:
        """The texts of the workbook that a sheet uses; a huge table of texts is passed over, not kept."""
        reader = _TextsPart(wanted)
        if self._texts_part in self._parts:
            self._parse(self._texts_part, reader.start, reader.end, reader.data)
        return reader.texts

    def _parse(
        self,
        part: str,
        start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None] | None = None,
        data: Callable[[str], None] | None = None,
        *,
        skip_empty: bool = False,
    ) -> None:
        info = self._parts[part]
        self._budget.bytes -= info.file_size
        if self._budget.bytes < 0 or (not skip_empty and info.file_size > MAX_PART_BYTES):
            raise refuse(Unreadable.TOO_LARGE_INSIDE)
        with self._archive.open(info) as stream:
            chunks: Iterable[bytes] = iter(lambda: stream.read(CHUNK_BYTES), b"")
            if skip_empty:
                chunks = _without_empty_cells(chunks)
            parse_xml(chunks, self._budget, start, end, data)


def parse_xml(
    chunks: Iterable[bytes],
    budget: Budget,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None] | None = None,
    data: Callable[[str], None] | None = None,
) -> None:
    """Parse with expat. Document types are refused, so no entity is ever defined or fetched.

    `budget` bounds what a workbook may cost in all; one endless token is refused as well.
    """

    def counted(tag: str, attributes: dict[str, str]) -> None:
        budget.elements -= 1
        if budget.elements < 0:
            raise refuse(Unreadable.TOO_LARGE_INSIDE)
        start(tag, attributes)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = counted
    if end is not None:
        parser.EndElementHandler = end
    if data is not None:
        parser.CharacterDataHandler = data
    fed = 0
    for chunk in chunks:
        parser.Parse(chunk, False)
        fed += len(chunk)
        if fed - parser.CurrentByteIndex > MAX_TOKEN_BYTES:
            raise refuse(Unreadable.TOO_LARGE_INSIDE)
    parser.Parse(b"", True)


def _refuse_doctype(*_: object) -> None:
    raise refuse(Unreadable.UNSAFE)


def _without_empty_cells(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The XML of a sheet without cells and rows that only carry a format.

    A column formatted down to row 1,048,576 writes a million of them; taking them out of the bytes is four
    times as fast as parsing them.
    """
    rest = b""
    for chunk in chunks:
        block = rest + chunk
        cut = block.rfind(b"</row>") + len(b"</row>")
        if cut < len(b"</row>"):
            cut = block.rfind(b"/>") + len(b"/>")
        if cut < len(b"/>") or len(block) > MAX_TOKEN_BYTES:
            cut = len(block)
        yield _EMPTY_ROW.sub(b"", _EMPTY_CELL.sub(b"", block[:cut]))
        rest = block[cut:]
    yield rest


@dataclass(slots=True)
class _RawCell:
    """A cell as the file has it: its type, its style, its text as written there."""

    kind: str
    style: int
    text: str = ""
    has_formula: bool = False


@dataclass
class _SheetPart:
    """Collects the cells with content of a worksheet part."""

    cells: dict[tuple[int, int], _RawCell] = field(default_factory=dict)
    merges: list[Merge] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    _row: int = 0
    _column: int = 0
    _is_hidden: bool = False
    _cell: _RawCell | None = None
    _takes_text: bool = False
    _phonetic: int = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        handler = _SHEET_STARTS.get(_local(tag))
        if handler is not None:
            handler(self, attributes)

    def _start_row(self, attributes: dict[str, str]) -> None:
        self._row = _positive(attributes.get("r", self._row + 1))
        self._column = 0
        self._is_hidden = attributes.get("hidden") in ("1", "true")

    def _start_cell(self, attributes: dict[str, str]) -> None:
        reference = attributes.get("r")
        if reference is None:
            self._column += 1
        else:
            self._row, self._column = _coordinates(reference)
        style = attributes.get("s", "")
        self._cell = _RawCell(attributes.get("t", "n"), int(style) if style.isdecimal() else -1)

    def _start_text(self, _: dict[str, str]) -> None:
        self._takes_text = self._cell is not None and not self._phonetic

    def _start_formula(self, _: dict[str, str]) -> None:
        if self._cell is not None:
            self._cell.has_formula = True

    def _start_phonetic(self, _: dict[str, str]) -> None:
        self._phonetic += 1

    def _start_merge(self, attributes: dict[str, str]) -> None:
        first, _, last = attributes.get("ref", "").partition(":")
        if last:
            (top, left), (bottom, right) = _coordinates(first), _coordinates(last)
            self.merges.append(Merge(top, left, bottom, right))

    def data(self, text: str) -> None:
        cell = self._cell
        if self._takes_text and cell is not None and len(cell.text) < MAX_RAW_TEXT:
            cell.text += text

    def end(self, tag: str) -> None:
        name = _local(tag)
        if name in ("v", "t"):
            self._takes_text = False
        elif name == "rPh":
            self._phonetic -= 1
        elif name == "c" and self._cell is not None:
            self._keep(self._cell)
            self._cell = None

    def _keep(self, cell: _RawCell) -> None:
        if not (cell.text.strip() or cell.has_formula):
            return
        if cell.kind == "str" and not cell.text.strip():
            return  # a formula whose result is an empty text
        if self._row > MAX_ROWS:
            raise refuse(Unreadable.TOO_MANY_ROWS)
        if self._column > MAX_COLUMNS:
            raise refuse(Unreadable.TOO_MANY_COLUMNS)
        self.cells[self._row, self._column] = cell
        if self._is_hidden:
            self.hidden_rows.add(self._row)


_SHEET_STARTS: Mapping[str, Callable[[_SheetPart, dict[str, str]], None]] = {
    "row": _SheetPart._start_row,
    "c": _SheetPart._start_cell,
    "v": _SheetPart._start_text,
    "t": _SheetPart._start_text,
    "f": _SheetPart._start_formula,
    "rPh": _SheetPart._start_phonetic,
    "mergeCell": _SheetPart._start_merge,
}


@dataclass
class _TextsPart:
    """Collects the wanted entries of the table of shared texts."""

    wanted: set[int]
    texts: dict[int, str] = field(default_factory=dict)
    _index: int = -1
    _text: str = ""
    _takes_text: bool = False
    _phonetic: int = 0

    def start(self, tag: str, _: dict[str, str]) -> None:
        name = _local(tag)
        if name == "si":
            self._index += 1
            self._text = ""
        elif name == "rPh":
            self._phonetic += 1
        elif name == "t":
            self._takes_text = not self._phonetic

    def data(self, text: str) -> None:
        if self._takes_text and len(self._text) < MAX_RAW_TEXT:
            self._text += text

    def end(self, tag: str) -> None:
        name = _local(tag)
        if name == "t":
            self._takes_text = False
        elif name == "rPh":
            self._phonetic -= 1
        elif name == "si" and self._index in self.wanted:
            self.texts[self._index] = self._text


@dataclass
class _WorkbookPart:
    """Collects the sheets: name, visible, id of the relation."""

    sheets: list[tuple[str, bool, str]] = field(default_factory=list)
    counts_from_1904: bool = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = _local(tag)
        if name == "workbookPr":
            self.counts_from_1904 = attributes.get("date1904") in ("1", "true")
        elif name == "sheet" and "name" in attributes:
            link = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            is_visible = attributes.get("state", "visible") == "visible"
            self.sheets.append((_unescape(attributes["name"]), is_visible, link))


@dataclass
class _StylesPart:
    """Collects the number formats, only to know which cells are dates."""

    formats: dict[int, str] = field(default_factory=dict)
    formats_of_cells: list[int] = field(default_factory=list)
    _in_cells: bool = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = _local(tag)
        number = attributes.get("numFmtId", "0")
        if name == "numFmt" and number.isdecimal():
            self.formats[int(number)] = attributes.get("formatCode", "")[:200]
        elif name == "cellXfs":
            self._in_cells = True
        elif name == "xf" and self._in_cells:
            self.formats_of_cells.append(int(number) if number.isdecimal() else 0)

    def end(self, tag: str) -> None:
        if _local(tag) == "cellXfs":
            self._in_cells = False

    def shows_dates(self, style: int) -> bool:
        """Whether cells of this style show their number as a date."""
        if not 0 <= style < len(self.formats_of_cells):
            return False
        number = self.formats_of_cells[style]
        return number in _DATE_FORMATS or bool(is_date_format(self.formats.get(number)))


def _local(tag: str) -> str:
    return tag.rpartition(":")[2]


def _part_name(name: str) -> str:
    """The name of a part for comparing: some programs write backslashes, a leading slash, other capitals."""
    return name.replace("\\", "/").lstrip("/").lower()


def _unescape(text: str) -> str:
    """Excel writes characters that XML has no room for as `_x000D_`."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _positive(number: str | int) -> int:
    row = int(number)
    if row < 1:
        raise refuse(Unreadable.DAMAGED)
    return row


@lru_cache(maxsize=4096)
def _coordinates(reference: str) -> tuple[int, int]:
    """Row and column of `B7`."""
    match = _REFERENCE.fullmatch(reference.replace("$", ""))
    if match is None:
        raise refuse(Unreadable.DAMAGED)
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - 64
    return _positive(match[2]), column


def _date(text: str, epoch: datetime) -> str:
    """A day as `2026-05-15`, a moment as `2026-05-15 13:30`; the number itself when it is no date."""
    try:
        moment = from_excel(float(text), epoch)
    except (ValueError, OverflowError, TypeError):
        return plain_number(text)
    if isinstance(moment, datetime):
        return f"{moment:%Y-%m-%d %H:%M}".removesuffix(" 00:00")
    return str(moment)


def _check_merges(merges: tuple[Merge, ...], grid: Grid) -> None:
    """Refuse overlapping merges that would cost seconds to lay out; Excel writes none that overlap."""
    budget = MAX_MERGED_CELLS
    for merge in merges:
        height = min(merge.bottom, grid.last_row + 1) - merge.top + 1
        width = min(merge.right, grid.last_column + 1) - merge.left + 1
        budget -= max(height, 0) * max(width, 0) + 1
        if budget < 0:
            raise refuse(Unreadable.TOO_LARGE_INSIDE)
