"""Departments, teams and players as tables, for the back room's import and export.

The columns carry the words of the roster; a row finds what it changes by event and number (or name), never by
a database id. An import is one official act: snapshot before, log entry after, all in its own transaction.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from import_export import fields, resources
from import_export.formats.base_formats import CSV, XLSX
from import_export.widgets import CachedForeignKeyWidget, IntegerWidget, Widget
from tablib import Dataset

from tournaments.log import Act, lock_event, record_act
from tournaments.models import Department, Event, Occasion, Player, Team
from tournaments.snapshots import take_snapshot
from tournaments.workbooks import Sheet, write_workbook

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
TEXT_MARK = "'"
EVENT, NUMBER, NAME = "赛事", "组号", "姓名"


class SafeWorkbook(XLSX):  # type: ignore[misc]
    """An .xlsx file in which every text is a cell of type text, so that no name is ever a formula."""

    def export_data(self, dataset: Dataset, **_kwargs: Any) -> bytes:
        """The file's bytes."""
        headers = list(dataset.headers or [])
        texts = range(1, len(headers) + 1)
        return write_workbook([Sheet(dataset.title or "名单", headers, list(dataset), text_columns=texts)])


class SafeCsv(CSV):  # type: ignore[misc]
    """A .csv file in which a text that a spreadsheet would run as a formula begins with an apostrophe."""

    def export_data(self, dataset: Dataset, **kwargs: Any) -> str:
        """The file's text."""
        safe = Dataset(*[[escaped(cell) for cell in row] for row in dataset], headers=dataset.headers)
        text: str = super().export_data(safe, **kwargs)
        return text


def escaped(value: Any) -> Any:
    """The value with an apostrophe before it if a spreadsheet would take it for a formula."""
    is_formula = isinstance(value, str) and value.startswith(FORMULA_STARTS)
    return f"{TEXT_MARK}{value}" if is_formula else value


def unescaped(value: Any) -> Any:
    """What `escaped` made of a value, back again."""
    is_marked = (
        isinstance(value, str) and value.startswith(TEXT_MARK) and value[1:].startswith(FORMULA_STARTS)
    )
    return value[1:] if is_marked else value


class DepartmentOfEvent(Widget):  # type: ignore[misc]
    """A department by its name, inside the event of the row. One query for a whole file."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[tuple[str, str], Department] | None = None

    def clean(self, value: Any, row: Any = None, **_kwargs: Any) -> Department | None:
        """The department; raises ValueError for one that the event does not have."""
        if self._known is None:
            every = Department.objects.select_related("event")
            self._known = {(department.event.slug, department.name): department for department in every}
        if not value:
            return None
        try:
            return self._known[row[EVENT], str(value)]
        except KeyError:
            raise ValueError(f"单位“{value}”不存在，请先添加单位") from None

    def render(self, value: Any, _obj: Any = None, **_kwargs: Any) -> str:
        """The department's name."""
        return value.name if value else ""


class TeamOfEvent(Widget):  # type: ignore[misc]
    """A team by its number, inside the event of the row. One query for a whole file."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[tuple[str, str], Team] | None = None

    def clean(self, value: Any, row: Any = None, **_kwargs: Any) -> Team:
        """The team; raises ValueError for a number that the event does not have."""
        if self._known is None:
            every = Team.objects.select_related("event")
            self._known = {(team.event.slug, str(team.number)): team for team in every}
        try:
            return self._known[row[EVENT], str(value)]
        except KeyError:
            raise ValueError(f"没有 {value} 号队") from None

    def render(self, value: Any, _obj: Any = None, **_kwargs: Any) -> str:
        """The team's number."""
        return str(value.number) if value else ""


class RosterResource(resources.ModelResource):  # type: ignore[misc]
    """What the three tables have in common."""

    event = fields.Field("event", EVENT, CachedForeignKeyWidget(Event, "slug"))

    def before_import(self, dataset: Dataset, **kwargs: Any) -> None:
        """Holds the events of the file and keeps them as they stand."""
        if not kwargs.get("dry_run"):
            for event in self._events(dataset):
                take_snapshot(
                    event=lock_event(event.pk), by=kwargs.get("user"), occasion=Occasion.BEFORE_IMPORT
                )

    def before_import_row(self, row: Any, **_kwargs: Any) -> None:
        """Takes the apostrophes away that an export put before formulas."""
        for name, value in row.items():
            row[name] = unescaped(value)

    def after_import(self, dataset: Dataset, result: Any, **kwargs: Any) -> None:
        """Writes the act into the log of each event of the file."""
        super().after_import(dataset, result, **kwargs)
        new, changed = result.totals["new"], result.totals["update"]
        if kwargs.get("dry_run") or not new + changed:
            return
        told = {str(self._meta.model._meta.verbose_name_plural): {"new": new, "changed": changed}}
        for event in self._events(dataset):
            record_act(event=event, act=Act.ROSTER_IMPORTED, by=kwargs.get("user"), new=told)

    @staticmethod
    def _events(dataset: Dataset) -> QuerySet[Event]:
        slugs = dataset[EVENT] if EVENT in (dataset.headers or []) else []
        return Event.objects.filter(slug__in=slugs).order_by("pk")

    class Meta:
        skip_unchanged = True
        clean_model_instances = True
        use_bulk = True


class DepartmentResource(RosterResource):
    """单位: one row a department."""

    name = fields.Field("name", "单位")

    def after_init_instance(self, instance: Department, new: bool, row: Any, **_kwargs: Any) -> None:
        """Gives a new department its id."""
        if new:
            instance.key = f"d-{row.get('单位')}"[:60]

    class Meta(RosterResource.Meta):
        model = Department
        fields = ("event", "name")
        import_id_fields = ("event", "name")


class TeamResource(RosterResource):
    """队: one row a team; its players stand in their own table."""

    number = fields.Field("number", NUMBER, IntegerWidget())
    name = fields.Field("name", "队名", default="")
    department = fields.Field("department", "单位", DepartmentOfEvent())
    session = fields.Field("session", "场次", default="")
    seed = fields.Field("seed", "种子", IntegerWidget())
    fixed_table = fields.Field("fixed_table", "固定桌", IntegerWidget())
    remark = fields.Field("remark", "备注", default="")

    def after_init_instance(self, instance: Team, new: bool, row: Any, **_kwargs: Any) -> None:
        """Gives a new team its id."""
        if new:
            instance.key = f"team-{row.get(NUMBER)}"[:60]

    def get_queryset(self) -> QuerySet[Team]:
        """Teams with event and department."""
        return Team.objects.select_related("event", "department").order_by("event", "number")

    class Meta(RosterResource.Meta):
        model = Team
        fields = ("event", "number", "name", "department", "session", "seed", "fixed_table", "remark")
        import_id_fields = ("event", "number")


class PlayerResource(RosterResource):
    """选手: one row a player, by team number and place in the team."""

    event = fields.Field("team__event__slug", EVENT, readonly=True)
    team = fields.Field("team", NUMBER, TeamOfEvent())
    position = fields.Field("position", "位次", IntegerWidget())
    name = fields.Field("name", NAME)
    phone = fields.Field("phone", "电话", default="")

    def get_queryset(self) -> QuerySet[Player]:
        """Players with team and event."""
        return Player.objects.select_related("team__event").order_by(
            "team__event", "team__number", "position"
        )

    class Meta(RosterResource.Meta):
        model = Player
        fields = ("event", "team", "position", "name", "phone")
        import_id_fields = ("team", "position")
