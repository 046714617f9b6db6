"""How the pages write the field's values: levels, teams, seconds, Chinese lists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.entry_words import lack_word
from tournaments.log import actor_words
from tournaments.services.rosters import ranges

register = template.Library()
register.filter(actor_words)
register.filter(lack_word)

LEVEL_SYMBOLS = {11: "J", 12: "Q", 13: "K", 14: "A"}
PASSED_A = 15


@register.filter
def level(value: int | None) -> str:
    """A level as officials write it: 2…10, J, Q, K, A, 过A; nothing for None."""
    if value is None:
        return ""
    if value == PASSED_A:
        return _("passed A")
    return LEVEL_SYMBOLS.get(value, str(value))


@register.filter
def minutes_seconds(seconds: int | None) -> str:
    """Seconds as 07:42; above 99 minutes the minutes simply grow."""
    if seconds is None:
        return "--:--"
    return f"{int(seconds) // 60:02d}:{int(seconds) % 60:02d}"


@register.filter
def listing(values: Iterable[Any]) -> str:
    """Values joined as the language lists them: 7、12、17 or 7, 12, 17."""
    return _(", ").join(str(value) for value in values)


@register.filter
def spans(numbers: Iterable[int]) -> str:
    """Numbers in order, runs of three or more as a span: 1–48, 51, 53, joined as the language lists them."""
    return ranges(numbers).replace(", ", _(", "))


@register.simple_tag
def team(entry: Any) -> SafeString:
    """A team as every page shows it: number, names, department."""
    department = entry.department.name if entry.department else ""
    return format_html(
        '<span class="team"><b class="team-number">{}</b> <span class="team-names">{}</span> '
        '<span class="dept">{}</span></span>',
        entry.number,
        entry.player_names,
        department,
    )
