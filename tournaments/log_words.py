"""The log in words: what an act changed, old → new, as an official reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from tournaments.log import ACT_NAMES, Act, actor_words
from tournaments.log_vocabulary import DRAFT_CHANGES, FIELD_NAMES, OUTCOME_NAMES, VALUE_NAMES
from tournaments.models import LogEntry
from tournaments.templatetags.guandan import level, minutes_seconds

LEVELS = {"start_level", "target_level"}
ROUND = re.compile(r"(\d+)/(\d+)")
"""How services name a round: order of the stage / number of the round."""
KEPT_ASIDE = {"act", "by", "at", "first", "second", "version"}
"""Facts of a draft's change that its sentence says already."""
FREE_TEXT = {
    *("name", "slug", "venue", "organiser", "preset", "username", "full_name"),
    *("players", "phones", "phone", "department", "session", "remark", "new", "removed", "withdrawn"),
    *("leader_name", "coach_name", "lineup", "singles", "pairs", "waiting"),
    *("prizes", "notes", "notice", "screens", "text"),
}
"""Facts that people type: never taken for a code, even where they look like one."""
NOBODY = "–"
FEW = 5
"""More teams than that are counted in a short line."""
LONG = 60
"""Longer values are folded away until somebody opens them."""


@dataclass(frozen=True)
class Change:
    """One changed value; `old` or `new` is empty where there was or is nothing."""

    label: str
    old: str
    new: str

    @property
    def is_long(self) -> bool:
        """Whether it would fill the page, such as the tables of a round."""
        return len(self.old) + len(self.new) > LONG and self.label == str(FIELD_NAMES["seating"])


@dataclass(frozen=True)
class LogLine:
    """One act as the log page shows it."""

    entry: LogEntry
    by: str
    act: str
    subject: str
    changes: tuple[Change, ...]

    @property
    def about(self) -> str:
        """Whom or what it was about, for one short line: its subject, else the teams, else what changed."""
        if self.subject:
            return self.subject
        teams = self.entry.new.get("teams") if isinstance(self.entry.new, Mapping) else None
        if isinstance(teams, list):
            return _teams_in_short(teams)
        first = next(iter(self.changes), None)
        return "" if first is None else f"{first.label} {first.new or first.old}".strip()


def log_line(entry: LogEntry) -> LogLine:
    """The entry with its act, its subject and its changes in the reader's language."""
    told = _SPECIAL.get(entry.act, _changes)
    return LogLine(
        entry,
        actor_words(entry.by_name),
        act_name(entry.act),
        _subject(entry.subject),
        tuple(told(entry.old, entry.new)),
    )


def _teams_in_short(teams: list[Any]) -> str:
    shown = _(", ").join(str(team) for team in teams[:FEW])
    words = _("teams %(teams)s") if len(teams) <= FEW else _("teams %(teams)s and others, %(count)s in all")
    return words % {"teams": shown, "count": len(teams)}


def act_name(act: str) -> str:
    """What the act is called."""
    known = act in set(Act)
    return str(ACT_NAMES[Act(act)]) if known else act


def _subject(subject: str) -> str:
    place = ROUND.fullmatch(subject)
    if place is None:
        return subject
    told = {"stage": place[1], "round": place[2]}
    return (_("round %(round)s") if place[1] == "1" else _("stage %(stage)s, round %(round)s")) % told


def _result_changes(old: Any, new: Any) -> Iterator[Change]:
    yield Change("", _result(old), _result(new))


def _result(value: Any) -> str:
    """A result in one line: 12 号 A : 9 30 号, or what else became of the match."""
    if not isinstance(value, Mapping):
        return ""
    sides = {"home": value.get("home"), "away": value.get("away")}
    outcome = OUTCOME_NAMES.get(value.get("outcome", ""))
    if outcome is not None:
        return _("%(home)s : %(away)s, %(outcome)s") % {**sides, "outcome": outcome}
    levels = {side: level(value.get(f"{side}_level")) or NOBODY for side in sides}
    text = _("No. %(home)s %(home_level)s : %(away_level)s No. %(away)s") % {
        **sides,
        "home_level": levels["home"],
        "away_level": levels["away"],
    }
    games = value.get("games")
    first = games[0] if isinstance(games, list) and games else value
    text += "".join(_beside(value, first))
    decided = value.get("reason") not in {None, "", "passed", "time"} and value.get("winner") in sides
    return text + (_(", No. %(winner)s wins") % {"winner": sides[value["winner"]]} if decided else "")


def _beside(value: Mapping[str, Any], first: Mapping[str, Any]) -> Iterator[str]:
    """What was entered beside the levels: a handicap, the deals that both sides won."""
    begun = [level(first.get(f"{side}_start")) or NOBODY for side in ("home", "away")]
    if begun != [NOBODY, NOBODY]:
        yield _(", began at %(home)s : %(away)s") % {"home": begun[0], "away": begun[1]}
    if value.get("home_deals") and value.get("away_deals"):
        won = {side: " ".join(map(str, value[f"{side}_deals"])) for side in ("home", "away")}
        yield _(", deals %(home)s : %(away)s") % won


def _clock_changes(old: Any, new: Any) -> Iterator[Change]:
    before, after = (_seconds(value) for value in (old, new))
    if before != after:
        yield Change(str(FIELD_NAMES["seconds"]), before, after)


def _seconds(value: Any) -> str:
    seconds = value.get("seconds") if isinstance(value, Mapping) else None
    return "" if seconds is None else minutes_seconds(int(seconds))


def _draft_changes(old: Any, new: Any) -> Iterator[Change]:
    change = new if isinstance(new, Mapping) else {}
    sentence = DRAFT_CHANGES.get(change.get("act", ""))
    if sentence is not None:
        yield Change("", "", str(sentence) % {"first": change.get("first"), "second": change.get("second")})
    yield from _changes(old, {name: value for name, value in change.items() if name not in KEPT_ASIDE})


_SPECIAL: Mapping[str, Callable[[Any, Any], Iterator[Change]]] = {
    **dict.fromkeys(
        (
            *(Act.RESULT_ENTERED, Act.RESULT_CHANGED, Act.RESULT_CLEARED, Act.RESULT_CONFIRMED),
            *(Act.RESULT_STATED, Act.RESULT_DISPUTED, Act.DISPUTE_DECIDED),
        ),
        _result_changes,
    ),
    **dict.fromkeys(
        (Act.CLOCK_STARTED, Act.CLOCK_PAUSED, Act.CLOCK_RESUMED, Act.CLOCK_EXTENDED, Act.CLOCK_RESET),
        _clock_changes,
    ),
    Act.DRAFT_CHANGED: _draft_changes,
}


def _changes(old: Any, new: Any) -> Iterator[Change]:
    before, after = _flat(old), _flat(new)
    for path in dict.fromkeys([*before, *after]):
        was, is_now = _value(path, before.get(path)), _value(path, after.get(path))
        if was != is_now:
            yield Change(_label(path), was, is_now)


def _flat(value: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """A nested mapping as one level, a dotted name as its parts; its leaves are single values or lists."""
    if not isinstance(value, Mapping):
        return {} if value is None and not path else {path: value}
    flat: dict[tuple[str, ...], Any] = {}
    for name, inner in value.items():
        flat |= _flat(inner, (*path, *str(name).split(".")))
    return flat


def _label(path: tuple[str, ...]) -> str:
    """The names along the path; one that means another thing inside another is named by both."""
    inside = zip(("", *path), path, strict=False)
    names = (FIELD_NAMES.get(f"{outer}.{name}") or FIELD_NAMES.get(name) or name for outer, name in inside)
    return " · ".join(map(str, names))


def _value(path: tuple[str, ...], value: Any) -> str:
    if value is None or value == "" or value == []:
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return _(", ").join(_item(path, item) for item in value)
    if path and path[-1] in LEVELS:
        return level(value)
    return _word(path, value) if isinstance(value, str) else str(value)


def _item(path: tuple[str, ...], item: Any) -> str:
    if isinstance(item, Mapping):
        return " ".join(_value((*path, str(name)), value) or NOBODY for name, value in item.items())
    if isinstance(item, list) and path[-1:] == ("seating",):
        return _table(item)
    if isinstance(item, list):
        return " – ".join(str(each) for each in item)
    return _word(path, item) if isinstance(item, str) else str(item)


def _table(seats: list[Any]) -> str:
    table, home, away = (*seats, None, None, None)[:3]
    if away is None:
        return _("bye %(home)s") % {"home": home}
    return _("table %(table)s: %(home)s–%(away)s") % {"table": table, "home": home, "away": away}


def _word(path: tuple[str, ...], text: str) -> str:
    inside = VALUE_NAMES.get(".".join((*path[-2:], text)))
    if inside is not None:
        return str(inside)
    if path[-1:] and path[-1] not in FREE_TEXT:
        named = VALUE_NAMES.get(f"{path[-1]}.{text}") or VALUE_NAMES.get(text)
        word = named or (FIELD_NAMES.get(text) if path[-1] == "rule" else None)
        return str(word or _moment(text))
    return text


def _moment(text: str) -> str:
    moment: datetime | None = parse_datetime(text) if "T" in text[:20] else None
    return timezone.localtime(moment).strftime("%Y-%m-%d %H:%M") if moment and moment.tzinfo else text
