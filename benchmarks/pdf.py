"""How long sheets take and how large they are: ``python -m benchmarks.pdf [teams …]``.

Every sheet is made twice: the first time with the fonts and libraries still cold, then with other data.
Aims on two cores, after the first: draw of 100 tables (200 teams) 1 s, slips 3 s, each 0.6 MB at most.
"""

import os
import random
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import django

from guandan_site.pdf import render_pdf
from tournaments import sheets

SURNAMES = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗"
GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚"
DEPARTMENTS = (
    "数学学院",
    "图书馆",
    "教务处",
    "体育学院",
    "化学化工学院",
    "后勤集团",
    "离退休工作处",
    "外国语学院",
)
KEYS = ("相互胜负", "胜场", "最高轮分", "对手分")
PHONES = "http://192.168.110.120:8000/e/cup-2026/"
RULES_LINE = "本轮 45 分钟，时间到以正在打的级数计；双方核对签字后，把成绩单交到裁判台。"


def invented_teams(count: int, seed: int) -> list[sheets.SheetTeam]:
    draw = random.Random(seed)

    def name() -> str:
        return draw.choice(SURNAMES) + "".join(draw.choice(GIVEN) for _ in range(draw.choice((1, 1, 2))))

    return [
        sheets.SheetTeam(number, (name(), name()), draw.choice(DEPARTMENTS)) for number in range(1, count + 1)
    ]


def head(title: str) -> sheets.SheetHead:
    published = datetime(2026, 5, 16, 6, 2, tzinfo=UTC)
    return sheets.SheetHead(
        event="2026 年教职工掼蛋赛",
        organiser="校工会",
        venue="体育馆二楼",
        title=title,
        subtitle="积分编排 · 14:05 开始 · 每轮 45 分钟",
        version="第 1 版",
        printed_at=published,
        footer="对编排有异议，请在公布后 5 分钟内到裁判台提出。",
        phones=PHONES,
    )


def draw_rows(teams: list[sheets.SheetTeam]) -> list[sheets.DrawRow]:
    """Neighbours meet; with an odd number the last one has the bye."""
    rows = [
        sheets.DrawRow(table, home, away)
        for table, (home, away) in enumerate(zip(teams[::2], teams[1::2], strict=False), start=1)
    ]
    return rows if len(teams) % 2 == 0 else [*rows, sheets.DrawRow(None, teams[-1], None, "记 16 分")]


def by_number(rows: list[sheets.DrawRow]) -> tuple[sheets.DrawByNumberRow, ...]:
    home = [sheets.DrawByNumberRow(row.home, row.table, row.away) for row in rows]
    away = [sheets.DrawByNumberRow(row.away, row.table, row.home) for row in rows if row.away]
    return sheets.ordered_by_number(home + away)


def standing_rows(teams: list[sheets.SheetTeam]) -> list[sheets.StandingSheetRow]:
    """In order of number, ranks 2 and 3 shared, withdrawn teams last and without a rank."""
    rows = []
    for place, team in enumerate(sorted(teams, key=lambda team: (team.withdrawn, team.number)), start=1):
        rank = None if team.withdrawn else 2 if place == 3 else place
        cells = ("–", str(place % 4), "26 24 18", "155")
        decided_by = "" if place in (1, 3) else KEYS[place % 4]
        rows.append(
            sheets.StandingSheetRow(rank, place in (2, 3), team, str(80 - place // 4), cells, decided_by)
        )
    return rows


def contexts(teams: list[sheets.SheetTeam]) -> dict[str, Mapping[str, Any]]:
    """The context of every template in templates/print/, from one field of teams."""
    rows, standings = draw_rows(teams), standing_rows(teams)
    slips = [
        sheets.SlipRow(row.table, 3, row.home, row.away, f"{PHONES}table/3/{row.table}/abcdefgh/")
        for row in rows
        if row.table and row.away
    ]
    cards = [sheets.TeamCard(team, f"{PHONES}card/{team.number}/") for team in teams]
    roster = [sheets.RosterRow(team, "下午场") for team in teams]
    numbers = by_number(rows)
    return {
        "draw_by_table": {"head": head("第三轮对阵表"), "rows": rows},
        "draw_by_number": {
            "head": head("第三轮座位表"),
            "rows": numbers,
            "columns": sheets.columns_by_number(numbers),
        },
        "slips": {"head": head("第三轮成绩单"), "pages": sheets.cut_stack(slips)},
        "cards": {
            "head": head("第三轮桌牌"),
            "rows": slips,
            "rules_line": RULES_LINE,
            "halves": ("upper", "lower"),
        },
        "team_cards": {"head": head("队卡"), "pages": sheets.cut_stack(cards, 8)},
        "check_in_by_number": {"head": head("签到表"), "rows": roster},
        "check_in_by_department": {"head": head("签到表"), "groups": sheets.grouped_by_department(roster)},
        "roster": {"head": head("参赛名单"), "rows": roster, "has_sessions": True, "has_remarks": False},
        "roster_by_department": {"head": head("分单位名单"), "groups": sheets.grouped_by_department(roster)},
        "standings": {"head": head("第三轮后名次"), "titles": KEYS, "rows": standings},
        "final_ranking": {
            "head": head("最终名次"),
            "titles": KEYS,
            "rows": standings,
            "podium": sheets.podium(standings),
        },
    }


def measure(count: int) -> None:
    cold, warm = (contexts(invented_teams(count, seed)) for seed in (1, 2))
    print(f"{count} teams            first s     then s       kB")
    for template in cold:
        seconds, pdf = [], b""
        for context in (cold[template], warm[template]):
            start = time.perf_counter()
            pdf = render_pdf(template, context)
            seconds.append(time.perf_counter() - start)
        print(f"{template:22}{seconds[0]:8.2f}   {seconds[1]:8.2f}   {len(pdf) / 1000:6.0f}")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "guandan_site.settings")
    django.setup()
    for size in sys.argv[1:] or ("48", "200", "300"):
        measure(int(size))
