"""Table numbers of an event file: broken ones, a stage's range, what a draw could use and changed by hand."""

from guandan_site.event_file import document as doc
from guandan_site.event_file import limits
from guandan_site.event_file.problems import Fault
from guandan_site.event_file.reading import Fields, is_whole
from pairing.engine.types import Rule

MOST = limits.MOST_TEAM_NUMBER


def read_numbers(fields: Fields, key: str) -> tuple[int, ...]:
    """A list of table numbers, ascending, each once; missing is empty."""
    found: set[int] = set()
    for path, value in fields.items(key, ()):
        if not is_whole(value) or not 1 <= value <= MOST:
            fields.faults.note(path, Fault.OUT_OF_RANGE, least=1, most=MOST)
        else:
            found.add(value)
    return tuple(sorted(found))


def read_range(fields: Fields) -> tuple[int | None, int | None]:
    """The first and the last table of a stage; both or neither."""
    first = fields.optional_whole("first_table", least=1, most=MOST)
    last = fields.optional_whole("last_table", least=first or 1, most=MOST)
    if (first is None) != (last is None):
        fields.note("last_table" if last is None else "first_table", Fault.MISSING)
    return first, last


def read_draw_tables(fields: Fields) -> doc.Extra:
    """The numbers that a draw could use; empty for 1, 2, 3 …"""
    if fields.raw("tables", None) is None:
        return {}
    tables = fields.member("tables")
    first = tables.whole("first", 1, least=1, most=MOST)
    last = tables.optional_whole("last", least=1, most=MOST)
    return {"first": first, "last": last, "without": list(read_numbers(tables, "without")), **tables.extra()}


def read_by_hand(fields: Fields) -> doc.Extra:
    """The tables that differ from the engine's own draw, what they break, and the reason."""
    if fields.raw("by_hand", None) is None:
        return {}
    by_hand = fields.member("by_hand")
    return {
        "tables": list(read_numbers(by_hand, "tables")),
        "broken": [_broken(each) for each in by_hand.objects("broken", ())],
        "reason": by_hand.text("reason", "", longest=limits.LONGEST_REMARK, blank=True),
        **_reasons(by_hand),
        **by_hand.extra(),
    }


def _reasons(by_hand: Fields) -> dict[str, object]:
    """Which reason goes with which tables, where there are several."""
    if by_hand.raw("reasons", None) is None:
        return {}
    return {
        "reasons": [
            {
                "tables": list(read_numbers(each, "tables")),
                "reason": each.text("reason", "", longest=limits.LONGEST_REMARK, blank=True),
            }
            for each in by_hand.objects("reasons")
        ]
    }


def _broken(fields: Fields) -> dict[str, object]:
    teams = [value for _, value in fields.items("teams") if is_whole(value)]
    if len(teams) != 2:
        fields.note("teams", Fault.WRONG_TYPE, wanted="[number, number]")
    round_ = fields.optional_whole("round", least=1, most=limits.MOST_ROUNDS)
    return {"rule": fields.choice("rule", Rule).value, "teams": teams, "round": round_}
