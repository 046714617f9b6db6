"""What a header says its column means, and which row of a sheet is the header."""

import re
import unicodedata
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from tournaments.roster.grid import Grid
from tournaments.roster.text import is_nobody, split_names, tidy
from tournaments.roster.types import MAX_SESSION, PERSONS, SEATS, Column, ColumnGuess

ROWS_TO_SEARCH = 40
SAMPLES = 3
LONGEST_HEADER = 60
_ROWS_TO_JUDGE = 200
_LONGEST_DAY = 20

_SEAT_OF = {
    word: seat
    for seat, words in enumerate(
        ("1一壹a甲男", "2二贰b乙女", "3三叁c丙", "4四肆d丁", "5五伍e戊", "6六陆f己"),
    )
    for word in words
}
_ORDINAL = "[" + "".join(_SEAT_OF) + "]"
_PERSON = (
    "选手|队员|姓名|名字|成员|球员|组员|牌手|运动员|人员|参赛者|参赛人|搭档|拍档|"
    "playername|player|partner|member|name"
)
_LIST = "组合|名单|花名册|list"
_DEPARTMENT = (
    "单位|部门|分会|学院|工会|院系|系部|系别|院系部|科室|处室|部室|车间|班组|班级|支部|公司|分厂|代表队|俱乐部|协会|"
    "学校|机关|组织|院部|院校|街道|社区|department|dept|unit|school|college|company|club"
)
_IN_BRACKETS = re.compile(r"[(（\[【〔]([^)）\]】〕]*)[)）\]】〕]")
_BRACKETS = re.compile(r"[()（）\[\]【】〔〕]")
_MARKS = re.compile(r"[\s*:：、.。_#\-—~!！?？'\"“”※★·]+")
_ALTERNATIVES = re.compile("[/／或|]")

# In this order: 联系人电话 is nobody's phone here, 手机号码 is no team number, 选手单位 is no player.
_MEANINGS: tuple[tuple[Column, re.Pattern[str]], ...] = (
    (Column.LEADER, re.compile("(参赛|球队|队伍|代表队|本队)?领队(人|员)?(姓名|名字)?|teamleader|leader")),
    (Column.COACH, re.compile("(参赛|球队|队伍|代表队|本队)?(主)?教练(员)?(姓名|名字)?|coach")),
    (
        Column.IGNORE,
        re.compile(
            ".*(性别|年龄|职务|职称|工号|学号|身份证|证件|领队|教练|联系人|负责人|签名|签字|签到|微信|邮箱|qq|mail|民族|"
            "岗位|照片|出生|籍贯|名次|成绩|得分|积分|桌号|报名日期|报名时间|填报|填表|员工编号|职工号|gender|sex|age|wechat).*"
        ),
    ),
    (Column.PHONE, re.compile(".*(手机|电话|联系方式|联系方法|短号|座机|phone|mobile|tel).*")),
    (Column.REMARK, re.compile("备注|说明|附注|备考|其他|其它|remarks?|notes?|comments?")),
    (
        Column.NUMBER,
        re.compile(
            "(参赛|报名|队伍|球队|组合|选手|队员|抽签|小组|对阵)?"
            "(组号|编号|序号|号码|队号|对号|签号|号|组次|队次|顺序|顺序号|次序)|组|队|对|no|num|number|id|teamno|teamnumber"
        ),
    ),
    (
        Column.NAME,
        re.compile(
            "(参赛)?(队名|队伍名称?|球队名称?|战队名?称?|组合名称?|团队名称?|小组名称)|队伍|team|teamname"
        ),
    ),
    (
        Column.DEPARTMENT,
        re.compile(
            f"((选手|队员|姓名|成员){_ORDINAL})?"
            "(参赛|报名|所在|所属|所|工作|填报|推荐|选送|选派|选手|队员|姓名|代表|职工|教职?工|基层|部门|分|本)*"
            f"({_DEPARTMENT})(工会|分会|学院|部门|单位)?(小组)?(名称|全称|简称|名|name)?{_ORDINAL}?"
        ),
    ),
    (Column.SESSION, re.compile("(参赛|比赛|参加)?(场次|日期|时间|时段|场地?次?|比赛日|session|date|day)")),
)
_PLAYER = re.compile(
    f"(?:参赛|报名|参加|比赛|双方)?(?:第)?(?P<before>{_ORDINAL})?(?:号|位|名)?(?:参赛)?(?:{_PERSON})+(?:的)?(?:{_PERSON}|{_LIST})*"
    f"(?:第)?(?P<after>{_ORDINAL})?(?:号|位)?(?:{_PERSON})?"
)
_LONE_SEAT = re.compile("[甲乙丙丁](?:方)?|队长")
_LISTING = re.compile(f"(?:参赛|参加)?(?:组合|双方|对阵)?(?:{_LIST}|组合)|参赛组合|搭配")
_WHEN = re.compile(
    "[0-9]{1,2}月[0-9]{1,2}[日号]|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|(?<![0-9])[0-9]{1,2}[./-][0-9]{1,2}(?![0-9])|星期[一二三四五六日天]|"
    "周[一二三四五六日天末]|上午|下午|晚上|晚场|早场|午场|第[一二三四五六七八九十0-9]{1,3}(?:场|天|轮)|[一二三四甲乙ABab]场"
)
_SESSION_TAIL = re.compile(
    f"\\s*(?:的)?(?:参赛|参加|报名)?(?:{_PERSON}|{_LIST})+(?:的)?(?:{_PERSON}|{_LIST})*\\s*[:：]?"
    f"(?P<seat>\\s*[(（]?{_ORDINAL}[)）]?)?\\s*$"
)
# Where two headers could give the team its number, the one higher up here does.
_NUMBER_RANK = (
    ("组号", "队号", "对号", "组次", "队次", "组", "队"),
    ("参赛号", "参赛编号", "队伍编号"),
    ("编号", "签号", "no"),
)


@dataclass(frozen=True)
class Header:
    """The row that names the columns, and what it was recognised by."""

    row: int
    columns: tuple[ColumnGuess, ...]
    recognised: int = 0
    """How many cells of the row name a column; one merged over two columns counts once."""

    @property
    def names_players(self) -> bool:
        """Whether a column holds players; one headed by a day may."""
        return any(column.meaning in PERSONS or column.session for column in self.columns)


def plain_header(text: str) -> str:
    """A header reduced to what it says: no blanks, marks, case or brackets, except `（一）` and `（男）`."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _IN_BRACKETS.sub(lambda match: match[1] if match[1].strip() in _SEAT_OF else "", text)
    return _MARKS.sub("", text)


@lru_cache(maxsize=2048)
def meaning_of(header: str) -> tuple[Column, str]:
    """What a header means, and the session it names, as in `5月15日（星期四）参赛选手组合名单`."""
    plain = plain_header(header) if len(header) <= LONGEST_HEADER else ""
    if not plain:
        return Column.NUMBER if header.strip() == "#" else Column.IGNORE, ""
    # 单位/部门 names the column twice; 院（系） once, in two halves.
    readings = (
        plain,
        *map(plain_header, _ALTERNATIVES.split(header)),
        plain_header(_BRACKETS.sub("", header)),
    )
    meanings = (_meaning_of_plain(reading) for reading in readings)
    meaning = next((found for found in meanings if found is not Column.IGNORE), None)
    return (meaning, "") if meaning else _session_header(header)


def _meaning_of_plain(plain: str) -> Column:
    for column, pattern in _MEANINGS:
        if pattern.fullmatch(plain):
            return column
    if _LONE_SEAT.fullmatch(plain):
        return SEATS[_SEAT_OF.get(plain[0], 0)]
    match = _PLAYER.fullmatch(plain)
    if match:
        ordinal = match["after"] or match["before"]
        return SEATS[_SEAT_OF[ordinal]] if ordinal else Column.PLAYER
    return Column.PLAYERS if _LISTING.fullmatch(plain) else Column.IGNORE


def _session_header(header: str) -> tuple[Column, str]:
    tail = _SESSION_TAIL.search(header)
    session = tidy(header[: tail.start()] if tail else header).strip("：:，,")
    if not is_session(session) or len(session) > MAX_SESSION:
        return Column.IGNORE, ""
    if tail is None:
        return Column.SESSION, session if len(session) <= _LONGEST_DAY else ""
    seat = plain_header(tail["seat"] or "")
    return (SEATS[_SEAT_OF[seat]] if seat else Column.PLAYER), session


def is_session(text: str) -> bool:
    """Whether a text names a day or a part of one."""
    return _WHEN.search(text) is not None


def find_header(grid: Grid) -> Header | None:
    """The row that names most columns, a column of players among them; the topmost of equals."""
    candidates = (read_header(grid, row) for row in _rows_to_search(grid))
    named = [header for header in candidates if header.names_players and _is_plausible(header, grid)]
    return max(named, key=lambda header: (header.recognised, -header.row), default=None)


def _rows_to_search(grid: Grid) -> list[int]:
    """The first rows with content, and the row under each: the second row of a header may be all merged."""
    rows = grid.rows[:ROWS_TO_SEARCH]
    return sorted({*rows, *(row + 1 for row in rows)})


def _is_plausible(header: Header, grid: Grid) -> bool:
    """A title such as 参赛队员名单, alone or merged over the table, names no columns."""
    if header.recognised > 1:
        return True
    return not grid.is_merged_across(header.row) and grid.last_row > header.row


def read_header(grid: Grid, row: int, mapping: Mapping[int, Column] | None = None) -> Header:
    """The columns as row `row` names them (0: no row does) and as `mapping` tells by hand."""
    guesses = [_guess(grid, row, column) for column in range(1, grid.last_column + 1)]
    if mapping:
        guesses = [replace(guess, meaning=mapping.get(guess.index, guess.meaning)) for guess in guesses]
    named = {grid.anchor(row, guess.index) for guess in guesses if guess.meaning is not Column.IGNORE}
    return Header(row, tuple(guesses), len(named))


def _guess(grid: Grid, row: int, column: int) -> ColumnGuess:
    header = tidy(grid.shown(row, column).text)
    meaning, session = meaning_of(header)
    if meaning in PERSONS and not session:
        session = _session_above(grid, row, column)
    return ColumnGuess(column, column_letter(column), header, meaning, (), session)


def _session_above(grid: Grid, row: int, column: int) -> str:
    """The day that stands over a column, in the row above it or further to the left there."""
    above = row - 1
    if above not in grid.cells or len(grid.cells[above]) < 2:
        return ""
    for left in range(column, 0, -1):
        text = tidy(grid.shown(above, left).text)
        if text:
            return text if is_session(text) and len(text) <= MAX_SESSION else ""
    return ""


def judge_by_content(header: Header, grid: Grid, told: Set[int] = frozenset()) -> Header:
    """The header with what only the cells below can tell: one name in a cell or two, a day over names.

    Every column gets its samples; the meaning of the columns in `told` was told by hand and stays.
    """
    columns = tuple(_judged(column, header, grid, told) for column in header.columns)
    return replace(header, columns=columns if told else _with_one_number(columns))


def _judged(column: ColumnGuess, header: Header, grid: Grid, told: Set[int]) -> ColumnGuess:
    texts = [grid.own(row, column.index).text for row in grid.rows if row > header.row][:_ROWS_TO_JUDGE]
    filled = [text for text in texts if text]
    column = replace(column, samples=tuple(tidy(text) for text in filled[:SAMPLES]))
    if column.index in told or column.meaning not in (Column.PLAYER, Column.PLAYERS, Column.SESSION):
        return column
    named = [text for text in filled if not is_nobody(text)]
    holds_several = 2 * sum(len(split_names(text)) > 1 for text in named) > len(named)
    if column.meaning is Column.SESSION:
        meaning = Column.PLAYERS if holds_several else Column.IGNORE
        return replace(column, meaning=meaning) if column.session else column
    return replace(column, meaning=Column.PLAYERS if holds_several else Column.PLAYER)


def _with_one_number(columns: tuple[ColumnGuess, ...]) -> tuple[ColumnGuess, ...]:
    """With 序号 and 组号 side by side only the better one numbers the teams."""
    headers = dict.fromkeys(c.header for c in columns if c.meaning is Column.NUMBER)
    if len(headers) < 2:
        return columns
    best = min(headers, key=_number_rank)
    return tuple(
        replace(c, meaning=Column.IGNORE) if c.meaning is Column.NUMBER and c.header != best else c
        for c in columns
    )


def _number_rank(header: str) -> int:
    plain = plain_header(header)
    ranks = (rank for rank, words in enumerate(_NUMBER_RANK) if plain in words)
    return next(ranks, len(_NUMBER_RANK))


def column_letter(index: int) -> str:
    """`A` for 1, `AA` for 27, as Excel names columns."""
    letters = ""
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
