"""The draw's codes in words, for templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import template

from pairing import wording
from pairing.engine.types import Broken, Note, Relaxation, Rule

register = template.Library()


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
def relaxation_names(stored: Sequence[Mapping[str, str]]) -> list[str]:
    """What was softened for a draw, from its record."""
    return [wording.relaxation_name(Relaxation(Rule(item["rule"]), item["value"])) for item in stored]


@register.filter
def method_name(method: str) -> str:
    """How opponents were chosen."""
    return wording.method_name(method)
