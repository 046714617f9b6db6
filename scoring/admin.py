"""后台: results and adjustments to look through; they change on their own pages only, by the rules."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from scoring.models import Adjustment, Result
from tournaments.access import is_administrator
from tournaments.admin import ReadOnlyAdmin


class RulesDecide(ReadOnlyAdmin):
    """A table that administrators read and nobody writes here."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whether the table stands on the first page."""
        return is_administrator(request.user)

    def has_view_permission(self, request: HttpRequest, _obj: Any = None) -> bool:
        """Administrators may look."""
        return is_administrator(request.user)


@admin.register(Result)
class ResultAdmin(RulesDecide):
    """成绩, by event, round and table."""

    list_display = ["match", "outcome", "home_level", "away_level", "winner", "entered_by", "entered_at"]
    list_filter = ["match__round__stage__event", "match__round__number", "outcome"]
    list_select_related = ["match", "entered_by"]


@admin.register(Adjustment)
class AdjustmentAdmin(RulesDecide):
    """加减分, with their reasons."""

    list_display = ["team", "round_number", "points", "reason"]
    list_filter = ["stage__event"]

    def get_queryset(self, request: HttpRequest) -> Any:
        """With the players, by whom the list names a team."""
        return super().get_queryset(request).select_related("team").prefetch_related("team__players")
