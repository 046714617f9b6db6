"""主裁判调整: how a round's tables differ from what the engine drew by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pairing.engine.tables import TooFewTables
from pairing.engine.types import Broken, Method, NoLegalDraw
from pairing.explained import broken_as_dicts, tables_from_dict
from pairing.selectors.board import Draft, DraftTable
from pairing.selectors.inputs import DrawInputs, Seating, drawn_seating
from scoring.cuts import was_corrected_since
from scoring.selectors import TeamStanding

CHANGES = frozenset({"swap", "tables", "corrected"})
"""What a chief does to a drawn round by hand."""
CORRECTED = frozenset({"corrected", "kept"})
"""What is done to a round once something before it was corrected."""


BETWEEN_REASONS = "；"
LONGEST_REASON = 400
"""As many characters as the event file takes."""


@dataclass(frozen=True)
class ChangedTable:
    """A table that is not as the engine drew it; `drawn` is None where the engine seated nobody."""

    now: DraftTable
    drawn: tuple[TeamStanding, TeamStanding] | None


@dataclass(frozen=True)
class ByHand:
    """The difference to the engine's own draw, and the rules broken that it would not have broken."""

    tables: tuple[ChangedTable, ...] = ()
    bye: tuple[TeamStanding | None, TeamStanding | None] | None = None
    """Who has the bye now and who had it in the draw, where that changed."""
    broken: tuple[Broken, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether anything differs."""
        return bool(self.tables or self.bye or self.broken)

    @property
    def needs_reason(self) -> bool:
        """Whether a rule is broken that the draw kept."""
        return bool(self.broken)

    def as_dict(self, reason: str) -> dict[str, Any]:
        """What is kept on the draw; teams by number."""
        if not self.is_any:
            return {}
        tables = [each.now.table for each in self.tables]
        return {"tables": tables, "broken": broken_as_dicts(self.broken), "reason": reason}


def told_together(earlier: Mapping[str, Any], whole: ByHand, act: ByHand, reason: str) -> dict[str, Any]:
    """What is kept of a round that is changed by hand once more: the whole difference, and every reason.

    Tables that the present act left alone keep the reason they had; `reasons` names them where there are
    several. A table that is again as the engine drew it is named no more.
    """
    told = whole.as_dict(reason)
    if not told:
        return {}
    changed = {each.now.table for each in act.tables}
    left = [
        {"tables": tables, "reason": each["reason"]}
        for each in reasons_told(earlier)
        if (tables := [table for table in each["tables"] if table in told["tables"] and table not in changed])
    ]
    if not left:
        return told
    explained = {table for each in left for table in each["tables"]}
    rest = [table for table in told["tables"] if table not in explained]
    reasons = [*left, {"tables": rest, "reason": reason}] if rest else left
    words = dict.fromkeys(each["reason"] for each in reasons if each["reason"])
    told["reason"] = BETWEEN_REASONS.join(words)[:LONGEST_REASON]
    return {**told, "reasons": reasons} if len(words) > 1 else told


def reasons_told(by_hand: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Each reason with its tables, as they are kept: {"tables", "reason"}."""
    return by_hand.get("reasons") or ([by_hand] if by_hand.get("tables") else [])


def changed_by_hand(draft: Draft, *, since: int = 0) -> ByHand:
    """The difference; none where nobody changed anything, or the roster is not that of the draw any more.

    With `since`, a version of the draw, the difference to what stood then.

    A meeting that the chief set and that breaks a rule is the chief's too, although the engine draws it.

    Once something before the round was corrected the engine would draw from other standings; then the record
    of what was done says what had been drawn.

    No query; one draw of the engine where something was changed.
    """
    acts = [change for change in draft.draw.changes if change["version"] > since]
    if not any(change["act"] in CHANGES for change in acts):
        return ByHand(broken=_broken_by_wish(draft))
    if not draft.is_swiss:
        moved = {change[name] for change in _moves(draft) for name in ("first", "second")}
        return ByHand(tuple(ChangedTable(each, None) for each in draft.tables if each.table in moved))
    round_ = draft.round
    is_corrected = any(change["act"] in CORRECTED for change in acts)
    if since or is_corrected or was_corrected_since(round_.stage, round_.number):
        before = _before(draft, acts)
        return _difference(draft, before, draft.inputs.broken(before))
    return ByHand(broken=_broken_by_wish(draft)) if draft.is_outdated else _from_own_draw(draft)


def _broken_by_wish(draft: Draft) -> tuple[Broken, ...]:
    set_to_meet = [{w.first.number, w.second.number} for w in draft.wishes if w.kind == "forced"]
    return tuple(item for each in draft.tables for item in each.broken if set(item.teams) in set_to_meet)


def _moves(draft: Draft) -> Iterator[Mapping[str, Any]]:
    return (change for change in draft.draw.changes if change["act"] == "tables")


def _before(draft: Draft, acts: Sequence[Mapping[str, Any]]) -> Seating:
    """Who sat where before these acts, which are undone from the last one on; teams by key."""
    tables = {each.table: (each.home.team.number, each.away.team.number) for each in draft.tables}
    byes = [place.team.number for place in draft.byes]
    for act in reversed(acts):
        if act["act"] == "swap":
            other = {act["first"]: act["second"], act["second"]: act["first"]}
            tables = {
                table: (other.get(home, home), other.get(away, away))
                for table, (home, away) in tables.items()
            }
            byes = [other.get(number, number) for number in byes]
        elif act["act"] == "tables":
            other = {act["first"]: act["second"], act["second"]: act["first"]}
            tables = {other.get(table, table): couple for table, couple in tables.items()}
        elif act["act"] == "corrected":
            tables |= {table: (home, away) for table, home, away in act.get("seating", ())}
    keys = {place.team.number: key for key, place in draft.inputs.places.items()}
    return Seating(
        tuple(
            (table, keys[home], keys[away])
            for table, (home, away) in sorted(tables.items())
            if home in keys and away in keys
        ),
        tuple(keys[number] for number in byes if number in keys),
    )


def _from_own_draw(draft: Draft) -> ByHand:
    """The difference to what the engine draws from the same seed; none where it cannot any more."""
    draw = draft.draw
    inputs = draft.inputs.by_method(Method(draw.method)).at_tables(tables_from_dict(draw.tables))
    try:
        own = inputs.drawn(draw.seed)
    except (NoLegalDraw, TooFewTables):
        return ByHand(broken=_broken_by_wish(draft))
    return _difference(draft, drawn_seating(own), own.broken)


def _difference(draft: Draft, before: Seating, broken_before: Iterable[Broken]) -> ByHand:
    places = draft.inputs.places
    drawn = {table: (places[home], places[away]) for table, home, away in before.tables}
    changed = [
        ChangedTable(each, drawn.get(each.table))
        for each in draft.tables
        if _numbers(each.home, each.away) != _numbers(*drawn.get(each.table, ()))
    ]
    bye_now = draft.byes[0] if draft.byes else None
    bye_drawn = places[before.byes[0]] if before.byes else None
    excused = {_couple(item, draft.inputs) for item in broken_before}
    broken = [item for each in draft.tables for item in each.broken] + list(draft.apart)
    wished = _broken_by_wish(draft)
    return ByHand(
        tables=tuple(changed),
        bye=(bye_now, bye_drawn) if bye_now is not bye_drawn else None,
        broken=tuple(
            item for item in broken if item in wished or (item.rule, frozenset(item.teams)) not in excused
        ),
    )


def _numbers(*sides: TeamStanding) -> set[int]:
    return {side.team.number for side in sides}


def _couple(item: Broken, inputs: DrawInputs) -> tuple[Any, frozenset[int | str]]:
    return item.rule, frozenset(inputs.places[str(team)].team.number for team in item.teams)
