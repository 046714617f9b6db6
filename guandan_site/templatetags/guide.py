"""The way to the guide from a page."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from guandan_site.help.context import help_for

register = template.Library()


@register.simple_tag(takes_context=True)
def help_address(context: Context) -> str:
    """Where the guide speaks of the page shown: by its address, else by its part of the navigation."""
    match: Any = getattr(context.get("request"), "resolver_match", None)
    page: str = (match.url_name or "") if match else ""
    return help_for(page, context.get("section") or "")
