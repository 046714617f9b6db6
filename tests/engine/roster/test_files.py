"""Files of every kind: read by their content, or refused as a whole with the reason."""

from __future__ import annotations

import re
import time
import zipfile
from io import BytesIO

import pytest

from tests.engine.roster.files import (
    brief,
    csv_bytes,
    inline_rows,
    names,
    problems,
    raw_xlsx,
    replaced,
    xlsx,
    zipped,
)
from tournaments.roster import Unreadable, UnreadableRoster, describe, read_roster
from tournaments.roster.types import MAX_FILE_BYTES
from tournaments.roster.xlsx import MAX_UNPACKED_BYTES

ROWS = [("组号", "姓名1", "姓名2", "单位"), (1, "赵敏", "范遥", "二车间"), (2, "殷离", "周颠", "三车间")]
TEAMS = [(2, 1, "二车间", ("赵敏", "范遥")), (3, 2, "三车间", ("殷离", "周颠"))]
MAC = b'<workbookPr date1904="1"/>'
TWENTY_SHEETS = "".join(f'<sheet name="S{at}" sheetId="{at}" r:id="rId1"/>' for at in range(1, 21))
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
INLINE = inline_rows([[str(cell) for cell in row] for row in ROWS])


def refusal(data: bytes, filename: str = "名单.xlsx", **options: object) -> Unreadable:
    with pytest.raises(UnreadableRoster) as refused:
        read_roster(data, filename, **options)
    assert describe(refused.value).endswith("。")
    return refused.value.code


@pytest.mark.parametrize(
    ("data", "filename", "code"),
    [
        (b"", "x.xlsx", Unreadable.EMPTY),
        (b" \r\n\r\n", "x.csv", Unreadable.EMPTY),
        (bytes(5000), "x.xlsx", Unreadable.EMPTY),
        (b",,,\r\n,,\r\n", "x.csv", Unreadable.EMPTY),
        (xlsx([]), "x.xlsx", Unreadable.EMPTY),
        (b"1" * (MAX_FILE_BYTES + 1), "x.csv", Unreadable.FILE_TOO_LARGE),
        (csv_bytes(ROWS, "gbk"), "x.xlsx", Unreadable.NOT_XLSX),
        (csv_bytes(ROWS, "gbk"), "X.XLS", Unreadable.NOT_XLSX),
        (COMPOUND + "Workbook".encode("utf-16-le"), "x.xls", Unreadable.OLD_EXCEL),
        (COMPOUND + "EncryptedPackage".encode("utf-16-le"), "x.xlsx", Unreadable.ENCRYPTED),
        (zipped([("Index/Document.iwa", b"x")]), "x.numbers", Unreadable.OTHER_OFFICE),
        (
            zipped([("mimetype", b"application/vnd.oasis.opendocument.spreadsheet")]),
            "x.ods",
            Unreadable.OTHER_OFFICE,
        ),
        (
            zipped([("[Content_Types].xml", b"<T/>"), ("word/document.xml", b"<d/>")]),
            "x.docx",
            Unreadable.OTHER_OFFICE,
        ),
        (
            zipped([("[Content_Types].xml", b"<T/>"), ("xl/workbook.bin", b"x")]),
            "x.xlsb",
            Unreadable.OTHER_OFFICE,
        ),
        (b"%PDF-1.7\n", "x.csv", Unreadable.OTHER_OFFICE),
        (b"\x89PNG\r\n\x1a\n\0\0", "x.csv", Unreadable.OTHER_OFFICE),
        (b"\xff\xfe\xfd\x80\x81" * 9, "x.csv", Unreadable.UNKNOWN_ENCODING),
        (b"\x01\x02\x03\x04" * 20, "x.csv", Unreadable.UNKNOWN_ENCODING),
        (xlsx(ROWS)[:-400], "x.xlsx", Unreadable.DAMAGED),
        (xlsx(ROWS)[:1000], "x.xlsx", Unreadable.DAMAGED),
        (b"PK\x03\x04" + bytes(100), "x.xlsx", Unreadable.DAMAGED),
        (
            replaced(xlsx(ROWS), "xl/worksheets/sheet1.xml", lambda part: part[:-30]),
            "x.xlsx",
            Unreadable.DAMAGED,
        ),
        (replaced(xlsx(ROWS), "xl/workbook.xml", lambda part: b"\0"), "x.xlsx", Unreadable.DAMAGED),
        (csv_bytes([*ROWS, *([""] * 5000), ("9", "甲一", "乙一")]), "x.csv", Unreadable.TOO_MANY_ROWS),
        (raw_xlsx(INLINE + inline_rows([("9", "甲")], 5001)), "x.xlsx", Unreadable.TOO_MANY_ROWS),
        (csv_bytes([[*ROWS[0], *[""] * 60, "备注"]]), "x.csv", Unreadable.TOO_MANY_COLUMNS),
        (csv_bytes([[""] * 20_000]), "x.csv", Unreadable.TOO_MANY_COLUMNS),
        (xlsx([*ROWS, [""] * 60 + ["x"]]), "x.xlsx", Unreadable.TOO_MANY_COLUMNS),
        (csv_bytes([["名单"] * 60, *[["甲一、乙一"] * 60] * 100]), "x.csv", Unreadable.TOO_MANY_TEAMS),
        (b'"' + b"x" * 200_000, "x.csv", Unreadable.DAMAGED),
    ],
)
def test_refused_as_a_whole(data, filename, code):
    assert refusal(data, filename) is code


@pytest.mark.parametrize(
    "filename",
    ["名单.xlsx", "名单.XLSX", "名单.xls", "名单.csv", "名单", "", "../../etc/passwd", "a\0b.xlsx"],
)
def test_a_workbook_is_read_whatever_its_name(filename):
    assert brief(read_roster(xlsx(ROWS), filename)) == TEAMS


def test_a_sheet_that_is_not_there():
    assert refusal(xlsx(ROWS), sheet="第九页") is Unreadable.NO_SUCH_SHEET
    assert refusal(csv_bytes(ROWS), "x.csv", sheet="第九页") is Unreadable.NO_SUCH_SHEET


def test_encrypted_members_are_refused():
    data = bytearray(xlsx(ROWS))
    with zipfile.ZipFile(BytesIO(bytes(data))) as archive:
        directory = archive.start_dir
    data[directory + 8] |= 1
    assert refusal(bytes(data)) is Unreadable.ENCRYPTED


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/sharedStrings.xml"])
@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd">',
        '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>',
    ],
)
def test_entities_are_never_resolved(part, doctype):
    data = raw_xlsx('<row r="1"><c r="A1" t="s"><v>0</v></c></row>', strings="<si><t>x</t></si>")
    hostile = replaced(data, part, lambda content: doctype.encode() + content)
    assert refusal(hostile) is Unreadable.UNSAFE


def test_macros_are_left_alone():
    data = raw_xlsx(INLINE, more=[("xl/vbaProject.bin", COMPOUND)])
    assert brief(read_roster(data, "名单.xlsm")) == TEAMS


def announcing(size: int) -> bytes:
    """A workbook whose directory says that its picture unpacks to `size` bytes."""
    data = bytearray(raw_xlsx(INLINE, more=[("xl/media/image1.png", b"x")]))
    entry = data.rindex(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = size.to_bytes(4, "little")
    return bytes(data)


def test_zip_bombs_are_refused_before_unpacking():
    assert refusal(announcing(MAX_UNPACKED_BYTES)) is Unreadable.TOO_LARGE_INSIDE


def test_a_large_picture_is_no_bomb():
    assert brief(read_roster(announcing(MAX_UNPACKED_BYTES - 10_000), "x.xlsx")) == TEAMS


def test_too_many_members_are_refused():
    data = raw_xlsx(INLINE, more=[(f"xl/{at}", b"") for at in range(2000)])
    assert refusal(data) is Unreadable.TOO_LARGE_INSIDE


@pytest.mark.parametrize(
    "data",
    [
        raw_xlsx("<row>" + "<c/>" * 90_000 + "</row>", sheets=TWENTY_SHEETS),
        raw_xlsx('<row><c t="s"><v>9</v></c></row>', strings="<si/>" * 1_600_000),
        raw_xlsx(f'<row r="1"><c r="A1" t="s" x="{"y" * 3_000_000}"><v>0</v></c></row>'),
        raw_xlsx(INLINE, after='<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>' * 60_000),
    ],
    ids=["sheets", "strings", "attribute", "merges"],
)
def test_other_bombs_are_refused_in_time(data):
    started = time.process_time()
    assert refusal(data) is Unreadable.TOO_LARGE_INSIDE
    assert time.process_time() - started < 5


def test_cells_without_references_count_on():
    body = '<row><c t="inlineStr"><is><t>姓名1</t></is></c><c t="inlineStr"><is><t>姓名2</t></is></c></row>'
    body += '<row><c/><c/></row><row><c t="inlineStr"><is><r><t>赵</t></r><r><t>敏</t></r></is></c>'
    body += '<c t="str"><f>A1</f><v>范遥</v></c></row>'
    assert brief(read_roster(raw_xlsx(body), "x.xlsx")) == [(3, None, None, ("赵敏", "范遥"))]


def test_shared_texts_without_their_readings():
    strings = "<si><t>姓名1</t></si><si><t>姓名2</t></si><si><r><t>赵</t></r><r><t>敏_x000D_</t></r>"
    strings += "<rPh sb='0' eb='1'><t>ZHAO</t></rPh></si><si><t xml:space='preserve'> 范遥 </t></si>"
    cell = '<c r="{}" t="s"><v>{}</v></c>'
    body = f'<row r="1">{cell.format("A1", 0)}{cell.format("B1", 1)}</row>'
    body += f'<row r="2">{cell.format("A2", 2)}{cell.format("B2", 3)}{cell.format("C2", 99)}</row>'
    assert names(read_roster(raw_xlsx(body, strings=strings), "x.xlsx").teams[0]) == ("赵敏", "范遥")


def test_a_workbook_of_another_program():
    """Strict namespaces, prefixes, backslashes and capitals in part names, a leading mark."""
    data = replaced(
        raw_xlsx(INLINE.replace("<", "<x:").replace("<x:/", "</x:"), head="\ufeff"),
        "xl/worksheets/sheet1.xml",
        lambda part: (
            part.replace(b"<worksheet xmlns=", b"<x:worksheet xmlns:x=")
            .replace(b"<sheetData", b"<x:sheetData")
            .replace(b"</sheetData", b"</x:sheetData")
            .replace(b"</worksheet", b"</x:worksheet")
        ),
    )
    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts = [(info.filename, archive.read(info)) for info in archive.infolist()]
    moved = [
        (
            name.replace("xl/worksheets/sheet1", "xl\\Worksheets\\Sheet1"),
            content.replace(
                b"schemas.openxmlformats.org/officeDocument/2006", b"purl.oclc.org/ooxml/officeDocument"
            ),
        )
        for name, content in parts
    ]
    assert brief(read_roster(zipped(moved), "x.xlsx")) == TEAMS


def test_dates_in_the_calendar_of_old_macs():
    data = xlsx([("选手一", "选手二", "日期"), ("张三", "李四", 46000)], tune=as_date)
    assert read_roster(data, "x.xlsx").teams[0].session == "2025-12-09"
    mac = replaced(data, "xl/workbook.xml", lambda part: re.sub(b"<workbookPr[^>]*>", MAC, part))
    assert read_roster(mac, "x.xlsx").teams[0].session == "2029-12-10"


def as_date(sheet):
    sheet["C2"].number_format = 'm"月"d"日"'


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("line_end", ["\r\n", "\n", "\r"])
def test_delimiters_and_line_ends(delimiter, line_end):
    text = csv_bytes(ROWS, delimiter=delimiter).decode().replace("\r\n", line_end)
    assert brief(read_roster(text.encode(), "x.csv")) == TEAMS


@pytest.mark.parametrize(
    "text",
    [
        'sep=;\n组号;姓名1;姓名2;单位\n1;赵敏;范遥;"二;车间"\n',
        '组号,姓名1,姓名2,单位\n="1","赵敏",范遥,二车间\n',
        "组号，姓名1，姓名2，单位\n1，赵敏，范遥，二车间\n",
        '组号,姓名1,姓名2,单位\n1,"赵敏,范遥,二车间\n2,殷离,周颠,三车间\n',
        "组号, 姓名1, 姓名2, 单位\n\n\n1, 赵敏, 范遥, 二车间\n",
    ],
)
def test_texts_that_programs_write_differently(text):
    reading = read_roster(text.encode(), "x.csv")
    assert reading.candidates[0].number == 1
    assert reading.candidates[0].players[1].name == "范遥"


def test_blank_lines_count_as_rows():
    reading = read_roster("姓名1,姓名2\n\n赵敏,范遥\n,\n殷离,周颠\n".encode(), "x.csv")
    assert [team.row for team in reading.teams] == [3, 5]


def test_line_ends_inside_a_cell_do_not():
    reading = read_roster('参赛人员,备注\n"赵敏\n范遥","一\n二"\n"殷离\n周颠",\n'.encode(), "x.csv")
    assert [(team.row, names(team)) for team in reading.teams] == [
        (2, ("赵敏", "范遥")),
        (3, ("殷离", "周颠")),
    ]
    assert reading.teams[0].remark == "一 二"


def test_csv_has_no_sheets():
    reading = read_roster(csv_bytes(ROWS), "x.csv")
    assert (reading.sheets, reading.hidden_sheets, reading.sheet) == ((), (), "")


def test_a_cell_is_read_up_to_400_characters():
    data = csv_bytes([("姓名1", "姓名2", "备注"), ("赵敏", "范遥", "长" * 5000)])
    reading = read_roster(data, "x.csv")
    assert problems(reading) == [(2, "备注", "text_too_long")]
    assert len(reading.errors[0].value) == 400
