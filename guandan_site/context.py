"""What every page knows: the officials' navigation of the event at hand."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from tournaments.access import is_administrator
from tournaments.roles import ASSIST, DIRECT, MANAGE, READ_LOG


def site(request: HttpRequest) -> dict[str, Any]:
    """`is_administrator` and the rights by name, for showing only what the visitor may press. No query."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"is_administrator": False, "rights": {}}
    return {
        "is_administrator": is_administrator(user),
        "rights": {
            "assist": user.has_perm(ASSIST),
            "direct": user.has_perm(DIRECT),
            "manage": user.has_perm(MANAGE),
            "read_log": user.has_perm(READ_LOG),
        },
    }
