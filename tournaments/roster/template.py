"""The empty roster that organisers send to departments."""

from openpyxl.worksheet.datavalidation import DataValidation

from tournaments.roster.types import MAX_DEPARTMENT, MAX_NUMBER, MAX_PLAYER_NAME, MAX_ROWS
from tournaments.workbooks import Sheet, write_workbook

TEMPLATE_ROWS = 500
_HEADERS = ("组号", "单位", "选手一", "选手二", "电话一", "电话二", "备注")
_WIDTHS = (8, 24, 14, 14, 16, 16, 24)
_GUIDE = (
    ("组号", "可以不填，导入后按顺序编号；要填就写整数，不能重复", "1"),
    ("单位", "同一单位请写成一样；要填就每一队都填", "数学学院"),
    ("选手一", "必填。每行一队，一格一人，一人只能参加一队", "张伟"),
    ("选手二", "必填。同名的两个人请注明以示区别", "李娜（教务处）"),
    ("电话一", "可以不填，只有赛事工作人员看得到", "13800000001"),
    ("电话二", "可以不填", "13800000002"),
    ("备注", "可以不填", "需要固定座位"),
)


def roster_template() -> bytes:
    """An .xlsx file with the sheets 报名表 (a header, rules for typing) and 填写说明 (what goes where).

    Read as it is, it gives no teams and no errors.
    """
    entry = Sheet(
        "报名表",
        _HEADERS,
        (),
        widths=_WIDTHS,
        text_columns=range(2, len(_HEADERS) + 1),
        is_landscape=True,
        validations=_validations(),
    )
    guide = Sheet("填写说明", ("栏目", "怎么填", "例子"), _GUIDE, widths=(12, 56, 20), text_columns=(1, 2, 3))
    return write_workbook([entry, guide])


def _validations() -> tuple[DataValidation, ...]:
    last = min(TEMPLATE_ROWS, MAX_ROWS) + 1
    number = DataValidation(
        type="whole", operator="between", formula1="1", formula2=str(MAX_NUMBER), allow_blank=True
    )
    number.error, number.errorTitle = f"组号请写 1 到 {MAX_NUMBER} 的整数", "组号"
    number.add(f"A2:A{last}")
    return (
        number,
        _length(MAX_DEPARTMENT, "单位", f"B2:B{last}"),
        _length(MAX_PLAYER_NAME, "姓名", f"C2:D{last}"),
    )


def _length(limit: int, title: str, cells: str) -> DataValidation:
    rule = DataValidation(
        type="textLength", operator="lessThanOrEqual", formula1=str(limit), allow_blank=True
    )
    rule.error, rule.errorTitle = f"{title}最多 {limit} 个字", title
    rule.add(cells)
    return rule
