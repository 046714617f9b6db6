"""The final list with prizes, and what stands on a certificate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from guandan_site.prints.selectors import rank_words, sheet_team
from pairing.rulebook.conduct import places
from pairing.selectors.ranking import event_ranking
from tournaments.models import Event, Team
from tournaments.prizes import Award, Awards, OpenTie, Ranked, Tier, awards, read_tiers
from tournaments.sheets import SheetTeam

DIGITS = "〇一二三四五六七八九"


@dataclass(frozen=True)
class PrizeRow:
    """A team of the final list with its award."""

    team: Team
    award: Award
    is_shared: bool

    @property
    def sheet_team(self) -> SheetTeam:
        """The team as paper names it."""
        return sheet_team(self.team)


@dataclass(frozen=True)
class TieRow:
    """A shared rank that the border between prizes cuts, with its teams and the prizes at stake."""

    tie: OpenTie
    teams: tuple[Team, ...]
    prizes: tuple[str, ...]


@dataclass(frozen=True)
class PrizeList:
    """The final list: rows best first, cut ties still open and settled, whether the ranking is final."""

    rows: tuple[PrizeRow, ...]
    open_ties: tuple[TieRow, ...]
    settled_ties: tuple[TieRow, ...]
    has_tiers: bool
    is_final: bool
    found: Awards

    @property
    def winners(self) -> tuple[PrizeRow, ...]:
        """The teams whose prize is certain."""
        return tuple(row for row in self.rows if row.award.tier and not row.award.is_open)


@dataclass(frozen=True)
class Certificate:
    """荣誉证书 of a team: `honour` is the prize or the place, `place` stands below a prize."""

    team: SheetTeam
    honour: str
    place: str


def prize_list(event: Event) -> PrizeList:
    """The prizes of the event's ranking as it stands now. Two queries beside those of `event_ranking`."""
    ranking = sorted(event_ranking(event), key=lambda place: (place.first, place.team.number))
    teams = {place.team.number: place.team for place in ranking}
    shared = {place.team.number for place in ranking if place.is_shared}
    tiers = read_tiers(event.prizes)
    ranked = [Ranked(place.team.number, place.first, place.team.is_withdrawn) for place in ranking]
    found = awards(ranked, tiers, event.prize_ties)
    return PrizeList(
        rows=tuple(PrizeRow(teams[row.number], row, row.number in shared) for row in found.rows),
        open_ties=_ties(found.open_ties, teams),
        settled_ties=_ties(found.settled_ties, teams),
        has_tiers=bool(tiers),
        is_final=_is_final(event),
        found=found,
    )


def _ties(ties: Iterable[OpenTie], teams: Mapping[int, Team]) -> tuple[TieRow, ...]:
    return tuple(
        TieRow(tie, tuple(teams[number] for number in tie.numbers), tuple(map(_prize_name, tie.tiers)))
        for tie in ties
    )


def _prize_name(tier: Tier | None) -> str:
    return tier.name if tier else _("no prize")


def _is_final(event: Event) -> bool:
    last = event.stages.order_by("-order").first()
    if last is None:
        return False
    over = [round_.is_completed for round_ in last.rounds.all()]
    return all(over) and len(over) >= last.rounds_planned


def rank_word(row: PrizeRow) -> str:
    """The rank as a list prints it: 3, 3 并列, or a dash for a team without a place."""
    return "–" if row.award.rank is None else rank_words(row.award.rank, row.is_shared)


def prize_word(award: Award) -> str:
    """The prize as a list prints it; an open tie says so."""
    if award.is_open:
        return _("shared rank, not settled")
    return award.tier.name if award.tier else ""


def prize_cells(found: PrizeList) -> tuple[list[str], list[list[str | int]]]:
    """Headers and rows of the final list as a workbook."""
    headers = [
        _("Rank"),
        _("Team number"),
        _("Players"),
        _("Department"),
        _("Prize name"),
        _("What is given"),
    ]
    rows: list[list[str | int]] = [
        [
            rank_word(row),
            row.team.number,
            row.team.player_names,
            row.team.department.name if row.team.department else "",
            prize_word(row.award),
            row.award.tier.prize if row.award.tier else "",
        ]
        for row in found.rows
    ]
    return headers, rows


def certificates(found: PrizeList, numbers: Sequence[int]) -> list[Certificate]:
    """One for each chosen team, or for every team with a certain prize when none is chosen."""
    chosen = set(numbers)
    rows = [row for row in found.rows if row.team.number in chosen] if chosen else list(found.winners)
    return [_certificate(row) for row in rows if row.award.rank is not None]


def _certificate(row: PrizeRow) -> Certificate:
    award = row.award
    place = _place_word(award)
    tier = award.tier if not award.is_open else None
    if tier is None:
        return Certificate(row.sheet_team, place, "")
    is_told = tier.last == tier.first and award.place == tier.first
    return Certificate(row.sheet_team, tier.name, "" if _says_place(tier, is_told) else place)


def _says_place(tier: Tier, is_single: bool) -> bool:
    """Whether the prize's own name tells the place: 冠军, 第一名."""
    return is_single and tier.name in {"冠军", "亚军", "季军", "第一名", "第二名", "第三名"}


def _place_word(award: Award) -> str:
    return places(Tier(award.place or 0, award.place or 0, ""))


def certificate_date(day: date) -> str:
    """The day as a certificate writes it: 二〇二六年十二月五日."""
    if not (get_language() or "").startswith("zh"):
        return date_format(day, "DATE_FORMAT")
    year = "".join(DIGITS[int(digit)] for digit in str(day.year))
    return f"{year}年{_numeral(day.month)}月{_numeral(day.day)}日"


def _numeral(number: int) -> str:
    tens, ones = divmod(number, 10)
    return {0: "", 1: "十"}.get(tens, f"{DIGITS[tens]}十") + (DIGITS[ones] if ones else "")


def event_day(event: Event) -> date:
    """The day that a certificate bears unless another is chosen."""
    return timezone.localtime(event.starts_at).date() if event.starts_at else timezone.localdate()
