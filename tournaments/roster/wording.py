"""What officials read about a roster: each problem says what is wrong, where, and what to do."""

from tournaments.roster.types import CellProblem, Column, Layout, Problem, Unreadable, UnreadableRoster

_LONGEST_QUOTE = 20

COLUMN_NAMES: dict[Column, str] = {
    Column.NUMBER: "组号",
    Column.DEPARTMENT: "单位",
    Column.NAME: "队名",
    Column.PLAYER1: "选手一",
    Column.PLAYER2: "选手二",
    Column.PLAYER3: "选手三",
    Column.PLAYER4: "选手四",
    Column.PLAYER5: "选手五",
    Column.PLAYER6: "选手六",
    Column.PLAYER: "选手（每人一行）",
    Column.PLAYERS: "选手（同一格写全队）",
    Column.SESSION: "场次",
    Column.LEADER: "领队",
    Column.COACH: "教练",
    Column.PHONE: "电话",
    Column.REMARK: "备注",
    Column.IGNORE: "不读取",
}

LAYOUT_NAMES: dict[Layout, str] = {
    Layout.ONE_ROW: "一行一队",
    Layout.TWO_ROWS: "一人一行",
    Layout.ONE_CELL: "全队写在一格",
    Layout.SEVERAL_A_ROW: "一行多队",
    Layout.SESSIONS: "各场次并排",
}

_PROBLEMS: dict[Problem, str] = {
    Problem.HEADER_NOT_FOUND: (
        "没有找到表头。请在名单上方写一行表头，例如：组号、单位、选手一、选手二；或者手工指定各列的含义"
    ),
    Problem.NO_PLAYER_COLUMN: "没有一列是选手姓名。请指定哪一列是选手",
    Problem.MISSING_PARTNER: "只有{value}一人，缺少搭档。请补上另一名选手，或删去这一行",
    Problem.PLAYER_TWICE: (
        "{value}在{others}已经报过名，一人只能参加一队。请改正；"
        "如是同名的两个人，请在姓名后注明以示区别，例如“{short}（二车间）”"
    ),
    Problem.TEAM_TWICE: "这一队与{others}重复。请删去多余的一行",
    Problem.NUMBER_TWICE: "号码{value}与{others}重复。请改为没有用过的号码",
    Problem.NUMBER_INVALID: "{value}不是号码。请写 1 到 99999 的整数，例如 7",
    Problem.DEPARTMENT_MISSING: "没有写单位，而其他队都写了。请补上单位",
    Problem.NAME_TOO_LONG: "{value}太长，姓名最多 40 个字。请改短，或检查是否把别的内容写进了姓名栏",
    Problem.TEXT_TOO_LONG: "{value}太长。请改短",
    Problem.NAME_INVALID: "{value}不像姓名。请检查是否填错了栏",
    Problem.TOO_MANY_PLAYERS: "{value}是多出来的选手。请检查组号是否漏写，或把多出的人移到备注",
    Problem.FORMULA_WITHOUT_VALUE: (
        "是公式，但文件里没有保存计算结果。请用 Excel 打开并保存一次，或直接填写内容"
    ),
    Problem.CELL_ERROR: "显示为错误值{value}。请改为正确的内容",
    Problem.GARBLED_TEXT: "{value}是乱码。请重新填写，或请对方另存为 .xlsx 后再发",
    Problem.DIGITS_LOST: "{value}是被 Excel 缩写的长号码，后面的数字已经丢失。请把这一列设为“文本”后重新填写",
    Problem.NOT_SINGLE: "这不是单人名单：每行只能有一名选手，姓名只能占一列。有搭档的选手请从“导入名单”导入",
    Problem.SEX_UNKNOWN: "{value}不是性别。请写“男”或“女”，不知道就空着",
    Problem.NUMBER_MISSING: "没有写号码，将自动编号",
    Problem.SESSION_MISSING: "没有写场次，请核对",
    Problem.DEPARTMENT_DIFFERS: "两名选手的单位不同，已按前一名选手的单位登记，请核对",
    Problem.FEWER_PLAYERS: "这一队只有{number}名选手，比其他队少，请核对",
    Problem.UNUSUAL_CHARACTER: "有少见的字{value}，打印或投影时可能显示不出来，请核对",
    Problem.PAIRED_BY_ORDER: "每名选手各有一个号码，已按每两行一队登记，号码没有采用，请核对",
    Problem.HIDDEN_ROW: "这一行在 Excel 里是隐藏的，也已读入，请核对",
    Problem.ROW_SKIPPED: "这一行没有选手，已略过：{value}",
    Problem.OTHER_SHEETS: "工作表{value}里也有名单，这次没有读取。如需要，请另外选择该工作表导入",
}

_RESAVE = "请用 Excel 或 WPS 打开，选“另存为”，类型选“Excel 工作簿（*.xlsx）”，再上传"

_UNREADABLE: dict[Unreadable, str] = {
    Unreadable.EMPTY: "文件里没有内容。请检查是否选错了文件",
    Unreadable.FILE_TOO_LARGE: "文件超过 5 MB。请删去图片和无关的工作表后再上传",
    Unreadable.NOT_XLSX: f"这不是真正的 xlsx 文件，只是名字像。{_RESAVE}",
    Unreadable.OLD_EXCEL: f"这是旧格式的 Excel 或 WPS 文件（.xls、.et），不能直接读取。{_RESAVE}",
    Unreadable.OTHER_OFFICE: f"这不是 xlsx 或 csv 文件，不能读取。{_RESAVE}",
    Unreadable.ENCRYPTED: "文件加了密码。请用 Excel 或 WPS 打开，去掉密码后保存，再上传",
    Unreadable.DAMAGED: f"文件已损坏，或没有传完整。{_RESAVE}",
    Unreadable.UNSAFE: f"文件里有不安全的内容，已拒绝读取。{_RESAVE}",
    Unreadable.TOO_LARGE_INSIDE: "文件展开后过大。请新建一个工作簿，只把名单复制进去，保存后再上传",
    Unreadable.TOO_MANY_ROWS: "名单超过 5000 行。请分成几个文件，或删去下方无关的内容",
    Unreadable.TOO_MANY_COLUMNS: "有内容的列超过 60 列。请删去右边无关的内容",
    Unreadable.TOO_MANY_TEAMS: "名单超过 5000 队。请分成几个文件",
    Unreadable.UNKNOWN_ENCODING: f"看不懂文件的文字编码。{_RESAVE}",
    Unreadable.NO_SUCH_SHEET: "文件里没有这个工作表。请重新选择",
    Unreadable.ONLY_HIDDEN_SHEETS: "工作表全部是隐藏的。请在 Excel 里取消隐藏后再上传",
}


def describe(problem: CellProblem | UnreadableRoster) -> str:
    """One Chinese sentence for officials: what is wrong, where, and what to do about it."""
    if isinstance(problem, UnreadableRoster):
        return _UNREADABLE[problem.code] + "。"
    message = _PROBLEMS[problem.code].format(
        value=_quoted(problem.value),
        short=_short(problem.value),
        number=problem.value,
        others=_rows(problem),
    )
    return f"{_place(problem)}{message}。"


def _place(problem: CellProblem) -> str:
    if problem.code in (
        *(Problem.HEADER_NOT_FOUND, Problem.NO_PLAYER_COLUMN, Problem.OTHER_SHEETS),
        Problem.NOT_SINGLE,
    ):
        return ""
    column = f"“{_short(problem.column)}”" if problem.column else ""
    return f"第 {problem.row} 行{column}："


def _rows(problem: CellProblem) -> str:
    rows = [row for row in problem.other_rows if row != problem.row]
    return "第 " + "、".join(map(str, rows)) + " 行" if rows else "同一行"


def _quoted(text: str) -> str:
    return f"“{_short(text)}”" if text else "这一格"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…"
