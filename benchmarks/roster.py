"""Prices the reading and writing of rosters: `python -m benchmarks.roster`.

Times are the median of several readings, memory is what the process grew by at most while reading once.
"""

import csv
import io
import statistics
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tournaments.roster import (
    RosterPlayer,
    RosterReading,
    RosterTeam,
    UnreadableRoster,
    read_roster,
    roster_workbook,
)

SURNAMES = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗"
GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚"
REPEATS = 7
LIMIT_300 = 600
LIMIT_ANY = 5_000
LIMIT_MEMORY = 150


def teams(count: int) -> list[RosterTeam]:
    """`count` teams of made-up people, every name once, from one department in eight teams."""
    names = [f"{one}{two}{three}" for three in GIVEN for two in GIVEN for one in SURNAMES]
    people = [name if count <= 2_000 else f"{name}{at}" for at, name in enumerate(names * 2)]
    return [
        RosterTeam(
            row=at + 2,
            number=at + 1,
            department=f"第{at // 8 + 1}分会",
            players=(RosterPlayer(people[2 * at], f"138{at:08}"), RosterPlayer(people[2 * at + 1])),
            remark="靠窗" if at % 9 == 0 else "",
        )
        for at in range(count)
    ]


def as_csv(roster: Sequence[RosterTeam]) -> bytes:
    """The roster as Excel in China saves a csv file."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["组号", "单位", "选手一", "选手二"])
    writer.writerows([team.number, team.department, *(p.name for p in team.players)] for team in roster)
    return text.getvalue().encode("gbk")


def with_sheet(data: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """The workbook with its first sheet changed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            content = old.read(info)
            new.writestr(info.filename, change(content) if info.filename.endswith("sheet1.xml") else content)
    return buffer.getvalue()


def formatted(rows: int) -> bytes:
    """Three teams and `rows` rows below that hold nothing but a format."""
    empty = "".join(f'<row r="{row}" s="1"><c r="A{row}" s="1"/></row>' for row in range(5, 5 + rows))
    return with_sheet(
        roster_workbook(teams(3)),
        lambda sheet: sheet.replace(b"</sheetData>", empty.encode() + b"</sheetData>"),
    )


def full(rows: int, columns: int) -> bytes:
    """As many cells as are allowed, two names in each."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["备注"] * (columns - 1) + ["参赛选手"])
    names = [team.players[0].name for team in teams(2_000)]
    writer.writerows(
        [
            ["很长的备注"] * (columns - 1) + [f"{names[row % 2000]}{row}、{names[row % 1999]}{row}x"]
            for row in range(rows)
        ]
    )
    return text.getvalue().encode()


BUILD = "import sys; from benchmarks.roster import FILES; sys.stdout.buffer.write(FILES[sys.argv[1]][0]())"

FILES: dict[str, tuple[Callable[[], bytes], str]] = {
    "300 teams, xlsx": (lambda: roster_workbook(teams(300)), "a.xlsx"),
    "300 teams, csv in GBK": (lambda: as_csv(teams(300)), "a.csv"),
    "4,999 teams, xlsx": (lambda: roster_workbook(teams(4_999)), "a.xlsx"),
    "100,000 formatted rows": (lambda: formatted(100_000), "a.xlsx"),
    "1,000,000 formatted rows": (lambda: formatted(1_000_000), "a.xlsx"),
    "5,000 rows of 60 cells, csv": (lambda: full(4_999, 60), "a.csv"),
    "1,600,000 bare cells": (
        lambda: with_sheet(
            roster_workbook(teams(3)),
            lambda sheet: sheet.replace(
                b"</sheetData>", b"<row>" + b"<c/>" * 1_600_000 + b"</row></sheetData>"
            ),
        ),
        "a.xlsx",
    ),
}


def outcome(data: bytes, filename: str) -> RosterReading | UnreadableRoster:
    """The reading, or the refusal."""
    try:
        return read_roster(data, filename)
    except UnreadableRoster as refused:
        return refused


def told(result: RosterReading | UnreadableRoster) -> str:
    if isinstance(result, UnreadableRoster):
        return f"refused: {result.code.value}"
    return f"{len(result.candidates)} teams, {len(result.errors)} errors, {len(result.warnings)} warnings"


def milliseconds(act: Callable[[], object], repeats: int = REPEATS) -> float:
    """The median time of `act`."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        act()
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


def grown(name: str) -> float:
    """Megabytes by which a fresh process grows while it reads the file once."""
    command = [sys.executable, "-m", "benchmarks.roster", name]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def print_growth(name: str) -> None:
    """In the fresh process: read the file, which yet another process built, and print the growth."""
    data = subprocess.run([sys.executable, "-c", BUILD, name], check=True, capture_output=True).stdout
    before = peak()
    outcome(data, FILES[name][1])
    print(peak() - before)


def peak() -> float:
    """The most memory this process has held so far, in megabytes (Linux)."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def main() -> None:
    """Print one line a file and a verdict."""
    ok = True
    for name, (build, filename) in FILES.items():
        data = build()
        result = outcome(data, filename)
        took = milliseconds(lambda: outcome(data, filename), 3 if len(data) > 500_000 else REPEATS)  # noqa: B023
        memory = grown(name)
        limit = LIMIT_300 if name.startswith("300") else LIMIT_ANY
        ok = ok and took <= limit and memory <= LIMIT_MEMORY
        print(f"{name:30} {took:8.0f} ms (≤ {limit:,})  {memory:6.0f} MB (≤ {LIMIT_MEMORY})  {told(result)}")
    roster = teams(300)
    print(f"{'300 teams, written':30} {milliseconds(lambda: roster_workbook(roster)):8.0f} ms")
    print("all within their limits" if ok else "OVER THE LIMIT")


if __name__ == "__main__":
    main() if len(sys.argv) == 1 else print_growth(sys.argv[1])
