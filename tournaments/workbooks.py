"""Writing .xlsx workbooks in which names are data and never code. Pure: rows in, bytes out."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from io import BytesIO

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.header_footer import HeaderFooterItem, _HeaderFooterPart
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

Value = str | int | float | Decimal | Fraction | bool | date | datetime | time | None

MAX_TEXT = 32_767
MAX_TITLE = 31
_MIN_WIDTH, _MAX_WIDTH = 6, 60
_A4 = 9
_TEXT_FORMAT = "@"
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPE_LOOKALIKE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\]")
_HEADER_FONT = Font(bold=True)
_HEADER_FILL = PatternFill("solid", fgColor="E8EFEA")
_HEADER_ALIGNMENT = Alignment(vertical="center", wrap_text=True)
_TEXT_ALIGNMENT = Alignment(vertical="center")
_WRAPPED = Alignment(vertical="center", wrap_text=True)


@dataclass(frozen=True)
class Sheet:
    """One sheet to write: a bold header that stays in sight, and rows.

    `widths` are in Excel's unit (about one digit; a Chinese character counts two), worked out from the
    content when left out. The values of `text_columns` (1-based) are written as text whatever they are, so
    that a code stays `7` or `13912340001`. `validations` are rules for typing into the sheet.
    """

    title: str
    headers: Sequence[str]
    rows: Iterable[Sequence[Value]]
    widths: Sequence[float] | None = None
    text_columns: Collection[int] = ()
    is_landscape: bool = False
    validations: Sequence[DataValidation] = field(default=())


def write_workbook(sheets: Iterable[Sheet]) -> bytes:
    """An .xlsx file with the sheets in order.

    Every text becomes a cell of type text with the text format, so nothing that begins with `=`, `+`, `-`,
    `@`, a tab or a line end is ever a formula, not even after somebody edits the cell, and what is shown is
    unchanged. Characters that XML forbids are removed. Prints on A4, fitted to the width, with the header on
    every page. Raises ValueError when there is no sheet.
    """
    book = Workbook()
    book.remove(book.worksheets[0])
    for sheet in sheets:
        taken = {title.casefold() for title in book.sheetnames}
        _write_sheet(book.create_sheet(_free_title(sheet.title, taken)), sheet)
    if not book.sheetnames:
        raise ValueError("a workbook needs a sheet")
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def plain_text(value: str) -> str:
    """The text without characters that a workbook cannot hold."""
    return _ILLEGAL.sub("", value.replace("\r\n", "\n").replace("\r", "\n"))[:MAX_TEXT]


def code_text(value: Value) -> str:
    """A value as the text of a code: `7.0` is `7`, no number is written with an exponent."""
    if value is None:
        return ""
    if isinstance(value, float | Decimal):
        text = f"{Decimal(str(value)):f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return plain_text(str(value))


def text_width(text: str) -> int:
    """The width of the longest line, a Chinese character counting two."""
    return max(sum(_is_wide(character) + 1 for character in line) for line in text.split("\n"))


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WFA"


def _free_title(title: str, taken: Collection[str]) -> str:
    """A title that Excel accepts and no other sheet has."""
    base = _NOT_IN_TITLES.sub(" ", plain_text(title)).replace("\n", " ").strip(" '")[:MAX_TITLE] or "Sheet"
    candidate, count = base, 1
    while candidate.casefold() in taken:
        count += 1
        candidate = f"{base[: MAX_TITLE - 6]} ({count})"
    return candidate


def _write_sheet(target: Worksheet, sheet: Sheet) -> None:
    rows = [tuple(row) for row in sheet.rows]
    _set_up_print(target, is_landscape=sheet.is_landscape)
    _set_up_columns(target, sheet, rows)
    target.append([_header_cell(target, header) for header in sheet.headers])
    for row in rows:
        target.append([_cell(target, value, at in sheet.text_columns) for at, value in enumerate(row, 1)])
    for validation in sheet.validations:
        target.add_data_validation(validation)


def _set_up_print(target: Worksheet, *, is_landscape: bool) -> None:
    target.freeze_panes = "A2"
    target.print_title_rows = "1:1"
    target.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    target.page_setup.paperSize = _A4
    target.page_setup.orientation = "landscape" if is_landscape else "portrait"
    target.page_setup.fitToWidth = 1
    target.page_setup.fitToHeight = 0
    target.print_options.horizontalCentered = True
    target.oddFooter = HeaderFooterItem(center=_HeaderFooterPart(text="&P / &N"))


def _set_up_columns(target: Worksheet, sheet: Sheet, rows: list[tuple[Value, ...]]) -> None:
    for at, width in enumerate(sheet.widths or _widths(sheet.headers, rows), 1):
        target.column_dimensions[get_column_letter(at)].width = width
    for at in sheet.text_columns:
        target.column_dimensions[get_column_letter(at)].number_format = _TEXT_FORMAT


def _widths(headers: Sequence[str], rows: list[tuple[Value, ...]]) -> list[float]:
    lines: list[Sequence[Value]] = [headers, *rows]
    widest = [0] * max(map(len, lines))
    for line in lines:
        for at, value in enumerate(line):
            widest[at] = max(widest[at], text_width(code_text(value)[:200]))
    return [min(max(width + 2, _MIN_WIDTH), _MAX_WIDTH) for width in widest]


def _header_cell(target: Worksheet, header: str) -> Cell:
    cell = _text_cell(target, header)
    cell.font = _HEADER_FONT
    cell.fill = _HEADER_FILL
    cell.alignment = _HEADER_ALIGNMENT
    return cell


def _cell(target: Worksheet, value: Value, as_text: bool) -> Cell | None:
    if value is None or value == "":
        return None
    if isinstance(value, str) or as_text:
        return _text_cell(target, code_text(value))
    cell = Cell(target, row=1, column=1)
    cell.value = _storable(value)
    return cell


def _storable(value: int | float | Decimal | Fraction | date | time) -> float | Decimal | date | time:
    """Excel knows no fractions and no time zones: the wall time stays, the zone goes."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, datetime | time):
        return value.replace(tzinfo=None)
    return value


def _text_cell(target: Worksheet, text: str) -> Cell:
    """A cell whose type is text: the value alone would make `=1+1` a formula and `#N/A` an error."""
    cell = Cell(target, row=1, column=1)
    cell.value = _ESCAPE_LOOKALIKE.sub("_x005F_", plain_text(text))
    cell.data_type = "s"
    cell.number_format = _TEXT_FORMAT
    cell.alignment = _WRAPPED if "\n" in text else _TEXT_ALIGNMENT
    return cell
