"""Whatever the bytes: a reading or a refusal, both with sentences, and written rosters come back."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.roster.files import CASES, csv_bytes, raw_xlsx, xlsx
from tournaments.roster import (
    Column,
    RosterPlayer,
    RosterReading,
    RosterTeam,
    UnreadableRoster,
    describe,
    read_roster,
    roster_workbook,
)
from tournaments.roster.text import clean_text, is_garbled, is_nobody, same_key, tidy
from tournaments.roster.types import MAX_NUMBER, WARNINGS

# A busy machine makes one example slow; the suite as a whole is timed, not the example.
PATIENT = settings(deadline=None)

HEADERS = [
    *(
        "组号",
        "序号",
        "单位",
        "选手一",
        "选手二",
        "姓名",
        "参赛选手",
        "电话",
        "备注",
        "场次",
        "队名",
        "5月15日",
        "性别",
    ),
    *("5月16日参赛选手组合名单", "搭档", "", "x"),
]
WORDS = [
    "张三",
    "李四、王五",
    "、",
    "一分会",
    "分工会",
    "单位：甲",
    "注：",
    "合计",
    "1",
    "七",
    "#N/A",
    "=A1",
    " ",
    "\ufeff",
]
CELLS = st.one_of(
    st.none(),
    st.sampled_from(HEADERS),
    st.sampled_from(WORDS),
    st.integers(-10, 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.datetimes(),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12),
)
ROWS = st.lists(st.lists(CELLS, max_size=7), max_size=14)
MERGES = st.lists(
    st.tuples(st.integers(1, 6), st.integers(1, 12), st.integers(0, 3), st.integers(0, 4)).map(
        lambda corner: (
            f"{chr(64 + corner[0])}{corner[1]}:{chr(64 + corner[0] + corner[2])}{corner[1] + corner[3]}"
        )
    ),
    max_size=5,
)


def check(data: bytes, filename: str = "名单.xlsx", **options: object) -> None:
    """A reading that keeps its promises, or a refusal; nothing else."""
    try:
        reading = read_roster(data, filename, **options)
    except UnreadableRoster as refusal:
        refused = refusal
    else:
        _check_reading(reading)
        return
    assert describe(refused)


def _check_reading(reading: RosterReading) -> None:
    for problem in (*reading.errors, *reading.warnings):
        assert (problem.code in WARNINGS) == (problem in reading.warnings)
        assert "\n" not in describe(problem)
        assert problem.row >= 1
    assert [problem.row for problem in reading.errors] == sorted(problem.row for problem in reading.errors)
    assert reading.teams in ((), reading.candidates)
    for team in reading.teams:
        _check_team(team)
    keys = [same_key(player.name) for team in reading.teams for player in team.players]
    numbers = [team.number for team in reading.teams if team.number is not None]
    assert len(keys) == len(set(keys))
    assert len(numbers) == len(set(numbers))


def _check_team(team: RosterTeam) -> None:
    assert 2 <= len(team.players) <= 6
    assert team.number is None or 1 <= team.number <= MAX_NUMBER
    for text in (*(player.name for player in team.players), team.department or "x", team.session or "x"):
        assert 1 <= len(text) <= 40
        assert text == tidy(clean_text(text))
        assert "\ufffd" not in text


@PATIENT
@given(ROWS, MERGES)
def test_generated_workbooks(rows, merges):
    safe = [[_writable(cell) for cell in row] for row in rows]
    check(xlsx(safe, merges=dict.fromkeys(merges)) if _apart(merges) else xlsx(safe))


def _writable(cell):
    return clean_text(cell) if isinstance(cell, str) else cell


def _apart(merges: list[str]) -> bool:
    """openpyxl cannot write merges whose ranges overlap."""
    return len(merges) < 2


@PATIENT
@given(ROWS, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "gb18030"]), st.sampled_from(",;\t"))
def test_generated_text_files(rows, encoding, delimiter):
    texts = [["" if cell is None else str(cell) for cell in row] for row in rows]
    check(csv_bytes(texts, encoding, delimiter), "名单.csv")


@PATIENT
@given(
    ROWS,
    st.dictionaries(st.integers(1, 9), st.sampled_from(list(Column))),
    st.one_of(st.none(), st.integers(0, 20)),
    st.one_of(st.none(), st.text(max_size=60)),
)
def test_generated_instructions(rows, mapping, header_row, department):
    texts = [["" if cell is None else str(cell) for cell in row] for row in rows]
    check(csv_bytes(texts), "名单.csv", mapping=mapping, header_row=header_row, department=department)


XML_PIECES = [
    *(
        '<row r="1">',
        "<row>",
        "</row>",
        '<c r="A1">',
        '<c r="B1" t="s">',
        '<c t="e">',
        "</c>",
        "<v>",
        "</v>",
        "1",
        "99",
    ),
    *(
        '<c r="A9999999">',
        '<c r="ZZZ1">',
        '<row r="-1">',
        '<row r="x">',
        "<f>",
        "</f>",
        "<is>",
        "</is>",
        "<t>",
        "</t>",
    ),
    *(
        "姓名1",
        "姓名2",
        "&#0;",
        "&lt;",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        '<c r="A2" t="inlineStr"><is><t>张三</t></is></c>',
    ),
    *(
        '<c r="A1" s="7" t="d">',
        '<c r="C1" t="b">',
        '<c r="C1" s="1">',
        "1E999",
        "-1",
        '<mergeCell ref="A1:B2"/>',
    ),
]


@PATIENT
@given(st.lists(st.sampled_from(XML_PIECES), max_size=30).map("".join))
def test_any_xml(body):
    check(raw_xlsx(body, strings="<si><t>组号</t></si>"))


@PATIENT
@given(st.binary(max_size=200), st.sampled_from(["a.csv", "a.xlsx", "a"]))
def test_any_bytes(data, filename):
    check(data, filename)
    check(b"PK\x03\x04" + data, filename)


NAMES = (
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
    | st.text("张李王赵·•阿 依ABcd〇𠮷=+-@<>&'\"{}", min_size=2, max_size=12)
).map(lambda text: tidy(clean_text(text)))
PLAYER_NAMES = NAMES.filter(
    lambda name: (
        any(character.isalpha() for character in name)
        and same_key(name)
        and not is_nobody(name)
        and not is_garbled(name)
        and 0 < len(name) <= 40
    )
)
PLAIN = st.text("甲乙丙丁部门科室上午AB12=+-@<", min_size=1, max_size=10).map(
    lambda text: tidy(clean_text(text))
)


@st.composite
def rosters(draw) -> tuple[RosterTeam, ...]:
    """Teams as an event has them: all with a department or none, each person once, each number once."""
    size = draw(st.integers(2, 6))
    people = draw(st.lists(PLAYER_NAMES, min_size=size, max_size=size * 5, unique_by=same_key))
    count = len(people) // size
    numbers = draw(st.lists(st.integers(1, MAX_NUMBER), min_size=count, max_size=count, unique=True))
    has_departments = draw(st.booleans())
    spellings: dict[str, str] = {}
    teams = []
    for at in range(count):
        text = draw(PLAIN)
        teams.append(
            RosterTeam(
                row=at + 2,
                number=numbers[at],
                department=spellings.setdefault(same_key(text), text) if has_departments else None,
                players=tuple(
                    RosterPlayer(name, draw(st.sampled_from(["", "007", "13800000001"])))
                    for name in people[at * size : (at + 1) * size]
                ),
                session=draw(st.sampled_from([None, "上午", "5月15日（星期四）"])),
                name=draw(st.sampled_from(["", "飞虎队", "=1+1"])),
                remark=draw(st.sampled_from(["", "靠 窗", "-1", "@x", "007"])),
            )
        )
    return tuple(teams)


@settings(PATIENT, max_examples=50)
@given(rosters())
def test_a_written_roster_comes_back_identically(teams):
    reading = read_roster(roster_workbook(teams), "名单.xlsx")
    assert reading.errors == ()
    assert reading.teams == teams


@pytest.mark.parametrize("seed", range(60))
def test_damaged_files(seed):
    check(*_damaged(random.Random(seed)))


@pytest.mark.soak
@pytest.mark.parametrize("start", range(1000, 6000, 500))
def test_many_damaged_files(start):
    for seed in range(start, start + 500):
        check(*_damaged(random.Random(seed)))


def _damaged(chance: random.Random) -> tuple[bytes, str]:
    """One of the cases with a few bytes changed, taken out or cut off."""
    path = chance.choice(sorted(path for path in CASES.iterdir() if path.suffix in (".xlsx", ".csv")))
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(data))
        data[at : at + chance.choice([0, 1, 1, 9])] = bytes(
            chance.randrange(256) for _ in range(chance.choice([0, 1, 1, 4]))
        )
    return bytes(data[: chance.choice([len(data), len(data), chance.randrange(len(data))])]), path.name


@pytest.mark.soak
@settings(PATIENT, max_examples=3000)
@given(ROWS, MERGES)
def test_many_generated_workbooks(rows, merges):
    safe = [[_writable(cell) for cell in row] for row in rows]
    check(xlsx(safe, merges=merges if _apart(merges) else ()))


@pytest.mark.soak
@settings(PATIENT, max_examples=3000)
@given(rosters())
def test_many_written_rosters_come_back_identically(teams):
    assert read_roster(roster_workbook(teams), "名单.xlsx").teams == teams


@pytest.mark.soak
@settings(PATIENT, max_examples=5000)
@given(st.lists(st.sampled_from(XML_PIECES), max_size=60).map("".join))
def test_much_xml(body):
    check(raw_xlsx(body, strings="<si><t>组号</t></si>"))
