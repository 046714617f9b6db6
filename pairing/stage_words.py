"""What the page of stages says of each stage: where it stands, who advances, where teams are tied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from pairing.engine.advancing import DECIDED, Line
from pairing.selectors.stage_cards import StageCard
from pairing.wording import format_fault, numbers
from scoring.engine.rules import RankingKey
from scoring.wording import KEY_NAMES
from tournaments.models import Team


@dataclass(frozen=True)
class LineWords:
    """Where those who advance end, in words; `is_open` while teams are tied there."""

    text: str
    is_open: bool


def standing(card: StageCard) -> str:
    """Where the stage stands, in a few words."""
    state = card.state
    if state.is_over:
        return _("over")
    if state.rounds and state.stage.is_self_scheduled:
        return _("played in the teams’ own time")
    if state.rounds:
        return _("round %(number)s of %(planned)s") % {
            "number": state.rounds,
            "planned": state.stage.rounds_planned,
        }
    if state.waits_for:
        names = _(", ").join(stage.name for stage in state.waits_for)
        return _("waits for %(stages)s") % {"stages": names}
    if state.stage.layout:
        return _("drawn, no round yet")
    if card.advancement is not None and card.advancement.open_lines:
        return _("waits until the tie is settled")
    return _("can begin") if state.can_begin else _("not begun")


def entry_words(card: StageCard) -> str:
    """Who enters the stage."""
    if card.entry.session:
        return _("The teams of the session %(session)s enter.") % {"session": card.entry.session}
    if not card.sources:
        return _("All teams enter.")
    names = _(", ").join(stage.name for stage in card.sources)
    facts = {"stages": names, "count": card.entry.count, "next": card.entry.best_next}
    if card.entry.best_next:
        return _("The best %(count)s of each group of %(stages)s, and the %(next)s best behind them.") % facts
    return _("The best %(count)s of %(stages)s, of each group where there are groups.") % facts


def line_words(card: StageCard) -> list[LineWords]:
    """What decides at each line where those who advance end."""
    if card.fault is not None:
        return [LineWords(format_fault(card.fault), is_open=True)]
    found = card.advancement
    return [_line(line, card.teams) for line in found.lines] if found else []


def _line(line: Line, teams: Mapping[str, Team]) -> LineWords:
    where = _("Group %(name)s: ") % {"name": _group_name(line.group)} if line.group else ""
    if line.tied:
        tied = numbers(sorted(teams[str(team)].number for team in line.tied))
        words = _("%(teams)s are tied; %(count)s of them can advance.") % {
            "teams": tied,
            "count": line.open_places,
        }
        return LineWords(where + words, is_open=True)
    if line.first_out is None or line.last_in is None:
        return LineWords(where + _("all advance."), is_open=False)
    facts = {
        "last": teams[str(line.last_in)].number,
        "first": teams[str(line.first_out)].number,
        "key": _key(line.decided_by),
    }
    return LineWords(where + _("%(last)s advances before %(first)s by %(key)s.") % facts, is_open=False)


def _group_name(group: int | str) -> str:
    """Groups are known by their number; letters are what people call them."""
    last = str(group).rsplit(" ", 1)[-1]
    return chr(ord("A") + int(last) - 1) if last.isdecimal() and 0 < int(last) <= 26 else str(group)


def _key(key: str | None) -> str:
    if key is None or key == DECIDED:
        return _("the order given")
    if key == RankingKey.LOTS:
        return _("lots or an extra game")
    return str(KEY_NAMES[RankingKey(key)])
