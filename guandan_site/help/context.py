"""Which part of the guide helps on which page."""

from __future__ import annotations

from guandan_site.help.chapters import page_address

OF_PAGE = {
    "event_copy": ("administrator", "归档与再办一次"),
    "officials": ("administrator", "账号与工作人员"),
    "rules_edit": ("administrator", "规则"),
    "discipline_edit": ("administrator", "规则"),
    "confirmation_edit": ("administrator", "规则"),
    "prizes_edit": ("administrator", "奖项"),
    "event_create": ("administrator", "新建赛事"),
    "planner": ("administrator", "新建赛事"),
    "event_import": ("backup", "只搬一个赛事"),
    "snapshots": ("backup", "存档点回到从前"),
    "snapshot_restore": ("backup", "存档点回到从前"),
    "start": ("administrator", "第一次启动"),
    "rehearsal": ("rehearsal", ""),
    "stages": ("chief", "阶段"),
    "group_edit": ("chief", "阶段"),
    "draw_swap": ("chief", "看草稿换队"),
    "draw_tables": ("chief", "看草稿换队"),
    "versions": ("chief", "公示之后的更正"),
    "version": ("chief", "公示之后的更正"),
    "result_checks": ("chief", "复核与争议"),
    "correction": ("chief", "更正成绩"),
    "matches_void": ("chief", "更正成绩"),
    "result_history": ("chief", "更正成绩"),
    "penalties": ("chief", "处罚"),
    "appeals": ("chief", "申诉"),
    "hall_tables": ("chief", "看草稿换队"),
    "why": ("players", "为什么是这一桌"),
    "table_codes": ("phones", "桌上的码"),
    "table_sheet": ("assistant", "逐副记录"),
    "roster_import": ("assistant", "导入名单"),
    "team_withdraw": ("trouble", "有队要退赛"),
    "player_replace": ("assistant", "换人"),
    "lineups": ("assistant", "多人队的上场名单"),
    "lineups_of": ("assistant", "多人队的上场名单"),
    "singles": ("assistant", "没有搭档的选手"),
    "singles_import": ("assistant", "没有搭档的选手"),
    "partners_draw": ("assistant", "没有搭档的选手"),
    "check_in_team": ("trouble", "有队迟到"),
    "prizes": ("day", "最后一轮之后"),
    "login": ("trouble", "忘了密码"),
}
"""By the name of the address; the first that is asked."""
OF_SECTION = {
    "home": ("administrator", "新建赛事"),
    "past": ("administrator", "归档与再办一次"),
    "users": ("administrator", "账号与工作人员"),
    "backups": ("backup", ""),
    "settings": ("administrator", "设置"),
    "desk": ("chief", "控制台"),
    "roster": ("assistant", "名单"),
    "check_in": ("assistant", "签到"),
    "draw_board": ("chief", "编排"),
    "clock": ("chief", "计时"),
    "results": ("assistant", "录入成绩"),
    "standings": ("chief", "排名"),
    "screens": ("screens", "大屏"),
    "prints": ("screens", "打印"),
    "log": ("chief", "日志"),
    "partners": ("assistant", "没有搭档的选手"),
    "event": ("players", ""),
    "draw": ("players", ""),
    "bracket": ("players", ""),
    "cross_table": ("players", ""),
    "team": ("players", ""),
    "rules": ("players", ""),
    "final": ("players", ""),
}
"""By the part of the navigation a page belongs to."""


def help_for(page: str, section: str) -> str:
    """The address of the chapter for a page; of the guide's first page where none is nearer."""
    place = OF_PAGE.get(page) or OF_SECTION.get(section) or ("README", "")
    return page_address(*place)
