"""The log in words: what an act changed, old → new, as an official reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.log import ACT_NAMES, Act
from tournaments.models import LogEntry
from tournaments.templatetags.guandan import level

FIELD_NAMES = {
    "name": gettext_lazy("name"),
    "slug": gettext_lazy("short address"),
    "venue": gettext_lazy("venue"),
    "organiser": gettext_lazy("organiser"),
    "starts_at": gettext_lazy("date and time"),
    "is_public": gettext_lazy("public"),
    "rounds": gettext_lazy("number of rounds"),
    "minutes": gettext_lazy("minutes per round"),
    "preset": gettext_lazy("rules preset"),
    "username": gettext_lazy("account"),
    "full_name": gettext_lazy("name"),
    "role": gettext_lazy("role"),
    "is_active": gettext_lazy("may sign in"),
    "password": gettext_lazy("new password"),
    "official": gettext_lazy("official of the event"),
    "number": gettext_lazy("number"),
    "players": gettext_lazy("players"),
    "phones": gettext_lazy("phones"),
    "department": gettext_lazy("department"),
    "session": gettext_lazy("session"),
    "seed": gettext_lazy("seed"),
    "fixed_table": gettext_lazy("fixed table"),
    "withdrawn_after": gettext_lazy("last round played"),
    "remark": gettext_lazy("remark"),
    "new": gettext_lazy("new teams"),
    "changed": gettext_lazy("changed teams"),
    "removed": gettext_lazy("removed teams"),
    "withdrawn": gettext_lazy("withdrawn teams"),
    "table": gettext_lazy("table"),
    "home": gettext_lazy("home"),
    "away": gettext_lazy("away"),
    "home_level": gettext_lazy("home level"),
    "away_level": gettext_lazy("away level"),
    "outcome": gettext_lazy("outcome"),
    "winner": gettext_lazy("winner"),
    "reason": gettext_lazy("reason"),
    "points": gettext_lazy("points"),
    "round": gettext_lazy("round"),
    "team": gettext_lazy("team"),
    "version": gettext_lazy("version"),
    "method": gettext_lazy("method"),
    "status": gettext_lazy("status"),
    "screen": gettext_lazy("projector"),
    "occasion": gettext_lazy("occasion"),
}
LEVELS = {"home_level", "away_level"}
NOTHING = "–"


@dataclass(frozen=True)
class Change:
    """One changed value; `old` or `new` is empty where there was or is nothing."""

    label: str
    old: str
    new: str


@dataclass(frozen=True)
class LogLine:
    """One act as the log page shows it."""

    entry: LogEntry
    act: str
    changes: tuple[Change, ...]


def log_line(entry: LogEntry) -> LogLine:
    """The entry with its act and its changes in the reader's language."""
    return LogLine(entry, act_name(entry.act), tuple(_changes(entry.old, entry.new)))


def act_name(act: str) -> str:
    """What the act is called."""
    known = act in set(Act)
    return str(ACT_NAMES[Act(act)]) if known else act


def _changes(old: Any, new: Any) -> Iterator[Change]:
    before, after = _flat(old), _flat(new)
    for path in dict.fromkeys([*before, *after]):
        was, is_now = _value(path, before.get(path)), _value(path, after.get(path))
        if was != is_now:
            yield Change(_label(path), was, is_now)


def _flat(value: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """A nested mapping as one level; its leaves are single values or lists of them."""
    if not isinstance(value, Mapping):
        return {} if value is None and not path else {path: value}
    flat: dict[tuple[str, ...], Any] = {}
    for name, inner in value.items():
        flat |= _flat(inner, (*path, str(name)))
    return flat


def _label(path: tuple[str, ...]) -> str:
    return " · ".join(str(FIELD_NAMES.get(name, name)) for name in path)


def _value(path: tuple[str, ...], value: Any) -> str:
    if value is None or value == "" or value == []:
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return _(", ").join(_item(item) for item in value)
    if path and path[-1] in LEVELS:
        return level(value)
    return _moment(value) if isinstance(value, str) else str(value)


def _item(item: Any) -> str:
    if isinstance(item, Mapping):
        return " ".join(str(value) for value in item.values())
    if isinstance(item, list):
        return " : ".join(NOTHING if value is None else str(value) for value in item)
    return str(item)


def _moment(text: str) -> str:
    moment: datetime | None = parse_datetime(text) if "T" in text[:20] else None
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M") if moment and moment.tzinfo else text
