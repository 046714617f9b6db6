"""后台: Django's admin for administrators, where tables are looked through, mended and moved as files.

Users are made on their own page, which logs it; results and draws have their own pages, which know the rules.
Whatever is changed here is written to the log as well.
"""

from __future__ import annotations

from typing import Any

import django.contrib.auth.admin  # noqa: F401 (registers users and groups, which are taken out below)
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from import_export.admin import ImportExportModelAdmin

from tournaments.access import signed_in_user
from tournaments.log import Act, actor_words, lock_event, record_act
from tournaments.log_words import act_name, log_line
from tournaments.models import Department, Event, LogEntry, Player, Team
from tournaments.resources import DepartmentResource, PlayerResource, SafeCsv, SafeWorkbook, TeamResource

admin.site.site_header = _("Touyou back room")
admin.site.site_title = _("Back room")
admin.site.index_title = _("Rosters as tables")
admin.site.unregister(User)
admin.site.unregister(Group)


class EventFilter(admin.RelatedFieldListFilter):
    """Rows of one event."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = str(_("event"))


class RecordedAdmin(ImportExportModelAdmin):  # type: ignore[misc]
    """A table with import and export whose every change stands in the log."""

    import_formats = [SafeWorkbook, SafeCsv]
    export_formats = [SafeWorkbook, SafeCsv]
    key_prefix = ""

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The form with the field's words as labels."""
        labels = {"event": _("event"), "team": _("team"), "position": _("place in the team")}
        return super().get_form(request, obj, change, labels=labels, **kwargs)

    @admin.display(description=_("event"))
    def event_name(self, row: Any) -> str:
        """The event that the row belongs to."""
        return _event_of(row).name

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Saves and records; the admin's own transaction is around both."""
        event = lock_event(_event_of(obj).pk)
        stored = type(obj).objects.get(pk=obj.pk) if change else None
        if stored is None and self.key_prefix:
            obj.key = f"{self.key_prefix}-{getattr(obj, 'number', obj.name)}"[:60]
        super().save_model(request, obj, form, change)
        old = {name: _plain(getattr(stored, name)) for name in form.changed_data} if stored else None
        new = {name: _plain(getattr(obj, name)) for name in form.changed_data}
        act = Act.TEAM_CHANGED if change else Act.TEAM_ADDED
        record_act(event=event, act=act, by=signed_in_user(request), subject=_label(obj), old=old, new=new)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Deletes and records, in one transaction."""
        with transaction.atomic():
            event = lock_event(_event_of(obj).pk)
            label = _label(obj)
            super().delete_model(request, obj)
            record_act(event=event, act=Act.TEAM_REMOVED, by=signed_in_user(request), subject=label)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Deletes row by row, so that each stands in the log; all of them or none."""
        with transaction.atomic():
            for obj in queryset:
                self.delete_model(request, obj)


def _event_of(obj: Department | Team | Player) -> Event:
    return obj.team.event if isinstance(obj, Player) else obj.event


def _label(obj: Model) -> str:
    return f"{obj._meta.verbose_name} {obj}"


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Model) else value


@admin.register(Department)
class DepartmentAdmin(RecordedAdmin):
    """单位."""

    resource_classes = [DepartmentResource]
    list_display = ["name", "event_name"]
    list_filter = [("event", EventFilter)]
    list_select_related = ["event"]
    search_fields = ["name"]
    key_prefix = "d"


@admin.register(Team)
class TeamAdmin(RecordedAdmin):
    """队."""

    resource_classes = [TeamResource]
    list_display = ["number", "names", "department", "session", "withdrawn_after", "event_name"]
    list_filter = [("event", EventFilter), "department"]
    list_select_related = ["event", "department"]
    search_fields = ["number", "players__name", "name", "department__name"]
    key_prefix = "team"

    @admin.display(description=_("players"))
    def names(self, team: Team) -> str:
        """The players, as every page shows them."""
        return team.player_names

    def get_queryset(self, request: HttpRequest) -> QuerySet[Team]:
        """Teams with their players, for the names."""
        teams: QuerySet[Team] = super().get_queryset(request)
        return teams.prefetch_related("players")


@admin.register(Player)
class PlayerAdmin(RecordedAdmin):
    """选手."""

    resource_classes = [PlayerResource]
    list_display = ["name", "team_number", "place", "phone", "event_name"]
    list_filter = [("team__event", EventFilter)]
    list_select_related = ["team__event"]
    search_fields = ["name", "phone"]

    @admin.display(description=_("number"), ordering="team__number")
    def team_number(self, player: Player) -> int:
        """The number of the player's team."""
        return player.team.number

    @admin.display(description=_("place in the team"), ordering="position")
    def place(self, player: Player) -> int:
        """The player's place in the team."""
        return player.position


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A table that can only be looked at, even by a superuser."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Never."""
        return False


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    """赛事: created and set up on their own pages."""

    list_display = ["name", "slug", "venue", "starts_at", "is_public"]
    search_fields = ["name", "slug"]


@admin.register(LogEntry)
class LogAdmin(ReadOnlyAdmin):
    """日志 of all events and of the users."""

    list_display = ["at", "by_in_words", "act_in_words", "subject", "event", "reason"]
    list_filter = ["event", "act"]
    list_select_related = ["event"]
    search_fields = ["by_name", "subject", "reason"]
    fields = ["at", "by_in_words", "act_in_words", "subject", "event", "changes_in_words", "reason"]

    @admin.display(description=_("Who"), ordering="by_name")
    def by_in_words(self, entry: LogEntry) -> str:
        """Who did it."""
        return actor_words(entry.by_name)

    @admin.display(description=_("act"), ordering="act")
    def act_in_words(self, entry: LogEntry) -> str:
        """What was done."""
        return act_name(entry.act)

    @admin.display(description=_("changed"))
    def changes_in_words(self, entry: LogEntry) -> str:
        """Old → new, fact by fact."""
        return "；".join(f"{each.label} {each.old} → {each.new}" for each in log_line(entry).changes)
