"""From the bytes of a file to its sheets: by content, with the name only as a hint."""

import csv
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from typing import Literal

from tournaments.roster.grid import Grid, grid_of_rows
from tournaments.roster.types import MAX_COLUMNS, MAX_FILE_BYTES, MAX_ROWS, Unreadable, UnreadableRoster
from tournaments.roster.xlsx import Workbook

_WORKBOOK_NAMES = ("xlsx", "xlsm", "xltx", "xltm", "xls", "et", "xlsb")
_ZIP = b"PK\x03\x04"
_EMPTY_ZIP = b"PK\x05\x06"
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OTHER_KINDS = (b"%PDF", b"{\\rtf", b"Rar!", b"7z\xbc\xaf", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b")
_MARKED_ENCODINGS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_DELIMITERS = ",;\t|，"
_LINES_TO_TRY = 30
_EXCEL_COLUMNS = 16_384


@dataclass(frozen=True)
class Source:
    """An opened file: the names of its sheets, those hidden, and how to read one of them."""

    sheets: tuple[str, ...]
    hidden_sheets: tuple[str, ...]
    load: Callable[[str], Grid]


def open_file(data: bytes, filename: str) -> Source:
    """The sheets of an .xlsx or .csv file.

    Raises UnreadableRoster when it is another kind of file, is damaged, or breaks a limit.
    """
    if not data.strip(b"\0\r\n\t "):
        raise UnreadableRoster(Unreadable.EMPTY)
    if len(data) > MAX_FILE_BYTES:
        raise UnreadableRoster(Unreadable.FILE_TOO_LARGE)
    if data.startswith((_ZIP, _EMPTY_ZIP)):
        return _open_workbook(data)
    return _open_text(data, filename)


def _open_workbook(data: bytes) -> Source:
    book = Workbook(data)
    entries = {entry.name: entry for entry in book.sheets}
    return Source(
        tuple(entry.name for entry in book.sheets if entry.is_visible),
        tuple(entry.name for entry in book.sheets if not entry.is_visible),
        lambda name: book.grid(entries[name]),
    )


def _open_text(data: bytes, filename: str) -> Source:
    if data.startswith(_COMPOUND):
        is_encrypted = "EncryptedPackage".encode("utf-16-le") in data
        raise UnreadableRoster(Unreadable.ENCRYPTED if is_encrypted else Unreadable.OLD_EXCEL)
    if data.startswith(_OTHER_KINDS):
        raise UnreadableRoster(Unreadable.OTHER_OFFICE)
    if filename.lower().rpartition(".")[2] in _WORKBOOK_NAMES:
        raise UnreadableRoster(Unreadable.NOT_XLSX)
    grid = grid_of_text(decode(data))
    return Source(("",), (), lambda name: grid)


def decode(data: bytes) -> str:
    """The text of a csv file: by its mark, else UTF-8, unmarked UTF-16, or GB18030 as of Excel in China."""
    marked = next((encoding for mark, encoding in _MARKED_ENCODINGS if data.startswith(mark)), None)
    candidates = [marked] if marked else ["utf-8", *_unmarked_utf16(data), "gb18030"]
    for encoding in candidates:
        try:
            text = data.decode(encoding)
        except UnicodeError:
            continue
        if _is_text(text):
            return text
    raise UnreadableRoster(Unreadable.UNKNOWN_ENCODING)


def _unmarked_utf16(data: bytes) -> list[str]:
    """UTF-16 shows by the zero bytes of its commas and line ends."""
    if b"\0" not in data or len(data) % 2:
        return []
    return ["utf-16-le" if data[1::2].count(0) >= data[::2].count(0) else "utf-16-be"]


def _is_text(text: str) -> bool:
    """Whether no control characters betray a binary file."""
    strange = sum(character < " " and character not in "\r\n\t\x0b\x0c\x1a" for character in text[:20_000])
    return strange == 0


def grid_of_text(text: str) -> Grid:
    """The grid of a csv text; row numbers count records, blank ones too, as Excel does on opening it."""
    delimiter, text = _delimiter(text.lstrip("\ufeff"))
    # A quotation mark that is never closed would swallow the teams below it: then marks are plain text.
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        try:
            return grid_of_rows(_limited(_records(text, delimiter, quoting)))
        except csv.Error:
            continue
    raise UnreadableRoster(Unreadable.DAMAGED)


def _records(text: str, delimiter: str, quoting: Literal[0, 3]) -> Iterable[list[str]]:
    lines = StringIO(text, newline="")
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True, quoting=quoting, strict=True)


def _delimiter(text: str) -> tuple[str, str]:
    """The delimiter and the text below a `sep=;` line, which Excel understands as well."""
    first, _, below = text.partition("\n")
    declared = first.strip("\r").removeprefix("sep=")
    if first.startswith("sep=") and declared and declared in _DELIMITERS:
        return declared, "\n" + below
    return max(_DELIMITERS, key=lambda delimiter: _fit(text, delimiter)), text


def _fit(text: str, delimiter: str) -> int:
    """How many of the first records have as many fields as most have, times the fields beyond one."""
    try:
        records = islice(_records(text, delimiter, csv.QUOTE_MINIMAL), _LINES_TO_TRY)
        widths = [len(record) for record in records if record]
    except csv.Error:
        return 0
    return max((widths.count(width) * (width - 1) for width in set(widths)), default=0)


def _limited(records: Iterable[list[str]]) -> Iterable[tuple[int, Iterable[str]]]:
    for number, fields in enumerate(records, 1):
        if len(fields) > _EXCEL_COLUMNS:
            raise UnreadableRoster(Unreadable.TOO_MANY_COLUMNS)
        used = [_unquoted(field) for field in fields]
        while used and not used[-1].strip():
            used.pop()
        if used and number > MAX_ROWS:
            raise UnreadableRoster(Unreadable.TOO_MANY_ROWS)
        if len(used) > MAX_COLUMNS:
            raise UnreadableRoster(Unreadable.TOO_MANY_COLUMNS)
        yield number, used


def _unquoted(field: str) -> str:
    """`="007"` is how some programs make Excel keep a code as text."""
    return field[2:-1] if field.startswith('="') and field.endswith('"') else field
