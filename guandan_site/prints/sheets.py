"""The sheets of a round, ready for the press: what a view prints alone and an emergency pack binds together.

`page` is the address of the event as phones reach it (`pairing.phones.phones_address`); empty for none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urljoin

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from guandan_site.pdf import Part
from guandan_site.prints import selectors
from pairing import wording
from pairing.bracket_parts import TYPE, Drawing
from pairing.bracket_texts import drawings
from pairing.phones import reaches_phones
from pairing.selectors.brackets import PublicBracket
from pairing.selectors.cross_tables import CrossTables
from pairing.selectors.published import DrawSheet
from pairing.selectors.versions import Version
from scoring.engine.rules import RankingKey, ScoringModel
from scoring.penalty_rows import counted_notes
from scoring.selectors import Standings, stage_rules
from scoring.statements import confirmation_rules
from scoring.table_codes import codes_of
from scoring.wording import KEY_NAMES
from tournaments.models import Event, Round
from tournaments.sheets import SlipRow, columns_by_number, cut_stack, ordered_by_number

BY_TABLE = "draw-by-table"
BY_NUMBER = "draw-by-number"
SLIPS = "slips"
CARDS = "cards"

A4, A3 = (267, 150), (390, 236)
"""What is left for a bracket on a page in landscape, wide and high, in mm."""
SMALLEST_TYPE = 2.45
"""The smallest type on A4, in mm (7 points): whatever would be smaller goes on A3."""
MOST_ROWS = 12
"""Teams of a group that fill a page; the rows of a larger one stand closer."""


class Sheet(NamedTuple):
    """A sheet under its title."""

    title: str
    part: Part


@dataclass(frozen=True)
class BracketPage:
    """One picture at the size in which it fills its page, in mm."""

    drawing: Drawing
    width: str
    height: str


def phones_on_sheets(event: Event, page: str) -> str:
    """The address for the QR code of a sheet; empty where no phone would get there."""
    return page if page and event.is_public and reaches_phones(page) else ""


def phones_of_tables(round_: Round, page: str) -> dict[int, str]:
    """The addresses of the tables' phone pages by table; none where no phone would get there. One query."""
    if not page or not confirmation_rules(round_.stage).has_phones or not reaches_phones(page):
        return {}
    return {
        table: urljoin(page, reverse("table_phone", args=[token]))
        for table, token in codes_of(round_).items()
    }


def version_words(version: int) -> str:
    """第 2 版, as a sheet says it."""
    return _("Version %(version)d") % {"version": version}


def hanging_sheet(event: Event, drawn: DrawSheet, sheet: str, page: str) -> Sheet:
    """A round's draw by table, by number, its result slips or table cards, as the tables stand."""
    publication = drawn.publication
    title = SHEET_TITLES[sheet]() % {"n": drawn.round.number}
    head = selectors.sheet_head(
        event,
        title,
        subtitle=_round_subtitle(drawn.round),
        version=_version(drawn),
        at=publication.published_at if publication else None,
        notice=wording.correction(drawn.correction) if drawn.correction else "",
        phones=phones_on_sheets(event, page),
    )
    phones = phones_of_tables(drawn.round, page) if sheet in {SLIPS, CARDS} else {}
    return Sheet(title, _part(sheet, {"head": head, **_OF_ROUND[sheet](drawn, phones)}))


def version_sheet(event: Event, round_: Round, version: Version, sheet: str, page: str) -> Sheet:
    """A version by table, by number or as slips, with the names it was published with. No query."""
    title = SHEET_TITLES[sheet]() % {"n": round_.number}
    replaced = version.publication.withdrawn_at is not None
    head = selectors.sheet_head(
        event,
        title,
        subtitle=round_.stage.name,
        version=version_words(version.number),
        at=version.publication.published_at,
        notice=_("This version was replaced or withdrawn.") if replaced else "",
        phones=phones_on_sheets(event, page),
    )
    return Sheet(title, _part(sheet, {"head": head, **_OF_VERSION[sheet](round_, version)}))


def _part(sheet: str, context: Mapping[str, Any]) -> Part:
    return Part(sheet.replace("-", "_"), context)


def _version(drawn: DrawSheet) -> str:
    if drawn.publication:
        return version_words(drawn.publication.version)
    return _("draft, not published") if drawn.round.is_draft else ""


def _round_subtitle(round_: Round) -> str:
    stage = round_.stage
    if stage.minutes is None:
        return stage.name
    return _("%(stage)s · %(minutes)d minutes") % {"stage": stage.name, "minutes": stage.minutes}


def _by_table(drawn: DrawSheet, _phones: Mapping[int, str]) -> dict[str, Any]:
    return {"rows": selectors.draw_rows(drawn)}


def _by_number(drawn: DrawSheet, _phones: Mapping[int, str]) -> dict[str, Any]:
    rows = ordered_by_number(selectors.draw_by_number_rows(drawn))
    return {"rows": rows, "columns": columns_by_number(rows)}


def _slips(drawn: DrawSheet, phones: Mapping[int, str]) -> dict[str, Any]:
    return _slips_of(drawn.round, selectors.slip_rows(drawn, phones))


def _slips_of(round_: Round, rows: list[SlipRow]) -> dict[str, Any]:
    """Slips ask for the deals won where points go by them."""
    scoring = stage_rules(round_.stage).scoring
    return {"pages": cut_stack(rows), "counts_deals": scoring.model is ScoringModel.PER_DEAL}


def _cards(drawn: DrawSheet, phones: Mapping[int, str]) -> dict[str, Any]:
    return {
        "rows": selectors.slip_rows(drawn, phones),
        "rules_line": selectors.rules_line(drawn.round.stage),
        "halves": ("upper", "lower"),
    }


def _frozen_by_table(_round: Round, version: Version) -> dict[str, Any]:
    return {"rows": selectors.frozen_rows(version)}


def _frozen_by_number(_round: Round, version: Version) -> dict[str, Any]:
    rows = ordered_by_number(selectors.frozen_by_number_rows(version))
    return {"rows": rows, "columns": columns_by_number(rows)}


def _frozen_slips(round_: Round, version: Version) -> dict[str, Any]:
    return _slips_of(round_, selectors.frozen_slip_rows(round_, version))


_OF_ROUND: Mapping[str, Callable[[DrawSheet, Mapping[int, str]], dict[str, Any]]] = {
    BY_TABLE: _by_table,
    BY_NUMBER: _by_number,
    SLIPS: _slips,
    CARDS: _cards,
}
_OF_VERSION: Mapping[str, Callable[[Round, Version], dict[str, Any]]] = {
    BY_TABLE: _frozen_by_table,
    BY_NUMBER: _frozen_by_number,
    SLIPS: _frozen_slips,
}
SHEET_TITLES: Mapping[str, Callable[[], str]] = {
    BY_TABLE: lambda: _("Round %(n)d draw by table"),
    BY_NUMBER: lambda: _("Round %(n)d draw by number"),
    SLIPS: lambda: _("Round %(n)d result slips"),
    CARDS: lambda: _("Round %(n)d table cards"),
}


def standings_sheet(event: Event, standings: Standings, title: str, page: str) -> Sheet:
    """The standings under this title, with what is still open in them."""
    incomplete = standings.incomplete_rounds
    subtitle = _("round %(n)d still in play") % {"n": incomplete[0]} if incomplete else standings.stage.name
    unconfirmed = sum(standings.unconfirmed.values())
    if unconfirmed:
        words = ngettext("%(n)d result not confirmed", "%(n)d results not confirmed", unconfirmed)
        subtitle = f"{subtitle} · {words % {'n': unconfirmed}}"
    phones = phones_on_sheets(event, page)
    keys = selectors.key_columns(standings)
    context = {
        "head": selectors.sheet_head(event, title, subtitle=subtitle, phones=phones),
        "titles": [str(KEY_NAMES[key]) for key in keys],
        "listed": KEY_NAMES[RankingKey.BEST_ROUNDS],
        "rows": selectors.standing_rows(standings),
        "penalties": [note.words for note in counted_notes(standings.stage, standings.after_round)],
    }
    return Sheet(title, Part("standings", context))


def bracket_sheet(event: Event, public: PublicBracket, page: str) -> Sheet:
    """The bracket (对阵图) on A4 or A3, a large one on several pages."""
    title = _("Bracket")
    parts = drawings(public)
    paper = A4 if all(_scale(part, A4) * TYPE >= SMALLEST_TYPE for part in parts) else A3
    phones = phones_on_sheets(event, page)
    context = {
        "head": selectors.sheet_head(event, title, subtitle=public.stage.name, phones=phones),
        "pages": [_bracket_page(part, paper) for part in parts],
        "is_large": paper is A3,
        "champion": public.teams[public.champion] if public.champion else None,
    }
    return Sheet(title, Part("bracket", context))


def _scale(drawing: Drawing, paper: tuple[int, int]) -> float:
    """Millimetres a pixel; a small bracket is not blown up beyond twice the usual type."""
    return min(paper[0] / drawing.width, paper[1] / drawing.height, 2 * SMALLEST_TYPE / TYPE)


def _bracket_page(drawing: Drawing, paper: tuple[int, int]) -> BracketPage:
    scale = _scale(drawing, paper)
    return BracketPage(drawing, f"{drawing.width * scale:.1f}mm", f"{drawing.height * scale:.1f}mm")


def cross_table_sheet(event: Event, cross: CrossTables, page: str) -> Sheet:
    """The cross-tables (循环表): as many groups to a page as fit whole."""
    title = _("Cross-table")
    rows = max(len(table.rows) for table in cross.tables)
    phones = phones_on_sheets(event, page)
    context = {
        "head": selectors.sheet_head(event, title, subtitle=cross.stage.name, phones=phones),
        "cross": cross,
        "penalties": [note.words for note in counted_notes(cross.stage, cross.standings.after_round)],
        "is_dense": rows > MOST_ROWS,
    }
    return Sheet(title, Part("cross_table", context))
