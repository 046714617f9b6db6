"""The picture of a bracket: geometry, SVG and PDF of 8 to 128 entries, in processor seconds.

`.venv/bin/python -m benchmarks.bracket`
"""

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from types import SimpleNamespace
from typing import Any

import django
from django.template.loader import render_to_string

from guandan_site.pdf import render_pdf
from pairing.bracket_drawing import bracket_drawings
from pairing.bracket_parts import BracketTexts, Drawing, TeamText
from pairing.engine.bracket import resolve
from pairing.engine.knockout import BracketOrder, KnockoutRules, PlayedOut, knockout_bracket
from pairing.engine.types import Entrant
from tournaments.sheets import SheetHead

RULES = KnockoutRules(order=BracketOrder.SEEDED, played_out=PlayedOut.TO_EIGHT)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    done = work()
    return time.process_time() - start, done


def picture(entries: int) -> Any:
    teams = [Entrant(id=n, number=n, rank=n, department=None, seed=n) for n in range(1, entries + 1)]
    bracket = knockout_bracket(teams, RULES)
    winners: dict[str, Any] = {}
    while ready := resolve(bracket, winners).ready:
        winners |= {entry.match.key: entry.home for entry in ready}
    texts = BracketTexts(
        teams={n: TeamText(str(n), f"欧阳伟{n} · 王芳{n}", "") for n in range(1, entries + 1)},
        rounds={match.round: f"第 {match.round} 轮" for match in bracket},
        bye="轮空",
        champion="冠军",
        scores=dict.fromkeys(winners, ("过A", "10")),
    )
    return resolve(bracket, winners), texts


def priced(entries: int, head: SheetHead) -> str:
    state, texts = picture(entries)
    geometry, parts = timed(partial(bracket_drawings, state, texts))
    svg, _ = timed(partial(drawn, parts))
    pages = [SimpleNamespace(drawing=part, width="390mm", height="230mm") for part in parts]
    pdf, _ = timed(partial(render_pdf, "bracket", {"head": head, "pages": pages, "is_large": True}))
    return f"{entries:7} {len(parts):6} {geometry:8.3f}s {svg:6.3f}s {pdf:6.2f}s"


def drawn(parts: Sequence[Drawing]) -> list[str]:
    return [render_to_string("pairing/bracket.svg", {"drawing": part, "name": "b"}) for part in parts]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "guandan_site.settings")
        os.environ.setdefault("DATA_DIR", folder)
        django.setup()
        printed_at = datetime(2026, 12, 1, tzinfo=UTC)
        head = SheetHead("杯赛", "校工会", "活动中心", "对阵图", "", "", printed_at)
        print("entries  parts  geometry     SVG     PDF")
        for entries in (2, 8, 16, 32, 64, 128):
            print(priced(entries, head))


if __name__ == "__main__":
    main()
