"""What every page knows: the officials' navigation of the event at hand."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from tournaments.access import is_administrator
from tournaments.roles import ASSIST, DIRECT, MANAGE, READ_LOG


def site(request: HttpRequest) -> dict[str, Any]:
    """The language, `is_administrator`, and the rights by name: show only what may be pressed. No query."""
    user = getattr(request, "user", None)
    language = get_language()
    if user is None or not user.is_authenticated:
        return {"LANGUAGE_CODE": language, "is_administrator": False, "rights": {}}
    return {
        "LANGUAGE_CODE": language,
        "is_administrator": is_administrator(user),
        "rights": {
            "assist": user.has_perm(ASSIST),
            "direct": user.has_perm(DIRECT),
            "manage": user.has_perm(MANAGE),
            "read_log": user.has_perm(READ_LOG),
        },
    }
