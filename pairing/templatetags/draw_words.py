"""The draw's codes in words, for templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from pairing import group_words, why_words, wording
from pairing.bracket_texts import stage_match_names, stage_round_name
from pairing.engine.forecast import Forecast
from pairing.engine.types import Broken, Note, Relaxation, Rule
from pairing.forecast_words import forecast_sentence
from pairing.models import Screen
from pairing.selectors.groups import GroupState
from pairing.selectors.published import DrawSheet
from pairing.selectors.versions import Correction
from scoring.selectors import Standings, TeamStanding
from tournaments.models import Match, Round, Stage
from tournaments.qr import qr_svg

register = template.Library()

LEADERS_OF_A_GROUP = 2
"""Rows of each group on the event's first page."""


@register.filter
def table_reasons(notes: Sequence[Note]) -> list[str]:
    """Why a table is not simply the next two teams."""
    return wording.table_reasons(notes)


@register.filter
def bye_reasons(notes: Sequence[Note]) -> str:
    """Why the teams nearer to the bye did not get it."""
    return wording.bye_reasons(notes)


@register.filter
def broken_rule(broken: Broken) -> str:
    """What a table breaks."""
    return wording.broken_rule(broken)


@register.filter
def by_hand_sentence(by_hand: Mapping[str, Any]) -> str:
    """How published tables differ from the engine's own draw, and why."""
    return why_words.by_hand_sentence(by_hand)


@register.filter
def forecast_words(found: Forecast) -> str:
    """How many further rounds can be drawn."""
    return forecast_sentence(found)


@register.filter
def qr_code(address: str) -> SafeString:
    """An address as a QR code: an SVG that takes the size its class is given."""
    return mark_safe(qr_svg(address))  # noqa: S308 - the address is drawn, not written


@register.filter
def correction_words(found: Correction) -> str:
    """What a new version changed, in one line."""
    return wording.correction(found)


@register.filter
def relaxation_names(stored: Sequence[Mapping[str, str]]) -> list[str]:
    """What was softened for a draw, from its record."""
    return [wording.relaxation_name(Relaxation(Rule(item["rule"]), item["value"])) for item in stored]


@register.filter
def screen_now(screen: Screen) -> str:
    """What a screen showed when it last asked."""
    return wording.screen_now(screen)


@register.filter
def method_name(method: str) -> str:
    """How opponents were chosen."""
    return wording.method_name(method)


@register.filter
def named(matches: Sequence[Match], sheet: DrawSheet) -> list[tuple[Match, str]]:
    """Each match of a round with its group or what it is played for; empty on the way to the final."""
    names = stage_match_names(sheet.round.stage)
    return [(match, _group_title(match, sheet.round.stage) or names.get(match.key, "")) for match in matches]


@register.filter
def round_name(round_: Round) -> str:
    """What a round of a knockout is called (半决赛); empty where it has only its number."""
    return stage_round_name(round_.stage, round_.number)


@register.filter
def leading(standings: Standings, count: int) -> Sequence[TeamStanding]:
    """The first rows of the standings; with groups the first two of each."""
    if not standings.has_several_groups:
        return standings.rows[:count]
    return [row for row in standings.rows if row.rank <= LEADERS_OF_A_GROUP]


@register.filter
def table_name(match: Match | None, stage: Stage) -> str:
    """The group of a match, or what it is played for; empty on the way to the final."""
    if match is None:
        return ""
    return _group_title(match, stage) or stage_match_names(stage).get(match.key, "")


def _group_title(match: Match, stage: Stage) -> str:
    """The group that a match belongs to, if there are several."""
    return match.group.title if match.group and len(stage.layout.get("groups", ())) > 1 else ""


@register.filter
def own_time_words(state: GroupState) -> str:
    """Convenor, deadline and what is open of a group that finds its own time."""
    return group_words.own_time_words(state)


@register.filter
def group_open(state: GroupState) -> str:
    """How many matches of the group miss a result."""
    return group_words.open_words(state)


@register.filter
def group_left(state: GroupState) -> str:
    """How long the group has left, or since when it is overdue."""
    return group_words.left_words(state)
